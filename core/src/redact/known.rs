//! Secrets that were found once are masked wherever they stand: bare, in base64, in hex, and in all that [`spelling`] knows.
//!
//! `password=…` gives a secret away; the same text in a later command or output is no less secret. Only what is unlikely
//! to be an ordinary word is looked for everywhere.

use super::credential::unbase64;
use super::kind::{Group, Kind};
use super::spelling;
use super::text::{at, before, run_of};
use crate::order::Order;
use std::collections::BTreeMap;
use std::ops::Range;

/// How many different secrets are looked for everywhere. Further ones are masked where they are found.
const MOST: usize = 1000;
/// The longest that is.
const LONGEST: usize = 512;
/// Shorter texts stand in others by chance.
const SHORTEST: usize = 8;
/// How many characters of base64 tell a secret.
const SHORTEST_BASE64: usize = 10;

/// What is collected in a first pass over a log.
#[derive(Debug, Default)]
pub(super) struct Collected {
    secrets: BTreeMap<Vec<u8>, Kind>,
    names: BTreeMap<Vec<u8>, Kind>,
}

impl Collected {
    /// Notes a secret, as it stands in a view, and what it spells.
    pub(super) fn secret(&mut self, text: &[u8], kind: Kind) {
        if !matches!(kind.group(), Group::Keys | Group::Credentials | Group::Assigned) {
            return;
        }
        let mut texts = vec![plain(text)];
        if kind == Kind::Basic
            && let Some(login) = unbase64(text)
            && let Some(colon) = login.iter().position(|byte| *byte == b':')
        {
            texts.push(login.get(colon + 1..).unwrap_or_default().to_vec());
        }
        if text.iter().any(|byte| matches!(byte, b'%' | b'&' | b'+' | b'\\')) {
            texts.extend(spelling::undone(&plain(text)));
        }
        for text in texts.into_iter().filter(|text| is_telling(text)) {
            if self.secrets.len() < MOST {
                self.secrets.entry(text).or_insert(kind);
            }
        }
    }

    /// Notes a name of a user or host.
    pub(super) fn name(&mut self, text: &[u8], kind: Kind) {
        let common: [&[u8]; 12] = [
            b"root",
            b"user",
            b"runner",
            b"home",
            b"admin",
            b"node",
            b"app",
            b"ubuntu",
            b"vscode",
            b"localhost",
            b"debian",
            b"dev",
        ];
        if text.len() >= 3 && text.len() <= LONGEST && !common.contains(&text) && self.names.len() < MOST {
            self.names.entry(text.to_vec()).or_insert(kind);
        }
    }

    /// What to look for.
    pub(super) fn known(&self) -> Known {
        let mut patterns = Vec::new();
        for (text, kind) in &self.secrets {
            for core in base64_cores(text) {
                patterns.push(Pattern { text: core, kind: *kind, how: How::Base64 });
            }
            for digits in [b"0123456789ABCDEF", b"0123456789abcdef"] {
                let digit = |half: u8| digits.get(usize::from(half & 15)).copied().unwrap_or(b'0');
                let form = text.iter().flat_map(|byte| [digit(byte >> 4), digit(*byte)]).collect();
                patterns.push(Pattern { text: form, kind: *kind, how: How::Anywhere });
            }
        }
        for (text, kind) in &self.names {
            patterns.push(Pattern { text: text.clone(), kind: *kind, how: How::Word });
        }
        Known::new(patterns, self.secrets.iter().map(|(text, kind)| (text.clone(), *kind)).collect())
    }
}

