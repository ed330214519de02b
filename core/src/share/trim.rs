//! A log made smaller, so that it fits a link: lines that are left out, and long texts that are cut.
//!
//! Both work on bytes in UTF-8 that come in pieces of any size, and need no more memory than a piece.

use std::iter::Peekable;
use std::ops::Range;

/// Tells which lines are left out, and how the others are numbered then.
#[derive(Debug)]
pub struct Lines<I: Iterator<Item = Range<u64>>> {
    dropped: Peekable<I>,
    line: u64,
    kept: u64,
    /// The line that is looked for among those that are kept.
    sought: Option<u64>,
    found: Option<u64>,
}

impl<I: Iterator<Item = Range<u64>>> Lines<I> {
    /// `dropped` are stretches of the file, in order. `sought` is a line, from 1, whose new number is told at the end.
    pub fn new(dropped: I, sought: Option<u64>) -> Self {
        Lines { dropped: dropped.peekable(), line: 0, kept: 0, sought, found: None }
    }

    /// Whether the next line stays: the one at that place, which holds its end. None where what is left out goes over the
    /// line's end: then the lines of the file are no records, and none can be left out.
    pub fn keeps(&mut self, place: Range<u64>) -> Option<bool> {
        while self.dropped.next_if(|dropped| dropped.end <= place.start).is_some() {}
        let dropped = self.dropped.peek().filter(|dropped| dropped.start < place.end);
        if dropped.is_some_and(|dropped| dropped.start < place.start || dropped.end > place.end) {
            return None;
        }
        let is_kept = dropped.is_none();
        self.line += 1;
        self.kept += u64::from(is_kept);
        if is_kept && self.sought == Some(self.line) {
            self.found = Some(self.kept);
        }
        Some(is_kept)
    }

    /// Lines that were left out.
    pub fn left_out(&self) -> u64 {
        self.line - self.kept
    }

    /// The new number of the line that was sought.
    pub fn found(&self) -> Option<u64> {
        self.found
    }
}

/// Where the cutting of long texts stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Within {
    /// Between strings.
    Json,
    /// In a string.
    Text,
    /// In a string, behind a backslash.
    Escape,
}

/// Cuts strings of JSON that are longer than some bytes. Their beginning and their end stay.
#[derive(Debug)]
pub struct Shorten {
    most: usize,
    within: Within,
    /// The string, as far as it is held.
    held: Vec<u8>,
    /// How long it is.
    length: usize,
    cut: u64,
}

impl Shorten {
    /// Strings of more than `most` bytes are cut to about so many.
    pub fn new(most: usize) -> Shorten {
        Shorten { most: most.max(64), within: Within::Json, held: Vec::new(), length: 0, cut: 0 }
    }

    /// How many strings were cut.
    pub fn cut(&self) -> u64 {
        self.cut
    }

    /// Takes the next bytes, and writes what is done.
    pub fn push(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        for &byte in bytes {
            match (self.within, byte) {
                (Within::Json, b'"') => {
                    self.within = Within::Text;
                    out.push(byte);
                }
                (Within::Json, _) => out.push(byte),
                // No string of JSON goes over a line's end: what this was is none.
                (_, b'"') if self.within == Within::Text => self.close(byte, out),
                (_, b'\n') => self.close(byte, out),
                (within, _) => {
                    self.within = if within == Within::Text && byte == b'\\' { Within::Escape } else { Within::Text };
                    self.length += 1;
                    self.held.push(byte);
                    self.drain();
                }
            }
        }
    }

    /// The file has ended.
    pub fn finish(&mut self, out: &mut Vec<u8>) {
        out.append(&mut self.held);
    }

    /// Holds no more than is needed of a string that will be cut: three quarters of it are its beginning.
    fn drain(&mut self) {
        let (head, tail) = self.parts();
        if self.held.len() > 4 * (head + tail) {
            let from = self.held.len() - 2 * tail;
            self.held.drain(2 * head..from);
        }
    }

    fn parts(&self) -> (usize, usize) {
        let tail = self.most / 4;
        (self.most - tail, tail)
    }

    fn close(&mut self, byte: u8, out: &mut Vec<u8>) {
        let (head, tail) = self.parts();
        if byte == b'"' && self.length > self.most + 64 {
            let start = whole_sign(&self.held, head);
            let end = next_sign(&self.held, self.held.len() - tail);
            let left_out = self.length.saturating_sub(start + self.held.len() - end);
            out.extend_from_slice(self.held.get(..start).unwrap_or_default());
            out.extend_from_slice(format!(" [… {left_out} bytes left out …] ").as_bytes());
            out.extend_from_slice(self.held.get(end..).unwrap_or_default());
            self.cut += 1;
        } else {
            out.extend_from_slice(&self.held);
        }
        self.held.clear();
        (self.length, self.within) = (0, Within::Json);
        out.push(byte);
    }
}

