//! Small readers over JSON text that is kept as text: an object's fields, a pointer, a count.
//!
//! Everything here works on borrowed text, so that a field which nobody asks for is never decoded.

mod fingerprint;
mod pretty;
mod scan;
mod surrogates;

pub(crate) use fingerprint::{Fingerprint, of_bytes as fingerprint_of_bytes, of_json as fingerprint_of_json};
pub(crate) use pretty::{compact, pretty};
pub(crate) use scan::{Scanner, Step, string_end};
pub(crate) use surrogates::repair as repair_surrogates;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;

/// A string, borrowed where it holds no escape.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Str<'a>(pub(crate) Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Str<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct StrVisitor;
        impl<'de> Visitor<'de> for StrVisitor {
            type Value = Str<'de>;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a string")
            }
            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(Str(Cow::Borrowed(text)))
            }
            fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Str(Cow::Owned(text.to_owned())))
            }
        }
        deserializer.deserialize_str(StrVisitor)
    }
}

/// The fields of one JSON object, each as text; a key that stands twice counts with its last value.
#[derive(Debug, Clone, Default)]
pub(crate) struct Object<'a> {
    fields: Vec<(Cow<'a, str>, &'a RawValue)>,
}

impl<'de: 'a, 'a> Deserialize<'de> for Object<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ObjectVisitor;
        impl<'de> Visitor<'de> for ObjectVisitor {
            type Value = Object<'de>;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut fields = Vec::with_capacity(8);
                while let Some((Str(key), value)) = map.next_entry::<Str<'de>, &'de RawValue>()? {
                    fields.push((key, value));
                }
                Ok(Object { fields })
            }
        }
        deserializer.deserialize_map(ObjectVisitor)
    }
}

impl<'a> Object<'a> {
    /// Reads the text of an object; `None` for any other JSON.
    pub(crate) fn parse(text: &'a str) -> Option<Object<'a>> {
        serde_json::from_str(text).ok()
    }

    /// The value of a key.
    pub(crate) fn get(&self, key: &str) -> Option<&'a str> {
        self.fields.iter().rev().find(|(name, _)| name == key).map(|(_, value)| value.get())
    }

    /// The keys, in order.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &str> {
        self.fields.iter().map(|(key, _)| key.as_ref())
    }

    /// Whether it has no field.
    pub(crate) fn is_empty(&self) -> bool {
        self.fields.is_empty()
    }
}

/// The value at a JSON pointer.
pub(crate) fn pointer<'a>(text: &'a str, pointer: &str) -> Option<&'a str> {
    let mut here = text;
    for part in pointer.strip_prefix('/')?.split('/') {
        let key = if part.contains('~') {
            Cow::Owned(part.replace("~1", "/").replace("~0", "~"))
        } else {
            Cow::Borrowed(part)
        };
        here = match here.as_bytes().first()? {
            b'{' => Object::parse(here)?.get(&key)?,
            b'[' => elements(here)?.get(key.parse::<usize>().ok()?).copied()?,
            _ => return None,
        };
    }
    Some(here)
}

/// A key as a JSON pointer writes it.
pub(crate) fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

/// The elements of an array, each as text; `None` for any other JSON.
pub(crate) fn elements(text: &str) -> Option<Vec<&str>> {
    let values: Vec<&RawValue> = serde_json::from_str(text).ok()?;
    Some(values.into_iter().map(RawValue::get).collect())
}

/// The string that a value is; `None` for any other JSON.
pub(crate) fn string(text: &str) -> Option<Cow<'_, str>> {
    if !text.starts_with('"') {
        return None;
    }
    serde_json::from_str::<Str<'_>>(text).ok().map(|text| text.0)
}

/// The string that a value is, unless it is empty.
pub(crate) fn filled_string(text: &str) -> Option<Cow<'_, str>> {
    string(text).filter(|text| !text.is_empty())
}

/// A whole number that fits 64 bits with a sign: an integer, a float without a fraction, or digits in a string.
pub(crate) fn integer(text: &str) -> Option<i64> {
    let text = match string(text) {
        Some(inner) => Cow::Owned(inner.trim().to_owned()),
        None => Cow::Borrowed(text),
    };
    if let Ok(value) = text.parse::<i64>() {
        return Some(value);
    }
    let value = text.parse::<f64>().ok()?;
    (value.fract() == 0.0 && value.abs() <= 9_007_199_254_740_992.0).then_some(value as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pointer_walks_objects_and_arrays() {
        let text = r#"{"a":{"b/c":[1,{"d":"x"}]}}"#;
        assert_eq!(pointer(text, "/a/b~1c/1/d"), Some("\"x\""));
        assert_eq!(pointer(text, "/a/b~1c/0"), Some("1"));
        assert_eq!(pointer(text, "/a/none"), None);
        assert_eq!(pointer(text, "a"), None);
    }

    #[test]
    fn the_last_of_two_equal_keys_counts() {
        assert_eq!(Object::parse(r#"{"a":1,"a":2}"#).unwrap().get("a"), Some("2"));
    }

    #[test]
    fn whole_numbers() {
        assert_eq!(integer("5"), Some(5));
        assert_eq!(integer("-5"), Some(-5));
        assert_eq!(integer("5.0"), Some(5));
        assert_eq!(integer("\" 7 \""), Some(7));
        assert_eq!(integer("5.5"), None);
        assert_eq!(integer("null"), None);
        assert_eq!(integer("\"x\""), None);
    }
}
