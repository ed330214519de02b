//! `steplens summary`: what a run was, on one screen; or the summary document.

use super::table::{Side, layout};
use crate::args::Common;
use crate::error::Error;
use crate::input::{self, Pass};
use crate::style::{self, BAD, BOLD, DIM, RESET, WARN};
use std::io::Write;
use std::path::PathBuf;
use steplens_core::money::PicoUsd;
use steplens_core::summary::{CostSummary, SessionSummary, Summary};
use steplens_core::usage::Tokens;

/// How many diagnostics of a kind are printed; the document has them all.
const SHOWN: usize = 3;

pub(crate) fn run(files: &[PathBuf], common: &Common, json: bool) -> Result<(), Error> {
    let opened = input::open(files, common, Pass::Once)?;
    let summary = opened.run.summary();
    let mut out = anstream::stdout().lock();
    if json {
        let text = serde_json::to_string_pretty(&summary).map_err(std::io::Error::from)?;
        writeln!(out, "{text}")?;
        return Ok(());
    }
    print(&mut out, &summary)?;
    Ok(())
}

fn print(out: &mut impl Write, summary: &Summary) -> std::io::Result<()> {
    for file in &summary.files {
        let format = file.format.as_deref().unwrap_or("no format");
        let name = style::plain(&file.name);
        let (records, bytes) = (grouped(file.records), size(file.bytes));
        writeln!(out, "{BOLD}{name}{RESET}  {DIM}{bytes}, {records} records, {format}, {}{RESET}", dialect(summary))?;
    }
    for session in &summary.sessions {
        print_session(out, session)?;
    }
    if summary.sessions.len() > 1 {
        let total = &summary.total;
        writeln!(
            out,
            "\n{BOLD}all sessions{RESET}  {}",
            facts(total.steps, total.retries, total.calls, total.duration_ms)
        )?;
        print_figures(out, &total.tokens, &total.cost)?;
    }
    print_records(out, summary)?;
    print_tools(out, summary)?;
    print_list(out, "What this log cannot tell", &summary.limits)?;
    print_diagnostics(out, summary)
}

fn dialect(summary: &Summary) -> String {
    let name = if summary.dialect == "kilo" { "Kilo" } else { "OpenCode" };
    match (summary.dialect_forced, summary.dialect_evidence.as_slice()) {
        (true, _) => format!("{name} (chosen)"),
        (false, []) => format!("{name} (no mark of Kilo)"),
        (false, [first, rest @ ..]) if rest.is_empty() => format!("{name} ({first})"),
        (false, [first, rest @ ..]) => format!("{name} ({first} and {} more)", rest.len()),
    }
}

fn print_session(out: &mut impl Write, session: &SessionSummary) -> std::io::Result<()> {
    let id = style::plain(session.id.as_deref().unwrap_or("session without an id"));
    let verdict = &session.verdict;
    let state = style::verdict(verdict.state);
    let child =
        session.parent.as_ref().map(|parent| format!("  child of {}", style::plain(parent))).unwrap_or_default();
    writeln!(out, "\n{state}{}{RESET}  {}", verdict.state.name(), style::plain(&verdict.reason))?;
    let facts = facts(session.steps, session.retries, session.calls, session.duration_ms);
    writeln!(out, "{id}{DIM}{child}{RESET}  {facts}")?;
    print_figures(out, &session.tokens, &session.cost)
}

fn facts(steps: u64, retries: u64, calls: u64, duration_ms: Option<u64>) -> String {
    let retried = if retries > 0 { format!(" ({retries} retried)") } else { String::new() };
    let duration = duration_ms.map_or_else(|| "duration unknown".to_owned(), duration);
    format!("{steps} steps{retried}, {calls} calls, {duration}")
}

fn print_figures(out: &mut impl Write, tokens: &Tokens, cost: &CostSummary) -> std::io::Result<()> {
    let count = |value: Option<u64>| value.map_or_else(|| "unknown".to_owned(), grouped);
    let partial = if tokens.partial { " (at least)" } else { "" };
    writeln!(
        out,
        "tokens  {BOLD}{}{RESET}{partial}  {DIM}cached {}, uncached {} (cache writes {}), output {}, reasoning {}{RESET}",
        count(tokens.total),
        count(tokens.cached_input),
        count(tokens.uncached_input),
        count(tokens.cache_creation),
        count(tokens.output),
        count(tokens.reasoning)
    )?;
    let partial = if cost.partial { " (at least)" } else { "" };
    let why = cost.unknown_because.as_deref().map(|why| format!(": {why}")).unwrap_or_default();
    writeln!(
        out,
        "cost    {BOLD}{}{RESET} reported{partial}  {DIM}comparable {}, list {}{why}{RESET}",
        money(cost.reported_usd),
        money(cost.comparable_usd),
        money(cost.list_usd)
    )
}

