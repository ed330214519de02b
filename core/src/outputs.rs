//! A log without what its calls gave back: smaller, and with less in it that should not leave.
//!
//! In place of each output stands how much of it there was, so that the log opens as before and gives the same events:
//!
//! ```
//! use steplens_core::outputs::Without;
//!
//! let line = br#"{"type":"tool_use","part":{"tool":"bash","state":{"status":"completed","output":"a.txt\n"}}}"#;
//! let (mut without, mut out) = (Without::default(), Vec::new());
//! without.push(line, &mut out);
//! without.finish(&mut out);
//! assert!(String::from_utf8_lossy(&out).contains(r#""output":"[output left out: 6 bytes]""#));
//! assert_eq!((without.outputs(), without.bytes()), (1, 6));
//! ```
//!
//! An output is what the key `output` holds, but for those of an input; what metadata repeats of it (`output`, `preview`,
//! `stdout`, `stderr`); and the data of attachments. Errors stay, as they tell what happened, and so do edits, which are the
//! agent's own work. What is no JSON stays as it is.

use crate::transport::rewrite::Rewriter;
use memchr::memchr2;
use std::ops::Range;

/// What stands in place of an output, around its length.
const BEFORE: &str = "[output left out: ";
const BEHIND: &str = " bytes]";

/// Writes a log without the outputs in it. The log may come in pieces of any size.
#[derive(Debug, Default)]
pub struct Without {
    rewriter: Rewriter,
    scan: Scan,
}

impl Without {
    /// Takes the next bytes of the file, and writes what is done.
    pub fn push(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        self.rewriter.push(bytes, out, |_, line| self.scan.line(line));
    }

    /// The file has ended: writes what is left.
    pub fn finish(&mut self, out: &mut Vec<u8>) {
        self.rewriter.finish(out, |_, line| self.scan.line(line));
    }

    /// How many texts were left out.
    pub fn outputs(&self) -> u64 {
        self.scan.outputs
    }

    /// How many bytes they had.
    pub fn bytes(&self) -> u64 {
        self.scan.bytes
    }
}

/// Where a value stands, as far as it matters.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Place {
    /// Somewhere below `output`.
    in_output: bool,
    /// Somewhere below `metadata`.
    in_metadata: bool,
    /// Somewhere below `attachments`.
    in_attachments: bool,
    /// Somewhere below what is no output whatever its key is.
    is_other: bool,
    /// Directly below one of the keys that metadata and attachments hold an output under.
    is_copy: bool,
    /// A line of another program's log, which holds JSON itself.
    is_line: bool,
}

impl Place {
    fn below(self, key: &[u8]) -> Place {
        let mut place = Place { is_copy: false, is_line: false, ..self };
        match key {
            b"output" => place.in_output = true,
            b"metadata" => place.in_metadata = true,
            b"attachments" => place.in_attachments = true,
            b"input" | b"args" | b"arguments" | b"tokens" | b"modalities" | b"capabilities" => place.is_other = true,
            b"preview" | b"stdout" | b"stderr" => place.is_copy = self.in_metadata,
            b"url" => place.is_copy = self.in_attachments,
            b"line" => place.is_line = true,
            _ => {}
        }
        place
    }

    fn is_output(self) -> bool {
        !self.is_other && (self.in_output || self.is_copy)
    }
}

#[derive(Debug)]
struct Frame {
    is_object: bool,
    /// Where the object or the list itself stands.
    place: Place,
    /// Where its next value stands.
    value: Place,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Expect {
    #[default]
    Key,
    Colon,
    Value,
    End,
}

/// Goes through JSON that may span lines, with other text around it.
#[derive(Debug, Default)]
struct Scan {
    /// What is open, the innermost last.
    open: Vec<Frame>,
    expect: Expect,
    outputs: u64,
    bytes: u64,
}

/// What stands in place of some bytes of a line.
type Edit = (Range<usize>, String);

impl Scan {
    /// The line without outputs; none where it has none.
    fn line(&mut self, line: &[u8]) -> Option<Vec<u8>> {
        let mut edits: Vec<Edit> = Vec::new();
        let mut at = 0;
        while at < line.len() {
            if self.open.is_empty() {
                let Some(start) = memchr2(b'{', b'[', line.get(at..).unwrap_or_default()) else { break };
                at += start;
            }
            match self.token(line, at, &mut edits) {
                Some(next) => at = next,
                // What was open is cut, or this is no JSON. What begins here may be some.
                None if self.open.is_empty() => at += 1,
                None => self.open.clear(),
            }
        }
        if edits.is_empty() {
            return None;
        }
        let mut out = Vec::with_capacity(line.len());
        let mut from = 0;
        for (range, text) in edits {
            out.extend_from_slice(line.get(from..range.start).unwrap_or_default());
            out.extend_from_slice(text.as_bytes());
            from = range.end;
        }
        out.extend_from_slice(line.get(from..).unwrap_or_default());
        Some(out)
    }

