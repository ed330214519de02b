//! The rows as one JSON document.
//!
//! ```json
//! {"schema":1,"passed":false,"files":["run.jsonl"],"limits":[{"limit":"max-tokens","state":"broken",
//!  "wanted":"at most 1,000","found":"4,211","bound":1000,"value":4211,"line":null}]}
//! ```

use super::rows::{Checked, Figure, Row};
use serde_json::{Value, json};
use std::io::{self, Write};
use steplens_core::summary::SCHEMA;

pub(super) fn write(out: &mut dyn Write, checked: &Checked) -> io::Result<()> {
    let rows: Vec<Value> = checked.rows.iter().map(|row| value(checked, row)).collect();
    let document = json!({ "schema": SCHEMA, "passed": checked.passed(), "files": checked.files, "limits": rows });
    serde_json::to_writer_pretty(&mut *out, &document)?;
    writeln!(out)
}

fn value(checked: &Checked, row: &Row) -> Value {
    json!({
        "limit": row.limit,
        "state": row.state.name(),
        "wanted": row.wanted,
        "found": row.found,
        "bound": row.bound.map(figure),
        "value": row.value.map(figure),
        "file": row.place.and_then(|(file, _)| checked.files.get(file as usize)),
        "line": row.place.map(|(_, line)| line),
    })
}

fn figure(figure: Figure) -> Value {
    match figure {
        Figure::Count(count) => count.into(),
        Figure::Usd(usd) => usd.into(),
    }
}
