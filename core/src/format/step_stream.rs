//! The step stream that `kilo run --format json` and `opencode run --format json` write: one JSON object a line.
//!
//! ```json
//! {"type":"tool_use","timestamp":1767445000200,"sessionID":"ses_1","part":{"id":"prt_1","messageID":"msg_1","type":"tool","callID":"c","tool":"bash","state":{"status":"completed","input":{"command":"ls"},"output":"a","metadata":{"exit":0},"time":{"start":1767445000100,"end":1767445000200}}}}
//! ```
//!
//! Everything is optional and may stand at the top level instead of in `part`: third-party writers flatten it. A field
//! of an unexpected JSON type counts as absent; no line is refused for one.

mod node;

use crate::json::{self, Object};
use crate::time::TimeMs;
pub(crate) use node::Node;
use std::borrow::Cow;

/// The top-level `type` of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum LineType {
    StepStart,
    StepFinish,
    Text,
    Reasoning,
    ToolUse,
    Error,
    /// Any other `type`, or none.
    Other,
}

/// A line that is a JSON object.
#[derive(Debug)]
pub(crate) struct Line<'a> {
    /// The text of the line.
    pub(crate) text: &'a str,
    pub(crate) line_type: LineType,
    pub(crate) top: Node<'a>,
    /// `part`, where it is an object.
    pub(crate) part: Node<'a>,
    /// Text of `part`, where it is an object.
    pub(crate) part_text: Option<&'a str>,
    /// `state` of the part, else of the top level.
    pub(crate) state: Node<'a>,
    /// `/part/state` or `/state`.
    pub(crate) state_pointer: &'static str,
}

/// A field that was found: its value, and the JSON pointer where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Found<T> {
    pub(crate) value: T,
    pub(crate) pointer: &'static str,
}

fn found<T: Clone>(candidates: &[(&Option<T>, &'static str)]) -> Option<Found<T>> {
    candidates.iter().find_map(|(value, pointer)| (*value).clone().map(|value| Found { value, pointer }))
}

impl<'a> Line<'a> {
    /// Reads the text of a line. The error says why it is no JSON object.
    pub(crate) fn parse(text: &'a str) -> Result<Line<'a>, String> {
        let top: Node<'a> = match serde_json::from_str(text) {
            Ok(top) => top,
            Err(error) => return Err(why_malformed(text, &error)),
        };
        let line_type = match top.line_type.as_deref() {
            Some("step_start") => LineType::StepStart,
            Some("step_finish") => LineType::StepFinish,
            Some("text") => LineType::Text,
            Some("reasoning") => LineType::Reasoning,
            Some("tool_use") => LineType::ToolUse,
            Some("error") => LineType::Error,
            _ => LineType::Other,
        };
        // A part that does not decode (a lone surrogate deep inside) is the caller's to repair and try again.
        let part_text = top.part.filter(|text| text.starts_with('{'));
        let part: Node<'a> = match part_text {
            Some(text) => serde_json::from_str(text).map_err(|error| error.to_string())?,
            None => Node::default(),
        };
        let (state_text, state_pointer) = match (part.state, top.state) {
            (Some(state), _) if state.starts_with('{') => (Some(state), "/part/state"),
            (_, Some(state)) if state.starts_with('{') => (Some(state), "/state"),
            _ => (None, "/part/state"),
        };
        let state: Node<'a> = match state_text {
            Some(text) => serde_json::from_str(text).map_err(|error| error.to_string())?,
            None => Node::default(),
        };
        Ok(Line { text, line_type, top, part, part_text, state, state_pointer })
    }

    /// The session that the line names: the first of its three spellings that is not empty.
    pub(crate) fn session(&self) -> Option<Found<Cow<'a, str>>> {
        let top = [
            (&self.top.session_upper, "/sessionID"),
            (&self.top.session_snake, "/session_id"),
            (&self.top.session_camel, "/sessionId"),
            (&self.part.session_upper, "/part/sessionID"),
        ];
        top.into_iter()
            .find_map(|(value, pointer)| value.clone().filter(|v| !v.is_empty()).map(|value| Found { value, pointer }))
    }

    /// The line's own time; the error is what stands there instead.
    pub(crate) fn timestamp(&self) -> Result<Option<TimeMs>, String> {
        let Some(text) = self.top.timestamp.filter(|text| *text != "null") else { return Ok(None) };
        time(text).map(Some).ok_or_else(|| text.chars().take(60).collect())
    }

    /// The id of the part. Where there is a `partID`, `id` is the call's.
    pub(crate) fn part_id(&self) -> Option<&str> {
        self.part.part_id.as_deref().or(self.part.id.as_deref()).filter(|id| !id.is_empty())
    }

    /// The message that the part belongs to.
    pub(crate) fn message_id(&self) -> Option<&str> {
        self.part.message_id.as_deref().or(self.top.message_id.as_deref()).filter(|id| !id.is_empty())
    }

    /// The call's id.
    pub(crate) fn call_id(&self) -> Option<&str> {
        let ids = [&self.part.call_id, &self.top.call_id, &self.top.tool_use_id, &self.part.tool_use_id];
        let named = ids.into_iter().find_map(|id| id.as_deref().filter(|id| !id.is_empty()));
        named.or_else(|| self.part.id.as_deref().filter(|_| self.part.part_id.is_some()))
    }

    /// The tool's name.
    pub(crate) fn tool(&self) -> Option<Found<Cow<'a, str>>> {
        let candidates = [
            (&self.part.tool, "/part/tool"),
            (&self.top.tool, "/tool"),
            (&self.top.tool_name, "/toolName"),
            (&self.top.name, "/name"),
            (&self.part.tool_name, "/part/toolName"),
            (&self.part.name, "/part/name"),
        ];
        candidates
            .into_iter()
            .find_map(|(value, pointer)| value.clone().filter(|v| !v.is_empty()).map(|value| Found { value, pointer }))
    }

    /// The call's input, as text.
    pub(crate) fn input(&self) -> Option<Found<&'a str>> {
        let at_state = if self.state_pointer == "/state" { "/state/input" } else { "/part/state/input" };
        found(&[
            (&self.state.input, at_state),
            (&self.top.input, "/input"),
            (&self.top.arguments, "/arguments"),
            (&self.part.input, "/part/input"),
            (&self.part.arguments, "/part/arguments"),
        ])
    }

    /// The call's status word.
    pub(crate) fn status(&self) -> Option<Found<Cow<'a, str>>> {
        let at_state = if self.state_pointer == "/state" { "/state/status" } else { "/part/state/status" };
        found(&[(&self.state.status, at_state), (&self.top.status, "/status"), (&self.part.status, "/part/status")])
    }

    /// The call's error text: a string, or the message of an object.
    pub(crate) fn call_error(&self) -> Option<String> {
        let text = self.state.error.or(self.part.error).or(self.top.error)?;
        json::filled_string(text).map(Cow::into_owned).or_else(|| {
            let object = Object::parse(text).filter(|object| !object.is_empty())?;
            let message = object.get("message").and_then(json::filled_string).map(Cow::into_owned);
            Some(message.unwrap_or_else(|| text.to_owned()))
        })
    }

    /// The call's output: a string as it is, any other JSON as its text.
    pub(crate) fn output(&self) -> Option<Cow<'a, str>> {
        let text = self.state.output.or(self.top.output).or(self.part.output).filter(|text| *text != "null")?;
        Some(json::string(text).unwrap_or(Cow::Borrowed(text)))
    }

    /// `state.metadata`.
    pub(crate) fn metadata(&self) -> Option<Object<'a>> {
        self.state.metadata.or(self.top.metadata).and_then(Object::parse)
    }

    /// Start and end of the call or of the text, as the part says them.
    pub(crate) fn interval(&self) -> (Option<TimeMs>, Option<TimeMs>) {
        let Some(object) = self.state.time.or(self.part.time).or(self.top.time).and_then(Object::parse) else {
            return (None, None);
        };
        (object.get("start").and_then(time), object.get("end").and_then(time))
    }

    /// Text of a `text` or `reasoning` line, if it is not empty.
    pub(crate) fn message(&self) -> Option<&str> {
        let reasoning = (self.line_type == LineType::Reasoning).then_some(&self.top.reasoning);
        [Some(&self.part.text), Some(&self.top.text), reasoning, reasoning.and(Some(&self.part.reasoning))]
            .into_iter()
            .flatten()
            .find_map(|text| text.as_deref().filter(|text| !text.is_empty()))
    }

    /// Whether the harness wrote the text itself.
    pub(crate) fn synthetic(&self) -> bool {
        self.part.synthetic || self.top.synthetic
    }
}

