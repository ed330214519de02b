//! What a list of events shows: filtered, grouped by step, handed out in windows of rows.
//!
//! A view is a flat list of items, so that a virtual list can ask for rows 4,000 to 4,060 and get just those.

use crate::ask::AskSummary;
use crate::event::{Kind, Outcome};
use crate::overview::Stretch;
use crate::search::Found;
use crate::time::TimeMs;
use serde::{Deserialize, Serialize};

/// Which events a view holds. An empty filter holds all.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Filter {
    /// Only these kinds; empty = all.
    pub kinds: Vec<Kind>,
    /// Only these outcomes of calls; empty = all.
    pub outcomes: Vec<Outcome>,
    /// Only calls whose status says success and that failed. Together with `outcomes` either is enough.
    pub green_but_failed: bool,
    /// Only calls of these tools; empty = all.
    pub tools: Vec<String>,
    /// Only this session, by its place in the summary.
    pub session: Option<u32>,
    /// Only events that lie, at least in part, in this stretch; those of a call from its start to its end.
    pub range: Option<Stretch>,
    /// Only events of records that another table of rules changed.
    pub changed: bool,
    /// What was asked of a person. Together with `kinds` either is enough; without any filter these stand among the
    /// events too.
    pub asks: bool,
}

impl Filter {
    /// Whether it holds everything.
    pub fn is_empty(&self) -> bool {
        *self == Filter::default()
    }
}

/// How many events each filter chip alone would leave, of the chosen session and range.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FilterCounts {
    /// All events.
    pub all: u64,
    /// Requests to a person; no events.
    pub asks: u64,
    /// By kind, in the order of [`Kind::ALL`]; kinds without events are left out.
    pub kinds: Vec<(Kind, u64)>,
    /// Events whose call went well.
    pub ok: u64,
    /// Events whose call has an end that is not known.
    pub unknown: u64,
    /// Events whose call failed.
    pub failed: u64,
    /// Events whose call was rejected.
    pub rejected: u64,
    /// Events whose call is green but failed.
    pub green_but_failed: u64,
    /// By the tool that their calls count under: most first, then by name.
    pub tools: Vec<(String, u64)>,
}

/// One row of a window.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Row {
    /// The heading of a turn; only in a list as it is shown.
    Turn(TurnRow),
    /// The head of a step.
    Step(StepRow),
    /// An event.
    Event(EventRow),
    /// A request to a person.
    Ask(Box<AskRow>),
}

/// A request to a person, as a list shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AskRow {
    /// The request.
    pub ask: AskSummary,
    /// When it was asked.
    pub time: Option<TimeMs>,
    /// When it was answered.
    pub end: Option<TimeMs>,
    /// Session, by its place in the summary.
    pub session: u32,
    /// Place of its record among all, from 0.
    pub record: u32,
}

/// The heading of a turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TurnRow {
    /// Its number in its session, from 1.
    pub number: u64,
    /// The title of its session, else its id; none where the run has one session.
    pub session: Option<String>,
    /// Line of its prompt, else of its first step, from 1.
    pub line: u64,
    /// When it was asked for, else when its first step began.
    pub time: Option<TimeMs>,
    /// From then to the end of its last step.
    pub duration_ms: Option<u64>,
    /// The time before it in which nothing was asked of the agent.
    pub idle_ms: Option<u64>,
    /// The head of its prompt, where the log holds it.
    pub prompt: Option<String>,
    /// Steps in it.
    pub steps: u64,
    /// Calls in it.
    pub calls: u64,
    /// Of these, failed.
    pub failed: u64,
    /// Of these, rejected.
    pub rejected: u64,
    /// All tokens of its steps; none where none reports any.
    pub tokens: Option<u64>,
    /// Reported cost in USD, of the steps that report one.
    pub cost_usd: Option<f64>,
}

/// The head of a step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StepRow {
    /// Names it while a run is open.
    pub id: u32,
    /// Whether only its head is shown.
    pub is_folded: bool,
    /// Errors that the harness reported under it, as the list holds them.
    pub errors: u64,
    /// Calls under it that are green but failed, as the list holds them.
    pub green: u64,
    /// Calls that were rejected.
    pub rejected: u64,
    /// Its number in its session, from 1.
    pub number: u64,
    /// Its session, by its place in the summary.
    pub session: u32,
    /// Line of its first record, from 1.
    pub line: u64,
    /// Its start.
    pub time: Option<TimeMs>,
    /// From start to finish; none where a call in it lasted longer than that.
    pub duration_ms: Option<u64>,
    /// How often it was started; more than 1 is a retry.
    pub attempts: u32,
    /// Why it ended, as the log says; none while it is open.
    pub reason: Option<String>,
    /// Whether a `step_finish` was seen.
    pub finished: bool,
    /// Calls in it.
    pub calls: u64,
    /// Of these, failed.
    pub failed: u64,
    /// All its tokens; none where it reports none.
    pub tokens: Option<u64>,
    /// Reported cost in USD.
    pub cost_usd: Option<f64>,
}

