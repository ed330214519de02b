//! Search over all text of a log: which records hold a text, and what stands around it.
//!
//! The search is literal, over the decoded text of messages, inputs, outputs and errors: what a reader sees, not how
//! JSON writes it. Case is ignored unless the text has a capital (see [`Needle`] for what that means beyond ASCII).
//!
//! Nothing of the file is held. [`crate::run::Run::search_plan`] says which bytes are to be read, record by record;
//! whoever has the file reads them and hands them to [`crate::run::Run::search_chunk`]. A record whose bytes cannot hold
//! the text is passed over before it is parsed:
//!
//! ```text
//! bytes of a record ─ scan: may it hold the text? ─ parse ─ texts: each decoded ─ needle ─ snippet
//!                          └─ no: next record
//! ```

mod needle;
mod scan;
mod snippet;
mod texts;

pub use needle::Needle;
pub use snippet::Snippet;
pub(crate) use texts::each_text;

use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// Snippets that are kept at most, about 200 bytes each; hits beyond are found and shown without one.
const SNIPPETS: usize = 20_000;

/// Which text of an event holds a hit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Place {
    /// The text of a message or of reasoning.
    Message,
    /// A key or a value of a call's input.
    Input,
    /// A call's output.
    Output,
    /// The error text of a call or of a record.
    Error,
    /// The record itself, where it is of no known kind.
    Record,
}

/// A hit in an event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Found {
    /// Where it is.
    pub place: Place,
    /// What stands around it; none where the row's own texts show it already.
    pub snippet: Option<Snippet>,
}

/// Bytes of one file to be read for a search: they hold whole records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chunk {
    /// The file, by its place in the summary.
    pub file: u32,
    /// Byte offset.
    pub start: u64,
    /// Byte offset of the end.
    pub end: u64,
    /// Its records.
    pub(crate) records: Vec<u32>,
}

/// What is known of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Known {
    #[default]
    Nothing,
    NoHit,
    Hit(Place),
}

/// A search: what it looks for, and what it found so far.
#[derive(Debug)]
pub struct Search {
    needle: Needle,
    /// By record.
    records: Vec<Known>,
    /// By event: whether the texts of its row hold the needle.
    rows: Vec<bool>,
    snippets: HashMap<u32, Snippet>,
}

impl Search {
    /// A search for a text; none for an empty one.
    pub fn new(text: &str) -> Option<Search> {
        let needle = Needle::new(text)?;
        Some(Search { needle, records: Vec::new(), rows: Vec::new(), snippets: HashMap::new() })
    }

    /// The text that is searched for.
    pub fn text(&self) -> &str {
        self.needle.text()
    }

    /// What it looks for.
    pub fn needle(&self) -> &Needle {
        &self.needle
    }

    /// Looks at the rows of events that were not looked at yet.
    pub(crate) fn look_at_rows(&mut self, events: usize, holds: impl Fn(&Needle, usize) -> bool) {
        let known = self.rows.len();
        let needle = &self.needle;
        self.rows.extend((known..events).map(|event| holds(needle, event)));
    }

    pub(crate) fn is_in_row(&self, event: u32) -> bool {
        self.rows.get(event as usize).copied().unwrap_or(false)
    }

    pub(crate) fn is_known(&self, record: u32) -> bool {
        self.records.get(record as usize).is_some_and(|known| *known != Known::Nothing)
    }

    pub(crate) fn place(&self, record: u32) -> Option<Place> {
        match self.records.get(record as usize) {
            Some(Known::Hit(place)) => Some(*place),
            _ => None,
        }
    }

    pub(crate) fn snippet(&self, record: u32) -> Option<&Snippet> {
        self.snippets.get(&record)
    }

    pub(crate) fn learn(&mut self, record: u32, hit: Option<(Place, Snippet)>) {
        let at = record as usize;
        if self.records.len() <= at {
            self.records.resize(at + 1, Known::Nothing);
        }
        if let Some(known) = self.records.get_mut(at) {
            *known = hit.as_ref().map_or(Known::NoHit, |(place, _)| Known::Hit(*place));
        }
        if let Some((_, snippet)) = hit
            && self.snippets.len() < SNIPPETS
        {
            self.snippets.insert(record, snippet);
        }
    }
}
