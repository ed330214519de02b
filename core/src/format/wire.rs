//! One record as everything reads it, whatever format it came in. Its home is the step stream that
//! `kilo run --format json` and `opencode run --format json` write, one JSON object a line:
//!
//! ```json
//! {"type":"tool_use","timestamp":1767445000200,"sessionID":"ses_1","part":{"id":"prt_1","messageID":"msg_1","type":"tool","callID":"c","tool":"bash","state":{"status":"completed","input":{"command":"ls"},"output":"a","metadata":{"exit":0},"time":{"start":1767445000100,"end":1767445000200}}}}
//! ```
//!
//! Everything is optional and may stand at the top level instead of in `part`: third-party writers flatten it. A field
//! of an unexpected JSON type counts as absent; no line is refused for one. Parts of exports and of bus events are the
//! same parts, without or within another envelope.

mod given;
mod node;

use crate::json::{self, Object};
use crate::time::TimeMs;
pub(crate) use given::{Given, GivenFields};
pub(crate) use node::Node;
use node::{Level, Levels, Nested};
use std::borrow::Cow;

/// What a record is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum LineType {
    StepStart,
    StepFinish,
    Text,
    Reasoning,
    ToolUse,
    Error,
    /// Known, and by rule no event: an envelope, a part of another type, a bus event about something else.
    Consumed,
    /// Any other `type`, or none.
    Other,
}

/// Who a text is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Role {
    #[default]
    Assistant,
    User,
}

/// A record that is a JSON object.
#[derive(Debug)]
pub(crate) struct Line<'a> {
    /// The text of the record.
    pub(crate) text: &'a str,
    pub(crate) line_type: LineType,
    pub(crate) role: Role,
    /// Envelope.
    pub(crate) top: Node<'a>,
    /// The part, where there is one.
    pub(crate) part: Node<'a>,
    /// Text of the part.
    pub(crate) part_text: Option<&'a str>,
    /// `state` of the part, else of the envelope.
    pub(crate) state: Node<'a>,
    state_in_part: bool,
    /// Where the envelope stands in the record, as a JSON pointer.
    pub(crate) top_pointer: &'static str,
    /// Where the part stands in the record.
    pub(crate) part_pointer: &'static str,
    /// Time of the record, where the envelope has none of its own.
    pub(crate) outer_time: Option<TimeMs>,
    /// That time is when its message was made: the part itself says none.
    pub(crate) has_time_of_message: bool,
    /// Fields whose places a table of rules names, where one does.
    pub(crate) given: Option<Box<GivenFields<'a>>>,
    metadata: Option<Object<'a>>,
    interval: Interval,
}

/// Start and end.
type Interval = (Option<TimeMs>, Option<TimeMs>);

/// Where a field stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum At {
    /// In the envelope.
    Top(&'static str),
    /// In the part.
    Part(&'static str),
    /// In the state.
    State(&'static str),
    /// Where a table of rules says that it stands.
    Given(Given),
}

/// A field that was found: its value, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Found<T> {
    pub(crate) value: T,
    pub(crate) at: At,
}

fn first<T: Clone>(candidates: &[(&Option<T>, At)], usable: impl Fn(&T) -> bool) -> Option<Found<T>> {
    candidates.iter().find_map(|(value, at)| {
        value.as_ref().filter(|value| usable(value)).map(|value| Found { value: value.clone(), at: *at })
    })
}

/// A string that does not decode is the reader's to mend; the message says so.
fn node(text: &str) -> Result<Node<'_>, String> {
    serde_json::from_str(text).map_err(|error| error.to_string())
}

