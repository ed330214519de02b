//! Sets each limit against the summary. A figure that is unknown breaks its limit: nothing says that it holds.

use crate::args::{CostKind, Limits, Millis};
use crate::commands::figures::{count, duration, grouped, pico, places};
use serde::Serialize;
use std::path::PathBuf;
use steplens_core::money::PicoUsd;
use steplens_core::summary::{SessionSummary, Summary, VerdictState};

/// How many lines or names a row gives.
const NAMED: usize = 5;

/// Kinds of diagnostics that a malformed line gives.
const MALFORMED: [&str; 2] = ["malformed-line", "cut-line"];

/// How a limit came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// It holds.
    Held,
    /// It is broken.
    Broken,
    /// The figure is unknown, which breaks it too.
    Unknown,
}

impl State {
    pub(super) fn is_broken(self) -> bool {
        self != State::Held
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            State::Held => "held",
            State::Broken => "broken",
            State::Unknown => "unknown",
        }
    }
}

/// A figure as a number, for documents.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(untagged)]
pub(super) enum Figure {
    Count(u64),
    Usd(f64),
}

/// One limit, held against what was found.
#[derive(Debug, Clone)]
pub(super) struct Row {
    /// The option that sets it, without its dashes.
    pub(super) limit: &'static str,
    pub(super) state: State,
    /// What it wants, in words.
    pub(super) wanted: String,
    /// What was found, in words.
    pub(super) found: String,
    /// The bound, where the limit has one.
    pub(super) bound: Option<Figure>,
    /// The figure, where it is known.
    pub(super) value: Option<Figure>,
    /// File (by its place among the inputs) and line that the row is about, where it is about one.
    pub(super) place: Option<(u32, u64)>,
}

/// All limits.
#[derive(Debug)]
pub(super) struct Checked {
    /// The inputs, as the user named them.
    pub(super) files: Vec<String>,
    pub(super) rows: Vec<Row>,
}

/// Whether there is a limit at all.
pub(super) fn any(limits: &Limits) -> bool {
    let Limits { require_completed, max_cost_usd, max_tokens, max_duration, max_failed_calls, no_unknown, .. } = limits;
    *require_completed
        || max_cost_usd.is_some()
        || max_tokens.is_some()
        || max_duration.is_some()
        || max_failed_calls.is_some()
        || *no_unknown
        || limits.no_malformed
}

/// Holds the run to the limits, in the order in which the help lists them.
pub(super) fn check(summary: &Summary, paths: &[PathBuf], damage: &[&str], limits: &Limits) -> Checked {
    let rows = [
        limits.require_completed.then(|| completed(summary)),
        limits.max_cost_usd.map(|bound| cost(summary, bound, limits.cost)),
        limits.max_tokens.map(|bound| tokens(summary, bound)),
        limits.max_duration.map(|bound| time(summary, bound)),
        limits.max_failed_calls.map(|bound| failed_calls(summary, bound)),
        limits.no_unknown.then(|| unknown(summary)),
        limits.no_malformed.then(|| malformed(summary, damage)),
    ];
    let files = paths.iter().map(|path| path.display().to_string()).collect();
    Checked { files, rows: rows.into_iter().flatten().collect() }
}

/// Runs, and not their subagents: what becomes of those is their parent's to judge, and their time is within its.
fn runs(summary: &Summary) -> Vec<&SessionSummary> {
    let is_here = |id: &Option<String>| id.is_some() && summary.sessions.iter().any(|session| session.id == *id);
    summary.sessions.iter().filter(|session| !is_here(&session.parent)).collect()
}

fn completed(summary: &Summary) -> Row {
    let runs = runs(summary);
    let ended = |state: VerdictState| runs.iter().filter(move |session| session.verdict.state == state);
    let completed = ended(VerdictState::Completed).count();
    let bad = runs.iter().find(|session| session.verdict.state != VerdictState::Completed);
    let (state, found) = match bad {
        None if runs.is_empty() => (State::Unknown, "unknown: there is no session in the log".to_owned()),
        None if completed == 1 => (State::Held, "completed".to_owned()),
        None => (State::Held, format!("all {completed} runs completed")),
        Some(session) => {
            let id = session.id.as_deref().map(|id| format!("{id}: ")).unwrap_or_default();
            let others = runs.len() - completed - 1;
            let more = if others > 0 { format!("; and {others} more not completed") } else { String::new() };
            let verdict = &session.verdict;
            let state = if verdict.state == VerdictState::Unknown { State::Unknown } else { State::Broken };
            (state, format!("{id}{} ({}){more}", verdict.state.name(), verdict.reason))
        }
    };
    let wanted = "every run completed".to_owned();
    Row { limit: "require-completed", state, wanted, found, bound: None, value: None, place: None }
}

