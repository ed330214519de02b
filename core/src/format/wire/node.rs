//! One level of a line: the fields that a line, its `part` and its `state` may have, each kept as borrowed text until
//! somebody asks for it.

use crate::json::{self, Str};
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
    pub(crate) error: Option<&'a str>,
    pub(crate) metadata: Option<&'a str>,
    pub(crate) metrics: Option<&'a str>,
    pub(crate) time: Option<&'a str>,
    pub(crate) tokens: Option<&'a str>,
    pub(crate) cost: Option<&'a str>,
    pub(crate) model: Option<&'a str>,
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
            node.set(key, value.get()).map_err(serde::de::Error::custom)?;
        }
        Ok(node)
    }
}

impl<'a> Node<'a> {
    fn set(&mut self, key: Cow<'a, str>, value: &'a str) -> Result<(), String> {
        match key.as_ref() {
            "type" => self.line_type = string(value)?,
            "timestamp" => self.timestamp = Some(value),
            "sessionID" => self.session_upper = string(value)?,
            "session_id" => self.session_snake = string(value)?,
            "sessionId" => self.session_camel = string(value)?,
            "id" => self.id = string(value)?,
            "partID" => self.part_id = string(value)?,
            "messageID" => self.message_id = string(value)?,
            "callID" => self.call_id = string(value)?,
            "tool_use_id" => self.tool_use_id = string(value)?,
            "tool" => self.tool = string(value)?,
            "toolName" => self.tool_name = string(value)?,
            "name" => self.name = string(value)?,
            "status" => self.status = string(value)?,
            "text" => self.text = string(value)?,
            "reasoning" => self.reasoning = string(value)?,
            "message" => self.message = string(value)?,
            "reason" => self.reason = string(value)?,
            "synthetic" => self.synthetic = value == "true",
            "part" => self.part = Some(value),
            "state" => self.state = Some(value),
            "input" => self.input = present(value),
            "arguments" => self.arguments = present(value),
            "output" => self.output = Some(value),
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

/// A string's text; any other JSON is absent. The error is a string that does not decode.
fn string(value: &str) -> Result<Option<Cow<'_, str>>, String> {
    if !value.starts_with('"') {
        return Ok(None);
    }
    match json::string(value) {
        Some(text) => Ok(Some(text)),
        None => Err("a string holds an escape that is no character".to_owned()),
    }
}

fn present(value: &str) -> Option<&str> {
    (value != "null").then_some(value)
}
