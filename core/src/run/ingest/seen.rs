//! Whether a record says something new: parts by their ids, errors by their words.

use super::super::Run;
use super::super::store::{NO_TIME, PartRow, index};
use crate::format::shape::Shape;
use crate::format::wire::{Line, LineType};
use crate::json::{Fingerprint, fingerprint_of_bytes, fingerprint_of_json};

/// A part, as far as two records can be states of the same one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct PartKey {
    pub(super) session: u32,
    line_type: LineType,
    id: u64,
}

impl PartKey {
    /// Whether it is of a part with that id.
    pub(in super::super) fn is_of(&self, session: u32, id: &str) -> bool {
        self.session == session && self.id == fingerprint_of_bytes(id.as_bytes()).0
    }
}

/// The record before, in the same file: a line without ids can only be the twin of that one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Twin {
    pub(super) file: u16,
    pub(super) fingerprint: Fingerprint,
}

/// An error that was met: who said it, in which file, and the whole record.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ErrorSeen {
    pub(super) source: ErrorSource,
    pub(super) file: u16,
    pub(super) whole: Fingerprint,
    pub(super) record: u32,
}

/// Who reports an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ErrorSource {
    /// A line of a step stream.
    Stream,
    /// A bus event.
    Bus,
    /// A message's own document.
    Message,
}

impl ErrorSource {
    pub(super) fn of(shape: Shape) -> ErrorSource {
        match shape {
            Shape::MessageError => ErrorSource::Message,
            Shape::Bus | Shape::WrappedBus => ErrorSource::Bus,
            _ => ErrorSource::Stream,
        }
    }
}

/// What an earlier record says about a new one.
pub(super) enum Seen {
    /// Nothing.
    New(Option<PartKey>),
    /// The same, word for word.
    Repeat { part: u32 },
    /// Another state of the same part.
    Superseded { part: u32 },
}

/// How much a record's word counts where several files hold the same part: an export's more than the bus's, that more
/// than the run stream's; within a kind the later end, then more keys. Before all that, one that was not sanitized says
/// more than one that was, and where all is equal the fingerprint decides. So the order of files never matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) struct Rank(bool, u8, i64, u32, u64);

impl Rank {
    pub(super) fn of(shape: Shape, line: &Line<'_>, fingerprint: Fingerprint) -> Rank {
        let kind = match shape {
            Shape::Part | Shape::Share => 2,
            Shape::Bus | Shape::WrappedBus => 1,
            _ => 0,
        };
        let end = line.interval().1.map_or(NO_TIME, |end| end.0);
        // Hardly a log holds the word at all.
        let sanitized = line.part_text.filter(|text| memchr::memmem::find(text.as_bytes(), b"redacted").is_some());
        let sanitized = sanitized.is_some_and(|text| text.contains("[redacted:") || text.contains("{\"redacted\":"));
        Rank(!sanitized, kind, end, line.part.count, fingerprint.0)
    }
}

impl Run {
    /// Whether an earlier record is the same part.
    pub(super) fn seen(&self, line: &Line<'_>, session: u32) -> Seen {
        if matches!(line.line_type, LineType::Error | LineType::Other | LineType::Consumed) {
            return Seen::New(None);
        }
        let body = || body(line);
        if let Some(id) = line.part_id().filter(|id| !is_placeholder(id, line)) {
            let key = PartKey { session, line_type: line.line_type, id: fingerprint_of_bytes(id.as_bytes()).0 };
            return match self.part_of_key.get(&key).and_then(|part| Some((*part, self.parts.get(*part as usize)?))) {
                None => Seen::New(Some(key)),
                Some((part, row)) if row.fingerprint == body() => Seen::Repeat { part },
                Some((part, _)) => Seen::Superseded { part },
            };
        }
        if let Some(message) = line.message_id() {
            // Without an id of its own a part is the same only if all that names it is equal, and its body too.
            let status = line.status().map(|status| status.value.into_owned()).unwrap_or_default();
            let name = format!("{message}\0{}\0{status}\0{:x}", line.call_id().unwrap_or_default(), body().0);
            let key = PartKey { session, line_type: line.line_type, id: fingerprint_of_bytes(name.as_bytes()).0 };
            return match self.part_of_key.get(&key) {
                Some(part) => Seen::Repeat { part: *part },
                None => Seen::New(Some(key)),
            };
        }
        let whole = fingerprint_of_bytes(line.text.as_bytes());
        let twin = self.twin.filter(|twin| twin.file == self.current_file() && twin.fingerprint == whole);
        match (line.top.timestamp, twin, index(self.parts.len()).checked_sub(1)) {
            (Some(_), Some(_), Some(part)) => Seen::Repeat { part },
            _ => Seen::New(None),
        }
    }

    /// The earlier error that this one is the same as: one that the harness and a message both report, or one of a file
    /// that is open twice.
    pub(super) fn seen_error(&mut self, line: &Line<'_>, session: u32, shape: Shape, record: u32) -> Option<u32> {
        let facts = crate::record::error_facts(line);
        let words = fingerprint_of_bytes(facts.message.as_bytes()).0;
        let seen = ErrorSeen {
            source: ErrorSource::of(shape),
            file: self.current_file(),
            whole: fingerprint_of_bytes(line.text.as_bytes()),
            record,
        };
        let known = self.errors_seen.entry((session, words)).or_default();
        let same = known.iter().find(|other| {
            let message_again = other.source == ErrorSource::Message && seen.source == ErrorSource::Message;
            let file_again = other.file != seen.file && other.whole == seen.whole;
            other.source != seen.source || message_again || file_again
        });
        let same = same.map(|other| other.record);
        known.push(seen);
        same
    }
}

/// The fingerprint of what a part says.
pub(super) fn body(line: &Line<'_>) -> Fingerprint {
    line.part_text.map(fingerprint_of_json).unwrap_or_default()
}

/// Whether a record of this rank takes the place of the part as it is known.
pub(super) fn outranks(row: &PartRow, rank: Rank) -> bool {
    rank > row.rank
}

/// Whether nothing but the record before can tell that a record was written twice.
pub(super) fn has_no_ids(line: &Line<'_>) -> bool {
    line.message_id().is_none() && line.part_id().is_none_or(|id| is_placeholder(id, line))
}

/// A redacted log repeats one placeholder for all ids; such an id tells nothing apart.
fn is_placeholder(id: &str, line: &Line<'_>) -> bool {
    line.message_id() == Some(id) || (id.to_ascii_lowercase().contains("redacted") && !id.contains(':'))
}