fn cost(summary: &Summary, bound: PicoUsd, kind: CostKind) -> Row {
    let cost = &summary.total.cost;
    let (usd, partial) = match kind {
        CostKind::Reported => (cost.reported_usd, cost.partial),
        CostKind::Comparable => (cost.comparable_usd, cost.derived_partial),
        CostKind::List => (cost.list_usd, cost.derived_partial),
    };
    let figure = pico(usd);
    let why = match kind {
        CostKind::Reported => "no step reports a cost",
        _ => cost.unknown_because.as_deref().unwrap_or("the tokens are not known"),
    };
    let mut found = words(figure, figure.map(|usd| usd.to_string()), partial, why, bound);
    if kind == CostKind::Reported && usd == Some(0.0) && summary.total.tokens.total.is_some_and(|total| total > 0) {
        found.1.push_str(" (zero with tokens: free, subscription or unpriced)");
    }
    found.1.push_str(&absent_children(summary));
    Row {
        limit: "max-cost-usd",
        state: found.0,
        wanted: format!("at most {bound}, {}", kind.name()),
        found: found.1,
        bound: Some(Figure::Usd(bound.to_usd())),
        value: usd.map(Figure::Usd),
        place: None,
    }
}

fn tokens(summary: &Summary, bound: u64) -> Row {
    let tokens = &summary.total.tokens;
    let known = tokens.total.map(|total| count(Some(total)));
    let mut found = words(tokens.total, known, tokens.partial, "no step reports tokens", bound);
    found.1.push_str(&absent_children(summary));
    let wanted = format!("at most {}", grouped(bound));
    counted("max-tokens", found, wanted, bound, tokens.total)
}

/// The longest run. Several in one log, or in several, need have nothing to do with each other: the time from the first to
/// the last of them is nobody's. Nor is the idle time between the turns of one.
fn time(summary: &Summary, Millis(bound): Millis) -> Row {
    let runs = runs(summary);
    let busy = |run: &&SessionSummary| Some(run.duration_ms?.saturating_sub(run.idle_ms.unwrap_or(0)));
    let longest = runs.iter().filter_map(busy).max();
    let timeless = runs.iter().filter(|run| run.duration_ms.is_none()).count();
    let idle: u64 = runs.iter().filter_map(|run| run.idle_ms).sum();
    let mut found = match longest {
        Some(longest) if longest > bound || timeless == 0 => {
            let state = if longest > bound { State::Broken } else { State::Held };
            let of = if runs.len() > 1 { format!(", the longest of {} runs", runs.len()) } else { String::new() };
            (state, format!("{}{of}", duration(longest)))
        }
        Some(_) => (State::Unknown, format!("unknown: {timeless} of {} runs have no time", runs.len())),
        None => (State::Unknown, "unknown: no record has a time".to_owned()),
    };
    if idle > 0 {
        found.1.push_str(&format!(", without {} idle between turns", duration(idle)));
    }
    counted("max-duration", found, format!("at most {}", duration(bound)), bound, longest)
}

fn failed_calls(summary: &Summary, bound: u64) -> Row {
    let (failed, total) = (summary.total.failed_calls, &summary.total);
    let mut names: Vec<String> = summary
        .tools
        .iter()
        .filter(|tool| tool.failed > 0)
        .map(|tool| format!("{} {}", tool.name, grouped(tool.failed)))
        .collect();
    if names.len() > NAMED {
        names.truncate(NAMED);
        names.push("…".to_owned());
    }
    let names = if names.is_empty() { String::new() } else { format!(": {}", names.join(", ")) };
    let state = if failed > bound { State::Broken } else { State::Held };
    let found = format!("{} of {} calls{names}", grouped(failed), grouped(total.calls));
    counted("max-failed-calls", (state, found), format!("at most {}", grouped(bound)), bound, Some(failed))
}

