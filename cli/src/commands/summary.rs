//! `steplens summary`: what a run was, on one screen; or the summary document.

use super::figures::{count, duration, grouped, money, size};
use super::table::{Side, fitted, layout};
use crate::args::Common;
use crate::error::Error;
use crate::input::{self, Pass};
use crate::style::{self, BAD, BOLD, DIM, RESET, WARN};
use std::io::Write;
use std::path::PathBuf;
use steplens_core::ask::AskSummary;
use steplens_core::cost::NEVER_IN_THE_STREAM;
use steplens_core::export::{summary_json, tools_csv};
use steplens_core::summary::{CostSummary, FileSummary, ReconciliationSummary, SessionSummary, Summary, Unmapped};
use steplens_core::usage::Tokens;

/// How many diagnostics of a kind are printed; the document has them all.
const SHOWN: usize = 3;
/// Up to how many files are printed one by one. A storage tree has thousands.
const FILES_SHOWN: usize = 8;
/// How many requests to a person are printed.
const ASKS_SHOWN: usize = 10;
/// Tasks of a list that are printed.
const TASKS_SHOWN: usize = 20;
/// How many findings are printed.
const FINDINGS_SHOWN: usize = 10;

pub(crate) fn run(files: &[PathBuf], common: &Common, json: bool, csv: bool) -> Result<(), Error> {
    let summary = input::open(files, common, Pass::Once)?.run.summary();
    let mut out = anstream::stdout().lock();
    if json {
        write!(out, "{}", summary_json(&summary).map_err(std::io::Error::from)?)?;
        return Ok(());
    }
    if csv {
        write!(out, "{}", tools_csv(&summary))?;
        return Ok(());
    }
    print(&mut out, &summary)?;
    Ok(())
}

fn print(out: &mut impl Write, summary: &Summary) -> std::io::Result<()> {
    print_files(out, summary)?;
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
    print_unmapped(out, summary)?;
    print_asks(out, summary)?;
    print_tasks(out, summary)?;
    print_findings(out, summary)?;
    print_list(out, "What this log cannot tell", &summary.limits)?;
    print_diagnostics(out, summary)
}

fn print_files(out: &mut impl Write, summary: &Summary) -> std::io::Result<()> {
    let dialect = dialect(summary);
    if summary.files.len() > FILES_SHOWN {
        let sum = |pick: fn(&FileSummary) -> u64| summary.files.iter().map(pick).sum();
        let (files, bytes, records) = (summary.files.len() as u64, sum(|file| file.bytes), sum(|file| file.records));
        let (files, bytes, records) = (grouped(files), size(bytes), grouped(records));
        return writeln!(out, "{BOLD}{files} files{RESET}  {DIM}{bytes}, {records} records, {dialect}{RESET}");
    }
    for file in &summary.files {
        let format = file.format.as_deref().unwrap_or("no format");
        let name = style::one_line(&file.name);
        let (records, bytes) = (grouped(file.records), size(file.bytes));
        let packed = file.compression.as_ref().map(|name| format!(" ({name})")).unwrap_or_default();
        writeln!(out, "{BOLD}{name}{RESET}  {DIM}{bytes}{packed}, {records} records, {format}, {dialect}{RESET}")?;
    }
    Ok(())
}

fn dialect(summary: &Summary) -> String {
    let name = if summary.dialect == "kilo" { "Kilo" } else { "OpenCode" };
    match (summary.dialect_forced, summary.dialect_evidence.as_slice()) {
        (true, _) => format!("{name} (chosen)"),
        (false, []) => format!("{name} (no mark of Kilo)"),
        (false, [first]) => format!("{name} ({first})"),
        (false, [first, rest @ ..]) => format!("{name} ({first} and {} more)", rest.len()),
    }
}

fn print_session(out: &mut impl Write, session: &SessionSummary) -> std::io::Result<()> {
    let id = style::one_line(session.id.as_deref().unwrap_or("session without an id"));
    let verdict = &session.verdict;
    let state = style::verdict(verdict.state);
    let child =
        session.parent.as_ref().map(|parent| format!("  child of {}", style::one_line(parent))).unwrap_or_default();
    writeln!(out, "\n{state}{}{RESET}  {}", verdict.state.name(), style::one_line(&verdict.reason))?;
    let facts = facts(session.steps, session.retries, session.calls, session.duration_ms);
    writeln!(out, "{id}{DIM}{child}{RESET}  {facts}")?;
    print_figures(out, &session.tokens, &session.cost)
}

