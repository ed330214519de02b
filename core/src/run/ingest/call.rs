//! What a call and an error add.

use super::super::Run;
use super::super::diagnostics::kind;
use super::super::store::{CallColumn, NO_TIME, NONE, index};
use super::super::verdict::{ErrorClass, ErrorRow};
use super::part::Target;
use crate::event::Outcome;
use crate::format::export;
use crate::format::wire::Line;
use crate::json::{self, Object, fingerprint_of_json};
use crate::outcome::of_call;
use crate::record;

impl Run {
    pub(super) fn take_call(&mut self, line: &Line<'_>, target: &Target, known: u32) -> u32 {
        let written = line.tool().map(|tool| tool.value.into_owned()).unwrap_or_default();
        let outcome = of_call(line, &written);
        let requested = record::requested_tool(line).unwrap_or_default();
        let (start, end) = line.interval();
        if record::duration(line).is_err() {
            let place = self.place(target.source);
            self.diagnostics.add(kind::NEGATIVE_DURATION, place, || {
                "the call ends before it starts, so its duration is unknown".to_owned()
            });
        }
        let child = line
            .metadata()
            .and_then(|metadata| metadata.get("sessionId").or(metadata.get("sessionID")).and_then(json::filled_string))
            .or_else(|| {
                // The seeds name the input first; a plain `id` there says nothing of a session.
                let input = Object::parse(line.input()?.value)?;
                ["sessionId", "session_id"].iter().find_map(|key| json::filled_string(input.get(key)?))
            })
            .filter(|_| matches!(written.to_ascii_lowercase().as_str(), "task" | "agent_manager" | "subagent"))
            .map_or(NONE, |id| self.strings.add(&id));
        let model = line.metadata().and_then(|metadata| export::model(&Object::parse(metadata.get("model")?)?));
        if let Some(model) = model.filter(|_| child != NONE) {
            let model = self.strings.add(&model);
            self.child_models.insert(child, model);
        }
        let column = CallColumn {
            tool: self.strings.add(&requested),
            written: self.strings.add(&written),
            session: target.session,
            step: target.step,
            record: target.record,
            start: start.map_or(NO_TIME, |time| time.0),
            end: end.map_or(NO_TIME, |time| time.0),
            output_bytes: line.output_len() as u64,
            is_success: outcome.is_success,
            outcome: outcome.outcome,
            child,
            input: line.input().map(|input| fingerprint_of_json(input.value)).unwrap_or_default(),
            truncated: line.metadata().is_some_and(|metadata| {
                metadata.get("truncated") == Some("true")
                    || metadata.get("outputPath").is_some_and(|path| path != "null")
            }),
            pruned: line
                .state
                .time
                .and_then(Object::parse)
                .is_some_and(|time| time.get("compacted").is_some_and(|time| time != "null")),
            unmapped: 0,
            why: [NONE; 2],
        };
        let call = if known == NONE { index(self.calls.len()) } else { known };
        match self.calls.get_mut(call as usize) {
            Some(old) => {
                let before = *old;
                *old = column;
                self.count_in_step(before.step, before.outcome, -1);
            }
            None => self.calls.push(column),
        }
        self.count_in_step(target.step, outcome.outcome, 1);
        call
    }

    pub(in super::super) fn count_in_step(&mut self, step: u32, outcome: Outcome, by: i32) {
        let Some(row) = self.steps.get_mut(step as usize) else { return };
        row.calls = row.calls.saturating_add_signed(by);
        match outcome {
            Outcome::Failed => row.failed = row.failed.saturating_add_signed(by),
            Outcome::Rejected => row.rejected = row.rejected.saturating_add_signed(by),
            Outcome::Ok | Outcome::Unknown => {}
        }
    }

    pub(super) fn take_error(&mut self, line: &Line<'_>, target: &Target) {
        let facts = record::error_facts(line);
        let class = ErrorClass::of(&facts);
        let message = self.texts.add(&facts.message);
        self.errors.push(ErrorRow {
            session: target.session,
            record: target.record,
            time: target.time,
            class,
            message,
        });
    }
}
