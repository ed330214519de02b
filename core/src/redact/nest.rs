//! Lists and objects below a telling name: `"passwords": ["…", "…"]`, `"secrets": {"db": "…"}`.
//!
//! Words are ordinary there (`"password": ["required", "string"]`), so only what is no word is taken for a secret.

use super::assign::{Hit, ends_string, quoted_end};
use super::kind::Kind;
use super::name::{Named, named};
use super::text::{at, quote, run_of};
use super::value::{Style, is_secret};

/// How long a list or an object may be.
const REACH: usize = 2048;
/// The most values of a list.
const MOST: usize = 64;

/// What a name says of those that it holds: `secrets`, `passwords`, `apiKeys`; of `tokens` nothing, which are mostly counted.
pub(super) fn plural(word: &[u8]) -> Option<Named> {
    let one = word.strip_suffix(b"s").or_else(|| word.strip_suffix(b"S"))?;
    named(one).filter(|named| !named.header && named.kind != Kind::Token)
}

/// Where the bracket stands that a sign gives to a name.
pub(super) fn bracket(text: &[u8], sign: usize) -> Option<(usize, u8)> {
    let from = sign + 1 + usize::from(at(text, sign) == Some(b'=') && at(text, sign + 1) == Some(b'>'));
    let from = from + run_of(text, from, |byte| byte == b' ');
    at(text, from).filter(|byte| matches!(byte, b'{' | b'[')).map(|byte| (from, byte))
}

/// Where an object ends that holds no other: `from` is behind its bracket.
pub(super) fn object_end(text: &[u8], from: usize) -> Option<usize> {
    let reach = text.get(..text.len().min(from + REACH))?;
    let end = from + run_of(reach, from, |byte| !matches!(byte, b'{' | b'}' | b'['));
    (at(text, end) == Some(b'}')).then_some(end)
}

/// The secrets of a list of texts: `from` is behind its bracket.
pub(super) fn list(text: &[u8], from: usize, word: &[u8], named: Named, around: Option<usize>) -> Vec<Hit> {
    let mut found = Vec::new();
    let mut here = from;
    for _ in 0..MOST {
        here += run_of(text, here, |byte| matches!(byte, b' ' | b','));
        // A line's end within a list is an escape.
        let marks = run_of(text, here, |byte| byte == b'\\');
        if marks > 0 && at(text, here + marks) == Some(b'n') {
            here += marks + 1;
            continue;
        }
        let Some((opening, inside)) = quote(text, here) else { break };
        let end = quoted_end(text, inside, opening, around, REACH);
        if ends_string(opening, around) || end - from > REACH {
            break;
        }
        if text.get(inside..end).is_some_and(|value| is_secret(word, named, value, Style::Literal)) {
            found.push(Hit { range: inside..end, kind: named.kind, quotes: None });
        }
        here = end + opening.marks + 1;
    }
    found
}
