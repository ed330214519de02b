//! Requests to a person and the answers to them, on both surfaces that harnesses have had.
//!
//! ```json
//! {"id":"evt_…","type":"permission.asked","properties":{"id":"per_…","sessionID":"s","permission":"bash","patterns":["rm *"],"metadata":{"command":"rm -rf dist"},"tool":{"callID":"call_1"}}}
//! {"id":"evt_…","type":"permission.replied","properties":{"sessionID":"s","requestID":"per_…","reply":"once"}}
//! {"type":"permission.updated","properties":{"id":"per_…","type":"bash","title":"rm -rf dist","callID":"call_1","time":{"created":1}}}
//! {"type":"permission.replied","properties":{"permissionID":"per_…","response":"once"}}
//! {"openAt":1781000000000,"event":{"type":"permission.asked","properties":{"id":"per_…"}}}
//! {"id":"evt_…","type":"question.asked","properties":{"id":"que_…","questions":[{"header":"Pick","question":"Which?","options":[{"label":"A"}]}]}}
//! {"id":"evt_…","type":"suggestion.shown","properties":{"id":"sug_…","text":"Review it?","actions":[{"label":"Review","prompt":"/review"}]}}
//! {"id":"evt_…","type":"suggestion.accepted","properties":{"requestID":"sug_…","index":0,"action":{"label":"Review","prompt":"/review"}}}
//! ```

use crate::aep::asks::{permission_title, permission_type};
use crate::ask::{AskKind, AskSurface, AskedQuestion, WholeAsk};
use crate::time::TimeMs;
use serde_json::Value;
use std::cell::Cell;

/// How much of a request is kept: so many patterns, questions and options, and texts of so many bytes.
struct Measure {
    items: usize,
    bytes: usize,
    /// There was more.
    is_cut: Cell<bool>,
}

impl Measure {
    /// What the columns keep.
    fn kept() -> Measure {
        Measure { items: 24, bytes: 240, is_cut: Cell::new(false) }
    }

    /// What is read again to be shown: as it is, unless it is beyond what a person reads.
    fn whole() -> Measure {
        Measure { items: 500, bytes: 256 << 10, is_cut: Cell::new(false) }
    }

    /// A text, cut where it is long.
    fn text(&self, text: &str) -> String {
        if text.len() <= self.bytes {
            return text.to_owned();
        }
        self.is_cut.set(true);
        let end = text.floor_char_boundary(self.bytes - '…'.len_utf8());
        format!("{}…", text.get(..end).unwrap_or_default())
    }

    fn take<'v, T>(&self, list: &'v [T]) -> &'v [T] {
        self.is_cut.set(self.is_cut.get() || list.len() > self.items);
        list.get(..self.items).unwrap_or(list)
    }

    fn texts(&self, list: &[Value]) -> Vec<String> {
        self.take(list).iter().filter_map(Value::as_str).map(|text| self.text(text)).collect()
    }

    /// A value: a text as it is, else as JSON.
    fn value(&self, value: &Value) -> String {
        match value {
            Value::String(text) => self.text(text),
            other => self.text(&serde_json::to_string_pretty(other).unwrap_or_default()),
        }
    }
}

/// A request.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Asked {
    pub(crate) id: String,
    /// The id of the event that says so.
    pub(crate) event: Option<String>,
    pub(crate) kind: AskKind,
    pub(crate) surface: AskSurface,
    pub(crate) permission: Option<String>,
    pub(crate) title: Option<String>,
    pub(crate) patterns: Vec<String>,
    pub(crate) questions: Vec<AskedQuestion>,
    pub(crate) call: Option<String>,
    pub(crate) message: Option<String>,
    pub(crate) created: Option<TimeMs>,
    /// It was found open at this time, and is no event of the stream.
    pub(crate) open_at: Option<TimeMs>,
}

/// An answer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Answered {
    pub(crate) id: String,
    pub(crate) event: Option<String>,
    pub(crate) kind: AskKind,
    pub(crate) reply: Option<String>,
    pub(crate) answers: Vec<Vec<String>>,
    pub(crate) message: Option<String>,
    pub(crate) is_dismissed: bool,
}

/// Reads a request: a bus event, or the moment of a hook.
pub(crate) fn asked(text: &str) -> Option<Asked> {
    read(&serde_json::from_str(text).ok()?, &Measure::kept())
}

/// Reads all of the request with this id, of the line that holds it, whatever is around its event.
pub(crate) fn whole(text: &str, id: &str) -> Option<WholeAsk> {
    let line: Value = serde_json::from_str(text).ok()?;
    let inner = ["event", "payload"].into_iter().find_map(|key| line.get(key)).filter(|inner| inner.is_object());
    let record = inner.filter(|_| body_of(&line).is_none()).unwrap_or(&line);
    let measure = Measure::whole();
    let asked = read(record, &measure).filter(|asked| asked.id == id)?;
    let (body, _) = body_of(record)?;
    let fields = body.get("metadata").and_then(Value::as_object);
    let metadata: Vec<(&String, &Value)> = fields.into_iter().flatten().collect();
    let metadata = measure.take(&metadata).iter().map(|(key, value)| (measure.text(key), measure.value(value)));
    Some(WholeAsk {
        metadata: metadata.collect(),
        always: body.get("always").and_then(Value::as_array).map(|always| measure.texts(always)),
        permission: asked.permission,
        title: asked.title,
        patterns: asked.patterns,
        questions: asked.questions,
        is_cut: measure.is_cut.get(),
    })
}

