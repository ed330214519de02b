//! Forks: a session that was made from another one holds copies of its steps under other ids.
//!
//! A copy has the very times and token counts of its original. It is shown with its session, and counted once in what is
//! summed over sessions.

use super::Run;
use super::store::{NO_TIME, StepColumn};
use crate::order::Order;
use crate::summary::SessionSummary;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};

impl Run {
    /// Steps that are copies of a step of another of the sessions that are wanted; the one that stands first in the
    /// summary has the original.
    pub(super) fn copied_steps(&self, wanted: &dyn Fn(u32) -> bool) -> HashSet<u32> {
        self.originals(wanted).into_keys().collect()
    }

    /// Steps that are copies, and the session that each is a copy from.
    fn originals(&self, wanted: &dyn Fn(u32) -> bool) -> HashMap<u32, u32> {
        let mut copies = HashMap::new();
        if (0u32..).zip(&self.sessions.rows).filter(|(place, row)| !row.gone && wanted(*place)).count() < 2 {
            return copies;
        }
        let rank: HashMap<u32, usize> =
            self.session_places().0.into_iter().enumerate().map(|(rank, place)| (place, rank)).collect();
        let mut steps: Vec<(u32, &StepColumn)> = (0u32..).zip(&self.steps).filter(|(_, s)| wanted(s.session)).collect();
        steps.order_by_key(|(_, step)| rank.get(&step.session).copied().unwrap_or(usize::MAX));
        let mut originals = HashMap::new();
        for (index, step) in steps {
            let Some(key) = self.marks_of(step) else { continue };
            let owner = *originals.entry(key).or_insert(step.session);
            if owner != step.session {
                copies.insert(index, owner);
            }
        }
        copies
    }

    /// Says of each session what it is a fork of. `places` are those of the sessions.
    pub(super) fn note_forks(&self, sessions: &mut [SessionSummary], places: &[u32]) {
        let originals = self.originals(&|_| true);
        if originals.is_empty() {
            return;
        }
        for (session, place) in sessions.iter_mut().zip(places) {
            let mut from: BTreeMap<u32, u64> = BTreeMap::new();
            for (step, owner) in &originals {
                if self.steps.get(*step as usize).is_some_and(|step| step.session == *place) {
                    *from.entry(*owner).or_default() += 1;
                }
            }
            session.copied_steps = from.values().sum();
            let most = from.into_iter().max_by_key(|(owner, count)| (*count, Reverse(*owner)));
            let owner = most.and_then(|(owner, _)| self.sessions.get(owner));
            session.fork_of = owner.and_then(|owner| self.strings.get(owner.id)).map(str::to_owned);
        }
    }

    /// Times and tokens of a step, where they are full enough to tell it from any other.
    fn marks_of(&self, step: &StepColumn) -> Option<(i64, i64, [Option<u64>; 5])> {
        let usage = step.usage.as_ref()?;
        let message = step.message.and_then(|key| self.messages.get(&key));
        let (start, end) = match message {
            Some(message) if message.created != NO_TIME && message.completed != NO_TIME => {
                (message.created, message.completed)
            }
            _ => (step.start, step.end),
        };
        let tokens = [usage.input, usage.output, usage.reasoning, usage.cache_read, usage.cache_write];
        let counted = tokens.iter().flatten().any(|tokens| *tokens > 0);
        (start != NO_TIME && end != NO_TIME && counted).then_some((start, end, tokens))
    }

    /// One sentence for each session that holds copies.
    pub(super) fn fork_limits(&self, copies: &HashSet<u32>) -> Vec<String> {
        let mut counts: HashMap<u32, u64> = HashMap::new();
        for step in copies.iter().filter_map(|step| self.steps.get(*step as usize)) {
            *counts.entry(step.session).or_default() += 1;
        }
        let mut out: Vec<String> = counts
            .into_iter()
            .map(|(session, count)| {
                let id = self.sessions.get(session).and_then(|row| self.strings.get(row.id)).unwrap_or("a session");
                match count {
                    1 => format!("1 step of {id} is a copy of another session's (a fork): the totals count it once"),
                    _ => format!(
                        "{count} steps of {id} are copies of another session's (a fork): the totals count them once"
                    ),
                }
            })
            .collect();
        out.order();
        out
    }
}
