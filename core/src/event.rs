//! Normalized events: what a record becomes, whatever harness wrote it.
//!
//! The wire form is one flat JSON object: `type` in snake_case, fields in camelCase, and what is absent is left out,
//! never null. How records become these: `docs/mapping.md`.
//!
//! ```json
//! {"type":"read","timestamp":"2026-01-03T12:56:40.100Z","sessionId":"ses_1","line":3,"rule":"opencode.read","tool":"read","path":"src/a.rs","isSuccess":true,"outcome":"ok"}
//! ```

use crate::time::TimeMs;
use serde::ser::{SerializeMap, Serializer};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// The type of a normalized event, as its wire name says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum Kind {
    /// Text that the assistant wrote (or that the harness wrote in its name: `synthetic`).
    Agent,
    /// A prompt. Run streams never hold one.
    User,
    /// The model's thinking.
    Reasoning,
    /// A shell command that is no file operation for certain.
    Command,
    /// A file was read.
    Read,
    /// A file was written.
    Write,
    /// A search over files or code.
    Search,
    /// A listing of a folder.
    List,
    /// A skill was loaded.
    Skill,
    /// A subagent was started, completed or failed.
    Orchestration,
    /// The harness reported an error.
    Error,
    /// Nothing is known for certain: the record is kept as it is.
    Unknown,
}

impl Kind {
    /// Every kind, in the order in which the page lists them.
    pub const ALL: [Kind; 12] = [
        Kind::Agent,
        Kind::User,
        Kind::Reasoning,
        Kind::Command,
        Kind::Read,
        Kind::Write,
        Kind::Search,
        Kind::List,
        Kind::Skill,
        Kind::Orchestration,
        Kind::Error,
        Kind::Unknown,
    ];

    /// The wire name, `snake_case`.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Agent => "agent",
            Kind::User => "user",
            Kind::Reasoning => "reasoning",
            Kind::Command => "command",
            Kind::Read => "read",
            Kind::Write => "write",
            Kind::Search => "search",
            Kind::List => "list",
            Kind::Skill => "skill",
            Kind::Orchestration => "orchestration",
            Kind::Error => "error",
            Kind::Unknown => "unknown",
        }
    }

    /// The kind with that wire name.
    pub fn from_name(name: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// What really happened to a call, from its status, its exit code and its error text together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum Outcome {
    /// The status says success and nothing speaks against it.
    Ok,
    /// A failure signal: the status, the exit code, or a tool that does not exist.
    Failed,
    /// A permission or a question was refused.
    Rejected,
    /// The log cannot tell.
    Unknown,
}

impl Outcome {
    /// The wire name.
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Ok => "ok",
            Outcome::Failed => "failed",
            Outcome::Rejected => "rejected",
            Outcome::Unknown => "unknown",
        }
    }
}

/// What happened to a subagent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SubagentAction {
    /// No terminal status yet.
    Started,
    /// The call ended well.
    Completed,
    /// The call failed.
    Failed,
}

impl SubagentAction {
    /// The wire name.
    pub fn name(self) -> &'static str {
        match self {
            SubagentAction::Started => "subagent_started",
            SubagentAction::Completed => "subagent_completed",
            SubagentAction::Failed => "subagent_failed",
        }
    }
}

