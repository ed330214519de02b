//! Calls of both sides, matched: within aligned steps, then between any two.

use super::align::{self, Did};
use super::document::{Agreement, Call, CallPair, Deed, OutcomeDelta, StepPair};
use super::{CallFacts, Facts, StepFacts, folders};
use crate::order::Order;
use std::collections::{HashMap, HashSet, VecDeque};

pub(super) struct Matched {
    pub(super) agreement: Agreement,
    pub(super) only_a: Vec<Deed>,
    pub(super) only_b: Vec<Deed>,
    pub(super) outcomes: Vec<OutcomeDelta>,
    pub(super) steps: Vec<StepPair>,
}

/// The calls of a step with their keys.
struct Keyed<'f> {
    step: &'f StepFacts,
    calls: Vec<(u64, &'f CallFacts)>,
    folder: &'f str,
}

fn keyed<'f>(facts: &'f Facts, folder: &'f str) -> Vec<Keyed<'f>> {
    let step = |step: &'f StepFacts| Keyed {
        step,
        calls: step.calls.iter().map(|call| (call.key(folder), call)).collect(),
        folder,
    };
    facts.steps.iter().map(step).collect()
}

fn did(step: &Keyed<'_>) -> Did {
    let mut did = Did {
        calls: step.calls.iter().map(|(key, _)| *key).collect(),
        tools: step.calls.iter().map(|(_, call)| call.tool_key()).collect(),
    };
    did.calls.order();
    did.tools.order();
    did
}

pub(super) fn matched(a: &Facts, b: &Facts, folders: &(String, String)) -> Matched {
    let (a, b) = (keyed(a, &folders.0), keyed(b, &folders.1));
    let alignment = align::align(&a.iter().map(did).collect::<Vec<_>>(), &b.iter().map(did).collect::<Vec<_>>());
    let mut rows: Vec<Row<'_>> = Vec::with_capacity(alignment.len());
    for (in_a, in_b) in alignment {
        rows.push(row(in_a.and_then(|at| a.get(at)), in_b.and_then(|at| b.get(at))));
    }
    let partners = moved(&rows);
    collect(&rows, &partners)
}

/// Aligned steps, and their calls as far as they match here.
struct Row<'f> {
    a: Option<&'f StepFacts>,
    b: Option<&'f StepFacts>,
    calls: Vec<Slot<'f>>,
}

struct Slot<'f> {
    key: u64,
    a: Option<&'f CallFacts>,
    b: Option<&'f CallFacts>,
    argument: String,
}

impl Slot<'_> {
    fn tool(&self) -> &str {
        self.a.or(self.b).map_or("", |call| &call.tool)
    }
}

fn row<'f>(a: Option<&Keyed<'f>>, b: Option<&Keyed<'f>>) -> Row<'f> {
    let slot = |key: u64, call: &CallFacts, folder: &str| Slot {
        key,
        a: None,
        b: None,
        argument: folders::without(&call.argument, folder),
    };
    let mut calls = Vec::new();
    let mut of_key: HashMap<u64, VecDeque<usize>> = HashMap::new();
    for (key, call) in a.iter().flat_map(|step| &step.calls) {
        of_key.entry(*key).or_default().push_back(calls.len());
        calls.push(Slot { a: Some(call), ..slot(*key, call, a.map_or("", |step| step.folder)) });
    }
    for (key, call) in b.iter().flat_map(|step| &step.calls) {
        let waiting = of_key.get_mut(key).and_then(VecDeque::pop_front);
        match waiting.and_then(|at| calls.get_mut(at)) {
            Some(slot) => slot.b = Some(call),
            None => calls.push(Slot { b: Some(call), ..slot(*key, call, b.map_or("", |step| step.folder)) }),
        }
    }
    Row { a: a.map(|step| step.step), b: b.map(|step| step.step), calls }
}