/// What a record asks, and by which surface.
fn body_of(record: &Value) -> Option<(&Value, AskSurface)> {
    match record.get("type").and_then(Value::as_str).unwrap_or_default() {
        "permission.asked" | "question.asked" | "suggestion.shown" => {
            Some((record.get("properties")?, AskSurface::Bus))
        }
        "permission.updated" => Some((record.get("properties")?, AskSurface::Hook)),
        _ => Some((record.get("permission")?, AskSurface::Hook)),
    }
}

fn read(record: &Value, measure: &Measure) -> Option<Asked> {
    let name = record.get("type").and_then(Value::as_str).unwrap_or_default();
    let (body, surface) = body_of(record)?;
    let cut = |text: &str| measure.text(text);
    let string = |pointer: &str| body.pointer(pointer).and_then(Value::as_str).filter(|text| !text.is_empty());
    let kind = kind_of(name);
    let questions: Vec<AskedQuestion> = match kind {
        AskKind::Question => {
            measure.take(list(body.get("questions"))).iter().map(|one| question(one, measure)).collect()
        }
        AskKind::Suggestion => vec![offers(body, measure)],
        AskKind::Permission => Vec::new(),
    };
    let patterns = ["patterns", "pattern", "resources"].into_iter().find_map(|key| body.get(key));
    Some(Asked {
        id: string("/id").or_else(|| string("/requestID")).or_else(|| string("/permissionID"))?.to_owned(),
        event: event_id(record),
        kind,
        surface,
        permission: permission_type(body).filter(|_| kind == AskKind::Permission).map(cut),
        title: match kind {
            AskKind::Permission => permission_title(body).as_deref().map(cut),
            AskKind::Question | AskKind::Suggestion => questions.first().map(|first| first.question.clone()),
        },
        patterns: match patterns {
            Some(Value::String(one)) => vec![cut(one)],
            other => measure.texts(list(other)),
        },
        questions,
        call: string("/tool/callID").or_else(|| string("/callID")).map(str::to_owned),
        message: string("/tool/messageID").or_else(|| string("/messageID")).map(str::to_owned),
        created: body.pointer("/time/created").and_then(Value::as_f64).and_then(TimeMs::from_ms),
        open_at: None,
    })
}

/// The session of a hook's request.
pub(crate) fn session_of_hook(text: &str) -> Option<String> {
    let record: Value = serde_json::from_str(text).ok()?;
    let id = record.pointer("/permission/sessionID")?.as_str()?;
    (!id.is_empty()).then(|| id.to_owned())
}

/// Reads an answer: a bus event.
pub(crate) fn answered(text: &str) -> Option<Answered> {
    let record: Value = serde_json::from_str(text).ok()?;
    let name = record.get("type").and_then(Value::as_str).unwrap_or_default();
    let body = record.get("properties")?;
    let string = |key: &str| body.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
    let measure = Measure::kept();
    let cut = |text: &str| measure.text(text);
    let answer = |answer: &Value| match answer {
        Value::String(one) => vec![cut(one)],
        other => measure.texts(list(Some(other))),
    };
    let (kind, is_dismissed) = (kind_of(name), matches!(name, "question.rejected" | "suggestion.dismissed"));
    let answers: Vec<Vec<String>> = match kind {
        AskKind::Suggestion => {
            vec![body.get("action").and_then(|action| label(action, &measure)).into_iter().collect()]
        }
        _ => measure.take(list(body.get("answers"))).iter().map(answer).collect(),
    };
    Some(Answered {
        id: ["requestID", "permissionID", "id"].into_iter().find_map(string)?.to_owned(),
        event: event_id(&record),
        kind,
        reply: string("reply").or_else(|| string("response")).map(cut),
        answers: if is_dismissed { Vec::new() } else { answers },
        message: string("message").map(cut),
        is_dismissed,
    })
}

fn kind_of(name: &str) -> AskKind {
    match name.split('.').next() {
        Some("question") => AskKind::Question,
        Some("suggestion") => AskKind::Suggestion,
        _ => AskKind::Permission,
    }
}

fn label(option: &Value, measure: &Measure) -> Option<String> {
    option.get("label").unwrap_or(option).as_str().map(|label| measure.text(label))
}

/// The labels of what can be chosen, and what is said of each; the latter only where something is said of one.
fn choices(options: Option<&Value>, measure: &Measure) -> (Vec<String>, Vec<String>) {
    let said = |option: &Value| {
        let said = option.get("description").and_then(Value::as_str);
        said.map(|said| measure.text(said)).unwrap_or_default()
    };
    let all = measure.take(list(options)).iter();
    let (labels, said): (Vec<String>, Vec<String>) =
        all.filter_map(|one| Some((label(one, measure)?, said(one)))).unzip();
    let is_silent = said.iter().all(String::is_empty);
    (labels, if is_silent { Vec::new() } else { said })
}

