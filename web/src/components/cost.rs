//! Cost: reported by the harness, derived by two rules, or unknown. Never a zero for unknown.

use steplens_core::summary::{CostSummary, Summary};
use yew::{Html, Properties, component, html};

use super::figure::figure;
use super::popover::Popover;
use crate::state::shared::Shared;
use crate::text::number::{UNKNOWN, money};

/// What the cell shows.
#[derive(Debug, PartialEq, Properties)]
pub struct CostCellProps {
    /// The summary.
    pub summary: Shared<Summary>,
}

/// The three costs.
pub struct Cost {
    /// Its name in figures.
    pub figure: &'static str,
    /// Its word.
    pub word: &'static str,
    /// What it is.
    pub what: &'static str,
    /// Its value.
    pub of: fn(&CostSummary) -> Option<f64>,
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
        why_not: "No step of this log reports a cost",
    },
    Cost {
        figure: "cost.comparable",
        word: "comparable",
        what: "Derived from the tokens at list prices by one simple rule, so that runs can be compared",
        of: |cost| cost.comparable_usd,
        why_not: "It needs the model and its prices",
    },
    Cost {
        figure: "cost.list",
        word: "list",
        what: "Derived by the finer rule: cache writes and price tiers at their own prices",
        of: |cost| cost.list_usd,
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

/// The cost in the band.
#[component]
pub fn CostCell(props: &CostCellProps) -> Html {
    let cost = &props.summary.total.cost;
    let [reported, comparable, list] = &COSTS;
    let derived = [comparable, list].map(|kind| {
        html! {
            <span title={kind.what}>
                { kind.word }{ " " }
                { figure(kind.figure, (kind.of)(cost), money) }
            </span>
        }
    });
    let why = [comparable, list].into_iter().find(|kind| (kind.of)(cost).is_none());
    let details = COSTS.iter().map(|kind| {
        let value = (kind.of)(cost);
        html! {
            <>
                <dt>{ kind.word }</dt>
                <dd>
                    <strong>{ value.map_or(UNKNOWN.to_owned(), money) }</strong>
                    <p class="muted">{ kind.what }</p>
                    if value.is_none() {
                        <p>{ "Unknown: " }{ kind.reason(cost) }</p>
                    }
                </dd>
            </>
        }
    });
    let face = html! { <span>{ why.map_or("how it is made", |_| "why unknown") }</span> };
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
                <small title={reported.what}>
                    { if cost.partial { "reported, not by every step" } else { "reported" } }
                </small>
            </p>
            <p class="legend">
                { for derived }
                <Popover {face} label="Cost" class="link">
                    <h2>{ "Three costs" }</h2>
                    <dl class="costs">{ for details }</dl>
                    if let Some(source) = &cost.price_source {
                        <p class="muted">{ "Prices: " }{ source.clone() }</p>
                    }
                </Popover>
            </p>
        </div>
    }
}
