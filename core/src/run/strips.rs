//! The strips of the tools tab: where on the run's clock each tool was called.

use super::Run;
use super::store::{CallColumn, NO_TIME};
use crate::event::Outcome;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// When tools were called, in bins of equal length over the time of the run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Marks {
    /// Start of the first bin, milliseconds since the epoch; none where nothing has a time.
    pub start_ms: Option<i64>,
    /// From there to the end of the run.
    pub duration_ms: u64,
    /// One strip a tool, by name.
    pub tools: Vec<Strip>,
}

/// The calls of a tool.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Strip {
    /// The name that they count under.
    pub tool: String,
    /// Bins that hold calls, in order.
    pub marks: Vec<Mark>,
    /// Calls without a time, which are in no bin.
    pub timeless: u64,
}

/// The calls of one bin.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    /// The bin, from 0.
    pub bin: u32,
    /// Calls in it.
    pub calls: u32,
    /// Of these, failed or rejected.
    pub failed: u32,
    /// File of its first call, of its first failed one if it has any; by its place in the summary.
    pub file: u32,
    /// The line of that call, from 1.
    pub line: u64,
}

impl Run {
    /// When each tool was called, in so many bins. A call stands where it started; where its start is unknown, at its end,
    /// else at the time of its record.
    pub fn marks(&self, bins: u32) -> Marks {
        let copies = self.copied_steps(&|_| true);
        let wanted = |session: u32| self.wants_session(session);
        let calls: Vec<(&CallColumn, i64)> =
            self.counted_calls(&copies, &wanted).map(|call| (call, self.time_of_call(call))).collect();
        let sessions = (0u32..).zip(&self.sessions.rows).filter(|(place, row)| !row.gone && wanted(*place));
        let reaches = sessions.map(|(place, _)| self.reach(place));
        let times = reaches.flat_map(|(first, last)| [first, last]).filter(|ms| *ms != NO_TIME);
        let (start, end) = times.fold((i64::MAX, i64::MIN), |(start, end), ms| (start.min(ms), end.max(ms)));
        let duration = u64::try_from(end.saturating_sub(start)).unwrap_or(0);
        let mut strips: BTreeMap<&str, (BTreeMap<u32, Mark>, u64)> = BTreeMap::new();
        for (call, time) in calls {
            let (marks, timeless) = strips.entry(self.strings.get(call.tool).unwrap_or_default()).or_default();
            let Some(bin) = bin_of(time, start, duration, bins) else {
                *timeless += 1;
                continue;
            };
            let mark = marks.entry(bin).or_default();
            let is_failed = matches!(call.outcome, Outcome::Failed | Outcome::Rejected);
            if mark.calls == 0 || (is_failed && mark.failed == 0) {
                let place = self.place(call.record);
                (mark.file, mark.line) = (place.file, place.line);
            }
            *mark = Mark {
                bin,
                calls: mark.calls.saturating_add(1),
                failed: mark.failed.saturating_add(is_failed.into()),
                ..*mark
            };
        }
        let strip = |(tool, (marks, timeless)): (&str, (BTreeMap<u32, Mark>, u64))| Strip {
            tool: tool.to_owned(),
            marks: marks.into_values().collect(),
            timeless,
        };
        Marks {
            start_ms: (start != i64::MAX).then_some(start),
            duration_ms: if start == i64::MAX { 0 } else { duration },
            tools: strips.into_iter().map(strip).collect(),
        }
    }

    fn time_of_call(&self, call: &CallColumn) -> i64 {
        let part = self.records.get(call.record as usize).and_then(|row| self.parts.get(row.part as usize));
        let recorded = part.map_or(NO_TIME, |part| part.time);
        [call.start, call.end, recorded].into_iter().find(|ms| *ms != NO_TIME).unwrap_or(NO_TIME)
    }
}

fn bin_of(time: i64, start: i64, duration: u64, bins: u32) -> Option<u32> {
    let since = u64::try_from(time.checked_sub(start)?).ok().filter(|_| time != NO_TIME)?;
    let bin = u128::from(since) * u128::from(bins) / (u128::from(duration) + 1);
    u32::try_from(bin).ok().filter(|bin| *bin < bins)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_moment_is_in_the_last_bin() {
        assert_eq!(bin_of(1000, 1000, 99, 10), Some(0));
        assert_eq!(bin_of(1009, 1000, 99, 10), Some(0));
        assert_eq!(bin_of(1010, 1000, 99, 10), Some(1));
        assert_eq!(bin_of(1099, 1000, 99, 10), Some(9));
        assert_eq!(bin_of(1100, 1000, 99, 10), None);
        assert_eq!(bin_of(NO_TIME, 1000, 99, 10), None);
        assert_eq!(bin_of(5, 5, 0, 10), Some(0));
    }
}
