//! The lines that a log can do without when only some of its events are wanted.

use super::Run;
use super::store::{NONE, index};
use crate::order::Order;
use crate::view::View;
use std::collections::HashSet;
use std::ops::Range;

impl Run {
    /// Bytes of the lines of a file that hold nothing but events that a view does not show: the record of the event, its
    /// later and its earlier states, and their duplicates. In order. Steps, messages and what is no event are not among them.
    pub fn hidden_lines(&self, view: &View, file: u32) -> Vec<Range<u64>> {
        let shown: HashSet<u32> = view.events_shown().collect();
        let (mut records, mut parts) = ([HashSet::new(), HashSet::new()], [HashSet::new(), HashSet::new()]);
        let dialects = self.dialects();
        for (id, event) in (0u32..).zip(&self.events) {
            if !Run::shows(event, &dialects) {
                continue;
            }
            let side = usize::from(shown.contains(&id));
            for record in [event.record, event.source] {
                if let Some(records) = records.get_mut(side) {
                    records.insert(record);
                }
                let part = self.records.get(record as usize).map_or(NONE, |row| row.part);
                if let Some(parts) = parts.get_mut(side)
                    && part != NONE
                {
                    parts.insert(part);
                }
            }
        }
        let ([hidden, shown], [hidden_parts, shown_parts]) = (records, parts);
        let is_hidden = |record: u32, part: u32| {
            !shown.contains(&record)
                && !shown_parts.contains(&part)
                && (hidden.contains(&record) || hidden_parts.contains(&part))
        };
        let of_file = (0..index(self.records.len())).zip(&self.records).filter(|(_, row)| u32::from(row.file) == file);
        let mut lines: Vec<(Range<u64>, bool)> = of_file
            .map(|(record, row)| (row.offset..row.offset + u64::from(row.len), is_hidden(record, row.part)))
            .collect();
        lines.order_by_key(|(place, is_hidden)| (place.start, place.end, *is_hidden));
        // A line of several records stays where one of them does.
        let kept: HashSet<u64> =
            lines.iter().filter(|(_, is_hidden)| !is_hidden).map(|(place, _)| place.start).collect();
        lines.retain(|(place, is_hidden)| *is_hidden && !kept.contains(&place.start));
        lines.dedup_by_key(|(place, _)| place.start);
        lines.into_iter().map(|(place, _)| place).collect()
    }
}
