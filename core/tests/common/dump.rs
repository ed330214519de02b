//! A run as text for a reader: what a snapshot keeps. Everything that the summary and the events say is in it, an event a
//! line. What is zero or absent is left out, except where that is the point.

use super::Opened;
use serde_json::Value;
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use std::fmt::Write;
use steplens_core::event::Kind;
use steplens_core::summary::{
    CostSummary, Diagnostic, FileTouched, Finding, SessionSummary, Summary, ToolSummary, UnknownType, Unmapped,
};
use steplens_core::usage::Tokens;
use steplens_core::view::{EventRow, Filter, Row, StepRow};

/// The dump.
pub(crate) fn dump(opened: &Opened<'_>) -> String {
    let summary = opened.run.summary();
    let mut out = head(&summary);
    for session in &summary.sessions {
        section(&mut out, &title(session), of_session(session));
    }
    section(&mut out, "total", totals(&summary));
    section(&mut out, "steps", rows(opened).iter().filter_map(step));
    section(&mut out, "tools", summary.tools.iter().map(tool));
    section(&mut out, "files touched", summary.files_touched.iter().map(touched));
    section(&mut out, "unmapped", summary.unmapped.iter().map(unmapped));
    section(&mut out, "unknown types", summary.unknown_types.iter().map(unknown_type));
    section(&mut out, "findings", summary.findings.iter().map(|finding| found(finding, &summary)));
    section(&mut out, "limits", summary.limits.iter().cloned());
    let mut diagnostics: Vec<&Diagnostic> = summary.diagnostics.iter().collect();
    diagnostics.sort_by_key(|diagnostic| (diagnostic.file, diagnostic.line));
    section(&mut out, "diagnostics", diagnostics.into_iter().map(|diagnostic| diagnosed(diagnostic, &summary)));
    section(&mut out, "events", events(opened, &summary));
    out
}

fn section(out: &mut String, title: &str, lines: impl IntoIterator<Item = String>) {
    let mut lines = lines.into_iter().peekable();
    if lines.peek().is_some() {
        writeln!(out, "\n{title}").unwrap();
    }
    lines.for_each(|line| writeln!(out, "  {line}").unwrap());
}

fn head(summary: &Summary) -> String {
    assert_eq!(summary.schema, 1);
    let mut out = String::new();
    for file in &summary.files {
        let format = file.format.as_deref().unwrap_or("no format");
        let packed = file.compression.as_ref().map(|name| format!(" in {name}")).unwrap_or_default();
        let (lines, records) = (count(file.lines, "line"), count(file.records, "record"));
        let (name, encoding, bytes) = (&file.name, &file.encoding, count(file.bytes, "byte"));
        writeln!(out, "{name}: {format}, {encoding}{packed}, {bytes}, {lines}, {records}").unwrap();
        if !file.evidence.is_empty() {
            writeln!(out, "format  {} % sure: {}", file.confidence, file.evidence.join("; ")).unwrap();
        }
    }
    let evidence = match summary.dialect_evidence.as_slice() {
        [] => "no mark of Kilo".to_owned(),
        marks => marks.join("; "),
    };
    writeln!(out, "dialect {} ({evidence})", summary.dialect).unwrap();
    let records = &summary.records;
    let malformed = if records.malformed > 0 { format!(" ({} malformed)", records.malformed) } else { String::new() };
    writeln!(
        out,
        "records {} = {} mapped + {} consumed + {} unknown{malformed} + {} duplicates",
        records.total, records.mapped, records.consumed, records.unknown, records.duplicates
    )
    .unwrap();
    writeln!(out, "events  {}", kinds(&summary.events)).unwrap();
    out
}

fn title(session: &SessionSummary) -> String {
    let id = session.id.as_deref().map_or_else(|| "without an id".to_owned(), quoted);
    let parent = session.parent.as_ref().map(|parent| format!(", child of {}", quoted(parent))).unwrap_or_default();
    let title = session.title.as_ref().map(|title| format!(" {}", quoted(title))).unwrap_or_default();
    format!("session {id}{title}{parent}")
}

