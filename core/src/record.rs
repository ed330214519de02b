//! One record: from the bytes of its line to what it means under one set of rules.
//!
//! Reading a log, making the detail of an event and explaining it all come through here, so that they cannot disagree.

use crate::event::{Body, CallFacts, Kind, Outcome, Raw, ShellFacts};
use crate::explain::Stage;
use crate::format::wire::{At, Given, Line, LineType, Role};
use crate::json::{self, Object};
use crate::outcome::{CallOutcome, of_call};
use crate::rules::RuleSet;
use crate::rules::interpret::{self, Mapping, WhyUnknown};
use crate::rules::suggest::InputKey;
use crate::rules::trace::{Trace, fine, odd};
use serde_json::value::RawValue;
use std::borrow::Cow;

/// Where a record went in the accounting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    Consumed,
    Mapped,
    Unknown,
    Duplicate,
}

/// What a record means.
pub(crate) struct Interpreted {
    pub(crate) rule: String,
    pub(crate) class: Class,
    pub(crate) bodies: Vec<Body>,
    pub(crate) call: Option<CallFacts>,
    pub(crate) why_unknown: Option<WhyUnknown>,
}

/// Whether the JSON behind an unknown event is wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum KeepRaw {
    Yes,
    No,
}

/// What a line that is no JSON object means.
pub(crate) fn malformed(text: &str, why: &str, keep: KeepRaw, trace: &mut impl Trace) -> Interpreted {
    trace.note(|| odd(Stage::Line, "not a JSON object", format!("{why}: kept as an unknown event"), None));
    Interpreted {
        rule: "stream.malformed".to_owned(),
        class: Class::Unknown,
        bodies: vec![Body::Unknown { raw: if keep == KeepRaw::Yes { raw_of(text) } else { Raw::Text(String::new()) } }],
        call: None,
        why_unknown: None,
    }
}

/// JSON as it stands, on one line; anything else as text.
fn raw_of(text: &str) -> Raw {
    let one_line = if text.contains(['\n', '\r']) { Cow::Owned(json::compact(text)) } else { Cow::Borrowed(text) };
    match serde_json::from_str::<&RawValue>(&one_line) {
        Ok(json) => Raw::Json(json.to_owned()),
        Err(_) => Raw::Text(text.to_owned()),
    }
}

/// Lets an unknown event keep the whole record, where the line was only a piece of it.
pub(crate) fn keep_whole(interpreted: &mut Interpreted, text: &str) {
    for body in &mut interpreted.bodies {
        if let Body::Unknown { raw } = body {
            *raw = raw_of(text);
        }
    }
}

/// What a line means under a set of rules.
pub(crate) fn interpret(line: &Line<'_>, set: &RuleSet, keep: KeepRaw, trace: &mut impl Trace) -> Interpreted {
    trace.note(|| {
        let given = line.given.as_ref().and_then(|given| given.value(Given::Type));
        let given = given.map(|name| Cow::Owned(name.to_owned()));
        let (name, at) = match (&line.part.line_type, &line.top.line_type) {
            _ if given.is_some() => (given.as_ref(), At::Given(Given::Type)),
            (_, Some(name)) => (Some(name), At::Top("/type")),
            (name, None) => (name.as_ref(), At::Part("/type")),
        };
        let what = name.map_or_else(|| "no type".to_owned(), |name| format!("type is {name}"));
        let others = line.given.as_ref().and_then(|given| given.other_types.as_ref());
        let why = others.map_or(Cow::Borrowed(branch(line.line_type)), |types| {
            let known = types.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
            format!("`types` of the rules' `stream` does not name it (it names {known}): kept as an unknown event")
                .into()
        });
        let pointer = name.map(|_| line.pointer(at));
        if line.line_type == LineType::Other {
            odd(Stage::Type, what, why, pointer)
        } else {
            fine(Stage::Type, what, why, pointer)
        }
    });
    match line.line_type {
        LineType::StepStart | LineType::StepFinish => {
            trace.note(|| fine(Stage::Event, "consumed", "a boundary of a step gives no event", None));
            Interpreted::plain("stream.step", Class::Consumed, vec![])
        }
        LineType::Consumed => {
            trace.note(|| {
                fine(
                    Stage::Event,
                    "consumed",
                    "it tells of a session, a message or the server, and gives no event",
                    None,
                )
            });
            Interpreted::plain("stream.envelope", Class::Consumed, vec![])
        }
        LineType::Text | LineType::Reasoning => message(line, trace),
        LineType::Error => error(line, trace),
        LineType::ToolUse => tool_use(line, set, keep, trace),
        LineType::Other => {
            trace.note(|| odd(Stage::Event, "unknown", "the record is kept as it is", None));
            Interpreted::plain("stream.type", Class::Unknown, vec![unknown(line, keep)])
        }
    }
}

