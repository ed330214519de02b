//! Canonical JSON, and the digest of a value that may not be shown.

use crate::order::Order;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::fmt::Write as _;

/// How many bytes of the hash are kept.
const KEPT: usize = 16;

/// The first 16 bytes of the SHA-256 of a value's canonical JSON, in hexadecimal.
pub fn digest(value: &Value) -> String {
    let hash = Sha256::digest(canonical(value).as_bytes());
    hash.iter().take(KEPT).fold(String::with_capacity(KEPT * 2), |mut text, byte| {
        // Writing to a String can't fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// JSON with sorted keys and without spaces. Whole numbers are written without a fraction, as a JavaScript harness
/// writes them: `1.0` and `1` are the same value and have the same digest.
pub fn canonical(value: &Value) -> String {
    let mut text = String::new();
    write(value, &mut text);
    text
}

fn write(value: &Value, out: &mut String) {
    match value {
        Value::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write(item, out);
            }
            out.push(']');
        }
        Value::Object(fields) => {
            // Explicitly sorted: the order of serde_json's map depends on a feature that any dependency can switch on.
            let mut keys: Vec<&String> = fields.keys().collect();
            keys.order();
            out.push('{');
            for (index, key) in keys.into_iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                out.push_str(&Value::from(key.as_str()).to_string());
                out.push(':');
                write(fields.get(key).unwrap_or(&Value::Null), out);
            }
            out.push('}');
        }
        Value::Number(number) => match number.as_f64().filter(|_| number.is_f64()) {
            Some(float) if float.fract() == 0.0 && float.abs() < 9_007_199_254_740_992.0 => {
                // Writing to a String can't fail.
                let _ = write!(out, "{}", float as i64);
            }
            _ => out.push_str(&number.to_string()),
        },
        other => out.push_str(&other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn digests_are_those_of_the_published_mapping() {
        assert_eq!(digest(&json!({"command": "npm test"})), "9178ac939ad908d8fd89e97596cdc0e5");
        assert_eq!(digest(&json!("ok 42 tests")), "9623cdc86ee0e1f01e338bc35845417f");
    }

    #[test]
    fn canonical_json_has_sorted_keys_and_no_spaces() {
        let value = json!({"b": [1, 2.0, 2.5, null], "a": {"z": "\"x\"\n", "y": true}});
        assert_eq!(canonical(&value), r#"{"a":{"y":true,"z":"\"x\"\n"},"b":[1,2,2.5,null]}"#);
    }
}