fn of_session(session: &SessionSummary) -> Vec<String> {
    let (steps, retries, calls) =
        (count(session.steps, "step"), count(session.retries, "retry"), count(session.calls, "call"));
    let (dialect, model) = (&session.dialect, or_unknown(session.model.as_deref()));
    let (start, end) = (or_unknown(session.started_at.as_deref()), or_unknown(session.ended_at.as_deref()));
    let mut out = vec![
        format!("{}: {}", session.verdict.state.name(), session.verdict.reason),
        format!("{steps}, {retries}, {calls}; {dialect}; model {model}"),
        format!(
            "{start} to {end}, {} ms; {}, {} ms idle",
            figure(session.duration_ms),
            count(session.turns, "turn"),
            figure(session.idle_ms)
        ),
        of_tokens(&session.tokens),
        of_cost(&session.cost),
    ];
    out.extend(reconciled(&session.cost));
    out
}

fn totals(summary: &Summary) -> Vec<String> {
    let total = &summary.total;
    let (steps, retries, calls) =
        (count(total.steps, "step"), count(total.retries, "retry"), count(total.calls, "call"));
    let (green, start) = (total.green_but_failed, or_unknown(total.started_at.as_deref()));
    let (failed, rejected) = (total.failed_calls, total.rejected_calls);
    let mut out = vec![
        format!("{steps}, {retries}, {calls}: {failed} failed ({green} of them green), {rejected} rejected"),
        format!("from {start}, {} ms, {} ms of it in calls", figure(total.duration_ms), figure(total.working_ms)),
        of_tokens(&total.tokens),
        of_cost(&total.cost),
    ];
    out.extend(reconciled(&total.cost));
    out
}

fn of_tokens(tokens: &Tokens) -> String {
    let partial = if tokens.partial { "at least " } else { "" };
    if (Tokens { partial: false, ..*tokens }) == Tokens::default() {
        return format!("tokens {partial}unknown");
    }
    format!(
        "tokens {partial}{} = input {} (uncached {}, of it cache writes {}; cached {}) + output {} + reasoning {}",
        figure(tokens.total),
        figure(tokens.input),
        figure(tokens.uncached_input),
        figure(tokens.cache_creation),
        figure(tokens.cached_input),
        figure(tokens.output),
        figure(tokens.reasoning)
    )
}

fn of_cost(cost: &CostSummary) -> String {
    let partial = if cost.partial { "at least " } else { "" };
    let why = cost.unknown_because.as_ref().map(|why| format!(" ({why})")).unwrap_or_default();
    let model = cost.model.as_ref().map(|model| format!("; for {model}")).unwrap_or_default();
    let source = cost.price_source.as_ref().map(|source| format!("; prices from {source}")).unwrap_or_default();
    let lacking = if cost.derived_partial { " (both at least)" } else { "" };
    let (reported, comparable, list) = (usd(cost.reported_usd), usd(cost.comparable_usd), usd(cost.list_usd));
    format!("cost {partial}{reported} reported; comparable {comparable}, list {list}{lacking}{why}{model}{source}")
}

/// The reported cost against the derived ones.
fn reconciled(cost: &CostSummary) -> Vec<String> {
    let Some(of) = &cost.reconciliation else { return Vec::new() };
    let mut out = vec![format!("reconciled over {} of {}", of.steps, count(of.of_steps, "step"))];
    for (name, compared) in [("comparable", &of.comparable), ("list", &of.list)] {
        if let Some(compared) = compared {
            let percent = compared.difference_percent.map_or("unknown".to_owned(), |percent| format!("{percent:.2}"));
            let (difference, verdict) = (compared.difference_usd, &compared.verdict);
            out.push(format!("  {name}: {difference} USD, {percent} %: {verdict}"));
        }
    }
    out.extend(of.assumptions.iter().map(|assumption| format!("  list assumes: {assumption}")));
    out
}

fn usd(value: Option<f64>) -> String {
    value.map_or_else(|| "unknown".to_owned(), |value| format!("{value} USD"))
}

fn figure(value: Option<u64>) -> String {
    value.map_or_else(|| "unknown".to_owned(), |value| value.to_string())
}

