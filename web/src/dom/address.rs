//! The URL's fragment and the browser's history.

use wasm_bindgen::JsValue;

/// The fragment, still encoded; empty if there is none.
pub fn fragment() -> String {
    super::window().and_then(|w| w.location().hash().ok()).unwrap_or_default()
}

/// Writes the fragment: as a new entry of the history, or in place of the current one.
pub fn write(fragment: &str, as_new_entry: bool) {
    let Some(window) = super::window() else { return };
    let (Ok(history), location) = (window.history(), window.location()) else { return };
    let path = location.pathname().unwrap_or_default() + &location.search().unwrap_or_default();
    let url = match fragment {
        "" => path,
        fragment => format!("{path}#{fragment}"),
    };
    // Browsers refuse when a page writes too often: the next write brings it up to date.
    let _ = if as_new_entry {
        history.push_state_with_url(&JsValue::NULL, "", Some(&url))
    } else {
        history.replace_state_with_url(&JsValue::NULL, "", Some(&url))
    };
}

/// The page's own address, without its fragment.
pub fn page() -> String {
    let address = super::window().and_then(|window| window.location().href().ok()).unwrap_or_default();
    address.split('#').next().unwrap_or_default().to_owned()
}

/// Whether only this machine reaches that address.
pub fn is_local(address: &str) -> bool {
    let Ok(url) = web_sys::Url::new(address) else { return false };
    url.protocol() == "file:" || matches!(url.hostname().as_str(), "localhost" | "127.0.0.1" | "[::1]")
}
