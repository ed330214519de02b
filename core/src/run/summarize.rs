//! The summary document, worked out from the columns.

use super::dialect::Dialects;
use super::phases::interval;
use super::store::{CallColumn, NO_TIME, NONE, RecordRow};
use super::turns::{self, Turn};
use super::{Counted, DialectChoice, LINES_KEPT, Run};
use crate::event::{Kind, Outcome};
use crate::ledger::{nearest_rank, union_length};
use crate::order::Order;
use crate::record::Class;
use crate::rules::Dialect;
use crate::summary::*;
use crate::time::TimeMs;
use crate::usage::TokenSum;
use std::collections::{BTreeMap, HashMap, HashSet};

impl Run {
    /// The summary document of all that is open.
    pub fn summary(&self) -> Summary {
        let (places, parents) = self.listed_sessions();
        let copies = self.copied_steps(&|_| true);
        let turns = self.turns();
        let session = |place: &u32| self.session_summary(*place, &parents, &turns);
        let mut sessions: Vec<SessionSummary> = places.iter().map(session).collect();
        self.note_forks(&mut sessions, &places);
        let first = places.first().copied();
        let (findings, finding_counts) = self.findings();
        let evidence =
            first.and_then(|place| self.sessions.get(place)).map(|session| session.evidence(self.several_files()));
        Summary {
            schema: SCHEMA,
            files: self.file_summaries(),
            left_out: self.left_out.clone(),
            dialect: first.map_or(Dialect::OpenCode, |place| self.dialect_of(place)).name().to_owned(),
            dialect_forced: self.dialect != DialectChoice::Auto,
            dialect_evidence: evidence.unwrap_or_default(),
            total: self.total(&copies, &turns, &|session| self.wants_session(session)),
            records: self.record_counts(),
            events: self.event_counts(),
            tools: self.tools(&copies, &|session| self.wants_session(session)),
            files_touched: self.files_touched(),
            unmapped: self.unmapped(),
            unknown_types: self.unknown_type_rows(),
            asks: self.ask_summaries(),
            todos: self.todo_summaries(&places),
            findings,
            finding_counts,
            limits: self.limits(&sessions, &places, &copies),
            sessions,
            diagnostics: self.diagnostics.list(),
            diagnostic_counts: self.diagnostics.counts(),
        }
    }

    /// The sessions that are asked for, in the order of the summary, and who is whose parent.
    pub(super) fn listed_sessions(&self) -> (Vec<u32>, HashMap<u32, u32>) {
        let (mut places, parents) = self.session_places();
        places.retain(|place| self.wants_session(*place));
        (places, parents)
    }

    /// All sessions in the order of the summary, and who is whose parent.
    pub(super) fn session_places(&self) -> (Vec<u32>, HashMap<u32, u32>) {
        let mut of_id = HashMap::new();
        for (place, session) in self.sessions.rows.iter().enumerate() {
            if session.id != NONE && !session.gone {
                of_id.insert(session.id, place as u32);
            }
        }
        let mut parents = HashMap::new();
        for (place, session) in (0u32..).zip(&self.sessions.rows) {
            if let Some(parent) =
                of_id.get(&session.parent).filter(|parent| **parent != place && session.parent != NONE)
            {
                parents.insert(place, *parent);
            }
        }
        for call in self.calls.iter().filter(|call| call.child != NONE) {
            if let Some(child) = of_id.get(&call.child).filter(|child| **child != call.session) {
                parents.entry(*child).or_insert(call.session);
            }
        }
        (self.sessions.order(&parents, &self.strings), parents)
    }