/// A time: milliseconds as a number, or RFC 3339 text. Nothing is guessed to be seconds.
pub(crate) fn time(text: &str) -> Option<TimeMs> {
    match json::string(text) {
        Some(text) => TimeMs::from_rfc3339(&text),
        None => TimeMs::from_ms(text.parse().ok()?),
    }
}

fn why_malformed(text: &str, error: &serde_json::Error) -> String {
    match text.trim_start().as_bytes().first() {
        Some(b'{') if error.is_eof() => "the line is cut in the middle of a JSON object".to_owned(),
        Some(b'{') => {
            let message = error.to_string();
            let message = message.split(" at line ").next().unwrap_or_default();
            format!("no valid JSON: {message} at column {}", error.column())
        }
        Some(b'[' | b'"' | b'0'..=b'9' | b'-' | b't' | b'f' | b'n')
            if serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok() =>
        {
            "the line is JSON, but no object".to_owned()
        }
        _ => "the line is no JSON".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_says_what_is_wrong() {
        let why = |text: &str| Line::parse(text).unwrap_err();
        assert_eq!(why(r#"{"type":"te"#), "the line is cut in the middle of a JSON object");
        assert_eq!(why("[1,2]"), "the line is JSON, but no object");
        assert_eq!(why("WARN deprecated"), "the line is no JSON");
        assert_eq!(why(r#"{"a":1}}"#), "no valid JSON: trailing characters at column 8");
    }

    #[test]
    fn fields_of_an_unexpected_type_are_absent() {
        let line = Line::parse(r#"{"type":"tool_use","sessionID":5,"part":[1],"tool":{"a":1},"status":null}"#).unwrap();
        assert_eq!(line.line_type, LineType::ToolUse);
        assert!(line.session().is_none() && line.tool().is_none() && line.status().is_none());
    }

    #[test]
    fn a_part_id_frees_the_id_for_the_call() {
        let line = Line::parse(r#"{"type":"tool_use","part":{"partID":"p","id":"c","tool":"bash"}}"#).unwrap();
        assert_eq!((line.part_id(), line.call_id()), (Some("p"), Some("c")));
    }
}
