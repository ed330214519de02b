//! Cost: reported by the harness, derived by two rules, or unknown. Never a zero for unknown.

use steplens_core::summary::{ComparedSummary, CostSummary, Summary};
use yew::{Html, html};

use super::figure::figure;
use super::popover::Popover;
use crate::hooks::context::Act;
use crate::state::reducer::Action;
use crate::state::route::Tab;
use crate::text::number::{UNKNOWN, money};

/// One of the three costs.
pub struct Cost {
    /// Its name in figures.
    pub figure: &'static str,
    /// Its word.
    pub word: &'static str,
    /// What it is.
    pub what: &'static str,
    /// Its value.
    pub of: fn(&CostSummary) -> Option<f64>,
    /// How it compares with the reported one.
    pub compared: fn(&CostSummary) -> Option<&ComparedSummary>,
    /// Why there is none, where the log does not say why.
    pub why_not: &'static str,
}

/// The three costs, in the order in which they stand.
pub const COSTS: [Cost; 3] = [
    Cost {
        figure: "cost.reported",
        word: "reported",
        what: "The sum of what the harness wrote at each step",
        of: |cost| cost.reported_usd,
        compared: |_| None,
        why_not: "No step of this log reports a cost",
    },
    Cost {
        figure: "cost.comparable",
        word: "comparable",
        what: "Derived from the tokens at list prices by one simple rule, so that runs can be compared",
        of: |cost| cost.comparable_usd,
        compared: |cost| cost.reconciliation.as_ref()?.comparable.as_ref(),
        why_not: "It needs the model and its prices",
    },
    Cost {
        figure: "cost.list",
        word: "list",
        what: "Derived by the finer rule: cache writes and price tiers at their own prices",
        of: |cost| cost.list_usd,
        compared: |cost| cost.reconciliation.as_ref()?.list.as_ref(),
        why_not: "It needs the model and its prices",
    },
];

impl Cost {
    /// Why it is unknown.
    pub fn reason(&self, cost: &CostSummary) -> String {
        match &cost.unknown_because {
            Some(reason) if self.figure != "cost.reported" => reason.clone(),
            _ => self.why_not.to_owned(),
        }
    }
}

/// How a derived cost compares with the reported one, in a few words: `+1.0 %`. Nothing can be said
/// in per cent of a reported cost of zero.
pub fn difference(compared: &ComparedSummary) -> String {
    match compared.difference_percent {
        Some(percent) if percent.abs() < 0.05 => "as reported".to_owned(),
        Some(percent) => format!("{}{:.1} %", if percent < 0.0 { "−" } else { "+" }, percent.abs()),
        None => format!("{}{}", if compared.difference_usd < 0.0 { "" } else { "+" }, money(compared.difference_usd)),
    }
}

/// The cost in the band.
pub fn cost_cell(summary: &Summary, act: &Act) -> Html {
    let cost = &summary.total.cost;
    let [reported, derived @ ..] = &COSTS;
    let is_unknown = derived.iter().any(|kind| (kind.of)(cost).is_none());
    let costs = derived.iter().map(|kind| {
        let compared = (kind.compared)(cost);
        html! {
            <span title={kind.what}>
                { kind.word }{ " " }{ figure(kind.figure, (kind.of)(cost), money) }
                if let Some(compared) = compared.filter(|compared| compared.difference_percent.is_some()) {
                    <span class="muted" title={compared.verdict.clone()}>{ " " }{ difference(compared) }</span>
                }
            </span>
        }
    });
    let face = html! { <span>{ if is_unknown { "why unknown" } else { "how it is made" } }</span> };
    html! {
        <div class="cell cell-cost">
            <h2>
                { "Cost" }
                if let Some(model) = &cost.model {
                    <span class="muted">{ " " }{ model.clone() }</span>
                }
            </h2>
            <p class="big">
                { figure(reported.figure, cost.reported_usd, money) }
                <small title={reported.what}>{ "reported" }</small>
            </p>
            <p class="legend">
                if cost.partial {
                    <span class="ink-warn" title="Some steps report no cost: the sum is of those that do">{ "not by every step" }</span>
                }
                { for costs }
                <Popover {face} label="Cost" class="link">
                    <h2>{ "Three costs" }</h2>
                    <dl class="costs">{ for COSTS.iter().map(|kind| entry(kind, cost)) }</dl>
                    if is_unknown {
                        <p>
                            <button type="button" class="button small" data-leads="" onclick={act.on(|_| Action::Tab(Tab::Tokens))}>
                                { "Choose a model to price as" }
                            </button>
                        </p>
                    }
                    if let Some(source) = &cost.price_source {
                        <p class="muted">{ "Prices: " }{ source.clone() }</p>
                    }
                </Popover>
            </p>
        </div>
    }
}

fn entry(kind: &Cost, cost: &CostSummary) -> Html {
    let value = (kind.of)(cost);
    html! {
        <>
            <dt>{ kind.word }</dt>
            <dd>
                <strong>{ value.map_or(UNKNOWN.to_owned(), money) }</strong>
                <p class="muted">{ kind.what }</p>
                { notes(kind, cost) }
            </dd>
        </>
    }
}

/// Why a cost is unknown, or what has to be said about it.
pub fn notes(kind: &Cost, cost: &CostSummary) -> Html {
    let value = (kind.of)(cost);
    let is_partial = if kind.figure == "cost.reported" { cost.partial } else { cost.derived_partial };
    html! {
        <>
            if value.is_none() {
                <p>{ "Unknown: " }{ kind.reason(cost) }</p>
            } else if is_partial {
                <p class="ink-warn">{ "Some steps lack what it is made from: it is a lower bound" }</p>
            }
            if let Some(compared) = (kind.compared)(cost) {
                <p>{ difference(compared) }{ match compared.difference_percent {
                    Some(percent) if percent.abs() < 0.05 => ": ",
                    _ => " against the reported cost: ",
                } }{ compared.verdict.clone() }</p>
            }
            if kind.figure != "cost.reported" && value == Some(0.0) {
                <p>{ "The price table says $0 for this model at this provider, as for what is free or paid by subscription. To compare it with others, choose the model at a provider that has a price (Tokens & cost, Model)." }</p>
            }
        </>
    }
}
