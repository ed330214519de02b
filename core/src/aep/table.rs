//! The table: what each moment becomes, for both agents alike.
//!
//! Deviations from the pinned table, both for recorded logs:
//! - `permission.updated` is nothing where the log has hooks, as the hook carries the ask. In a log without any it is
//!   the ask, with the two answers of the hook: else every ask of an old log would be lost.
//! - Vendor types hold `[a-z0-9_]` only, other characters become `_`, and have at least two words after the agent
//!   (`x.opencode.bus.ping` for a type of one word): no rule for names outside the published vocabulary is known.

use super::asks::{self, Options};
use super::data::Data;
use super::digest::digest;
use super::moment::{Kind, Moment};
use super::{Agent, Capture, Mode};
use serde_json::{Map, Value, json};

/// An event that a moment becomes.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Mapped {
    pub(super) event_type: String,
    pub(super) subject: Option<String>,
    pub(super) severity: Option<&'static str>,
    pub(super) data: Map<String, Value>,
    pub(super) link: Option<Link>,
}

/// What pairs two events.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Link {
    /// Its answer comes later, under this key.
    Opens(String),
    /// It answers the event that was opened under this key.
    Answers(String),
}

/// What the table says of a moment.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Said {
    Event(Box<Mapped>),
    /// Deliberately nothing, and why.
    Nothing(&'static str),
    /// The difference to the list of tasks before.
    Todos,
}

/// What the table has to know beside the moment.
#[derive(Debug, Clone, Copy)]
pub(super) struct Channel {
    pub(super) agent: Agent,
    pub(super) capture: Capture,
    pub(super) mode: Mode,
    /// The log holds hooks.
    pub(super) has_hooks: bool,
}

impl Mapped {
    pub(super) fn new(event_type: impl Into<String>, data: Map<String, Value>) -> Mapped {
        Mapped { event_type: event_type.into(), subject: None, severity: None, data, link: None }
    }

    pub(super) fn about(mut self, subject: Option<&str>) -> Mapped {
        self.subject = subject.map(str::to_owned);
        self
    }

    fn with(mut self, severity: &'static str) -> Mapped {
        self.severity = Some(severity);
        self
    }

    fn linked(mut self, link: Option<Link>) -> Mapped {
        self.link = link;
        self
    }
}

/// What a moment becomes in a channel.
pub(super) fn of(moment: &Moment, channel: Channel) -> Said {
    let said = row(moment, channel);
    if channel.mode != Mode::Companion {
        return said;
    }
    match said {
        Said::Event(mapped) if mapped.event_type.starts_with("x.") => Said::Event(mapped),
        // Core types are the plugin's alone; the channel shows that the moment was, and nothing of it.
        _ => Said::Event(Box::new(Mapped::new(vendor_type(channel.agent, &moment.name), Map::new()))),
    }
}

fn row(moment: &Moment, channel: Channel) -> Said {
    let agent = channel.agent;
    let data = |event_type: &str| Data::new(channel.capture.ceiling(event_type));
    let event = |mapped: Mapped| Said::Event(Box::new(mapped));
    let plain = |event_type: &str| event(Mapped::new(event_type, Map::new()));
    let vendor = vendor_type(agent, &moment.name);
    let fact = |pointer: &str| moment.at(pointer).cloned();
    match moment.kind {
        Kind::Bus => {}
        Kind::ToolBefore | Kind::ToolAfter => return event(tool(moment, channel)),
        Kind::PermissionAsk => return event(permission(moment, "/permission", Options::AllowDeny, channel)),
    }
    match moment.name.as_str() {
        "session.created" => {
            let client = json!({"name": agent.name(), "version": fact("/info/version")});
            let parent = moment.text("/info/parentID").map(|id| json!({"session": id}));
            let data = data("session.started")
                .fact("client", Some(without_null(client)))
                .fact("parent", parent)
                .text("label", moment.at("/info/title"))
                .text("cwd", moment.at("/info/directory"));
            event(Mapped::new("session.started", data.done()))
        }
        "session.deleted" => {
            let data = data("session.ended").fact("reason", Some("normal".into()));
            event(Mapped::new("session.ended", data.done()))
        }
        "session.idle" => plain("run.finished"),
        "session.compacted" => plain("session.compacted"),
        "session.status" => {
            let data = data("progress.status").text("message", moment.at("/status/message"));
            event(Mapped::new("progress.status", data.done()).about(moment.text("/status/type")))
        }
        "session.error" => {
            let data =
                data(&vendor).fact("type", fact("/error/name")).text("message", moment.at("/error/data/message"));
            event(Mapped::new(vendor, data.done()).with("error"))
        }
        "message.updated" => match moment.text("/info/role") {
            Some("user") => {
                let data = data("run.started").fact("trigger", Some("user".into()));
                event(Mapped::new("run.started", data.done()))
            }
            Some("assistant") => {
                let data = data(&vendor)
                    .fact("role", Some("assistant".into()))
                    .fact("gen_ai.usage.input_tokens", fact("/info/tokens/input"))
                    .fact("gen_ai.usage.output_tokens", fact("/info/tokens/output"));
                event(Mapped::new(vendor, data.done()).with("debug"))
            }
            _ => fallback(moment, vendor, channel),
        },
        "permission.updated" if channel.has_hooks && channel.mode == Mode::Plugin => {
            Said::Nothing("the hook `permission.ask` carries the same ask")
        }
        "permission.updated" => event(permission(moment, "", Options::AllowDeny, channel)),
        "permission.asked" => event(permission(moment, "", Options::OnceAlwaysReject, channel)),
        "question.asked" => {
            let asked = asks::form(moment, channel);
            let link = moment.text("/id").map(|id| Link::Opens(asks::key(id)));
            event(Mapped::new("attention.requested", asked).about(moment.text("/id")).linked(link))
        }
        "permission.replied" | "question.replied" | "question.rejected" => {
            let id = moment.text("/permissionID").or_else(|| moment.text("/requestID"));
            let how = if moment.name == "question.rejected" { "dismissed" } else { "answered" };
            let answer = ["/reply", "/response", "/answers"].into_iter().find_map(fact);
            let data = data("attention.resolved").fact("resolution", Some(how.into())).full("answer", answer).done();
            let link = id.map(|id| Link::Answers(asks::key(id)));
            event(Mapped::new("attention.resolved", data).about(id).linked(link))
        }
        "todo.updated" => Said::Todos,
        "file.edited" => {
            let data = data(&vendor).text("file", moment.at("/file"));
            event(Mapped::new(vendor, data.done()))
        }
        "command.executed" => {
            let data = data(&vendor).fact("name", fact("/name")).text("arguments", moment.at("/arguments"));
            event(Mapped::new(vendor, data.done()))
        }
        "server.connected" => event(Mapped::new(vendor, Map::new())),
        _ => fallback(moment, vendor, channel),
    }
}

