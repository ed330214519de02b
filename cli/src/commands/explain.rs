//! `steplens explain`: the chain of decisions for the record that covers a line.

use crate::args::Common;
use crate::error::Error;
use crate::input::{self, Lines, Pass};
use crate::style;
use serde_json::Value;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::slice;
use steplens_core::run::{RecordId, Run};

pub(crate) fn run(file: &Path, line: u64, part: Option<&str>, common: &Common, json: bool) -> Result<(), Error> {
    if file.is_dir() {
        let advice = "explain reads one file: name the document in this folder that the line is in".to_owned();
        return Err(Error::Folder { name: file.display().to_string(), advice });
    }
    let path = PathBuf::from(file);
    let mut opened = input::open(slice::from_ref(&path), common, Pass::Again)?;
    let name = path.display().to_string();
    let encoding = opened.run.summary().files.into_iter().next().map(|file| file.encoding).unwrap_or_default();
    let (run, mut lines) = opened.lines();
    let failed = |source: io::Error| Error::Read { name: name.clone(), source };
    let mut records = covering(run, line, encoding.starts_with("utf-16"), &mut lines).map_err(failed)?;
    if records.is_empty() {
        return Err(Error::NoRecord { name, line, lines: run.progress().lines });
    }
    if let Some(part) = part {
        let mut parts = Vec::new();
        for record in &records {
            let Some(span) = run.span(*record) else { continue };
            parts.push(part_of(lines.read(span).map_err(failed)?));
        }
        let mut of_record = parts.iter();
        records.retain(|_| of_record.next().is_some_and(|id| id.as_deref() == Some(part)));
        if records.is_empty() {
            let parts = parts.into_iter().flatten().collect();
            return Err(Error::NoPart { name, line, part: part.to_owned(), parts });
        }
    }
    let mut out = io::stdout().lock();
    for record in records {
        let Some(span) = run.span(record) else { continue };
        let explanation = run.explain(record, lines.read(span).map_err(failed)?);
        if json {
            writeln!(out, "{}", super::json_document(&explanation)?)?;
        } else {
            write!(out, "{name}:{line}\n{}", style::plain(&explanation.to_string()))?;
        }
    }
    Ok(())
}

/// The records on a line; where none begins on it, the one of an earlier line that reaches over it.
fn covering(run: &Run, line: u64, wide: bool, lines: &mut Lines<'_>) -> io::Result<Vec<RecordId>> {
    let here = run.records_on_line(0, line);
    if !here.is_empty() || line > run.progress().lines {
        return Ok(here);
    }
    for start in (1..line).rev() {
        let Some(last) = run.records_on_line(0, start).pop() else { continue };
        let Some(span) = run.span(last) else { break };
        let reach = start + ends_in(lines.read(span)?, wide);
        return Ok(if reach >= line { vec![last] } else { Vec::new() });
    }
    Ok(Vec::new())
}

/// How many lines end within the bytes.
fn ends_in(bytes: &[u8], wide: bool) -> u64 {
    let count = if wide {
        bytes.chunks(2).filter(|unit| matches!(unit, [b'\n', 0] | [0, b'\n'])).count()
    } else {
        bytes.iter().filter(|byte| **byte == b'\n').count()
    };
    count as u64
}

/// The id of the part that a record is about.
fn part_of(bytes: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(bytes);
    let value: Value = serde_json::from_str(text.get(text.find('{')?..)?).ok()?;
    let places = ["/part/id", "/properties/part/id", "/event/properties/part/id", "/data/id", "/partID", "/id"];
    places.into_iter().find_map(|place| value.pointer(place)?.as_str().map(str::to_owned))
}
