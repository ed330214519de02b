//! A line as the scanners see it: with the escapes undone under which a secret could hide, and a way back to its bytes.
//!
//! `\u002B`, `\u00e9`, `\/` and their like become the character that they stand for, at any depth of JSON within JSON. Escaped
//! quotes, backslashes and line ends stay escapes, as the number of backslashes before a quote tells which string it ends.
//! A sequence that sets a terminal's colours becomes one byte, so that it parts words.

use memchr::{memchr, memmem};
use std::borrow::Cow;

/// Stands for a sign that cannot be seen, or half a character, that is written as an escape.
const OTHER: u8 = 0xFF;
/// Stands for a whole escape sequence of a terminal.
pub(super) const ESCAPE: u8 = 0x1B;

/// A line without hiding places.
#[derive(Debug)]
pub(super) struct View<'a> {
    pub(super) bytes: Cow<'a, [u8]>,
    /// From where on a place of the view is how much further in the line: `(place in the view, place in the line)`,
    /// ascending. Between two entries both run in step.
    steps: Vec<(usize, usize)>,
}

impl<'a> View<'a> {
    pub(super) fn of(line: &'a [u8]) -> View<'a> {
        let hides = memchr(ESCAPE, line).is_some()
            || memmem::find(line, b"\\u").is_some()
            || memmem::find(line, b"\\/").is_some();
        if !hides {
            return View { bytes: Cow::Borrowed(line), steps: Vec::new() };
        }
        Builder { line, bytes: Vec::with_capacity(line.len()), steps: Vec::new() }.build()
    }

    /// The place in the line of a place in the view.
    pub(super) fn to_line(&self, at: usize) -> usize {
        let before = self.steps.partition_point(|(view, _)| *view <= at);
        match before.checked_sub(1).and_then(|index| self.steps.get(index)) {
            Some((view, line)) => line + (at - view),
            None => at,
        }
    }
}

struct Builder<'a> {
    line: &'a [u8],
    bytes: Vec<u8>,
    steps: Vec<(usize, usize)>,
}

