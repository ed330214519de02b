//! A moment: what one record of a bus log or a hook log tells.

use crate::format::bus::base_type;
use crate::format::shape::OPEN_AT;
use crate::id;
use crate::time::TimeMs;
use serde_json::{Map, Value};

/// How deep a moment may be wrapped: `{"timestamp":…,"event":{"kind":"bus","event":{…}}}`.
const DEPTH: usize = 3;

/// Which surface it came by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    /// The bus.
    Bus,
    /// The hook before a call.
    ToolBefore,
    /// The hook after a call.
    ToolAfter,
    /// The hook that holds a permission open.
    PermissionAsk,
}

/// A moment of a log.
#[derive(Debug, Clone, PartialEq)]
pub struct Moment {
    pub(crate) kind: Kind,
    /// The bus type without a version; the hook's name.
    pub(crate) name: String,
    /// `properties` of a bus event; the whole record of a hook.
    pub(crate) body: Value,
    /// The event's own id.
    pub(crate) id: Option<String>,
    /// The time that a wrapper gives.
    pub(crate) time: Option<TimeMs>,
    /// A copy for synchronisation, or one with a version: the same event as its twin, where that is there.
    pub(crate) is_copy: bool,
}

impl Moment {
    /// Reads a record; `None` where it is no moment.
    pub fn of(record: &Value) -> Option<Moment> {
        read(&mut record.clone(), DEPTH)
    }

    /// Reads a record that is for nothing else.
    pub fn taken(mut record: Value) -> Option<Moment> {
        read(&mut record, DEPTH)
    }

    /// The bus type without a version, or the hook's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether it came by a hook.
    pub fn is_hook(&self) -> bool {
        self.kind != Kind::Bus
    }

    /// The session that it is about.
    pub fn session(&self) -> Option<&str> {
        let mut places = vec!["/sessionID", "/part/sessionID", "/info/sessionID"];
        match self.kind {
            Kind::Bus if self.name.starts_with("session.") => places.push("/info/id"),
            Kind::Bus => {}
            _ => places = vec!["/permission/sessionID", "/input/sessionID"],
        }
        places.into_iter().find_map(|place| self.text(place))
    }

    /// The string at a JSON pointer of its body, unless it is empty.
    pub(crate) fn text(&self, pointer: &str) -> Option<&str> {
        self.body.pointer(pointer).and_then(Value::as_str).filter(|text| !text.is_empty())
    }

    /// The value at a JSON pointer of its body.
    pub(crate) fn at(&self, pointer: &str) -> Option<&Value> {
        self.body.pointer(pointer).filter(|value| !value.is_null())
    }
}

/// Reads a record, and takes out of it what the moment holds.
fn read(record: &mut Value, depth: usize) -> Option<Moment> {
    let fields = record.as_object_mut()?;
    let text = |key: &str| fields.get(key).and_then(Value::as_str);
    let hook = match text("kind") {
        Some("tool.before" | "tool.execute.before") => Some((Kind::ToolBefore, "tool.execute.before")),
        Some("tool.after" | "tool.execute.after") => Some((Kind::ToolAfter, "tool.execute.after")),
        Some("permission.ask") if fields.contains_key("permission") => Some((Kind::PermissionAsk, "permission.ask")),
        _ => None,
    };
    if let Some((kind, name)) = hook {
        let time = wrapper_time(fields);
        return Some(Moment { kind, name: name.to_owned(), body: record.take(), id: None, time, is_copy: false });
    }
    if text("type") == Some("sync")
        && let Some(copy) = fields.get("syncEvent").and_then(Value::as_object)
    {
        return Some(Moment {
            kind: Kind::Bus,
            name: base_type(copy.get("type").and_then(Value::as_str)?).to_owned(),
            body: copy.get("data").cloned().unwrap_or_default(),
            id: copy.get("id").and_then(Value::as_str).or(text("id")).map(str::to_owned),
            time: wrapper_time(fields),
            is_copy: true,
        });
    }
    if let Some(name) = text("type") {
        // A type with points may come without properties: `custom.*`, and whatever a plugin sends.
        if fields.contains_key("properties") || (name.contains('.') && !fields.contains_key("part")) {
            return Some(Moment {
                kind: Kind::Bus,
                name: base_type(name).to_owned(),
                is_copy: name != base_type(name),
                id: text("id").map(str::to_owned),
                time: None,
                body: fields.get_mut("properties").map(Value::take).unwrap_or_default(),
            });
        }
        return None;
    }
    let depth = depth.checked_sub(1)?;
    let mut inner = |key: &str| read(fields.get_mut(key)?, depth);
    let mut moment = match inner("event").or_else(|| inner("payload")) {
        Some(moment) => moment,
        None => fields.values_mut().find_map(|value| read(value, depth))?,
    };
    moment.time = wrapper_time(fields).or(moment.time).or_else(|| open_time(fields, &moment));
    Some(moment)
}

/// The time of a request that was found open: that of its id, which lies before it was found.
fn open_time(fields: &Map<String, Value>, moment: &Moment) -> Option<TimeMs> {
    let found = time_of(fields.get(OPEN_AT)?)?;
    let low = moment.text("/id").and_then(id::low_bits);
    Some(low.map_or(found, |low| TimeMs(found.0 - id::before(low, found))))
}

/// The time that a wrapper gives: milliseconds, or RFC 3339.
fn wrapper_time(fields: &Map<String, Value>) -> Option<TimeMs> {
    time_of(fields.get("timestamp")?)
}

/// A time as a number of milliseconds, or as RFC 3339.
pub(super) fn time_of(value: &Value) -> Option<TimeMs> {
    match value {
        Value::Number(number) => TimeMs::from_ms(number.as_f64()?),
        Value::String(text) => TimeMs::from_rfc3339(text),
        _ => None,
    }
}
