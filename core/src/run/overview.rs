//! Makes the overview: everything on one axis, in as few blocks as can be told apart.

use super::Run;
use super::phases::{Phases, interval};
use super::spans::Spans;
use super::store::{EventColumn, NO_TIME, NONE, StepColumn};
use super::turns::Turn;
use crate::event::{Kind, Outcome};
use crate::order::Order;
use crate::overview::{
    AskSpan, Axis, BIN, BINS, Block, CUTS, Cut, Lane, MARKS, Mark, Overview, Piece, StepBlock, Stretch, TurnMark,
    WIDTH, Wait, Work,
};
use crate::view::{Item, View};

/// A gap that is cut short is this wide, in units; less where there are many.
const CUT_WIDTH: u32 = 16 * BIN;
/// Gaps together take this part of the width at most.
const CUT_SHARE: u32 = 3;
/// A gap is cut short where it would be longer than this part of what is left without the gaps.
const CUT_FROM: u64 = 50;

impl Run {
    /// The whole run at a glance: of the sessions that are asked for.
    pub fn overview(&self) -> Overview {
        let turns = self.turns();
        let phases = self.phases(&turns, &|session| self.wants_session(session));
        let (axis, pieces) = self.axis(phases.as_ref());
        let mut overview = Overview { axis, pieces, ..Overview::default() };
        if overview.pieces.is_empty() {
            return overview;
        }
        self.put_events(&mut overview);
        self.put_steps(&mut overview);
        overview.asks = self.ask_spans(&overview);
        if let Some(phases) = phases.filter(|_| axis == Axis::Time) {
            overview.waits = waits(&overview, &phases);
        }
        if turns.len() > 1 {
            overview.turns = self.turn_marks(&overview, &turns);
        }
        overview
    }

    /// What the axis measures, and its pieces.
    fn axis(&self, phases: Option<&Phases>) -> (Axis, Vec<Piece>) {
        let (mut timed, mut all) = (0u64, 0u64);
        for event in self.shown_events() {
            all += 1;
            timed += u64::from(self.times_of(event).is_some());
        }
        match phases {
            Some(phases) if timed * 2 >= all => (Axis::Time, pieces(phases)),
            _ if all == 0 => (Axis::Time, Vec::new()),
            _ => {
                let to = self.records.len() as i64;
                (Axis::Order, vec![Piece { from: 0, to, at: 0, until: WIDTH, cut: Cut::None }])
            }
        }
    }

    fn shown_events(&self) -> impl Iterator<Item = &EventColumn> {
        let dialects = self.dialects();
        self.events.iter().filter(move |event| Run::shows(event, &dialects))
    }

    /// From when to when an event was: its call or its writing, else the time of its record.
    pub(super) fn times_of(&self, event: &EventColumn) -> Option<(i64, i64)> {
        if let Some(call) = self.calls.get(event.call as usize) {
            if let Some(span) = interval(call) {
                return Some(span);
            }
            if let Some(at) = [call.start, call.end].into_iter().find(|ms| *ms != NO_TIME) {
                return Some((at, at));
            }
        } else if matches!(event.kind, Kind::Agent | Kind::Reasoning)
            && let Some(record) = self.records.get(event.record as usize)
            && let Some(span) = self.writing_of(record.part)
        {
            return Some(span);
        }
        (event.time != NO_TIME).then_some((event.time, event.time))
    }

    /// From where to where an event is on an axis.
    pub(super) fn stretch_of(&self, axis: Axis, event: &EventColumn) -> Option<(i64, i64)> {
        match axis {
            Axis::Time => self.times_of(event),
            Axis::Order => Some((event.record.into(), event.record.into())),
        }
    }

    /// Whether an event lies, at least in part, in a stretch.
    pub(super) fn lies_in(&self, stretch: &Stretch, event: &EventColumn) -> bool {
        let span = self.stretch_of(stretch.axis, event);
        span.is_some_and(|(from, to)| from < stretch.to && (to > stretch.from || from >= stretch.from))
    }

