//! Reported cost against derived cost, and what the harness may have done otherwise.
//!
//! Where the two differ by more than 1 %, rules of billing near the one in question are tried. A harness computes its
//! cost of the same counts, so the right rule is met almost exactly: within 0.1 % counts as met. Tried are, in this
//! order, one choice changed, the list rule as a whole, two choices changed. Where none is met, one change that comes
//! within 1 % and takes away three quarters of the gap is named all the same: costs may have been rounded for show.

use super::bill::{Bill, Reads, Reasoning, Rule, Tiers, Writes};
use super::{Assumption, Unknown};
use crate::money::PicoUsd;
use crate::price::Prices;
use crate::usage::Usage;
use std::fmt;

/// One thing that a harness may have billed otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// Cached reads not billed.
    ReadsUnbilled,
    /// Cached reads billed as input.
    ReadsAtInputPrice,
    /// Cache writes at their own price.
    WritesAtOwnPrice,
    /// Cache writes billed as input.
    WritesAtInputPrice,
    /// Cache writes at twice the input price.
    WritesOneHour,
    /// Cache writes not billed.
    WritesUnbilled,
    /// Reasoning billed twice.
    ReasoningTwice,
    /// Reasoning not billed beside the output.
    ReasoningUnbilled,
    /// Reasoning billed once, by what `total` says, at its own price.
    ReasoningByTotal,
    /// Reasoning billed beside the output, at the output price.
    ReasoningAsWritten,
    /// The tier of each step's prompt.
    TierApplied,
    /// No tiers.
    TierIgnored,
}

impl Change {
    /// In the order in which equals are named: the usual faults first.
    const ALL: [Change; 12] = [
        Change::ReadsUnbilled,
        Change::WritesAtOwnPrice,
        Change::WritesAtInputPrice,
        Change::ReasoningTwice,
        Change::ReasoningUnbilled,
        Change::ReasoningByTotal,
        Change::TierApplied,
        Change::TierIgnored,
        Change::WritesOneHour,
        Change::WritesUnbilled,
        Change::ReadsAtInputPrice,
        Change::ReasoningAsWritten,
    ];

    fn apply(self, rule: Rule) -> Rule {
        match self {
            Change::ReadsUnbilled => Rule { reads: Reads::Unbilled, ..rule },
            Change::ReadsAtInputPrice => Rule { reads: Reads::Input, ..rule },
            Change::WritesAtOwnPrice => Rule { writes: Writes::Own, ..rule },
            Change::WritesAtInputPrice => Rule { writes: Writes::Input, ..rule },
            Change::WritesOneHour => Rule { writes: Writes::OneHour, ..rule },
            Change::WritesUnbilled => Rule { writes: Writes::Unbilled, ..rule },
            Change::ReasoningTwice => Rule { reasoning: Reasoning::Twice, ..rule },
            Change::ReasoningUnbilled => Rule { reasoning: Reasoning::Unbilled, ..rule },
            Change::ReasoningByTotal => Rule { reasoning: Reasoning::ByTotal, ..rule },
            Change::ReasoningAsWritten => Rule { reasoning: Reasoning::AsWritten, ..rule },
            Change::TierApplied => Rule { tiers: Tiers::Applied, ..rule },
            Change::TierIgnored => Rule { tiers: Tiers::Ignored, ..rule },
        }
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Change::ReadsUnbilled => "cached reads not billed",
            Change::ReadsAtInputPrice => "cached reads billed at the full input price",
            Change::WritesAtOwnPrice => "cache writes billed at their own price",
            Change::WritesAtInputPrice => "cache writes billed as plain input",
            Change::WritesOneHour => "cache writes billed at the one-hour price, 2 × input",
            Change::WritesUnbilled => "cache writes not billed",
            Change::ReasoningTwice => "reasoning billed twice",
            Change::ReasoningUnbilled => "reasoning not billed, or inside the output already",
            Change::ReasoningByTotal => "reasoning billed once, at its own price",
            Change::ReasoningAsWritten => "reasoning billed beside the output, at the output price",
            Change::TierApplied => "the long-context tier applied",
            Change::TierIgnored => "the long-context tier not applied",
        })
    }
}

/// A signed amount: derived less reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Difference {
    /// The derived cost is the smaller one.
    pub negative: bool,
    /// By how much they differ.
    pub usd: PicoUsd,
    /// The same in hundredths of a percent of the reported cost, rounded, without sign; none where that is zero.
    pub basis_points: Option<u128>,
}

impl Difference {
    fn of(derived: PicoUsd, reported: PicoUsd) -> Difference {
        let usd = derived.0.abs_diff(reported.0);
        let basis_points = match reported.0 {
            0 if usd == 0 => Some(0),
            0 => None,
            reported => Some((usd.saturating_mul(10_000)).saturating_add(reported / 2) / reported),
        };
        Difference { negative: derived < reported, usd: PicoUsd(usd), basis_points }
    }
}

/// `+$0.0015 (+3.43 %)`
impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = match self.usd.0 {
            0 => "",
            _ if self.negative => "-",
            _ => "+",
        };
        write!(f, "{sign}{}", self.usd)?;
        match self.basis_points {
            Some(points) => write!(f, " ({sign}{}.{:02} %)", points / 100, points % 100),
            None => Ok(()),
        }
    }
}

/// What is to be said of a difference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Gap {
    /// They agree within 1 %.
    Agrees,
    /// The harness reports zero, and there are tokens that cost something.
    ReportedZero,
    /// They would agree if the harness billed so: mostly one change, or two.
    Closed(Vec<Change>),
    /// Nothing tried here makes them agree.
    Open,
}

