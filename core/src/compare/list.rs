//! Aligned steps as a flat list of rows, handed out in windows: a step pair has a head, and below it its calls. Steps that
//! are the same have a head only, which names their calls.

use super::document::{CallPair, Comparison, Step};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// How many calls a head names.
const NAMED: usize = 4;

/// The rows of a comparison, in an order.
#[derive(Debug, Clone, Default)]
pub struct Listing(Vec<(u32, Option<u32>)>);

/// A row of the list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum PairRow {
    /// The head of two steps, or of one that is aligned with none.
    Step {
        /// Of A.
        a: Option<Step>,
        /// Of B.
        b: Option<Step>,
        /// Both made the same calls, which came out the same.
        same: bool,
        /// What they called, in a few words.
        calls: String,
    },
    /// A call below it.
    Call(CallPair),
}

/// Some rows of the list.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PairWindow {
    /// Place of the first.
    pub start: u64,
    /// Rows of the whole list.
    pub total: u64,
    /// The rows.
    pub rows: Vec<PairRow>,
}

impl Comparison {
    /// The rows in the order of the steps, or with the steps that differ first.
    pub fn listing(&self, differences_first: bool) -> Listing {
        let numbered = || (0u32..).zip(&self.steps);
        let mut rows = Vec::new();
        let mut add = |(at, pair): (u32, &super::StepPair)| {
            rows.push((at, None));
            if !pair.same {
                rows.extend((0u32..).zip(&pair.calls).map(|(call, _)| (at, Some(call))));
            }
        };
        if differences_first {
            numbered().filter(|(_, pair)| !pair.same).for_each(&mut add);
            numbered().filter(|(_, pair)| pair.same).for_each(&mut add);
        } else {
            numbered().for_each(&mut add);
        }
        Listing(rows)
    }

    /// Some rows of a list. A range beyond its end gives what there is.
    pub fn rows(&self, listing: &Listing, range: Range<u64>) -> PairWindow {
        let total = listing.0.len() as u64;
        let start = range.start.min(total);
        let end = range.end.clamp(start, total);
        let items = listing.0.get(start as usize..end as usize).unwrap_or_default();
        PairWindow { start, total, rows: items.iter().filter_map(|(pair, call)| self.row(*pair, *call)).collect() }
    }

    fn row(&self, pair: u32, call: Option<u32>) -> Option<PairRow> {
        let pair = self.steps.get(pair as usize)?;
        if let Some(call) = call {
            return pair.calls.get(call as usize).cloned().map(PairRow::Call);
        }
        Some(PairRow::Step { a: pair.a.clone(), b: pair.b.clone(), same: pair.same, calls: named(&pair.calls) })
    }
}

/// `read src/a.rs, grep TODO in src and 3 more`.
fn named(calls: &[CallPair]) -> String {
    let name = |call: &CallPair| format!("{} {}", call.tool, call.argument).trim_end().to_owned();
    let mut text = calls.iter().take(NAMED).map(name).collect::<Vec<_>>().join(", ");
    if calls.len() > NAMED {
        text.push_str(&format!(" and {} more", calls.len() - NAMED));
    }
    text
}
