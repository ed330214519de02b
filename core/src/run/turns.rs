//! Turns: what follows one prompt, or one `--continue`, and the idle time between them.

use super::Run;
use super::store::{EventColumn, NO_TIME, NONE, StepColumn};
use crate::event::Kind;
use crate::order::Order;

/// One turn.
#[derive(Debug, Clone)]
pub(crate) struct Turn {
    pub(crate) session: u32,
    /// Its number in its session, from 1.
    pub(crate) number: u32,
    /// Its steps, in their order; at least one.
    pub(crate) steps: Vec<u32>,
    /// The event of its prompt; [`NONE`] where the log does not hold it.
    pub(crate) prompt: u32,
    /// When it was asked for, else when its first step began.
    pub(crate) start: i64,
    /// When its last step ended.
    pub(crate) end: i64,
    /// The time before it in which nothing was asked of the agent.
    pub(crate) idle: Option<(i64, i64)>,
}

impl Run {
    /// The turns of all sessions, by session and number.
    ///
    /// One ends where a prompt stands between two steps. A stream holds no prompt: there one ends with a step that ended
    /// for good (`stop`, `end_turn`), where another step follows it that no text of the harness itself (after a
    /// compaction) led to.
    pub(super) fn turns(&self) -> Vec<Turn> {
        let mut order: Vec<(u32, u32, u32)> =
            (0u32..).zip(&self.steps).map(|(index, step)| (step.session, step.number, index)).collect();
        order.order();
        let (mut prompts, mut led) = (Vec::new(), Vec::new());
        for (index, event) in (0u32..).zip(&self.events).filter(|(_, event)| event.live) {
            let place = self.order_of_event(event);
            if event.synthetic {
                led.push((event.session, place, index));
            } else if event.kind == Kind::User {
                prompts.push((event.session, place, index));
            }
        }
        prompts.order();
        led.order();
        // The first of a session's events between two places, both left out.
        let between = |list: &[(u32, (i64, u32), u32)], session: u32, after: (i64, u32), before: (i64, u32)| {
            let start = list.partition_point(|(other, place, _)| (*other, *place) <= (session, after));
            list.get(start).filter(|(other, place, _)| *other == session && *place < before).map(|(_, _, event)| *event)
        };
        let mut turns: Vec<Turn> = Vec::new();
        let mut last: Option<&StepColumn> = None;
        for (session, _, index) in order {
            let Some(step) = self.steps.get(index as usize) else { continue };
            let before = last.replace(step).filter(|before| before.session == session);
            let here = self.order_of_step(step, step.record);
            let after = before.map_or((i64::MIN, 0), |step| self.order_of_step(step, step.record));
            let prompt = between(&prompts, session, after, here);
            let asked = prompt.and_then(|event| self.events.get(event as usize)).map_or(NO_TIME, |event| event.time);
            let began = [asked, self.time_of_step(step)].into_iter().find(|ms| *ms != NO_TIME).unwrap_or(NO_TIME);
            let begins = before.is_none_or(|before| {
                let is_final = before.finish != NONE
                    && matches!(self.strings.get(before.reason), Some("stop" | "end_turn"))
                    && between(&led, session, self.order_of_step(before, before.finish), here).is_none();
                is_final || prompt.is_some()
            });
            match turns.last_mut().filter(|_| !begins) {
                Some(turn) => turn.steps.push(index),
                None => turns.push(Turn {
                    session,
                    number: turns.last().filter(|turn| turn.session == session).map_or(1, |turn| turn.number + 1),
                    steps: vec![index],
                    prompt: prompt.unwrap_or(NONE),
                    start: began,
                    end: NO_TIME,
                    idle: before
                        .map(|before| (before.end, began))
                        .filter(|(end, start)| *end != NO_TIME && *start != NO_TIME && end < start),
                }),
            }
            if let Some(turn) = turns.last_mut() {
                turn.end = turn.end.max(step.end);
            }
        }
        turns
    }

    /// What orders the events and steps of a session: their records; of several files their times first.
    fn order_of_event(&self, event: &EventColumn) -> (i64, u32) {
        (if self.several_files() { event.time } else { 0 }, event.record)
    }

    fn order_of_step(&self, step: &StepColumn, record: u32) -> (i64, u32) {
        let time = if record == step.finish { step.end } else { self.time_of_step(step) };
        (if self.several_files() { time } else { 0 }, record)
    }
}

/// How many turns a session has, and the time between them; none where no time says it.
pub(super) fn count(turns: &[Turn], session: u32) -> (u64, Option<u64>) {
    let own = || turns.iter().filter(|turn| turn.session == session);
    let turns = own().count() as u64;
    let idle = own().filter_map(|turn| turn.idle).map(|(from, to)| to.abs_diff(from));
    let idle = idle.fold(None, |sum: Option<u64>, ms| Some(sum.unwrap_or(0) + ms));
    (turns, idle.or((turns == 1).then_some(0)))
}