impl<'a> Builder<'a> {
    fn build(mut self) -> View<'a> {
        let mut at = 0;
        while let Some(&byte) = self.line.get(at) {
            at = match byte {
                b'\\' => self.escape(at),
                ESCAPE => self.replace(&[ESCAPE], self.colours(at + 1)),
                _ => {
                    self.bytes.push(byte);
                    at + 1
                }
            };
        }
        View { bytes: Cow::Owned(self.bytes), steps: self.steps }
    }

    /// Takes a run of backslashes and what it escapes; where the line goes on.
    fn escape(&mut self, at: usize) -> usize {
        let rest = self.line.get(at..).unwrap_or_default();
        let run = rest.iter().take_while(|byte| **byte == b'\\').count();
        let marks = rest.get(..run).unwrap_or_default();
        match rest.get(run) {
            Some(b'/') => self.replace(b"/", at + run + 1),
            Some(b'u') => match rest.get(run + 1..run + 5).and_then(hex) {
                Some(unit) => {
                    let end = at + run + 5;
                    match unit {
                        0x22 => self.replace(&[marks, b"\""].concat(), end),
                        0x5C => self.replace(&[marks, marks].concat(), end),
                        0x0A => self.replace(&[marks, b"n"].concat(), end),
                        0x0D => self.replace(&[marks, b"r"].concat(), end),
                        0x09 => self.replace(&[marks, b"t"].concat(), end),
                        0x1B => self.replace(&[ESCAPE], self.colours(end)),
                        0x20..0x7F => self.replace(&[unit as u8], end),
                        _ => self.other(unit, marks, end),
                    }
                }
                None => self.keep(at, run + 1),
            },
            Some(_) => self.keep(at, run + 1),
            None => self.keep(at, run),
        }
    }

    /// Takes a character beyond ASCII; one beyond the basic plane is written as two escapes.
    fn other(&mut self, unit: u32, marks: &[u8], end: usize) -> usize {
        let rest = self.line.get(end..).unwrap_or_default();
        let low =
            rest.strip_prefix(marks).and_then(|rest| rest.strip_prefix(b"u")).and_then(|rest| hex(rest.get(..4)?));
        let (code, end) = match low.filter(|low| (0xD800..0xDC00).contains(&unit) && (0xDC00..0xE000).contains(low)) {
            Some(low) => (0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00), end + marks.len() + 5),
            None => (unit, end),
        };
        match char::from_u32(code).filter(|c| *c >= '\u{a0}') {
            Some(c) => self.replace(c.encode_utf8(&mut [0; 4]).as_bytes(), end),
            None => self.replace(&[OTHER], end),
        }
    }

    fn keep(&mut self, at: usize, len: usize) -> usize {
        self.bytes.extend_from_slice(self.line.get(at..at + len).unwrap_or_default());
        at + len
    }

    /// Writes something else than the line holds; `end` is where the line goes on.
    fn replace(&mut self, bytes: &[u8], end: usize) -> usize {
        // Every place within belongs to the start, so that nothing can end inside of an escape.
        let start = self.steps.last().map_or(self.bytes.len(), |(view, line)| line + (self.bytes.len() - view));
        for index in 1..bytes.len() {
            self.steps.push((self.bytes.len() + index, start));
        }
        self.bytes.extend_from_slice(bytes);
        self.steps.push((self.bytes.len(), end));
        end
    }

    /// Where a sequence of the form `[0;31m` ends, or `at` where none begins.
    fn colours(&self, at: usize) -> usize {
        let (first, mut here) = self.sign(at);
        if first != Some(b'[') {
            return at;
        }
        loop {
            let (sign, next) = self.sign(here);
            match sign {
                Some(b'0'..=b'9' | b';' | b'?' | b':') => here = next,
                Some(end) if end.is_ascii_alphabetic() => return next,
                _ => return at,
            }
        }
    }

    /// The sign at a place, which may be written as an escape, and where the line goes on.
    fn sign(&self, at: usize) -> (Option<u8>, usize) {
        let rest = self.line.get(at..).unwrap_or_default();
        let run = rest.iter().take_while(|byte| **byte == b'\\').count();
        let unit = rest.get(run + 1..run + 5).filter(|_| run > 0 && rest.get(run) == Some(&b'u')).and_then(hex);
        match unit.and_then(|unit| u8::try_from(unit).ok()) {
            Some(byte) => (Some(byte), at + run + 5),
            None => (rest.first().copied(), at + 1),
        }
    }
}

fn hex(digits: &[u8]) -> Option<u32> {
    digits.iter().try_fold(0, |value, digit| Some(value * 16 + char::from(*digit).to_digit(16)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expected: &str) {
        let view = View::of(line.as_bytes());
        assert_eq!(String::from_utf8_lossy(&view.bytes), expected);
        assert_eq!(view.to_line(view.bytes.len()), line.len());
    }

    #[test]
    fn escapes_that_hide_are_undone_and_those_that_part_are_kept() {
        check(r#"{"a":"x\u002By\/z"}"#, r#"{"a":"x+y/z"}"#);
        check(r#"{"a":"{\u0022b\\u0022"}"#, r#"{"a":"{\"b\\""}"#);
        check(r#"{"a":"{\\\"b\\\":\\\"\\u0067h"}"#, r#"{"a":"{\\\"b\\\":\\\"gh"}"#);
        check(r"a\nb\u000ac\tC:\\users\uXYZ", r"a\nb\nc\tC:\\users\uXYZ");
        check(r"\u001b[1;31mred\u001b[0m \u00e9\\ud83d\\ude00", "\u{1b}red\u{1b} é😀");
        check(r"\u001B\u005B1\u003B31mred", "\u{1b}red");
        check(r"\ud83d\\ude00 \u0001", "\u{fffd}\u{fffd} \u{fffd}");
    }

    #[test]
    fn places_lead_back_to_whole_escapes() {
        let line = r#"a\u0022b\/c"#;
        let view = View::of(line.as_bytes());
        assert_eq!(&*view.bytes, br#"a\"b/c"#);
        let places: Vec<usize> = (0..=view.bytes.len()).map(|at| view.to_line(at)).collect();
        assert_eq!(places, [0, 1, 1, 7, 8, 10, 11]);
    }
}
