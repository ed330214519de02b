//! The browser: what the page needs of it, and nothing else uses `web-sys` for these things.

pub mod address;
pub mod clipboard;
pub mod clock;
pub mod drop;
pub mod files;
pub mod folder;
pub mod highlight;
pub mod hosted;
pub mod last;
pub mod listen;
pub mod memory;
pub mod object;
pub mod resize;
pub mod save;
pub mod single;
pub mod source;
pub mod theme;
pub mod timer;
pub mod viewer;
pub mod zip;

use wasm_bindgen::JsCast;
use web_sys::{Document, Element, Event, FocusOptions, HtmlElement, HtmlTextAreaElement, Window};

/// The window. The page runs in one.
pub fn window() -> Option<Window> {
    web_sys::window()
}

/// The document.
pub fn document() -> Option<Document> {
    window()?.document()
}

/// The element that the keyboard speaks to.
pub fn active() -> Option<Element> {
    document()?.active_element()
}

/// Loads the page anew: by its service worker where a new version waits with it.
pub fn reload() {
    if is_there("html[data-renewal]") {
        return say("steplens-renew");
    }
    if let Some(window) = window() {
        // Only fails where a page may not navigate itself.
        let _ = window.location().reload();
    }
}

/// Whether the keyboard speaks to something inside the element that the selector names.
pub fn is_focus_within(selector: &str) -> bool {
    active().is_some_and(|element| element.closest(selector).is_ok_and(|e| e.is_some()))
}

/// Brings the first element that the selector names into sight. The keyboard stays where it is.
pub fn reveal(selector: &str) {
    if let Some(element) = document().and_then(|d| d.query_selector(selector).ok().flatten()) {
        element.scroll_into_view();
    }
}

/// Brings the first element that the selector names into sight, and gives it the keyboard.
pub fn show(selector: &str) {
    reveal(selector);
    focus(selector);
}

/// Gives the keyboard to the first element that the selector names. Nothing scrolls.
pub fn focus(selector: &str) -> bool {
    let found = document().and_then(|d| d.query_selector(selector).ok().flatten());
    let Some(element) = found.and_then(|e| e.dyn_into::<HtmlElement>().ok()) else {
        return false;
    };
    let options = FocusOptions::new();
    options.set_prevent_scroll(true);
    element.focus_with_options(&options).is_ok()
}

/// What was typed into the text area that the selector names.
pub fn value_of(selector: &str) -> Option<String> {
    let found = document()?.query_selector(selector).ok().flatten()?;
    Some(found.dyn_into::<HtmlTextAreaElement>().ok()?.value())
}

/// Whether a selector finds anything.
pub fn is_there(selector: &str) -> bool {
    document().is_some_and(|d| d.query_selector(selector).is_ok_and(|e| e.is_some()))
}

/// Whether a media query holds.
pub fn is_media(query: &str) -> bool {
    window().and_then(|w| w.match_media(query).ok().flatten()).is_some_and(|list| list.matches())
}

/// Says on the root element how the page stands: `empty`, `loading`, `ready`, `failed`.
pub fn set_state(state: &str) {
    set_on_root("data-state", state);
}

/// Sets an attribute of the root element.
pub fn set_on_root(name: &str, value: &str) {
    if let Some(root) = document().and_then(|d| d.document_element()) {
        // Only a name that is none fails.
        let _ = root.set_attribute(name, value);
    }
}

/// Says something to `boot.js`, by an event of the window.
pub fn say(name: &str) {
    if let (Some(window), Ok(event)) = (window(), Event::new(name)) {
        // Only an event that is under way already fails.
        let _ = window.dispatch_event(&event);
    }
}

/// Sets the window's title.
pub fn set_title(title: &str) {
    if let Some(document) = document() {
        document.set_title(title);
    }
}