/// Any other moment: seen in the channel, at the severity of machinery.
fn fallback(moment: &Moment, vendor: String, channel: Channel) -> Said {
    let ceiling = channel.capture.ceiling(&vendor);
    // Most moments of a log are of this kind: what is above the ceiling is not copied first.
    let properties = (ceiling == Capture::Full).then(|| moment.at("").cloned()).flatten();
    let data = Data::new(ceiling).full("properties", properties);
    Said::Event(Box::new(Mapped::new(vendor, data.done()).with("debug")))
}

fn tool(moment: &Moment, channel: Channel) -> Mapped {
    let name = moment.text("/input/tool");
    let call = moment.text("/input/callID");
    let tool = without_null(json!({"name": name, "call_id": call}));
    let before = moment.kind == Kind::ToolBefore;
    let event_type = if before { "tool.requested" } else { "tool.completed" };
    let data = Data::new(channel.capture.ceiling(event_type)).fact("tool", Some(tool));
    let data = if before {
        let arguments = moment.at("/output/args").or_else(|| moment.at("/input/args"));
        data.fact("args_digest", arguments.map(|value| digest(value).into())).text("args", arguments)
    } else {
        let result = moment.at("/output/output");
        data.fact("result_digest", result.map(|value| digest(value).into())).text("result", result)
    };
    let link = call.map(|call| {
        let key = format!("call {call}");
        if before { Link::Opens(key) } else { Link::Answers(key) }
    });
    Mapped::new(event_type, data.done()).about(name).linked(link)
}

fn permission(moment: &Moment, at: &str, options: Options, channel: Channel) -> Mapped {
    let asked = moment.body.pointer(at).unwrap_or(&Value::Null);
    let id = moment.text(&format!("{at}/id"));
    let link = id.map(|id| Link::Opens(asks::key(id)));
    let data = asks::permission(asked, options, channel);
    Mapped::new("attention.requested", data).about(asks::permission_type(asked)).linked(link)
}

/// An object without its null fields.
pub(super) fn without_null(value: Value) -> Value {
    match value {
        Value::Object(fields) => Value::Object(fields.into_iter().filter(|(_, value)| !value.is_null()).collect()),
        other => other,
    }
}

/// The vendor type of a bus type.
pub(super) fn vendor_type(agent: Agent, name: &str) -> String {
    let word = |word: &str| -> String {
        let allowed = |char: char| matches!(char, 'a'..='z' | '0'..='9' | '_');
        let word: String = word.chars().map(|char| if allowed(char) { char } else { '_' }).collect();
        if word.is_empty() { "_".to_owned() } else { word }
    };
    let mut words: Vec<String> = name.split('.').map(word).collect();
    if words.len() < 2 {
        words.insert(0, "bus".to_owned());
    }
    format!("x.{}.{}", agent.name(), words.join("."))
}