    /// Passes one token; where the next one may begin, or none where this one cannot stand here.
    fn token(&mut self, line: &[u8], at: usize, edits: &mut Vec<Edit>) -> Option<usize> {
        let byte = *line.get(at)?;
        let is_value = self.open.is_empty() || self.expect == Expect::Value;
        match byte {
            b' ' | b'\t' | b'\r' => return Some(at + 1),
            b'{' | b'[' if is_value => {
                let place = self.open.last().map(|frame| frame.value).unwrap_or_default();
                // What a copy of an output is made of are outputs too.
                let place = Place { in_output: place.in_output || place.is_copy, ..place };
                self.open.push(Frame { is_object: byte == b'{', place, value: place });
                self.expect = if byte == b'{' { Expect::Key } else { Expect::Value };
            }
            b'}' | b']' if self.open.last().is_some_and(|frame| frame.is_object == (byte == b'}')) => {
                self.open.pop();
                self.expect = Expect::End;
            }
            b',' if self.expect == Expect::End => {
                let is_object = self.open.last()?.is_object;
                self.expect = if is_object { Expect::Key } else { Expect::Value };
            }
            b':' if self.expect == Expect::Colon => self.expect = Expect::Value,
            b'"' if self.expect == Expect::Key || is_value => return self.string(line, at, edits),
            b'-' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' if is_value => {
                let rest = line.get(at..)?.iter();
                let len = rest.take_while(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(byte)).count();
                self.expect = Expect::End;
                return Some(at + len);
            }
            _ => return None,
        }
        Some(at + 1)
    }

    /// Passes a string, which begins at its quote.
    fn string(&mut self, line: &[u8], at: usize, edits: &mut Vec<Edit>) -> Option<usize> {
        let is_key = self.expect == Expect::Key;
        let place = self.open.last()?.value;
        let end = end_of_string(line, at + 1);
        let inner = at + 1..end.unwrap_or(line.len());
        let text = line.get(inner.clone())?;
        if is_key {
            let frame = self.open.last_mut()?;
            frame.value = frame.place.below(&plain(text));
            self.expect = Expect::Colon;
        } else {
            if place.is_output() {
                self.leave_out(inner, text, edits);
            } else if place.is_line
                && let Some(changed) = self.within(text)
            {
                edits.push((inner, changed));
            }
            self.expect = Expect::End;
        }
        // A string that does not end is the end of a log that was cut.
        end.map_or(Some(line.len()), |end| Some(end + 1))
    }

    fn leave_out(&mut self, range: Range<usize>, text: &[u8], edits: &mut Vec<Edit>) {
        let is_note = text.starts_with(BEFORE.as_bytes()) && text.ends_with(BEHIND.as_bytes()) && text.len() < 64;
        if text.is_empty() || is_note {
            return;
        }
        let bytes = plain(text).len() as u64;
        self.outputs += 1;
        self.bytes += bytes;
        edits.push((range, format!("{BEFORE}{bytes}{BEHIND}")));
    }

    /// JSON that is the value of a string: as it is written in it, without outputs; none where it has none.
    fn within(&mut self, text: &[u8]) -> Option<String> {
        let plain = plain(text);
        let mut inner = Scan::default();
        let changed = inner.line(&plain)?;
        self.outputs += inner.outputs;
        self.bytes += inner.bytes;
        let quoted = serde_json::to_string(&String::from_utf8_lossy(&changed)).ok()?;
        quoted.get(1..quoted.len() - 1).map(str::to_owned)
    }
}

