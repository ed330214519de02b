//! `steplens trace`: sessions, steps and calls on a time line, as a Chrome trace that Perfetto opens
//! ([`steplens_core::export::trace`]).

use crate::args::{Common, Output};
use crate::error::Error;
use crate::input::{self, Pass};
use crate::{output, style};
use std::path::PathBuf;
use steplens_core::export::{NoTimes, trace};

pub(crate) fn run(files: &[PathBuf], common: &Common, output: &Output) -> Result<(), Error> {
    output::check(output, files)?;
    let opened = input::open(files, common, Pass::Once)?;
    let summary = opened.run.summary();
    let trace = trace(&opened.run, &summary).map_err(|NoTimes| Error::NoTimes)?;
    let timeless = trace.timeless();
    if timeless > 0 && !common.quiet {
        let (what, are) = if timeless == 1 { ("step or call has", "is") } else { ("steps or calls have", "are") };
        style::note(&format!("{timeless} {what} no time, and {are} not in the trace"));
    }
    output::write_to(output, |out| Ok(trace.write(out)?))
}
