//! Threads for events that overlap.
//!
//! ```text
//! calls      |--read--|      |-----bash-----|
//! calls (2)     |-----bash-----|
//! ```

use super::events::{TraceEvent, Track};
use crate::order::Order;
use serde_json::{Value, json};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// The id of the first thread of a track in its process.
fn first_tid(track: Track) -> u32 {
    match track {
        Track::Steps => 1,
        Track::Calls => 101,
    }
}

/// A thread that is named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Thread {
    session: u32,
    track: Track,
    lane: u32,
}

impl Thread {
    pub(super) fn pid(self) -> u32 {
        self.session + 1
    }

    pub(super) fn tid(self) -> u32 {
        first_tid(self.track) + self.lane
    }

    /// Its name and its place.
    pub(super) fn metadata(self) -> [(&'static str, Value); 2] {
        let track = match self.track {
            Track::Steps => "steps",
            Track::Calls => "calls",
        };
        let name = if self.lane == 0 { track.to_owned() } else { format!("{track} ({})", self.lane + 1) };
        [("thread_name", json!({ "name": name })), ("thread_sort_index", json!({ "sort_index": self.tid() }))]
    }
}

/// Events in order of time with the thread of each, and the threads.
pub(super) struct Lanes {
    pub(super) names: BTreeSet<Thread>,
    pub(super) events: Vec<(u32, TraceEvent)>,
}

impl Lanes {
    /// Whether anything stands in a process.
    pub(super) fn has_process(&self, pid: u32) -> bool {
        self.names.iter().any(|thread| thread.pid() == pid)
    }
}

/// Gives each event the first thread of its track that is free when it starts. Instants and counters need no room.
pub(super) fn assign(mut events: Vec<TraceEvent>) -> Lanes {
    events.order_by(|a, b| key(a).cmp(&key(b)));
    let mut ends: BTreeMap<(u32, Track), Vec<i64>> = BTreeMap::new();
    let mut lanes = Lanes { names: BTreeSet::new(), events: Vec::with_capacity(events.len()) };
    for event in events {
        let lane = match event.duration_ms {
            Some(ms) => {
                let ends = ends.entry((event.session, event.track)).or_default();
                let end = event.start_ms.saturating_add_unsigned(ms);
                match ends.iter_mut().enumerate().find(|(_, free)| **free <= event.start_ms) {
                    Some((lane, free)) => {
                        *free = end;
                        lane as u32
                    }
                    None => {
                        ends.push(end);
                        ends.len() as u32 - 1
                    }
                }
            }
            None => 0,
        };
        let thread = Thread { session: event.session, track: event.track, lane };
        lanes.names.insert(thread);
        lanes.events.push((thread.tid(), event));
    }
    lanes
}

/// The order in the file: by time; at one time the longer first, so that what lies within comes behind.
fn key(event: &TraceEvent) -> (i64, u32, Track, Reverse<Option<u64>>, &str, u64) {
    let line = event.args.get("line").and_then(Value::as_u64).unwrap_or(0);
    (event.start_ms, event.session, event.track, Reverse(event.duration_ms), &event.name, line)
}
