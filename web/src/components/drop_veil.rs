//! What is seen while files are dragged over the page: where they are opened, and where they are added.

use yew::{Html, classes, html};

use super::icon::icon;
use crate::hooks::window::Over;

/// Two places beside each other while a log is open, else one.
pub fn drop_veil(over: Over, is_loaded: bool) -> Html {
    let place = |this: Over, name: &'static str, word: &'static str, note: &'static str| {
        html! {
            <div class={classes!("drop-place", (over == this).then_some("is-over"))} data-drop={name}>
                <p class="drop-place-word">{ icon(if this == Over::Add { "add" } else { "drop" }) }{ word }</p>
                <p>{ note }</p>
            </div>
        }
    };
    html! {
        <div class={classes!("drop-veil", is_loaded.then_some("is-split"))} aria-hidden="true">
            if is_loaded {
                { place(Over::Open, "open", "Open instead", "What is open is closed") }
                { place(Over::Add, "add", "Add to this run", "Its export, its children, or other runs beside it") }
            } else {
                { place(Over::Open, "open", "Drop to open", "Files or a folder") }
            }
        </div>
    }
}