    fn put_events(&self, overview: &mut Overview) {
        let mut lanes: Vec<(Work, Vec<(u32, u32)>)> = Work::ALL.iter().map(|work| (*work, Vec::new())).collect();
        let mut wrong: Vec<Mark> = Vec::new();
        let mut unplaced = 0;
        for event in self.shown_events() {
            let Some((from, to)) = self.stretch_of(overview.axis, event) else {
                unplaced += 1;
                continue;
            };
            let (from, to) = (overview.place(from), overview.place(to));
            if let Some(work) = Work::of(event.kind)
                && let Some((_, blocks)) = lanes.iter_mut().find(|(lane, _)| *lane == work)
            {
                blocks.push((from, to));
            }
            wrong.extend(self.mark_of(event, to));
        }
        overview.unplaced = unplaced;
        let lane = |(work, mut blocks): (Work, Vec<(u32, u32)>)| {
            blocks.order();
            Lane { work, count: blocks.len() as u64, blocks: joined(&blocks) }
        };
        overview.lanes = lanes.into_iter().filter(|(_, blocks)| !blocks.is_empty()).map(lane).collect();
        wrong.order_by_key(|mark| mark.at);
        overview.marks = marks(&wrong);
    }

    /// What an event says that went wrong. The events of one call are one failure: only the first of them says it.
    fn mark_of(&self, event: &EventColumn, at: u32) -> Option<Mark> {
        if event.kind == Kind::Error {
            return Some(Mark { at, errors: 1, ..Mark::default() });
        }
        let call = self.calls.get(event.call as usize).filter(|_| event.sub == 0)?;
        match call.outcome {
            Outcome::Failed if call.green_but_failed() => Some(Mark { at, green: 1, ..Mark::default() }),
            Outcome::Failed => Some(Mark { at, failed: 1, ..Mark::default() }),
            Outcome::Rejected => Some(Mark { at, rejected: 1, ..Mark::default() }),
            Outcome::Ok | Outcome::Unknown => None,
        }
    }

    /// From where to where a step is on an axis.
    fn stretch_of_step(&self, axis: Axis, step: &StepColumn) -> Option<(i64, i64)> {
        let (from, to) = match axis {
            Axis::Time => (self.time_of_step(step), step.end),
            Axis::Order => (step.record.into(), step.finish.into()),
        };
        let is_open = step.finish == super::store::NONE;
        (from != NO_TIME).then_some((from, if is_open || to == NO_TIME { from } else { to.max(from) }))
    }

    fn put_steps(&self, overview: &mut Overview) {
        let mut blocks: Vec<StepBlock> = Vec::with_capacity(self.steps.len());
        for step in self.steps.iter().filter(|step| self.wants_session(step.session)) {
            let Some((from, to)) = self.stretch_of_step(overview.axis, step) else { continue };
            blocks.push(StepBlock {
                from: overview.place(from),
                to: overview.place(to),
                number: step.number.into(),
                count: 1,
                failed: (step.failed + step.rejected).into(),
                tokens: super::list::tokens_of(step),
            });
        }
        blocks.order_by_key(|block| (block.from, block.to));
        overview.max_tokens = blocks.iter().filter_map(|block| block.tokens.total).max().unwrap_or(0);
        if blocks.len() <= BINS as usize {
            overview.steps = blocks;
            return;
        }
        for block in blocks {
            match overview.steps.last_mut().filter(|last| last.from / BIN == block.from / BIN) {
                Some(last) => {
                    last.to = last.to.max(block.to);
                    last.count += block.count;
                    last.failed += block.failed;
                    if block.tokens.total > last.tokens.total {
                        last.tokens = block.tokens;
                    }
                }
                None => overview.steps.push(block),
            }
        }
    }

