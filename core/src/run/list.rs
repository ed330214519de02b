//! Lists of events: filtered, grouped by step, handed out in windows.

use super::Run;
use super::asks::Ask;
use super::pricing::Lookups;
use super::store::{CallColumn, EventColumn, NO_TIME, NONE, StepColumn, Text};
use crate::event::{Kind, Outcome};
use crate::money::PicoUsd;
use crate::order::Order;
use crate::overview::{Axis, Stretch};
use crate::time::TimeMs;
use crate::usage::{TokenSum, Tokens};
use crate::view::{
    AskRow, CallRow, EventRow, Filter, FilterCounts, Item, Row, StepRow, StepUsage, StepWindow, View, Window,
};
use std::collections::HashMap;
use std::ops::Range;

impl Run {
    /// Counts for the filter chips: of a filter's session and range, whatever else it holds.
    pub fn filter_counts(&self, filter: &Filter) -> FilterCounts {
        let dialects = self.dialects();
        let session = filter.session.map(|session| self.place_of_session(session));
        let mut counts = FilterCounts::default();
        let mut tools: HashMap<u32, u64> = HashMap::new();
        let mut kinds = [0u64; Kind::ALL.len()];
        for event in self.events.iter().filter(|event| Run::shows(event, &dialects)) {
            let is_out = filter.range.as_ref().is_some_and(|range| !self.lies_in(range, event));
            if is_out || session.is_some_and(|session| event.session != session) {
                continue;
            }
            counts.all += 1;
            if let Some(count) = kinds.get_mut(event.kind as usize) {
                *count += 1;
            }
            let Some(call) = self.calls.get(event.call as usize) else { continue };
            *tools.entry(call.tool).or_default() += 1;
            match call.outcome {
                Outcome::Ok => counts.ok += 1,
                Outcome::Failed => counts.failed += 1,
                Outcome::Rejected => counts.rejected += 1,
                Outcome::Unknown => counts.unknown += 1,
            }
            counts.green_but_failed += u64::from(call.green_but_failed());
        }
        let shown = Filter { session: filter.session, range: filter.range, ..Filter::default() };
        counts.asks = self.asks.rows.iter().filter(|ask| self.shows_ask(&shown, session, ask)).count() as u64;
        counts.kinds = Kind::ALL.into_iter().zip(kinds).filter(|(_, count)| *count > 0).collect();
        let named = |(tool, n): (u32, u64)| (self.strings.get(tool).unwrap_or_default().to_owned(), n);
        counts.tools = tools.into_iter().map(named).collect();
        counts.tools.order_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        counts
    }

    fn place_of_session(&self, session: u32) -> u32 {
        self.listed_sessions().0.get(session as usize).copied().unwrap_or(NONE)
    }

    /// A filtered list, in file order, the events of a step under its head. Heads of steps stand in it where they have
    /// events that are shown; without a filter every step has its head.
    pub fn view(&self, filter: &Filter) -> View {
        let dialects = self.dialects();
        let session = filter.session.map(|session| self.place_of_session(session));
        let wanted = |event: &EventColumn| self.wants(filter, session, event);
        // (where its group stands, head before events, where it stands itself, item)
        let mut keyed: Vec<(u32, u8, u32, Item)> = Vec::new();
        let anchor = |step: u32, record: u32| self.steps.get(step as usize).map_or(record, |step| step.record);
        let mut shown_steps = vec![false; self.steps.len()];
        for (index, event) in (0u32..).zip(&self.events) {
            if Run::shows(event, &dialects) && wanted(event) {
                keyed.push((anchor(event.step, event.record), 1, event.record, Item::Event(index)));
                if let Some(shown) = shown_steps.get_mut(event.step as usize) {
                    *shown = true;
                }
            }
        }
        let events = keyed.len() as u64;
        for (index, ask) in (0u32..).zip(&self.asks.rows).filter(|(_, ask)| self.shows_ask(filter, session, ask)) {
            keyed.push((anchor(ask.step, ask.at()), 1, ask.at(), Item::Ask(index)));
            if let Some(shown) = shown_steps.get_mut(ask.step as usize) {
                *shown = true;
            }
        }
        let in_session = |step: &StepColumn| {
            self.wants_session(step.session) && session.is_none_or(|session| step.session == session)
        };
        let only_session = Filter { session: None, ..filter.clone() }.is_empty();
        for ((index, step), shown) in (0u32..).zip(&self.steps).zip(shown_steps) {
            if shown || (only_session && in_session(step)) {
                keyed.push((step.record, 0, step.record, Item::Step(index)));
            }
        }
        if self.several_files() {
            // Of several files the groups stand in the order of their times; what has none stays with its file.
            let time = |group: u32| self.time_of_group(group);
            keyed.order_by_cached_key(|(group, head, record, _)| (time(*group), *group, *head, *record));
        } else {
            keyed.order_by_key(|(group, head, record, _)| (*group, *head, *record));
        }
        View { items: keyed.into_iter().map(|(_, _, _, item)| item).collect(), events }
    }

