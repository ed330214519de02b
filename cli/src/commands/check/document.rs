//! The rows as one JSON document.
//!
//! ```json
//! {"schema":1,"passed":false,"files":["run.jsonl"],"limits":[{"limit":"max-tokens","state":"broken",
//!  "wanted":"at most 1,000","found":"4,211","bound":1000,"value":4211,"file":null,"line":null}]}
//! ```

use super::rows::{Checked, Figure, Row};
use serde::Serialize;
use std::io::{self, Write};
use steplens_core::summary::SCHEMA;

#[derive(Debug, Serialize)]
struct Document<'a> {
    schema: u32,
    passed: bool,
    files: &'a [String],
    limits: Vec<Limit<'a>>,
}

#[derive(Debug, Serialize)]
struct Limit<'a> {
    limit: &'static str,
    state: &'static str,
    wanted: &'a str,
    found: &'a str,
    bound: Option<Figure>,
    value: Option<Figure>,
    file: Option<&'a str>,
    line: Option<u64>,
}

pub(super) fn write(out: &mut dyn Write, checked: &Checked) -> io::Result<()> {
    let limits = checked.rows.iter().map(|row| limit(checked, row)).collect();
    let document = Document { schema: SCHEMA, passed: checked.passed(), files: &checked.files, limits };
    writeln!(out, "{}", crate::commands::json_document(&document)?)
}

fn limit<'a>(checked: &'a Checked, row: &'a Row) -> Limit<'a> {
    Limit {
        limit: row.limit,
        state: row.state.name(),
        wanted: &row.wanted,
        found: &row.found,
        bound: row.bound,
        value: row.value,
        file: row.place.and_then(|(file, _)| checked.files.get(file as usize)).map(String::as_str),
        line: row.place.map(|(_, line)| line),
    }
}
