//! Which format a record is, told by its keys alone.
//!
//! A file's format is that of most of its records (see [`super::detect`]), so that a log which mixes several is read too.

use super::wire::{Line, LineType, Malformed};
use super::{bus, export, harness_raw};
use crate::json::{self, Object};
use std::borrow::Cow;

/// The form of one record. It is kept with the record, so that reading it again later goes the same way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub(crate) enum Shape {
    /// No JSON object.
    Malformed,
    /// A line of a step stream, or one of no known form.
    Stream,
    /// A record whose places a table of rules names.
    ByRules,
    /// `{"stream":"stdout","line":"…"}`, the line being one of a step stream.
    HarnessOut,
    /// `{"stream":"stderr","line":"…"}`.
    HarnessErr,
    /// `{"timestamp":…,"event":{…}}` around a line of a step stream.
    WrappedStream,
    /// `{"type":…,"properties":{…}}`.
    Bus,
    /// A bus event within another object.
    WrappedBus,
    /// A copy of a bus event for synchronisation.
    Sync,
    /// `{"kind":"tool.before"|"tool.after"|"permission.ask",…}`: a moment of a plugin hook.
    Hook,
    /// `{"info":{…},"messages":[…]}`, or its head.
    Export,
    /// `{"info":{…},"parts":[…]}`.
    Message,
    /// `info` of a message that has no parts.
    MessageInfo,
    /// `info` of a message, for the error in it.
    MessageError,
    /// A part, alone or out of a message.
    Part,
    /// `{"type":"session"|"message"|"part"|…,"data":{…}}` of the share API.
    Share,
    /// A session's own document.
    Session,
    /// A line of a server-sent event stream that carries no data.
    Control,
    /// Claude Code's stream-json: known, and not read.
    Claude,
}

impl Shape {
    /// The form of a record that is a JSON object.
    pub(crate) fn of(line: &Line<'_>) -> Shape {
        if line.line_type != LineType::Other {
            let stored = line.part_text.is_none() && line.top.message_id.is_some() && line.top.id.is_some();
            let text = matches!(line.line_type, LineType::Text | LineType::Reasoning);
            return if stored && text && line.top.timestamp.is_none() { Shape::Part } else { Shape::Stream };
        }
        let Some(object) = Object::parse(line.text) else { return Shape::Stream };
        let type_name = object.get("type").and_then(json::string);
        let has = |key: &str| object.get(key).is_some();
        let holds = |key: &str| object.get(key).is_some_and(|value| value.starts_with('{'));
        match type_name.as_deref() {
            Some("sync") if has("syncEvent") => return Shape::Sync,
            Some(name) if bus::is_type(name) && has("properties") => return Shape::Bus,
            Some("session" | "message" | "part" | "session_diff" | "model") if has("data") => return Shape::Share,
            Some("system" | "assistant" | "user" | "result")
                if has("session_id") && (has("message") || has("subtype")) =>
            {
                return Shape::Claude;
            }
            Some(_) if has("id") && has("messageID") && has("sessionID") && !has("part") => return Shape::Part,
            _ => {}
        }
        if let Some(stream) = harness_raw::stream(&object) {
            return if stream == "stderr" { Shape::HarnessErr } else { Shape::HarnessOut };
        }
        if type_name.is_none() {
            if is_hook(&object) {
                return Shape::Hook;
            }
            if holds("info") && has("messages") {
                return Shape::Export;
            }
            if holds("info") && has("parts") {
                return Shape::Message;
            }
            if has("role") && has("sessionID") && has("id") {
                return Shape::MessageInfo;
            }
            if let Some((_, inner)) = wrapped(&object) {
                return if bus::is_event(inner) { Shape::WrappedBus } else { Shape::WrappedStream };
            }
            let id = object.get("id").and_then(json::string).unwrap_or_default();
            if id.starts_with("ses") && (has("projectID") || has("directory") || has("time")) {
                return Shape::Session;
            }
        }
        Shape::Stream
    }

