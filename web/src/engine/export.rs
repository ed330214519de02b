//! Files made of the run, in the worker; the page gets the address of a `Blob`.

use std::rc::Rc;

use js_sys::{Array, Uint8Array};
use serde::{Deserialize, Serialize};
use steplens_core::export::{summary_json, tools_csv, trace};
use steplens_core::run::Span;
use web_sys::{Blob, Url};

use super::protocol::Answer;
use super::reader;
use super::session::Shared;

/// What can be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Export {
    /// Normalized events, one JSON object a line.
    Events,
    /// The summary document.
    Summary,
    /// The tools as a table.
    Tools,
    /// A Chrome trace.
    Trace,
    /// Agent Event Protocol, one JSON object a line.
    Aep,
}

/// Bytes of a log that are read at once.
const PIECE: u64 = 1 << 20;
/// Bytes of the result that become a part of the `Blob`.
const PART: usize = 1 << 22;

/// Makes a file.
pub async fn answer(session: &Shared, export: Export) -> Answer {
    Answer::Exported(match export {
        Export::Events => events(session).await,
        Export::Aep => super::aep::export(session).await,
        _ => document(session, export).and_then(|bytes| address(&Array::of1(&Uint8Array::from(bytes.as_slice())))),
    })
}

fn document(session: &Shared, export: Export) -> Result<Vec<u8>, String> {
    let this = session.borrow();
    let summary = this.run.summary();
    match export {
        Export::Tools => Ok(tools_csv(&summary).into_bytes()),
        Export::Trace => {
            let mut bytes = Vec::new();
            let trace = trace(&this.run, &summary).map_err(|error| error.to_string())?;
            trace.write(&mut bytes).map_err(|error| error.to_string())?;
            Ok(bytes)
        }
        Export::Summary | Export::Events | Export::Aep => {
            Ok(summary_json(&summary).map_err(|error| error.to_string())?.into_bytes())
        }
    }
}

/// The events, from the bytes of their lines: those are read in pieces, between which the worker answers others.
async fn events(session: &Shared) -> Result<String, String> {
    let (opening, records) = {
        let this = session.borrow();
        (this.opening, Rc::new(this.run.event_records().collect::<Vec<_>>()))
    };
    let mut lines = Lines::default();
    let mut piece = Piece::default();
    for record in records.iter() {
        let Some((span, blob)) = session.borrow().source(*record) else { continue };
        if !piece.holds(span) {
            piece.read(span, &blob).await?;
        }
        let this = session.borrow();
        if this.opening != opening {
            return Err("another log was opened meanwhile".to_owned());
        }
        for event in this.run.events_of(*record, piece.bytes(span)) {
            lines.push(&event.to_json_line());
        }
    }
    lines.address()
}

/// A file of lines that is being made: what is done is the browser's, and no longer the worker's memory.
#[derive(Debug, Default)]
pub(super) struct Lines {
    parts: Array,
    out: Vec<u8>,
}

impl Lines {
    pub(super) fn push(&mut self, line: &str) {
        self.out.extend_from_slice(line.as_bytes());
        self.out.push(b'\n');
        if self.out.len() >= PART {
            self.part();
        }
    }

    fn part(&mut self) {
        self.parts.push(&Uint8Array::from(self.out.as_slice()));
        self.out.clear();
    }

    /// The address of the file.
    pub(super) fn address(mut self) -> Result<String, String> {
        self.part();
        address(&self.parts)
    }
}

/// A piece of a file that is in memory.
#[derive(Debug, Default)]
pub(super) struct Piece {
    file: Option<u32>,
    start: u64,
    bytes: Vec<u8>,
}

impl Piece {
    pub(super) fn holds(&self, span: Span) -> bool {
        let end = self.start + self.bytes.len() as u64;
        self.file == Some(span.file) && self.start <= span.offset && span.offset + span.len <= end
    }

    pub(super) async fn read(&mut self, span: Span, blob: &Blob) -> Result<(), String> {
        let end = span.offset + span.len.max(PIECE);
        self.bytes = reader::read(blob, span.offset, end.min(blob.size() as u64)).await?;
        (self.file, self.start) = (Some(span.file), span.offset);
        Ok(())
    }

    pub(super) fn bytes(&self, span: Span) -> &[u8] {
        let from = span.offset.saturating_sub(self.start) as usize;
        self.bytes.get(from..from + span.len as usize).unwrap_or_default()
    }
}

/// The address of a `Blob` of these parts. The page gives it back when it has saved it.
fn address(parts: &Array) -> Result<String, String> {
    let blob = reader::blob_of_parts(parts).map_err(|error| format!("{error:?}"))?;
    Url::create_object_url_with_blob(&blob).map_err(|error| format!("{error:?}"))
}
