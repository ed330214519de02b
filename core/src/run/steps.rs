//! Steps: from a `step_start` to the `step_finish` of the same message.

use super::Run;
use super::ingest::key_of;
use super::store::{NO_TIME, NONE, StepColumn, index};
use super::usage;
use crate::format::export;
use crate::format::wire::Line;
use crate::json::Object;
use crate::order::Order;
use std::collections::HashMap;

impl Run {
    /// The key of the line's message.
    pub(super) fn message_key(line: &Line<'_>) -> Option<u64> {
        line.message_id().map(key_of)
    }

    /// The step that a part belongs to: its message's, else the one that is open.
    pub(super) fn step_of(&self, line: &Line<'_>, session: u32) -> u32 {
        let Some(session) = self.sessions.get(session) else { return NONE };
        match Run::message_key(line) {
            Some(key) => session.step_of_message.get(&key).copied().unwrap_or(NONE),
            None => session.open_step,
        }
    }

    fn add_step(&mut self, session: u32, key: Option<u64>, record: u32) -> u32 {
        let step = index(self.steps.len());
        let Some(row) = self.sessions.get_mut(session) else { return NONE };
        row.steps += 1;
        if let Some(key) = key {
            row.step_of_message.insert(key, step);
        }
        let number = row.steps;
        let id = row.id;
        let log_model = self.log_models.get(&id).copied().unwrap_or(self.log_model);
        self.steps.push(StepColumn {
            session,
            number,
            message: key,
            record,
            finish: NONE,
            attempt: record,
            attempts: 1,
            start: NO_TIME,
            end: NO_TIME,
            reason: NONE,
            usage: None,
            cost: None,
            model: NONE,
            log_model,
            calls: 0,
            failed: 0,
            rejected: 0,
        });
        if let Some(key) = key {
            self.adopt(step, session, key);
        }
        step
    }

    /// Parts of the message that were read before its step was known belong to it.
    fn adopt(&mut self, step: u32, session: u32, key: u64) {
        for part in self.orphans.remove(&(session, key)).unwrap_or_default() {
            let Some(row) = self.parts.get(part as usize) else { continue };
            let (call, (first, count)) = (row.call, row.events);
            for event in self.events.iter_mut().skip(first as usize).take(count as usize) {
                event.step = step;
            }
            if let Some(call) = self.calls.get_mut(call as usize) {
                call.step = step;
                let outcome = call.outcome;
                self.count_in_step(step, outcome, 1);
            }
        }
    }

    /// A `step_start`: a new step, or another attempt of one that has not finished.
    pub(super) fn start_step(&mut self, line: &Line<'_>, session: u32, record: u32, time: i64) -> u32 {
        let key = Run::message_key(line);
        let known = key.and_then(|key| self.sessions.get(session)?.step_of_message.get(&key).copied());
        if let Some(step) = known
            && let Some(row) = self.steps.get_mut(step as usize)
            && row.finish == NONE
        {
            row.attempts += 1;
            row.attempt = record;
            return step;
        }
        if let Some(step) = known
            && self.is_start_of(step, record)
            && let Some(row) = self.steps.get_mut(step as usize)
        {
            row.start = time;
            return step;
        }
        let step = self.add_step(session, key, record);
        if let Some(row) = self.steps.get_mut(step as usize) {
            row.start = time;
        }
        if let Some(session) = self.sessions.get_mut(session) {
            session.open_step = step;
        }
        step
    }

    /// Whether a `step_start` is that of a step which was only seen to finish, in another file: of a log that was cut in
    /// two, the second half may be opened first.
    fn is_start_of(&self, step: u32, record: u32) -> bool {
        let file = |record: u32| self.records.get(record as usize).map(|row| row.file);
        let row = self.steps.get(step as usize);
        row.is_some_and(|row| row.start == NO_TIME && row.record == row.finish && file(row.finish) != file(record))
    }

    /// A `step_finish`: ends its message's step, else the open one; one whose step was never started is a step too.
    pub(super) fn finish_step(&mut self, line: &Line<'_>, session: u32, record: u32, time: i64) -> u32 {
        let key = Run::message_key(line);
        let open = |step: &u32| self.steps.get(*step as usize).is_some_and(|row| row.finish == NONE);
        let candidate = self.sessions.get(session).and_then(|row| match key {
            Some(key) => row.step_of_message.get(&key).copied(),
            None => Some(row.open_step),
        });
        let step = match candidate.filter(open) {
            Some(step) => step,
            None => self.add_step(session, key, record),
        };
        if let Some(row) = self.steps.get_mut(step as usize) {
            row.finish = record;
            row.end = time;
        }
        if let Some(session) = self.sessions.get_mut(session)
            && session.open_step == step
        {
            session.open_step = NONE;
        }
        self.fill_step(step, line, record);
        step
    }

    /// Takes reason, tokens, cost and model from a `step_finish`; from the last one, where it was written again.
    pub(super) fn fill_step(&mut self, step: u32, line: &Line<'_>, record: u32) {
        let mut complaints = Vec::new();
        let tokens = usage::usage(line, &mut complaints);
        let cost = usage::cost(line, &mut complaints);
        let reason = line.part.reason.as_deref().or(line.top.reason.as_deref()).map(|reason| self.strings.add(reason));
        let model = line.part.model.and_then(Object::parse).and_then(|model| export::model(&model));
        let model = model.map_or(NONE, |model| self.strings.add(&model));
        if let Some(row) = self.steps.get_mut(step as usize) {
            row.usage = tokens;
            row.cost = cost;
            row.reason = reason.unwrap_or(NONE);
            row.model = model;
        }
        let place = self.place(record);
        for (kind, message) in complaints {
            self.diagnostics.add(kind, place, || message);
        }
    }

    /// Numbers the steps of each session in their order: of several files, that of their times.
    pub(super) fn number_steps(&mut self) {
        if !self.several_files() {
            return;
        }
        let mut order: Vec<u32> = (0..index(self.steps.len())).collect();
        order.order_by_key(|step| {
            let row = self.steps.get(*step as usize);
            let time = row.map_or(NO_TIME, |row| self.time_of_step(row));
            (time == NO_TIME, time, row.map_or(NONE, |row| row.record))
        });
        let mut counts: HashMap<u32, u32> = HashMap::new();
        for step in order {
            if let Some(row) = self.steps.get_mut(step as usize) {
                let count = counts.entry(row.session).or_default();
                *count += 1;
                row.number = *count;
            }
        }
    }

    /// When a step began, as far as anything says it.
    pub(super) fn time_of_step(&self, step: &StepColumn) -> i64 {
        let message = step.message.and_then(|key| self.messages.get(&key));
        [step.start, message.map_or(NO_TIME, |message| message.created), step.end]
            .into_iter()
            .find(|ms| *ms != NO_TIME)
            .unwrap_or(NO_TIME)
    }
}
