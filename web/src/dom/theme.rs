//! Light or dark: what the system says, unless the user said otherwise on this page.

use super::listen::{Listener, listen};

const KEY: &str = "steplens.theme";
const DARK_QUERY: &str = "(prefers-color-scheme: dark)";

/// Whether the page is dark now.
pub fn is_dark() -> bool {
    match chosen().as_deref() {
        Some("dark") => true,
        Some("light") => false,
        _ => super::is_media(DARK_QUERY),
    }
}

/// Puts the theme on the page.
pub fn apply() {
    super::set_on_root("data-theme", if is_dark() { "dark" } else { "light" });
}

/// Changes to the other theme. Back at what the system says, the page follows the system again.
pub fn toggle() {
    let dark = !is_dark();
    let word = if dark { "dark" } else { "light" };
    // A browser may forbid storage: then the choice lasts as long as the page.
    if let Some(storage) = storage() {
        let _ =
            if dark == super::is_media(DARK_QUERY) { storage.remove_item(KEY) } else { storage.set_item(KEY, word) };
    }
    super::set_on_root("data-theme", word);
}

/// Follows the system until the listener is dropped.
pub fn follow() -> Option<Listener> {
    let list = super::window()?.match_media(DARK_QUERY).ok().flatten()?;
    Some(listen(&list, "change", |_| apply()))
}

fn chosen() -> Option<String> {
    storage()?.get_item(KEY).ok().flatten()
}

fn storage() -> Option<web_sys::Storage> {
    super::window()?.local_storage().ok().flatten()
}