fn facts(steps: u64, retries: u64, calls: u64, duration_ms: Option<u64>) -> String {
    let retried = if retries > 0 { format!(" ({retries} retried)") } else { String::new() };
    let duration = duration_ms.map_or_else(|| "duration unknown".to_owned(), duration);
    let count = |n: u64, word: &str| format!("{n} {word}{}", if n == 1 { "" } else { "s" });
    format!("{}{retried}, {}, {duration}", count(steps, "step"), count(calls, "call"))
}

fn print_figures(out: &mut impl Write, tokens: &Tokens, cost: &CostSummary) -> std::io::Result<()> {
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
    )?;
    print_prices(out, cost)
}

/// Which prices the derived costs are from, and how they agree with the reported one.
fn print_prices(out: &mut impl Write, cost: &CostSummary) -> std::io::Result<()> {
    let Some(source) = &cost.price_source else { return Ok(()) };
    let model = style::one_line(cost.model.as_deref().unwrap_or("any model"));
    let partial = if cost.derived_partial { ", at least" } else { "" };
    writeln!(out, "        {DIM}{model} at the prices of {}{partial}{RESET}", style::one_line(source))?;
    let Some(reconciled) = &cost.reconciliation else { return Ok(()) };
    let ReconciliationSummary { comparable, list, steps, of_steps, assumptions } = reconciled;
    let over = if steps == of_steps { String::new() } else { format!(" (over {steps} of {of_steps} steps)") };
    for (name, side) in [("comparable", comparable), ("list", list)] {
        let Some(side) = side else { continue };
        let percent = side.difference_percent.map(|percent| format!("{percent:+.2} %, ")).unwrap_or_default();
        writeln!(out, "        {DIM}{name} against reported{over}: {percent}{}{RESET}", side.verdict)?;
    }
    for assumption in assumptions {
        writeln!(out, "        {DIM}list takes for granted: {assumption}{RESET}")?;
    }
    writeln!(out, "        {DIM}{NEVER_IN_THE_STREAM}{RESET}")
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
            fitted(&style::one_line(&tool.name)),
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

fn print_unmapped(out: &mut impl Write, summary: &Summary) -> std::io::Result<()> {
    let advice = "`steplens unmapped` says where, and which rule could read them";
    let mut reasons: Vec<&str> = summary.unmapped.iter().map(|row| row.reason.as_str()).collect();
    reasons.sort_unstable();
    reasons.dedup();
    // No rule at all first: a rule that lacks something is another matter.
    reasons.sort_by_key(|reason| *reason != "no rule");
    for (index, reason) in reasons.iter().enumerate() {
        let of = |row: &&Unmapped| row.reason == *reason;
        let tools: Vec<String> = summary.unmapped.iter().filter(of).map(|row| style::one_line(&row.tool)).collect();
        let named = tools.iter().filter(|tool| !tool.is_empty()).take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
        let more = tools.len().saturating_sub(SHOWN);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let line = match *reason {
            "no tool named" => "calls that name no tool".to_owned(),
            "no rule" => format!("no rule for {named}{more}"),
            reason => format!("{reason}: {named}{more}"),
        };
        let advice = if index + 1 == reasons.len() { format!(": {advice}") } else { String::new() };
        writeln!(out, "{DIM}{line}{advice}{RESET}")?;
    }
    Ok(())
}

/// What was asked of a person, how long it waited, and how much of that was waiting.
fn print_asks(out: &mut impl Write, summary: &Summary) -> std::io::Result<()> {
    if summary.asks.is_empty() {
        return Ok(());
    }
    let waits = summary.asks.iter().filter_map(|ask| ask.wait_ms);
    let waited = waits.reduce(u64::saturating_add).map_or_else(|| "unknown".to_owned(), duration);
    let open = summary.asks.iter().filter(|ask| !ask.status.is_resolved()).count();
    let open = if open > 0 { format!(", {open} without an answer") } else { String::new() };
    let derived = summary.asks.iter().find_map(AskSummary::derived);
    let derived = derived.map(|how| format!("  {DIM}times {how}{RESET}")).unwrap_or_default();
    let count = summary.asks.len();
    writeln!(out, "\n{BOLD}Asked of a person{RESET}  {count}, waited {waited}{open}{derived}")?;
    for ask in summary.asks.iter().take(ASKS_SHOWN) {
        let file = file_before(summary, ask.file);
        let wait = ask.wait_ms.map_or_else(|| "wait unknown".to_owned(), duration);
        let by = ask.answered_by.as_deref().map(|by| format!(" ({})", style::one_line(by))).unwrap_or_default();
        let (what, outcome) = (style::one_line(&ask.what()), style::one_line(&ask.outcome()));
        let mark = if ask.status.is_resolved() { anstyle::Style::new() } else { WARN };
        writeln!(out, "  {file}line {}: {what}: {mark}{outcome}{RESET}{by}  {DIM}{wait}{RESET}", ask.line)?;
    }
    match count.saturating_sub(ASKS_SHOWN) {
        0 => Ok(()),
        more => writeln!(out, "  {DIM}and {more} more; --json lists them{RESET}"),
    }
}

/// How far the list of tasks of each session came (what was given up is not among them), and how it stood at the end.
fn print_tasks(out: &mut impl Write, summary: &Summary) -> std::io::Result<()> {
    for todo in summary.todos.iter().filter(|todo| !todo.items.is_empty()) {
        let count = |status: &str| todo.items.iter().filter(|item| item.status == status).count();
        let (done, total) = (count("completed"), todo.items.len() - count("cancelled"));
        let session = todo.session.as_deref().filter(|_| summary.todos.len() > 1);
        let session = session.map(|id| format!("  {DIM}{}{RESET}", style::one_line(id))).unwrap_or_default();
        writeln!(out, "\n{BOLD}Tasks{RESET}  {done} of {total} done{session}")?;
        for item in todo.items.iter().take(TASKS_SHOWN) {
            writeln!(out, "  {}  {DIM}{}{RESET}", style::one_line(&item.content), style::one_line(&item.status))?;
        }
        match todo.items.len().saturating_sub(TASKS_SHOWN) {
            0 => {}
            more => writeln!(out, "  {DIM}and {more} more; --json lists them{RESET}")?,
        }
    }
    Ok(())
}

fn print_findings(out: &mut impl Write, summary: &Summary) -> std::io::Result<()> {
    if summary.findings.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{BOLD}Findings{RESET}")?;
    for finding in summary.findings.iter().take(FINDINGS_SHOWN) {
        let (file, line, message) =
            (file_before(summary, finding.file), finding.line, style::one_line(&finding.message));
        writeln!(out, "  {file}line {line}: {message}")?;
    }
    let all: u64 = summary.finding_counts.values().sum();
    let listed = summary.findings.len() as u64;
    match all.saturating_sub(FINDINGS_SHOWN as u64) {
        0 => Ok(()),
        more if listed < all => writeln!(out, "  {DIM}and {more} more; --json lists the first {listed}{RESET}"),
        more => writeln!(out, "  {DIM}and {more} more; --json lists them{RESET}"),
    }
}

/// The name of a file where there are several, with a blank behind it.
fn file_before(summary: &Summary, file: u32) -> String {
    match summary.files.as_slice() {
        [_] => String::new(),
        files => files.get(file as usize).map(|file| format!("{} ", style::one_line(&file.name))).unwrap_or_default(),
    }
}

fn print_list(out: &mut impl Write, title: &str, lines: &[String]) -> std::io::Result<()> {
    if lines.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{BOLD}{title}{RESET}")?;
    for line in lines {
        writeln!(out, "  {}", style::one_line(line))?;
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
            let file = file_before(summary, diagnostic.file);
            let (line, message) = (diagnostic.line, style::one_line(&diagnostic.message));
            writeln!(out, "    {file}line {line}: {message}")?;
        }
        let more = count.saturating_sub(of_kind().take(SHOWN).count() as u64);
        if more > 0 {
            writeln!(out, "    {DIM}and {} more; --json lists them{RESET}", grouped(more))?;
        }
    }
    Ok(())
}
