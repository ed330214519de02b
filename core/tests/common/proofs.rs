//! What holds of every log, whatever is in it.

use super::{Opened, lines};
use serde_json::value::RawValue;
use std::collections::{BTreeMap, BTreeSet};
use steplens_core::event::{Kind, Outcome};
use steplens_core::run::RecordId;
use steplens_core::summary::{CostSummary, Summary};
use steplens_core::usage::Tokens;
use steplens_core::view::{EventRow, Filter, Row, StepRow};

/// All of them.
#[track_caller]
pub(crate) fn all(opened: &Opened<'_>) {
    let summary = opened.run.summary();
    records_add_up(opened, &summary);
    every_record_is_reachable(opened, &summary);
    let rows = rows(opened);
    rows_are_the_events(opened, &summary, &rows);
    totals_are_sums(opened, &summary);
    filters_add_up(opened, &summary);
    details_are_the_events(opened, &rows);
    windows_agree(opened);
}

/// `total` = `consumed` + `mapped` + `unknown` + `duplicates`; `malformed` is part of `unknown`.
#[track_caller]
pub(crate) fn records_add_up(opened: &Opened<'_>, summary: &Summary) {
    let records = &summary.records;
    assert_eq!(records.total, records.consumed + records.mapped + records.unknown + records.duplicates, "{records:?}");
    assert!(records.malformed <= records.unknown, "{records:?}");
    assert_eq!(records.total, summary.files.iter().map(|file| file.records).sum::<u64>());
    let progress = opened.run.progress();
    assert_eq!(progress.records, records.total);
    assert_eq!(progress.bytes, opened.files.iter().map(|(_, bytes)| bytes.len() as u64).sum::<u64>());
    assert_eq!(progress.lines, summary.files.iter().map(|file| file.lines).sum::<u64>());
    for (file, (name, bytes)) in summary.files.iter().zip(&opened.files) {
        assert_eq!((file.name.as_str(), file.bytes), (*name, bytes.len() as u64));
        let lines =
            bytes.split(|byte| *byte == b'\n').count() - usize::from(bytes.is_empty() || bytes.ends_with(b"\n"));
        assert_eq!(file.lines, lines as u64, "lines of {name}");
    }
}

/// Every line that is not blank has its one record, which leads back to the bytes of the line, and has an explanation.
#[track_caller]
pub(crate) fn every_record_is_reachable(opened: &Opened<'_>, summary: &Summary) {
    let mut reached: BTreeSet<RecordId> = BTreeSet::new();
    for (file, (_, bytes)) in (0u32..).zip(&opened.files) {
        let filled: BTreeMap<u64, (u64, &[u8])> =
            lines::filled(bytes).into_iter().map(|(line, offset, bytes)| (line, (offset, bytes))).collect();
        for line in 1..=summary.files[file as usize].lines {
            let records = opened.run.records_on_line(file, line);
            let Some((offset, bytes)) = filled.get(&line) else {
                assert!(records.is_empty(), "line {line} is blank");
                continue;
            };
            assert_eq!(records.len(), 1, "records on line {line}");
            let span = opened.run.span(records[0]).unwrap();
            assert_eq!((span.file, span.offset), (file, *offset), "line {line}");
            assert_eq!(opened.bytes(span), *bytes, "line {line}");
            let explanation = opened.run.explain(records[0], bytes);
            assert!(!explanation.decisions.is_empty(), "line {line} has no explanation");
            assert!(explanation.decisions.iter().all(|decision| !decision.what.is_empty()), "{explanation:?}");
            reached.insert(records[0]);
        }
        assert!(opened.run.records_on_line(file, 0).is_empty());
        assert!(opened.run.records_on_line(file, summary.files[file as usize].lines + 1).is_empty());
    }
    assert_eq!(reached.len() as u64, summary.records.total);
    assert!(opened.run.event_records().all(|record| reached.contains(&record)));
}

fn rows(opened: &Opened<'_>) -> Vec<EventRow> {
    let view = opened.run.view(&Filter::default());
    let window = opened.run.window(&view, 0..view.len());
    assert_eq!((window.start, window.total, window.rows.len() as u64), (0, view.len(), view.len()));
    let mut rows: Vec<EventRow> = window.rows.into_iter().filter_map(event_row).collect();
    assert_eq!(rows.len() as u64, view.events());
    rows.sort_by_key(|row| (row.file, row.line, row.id));
    rows
}

