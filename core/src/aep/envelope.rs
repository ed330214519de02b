//! The envelope: one AEP event, and its line of JSON.

use super::{Agent, Capture};
use crate::time::TimeMs;
use serde::Serialize;
use serde_json::{Map, Value};

/// The version of the protocol.
pub const VERSION: &str = "0.1";

/// One AEP event. What is absent is left out of its JSON, never null.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Envelope {
    /// [`VERSION`].
    pub aep: &'static str,
    /// Unique in its source, and made from the place in the log: the same log gives the same ids.
    pub id: String,
    /// `session.started`, or `x.<agent>.…` for what is no core type.
    #[serde(rename = "type")]
    pub event_type: String,
    /// When, RFC 3339 in UTC with milliseconds.
    #[serde(serialize_with = "written")]
    pub time: TimeMs,
    /// `aep://{host}/agent/{agent}/session/{session}`.
    pub source: String,
    /// Who.
    pub agent: Agent,
    /// The session's id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// Counts the session's events from 0, without a hole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seq: Option<u64>,
    /// What it is about: a tool, a request, a task.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// The run that it is part of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
    /// The id of the event that it answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<String>,
    /// `error` or `debug`; none is ordinary.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub severity: Option<&'static str>,
    /// The ceiling that `data` was made under.
    pub capture: Capture,
    /// The fields of its type.
    pub data: Map<String, Value>,
}

fn written<S: serde::Serializer>(time: &TimeMs, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&time.to_rfc3339().unwrap_or_else(|| "1970-01-01T00:00:00.000Z".to_owned()))
}

impl Envelope {
    /// Whether it is a vendor type (`x.…`) and no core type.
    pub fn is_vendor(&self) -> bool {
        self.event_type.starts_with("x.")
    }

    /// One line of JSON, without controls that could steer a terminal.
    pub fn to_json_line(&self) -> String {
        // Strings, numbers and maps with text keys: nothing in it can fail.
        crate::event::harmless(serde_json::to_string(self).unwrap_or_default())
    }
}