impl<'a> Line<'a> {
    /// Reads a line of a step stream. The error says why it is no JSON object.
    pub(crate) fn parse(text: &'a str) -> Result<Line<'a>, Malformed> {
        let levels = Levels::walk(text, Level::Top);
        let (top, below) = match levels {
            Some(levels) => (levels.node, Some(levels.nested)),
            // It may be no JSON, or only something that the walk gives up on: `serde_json` knows.
            None => (serde_json::from_str::<Node<'a>>(text).map_err(|error| Malformed::of(text, &error))?, None),
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
        let part_text = top.part.filter(|text| text.starts_with('{'));
        match below {
            Some(nested) => Ok(Line::of_levels(text, line_type, top, part_text, nested, ("", "/part"))),
            None => Line::build(text, line_type, top, part_text, "", "/part").map_err(Malformed::Invalid),
        }
    }

    /// A part without an envelope, as exports, bus events and storage trees hold it: its `type` has hyphens.
    pub(crate) fn of_part(text: &'a str, part_text: &'a str, part_pointer: &'static str) -> Result<Line<'a>, String> {
        let levels = Levels::walk(part_text, Level::Part);
        let (part, below) = match levels {
            Some(levels) => (levels.node, Some(levels.nested)),
            None => (node(part_text)?, None),
        };
        let line_type = match part.line_type.as_deref() {
            Some("step-start") => LineType::StepStart,
            Some("step-finish") => LineType::StepFinish,
            Some("text") => LineType::Text,
            Some("reasoning") => LineType::Reasoning,
            Some("tool") => LineType::ToolUse,
            Some("patch" | "file" | "compaction" | "agent" | "subtask" | "retry" | "snapshot") => LineType::Consumed,
            _ => LineType::Other,
        };
        match below {
            Some(nested) => {
                let nested = Nested { part: Some(part), ..nested };
                Ok(Line::of_levels(text, line_type, Node::default(), Some(part_text), nested, ("", part_pointer)))
            }
            None => Line::build(text, line_type, Node::default(), Some(part_text), "", part_pointer),
        }
    }

    /// Of levels that are read.
    fn of_levels(
        text: &'a str,
        line_type: LineType,
        top: Node<'a>,
        part_text: Option<&'a str>,
        nested: Nested<'a>,
        (top_pointer, part_pointer): (&'static str, &'static str),
    ) -> Line<'a> {
        let state_in_part = nested.state_of_part.is_some() || nested.state_of_top.is_none();
        Line {
            text,
            line_type,
            role: Role::Assistant,
            top,
            part: nested.part.unwrap_or_default(),
            part_text,
            state: nested.state_of_part.or(nested.state_of_top).unwrap_or_default(),
            state_in_part,
            top_pointer,
            part_pointer,
            outer_time: None,
            has_time_of_message: false,
            given: None,
            metadata: None,
            interval: (None, None),
        }
        .with_facts()
    }

    /// An envelope without a part.
    pub(crate) fn of_envelope(text: &'a str, top_text: &'a str, line_type: LineType) -> Result<Line<'a>, String> {
        Line::build(text, line_type, node(top_text)?, None, "", "/part")
    }

    pub(crate) fn build(
        text: &'a str,
        line_type: LineType,
        top: Node<'a>,
        part_text: Option<&'a str>,
        top_pointer: &'static str,
        part_pointer: &'static str,
    ) -> Result<Line<'a>, String> {
        let part = part_text.map_or(Ok(Node::default()), node)?;
        let state = |of: &Node<'a>| of.state.filter(|text| text.starts_with('{')).map(node).transpose();
        let state_of_part = state(&part)?;
        let state_of_top = if state_of_part.is_none() { state(&top)? } else { None };
        let nested = Nested { part: Some(part), state_of_top, state_of_part };
        Ok(Line::of_levels(text, line_type, top, part_text, nested, (top_pointer, part_pointer)))
    }

    /// The type as it is written, wherever it stands.
    pub(crate) fn type_name(&self) -> Option<&str> {
        let given = self.given.as_ref().and_then(|given| given.value(Given::Type));
        given.or(self.part.line_type.as_deref()).or(self.top.line_type.as_deref())
    }

    /// The JSON pointer of a place, from the record's root.
    pub(crate) fn pointer(&self, at: At) -> String {
        match at {
            At::Top(rest) => format!("{}{rest}", self.top_pointer),
            At::Part(rest) => format!("{}{rest}", self.part_pointer),
            At::State(rest) if self.state_in_part => format!("{}/state{rest}", self.part_pointer),
            At::State(rest) => format!("{}/state{rest}", self.top_pointer),
            At::Given(what) => self.given.as_ref().and_then(|given| given.at(what)).unwrap_or_default().to_owned(),
        }
    }

    /// The JSON that pointers of rules start from (the part, or the envelope where the state stands there), and where
    /// that is.
    pub(crate) fn rule_base(&self) -> (&'a str, &'static str) {
        match self.part_text {
            Some(text) if self.state_in_part => (text, self.part_pointer),
            _ => (self.text, ""),
        }
    }

    /// The session that the record names: the first of its spellings that is not empty.
    pub(crate) fn session(&self) -> Option<Found<Cow<'a, str>>> {
        if let Some(given) = self.given_field(Given::Session) {
            return given;
        }
        first(
            &[
                (&self.top.session_upper, At::Top("/sessionID")),
                (&self.top.session_snake, At::Top("/session_id")),
                (&self.top.session_camel, At::Top("/sessionId")),
                (&self.part.session_upper, At::Part("/sessionID")),
            ],
            |id| !id.is_empty(),
        )
    }

    /// The record's own time; the error is what stands there instead.
    pub(crate) fn timestamp(&self) -> Result<Option<TimeMs>, String> {
        let Some(text) = self.top.timestamp.filter(|text| *text != "null") else { return Ok(self.outer_time) };
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
        if let Some(given) = self.given_field(Given::Tool) {
            return given;
        }
        first(
            &[
                (&self.part.tool, At::Part("/tool")),
                (&self.top.tool, At::Top("/tool")),
                (&self.top.tool_name, At::Top("/toolName")),
                (&self.top.name, At::Top("/name")),
                (&self.part.tool_name, At::Part("/toolName")),
                (&self.part.name, At::Part("/name")),
            ],
            |name| !name.is_empty(),
        )
    }

    /// The call's input, as text.
    pub(crate) fn input(&self) -> Option<Found<&'a str>> {
        if let Some(given) = self.given_field(Given::Input) {
            return given.and_then(|found| match found.value {
                Cow::Borrowed(value) => Some(Found { value, at: found.at }),
                Cow::Owned(_) => None,
            });
        }
        first(
            &[
                (&self.state.input, At::State("/input")),
                (&self.top.input, At::Top("/input")),
                (&self.top.arguments, At::Top("/arguments")),
                (&self.part.input, At::Part("/input")),
                (&self.part.arguments, At::Part("/arguments")),
            ],
            |_| true,
        )
    }

