//! `steplens aep`: the log as events of the Agent Event Protocol, one JSON object a line.
//!
//! The first pass reads the log, the second surveys its moments, the third maps them.

use crate::args::{AepCapture, AepMode, Common};
use crate::error::Error;
use crate::input::{self, Pass};
use crate::progress::Progress;
use crate::style;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::PathBuf;
use steplens_core::aep::{Envelope, Mapper, Settings, Survey};

pub(crate) fn run(files: &[PathBuf], capture: AepCapture, mode: AepMode, common: &Common) -> Result<(), Error> {
    let mut opened = input::open(files, common, Pass::Again)?;
    let paths = opened.paths.clone();
    let total = opened.run.progress().bytes;
    let mut progress = Progress::new("mapping", Some(total * 2), common.quiet || io::stdout().is_terminal());
    let mut out = BufWriter::new(io::stdout().lock());
    let (run, mut lines) = opened.lines();
    let settings = Settings { capture: capture.into(), mode: mode.into(), ..Settings::default() };
    let mut survey = Survey::default();
    let mut pass = None;
    for is_survey in [true, false] {
        for record in run.record_ids() {
            let Some(span) = run.span(record) else { continue };
            let name = || paths.get(span.file as usize).map(|path| input::named(path)).unwrap_or_default();
            let bytes = lines.read(span).map_err(|source| Error::Read { name: name(), source })?;
            if is_survey {
                run.aep_survey(&mut survey, record, bytes);
            } else {
                let pass = pass.get_or_insert_with(|| run.aep(settings.clone(), std::mem::take(&mut survey)));
                write(&mut out, &run.aep_record(pass, record, bytes))?;
            }
            progress.add(span.len);
        }
    }
    if let Some(pass) = pass {
        let (events, mapper) = run.aep_end(pass);
        write(&mut out, &events)?;
        out.flush()?;
        drop(progress);
        if common.verbose {
            say(&mapper);
        }
    }
    out.flush()?;
    Ok(())
}

fn write(out: &mut impl Write, events: &[Envelope]) -> Result<(), Error> {
    for event in events {
        writeln!(out, "{}", event.to_json_line())?;
    }
    Ok(())
}

fn say(mapper: &Mapper) {
    let totals = mapper.totals();
    style::note(&format!("agent {}", mapper.agent().name()));
    if totals.moments == 0 {
        style::note("no bus event and no hook in the log: its events are those of a run stream");
        return;
    }
    let (moments, mapped, suppressed) = (totals.moments, totals.mapped, totals.suppressed);
    style::note(&format!(
        "{moments} moments: {mapped} mapped to {} events, {suppressed} suppressed, {} duplicates",
        totals.events, totals.duplicates
    ));
    let surface = mapper.survey().surface().what();
    let evidence = mapper.survey().evidence().join(", ");
    let evidence = if evidence.is_empty() { evidence } else { format!(": {evidence}") };
    style::note(&format!("permission surface: {surface}{evidence}"));
    for (count, what) in [(totals.without_session, "session"), (totals.without_time, "time")] {
        if count > 0 {
            style::note(&format!("{count} moments tell no {what}"));
        }
    }
}
