//! The summary document: one versioned JSON object that says what a run was.
//!
//! `null` means unknown everywhere, and unknown is never zero. Money is in USD, times in milliseconds, sizes in bytes.
//! The page shows these same figures, so that page and command line cannot disagree.

use crate::ask::AskSummary;
use crate::todo::TodoSummary;
use crate::usage::Tokens;
use serde::ser::{SerializeStruct, Serializer};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The version of the document's shape.
pub const SCHEMA: u32 = 1;

/// Everything that is known about the files that are open together.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Summary {
    /// [`SCHEMA`].
    pub schema: u32,
    /// The files, in the order in which they were given.
    pub files: Vec<FileSummary>,
    /// Files that were given too and are no logs.
    pub left_out: Vec<LeftOut>,
    /// The dialect of the first session: `kilo` or `opencode`.
    pub dialect: String,
    /// Whether the user chose it.
    pub dialect_forced: bool,
    /// What was seen that tells the dialect.
    pub dialect_evidence: Vec<String>,
    /// Sessions: roots by start, each followed by its children.
    pub sessions: Vec<SessionSummary>,
    /// Sums over all sessions.
    pub total: TotalSummary,
    /// Where every record went.
    pub records: RecordCounts,
    /// Events by type; types without any are left out.
    pub events: BTreeMap<String, u64>,
    /// One entry a tool, by number of calls, then by name.
    pub tools: Vec<ToolSummary>,
    /// Files read and written, by path.
    pub files_touched: Vec<FileTouched>,
    /// Tools that no rule maps.
    pub unmapped: Vec<Unmapped>,
    /// Types of records that are not known.
    pub unknown_types: Vec<UnknownType>,
    /// What was asked of a person, in file order.
    pub asks: Vec<AskSummary>,
    /// Lists of tasks, by session.
    pub todos: Vec<TodoSummary>,
    /// What a reader should look at, in file order.
    pub findings: Vec<Finding>,
    /// How many there are of each kind, also of those that are not listed.
    pub finding_counts: BTreeMap<String, u64>,
    /// What this log cannot tell.
    pub limits: Vec<String>,
    /// What was odd, in file order. At most [`crate::run::DIAGNOSTICS_KEPT`] of a kind.
    pub diagnostics: Vec<Diagnostic>,
    /// How many there were of each kind, also of those that are not listed.
    pub diagnostic_counts: BTreeMap<String, u64>,
}

/// One file.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FileSummary {
    /// Its name, without folders.
    pub name: String,
    /// Its size on disk.
    pub bytes: u64,
    /// Lines, blank ones too.
    pub lines: u64,
    /// Records.
    pub records: u64,
    /// `utf-8`, `utf-8-bom`, `utf-16le` or `utf-16be`.
    pub encoding: String,
    /// `gzip`, `zstd`, or null.
    pub compression: Option<String>,
    /// `step-stream`, `harness-raw`, `bus`, `export`, `share` or `storage`; null where nothing was recognised.
    pub format: Option<String>,
    /// Share of the records that have the form of that format, in per cent.
    pub confidence: u64,
    /// What was seen that tells the format.
    pub evidence: Vec<String>,
    /// What the file added: where its own records went.
    pub contributed: RecordCounts,
}

/// A file that was given with others and not read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    /// Its name.
    pub name: String,
    /// Its size on disk.
    pub bytes: u64,
    /// Why it is no log, as a sentence without a full stop.
    pub reason: String,
}

/// How a session ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VerdictState {
    /// It came to its end.
    Completed,
    /// An error ended it.
    Failed,
    /// Something stopped it: an abort, a refusal, a limit.
    Stopped,
    /// The log ends before the run does.
    Cut,
    /// The log cannot tell.
    #[default]
    Unknown,
}

impl VerdictState {
    /// The wire name.
    pub fn name(self) -> &'static str {
        match self {
            VerdictState::Completed => "completed",
            VerdictState::Failed => "failed",
            VerdictState::Stopped => "stopped",
            VerdictState::Cut => "cut",
            VerdictState::Unknown => "unknown",
        }
    }
}

/// How a session ended, and what says so.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    /// The state.
    pub state: VerdictState,
    /// The fact that decided it, as a sentence without a full stop.
    pub reason: String,
}

