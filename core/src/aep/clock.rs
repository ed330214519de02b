//! When a moment was: the wrapper's time; else the one in the event's id; else the newest that the event names; else that
//! of the moment before.
//!
//! An id holds only the lower bits of its time ([`crate::id`]); which point they mean is told by
//! the newest full time of the log that was seen, or, before any, by the first that comes.

use super::moment::{Moment, time_of};
use crate::id;
use crate::time::TimeMs;
use serde_json::Value;

/// Resolves the times of a log's moments, one after another.
#[derive(Debug, Clone, Default)]
pub(super) struct Clock {
    /// The newest full time that was seen; at the start the first one of the log.
    reference: Option<TimeMs>,
    last: Option<TimeMs>,
}

impl Clock {
    /// Before the first moment: the first full time that the log names anywhere.
    pub(super) fn new(first: Option<TimeMs>) -> Clock {
        Clock { reference: first, last: None }
    }

    /// The moment's time; `None` where neither it nor any before it tells one.
    pub(super) fn time_of(&mut self, moment: &Moment) -> Option<TimeMs> {
        let own = full_time(moment);
        for full in [moment.time, own].into_iter().flatten() {
            // An old message that is published again must not turn the clock back.
            self.reference = self.reference.max(Some(full));
        }
        let by_id = || id::nearest(id::low_bits(moment.id.as_deref()?)?, self.reference?);
        let time = moment.time.or_else(by_id).or(own).or(self.last);
        self.last = time.or(self.last);
        time
    }
}

/// The newest of the full times that a moment names itself.
pub(super) fn full_time(moment: &Moment) -> Option<TimeMs> {
    ["/info/time", "/part/time", "/part/state/time", "/permission/time", "/time"]
        .into_iter()
        .filter_map(|place| moment.at(place))
        .flat_map(|times| match times {
            Value::Object(times) => times.values().filter_map(time_of).collect(),
            one => time_of(one).into_iter().collect::<Vec<_>>(),
        })
        .max()
}
