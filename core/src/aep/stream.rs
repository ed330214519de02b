//! Run streams as AEP events. No mapping of them is published: this one is our own, and keeps to the ladder that the
//! protocol has for every agent: `session.started`, `run.started`, steps and calls, `run.finished`, `session.ended`.
//!
//! Deviation from the pins for hooks: a call whose outcome is a failure or a refusal is `tool.failed`. The hooks carry no
//! error, so there every call completes; this stream does carry it.

use super::data::Data;
use super::digest::digest;
use super::envelope::Envelope;
use super::mapper::{At, Mapper, Place};
use super::table::{Link, Mapped, without_null};
use super::{Agent, Capture};
use crate::event::Outcome;
use crate::summary::VerdictState;
use crate::time::TimeMs;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// What a record of a run stream tells.
#[derive(Debug, Clone)]
pub(crate) enum Part {
    StepStarted,
    StepFinished {
        reason: Option<String>,
        input_tokens: Option<u64>,
        output_tokens: Option<u64>,
        cost_usd: Option<f64>,
    },
    Call(Box<Call>),
    Error {
        message: String,
        code: Option<String>,
    },
    Prompt,
    Text {
        message: String,
        is_reasoning: bool,
    },
}

/// A call, whole.
#[derive(Debug, Clone)]
pub(crate) struct Call {
    pub(crate) tool: String,
    pub(crate) id: Option<String>,
    pub(crate) args: Option<Value>,
    pub(crate) result: Option<String>,
    pub(crate) error: Option<String>,
    pub(crate) started: Option<TimeMs>,
    pub(crate) ended: Option<TimeMs>,
    pub(crate) outcome: Outcome,
    pub(crate) is_success: Option<bool>,
}

/// What is known of a session beside its records.
#[derive(Debug, Clone, Default)]
pub(crate) struct Head {
    pub(crate) id: Option<String>,
    pub(crate) parent: Option<String>,
    pub(crate) title: Option<String>,
    pub(crate) verdict: VerdictState,
    pub(crate) reason: String,
    /// It was stopped by an abort.
    pub(crate) is_aborted: bool,
}

#[derive(Debug)]
struct State {
    head: Head,
    runs: u64,
    /// The run has more in it than its prompt.
    has_work: bool,
    last: (TimeMs, Place),
}

/// Climbs the ladder of each session of a log.
#[derive(Debug, Default)]
pub(crate) struct Ladder {
    sessions: BTreeMap<u32, State>,
    last: Option<TimeMs>,
}

impl Ladder {
    /// Takes a record of a session; `head` is asked for when the session is new.
    pub(crate) fn take(
        &mut self,
        mapper: &mut Mapper,
        session: u32,
        head: impl FnOnce() -> Head,
        time: Option<TimeMs>,
        place: Place,
        part: Part,
    ) -> Vec<Envelope> {
        let mut out = Out { mapper, events: Vec::new() };
        let time = time.or(self.last).unwrap_or(TimeMs(0));
        self.last = Some(time);
        let state = self.sessions.entry(session).or_insert_with(|| {
            let state = State { head: head(), runs: 0, has_work: false, last: (time, place) };
            out.started(&state);
            state
        });
        if matches!(part, Part::Prompt) && state.runs > 0 {
            if !state.has_work {
                return out.events;
            }
            out.ended(state, "run.finished", None);
            state.runs = 0;
        }
        state.last = (state.last.0.max(time), place);
        if state.runs == 0 {
            state.runs = 1 + out.opened(state);
            state.has_work = false;
            let data = out.data("run.started").fact("trigger", Some("user".into())).done();
            out.put(state, Mapped::new("run.started", data), time);
        }
        state.has_work |= !matches!(part, Part::Prompt);
        out.part(state, part, time);
        out.events
    }

    /// The log has ended: so do the runs whose end it tells.
    pub(crate) fn finish(self, mapper: &mut Mapper) -> Vec<Envelope> {
        let mut out = Out { mapper, events: Vec::new() };
        for state in self.sessions.values() {
            let reason = (!state.head.reason.is_empty()).then(|| state.head.reason.clone());
            match state.head.verdict {
                VerdictState::Completed => out.ended(state, "run.finished", None),
                VerdictState::Stopped if state.head.is_aborted => out.ended(state, "run.cancelled", None),
                VerdictState::Stopped | VerdictState::Failed => out.ended(state, "run.failed", reason),
                // The log doesn't tell that it ended, so nothing says that it did.
                VerdictState::Cut | VerdictState::Unknown => continue,
            }
            let data = out.data("session.ended").fact("reason", Some("normal".into())).done();
            out.put(state, Mapped::new("session.ended", data), state.last.0);
        }
        out.events
    }
}

struct Out<'a> {
    mapper: &'a mut Mapper,
    events: Vec<Envelope>,
}

