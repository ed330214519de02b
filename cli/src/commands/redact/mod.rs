//! `steplens redact`: the log with secrets masked, and a report of what was found.
//!
//! Two passes: the first collects what is secret, the second masks it wherever it stands. The log is never held whole, and
//! the result is never written over it.

mod report;

use crate::args::{Common, Output, Redact};
use crate::error::Error;
use crate::input::{self, Twice};
use crate::{output, style};
use report::Found;
use std::io::{self, BufWriter, Write};
use std::slice;
use steplens_core::redact::{Redactor, Survey};

pub(crate) fn run(redact: &Redact, common: &Common) -> Result<(), Error> {
    output::check(&redact.output, slice::from_ref(&redact.file))?;
    let kinds = redact.mask.kinds();
    let mut survey = Survey::new(kinds);
    let twice = Twice::first(&redact.file, common, &mut |bytes| survey.push(bytes))?;
    survey.end_file();
    if !common.quiet {
        say(&redact.file, &twice);
    }
    let mut found = Found::new(&redact.file, kinds, redact.report.is_some());
    let redactor = survey.redactor();
    let to_file = redact.output.path().is_some();
    match redact.report {
        Some(_) if !to_file => mask(twice, redactor, &mut found, common, &mut io::sink())?,
        _ => write(twice, redactor, &mut found, common, &redact.output)?,
    }
    if let Some(format) = redact.report {
        let mut out = BufWriter::new(anstream::stdout().lock());
        found.write(&mut out, format)?;
        out.flush()?;
    } else if !common.quiet {
        style::note(&found.in_short());
    }
    Ok(())
}

fn say(path: &std::path::Path, twice: &Twice) {
    let name = input::named(path);
    if let Some(damage) = &twice.damage {
        style::note(&format!("{name}: {damage}"));
    }
    if let Some(packed) = twice.packed {
        style::note(&format!("{name}: it is packed ({packed}); what is written is not"));
    }
}

fn write(twice: Twice, redactor: Redactor, found: &mut Found, common: &Common, output: &Output) -> Result<(), Error> {
    output::write_to(output, |out| mask(twice, redactor, found, common, out))
}

/// The second pass.
fn mask(
    twice: Twice,
    mut redactor: Redactor,
    found: &mut Found,
    common: &Common,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let mut masked = Vec::new();
    twice.second("masking", common.quiet, |bytes| {
        redactor.push(bytes, &mut masked, |finding, line| found.note(finding, line));
        out.write_all(&masked)?;
        masked.clear();
        Ok(())
    })?;
    redactor.finish(&mut masked, |finding, line| found.note(finding, line));
    Ok(out.write_all(&masked)?)
}
