//! The chart of the tokens tab: how the context grew step by step, and which steps cost the most.

use super::Run;
use super::list::tokens_of;
use super::store::{NONE, StepColumn};
use crate::order::Order;
use crate::usage::Tokens;
use crate::view::StepUsage;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// How many steps are ranked.
const RANKED: usize = 10;

/// Tokens by step, in bars.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Growth {
    /// Steps in all.
    pub steps: u64,
    /// How many steps a bar stands for; the last one may stand for fewer.
    pub per_bar: u64,
    /// The bars, in the order of the list of steps.
    pub bars: Vec<Bar>,
    /// The largest total of a step.
    pub max_tokens: u64,
    /// Steps that follow a compaction of the context.
    pub compactions: u64,
    /// The most expensive steps, the dearest first.
    pub dearest: Vec<StepUsage>,
    /// What they are ranked by.
    pub ranked_by: Ranking,
}

/// A bar: of several steps, the one with the most tokens.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Bar {
    /// Session of that step, by its place in the summary.
    pub session: u32,
    /// Its number, from 1.
    pub number: u64,
    /// Line of its first record, from 1.
    pub line: u64,
    /// Its tokens. Their `input` is the size of the context that it was asked with.
    pub tokens: Tokens,
    /// One of the steps that the bar stands for follows a compaction.
    pub compacted: bool,
}

/// What steps are ranked by.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ranking {
    /// The cost that the log reports.
    Reported,
    /// The derived cost by the finer rule: no step reports one above zero.
    List,
    /// Their tokens: no cost is known.
    #[default]
    Tokens,
}

impl Run {
    /// Tokens by step in at most so many bars, and the most expensive steps.
    pub fn growth(&self, bars: u64) -> Growth {
        let total = self.steps.len() as u64;
        let per_bar = total.div_ceil(bars.max(1)).max(1);
        let compacted = self.compacted_steps();
        let rank: Vec<u32> = self.session_places().0;
        let session = |place: u32| rank.iter().position(|p| *p == place).unwrap_or(0) as u32;
        let indexed: Vec<(u32, &StepColumn)> = (0u32..).zip(&self.steps).collect();
        let bar = |steps: &[(u32, &StepColumn)]| {
            // The first of those with the most.
            let (_, step) = steps.iter().rev().max_by_key(|(_, step)| tokens_of(step).total)?;
            Some(Bar {
                session: session(step.session),
                number: step.number.into(),
                line: self.place(step.record).line,
                tokens: tokens_of(step),
                compacted: steps.iter().any(|(index, _)| compacted.contains(index)),
            })
        };
        let (ranked_by, dearest) = self.dearest();
        Growth {
            steps: total,
            per_bar,
            bars: indexed.chunks(usize::try_from(per_bar).unwrap_or(usize::MAX)).filter_map(bar).collect(),
            max_tokens: self.steps.iter().filter_map(|step| tokens_of(step).total).max().unwrap_or(0),
            compactions: compacted.len() as u64,
            dearest,
            ranked_by,
        }
    }

    /// Steps that follow a text which the harness wrote itself to go on after a compaction.
    fn compacted_steps(&self) -> HashSet<u32> {
        let mut steps = HashSet::new();
        for event in self.events.iter().filter(|event| event.live && event.synthetic) {
            let after = (0u32..)
                .zip(&self.steps)
                .filter(|(_, step)| step.session == event.session && step.record > event.record);
            match event.step {
                NONE => steps.extend(after.map(|(index, _)| index).next()),
                own => drop(steps.insert(own)),
            }
        }
        steps
    }

    fn dearest(&self) -> (Ranking, Vec<StepUsage>) {
        let window = self.steps(0..u64::MAX);
        let by = |pick: fn(&StepUsage) -> Option<f64>| {
            let mut steps: Vec<(f64, &StepUsage)> = window
                .rows
                .iter()
                .filter_map(|step| Some((pick(step)?, step)))
                .filter(|(worth, _)| *worth > 0.0)
                .collect();
            // Stable: of equal ones the first.
            steps.order_by(|(a, _), (b, _)| b.total_cmp(a));
            steps.into_iter().take(RANKED).map(|(_, step)| step.clone()).collect::<Vec<_>>()
        };
        let reported = by(|step| step.step.cost_usd);
        if !reported.is_empty() {
            return (Ranking::Reported, reported);
        }
        let list = by(|step| step.list_usd);
        if !list.is_empty() {
            return (Ranking::List, list);
        }
        (Ranking::Tokens, by(|step| step.tokens.total.map(|tokens| tokens as f64)))
    }
}
