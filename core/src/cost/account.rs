//! Costs summed over steps, each with its own model.

use super::bill::{Bill, Rule};
use super::reconcile::reconcile_bill;
use super::{ListCost, Reconciliation, Unknown};
use crate::money::PicoUsd;
use crate::price::Prices;
use crate::usage::Usage;

/// The costs of a session, or of all: add every distinct step once, then ask.
///
/// ```
/// use steplens_core::cost::{Account, look_up};
/// use steplens_core::money::PicoUsd;
/// use steplens_core::price::PriceTable;
/// use steplens_core::usage::Usage;
/// let table = PriceTable::manual("3", "15", "0.30", "3.75").unwrap();
/// let found = look_up(&table, None).unwrap();
/// let usage = Usage { input: Some(1000), output: Some(100), ..Usage::default() };
/// let mut account = Account::default();
/// account.add(PicoUsd::parse("0.0045"), Some(&usage), Ok(&found.prices));
/// assert_eq!(account.comparable().unwrap().to_string(), "$0.0045");
/// ```
#[derive(Debug, Clone, Default)]
pub struct Account {
    bill: Bill,
    /// Of the steps that report both tokens and cost: only these can be compared.
    compared: Bill,
    compared_reported: PicoUsd,
    compared_steps: u64,
    reported: Option<PicoUsd>,
    /// Why a step's cost cannot be derived, of the first such step.
    unknown: Option<Unknown>,
    steps: u64,
    steps_with_tokens: u64,
    steps_with_cost: u64,
    /// How many steps report each class.
    with_class: [u64; 5],
}

impl Account {
    /// Adds a step: its reported cost, its tokens, and the prices of its model, or why there are none.
    pub fn add(&mut self, reported: Option<PicoUsd>, usage: Option<&Usage>, prices: Result<&Prices, Unknown>) {
        self.steps += 1;
        if let Some(reported) = reported {
            self.steps_with_cost += 1;
            self.reported = Some(self.reported.unwrap_or_default().saturating_add(reported));
        }
        let Some(usage) = usage.filter(|usage| !usage.is_empty()) else { return };
        self.steps_with_tokens += 1;
        let classes = [usage.input, usage.output, usage.reasoning, usage.cache_read, usage.cache_write];
        for (count, class) in self.with_class.iter_mut().zip(classes) {
            *count += u64::from(class.is_some());
        }
        let bill = match prices {
            Ok(prices) => Bill::of(usage, prices),
            // No tokens cost nothing at any price: a step that was cut short spoils no sum.
            Err(_) if classes.iter().all(|class| class.unwrap_or(0) == 0) => Bill::default(),
            Err(unknown) => {
                self.unknown.get_or_insert(unknown);
                return;
            }
        };
        self.bill.add(&bill);
        if let Some(reported) = reported {
            self.compared.add(&bill);
            self.compared_reported = self.compared_reported.saturating_add(reported);
            self.compared_steps += 1;
        }
    }

    /// The sum of what the steps report; none where none does.
    pub fn reported(&self) -> Option<PicoUsd> {
        self.reported
    }

    /// Whether some steps report no cost while others do.
    pub fn reported_is_partial(&self) -> bool {
        self.steps_with_cost > 0 && self.steps_with_cost < self.steps
    }

    /// Whether the derived costs lack something: a step without tokens, or a class that one step lacks and another has.
    pub fn derived_is_partial(&self) -> bool {
        let some = |&count: &u64| count > 0 && count < self.steps_with_tokens;
        self.steps_with_tokens < self.steps || self.with_class.iter().any(some)
    }

    /// The sum of the steps' comparable costs.
    ///
    /// # Errors
    /// No tokens at all, or a step with tokens whose cost cannot be derived: then the sum is unknown, not lower.
    pub fn comparable(&self) -> Result<PicoUsd, Unknown> {
        self.known()?.cost(Rule::COMPARABLE)
    }

    /// The sum of the steps' list costs.
    ///
    /// # Errors
    /// As for [`Account::comparable`].
    pub fn list(&self) -> Result<ListCost, Unknown> {
        let bill = self.known()?;
        Ok(ListCost { usd: bill.cost(Rule::LIST)?, assumptions: bill.assumptions() })
    }

    /// Reported against derived, over the steps that report tokens and cost and have prices; none where none does. How
    /// many these are: [`Account::compared_steps`].
    pub fn reconcile(&self) -> Option<Reconciliation> {
        (self.compared_steps > 0).then(|| reconcile_bill(self.compared_reported, &self.compared))
    }

    /// How many steps the reconciliation is over, and how many were added.
    pub fn compared_steps(&self) -> (u64, u64) {
        (self.compared_steps, self.steps)
    }

    fn known(&self) -> Result<&Bill, Unknown> {
        match &self.unknown {
            Some(unknown) => Err(unknown.clone()),
            None if self.steps_with_tokens == 0 => Err(Unknown::NoTokens),
            None => Ok(&self.bill),
        }
    }
}
