//! The keyboard: what each key does, and when it is left to what has the focus.

use wasm_bindgen::JsCast;
use web_sys::{Element, KeyboardEvent};
use yew::{hook, use_effect_with};

use super::context::Dispatch;
use crate::dom;
use crate::dom::listen::listen;
use crate::engine::protocol::{Fold, Target};
use crate::state::Dialog;
use crate::state::reducer::Action;
use crate::state::route::Tab;

/// Selector of the list of events.
pub const EVENTS: &str = "#events";
/// Selector of the detail pane.
pub const DETAIL: &str = "#detail";
/// Selector of the search box.
pub const SEARCH: &str = "#search";
/// Selector of the first filter chip.
pub const CHIP: &str = "#chips button";

/// How the list of keys names those of the tabs; the help says up to which they go.
pub const NTH: &str = "1 – 9";

/// The keys and what they do, as the help lists them.
pub const HELP: [(&str, &str); 19] = [
    ("j  ↓", "Next event"),
    ("k  ↑", "Previous event"),
    ("g  Home", "First event"),
    ("G  End", "Last event"),
    ("PageDown  PageUp", "Twenty events on, or back"),
    ("n", "Next hit while a search is open, else next failure"),
    ("N", "Previous hit, else previous failure"),
    ("←  →", "Fold the step of the selected event, unfold it"),
    ("[  ]", "Fold all steps, unfold all"),
    ("Enter", "Go to the event's detail"),
    ("Esc", "Back: close, leave the detail, deselect"),
    ("/", "Search events"),
    ("f", "Filter by kind and outcome"),
    (NTH, "The tab with that number, as they stand"),
    ("s", "Share the run"),
    ("t", "Light or dark"),
    ("←  →  PageUp  PageDown", "On the overview: move; Enter goes to the nearest event"),
    ("Shift ←  Shift →", "On the overview: only that stretch; Esc shows all"),
    ("?", "This list"),
];

/// Rows that a page key moves.
const PAGE: i64 = 20;

/// Hears the keys.
#[hook]
pub fn use_keys(dispatch: &Dispatch) {
    let dispatch = dispatch.clone();
    use_effect_with((), move |()| {
        let listener = dom::document().map(|document| {
            listen(&document, "keydown", move |event| {
                if let Some(event) = event.dyn_ref::<KeyboardEvent>() {
                    pressed(event, &dispatch);
                }
            })
        });
        move || drop(listener)
    });
}

/// The key that was pressed, where it is one for the list with that selector, and not for what has the focus.
pub fn key_for(event: &KeyboardEvent, list: &str) -> Option<String> {
    if event.ctrl_key() || event.meta_key() || event.alt_key() {
        return None;
    }
    let target = event.target().and_then(|t| t.dyn_into::<Element>().ok());
    let is_within =
        |selector: &str| target.as_ref().is_some_and(|element| element.closest(selector).is_ok_and(|e| e.is_some()));
    if is_within("input, textarea, select, dialog[open], [role=dialog]") || dom::is_there("dialog[open]") {
        return None;
    }
    let key = event.key();
    // These belong to the element that has the focus, unless that is the list or none at all.
    let is_shared = matches!(
        key.as_str(),
        "ArrowDown" | "ArrowUp" | "ArrowLeft" | "ArrowRight" | "Home" | "End" | "PageDown" | "PageUp" | "Enter"
    );
    if is_shared && !is_within(list) && !target.as_ref().is_some_and(is_page) {
        return None;
    }
    // The head of a step is pressed with it.
    if key == "Enter" && is_within("#events button") {
        return None;
    }
    Some(key)
}

fn pressed(event: &KeyboardEvent, dispatch: &Dispatch) {
    let Some(key) = key_for(event, EVENTS).filter(|_| !event.default_prevented()) else { return };
    let go = |target: Target| {
        dom::focus(EVENTS);
        dispatch.dispatch(Action::Go { target, is_held: event.repeat() });
    };
    match key.as_str() {
        "j" | "ArrowDown" => go(Target::By(1)),
        "k" | "ArrowUp" => go(Target::By(-1)),
        "g" | "Home" => go(Target::First),
        "G" | "End" => go(Target::Last),
        "ArrowLeft" => go(Target::Fold(Fold::Here(true))),
        "ArrowRight" => go(Target::Fold(Fold::Here(false))),
        "[" => go(Target::Fold(Fold::All(true))),
        "]" => go(Target::Fold(Fold::All(false))),
        "PageDown" => go(Target::By(PAGE)),
        "PageUp" => go(Target::By(-PAGE)),
        "n" => dispatch.dispatch(Action::Next(true)),
        "N" => dispatch.dispatch(Action::Next(false)),
        "Enter" => {
            dispatch.dispatch(Action::Sheet(true));
            if !dom::focus("#detail [role=tab][aria-selected=true]") {
                dom::focus("#detail .detail-panel");
            }
        }
        "Escape" => escape(dispatch),
        "/" => {
            dom::focus(SEARCH);
        }
        "f" => {
            dispatch.dispatch(Action::Tab(Tab::Timeline));
            // The chips are drawn only then.
            let timer = dom::timer::after(0, || {
                dom::focus(CHIP);
            });
            std::mem::forget(timer);
        }
        digit if nth(digit).is_some() => dispatch.dispatch(Action::NthTab(nth(digit).unwrap_or_default())),
        "?" => dispatch.dispatch(Action::Dialog(Some(Dialog::Help))),
        "s" => dispatch.dispatch(Action::Dialog(Some(Dialog::Share))),
        "t" => dom::theme::toggle(),
        _ => return,
    }
    event.prevent_default();
}

fn is_page(element: &Element) -> bool {
    matches!(element.tag_name().as_str(), "BODY" | "HTML")
}

/// One step back: from the detail to the list, then to no selection.
fn escape(dispatch: &Dispatch) {
    if dom::is_focus_within(DETAIL) {
        dispatch.dispatch(Action::Sheet(false));
        dom::focus(EVENTS);
    } else {
        dispatch.dispatch(Action::Deselect);
    }
}

/// The place that a digit names, which counts from 1.
fn nth(key: &str) -> Option<usize> {
    key.parse::<usize>().ok()?.checked_sub(1)
}
