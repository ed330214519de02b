//! The dialog into which a log is pasted.

use web_sys::HtmlTextAreaElement;
use yew::{Html, component, html, use_node_ref};

use super::dialog::Dialog;
use crate::dom;
use crate::hooks::context::use_act;
use crate::state::reducer::Action;

/// The dialog into which a log is pasted.
#[component]
pub fn Paste() -> Html {
    let act = use_act();
    let text = use_node_ref();
    let open = {
        let (act, text) = (act.clone(), text.clone());
        move |_| {
            let text = text.cast::<HtmlTextAreaElement>().map(|area| area.value());
            let text = text.filter(|text| !text.trim().is_empty());
            if let Some(file) = text.and_then(|text| dom::files::of_text("pasted.jsonl", &text)) {
                act.now(Action::Open(vec![file]));
            }
        }
    };
    let close = act.on(|()| Action::Dialog(None));
    html! {
        <Dialog title="Paste a run log" close={close.clone()}>
            <textarea
                ref={text}
                class="paste mono"
                aria-label="Run log"
                placeholder={r#"{"type":"step_start","timestamp":…"#}
                spellcheck="false"
                autocomplete="off"
                rows="14"
            />
            <footer class="dialog-foot">
                <button type="button" class="button" onclick={close.reform(|_| ())}>{ "Cancel" }</button>
                <button type="button" class="button primary" onclick={open}>{ "Open" }</button>
            </footer>
        </Dialog>
    }
}