fn event_row(row: Row) -> Option<EventRow> {
    match row {
        Row::Event(event) => Some(event),
        Row::Step(_) => None,
    }
}

/// The rows of the list, the events that are printed, and the counts of the summary are the same events.
#[track_caller]
pub(crate) fn rows_are_the_events(opened: &Opened<'_>, summary: &Summary, rows: &[EventRow]) {
    let mut events = Vec::new();
    let mut known = BTreeSet::new();
    for record in opened.run.event_records() {
        let span = opened.run.span(record).unwrap();
        let of_record = opened.events_of(record);
        assert!(!of_record.is_empty(), "a record of the list without an event");
        let unknown = of_record.iter().all(|event| event.body.kind() == Kind::Unknown);
        known.insert((record, unknown));
        events.extend(of_record.into_iter().map(|event| (span.file, event)));
    }
    let unknown = known.iter().filter(|(_, unknown)| *unknown).count() as u64;
    assert_eq!((known.len() as u64 - unknown, unknown), (summary.records.mapped, summary.records.unknown));

    let ids: BTreeSet<u32> = rows.iter().map(|row| row.id).collect();
    assert_eq!(ids.len(), rows.len(), "ids of rows are unique");
    assert_eq!(rows.len(), events.len(), "as many rows as events");
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    for (row, (file, event)) in rows.iter().zip(&events) {
        let (line, kind) = (event.line, event.body.kind());
        *counts.entry(kind.name().to_owned()).or_default() += 1;
        assert_eq!((row.file, row.line, row.kind), (*file, line, kind));
        let call = event.call.as_ref();
        let shown = (row.time, row.tool.as_deref(), row.outcome, row.duration_ms);
        let emitted = (
            event.timestamp,
            call.map(|call| call.tool.as_str()),
            call.map(|call| call.outcome),
            call.and_then(|call| call.duration_ms),
        );
        assert_eq!(shown, emitted, "the row and the event of line {line}");
        let green = call.is_some_and(|call| call.is_success == Some(true) && call.outcome == Outcome::Failed);
        assert_eq!(row.green_but_failed, green, "line {line}");
        assert_eq!(summary.sessions[row.session as usize].id, event.session_id, "the session of line {line}");
        let several = opened.files.len() > 1;
        assert_eq!(event.file.as_deref(), several.then_some(opened.files[*file as usize].0), "line {line}");

        let json = event.to_json_line();
        let _: &RawValue = serde_json::from_str(&json).unwrap_or_else(|error| panic!("{error}: {json}"));
        assert!(!json.contains(['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}']), "a line end in {json:?}");
        assert!(opened.run.records_on_line(*file, line).len() == 1, "line {line} of an event");
    }
    assert_eq!(counts, summary.events, "the summary counts the lines of the events");
    assert_eq!(opened.run.event_records().count() as u64, summary.records.mapped + summary.records.unknown);
}

