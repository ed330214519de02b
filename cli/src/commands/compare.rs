//! `steplens compare`: two runs side by side, in tables for a terminal; or the document of the comparison.

use super::figures::{count, duration, grouped, money, pico, size};
use super::table::{Side as Lean, layout};
use crate::args::Common;
use crate::error::Error;
use crate::input::{self, Pass};
use crate::style::{self, BAD, BOLD, DIM, RESET, WARN, one_line};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use steplens_core::compare::{
    Call, CallPair, Comparison, CostDelta, CountDelta, Deed, Facts, Side, StepPair, ToolDelta, compare,
};
use steplens_core::event::Outcome;
use steplens_core::figure::{signed, words};
use steplens_core::summary::ToolSummary;

/// How many calls, and how many steps that differ, are printed; the document has them all.
const SHOWN: usize = 20;
/// How much of an argument is printed.
const ARGUMENT: usize = 70;

pub(crate) fn run(a: &Path, b: &Path, common: &Common, json: bool) -> Result<(), Error> {
    if [a, b].iter().all(|path| *path == Path::new("-")) {
        return Err(Error::Usage("standard input (`-`) can be read only once; name it once".to_owned()));
    }
    let comparison = compare(&side(a, common)?, &side(b, common)?);
    let mut out = anstream::stdout().lock();
    if json {
        writeln!(out, "{}", super::json_document(&comparison)?)?;
        return Ok(());
    }
    print(&mut out, &comparison)?;
    Ok(())
}

fn side(path: &Path, common: &Common) -> Result<Facts, Error> {
    let run = input::open(&[PathBuf::from(path)], common, Pass::Once)?.run;
    Ok(run.facts(&input::name_of(path), None))
}

fn print(out: &mut impl Write, comparison: &Comparison) -> io::Result<()> {
    print_side(out, "A", &comparison.a)?;
    print_side(out, "B", &comparison.b)?;
    if let Some((a, b)) = &comparison.folders {
        writeln!(out, "{DIM}calls are compared without {} in A and {} in B{RESET}", one_line(a), one_line(b))?;
    }
    print_totals(out, comparison)?;
    print_tools(out, &comparison.tools)?;
    print_deeds(out, "Only A did", &comparison.only_a)?;
    print_deeds(out, "Only B did", &comparison.only_b)?;
    print_outcomes(out, comparison)?;
    print_steps(out, comparison)
}

fn print_side(out: &mut impl Write, letter: &str, side: &Side) -> io::Result<()> {
    writeln!(out, "{BOLD}{letter}  {}{RESET}", one_line(&side.name))?;
    for session in side.sessions.iter().take(SHOWN) {
        let verdict = &session.verdict;
        let model = session.model.as_ref().map(|model| format!("  {}", one_line(model))).unwrap_or_default();
        let (colour, state, reason) = (style::verdict(verdict.state), verdict.state.name(), one_line(&verdict.reason));
        let id = one_line(session.id.as_deref().unwrap_or("session without an id"));
        writeln!(out, "   {colour}{state}{RESET}  {reason}  {DIM}{id}{model}{RESET}")?;
    }
    print_more(out, side.sessions.len())
}

/// How many are not printed.
fn print_more(out: &mut impl Write, all: usize) -> io::Result<()> {
    match all.saturating_sub(SHOWN) {
        0 => Ok(()),
        more => writeln!(out, "  {DIM}and {} more; --json lists them{RESET}", grouped(more as u64)),
    }
}

fn print_table(out: &mut impl Write, sides: &[Lean], rows: &[Vec<String>]) -> io::Result<()> {
    let mut lines = layout(sides, rows).into_iter();
    writeln!(out, "\n{DIM}{}{RESET}", lines.next().unwrap_or_default())?;
    lines.try_for_each(|line| writeln!(out, "{line}"))
}

fn print_totals(out: &mut impl Write, comparison: &Comparison) -> io::Result<()> {
    let mut rows = vec![["", "A", "B", "B − A"].map(str::to_owned).to_vec()];
    rows.extend(comparison.counts.iter().map(count_row));
    rows.extend(comparison.costs.iter().map(cost_row));
    print_table(out, &[Lean::Left, Lean::Right, Lean::Right, Lean::Right], &rows)?;
    if comparison.counts.iter().any(|row| row.partial) || comparison.costs.iter().any(|row| row.partial) {
        writeln!(out, "{DIM}~ one side reports only a part of it{RESET}")?;
    }
    Ok(())
}

fn count_row(row: &CountDelta) -> Vec<String> {
    let is_time = row.figure.ends_with("Ms");
    let value = |value: Option<u64>| match value {
        Some(ms) if is_time => duration(ms),
        value => count(value),
    };
    let delta = row.delta.map(|delta| if is_time { signed(delta, duration) } else { signed(delta, grouped) });
    vec![words(&row.figure), value(row.a), value(row.b), changed(delta, row.partial)]
}

fn cost_row(row: &CostDelta) -> Vec<String> {
    let delta = row.delta_usd.map(|usd| match usd {
        0.0 => "0".to_owned(),
        _ => format!("{}{}", if usd < 0.0 { "−" } else { "+" }, money(pico(Some(usd.abs())).map(|usd| usd.to_usd()))),
    });
    vec![words(&row.figure), money(row.a_usd), money(row.b_usd), changed(delta, row.partial)]
}

fn changed(delta: Option<String>, partial: bool) -> String {
    let delta = delta.unwrap_or_else(|| "unknown".to_owned());
    if partial { format!("~{delta}") } else { delta }
}

