//! Small steps over bytes that all scanners take.

use super::view::ESCAPE;

/// The byte at a place.
pub(super) fn at(text: &[u8], index: usize) -> Option<u8> {
    text.get(index).copied()
}

/// The byte before a place.
pub(super) fn before(text: &[u8], index: usize) -> Option<u8> {
    index.checked_sub(1).and_then(|index| at(text, index))
}

/// How many bytes from a place on fit.
pub(super) fn run_of(text: &[u8], from: usize, fits: impl Fn(u8) -> bool) -> usize {
    text.get(from..).unwrap_or_default().iter().take_while(|byte| fits(**byte)).count()
}

/// How many bytes up to a place fit, but no more than `most`.
pub(super) fn run_back(text: &[u8], to: usize, most: usize, fits: impl Fn(u8) -> bool) -> usize {
    text.get(..to).unwrap_or_default().iter().rev().take(most).take_while(|byte| fits(**byte)).count()
}

/// Letters, digits, `_` and `-`.
pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

/// What stands before a place on its line of a text, if that is no more than blanks, the mark of a list or a difference, a
/// quote that opens the text, and the number by which a tool shows the line (`00012| `, `12: `): how many blanks and marks.
pub(super) fn indent(text: &[u8], place: usize) -> Option<usize> {
    let blanks = run_back(text, place, 64, |byte| matches!(byte, b' ' | b'-' | b'+' | b'\t' | ESCAPE));
    let start = place - blanks;
    match before(text, start) {
        None | Some(b'\n' | b'\r' | b'"') => Some(blanks),
        // The escape of a line's end, and of the tab behind a line's number.
        Some(b'n' | b'r') if before(text, start - 1) == Some(b'\\') => Some(blanks),
        Some(b't') if before(text, start - 1) == Some(b'\\') => {
            let marks = run_back(text, start - 1, usize::MAX, |byte| byte == b'\\');
            is_number(text, start - 1 - marks).then_some(blanks)
        }
        Some(b'\'' | b'`') if blanks == 0 => Some(0),
        Some(b'0'..=b'9') if at(text, start) == Some(b'\t') => is_number(text, start).then_some(blanks - 1),
        Some(b'|' | b':') => is_number(text, start - 1).then_some(blanks),
        Some(_) => None,
    }
}

/// Whether the number of a line ends at a place.
fn is_number(text: &[u8], end: usize) -> bool {
    let digits = run_back(text, end, 8, |byte| byte.is_ascii_digit());
    let blanks = run_back(text, end - digits, 8, |byte| byte == b' ');
    let start = end - digits - blanks;
    let begins = match before(text, start) {
        None | Some(b'\n' | b'\r' | b'"' | b'>') => true,
        Some(b'n' | b'r') => before(text, start - 1) == Some(b'\\'),
        Some(_) => false,
    };
    digits > 0 && begins
}

/// Whether a text begins with another, capitals or not. The other one is in small letters.
pub(super) fn starts_with_word(text: &[u8], word: &[u8]) -> bool {
    text.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word))
}

/// Whether a text whose first byte is that of a word begins with the word. Most others end with the second.
pub(super) fn goes_on_as(text: &[u8], word: &[u8]) -> bool {
    text.get(1) == word.get(1) && text.starts_with(word)
}

/// A delimiter of a text: a quote behind so many backslashes. Within JSON within JSON the number tells the depth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Quote {
    pub(super) marks: usize,
    pub(super) byte: u8,
}

/// How many of the backslashes before a quote are the quote's own: none, one, three, seven, by the depth of its string.
/// Those before them stand for backslashes at the end of the text: in `"C:\\\\"` the last quote has none.
pub(super) fn own_marks(marks: usize) -> usize {
    (1usize << marks.trailing_ones().min(16)) - 1
}

pub(super) fn is_quote(byte: u8) -> bool {
    matches!(byte, b'"' | b'\'' | b'`')
}

/// The quote that begins at a place, and where it ends.
pub(super) fn quote(text: &[u8], from: usize) -> Option<(Quote, usize)> {
    let marks = run_of(text, from, |byte| byte == b'\\');
    let byte = at(text, from + marks).filter(|byte| is_quote(*byte))?;
    Some((Quote { marks: own_marks(marks), byte }, from + marks + 1))
}

/// The quote that ends at a place, and where it begins.
pub(super) fn quote_back(text: &[u8], to: usize) -> Option<(Quote, usize)> {
    let byte = before(text, to).filter(|byte| is_quote(*byte))?;
    let marks = run_back(text, to - 1, usize::MAX, |byte| byte == b'\\');
    Some((Quote { marks: own_marks(marks), byte }, to - 1 - marks))
}
