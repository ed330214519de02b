//! What holds of every log, whatever is in it.

use super::{Opened, lines};
use serde_json::value::RawValue;
use std::collections::{BTreeMap, BTreeSet};
use steplens_core::event::{Body, Event, Kind, Outcome};
use steplens_core::run::RecordId;
use steplens_core::summary::{CostSummary, RecordCounts, Summary};
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
    findings_lead_somewhere(opened, &summary);
    time_adds_up(&summary);
    super::overview::holds(opened, &summary);
}

/// `total` = `consumed` + `mapped` + `unknown` + `duplicates`; `malformed` is part of `unknown`.
#[track_caller]
pub(crate) fn records_add_up(opened: &Opened<'_>, summary: &Summary) {
    let records = &summary.records;
    assert_eq!(records.total, records.consumed + records.mapped + records.unknown + records.duplicates, "{records:?}");
    assert!(records.malformed <= records.unknown, "{records:?}");
    assert_eq!(records.total, summary.files.iter().map(|file| file.records).sum::<u64>());
    let of_files =
        |pick: fn(&RecordCounts) -> u64| summary.files.iter().map(|file| pick(&file.contributed)).sum::<u64>();
    let sums = RecordCounts {
        total: of_files(|file| file.total),
        consumed: of_files(|file| file.consumed),
        mapped: of_files(|file| file.mapped),
        unknown: of_files(|file| file.unknown),
        duplicates: of_files(|file| file.duplicates),
        malformed: of_files(|file| file.malformed),
    };
    assert_eq!(sums, *records, "what the files contributed");
    let progress = opened.run.progress();
    assert_eq!(progress.records, records.total);
    assert_eq!(progress.bytes, opened.files.iter().map(|(_, bytes)| bytes.len() as u64).sum::<u64>());
    assert_eq!(progress.lines, summary.files.iter().map(|file| file.lines).sum::<u64>());
    for (file, (name, bytes)) in summary.files.iter().zip(&opened.files) {
        assert_eq!((file.name.as_str(), file.bytes), (*name, bytes.len() as u64));
        let lines =
            bytes.split(|byte| *byte == b'\n').count() - usize::from(bytes.is_empty() || bytes.ends_with(b"\n"));
        let wide = file.encoding.starts_with("utf-16");
        assert!(wide || file.lines == lines as u64, "{name} has {lines} lines, not {}", file.lines);
    }
}

/// Every record is on the line that it says, within its file, and has an explanation.
#[track_caller]
pub(crate) fn every_record_is_reachable(opened: &Opened<'_>, summary: &Summary) {
    let mut reached: BTreeSet<RecordId> = BTreeSet::new();
    for (file, (_, bytes)) in (0u32..).zip(&opened.files) {
        let info = &summary.files[file as usize];
        for line in 1..=info.lines {
            for record in opened.run.records_on_line(file, line) {
                let span = opened.run.span(record).unwrap();
                assert_eq!(span.file, file);
                let from = span.offset as usize;
                assert!(from + span.len as usize <= bytes.len(), "{span:?} is beyond the end of the file");
                if !info.encoding.starts_with("utf-16") {
                    let before = bytes[..from].iter().filter(|byte| **byte == b'\n').count();
                    assert_eq!(before as u64 + 1, line, "the line of byte {from}");
                }
                let explanation = opened.run.explain(record, opened.bytes(span));
                assert!(!explanation.decisions.is_empty(), "line {line} has no explanation");
                assert!(explanation.decisions.iter().all(|decision| !decision.what.is_empty()), "{explanation:?}");
                assert!(reached.insert(record), "a record stands once");
            }
        }
        assert!(opened.run.records_on_line(file, 0).is_empty());
        assert!(opened.run.records_on_line(file, info.lines + 1).is_empty());
    }
    assert_eq!(reached.len() as u64, summary.records.total);
    assert!(opened.run.event_records().all(|record| reached.contains(&record)));
}

