//! The list of keys.

use yew::{Html, html};

use super::dialog::Dialog;
use crate::hooks::context::Act;
use crate::hooks::keys::{HELP, NTH};
use crate::state::reducer::Action;

/// The list of keys, where so many tabs are shown; none where no log is open.
pub fn help(act: &Act, tabs: usize) -> Html {
    let nth = if tabs > 0 { format!("1 – {}", tabs.min(9)) } else { NTH.to_owned() };
    let keys = HELP.iter().map(|(keys, what)| {
        let keys = if *keys == NTH { nth.as_str() } else { keys };
        let keys = keys.split("  ").map(|key| html! { <kbd>{ key.to_owned() }</kbd> });
        html! { <><dt>{ for keys }</dt><dd>{ *what }</dd></> }
    });
    html! {
        <Dialog title="Keys" close={act.on(|()| Action::Dialog(None))}>
            <dl class="keys">{ for keys }</dl>
        </Dialog>
    }
}
