//! The whole run at a glance: a picture of bounded size, however long the log is.
//!
//! The axis has [`WIDTH`] units in [`BINS`] bins. Blocks of a lane that are closer together than a bin are one block;
//! of more than [`BINS`] steps those that begin in the same bin are one; marks come at most [`MARKS`] times. So a log of
//! a million events is drawn as quickly as one of a thousand, and a short one keeps every edge.

use crate::event::Kind;
use crate::usage::Tokens;
use serde::{Deserialize, Serialize};

/// Bins of the axis.
pub const BINS: u32 = 800;
/// Units of a bin.
pub const BIN: u32 = 100;
/// Units of the axis.
pub const WIDTH: u32 = BINS * BIN;
/// Marks at most.
pub const MARKS: u32 = 200;
/// Gaps that are cut at most; the longest are.
pub const CUTS: usize = 24;

/// What the axis measures.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Axis {
    /// Milliseconds since the epoch.
    #[default]
    Time,
    /// Places of records in the run, from 0: for logs of which most events have no time.
    Order,
}

/// A stretch of the axis, the end left out: in milliseconds or in places of records, as the axis says.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stretch {
    /// What it is measured in.
    pub axis: Axis,
    /// From here.
    pub from: i64,
    /// To here.
    pub to: i64,
}

/// A lane: a kind of work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Work {
    /// Text, reasoning and prompts.
    Text,
    /// Reads, searches and listings.
    Read,
    /// Writes.
    Write,
    /// Commands.
    Command,
    /// Subagents and skills.
    Agent,
    /// What is not known.
    Other,
}

impl Work {
    /// All, in the order in which the lanes stand.
    pub const ALL: [Work; 6] = [Work::Text, Work::Read, Work::Write, Work::Command, Work::Agent, Work::Other];

    /// The lane of a kind of events. Errors have none: they are marks.
    pub fn of(kind: Kind) -> Option<Work> {
        match kind {
            Kind::Agent | Kind::User | Kind::Reasoning => Some(Work::Text),
            Kind::Read | Kind::Search | Kind::List => Some(Work::Read),
            Kind::Write => Some(Work::Write),
            Kind::Command => Some(Work::Command),
            Kind::Skill | Kind::Orchestration => Some(Work::Agent),
            Kind::Unknown => Some(Work::Other),
            Kind::Error => None,
        }
    }
}

/// Why a piece of the axis is as wide as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Cut {
    /// To scale.
    None,
    /// A gap between turns or sessions, cut short.
    Idle,
    /// A gap within a turn that is more than three quarters of the whole, cut short.
    Unknown,
}

/// A piece of the axis: within it positions go evenly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Piece {
    /// Value at its start.
    pub from: i64,
    /// Value at its end.
    pub to: i64,
    /// Where it starts, in units.
    pub at: u32,
    /// Where it ends.
    pub until: u32,
    /// Whether it is cut short.
    pub cut: Cut,
}

/// Events of a lane, side by side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Block {
    /// Its start, in units.
    pub from: u32,
    /// Its end; not before the start.
    pub to: u32,
    /// Events in it.
    pub count: u32,
}

/// A lane.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lane {
    /// The kind of work.
    pub work: Work,
    /// Its events.
    pub count: u64,
    /// Where they stand.
    pub blocks: Vec<Block>,
}

/// A step, or several that are too narrow to be told apart.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepBlock {
    /// Its start, in units.
    pub from: u32,
    /// Its end; not before the start.
    pub to: u32,
    /// Number of the first one in its session.
    pub number: u64,
    /// How many.
    pub count: u32,
    /// Failed and rejected calls in them.
    pub failed: u64,
    /// The tokens of the one with the most.
    pub tokens: Tokens,
}

/// A stretch in which something waited.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wait {
    /// Its start, in units.
    pub from: u32,
    /// Its end.
    pub to: u32,
    /// How long it is.
    pub ms: u64,
    /// A person was asked; else the log cannot tell: the model worked, or something waited.
    pub is_known: bool,
}

/// A request to a person, from when it was asked to when it was answered; or several that are too close to be told
/// apart.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AskSpan {
    /// Its start, in units.
    pub from: u32,
    /// Its end; the start where the log does not tell it.
    pub to: u32,
    /// How many.
    pub count: u32,
    /// Of these, how many have no answer.
    pub open: u32,
    /// What the first of them asked for.
    pub what: String,
    /// What became of it.
    pub outcome: String,
    /// How long they waited together, as far as the log tells.
    pub wait_ms: Option<u64>,
    /// File of the first, by its place in the summary, and its line.
    pub file: u32,
    /// The line, from 1.
    pub line: u64,
}

/// What went wrong at one place.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    /// Where, in units.
    pub at: u32,
    /// Errors that the harness reported.
    pub errors: u32,
    /// Failed calls, green ones left out.
    pub failed: u32,
    /// Calls whose status says success and that failed.
    pub green: u32,
    /// Rejected calls.
    pub rejected: u32,
}

/// Where a turn begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct TurnMark {
    /// Where, in units.
    pub at: u32,
    /// Its session, by its place in the summary.
    pub session: u32,
    /// Its number in its session, from 1.
    pub number: u64,
}

/// The whole run at a glance.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Overview {
    /// What the axis measures.
    pub axis: Axis,
    /// Its pieces, from left to right; together they are [`WIDTH`] units wide. None where there is nothing to show.
    pub pieces: Vec<Piece>,
    /// Steps.
    pub steps: Vec<StepBlock>,
    /// The most tokens of one step.
    pub max_tokens: u64,
    /// Lanes that have events.
    pub lanes: Vec<Lane>,
    /// Waits that are at least a bin wide.
    pub waits: Vec<Wait>,
    /// Requests to a person.
    pub asks: Vec<AskSpan>,
    /// What went wrong.
    pub marks: Vec<Mark>,
    /// Where turns begin, where there are several.
    pub turns: Vec<TurnMark>,
    /// Events that the axis cannot place: they have no time.
    pub unplaced: u64,
}

impl Overview {
    /// Where a value stands, in units; at the nearer end where it lies outside.
    pub fn place(&self, value: i64) -> u32 {
        let after = self.pieces.partition_point(|piece| piece.to <= value);
        let Some(piece) = self.pieces.get(after).or(self.pieces.last()) else { return 0 };
        let (span, wide) = (i128::from(piece.to) - i128::from(piece.from), i128::from(piece.until - piece.at));
        let into = (i128::from(value) - i128::from(piece.from)).clamp(0, span);
        piece.at + u32::try_from(into * wide / span.max(1)).unwrap_or(0)
    }

    /// The value at a place.
    pub fn value(&self, at: u32) -> i64 {
        let after = self.pieces.partition_point(|piece| piece.until <= at);
        let Some(piece) = self.pieces.get(after).or(self.pieces.last()) else { return 0 };
        let (span, wide) = (i128::from(piece.to) - i128::from(piece.from), i128::from(piece.until - piece.at));
        let into = i128::from(at.saturating_sub(piece.at)).min(wide);
        i64::try_from(i128::from(piece.from) + into * span / wide.max(1)).unwrap_or(piece.to)
    }

    /// The first and the last value.
    pub fn ends(&self) -> Option<(i64, i64)> {
        self.pieces.first().zip(self.pieces.last()).map(|(first, last)| (first.from, last.to))
    }
}
