//! Small parts that many views use.

use steplens_core::event::{Kind, Outcome};
use steplens_core::view::EventRow;
use yew::{AttrValue, Html, html};

use super::icon::icon;
use super::shown::{Mark, Why, shown};
use crate::text::visible;

/// The mark of an outcome: a shape, a colour and a word.
pub fn outcome_mark(outcome: Outcome, green_but_failed: bool) -> Html {
    let (name, class, word) = match outcome {
        Outcome::Failed if green_but_failed => ("warn", "warn", "green but failed"),
        Outcome::Ok => ("ok", "good", "ok"),
        Outcome::Failed => ("failed", "bad", "failed"),
        Outcome::Rejected => ("rejected", "bad", "rejected"),
        Outcome::Unknown => ("unsure", "quiet", "outcome unknown"),
    };
    html! {
        <span class={format!("mark-{class}")} role="img" aria-label={word} title={word}>
            { icon(name) }
        </span>
    }
}

/// How the note of an event is coloured.
pub fn note_class(event: &EventRow) -> &'static str {
    match event.outcome {
        _ if event.green_but_failed => "tag warn",
        Some(Outcome::Failed | Outcome::Rejected) => "tag bad",
        _ if event.kind == Kind::Error => "tag bad",
        _ => "tag",
    }
}

/// A text with what is searched for marked in it.
pub fn marked(text: &str, query: &str) -> Html {
    let mut marks: Vec<Mark> = Vec::new();
    let mut at = 0;
    while let Some((start, end)) = text.get(at..).and_then(|rest| find(rest, query)) {
        marks.push((at + start..at + end, Why::Hit));
        at += end;
    }
    shown(text, &marks)
}

/// Where the query first stands. Case counts only if the query has a capital, as in the engine.
fn find(text: &str, query: &str) -> Option<(usize, usize)> {
    if query.is_empty() {
        return None;
    }
    if query.chars().any(char::is_uppercase) {
        let start = text.find(query)?;
        return Some((start, start + query.len()));
    }
    text.char_indices().find_map(|(start, _)| {
        let tail = text.get(start..)?;
        let mut chars = tail.char_indices();
        let mut wanted = query.chars().flat_map(char::to_lowercase);
        loop {
            let Some(want) = wanted.next() else {
                let end = chars.next().map_or(tail.len(), |(at, _)| at);
                return Some((start, start + end));
            };
            let (_, have) = chars.next()?;
            let mut have = have.to_lowercase();
            if have.next() != Some(want) || have.any(|c| wanted.next() != Some(c)) {
                return None;
            }
        }
    })
}

/// The first so many characters, with an ellipsis if there are more. Rows hold no more than can be
/// seen of a title of 100 kB. What cannot be seen stands as a sign.
pub fn clipped(text: &str, chars: usize) -> AttrValue {
    match text.char_indices().nth(chars) {
        Some((at, _)) => format!("{}…", visible::text(text.get(..at).unwrap_or_default())).into(),
        None => visible::text(text).into_owned().into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_counts_only_with_a_capital() {
        assert_eq!(find("Cargo Test", "test"), Some((6, 10)));
        assert_eq!(find("cargo test", "Test"), None);
        assert_eq!(find("ÄÖ ä", "ö"), Some((2, 4)));
        assert_eq!(find("abc", "abcd"), None);
        assert_eq!(find("abc", ""), None);
    }

    #[test]
    fn clipped_by_characters() {
        assert_eq!(clipped("äöü", 3), "äöü");
        assert_eq!(clipped("äöü", 2), "äö…");
    }
}
