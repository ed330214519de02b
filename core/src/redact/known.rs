//! Secrets that were found once are masked wherever they stand: bare, in base64, percent-encoded, escaped.
//!
//! `password=…` gives a secret away; the same text in a later command or output is no less secret. Only what is unlikely
//! to be an ordinary word is looked for everywhere.

use super::kind::{Group, Kind};
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
    /// Notes a secret, as it stands in a view.
    pub(super) fn secret(&mut self, text: &[u8], kind: Kind) {
        let kept = matches!(kind.group(), Group::Keys | Group::Credentials | Group::Assigned);
        if kept && is_telling(text) && self.secrets.len() < MOST {
            self.secrets.entry(plain(text)).or_insert(kind);
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
            for form in forms(text) {
                patterns.push(Pattern { text: form, kind: *kind, how: How::Anywhere });
            }
            for core in base64_cores(text) {
                patterns.push(Pattern { text: core, kind: *kind, how: How::Base64 });
            }
        }
        for (text, kind) in &self.names {
            patterns.push(Pattern { text: text.clone(), kind: *kind, how: How::Word });
        }
        Known::new(patterns)
    }
}

/// Whether a text is so unlike a word that it is the secret wherever it stands.
fn is_telling(text: &[u8]) -> bool {
    let digits = text.iter().filter(|byte| byte.is_ascii_digit()).count();
    let letters = text.iter().filter(|byte| byte.is_ascii_alphabetic()).count();
    let others = text.len() - digits - letters;
    let mixed = (digits > 0 && letters > 0)
        || (others > 0
            && letters > 0
            && text
                .iter()
                .any(|byte| !byte.is_ascii_alphanumeric() && !matches!(byte, b'-' | b'_' | b'.' | b'/' | b' ' | b':')));
    let long = text.len() >= 16 && letters > 0;
    (SHORTEST..=LONGEST).contains(&text.len()) && (mixed || long)
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
    /// A bit for each pair of bytes that a pattern begins with; empty where there is none.
    pairs: Vec<u64>,
}

impl Known {
    fn new(mut patterns: Vec<Pattern>) -> Known {
        patterns.retain(|pattern| pattern.text.len() >= 3);
        patterns.order();
        patterns.dedup_by(|a, b| a.text == b.text);
        let mut pairs = if patterns.is_empty() { Vec::new() } else { vec![0u64; 1024] };
        for pattern in &patterns {
            if let Some(pair) = pair(&pattern.text, 0)
                && let Some(bits) = pairs.get_mut(usize::from(pair >> 6))
            {
                *bits |= 1 << (pair & 63);
            }
        }
        Known { patterns, pairs }
    }

    /// Each place of a line where something known stands, in order and apart.
    pub(super) fn find(&self, text: &[u8], mut each: impl FnMut(Range<usize>, Kind)) {
        if self.pairs.is_empty() {
            return;
        }
        let mut here = 0;
        while let Some(pair) = pair(text, here) {
            let may = self.pairs.get(usize::from(pair >> 6)).is_some_and(|bits| bits & (1 << (pair & 63)) != 0);
            match if may { self.pattern_at(text, here) } else { None } {
                Some((range, kind)) => {
                    here = range.end;
                    each(range, kind);
                }
                None => here += 1,
            }
        }
    }

    fn pattern_at(&self, text: &[u8], here: usize) -> Option<(Range<usize>, Kind)> {
        let rest = text.get(here..)?;
        let head = rest.get(..2)?;
        let from = self.patterns.partition_point(|pattern| pattern.text.get(..2) < Some(head));
        let mut best: Option<&Pattern> = None;
        for pattern in self.patterns.get(from..)?.iter().take_while(|pattern| pattern.text.starts_with(head)) {
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

fn pair(text: &[u8], at: usize) -> Option<u16> {
    match text.get(at..at + 2)? {
        [a, b] => Some(u16::from_be_bytes([*a, *b])),
        _ => None,
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

/// A text as it is, as JSON within JSON within JSON holds it, and percent-encoded.
fn forms(text: &[u8]) -> Vec<Vec<u8>> {
    let mut forms = Vec::new();
    for depth in 0..4u32 {
        let form: Vec<u8> = text
            .iter()
            .flat_map(|byte| match byte {
                b'"' => [vec![b'\\'; (1usize << depth) - 1], vec![b'"']].concat(),
                b'\\' => vec![b'\\'; 1 << depth],
                byte => vec![*byte],
            })
            .collect();
        forms.push(form);
    }
    for digits in [b"0123456789ABCDEF", b"0123456789abcdef"] {
        // What every encoder leaves as it is; and what the one of URIs leaves as well.
        for also in [&b""[..], b"!'()*", b"!'()*;/?:@&=+$,#"] {
            let form = text.iter().flat_map(|byte| percent(*byte, digits, also)).collect();
            forms.push(form);
        }
    }
    forms.order();
    forms.dedup();
    forms
}

fn percent(byte: u8, digits: &[u8; 16], also: &[u8]) -> Vec<u8> {
    if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) || also.contains(&byte) {
        return vec![byte];
    }
    let digit = |half: u8| digits.get(usize::from(half & 15)).copied().unwrap_or(b'0');
    vec![b'%', digit(byte >> 4), digit(byte)]
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
        collected.known().find(text.as_bytes(), |range, _| out.push(text[range].to_owned()));
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
