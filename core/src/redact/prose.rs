//! Sentences and tables that tell a secret: `the password is …`, `changed the token to …`, `| DB_PASSWORD | … |`.

use super::assign::{Hit, bare_end, ends_string, quoted_end, with_lead};
use super::name::{LONGEST, Named, named};
use super::text::{at, before, is_word, quote, run_back, run_of};
use super::value::{Style, is_secret};
use memchr::memmem;

/// The longest value of a cell or a sentence.
const REACH: usize = 256;

/// The secret behind `is`, `was` or `to`, where a telling word stands before it.
pub(super) fn told(text: &[u8], start: usize, end: usize, around: Option<usize>) -> Option<Hit> {
    let head = text.get(..start)?.strip_suffix(b" ")?;
    let last = [before(head, head.len().checked_sub(1)?)?, before(head, head.len())?];
    // The ends of the words that are meant: most others are done with here.
    const ENDS: [&[u8; 2]; 9] = [b"rd", b"en", b"et", b"ey", b"se", b"rt", b"wd", b"ss", b"al"];
    // `the password for bob is`, `the password of the test user is`
    let near = head.get(head.len().saturating_sub(40)..)?;
    let verb = text.get(start..end)?;
    let of = memmem::rfind(near, b" for ").or_else(|| memmem::rfind(near, b" of "));
    let head = match of {
        Some(at) if verb != b"to" => head.get(..head.len() - near.len() + at)?,
        _ if ENDS.contains(&&last) => head,
        _ => return None,
    };
    let len = run_back(head, head.len(), LONGEST, is_word);
    let word = head.get(with_lead(head, head.len() - len, head.len())..)?;
    let named = named(word).filter(|named| !named.header)?;
    let from = end + usize::from(at(text, end) == Some(b':'));
    let from = from + run_of(text, from, |byte| matches!(byte, b' ' | b'*')).min(4);
    let (inside, to) = match quote(text, from) {
        Some((opening, _)) if ends_string(opening, around) => return None,
        Some((opening, inside)) => (inside, quoted_end(text, inside, opening, around, REACH)),
        None => {
            let to = bare_end(text, from, Style::Loose, REACH);
            let value = text.get(from..to)?;
            let to = value.iter().position(|byte| matches!(byte, b'&' | b'<')).map_or(to, |at| from + at);
            let value = text.get(from..to)?;
            // What ends the sentence.
            let marks = value.iter().rev().take_while(|byte| matches!(byte, b'.' | b'!' | b'?' | b'*' | b':')).count();
            (from, to - marks)
        }
    };
    judged(text, word, named, inside, to)
}

fn judged(text: &[u8], word: &[u8], named: Named, from: usize, to: usize) -> Option<Hit> {
    let fits = is_secret(word, named, text.get(from..to)?, Style::Literal);
    fits.then_some(Hit { range: from..to, kind: named.kind, quotes: None })
}

/// The secret of a row whose cell of the name begins behind the bar at `bar`.
pub(super) fn row(text: &[u8], bar: usize) -> Option<Hit> {
    let lead = |from: usize| from + run_of(text, from, |byte| matches!(byte, b' ' | b'`' | b'*')).min(64);
    let start = lead(bar + 1);
    let len = run_of(text, start, |byte| is_word(byte) || byte == b'.');
    if start == bar + 1 || !(2..=LONGEST).contains(&len) {
        return None;
    }
    let next = lead(start + len);
    (at(text, next) == Some(b'|')).then_some(())?;
    let word = text.get(start..start + len)?;
    let named = named(word).filter(|named| !named.header)?;
    let from = lead(next + 1);
    let to = bare_end(text, from, Style::Literal, REACH);
    let value = text.get(from..to)?;
    let to = to - value.iter().rev().take_while(|byte| matches!(byte, b'*')).count();
    (at(text, lead(to)) == Some(b'|')).then(|| judged(text, word, named, from, to))?
}