fn or_unknown(text: Option<&str>) -> &str {
    text.unwrap_or("unknown")
}

fn count(count: u64, noun: &str) -> String {
    match (count, noun) {
        (1, _) => format!("1 {noun}"),
        (_, "retry") => format!("{count} retries"),
        _ => format!("{count} {noun}s"),
    }
}

fn kinds(counts: &BTreeMap<String, u64>) -> String {
    if counts.is_empty() {
        return "none".to_owned();
    }
    counts.iter().map(|(kind, count)| format!("{kind} {count}")).collect::<Vec<_>>().join(", ")
}

/// All rows of the list without a filter.
fn rows(opened: &Opened<'_>) -> Vec<Row> {
    let view = opened.run.view(&Filter::default());
    opened.run.window(&view, 0..view.len()).rows
}

fn step(row: &Row) -> Option<String> {
    let Row::Step(step) = row else { return None };
    let StepRow { number, session, line, .. } = step;
    let reason = match (&step.reason, step.finished) {
        (Some(reason), _) => quoted(reason),
        (None, true) => "no reason".to_owned(),
        (None, false) => "never finished".to_owned(),
    };
    let attempts = if step.attempts > 1 { format!(", {} attempts", step.attempts) } else { String::new() };
    let failed = if step.failed > 0 { format!(" ({} failed)", step.failed) } else { String::new() };
    let calls = if step.calls > 0 { format!(", {}{failed}", count(step.calls, "call")) } else { String::new() };
    let (tokens, cost, ms) = (figure(step.tokens), usd(step.cost_usd), figure(step.duration_ms));
    Some(format!("{session}.{number} line {line}: {reason}{attempts}{calls}; tokens {tokens}; cost {cost}; {ms} ms"))
}

fn tool(tool: &ToolSummary) -> String {
    let mut out = format!("{}: {}", quoted(&tool.name), count(tool.calls, "call"));
    if tool.failed > 0 {
        let green =
            if tool.green_but_failed > 0 { format!(" ({} green)", tool.green_but_failed) } else { String::new() };
        write!(out, ", {} failed{green}", tool.failed).unwrap();
    }
    if tool.rejected > 0 {
        write!(out, ", {} rejected", tool.rejected).unwrap();
    }
    let events = kinds(&tool.events);
    write!(out, "; events {events}; {} of output; ", count(tool.output_bytes, "byte")).unwrap();
    let (max, total, wall) = (figure(tool.max_ms), figure(tool.total_ms), figure(tool.wall_ms));
    let (p50, p90) = (figure(tool.p50_ms), figure(tool.p90_ms));
    match tool.timed {
        0 => out.push_str("no duration known"),
        1 if tool.calls == 1 => write!(out, "{total} ms").unwrap(),
        timed => write!(out, "{timed} timed: p50 {p50}, p90 {p90}, max {max}, total {total}, wall {wall} ms").unwrap(),
    }
    out
}

fn touched(file: &FileTouched) -> String {
    format!("{}: {}, {}", quoted(&file.path), count(file.reads, "read"), count(file.writes, "write"))
}

fn unmapped(tool: &Unmapped) -> String {
    let lines: Vec<String> = tool.lines.iter().map(u64::to_string).collect();
    let suggested = if tool.suggestion.is_some() { "; a rule is suggested" } else { "" };
    format!("{}: {}, line {}{suggested}", quoted(&tool.tool), count(tool.count, "call"), lines.join(", "))
}

fn unknown_type(unknown: &UnknownType) -> String {
    let name = unknown.name.as_deref().map_or_else(|| "no type".to_owned(), quoted);
    let lines: Vec<String> = unknown.lines.iter().map(u64::to_string).collect();
    format!("{name}: {}, line {}", count(unknown.count, "record"), lines.join(", "))
}

fn found(finding: &Finding, summary: &Summary) -> String {
    let Finding { kind, file, line, message } = finding;
    let file = if summary.files.len() > 1 { format!("{} ", summary.files[*file as usize].name) } else { String::new() };
    format!("{file}line {line}: {kind}: {}", short(message))
}

