//! The fields of an event under a ceiling.

use super::Capture;
use crate::redact::{self, Kinds};
use serde_json::{Map, Value};

/// Fields of `data`; those above the ceiling are never taken in.
#[derive(Debug)]
pub(super) struct Data {
    ceiling: Capture,
    fields: Map<String, Value>,
}

impl Data {
    pub(super) fn new(ceiling: Capture) -> Data {
        Data { ceiling, fields: Map::new() }
    }

    /// A name, an id, a count or a digest; nothing where the moment has none.
    pub(super) fn fact(self, key: &str, value: Option<Value>) -> Data {
        self.put(key, value, Capture::Metadata)
    }

    /// A text that a person or a model wrote, or JSON that holds some.
    pub(super) fn text(mut self, key: &str, value: Option<&Value>) -> Data {
        if self.ceiling >= Capture::Redacted
            && let Some(value) = value
        {
            let value = allowed(value, self.ceiling);
            self.fields.insert(key.to_owned(), value);
        }
        self
    }

    /// What only a full capture holds.
    pub(super) fn full(self, key: &str, value: Option<Value>) -> Data {
        self.put(key, value, Capture::Full)
    }

    fn put(mut self, key: &str, value: Option<Value>, level: Capture) -> Data {
        if let Some(value) = value.filter(|value| !value.is_null() && level <= self.ceiling) {
            self.fields.insert(key.to_owned(), value);
        }
        self
    }

    pub(super) fn done(self) -> Map<String, Value> {
        self.fields
    }
}

/// A value with its texts as the ceiling allows them.
pub(super) fn allowed(value: &Value, ceiling: Capture) -> Value {
    match value {
        Value::String(text) => Value::String(show(text, ceiling)),
        Value::Array(items) => Value::Array(items.iter().map(|item| allowed(item, ceiling)).collect()),
        Value::Object(fields) => {
            Value::Object(fields.iter().map(|(key, value)| (key.clone(), allowed(value, ceiling))).collect())
        }
        other => other.clone(),
    }
}

/// A text as the ceiling allows it: below `full` secrets, addresses and home directories in it are masked. (A text alone:
/// what only another record tells to be a secret is not known here.)
pub(super) fn show(text: &str, ceiling: Capture) -> String {
    if ceiling == Capture::Full { text.to_owned() } else { redact::text(text, Kinds::default()).0 }
}
