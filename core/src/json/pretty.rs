//! JSON laid out for reading. Works on the text, so that keys keep their order and numbers their digits, and no depth of
//! nesting is a danger.

/// Two spaces of indent; strings stand as they are written. The text must be valid JSON.
pub(crate) fn pretty(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 4);
    let mut depth = 0usize;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' => {
                out.push('"');
                while let Some(c) = chars.next() {
                    out.push(c);
                    match c {
                        '\\' => out.extend(chars.next()),
                        '"' => break,
                        _ => {}
                    }
                }
            }
            '{' | '[' => {
                out.push(c);
                while chars.next_if(|c| c.is_ascii_whitespace()).is_some() {}
                if let Some(close) = chars.next_if(|c| matches!(c, '}' | ']')) {
                    out.push(close);
                } else {
                    depth += 1;
                    new_line(&mut out, depth);
                }
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                new_line(&mut out, depth);
                out.push(c);
            }
            ',' => {
                out.push(',');
                new_line(&mut out, depth);
            }
            ':' => out.push_str(": "),
            c if c.is_ascii_whitespace() => {}
            c => out.push(c),
        }
    }
    out
}

/// JSON without white space between its tokens: on one line, that is.
pub(crate) fn compact(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut in_string = false;
    let mut escaped = false;
    for c in text.chars() {
        if in_string {
            in_string = escaped || c != '"';
            escaped = !escaped && c == '\\';
        } else if c.is_ascii_whitespace() {
            continue;
        } else {
            in_string = c == '"';
        }
        out.push(c);
    }
    out
}

/// Deeper levels than this are not indented further: a hostile line must not grow with the square of its depth.
const INDENT_MAX: usize = 64;

fn new_line(out: &mut String, depth: usize) {
    out.push('\n');
    for _ in 0..depth.min(INDENT_MAX) {
        out.push_str("  ");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compact_keeps_the_strings() {
        assert_eq!(compact("{\n  \"a b\": \"c \\\" d\",\r\n \"e\": 1 }"), "{\"a b\":\"c \\\" d\",\"e\":1}");
    }

    #[test]
    fn as_serde_json_does_it() {
        for text in [r#"{"b":[1,2,{}],"a":"x:{,\"y","c":[]}"#, "[]", "1.50", r#"{ "a" : { "b" : null } }"#] {
            let value: serde_json::Value = serde_json::from_str(text).unwrap();
            let ours: serde_json::Value = serde_json::from_str(&pretty(text)).unwrap();
            assert_eq!(ours, value);
        }
        assert_eq!(pretty(r#"{"b":[1.50,2],"a":{}}"#), "{\n  \"b\": [\n    1.50,\n    2\n  ],\n  \"a\": {}\n}");
    }
}
