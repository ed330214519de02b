//! One walk over JSON text, each byte read once: what nobody asks for is passed over, and checked all the same.
//!
//! It takes what `serde_json` takes, and gives up (`None`) on everything else, on what is nested deeper than 128, and
//! nothing more: who needs to know why asks `serde_json` about the same text.

use std::borrow::Cow;

use super::plain::plain;

/// A string as it stands between its quotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RawStr<'a> {
    pub(crate) inner: &'a str,
    /// How many escapes it holds; with any it has to be decoded.
    pub(crate) escapes: usize,
    /// One of them names a character by its number.
    pub(crate) numbered: bool,
}

impl<'a> RawStr<'a> {
    /// Its text; `None` where an escape is no character.
    pub(crate) fn text(self) -> Option<Cow<'a, str>> {
        if self.escapes == 0 { Some(Cow::Borrowed(self.inner)) } else { super::decoded(self.inner) }
    }

    /// How many bytes its text has.
    pub(crate) fn text_len(self) -> Option<usize> {
        match self.numbered {
            // Of other alphabets, and rare: the text itself says.
            true => self.text().map(|text| text.len()),
            false => Some(self.inner.len() - self.escapes),
        }
    }
}

/// A place in a text.
#[derive(Debug, Clone)]
pub(crate) struct Walk<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Walk<'a> {
    /// At the first value of a text.
    pub(crate) fn new(text: &'a str) -> Walk<'a> {
        let mut walk = Walk { text, at: 0 };
        walk.blank();
        walk
    }

    /// The byte that comes next.
    pub(crate) fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Whether only white space is left.
    pub(crate) fn is_done(&mut self) -> bool {
        self.blank();
        self.at == self.text.len()
    }

    fn blank(&mut self) {
        while let Some(b' ' | b'\n' | b'\t' | b'\r') = self.byte() {
            self.at += 1;
        }
    }

    fn expect(&mut self, byte: u8) -> Option<()> {
        self.blank();
        (self.byte()? == byte).then(|| self.at += 1)
    }

    /// Walks over an object: `each` takes a key, and has to walk over its value.
    pub(crate) fn object(&mut self, mut each: impl FnMut(RawStr<'a>, &mut Self) -> Option<()>) -> Option<()> {
        self.expect(b'{')?;
        self.blank();
        if self.byte()? == b'}' {
            self.at += 1;
            return Some(());
        }
        loop {
            let key = self.key()?;
            each(key, self)?;
            self.blank();
            match self.byte()? {
                b',' => self.at += 1,
                b'}' => {
                    self.at += 1;
                    return Some(());
                }
                _ => return None,
            }
        }
    }

    /// A key, and the colon behind it.
    fn key(&mut self) -> Option<RawStr<'a>> {
        self.blank();
        let key = self.string()?;
        self.expect(b':')?;
        self.blank();
        Some(key)
    }

    /// Where it stands, for [`Walk::since`].
    pub(crate) fn mark(&self) -> usize {
        self.at
    }

    /// The text from a mark up to here.
    pub(crate) fn since(&self, mark: usize) -> Option<&'a str> {
        self.text.get(mark..self.at)
    }

    /// A string.
    pub(crate) fn string(&mut self) -> Option<RawStr<'a>> {
        let bytes = self.text.as_bytes();
        if self.byte()? != b'"' {
            return None;
        }
        let start = self.at + 1;
        let (mut at, mut escapes, mut numbered) = (start, 0, false);
        loop {
            at += plain(bytes.get(at..)?);
            match bytes.get(at)? {
                b'"' => break,
                b'\\' => {
                    escapes += 1;
                    at += match bytes.get(at + 1)? {
                        b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => 2,
                        b'u' if bytes.get(at + 2..at + 6)?.iter().all(u8::is_ascii_hexdigit) => {
                            numbered = true;
                            6
                        }
                        _ => return None,
                    };
                }
                _ => return None,
            }
        }
        self.at = at + 1;
        Some(RawStr { inner: self.text.get(start..at)?, escapes, numbered })
    }

    /// Any value; its text.
    pub(crate) fn value(&mut self) -> Option<&'a str> {
        let start = self.at;
        // The containers that are open, the innermost in the lowest bit: 1 is an object.
        let (mut depth, mut kinds) = (0u32, 0u128);
        loop {
            match self.byte()? {
                b'"' => {
                    self.string()?;
                }
                opening @ (b'{' | b'[') => {
                    self.at += 1;
                    self.blank();
                    let is_object = opening == b'{';
                    if self.byte()? == if is_object { b'}' } else { b']' } {
                        self.at += 1;
                    } else {
                        if depth == u128::BITS {
                            return None;
                        }
                        (depth, kinds) = (depth + 1, kinds << 1 | u128::from(is_object));
                        if is_object {
                            self.key()?;
                        }
                        continue;
                    }
                }
                b't' => self.word("true")?,
                b'f' => self.word("false")?,
                b'n' => self.word("null")?,
                _ => self.number()?,
            }
            // Behind a value.
            loop {
                if depth == 0 {
                    return self.since(start);
                }
                self.blank();
                let is_object = kinds & 1 == 1;
                match (self.byte()?, is_object) {
                    (b',', _) => {
                        self.at += 1;
                        self.blank();
                        if is_object {
                            self.key()?;
                        }
                        break;
                    }
                    (b'}', true) | (b']', false) => {
                        self.at += 1;
                        (depth, kinds) = (depth - 1, kinds >> 1);
                    }
                    _ => return None,
                }
            }
        }
    }

    fn word(&mut self, word: &str) -> Option<()> {
        self.text.get(self.at..)?.starts_with(word).then(|| self.at += word.len())
    }

    fn number(&mut self) -> Option<()> {
        if self.byte()? == b'-' {
            self.at += 1;
        }
        match self.byte()? {
            b'0' => self.at += 1,
            _ => self.digits()?,
        }
        if self.byte() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.byte() {
            self.at += 1;
            if let Some(b'+' | b'-') = self.byte() {
                self.at += 1;
            }
            self.digits()?;
        }
        Some(())
    }

    fn digits(&mut self) -> Option<()> {
        let start = self.at;
        while let Some(b'0'..=b'9') = self.byte() {
            self.at += 1;
        }
        (self.at > start).then_some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::value::RawValue;

    fn whole(text: &str) -> Option<&str> {
        let mut walk = Walk::new(text);
        let value = walk.value()?;
        walk.is_done().then_some(value)
    }

    #[test]
    fn takes_and_refuses_what_the_grammar_says() {
        for good in ["0", "-0.5e+10", " {\"a\" : [ 1 , {} , [ ] ] , \"b\":null}\n", r#""\u00e9\n""#, "[true,false]"] {
            assert_eq!(whole(good), Some(good.trim()), "{good}");
        }
        let bad = [
            "",
            "01",
            "1.",
            ".5",
            "-",
            "1e",
            "+1",
            "tru",
            "[1,]",
            "[,1]",
            "{\"a\":1,}",
            "{\"a\"}",
            "{a:1}",
            "[1}",
            "\"a",
            "\"\\x\"",
            "\"\\u12g4\"",
            "\"\u{1}\"",
            "[1] 2",
            "{\"a\" 1}",
            "nul",
            "[",
        ];
        for bad in bad {
            assert_eq!(whole(bad), None, "{bad}");
        }
    }

    #[test]
    fn too_deep_is_given_up() {
        let nested = |depth: usize| format!("{}1{}", "[".repeat(depth), "]".repeat(depth));
        assert!(whole(&nested(128)).is_some());
        assert!(whole(&nested(129)).is_none());
    }

    proptest! {
        /// Text that is nearly JSON is taken where `serde_json` takes it, and only there.
        #[test]
        fn agrees_with_serde(text in r#"[ \[\]{},:"\\0-9eE+.\-truefalsn/\x00-\x1fé]{0,14}"#) {
            let serde = serde_json::from_str::<&RawValue>(&text).ok().map(RawValue::get);
            prop_assert_eq!(whole(&text), serde);
        }

        #[test]
        fn agrees_on_strings(inner in r#"([a-zé ]{0,20}|\\[nu"\\/x]|[0-9a-f]{1,4}|\x07|")*"#) {
            let text = format!("{{\"k\":\"{inner}\"}}");
            let serde = serde_json::from_str::<&RawValue>(&text).ok().map(RawValue::get);
            prop_assert_eq!(whole(&text), serde);
        }
    }
}
