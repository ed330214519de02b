//! What was taken back: messages and parts that were removed from a session, and sessions that were put back to an earlier
//! message. Bus events and session documents say so; what was read of them before stays, and each is a finding.

use super::Run;
use super::store::{EventColumn, NONE};
use crate::json::fingerprint_of_bytes;
use crate::summary::Finding;
use std::collections::BTreeMap;

/// What was taken back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Removed {
    Message,
    Part,
    /// All from this message on.
    From,
}

impl Removed {
    fn kind(self) -> &'static str {
        match self {
            Removed::Message => "removed-message",
            Removed::Part => "removed-part",
            Removed::From => "reverted",
        }
    }
}

/// Something that was taken back, and where that is said.
#[derive(Debug, Clone)]
pub(crate) struct Removal {
    pub(crate) what: Removed,
    pub(crate) session: u32,
    pub(crate) record: u32,
    /// The message's id, or the part's; interned.
    pub(crate) id: u32,
    /// The record that holds the part.
    pub(crate) part: u32,
}

impl Run {
    /// Notes what a record takes back.
    pub(super) fn take_removal(&mut self, what: Removed, id: &str, session: u32, record: u32) {
        let part = if what == Removed::Part { self.record_of_part(session, id).unwrap_or(NONE) } else { NONE };
        let id = self.strings.add(id);
        self.removals.push(Removal { what, session, record, id, part });
    }

    /// Whether an event was taken back later.
    pub(super) fn is_taken_back(&self, event: &EventColumn) -> bool {
        let of = |removal: &&Removal| removal.session == event.session;
        self.removals.iter().filter(of).any(|removal| match removal.what {
            Removed::Part => removal.part == event.record && removal.part != NONE,
            Removed::Message => self.is_of_message(event, removal.id),
            // What came after the session was put back is of its new course.
            Removed::From => {
                self.strings.get(removal.id).and_then(|id| self.record_of_message(removal.session, id)).is_some_and(
                    |from| event.record >= from && (removal.record < from || event.record < removal.record),
                )
            }
        })
    }

    fn is_of_message(&self, event: &EventColumn, id: u32) -> bool {
        let key = fingerprint_of_bytes(self.strings.get(id).unwrap_or_default().as_bytes()).0;
        let in_step = self.steps.get(event.step as usize).is_some_and(|step| step.message == Some(key));
        let is_part = |part: &u32| self.parts.get(*part as usize).is_some_and(|part| part.record == event.record);
        in_step || self.orphans.get(&(event.session, key)).is_some_and(|parts| parts.iter().any(is_part))
    }

    /// Each thing that was taken back, once, at the record that holds it; at the record that says so, where no other does.
    pub(super) fn removals(&self, found: &mut Vec<Finding>) {
        let mut once = BTreeMap::new();
        for removal in self.removals.iter().filter(|removal| self.wants_session(removal.session)) {
            once.entry((removal.session, removal.what, removal.id)).or_insert(removal);
        }
        for removal in once.into_values() {
            let id = self.strings.get(removal.id).unwrap_or_default();
            let line = self.place(removal.record).line;
            let known = match removal.what {
                Removed::Message | Removed::From => self.record_of_message(removal.session, id),
                Removed::Part => self.record_of_part(removal.session, id),
            };
            let what = match removal.what {
                Removed::Message => format!("message {id} was removed from its session (line {line})"),
                Removed::Part => format!("part {id} was removed from its message (line {line})"),
                Removed::From => format!("the session was reverted to just before message {id} (line {line})"),
            };
            let rest =
                if known.is_some() { "what was read of it before stays here" } else { "nothing of it is in this log" };
            found.push(self.finding(removal.what.kind(), known.unwrap_or(removal.record), format!("{what}: {rest}")));
        }
    }

    /// The first record of a message: that of its step, or of a part that belongs to none.
    fn record_of_message(&self, session: u32, id: &str) -> Option<u32> {
        let key = fingerprint_of_bytes(id.as_bytes()).0;
        let step = self.steps.iter().find(|step| step.session == session && step.message == Some(key));
        let orphan =
            || self.orphans.get(&(session, key))?.iter().filter_map(|part| self.parts.get(*part as usize)).next();
        step.map(|step| step.record).or_else(|| orphan().map(|part| part.record))
    }

    fn record_of_part(&self, session: u32, id: &str) -> Option<u32> {
        let known = self.part_of_key.iter().filter(|(key, _)| key.is_of(session, id));
        known.filter_map(|(_, part)| self.parts.get(*part as usize)).map(|part| part.record).min()
    }

    /// The first call of each session whose output the harness took out of the context later.
    pub(super) fn pruned_outputs(&self, found: &mut Vec<Finding>) {
        let mut pruned: BTreeMap<u32, (u64, u32)> = BTreeMap::new();
        for call in self.calls.iter().filter(|call| call.pruned && self.wants_session(call.session)) {
            let (count, first) = pruned.entry(call.session).or_insert((0, NONE));
            *count += 1;
            *first = (*first).min(call.record);
        }
        for (count, first) in pruned.into_values() {
            let message = match count {
                1 => "the harness took the output of this call out of the context later".to_owned(),
                _ => {
                    format!("the harness took the outputs of {count} calls out of the context later; this is the first")
                }
            };
            found.push(self.finding("pruned-output", first, message));
        }
    }

    /// How many calls have such an output.
    pub(super) fn pruned_count(&self) -> usize {
        self.calls.iter().filter(|call| call.pruned && self.wants_session(call.session)).count()
    }

    /// How many parts have a time that was worked out: from their message, and from their own id.
    pub(super) fn derived_times(&self) -> (usize, usize) {
        let wanted =
            |record: u32| self.records.get(record as usize).is_some_and(|record| self.wants_session(record.session));
        let of = |time| self.parts.iter().filter(|part| part.time_from == time && wanted(part.record)).count();
        (of(TimeFrom::Message), of(TimeFrom::Id))
    }
}

/// Where the start of a part is known from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum TimeFrom {
    /// Its own record says it, or nothing does.
    #[default]
    Record,
    /// It has no time, and its message has.
    Message,
    /// Its record says when it was written, and its id when it was made.
    Id,
}