    fn file_summaries(&self) -> Vec<FileSummary> {
        let mut contributed = vec![RecordCounts::default(); self.files.len()];
        let dialects = self.dialects();
        for row in &self.records {
            if let Some(counts) = contributed.get_mut(usize::from(row.file)) {
                count_record(counts, row, &dialects);
            }
        }
        let summary = |(index, (file, contributed)): (usize, (&super::File, RecordCounts))| {
            let state = self.state_of(index);
            let seen = state.map(|state| &state.seen);
            FileSummary {
                name: file.name.clone(),
                bytes: file.packed.as_ref().map_or(file.bytes, |(bytes, _)| *bytes),
                lines: state.map_or(0, |state| state.lines()),
                records: contributed.total,
                encoding: state.map_or("utf-8", |state| state.encoding().name()).to_owned(),
                compression: file.packed.as_ref().map(|(_, name)| name.clone()),
                format: seen.and_then(|seen| seen.best()).map(|(format, _)| format.name().to_owned()),
                confidence: seen.map_or(0, |seen| seen.confidence()),
                evidence: seen.map(|seen| seen.evidence()).unwrap_or_default(),
                contributed,
            }
        };
        self.files.iter().zip(contributed).enumerate().map(summary).collect()
    }

    pub(super) fn session_summary(&self, place: u32, parents: &HashMap<u32, u32>, turns: &[Turn]) -> SessionSummary {
        let Some(session) = self.sessions.get(place) else { return SessionSummary::default() };
        let id =
            |place: u32| self.sessions.get(place).and_then(|session| self.strings.get(session.id)).map(str::to_owned);
        let mut sum = TokenSum::default();
        let (mut steps, mut retries) = (0, 0);
        let mut models: BTreeMap<&str, u64> = BTreeMap::new();
        for step in self.steps.iter().filter(|step| step.session == place) {
            steps += 1;
            retries += u64::from(step.attempts - 1);
            sum.add(step.usage.as_ref());
            if let Some(model) = self.model_of_step(step) {
                *models.entry(model).or_default() += 1;
            }
        }
        // The model of most steps; without any, the one that the prompts or the session's own document name.
        let most = models.into_iter().rev().max_by_key(|(_, steps)| *steps).map(|(model, _)| model);
        let named = || [session.user_model, session.model].into_iter().find_map(|model| self.strings.get(model));
        let model = most.or_else(named).map(str::to_owned);
        let (turns, idle_ms) = turns::count(turns, place);
        let known = |ms: i64| (ms != NO_TIME).then_some(TimeMs(ms));
        let (first, last) = self.reach(place);
        let (first, last) = (known(first), known(last));
        SessionSummary {
            id: id(place),
            parent: parents
                .get(&place)
                .and_then(|parent| id(*parent))
                .or_else(|| self.strings.get(session.parent).map(str::to_owned)),
            fork_of: None,
            copied_steps: 0,
            title: self.strings.get(session.title).map(str::to_owned),
            dialect: self.dialect_of(place).name().to_owned(),
            verdict: self.verdict(place),
            started_at: first.and_then(TimeMs::to_rfc3339),
            ended_at: last.and_then(TimeMs::to_rfc3339),
            duration_ms: first.zip(last).map(|(first, last)| last.0.abs_diff(first.0)),
            steps,
            retries,
            calls: self.calls.iter().filter(|call| call.session == place).count() as u64,
            turns,
            idle_ms,
            tokens: sum.tokens(),
            cost: self.cost_of(self.steps.iter().filter(|step| step.session == place)),
            model,
        }
    }

