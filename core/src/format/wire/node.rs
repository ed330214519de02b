//! One level of a line: the fields that a line, its `part` and its `state` may have, each kept as borrowed text until
//! somebody asks for it.

use crate::json::{self, RawStr, Str, Walk};
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;

/// Fields by name; what is not listed is passed over, and a field that stands twice counts with its last value.
#[derive(Debug, Default)]
pub(crate) struct Node<'a> {
    pub(crate) line_type: Option<Cow<'a, str>>,
    pub(crate) timestamp: Option<&'a str>,
    pub(crate) session_upper: Option<Cow<'a, str>>,
    pub(crate) session_snake: Option<Cow<'a, str>>,
    pub(crate) session_camel: Option<Cow<'a, str>>,
    pub(crate) id: Option<Cow<'a, str>>,
    pub(crate) part_id: Option<Cow<'a, str>>,
    pub(crate) message_id: Option<Cow<'a, str>>,
    pub(crate) call_id: Option<Cow<'a, str>>,
    pub(crate) tool_use_id: Option<Cow<'a, str>>,
    pub(crate) tool: Option<Cow<'a, str>>,
    pub(crate) tool_name: Option<Cow<'a, str>>,
    pub(crate) name: Option<Cow<'a, str>>,
    pub(crate) status: Option<Cow<'a, str>>,
    pub(crate) text: Option<Cow<'a, str>>,
    pub(crate) reasoning: Option<Cow<'a, str>>,
    pub(crate) message: Option<Cow<'a, str>>,
    pub(crate) reason: Option<Cow<'a, str>>,
    pub(crate) synthetic: bool,
    pub(crate) part: Option<&'a str>,
    pub(crate) state: Option<&'a str>,
    pub(crate) input: Option<&'a str>,
    pub(crate) arguments: Option<&'a str>,
    pub(crate) output: Option<&'a str>,
    /// Bytes of the output's text.
    pub(crate) output_len: usize,
    pub(crate) error: Option<&'a str>,
    pub(crate) metadata: Option<&'a str>,
    pub(crate) metrics: Option<&'a str>,
    pub(crate) time: Option<&'a str>,
    pub(crate) tokens: Option<&'a str>,
    pub(crate) cost: Option<&'a str>,
    pub(crate) model: Option<&'a str>,
    /// How many fields it has.
    pub(crate) count: u32,
    /// Keys that no known version writes at any level.
    pub(crate) strange: Vec<Cow<'a, str>>,
}

/// Keys that are written, and that nobody here asks for.
const KNOWN: [&str; 13] = [
    "snapshot",
    "title",
    "attachments",
    "raw",
    "structured",
    "content",
    "result",
    "provider",
    "ignored",
    "files",
    "usage",
    "data",
    "agent",
];

impl<'de: 'a, 'a> Deserialize<'de> for Node<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(NodeVisitor)
    }
}

struct NodeVisitor;

impl<'de> Visitor<'de> for NodeVisitor {
    type Value = Node<'de>;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Node<'de>, A::Error> {
        let mut node = Node::default();
        while let Some((Str(key), value)) = map.next_entry::<Str<'de>, &'de RawValue>()? {
            node.set(key, value.get(), None).map_err(serde::de::Error::custom)?;
        }
        Ok(node)
    }
}

impl<'a> Node<'a> {
    fn set(&mut self, key: Cow<'a, str>, value: &'a str, read: Option<RawStr<'a>>) -> Result<(), String> {
        self.count += 1;
        match key.as_ref() {
            "type" => self.line_type = string(value, read)?,
            "timestamp" => self.timestamp = Some(value),
            "sessionID" => self.session_upper = string(value, read)?,
            "session_id" => self.session_snake = string(value, read)?,
            "sessionId" => self.session_camel = string(value, read)?,
            "id" => self.id = string(value, read)?,
            "partID" => self.part_id = string(value, read)?,
            "messageID" => self.message_id = string(value, read)?,
            "callID" => self.call_id = string(value, read)?,
            "tool_use_id" => self.tool_use_id = string(value, read)?,
            "tool" => self.tool = string(value, read)?,
            "toolName" => self.tool_name = string(value, read)?,
            "name" => self.name = string(value, read)?,
            "status" => self.status = string(value, read)?,
            "text" => self.text = string(value, read)?,
            "reasoning" => self.reasoning = string(value, read)?,
            "message" => self.message = string(value, read)?,
            "reason" => self.reason = string(value, read)?,
            "synthetic" => self.synthetic = value == "true",
            "part" => self.part = Some(value),
            "state" => self.state = Some(value),
            "input" => self.input = present(value),
            "arguments" => self.arguments = present(value),
            "output" => {
                self.output = Some(value);
                self.output_len = read.map_or_else(|| json::string_len(value), RawStr::text_len).unwrap_or(value.len());
            }
            "error" => self.error = present(value),
            "metadata" => self.metadata = Some(value),
            "metrics" => self.metrics = present(value),
            "time" => self.time = Some(value),
            "tokens" => self.tokens = present(value),
            "cost" => self.cost = present(value),
            "model" => self.model = present(value),
            known if KNOWN.contains(&known) => {}
            _ => self.strange.push(key),
        }
        Ok(())
    }
}

