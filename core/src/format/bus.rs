//! Bus events, as a server's `/event` sends them.
//!
//! ```json
//! {"id":"evt_1","type":"message.part.updated","properties":{"part":{"id":"prt_1","type":"text","text":"hi", …}}}
//! ```
//!
//! Parts in them are the parts of the run stream, and become the same events. Everything else is known and gives no
//! normalized event; what it says of sessions, messages and verdicts is taken.

use super::ask::{self, Answered, Asked};
use super::export::{MessageInfo, SessionInfo};
use super::wire::{Line, LineType, Node};
use crate::json::{self, Object};
use crate::run::removed::Removed;
use std::borrow::Cow;

/// Families of the bus vocabulary: the first word of a type.
const FAMILIES: [&str; 36] = [
    "session",
    "message",
    "permission",
    "question",
    "todo",
    "file",
    "command",
    "server",
    "lsp",
    "mcp",
    "tui",
    "vcs",
    "pty",
    "installation",
    "ide",
    "project",
    "storage",
    "worktree",
    "workspace",
    "plugin",
    "suggestion",
    "kilocode",
    "background_process",
    "interactive_terminal",
    "indexing",
    "memory",
    "sandbox",
    "custom",
    "form",
    "global",
    "config",
    "provider",
    "account",
    "integration",
    "catalog",
    "reference",
];

/// Whether a JSON object is a bus event.
pub(super) fn is_event(text: &str) -> bool {
    Object::parse(text).is_some_and(|object| {
        let named = object.get("type").and_then(json::string).is_some_and(|name| is_type(&name));
        named && object.get("properties").is_some()
    })
}

/// Whether a `type` can be that of a bus event: words with points between them. (A JSON Schema has `type` and
/// `properties` too.)
pub(super) fn is_type(name: &str) -> bool {
    name.contains('.')
}

/// A bus event as a line.
pub(super) fn line(text: &str) -> Result<Line<'_>, String> {
    let Some(object) = Object::parse(text) else { return Err("no bus event".to_owned()) };
    let name = object.get("type").and_then(json::string).unwrap_or_default();
    let properties = object.get("properties").and_then(Object::parse).unwrap_or_default();
    match base_type(&name) {
        "message.part.updated" if name == base_type(&name) => match properties.get("part") {
            Some(part) if part.starts_with('{') => Line::of_part(text, part, "/properties/part"),
            _ => Line::of_envelope(text, "{}", LineType::Consumed),
        },
        "session.error" if properties.get("error").is_some() => {
            let top: Node<'_> = match object.get("properties") {
                Some(properties) => serde_json::from_str(properties).map_err(|error| error.to_string())?,
                None => Node::default(),
            };
            Line::build(text, LineType::Error, top, None, "/properties", "/part")
        }
        other if FAMILIES.contains(&other.split('.').next().unwrap_or_default()) => {
            Line::of_envelope(text, "{}", LineType::Consumed)
        }
        _ => Line::of_envelope(text, text, LineType::Other),
    }
}

/// A type without its version: `session.created.1` and `session.created.v1` are copies of `session.created`.
pub(crate) fn base_type(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((base, version)) => {
            let digits = version.strip_prefix('v').unwrap_or(version);
            if !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) { base } else { name }
        }
        None => name,
    }
}

/// What a bus event says beside its part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum News {
    Session(Box<SessionInfo>),
    Message(Box<MessageInfo>),
    /// The server has nothing to do for this session.
    Idle,
    /// It has.
    Busy,
    /// A turn ended: `completed`, `error`, `interrupted`, `superseded`.
    TurnClosed(String),
    /// Somebody is asked.
    Asked(Box<Asked>),
    /// A request was answered or dismissed.
    Answered(Box<Answered>),
    Compacted,
    /// A message or a part of one was removed, by its id.
    Removed(Removed, String),
    /// The list of tasks changed.
    Todos,
    /// The stream begins, or begins again.
    Connected,
    Nothing,
}

