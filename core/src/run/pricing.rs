//! What steps cost: the model of each, its prices, and the sums in their states.

use super::Run;
use super::store::{NONE, StepColumn};
use crate::cost::{Account, Compared, Unknown, comparable, list, look_up};
use crate::money::PicoUsd;
use crate::order::Order;
use crate::price::{Found, PriceTable};
use crate::summary::{ComparedSummary, CostSummary, ReconciliationSummary};
use std::collections::BTreeSet;
use std::collections::HashMap;
use std::sync::Arc;

/// Prices by model, each looked up once.
#[derive(Default)]
pub(super) struct Lookups<'r> {
    of_model: HashMap<Option<&'r str>, Result<Found, Unknown>>,
}

impl<'r> Lookups<'r> {
    fn get(&mut self, table: &PriceTable, model: Option<&'r str>) -> Result<&Found, Unknown> {
        self.of_model.entry(model).or_insert_with(|| look_up(table, model)).as_ref().map_err(Clone::clone)
    }
}

impl Run {
    /// Prices every step as this model, whatever the log names; `None` goes back to what the log names.
    pub fn set_model(&mut self, model: Option<String>) {
        self.model = model.filter(|model| !model.trim().is_empty());
    }

    /// Replaces the price table; `None` goes back to the built-in one.
    pub fn set_prices(&mut self, prices: Option<Arc<PriceTable>>) {
        self.prices = prices;
    }

    pub(super) fn price_table(&self) -> &PriceTable {
        self.prices.as_deref().unwrap_or_else(|| PriceTable::built_in())
    }

    /// The model that a step is priced as: the user's choice, its own, its message's, one that a log line named, or for
    /// a subagent the one that its parent's call names.
    pub(super) fn model_of_step(&self, step: &StepColumn) -> Option<&str> {
        if let Some(model) = &self.model {
            return Some(model);
        }
        let message = step.message.and_then(|key| self.messages.get(&key)).map_or(NONE, |message| message.model);
        let session = self.sessions.get(step.session).map_or(NONE, |session| session.id);
        let child = self.child_models.get(&session).copied().unwrap_or(NONE);
        [step.model, message, step.log_model, child].into_iter().find_map(|model| self.strings.get(model))
    }

    /// The cost of some steps, and what may be said of it.
    pub(super) fn cost_of<'r>(&'r self, steps: impl Iterator<Item = &'r StepColumn>) -> CostSummary {
        let table = self.price_table();
        let mut lookups = Lookups::default();
        let mut account = Account::default();
        let mut models = BTreeSet::new();
        // In the order of their times, so that what is said of the first does not depend on the order of files.
        let mut steps: Vec<&StepColumn> = steps.collect();
        steps.order_by_key(|step| (self.time_of_step(step), step.number));
        for step in steps {
            let model = self.model_of_step(step);
            models.extend(model);
            let found = lookups.get(table, model);
            account.add(step.cost, step.usage.as_ref(), found.map(|found| &found.prices));
        }
        let (derived, list) = (account.comparable(), account.list());
        let known = derived.is_ok() || list.is_ok();
        let mut names = models.into_iter();
        let model = match (names.next(), names.count()) {
            (Some(model), 0) => Some(model.to_owned()),
            (Some(_), others) => Some(format!("{} models", others + 1)),
            (None, _) => self.model.clone(),
        };
        // A step without tokens is no reason to name as long as nothing names the model either.
        let why = derived.as_ref().err().map(|unknown| match (unknown, &model) {
            (Unknown::NoTokens, None) => Unknown::NoModel.to_string(),
            _ => unknown.to_string(),
        });
        CostSummary {
            reported_usd: account.reported().map(PicoUsd::to_usd),
            comparable_usd: derived.ok().map(PicoUsd::to_usd),
            list_usd: list.ok().map(|list| list.usd.to_usd()),
            partial: account.reported_is_partial(),
            derived_partial: known && account.derived_is_partial(),
            model,
            price_source: known.then(|| table.describe()),
            unknown_because: why,
            reconciliation: reconciliation(&account),
        }
    }

    /// Comparable and list cost of one step.
    pub(super) fn derived_of<'r>(
        &'r self,
        step: &'r StepColumn,
        lookups: &mut Lookups<'r>,
    ) -> (Option<f64>, Option<f64>) {
        let Some(usage) = &step.usage else { return (None, None) };
        let Ok(found) = lookups.get(self.price_table(), self.model_of_step(step)) else { return (None, None) };
        let comparable = comparable(usage, &found.prices).ok().map(PicoUsd::to_usd);
        (comparable, list(usage, &found.prices).ok().map(|list| list.usd.to_usd()))
    }
}

fn reconciliation(account: &Account) -> Option<ReconciliationSummary> {
    let reconciled = account.reconcile()?;
    let (steps, of_steps) = account.compared_steps();
    let side = |compared: &Result<Compared, Unknown>| {
        let compared = compared.as_ref().ok()?;
        let sign = if compared.difference.negative { -1.0 } else { 1.0 };
        Some(ComparedSummary {
            difference_usd: sign * compared.difference.usd.to_usd(),
            difference_percent: compared.difference.basis_points.map(|points| sign * points as f64 / 100.0),
            verdict: compared.gap.to_string(),
        })
    };
    Some(ReconciliationSummary {
        comparable: side(&reconciled.comparable),
        list: side(&reconciled.list),
        assumptions: reconciled.assumptions.iter().map(ToString::to_string).collect(),
        steps,
        of_steps,
    })
}
