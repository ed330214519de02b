//! What is asked before the log of a watched agent, which is not saved, gives way to another.

use yew::{Callback, Html, MouseEvent, html};

use super::dialog::Dialog;
use super::live_bar::save;
use crate::hooks::context::Act;
use crate::state::State;
use crate::state::reducer::Action;
use crate::text::number::count;

/// How many of the files are named.
const NAMED: usize = 3;

/// The dialog.
pub fn leave(state: &State, act: &Act) -> Html {
    let (Some(live), Some(held)) = (&state.live, &state.held) else { return Html::default() };
    let names: Vec<&str> = held.files.iter().take(NAMED).map(|file| file.name.as_str()).collect();
    let more = (held.files.len() - names.len()) as u64;
    let mut names = names.join(", ");
    if more > 0 {
        names.push_str(&format!(" and {}", count(more, "more file", "more files")));
    }
    let blob = state.files.iter().find(|file| file.name == live.file).map(|file| file.blob.clone());
    let keep = act.on(|()| Action::Dialog(None));
    let saving: Callback<MouseEvent> = {
        let (act, name) = (act.clone(), live.file.clone());
        Callback::from(move |_| {
            if let Some(blob) = &blob {
                save(blob, &name);
            }
            act.now(Action::OpenHeld);
        })
    };
    let word = if live.is_over() { "Keep it" } else { "Keep watching" };
    html! {
        <Dialog title="The watched log is not saved" close={keep.clone()}>
            <p>
                { format!("{} came from {}, and ", count(live.events, "event", "events"), live.server) }
                { if live.saved > 0 { "not all of them are saved. " } else { "they are saved nowhere. " } }
                { "They are gone from this page once another log is open" }
                { if live.is_over() { "." } else { ", and the agent is not watched any longer." } }
            </p>
            <p class="break">{ "To be opened: " }<strong>{ names }</strong></p>
            <footer class="dialog-foot">
                <button type="button" class="button" onclick={act.on(|_| Action::OpenHeld)}>{ "Open without saving" }</button>
                <button type="button" class="button" onclick={saving}>{ "Save it and open" }</button>
                <button type="button" class="button primary" onclick={keep.reform(|_| ())}>{ word }</button>
            </footer>
        </Dialog>
    }
}
