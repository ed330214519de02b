//! What the user takes away as files.

use gloo_file::Blob;
use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, Url};

/// How long the browser may take to read a text that it saves.
const READING_MS: i32 = 10_000;

/// Saves a text under a name.
pub fn text(name: &str, text: &str) {
    let blob: web_sys::Blob = Blob::new(text).into();
    if let Ok(address) = Url::create_object_url_with_blob(&blob) {
        at(&address, name, READING_MS);
    }
}

/// Saves what is at an address under a name; the address is given back after so many milliseconds.
pub fn at(address: &str, name: &str, after_ms: i32) {
    let link = super::document().and_then(|document| Some((document.create_element("a").ok()?, document.body()?)));
    if let Some((link, body)) = link
        && link.set_attribute("href", address).is_ok()
        && link.set_attribute("download", name).is_ok()
        && body.append_child(&link).is_ok()
        && let Some(element) = link.dyn_ref::<HtmlElement>()
    {
        element.click();
        link.remove();
    }
    let address = address.to_owned();
    // Only then: the browser may still be reading it.
    std::mem::forget(super::timer::after(after_ms, move || {
        let _ = Url::revoke_object_url(&address);
    }));
}