fn diagnosed(diagnostic: &Diagnostic, summary: &Summary) -> String {
    let Diagnostic { kind, file, line, offset, message } = diagnostic;
    let file = match summary.files.len() {
        1 => String::new(),
        _ => format!("{} ", summary.files[*file as usize].name),
    };
    format!("{file}line {line} at byte {offset}: {kind}: {}", short(message))
}

/// An event a line, in file order, with what its row shows beside it.
fn events(opened: &Opened<'_>, summary: &Summary) -> Vec<String> {
    let event = |row| match row {
        Row::Event(event) => Some(event),
        Row::Step(_) | Row::Turn(_) | Row::Ask(_) => None,
    };
    let mut rows: Vec<EventRow> = rows(opened).into_iter().filter_map(event).collect();
    rows.sort_by_key(|row| (row.file, row.line, row.id));
    let lines = opened.event_lines();
    assert_eq!(lines.len(), rows.len(), "as many events as rows");
    let several = summary.sessions.len() > 1;
    lines.iter().zip(&rows).map(|(line, row)| one_event(line, row, several)).collect()
}

fn one_event(line: &str, row: &EventRow, several: bool) -> String {
    let mut fields: BTreeMap<String, &RawValue> = serde_json::from_str(line).unwrap();
    let mut take = |key: &str| fields.remove(key).map(|value| short(value.get()));
    let mut out = format!("{:>3}  {}", take("line").unwrap(), bare(take("type").unwrap()));
    let (rule, time) = (bare(take("rule").unwrap()), take("timestamp").map_or("no time".to_owned(), bare));
    let session = take("sessionId").filter(|_| several).map(|id| format!(" {id}")).unwrap_or_default();
    // What is read first comes first, the main thing without its name.
    for (key, name) in [
        ("action", ""),
        ("query", ""),
        ("path", if row.kind == Kind::Search { "in " } else { "" }),
        ("command", if row.kind == Kind::Command { "" } else { "by command " }),
        ("message", ""),
        ("code", "code "),
        ("raw", ""),
        ("startLine", "from line "),
        ("endLine", "to line "),
        ("workingDirectory", "in "),
        ("skillName", "named "),
        ("subagentId", "id "),
        ("subagentName", "named "),
        ("synthetic", "synthetic "),
        ("exitCode", "exit "),
    ] {
        if let Some(value) = take(key) {
            write!(out, " {name}{value}").unwrap();
        }
    }
    if let Some(outcome) = take("outcome") {
        let says = take("isSuccess").unwrap_or_else(|| "absent".to_owned());
        write!(out, "  -> {} (isSuccess {says})", bare(outcome)).unwrap();
    }
    if let Some(tool) = take("tool") {
        let id = take("callId").map(|id| format!(" {}", bare(id))).unwrap_or_default();
        let ms = take("durationMs").map(|ms| format!(" {ms} ms")).unwrap_or_default();
        write!(out, "  {}{id}{ms}", bare(tool)).unwrap();
    }
    // A field that is not known here is never passed over.
    for (key, value) in fields {
        write!(out, "  {key} {}", short(value.get())).unwrap();
    }
    for (name, text) in [("aside", &row.aside), ("note", &row.note)] {
        if let Some(text) = text {
            write!(out, "  {name}: {}", short(text)).unwrap();
        }
    }
    write!(out, "  [{rule}] {time}{session}").unwrap();
    out
}

/// A JSON string without its quotes.
fn bare(json: String) -> String {
    json.strip_prefix('"').and_then(|json| json.strip_suffix('"')).unwrap_or(&json).to_owned()
}

fn quoted(text: &str) -> String {
    short(&Value::from(text).to_string())
}

/// No more than an eye takes in; what was left out is counted. Control characters are escaped.
fn short(text: &str) -> String {
    const SHOWN: usize = 110;
    let safe = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
    let length = text.chars().count();
    let head: String = text.chars().take(SHOWN).map(safe).collect();
    if length > SHOWN { format!("{head}… ({length} characters)") } else { head }
}
