//! The kinds of which something was found.

use steplens_core::redact::{Group, Kind};
use yew::{Callback, Html, MouseEvent, html};

use crate::engine::review::{ReviewAsk, ReviewHead};
use crate::text::number::grouped;
use crate::text::sentence::sentence;

/// A kind in a few words, as the head of a list: `GitHub token`.
pub fn name_of(kind: Kind) -> String {
    if kind.group() == Group::Assigned {
        // It is secret by the name that stands before it.
        return sentence(&kind.name().replace('-', " "));
    }
    let about = kind.about();
    let bare = about.strip_prefix("a ").or_else(|| about.strip_prefix("an ")).unwrap_or(about);
    sentence(bare)
}

/// The kinds, to choose one to list.
pub fn kinds(head: &ReviewHead, ask: &Callback<ReviewAsk>) -> Html {
    let (found, masked) = head.total();
    let item = |kind: Option<Kind>, name: String, found: u64, masked: u64| {
        let ask = ask.clone();
        let onclick = Callback::from(move |_: MouseEvent| ask.emit(ReviewAsk::Show(kind)));
        let is_chosen = head.shown == kind;
        html! {
            <li>
                <button type="button" class="share-kind" aria-pressed={is_chosen.to_string()} {onclick}>
                    <span class="share-kind-name">{ name }</span>
                    <span class="share-kind-count" title={format!("{masked} of {found} are masked")}>
                        if masked < found {
                            <span class="ink-warn">{ format!("{}/", grouped(masked)) }</span>
                        }
                        { grouped(found) }
                    </span>
                </button>
            </li>
        }
    };
    let each = head.kinds.iter().map(|of| item(Some(of.kind), name_of(of.kind), of.found, of.masked));
    html! {
        <nav class="share-kinds" aria-label="Kinds of findings">
            <ul class="plain">
                { item(None, "All".to_owned(), found, masked) }
                { for each }
            </ul>
        </nav>
    }
}