fn print_tools(out: &mut impl Write, tools: &[ToolDelta]) -> io::Result<()> {
    if tools.is_empty() {
        return Ok(());
    }
    let head = ["tool", "calls A", "B", "B − A", "failed A", "B", "total A", "B", "output A", "B"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    for tool in tools {
        let number = |side: &Option<ToolSummary>, pick: fn(&ToolSummary) -> u64| grouped(side.as_ref().map_or(0, pick));
        let total = |side: &Option<ToolSummary>| match side {
            Some(side) => side.total_ms.map_or_else(|| "unknown".to_owned(), duration),
            None => "–".to_owned(),
        };
        let output =
            |side: &Option<ToolSummary>| side.as_ref().map_or("–".to_owned(), |side| size(side.output_bytes));
        rows.push(vec![
            one_line(&tool.name),
            number(&tool.a, |side| side.calls),
            number(&tool.b, |side| side.calls),
            signed(tool.calls, grouped),
            number(&tool.a, |side| side.failed),
            number(&tool.b, |side| side.failed),
            total(&tool.a),
            total(&tool.b),
            output(&tool.a),
            output(&tool.b),
        ]);
    }
    let sides: Vec<Lean> = (0..head.len()).map(|column| if column == 0 { Lean::Left } else { Lean::Right }).collect();
    print_table(out, &sides, &rows)
}

/// A call as it is named: its tool, and the head of its argument on one line.
fn named(tool: &str, argument: &str) -> String {
    format!("{} {}", one_line(tool), short(argument)).trim_end().to_owned()
}

fn short(argument: &str) -> String {
    let line = one_line(argument);
    match line.char_indices().nth(ARGUMENT) {
        Some((at, _)) => format!("{}…", line.get(..at).unwrap_or_default()),
        None => line,
    }
}

fn print_deeds(out: &mut impl Write, title: &str, deeds: &[Deed]) -> io::Result<()> {
    if deeds.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{BOLD}{title}{RESET}")?;
    for deed in deeds.iter().take(SHOWN) {
        let times = if deed.calls > 1 { format!("  {} times", grouped(deed.calls)) } else { String::new() };
        let failed = match deed.failed {
            0 => String::new(),
            failed if failed == deed.calls => format!("  {BAD}failed{RESET}"),
            failed => format!("  {BAD}{} failed{RESET}", grouped(failed)),
        };
        let (what, line) = (named(&deed.tool, &deed.argument), deed.first.line);
        writeln!(out, "  {what}{times}{failed}  {DIM}line {line}{RESET}")?;
    }
    print_more(out, deeds.len())
}

fn outcome(call: &Call) -> &'static str {
    match call.outcome {
        Outcome::Failed if call.green_but_failed => "green but failed",
        outcome => outcome.name(),
    }
}

fn print_outcomes(out: &mut impl Write, comparison: &Comparison) -> io::Result<()> {
    let outcomes = &comparison.outcomes;
    if outcomes.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{BOLD}Came out otherwise{RESET}")?;
    for change in outcomes.iter().take(SHOWN) {
        let what = named(&change.tool, &change.argument);
        let (a, b) = (outcome(&change.a), outcome(&change.b));
        let (from, to) = (change.a.line, change.b.line);
        writeln!(out, "  {what}  {a} → {WARN}{b}{RESET}  {DIM}lines {from} and {to}{RESET}")?;
    }
    print_more(out, outcomes.len())
}

fn print_steps(out: &mut impl Write, comparison: &Comparison) -> io::Result<()> {
    let agreement = &comparison.agreement;
    let (same, changed) = (grouped(agreement.steps_same), grouped(agreement.steps_changed));
    let (only_a, only_b) = (grouped(agreement.steps_only_a), grouped(agreement.steps_only_b));
    writeln!(
        out,
        "\n{BOLD}Steps{RESET}  {same} the same, {changed} that differ, {only_a} only in A, {only_b} only in B  {DIM}(aligned by tools and arguments){RESET}"
    )?;
    let differ: Vec<&StepPair> = comparison.steps.iter().filter(|pair| !pair.same).collect();
    for pair in differ.iter().take(SHOWN) {
        writeln!(out, "  {BOLD}A {} · B {}{RESET}", number(pair.a.as_ref()), number(pair.b.as_ref()))?;
        for call in pair.calls.iter().filter(|call| !call.is_same()).take(SHOWN) {
            writeln!(out, "    {}", call_line(call))?;
        }
        print_more(out, pair.calls.iter().filter(|call| !call.is_same()).count())?;
    }
    print_more(out, differ.len())
}

fn number(step: Option<&steplens_core::compare::Step>) -> String {
    match step {
        Some(step) => step.number.map_or_else(|| format!("line {}", step.line), |number| format!("step {number}")),
        None => "–".to_owned(),
    }
}

fn call_line(call: &CallPair) -> String {
    let what = named(&call.tool, &call.argument);
    let elsewhere = if call.moved { ", in another step of the other" } else { "" };
    match (&call.a, &call.b) {
        (Some(a), Some(b)) => format!("≠ {what}  {} → {}", outcome(a), outcome(b)),
        (Some(a), None) => format!("− {what}  {DIM}only A: {}{elsewhere}{RESET}", outcome(a)),
        (None, Some(b)) => format!("+ {what}  {DIM}only B: {}{elsewhere}{RESET}", outcome(b)),
        (None, None) => what,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_of_a_part_is_marked() {
        assert_eq!(changed(None, true), "~unknown");
    }
}
