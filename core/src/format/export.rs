//! What `opencode export` and `kilo export` write, the share API's array, and the documents of the old storage tree.
//!
//! ```json
//! {"info":{"id":"ses_1", …},"messages":[{"info":{"id":"msg_1","role":"assistant", …},"parts":[{"id":"prt_1","type":"text", …}]}]}
//! [{"type":"session","data":{…}},{"type":"message","data":{…}},{"type":"part","data":{…}}]
//! ```

use super::wire::{self, Line, LineType, Role};
use crate::json::{self, Object};
use crate::time::TimeMs;
use std::borrow::Cow;

/// A session's own document.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct SessionInfo {
    pub(crate) id: Option<String>,
    pub(crate) parent: Option<String>,
    pub(crate) title: Option<String>,
    pub(crate) version: Option<String>,
    pub(crate) agent: Option<String>,
    pub(crate) model: Option<String>,
    pub(crate) created: Option<TimeMs>,
    pub(crate) updated: Option<TimeMs>,
    /// The message that it was put back to before.
    pub(crate) revert: Option<String>,
}

/// A message's `info`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct MessageInfo {
    pub(crate) id: Option<String>,
    pub(crate) session: Option<String>,
    pub(crate) role: Role,
    pub(crate) agent: Option<String>,
    pub(crate) model: Option<String>,
    pub(crate) created: Option<TimeMs>,
    pub(crate) completed: Option<TimeMs>,
    pub(crate) finish: Option<String>,
    pub(crate) has_error: bool,
}

fn text(object: &Object<'_>, key: &str) -> Option<String> {
    object.get(key).and_then(json::filled_string).map(Cow::into_owned)
}

/// `provider/model` of an object that names them, under either spelling.
pub(crate) fn model(object: &Object<'_>) -> Option<String> {
    let name = text(object, "modelID").or_else(|| text(object, "respondedModelID")).or_else(|| text(object, "id"))?;
    Some(match text(object, "providerID") {
        Some(provider) => format!("{provider}/{name}"),
        None => name,
    })
}

impl SessionInfo {
    pub(crate) fn read(info: &str) -> Option<SessionInfo> {
        let object = Object::parse(info)?;
        let time = object.get("time").and_then(Object::parse).unwrap_or_default();
        Some(SessionInfo {
            id: text(&object, "id"),
            parent: text(&object, "parentID"),
            title: text(&object, "title"),
            version: text(&object, "version"),
            agent: text(&object, "agent"),
            model: object.get("model").and_then(Object::parse).and_then(|object| model(&object)),
            created: time.get("created").and_then(wire::time),
            updated: time.get("updated").and_then(wire::time),
            revert: object.get("revert").and_then(Object::parse).and_then(|revert| text(&revert, "messageID")),
        })
    }
}

impl MessageInfo {
    pub(crate) fn read(info: &str) -> Option<MessageInfo> {
        let object = Object::parse(info)?;
        let time = object.get("time").and_then(Object::parse).unwrap_or_default();
        let own = (object.get("modelID").is_some()).then(|| model(&object)).flatten();
        Some(MessageInfo {
            id: text(&object, "id"),
            session: text(&object, "sessionID"),
            role: if text(&object, "role").as_deref() == Some("user") { Role::User } else { Role::Assistant },
            agent: text(&object, "agent").or_else(|| text(&object, "mode")),
            model: own.or_else(|| object.get("model").and_then(Object::parse).and_then(|object| model(&object))),
            created: time.get("created").and_then(wire::time),
            completed: time.get("completed").and_then(wire::time),
            finish: text(&object, "finish"),
            has_error: object.get("error").is_some_and(|error| error != "null"),
        })
    }

    /// The time that a part without one of its own gets: when its message was made.
    pub(crate) fn part_time(&self, line: &Line<'_>) -> Option<TimeMs> {
        let (start, end) = line.interval();
        match line.line_type {
            LineType::StepStart => start.or(self.created),
            LineType::StepFinish => end.or(start).or(self.completed).or(self.created),
            _ => end.or(start).or(self.created),
        }
    }
}

/// Whether a session's version is one of Kilo Code: these begin at 5, those of OpenCode have not come so far.
pub(crate) fn is_kilos(version: &str) -> bool {
    version.split('.').next().and_then(|major| major.parse::<u32>().ok()).is_some_and(|major| major >= 5)
}

/// `info` and the parts of a message, each as text.
pub(crate) fn message(text: &str) -> Option<(&str, Vec<&str>)> {
    let object = Object::parse(text)?;
    let parts = object.get("parts").and_then(json::elements).unwrap_or_default();
    Some((object.get("info")?, parts))
}

/// `info` and the messages of a whole document, each as text.
pub(crate) fn document(text: &str) -> Option<(&str, Vec<&str>)> {
    let object = Object::parse(text)?;
    let messages = object.get("messages").and_then(json::elements).unwrap_or_default();
    Some((object.get("info")?, messages))
}

/// Kind and document of an element of the share API's array.
pub(crate) fn share(text: &str) -> Option<(String, &str)> {
    let object = Object::parse(text)?;
    let kind = object.get("type").and_then(json::string)?.into_owned();
    Some((kind, object.get("data")?))
}

/// An element of the share API's array as a line.
pub(super) fn share_line(text: &str) -> Result<Line<'_>, String> {
    match share(text) {
        Some((kind, data)) if kind == "part" => Line::of_part(text, data, "/data"),
        _ => Line::of_envelope(text, "{}", LineType::Consumed),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_names_its_model_in_either_way() {
        let own = MessageInfo::read(r#"{"role":"assistant","providerID":"acme","modelID":"one"}"#).unwrap();
        let nested = MessageInfo::read(r#"{"role":"user","model":{"providerID":"acme","modelID":"one"}}"#).unwrap();
        assert_eq!((own.model.as_deref(), own.role), (Some("acme/one"), Role::Assistant));
        assert_eq!((nested.model.as_deref(), nested.role), (Some("acme/one"), Role::User));
    }

    #[test]
    fn a_session_is_read() {
        let info = SessionInfo::read(
            r#"{"id":"ses_1","parentID":"ses_0","version":"7.7.9","agent":"code","model":{"id":"m1","providerID":"p"},"time":{"created":1,"updated":2}}"#,
        );
        let info = info.unwrap();
        assert_eq!((info.parent.as_deref(), info.model.as_deref()), (Some("ses_0"), Some("p/m1")));
        assert_eq!((info.created, info.updated), (Some(TimeMs(1)), Some(TimeMs(2))));
    }
}
