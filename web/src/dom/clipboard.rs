//! The clipboard.

use wasm_bindgen::JsCast;
use wasm_bindgen_futures::{JsFuture, spawn_local};

/// Copies a text; `then` hears whether it worked.
pub fn copy(text: String, then: impl FnOnce(bool) + 'static) {
    spawn_local(async move {
        let Some(window) = super::window() else { return };
        let navigator = window.navigator();
        // Only there on pages that came over a safe connection.
        let is_there = js_sys::Reflect::has(navigator.unchecked_ref(), &"clipboard".into());
        let done = if is_there.unwrap_or(false) {
            JsFuture::from(navigator.clipboard().write_text(&text)).await.is_ok()
        } else {
            false
        };
        then(done);
    });
}
