//! Where movements through the list end: next event, next failure, next hit, the event of a line.

use steplens_core::event::{Kind, Outcome};
use steplens_core::run::Run;
use steplens_core::view::{EventRow, Filter, Row, View};

use super::protocol::{Landed, Target};

/// Rows that are looked at together in search of an event.
const STRIDE: u64 = 64;

/// What is moved over.
#[derive(Debug)]
pub struct Ground<'a> {
    /// The run.
    pub run: &'a Run,
    /// The list that is shown.
    pub view: &'a View,
    /// What it was filtered by.
    pub filter: &'a Filter,
}

/// Where the movement from a row ends. `hits` are the rows in which the search found something.
pub fn land<'n>(
    ground: &Ground<'_>,
    hits: &[u64],
    mut names: impl Iterator<Item = &'n str>,
    row: Option<u64>,
    target: &Target,
) -> Option<Landed> {
    match target {
        Target::First => ground.nearest(0, true),
        Target::Last => ground.nearest(ground.view.len().checked_sub(1)?, false),
        Target::By(by) => match row {
            None if *by < 0 => ground.nearest(ground.view.len().checked_sub(1)?, false),
            None => ground.nearest(0, true),
            Some(row) => ground.by(row, *by),
        },
        Target::Failure(forward) => ground.failure(row, *forward),
        Target::Hit(forward) => {
            let index = around(hits, row, *forward)?;
            let row = *hits.get(index)?;
            let mut landed = ground.at(row)?;
            landed.hit = Some(index as u64);
            Some(landed)
        }
        Target::Event(id) => {
            let row = ground.run.row_of_event(ground.view, *id);
            match row {
                Some(row) => ground.at(row),
                None => ground.hidden(|run, all| run.row_of_event(all, *id)),
            }
        }
        Target::Line { file, line } => {
            let file = match file {
                Some(name) => names.position(|n| n == name)?,
                None => 0,
            };
            let file = u32::try_from(file).ok()?;
            match ground.run.row_of_line(ground.view, file, *line) {
                Some(row) => ground.at(row),
                None => ground.hidden(|run, all| run.row_of_line(all, file, *line)),
            }
        }
        Target::Ask(id) => match ground.run.row_of_ask(ground.view, id) {
            Some(row) => ground.at(row),
            None => ground.hidden(|run, all| run.row_of_ask(all, id)),
        },
        Target::Near { axis, value, work, wrong } => {
            ground.at(ground.run.nearest(ground.view, *axis, *value, *work, *wrong)?)
        }
        Target::StepAt { .. } => ground.step(target),
        Target::Fold(_) => None,
    }
}

/// The index of the entry after (or before) the row, round the ends.
fn around(sorted: &[u64], row: Option<u64>, forward: bool) -> Option<usize> {
    let last = sorted.len().checked_sub(1)?;
    let Some(row) = row else {
        return Some(if forward { 0 } else { last });
    };
    if forward {
        let next = sorted.partition_point(|&r| r <= row);
        Some(if next > last { 0 } else { next })
    } else {
        let next = sorted.partition_point(|&r| r < row);
        Some(next.checked_sub(1).unwrap_or(last))
    }
}