impl Out<'_> {
    fn agent(&self) -> Agent {
        self.mapper.agent()
    }

    fn ceiling(&self, event_type: &str) -> Capture {
        self.mapper.emitter.settings.capture.ceiling(event_type)
    }

    fn data(&self, event_type: &str) -> Data {
        Data::new(self.ceiling(event_type))
    }

    /// How many runs of the session were opened before.
    fn opened(&self, state: &State) -> u64 {
        self.mapper.runs_of(state.head.id.as_deref())
    }

    fn put(&mut self, state: &State, mapped: Mapped, time: TimeMs) {
        if !self.mapper.has_core_types() {
            return;
        }
        let at = At { session: state.head.id.clone(), time, place: state.last.1 };
        let run = (state.runs > 0 && !mapped.event_type.starts_with("session.")).then_some(state.runs);
        self.events.push(self.mapper.emitter.emit(mapped, run, &at));
    }

    fn started(&mut self, state: &State) {
        let title = state.head.title.clone().map(Value::from);
        let data = self
            .data("session.started")
            .fact("client", Some(json!({"name": self.agent().name()})))
            .fact("parent", state.head.parent.as_ref().map(|id| json!({"session": id})))
            .text("label", title.as_ref())
            .done();
        self.put(state, Mapped::new("session.started", data), state.last.0);
    }

    fn ended(&mut self, state: &State, event_type: &str, reason: Option<String>) {
        let reason = reason.map(Value::from);
        let data = self.data(event_type).text("reason", reason.as_ref()).done();
        self.mapper.count_run(state.head.id.as_deref());
        self.put(state, Mapped::new(event_type, data), state.last.0);
    }

    fn part(&mut self, state: &State, part: Part, time: TimeMs) {
        match part {
            Part::Prompt => {}
            Part::StepStarted => self.put(state, Mapped::new("run.step.started", Map::new()), time),
            Part::StepFinished { reason, input_tokens, output_tokens, cost_usd } => {
                let data = self
                    .data("run.step.finished")
                    .fact("reason", reason.map(Value::from))
                    .fact("gen_ai.usage.input_tokens", input_tokens.map(Value::from))
                    .fact("gen_ai.usage.output_tokens", output_tokens.map(Value::from))
                    .fact("cost_usd", cost_usd.map(Value::from))
                    .done();
                self.put(state, Mapped::new("run.step.finished", data), time);
            }
            Part::Call(call) => self.call(state, *call, time),
            Part::Error { message, code } => {
                let message = Value::from(message);
                let data = self
                    .data("error.raised")
                    .fact("code", code.map(Value::from))
                    .text("message", Some(&message))
                    .done();
                let mut mapped = Mapped::new("error.raised", data);
                mapped.severity = Some("error");
                self.put(state, mapped, time);
            }
            Part::Text { message, is_reasoning } => {
                if self.ceiling("") < Capture::Full {
                    return;
                }
                let word = if is_reasoning { "reasoning" } else { "text" };
                let data = self.data("").full("message", Some(message.into())).done();
                let event_type = format!("x.{}.message.{word}", self.agent().name());
                self.put(state, Mapped::new(event_type, data), time);
            }
        }
    }

    fn call(&mut self, state: &State, call: Call, time: TimeMs) {
        let Call { tool, id, args, result, error, started, ended, outcome, is_success } = call;
        let named = || without_null(json!({"name": tool, "call_id": id}));
        let key = id.as_ref().map(|id| format!("call {id}"));
        let data = self
            .data("tool.requested")
            .fact("tool", Some(named()))
            .fact("args_digest", args.as_ref().map(|args| digest(args).into()))
            .text("args", args.as_ref())
            .done();
        let mut requested = Mapped::new("tool.requested", data).about(Some(&tool));
        requested.link = key.clone().map(Link::Opens);
        self.put(state, requested, started.unwrap_or(time));
        let event_type = match (outcome, is_success) {
            (Outcome::Failed | Outcome::Rejected, _) => "tool.failed",
            (Outcome::Ok, _) | (Outcome::Unknown, Some(true)) => "tool.completed",
            // It was still running, or its status says neither: nothing tells that it ended.
            (Outcome::Unknown, _) => return,
        };
        let result = result.map(Value::from);
        let error = error.map(Value::from);
        let data = self
            .data(event_type)
            .fact("tool", Some(named()))
            .fact("outcome", (outcome != Outcome::Ok).then(|| outcome.name().into()))
            .fact("result_digest", result.as_ref().map(|result| digest(result).into()))
            .text("result", result.as_ref())
            .text("error", error.as_ref())
            .done();
        let mut completed = Mapped::new(event_type, data).about(Some(&tool));
        completed.link = key.map(Link::Answers);
        if event_type == "tool.failed" {
            completed.severity = Some("error");
        }
        self.put(state, completed, ended.or(started).unwrap_or(time));
    }
}
