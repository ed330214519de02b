//! How a session ended, and the fact that says so: over its records in file order, the first rule that holds.

use super::Run;
use super::store::{NO_TIME, NONE, StepColumn, Text};
use crate::order::Order;
use crate::record::ErrorFacts;
use crate::summary::{Verdict, VerdictState};

/// What kind of end an error is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ErrorClass {
    Abort,
    Refusal,
    ContentFilter,
    OutputLength,
    Other,
}

impl ErrorClass {
    /// By the error's name, or by the text that a refused permission leaves.
    pub(super) fn of(facts: &ErrorFacts) -> ErrorClass {
        match facts.name.as_deref() {
            Some("MessageAbortedError" | "aborted") => ErrorClass::Abort,
            Some("ContentFilterError") => ErrorClass::ContentFilter,
            Some("MessageOutputLengthError") => ErrorClass::OutputLength,
            _ if facts.message.contains("auto-rejected permission") => ErrorClass::Refusal,
            _ => ErrorClass::Other,
        }
    }
}

/// One `error` record.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ErrorRow {
    pub(crate) session: u32,
    pub(crate) record: u32,
    pub(crate) time: i64,
    pub(crate) class: ErrorClass,
    pub(crate) message: Text,
}

impl Run {
    /// The verdict of a session.
    pub(super) fn verdict(&self, session: u32) -> Verdict {
        let Some(row) = self.sessions.get(session) else { return Verdict::default() };
        let mut steps: Vec<&StepColumn> = self.steps.iter().filter(|step| step.session == session).collect();
        steps.order_by_key(|step| step.number);
        let mut verdict = self.decide(session, &steps);
        if row.cut_tail {
            let gap = if verdict.reason.is_empty() { "" } else { "; " };
            verdict.reason.push_str(gap);
            verdict.reason.push_str("the last line is cut: probably still being written, or cut");
        }
        if self.stopped.is_some() {
            // What was not read may say anything of the end.
            let reason = format!("reading was stopped before the end of the log; up to there: {}", verdict.reason);
            verdict = Verdict { state: VerdictState::Unknown, reason };
        }
        verdict
    }

    fn decide(&self, session: u32, steps: &[&StepColumn]) -> Verdict {
        let say = |state, reason: String| Verdict { state, reason };
        if let Some(verdict) = self.unrecovered(session, steps) {
            return verdict;
        }
        if let Some(verdict) = self.said_by_server(session) {
            return verdict;
        }
        let Some(last) = steps.last() else {
            return say(VerdictState::Unknown, "no step in the log".to_owned());
        };
        let number = last.number;
        if last.finish == NONE {
            return say(VerdictState::Cut, format!("step {number} was started and never finished"));
        }
        let finish = last.message.and_then(|key| self.messages.get(&key)).map_or(NONE, |message| message.finish);
        let reason = self.strings.get(last.reason).or(self.strings.get(finish)).unwrap_or_default();
        let ended = format!("step {number} ended with reason {reason}");
        if last.rejected > 0 {
            return say(VerdictState::Stopped, format!("a permission was refused in step {number}"));
        }
        match reason {
            "length" => say(VerdictState::Stopped, format!("{ended}: the answer was cut at the model's limit")),
            "content-filter" | "content_filter" | "error" | "other" => say(VerdictState::Stopped, ended),
            "tool-calls" | "tool_calls" => {
                say(VerdictState::Cut, format!("{ended}, and the step that answers the calls is not in the log"))
            }
            _ if self.synthetic_follows(session, last) => {
                let why =
                    "the harness's own text follows the last step, and the step that answers it is not in the log";
                say(VerdictState::Cut, why.to_owned())
            }
            "stop" | "end_turn" => {
                let calls = self.calls.iter().any(|call| call.session == session);
                let text = self.sessions.get(session).is_some_and(|session| session.has_text);
                let empty = if calls || text { "" } else { "; the run has no text and no call" };
                say(VerdictState::Completed, format!("{ended}{empty}"))
            }
            "" if self.sessions.get(session).is_some_and(|session| session.idle) => {
                say(VerdictState::Completed, "the server went idle".to_owned())
            }
            "" => say(VerdictState::Unknown, format!("step {number} ended without a reason")),
            _ => say(VerdictState::Unknown, format!("{ended}, which is no known end")),
        }
    }

    /// What bus events say of a session: a person is still asked, or the turn was closed.
    fn said_by_server(&self, place: u32) -> Option<Verdict> {
        let session = self.sessions.get(place)?;
        if let Some(ask) = self.pending_ask(place) {
            let reason = format!("waits for an answer to {} ({})", ask.word(), ask.asked.id);
            return Some(Verdict { state: VerdictState::Cut, reason });
        }
        let reason = session.turn_closed.as_deref()?;
        let state = match reason {
            "completed" => VerdictState::Completed,
            "error" => VerdictState::Failed,
            "interrupted" | "superseded" => VerdictState::Stopped,
            _ => return None,
        };
        Some(Verdict { state, reason: format!("the turn was closed: {reason}") })
    }

    /// Whether a step began after an error: by their places, or by their times where they stand in different files.
    fn is_after(&self, step: &StepColumn, error: &ErrorRow) -> bool {
        let file = |record: u32| self.records.get(record as usize).map(|row| row.file);
        let time = self.time_of_step(step);
        if file(step.record) != file(error.record) && time != NO_TIME && error.time != NO_TIME {
            return time > error.time;
        }
        step.attempt > error.record
    }

    fn synthetic_follows(&self, session: u32, last: &StepColumn) -> bool {
        let synthetic = self.sessions.get(session).map_or(NONE, |session| session.synthetic_record);
        synthetic != NONE && synthetic > last.finish
    }

    /// The last error, unless a step that began after it finished well.
    fn unrecovered(&self, session: u32, steps: &[&StepColumn]) -> Option<Verdict> {
        let errors: Vec<&ErrorRow> = self.errors.iter().filter(|error| error.session == session).collect();
        let last = errors.last()?;
        let well = |step: &&StepColumn| {
            let reason = self.strings.get(step.reason).unwrap_or("unknown");
            self.is_after(step, last) && step.finish != NONE && !matches!(reason, "error" | "other" | "unknown")
        };
        if steps.iter().any(well) {
            return None;
        }
        let message = self.texts.get(last.message);
        let line = self.place(last.record).line;
        let (state, reason) = match last.class {
            ErrorClass::Abort => (VerdictState::Stopped, format!("aborted: {message} (line {line})")),
            ErrorClass::Refusal => {
                (VerdictState::Stopped, format!("a permission was refused: {message} (line {line})"))
            }
            ErrorClass::ContentFilter => {
                (VerdictState::Stopped, format!("a content filter ended it: {message} (line {line})"))
            }
            ErrorClass::OutputLength => {
                (VerdictState::Stopped, format!("the output reached its length limit: {message} (line {line})"))
            }
            ErrorClass::Other => (VerdictState::Failed, format!("{message} (line {line})")),
        };
        let more = match errors.len() - 1 {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        Some(Verdict { state, reason: format!("{reason}{more}") })
    }
}
