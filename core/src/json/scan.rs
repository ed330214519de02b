//! Follows JSON as it comes in, line by line: whether a value is complete, still open, or cannot become valid any more.
//!
//! It also notices two places in an `export` document: where the list of messages opens, and where the last whole part of
//! an open message ends, so that a document which is cut loses nothing but the piece that is cut.

use memchr::memchr2;

/// What the scanner waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Want {
    Value,
    /// A value, or the end of an empty array.
    ValueOrEnd,
    Key,
    /// A key, or the end of an empty object.
    KeyOrEnd,
    Colon,
    /// A comma, or the end of the container.
    More,
    Nothing,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Container {
    Object,
    Array,
}

/// How a piece of text went on with the value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// It is still open.
    Open,
    /// It is complete; the index is the first byte behind it.
    Done(usize),
    /// The list of messages of an export opened; the index is the first byte behind its bracket.
    Messages(usize),
    /// No further text can make it valid.
    Invalid,
}

/// Follows one value.
#[derive(Debug)]
pub(crate) struct Scanner {
    want: Want,
    stack: Vec<Container>,
    /// The key at the first level that is being read or was read last.
    key: String,
    seen_type: bool,
    seen_info: bool,
    fed: usize,
    /// Bytes fed up to the end of the last whole element of `parts`.
    part_end: Option<usize>,
    /// The token that made it invalid went to the end of the text: more of it might have made it valid.
    ran_out: bool,
}

impl Scanner {
    /// For a value that begins with the next byte.
    pub(crate) fn new() -> Scanner {
        Scanner {
            want: Want::Value,
            stack: Vec::new(),
            key: String::new(),
            seen_type: false,
            seen_info: false,
            fed: 0,
            part_end: None,
            ran_out: false,
        }
    }

    /// For the rest of an object whose last value has just ended.
    pub(crate) fn in_object() -> Scanner {
        Scanner { want: Want::More, stack: vec![Container::Object], ..Scanner::new() }
    }

    /// Bytes up to the end of the last whole element of a first-level list `parts`.
    pub(crate) fn part_end(&self) -> Option<usize> {
        self.part_end
    }

    /// Whether it is invalid only because the text ends in the middle of a string, a number or a word: at the end of a file
    /// that is a value which is cut.
    pub(crate) fn ran_out(&self) -> bool {
        self.ran_out
    }

    /// Takes the next line, with its end. Strings, numbers and words never go on over a line's end.
    pub(crate) fn feed(&mut self, text: &str) -> Step {
        let bytes = text.as_bytes();
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            if byte.is_ascii_whitespace() {
                at += 1;
                continue;
            }
            let Some(next) = self.token(text, at, byte) else { return Step::Invalid };
            at = next;
            if self.opens_messages() {
                self.fed += at;
                return Step::Messages(at);
            }
            if self.stack.is_empty() && self.want == Want::Nothing {
                return Step::Done(at);
            }
            if self.stack.len() == 2
                && self.stack.last() == Some(&Container::Array)
                && self.key == "parts"
                && self.want == Want::More
            {
                self.part_end = Some(self.fed + at);
            }
        }
        self.fed += at;
        Step::Open
    }

    fn opens_messages(&self) -> bool {
        self.stack.len() == 2
            && self.want == Want::ValueOrEnd
            && self.key == "messages"
            && self.seen_info
            && !self.seen_type
    }

    /// Takes one token; the index behind it, or `None` where it cannot stand there.
    fn token(&mut self, text: &str, at: usize, byte: u8) -> Option<usize> {
        let value = matches!(self.want, Want::Value | Want::ValueOrEnd);
        match byte {
            b'{' if value => {
                self.stack.push(Container::Object);
                self.want = Want::KeyOrEnd;
            }
            b'[' if value => {
                self.stack.push(Container::Array);
                self.want = Want::ValueOrEnd;
            }
            b'}' if matches!(self.want, Want::KeyOrEnd | Want::More)
                && self.stack.last() == Some(&Container::Object) =>
            {
                self.close();
            }
            b']' if matches!(self.want, Want::ValueOrEnd | Want::More)
                && self.stack.last() == Some(&Container::Array) =>
            {
                self.close();
            }
            b',' if self.want == Want::More => {
                self.want = if self.stack.last() == Some(&Container::Object) { Want::Key } else { Want::Value };
            }
            b':' if self.want == Want::Colon => self.want = Want::Value,
            b'"' if value || matches!(self.want, Want::Key | Want::KeyOrEnd) => {
                let Some(end) = string_end(text.as_bytes(), at) else {
                    self.ran_out = true;
                    return None;
                };
                if value {
                    self.end_value();
                } else {
                    self.take_key(text.get(at + 1..end - 1).unwrap_or_default());
                    self.want = Want::Colon;
                }
                return Some(end);
            }
            b'-' | b'0'..=b'9' | b't' | b'f' | b'n' if value => {
                let rest = text.get(at..).unwrap_or_default();
                let len = rest
                    .find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '.' | '+' | '-')))
                    .unwrap_or(rest.len());
                if serde_json::from_str::<serde::de::IgnoredAny>(rest.get(..len)?).is_err() {
                    self.ran_out = len == rest.len();
                    return None;
                }
                self.end_value();
                return Some(at + len);
            }
            _ => return None,
        }
        Some(at + 1)
    }

    fn take_key(&mut self, key: &str) {
        if self.stack.len() == 1 {
            self.key.clear();
            self.key.push_str(key);
            self.seen_type |= key == "type";
            self.seen_info |= key == "info";
        }
    }

    fn close(&mut self) {
        self.stack.pop();
        self.end_value();
    }

    fn end_value(&mut self) {
        self.want = if self.stack.is_empty() { Want::Nothing } else { Want::More };
    }
}