    /// The JSON that counts in a record of this form: what a wrapper holds, else the record itself.
    pub(crate) fn inner(self, text: &str) -> Cow<'_, str> {
        match self {
            Shape::HarnessOut => match harness_raw::line(text) {
                // What is wrapped is text of its own, with escapes of its own to mend.
                Some(line) => match json::repair_surrogates(&line) {
                    Cow::Owned(repaired) => Cow::Owned(repaired),
                    Cow::Borrowed(_) => line,
                },
                None => Cow::Borrowed(text),
            },
            Shape::WrappedStream | Shape::WrappedBus => {
                let inner = Object::parse(text).and_then(|object| wrapped(&object).map(|(_, inner)| inner));
                Cow::Borrowed(inner.unwrap_or(text))
            }
            Shape::MessageError => {
                let places = ["/properties/info", "/event/properties/info", "/payload/properties/info", "/data"];
                Cow::Borrowed(places.into_iter().find_map(|place| json::pointer(text, place)).unwrap_or(text))
            }
            _ => Cow::Borrowed(text),
        }
    }

    /// Reads the JSON that counts (see [`Shape::inner`]) as a line.
    pub(crate) fn line(self, inner: &str) -> Result<Line<'_>, Malformed> {
        let consumed = || Line::of_envelope(inner, "{}", LineType::Consumed).map_err(Malformed::Invalid);
        match self {
            Shape::Malformed
            | Shape::Stream
            | Shape::ByRules
            | Shape::HarnessOut
            | Shape::WrappedStream
            | Shape::Claude => Line::parse(inner),
            Shape::HarnessErr => Line::of_envelope(inner, inner, LineType::Other).map_err(Malformed::Invalid),
            Shape::Part => Line::of_part(inner, inner, "").map_err(Malformed::Invalid),
            Shape::Bus | Shape::WrappedBus => bus::line(inner).map_err(Malformed::Invalid),
            Shape::MessageError => Line::of_envelope(inner, inner, LineType::Error).map_err(Malformed::Invalid),
            Shape::Share => export::share_line(inner).map_err(Malformed::Invalid),
            Shape::Sync
            | Shape::Hook
            | Shape::Export
            | Shape::Message
            | Shape::MessageInfo
            | Shape::Session
            | Shape::Control => consumed(),
        }
    }

    /// What such a record is, for an explanation.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Shape::Malformed => "not a JSON object",
            Shape::Stream => "a JSON object",
            Shape::ByRules => "a JSON object, read as the `stream` of the rules says",
            Shape::HarnessOut => "a line of standard output, wrapped",
            Shape::HarnessErr => "a line of standard error, wrapped",
            Shape::WrappedStream => "a line of a step stream, wrapped",
            Shape::Bus => "a bus event",
            Shape::WrappedBus => "a bus event, wrapped",
            Shape::Hook => "a moment of a plugin hook",
            Shape::Sync => "a copy of a bus event, for synchronisation",
            Shape::Export => "the head of an export",
            Shape::Message => "a message",
            Shape::MessageInfo => "a message's own document",
            Shape::MessageError => "a message's own document, for the error in it",
            Shape::Part => "a part of a message",
            Shape::Share => "an element of a shared session",
            Shape::Session => "a session's own document",
            Shape::Control => "a line of a server-sent event stream without data",
            Shape::Claude => "a line of Claude Code's stream-json, which is not read",
        }
    }

    /// Where the inner JSON stands in the record, for pointers.
    pub(crate) fn prefix(self, text: &str) -> String {
        match self {
            Shape::WrappedStream | Shape::WrappedBus => {
                let key = Object::parse(text).and_then(|object| wrapped(&object).map(|(key, _)| key));
                key.map(|key| format!("/{key}")).unwrap_or_default()
            }
            Shape::HarnessOut => "/line".to_owned(),
            _ => String::new(),
        }
    }
}