/// Reads what a bus event says, and the session that it is about.
pub(crate) fn news(text: &str) -> (Option<String>, News) {
    let Some(object) = Object::parse(text) else { return (None, News::Nothing) };
    let name = object.get("type").and_then(json::string).unwrap_or_default();
    let properties = object.get("properties").and_then(Object::parse).unwrap_or_default();
    let string = |key: &str| properties.get(key).and_then(json::filled_string).map(Cow::into_owned);
    let info = properties.get("info");
    let part_session = || {
        let part = properties.get("part").and_then(Object::parse)?;
        part.get("sessionID").and_then(json::filled_string).map(Cow::into_owned)
    };
    let info_session = || {
        let info = info.and_then(Object::parse)?;
        let key = if name.starts_with("session.") { "id" } else { "sessionID" };
        info.get(key).and_then(json::filled_string).map(Cow::into_owned)
    };
    let session = string("sessionID").or_else(part_session).or_else(info_session);
    if name != base_type(&name) {
        return (session, News::Nothing);
    }
    let news = match name.as_ref() {
        "session.created" | "session.updated" => {
            info.and_then(SessionInfo::read).map(|info| News::Session(Box::new(info)))
        }
        "message.updated" => info.and_then(MessageInfo::read).map(|info| News::Message(Box::new(info))),
        "session.idle" => Some(News::Idle),
        "session.status" => {
            let status = properties.get("status").and_then(Object::parse).unwrap_or_default();
            match status.get("type").and_then(json::string).as_deref() {
                Some("idle") => Some(News::Idle),
                Some(_) => Some(News::Busy),
                None => None,
            }
        }
        "session.turn.close" => string("reason").map(News::TurnClosed),
        "session.compacted" => Some(News::Compacted),
        "message.removed" => string("messageID").map(|id| News::Removed(Removed::Message, id)),
        "message.part.removed" => string("partID").map(|id| News::Removed(Removed::Part, id)),
        "todo.updated" => Some(News::Todos),
        "server.connected" => Some(News::Connected),
        "permission.asked" | "permission.updated" | "question.asked" | "suggestion.shown" => {
            ask::asked(text).map(|asked| News::Asked(Box::new(asked)))
        }
        "permission.replied"
        | "question.replied"
        | "question.rejected"
        | "suggestion.accepted"
        | "suggestion.dismissed" => ask::answered(text).map(|answered| News::Answered(Box::new(answered))),
        _ => None,
    };
    (session, news.unwrap_or(News::Nothing))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_copies() {
        assert_eq!(base_type("session.created.1"), "session.created");
        assert_eq!(base_type("message.part.updated.v2"), "message.part.updated");
        assert_eq!(base_type("session.next.step"), "session.next.step");
    }

    #[test]
    fn parts_and_errors_are_lines() {
        let part = r#"{"type":"message.part.updated","properties":{"part":{"id":"p","type":"tool","tool":"bash","sessionID":"s","state":{"status":"completed"}}}}"#;
        let read = line(part).unwrap();
        assert_eq!(read.line_type, LineType::ToolUse);
        assert_eq!(read.pointer(read.status().unwrap().at), "/properties/part/state/status");
        let error = r#"{"type":"session.error","properties":{"sessionID":"s","error":{"name":"X"}}}"#;
        assert_eq!(line(error).unwrap().line_type, LineType::Error);
        assert_eq!(
            line(r#"{"type":"session.error","properties":{"sessionID":"s"}}"#).unwrap().line_type,
            LineType::Consumed
        );
        assert_eq!(line(r#"{"type":"brand.new","properties":{}}"#).unwrap().line_type, LineType::Other);
        assert_eq!(line(r#"{"type":"server.connected","properties":[]}"#).unwrap().line_type, LineType::Consumed);
    }

    #[test]
    fn news_name_their_session() {
        let (session, what) =
            news(r#"{"type":"permission.asked","properties":{"id":"per_1","sessionID":"s","permission":"bash"}}"#);
        assert_eq!(session.as_deref(), Some("s"));
        assert!(
            matches!(what, News::Asked(asked) if asked.id == "per_1" && asked.permission.as_deref() == Some("bash"))
        );
        let (session, what) =
            news(r#"{"type":"session.status","properties":{"sessionID":"s","status":{"type":"idle"}}}"#);
        assert_eq!((session.as_deref(), what), (Some("s"), News::Idle));
    }
}