impl Interpreted {
    fn plain(rule: &str, class: Class, bodies: Vec<Body>) -> Interpreted {
        Interpreted { rule: rule.to_owned(), class, bodies, call: None, why_unknown: None }
    }
}

fn branch(line_type: LineType) -> &'static str {
    match line_type {
        LineType::StepStart => "a step begins",
        LineType::StepFinish => "a step ends; it carries the usage totals",
        LineType::Text => "text of the assistant",
        LineType::Reasoning => "thinking of the model",
        LineType::ToolUse => "a call",
        LineType::Error => "an error that the harness reports",
        LineType::Consumed => "known, and no activity of its own",
        LineType::Other => {
            "none of `step_start`, `step_finish`, `text`, `reasoning`, `tool_use`, `error`: kept as an unknown event"
        }
    }
}

fn message(line: &Line<'_>, trace: &mut impl Trace) -> Interpreted {
    let rule = if line.line_type == LineType::Text { "stream.text" } else { "stream.reasoning" };
    let Some(message) = line.message().map(str::to_owned) else {
        trace.note(|| fine(Stage::Event, "consumed", "there is no text in it", None));
        return Interpreted::plain(rule, Class::Consumed, vec![]);
    };
    let synthetic = line.synthetic();
    let body = match line.line_type {
        LineType::Text if line.role == Role::User && !synthetic => Body::User { message },
        LineType::Text => Body::Agent { message, synthetic },
        _ => Body::Reasoning { message },
    };
    trace.note(|| {
        let why = if synthetic { "`synthetic` is true: the harness wrote it, not the model" } else { "it holds text" };
        fine(Stage::Event, format!("event {}", body.kind().name()), why, None)
    });
    Interpreted::plain(rule, Class::Mapped, vec![body])
}

/// Message and code of an error line.
pub(crate) struct ErrorFacts {
    pub(crate) message: String,
    pub(crate) code: Option<String>,
    pub(crate) pointer: Option<&'static str>,
    /// `error.name` or `error.type`.
    pub(crate) name: Option<String>,
}

/// Where the message of an error line is found; the first that holds text wins.
pub(crate) fn error_facts(line: &Line<'_>) -> ErrorFacts {
    let text = line.top.error.or(line.part.error);
    let object = text.and_then(Object::parse).unwrap_or_default();
    let data = object.get("data").and_then(Object::parse).unwrap_or_default();
    let string = |object: &Object<'_>, key: &str| object.get(key).and_then(json::filled_string).map(Cow::into_owned);
    let scalar = |object: &Object<'_>, key: &str| {
        let value = object.get(key).filter(|value| *value != "null" && !value.starts_with(['{', '[']))?;
        Some(json::string(value).map_or_else(|| value.to_owned(), Cow::into_owned)).filter(|text| !text.is_empty())
    };
    let top_message = line.top.message.as_deref().filter(|text| !text.is_empty()).map(str::to_owned);
    let candidates = [
        (string(&data, "message"), "/error/data/message"),
        (string(&object, "message"), "/error/message"),
        (top_message, "/message"),
        (text.and_then(json::filled_string).map(Cow::into_owned), "/error"),
        (string(&object, "name"), "/error/name"),
        (string(&object, "type"), "/error/type"),
    ];
    let code = scalar(&data, "statusCode")
        .or_else(|| scalar(&object, "status"))
        .or_else(|| scalar(&object, "name"))
        .or_else(|| scalar(&object, "type"));
    let name = string(&object, "name").or_else(|| string(&object, "type"));
    match candidates.into_iter().find_map(|(text, pointer)| Some((text?, pointer))) {
        Some((message, pointer)) => ErrorFacts { message, code, pointer: Some(pointer), name },
        None => ErrorFacts { message: "the harness reported an error".to_owned(), code, pointer: None, name },
    }
}

fn error(line: &Line<'_>, trace: &mut impl Trace) -> Interpreted {
    let facts = error_facts(line);
    trace.note(|| {
        let why = "looked for error.data.message, error.message, message, error, error.name, error.type";
        fine(Stage::Event, "event error", format!("message: {why}"), facts.pointer.map(str::to_owned))
    });
    Interpreted::plain("stream.error", Class::Mapped, vec![Body::Error { message: facts.message, code: facts.code }])
}

fn unknown(line: &Line<'_>, keep: KeepRaw) -> Body {
    match keep {
        KeepRaw::Yes => Body::Unknown { raw: raw_of(line.text) },
        KeepRaw::No => Body::Unknown { raw: Raw::Text(String::new()) },
    }
}

/// How long a call took; the error says that its end comes before its start.
pub(crate) fn duration(line: &Line<'_>) -> Result<Option<u64>, ()> {
    match line.interval() {
        (Some(start), Some(end)) => u64::try_from(end.0 - start.0).map(Some).map_err(|_| ()),
        _ => Ok(None),
    }
}

