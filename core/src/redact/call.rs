//! Texts handed to a call: `setPassword("…")`, `set("password", "…")`, `getenv("DB_PASSWORD", "…")`, `("token", "…")`.

use super::assign::{Hit, ends_string, quoted_end};
use super::kind::Kind;
use super::name::{LONGEST, Named, Trust, named};
use super::text::{at, is_word, quote, quote_back, run_back, run_of};
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
    if let Some((word, named)) = subject(text, open) {
        return is_secret(word, named, value, Style::Literal).then(|| hit(first.inside, named.kind));
    }
    if value.len() > LONGEST {
        return None;
    }
    if is_login(text, open) {
        let second = second(text, &first, around)?;
        let is_value = is_secret(b"", LOGIN, text.get(second.inside.clone())?, Style::Literal);
        return is_value.then(|| hit(second.inside, Kind::Password));
    }
    if value.contains(&b' ') {
        return None;
    }
    let named = named(value).filter(|named| !named.header)?;
    let second = second(text, &first, around)?;
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

/// The argument behind another one.
fn second(text: &[u8], first: &Argument, around: Option<usize>) -> Option<Argument> {
    let comma = first.end + run_of(text, first.end, |byte| byte == b' ');
    (at(text, comma) == Some(b',')).then_some(())?;
    argument(text, comma + 1, around)
}

const LOGIN: Named = Named { kind: Kind::Password, trust: Trust::Any, header: false };

/// Whether a bracket holds a user and a password: `login("bob", "…")`, `auth=("bob", "…")`.
fn is_login(text: &[u8], open: usize) -> bool {
    const NAMES: &[&[u8]] =
        &[b"login", b"auth", b"authenticate", b"signin", b"credentials", b"httpbasicauth", b"basicauth", b"basic_auth"];
    let end = open - run_back(text, open, 2, |byte| matches!(byte, b'=' | b' '));
    let word = text.get(end - run_back(text, end, 24, is_word)..end).unwrap_or_default();
    NAMES.iter().any(|name| name.eq_ignore_ascii_case(word))
}

/// What a call is made on that puts a text into it or compares with it: `getByLabel("Password").fill(`,
/// `expect(user.password).toBe(`.
fn subject(text: &[u8], open: usize) -> Option<(&[u8], Named)> {
    const VERBS: &[&[u8]] = &[
        b"fill",
        b"type",
        b"sendKeys",
        b"send_keys",
        b"pressSequentially",
        b"setValue",
        b"val",
        b"toBe",
        b"toEqual",
        b"toHaveValue",
        b"equals",
    ];
    let len = run_back(text, open, 20, is_word);
    let dot = (open - len).checked_sub(1).filter(|dot| at(text, *dot) == Some(b'.'))?;
    let verb = text.get(open - len..open)?;
    if !VERBS.contains(&verb) {
        return None;
    }
    // A test may compare any token.
    subject_before(text, dot).filter(|(_, named)| named.trust == Trust::Any || !verb.starts_with(b"to"))
}

/// The name that the last bracket before a place holds: `By.id("password"))`, `(user.password)`.
pub(super) fn subject_before(text: &[u8], end: usize) -> Option<(&[u8], Named)> {
    let closing = end - run_back(text, end, 3, |byte| byte == b')');
    if closing == end {
        return None;
    }
    let word = match quote_back(text, closing) {
        Some((quote, start)) => {
            let len = run_back(text, start, LONGEST, |byte| byte != quote.byte);
            text.get(start - len..start)?
        }
        None => text.get(closing - run_back(text, closing, LONGEST, |byte| is_word(byte) || byte == b'.')..closing)?,
    };
    named(word).filter(|named| !named.header).map(|named| (word, named))
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