/// Slots of one side whose call the other made in another step: who belongs to whom, from A to B.
fn moved<'f>(rows: &[Row<'f>]) -> HashMap<(usize, usize), (usize, usize)> {
    let mut of_key: HashMap<u64, VecDeque<(usize, usize)>> = HashMap::new();
    let slots =
        || rows.iter().enumerate().flat_map(|(r, row)| row.calls.iter().enumerate().map(move |(c, s)| ((r, c), s)));
    for (at, slot) in slots().filter(|(_, slot)| slot.a.is_none()) {
        of_key.entry(slot.key).or_default().push_back(at);
    }
    let lonely = slots().filter(|(_, slot)| slot.b.is_none());
    lonely.filter_map(|(at, slot)| Some((at, of_key.get_mut(&slot.key)?.pop_front()?))).collect()
}

fn collect(rows: &[Row<'_>], partners: &HashMap<(usize, usize), (usize, usize)>) -> Matched {
    let taken: HashSet<(usize, usize)> = partners.values().copied().collect();
    let mut matched = Matched {
        agreement: Agreement { calls_moved: partners.len() as u64, ..Agreement::default() },
        only_a: Vec::new(),
        only_b: Vec::new(),
        outcomes: Vec::new(),
        steps: Vec::with_capacity(rows.len()),
    };
    let (mut deeds_a, mut deeds_b) = (Deeds::default(), Deeds::default());
    for (r, row) in rows.iter().enumerate() {
        let mut pair = StepPair {
            a: row.a.map(|step| step.step.clone()),
            b: row.b.map(|step| step.step.clone()),
            same: row.a.is_some() && row.b.is_some(),
            calls: Vec::with_capacity(row.calls.len()),
        };
        for (c, slot) in row.calls.iter().enumerate() {
            let there = partners.get(&(r, c)).and_then(|(r, c)| rows.get(*r)?.calls.get(*c)?.b);
            let call = CallPair {
                tool: slot.tool().to_owned(),
                argument: slot.argument.clone(),
                a: slot.a.map(|call| call.call),
                b: slot.b.map(|call| call.call),
                moved: there.is_some() || taken.contains(&(r, c)),
            };
            if let (Some(a), Some(b)) = (slot.a, slot.b.or(there))
                && (a.call.outcome, a.call.green_but_failed) != (b.call.outcome, b.call.green_but_failed)
            {
                let (tool, argument) = (call.tool.clone(), call.argument.clone());
                matched.outcomes.push(OutcomeDelta { tool, argument, a: a.call, b: b.call });
            }
            matched.agreement.calls_both += u64::from(call.a.is_some() && call.b.is_some());
            match (call.moved, slot.a, slot.b) {
                (false, Some(only), None) => deeds_a.add(&mut matched.only_a, slot, &only.call),
                (false, None, Some(only)) => deeds_b.add(&mut matched.only_b, slot, &only.call),
                _ => {}
            }
            pair.same &= call.is_same();
            pair.calls.push(call);
        }
        let agreement = &mut matched.agreement;
        *match (&pair.a, &pair.b) {
            (Some(_), None) => &mut agreement.steps_only_a,
            (None, _) => &mut agreement.steps_only_b,
            _ if pair.same => &mut agreement.steps_same,
            _ => &mut agreement.steps_changed,
        } += 1;
        matched.steps.push(pair);
    }
    let calls = |deeds: &[Deed]| deeds.iter().map(|deed| deed.calls).sum();
    matched.agreement.calls_only_a = calls(&matched.only_a);
    matched.agreement.calls_only_b = calls(&matched.only_b);
    matched.agreement.outcomes_differ = matched.outcomes.len() as u64;
    matched
}

/// Where the deed of a key stands in its list.
#[derive(Default)]
struct Deeds(HashMap<u64, usize>);

impl Deeds {
    fn add(&mut self, list: &mut Vec<Deed>, slot: &Slot<'_>, call: &Call) {
        use crate::event::Outcome::{Failed, Rejected};
        let at = *self.0.entry(slot.key).or_insert(list.len());
        if at == list.len() {
            let (tool, argument) = (slot.tool().to_owned(), slot.argument.clone());
            list.push(Deed { tool, argument, calls: 0, failed: 0, first: *call });
        }
        if let Some(deed) = list.get_mut(at) {
            deed.calls += 1;
            deed.failed += u64::from(matches!(call.outcome, Failed | Rejected));
        }
    }
}