    /// The time of the step that begins at a record, or of the events at it; of none, that of the session.
    fn time_of_group(&self, record: u32) -> i64 {
        let Some(row) = self.records.get(record as usize) else { return NO_TIME };
        let part = self.parts.get(row.part as usize);
        let step =
            part.and_then(|part| self.steps.get(part.step as usize)).map_or(NO_TIME, |step| self.time_of_step(step));
        let own = part.map_or(NO_TIME, |part| part.time);
        let session = self.sessions.get(row.session).map_or(NO_TIME, |session| session.first_ms);
        [step, own, session].into_iter().find(|ms| *ms != NO_TIME).unwrap_or(NO_TIME)
    }

    fn wants(&self, filter: &Filter, session: Option<u32>, event: &EventColumn) -> bool {
        if session.is_some_and(|session| event.session != session) {
            return false;
        }
        if filter.range.as_ref().is_some_and(|range| !self.lies_in(range, event)) {
            return false;
        }
        if filter.changed && !self.is_changed(event.record) {
            return false;
        }
        if (filter.asks || !filter.kinds.is_empty()) && !filter.kinds.contains(&event.kind) {
            return false;
        }
        let call = self.calls.get(event.call as usize);
        if !filter.tools.is_empty() {
            let name = call.and_then(|call| self.strings.get(call.tool));
            if !name.is_some_and(|name| filter.tools.iter().any(|tool| tool == name)) {
                return false;
            }
        }
        if filter.outcomes.is_empty() && !filter.green_but_failed {
            return true;
        }
        call.is_some_and(|call| {
            filter.outcomes.contains(&call.outcome) || (filter.green_but_failed && call.green_but_failed())
        })
    }

    /// Rows of a list. A range beyond its end gives what there is.
    pub fn window(&self, view: &View, range: Range<u64>) -> Window {
        let places = self.summary_places();
        let start = range.start.min(view.len());
        let end = range.end.clamp(start, view.len());
        let items = view.items.get(start as usize..end as usize).unwrap_or_default();
        let row = |item: &Item| match item {
            Item::Step(index) => {
                self.steps.get(*index as usize).map(|step| Row::Step(self.step_row(*index, step, &places)))
            }
            Item::Event(event) => {
                self.events.get(*event as usize).map(|row| Row::Event(self.event_row(*event, row, &places)))
            }
            Item::Ask(ask) => self.ask_row(*ask, &places),
        };
        Window { start, total: view.len(), events: view.events(), rows: items.iter().filter_map(row).collect() }
    }

    /// Whether a list holds a request: where it is asked for, or where nothing but a session or a stretch is.
    fn shows_ask(&self, filter: &Filter, session: Option<u32>, ask: &Ask) -> bool {
        let is_all = Filter { session: None, range: None, ..filter.clone() }.is_empty();
        let is_narrow = !filter.outcomes.is_empty() || filter.green_but_failed || !filter.tools.is_empty();
        (is_all || (filter.asks && !is_narrow && !filter.changed))
            && self.wants_session(ask.session)
            && session.is_none_or(|session| ask.session == session)
            && filter.range.as_ref().is_none_or(|range| self.ask_lies_in(range, ask))
    }

    fn ask_lies_in(&self, range: &Stretch, ask: &Ask) -> bool {
        let span = match range.axis {
            Axis::Time => self.wait_of(ask).or_else(|| self.asked_at(ask).map(|at| (at, at))),
            Axis::Order => Some((ask.at().into(), ask.at().into())),
        };
        span.is_some_and(|(from, to)| from < range.to && (to > range.from || from >= range.from))
    }

    pub(super) fn ask_row(&self, index: u32, places: &HashMap<u32, u32>) -> Option<Row> {
        let ask = self.asks.rows.get(index as usize)?;
        Some(Row::Ask(Box::new(AskRow {
            ask: self.ask_summary(index, ask),
            time: self.asked_at(ask).map(TimeMs),
            end: self.wait_of(ask).map(|(_, to)| TimeMs(to)),
            session: places.get(&ask.session).copied().unwrap_or(0),
            record: ask.at(),
        })))
    }

    /// From a session's place here to its place in the summary.
    pub(super) fn summary_places(&self) -> HashMap<u32, u32> {
        self.listed_sessions().0.into_iter().zip(0..).collect()
    }

    pub(super) fn step_row(&self, id: u32, step: &StepColumn, places: &HashMap<u32, u32>) -> StepRow {
        let known = |ms: i64| (ms != NO_TIME).then_some(ms);
        let duration = known(step.start).zip(known(step.end)).and_then(|(start, end)| u64::try_from(end - start).ok());
        StepRow {
            id,
            is_folded: false,
            errors: 0,
            green: 0,
            rejected: step.rejected.into(),
            number: step.number.into(),
            session: places.get(&step.session).copied().unwrap_or(0),
            line: self.place(step.record).line,
            time: known(step.start).or(known(step.end)).map(TimeMs),
            duration_ms: duration,
            attempts: step.attempts,
            reason: self.strings.get(step.reason).map(str::to_owned),
            finished: step.finish != NONE,
            calls: step.calls.into(),
            failed: step.failed.into(),
            tokens: tokens_of(step).total,
            cost_usd: step.cost.map(PicoUsd::to_usd),
        }
    }

