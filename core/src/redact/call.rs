//! Texts handed to a call: `setPassword("…")`, `set("password", "…")`, `getenv("DB_PASSWORD", "…")`, `("token", "…")`.

use super::assign::{Hit, ends_string, quoted_end};
use super::kind::Kind;
use super::name::{LONGEST, Named, named};
use super::text::{at, is_word, quote, run_back, run_of};
use super::value::{Style, is_secret};
use std::ops::Range;

/// How much of a text is looked at.
const REACH: usize = 512;

/// What a call begins with that asks for a secret by its name or path.
const ASKS: &[&[u8]] = &[
    b"get",
    b"fetch",
    b"read",
    b"load",
    b"find",
    b"lookup",
    b"resolve",
    b"delete",
    b"remove",
    b"parse",
    b"next",
    b"to",
    b"new",
    b"missing",
    b"invalid",
    b"on",
    b"describe",
    b"test",
    b"it",
    b"list",
];

/// The secret that a call is given; `open` is its bracket.
pub(super) fn call(text: &[u8], open: usize, around: Option<usize>) -> Option<Hit> {
    let first = argument(text, open + 1, around)?;
    let value = text.get(first.inside.clone())?;
    if let Some((word, named)) = callee(text, open)
        && !named.header
        && is_secret(word, named, value, Style::Literal)
    {
        return Some(hit(first.inside, named.kind));
    }
    if value.len() > LONGEST || value.contains(&b' ') {
        return None;
    }
    let named = named(value).filter(|named| !named.header)?;
    let comma = first.end + run_of(text, first.end, |byte| byte == b' ');
    (at(text, comma) == Some(b',')).then_some(())?;
    let second = argument(text, comma + 1, around)?;
    let is_shouted = !value.iter().any(u8::is_ascii_lowercase) && value.contains(&b'_');
    let style = if is_shouted { Style::Given } else { Style::Literal };
    let is_value = is_secret(value, named, text.get(second.inside.clone())?, style);
    is_value.then(|| hit(second.inside, named.kind))
}

fn hit(range: Range<usize>, kind: Kind) -> Hit {
    Hit { range, kind, quotes: None }
}

struct Argument {
    inside: Range<usize>,
    /// Behind its closing quote.
    end: usize,
}

/// The text that begins at a place, but for blanks and a letter before it.
fn argument(text: &[u8], from: usize, around: Option<usize>) -> Option<Argument> {
    let from = from + run_of(text, from, |byte| byte == b' ');
    let from = from + usize::from(matches!(at(text, from), Some(b'b' | b'r' | b'f' | b'u' | b'L' | b'@' | b'N')));
    let (opening, inside) = quote(text, from)?;
    if ends_string(opening, around) {
        return None;
    }
    let end = quoted_end(text, inside, opening, around, REACH);
    (end - inside <= REACH).then_some(Argument { inside: inside..end, end: end + opening.marks + 1 })
}

/// The name before a bracket, if it says what is given to the call: `setPassword(`, `with_token(`, `password.equals(`.
fn callee(text: &[u8], open: usize) -> Option<(&[u8], Named)> {
    let len = run_back(text, open, LONGEST, |byte| is_word(byte) || byte == b'.');
    let path = text.get(open - len..open)?;
    let path = path.strip_suffix(b".equals").or_else(|| path.strip_suffix(b".eq")).unwrap_or(path);
    let last = run_back(path, path.len(), LONGEST, is_word);
    let word = path.get(path.len() - last..)?;
    let asks = |ask: &&[u8]| word.get(..ask.len()).is_some_and(|head| head.eq_ignore_ascii_case(ask));
    if ASKS.iter().any(asks) {
        return None;
    }
    named(word).map(|named| (word, named))
}
