//! Files that come in: dropped, picked, pasted.

use gloo_file::{Blob, FileList};
use wasm_bindgen::JsCast;
use web_sys::DataTransfer;

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

/// A text as a file, so that it takes the same way as one.
pub fn of_text(name: &str, text: &str) -> OpenFile {
    let blob = Blob::new_with_options(text, Some("application/x-ndjson"));
    OpenFile { name: name.to_owned(), blob: blob.into() }
}

/// Offers a text as a file to save.
pub fn save(name: &str, text: &str) {
    let blob: web_sys::Blob = Blob::new_with_options(text, Some("text/markdown")).into();
    let Ok(url) = web_sys::Url::create_object_url_with_blob(&blob) else { return };
    let link = super::document().and_then(|document| document.create_element("a").ok());
    if let Some(link) = link.and_then(|link| link.dyn_into::<web_sys::HtmlElement>().ok()) {
        // Only names that are none fail.
        let _ = link.set_attribute("href", &url);
        let _ = link.set_attribute("download", name);
        link.click();
    }
    // The browser takes the bytes in its own time.
    let revoke = super::timer::after(10_000, move || {
        let _ = web_sys::Url::revoke_object_url(&url);
    });
    std::mem::forget(revoke);
}
