//! Where a JSON pointer leads to in a text.

use std::ops::Range;

/// The bytes of the value that a pointer names in a JSON text. Of a key that stands twice, the last counts.
pub fn find(text: &str, pointer: &str) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let mut at = blank(bytes, 0);
    if !pointer.is_empty() {
        for part in pointer.strip_prefix('/')?.split('/') {
            let key = part.replace("~1", "/").replace("~0", "~");
            at = inner(text, at, &key)?;
        }
    }
    Some(at..end(bytes, at)?)
}

/// Where the value of a key, or the element at an index, begins in the value that begins at `at`.
fn inner(text: &str, at: usize, key: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let is_object = match bytes.get(at)? {
        b'{' => true,
        b'[' => false,
        _ => return None,
    };
    let wanted: Option<usize> = if is_object { None } else { Some(key.parse().ok()?) };
    let (mut here, mut index, mut found) = (blank(bytes, at + 1), 0, None);
    while !matches!(bytes.get(here)?, b'}' | b']') {
        let mut is_it = wanted == Some(index);
        if is_object {
            let close = end(bytes, here)?;
            is_it = super::json::decode(text.get(here..close)?).is_some_and(|name| name == key);
            here = blank(bytes, close);
            here = blank(bytes, here + usize::from(bytes.get(here) == Some(&b':')));
        }
        if is_it {
            found = Some(here);
        }
        here = blank(bytes, end(bytes, here)?);
        here = blank(bytes, here + usize::from(bytes.get(here) == Some(&b',')));
        index += 1;
    }
    found
}

fn blank(bytes: &[u8], at: usize) -> usize {
    at + bytes.iter().skip(at).take_while(|byte| byte.is_ascii_whitespace()).count()
}

/// Where the value that begins at `at` ends.
fn end(bytes: &[u8], at: usize) -> Option<usize> {
    let (mut depth, mut in_text, mut is_escaped) = (0usize, false, false);
    for (place, byte) in bytes.iter().enumerate().skip(at) {
        if in_text {
            match byte {
                _ if is_escaped => is_escaped = false,
                b'\\' => is_escaped = true,
                b'"' => {
                    in_text = false;
                    if depth == 0 {
                        return Some(place + 1);
                    }
                }
                _ => {}
            }
            continue;
        }
        match byte {
            b'"' => in_text = true,
            b'{' | b'[' => depth += 1,
            b'}' | b']' if depth == 0 => return (place > at).then_some(place),
            b'}' | b']' => {
                depth -= 1;
                if depth == 0 {
                    return Some(place + 1);
                }
            }
            b',' | b':' if depth == 0 => return (place > at).then_some(place),
            byte if depth == 0 && byte.is_ascii_whitespace() => return (place > at).then_some(place),
            _ => {}
        }
    }
    (depth == 0 && !in_text && at < bytes.len()).then_some(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pointer_leads_to_its_value() {
        let text = r#"{ "a": {"b/c": [1, {"d": "x\"]"}, null]}, "e": true, "a2": -1.5, "é": "ü" }"#;
        let at = |pointer: &str| find(text, pointer).and_then(|range| text.get(range));
        assert_eq!(at("/a/b~1c/1/d"), Some(r#""x\"]""#));
        assert_eq!(at("/a/b~1c/1"), Some(r#"{"d": "x\"]"}"#));
        assert_eq!(at("/a/b~1c/0"), Some("1"));
        assert_eq!(at("/a/b~1c/2"), Some("null"));
        assert_eq!(at("/e"), Some("true"));
        assert_eq!(at("/a2"), Some("-1.5"));
        assert_eq!(at("/é"), Some("\"ü\""));
        assert_eq!(at(""), Some(text.trim()));
        for none in ["/x", "/a/b", "/a/b~1c/3", "/e/f", "a"] {
            assert_eq!(at(none), None, "{none}");
        }
        assert_eq!(find(r#"{"a":1,"a":22}"#, "/a"), Some(11..13));
        assert_eq!(find(r#"{"a":"#, "/a"), None);
    }
}