    /// The call's status word.
    pub(crate) fn status(&self) -> Option<Found<Cow<'a, str>>> {
        if let Some(given) = self.given_field(Given::Status) {
            return given;
        }
        first(
            &[
                (&self.state.status, At::State("/status")),
                (&self.top.status, At::Top("/status")),
                (&self.part.status, At::Part("/status")),
            ],
            |_| true,
        )
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

    /// How many bytes of text the output has, without making it.
    pub(crate) fn output_len(&self) -> usize {
        let node = [&self.state, &self.top, &self.part].into_iter().find(|node| node.output.is_some());
        node.filter(|node| node.output != Some("null")).map_or(0, |node| node.output_len)
    }

    /// `state.metadata`.
    pub(crate) fn metadata(&self) -> Option<&Object<'a>> {
        self.metadata.as_ref()
    }

    /// Start and end of the call or of the text, as the part says them.
    pub(crate) fn interval(&self) -> Interval {
        if let Some(given) = self.given.as_ref().filter(|given| given.names(Given::Start) || given.names(Given::End)) {
            let of = |what: Given| given.value(what).and_then(time);
            return (of(Given::Start), of(Given::End));
        }
        self.interval
    }

    /// Reads what is asked for again and again.
    fn with_facts(mut self) -> Line<'a> {
        self.metadata = self.state.metadata.or(self.top.metadata).and_then(Object::parse);
        if let Some(object) = self.state.time.or(self.part.time).or(self.top.time).and_then(Object::parse) {
            self.interval = (object.get("start").and_then(time), object.get("end").and_then(time));
        }
        self
    }

    /// Text of a `text` or `reasoning` record, if it is not empty.
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

/// Why a text is no JSON object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Malformed {
    /// An object that ends too early: the next line may go on with it.
    Cut,
    /// Valid JSON, and something behind it.
    Trailing(String),
    /// Something else, which no further line can mend.
    Invalid(String),
}

impl Malformed {
    fn of(text: &str, error: &serde_json::Error) -> Malformed {
        match text.trim_start().as_bytes().first() {
            Some(b'{') if error.is_eof() => Malformed::Cut,
            Some(b'{') => {
                let full = error.to_string();
                let message = full.split(" at line ").next().unwrap_or_default();
                let say = format!("no valid JSON: {message} at column {}", error.column());
                if message == "trailing characters" { Malformed::Trailing(say) } else { Malformed::Invalid(say) }
            }
            Some(b'[' | b'"' | b'0'..=b'9' | b'-' | b't' | b'f' | b'n')
                if serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok() =>
            {
                Malformed::Invalid("the line is JSON, but no object".to_owned())
            }
            _ => Malformed::Invalid("the line is no JSON".to_owned()),
        }
    }
}

impl std::fmt::Display for Malformed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Malformed::Cut => f.write_str("the line is cut in the middle of a JSON object"),
            Malformed::Trailing(why) | Malformed::Invalid(why) => f.write_str(why),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_says_what_is_wrong() {
        let why = |text: &str| Line::parse(text).unwrap_err().to_string();
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

    #[test]
    fn pointers_follow_the_envelope() {
        let text = r#"{"id":"p","type":"tool","tool":"bash","state":{"input":{}}}"#;
        let line = Line::of_part(text, text, "").unwrap();
        assert_eq!(line.pointer(line.tool().unwrap().at), "/tool");
        assert_eq!(line.pointer(line.input().unwrap().at), "/state/input");
        let flat = Line::parse(r#"{"type":"tool_use","tool":"x","state":{"input":{}}}"#).unwrap();
        assert_eq!(flat.pointer(flat.input().unwrap().at), "/state/input");
    }
}