fn print_records(out: &mut impl Write, summary: &Summary) -> std::io::Result<()> {
    let records = summary.records;
    writeln!(
        out,
        "\nrecords {} = {} mapped + {} consumed + {} unknown + {} duplicates  {DIM}({} malformed){RESET}",
        grouped(records.total),
        grouped(records.mapped),
        grouped(records.consumed),
        grouped(records.unknown),
        grouped(records.duplicates),
        grouped(records.malformed)
    )?;
    let events: Vec<String> = summary.events.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
    writeln!(out, "events  {}", if events.is_empty() { "none".to_owned() } else { events.join(", ") })
}

fn print_tools(out: &mut impl Write, summary: &Summary) -> std::io::Result<()> {
    if summary.tools.is_empty() {
        return Ok(());
    }
    let head =
        ["tool", "calls", "failed", "green but failed", "rejected", "p50", "p90", "max", "total", "wall", "output"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    let time = |value: Option<u64>| value.map_or_else(|| "–".to_owned(), duration);
    for tool in &summary.tools {
        rows.push(vec![
            style::plain(&tool.name),
            grouped(tool.calls),
            grouped(tool.failed),
            grouped(tool.green_but_failed),
            grouped(tool.rejected),
            time(tool.p50_ms),
            time(tool.p90_ms),
            time(tool.max_ms),
            time(tool.total_ms),
            time(tool.wall_ms),
            size(tool.output_bytes),
        ]);
    }
    let sides: Vec<Side> = (0..head.len()).map(|column| if column == 0 { Side::Left } else { Side::Right }).collect();
    let lines = layout(&sides, &rows);
    writeln!(out)?;
    for (index, line) in lines.iter().enumerate() {
        let failed = index > 0 && summary.tools.get(index - 1).is_some_and(|tool| tool.failed > 0);
        match index {
            0 => writeln!(out, "{DIM}{line}{RESET}")?,
            _ if failed => writeln!(out, "{BAD}{line}{RESET}")?,
            _ => writeln!(out, "{line}")?,
        }
    }
    Ok(())
}

fn print_list(out: &mut impl Write, title: &str, lines: &[String]) -> std::io::Result<()> {
    if lines.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{BOLD}{title}{RESET}")?;
    for line in lines {
        writeln!(out, "  {}", style::plain(line))?;
    }
    Ok(())
}

fn print_diagnostics(out: &mut impl Write, summary: &Summary) -> std::io::Result<()> {
    if summary.diagnostic_counts.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{BOLD}Diagnostics{RESET}")?;
    for (kind, count) in &summary.diagnostic_counts {
        writeln!(out, "  {WARN}{kind}{RESET} {}", grouped(*count))?;
        let of_kind = || summary.diagnostics.iter().filter(|diagnostic| diagnostic.kind == *kind);
        for diagnostic in of_kind().take(SHOWN) {
            let file = match summary.files.as_slice() {
                [_] => String::new(),
                files => files.get(diagnostic.file as usize).map(|file| format!("{} ", file.name)).unwrap_or_default(),
            };
            let (line, message) = (diagnostic.line, style::plain(&diagnostic.message));
            writeln!(out, "    {file}line {line}: {message}")?;
        }
        let more = count.saturating_sub(of_kind().take(SHOWN).count() as u64);
        if more > 0 {
            writeln!(out, "    {DIM}and {} more; --json lists them{RESET}", grouped(more))?;
        }
    }
    Ok(())
}

fn money(usd: Option<f64>) -> String {
    let exact = usd.and_then(|usd| PicoUsd::parse(&usd.to_string()));
    exact.map_or_else(|| "unknown".to_owned(), |usd| usd.to_string())
}

/// Thousands told apart by a comma.
fn grouped(value: u64) -> String {
    let digits = value.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index) % 3 == 0 {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A time that reads at a glance: `340ms`, `2.4s`, `12m 41s`, `3h 05m`.
fn duration(ms: u64) -> String {
    match ms {
        0..1_000 => format!("{ms}ms"),
        1_000..60_000 => format!("{}.{}s", ms / 1000, ms % 1000 / 100),
        60_000..3_600_000 => format!("{}m {:02}s", ms / 60_000, ms % 60_000 / 1000),
        _ => format!("{}h {:02}m", ms / 3_600_000, ms % 3_600_000 / 60_000),
    }
}

/// A size in decimal units: `512 B`, `4.8 MB`.
fn size(bytes: u64) -> String {
    let (unit, name) = match bytes {
        0..1_000 => return format!("{bytes} B"),
        1_000..1_000_000 => (1_000, "kB"),
        1_000_000..1_000_000_000 => (1_000_000, "MB"),
        _ => (1_000_000_000, "GB"),
    };
    format!("{}.{} {name}", bytes / unit, bytes % unit * 10 / unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_read_at_a_glance() {
        assert_eq!((grouped(0), grouped(999), grouped(1_243_118)), ("0".into(), "999".into(), "1,243,118".into()));
        assert_eq!(
            (duration(340), duration(2_460), duration(761_000)),
            ("340ms".into(), "2.4s".into(), "12m 41s".into())
        );
        assert_eq!(duration(11_100_000), "3h 05m");
        assert_eq!((size(512), size(4_830_000)), ("512 B".into(), "4.8 MB".into()));
        assert_eq!((money(Some(0.03)), money(None)), ("$0.03".into(), "unknown".into()));
    }
}