/// The index behind the closing quote; `None` where the string does not end in this text.
pub(crate) fn string_end(bytes: &[u8], at: usize) -> Option<usize> {
    let mut here = at + 1;
    loop {
        here += memchr2(b'"', b'\\', bytes.get(here..)?)?;
        if bytes.get(here) == Some(&b'"') {
            return Some(here + 1);
        }
        here += 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn feed(lines: &[&str]) -> Step {
        let mut scanner = Scanner::new();
        let mut last = Step::Open;
        for line in lines {
            last = scanner.feed(line);
            if last != Step::Open {
                break;
            }
        }
        last
    }

    #[test]
    fn complete_open_or_hopeless() {
        assert_eq!(feed(&["{\"a\": [1, {}, \"}\"]} x"]), Step::Done(19));
        assert_eq!(feed(&["{\n", "  \"a\": 1\n", "}\n"]), Step::Done(1));
        assert_eq!(feed(&["{\"a\":\n"]), Step::Open);
        assert_eq!(feed(&["{\"a\":1767\n", "{\"b\":1}\n"]), Step::Invalid);
        assert_eq!(feed(&["{\"a\":\"cut\n"]), Step::Invalid);
        assert_eq!(feed(&["{\"a\":tru\n"]), Step::Invalid);
        assert_eq!(feed(&["{,"]), Step::Invalid);
        assert_eq!(feed(&["{\"a\":1,}"]), Step::Invalid);
    }

    #[test]
    fn the_list_of_messages_is_noticed() {
        assert_eq!(feed(&["{\"info\":{},\"messages\":[{"]), Step::Messages(23));
        assert_eq!(feed(&["{\"type\":\"x\",\"info\":{},\"messages\":[{"]), Step::Open);
        let mut scanner = Scanner::new();
        assert_eq!(scanner.feed("{\"info\":{},\"parts\":[{\"a\":1},{\"b\":"), Step::Open);
        assert_eq!(scanner.part_end(), Some(27));
    }

    proptest! {
        #[test]
        fn agrees_with_a_parser(text in "[{}\\[\\],:\"a1 ]{0,14}") {
            let text = format!("{{{text}");
            if let Step::Done(end) = Scanner::new().feed(&text) {
                prop_assert!(serde_json::from_str::<serde_json::Value>(&text[..end]).is_ok(), "{}", &text[..end]);
            }
            if serde_json::from_str::<serde_json::Value>(&text).is_ok() {
                prop_assert_eq!(Scanner::new().feed(&text), Step::Done(text.trim_end().len()));
            }
        }
    }
}
