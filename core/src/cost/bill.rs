//! The bill of one step or many, itemised so that any rule of billing can be read off it.
//!
//! A rule is four choices: what cache writes, cached reads and reasoning cost, and whether tiers hold. An item depends
//! on its own choice and on the tier alone, so each is summed under each of its choices once, and the cost under any of
//! the 96 rules is a sum of four items. Comparable, list, and every guess at what a harness did instead are rules.

use super::{Assumption, Class, Convention, Unknown, convention};
use crate::money::PicoUsd;
use crate::price::{Prices, Rate, Rates};
use crate::usage::Usage;

/// What cache writes cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Writes {
    /// Their own price, else the input price.
    Own,
    /// The input price.
    Input,
    /// Twice the input price: what a cache that lasts an hour costs.
    OneHour,
    /// Nothing.
    Unbilled,
}

/// What cached reads cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reads {
    /// Their own price, else the input price.
    Own,
    /// The input price.
    Input,
    /// Nothing.
    Unbilled,
}

/// What reasoning costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reasoning {
    /// Once, by what `total` says of it; its own price, else the output price.
    ByTotal,
    /// As if it stood beside the output, at the output price.
    AsWritten,
    /// Twice, at the output price.
    Twice,
    /// Nothing.
    Unbilled,
}

/// Whether prices depend on the size of the prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tiers {
    /// The tier of each step's prompt.
    Applied,
    /// The base prices for all.
    Ignored,
}

/// A rule of billing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Rule {
    pub(super) writes: Writes,
    pub(super) reads: Reads,
    pub(super) reasoning: Reasoning,
    pub(super) tiers: Tiers,
}

impl Rule {
    pub(super) const COMPARABLE: Rule =
        Rule { writes: Writes::Input, reads: Reads::Own, reasoning: Reasoning::AsWritten, tiers: Tiers::Ignored };
    pub(super) const LIST: Rule =
        Rule { writes: Writes::Own, reads: Reads::Own, reasoning: Reasoning::ByTotal, tiers: Tiers::Applied };
}

/// A class with tokens that has no price, or an unreadable one.
#[derive(Debug, Clone, Copy)]
struct Lack {
    class: Class,
    unreadable: bool,
}

/// An item's cost in pico-dollars; or what it lacks, from the first step that lacks something.
type Item = Result<u128, Lack>;

/// Items under each choice, at one set of rates a step.
#[derive(Debug, Clone)]
struct Items {
    input: Item,
    writes_own: Item,
    writes_input: Item,
    reads_own: Item,
    reads_input: Item,
    by_total: Item,
    as_written: Item,
    twice: Item,
    no_reasoning: Item,
}

/// The bill of one step or many.
#[derive(Debug, Clone, Default)]
pub(super) struct Bill {
    applied: Items,
    ignored: Items,
    /// One for each of [`Assumption::ALL`].
    assumed: [bool; 4],
}

impl Bill {
    /// The bill of one step.
    pub(super) fn of(usage: &Usage, prices: &Prices) -> Bill {
        let [read, write] = [usage.cache_read, usage.cache_write].map(|count| count.unwrap_or(0));
        let convention = convention(usage);
        let prompt = u128::from(usage.input.unwrap_or(0)) + u128::from(read) + u128::from(write);
        let rates = prices.rates(prompt);
        let absent = |rate: Rate| rate == Rate::Absent;
        let tier_lacks = |tokens: u64, pick: fn(&Rates) -> Rate| {
            let tier = prices.tier(prompt);
            tokens > 0 && tier.is_some_and(|tier| absent(pick(&tier.rates)) && !absent(pick(&prices.base)))
        };
        let assumed = Assumption::ALL.map(|assumption| match assumption {
            Assumption::ReadsAtInputPrice => read > 0 && absent(rates.cache_read),
            Assumption::WritesAtInputPrice => write > 0 && absent(rates.cache_write),
            Assumption::ReasoningBeside => {
                usage.reasoning.is_some_and(|count| count > 0) && convention == Convention::CannotTell
            }
            Assumption::TierKeepsCachePrice => {
                tier_lacks(read, |rates| rates.cache_read) || tier_lacks(write, |rates| rates.cache_write)
            }
        });
        Bill {
            applied: Items::of(usage, convention, &rates),
            ignored: Items::of(usage, convention, &prices.base),
            assumed,
        }
    }