/// Of a log without prefixes: what is in no record is white space, or holds a list together.
#[track_caller]
pub(crate) fn every_byte_is_in_a_record(opened: &Opened<'_>) {
    let summary = opened.run.summary();
    for ((file, (_, bytes)), info) in (0u32..).zip(&opened.files).zip(&summary.files) {
        if !info.encoding.starts_with("utf-8") || !matches!(info.format.as_deref(), None | Some("step-stream")) {
            continue;
        }
        let mut covered = vec![false; bytes.len()];
        for record in (1..=info.lines).flat_map(|line| opened.run.records_on_line(file, line)) {
            let span = opened.run.span(record).unwrap();
            covered[span.offset as usize..(span.offset + span.len) as usize].fill(true);
        }
        let left: Vec<u8> = bytes.iter().zip(&covered).filter(|(_, covered)| !**covered).map(|(b, _)| *b).collect();
        let left = String::from_utf8_lossy(&left).into_owned();
        let structure = |c: char| c.is_whitespace() || matches!(c, '[' | ']' | ',' | '\u{FEFF}');
        assert!(left.chars().all(structure), "bytes that no record holds: {left:?}");
    }
}

/// Of a log that has one record a line: every line that is not blank has its record, and nothing else is one.
#[track_caller]
pub(crate) fn one_record_a_line(opened: &Opened<'_>) {
    for (file, (_, bytes)) in (0u32..).zip(&opened.files) {
        let filled = lines::filled(bytes);
        for (line, offset, bytes) in &filled {
            let records = opened.run.records_on_line(file, *line);
            assert_eq!(records.len(), 1, "records on line {line}");
            let span = opened.run.span(records[0]).unwrap();
            assert_eq!((span.file, span.offset), (file, *offset), "line {line}");
            assert_eq!(opened.bytes(span), *bytes, "line {line}");
        }
        assert_eq!(filled.len() as u64, opened.run.summary().files[file as usize].records);
    }
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
        Row::Step(_) | Row::Turn(_) | Row::Ask(_) => None,
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
    // Several records may share a line, so that rows and events are the same as sets, not one by one.
    let mut shown: Vec<String> = rows.iter().map(|row| face_of_row(row, summary)).collect();
    let mut emitted: Vec<String> = events.iter().map(|(file, event)| face_of_event(*file, event)).collect();
    shown.sort();
    emitted.sort();
    assert_eq!(shown, emitted, "the rows are the events");
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    for (file, event) in &events {
        *counts.entry(event.body.kind().name().to_owned()).or_default() += 1;
        let several = opened.files.len() > 1;
        assert_eq!(event.file.as_deref(), several.then_some(opened.files[*file as usize].0), "line {}", event.line);
        let json = event.to_json_line();
        let _: &RawValue = serde_json::from_str(&json).unwrap_or_else(|error| panic!("{error}: {json}"));
        assert!(!json.contains(['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}']), "a line end in {json:?}");
        assert!(!opened.run.records_on_line(*file, event.line).is_empty(), "line {} of an event", event.line);
    }
    assert_eq!(counts, summary.events, "the summary counts the lines of the events");
    assert_eq!(opened.run.event_records().count() as u64, summary.records.mapped + summary.records.unknown);
}

/// What a row and an event say alike.
fn face_of_row(row: &EventRow, summary: &Summary) -> String {
    let session = summary.sessions.get(row.session as usize).and_then(|session| session.id.as_deref());
    let EventRow { file, line, kind, time, tool, outcome, duration_ms, green_but_failed, synthetic, .. } = row;
    format!(
        "{file}:{line} {kind:?} {session:?} {time:?} {tool:?} {outcome:?} {duration_ms:?} {green_but_failed} {synthetic}"
    )
}

fn face_of_event(file: u32, event: &Event) -> String {
    let call = event.call.as_ref();
    let green = call.is_some_and(|call| call.is_success == Some(true) && call.outcome == Outcome::Failed);
    let synthetic = matches!(event.body, Body::Agent { synthetic: true, .. });
    let (line, kind, session, time) = (event.line, event.body.kind(), event.session_id.as_deref(), event.timestamp);
    let (tool, outcome) = (call.map(|call| call.tool.clone()), call.map(|call| call.outcome));
    let duration_ms = call.and_then(|call| call.duration_ms);
    format!("{file}:{line} {kind:?} {session:?} {time:?} {tool:?} {outcome:?} {duration_ms:?} {green} {synthetic}")
}