    /// Requests, those that begin in the same place as one.
    fn ask_spans(&self, overview: &Overview) -> Vec<AskSpan> {
        let mut spans: Vec<AskSpan> = Vec::new();
        for (place, ask) in (0u32..).zip(&self.asks.rows).filter(|(_, ask)| self.wants_session(ask.session)) {
            let (from, to) = match overview.axis {
                Axis::Order => (i64::from(ask.at()), i64::from(if ask.answer == NONE { ask.at() } else { ask.answer })),
                Axis::Time => match self.wait_of(ask).or_else(|| self.asked_at(ask).map(|at| (at, at))) {
                    Some(span) => span,
                    None => continue,
                },
            };
            let summary = self.ask_summary(place, ask);
            spans.push(AskSpan {
                from: overview.place(from),
                to: overview.place(to),
                count: 1,
                open: u32::from(!summary.status.is_resolved()),
                what: summary.what(),
                outcome: summary.outcome(),
                wait_ms: summary.wait_ms,
                file: summary.file,
                line: summary.line,
            });
        }
        spans.sort_by_key(|span| (span.from, span.to));
        let mut out: Vec<AskSpan> = Vec::new();
        for span in spans {
            match out.last_mut().filter(|last| last.from * MARKS / WIDTH == span.from * MARKS / WIDTH) {
                Some(last) => {
                    last.to = last.to.max(span.to);
                    last.count += 1;
                    last.open += span.open;
                    last.wait_ms = [last.wait_ms, span.wait_ms].into_iter().flatten().reduce(u64::saturating_add);
                }
                None => out.push(span),
            }
        }
        out
    }

    fn turn_marks(&self, overview: &Overview, turns: &[Turn]) -> Vec<TurnMark> {
        let places = self.summary_places();
        let mut marks: Vec<TurnMark> = Vec::new();
        for turn in turns {
            let Some(session) = places.get(&turn.session) else { continue };
            let first = turn.steps.first().and_then(|step| self.steps.get(*step as usize));
            let at = match overview.axis {
                Axis::Time => Some(turn.start).filter(|ms| *ms != NO_TIME),
                Axis::Order => first.map(|step| step.record.into()),
            };
            let Some(at) = at else { continue };
            marks.push(TurnMark { at: overview.place(at), session: *session, number: turn.number.into() });
        }
        marks.order_by_key(|mark| mark.at);
        marks.dedup_by_key(|mark| mark.at / (WIDTH / MARKS));
        marks
    }

    /// The row of the view whose event is nearest to a value of an axis; only events of a lane, if one is named, or only
    /// what went wrong.
    pub fn nearest(&self, view: &View, axis: Axis, value: i64, work: Option<Work>, wrong: bool) -> Option<u64> {
        let far = |item: &Item| {
            let Item::Event(index) = item else { return None };
            let event = self.events.get(*index as usize)?;
            if work.is_some_and(|work| Work::of(event.kind) != Some(work)) || (wrong && !self.is_wrong(event)) {
                return None;
            }
            let (from, to) = self.stretch_of(axis, event)?;
            // What went wrong is marked at its end.
            let away = match () {
                () if wrong => value.abs_diff(to),
                () if value < from => from.abs_diff(value),
                () if value > to => value.abs_diff(to),
                () => 0,
            };
            Some((away, to.abs_diff(from)))
        };
        let rows = (0u64..).zip(&view.items).filter_map(|(row, item)| Some((far(item)?, row)));
        rows.min().map(|(_, row)| row)
    }

    fn is_wrong(&self, event: &EventColumn) -> bool {
        let outcome = self.calls.get(event.call as usize).map(|call| call.outcome);
        event.kind == Kind::Error || matches!(outcome, Some(Outcome::Failed | Outcome::Rejected))
    }
}

