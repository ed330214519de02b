//! The list of keys.

use yew::{Html, component, html};

use super::dialog::Dialog;
use crate::hooks::context::use_act;
use crate::hooks::keys::HELP;
use crate::state::reducer::Action;

/// The list of keys.
#[component]
pub fn Help() -> Html {
    let act = use_act();
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
