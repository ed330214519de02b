//! `steplens events`: normalized events as JSON lines, in file order.
//!
//! The log is read once to settle dialect and duplicates, then line by line again to make the events whole.

use crate::args::Common;
use crate::error::Error;
use crate::input::{self, Pass};
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

pub(crate) fn run(files: &[PathBuf], common: &Common) -> Result<(), Error> {
    let mut opened = input::open(files, common, Pass::Again)?;
    let mut out = BufWriter::new(io::stdout().lock());
    let (run, mut lines) = opened.lines();
    for record in run.event_records() {
        let Some(span) = run.source_of(record) else { continue };
        let name = || files.get(span.file as usize).map(|path| path.display().to_string()).unwrap_or_default();
        let bytes = lines.read(span).map_err(|source| Error::Read { name: name(), source })?;
        for event in run.events_of(record, bytes) {
            writeln!(out, "{}", event.to_json_line())?;
        }
    }
    out.flush()?;
    Ok(())
}
