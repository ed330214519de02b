//! What comes in through the window: dropped and pasted logs, and the system's theme.

use wasm_bindgen_futures::spawn_local;
use web_sys::wasm_bindgen::JsCast;
use web_sys::{ClipboardEvent, DragEvent, Element, Event};
use yew::{UseStateSetter, hook, use_effect_with, use_state};

use super::context::Dispatch;
use crate::dom;
use crate::dom::listen::{Listener, listen};
use crate::state::follow::FollowAction;
use crate::state::reducer::Action;

/// Where something is dragged over the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Over {
    /// Where it is opened.
    Open,
    /// Where it is added to what is open.
    Add,
}

/// What an element says on which dropped files are added to those that are open.
const ADDS: &str = "[data-drop=add]";

/// Hears drops and pastes anywhere on the page. Something while something is dragged over it.
#[hook]
pub fn use_window(dispatch: &Dispatch) -> Option<Over> {
    let dragged = use_state(|| None);
    let set = dragged.setter();
    let dispatch = dispatch.clone();
    use_effect_with((), move |()| {
        dom::theme::apply();
        let listeners = (dom::theme::follow(), listeners(&dispatch, &set));
        move || drop(listeners)
    });
    *dragged
}

fn listeners(dispatch: &Dispatch, set: &UseStateSetter<Option<Over>>) -> Vec<Listener> {
    let Some(document) = dom::document() else {
        return Vec::new();
    };
    let (over, leave, ends) = (set.clone(), set.clone(), set.clone());
    let (drops, pastes) = (dispatch.clone(), dispatch.clone());
    vec![
        listen(&document, "dragover", move |event| {
            if is_openable(&event) {
                event.prevent_default();
                over.set(Some(place_of(&event)));
            }
        }),
        listen(&document, "dragleave", move |event| {
            // Between two elements of the page there is a related one.
            let is_out = event.dyn_ref::<DragEvent>().is_none_or(|drag| drag.related_target().is_none());
            if is_out {
                leave.set(None);
            }
        }),
        listen(&document, "drop", move |event| {
            ends.set(None);
            event.prevent_default();
            let transfer = event.dyn_ref::<DragEvent>().and_then(DragEvent::data_transfer);
            if let Some(transfer) = transfer {
                let (place, drops) = (place_of(&event), drops.clone());
                let (sources, says) = (dom::source::of_drop(&transfer), drops.clone());
                spawn_local(async move {
                    let sources = sources.await;
                    says.dispatch(Action::Follow(FollowAction::Sources(sources)));
                });
                dom::drop::take(&transfer, move |intake| {
                    drops.dispatch(match place {
                        Over::Open => Action::Open(intake.files),
                        Over::Add => Action::Add(intake.files),
                    });
                    if intake.note.is_some() {
                        drops.dispatch(Action::Say(intake.note));
                    }
                });
            }
        }),
        listen(&document, "paste", move |event| {
            if is_in_field(&event) {
                return;
            }
            let data = event.dyn_ref::<ClipboardEvent>().and_then(ClipboardEvent::clipboard_data);
            if let Some(data) = data {
                pastes.dispatch(Action::Open(dom::files::of_transfer(&data)));
            }
        }),
    ]
}

fn place_of(event: &Event) -> Over {
    let target = event.target().and_then(|t| t.dyn_into::<Element>().ok());
    let adds = target.is_some_and(|element| element.closest(ADDS).is_ok_and(|e| e.is_some()));
    if adds { Over::Add } else { Over::Open }
}

fn is_openable(event: &Event) -> bool {
    let transfer = event.dyn_ref::<DragEvent>().and_then(DragEvent::data_transfer);
    transfer.is_some_and(|transfer| dom::files::is_openable(&transfer))
}

fn is_in_field(event: &Event) -> bool {
    let target = event.target().and_then(|t| t.dyn_into::<Element>().ok());
    target.is_some_and(|element| element.closest("input, textarea, dialog").is_ok_and(|e| e.is_some()))
}
