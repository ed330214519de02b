//! Texts that the user takes away as files.

use js_sys::Array;
use wasm_bindgen::JsCast;
use web_sys::{Blob, HtmlAnchorElement, Url};

/// Gives a text to the browser to be saved under a name.
pub fn text(name: &str, text: &str) -> Option<()> {
    let blob = Blob::new_with_str_sequence(&Array::of1(&text.into())).ok()?;
    let address = Url::create_object_url_with_blob(&blob).ok()?;
    let link: HtmlAnchorElement = super::document()?.create_element("a").ok()?.dyn_into().ok()?;
    link.set_href(&address);
    link.set_download(name);
    link.click();
    // The browser has taken its own hold of the blob by the next turn.
    let later = super::timer::after(1000, move || {
        let _ = Url::revoke_object_url(&address);
    });
    std::mem::forget(later);
    Some(())
}
