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
use steplens_core::mapping::UnknownKind;
use steplens_core::summary::{SCHEMA, Summary, UnknownType, Unmapped};

/// How many lines of one name are printed; the document has more.
const SHOWN: usize = 5;

/// What `--json` prints: these two lists of the summary document, with the rule that the page suggests for each tool.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Document<'a> {
    schema: u32,
    unmapped: Vec<Row<'a>>,
    unknown_types: &'a [UnknownType],
}

/// A tool, why it is unknown, and the rule that could read it.
#[derive(Debug, Serialize)]
struct Row<'a> {
    #[serde(flatten)]
    tool: &'a Unmapped,
    note: Option<&'a str>,
}

pub(crate) fn run(files: &[PathBuf], common: &Common, json: bool) -> Result<(), Error> {
    let run = input::open(files, common, Pass::Once)?.run;
    let (mut summary, mapping) = (run.summary(), run.mapping());
    // The summary names extension rules alone; here stands what the page suggests.
    let group_of =
        |tool: &str| mapping.unknown.iter().find(|group| group.what == UnknownKind::Tool && group.name == tool);
    for row in &mut summary.unmapped {
        row.suggestion = group_of(&row.tool).and_then(|group| group.suggestion.clone());
    }
    let mut out = anstream::stdout().lock();
    if json {
        let Summary { unmapped, unknown_types, .. } = &summary;
        let note = |tool: &str| group_of(tool).and_then(|group| group.note.as_deref());
        let unmapped = unmapped.iter().map(|row| Row { tool: row, note: note(&row.tool) }).collect();
        let document = Document { schema: SCHEMA, unmapped, unknown_types };
        writeln!(out, "{}", super::json_document(&document)?)?;
        return Ok(());
    }
    print(&mut out, &summary)?;
    Ok(())
}

fn print(out: &mut impl Write, summary: &Summary) -> std::io::Result<()> {
    if summary.unmapped.is_empty() && summary.unknown_types.is_empty() {
        return writeln!(out, "every type and every tool is known");
    }
    let cells_of = |name: &str, count: u64, files: &[u32], lines: &[u64]| {
        [fitted(&style::one_line(name)), grouped(count), places(summary, files, lines, count, SHOWN)]
    };
    let tools = summary.unmapped.iter().map(|row| {
        let name = if row.tool.is_empty() { "(no name)" } else { &row.tool };
        let [name, count, places] = cells_of(name, row.count, &row.files, &row.lines);
        vec![name, count, row.reason.clone(), places]
    });
    let types = summary
        .unknown_types
        .iter()
        .map(|row| cells_of(row.name.as_deref().unwrap_or("(no type)"), row.count, &row.files, &row.lines).to_vec());
    let tables: [(&[&str], Vec<Vec<String>>); 2] =
        [(&["tool", "count", "why", "where"], tools.collect()), (&["type", "count", "where"], types.collect())];
    for (head, rows) in tables.into_iter().filter(|(_, rows)| !rows.is_empty()) {
        let mut cells = vec![head.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>()];
        cells.extend(rows);
        let sides = [Side::Left, Side::Right, Side::Left, Side::Left];
        let mut table = layout(sides.get(..head.len()).unwrap_or_default(), &cells).into_iter();
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
        "{BOLD}suggested rules{RESET}  {DIM}save them for `--rules`; `--extensions` switches on those whose id says so{RESET}"
    )?;
    writeln!(out, "id = \"suggested\"\nversion = 1")?;
    rules.into_iter().try_for_each(|rule| write!(out, "\n{}", style::plain(rule)))
}
