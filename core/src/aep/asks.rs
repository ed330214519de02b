//! Asks for a person's attention: permissions and forms of questions.

use super::data::{Data, show};
use super::moment::Moment;
use super::table::{Channel, without_null};
use super::{Capture, Mode};
use serde_json::{Map, Value, json};

const TYPE: &str = "attention.requested";

/// The answers that a permission can have: those of the surface that it came by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Options {
    /// The hook, and the older bus events.
    AllowDeny,
    /// The newer bus events, whose answer goes over the server.
    OnceAlwaysReject,
}

impl Options {
    fn list(self) -> Value {
        let pairs: &[(&str, &str)] = match self {
            Options::AllowDeny => &[("allow", "Allow"), ("deny", "Deny")],
            Options::OnceAlwaysReject => &[("once", "Allow once"), ("always", "Always allow"), ("reject", "Reject")],
        };
        pairs.iter().map(|(id, label)| json!({"id": id, "label": label})).collect()
    }
}

/// The key under which an ask and its answer find each other.
pub(super) fn key(request: &str) -> String {
    format!("ask {request}")
}

/// What a permission is for: `type`; newer servers say `permission`, the next ones `action`.
pub(crate) fn permission_type(asked: &Value) -> Option<&str> {
    filled(asked, &["type", "permission", "action"])
}

/// What is asked for: a title; real asks have none, but a command or patterns.
pub(crate) fn permission_title(asked: &Value) -> Option<String> {
    if let Some(title) = filled(asked, &["title", "message"]) {
        return Some(title.to_owned());
    }
    if let Some(command) = asked.pointer("/metadata/command").and_then(Value::as_str).filter(|text| !text.is_empty()) {
        return Some(command.to_owned());
    }
    ["patterns", "pattern", "resources"].into_iter().find_map(|key| match asked.get(key)? {
        Value::String(pattern) if !pattern.is_empty() => Some(pattern.clone()),
        Value::Array(patterns) => {
            let patterns: Vec<&str> = patterns.iter().filter_map(Value::as_str).collect();
            (!patterns.is_empty()).then(|| patterns.join(", "))
        }
        _ => None,
    })
}

fn filled<'a>(value: &'a Value, keys: &[&str]) -> Option<&'a str> {
    keys.iter().find_map(|key| value.get(key)?.as_str().filter(|text| !text.is_empty()))
}

/// The data of a permission ask.
pub(super) fn permission(asked: &Value, options: Options, channel: Channel) -> Map<String, Value> {
    let what = permission_type(asked).unwrap_or("unknown");
    let prompt = match permission_title(asked) {
        Some(title) => format!("Permission requested: {what} — {title}"),
        None => format!("Permission requested: {what}"),
    };
    let data = Data::new(channel.capture.ceiling(TYPE))
        .fact("kind", Some("permission".into()))
        .text("prompt", Some(&prompt.into()));
    answerable(data, channel, Some(options)).done()
}

/// The data of a form of questions. The ids of fields and choices count from 1 at any ceiling, so that an answer can be
/// brought back to the harness's own labels.
pub(super) fn form(moment: &Moment, channel: Channel) -> Map<String, Value> {
    let ceiling = channel.capture.ceiling(TYPE);
    let questions = moment.at("/questions").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let fields: Vec<Value> =
        (1..).zip(questions).map(|(id, question): (usize, &Value)| field(id, question, ceiling)).collect();
    let count = questions.len();
    let plural = if count == 1 { "" } else { "s" };
    let prompt = format!("{} asks {count} question{plural}", channel.agent.name());
    let data = Data::new(ceiling)
        .fact("kind", Some("form".into()))
        .fact("prompt", Some(prompt.into()))
        .fact("fields", Some(fields.into()));
    answerable(data, channel, None).done()
}

fn field(id: usize, question: &Value, ceiling: Capture) -> Value {
    let text = |key: &str| filled(question, &[key]);
    let label = match (text("header"), text("question")) {
        (Some(header), Some(question)) => Some(format!("{header}: {question}")),
        (header, question) => header.or(question).map(str::to_owned),
    };
    let flag = |key: &str| question.get(key).and_then(Value::as_bool);
    let gated = |label: Option<&str>| label.filter(|_| ceiling >= Capture::Redacted).map(|label| show(label, ceiling));
    let options = question.get("options").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let choices: Vec<Value> = (1..)
        .zip(options)
        .map(|(id, option): (usize, &Value)| {
            let label = gated(filled(option, &["label"]).or_else(|| option.as_str()));
            without_null(json!({"id": id.to_string(), "label": label}))
        })
        .collect();
    let multi = (flag("multiple") == Some(true) || flag("multiSelect") == Some(true)).then_some(true);
    without_null(json!({
        "id": id.to_string(),
        "type": "select",
        "label": gated(label.as_deref()),
        "required": true,
        "other": flag("custom").unwrap_or(true),
        "choices": choices,
        "multi": multi,
    }))
}

/// How it can be answered: not at all through a channel that is only read.
fn answerable(data: Data, channel: Channel, options: Option<Options>) -> Data {
    if channel.mode == Mode::Primary {
        return data;
    }
    data.fact("options", options.map(Options::list)).fact("respond_via", Some(json!(["control"])))
}