/// One event.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EventRow {
    /// Stable while a run is open: names the event to the engine.
    pub id: u32,
    /// File, by its place in the summary.
    pub file: u32,
    /// Line of its record, from 1.
    pub line: u64,
    /// Its kind.
    pub kind: Kind,
    /// The record's time.
    pub time: Option<TimeMs>,
    /// From when to when it was: its call or its writing, else the record's time twice.
    pub span: Option<(TimeMs, TimeMs)>,
    /// Place of its record in the run, from 0.
    pub record: u32,
    /// How long the call took.
    pub duration_ms: Option<u64>,
    /// What happened to the call; none for events that are no calls.
    pub outcome: Option<Outcome>,
    /// Status says success, and it failed.
    pub green_but_failed: bool,
    /// Written by the harness itself.
    pub synthetic: bool,
    /// Removed from its session later, or undone with it: what was read of it stays here.
    pub taken_back: bool,
    /// Tool name as written.
    pub tool: Option<String>,
    /// One line: the path, the command, the query, the head of the message.
    pub summary: String,
    /// A second thought in a few words: `lines 5–14`, `in src/`, the session of a subagent.
    pub aside: Option<String>,
    /// What the reader must not miss: `exit 101`, the head of an error, `no rule for webfetch`.
    pub note: Option<String>,
    /// Session, by its place in the summary.
    pub session: u32,
    /// What a search found in it.
    pub found: Option<Found>,
}

/// A window of a view, with what the list needs around it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Window {
    /// Index of the first row.
    pub start: u64,
    /// Rows of the whole view.
    pub total: u64,
    /// Events of the whole view.
    pub events: u64,
    /// The rows.
    pub rows: Vec<Row>,
}

/// Tokens and cost of one step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StepUsage {
    /// The step.
    pub step: StepRow,
    /// Its tokens by class.
    pub tokens: crate::usage::Tokens,
    /// Derived cost in USD by the plain rule; none where it cannot be derived.
    pub comparable_usd: Option<f64>,
    /// Derived cost in USD by the finer rule.
    pub list_usd: Option<f64>,
    /// The model that it is priced as.
    pub model: Option<String>,
}

/// A window of the steps that finished or were started, in file order.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct StepWindow {
    /// Index of the first.
    pub start: u64,
    /// How many steps there are.
    pub total: u64,
    /// The largest `input` + `output` + `reasoning` of one step, to scale bars by.
    pub max_tokens: u64,
    /// The steps.
    pub rows: Vec<StepUsage>,
}

/// One call, as a trace shows it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CallRow {
    /// The name that it counts under.
    pub tool: String,
    /// Session, by its place in the summary.
    pub session: u32,
    /// Number of its step in its session, from 1.
    pub step: Option<u64>,
    /// Start, in milliseconds since the epoch.
    pub start_ms: Option<i64>,
    /// End, in milliseconds since the epoch.
    pub end_ms: Option<i64>,
    /// What happened to it.
    pub outcome: Outcome,
    /// What its status says.
    pub is_success: Option<bool>,
    /// File, by its place in the summary.
    pub file: u32,
    /// Line of its record, from 1.
    pub line: u64,
}

/// The items of a filtered list, in the order in which they are shown. Made by [`crate::run::Run::view`].
#[derive(Debug, Clone, Default)]
pub struct View {
    pub(crate) items: Vec<Item>,
    pub(crate) events: u64,
}

/// One item of a view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Item {
    /// The head of a step, by its index in the run.
    Step(u32),
    /// An event, by its index in the run.
    Event(u32),
    /// A request to a person, by its index in the run.
    Ask(u32),
}

impl View {
    /// Rows, heads of steps among them.
    pub fn len(&self) -> u64 {
        self.items.len() as u64
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Events.
    pub fn events(&self) -> u64 {
        self.events
    }

    /// The ids of its events, in its order.
    pub fn events_shown(&self) -> impl Iterator<Item = u32> + '_ {
        self.items.iter().filter_map(|item| match item {
            Item::Event(id) => Some(*id),
            Item::Step(_) | Item::Ask(_) => None,
        })
    }
}
