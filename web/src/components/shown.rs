//! Text of a log on the page. Every view shows it through [`shown`]: it makes visible what cannot be seen, and marks
//! stretches: hits of the search, words that changed.

use std::ops::Range;

use yew::{Html, html};

use crate::text::visible::{self, Piece};

/// Why a stretch of text is marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// The search found it.
    Hit,
    /// The search found it, and the reader is there.
    HitHere,
    /// It is what changed in its line.
    Changed,
}

/// A marked stretch, in bytes of the text.
pub type Mark = (Range<usize>, Why);

/// A text of the log with its marks. They are in order, and none lies over another; one that is not on the bounds of
/// characters is passed over.
///
/// To mark hits in any rendering: find them in the text that is handed over here, and hand their ranges over with it.
pub fn shown(text: &str, marks: &[Mark]) -> Html {
    if marks.is_empty() {
        return visible(text);
    }
    let mut parts = Vec::with_capacity(marks.len() * 2 + 1);
    let mut at = 0;
    for (range, why) in marks {
        let (Some(before), Some(inside)) = (text.get(at..range.start), text.get(range.clone())) else { continue };
        parts.push(visible(before));
        let inside = visible(inside);
        parts.push(match why {
            Why::Hit => html! { <mark>{ inside }</mark> },
            Why::HitHere => html! { <mark class="here">{ inside }</mark> },
            Why::Changed => html! { <b class="word">{ inside }</b> },
        });
        at = range.end;
    }
    parts.push(visible(text.get(at..).unwrap_or_default()));
    html! { <>{ for parts }</> }
}

/// A text of the log without marks.
fn visible(text: &str) -> Html {
    let pieces = visible::pieces(text);
    if let [] | [Piece::Plain(_)] = pieces.as_slice() {
        return html! { { text.to_owned() } };
    }
    let shown = pieces.into_iter().map(|piece| match piece {
        Piece::Plain(text) => html! { { text.to_owned() } },
        Piece::Hidden(c, sign) => html! { <span class="unseeable" title={visible::name(c)}>{ sign }</span> },
    });
    html! { <>{ for shown }</> }
}