/// One session.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionSummary {
    /// Its id; null where the file names none.
    pub id: Option<String>,
    /// The parent's id.
    pub parent: Option<String>,
    /// The id of the session that some of its steps are copies of: it is a fork of that one.
    pub fork_of: Option<String>,
    /// How many of its steps are such copies. The totals count them once, with their original.
    pub copied_steps: u64,
    /// Its title, where its own document names one.
    pub title: Option<String>,
    /// `kilo` or `opencode`.
    pub dialect: String,
    /// How it ended.
    pub verdict: Verdict,
    /// Smallest time in it, RFC 3339.
    pub started_at: Option<String>,
    /// Largest time in it, RFC 3339.
    pub ended_at: Option<String>,
    /// Their difference.
    pub duration_ms: Option<u64>,
    /// Steps.
    pub steps: u64,
    /// Attempts beyond the first, over all steps.
    pub retries: u64,
    /// Calls.
    pub calls: u64,
    /// What follows one prompt, or one `--continue`.
    pub turns: u64,
    /// Time between turns, in which nothing was asked of the agent.
    pub idle_ms: Option<u64>,
    /// `provider/model`; null where the log names none.
    pub model: Option<String>,
    /// Sums over its steps.
    pub tokens: Tokens,
    /// Its cost.
    pub cost: CostSummary,
}

/// Cost in its states: reported, derived (two rules), unknown.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CostSummary {
    /// What the harness says; null where it says nothing.
    pub reported_usd: Option<f64>,
    /// Derived at list prices by the simple rule.
    pub comparable_usd: Option<f64>,
    /// Derived by the finer rule.
    pub list_usd: Option<f64>,
    /// Whether some steps report no cost while others do.
    pub partial: bool,
    /// Whether the derived costs lack something: a step without tokens, or a class that some steps lack.
    pub derived_partial: bool,
    /// The model that the derived costs are for.
    pub model: Option<String>,
    /// Where the prices are from.
    pub price_source: Option<String>,
    /// Why the derived costs are unknown.
    pub unknown_because: Option<String>,
    /// Reported cost set against the derived ones; null where nothing can be compared.
    pub reconciliation: Option<ReconciliationSummary>,
}

/// Reported cost set against the derived ones, over the steps that report both tokens and cost.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReconciliationSummary {
    /// Against the comparable cost.
    pub comparable: Option<ComparedSummary>,
    /// Against the list cost.
    pub list: Option<ComparedSummary>,
    /// What the list cost takes for granted.
    pub assumptions: Vec<String>,
    /// How many steps it is over.
    pub steps: u64,
    /// Of how many.
    pub of_steps: u64,
}

/// One derived cost against the reported one.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ComparedSummary {
    /// Derived less reported.
    pub difference_usd: f64,
    /// The same in per cent of the reported cost; null where that is zero.
    pub difference_percent: Option<f64>,
    /// Whether they agree, or what would close the gap.
    pub verdict: String,
}

/// Sums over all sessions.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TotalSummary {
    /// Steps.
    pub steps: u64,
    /// Attempts beyond the first.
    pub retries: u64,
    /// Calls.
    pub calls: u64,
    /// Failed calls, without the rejected ones.
    pub failed_calls: u64,
    /// Rejected calls.
    pub rejected_calls: u64,
    /// Calls whose status says success and that failed.
    pub green_but_failed: u64,
    /// Smallest time, RFC 3339.
    pub started_at: Option<String>,
    /// From the smallest to the largest time.
    pub duration_ms: Option<u64>,
    /// Time in which at least one call ran.
    pub working_ms: Option<u64>,
    /// What the duration went to; null without a time.
    pub time: Option<TimeSplit>,
    /// Token sums.
    pub tokens: Tokens,
    /// Cost sums.
    pub cost: CostSummary,
}

/// What a duration went to, as far as the log tells. The five add up to it: each moment counts once, under the first
/// that holds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TimeSplit {
    /// Between a request to a person and the answer to it. Only bus logs say when these were.
    pub waiting_ms: u64,
    /// At least one call ran.
    pub tools_ms: u64,
    /// No call ran, and text or reasoning was being written.
    pub model_ms: u64,
    /// Between turns, or between sessions: nothing was asked of the agent.
    pub idle_ms: u64,
    /// In a turn, and no record says what happened: the model worked, or something waited.
    pub unknown_ms: u64,
}