fn unknown(summary: &Summary) -> Row {
    let unknown = summary.records.unknown;
    let malformed = summary.records.malformed;
    let tools = summary.unmapped.iter().map(|row| (format!("tool {}", row.tool), row.count, &row.files, &row.lines));
    let types = summary.unknown_types.iter().map(|row| {
        let name = row.name.as_ref().map_or_else(|| "no type".to_owned(), |name| format!("type {name}"));
        (name, row.count, &row.files, &row.lines)
    });
    let rows: Vec<_> = tools.chain(types).collect();
    let named = rows.iter().take(NAMED);
    let named = named.map(|(name, count, files, at)| format!("{name} ({})", places(summary, files, at, *count, NAMED)));
    let mut named: Vec<String> = named.collect();
    if rows.len() > NAMED {
        named.push("…".to_owned());
    }
    if malformed > 0 {
        named.push(format!("{} of them malformed", grouped(malformed)));
    }
    let named = if named.is_empty() { String::new() } else { format!(": {}", named.join(", ")) };
    let found = match unknown {
        0 => "none".to_owned(),
        1 => format!("1 record{named}"),
        _ => format!("{} records{named}", grouped(unknown)),
    };
    let all = rows.iter().flat_map(|(_, _, files, lines)| {
        lines.iter().enumerate().map(|(index, line)| (files.get(index).copied().unwrap_or(0), *line))
    });
    let place = all.min();
    let state = if unknown > 0 { State::Broken } else { State::Held };
    let row = counted("no-unknown", (state, found), "no unknown record".to_owned(), 0, Some(unknown));
    Row { place, ..row }
}

fn malformed(summary: &Summary, damage: &[&str]) -> Row {
    let malformed = summary.records.malformed;
    let first = summary.diagnostics.iter().find(|diagnostic| MALFORMED.contains(&diagnostic.kind.as_str()));
    let mut found = match malformed {
        0 => "none".to_owned(),
        1 => "1 line".to_owned(),
        _ => format!("{} lines", grouped(malformed)),
    };
    if let Some(first) = first {
        let file = summary.files.get(first.file as usize).filter(|_| summary.files.len() > 1);
        let file = file.map(|file| format!("{} ", file.name)).unwrap_or_default();
        found.push_str(&format!(", first {file}line {}: {}", first.line, first.message));
    }
    for damage in damage {
        found.push_str(&format!("; {damage}"));
    }
    let state = if malformed > 0 || !damage.is_empty() { State::Broken } else { State::Held };
    let row = counted("no-malformed", (state, found), "no malformed line".to_owned(), 0, Some(malformed));
    Row { place: first.map(|first| (first.file, first.line)), ..row }
}

/// A bounded figure: how it came out, and what to say of it. A sum that lacks something is only a lower bound: where it
/// does not break the limit itself, whether the limit holds is unknown.
fn words<T: PartialOrd>(
    value: Option<T>,
    shown: Option<String>,
    partial: bool,
    why: &str,
    bound: T,
) -> (State, String) {
    match (value, shown) {
        (Some(value), Some(shown)) if value > bound => {
            (State::Broken, if partial { format!("at least {shown}") } else { shown })
        }
        (Some(_), Some(shown)) if partial => {
            (State::Unknown, format!("unknown: at least {shown}, and some steps report none"))
        }
        (Some(_), Some(shown)) => (State::Held, shown),
        _ => (State::Unknown, format!("unknown: {why}")),
    }
}

/// Subagents whose sessions are in no file. They are other sessions than those that are checked, so they break nothing;
/// but the reader must know that they are not in the sum.
fn absent_children(summary: &Summary) -> String {
    match summary.limits.iter().filter(|limit| limit.starts_with("sub-session ")).count() {
        0 => String::new(),
        1 => "; without 1 sub-session that is in none of the files".to_owned(),
        absent => format!("; without {absent} sub-sessions that are in none of the files"),
    }
}

fn counted(limit: &'static str, found: (State, String), wanted: String, bound: u64, value: Option<u64>) -> Row {
    let (state, found) = found;
    let (bound, value) = (Some(Figure::Count(bound)), value.map(Figure::Count));
    Row { limit, state, wanted, found, bound, value, place: None }
}
