//! Columns: what a run keeps of each record, event, call and step. Offsets and small numbers, never the text of a line.

use super::ingest::Rank;
use super::removed::TimeFrom;
use crate::event::{Kind, Outcome};
use crate::format::shape::Shape;
use crate::json::Fingerprint;
use crate::money::PicoUsd;
use crate::record::Class;
use crate::usage::Usage;
use std::collections::HashMap;

/// No index.
pub(crate) const NONE: u32 = u32::MAX;
/// No time.
pub(crate) const NO_TIME: i64 = i64::MIN;

/// A place in a column.
pub(crate) fn index(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(NONE)
}

/// One record: where it stands, and where it went under each dialect.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RecordRow {
    pub(crate) offset: u64,
    pub(crate) len: u32,
    pub(crate) line: u32,
    /// Where the lines have to be decoded and stripped again: what part of their text it is.
    pub(crate) within: Option<(u32, u32)>,
    pub(crate) file: u16,
    pub(crate) shape: Shape,
    pub(crate) class: [Class; 2],
    pub(crate) malformed: bool,
    pub(crate) session: u32,
    /// The part that it is a state of.
    pub(crate) part: u32,
}

/// A part of a message, told by its id: its records are states of one thing.
#[derive(Debug, Clone)]
pub(crate) struct PartRow {
    /// The record at whose line it stands.
    pub(crate) record: u32,
    /// The record that holds its values.
    pub(crate) source: u32,
    pub(crate) fingerprint: Fingerprint,
    pub(crate) rank: Rank,
    /// Time of the record at whose line it stands.
    pub(crate) time: i64,
    pub(crate) finished: bool,
    pub(crate) call: u32,
    pub(crate) step: u32,
    /// Its events.
    pub(crate) events: (u32, u32),
    /// Where its start is known from.
    pub(crate) time_from: TimeFrom,
}

/// One event, as a list shows it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EventColumn {
    pub(crate) record: u32,
    pub(crate) source: u32,
    /// Which of the events of its record.
    pub(crate) sub: u16,
    /// Under which dialects it is there.
    pub(crate) dialects: u8,
    pub(crate) kind: Kind,
    pub(crate) live: bool,
    pub(crate) synthetic: bool,
    pub(crate) call: u32,
    pub(crate) step: u32,
    pub(crate) session: u32,
    pub(crate) time: i64,
    pub(crate) path: u32,
    pub(crate) summary: Text,
    pub(crate) aside: Text,
    pub(crate) note: Text,
}

/// One call.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CallColumn {
    /// The name that it counts under.
    pub(crate) tool: u32,
    /// The name as written.
    pub(crate) written: u32,
    pub(crate) session: u32,
    pub(crate) step: u32,
    pub(crate) record: u32,
    pub(crate) start: i64,
    pub(crate) end: i64,
    pub(crate) output_bytes: u64,
    pub(crate) is_success: Option<bool>,
    pub(crate) outcome: Outcome,
    /// Session of the subagent that it started.
    pub(crate) child: u32,
    /// Of its input: equal calls have equal ones.
    pub(crate) input: Fingerprint,
    /// The harness cut its output.
    pub(crate) truncated: bool,
    /// The harness took its output out of the context later.
    pub(crate) pruned: bool,
    /// Dialects under which no rule reads it.
    pub(crate) unmapped: u8,
    /// Why, by dialect; interned.
    pub(crate) why: [u32; 2],
}

impl CallColumn {
    pub(crate) fn duration(&self) -> Option<u64> {
        (self.start != NO_TIME && self.end != NO_TIME).then(|| u64::try_from(self.end - self.start).ok())?
    }

    pub(crate) fn green_but_failed(&self) -> bool {
        self.is_success == Some(true) && self.outcome == Outcome::Failed
    }
}

/// One step: one request to the model, with all its attempts.
#[derive(Debug, Clone)]
pub(crate) struct StepColumn {
    pub(crate) session: u32,
    pub(crate) number: u32,
    /// Key of its message, where it names one.
    pub(crate) message: Option<u64>,
    /// The record that it begins at: its start, or its finish where it has no start.
    pub(crate) record: u32,
    pub(crate) finish: u32,
    /// The record at which its last attempt begins.
    pub(crate) attempt: u32,
    pub(crate) attempts: u32,
    pub(crate) start: i64,
    pub(crate) end: i64,
    pub(crate) reason: u32,
    pub(crate) usage: Option<Usage>,
    pub(crate) cost: Option<PicoUsd>,
    pub(crate) model: u32,
    /// The model that a log line before it named.
    pub(crate) log_model: u32,
    pub(crate) calls: u32,
    pub(crate) failed: u32,
    pub(crate) rejected: u32,
}

/// A piece of the text arena.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Text {
    at: u32,
    len: u16,
}

impl Text {
    pub(crate) fn is_empty(self) -> bool {
        self.len == 0
    }
}

/// Short texts of rows, one after the other. Each is cut to [`Texts::MAX`] bytes, and a run with more than 4 GiB of them
/// shows the rest without.
#[derive(Debug, Default)]
pub(crate) struct Texts {
    arena: String,
}

impl Texts {
    /// The longest text of a row, in bytes; a row shows one line, and the detail has the whole.
    pub(crate) const MAX: usize = 240;

    /// Keeps one line of a text: runs of white space and control characters become one space.
    pub(crate) fn add(&mut self, text: &str) -> Text {
        let Ok(at) = u32::try_from(self.arena.len()) else { return Text::default() };
        let start = self.arena.len();
        let mut gap = false;
        for c in text.chars() {
            if c.is_whitespace() || c.is_control() {
                gap = self.arena.len() > start;
                continue;
            }
            if self.arena.len() - start + c.len_utf8() + 4 > Texts::MAX {
                self.arena.push('…');
                break;
            }
            if gap {
                self.arena.push(' ');
                gap = false;
            }
            self.arena.push(c);
        }
        Text { at, len: (self.arena.len() - start) as u16 }
    }

    pub(crate) fn get(&self, text: Text) -> &str {
        let at = text.at as usize;
        self.arena.get(at..at + usize::from(text.len)).unwrap_or_default()
    }
}

/// Strings that come again and again, each kept once.
#[derive(Debug, Default)]
pub(crate) struct Interner {
    strings: Vec<Box<str>>,
    ids: HashMap<Box<str>, u32>,
}

impl Interner {
    pub(crate) fn add(&mut self, text: &str) -> u32 {
        if let Some(id) = self.ids.get(text) {
            return *id;
        }
        let id = index(self.strings.len());
        self.strings.push(text.into());
        self.ids.insert(text.into(), id);
        id
    }

    pub(crate) fn get(&self, id: u32) -> Option<&str> {
        self.strings.get(id as usize).map(AsRef::as_ref)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_text_is_one_line_and_cut() {
        let mut texts = Texts::default();
        let short = texts.add("  a\n\tb\u{1b}[31m c ");
        let long = texts.add(&"é".repeat(500));
        assert_eq!(texts.get(short), "a b [31m c");
        assert!(texts.get(long).ends_with('…') && texts.get(long).len() <= Texts::MAX);
    }
}
