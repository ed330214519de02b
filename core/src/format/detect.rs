//! What a file is: the format of most of its records, how sure that is, and what was seen.

use super::shape::Shape;
use std::collections::HashMap;

/// A format, by its wire name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Format {
    StepStream,
    HarnessRaw,
    Bus,
    Export,
    Share,
    Storage,
}

impl Format {
    /// All, in the order in which a tie is settled and in which a refusal names them.
    pub(crate) const ALL: [Format; 6] =
        [Format::StepStream, Format::HarnessRaw, Format::Bus, Format::Export, Format::Share, Format::Storage];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Format::StepStream => "step-stream",
            Format::HarnessRaw => "harness-raw",
            Format::Bus => "bus",
            Format::Export => "export",
            Format::Share => "share",
            Format::Storage => "storage",
        }
    }

    fn mark(self) -> &'static str {
        match self {
            Format::StepStream => "a known `type` (or a `type` and a session id)",
            Format::HarnessRaw => "`stream` and `line`",
            Format::Bus => "`type` and `properties`",
            Format::Export => "a message's `info` and `parts`",
            Format::Share => "`type` and `data`",
            Format::Storage => "the form of a stored session, message or part",
        }
    }
}

/// Counts of what was seen in one file.
#[derive(Debug, Clone, Default)]
pub(crate) struct Seen {
    pub(crate) of_format: HashMap<Format, u64>,
    pub(crate) claude: u64,
    pub(crate) records: u64,
}

impl Seen {
    /// Counts a record. `known` says whether a line of a step stream has a known type, or a type and a session.
    pub(crate) fn add(&mut self, shape: Shape, known: bool) {
        self.records += 1;
        let format = match shape {
            Shape::ByRules => Format::StepStream,
            Shape::Stream | Shape::WrappedStream if known => Format::StepStream,
            Shape::HarnessOut | Shape::HarnessErr => Format::HarnessRaw,
            Shape::Bus | Shape::WrappedBus | Shape::Sync | Shape::Hook => Format::Bus,
            Shape::Export | Shape::Message | Shape::MessageError => Format::Export,
            Shape::Share => Format::Share,
            Shape::Session | Shape::MessageInfo | Shape::Part => Format::Storage,
            Shape::Claude => {
                self.claude += 1;
                return;
            }
            Shape::Malformed | Shape::Stream | Shape::WrappedStream | Shape::Control => return,
        };
        *self.of_format.entry(format).or_default() += 1;
    }

    /// Counts records that are pieces of a known whole: parts of an export's message.
    pub(crate) fn add_pieces(&mut self, format: Format, pieces: u64) {
        self.records += pieces;
        *self.of_format.entry(format).or_default() += pieces;
    }

    /// The format of most records, and how many.
    pub(crate) fn best(&self) -> Option<(Format, u64)> {
        let count = |format: Format| self.of_format.get(&format).copied().unwrap_or(0);
        let best = Format::ALL.into_iter().rev().max_by_key(|format| count(*format))?;
        (count(best) > 0).then(|| (best, count(best)))
    }

    /// Share of the records that have the form of the best format, in per cent.
    pub(crate) fn confidence(&self) -> u64 {
        self.best().map_or(0, |(_, count)| (count * 100).checked_div(self.records).unwrap_or(0))
    }

    /// What was seen, as sentences.
    pub(crate) fn evidence(&self) -> Vec<String> {
        let mut out = Vec::new();
        let records = self.records;
        for format in Format::ALL {
            if let Some(count) = self.of_format.get(&format) {
                out.push(format!("{count} of {records} records have {}", format.mark()));
            }
        }
        if self.claude > 0 {
            out.push(format!(
                "{} of {records} records look like Claude Code's stream-json, which is not read",
                self.claude
            ));
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_records_decide() {
        let mut seen = Seen::default();
        seen.add(Shape::Bus, false);
        for _ in 0..3 {
            seen.add(Shape::Stream, true);
        }
        seen.add(Shape::Malformed, false);
        assert_eq!(seen.best(), Some((Format::StepStream, 3)));
        assert_eq!(seen.confidence(), 60);
        assert_eq!(seen.evidence().len(), 2);
        assert_eq!(Seen::default().best(), None);
    }
}