impl fmt::Display for Gap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Gap::Agrees => f.write_str("agrees within 1 %"),
            Gap::ReportedZero => f.write_str("zero with tokens: free, subscription or unpriced"),
            Gap::Closed(changes) => {
                for (place, change) in changes.iter().enumerate() {
                    write!(f, "{}{change}", if place > 0 { ", and " } else { "" })?;
                }
                f.write_str(" would close the gap")
            }
            Gap::Open => f.write_str("no known difference in billing closes the gap: other prices, perhaps"),
        }
    }
}

/// A derived cost beside the reported one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compared {
    /// The derived cost.
    pub usd: PicoUsd,
    /// Derived less reported.
    pub difference: Difference,
    /// What is to be said of it.
    pub gap: Gap,
}

/// Reported cost against comparable and list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reconciliation {
    /// What the harness reports.
    pub reported: PicoUsd,
    /// By the plain rule.
    pub comparable: Result<Compared, Unknown>,
    /// By the finer rule.
    pub list: Result<Compared, Unknown>,
    /// What the list cost takes for granted.
    pub assumptions: Vec<Assumption>,
}

/// Sets the reported cost of one step against its derived costs. Sums of steps: [`super::Account::reconcile`].
pub fn reconcile(reported: PicoUsd, usage: &Usage, prices: &Prices) -> Reconciliation {
    reconcile_bill(reported, &Bill::of(usage, prices))
}

pub(super) fn reconcile_bill(reported: PicoUsd, bill: &Bill) -> Reconciliation {
    Reconciliation {
        reported,
        comparable: compare(reported, bill, Rule::COMPARABLE),
        list: compare(reported, bill, Rule::LIST),
        assumptions: bill.assumptions(),
    }
}

fn compare(reported: PicoUsd, bill: &Bill, rule: Rule) -> Result<Compared, Unknown> {
    let usd = bill.cost(rule)?;
    let gap = match () {
        () if within(usd, reported, AGREED) => Gap::Agrees,
        () if reported.0 == 0 => Gap::ReportedZero,
        () => closing(reported, usd, bill, rule).map_or(Gap::Open, Gap::Closed),
    };
    Ok(Compared { usd, difference: Difference::of(usd, reported), gap })
}

/// Whether they differ by at most one part in `parts` of the reported cost.
fn within(usd: PicoUsd, reported: PicoUsd, parts: u128) -> bool {
    usd.0.abs_diff(reported.0).saturating_mul(parts) <= reported.0
}

/// Parts of the reported cost within which a rule is met, and within which figures agree.
const MET: u128 = 1000;
const AGREED: u128 = 100;

/// What turns the comparable rule into the list rule.
const TO_LIST: [Change; 3] = [Change::WritesAtOwnPrice, Change::ReasoningByTotal, Change::TierApplied];

/// The changes to `rule`, whose cost is `usd`, that close the gap.
fn closing(reported: PicoUsd, usd: PicoUsd, bill: &Bill, rule: Rule) -> Option<Vec<Change>> {
    let left = |cost: PicoUsd| cost.0.abs_diff(reported.0);
    // A change that changes nothing explains nothing, in a pair neither.
    let singles: Vec<(Change, PicoUsd)> = Change::ALL
        .into_iter()
        .filter_map(|change| Some((change, bill.cost(change.apply(rule)).ok()?)))
        .filter(|(_, cost)| *cost != usd)
        .collect();
    let (nearest, cost) = *singles.iter().min_by_key(|(_, cost)| left(*cost))?;
    if within(cost, reported, MET) {
        return Some(vec![nearest]);
    }
    if rule == Rule::COMPARABLE && bill.cost(Rule::LIST).is_ok_and(|cost| within(cost, reported, MET)) {
        return Some(to_list(bill));
    }
    if let Some(pair) = closing_pair(reported, &singles, bill, rule) {
        return Some(pair);
    }
    (within(cost, reported, AGREED) && left(cost).saturating_mul(4) <= left(usd)).then(|| vec![nearest])
}

/// Those that it takes: without one of them the cost would be another.
fn to_list(bill: &Bill) -> Vec<Change> {
    let listed = bill.cost(Rule::LIST);
    let takes = |change: &Change| {
        let others = TO_LIST.into_iter().filter(|other| other != change);
        bill.cost(others.fold(Rule::COMPARABLE, |rule, other| other.apply(rule))) != listed
    };
    TO_LIST.into_iter().filter(takes).collect()
}

fn closing_pair(reported: PicoUsd, singles: &[(Change, PicoUsd)], bill: &Bill, rule: Rule) -> Option<Vec<Change>> {
    let pairs = singles.iter().enumerate().flat_map(|(place, (a, _))| {
        let others = singles.iter().skip(place + 1);
        others.map(move |(b, _)| (*a, *b))
    });
    pairs
        // Two answers to the same question are no pair: the order in which they are given would matter.
        .filter(|(a, b)| a.apply(b.apply(rule)) == b.apply(a.apply(rule)))
        .filter_map(|(a, b)| Some((a, b, bill.cost(b.apply(a.apply(rule))).ok()?)))
        .filter(|(_, _, cost)| within(*cost, reported, MET))
        .min_by_key(|(_, _, cost)| cost.0.abs_diff(reported.0))
        .map(|(a, b, _)| vec![a, b])
}
