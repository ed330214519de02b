//! The files that the agent read and wrote: a row a file, and the story of one.

use crate::text::diff::FileDiff;
use crate::time::TimeMs;
use crate::view::EventRow;
use serde::{Deserialize, Serialize};

/// Where a file was touched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Touch {
    /// The event.
    pub event: u32,
    /// Its line, from 1.
    pub line: u64,
    /// Its time.
    pub time: Option<TimeMs>,
}

/// A file that was read or written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileRow {
    /// The path as the log says it.
    pub path: String,
    /// The absolute path that is taken for the same file, where this one is relative and ends just that one of the log.
    pub same_as: Option<String>,
    /// Reads.
    pub reads: u64,
    /// Writes.
    pub writes: u64,
    /// Reads and writes whose call failed or was rejected; they count above as well.
    pub failed: u64,
    /// The first of both.
    pub first: Touch,
    /// The last of both.
    pub last: Touch,
}

/// The events of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileEvents {
    /// The file's path, and others that are taken for the same file.
    pub names: Vec<String>,
    /// Ids of its events, in file order.
    pub events: Vec<u32>,
}

/// The story of a file: what was done to it, and what that makes together.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct FileStory {
    /// Its path.
    pub path: String,
    /// Other names that are taken for the same file: a relative path that ends this one.
    pub aliases: Vec<String>,
    /// Its events, in file order.
    pub events: Vec<EventRow>,
    /// Events that are not told of, because there are too many.
    pub left_out: u64,
    /// Writes whose record does not tell what was written.
    pub untold: u64,
    /// The edits, folded as far as that can be done.
    pub parts: Vec<StoryPart>,
}

/// Edits that were folded together.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoryPart {
    /// Events of its edits.
    pub events: Vec<u32>,
    /// What they make together.
    pub diff: FileDiff,
    /// Why it does not go on from the part before; none for the first.
    pub why: Option<String>,
}
