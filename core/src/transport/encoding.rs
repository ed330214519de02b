//! Bytes of a line → text.

use crate::json;
use memchr::memmem;
use std::borrow::Cow;

/// How a file writes its characters; told by its byte order mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Encoding {
    #[default]
    Utf8,
    Utf8Bom,
    Utf16Le,
    Utf16Be,
}

impl Encoding {
    /// By the first bytes, at most three of which are looked at.
    pub(crate) fn of(head: &[u8]) -> Encoding {
        match head {
            [0xEF, 0xBB, 0xBF, ..] => Encoding::Utf8Bom,
            [0xFF, 0xFE, ..] => Encoding::Utf16Le,
            [0xFE, 0xFF, ..] => Encoding::Utf16Be,
            _ => Encoding::Utf8,
        }
    }

    /// Bytes of the byte order mark.
    pub(crate) fn mark_len(self) -> usize {
        match self {
            Encoding::Utf8 => 0,
            Encoding::Utf8Bom => 3,
            Encoding::Utf16Le | Encoding::Utf16Be => 2,
        }
    }

    /// The wire name.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Encoding::Utf8 => "utf-8",
            Encoding::Utf8Bom => "utf-8-bom",
            Encoding::Utf16Le => "utf-16le",
            Encoding::Utf16Be => "utf-16be",
        }
    }

    /// Whether a character takes two bytes at least.
    pub(crate) fn is_wide(self) -> bool {
        matches!(self, Encoding::Utf16Le | Encoding::Utf16Be)
    }

    /// The code unit of two bytes.
    pub(crate) fn unit(self, pair: [u8; 2]) -> u16 {
        if self == Encoding::Utf16Be { u16::from_be_bytes(pair) } else { u16::from_le_bytes(pair) }
    }

    /// Text of the bytes as they stand, escapes untouched.
    pub(crate) fn show(self, bytes: &[u8]) -> String {
        if self.is_wide() { self.wide(bytes).0 } else { String::from_utf8_lossy(bytes).into_owned() }
    }

    fn wide(self, bytes: &[u8]) -> (String, bool) {
        let pairs = bytes.chunks(2).map(|pair| match pair {
            [a, b] => self.unit([*a, *b]),
            _ => 0xFFFD,
        });
        let mut invalid = !bytes.len().is_multiple_of(2);
        let text = char::decode_utf16(pairs).map(|c| {
            c.unwrap_or_else(|_| {
                invalid = true;
                char::REPLACEMENT_CHARACTER
            })
        });
        let text = text.collect::<String>();
        (text, invalid)
    }

    /// Text of the bytes; what is no character becomes U+FFFD, and so does an escape of half a pair.
    pub(crate) fn decode(self, bytes: &[u8]) -> Decoded<'_> {
        if self.is_wide() {
            let (text, invalid) = self.wide(bytes);
            return Decoded { text: Cow::Owned(text), invalid, lone_surrogates: false }.repaired();
        }
        let (text, invalid) = match std::str::from_utf8(bytes) {
            Ok(text) => (Cow::Borrowed(text), false),
            Err(_) => (String::from_utf8_lossy(bytes), true),
        };
        Decoded { text, invalid, lone_surrogates: false }.repaired()
    }
}

/// A line as text, and what had to be mended for it.
#[derive(Debug)]
pub(crate) struct Decoded<'a> {
    pub(crate) text: Cow<'a, str>,
    /// Bytes that are no character were replaced.
    pub(crate) invalid: bool,
    /// Escapes of half a surrogate pair were replaced.
    pub(crate) lone_surrogates: bool,
}

impl Decoded<'_> {
    /// Mends escapes of lone surrogates; the length of the text does not change by it.
    fn repaired(mut self) -> Self {
        // Two fast searches, as walking all escapes of every line is slow.
        let suspicious = [b"\\ud", b"\\uD"].iter().any(|start| memmem::find(self.text.as_bytes(), *start).is_some());
        if suspicious && let Cow::Owned(repaired) = json::repair_surrogates(&self.text) {
            self.text = Cow::Owned(repaired);
            self.lone_surrogates = true;
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_text_is_read_in_either_order() {
        assert_eq!(Encoding::Utf16Le.decode(&[0x68, 0x00, 0x3D, 0xD8, 0x00, 0xDE]).text, "h😀");
        assert_eq!(Encoding::Utf16Be.decode(&[0x00, 0x68, 0x20, 0xAC]).text, "h€");
        let odd = Encoding::Utf16Le.decode(&[0x68, 0x00, 0x68]);
        assert!(odd.invalid && odd.text == "h\u{FFFD}");
    }

    #[test]
    fn a_mark_tells_the_encoding() {
        assert_eq!(Encoding::of(b"\xEF\xBB\xBF{"), Encoding::Utf8Bom);
        assert_eq!(Encoding::of(b"\xFF\xFE{\0"), Encoding::Utf16Le);
        assert_eq!(Encoding::of(b"{"), Encoding::Utf8);
    }
}
