//! What the time of a run went to, as far as its log tells.
//!
//! Each moment from the run's first time to its last is one of five, the first that holds:
//!
//! | phase | the moment lies |
//! | --- | --- |
//! | waiting | between a request to a person and the answer to it (bus logs) |
//! | tools | between the start and the end of a call |
//! | model | between the start and the end of a text or a reasoning of the model |
//! | idle | in no session, or between two turns of each session that it lies in |
//! | unknown | in a turn, and none of the above: the model worked, or something waited, and no record says which |
//!
//! So the five add up to the duration, and nothing is guessed: a call or a text that lacks one of its two times, and a
//! request without an answer, count as nothing.

use super::Run;
use super::spans::Spans;
use super::store::{CallColumn, NO_TIME, NONE};
use super::turns::Turn;
use crate::summary::TimeSplit;

/// The phases of a run.
#[derive(Debug, Clone, Default)]
pub(crate) struct Phases {
    /// From the first time to the last.
    pub(crate) whole: (i64, i64),
    pub(crate) waiting: Spans,
    pub(crate) tools: Spans,
    pub(crate) model: Spans,
    pub(crate) idle: Spans,
    pub(crate) unknown: Spans,
}

/// A text or a reasoning that says when it was written.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Writing {
    pub(crate) part: u32,
    pub(crate) start: i64,
    pub(crate) end: i64,
}

impl Run {
    /// The phases of the sessions that are wanted; none without a time.
    pub(super) fn phases(&self, turns: &[Turn], wanted: &dyn Fn(u32) -> bool) -> Option<Phases> {
        let sessions = (0u32..).zip(&self.sessions.rows).filter(|(place, row)| !row.gone && wanted(*place));
        let sessions: Vec<(u32, (i64, i64))> =
            sessions.map(|(place, _)| (place, self.reach(place))).filter(|(_, (first, _))| *first != NO_TIME).collect();
        let first = sessions.iter().map(|(_, (first, _))| *first).min()?;
        let last = sessions.iter().map(|(_, (_, last))| *last).max()?;
        let whole = Spans::of([(first, last)]);
        let in_turns = sessions.iter().fold(Spans::default(), |all, (place, reach)| {
            let gaps = turns.iter().filter(|turn| turn.session == *place).filter_map(|turn| turn.idle);
            all.with(&Spans::of([*reach]).without(&Spans::of(gaps)))
        });
        let asks = self.asks.rows.iter().filter(|ask| wanted(ask.session));
        let waiting = Spans::of(asks.filter_map(|ask| self.wait_of(ask))).within(&whole);
        let calls = self.calls.iter().filter(|call| wanted(call.session));
        let tools = Spans::of(calls.filter_map(interval)).within(&whole).without(&waiting);
        let known = waiting.with(&tools);
        let written = self.writings.iter().filter(|writing| wanted(self.session_of_part(writing.part)));
        let model = Spans::of(written.map(|writing| (writing.start, writing.end))).within(&whole).without(&known);
        let rest = whole.without(&known).without(&model);
        let idle = rest.without(&in_turns);
        let unknown = rest.without(&idle);
        Some(Phases { whole: (first, last), waiting, tools, model, idle, unknown })
    }

    fn session_of_part(&self, part: u32) -> u32 {
        let record = self.parts.get(part as usize).map_or(NONE, |part| part.record);
        self.records.get(record as usize).map_or(NONE, |record| record.session)
    }

    /// Notes when a text was written; the last time that is said of a part counts.
    pub(super) fn see_writing(&mut self, part: u32, start: i64, end: i64) {
        let place = self.writings.binary_search_by_key(&part, |writing| writing.part);
        let is_known = start != NO_TIME && end != NO_TIME && start < end;
        match place {
            Ok(place) if is_known => {
                if let Some(writing) = self.writings.get_mut(place) {
                    *writing = Writing { part, start, end };
                }
            }
            Ok(place) => {
                self.writings.remove(place);
            }
            Err(place) if is_known => self.writings.insert(place, Writing { part, start, end }),
            Err(_) => {}
        }
    }

    /// When a part was written, where it says so.
    pub(super) fn writing_of(&self, part: u32) -> Option<(i64, i64)> {
        let place = self.writings.binary_search_by_key(&part, |writing| writing.part).ok()?;
        self.writings.get(place).map(|writing| (writing.start, writing.end))
    }
}

impl Phases {
    /// Their lengths.
    pub(crate) fn split(&self) -> TimeSplit {
        TimeSplit {
            waiting_ms: self.waiting.length(),
            tools_ms: self.tools.length(),
            model_ms: self.model.length(),
            idle_ms: self.idle.length(),
            unknown_ms: self.unknown.length(),
        }
    }
}

/// A call that says when it started and when it ended.
pub(super) fn interval(call: &CallColumn) -> Option<(i64, i64)> {
    call.duration().map(|_| (call.start, call.end))
}