/// The longest beginning of a string, no longer than `most`, that parts no escape and no character.
fn whole_sign(text: &[u8], most: usize) -> usize {
    let (mut at, mut last) = (0, 0);
    while at <= most {
        last = at;
        at += sign(text, at);
        if at == last {
            break;
        }
    }
    last
}

/// The first place from `from` on that parts no character, and certainly no escape: behind a sign that cannot be of one.
fn next_sign(text: &[u8], from: usize) -> usize {
    let ends = |byte: u8| byte == b' ' || byte == b',' || byte == b'.' || byte == b'-' || byte == b':' || byte == b'/';
    let near = text.get(from..).unwrap_or_default();
    match near.iter().position(|byte| ends(*byte)) {
        Some(place) => from + place,
        None => text.len(),
    }
}

/// Bytes of the sign at a place: a character, or an escape; half of a pair takes the other half with it.
fn sign(text: &[u8], at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    let escape = |rest: &[u8]| match rest {
        [b'\\', b'u', ..] => 6,
        [b'\\', ..] => 2,
        _ => 0,
    };
    let len = match rest {
        [] => return 0,
        [b'\\', b'u', b'd' | b'D', b'8'..=b'9' | b'a' | b'b' | b'A' | b'B', ..] => {
            6 + rest.get(6..).map_or(0, |next| if next.get(1) == Some(&b'u') { escape(next) } else { 0 })
        }
        [b'\\', ..] => escape(rest),
        [first, ..] => match first {
            0xC0..=0xDF => 2,
            0xE0..=0xEF => 3,
            0xF0..=0xFF => 4,
            _ => 1,
        },
    };
    len.min(rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shortened(text: &str, most: usize, piece: usize) -> (String, u64) {
        let (mut shorten, mut out) = (Shorten::new(most), Vec::new());
        text.as_bytes().chunks(piece).for_each(|bytes| shorten.push(bytes, &mut out));
        shorten.finish(&mut out);
        (String::from_utf8(out).unwrap(), shorten.cut())
    }

    #[test]
    fn long_texts_keep_their_ends() {
        let line = format!("{{\"id\":\"prt_1\",\"output\":\"{}exit 1\"}}\n", "line of text, ".repeat(1000));
        let (out, cut) = shortened(&line, 400, 7);
        let value: serde_json::Value = serde_json::from_str(&out).unwrap();
        let text = value["output"].as_str().unwrap();
        assert_eq!((cut, &value["id"]), (1, &serde_json::json!("prt_1")));
        assert!(text.starts_with("line of text, ") && text.ends_with("exit 1"), "{text}");
        assert!(text.contains(" bytes left out …] ") && text.len() < 450, "{text}");
        let said: usize = text.split(['…', ' ']).find_map(|word| word.parse().ok()).unwrap();
        let mark = format!(" [… {said} bytes left out …] ").len();
        assert_eq!(text.len() - mark + said, 14_006);
    }

    #[test]
    fn what_is_short_stays() {
        let log = "{\"a\":\"\\\"b\\\\\"}\nno json: \"quote\nnext \\\" line\n";
        assert_eq!(shortened(log, 64, 3), (log.to_owned(), 0));
    }

    proptest! {
        #[test]
        fn json_stays_json(text in "[a-z \"\\\\\u{1}-\u{9}é\u{1F600}\u{2028}]{0,400}", piece in 1usize..50) {
            let line = serde_json::to_string(&serde_json::json!({ "a": text, "b": [1, text] })).unwrap();
            let (out, _) = shortened(&line, 64, piece);
            prop_assert!(serde_json::from_str::<serde_json::Value>(&out).is_ok(), "{line}\n{out}");
            prop_assert_eq!(out, shortened(&line, 64, 4096).0);
        }
    }

    #[test]
    fn lines_are_left_out() {
        let places = [0..4u64, 4..8, 8..14, 14..18];
        let mut lines = Lines::new([4..7u64, 14..18].into_iter(), Some(3));
        assert_eq!(places.clone().map(|place| lines.keeps(place)), [Some(true), Some(false), Some(true), Some(false)]);
        assert_eq!((lines.left_out(), lines.found()), (2, Some(2)));
        let mut lines = Lines::new(std::iter::once(5..10u64), None);
        assert_eq!(places.map(|place| lines.keeps(place)), [Some(true), None, None, Some(true)]);
    }
}
