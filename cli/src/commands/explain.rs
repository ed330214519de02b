//! `steplens explain`: the chain of decisions for one line.

use crate::args::Common;
use crate::error::Error;
use crate::input::{self, Pass};
use crate::style;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::slice;

pub(crate) fn run(file: &Path, line: u64, common: &Common, json: bool) -> Result<(), Error> {
    let path = PathBuf::from(file);
    let mut opened = input::open(slice::from_ref(&path), common, Pass::Again)?;
    let name = path.display().to_string();
    let (run, mut lines) = opened.lines();
    let records = run.records_on_line(0, line);
    if records.is_empty() {
        return Err(Error::NoRecord { name, line, lines: run.progress().lines });
    }
    let mut out = io::stdout().lock();
    for record in records {
        let Some(span) = run.span(record) else { continue };
        let bytes = lines.read(span).map_err(|source| Error::Read { name: name.clone(), source })?;
        let explanation = run.explain(record, bytes);
        if json {
            serde_json::to_writer_pretty(&mut out, &explanation).map_err(io::Error::from)?;
            out.write_all(b"\n")?;
        } else {
            write!(out, "{name}:{line}\n{}", style::plain(&explanation.to_string()))?;
        }
    }
    Ok(())
}
