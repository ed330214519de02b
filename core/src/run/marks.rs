//! What a record says beside its event: that its output was pruned from the context later, when its id says that it was
//! made, and which lines hold earlier states of it.

use super::Run;
use super::store::RecordRow;
use crate::explain::{Decision, Stage};
use crate::format::wire::Line;
use crate::id;
use crate::json::Object;
use crate::rules::trace::fine;
use crate::time::TimeMs;

/// How many lines of earlier states are named.
const STATES: usize = 8;
/// An id is believed only if it was made so shortly before its record was written.
const BELIEVED_MS: i64 = 24 * 60 * 60 * 1000;

impl Run {
    /// As decisions, for an explanation.
    pub(super) fn explain_marks(&self, record: u32, row: &RecordRow, line: &Line<'_>) -> Vec<Decision> {
        let created = || {
            // Only what carries no time of its own needs its id for that.
            let (start, _) = line.interval();
            let time = start.is_none().then(|| made_at(line))??;
            let what = format!("made at {}, derived", time.to_rfc3339()?);
            Some(fine(Stage::Line, what, "it carries no time of its own, and its part id holds one", None))
        };
        let pruned = || {
            let state = line.state.time.and_then(Object::parse)?;
            let time = state.get("compacted").and_then(crate::format::wire::time)?.to_rfc3339()?;
            let why = format!("the harness took its output out of the context at {time}");
            Some(fine(Stage::Outcome, "pruned later", why, Some(format!("{}/state/time/compacted", line.part_pointer))))
        };
        created().into_iter().chain(self.earlier_states(record, row)).chain(pruned()).collect()
    }

    /// The other lines that hold states of the same part, on the line that holds its values.
    fn earlier_states(&self, record: u32, row: &RecordRow) -> Option<Decision> {
        let part = self.parts.get(row.part as usize).filter(|part| part.source == record)?;
        let others: Vec<String> = (0u32..)
            .zip(&self.records)
            .filter(|(other, other_row)| other_row.part == row.part && *other != record && *other != part.record)
            .map(|(other, _)| self.place(other).line.to_string())
            .collect();
        let shown = others.get(..others.len().min(STATES)).filter(|shown| !shown.is_empty())?.join(", ");
        let more = if others.len() > STATES { ", …" } else { "" };
        let what = format!("states on other lines: {shown}{more}");
        Some(fine(Stage::Duplicate, what, "they are counted as duplicates, and none is an event of its own", None))
    }
}

/// When a part was made, as its id says.
pub(super) fn made_at(line: &Line<'_>) -> Option<TimeMs> {
    created(line.part_id()?, line.timestamp().ok()??)
}

/// When an id of the usual length was made, as told by the time at which its record was written.
fn created(id: &str, near: TimeMs) -> Option<TimeMs> {
    let (_, rest) = id.split_once('_')?;
    let before = id::before(id::low_bits(id).filter(|_| rest.len() == 26)?, near);
    (before <= BELIEVED_MS).then(|| TimeMs(near.0 - before))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_holds_the_time_at_which_it_was_made() {
        let near = TimeMs(1_781_000_000_270);
        let digits = format!("{:012x}", ((1_781_000_000_000_i64 << 12) + 1) & ((1 << 48) - 1));
        let id = format!("prt_{digits}AbCdEfGhIjKlMn");
        assert_eq!(created(&id, near), Some(TimeMs(1_781_000_000_000)));
        // Long before its record, or of another form: not believed.
        assert_eq!(created(&id, TimeMs(near.0 + 2 * BELIEVED_MS)), None);
        for id in ["prt_1", "prt_00000000000zAbCdEfGhIjKlMn", "c5e7f0aa-1111-4222-8333-abcdefabcdef", ""] {
            assert_eq!(created(id, near), None);
        }
    }
}
