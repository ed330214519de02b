//! Declarations that say a type between the name and its value, and calls that only wrap the value.
//!
//! `const password: string = "…"`, `let key: &'static str = "…"`, `var password string = "…"`, `String::from("…")`.

use super::assign::name_before;
use super::text::{at, before, is_quote, is_word, quote, run_back, run_of};
use std::ops::Range;

/// The longest type.
const LONGEST: usize = 64;

/// Where the quoted value begins that `from`, the place behind a sign, leads to: behind a type and `=`, or within a call
/// that makes a value of a text.
pub(super) fn value(text: &[u8], sign: u8, from: usize) -> Option<usize> {
    let typed = if sign == b':' { behind_type(text, from) } else { None };
    let start = typed.unwrap_or(from);
    let start = wrapped(text, start).or_else(|| otherwise(text, start)).unwrap_or(start);
    quote(text, start).map(|_| start)
}

/// Where the value begins behind `TYPE =`.
fn behind_type(text: &[u8], from: usize) -> Option<usize> {
    let mut depth = 0usize;
    for here in from..from + LONGEST {
        match at(text, here)? {
            b'=' if here > from && !matches!(at(text, here + 1), Some(b'=' | b'>')) => {
                let name = text.get(from..here)?.trim_ascii();
                let is_apart = at(text, here - 1) == Some(b' ');
                if !is_apart && !matches!(name, b"str" | b"string" | b"String" | b"&str") {
                    return None;
                }
                return Some(here + 1 + run_of(text, here + 1, |byte| byte == b' '));
            }
            b'<' | b'[' => depth += 1,
            b'>' | b']' => depth = depth.checked_sub(1)?,
            b',' if depth > 0 => {}
            // Words stand apart only behind a sign or one of Rust's: `Option<&'static str>`, `str | None`.
            b' ' => {
                let next = at(text, here + 1)?;
                let head = text.get(from..here)?;
                let is_mark = |byte: u8| matches!(byte, b'|' | b'&' | b',' | b'*' | b'=');
                let last = run_back(head, head.len(), LONGEST, is_word);
                let word = head.get(head.len() - last..)?;
                let is_lifetime = head.get(..head.len() - last)?.ends_with(b"'");
                let fits = is_mark(next)
                    || head.last().is_some_and(|byte| is_mark(*byte))
                    || is_lifetime
                    || matches!(word, b"mut" | b"dyn" | b"const" | b"unsigned");
                if !fits {
                    return None;
                }
            }
            b'\'' => {
                // A lifetime, not a text.
                let len = run_of(text, here + 1, is_word);
                if len == 0 || at(text, here + 1 + len).is_some_and(is_quote) {
                    return None;
                }
            }
            b'.' | b'&' | b'|' | b'?' | b'*' | b':' => {}
            byte if is_word(byte) => {}
            _ => return None,
        }
    }
    None
}

/// Where the value begins within `String::from("…")`, `Some("…")`, `new Secret("…")`.
fn wrapped(text: &[u8], from: usize) -> Option<usize> {
    let from = if text.get(from..)?.starts_with(b"new ") { from + 4 } else { from };
    let len = run_of(text, from, |byte| is_word(byte) || matches!(byte, b':' | b'.')).min(LONGEST);
    let path = text.get(from..from + len)?;
    let last = run_back(path, path.len(), LONGEST, is_word);
    const WRAPS: &[&[u8]] =
        &[b"from", b"new", b"Some", b"String", b"str", b"Secret", b"SecretStr", b"SecretString", b"Password"];
    let last = path.get(path.len() - last..)?;
    let is_own = last.len() == path.len() || !path.contains(&b'.') || path == b"Buffer.from";
    let fits = WRAPS.contains(&last) && is_own && at(text, from + len) == Some(b'(');
    fits.then_some(from + len + 1)
}

/// Where the value begins behind another that may be missing: `process.env.PASSWORD || "…"`.
fn otherwise(text: &[u8], from: usize) -> Option<usize> {
    let len = run_of(text, from, |byte| is_word(byte) || matches!(byte, b'.' | b'$' | b'?')).min(LONGEST);
    let sign = from + len + run_of(text, from + len, |byte| byte == b' ');
    let rest = text.get(sign..).filter(|_| len > 0)?;
    let sign_len = [&b"|| "[..], b"?? ", b"or "].iter().find(|sign| rest.starts_with(sign))?.len();
    Some(sign + sign_len)
}

/// The name before a type, as in Go: `dbPassword string = `, where the type stands at `place`.
pub(super) fn before_type(text: &[u8], place: &Range<usize>) -> Option<Range<usize>> {
    if text.get(place.clone())? != b"string" || before(text, place.start) != Some(b' ') {
        return None;
    }
    name_before(text, place.start).filter(|(_, closing)| closing.is_none()).map(|(name, _)| name)
}