/// The fields that only one kind of event has.
#[derive(Debug, Clone)]
pub enum Body {
    /// Text of the assistant.
    Agent {
        /// The text.
        message: String,
        /// Written by the harness itself, as after a compaction.
        synthetic: bool,
    },
    /// A prompt.
    User {
        /// The text.
        message: String,
    },
    /// Thinking.
    Reasoning {
        /// The text.
        message: String,
    },
    /// A shell command.
    Command {
        /// The command as written.
        command: String,
        /// Where it ran, if said.
        working_directory: Option<String>,
        /// Its exit code, if said.
        exit_code: Option<i64>,
    },
    /// A read.
    Read {
        /// The file.
        path: String,
        /// First line, from 1.
        start_line: Option<u64>,
        /// Last line, inclusive.
        end_line: Option<u64>,
    },
    /// A write.
    Write {
        /// The file.
        path: String,
    },
    /// A search.
    Search {
        /// What was looked for.
        query: String,
        /// Where.
        path: Option<String>,
    },
    /// A listing.
    List {
        /// Of which folder.
        path: Option<String>,
    },
    /// A skill.
    Skill {
        /// Its file.
        path: String,
        /// Its name.
        skill_name: Option<String>,
    },
    /// A subagent.
    Orchestration {
        /// What happened.
        action: SubagentAction,
        /// The child's session id.
        subagent_id: Option<String>,
        /// The child's name.
        subagent_name: Option<String>,
    },
    /// An error that the harness reported.
    Error {
        /// Its message.
        message: String,
        /// Its code or name.
        code: Option<String>,
    },
    /// A record that is kept as it is.
    Unknown {
        /// The record: its JSON, or its text where it is none.
        raw: Raw,
    },
}

/// The record behind an `unknown` event.
#[derive(Debug, Clone)]
pub enum Raw {
    /// Its JSON, byte for byte.
    Json(Box<RawValue>),
    /// Its text, where it is no JSON.
    Text(String),
}

/// Facts that every event from a call carries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallFacts {
    /// Tool name as written.
    pub tool: String,
    /// Call id, if the log names one.
    pub call_id: Option<String>,
    /// `state.time.end` − `start`; absent when either is missing or the end comes first.
    pub duration_ms: Option<u64>,
    /// What the status says; absent when it is neither a success nor a failure word.
    pub is_success: Option<bool>,
    /// What really happened.
    pub outcome: Outcome,
    /// For a command that was read as a file operation: the command and its exit code stay with the event.
    pub shell: Option<ShellFacts>,
}

/// The command behind a file operation that was read out of a shell command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShellFacts {
    /// The command as written.
    pub command: String,
    /// Its exit code, if said.
    pub exit_code: Option<i64>,
}

/// One normalized event.
#[derive(Debug, Clone)]
pub struct Event {
    /// The record's own time.
    pub timestamp: Option<TimeMs>,
    /// The session it belongs to.
    pub session_id: Option<String>,
    /// Line of the record, from 1.
    pub line: u64,
    /// Name of the file, only where several are open.
    pub file: Option<String>,
    /// The rule that made it.
    pub rule: String,
    /// Facts of the call, for events that come from one.
    pub call: Option<CallFacts>,
    /// The kind's own fields.
    pub body: Body,
}

impl Body {
    /// The kind of this body.
    pub fn kind(&self) -> Kind {
        match self {
            Body::Agent { .. } => Kind::Agent,
            Body::User { .. } => Kind::User,
            Body::Reasoning { .. } => Kind::Reasoning,
            Body::Command { .. } => Kind::Command,
            Body::Read { .. } => Kind::Read,
            Body::Write { .. } => Kind::Write,
            Body::Search { .. } => Kind::Search,
            Body::List { .. } => Kind::List,
            Body::Skill { .. } => Kind::Skill,
            Body::Orchestration { .. } => Kind::Orchestration,
            Body::Error { .. } => Kind::Error,
            Body::Unknown { .. } => Kind::Unknown,
        }
    }
}

impl Event {
    /// The event as one line of JSON, without its end, safe in any terminal and for any reader of lines (see
    /// [`harmless`]).
    pub fn to_json_line(&self) -> String {
        harmless(serde_json::to_string(self).unwrap_or_default())
    }
}

/// Whether a character shows nothing itself and changes how the text around it is read: it turns the direction of
/// writing, joins or parts what looks like one word, or carries text that nobody sees. (Controls are not among these.)
pub fn is_hidden(c: char) -> bool {
    matches!(c,
        '\u{AD}' | '\u{61C}' | '\u{180E}'
        // Zero-width space and joiners, marks, line ends, embeddings, overrides; word joiner, invisible operators, isolates.
        | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}'
        | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}'
        // Tags.
        | '\u{E0000}'..='\u{E007F}')
}

