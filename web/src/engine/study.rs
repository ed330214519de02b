//! Questions about the whole of a run that are worked out when they are asked: comparison, strips, chart.

use serde::{Deserialize, Serialize};
use steplens_core::compare::{Comparison, Listing, PairWindow, compare};
use steplens_core::run::{Choice, Growth, Marks, Run};

/// A question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Study {
    /// When each tool was called, in so many bins.
    Marks(u32),
    /// Tokens by step, in so many bars at most.
    Growth(u64),
    /// Compare these two by their keys; where one is not there, the first two that are.
    Compare(Option<String>, Option<String>),
    /// Rows of the last comparison.
    Pairs {
        /// The steps that differ first.
        differences_first: bool,
        /// The first row.
        start: u64,
        /// How many.
        len: u64,
    },
}

/// An answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Studied {
    /// Strips.
    Marks(Marks),
    /// The chart.
    Growth(Box<Growth>),
    /// The comparison without its steps; none where there are no two to compare.
    Compared(Option<Box<Compared>>),
    /// Rows.
    Pairs(PairWindow),
}

/// A comparison, and what else could be compared.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Compared {
    /// What can be compared.
    pub choices: Vec<Choice>,
    /// Which of them is A.
    pub a: usize,
    /// Which is B.
    pub b: usize,
    /// The comparison; its steps are asked for in windows.
    pub comparison: Comparison,
}

/// The last comparison, with its rows in both orders.
#[derive(Debug, Default)]
pub struct Cache {
    comparison: Comparison,
    in_order: Listing,
    differences_first: Listing,
}

/// Answers a question.
pub fn answer(run: &Run, cache: &mut Cache, study: &Study) -> Studied {
    match study {
        Study::Marks(bins) => Studied::Marks(run.marks(*bins)),
        Study::Growth(bars) => Studied::Growth(Box::new(run.growth(*bars))),
        Study::Compare(a, b) => Studied::Compared(compared(run, cache, a.as_deref(), b.as_deref()).map(Box::new)),
        Study::Pairs { differences_first, start, len } => {
            let listing = if *differences_first { &cache.differences_first } else { &cache.in_order };
            Studied::Pairs(cache.comparison.rows(listing, *start..start.saturating_add(*len)))
        }
    }
}

fn compared(run: &Run, cache: &mut Cache, a: Option<&str>, b: Option<&str>) -> Option<Compared> {
    let choices = run.choices();
    let place = |key: Option<&str>| key.and_then(|key| choices.iter().position(|choice| choice.key == key));
    let other = |than: usize| {
        choices.iter().position(|choice| {
            choices.get(than).is_some_and(|than| choice.sessions.iter().all(|session| !than.sessions.contains(session)))
        })
    };
    let a = place(a).or_else(|| other(place(b)?)).unwrap_or(0);
    let b = place(b).or_else(|| other(a))?;
    let facts = |place: usize| choices.get(place).map(|choice| run.facts(&choice.name, Some(&choice.sessions)));
    let comparison = compare(&facts(a)?, &facts(b)?);
    cache.in_order = comparison.listing(false);
    cache.differences_first = comparison.listing(true);
    cache.comparison = comparison.clone();
    Some(Compared { choices, a, b, comparison: Comparison { steps: Vec::new(), ..comparison } })
}
