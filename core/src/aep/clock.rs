//! When a moment was: the wrapper's time; else the one in the event's id; else the newest that the event names; else that
//! of the moment before.
//!
//! Ids of these harnesses hold the lower 36 bits of their time in milliseconds, so they mean one point in every 795 days.
//! Which one is told by the newest full time of the log that was seen, or, before any, by the first that comes.

use super::moment::{Moment, time_of};
use crate::time::TimeMs;
use serde_json::Value;

const BITS: u32 = 36;
const PERIOD: i64 = 1 << BITS;

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
        let by_id = || resolve(low_bits(moment.id.as_deref()?)?, self.reference?);
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

/// The lower 36 bits of the time in an id: `prefix_`, then 12 hexadecimal digits of `ms · 4096 + counter`.
pub(crate) fn low_bits(id: &str) -> Option<i64> {
    let (_, digits) = id.split_once('_')?;
    let digits = digits.get(..12)?;
    if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    i64::from_str_radix(digits, 16).ok().map(|value| value >> 12)
}

/// The point in time with these lower bits that is nearest to a reference.
pub(crate) fn resolve(low: i64, reference: TimeMs) -> Option<TimeMs> {
    let behind = (reference.0 - low).rem_euclid(PERIOD);
    let past = reference.0 - behind;
    TimeMs::from_ms(if behind > PERIOD / 2 { past + PERIOD } else { past } as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_tells_its_time_near_a_reference() {
        // 1,796,033,265,449 ms; the reference two milliseconds earlier, and a minute later.
        let low = low_bits("evt_22becbf29001Fs6zd5JCTaG0jn").unwrap();
        assert_eq!(resolve(low, TimeMs(1_796_033_265_447)), Some(TimeMs(1_796_033_265_449)));
        assert_eq!(resolve(low, TimeMs(1_796_033_325_447)), Some(TimeMs(1_796_033_265_449)));
        assert_eq!(low_bits("per_zzz"), None);
        assert_eq!(low_bits("0f1e2d3c-aaaa"), None);
    }
}
