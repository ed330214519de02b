//! What this browser keeps for the page. It may forbid that: then nothing is kept.

const PREFIX: &str = "steplens.";

/// Keeps a text under a name, or forgets it.
pub fn keep(name: &str, text: Option<&str>) {
    let Some(storage) = storage() else { return };
    let key = format!("{PREFIX}{name}");
    // What does not fit is not kept.
    let _ = match text {
        Some(text) => storage.set_item(&key, text),
        None => storage.remove_item(&key),
    };
}

/// The text that is kept under a name.
pub fn kept(name: &str) -> Option<String> {
    storage()?.get_item(&format!("{PREFIX}{name}")).ok().flatten()
}

fn storage() -> Option<web_sys::Storage> {
    super::window()?.local_storage().ok().flatten()
}
