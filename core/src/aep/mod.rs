//! The Agent Event Protocol 0.1: bus events and plugin hooks of Kilo Code and OpenCode, and run streams, as AEP events.
//!
//! Pure: moments go in, one after another, and envelopes come out; the same moments give the same bytes. What a log says
//! as a whole (which agent wrote it, whether it has hooks, which events are there more than once) is gathered first, by a
//! [`Survey`] over the same moments.
//!
//! Deviations from the pinned mapping, each documented where it is made: `permission.updated` of a log without hooks
//! ([`table`]), characters of vendor types ([`table`]), canonical numbers ([`digest`]), events of run streams
//! ([`stream`]), and times that only an event's id tells ([`clock`]).

pub(crate) mod asks;
mod clock;
mod conformance;
mod data;
mod digest;
mod envelope;
mod mapper;
mod moment;
mod rows;
mod stream;
mod survey;
mod table;
mod todos;

#[cfg(test)]
mod tests;

pub use conformance::{Check, conformance};
pub use digest::{canonical, digest};
pub use envelope::{Envelope, VERSION};
pub use mapper::{Fate, Mapper, Place, Totals};
pub use moment::Moment;
pub use rows::{AepHead, AepKind, AepRow, Rows, RunSpan, Show};
pub(crate) use stream::{Call, Head, Ladder, Part as StreamPart};
pub use survey::{Surface, Survey};

use serde::{Deserialize, Serialize};

/// The harness that a log is of: the `agent` of its events, and the `V` of its vendor types `x.V.…`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Agent {
    /// Kilo Code.
    KiloCode,
    /// OpenCode.
    #[default]
    OpenCode,
}

impl Agent {
    /// The one-word identifier.
    pub fn name(self) -> &'static str {
        match self {
            Agent::KiloCode => "kilocode",
            Agent::OpenCode => "opencode",
        }
    }

    /// The agent of that identifier.
    pub fn from_name(name: &str) -> Option<Agent> {
        [Agent::KiloCode, Agent::OpenCode].into_iter().find(|agent| agent.name() == name)
    }
}

/// How much of what people and models wrote may be in an event. Fields above the ceiling are left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Capture {
    /// Nothing but types, subjects and times.
    None,
    /// Names, ids, counts and digests.
    #[default]
    Metadata,
    /// Texts too, after the redactor.
    Redacted,
    /// Texts as they stand.
    Full,
}

impl Capture {
    /// Its word.
    pub fn name(self) -> &'static str {
        match self {
            Capture::None => "none",
            Capture::Metadata => "metadata",
            Capture::Redacted => "redacted",
            Capture::Full => "full",
        }
    }

    /// The ceiling of an event of this type: what asks for attention has to say what is asked, so `attention.*` is at
    /// least `redacted`, unless nothing at all may leave.
    pub fn ceiling(self, event_type: &str) -> Capture {
        let asks = event_type.starts_with("attention.");
        if asks && self == Capture::Metadata { Capture::Redacted } else { self }
    }
}

/// Which channel the events are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// That of a plugin in the harness: the whole table.
    #[default]
    Plugin,
    /// Server-sent events beside a plugin, which alone may emit core types: vendor types only, without data.
    Companion,
    /// Server-sent events alone: the table, but nobody can answer through this channel, so asks carry no options.
    Primary,
}

/// How events are mapped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// The agent; none takes the one that the log speaks for.
    pub agent: Option<Agent>,
    /// The ceiling.
    pub capture: Capture,
    /// The channel.
    pub mode: Mode,
    /// The host in `source`.
    pub host: String,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { agent: None, capture: Capture::default(), mode: Mode::default(), host: "local".to_owned() }
    }
}