impl Ground<'_> {
    fn at(&self, row: u64) -> Option<Landed> {
        let window = self.run.window(self.view, row..row + 1);
        let item = window.rows.into_iter().next()?;
        Some(selectable(row, item).unwrap_or(Landed { row: Some(row), event: None, ask: None, hit: None }))
    }

    /// An event that the filter hides.
    fn hidden(&self, find: impl Fn(&Run, &View) -> Option<u64>) -> Option<Landed> {
        if self.filter.is_empty() {
            return None;
        }
        let all = self.run.view(&Filter::default());
        let row = find(self.run, &all)?;
        let whole = Ground { view: &all, ..*self };
        let landed = whole.at(row)?;
        Some(Landed { row: None, ..landed })
    }

    /// The event or the request at a row, or the nearest one on the way.
    fn nearest(&self, row: u64, forward: bool) -> Option<Landed> {
        let mut edge = row;
        loop {
            let (start, end) = if forward {
                (edge, edge.saturating_add(STRIDE).min(self.view.len()))
            } else {
                ((edge + 1).saturating_sub(STRIDE), edge + 1)
            };
            if start >= end || start >= self.view.len() {
                return None;
            }
            let rows = self.run.window(self.view, start..end).rows;
            let pick = |(row, item): (u64, Row)| selectable(row, item);
            let mut numbered = (start..).zip(rows);
            let found = if forward { numbered.find_map(pick) } else { numbered.filter_map(pick).last() };
            if found.is_some() {
                return found;
            }
            edge = if forward { end } else { start.checked_sub(1)? };
        }
    }

    /// So many rows on; stays where it is rather than turn round at an end.
    fn by(&self, row: u64, by: i64) -> Option<Landed> {
        let last = self.view.len().checked_sub(1)?;
        let to = row.saturating_add_signed(by).min(last);
        let forward = by >= 0;
        self.nearest(to, forward).or_else(|| self.nearest(to, !forward))
    }

    fn failure(&self, row: Option<u64>, forward: bool) -> Option<Landed> {
        // Two filters, because an error is no call and so has no outcome.
        let calls = Filter { outcomes: vec![Outcome::Failed, Outcome::Rejected], ..self.filter.clone() };
        let errors = Filter { kinds: vec![Kind::Error], session: self.filter.session, ..Filter::default() };
        let near = [calls, errors].into_iter().filter_map(|filter| {
            let view = self.run.view(&filter);
            let ground = Ground { view: &view, ..*self };
            ground.next_in(self, row, forward)
        });
        // Of the two, the one that comes first on the way, before any beyond the end.
        near.min_by_key(|landed| {
            let at = landed.row.unwrap_or(u64::MAX);
            let from = row.unwrap_or(if forward { 0 } else { u64::MAX });
            if forward { (row.is_some() && at <= from, at) } else { (at >= from, u64::MAX - at) }
        })
    }

    /// The next event of this list after the row of the list that is shown, round the ends.
    fn next_in(&self, shown: &Ground<'_>, row: Option<u64>, forward: bool) -> Option<Landed> {
        // Rows of both lists are in the same order, so the place is found by halving.
        let row_there = |index: u64| -> Option<u64> {
            let event = self.nearest(index, true)?.event?;
            self.run.row_of_event(shown.view, event.id)
        };
        let after = |bound: u64, including: bool| -> u64 {
            let (mut low, mut high) = (0, self.view.len());
            while low < high {
                let middle = low + (high - low) / 2;
                match row_there(middle) {
                    Some(r) if r < bound || (including && r == bound) => low = middle + 1,
                    _ => high = middle,
                }
            }
            low
        };
        let event = if forward {
            row.and_then(|row| self.nearest(after(row, true), true)).or_else(|| self.nearest(0, true))
        } else {
            let last = self.view.len().checked_sub(1)?;
            row.and_then(|row| self.nearest(after(row, false).checked_sub(1)?, false))
                .or_else(|| self.nearest(last, false))
        }?
        .event?;
        let row = self.run.row_of_event(shown.view, event.id)?;
        Some(landed(row, event))
    }

    fn step(&self, target: &Target) -> Option<Landed> {
        let Target::StepAt { session, number, line } = target else {
            return None;
        };
        // Heads of steps come in the order of their lines in most logs, but sessions interleave:
        // so look through all of them.
        let mut start = 0;
        while start < self.view.len() {
            let end = start.saturating_add(4096).min(self.view.len());
            let rows = self.run.window(self.view, start..end).rows;
            for (row, item) in (start..).zip(rows) {
                if let Row::Step(step) = item
                    && (step.session, step.number, step.line) == (*session, *number, *line)
                {
                    return Some(Landed { row: Some(row), event: None, ask: None, hit: None });
                }
            }
            start = end;
        }
        None
    }
}

fn landed(row: u64, event: EventRow) -> Landed {
    Landed { row: Some(row), event: Some(event), ask: None, hit: None }
}

/// A row that can be selected.
fn selectable(row: u64, item: Row) -> Option<Landed> {
    match item {
        Row::Event(event) => Some(landed(row, event)),
        Row::Ask(ask) => Some(Landed { row: Some(row), event: None, ask: Some(ask), hit: None }),
        Row::Step(_) | Row::Turn(_) => None,
    }
}
