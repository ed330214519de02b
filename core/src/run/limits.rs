//! What this log cannot tell: one sentence each, with what to do about it where something can be done.

use super::Run;
use super::store::NONE;
use crate::figure::{bytes, grouped};
use crate::summary::SessionSummary;
use std::collections::HashSet;

impl Run {
    /// The limits of what is open. `sessions` are those of the summary, `parts` their places here, in the same order.
    pub(super) fn limits(&self, sessions: &[SessionSummary], places: &[u32], copies: &HashSet<u32>) -> Vec<String> {
        let mut limits = Vec::new();
        if self.records.is_empty() {
            return limits;
        }
        if let Some((read, size)) = self.stopped {
            limits.push(format!(
                "reading was stopped at {} of {}: all figures are of that part, and the end of the run is unknown",
                bytes(read),
                bytes(size)
            ));
        }
        limits.extend(self.break_limit());
        if sessions.iter().any(|session| session.model.is_none() && session.steps > 0) {
            limits.push(
                "no model in the stream: it cannot be priced, so comparable and list cost are unknown".to_owned(),
            );
        }
        if places.iter().any(|place| self.sessions.get(*place).is_some_and(|session| !session.has_prompt)) {
            limits.push("no prompt in the stream: what the user asked is only in an export of the session".to_owned());
        }
        limits.extend(self.absent_children(places));
        limits.extend(self.fork_limits(copies));
        for session in sessions {
            let name = session.id.as_deref().unwrap_or("the session without an id");
            let zero = session.cost.reported_usd == Some(0.0) && session.tokens.total.is_some_and(|total| total > 0);
            if zero {
                limits.push(format!("{name} reports a cost of zero with tokens: free, subscription or unpriced"));
            }
            if session.steps > 0 && session.tokens.total.is_none() {
                limits.push(format!("{name} reports no tokens at all: they are unknown, not zero"));
            } else if session.tokens.partial {
                limits.push(format!("{name} reports no tokens for some steps or classes: its sums are lower bounds"));
            }
            if session.cost.partial {
                limits.push(format!("{name} reports no cost for some steps: its sum is a lower bound"));
            }
        }
        limits.extend(self.silent_reasoning(sessions, places));
        let (of_message, of_id) = self.derived_times();
        if of_message > 0 {
            limits.push(format!(
                "{}: the time of their message stands for it, derived",
                of(of_message, "part carries no time of its own", "parts carry no time of their own")
            ));
        }
        if of_id > 0 {
            limits.push(format!(
                "{}: it is derived from their part ids, and how long they took is unknown",
                of(of_id, "text or call says no start", "texts or calls say no start")
            ));
        }
        let pruned = self.pruned_count();
        if pruned > 0 {
            limits.push(format!(
                "the harness took the output of {} out of the context later: what the model still saw is not in the log",
                of(pruned, "call", "calls")
            ));
        }
        let silent = self.silent_steps();
        if silent > 0 {
            limits.push(format!(
                "{}: old versions leave failed calls out of their log",
                of(silent, "step ended to call tools and holds no call", "steps ended to call tools and hold no call")
            ));
        }
        limits
    }

    /// Subagents whose own session is in no open file.
    fn absent_children(&self, places: &[u32]) -> Vec<String> {
        let known = |child: u32| places.iter().any(|place| self.sessions.get(*place).is_some_and(|s| s.id == child));
        let mut seen = Vec::new();
        let mut out = Vec::new();
        for call in self.calls.iter().filter(|call| call.child != NONE && self.wants_session(call.session)) {
            if known(call.child) || seen.contains(&call.child) {
                continue;
            }
            seen.push(call.child);
            let id = self.strings.get(call.child).unwrap_or_default();
            out.push(format!(
                "sub-session {id} is not in the open files: its events, tokens and cost are missing here; its own export has them"
            ));
        }
        out
    }

    fn silent_reasoning(&self, sessions: &[SessionSummary], places: &[u32]) -> Vec<String> {
        let mut out = Vec::new();
        for (session, place) in sessions.iter().zip(places) {
            let text = self.sessions.get(*place).is_some_and(|session| session.has_reasoning);
            if let Some(tokens) = session.tokens.reasoning.filter(|tokens| *tokens > 0 && !text) {
                let name = session.id.as_deref().unwrap_or("the session without an id");
                out.push(format!(
                    "{name} spent {tokens} reasoning tokens and holds no thinking: run with --thinking to see it"
                ));
            }
        }
        out
    }

    fn silent_steps(&self) -> usize {
        let to_call = |reason: u32| matches!(self.strings.get(reason), Some("tool-calls" | "tool_calls"));
        self.steps.iter().filter(|step| step.finish != NONE && step.calls == 0 && to_call(step.reason)).count()
    }
}

/// `1 call`, `2 calls`.
fn of(n: usize, one: &str, many: &str) -> String {
    format!("{} {}", grouped(n as u64), if n == 1 { one } else { many })
}
