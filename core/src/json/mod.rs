//! Small readers over JSON text that is kept as text: an object's fields, a pointer, a count.
//!
//! Everything here works on borrowed text, so that a field which nobody asks for is never decoded.

mod fingerprint;
mod plain;
mod pretty;
mod scan;
mod surrogates;
mod walk;

pub(crate) use fingerprint::{Fingerprint, of_bytes as fingerprint_of_bytes, of_json as fingerprint_of_json};
pub(crate) use pretty::{compact, pretty};
pub(crate) use scan::{Scanner, Step, string_end};
pub(crate) use surrogates::repair as repair_surrogates;
pub(crate) use walk::{RawStr, Walk};

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
    fields: Vec<(Cow<'a, str>, &'a str)>,
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
                    fields.push((key, value.get()));
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
        Object::walk(text).or_else(|| serde_json::from_str(text).ok())
    }

    fn walk(text: &'a str) -> Option<Object<'a>> {
        let mut walk = Walk::new(text);
        let mut fields = Vec::with_capacity(8);
        walk.object(|key, walk| {
            fields.push((key.text()?, walk.value()?));
            Some(())
        })?;
        walk.is_done().then_some(Object { fields })
    }

    /// The value of a key.
    pub(crate) fn get(&self, key: &str) -> Option<&'a str> {
        self.fields.iter().rev().find(|(name, _)| name == key).map(|(_, value)| *value)
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
    let mut walk = Walk::new(text);
    let string = walk.string().filter(|_| walk.is_done())?;
    string.text()
}

/// How many bytes the string that a value is has, without making it; `None` for any other JSON.
pub(crate) fn string_len(text: &str) -> Option<usize> {
    if !text.starts_with('"') {
        return None;
    }
    let mut walk = Walk::new(text);
    walk.string().filter(|_| walk.is_done())?.text_len()
}

/// What stands between the quotes of a string; `None` where an escape is no character.
pub(crate) fn decoded(inner: &str) -> Option<Cow<'_, str>> {
    let mut rest = inner;
    let mut out = String::with_capacity(inner.len());
    while let Some(at) = memchr::memchr(b'\\', rest.as_bytes()) {
        out.push_str(rest.get(..at)?);
        let escape = *rest.as_bytes().get(at + 1)?;
        rest = rest.get(at + 2..)?;
        out.push(match escape {
            b'n' => '\n',
            b't' => '\t',
            b'r' => '\r',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'"' | b'\\' | b'/' => char::from(escape),
            b'u' => {
                let first = unit(rest)?;
                rest = rest.get(4..)?;
                match char::from_u32(first) {
                    Some(c) => c,
                    // A pair of surrogates is one character; one alone is none.
                    None => {
                        let second = unit(rest.strip_prefix("\\u")?)?;
                        rest = rest.get(6..)?;
                        char::decode_utf16([u16::try_from(first).ok()?, u16::try_from(second).ok()?]).next()?.ok()?
                    }
                }
            }
            _ => return None,
        });
    }
    out.push_str(rest);
    Some(Cow::Owned(out))
}

fn unit(text: &str) -> Option<u32> {
    let digits = text.get(..4).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
    u32::from_str_radix(digits, 16).ok()
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
    use proptest::prelude::*;

    #[test]
    fn a_pointer_walks_objects_and_arrays() {
        let text = r#"{"a":{"b/c":[1,{"d":"x"}]}}"#;
        assert_eq!(pointer(text, "/a/b~1c/1/d"), Some("\"x\""));
        assert_eq!(pointer(text, "/a/b~1c/0"), Some("1"));
        assert_eq!(pointer(text, "/a/none"), None);
        assert_eq!(pointer(text, "a"), None);
    }

    proptest! {
        #[test]
        fn strings_decode_as_serde_decodes_them(inner in r#"([a-zé]{0,3}|\\[nu"\\/bfrtx]|d8[0-9a-f]{2}|dc[0-9a-f]{2}|[0-9a-f]{4})*"#) {
            let quoted = format!("\"{inner}\"");
            let serde = serde_json::from_str::<String>(&quoted).ok();
            prop_assert_eq!(string_len(&quoted), serde.as_ref().map(String::len));
            prop_assert_eq!(string(&quoted).map(Cow::into_owned), serde);
        }
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