/// Totals are the sums of sessions, of steps and of tools.
#[track_caller]
pub(crate) fn totals_are_sums(opened: &Opened<'_>, summary: &Summary) {
    let total = &summary.total;
    let sum = |pick: fn(&steplens_core::summary::SessionSummary) -> u64| summary.sessions.iter().map(pick).sum::<u64>();
    assert_eq!(total.steps, sum(|session| session.steps));
    assert_eq!(total.retries, sum(|session| session.retries));
    assert_eq!(total.calls, sum(|session| session.calls));
    let sum = |pick: fn(&steplens_core::summary::ToolSummary) -> u64| summary.tools.iter().map(pick).sum::<u64>();
    assert_eq!(total.calls, sum(|tool| tool.calls));
    assert_eq!(total.failed_calls, sum(|tool| tool.failed));
    assert_eq!(total.rejected_calls, sum(|tool| tool.rejected));
    assert_eq!(total.green_but_failed, sum(|tool| tool.green_but_failed));
    tokens_are_sums(&total.tokens, &summary.sessions.iter().map(|session| session.tokens).collect::<Vec<_>>());
    cost_is_sum(&total.cost, &summary.sessions.iter().map(|session| session.cost.clone()).collect::<Vec<_>>());
    let durations = summary.sessions.iter().filter_map(|session| session.duration_ms);
    assert!(total.duration_ms >= durations.max(), "the whole takes no less than a part of it");
    let start = summary.sessions.iter().filter_map(|session| session.started_at.clone()).min();
    assert_eq!(total.started_at, start);

    let steps = opened.run.steps(0..u64::MAX);
    assert_eq!((steps.start, steps.total, steps.rows.len() as u64), (0, total.steps, total.steps));
    tokens_are_sums(&total.tokens, &steps.rows.iter().map(|row| row.tokens).collect::<Vec<_>>());
    let largest = steps.rows.iter().filter_map(|row| row.tokens.total).max().unwrap_or(0);
    assert_eq!(steps.max_tokens, largest);
    for (index, session) in (0u32..).zip(&summary.sessions) {
        let of_session: Vec<&StepRow> = steps.rows.iter().map(|row| &row.step).filter(|s| s.session == index).collect();
        assert_eq!(of_session.len() as u64, session.steps);
        assert!(of_session.iter().map(|step| step.number).eq(1..=session.steps), "steps are numbered in order");
        assert_eq!(of_session.iter().map(|step| u64::from(step.attempts) - 1).sum::<u64>(), session.retries);
        assert!(of_session.iter().map(|step| step.calls).sum::<u64>() <= session.calls);
    }
    let from_calls = summary.tools.iter().flat_map(|tool| tool.events.values()).sum::<u64>();
    let calls = opened.event_lines().iter().filter(|line| line.contains("\"outcome\":")).count() as u64;
    assert!(from_calls <= summary.events.values().sum::<u64>() && from_calls <= calls);
    for tool in &summary.tools {
        assert!(tool.green_but_failed <= tool.failed && tool.failed + tool.rejected <= tool.calls, "{tool:?}");
        assert!(tool.timed <= tool.calls && (tool.timed == 0) == tool.max_ms.is_none(), "{tool:?}");
        assert!(tool.p50_ms <= tool.p90_ms && tool.p90_ms <= tool.max_ms && tool.max_ms <= tool.total_ms, "{tool:?}");
        assert!(tool.wall_ms <= tool.total_ms && tool.max_ms <= tool.wall_ms, "{tool:?}");
    }
    for tool in &summary.unmapped {
        let row = summary.tools.iter().find(|row| row.name == tool.tool).expect("an unmapped tool has its row");
        assert!(tool.count <= row.calls && tool.lines.len() as u64 <= tool.count, "{tool:?}");
    }
    for (kind, count) in &summary.diagnostic_counts {
        let listed = summary.diagnostics.iter().filter(|diagnostic| diagnostic.kind == *kind).count() as u64;
        assert_eq!(listed, (*count).min(steplens_core::run::DIAGNOSTICS_KEPT as u64), "{kind}");
    }
}

#[track_caller]
fn tokens_are_sums(total: &Tokens, parts: &[Tokens]) {
    let sum = |pick: fn(&Tokens) -> Option<u64>| parts.iter().filter_map(pick).reduce(u64::saturating_add);
    assert_eq!(total.uncached_input, sum(|part| part.uncached_input));
    assert_eq!(total.cached_input, sum(|part| part.cached_input));
    assert_eq!(total.cache_creation, sum(|part| part.cache_creation));
    assert_eq!(total.output, sum(|part| part.output));
    assert_eq!(total.reasoning, sum(|part| part.reasoning));
    let add = |a: Option<u64>, b: Option<u64>| [a, b].into_iter().flatten().reduce(u64::saturating_add);
    assert_eq!(total.input, add(total.uncached_input, total.cached_input));
    assert_eq!(total.total, add(add(total.input, total.output), total.reasoning));
    assert!(total.cache_creation <= total.uncached_input);
    assert!(total.partial || parts.iter().all(|part| !part.partial), "a sum of lower bounds is one");
}

#[track_caller]
fn cost_is_sum(total: &CostSummary, parts: &[CostSummary]) {
    let sum = parts.iter().filter_map(|part| part.reported_usd).reduce(|a, b| a + b);
    match (total.reported_usd, sum) {
        (Some(total), Some(sum)) => assert!((total - sum).abs() <= 1e-9 * sum.max(1.0), "{total} is not {sum}"),
        (total, sum) => assert_eq!(total, sum),
    }
    assert!(total.partial || parts.iter().all(|part| !part.partial));
}

