//! What is searched for, and where a text holds it.
//!
//! Case is ignored unless the needle has a capital. Then two characters are the same if their simple lower-case forms
//! are: one character for one, `Ä` = `ä`, `Σ` = `σ` = `ς`. Forms of several characters are not unfolded (`ß` ≠ `ss`,
//! `İ` ≠ `i`), accents count (`é` ≠ `e`), and no character beyond ASCII is the same as one of ASCII (the Kelvin sign is no
//! `k`), so that a scan over bytes may rely on it.

use super::scan::Scan;
use std::ops::Range;

/// A text that is searched for.
#[derive(Debug, Clone)]
pub struct Needle {
    text: String,
    folds: bool,
    /// Finds it in text, where bytes are enough: no character beyond ASCII has to be folded.
    whole: Option<Scan>,
    /// A piece that JSON writes as it is.
    plain: Option<Scan>,
}

impl Needle {
    /// For a text; none if it is empty.
    pub fn new(text: &str) -> Option<Needle> {
        if text.is_empty() {
            return None;
        }
        let folds = !text.chars().any(char::is_uppercase);
        let whole = (!folds || text.is_ascii()).then(|| Scan::new(text.as_bytes(), folds)).flatten();
        let plain = plain(text).and_then(|piece| Scan::new(piece.as_bytes(), folds));
        Some(Needle { text: text.to_owned(), folds, whole, plain })
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether case is ignored.
    pub fn ignores_case(&self) -> bool {
        self.folds
    }

    /// The first place in a text at or behind a byte index.
    pub fn find(&self, text: &str, from: usize) -> Option<Range<usize>> {
        if let Some(scan) = &self.whole {
            let start = scan.find(text.as_bytes(), from)?;
            return Some(start..start + self.text.len());
        }
        let rest = text.get(from..)?;
        rest.char_indices().find_map(|(at, _)| {
            let start = from + at;
            self.len_at(text.get(start..)?).map(|len| start..start + len)
        })
    }

    /// All places in a text, none over another.
    pub fn ranges(&self, text: &str) -> Vec<Range<usize>> {
        let next = |last: &Range<usize>| self.find(text, last.end);
        std::iter::successors(self.find(text, 0), next).collect()
    }

    /// Whether the bytes of a record, JSON or text in UTF-8, may hold it once they are decoded.
    pub(crate) fn may_be_in(&self, bytes: &[u8]) -> bool {
        let Some(plain) = &self.plain else { return true };
        plain.find(bytes, 0).is_some() || super::scan::hides_ascii(bytes)
    }

    /// Bytes that it takes at the beginning of a text.
    fn len_at(&self, text: &str) -> Option<usize> {
        let mut have = text.char_indices();
        for want in self.text.chars() {
            let (_, c) = have.next()?;
            if fold(c) != fold(want) {
                return None;
            }
        }
        Some(have.next().map_or(text.len(), |(at, _)| at))
    }
}

/// The longest piece that JSON writes as it is: printable ASCII but quotes and slashes. (A writer may escape these
/// characters too; [`super::scan::hides_ascii`] knows.)
fn plain(text: &str) -> Option<&str> {
    let is_plain = |c: char| matches!(c, ' '..='~') && !matches!(c, '"' | '\\' | '/');
    text.split(|c| !is_plain(c)).max_by_key(|piece| piece.len()).filter(|piece| !piece.is_empty())
}

/// One character for one; ASCII stays ASCII, and nothing else becomes it.
fn fold(c: char) -> char {
    if c.is_ascii() {
        return c.to_ascii_lowercase();
    }
    let mut lower = c.to_lowercase();
    match (lower.next(), lower.next()) {
        (Some('ς'), None) => 'σ',
        (Some(lower), None) if !lower.is_ascii() => lower,
        _ => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ranges(needle: &str, text: &str) -> Vec<(usize, usize)> {
        Needle::new(needle).unwrap().ranges(text).into_iter().map(|range| (range.start, range.end)).collect()
    }

    #[test]
    fn case_counts_only_with_a_capital() {
        assert_eq!(ranges("test", "Test TEST tes"), [(0, 4), (5, 9)]);
        assert_eq!(ranges("Test", "Test TEST test"), [(0, 4)]);
        assert_eq!(ranges("ö", "ÄÖ ö"), [(2, 4), (5, 7)]);
        assert_eq!(ranges("Ö", "ÄÖ ö"), [(2, 4)]);
        assert_eq!(ranges("οδος", "ΟΔΟΣ"), [(0, 8)]);
        assert!(Needle::new("").is_none());
    }

    #[test]
    fn lengths_may_differ_between_cases() {
        // Ⱥ takes two bytes, ⱥ three.
        assert_eq!(ranges("ⱥb", "xȺB"), [(1, 4)]);
    }

    #[test]
    fn what_is_not_folded() {
        assert_eq!(ranges("k", "\u{212A}"), []);
        assert_eq!(ranges("i", "İ"), []);
        assert_eq!(ranges("ss", "ß"), []);
        assert_eq!(ranges("e", "é"), []);
    }

    #[test]
    fn the_piece_that_json_writes_as_it_is() {
        assert_eq!(plain("a\"bc/d"), Some("bc"));
        assert_eq!(plain("é\n\\"), None);
    }

    proptest! {
        #[test]
        fn bytes_find_what_characters_find(needle in "[abAB é.ÉΣ]{1,4}", text in "[abAB é.ÉσςK]{0,80}") {
            let needle = Needle::new(&needle).unwrap();
            let by_characters = (0..text.len()).filter(|at| text.is_char_boundary(*at)).find(|at| {
                let rest = &text[*at..];
                if needle.folds { needle.len_at(rest).is_some() } else { rest.starts_with(&needle.text) }
            });
            prop_assert_eq!(needle.find(&text, 0).map(|found| found.start), by_characters);
        }
    }
}
