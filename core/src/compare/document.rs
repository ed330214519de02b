//! The document of a comparison, which `steplens compare --json` prints and the page shows.

use crate::event::Outcome;
use crate::summary::{ToolSummary, TotalSummary, Verdict};
use serde::{Deserialize, Serialize};

/// The version of the document's shape.
pub const SCHEMA: u32 = 1;

/// Two runs, or groups of sessions, side by side. `null` means unknown.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Comparison {
    /// [`SCHEMA`].
    pub schema: u32,
    /// One side.
    pub a: Side,
    /// The other.
    pub b: Side,
    /// Folders of both that were left out of arguments, where they differ.
    pub folders: Option<(String, String)>,
    /// Totals that are whole numbers: counts, times in milliseconds, tokens.
    pub counts: Vec<CountDelta>,
    /// Costs.
    pub costs: Vec<CostDelta>,
    /// Tools of either side, by the larger number of calls, then by name.
    pub tools: Vec<ToolDelta>,
    /// How far they agree.
    pub agreement: Agreement,
    /// Calls that only A made, in its order; equal ones are one entry.
    pub only_a: Vec<Deed>,
    /// Calls that only B made.
    pub only_b: Vec<Deed>,
    /// Calls of both that came out otherwise.
    pub outcomes: Vec<OutcomeDelta>,
    /// Steps of both, aligned by what they did.
    pub steps: Vec<StepPair>,
}

/// One side of a comparison.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Side {
    /// What it is called: the file, or the session.
    pub name: String,
    /// Its sessions, in the order of the summary.
    pub sessions: Vec<SideSession>,
    /// Sums over them.
    pub total: TotalSummary,
}

/// A session of a side.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SideSession {
    /// Its place in the summary of its run.
    pub place: u32,
    /// Its id; null where the file names none.
    pub id: Option<String>,
    /// Its title.
    pub title: Option<String>,
    /// Its model.
    pub model: Option<String>,
    /// How it ended.
    pub verdict: Verdict,
}

/// A whole number of both sides.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CountDelta {
    /// Its name, as `tokens.total`; times end in `Ms`.
    pub figure: String,
    /// Of A.
    pub a: Option<u64>,
    /// Of B.
    pub b: Option<u64>,
    /// B less A; null where one is unknown.
    pub delta: Option<i64>,
    /// One side reports only a part of it, so that the difference is that of the parts.
    pub partial: bool,
}

/// A cost of both sides, in USD.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CostDelta {
    /// `cost.reported`, `cost.comparable` or `cost.list`.
    pub figure: String,
    /// Of A.
    pub a_usd: Option<f64>,
    /// Of B.
    pub b_usd: Option<f64>,
    /// B less A; null where one is unknown.
    pub delta_usd: Option<f64>,
    /// One side lacks a part of it.
    pub partial: bool,
}

/// A tool of both sides.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolDelta {
    /// Its name.
    pub name: String,
    /// In A; null where A did not call it.
    pub a: Option<ToolSummary>,
    /// In B.
    pub b: Option<ToolSummary>,
    /// Calls of B less those of A.
    pub calls: i64,
    /// Failed ones.
    pub failed: i64,
    /// Rejected ones.
    pub rejected: i64,
    /// Sum of the durations; null where a side that called it tells none.
    pub total_ms: Option<i64>,
}

/// How far two sides agree.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Agreement {
    /// Aligned steps with the same calls and outcomes.
    pub steps_same: u64,
    /// Aligned steps that differ.
    pub steps_changed: u64,
    /// Steps of A that are aligned with none.
    pub steps_only_a: u64,
    /// Steps of B that are aligned with none.
    pub steps_only_b: u64,
    /// Calls that both made, in aligned steps.
    pub calls_both: u64,
    /// Calls that both made, each in another step.
    pub calls_moved: u64,
    /// Calls of A only.
    pub calls_only_a: u64,
    /// Calls of B only.
    pub calls_only_b: u64,
    /// Calls of both with another outcome.
    pub outcomes_differ: u64,
}

/// Calls that one side made and the other did not: the same one, however often.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Deed {
    /// The tool.
    pub tool: String,
    /// Its argument, as it is matched by.
    pub argument: String,
    /// How many of its calls the other side has no match for.
    pub calls: u64,
    /// How many of these failed or were rejected.
    pub failed: u64,
    /// The first of them.
    pub first: Call,
}

/// A call of both sides that came out otherwise.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OutcomeDelta {
    /// The tool.
    pub tool: String,
    /// Its argument.
    pub argument: String,
    /// In A.
    pub a: Call,
    /// In B.
    pub b: Call,
}

/// A call of one side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Call {
    /// File, by its place in the summary of its run.
    pub file: u32,
    /// Line, from 1.
    pub line: u64,
    /// What happened to it.
    pub outcome: Outcome,
    /// Its status says success, and it failed.
    pub green_but_failed: bool,
    /// How long it took.
    pub duration_ms: Option<u64>,
}

impl Default for Call {
    fn default() -> Call {
        Call { file: 0, line: 0, outcome: Outcome::Unknown, green_but_failed: false, duration_ms: None }
    }
}

/// A step of one side.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Step {
    /// Its session, by its place in the summary of its run.
    pub session: u32,
    /// Its number in its session, from 1; null for a call that is in no step.
    pub number: Option<u64>,
    /// File, by its place in the summary of its run.
    pub file: u32,
    /// Line of its first record, from 1.
    pub line: u64,
    /// Why it ended, as the log says.
    pub reason: Option<String>,
    /// All its tokens.
    pub tokens: Option<u64>,
    /// Reported cost in USD.
    pub cost_usd: Option<f64>,
    /// From start to finish.
    pub duration_ms: Option<u64>,
}

/// Steps that are aligned with each other, or one that is with none.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StepPair {
    /// Of A.
    pub a: Option<Step>,
    /// Of B.
    pub b: Option<Step>,
    /// Both are there, made the same calls, and these came out the same.
    pub same: bool,
    /// Their calls: those of A in order, then what B has beyond them.
    pub calls: Vec<CallPair>,
}

/// A call in aligned steps.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CallPair {
    /// The tool.
    pub tool: String,
    /// Its argument.
    pub argument: String,
    /// In A.
    pub a: Option<Call>,
    /// In B.
    pub b: Option<Call>,
    /// The other side made it too, in another step.
    pub moved: bool,
}

impl CallPair {
    /// Both made it here, and it came out the same.
    pub fn is_same(&self) -> bool {
        match (&self.a, &self.b) {
            (Some(a), Some(b)) => (a.outcome, a.green_but_failed) == (b.outcome, b.green_but_failed),
            _ => false,
        }
    }
}
