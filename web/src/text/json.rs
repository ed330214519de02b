//! Just enough JSON to show a value field by field, with numbers exactly as they are written.

/// One field of an object: its name, and its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// The name, decoded.
    pub name: String,
    /// The value.
    pub value: Value,
}

/// The value of a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// A text, decoded.
    Text(String),
    /// Anything else, as it is written.
    Other(String),
}

/// The fields of an object; none where the text is no object.
pub fn fields(text: &str) -> Option<Vec<Field>> {
    let mut scan = Scan { rest: text.trim() };
    scan.take('{')?;
    let mut fields = Vec::new();
    if scan.take('}').is_some() {
        return scan.rest.is_empty().then_some(fields);
    }
    loop {
        let name = decode(scan.string()?)?;
        scan.take(':')?;
        scan.space();
        let value = if scan.rest.starts_with('"') {
            Value::Text(decode(scan.string()?)?)
        } else {
            Value::Other(scan.value()?.trim().to_owned())
        };
        fields.push(Field { name, value });
        if scan.take('}').is_some() {
            return scan.rest.is_empty().then_some(fields);
        }
        scan.take(',')?;
    }
}

/// JSON laid out with two spaces a level; text that is no JSON comes out as it is, as far as it can.
pub fn pretty(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 4);
    let mut depth = 0usize;
    let mut in_string = false;
    let mut escaped = false;
    let mut chars = text.trim().chars().peekable();
    let newline = |out: &mut String, depth: usize| {
        out.push('\n');
        out.extend(std::iter::repeat_n("  ", depth));
    };
    while let Some(c) = chars.next() {
        if in_string {
            out.push(c);
            in_string = escaped || c != '"';
            escaped = !escaped && c == '\\';
            continue;
        }
        match c {
            '"' => {
                in_string = true;
                out.push(c);
            }
            '{' | '[' => {
                out.push(c);
                while chars.next_if(|c| c.is_ascii_whitespace()).is_some() {}
                if let Some(close) = chars.next_if(|&next| next == '}' || next == ']') {
                    out.push(close);
                } else {
                    depth += 1;
                    newline(&mut out, depth);
                }
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                newline(&mut out, depth);
                out.push(c);
            }
            ',' => {
                out.push(c);
                newline(&mut out, depth);
            }
            ':' => out.push_str(": "),
            c if c.is_ascii_whitespace() => {}
            c => out.push(c),
        }
    }
    out
}

struct Scan<'a> {
    rest: &'a str,
}

impl<'a> Scan<'a> {
    fn space(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn take(&mut self, c: char) -> Option<()> {
        self.space();
        self.rest = self.rest.strip_prefix(c)?;
        Some(())
    }

    /// A string with its quotes.
    fn string(&mut self) -> Option<&'a str> {
        self.space();
        let mut escaped = true; // The opening quote ends nothing.
        for (at, byte) in self.rest.bytes().enumerate() {
            if at == 0 && byte != b'"' {
                return None;
            }
            if byte == b'"' && !escaped {
                let (string, rest) = self.rest.split_at_checked(at + 1)?;
                self.rest = rest;
                return Some(string);
            }
            escaped = at > 0 && byte == b'\\' && !escaped;
        }
        None
    }

    /// A value that is no string, up to the comma or bracket that ends it.
    fn value(&mut self) -> Option<&'a str> {
        let mut depth = 0usize;
        let mut in_string = false;
        let mut escaped = false;
        for (at, byte) in self.rest.bytes().enumerate() {
            if in_string {
                in_string = escaped || byte != b'"';
                escaped = !escaped && byte == b'\\';
                continue;
            }
            match byte {
                b'"' => in_string = true,
                b'{' | b'[' => depth += 1,
                b'}' | b']' if depth > 0 => depth -= 1,
                b',' | b'}' | b']' if depth == 0 => {
                    let (value, rest) = self.rest.split_at_checked(at)?;
                    self.rest = rest;
                    return Some(value);
                }
                _ => {}
            }
        }
        None
    }
}

/// A string literal's text. Half a surrogate pair becomes U+FFFD.
pub(super) fn decode(literal: &str) -> Option<String> {
    let inner = literal.strip_prefix('"')?.strip_suffix('"')?;
    if !inner.contains('\\') {
        return Some(inner.to_owned());
    }
    let mut out = String::with_capacity(inner.len());
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next()? {
            'n' => out.push('\n'),
            't' => out.push('\t'),
            'r' => out.push('\r'),
            'b' => out.push('\u{8}'),
            'f' => out.push('\u{c}'),
            'u' => {
                let high = unit(&mut chars)?;
                let mut ahead = chars.clone();
                let low = match (0xD800..0xDC00).contains(&high) {
                    true if ahead.next() == Some('\\') && ahead.next() == Some('u') => {
                        unit(&mut ahead).filter(|low| (0xDC00..0xE000).contains(low))
                    }
                    _ => None,
                };
                match low {
                    Some(low) => {
                        chars = ahead;
                        let code = 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
                        out.extend(char::from_u32(code));
                    }
                    None => out.push(char::from_u32(high).unwrap_or('\u{FFFD}')),
                }
            }
            other => out.push(other),
        }
    }
    Some(out)
}

fn unit(chars: &mut std::str::Chars<'_>) -> Option<u32> {
    let mut unit = 0;
    for _ in 0..4 {
        unit = unit * 16 + chars.next()?.to_digit(16)?;
    }
    Some(unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<(String, String)> {
        let pair = |field: Field| match field.value {
            Value::Text(text) => (field.name, format!("text {text}")),
            Value::Other(text) => (field.name, text),
        };
        fields(text).unwrap().into_iter().map(pair).collect()
    }

    #[test]
    fn fields_keep_their_order_and_their_numbers() {
        let fields = shown(r#" {"a": "x\n\"y\"", "b": 12345678901234567890.10, "c": {"d": [1, "}"]}, "e":null} "#);
        let want =
            [("a", "text x\n\"y\""), ("b", "12345678901234567890.10"), ("c", r#"{"d": [1, "}"]}"#), ("e", "null")];
        assert_eq!(fields, want.map(|(k, v)| (k.to_owned(), v.to_owned())));
    }

    #[test]
    fn what_is_no_object_has_no_fields() {
        assert_eq!(fields("{}"), Some(Vec::new()));
        for text in ["", "[]", "\"a\"", "{", r#"{"a"}"#, r#"{"a":1"#, r#"{"a":1} x"#] {
            assert_eq!(fields(text), None, "{text}");
        }
    }

    #[test]
    fn escapes_are_read() {
        let fields = shown(r#"{"\u00e4":"\ud83d\ude00 \ud83d \\ \/"}"#);
        assert_eq!(fields, [("ä".to_owned(), "text 😀 \u{FFFD} \\ /".to_owned())]);
    }

    #[test]
    fn layout() {
        assert_eq!(
            pretty(r#"{"a":[1,{"b":"x, {y}"}],"c":{}}"#),
            "{\n  \"a\": [\n    1,\n    {\n      \"b\": \"x, {y}\"\n    }\n  ],\n  \"c\": {}\n}"
        );
        assert_eq!(pretty(r#"{"a":"\\","b":[]}"#), "{\n  \"a\": \"\\\\\",\n  \"b\": []\n}");
    }
}