    /// Adds another bill, of other prices or the same.
    pub(super) fn add(&mut self, other: &Bill) {
        self.applied.add(&other.applied);
        self.ignored.add(&other.ignored);
        for (mine, other) in self.assumed.iter_mut().zip(other.assumed) {
            *mine |= other;
        }
    }

    /// The cost under a rule.
    pub(super) fn cost(&self, rule: Rule) -> Result<PicoUsd, Unknown> {
        let items = match rule.tiers {
            Tiers::Applied => &self.applied,
            Tiers::Ignored => &self.ignored,
        };
        let output = match rule.reasoning {
            Reasoning::ByTotal => &items.by_total,
            Reasoning::AsWritten => &items.as_written,
            Reasoning::Twice => &items.twice,
            Reasoning::Unbilled => &items.no_reasoning,
        };
        let mut sum = plus(&items.input, output);
        sum = match rule.writes {
            Writes::Own => plus(&sum, &items.writes_own),
            Writes::Input => plus(&sum, &items.writes_input),
            Writes::OneHour => plus(&plus(&sum, &items.writes_input), &items.writes_input),
            Writes::Unbilled => sum,
        };
        sum = match rule.reads {
            Reads::Own => plus(&sum, &items.reads_own),
            Reads::Input => plus(&sum, &items.reads_input),
            Reads::Unbilled => sum,
        };
        sum.map(PicoUsd).map_err(|Lack { class, unreadable }| Unknown::NoPrice { class, unreadable })
    }

    /// What the list cost takes for granted.
    pub(super) fn assumptions(&self) -> Vec<Assumption> {
        let all = Assumption::ALL.into_iter().zip(self.assumed);
        all.filter_map(|(assumption, assumed)| assumed.then_some(assumption)).collect()
    }
}

impl Items {
    fn of(usage: &Usage, convention: Convention, rates: &Rates) -> Items {
        let [input, output, reasoning, read, write] =
            [usage.input, usage.output, usage.reasoning, usage.cache_read, usage.cache_write]
                .map(|count| u128::from(count.unwrap_or(0)));
        // The output without its reasoning.
        let answer = if convention == Convention::Inside { output - reasoning } else { output };
        let at_output = |count| times(count, rates.output, Class::Reasoning);
        let answered = times(answer, rates.output, Class::Output);
        let once = at_output(reasoning);
        Items {
            input: times(input, rates.input, Class::Input),
            writes_own: times(write, rates.cache_write.or(rates.input), Class::CacheWrite),
            writes_input: times(write, rates.input, Class::CacheWrite),
            reads_own: times(read, rates.cache_read.or(rates.input), Class::CacheRead),
            reads_input: times(read, rates.input, Class::CacheRead),
            by_total: plus(&answered, &times(reasoning, rates.reasoning.or(rates.output), Class::Reasoning)),
            as_written: plus(&times(output, rates.output, Class::Output), &once),
            twice: plus(&plus(&answered, &once), &once),
            no_reasoning: answered,
        }
    }

    fn add(&mut self, other: &Items) {
        let items = [
            (&mut self.input, &other.input),
            (&mut self.writes_own, &other.writes_own),
            (&mut self.writes_input, &other.writes_input),
            (&mut self.reads_own, &other.reads_own),
            (&mut self.reads_input, &other.reads_input),
            (&mut self.by_total, &other.by_total),
            (&mut self.as_written, &other.as_written),
            (&mut self.twice, &other.twice),
            (&mut self.no_reasoning, &other.no_reasoning),
        ];
        for (mine, other) in items {
            *mine = plus(mine, other);
        }
    }
}

impl Default for Items {
    fn default() -> Items {
        Items::of(&Usage::default(), Convention::CannotTell, &Rates::default())
    }
}

/// Tokens at a rate. No tokens cost nothing, whatever the rate.
fn times(count: u128, rate: Rate, class: Class) -> Item {
    match rate {
        _ if count == 0 => Ok(0),
        // At most 2^64 · 2^64.
        Rate::Known(pico) => Ok(count.saturating_mul(u128::from(pico))),
        Rate::Absent | Rate::Unreadable => Err(Lack { class, unreadable: rate == Rate::Unreadable }),
    }
}

fn plus(a: &Item, b: &Item) -> Item {
    match (a, b) {
        (Ok(a), Ok(b)) => Ok(a.saturating_add(*b)),
        (Err(lack), _) | (_, Err(lack)) => Err(*lack),
    }
}
