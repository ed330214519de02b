//! How the open logs are mapped, and what another table of rules would change: what the page's lab shows.

use crate::explain::Explanation;
use crate::summary::RecordCounts;
use serde::{Deserialize, Serialize};

/// How the open logs are mapped.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Mapping {
    /// Where the records went.
    pub records: RecordCounts,
    /// What became unknown, by type, tool and reason; the most frequent first.
    pub unknown: Vec<UnknownGroup>,
    /// The rules of the dialects that are there, in the order in which they are asked.
    pub rules: Vec<RuleUse>,
    /// Fields of records that no version of the harnesses is known to write, the most frequent first.
    pub drift: Vec<Drift>,
    /// What the author of the user's table should know.
    pub notes: Vec<String>,
}

/// Unknown events that have their type, their tool and their reason in common.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnknownGroup {
    /// What names them.
    pub what: UnknownKind,
    /// The name of the type or the tool; empty where there is none.
    pub name: String,
    /// Why they are unknown, in a few words.
    pub reason: String,
    /// How many.
    pub count: u64,
    /// The first of them: file, by its place in the summary, and line, from 1.
    pub places: Vec<(u32, u64)>,
    /// A rule that could read them, as text of a table.
    pub suggestion: Option<String>,
    /// Where that rule comes from, in a sentence.
    pub note: Option<String>,
    /// Whether that is a guess from names, and no rule that is known to fit.
    pub is_guess: bool,
}

/// What names a group of unknown events.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum UnknownKind {
    /// A tool.
    #[default]
    Tool,
    /// A type of record.
    Type,
    /// Nothing: it is no JSON object.
    Malformed,
}

/// A rule, and how often it was used.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleUse {
    /// Its id.
    pub id: String,
    /// The tools that it reads.
    pub tools: Vec<String>,
    /// What it gives.
    pub event: String,
    /// Whether it is of the user's table.
    pub is_own: bool,
    /// Calls that it read.
    pub calls: u64,
    /// Of these, how many stayed unknown: a field was missing.
    pub unknown: u64,
    /// The rule as text of a table.
    pub toml: String,
}

/// A field that no version is known to write.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Drift {
    /// Where: `tool_use part.newField`.
    pub name: String,
    /// Records that have it.
    pub count: u64,
    /// The first line.
    pub line: u64,
}

/// What another table makes of the same records.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Changes {
    /// Records that give other events than before.
    pub changed: u64,
    /// Records by class, before.
    pub records_before: RecordCounts,
    /// Records by class, now.
    pub records_after: RecordCounts,
    /// Events by type: name, before, now; types that have none in both are left out.
    pub kinds: Vec<(String, u64, u64)>,
    /// What became what, by the first event of a record: from, to, records. `none` stands for no event.
    pub moves: Vec<(String, String, u64)>,
}

/// What one line becomes under some rules.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Tried {
    /// Its events, as lines of JSON.
    pub events: Vec<String>,
    /// Why, record by record.
    pub explanations: Vec<Explanation>,
}
