//! The list of keys.

use yew::{Html, html};

use super::dialog::Dialog;
use crate::hooks::context::Act;
use crate::hooks::keys::HELP;
use crate::state::reducer::Action;

/// The list of keys.
pub fn help(act: &Act) -> Html {
    let keys = HELP.iter().map(|(keys, what)| {
        let keys = keys.split("  ").map(|key| html! { <kbd>{ key }</kbd> });
        html! { <><dt>{ for keys }</dt><dd>{ *what }</dd></> }
    });
    html! {
        <Dialog title="Keys" close={act.on(|()| Action::Dialog(None))}>
            <dl class="keys">{ for keys }</dl>
        </Dialog>
    }
}
