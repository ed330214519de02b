//! Files that come in: dropped, picked, pasted.

use gloo_file::{Blob, FileList};
use web_sys::wasm_bindgen::JsCast;
use web_sys::{DataTransfer, HtmlElement, Url};

use crate::engine::protocol::OpenFile;

/// The files of a list.
pub fn of_list(list: &web_sys::FileList) -> Vec<OpenFile> {
    let files = FileList::from(list.clone());
    files.iter().map(|file| OpenFile { name: file.name(), blob: Blob::from(file.clone()).into() }).collect()
}

/// The files of a drop or of the clipboard, else its text as a file.
pub fn of_transfer(transfer: &DataTransfer) -> Vec<OpenFile> {
    let files = transfer.files().map(|list| of_list(&list)).unwrap_or_default();
    if !files.is_empty() {
        return files;
    }
    match transfer.get_data("text/plain") {
        Ok(text) if !text.trim().is_empty() => vec![of_text("pasted.jsonl", &text)],
        _ => Vec::new(),
    }
}

/// Whether a drag holds something that can be opened.
pub fn is_openable(transfer: &DataTransfer) -> bool {
    let types = transfer.types();
    types.includes(&"Files".into(), 0) || types.includes(&"text/plain".into(), 0)
}

/// Saves what is at an address under a name; the address is given back after so many milliseconds.
pub fn save(address: &str, name: &str, after_ms: i32) {
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

/// A text as a file, so that it takes the same way as one.
pub fn of_text(name: &str, text: &str) -> OpenFile {
    let blob = Blob::new_with_options(text, Some("application/x-ndjson"));
    OpenFile { name: name.to_owned(), blob: blob.into() }
}

/// How long the browser may take to read a text that it saves.
const SAVING_MS: i32 = 10_000;

/// Saves a text under a name.
pub fn save_text(name: &str, text: &str) {
    let blob: web_sys::Blob = Blob::new_with_options(text, Some("text/markdown")).into();
    if let Ok(address) = Url::create_object_url_with_blob(&blob) {
        save(&address, name, SAVING_MS);
    }
}
