//! All about one record, made from its bytes when it is asked for.

use crate::explain::Explanation;
use crate::text::diff::FileDiff;
use serde::{Deserialize, Serialize};

/// What the detail pane shows of one event.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Detail {
    /// The event's id, as in its row.
    pub id: u32,
    /// Name of the file.
    pub file: String,
    /// Line of the record, from 1.
    pub line: u64,
    /// Byte offset of the line in its file.
    pub offset: u64,
    /// Length of the line in bytes, without its end.
    pub len: u64,
    /// Line that holds the last state, where the record was written again.
    pub values_line: Option<u64>,
    /// Part id, if it has one.
    pub part_id: Option<String>,
    /// The normalized event, pretty JSON.
    pub event: String,
    /// The events of the same record, if it gave several.
    pub siblings: u32,
    /// Input of the call, pretty JSON (text where it is none).
    pub input: Option<String>,
    /// Output of the call, decoded; for messages, the text.
    pub output: Option<String>,
    /// Error text of the call or the record.
    pub error: Option<String>,
    /// The line, exactly as it stands.
    pub raw: String,
    /// What the call did to files, or was to do.
    pub changes: Vec<FileDiff>,
    /// The harness itself says what changed; else it is what the model asked for.
    pub changes_reported: bool,
    /// The todo list that it wrote.
    pub todos: Vec<Todo>,
    /// Pictures in its output and its attachments, at most [`PICTURES`].
    pub pictures: Vec<Picture>,
    /// Why it became what it became.
    pub explanation: Explanation,
}

/// How many pictures are listed.
pub const PICTURES: usize = 20;

/// An entry of a todo list.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Todo {
    /// What is to be done.
    pub content: String,
    /// `pending`, `in_progress`, `completed`, `cancelled`, as it is written.
    pub status: String,
    /// As it is written.
    pub priority: Option<String>,
}

/// A picture that the log holds.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Picture {
    /// `image/png`.
    pub mime: String,
    /// Size of the file in bytes.
    pub bytes: u64,
    /// Width and height in pixels, where its head says so.
    pub size: Option<(u32, u32)>,
    /// Its bytes, as a `data:` address.
    pub uri: String,
}