    /// Sums over the sessions that are wanted.
    pub(super) fn total(&self, copies: &HashSet<u32>, turns: &[Turn], wanted: &dyn Fn(u32) -> bool) -> TotalSummary {
        let steps = || {
            let all = (0u32..).zip(&self.steps).filter(|(index, step)| !copies.contains(index) && wanted(step.session));
            all.map(|(_, step)| step)
        };
        let calls: Vec<&CallColumn> = self.counted_calls(copies, wanted).collect();
        let mut sum = TokenSum::default();
        steps().for_each(|step| sum.add(step.usage.as_ref()));
        let count = |outcome: Outcome| calls.iter().filter(|call| call.outcome == outcome).count() as u64;
        let times = |pick: fn((i64, i64)) -> i64| {
            let sessions = (0u32..).zip(&self.sessions.rows).filter(|(place, row)| !row.gone && wanted(*place));
            sessions.map(move |(place, _)| pick(self.reach(place))).filter(|ms| *ms != NO_TIME)
        };
        let first = times(|reach| reach.0).min();
        let last = times(|reach| reach.1).max();
        TotalSummary {
            steps: steps().count() as u64,
            retries: steps().map(|step| u64::from(step.attempts - 1)).sum(),
            calls: calls.len() as u64,
            failed_calls: count(Outcome::Failed),
            rejected_calls: count(Outcome::Rejected),
            green_but_failed: calls.iter().filter(|call| call.green_but_failed()).count() as u64,
            started_at: first.and_then(|ms| TimeMs(ms).to_rfc3339()),
            duration_ms: first.zip(last).map(|(first, last)| last.abs_diff(first)),
            working_ms: union_length(calls.iter().filter_map(|call| interval(call)).collect()),
            time: self.phases(turns, wanted).map(|phases| phases.split()),
            tokens: sum.tokens(),
            cost: self.cost_of(steps()),
        }
    }

    pub(super) fn record_counts(&self) -> RecordCounts {
        let dialects = self.dialects();
        let mut counts = RecordCounts::default();
        self.records.iter().for_each(|row| count_record(&mut counts, row, &dialects));
        counts
    }

    pub(super) fn event_counts(&self) -> BTreeMap<String, u64> {
        let dialects = self.dialects();
        let mut counts = BTreeMap::new();
        for event in self.events.iter().filter(|event| Run::shows(event, &dialects)) {
            *counts.entry(event.kind.name().to_owned()).or_default() += 1;
        }
        counts
    }