/// The place of the quote that ends a string.
fn end_of_string(line: &[u8], mut at: usize) -> Option<usize> {
    loop {
        at += memchr2(b'"', b'\\', line.get(at..)?)?;
        if line.get(at) == Some(&b'"') {
            return Some(at);
        }
        at += 2;
    }
}

/// What is between the quotes of a string, without escapes; as it is where that is no JSON.
fn plain(text: &[u8]) -> Vec<u8> {
    if !text.contains(&b'\\') {
        return text.to_vec();
    }
    let quoted = [b"\"", text, b"\""].concat();
    serde_json::from_slice::<String>(&quoted).map_or_else(|_| text.to_vec(), String::into_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(log: &str, expected: &str) {
        for size in [1, 7, usize::MAX] {
            let (mut without, mut out) = (Without::default(), Vec::new());
            log.as_bytes().chunks(size).for_each(|piece| without.push(piece, &mut out));
            without.finish(&mut out);
            assert_eq!(String::from_utf8_lossy(&out), expected);
        }
        // A second time nothing changes.
        let (mut again, mut out) = (Without::default(), Vec::new());
        again.push(expected.as_bytes(), &mut out);
        again.finish(&mut out);
        assert_eq!((String::from_utf8_lossy(&out).as_ref(), again.outputs()), (expected, 0));
    }

    #[test]
    fn outputs_are_left_out_and_their_length_is_said() {
        check(
            r#"{"part":{"state":{"input":{"output":"kept"},"output":"a\nä","metadata":{"output":"abc","exit":1},"error":"e"}}}"#,
            r#"{"part":{"state":{"input":{"output":"kept"},"output":"[output left out: 4 bytes]","metadata":{"output":"[output left out: 3 bytes]","exit":1},"error":"e"}}}"#,
        );
        check(
            r#"{"state":{"attachments":[{"url":"data:,x","mime":"m"}],"metadata":{"preview":"p","diff":"d"}},"url":"u"}"#,
            r#"{"state":{"attachments":[{"url":"[output left out: 7 bytes]","mime":"m"}],"metadata":{"preview":"[output left out: 1 bytes]","diff":"d"}},"url":"u"}"#,
        );
        check(
            r#"{"output":[{"text":"x"}],"tokens":{"output":3}}"#,
            r#"{"output":[{"text":"[output left out: 1 bytes]"}],"tokens":{"output":3}}"#,
        );
    }

    #[test]
    fn json_over_several_lines_and_behind_other_text() {
        check("{\n  \"output\":\n    \"abc\"\r\n}\n", "{\n  \"output\":\n    \"[output left out: 3 bytes]\"\r\n}\n");
        check(
            "2026 [x] {info} {\"output\":\"abc\"} \"output\":\"x\"\n",
            "2026 [x] {info} {\"output\":\"[output left out: 3 bytes]\"} \"output\":\"x\"\n",
        );
        check(
            "[{\"output\":\"a\"},\n{\"output\":\"b\"}]",
            "[{\"output\":\"[output left out: 1 bytes]\"},\n{\"output\":\"[output left out: 1 bytes]\"}]",
        );
    }

    #[test]
    fn json_within_a_line_of_another_log() {
        check(
            r#"{"stream":"stdout","line":"{\"output\":\"a\\nb\"}"}"#,
            r#"{"stream":"stdout","line":"{\"output\":\"[output left out: 3 bytes]\"}"}"#,
        );
        check(r#"{"stream":"stderr","line":"no \"JSON\""}"#, r#"{"stream":"stderr","line":"no \"JSON\""}"#);
    }

    #[test]
    fn what_is_cut_says_nothing_more() {
        check("{\"output\":\"abc", "{\"output\":\"[output left out: 3 bytes]");
        check(
            "{\"state\":{\"input\":{\"x\n{\"output\":\"abc\"}\n",
            "{\"state\":{\"input\":{\"x\n{\"output\":\"[output left out: 3 bytes]\"}\n",
        );
        check("{\"a\":\n{\"b\" {\"output\":\"x\"}", "{\"a\":\n{\"b\" {\"output\":\"[output left out: 1 bytes]\"}");
    }
}
