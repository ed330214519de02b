//! The agent's list of tasks, and how it went on.

use crate::ask::TimeFrom;
use serde::{Deserialize, Serialize};

/// The list of tasks of a session.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TodoSummary {
    /// The session's id.
    pub session: Option<String>,
    /// How it went on, in file order: a point each time that it changed. At most [`POINTS`]; the last is always there.
    pub points: Vec<TodoPoint>,
    /// How often it changed.
    pub changes: u64,
    /// The tasks as they stood at the end.
    pub items: Vec<TodoItem>,
}

/// How many points of a list are kept.
pub const POINTS: usize = 400;

/// How the list stood at one time.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TodoPoint {
    /// File, by its place in the summary.
    pub file: u32,
    /// Line, from 1.
    pub line: u64,
    /// When, RFC 3339.
    pub at: Option<String>,
    /// What tells that time.
    pub at_from: Option<TimeFrom>,
    /// Tasks that are done.
    pub completed: u64,
    /// Tasks that are worked on.
    pub in_progress: u64,
    /// Tasks to come, and those whose status is not known.
    pub pending: u64,
    /// Tasks that were given up.
    pub cancelled: u64,
}

impl TodoPoint {
    /// All tasks.
    pub fn total(&self) -> u64 {
        self.completed + self.in_progress + self.pending + self.cancelled
    }
}

/// A task.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TodoItem {
    /// What is to be done, cut to 240 bytes.
    pub content: String,
    /// As the log says it: `pending`, `in_progress`, `completed`, `cancelled`.
    pub status: String,
}