/// Without a filter a list has all events; the lists of all kinds, and those of all sessions, have each event once.
#[track_caller]
pub(crate) fn filters_add_up(opened: &Opened<'_>, summary: &Summary) {
    let run = &opened.run;
    let all = summary.events.values().sum::<u64>();
    let counts = run.filter_counts(None);
    assert_eq!(run.view(&Filter::default()).events(), all);
    assert_eq!(counts.all, all);
    let by_kind: BTreeMap<String, u64> = counts.kinds.iter().map(|(kind, n)| (kind.name().to_owned(), *n)).collect();
    assert_eq!(by_kind, summary.events);
    let events = |filter: Filter| run.view(&filter).events();
    for kind in Kind::ALL {
        let count = summary.events.get(kind.name()).copied().unwrap_or(0);
        assert_eq!(events(Filter { kinds: vec![kind], ..Filter::default() }), count, "{kind:?}");
    }
    assert_eq!(events(Filter { kinds: Kind::ALL.to_vec(), ..Filter::default() }), all);
    let outcome = |outcome| events(Filter { outcomes: vec![outcome], ..Filter::default() });
    assert_eq!((outcome(Outcome::Failed), outcome(Outcome::Rejected)), (counts.failed, counts.rejected));
    let green = events(Filter { green_but_failed: true, ..Filter::default() });
    assert_eq!(green, counts.green_but_failed);
    assert!(green <= counts.failed);
    let every = [Outcome::Ok, Outcome::Failed, Outcome::Rejected, Outcome::Unknown];
    let calls = events(Filter { outcomes: every.to_vec(), ..Filter::default() });
    assert_eq!(every.into_iter().map(outcome).sum::<u64>(), calls);
    let by_tool = |name: &str| events(Filter { tools: vec![name.to_owned()], ..Filter::default() });
    for tool in &summary.tools {
        assert_eq!(by_tool(&tool.name), tool.events.values().sum::<u64>(), "events of {}", tool.name);
    }
    let mut of_sessions = 0;
    for session in 0..summary.sessions.len() as u32 {
        let of_session = events(Filter { session: Some(session), ..Filter::default() });
        assert_eq!(of_session, run.filter_counts(Some(session)).all);
        of_sessions += of_session;
    }
    assert_eq!(of_sessions, all);
}

/// The detail of a row holds the very event that is printed, and the row is found again by its line and by its id.
#[track_caller]
pub(crate) fn details_are_the_events(opened: &Opened<'_>, rows: &[EventRow]) {
    let run = &opened.run;
    let view = run.view(&Filter::default());
    for (row, printed) in rows.iter().zip(opened.event_lines()) {
        let span = run.span_of_event(row.id).expect("a row has a place");
        let detail = run.detail(row.id, opened.bytes(span)).expect("a row has a detail");
        assert_eq!((detail.id, detail.line), (row.id, row.line));
        assert_eq!(compact(&detail.event), compact(&printed), "the detail of line {}", row.line);
        assert_eq!(detail.raw, String::from_utf8_lossy(opened.bytes(span)));
        assert!(!detail.explanation.decisions.is_empty());
        assert!(detail.siblings >= 1);
        let found = run.row_of_event(&view, row.id).expect("a row is found by its id");
        let window = run.window(&view, found..found + 1);
        assert_eq!(window.rows, [Row::Event(row.clone())]);
        let at_line = run.row_of_line(&view, row.file, row.line);
        assert!(at_line.is_some(), "line {} leads to a row", row.line);
    }
}

/// JSON without the white space between its tokens, and with the escapes of line ends undone.
fn compact(json: &str) -> String {
    let mut out = String::new();
    let mut chars = json.chars();
    while let Some(c) = chars.next() {
        match c {
            '"' => {
                out.push('"');
                while let Some(c) = chars.next() {
                    out.push(c);
                    match c {
                        '\\' => out.extend(chars.next()),
                        '"' => break,
                        _ => {}
                    }
                }
            }
            c if c.is_ascii_whitespace() => {}
            c => out.push(c),
        }
    }
    out.replace("\\u0085", "\u{85}").replace("\\u2028", "\u{2028}").replace("\\u2029", "\u{2029}")
}

/// Windows of any cut show the rows of the whole.
#[track_caller]
pub(crate) fn windows_agree(opened: &Opened<'_>) {
    let run = &opened.run;
    let view = run.view(&Filter::default());
    let whole = run.window(&view, 0..view.len()).rows;
    let mut pieces = Vec::new();
    for start in (0..view.len()).step_by(3) {
        let window = run.window(&view, start..start + 3);
        assert_eq!(window.start, start);
        pieces.extend(window.rows);
    }
    assert_eq!(pieces, whole);
    let mut steps = Vec::new();
    for start in (0..run.steps(0..0).total).step_by(2) {
        steps.extend(run.steps(start..start + 2).rows);
    }
    assert_eq!(steps, run.steps(0..u64::MAX).rows);
}
