//! A fingerprint of a JSON value: equal values have equal fingerprints, whatever the order of their keys and their
//! white space. It tells a record that was written twice from one that was written again with news.
//!
//! The walk keeps its own stack, so no depth of nesting can exhaust the real one.

use foldhash::fast::FixedState;
use std::hash::{BuildHasher, Hasher};

use super::plain::plain;

/// 64 bits; not meant to withstand somebody who looks for collisions, who could only relabel his own duplicates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct Fingerprint(pub(crate) u64);

/// Of bytes, as they stand.
pub(crate) fn of_bytes(bytes: &[u8]) -> Fingerprint {
    let mut hasher = FixedState::with_seed(7).build_hasher();
    hasher.write(bytes);
    Fingerprint(hasher.finish())
}

fn mix(a: u64, b: u64) -> u64 {
    // Rotation keeps `mix(a, b)` and `mix(b, a)` apart.
    let x = (a ^ b.rotate_left(29)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    x ^ (x >> 32)
}

enum Frame {
    /// Sum of the fields so far (so that order does not matter), and the key that waits for its value.
    Object { sum: u64, key: Option<u64> },
    /// Hash of the elements so far, in order.
    Array(u64),
}

/// Of the text of one valid JSON value.
pub(crate) fn of_json(text: &str) -> Fingerprint {
    let bytes = text.as_bytes();
    let mut stack: Vec<Frame> = Vec::new();
    let mut done = 0u64;
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let value = match byte {
            b'{' => {
                stack.push(Frame::Object { sum: 1, key: None });
                at += 1;
                continue;
            }
            b'[' => {
                stack.push(Frame::Array(2));
                at += 1;
                continue;
            }
            b'}' | b']' => {
                at += 1;
                match stack.pop() {
                    Some(Frame::Object { sum, .. }) => mix(3, sum),
                    Some(Frame::Array(hash)) => mix(4, hash),
                    None => 0,
                }
            }
            b'"' => {
                let (end, odd) = string_end(bytes, at);
                let hash = string_hash(text.get(at..end).unwrap_or_default(), odd);
                at = end;
                hash
            }
            b',' | b':' | b' ' | b'\t' | b'\r' | b'\n' => {
                at += 1;
                continue;
            }
            _ => {
                let end = scalar_end(bytes, at);
                let hash = scalar_hash(text.get(at..end).unwrap_or_default());
                at = end;
                hash
            }
        };
        match stack.last_mut() {
            Some(Frame::Object { key: waiting @ None, .. }) => *waiting = Some(value),
            Some(Frame::Object { sum, key }) => {
                *sum = sum.wrapping_add(mix(key.take().unwrap_or(0), value));
            }
            Some(Frame::Array(hash)) => *hash = mix(*hash, value),
            None => done = value,
        }
    }
    Fingerprint(done)
}

/// The index behind the closing quote of the string that starts at `at`, and whether it holds an escape that can also be
/// written in another way.
fn string_end(bytes: &[u8], at: usize) -> (usize, bool) {
    let (mut here, mut odd) = (at + 1, false);
    while let Some(rest) = bytes.get(here..) {
        here += plain(rest);
        match bytes.get(here) {
            Some(b'"') => return (here + 1, odd),
            Some(b'\\') => {
                odd |= matches!(bytes.get(here + 1), Some(b'u' | b'/'));
                here += 2;
            }
            // Not in valid JSON.
            Some(_) => here += 1,
            None => break,
        }
    }
    (bytes.len(), odd)
}

fn scalar_end(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    let len = rest.iter().position(|b| matches!(b, b',' | b'}' | b']' | b' ' | b'\t' | b'\r' | b'\n' | b':'));
    at + len.unwrap_or(rest.len()).max(1)
}

/// Of a string with its quotes. What is written as `serde_json` writes it is hashed as it stands, any other as it would be
/// written.
fn string_hash(quoted: &str, odd: bool) -> u64 {
    if odd
        && let Ok(decoded) = serde_json::from_str::<String>(quoted)
        && let Ok(written) = serde_json::to_string(&decoded)
    {
        return of_bytes(written.as_bytes()).0;
    }
    of_bytes(quoted.as_bytes()).0
}

fn scalar_hash(text: &str) -> u64 {
    // 1.50 and 1.5 are one value, while 1 and 1.0 are kept apart as `serde_json` does.
    if text.contains(['.', 'e', 'E'])
        && let Ok(number) = text.parse::<f64>()
    {
        return mix(5, number.to_bits());
    }
    of_bytes(text.as_bytes()).0
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::{Value, json};

    #[test]
    fn order_and_space_do_not_matter_and_values_do() {
        let same = |a: &str, b: &str| of_json(a) == of_json(b);
        assert!(same(r#"{"a":1,"b":[1,2]}"#, r#"{ "b" : [1, 2], "a":1 }"#));
        assert!(same(r#""A\n""#, r#""\u0041\u000a""#));
        assert!(same("1.50", "1.5"));
        assert!(!same("[1,2]", "[2,1]"));
        assert!(!same(r#"{"a":1,"b":2}"#, r#"{"a":2,"b":1}"#));
        assert!(!same(r#"{"a":{}}"#, r#"{"a":[]}"#));
        assert!(!same(r#""1""#, "1"));
        assert!(!same("null", "false"));
        assert!(!same(r#"[[],[]]"#, r#"[[[]]]"#));
    }

    #[test]
    fn depth_is_no_danger() {
        let deep = format!("{}{}", "[".repeat(200_000), "]".repeat(200_000));
        assert_eq!(of_json(&deep), of_json(&deep));
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(json!(null)),
            any::<bool>().prop_map(Value::from),
            (0i64..9).prop_map(Value::from),
            "[ab\"\\\\é]{0,3}".prop_map(Value::from)
        ];
        leaf.prop_recursive(3, 16, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::btree_map("[abc]", inner, 0..4).prop_map(|map| json!(map)),
            ]
        })
    }

    proptest! {
        #[test]
        fn agrees_with_equality(a in any_json(), b in any_json()) {
            let pretty = serde_json::to_string_pretty(&a).unwrap();
            prop_assert_eq!(of_json(&a.to_string()), of_json(&pretty));
            prop_assert_eq!(a == b, of_json(&a.to_string()) == of_json(&b.to_string()));
        }
    }
}
