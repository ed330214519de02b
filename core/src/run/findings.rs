//! Findings: what a reader should look at, each with the line to jump to.

use super::Run;
use super::store::{CallColumn, NONE};
use crate::order::Order;
use crate::summary::{Finding, VerdictState};
use std::collections::BTreeMap;

/// How many findings are listed; a log that has more shows the first.
const KEPT: usize = 500;
/// How many equal calls in a row are one finding.
const REPEATED: usize = 3;

impl Run {
    /// What a reader should look at, in file order, and how many there are of each kind.
    pub(super) fn findings(&self) -> (Vec<Finding>, BTreeMap<String, u64>) {
        let mut found = Vec::new();
        self.repeated_calls(&mut found);
        self.odd_calls(&mut found);
        self.odd_steps(&mut found);
        self.odd_ends(&mut found);
        self.removals(&mut found);
        self.pruned_outputs(&mut found);
        self.broken_streams(&mut found);
        found.order_by_key(|finding| (finding.file, finding.line));
        let mut counts = BTreeMap::new();
        for finding in &found {
            *counts.entry(finding.kind.clone()).or_default() += 1;
        }
        found.truncate(KEPT);
        (found, counts)
    }

    pub(super) fn finding(&self, kind: &str, record: u32, message: String) -> Finding {
        let place = self.place(record);
        Finding { kind: kind.to_owned(), file: place.file, line: place.line, message }
    }

    /// The same call again and again: the agent goes round in a circle.
    fn repeated_calls(&self, found: &mut Vec<Finding>) {
        let mut calls: Vec<&CallColumn> = self.calls.iter().filter(|call| self.wants_session(call.session)).collect();
        calls.order_by_key(|call| (call.session, call.record));
        for run in calls.chunk_by(|a, b| (a.session, a.tool, a.input) == (b.session, b.tool, b.input)) {
            let (Some(first), true) = (run.first(), run.len() >= REPEATED) else { continue };
            let tool = self.strings.get(first.tool).unwrap_or_default();
            let message = format!("{tool} was called {} times in a row with the same input", run.len());
            found.push(self.finding("repeated-call", first.record, message));
        }
    }

    fn odd_calls(&self, found: &mut Vec<Finding>) {
        for call in self.calls.iter().filter(|call| self.wants_session(call.session)) {
            let tool = self.strings.get(call.tool).unwrap_or_default();
            if call.green_but_failed() {
                let message = format!("{tool} says success, and failed");
                found.push(self.finding("green-but-failed", call.record, message));
            }
            if call.truncated {
                let message = format!("the harness cut the output of {tool}");
                found.push(self.finding("truncated-output", call.record, message));
            }
        }
    }

    fn odd_steps(&self, found: &mut Vec<Finding>) {
        for step in self.steps.iter().filter(|step| self.wants_session(step.session)) {
            let number = step.number;
            let to_call = matches!(self.strings.get(step.reason), Some("tool-calls" | "tool_calls"));
            if step.finish != NONE && step.calls == 0 && to_call {
                let what = "ended to call tools and holds no call: old versions leave failed calls out of their log";
                found.push(self.finding("missing-calls", step.record, format!("step {number} {what}")));
            }
            if step.attempts > 1 {
                let message = format!("step {number} was started {} times", step.attempts);
                found.push(self.finding("retry", step.record, message));
            }
        }
    }

    fn odd_ends(&self, found: &mut Vec<Finding>) {
        for (place, session) in
            (0u32..).zip(&self.sessions.rows).filter(|(place, row)| !row.gone && self.wants_session(*place))
        {
            let last = self.steps.iter().rev().find(|step| step.session == place);
            let open = self.asks.rows.iter().filter(|ask| ask.session == place && ask.status().is_unanswered());
            for ask in open {
                let message = format!("nobody answered {} ({})", ask.word(), ask.asked.id);
                found.push(self.finding("never-answered", ask.at(), message));
            }
            let (Some(last), false) = (last, session.has_text) else { continue };
            if self.verdict(place).state == VerdictState::Completed {
                let message = "the run completed, and holds no answer".to_owned();
                found.push(self.finding("no-answer", last.record, message));
            }
        }
    }
}