/// Totals are the sums of sessions, of steps and of tools.
#[track_caller]
pub(crate) fn totals_are_sums(opened: &Opened<'_>, summary: &Summary) {
    let total = &summary.total;
    // A fork holds copies of its parent's steps, which the totals count once.
    if summary.limits.iter().any(|limit| limit.contains("copies of another session")) {
        return;
    }
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
    let counts = run.filter_counts(&Filter::default());
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
    assert_eq!((outcome(Outcome::Ok), outcome(Outcome::Unknown)), (counts.ok, counts.unknown));
    let green = events(Filter { green_but_failed: true, ..Filter::default() });
    assert_eq!(green, counts.green_but_failed);
    assert!(green <= counts.failed);
    let every = [Outcome::Ok, Outcome::Failed, Outcome::Rejected, Outcome::Unknown];
    let calls = events(Filter { outcomes: every.to_vec(), ..Filter::default() });
    assert_eq!(every.into_iter().map(outcome).sum::<u64>(), calls);
    let by_tool = |name: &str| events(Filter { tools: vec![name.to_owned()], ..Filter::default() });
    for tool in &summary.tools {
        let n = tool.events.values().sum::<u64>();
        assert_eq!(by_tool(&tool.name), n, "events of {}", tool.name);
        let chip = counts.tools.iter().find(|(name, _)| *name == tool.name);
        assert_eq!(chip.map_or(0, |(_, n)| *n), n, "the chip of {}", tool.name);
    }
    let mut of_sessions = 0;
    for session in 0..summary.sessions.len() as u32 {
        let filter = Filter { session: Some(session), ..Filter::default() };
        let of_session = events(filter.clone());
        assert_eq!(of_session, run.filter_counts(&filter).all);
        of_sessions += of_session;
    }
    assert_eq!(of_sessions, all);
}

/// What the time went to adds up to the duration.
#[track_caller]
pub(crate) fn time_adds_up(summary: &Summary) {
    let sum = summary.total.time.map(|t| t.waiting_ms + t.tools_ms + t.model_ms + t.idle_ms + t.unknown_ms);
    assert_eq!(sum, summary.total.duration_ms);
}

/// The detail of a row holds the very event that is printed, and the row is found again by its line and by its id.
#[track_caller]
pub(crate) fn details_are_the_events(opened: &Opened<'_>, rows: &[EventRow]) {
    let run = &opened.run;
    let view = run.view(&Filter::default());
    let utf8 = run.summary().files.iter().all(|file| file.encoding.starts_with("utf-8"));
    let mut whole = Vec::new();
    for row in rows {
        let span = run.span_of_event(row.id).expect("a row has a place");
        let detail = run.detail(row.id, opened.bytes(span)).expect("a row has a detail");
        assert_eq!((detail.id, detail.line), (row.id, row.line));
        whole.push(compact(&detail.event));
        if utf8 {
            assert_eq!(detail.raw, String::from_utf8_lossy(opened.bytes(span)));
        }
        assert!(!detail.explanation.decisions.is_empty());
        assert!(detail.siblings >= 1);
        let found = run.row_of_event(&view, row.id).expect("a row is found by its id");
        let window = run.window(&view, found..found + 1);
        assert_eq!(window.rows, [Row::Event(row.clone())]);
        let at_line = run.row_of_line(&view, row.file, row.line);
        assert!(at_line.is_some(), "line {} leads to a row", row.line);
    }
    let mut printed: Vec<String> = opened.event_lines().iter().map(|line| compact(line)).collect();
    whole.sort();
    printed.sort();
    assert_eq!(whole, printed, "the details are the events");
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

/// What the findings point at is there, and those that the totals count are as many.
#[track_caller]
pub(crate) fn findings_lead_somewhere(opened: &Opened<'_>, summary: &Summary) {
    for finding in &summary.findings {
        assert!(!opened.run.records_on_line(finding.file, finding.line).is_empty(), "{finding:?}");
    }
    let places: Vec<_> = summary.findings.iter().map(|finding| (finding.file, finding.line)).collect();
    assert!(places.is_sorted(), "findings stand in file order");
    let count = |kind: &str| summary.findings.iter().filter(|finding| finding.kind == kind).count() as u64;
    if places.len() < 500 {
        assert_eq!(count("green-but-failed"), summary.total.green_but_failed);
    }
    let unknown = summary.unknown_types.iter().map(|kind| kind.count).sum::<u64>();
    assert!(unknown <= summary.records.unknown, "{:?}", summary.unknown_types);
}
