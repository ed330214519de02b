//! The dialog into which a log is pasted.

use yew::{Html, html};

use super::dialog::Dialog;
use crate::dom;
use crate::hooks::context::Act;
use crate::state::reducer::Action;

/// The dialog into which a log is pasted.
pub fn paste(act: &Act) -> Html {
    let close = act.on(|()| Action::Dialog(None));
    let open = {
        let act = act.clone();
        move |_| {
            let text = dom::value_of("#paste").filter(|text| !text.trim().is_empty());
            if let Some(file) = text.map(|text| dom::files::of_text("pasted.jsonl", &text)) {
                act.now(Action::Open(vec![file]));
            }
        }
    };
    html! {
        <Dialog title="Paste a run log" close={close.clone()}>
            <textarea
                id="paste"
                class="paste mono"
                aria-label="Run log"
                placeholder={r#"{"type":"step_start","timestamp":…"#}
                spellcheck="false"
                autocomplete="off"
                autofocus=true
                rows="14"
            />
            <footer class="dialog-foot">
                <button type="button" class="button" onclick={close.reform(|_| ())}>{ "Cancel" }</button>
                <button type="button" class="button primary" onclick={open}>{ "Open" }</button>
            </footer>
        </Dialog>
    }
}