fn tool_use(line: &Line<'_>, set: &RuleSet, keep: KeepRaw, trace: &mut impl Trace) -> Interpreted {
    let tool = line.tool();
    let name = tool.as_ref().map_or("", |tool| tool.value.as_ref());
    if let Some(tool) = &tool {
        trace.note(|| fine(Stage::Tool, format!("tool is {}", tool.value), "its name", Some(line.pointer(tool.at))));
    }
    trace.note(|| match line.input() {
        Some(input) => fine(Stage::Input, "input found", "the call's arguments", Some(line.pointer(input.at))),
        None => {
            odd(Stage::Input, "no input", "looked for `part.state.input`, `state.input`, `input`, `arguments`", None)
        }
    });
    trace.note(|| status_decision(line));
    let outcome = of_call(line, name);
    let mapped = interpret::apply(set, line, &outcome, trace);
    let (class, bodies, why_unknown) = match mapped.result {
        Mapping::Consumed => (Class::Consumed, vec![], None),
        Mapping::Events(bodies) if bodies.iter().any(|body| body.kind() != Kind::Unknown) => {
            (Class::Mapped, bodies, None)
        }
        Mapping::Events(_) => (Class::Unknown, vec![unknown(line, keep)], Some(WhyUnknown::NoRule)),
        Mapping::Unknown(why) => (Class::Unknown, vec![unknown(line, keep)], Some(why)),
    };
    if let Some(body) = bodies.first() {
        trace.note(|| event_decision(body.kind(), bodies.len(), line, &outcome));
    }
    trace.note(|| {
        let (why, pointer) = (outcome.reason(line), outcome.pointer(line));
        let what = format!("outcome {}", outcome.outcome.name());
        match outcome.outcome {
            Outcome::Ok => fine(Stage::Outcome, what, why, pointer),
            _ => odd(Stage::Outcome, what, why, pointer),
        }
    });
    let shell = mapped.command.map(|command| ShellFacts { command, exit_code: outcome.exit_code() });
    let call = facts(line, name, &outcome, shell);
    Interpreted { rule: mapped.rule, class, bodies, call: Some(call), why_unknown }
}

fn status_decision(line: &Line<'_>) -> crate::explain::Decision {
    let Some(status) = line.status() else {
        return fine(Stage::Status, "no status", "looked for `part.state.status`, `state.status`, `status`", None);
    };
    let why = match line.says_success() {
        Some(true) => "a success word",
        Some(false) => "a failure word",
        None => "neither a success nor a failure word",
    };
    fine(Stage::Status, format!("status is {}", status.value), why, Some(line.pointer(status.at)))
}

fn event_decision(kind: Kind, count: usize, line: &Line<'_>, outcome: &CallOutcome) -> crate::explain::Decision {
    let times = if count > 1 { format!(" × {count}") } else { String::new() };
    let (why, pointer) = match (line.status(), outcome.is_success) {
        (Some(status), Some(success)) => {
            let word = if success { "success" } else { "failure" };
            (
                format!("isSuccess is {success}: status `{}` is a {word} word", status.value),
                Some(line.pointer(status.at)),
            )
        }
        (Some(status), None) => {
            let why =
                format!("isSuccess is left out: status `{}` is neither a success nor a failure word", status.value);
            (why, Some(line.pointer(status.at)))
        }
        (None, _) => ("isSuccess is left out: there is no status".to_owned(), None),
    };
    let what = format!("event {}{times}", kind.name());
    if kind == Kind::Unknown { odd(Stage::Event, what, why, pointer) } else { fine(Stage::Event, what, why, pointer) }
}

fn facts(line: &Line<'_>, tool: &str, outcome: &CallOutcome, shell: Option<ShellFacts>) -> CallFacts {
    CallFacts {
        tool: tool.to_owned(),
        call_id: line.call_id().map(str::to_owned),
        duration_ms: duration(line).unwrap_or(None),
        is_success: outcome.is_success,
        outcome: outcome.outcome,
        shell,
    }
}

/// The plain keys of a call's input, in order.
pub(crate) fn keys_of_input(line: &Line<'_>) -> Vec<InputKey> {
    let input = line.input().map_or("", |input| input.value);
    let text = json::string(input).unwrap_or(Cow::Borrowed(input));
    InputKey::all(&Object::parse(&text).unwrap_or_default())
}

/// The tool that a call was meant for: what `invalid` was called in place of, else the name as written.
pub(crate) fn requested_tool(line: &Line<'_>) -> Option<String> {
    let tool = line.tool()?.value;
    if tool.eq_ignore_ascii_case("invalid") {
        let asked = line
            .input()
            .and_then(|input| Object::parse(input.value))
            .and_then(|input| input.get("tool").and_then(json::filled_string).map(Cow::into_owned));
        if asked.is_some() {
            return asked;
        }
    }
    Some(tool.into_owned())
}
