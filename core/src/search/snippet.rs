//! What stands around a hit, on one line.

use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Characters before a hit, of the hit, and behind it.
const BEFORE: usize = 32;
const HIT: usize = 80;
const BEHIND: usize = 96;

/// A hit with what stands around it; white space is one space, and what is cut off is an ellipsis.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Snippet {
    /// Before it.
    pub before: String,
    /// The hit.
    pub hit: String,
    /// Behind it.
    pub after: String,
}

impl Snippet {
    /// Of a hit in a text.
    pub(crate) fn of(text: &str, hit: &Range<usize>) -> Snippet {
        let before = text.get(..hit.start).unwrap_or_default();
        let (inside, behind) = (text.get(hit.clone()).unwrap_or_default(), text.get(hit.end..).unwrap_or_default());
        // Of a long text only what is near is walked.
        let start = before.char_indices().rev().nth(BEFORE - 1).map_or(0, |(at, _)| at);
        let mut lead = one_line(before.get(start..).unwrap_or_default(), usize::MAX);
        if start > 0 {
            lead.insert(0, '…');
        } else {
            lead.replace_range(..lead.len() - lead.trim_start().len(), "");
        }
        Snippet { before: lead, hit: one_line(inside, HIT), after: one_line(behind, BEHIND).trim_end().to_owned() }
    }
}

fn one_line(text: &str, max: usize) -> String {
    let mut out = String::new();
    let mut gap = false;
    for (count, c) in text.chars().enumerate() {
        if count == max {
            out.push('…');
            break;
        }
        let is_gap = c.is_whitespace() || c.is_control();
        if !is_gap {
            out.push(c);
        } else if !gap {
            out.push(' ');
        }
        gap = is_gap;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_around_the_hit() {
        let text = format!("{}\n\tleft  hit\nright{}", "x".repeat(50), " y".repeat(60));
        let at = text.find("hit").unwrap();
        let snippet = Snippet::of(&text, &(at..at + 3));
        assert_eq!(snippet.before, format!("…{} left ", "x".repeat(24)));
        assert_eq!((snippet.hit.as_str(), &snippet.after[..10]), ("hit", " right y y"));
        assert!(snippet.after.ends_with("y…"));
    }

    #[test]
    fn a_short_text_is_whole() {
        let want = Snippet { before: String::new(), hit: "a".into(), after: " b".into() };
        assert_eq!(Snippet::of("\n a b ", &(2..3)), want);
        assert_eq!(
            Snippet::of("é\na", &(0..2)),
            Snippet { before: String::new(), hit: "é".into(), after: " a".into() }
        );
    }
}
