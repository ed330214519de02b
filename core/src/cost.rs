//! Cost from tokens and prices, and how it compares to what the harness reports.
//!
//! Four states, never mixed. *Reported* is what the log says. *Comparable* is the plain rule: everything that went in
//! but was not cached, and everything that came out, at two prices, cached reads at a third. *List* is the finer rule:
//! cache writes at their own price, the tier of each step, reasoning billed once. *Unknown* is a sentence, never $0.
//!
//! All of it is exact: whole tokens times whole pico-dollars per token, summed as `u128`.

mod account;
mod bill;
mod reconcile;

#[cfg(test)]
mod tests;

pub use account::Account;
pub use reconcile::{Change, Compared, Difference, Gap, Reconciliation, reconcile};

use crate::money::PicoUsd;
use crate::price::{Found, PriceTable, Prices};
use crate::usage::Usage;
use bill::{Bill, Rule};
use std::fmt;

/// What a stream never holds, for whoever compares its sum to an invoice.
pub const NEVER_IN_THE_STREAM: &str =
    "the calls for titles and session summaries, and those of child sessions, are never in the stream";

/// A class of tokens that has a price.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// `input`.
    Input,
    /// `cache.read`.
    CacheRead,
    /// `cache.write`.
    CacheWrite,
    /// `output`.
    Output,
    /// `reasoning`.
    Reasoning,
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Class::Input => "input tokens",
            Class::CacheRead => "cached reads",
            Class::CacheWrite => "cache writes",
            Class::Output => "output tokens",
            Class::Reasoning => "reasoning tokens",
        })
    }
}

/// Whether a step's `output` holds its reasoning already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Convention {
    /// `total` = input + output + reasoning + cache: they stand side by side.
    Additive,
    /// `total` = input + output + cache: reasoning is inside output.
    Inside,
    /// No `total`, or one that fits neither.
    CannotTell,
}

/// Which convention a step's `total` implies. Without reasoning both fit, and either does: [`Convention::Additive`].
pub fn convention(usage: &Usage) -> Convention {
    let Some(total) = usage.total else { return Convention::CannotTell };
    let sum = |classes: &[Option<u64>]| classes.iter().map(|class| u128::from(class.unwrap_or(0))).sum::<u128>();
    let without = sum(&[usage.input, usage.output, usage.cache_read, usage.cache_write]);
    let reasoning = sum(&[usage.reasoning]);
    match u128::from(total) {
        total if total == without + reasoning => Convention::Additive,
        // What is larger than the output is not inside it, whatever the total says.
        total if total == without && reasoning <= sum(&[usage.output]) => Convention::Inside,
        _ => Convention::CannotTell,
    }
}

/// Why there is no derived cost. Displays as the sentence that stands where the figure would.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unknown {
    /// Nothing names a model.
    NoModel,
    /// The table does not list the model.
    NotInTable {
        /// The model as asked for.
        model: String,
        /// The nearest one that it does list.
        nearest: Option<String>,
    },
    /// The table lists the model, without any price.
    NoPrices {
        /// The model as asked for.
        model: String,
    },
    /// A class with tokens has no price, and nothing may stand in for it.
    NoPrice {
        /// The class.
        class: Class,
        /// There is something where the price should be, but it is negative or no number.
        unreadable: bool,
    },
    /// No step reports tokens.
    NoTokens,
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unknown::NoModel => f.write_str("the stream names no model"),
            Unknown::NotInTable { model, nearest: None } => write!(f, "the price table has no model {model}"),
            Unknown::NotInTable { model, nearest: Some(nearest) } => {
                write!(f, "the price table has no model {model}; did you mean {nearest}?")
            }
            Unknown::NoPrices { model } => write!(f, "the price table lists {model} without a price"),
            Unknown::NoPrice { class, unreadable: false } => write!(f, "the price table has no price for {class}"),
            Unknown::NoPrice { class, unreadable: true } => {
                write!(f, "the price table's price for {class} is negative or no number")
            }
            Unknown::NoTokens => f.write_str("no step reports tokens"),
        }
    }
}

/// What the list cost takes for granted, as neither the log nor the table says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Assumption {
    /// The table has no price for cached reads: they cost what input does.
    ReadsAtInputPrice,
    /// The table has no price for cache writes: they cost what input does.
    WritesAtInputPrice,
    /// No `total` says whether output holds the reasoning: it is billed beside it.
    ReasoningBeside,
    /// The tier has no price for cached reads or cache writes: their price below it holds.
    TierKeepsCachePrice,
}

impl Assumption {
    /// All of them.
    const ALL: [Assumption; 4] = [
        Assumption::ReadsAtInputPrice,
        Assumption::WritesAtInputPrice,
        Assumption::ReasoningBeside,
        Assumption::TierKeepsCachePrice,
    ];
}

impl fmt::Display for Assumption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Assumption::ReadsAtInputPrice => "cached reads at the input price, as the table has none for them",
            Assumption::WritesAtInputPrice => "cache writes at the input price, as the table has none for them",
            Assumption::ReasoningBeside => "reasoning billed beside the output, as no total says that it is inside",
            Assumption::TierKeepsCachePrice => {
                "cache prices from below the long-context tier, as it has none of its own"
            }
        })
    }
}

/// A list cost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListCost {
    /// The cost.
    pub usd: PicoUsd,
    /// What it takes for granted.
    pub assumptions: Vec<Assumption>,
}

/// Comparable cost of one step: (input + cache writes) · input price + cached reads · (their price, else the input
/// price) + (output + reasoning) · output price. A class that the step does not report adds nothing.
///
/// # Errors
/// A class with tokens whose price is unknown.
pub fn comparable(usage: &Usage, prices: &Prices) -> Result<PicoUsd, Unknown> {
    Bill::of(usage, prices).cost(Rule::COMPARABLE)
}

/// List cost of one step: each class at its own price, in the tier of the step's prompt, reasoning once. A class that
/// the step does not report adds nothing.
///
/// # Errors
/// A class with tokens whose price is unknown.
pub fn list(usage: &Usage, prices: &Prices) -> Result<ListCost, Unknown> {
    let bill = Bill::of(usage, prices);
    Ok(ListCost { usd: bill.cost(Rule::LIST)?, assumptions: bill.assumptions() })
}

/// The prices for a model, or why there are none. Prices typed by hand hold for any model, and where none is known.
///
/// # Errors
/// No model; one that the table does not list, with the nearest that it does; one without any price.
pub fn look_up(table: &PriceTable, model: Option<&str>) -> Result<Found, Unknown> {
    let Some(model) = model else { return table.for_any_model().ok_or(Unknown::NoModel) };
    match table.find(model) {
        None => Err(Unknown::NotInTable { model: model.to_owned(), nearest: table.nearest(model) }),
        Some(found) if found.prices.is_empty() => Err(Unknown::NoPrices { model: model.to_owned() }),
        Some(found) => Ok(found),
    }
}
