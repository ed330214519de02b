//! `steplens events`: normalized events as JSON lines.
//!
//! The first pass settles the dialect and what is a duplicate; the second reads each line again to make the events whole.

use crate::args::Common;
use crate::error::Error;
use crate::input::{self, Pass};
use crate::progress::Progress;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::PathBuf;

pub(crate) fn run(files: &[PathBuf], common: &Common) -> Result<(), Error> {
    let mut opened = input::open(files, common, Pass::Again)?;
    let paths = opened.paths.clone();
    let total = opened.run.progress().bytes;
    // In a terminal the lines themselves are the progress, and a bar would stand between them.
    let mut progress = Progress::new("writing", Some(total), common.quiet || io::stdout().is_terminal());
    let mut out = BufWriter::new(io::stdout().lock());
    let (run, mut lines) = opened.lines();
    for record in run.event_records() {
        let Some(span) = run.source_of(record) else { continue };
        let name = || paths.get(span.file as usize).map(|path| input::named(path)).unwrap_or_default();
        let bytes = lines.read(span).map_err(|source| Error::Read { name: name(), source })?;
        for event in run.events_of(record, bytes) {
            writeln!(out, "{}", event.to_json_line())?;
        }
        progress.add(span.len);
    }
    out.flush()?;
    Ok(())
}