    /// Calls that are summed: those of sessions that are asked for, and of copies none.
    pub(super) fn counted_calls<'r>(
        &'r self,
        copies: &'r HashSet<u32>,
        wanted: &'r dyn Fn(u32) -> bool,
    ) -> impl Iterator<Item = &'r CallColumn> {
        self.calls.iter().filter(|call| wanted(call.session) && !copies.contains(&call.step))
    }

    /// One entry a tool, over the sessions that are wanted.
    pub(super) fn tools(&self, copies: &HashSet<u32>, wanted: &dyn Fn(u32) -> bool) -> Vec<ToolSummary> {
        let dialects = self.dialects();
        let mut calls_of: BTreeMap<u32, Vec<&CallColumn>> = BTreeMap::new();
        for call in self.counted_calls(copies, wanted) {
            calls_of.entry(call.tool).or_default().push(call);
        }
        let mut events_of: HashMap<u32, BTreeMap<String, u64>> = HashMap::new();
        for event in self.events.iter().filter(|event| wanted(event.session) && Run::shows(event, &dialects)) {
            if let Some(call) = self.calls.get(event.call as usize) {
                *events_of.entry(call.tool).or_default().entry(event.kind.name().to_owned()).or_default() += 1;
            }
        }
        let mut tools: Vec<ToolSummary> = calls_of
            .into_iter()
            .map(|(tool, calls)| {
                let name = self.strings.get(tool).unwrap_or_default().to_owned();
                tool_summary(name, &calls, events_of.remove(&tool).unwrap_or_default())
            })
            .collect();
        tools.order_by(|a, b| b.calls.cmp(&a.calls).then_with(|| a.name.cmp(&b.name)));
        tools
    }

    fn files_touched(&self) -> Vec<FileTouched> {
        let dialects = self.dialects();
        let mut touched: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
        for event in self.events.iter().filter(|event| Run::shows(event, &dialects)) {
            let Some(path) = self.strings.get(event.path) else { continue };
            let (reads, writes) = touched.entry(path).or_default();
            match event.kind {
                Kind::Read => *reads += 1,
                _ => *writes += 1,
            }
        }
        let row = |(path, (reads, writes)): (&str, (u64, u64))| FileTouched { path: path.to_owned(), reads, writes };
        touched.into_iter().map(row).collect()
    }

    /// Lines, and the file of each where there are several.
    fn lines_of(&self, places: &[(u32, u64)]) -> (Vec<u32>, Vec<u64>) {
        let (files, lines) = places.iter().copied().unzip();
        (if self.several_files() { files } else { Vec::new() }, lines)
    }

    fn unknown_type_rows(&self) -> Vec<UnknownType> {
        let row = |(name, (count, places)): (&u32, &Counted)| {
            let (files, lines) = self.lines_of(places);
            UnknownType { name: self.strings.get(*name).map(str::to_owned), count: *count, lines, files }
        };
        let mut out: Vec<UnknownType> = self.unknown_types.iter().map(row).collect();
        out.order_by(|a, b| b.count.cmp(&a.count).then_with(|| a.name.cmp(&b.name)));
        out
    }

    fn unmapped(&self) -> Vec<Unmapped> {
        let mut of_tool: BTreeMap<&str, Counted> = BTreeMap::new();
        let mut reasons: BTreeMap<&str, &str> = BTreeMap::new();
        let dialects = self.dialects();
        for call in &self.calls {
            let Some(dialect) = dialects.of(call.session) else { continue };
            if call.unmapped & dialect.bit() == 0 {
                continue;
            }
            let tool = self.strings.get(call.tool).unwrap_or_default();
            let why = call.why.get(dialect as usize).and_then(|why| self.strings.get(*why)).unwrap_or("no rule");
            reasons.entry(tool).or_insert(why);
            let (count, lines) = of_tool.entry(tool).or_default();
            *count += 1;
            if lines.len() < LINES_KEPT {
                let place = self.place(call.record);
                lines.push((place.file, place.line));
            }
        }
        let row = |(tool, (count, places)): (&str, Counted)| {
            let (files, lines) = self.lines_of(&places);
            let reason = reasons.get(tool).copied().unwrap_or_default().to_owned();
            Unmapped { tool: tool.to_owned(), reason, count, lines, files, suggestion: self.rules.suggestion(tool) }
        };
        let mut out: Vec<Unmapped> = of_tool.into_iter().map(row).collect();
        out.order_by(|a, b| b.count.cmp(&a.count).then_with(|| a.tool.cmp(&b.tool)));
        out
    }
}

fn count_record(counts: &mut RecordCounts, row: &RecordRow, dialects: &Dialects) {
    let Some(dialect) = dialects.of(row.session) else { return };
    let [opencode, kilo] = row.class;
    let count = match if dialect == Dialect::Kilo { kilo } else { opencode } {
        Class::Consumed => &mut counts.consumed,
        Class::Mapped => &mut counts.mapped,
        Class::Unknown => &mut counts.unknown,
        Class::Duplicate => &mut counts.duplicates,
    };
    *count += 1;
    counts.total += 1;
    counts.malformed += u64::from(row.malformed);
}

fn tool_summary(name: String, calls: &[&CallColumn], events: BTreeMap<String, u64>) -> ToolSummary {
    let count = |outcome: Outcome| calls.iter().filter(|call| call.outcome == outcome).count() as u64;
    let mut durations: Vec<u64> = calls.iter().filter_map(|call| call.duration()).collect();
    durations.sort_unstable();
    ToolSummary {
        name,
        calls: calls.len() as u64,
        failed: count(Outcome::Failed),
        rejected: count(Outcome::Rejected),
        green_but_failed: calls.iter().filter(|call| call.green_but_failed()).count() as u64,
        timed: durations.len() as u64,
        p50_ms: nearest_rank(&durations, 50),
        p90_ms: nearest_rank(&durations, 90),
        max_ms: durations.last().copied(),
        total_ms: (!durations.is_empty()).then(|| durations.iter().sum()),
        wall_ms: union_length(calls.iter().filter_map(|call| interval(call)).collect()),
        output_bytes: calls.iter().map(|call| call.output_bytes).sum(),
        events,
    }
}
