//! Figures of both sides and what lies between them.

use super::Facts;
use super::document::{CostDelta, CountDelta, ToolDelta};
use crate::money::PicoUsd;
use crate::order::Order;
use crate::summary::{CostSummary, ToolSummary, TotalSummary};
use crate::usage::Tokens;
use std::collections::BTreeMap;

type Pick<T> = fn(&T) -> Option<u64>;

const COUNTS: [(&str, Pick<TotalSummary>); 8] = [
    ("steps", |total| Some(total.steps)),
    ("retries", |total| Some(total.retries)),
    ("calls", |total| Some(total.calls)),
    ("calls.failed", |total| Some(total.failed_calls)),
    ("calls.rejected", |total| Some(total.rejected_calls)),
    ("calls.greenButFailed", |total| Some(total.green_but_failed)),
    ("durationMs", |total| total.duration_ms),
    ("workingMs", |total| total.working_ms),
];

const TOKENS: [(&str, Pick<Tokens>); 7] = [
    ("tokens.total", |tokens| tokens.total),
    ("tokens.input", |tokens| tokens.input),
    ("tokens.cachedInput", |tokens| tokens.cached_input),
    ("tokens.uncachedInput", |tokens| tokens.uncached_input),
    ("tokens.cacheCreation", |tokens| tokens.cache_creation),
    ("tokens.output", |tokens| tokens.output),
    ("tokens.reasoning", |tokens| tokens.reasoning),
];

type PickCost = (&'static str, fn(&CostSummary) -> Option<f64>, fn(&CostSummary) -> bool);

const COSTS: [PickCost; 3] = [
    ("cost.reported", |cost| cost.reported_usd, |cost| cost.partial),
    ("cost.comparable", |cost| cost.comparable_usd, |cost| cost.derived_partial),
    ("cost.list", |cost| cost.list_usd, |cost| cost.derived_partial),
];

/// B less A; what does not fit stops at the ends.
fn less(a: u64, b: u64) -> i64 {
    let distance = i64::try_from(a.abs_diff(b)).unwrap_or(i64::MAX);
    if b >= a { distance } else { -distance }
}

pub(super) fn counts(a: &Facts, b: &Facts) -> Vec<CountDelta> {
    let delta = |figure: &str, a: Option<u64>, b: Option<u64>, partial: bool| CountDelta {
        figure: figure.to_owned(),
        a,
        b,
        delta: a.zip(b).map(|(a, b)| less(a, b)),
        partial,
    };
    let (a, b) = (&a.side.total, &b.side.total);
    let partial = a.tokens.partial || b.tokens.partial;
    let tokens = TOKENS.map(|(figure, pick)| delta(figure, pick(&a.tokens), pick(&b.tokens), partial));
    COUNTS.map(|(figure, pick)| delta(figure, pick(a), pick(b), false)).into_iter().chain(tokens).collect()
}

pub(super) fn costs(a: &Facts, b: &Facts) -> Vec<CostDelta> {
    let (a, b) = (&a.side.total.cost, &b.side.total.cost);
    let delta = |(figure, pick, is_partial): PickCost| {
        let (a_usd, b_usd) = (pick(a), pick(b));
        CostDelta {
            figure: figure.to_owned(),
            a_usd,
            b_usd,
            delta_usd: a_usd.zip(b_usd).and_then(|(a, b)| less_usd(a, b)),
            partial: is_partial(a) || is_partial(b),
        }
    };
    COSTS.into_iter().map(delta).collect()
}

/// The difference of the exact amounts that two figures stand for.
fn less_usd(a: f64, b: f64) -> Option<f64> {
    let exact = |usd: f64| PicoUsd::parse(&usd.to_string());
    let (a, b) = (exact(a)?.0, exact(b)?.0);
    let distance = PicoUsd(a.abs_diff(b)).to_usd();
    Some(if b >= a { distance } else { -distance })
}

pub(super) fn tools(a: &Facts, b: &Facts) -> Vec<ToolDelta> {
    let mut of_name: BTreeMap<&str, (Option<&ToolSummary>, Option<&ToolSummary>)> = BTreeMap::new();
    for tool in &a.tools {
        of_name.entry(&tool.name).or_default().0 = Some(tool);
    }
    for tool in &b.tools {
        of_name.entry(&tool.name).or_default().1 = Some(tool);
    }
    let row = |(name, (a, b)): (&str, (Option<&ToolSummary>, Option<&ToolSummary>))| {
        let delta = |pick: fn(&ToolSummary) -> u64| less(a.map_or(0, pick), b.map_or(0, pick));
        // A tool that was not called took no time; one whose calls have no times took an unknown one.
        let time = |tool: Option<&ToolSummary>| tool.map_or(Some(0), |tool| tool.total_ms);
        ToolDelta {
            name: name.to_owned(),
            calls: delta(|tool| tool.calls),
            failed: delta(|tool| tool.failed),
            rejected: delta(|tool| tool.rejected),
            total_ms: time(a).zip(time(b)).map(|(a, b)| less(a, b)),
            a: a.cloned(),
            b: b.cloned(),
        }
    };
    let mut rows: Vec<ToolDelta> = of_name.into_iter().map(row).collect();
    let most = |row: &ToolDelta| [&row.a, &row.b].into_iter().flatten().map(|tool| tool.calls).max().unwrap_or(0);
    rows.order_by(|a, b| most(b).cmp(&most(a)).then_with(|| a.name.cmp(&b.name)));
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_exact_and_stop_at_the_ends() {
        assert_eq!((less(3, 10), less(10, 3), less(5, 5)), (7, -7, 0));
        assert_eq!((less(0, u64::MAX), less(u64::MAX, 0)), (i64::MAX, -i64::MAX));
        assert_eq!(less_usd(0.1, 0.3), Some(0.2));
        assert_eq!(less_usd(0.3, 0.1), Some(-0.2));
    }
}
