//! Which string of JSON, or of JSON within JSON, a place stands in.
//!
//! The quotes of a string have no backslash before them, those of one within it one, then three, then seven. Whoever
//! looks for the value of `password: "` has to know whether that quote opens the value or ends the string around it.

use super::text::{at, own_marks, run_back};
use memchr::memmem;

/// The open strings, the innermost last: how many backslashes their quotes have.
#[derive(Debug, Default)]
pub(super) struct Strings {
    open: Vec<usize>,
    /// The line is, or holds, JSON. In other text nothing depends on quotes, and they need not match.
    is_json: bool,
}

impl Strings {
    /// At the start of a line.
    pub(super) fn of(line: &[u8]) -> Strings {
        let first = line.iter().find(|byte| !byte.is_ascii_whitespace());
        let is_json = matches!(first, Some(b'{' | b'[' | b'"'))
            || memmem::find(line, b"{\"").is_some()
            || memmem::find(line, b"[{").is_some()
            || memmem::find(line, b"[\"").is_some();
        Strings { open: Vec::new(), is_json }
    }

    /// Whether the line is, or holds, JSON.
    pub(super) fn is_json(&self) -> bool {
        self.is_json
    }

    /// The string around the place that was come to.
    pub(super) fn around(&self) -> Option<usize> {
        self.open.last().copied().filter(|_| self.is_json)
    }

    /// Passes the double quote at a place.
    pub(super) fn quote(&mut self, text: &[u8], place: usize) {
        let marks = own_marks(run_back(text, place, usize::MAX, |byte| byte == b'\\'));
        match self.open.iter().position(|open| *open == marks) {
            Some(place) => self.open.truncate(place),
            None => {
                // A string within has more backslashes; where it has fewer, one of those open was no string.
                self.open.retain(|open| *open < marks);
                self.open.push(marks);
            }
        }
    }

    /// Passes the escape of a line's end behind so many backslashes: a string of the text that holds it, which has not
    /// ended on its line, was none.
    pub(super) fn end_line(&mut self, marks: usize) {
        self.open.retain(|open| open + 1 < marks * 2);
    }

    /// Passes all quotes between two places.
    pub(super) fn pass(&mut self, text: &[u8], from: usize, to: usize) {
        for place in from..to {
            if at(text, place) == Some(b'"') {
                self.quote(text, place);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn around(line: &str) -> Option<usize> {
        let mut strings = Strings::of(line.as_bytes());
        strings.pass(line.as_bytes(), 0, line.len());
        strings.around()
    }

    #[test]
    fn the_string_around_a_place() {
        assert_eq!(around(r#"{"a":"#), None);
        assert_eq!(around(r#"{"a":"b"#), Some(0));
        assert_eq!(around(r#"{"a":"{\"b\":\"c"#), Some(1));
        assert_eq!(around(r#"{"a":"{\"b\":"#), Some(0));
        assert_eq!(around(r#"{"a":"{\"b\":\"{\\\"c\\\":\\\""#), Some(3));
        assert_eq!(around(r#"say "hello"#), None);
        assert_eq!(around(r#"{"a":"C:\\"#), Some(0));
        assert_eq!(around(r#"{"a":"C:\\","#), None);
        assert_eq!(around(r#"{"a":"{\"b\":\"C:\\\\\","#), Some(0));
    }
}
