//! Which steps of a list are folded, and the list as it is shown. Made by [`crate::run::Run::outline`].

use crate::run::Turn;
use crate::view::View;
use std::collections::BTreeSet;

/// Which steps are folded. A step is named by [`crate::view::StepRow::id`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Folds {
    /// All are, but for the others.
    all: bool,
    /// Steps that are not as all are.
    others: BTreeSet<u32>,
}

impl Folds {
    /// Whether a step is folded.
    pub fn holds(&self, step: u32) -> bool {
        self.all != self.others.contains(&step)
    }

    /// Folds or unfolds a step; whether that changed anything.
    pub fn set(&mut self, step: u32, folded: bool) -> bool {
        let is_change = self.holds(step) != folded;
        if is_change && !self.others.remove(&step) {
            self.others.insert(step);
        }
        is_change
    }

    /// Folds or unfolds all steps, those to come too.
    pub fn set_all(&mut self, folded: bool) {
        *self = Folds { all: folded, others: BTreeSet::new() };
    }

    /// Whether nothing is folded.
    pub fn is_empty(&self) -> bool {
        !self.all && self.others.is_empty()
    }
}

/// A list as it is shown.
///
/// The view beneath stays whole, so that searches and jumps find what is folded away.
#[derive(Debug, Clone, Default)]
pub struct Outline {
    pub(crate) rows: Vec<OutlineRow>,
    /// Turns with a heading.
    pub(crate) turns: Vec<Turn>,
}

/// A row of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OutlineRow {
    /// The heading of a turn, by its place in the outline, before a row of the view.
    Turn(u32, u32),
    /// A row of the view.
    Item(u32),
}

impl OutlineRow {
    /// The row of the view that it stands at.
    fn place(self) -> u32 {
        match self {
            OutlineRow::Turn(_, row) | OutlineRow::Item(row) => row,
        }
    }
}

impl Outline {
    /// Rows.
    pub fn len(&self) -> u64 {
        self.rows.len() as u64
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Where a row of the view is shown; of one that is folded away, the head that it is folded under.
    pub fn row_of(&self, row: u64) -> Option<u64> {
        let beyond = self.rows.partition_point(|shown| u64::from(shown.place()) <= row);
        beyond.checked_sub(1).map(|row| row as u64)
    }

    /// The rows of the view that are shown.
    pub fn shown(&self, view: &View) -> View {
        let item = |row: &OutlineRow| match row {
            OutlineRow::Item(row) => view.items.get(*row as usize).copied(),
            OutlineRow::Turn(..) => None,
        };
        View { items: self.rows.iter().filter_map(item).collect(), events: view.events }
    }
}