/// JSON whose strings hold no raw control character, no Unicode line end and nothing hidden.
///
/// JSON allows U+007F to U+009F in a string, some of which steer a terminal, U+2028 and U+2029, at which readers that cut
/// text at every Unicode line end would tear a line apart, and what [`is_hidden`] says: all of them become escapes, which
/// a reader of JSON turns back into what was there.
pub fn harmless(json: String) -> String {
    let risky = |c: char| matches!(c, '\u{7F}'..='\u{9F}') || is_hidden(c);
    if json.is_ascii() && !json.contains('\u{7F}') || !json.contains(risky) {
        return json;
    }
    let mut out = String::with_capacity(json.len() + 16);
    for c in json.chars() {
        if risky(c) {
            let mut units = [0; 2];
            c.encode_utf16(&mut units).iter().for_each(|unit| out.push_str(&format!("\\u{unit:04x}")));
        } else {
            out.push(c);
        }
    }
    out
}

/// Writes a field only if it is there.
macro_rules! optional {
    ($map:ident, $name:literal, $value:expr) => {
        if let Some(value) = $value {
            $map.serialize_entry($name, value)?;
        }
    };
}

impl Serialize for Event {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("type", self.body.kind().name())?;
        optional!(map, "timestamp", self.timestamp.and_then(TimeMs::to_rfc3339).as_ref());
        optional!(map, "sessionId", &self.session_id);
        optional!(map, "file", &self.file);
        map.serialize_entry("line", &self.line)?;
        map.serialize_entry("rule", &self.rule)?;
        if let Some(call) = &self.call {
            map.serialize_entry("tool", &call.tool)?;
            optional!(map, "callId", &call.call_id);
        }
        self.body.serialize_fields(&mut map)?;
        if let Some(call) = &self.call {
            if let Some(shell) = &call.shell {
                map.serialize_entry("command", &shell.command)?;
                optional!(map, "exitCode", &shell.exit_code);
            }
            optional!(map, "isSuccess", &call.is_success);
            map.serialize_entry("outcome", call.outcome.name())?;
            optional!(map, "durationMs", &call.duration_ms);
        }
        map.end()
    }
}

impl Body {
    fn serialize_fields<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        match self {
            Body::Agent { message, synthetic } => {
                map.serialize_entry("message", message)?;
                if *synthetic {
                    map.serialize_entry("synthetic", synthetic)?;
                }
            }
            Body::User { message } | Body::Reasoning { message } => map.serialize_entry("message", message)?,
            Body::Command { command, working_directory, exit_code } => {
                map.serialize_entry("command", command)?;
                optional!(map, "workingDirectory", working_directory);
                optional!(map, "exitCode", exit_code);
            }
            Body::Read { path, start_line, end_line } => {
                map.serialize_entry("path", path)?;
                optional!(map, "startLine", start_line);
                optional!(map, "endLine", end_line);
            }
            Body::Write { path } => map.serialize_entry("path", path)?,
            Body::Search { query, path } => {
                map.serialize_entry("query", query)?;
                optional!(map, "path", path);
            }
            Body::List { path } => {
                optional!(map, "path", path);
            }
            Body::Skill { path, skill_name } => {
                map.serialize_entry("path", path)?;
                optional!(map, "skillName", skill_name);
            }
            Body::Orchestration { action, subagent_id, subagent_name } => {
                map.serialize_entry("action", action.name())?;
                optional!(map, "subagentId", subagent_id);
                optional!(map, "subagentName", subagent_name);
            }
            Body::Error { message, code } => {
                map.serialize_entry("message", message)?;
                optional!(map, "code", code);
            }
            Body::Unknown { raw } => match raw {
                Raw::Json(json) => map.serialize_entry("raw", json)?,
                Raw::Text(text) => map.serialize_entry("raw", text)?,
            },
        }
        Ok(())
    }
}