/// `total` = `consumed` + `mapped` + `unknown` + `duplicates`, always; `malformed` is part of `unknown`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordCounts {
    /// Lines that are not blank.
    pub total: u64,
    /// Gave no event, by rule.
    pub consumed: u64,
    /// Gave at least one known event.
    pub mapped: u64,
    /// Gave an `unknown` event.
    pub unknown: u64,
    /// Say again what another record says, or an earlier state of it.
    pub duplicates: u64,
    /// Are no JSON object.
    pub malformed: u64,
}

/// One tool's row in the ledger.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolSummary {
    /// Name as written; for a call of a tool that does not exist, the name that was asked for.
    pub name: String,
    /// Calls.
    pub calls: u64,
    /// Failed ones.
    pub failed: u64,
    /// Refused ones.
    pub rejected: u64,
    /// Those whose status says success and that failed; part of `failed`.
    pub green_but_failed: u64,
    /// Calls with a known duration.
    pub timed: u64,
    /// Median duration, nearest rank.
    pub p50_ms: Option<u64>,
    /// 90th percentile, nearest rank.
    pub p90_ms: Option<u64>,
    /// Longest.
    pub max_ms: Option<u64>,
    /// Sum of the durations.
    pub total_ms: Option<u64>,
    /// Time in which at least one call ran: the union of their intervals.
    pub wall_ms: Option<u64>,
    /// UTF-8 length of the decoded outputs.
    pub output_bytes: u64,
    /// Events that its calls gave, by type.
    pub events: BTreeMap<String, u64>,
}

/// A file that was read or written.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileTouched {
    /// The path as the log says it.
    pub path: String,
    /// Reads.
    pub reads: u64,
    /// Writes.
    pub writes: u64,
}

/// A tool without a rule.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct Unmapped {
    /// Its name.
    pub tool: String,
    /// Why, in a few words; where there are several reasons, that of the first call.
    #[serde(default)]
    pub reason: String,
    /// Calls of it that gave `unknown`.
    pub count: u64,
    /// The first lines of them.
    pub lines: Vec<u64>,
    /// The file of each of these lines, by its place in the summary; empty where only one file is open.
    #[serde(default)]
    pub files: Vec<u32>,
    /// A rule that could read it, as text of a table.
    pub suggestion: Option<String>,
}

// In JSON `files` is left out where it is empty: with one file the lines say it all.
impl Serialize for Unmapped {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let brief = serializer.is_human_readable() && self.files.is_empty();
        let mut fields = serializer.serialize_struct("Unmapped", 6 - usize::from(brief))?;
        fields.serialize_field("tool", &self.tool)?;
        fields.serialize_field("reason", &self.reason)?;
        fields.serialize_field("count", &self.count)?;
        fields.serialize_field("lines", &self.lines)?;
        if !brief {
            fields.serialize_field("files", &self.files)?;
        }
        fields.serialize_field("suggestion", &self.suggestion)?;
        fields.end()
    }
}

impl Serialize for UnknownType {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let brief = serializer.is_human_readable() && self.files.is_empty();
        let mut fields = serializer.serialize_struct("UnknownType", 4 - usize::from(brief))?;
        fields.serialize_field("name", &self.name)?;
        fields.serialize_field("count", &self.count)?;
        fields.serialize_field("lines", &self.lines)?;
        if !brief {
            fields.serialize_field("files", &self.files)?;
        }
        fields.end()
    }
}

/// A type of record that is not known.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct UnknownType {
    /// Its name; null for records without a type.
    pub name: Option<String>,
    /// How many records have it.
    pub count: u64,
    /// The first lines of them.
    pub lines: Vec<u64>,
    /// The file of each of these lines, by its place in the summary; empty where only one file is open.
    #[serde(default)]
    pub files: Vec<u32>,
}

/// Something that a reader should look at.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// Its kind, such as `repeated-call`.
    pub kind: String,
    /// Index into `files`.
    pub file: u32,
    /// Line, from 1.
    pub line: u64,
    /// What was found, as a sentence without a full stop.
    pub message: String,
}

/// Something odd that was seen, and where.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Diagnostic {
    /// Its kind, such as `malformed-line`.
    pub kind: String,
    /// Index into `files`.
    pub file: u32,
    /// Line, from 1.
    pub line: u64,
    /// Byte offset of the line in the file.
    pub offset: u64,
    /// What was seen, as a sentence without a full stop.
    pub message: String,
}