/// Whether a text is so unlike a word that it is the secret wherever it stands.
fn is_telling(text: &[u8]) -> bool {
    let digits = text.iter().filter(|byte| byte.is_ascii_digit()).count();
    // Of a character beyond ASCII the first byte counts.
    let letters = text.iter().filter(|byte| byte.is_ascii_alphabetic() || **byte >= 0xC0).count();
    let chars = text.iter().filter(|byte| **byte & 0xC0 != 0x80).count();
    let others = chars.saturating_sub(digits + letters);
    let mixed = (digits > 0 && letters > 0)
        || (others > 0
            && letters > 0
            && text
                .iter()
                .any(|byte| byte.is_ascii_punctuation() && !matches!(byte, b'-' | b'_' | b'.' | b'/' | b':')));
    let long = chars >= 16 && letters > 0;
    chars >= SHORTEST && (SHORTEST..=LONGEST).contains(&text.len()) && (mixed || long)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum How {
    Anywhere,
    /// The characters beside it may belong to it too.
    Base64,
    /// Only as a whole word.
    Word,
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Pattern {
    text: Vec<u8>,
    kind: Kind,
    how: How,
}

/// What is looked for everywhere.
#[derive(Debug, Default)]
pub(super) struct Known {
    /// In order.
    patterns: Vec<Pattern>,
    /// Looked for in every spelling; in order.
    secrets: Vec<(Vec<u8>, Kind)>,
    /// The first three bytes of each of them, as one number.
    pattern_heads: Vec<u32>,
    secret_heads: Vec<u32>,
    /// A bit for each three bytes that one of them begins with; empty where there is none.
    triples: Vec<u64>,
    /// A bit for each two bytes that a secret begins with in one of its spellings.
    pairs: Vec<u64>,
}

/// Three bytes as one number, in the order of texts.
fn head(bytes: &[u8]) -> u32 {
    bytes.iter().take(3).fold(0, |head, byte| head << 8 | u32::from(*byte))
}

/// A place in a set of bits for three bytes; different ones may share it.
fn triple(head: u32) -> usize {
    (head.wrapping_mul(0x9E37_79B1) >> (32 - 17)) as usize
}

fn pair(first: u8, second: u8) -> usize {
    usize::from(u16::from_be_bytes([first, second]))
}

fn note(bits: &mut [u64], place: usize) {
    if let Some(bits) = bits.get_mut(place >> 6) {
        *bits |= 1 << (place & 63);
    }
}

fn is_noted(bits: &[u64], place: usize) -> bool {
    bits.get(place >> 6).is_some_and(|bits| bits & (1 << (place & 63)) != 0)
}

impl Known {
    fn new(mut patterns: Vec<Pattern>, secrets: Vec<(Vec<u8>, Kind)>) -> Known {
        patterns.retain(|pattern| pattern.text.len() >= 3);
        patterns.order();
        patterns.dedup_by(|a, b| a.text == b.text);
        if patterns.is_empty() && secrets.is_empty() {
            return Known::default();
        }
        let (mut triples, mut pairs) = (vec![0u64; 1 << 11], vec![0u64; 1 << 10]);
        for text in patterns.iter().map(|pattern| &pattern.text).chain(secrets.iter().map(|(text, _)| text)) {
            note(&mut triples, triple(head(text)));
        }
        for (secret, _) in &secrets {
            spelling::pairs(secret, |first, second| note(&mut pairs, pair(first, second)));
        }
        let pattern_heads = patterns.iter().map(|pattern| head(&pattern.text)).collect();
        let secret_heads = secrets.iter().map(|(secret, _)| head(secret)).collect();
        Known { patterns, secrets, pattern_heads, secret_heads, triples, pairs }
    }

    /// Each place of a line where something known stands, in order and apart. `is_json` says that the line is, or holds,
    /// JSON.
    pub(super) fn find(&self, text: &[u8], is_json: bool, mut each: impl FnMut(Range<usize>, Kind)) {
        if self.triples.is_empty() {
            return;
        }
        let (mut here, mut end) = (0, 0);
        // The bytes before `here + 2`, and a bit for each of them that may spell another one.
        let (mut last, mut signs) = (0u32, 0u32);
        let mut ahead = 0;
        while let Some(&byte) = text.get(ahead) {
            last = (last << 8 | u32::from(byte)) & 0xFF_FFFF;
            signs = (signs << 1 | u32::from(spelling::is_sign(byte))) & 7;
            ahead += 1;
            if ahead < here + 3 {
                continue;
            }
            here = ahead - 3;
            let may = is_noted(&self.triples, triple(last))
                || (signs != 0 && is_noted(&self.pairs, pair((last >> 16) as u8, (last >> 8) as u8)));
            // What escapes the first byte may belong to what was found before.
            if may
                && let Some((range, kind)) = self.known_at(text, here, last, signs, is_json)
                && range.start >= end
            {
                (here, end, ahead) = (range.end, range.end, range.end);
                each(range, kind);
            }
        }
    }

    /// What stands at a place. `last` and `signs` are of its first three bytes.
    fn known_at(&self, text: &[u8], here: usize, last: u32, signs: u32, is_json: bool) -> Option<(Range<usize>, Kind)> {
        let mut best = self.pattern_at(text, here, last);
        // Those whose head begins with so many bits.
        let mut secrets = |head: u32, free: u32| {
            let (from, to) = (head >> free << free, (head >> free << free) + (1 << free));
            let first = self.secret_heads.partition_point(|head| *head < from);
            let count = self.secret_heads.iter().skip(first).take_while(|head| **head < to).count();
            for (secret, kind) in self.secrets.iter().skip(first).take(count) {
                let place = spelling::place(text, here, secret, is_json);
                let longer = |place: &Range<usize>| best.as_ref().is_none_or(|(best, _)| place.len() > best.len());
                if let Some(place) = place.filter(longer) {
                    best = Some((place, *kind));
                }
            }
        };
        // What stands before a sign that spells something stands for itself; so does the sign.
        match signs {
            0 | 4 => secrets(last, 0),
            1 | 5 => secrets(last, 8),
            _ => secrets(last, 16),
        }
        if signs & 4 != 0 {
            spelling::first_bytes(text, here, |byte| secrets(u32::from(byte) << 16, 16));
        }
        best
    }

    fn pattern_at(&self, text: &[u8], here: usize, last: u32) -> Option<(Range<usize>, Kind)> {
        let rest = text.get(here..)?;
        let from = self.pattern_heads.partition_point(|head| *head < last);
        let count = self.pattern_heads.iter().skip(from).take_while(|head| **head == last).count();
        let mut best: Option<&Pattern> = None;
        for pattern in self.patterns.iter().skip(from).take(count) {
            let longer = best.is_none_or(|best| pattern.text.len() > best.text.len());
            if longer && rest.starts_with(&pattern.text) && fits(text, here, pattern) {
                best = Some(pattern);
            }
        }
        best.map(|pattern| {
            let end = here + pattern.text.len();
            let base64 = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_' | b'=');
            match pattern.how {
                // The characters that hold bits of the neighbours as well.
                How::Base64 => {
                    let left = usize::from(before(text, here).is_some_and(|byte| base64(&byte)));
                    let right = usize::from(at(text, end).is_some_and(|byte| base64(&byte)));
                    let right = right + run_of(text, end + right, |byte| byte == b'=').min(2);
                    // An escape's letter is none of it.
                    let left = if before(text, here - left) == Some(b'\\') { 0 } else { left };
                    (here - left..end + right, pattern.kind)
                }
                _ => (here..end, pattern.kind),
            }
        })
    }
}

fn fits(text: &[u8], here: usize, pattern: &Pattern) -> bool {
    let alone = |byte: Option<u8>| byte.is_none_or(|byte| !byte.is_ascii_alphanumeric() && byte < 0x80);
    match pattern.how {
        How::Word => {
            let escape = here >= 2
                && before(text, here - 1) == Some(b'\\')
                && matches!(before(text, here), Some(b'n' | b'r' | b't'));
            (alone(before(text, here)) || escape) && alone(at(text, here + pattern.text.len()))
        }
        _ => true,
    }
}

/// A text without its escapes.
fn plain(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((&byte, behind)) = rest.split_first() {
        if byte == b'\\' {
            let marks = rest.iter().take_while(|byte| **byte == b'\\').count();
            rest = rest.get(marks..).unwrap_or_default();
            // Backslashes before a quote are there for the quote.
            if rest.first() != Some(&b'"') {
                out.push(b'\\');
            }
            continue;
        }
        out.push(byte);
        rest = behind;
    }
    out
}

/// The characters of base64 that a text gives wherever it stands in what is encoded, for both alphabets.
fn base64_cores(text: &[u8]) -> Vec<Vec<u8>> {
    const STANDARD: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const URL: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut cores = Vec::new();
    for alphabet in [STANDARD, URL] {
        for shift in 0..3usize {
            // The first character that holds bits of this text only, and no longer any of the one before it.
            let skip = [0, 2, 3].get(shift).copied().unwrap_or(0);
            let mut bytes = vec![0; shift];
            bytes.extend_from_slice(text);
            let whole = bytes.len() * 8 / 6;
            let core: Vec<u8> = (skip..whole)
                .map(|index| {
                    let bit = index * 6;
                    let pair = [at(&bytes, bit / 8).unwrap_or(0), at(&bytes, bit / 8 + 1).unwrap_or(0)];
                    let value = (u16::from_be_bytes(pair) >> (10 - bit % 8)) & 63;
                    alphabet.get(usize::from(value)).copied().unwrap_or(b'A')
                })
                .collect();
            if core.len() >= SHORTEST_BASE64 {
                cores.push(core);
            }
        }
    }
    cores.order();
    cores.dedup();
    cores
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(secret: &str, text: &str) -> Vec<String> {
        let mut collected = Collected::default();
        collected.secret(secret.as_bytes(), Kind::Password);
        let mut out = Vec::new();
        let is_json = text.starts_with('{');
        collected.known().find(text.as_bytes(), is_json, |range, _| out.push(text[range].to_owned()));
        out
    }

    #[test]
    fn a_secret_is_found_in_its_other_forms() {
        let secret = r#"p@ss"w0/rd9"#;
        assert_eq!(found(secret, "mysql -pp@ss\"w0/rd9 db"), [secret]);
        assert_eq!(found(secret, r#"{"a":"p@ss\"w0/rd9"}"#), [r#"p@ss\"w0/rd9"#]);
        assert_eq!(found(secret, r#"{"a":"{\"b\":\"p@ss\\\"w0/rd9\"}"}"#), [r#"p@ss\\\"w0/rd9"#]);
        assert_eq!(found(secret, "?p=p%40ss%22w0%2Frd9&x"), ["p%40ss%22w0%2Frd9"]);
        assert_eq!(found("hunter2222", "echo dXNlcjpodW50ZXIyMjIy"), ["podW50ZXIyMjIy"]);
        assert_eq!(found("hunter2222", "echo aHVudGVyMjIyMg=="), ["aHVudGVyMjIyMg=="]);
    }

    #[test]
    fn words_are_not_looked_for_everywhere() {
        assert!(found("postgres", "postgres").is_empty());
        assert!(found("12345678", "12345678").is_empty());
    }
}