    pub(super) fn event_row(&self, id: u32, event: &EventColumn, places: &HashMap<u32, u32>) -> EventRow {
        let call = self.calls.get(event.call as usize);
        let text = |text: Text| (!text.is_empty()).then(|| self.texts.get(text).to_owned());
        let place = self.place(event.record);
        EventRow {
            id,
            file: place.file,
            line: place.line,
            kind: event.kind,
            time: (event.time != NO_TIME).then_some(TimeMs(event.time)),
            span: self.times_of(event).map(|(from, to)| (TimeMs(from), TimeMs(to))),
            record: event.record,
            duration_ms: call.and_then(|call| call.duration()),
            outcome: call.map(|call| call.outcome),
            green_but_failed: call.is_some_and(|call| call.green_but_failed()),
            synthetic: event.synthetic,
            taken_back: self.is_taken_back(event),
            tool: call.and_then(|call| self.strings.get(call.written)).map(str::to_owned),
            summary: self.texts.get(event.summary).to_owned(),
            aside: text(event.aside),
            note: text(event.note),
            session: places.get(&event.session).copied().unwrap_or(0),
            found: None,
        }
    }

    /// The row of the view that shows the event of that line; the step's head for a line that a step begins or ends at.
    pub fn row_of_line(&self, view: &View, file: u32, line: u64) -> Option<u64> {
        let at = |record: u32| {
            let place = self.place(record);
            (place.file, place.line) == (file, line)
        };
        let matches = |item: &Item| match item {
            Item::Event(event) => {
                self.events.get(*event as usize).is_some_and(|event| at(event.record) || at(event.source))
            }
            Item::Step(step) => self.steps.get(*step as usize).is_some_and(|step| at(step.record) || at(step.finish)),
            Item::Ask(ask) => self.asks.rows.get(*ask as usize).is_some_and(|ask| at(ask.record) || at(ask.answer)),
        };
        view.items.iter().position(matches).map(|row| row as u64)
    }

    /// The row of the view that shows the event with that id.
    pub fn row_of_event(&self, view: &View, id: u32) -> Option<u64> {
        view.items.iter().position(|item| *item == Item::Event(id)).map(|row| row as u64)
    }

    /// The row of the view that shows the request with that id.
    pub fn row_of_ask(&self, view: &View, id: &str) -> Option<u64> {
        let place = self.asks.rows.iter().position(|ask| ask.asked.id == id)?;
        let ask = Item::Ask(u32::try_from(place).ok()?);
        view.items.iter().position(|item| *item == ask).map(|row| row as u64)
    }

    /// All calls of the sessions that are asked for, in file order.
    pub fn calls(&self) -> Vec<CallRow> {
        let places = self.summary_places();
        let known = |ms: i64| (ms != NO_TIME).then_some(ms);
        let row = |call: &CallColumn| {
            let place = self.place(call.record);
            CallRow {
                tool: self.strings.get(call.tool).unwrap_or_default().to_owned(),
                session: places.get(&call.session).copied().unwrap_or(0),
                step: self.steps.get(call.step as usize).map(|step| step.number.into()),
                start_ms: known(call.start),
                end_ms: known(call.end),
                outcome: call.outcome,
                is_success: call.is_success,
                file: place.file,
                line: place.line,
            }
        };
        self.calls.iter().filter(|call| self.wants_session(call.session)).map(row).collect()
    }

    /// Tokens and cost by step of the sessions that are asked for, in file order.
    pub fn steps(&self, range: Range<u64>) -> StepWindow {
        let places = self.summary_places();
        let all: Vec<(u32, &StepColumn)> =
            (0u32..).zip(&self.steps).filter(|(_, step)| self.wants_session(step.session)).collect();
        let total = all.len() as u64;
        let start = range.start.min(total);
        let end = range.end.clamp(start, total);
        let rows = all.get(start as usize..end as usize).unwrap_or_default();
        let max_tokens = all.iter().filter_map(|(_, step)| tokens_of(step).total).max().unwrap_or(0);
        let mut lookups = Lookups::default();
        let mut usage = Vec::with_capacity(rows.len());
        for (id, step) in rows {
            let (comparable_usd, list_usd) = self.derived_of(step, &mut lookups);
            let model = self.model_of_step(step).map(str::to_owned);
            let step_row = self.step_row(*id, step, &places);
            usage.push(StepUsage { step: step_row, tokens: tokens_of(step), comparable_usd, list_usd, model });
        }
        StepWindow { start, total, max_tokens, rows: usage }
    }
}

pub(super) fn tokens_of(step: &StepColumn) -> Tokens {
    let mut sum = TokenSum::default();
    sum.add(step.usage.as_ref());
    sum.tokens()
}