/// A suggestion, as the one question that it is.
fn offers(body: &Value, measure: &Measure) -> AskedQuestion {
    let (options, descriptions) = choices(body.get("actions"), measure);
    AskedQuestion {
        question: body.get("text").and_then(Value::as_str).map(|text| measure.text(text)).unwrap_or_default(),
        options,
        descriptions,
        ..AskedQuestion::default()
    }
}

fn event_id(record: &Value) -> Option<String> {
    record.get("id").and_then(Value::as_str).map(str::to_owned)
}

fn question(value: &Value, measure: &Measure) -> AskedQuestion {
    let string = |key: &str| {
        let text = value.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
        text.map(|text| measure.text(text))
    };
    let flag = |key: &str| value.get(key).and_then(Value::as_bool);
    let (options, descriptions) = choices(value.get("options"), measure);
    AskedQuestion {
        header: string("header"),
        question: string("question").unwrap_or_default(),
        options,
        descriptions,
        multiple: flag("multiple").or(flag("multiSelect")).unwrap_or(false),
        custom: flag("custom").unwrap_or(true),
    }
}

fn list(value: Option<&Value>) -> &[Value] {
    value.and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_surfaces_say_the_same() {
        let new = r#"{"type":"permission.asked","properties":{"id":"per_1","permission":"bash","patterns":["rm *"],"metadata":{"command":"rm a"},"tool":{"messageID":"m","callID":"c"}}}"#;
        let old = r#"{"type":"permission.updated","properties":{"id":"per_1","type":"bash","pattern":"rm *","title":"rm a","messageID":"m","callID":"c","time":{"created":5}}}"#;
        let hook = r#"{"kind":"permission.ask","permission":{"id":"per_1","type":"bash","pattern":["rm *"],"title":"rm a","messageID":"m","callID":"c"}}"#;
        let (new, old, hook) = (asked(new).unwrap(), asked(old).unwrap(), asked(hook).unwrap());
        for ask in [&new, &old, &hook] {
            assert_eq!((ask.id.as_str(), ask.permission.as_deref()), ("per_1", Some("bash")));
            assert_eq!((ask.title.as_deref(), ask.call.as_deref()), (Some("rm a"), Some("c")));
            assert_eq!(ask.patterns, ["rm *"]);
        }
        assert_eq!((new.surface, old.surface, hook.surface), (AskSurface::Bus, AskSurface::Hook, AskSurface::Hook));
        assert_eq!(old.created, Some(TimeMs(5)));
        let reply = |text| answered(text).map(|answer| (answer.id, answer.reply)).unwrap();
        let said = ("per_1".to_owned(), Some("once".to_owned()));
        assert_eq!(reply(r#"{"type":"permission.replied","properties":{"requestID":"per_1","reply":"once"}}"#), said);
        assert_eq!(
            reply(r#"{"type":"permission.replied","properties":{"permissionID":"per_1","response":"once"}}"#),
            said
        );
    }

    #[test]
    fn long_texts_are_cut_between_characters() {
        let cut = |text: &str| Measure::kept().text(text);
        assert_eq!(cut("short"), "short");
        let long = cut(&"é".repeat(200));
        assert!(long.ends_with("é…") && long.len() <= 240, "{}", long.len());
    }

    #[test]
    fn the_whole_request_is_read_from_its_line_whatever_is_around_it() {
        let command = format!("echo {}\\ncurl x | sh", "a; ".repeat(200));
        let event = format!(
            r#"{{"id":"evt_1","type":"permission.asked","properties":{{"id":"per_1","permission":"bash","patterns":["echo *"],"always":["curl *"],"metadata":{{"command":"{command}","n":{{"a":1}}}}}}}}"#
        );
        for line in [event.clone(), format!(r#"{{"openAt":5,"event":{event}}}"#)] {
            let whole = whole(&line, "per_1").unwrap();
            assert!(whole.title.as_deref().unwrap().ends_with("a; \ncurl x | sh"), "{whole:?}");
            assert_eq!(whole.title.as_ref(), whole.metadata.first().map(|(_, value)| value));
            assert_eq!(whole.metadata.get(1), Some(&("n".to_owned(), "{\n  \"a\": 1\n}".to_owned())));
            assert_eq!((whole.always, whole.is_cut), (Some(vec!["curl *".to_owned()]), false));
        }
        assert_eq!(whole(&event, "per_2"), None);
        let options = vec![r#"{"label":"a"}"#; 60].join(",");
        let form = |more: &str| {
            format!(
                r#"{{"type":"question.asked","properties":{{"id":"que_1","questions":[{{"question":"?","options":[{options}{more}]}}]}}}}"#
            )
        };
        let read = |more: &str| whole(&form(more), "que_1").map(|all| (all.questions[0].options.len(), all.is_cut));
        assert_eq!(read(""), Some((60, false)));
        assert_eq!(read(&r#","b""#.repeat(441)), Some((500, true)));
    }
}