/// What an object is: which of the objects in it are read by the same walk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Level {
    /// The envelope: its `part`, and its `state`.
    Top,
    /// A part: its `state`.
    Part,
    State,
}

/// Objects within the one that was read.
#[derive(Debug, Default)]
pub(super) struct Nested<'a> {
    pub(super) part: Option<Node<'a>>,
    pub(super) state_of_top: Option<Node<'a>>,
    pub(super) state_of_part: Option<Node<'a>>,
}

/// An object and what it holds, read by one walk.
#[derive(Debug)]
pub(super) struct Levels<'a> {
    pub(super) node: Node<'a>,
    pub(super) nested: Nested<'a>,
}

impl<'a> Levels<'a> {
    /// Of the text of an object; `None` where the walk gives up.
    pub(super) fn walk(text: &'a str, level: Level) -> Option<Levels<'a>> {
        let mut walk = Walk::new(text);
        let mut levels = Levels { node: Node::default(), nested: Nested::default() };
        levels.node.walk(&mut walk, level, &mut levels.nested)?;
        walk.is_done().then_some(levels)
    }
}

impl<'a> Node<'a> {
    fn walk(&mut self, walk: &mut Walk<'a>, level: Level, nested: &mut Nested<'a>) -> Option<()> {
        walk.object(|key, walk| {
            let key = key.text()?;
            let mark = walk.mark();
            if walk.byte() == Some(b'"') {
                let string = walk.string()?;
                nested.leave(level, &key);
                return self.set(key, walk.since(mark)?, Some(string)).ok();
            }
            let is_object = walk.byte() == Some(b'{');
            nested.leave(level, &key);
            let (inner, below) = match (level, key.as_ref()) {
                (Level::Top, "part") => (Level::Part, is_object),
                (Level::Top | Level::Part, "state") => (Level::State, is_object),
                _ => (Level::State, false),
            };
            if !below {
                return self.set(key, walk.value()?, None).ok();
            }
            let mut node = Node::default();
            node.walk(walk, inner, nested)?;
            *if inner == Level::Part { &mut nested.part } else { nested.state_of(level) } = Some(node);
            self.set(key, walk.since(mark)?, None).ok()
        })
    }
}

impl<'a> Nested<'a> {
    /// What stood under the same key before counts no more.
    fn leave(&mut self, level: Level, key: &str) {
        match (level, key) {
            (Level::Top, "part") => (self.part, self.state_of_part) = (None, None),
            (Level::Top | Level::Part, "state") => *self.state_of(level) = None,
            _ => {}
        }
    }

    fn state_of(&mut self, level: Level) -> &mut Option<Node<'a>> {
        if level == Level::Part { &mut self.state_of_part } else { &mut self.state_of_top }
    }
}

/// A string's text, which may have been read already; any other JSON is absent. The error is a string that does not decode.
fn string<'a>(value: &'a str, read: Option<RawStr<'a>>) -> Result<Option<Cow<'a, str>>, String> {
    if !value.starts_with('"') {
        return Ok(None);
    }
    match read.map_or_else(|| json::string(value), RawStr::text) {
        Some(text) => Ok(Some(text)),
        None => Err("a string holds an escape that is no character".to_owned()),
    }
}

fn present(value: &str) -> Option<&str> {
    (value != "null").then_some(value)
}
