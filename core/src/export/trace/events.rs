//! What stands on the time line: steps, their tokens, calls, and errors.

use crate::event::{Kind, Outcome};
use crate::run::Run;
use crate::summary::Summary;
use crate::view::{CallRow, EventRow, Filter, Row, StepUsage};
use serde_json::{Map, Value, json};
use std::collections::HashMap;

/// Which threads an event may stand on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Track {
    Steps,
    Calls,
}

/// An event of the trace. Without a duration it is an instant.
#[derive(Debug)]
pub(super) struct TraceEvent {
    /// The session, by its place in the summary.
    pub(super) session: u32,
    pub(super) track: Track,
    pub(super) name: String,
    pub(super) category: &'static str,
    /// Since the epoch.
    pub(super) start_ms: i64,
    pub(super) duration_ms: Option<u64>,
    pub(super) args: Value,
}

impl TraceEvent {
    pub(super) fn is_counter(&self) -> bool {
        self.category == "tokens"
    }

    /// The letter that says what kind of event it is.
    pub(super) fn phase(&self) -> &'static str {
        match self.duration_ms {
            _ if self.is_counter() => "C",
            Some(_) => "X",
            None => "i",
        }
    }
}

/// All that has a time, and how many steps and calls have none.
#[derive(Debug)]
pub(super) struct Gathered {
    pub(super) events: Vec<TraceEvent>,
    pub(super) timeless: usize,
}

/// Gathers the events of a run, in no particular order.
pub(super) fn gather(run: &Run, summary: &Summary) -> Gathered {
    let mut gathered = Gathered { events: Vec::new(), timeless: 0 };
    for usage in run.steps(0..u64::MAX).rows {
        match step(&usage) {
            Some(event) => {
                gathered.events.extend(tokens(&usage, event.start_ms));
                gathered.events.push(event);
            }
            None => gathered.timeless += 1,
        }
    }
    let rows = event_rows(run);
    let row_at: HashMap<(u32, u64), &EventRow> = rows.iter().rev().map(|row| ((row.file, row.line), row)).collect();
    let file_of = |file: u32| summary.files.get(file as usize).filter(|_| summary.files.len() > 1);
    for row in run.calls() {
        let file = file_of(row.file).map(|file| file.name.as_str());
        match call(&row, row_at.get(&(row.file, row.line)).copied(), file) {
            Some(event) => gathered.events.push(event),
            None => gathered.timeless += 1,
        }
    }
    gathered.events.extend(rows.iter().filter(|row| row.kind == Kind::Error).filter_map(error));
    gathered
}

/// All events of the run.
fn event_rows(run: &Run) -> Vec<EventRow> {
    let view = run.view(&Filter::default());
    let rows = run.window(&view, 0..view.len()).rows.into_iter();
    rows.filter_map(|row| if let Row::Event(row) = row { Some(row) } else { None }).collect()
}

fn step(usage: &StepUsage) -> Option<TraceEvent> {
    let step = &usage.step;
    let args = known([
        ("line", json!(step.line)),
        ("reason", json!(step.reason)),
        ("model", json!(usage.model)),
        ("attempts", json!(Some(step.attempts).filter(|attempts| *attempts > 1))),
        ("tokens", json!(step.tokens)),
        ("reportedUsd", json!(step.cost_usd)),
        ("comparableUsd", json!(usage.comparable_usd)),
        ("listUsd", json!(usage.list_usd)),
    ]);
    Some(TraceEvent {
        session: step.session,
        track: Track::Steps,
        name: format!("step {}", step.number),
        category: "step",
        start_ms: step.time?.0,
        duration_ms: step.duration_ms,
        args,
    })
}

/// What is known of an event; the rest is left out.
fn known<const N: usize>(all: [(&str, Value); N]) -> Value {
    let known = all.into_iter().filter(|(_, value)| !value.is_null());
    known.map(|(key, value)| (key.to_owned(), value)).collect::<Map<String, Value>>().into()
}

/// The step's tokens by class, which stand from its start on. A class that it does not report is left out, not zero.
fn tokens(usage: &StepUsage, start_ms: i64) -> Option<TraceEvent> {
    let tokens = &usage.tokens;
    let args = known([
        ("uncachedInput", json!(tokens.uncached_input)),
        ("cachedInput", json!(tokens.cached_input)),
        ("output", json!(tokens.output)),
        ("reasoning", json!(tokens.reasoning)),
    ]);
    tokens.total.map(|_| TraceEvent {
        session: usage.step.session,
        track: Track::Steps,
        name: "tokens".to_owned(),
        category: "tokens",
        start_ms,
        duration_ms: None,
        args,
    })
}

/// A call. Where it names no time itself, the record's own stands for it.
fn call(row: &CallRow, event: Option<&EventRow>, file: Option<&str>) -> Option<TraceEvent> {
    let recorded = event.and_then(|event| event.time).map(|time| time.0);
    let start_ms = row.start_ms.or(row.end_ms).or(recorded)?;
    let duration_ms = row.start_ms.zip(row.end_ms).and_then(|(start, end)| u64::try_from(end - start).ok());
    let summary = event.map(|event| event.summary.as_str()).filter(|summary| !summary.is_empty());
    let args = known([
        ("file", json!(file)),
        ("line", json!(row.line)),
        ("step", json!(row.step)),
        ("summary", json!(summary)),
        ("note", json!(event.and_then(|event| event.note.as_ref()))),
        ("outcome", json!(row.outcome.name())),
        ("isSuccess", json!(row.is_success)),
    ]);
    let category = match row.outcome {
        Outcome::Failed => "call,failed",
        Outcome::Rejected => "call,rejected",
        Outcome::Ok | Outcome::Unknown => "call",
    };
    let (session, name) = (row.session, row.tool.clone());
    Some(TraceEvent { session, track: Track::Calls, name, category, start_ms, duration_ms, args })
}

fn error(row: &EventRow) -> Option<TraceEvent> {
    Some(TraceEvent {
        session: row.session,
        track: Track::Steps,
        name: "error".to_owned(),
        category: "error",
        start_ms: row.time?.0,
        duration_ms: None,
        args: json!({ "line": row.line, "message": row.summary }),
    })
}
