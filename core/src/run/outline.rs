//! A list as it is shown: turns get a heading, and of a folded step only its head is left.

use super::Run;
use super::store::{NO_TIME, NONE};
use super::turns::Turn;
use crate::event::Kind;
use crate::money::PicoUsd;
use crate::outline::{Folds, Outline, OutlineRow};
use crate::time::TimeMs;
use crate::usage::TokenSum;
use crate::view::{Item, Row, StepRow, TurnRow, View, Window};
use std::collections::HashMap;
use std::ops::Range;

/// By how much the clocks of a step and of its calls may differ.
const SLACK_MS: u64 = 1_000;

impl Run {
    /// The list as it is shown. Turns have a heading where their session has several: before the first row of theirs,
    /// their prompt among them.
    pub fn outline(&self, view: &View, folds: &Folds) -> Outline {
        let turns = self.headed_turns();
        let mut of_step = vec![NONE; self.steps.len()];
        let mut of_prompt = HashMap::new();
        for (place, turn) in (0u32..).zip(&turns) {
            if turn.prompt != NONE {
                of_prompt.insert(turn.prompt, place);
            }
            for step in &turn.steps {
                if let Some(slot) = of_step.get_mut(*step as usize) {
                    *slot = place;
                }
            }
        }
        let mut without = vec![true; turns.len()];
        let mut rows = Vec::with_capacity(view.items.len());
        for (row, item) in (0u32..).zip(&view.items) {
            let (step, prompt) = match item {
                Item::Step(step) => (*step, NONE),
                Item::Event(event) => (self.events.get(*event as usize).map_or(NONE, |event| event.step), *event),
                Item::Ask(ask) => (self.asks.rows.get(*ask as usize).map_or(NONE, |ask| ask.step), NONE),
            };
            let turn = of_step.get(step as usize).or_else(|| of_prompt.get(&prompt)).copied().unwrap_or(NONE);
            if let Some(without) = without.get_mut(turn as usize).filter(|without| **without) {
                *without = false;
                rows.push(OutlineRow::Turn(turn, row));
            }
            if matches!(item, Item::Step(_)) || step == NONE || !folds.holds(step) {
                rows.push(OutlineRow::Item(row));
            }
        }
        Outline { rows, turns }
    }

    fn headed_turns(&self) -> Vec<Turn> {
        let mut turns = self.turns();
        let several: Vec<u32> = turns.iter().filter(|turn| turn.number == 2).map(|turn| turn.session).collect();
        // Both are in the order of sessions.
        turns.retain(|turn| several.binary_search(&turn.session).is_ok());
        turns
    }

    /// The step that a row of the view stands in, or is the head of; by [`StepRow::id`].
    pub fn step_of_row(&self, view: &View, row: u64) -> Option<u32> {
        let step = match view.items.get(usize::try_from(row).ok()?)? {
            Item::Step(step) => *step,
            Item::Event(event) => self.events.get(*event as usize)?.step,
            Item::Ask(ask) => self.asks.rows.get(*ask as usize)?.step,
        };
        (step != NONE).then_some(step)
    }

    /// The row of a step's head.
    pub fn row_of_step(&self, view: &View, id: u32) -> Option<u64> {
        view.items.iter().position(|item| *item == Item::Step(id)).map(|row| row as u64)
    }

    /// Rows of a list as it is shown. A range beyond its end gives what there is.
    pub fn outline_window(&self, view: &View, outline: &Outline, folds: &Folds, range: Range<u64>) -> Window {
        let start = range.start.min(outline.len());
        let end = range.end.clamp(start, outline.len());
        let places = self.summary_places();
        let several = places.len() > 1;
        let rows = outline.rows.get(start as usize..end as usize).unwrap_or_default().iter();
        let rows = rows.filter_map(|row| match row {
            OutlineRow::Turn(turn, _) => {
                outline.turns.get(*turn as usize).map(|turn| Row::Turn(self.turn_row(turn, several)))
            }
            OutlineRow::Item(row) => match view.items.get(*row as usize)? {
                Item::Event(id) => {
                    self.events.get(*id as usize).map(|event| Row::Event(self.event_row(*id, event, &places)))
                }
                Item::Ask(id) => self.ask_row(*id, &places),
                Item::Step(id) => {
                    let mut head = self.step_row(*id, self.steps.get(*id as usize)?, &places);
                    head.is_folded = folds.holds(*id);
                    self.count_under(&mut head, view, *row);
                    Some(Row::Step(head))
                }
            },
        });
        Window { start, total: outline.len(), events: view.events(), rows: rows.collect() }
    }

    /// Counts what went wrong under a head, as the list holds it. A step that is shorter than one of its calls has a span
    /// that says nothing.
    fn count_under(&self, head: &mut StepRow, view: &View, row: u32) {
        for item in view.items.iter().skip(row as usize + 1) {
            let event = match item {
                Item::Event(event) => event,
                Item::Ask(_) => continue,
                Item::Step(_) => break,
            };
            let Some(event) = self.events.get(*event as usize) else { break };
            if event.step == head.id {
                head.errors += u64::from(event.kind == Kind::Error);
                let call = self.calls.get(event.call as usize).filter(|_| event.sub == 0);
                head.green += u64::from(call.is_some_and(|call| call.green_but_failed()));
                let is_longer = |ms: u64| head.duration_ms.is_some_and(|step| ms > step.saturating_add(SLACK_MS));
                if call.and_then(|call| call.duration()).is_some_and(is_longer) {
                    head.duration_ms = None;
                }
            }
        }
    }

    fn turn_row(&self, turn: &Turn, several: bool) -> TurnRow {
        let steps = || turn.steps.iter().filter_map(|step| self.steps.get(*step as usize));
        let mut tokens = TokenSum::default();
        steps().for_each(|step| tokens.add(step.usage.as_ref()));
        let costs = steps().filter_map(|step| step.cost);
        let prompt = self.events.get(turn.prompt as usize);
        let record = prompt.map(|event| event.record).or_else(|| steps().next().map(|step| step.record));
        let known = |ms: i64| (ms != NO_TIME).then_some(ms);
        let span = known(turn.start).zip(known(turn.end));
        let name = || {
            let session = self.sessions.get(turn.session)?;
            self.strings.get(session.title).or_else(|| self.strings.get(session.id)).map(str::to_owned)
        };
        TurnRow {
            number: turn.number.into(),
            session: if several { name() } else { None },
            line: self.place(record.unwrap_or(NONE)).line,
            time: known(turn.start).map(TimeMs),
            duration_ms: span.and_then(|(start, end)| u64::try_from(end - start).ok()),
            idle_ms: turn.idle.map(|(from, to)| to.abs_diff(from)),
            prompt: prompt.map(|event| self.texts.get(event.summary).to_owned()),
            steps: turn.steps.len() as u64,
            calls: steps().map(|step| u64::from(step.calls)).sum(),
            failed: steps().map(|step| u64::from(step.failed)).sum(),
            rejected: steps().map(|step| u64::from(step.rejected)).sum(),
            tokens: tokens.tokens().total,
            cost_usd: costs.reduce(|sum, cost| PicoUsd(sum.0.saturating_add(cost.0))).map(PicoUsd::to_usd),
        }
    }
}