/// Whether an object is a moment of a plugin hook.
fn is_hook(object: &Object<'_>) -> bool {
    let key = match object.get("kind").and_then(json::string).as_deref() {
        Some("tool.before" | "tool.after" | "tool.execute.before" | "tool.execute.after") => "input",
        Some("permission.ask") => "permission",
        _ => return false,
    };
    object.get(key).is_some_and(|value| value.starts_with('{'))
}

/// The event that an object wraps, under whatever key: an object with a string `type`.
fn wrapped<'a>(object: &Object<'a>) -> Option<(String, &'a str)> {
    let typed = |value: &str| {
        value.starts_with('{')
            && Object::parse(value).is_some_and(|inner| inner.get("type").and_then(json::string).is_some())
    };
    let keys: Vec<String> = object.keys().map(str::to_owned).collect();
    let preferred = ["event", "payload"].into_iter().map(str::to_owned);
    preferred.chain(keys).find_map(|key| {
        let value = object.get(&key)?;
        typed(value).then_some((key, value))
    })
}

/// The time that a wrapper gives to what it wraps.
pub(crate) fn wrapper_time(text: &str) -> Option<crate::time::TimeMs> {
    let object = Object::parse(text)?;
    super::wire::time(object.get("timestamp")?)
}

/// When a request was found open by whoever connected: it is none of the stream's events, and began earlier.
pub(crate) fn open_time(text: &str) -> Option<crate::time::TimeMs> {
    let object = Object::parse(text)?;
    super::wire::time(object.get(OPEN_AT)?)
}

/// The key of a wrapper around a request that was open already.
pub(crate) const OPEN_AT: &str = "openAt";

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(text: &str) -> Shape {
        Shape::of(&Line::parse(text).unwrap())
    }

    #[test]
    fn told_by_the_keys() {
        assert_eq!(shape(r#"{"type":"text","part":{"text":"x"}}"#), Shape::Stream);
        assert_eq!(shape(r#"{"type":"text","id":"p","messageID":"m","text":"x"}"#), Shape::Part);
        assert_eq!(shape(r#"{"type":"tool","id":"p","messageID":"m","sessionID":"s"}"#), Shape::Part);
        assert_eq!(shape(r#"{"stream":"stdout","line":"{}"}"#), Shape::HarnessOut);
        assert_eq!(shape(r#"{"timestamp":1,"event":{"type":"text"}}"#), Shape::WrappedStream);
        assert_eq!(shape(r#"{"timestamp":1,"event":{"type":"session.idle","properties":{}}}"#), Shape::WrappedBus);
        assert_eq!(shape(r#"{"directory":"/","payload":{"type":"a.b","properties":{}}}"#), Shape::WrappedBus);
        assert_eq!(shape(r#"{"type":"session.idle","properties":{}}"#), Shape::Bus);
        assert_eq!(shape(r#"{"type":"sync","syncEvent":{}}"#), Shape::Sync);
        assert_eq!(shape(r#"{"kind":"tool.before","input":{"tool":"bash"}}"#), Shape::Hook);
        assert_eq!(shape(r#"{"kind":"permission.ask","permission":{}}"#), Shape::Hook);
        assert_eq!(shape(r#"{"kind":"bus","event":{"type":"session.idle","properties":{}}}"#), Shape::WrappedBus);
        assert_eq!(shape(r#"{"info":{},"messages":[]}"#), Shape::Export);
        assert_eq!(shape(r#"{"info":{},"parts":[]}"#), Shape::Message);
        assert_eq!(shape(r#"{"type":"part","data":{}}"#), Shape::Share);
        assert_eq!(shape(r#"{"type":"assistant","message":{},"session_id":"x"}"#), Shape::Claude);
        assert_eq!(shape(r#"{"id":"msg_1","role":"user","sessionID":"s"}"#), Shape::MessageInfo);
        assert_eq!(shape(r#"{"id":"ses_1","directory":"/w"}"#), Shape::Session);
        assert_eq!(shape(r#"{"foo":1}"#), Shape::Stream);
    }
}