/// Pieces of an axis of time: gaps that would leave no room for the rest are cut short.
fn pieces(phases: &Phases) -> Vec<Piece> {
    let (first, last) = phases.whole;
    if first >= last {
        return vec![Piece { from: first, to: first + 1, at: 0, until: WIDTH, cut: Cut::None }];
    }
    let whole = last.abs_diff(first);
    let length = |(from, to): (i64, i64)| to.abs_diff(from);
    let most = whole / 4 * 3;
    let idle = phases.idle.iter().map(|gap| (length(gap), gap, Cut::Idle));
    let unknown = phases.unknown.iter().map(|gap| (length(gap), gap, Cut::Unknown)).filter(|(long, ..)| *long > most);
    let mut gaps: Vec<(u64, (i64, i64), Cut)> = idle.chain(unknown).collect();
    gaps.order_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    gaps.truncate(CUTS);
    let left = whole - gaps.iter().map(|(long, ..)| long).sum::<u64>();
    gaps.retain(|(long, ..)| u128::from(*long) * u128::from(CUT_FROM) > u128::from(left));
    gaps.order_by_key(|(_, gap, _)| *gap);

    let count = u32::try_from(gaps.len()).unwrap_or(u32::MAX);
    let narrow = CUT_WIDTH.min(WIDTH / CUT_SHARE / count.max(1));
    let cut = Spans::of(gaps.iter().map(|(_, gap, _)| *gap));
    let scale = Spans::of([(first, last)]).without(&cut);
    // Where nothing is to scale the gaps have it all.
    let (room, narrow) = if scale.length() == 0 { (0, WIDTH / count.max(1)) } else { (WIDTH - narrow * count, narrow) };
    let mut parts: Vec<((i64, i64), Cut)> = scale.iter().map(|part| (part, Cut::None)).collect();
    parts.extend(gaps.iter().map(|(_, gap, cut)| (*gap, *cut)));
    parts.order_by_key(|(part, _)| *part);

    let mut out = Vec::with_capacity(parts.len());
    let (mut at, mut done, mut cuts) = (0, 0u64, 0);
    let total = u128::from(scale.length().max(1));
    for (index, (part, cut)) in parts.iter().enumerate() {
        match cut {
            Cut::None => done += length(*part),
            Cut::Idle | Cut::Unknown => cuts += 1,
        }
        // From the sum so far, so that what is rounded off does not add up.
        let scaled = u32::try_from(u128::from(done) * u128::from(room) / total).unwrap_or(room);
        let until = if index + 1 == parts.len() { WIDTH } else { scaled + narrow * cuts };
        out.push(Piece { from: part.0, to: part.1, at, until, cut: *cut });
        at = until;
    }
    out
}

fn waits(overview: &Overview, phases: &Phases) -> Vec<Wait> {
    let wait = |(from, to): (i64, i64), is_known| Wait {
        from: overview.place(from),
        to: overview.place(to),
        ms: to.abs_diff(from),
        is_known,
    };
    let known = phases.waiting.iter().map(|span| wait(span, true));
    let unknown = phases.unknown.iter().map(|span| wait(span, false));
    let mut waits: Vec<Wait> = known.chain(unknown).filter(|wait| wait.to - wait.from >= BIN).collect();
    waits.order_by_key(|wait| wait.from);
    waits
}

/// Blocks in order; those that are closer together than a bin become one.
fn joined(sorted: &[(u32, u32)]) -> Vec<Block> {
    let mut out: Vec<Block> = Vec::new();
    for (from, to) in sorted {
        match out.last_mut().filter(|last| *from < last.to.saturating_add(BIN)) {
            Some(last) => {
                last.to = last.to.max(*to);
                last.count += 1;
            }
            None => out.push(Block { from: *from, to: *to, count: 1 }),
        }
    }
    out
}

/// Marks in order; those that stand too close become one, at the place of the first.
fn marks(sorted: &[Mark]) -> Vec<Mark> {
    let mut out: Vec<Mark> = Vec::new();
    for mark in sorted {
        match out.last_mut().filter(|last| last.at * MARKS / WIDTH == mark.at * MARKS / WIDTH) {
            Some(last) => {
                last.errors += mark.errors;
                last.failed += mark.failed;
                last.green += mark.green;
                last.rejected += mark.rejected;
            }
            None => out.push(*mark),
        }
    }
    out
}
