//! `steplens unmapped`: types and tools that no rule knows.

use super::figures::{grouped, places};
use super::table::{Side, fitted, layout};
use crate::args::Common;
use crate::error::Error;
use crate::input::{self, Pass};
use crate::style::{self, BOLD, DIM, RESET};
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;
use steplens_core::summary::{SCHEMA, Summary, UnknownType, Unmapped};

/// How many lines of one name are printed; the document has more.
const SHOWN: usize = 5;

/// What `--json` prints: these two lists of the summary document.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Document<'a> {
    schema: u32,
    unmapped: &'a [Unmapped],
    unknown_types: &'a [UnknownType],
}

pub(crate) fn run(files: &[PathBuf], common: &Common, json: bool) -> Result<(), Error> {
    let summary = input::open(files, common, Pass::Once)?.run.summary();
    let mut out = anstream::stdout().lock();
    if json {
        let Summary { unmapped, unknown_types, .. } = &summary;
        let document = Document { schema: SCHEMA, unmapped, unknown_types };
        writeln!(out, "{}", super::json_document(&document)?)?;
        return Ok(());
    }
    print(&mut out, &summary)?;
    Ok(())
}

fn print(out: &mut impl Write, summary: &Summary) -> std::io::Result<()> {
    let tools: Vec<_> =
        summary.unmapped.iter().map(|row| (row.tool.as_str(), row.count, &row.files, &row.lines)).collect();
    let types: Vec<_> = summary
        .unknown_types
        .iter()
        .map(|row| (row.name.as_deref().unwrap_or("(no type)"), row.count, &row.files, &row.lines))
        .collect();
    if tools.is_empty() && types.is_empty() {
        return writeln!(out, "every type and every tool is known");
    }
    for (head, rows) in [("tool", tools), ("type", types)] {
        if rows.is_empty() {
            continue;
        }
        let mut cells = vec![vec![head.to_owned(), "count".to_owned(), "where".to_owned()]];
        for (name, count, files, at) in rows {
            cells.push(vec![fitted(&style::one_line(name)), grouped(count), places(summary, files, at, count, SHOWN)]);
        }
        let mut table = layout(&[Side::Left, Side::Right, Side::Left], &cells).into_iter();
        writeln!(out, "{DIM}{}{RESET}", table.next().unwrap_or_default())?;
        table.try_for_each(|line| writeln!(out, "{line}"))?;
        writeln!(out)?;
    }
    print_rules(out, summary)
}

/// The suggested rules as a table that can be used as it is. Tools that one rule reads share it.
fn print_rules(out: &mut impl Write, summary: &Summary) -> std::io::Result<()> {
    let mut rules: Vec<&str> = Vec::new();
    for rule in summary.unmapped.iter().filter_map(|row| row.suggestion.as_deref()) {
        if !rules.contains(&rule) {
            rules.push(rule);
        }
    }
    if rules.is_empty() {
        return writeln!(out, "{DIM}no rule is suggested; `steplens rules` shows how one is written{RESET}");
    }
    writeln!(
        out,
        "{BOLD}suggested rules{RESET}  {DIM}`--extensions` switches them on; or save them for `--rules`{RESET}"
    )?;
    writeln!(out, "id = \"suggested\"\nversion = 1")?;
    rules.into_iter().try_for_each(|rule| write!(out, "\n{}", style::plain(rule)))
}
