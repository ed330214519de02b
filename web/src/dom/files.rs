//! Files that come in: dropped, picked, pasted.

use gloo_file::{Blob, FileList};
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;
use web_sys::{DataTransfer, HtmlInputElement};

use crate::engine::protocol::OpenFile;

/// The files of a list.
pub fn of_list(list: &web_sys::FileList) -> Vec<OpenFile> {
    let files = FileList::from(list.clone());
    files.iter().map(|file| open_file(file.name(), Blob::from(file.clone()).into())).collect()
}

/// A file that was chosen.
pub fn of_file(file: &web_sys::File) -> Vec<OpenFile> {
    vec![open_file(file.name(), file.clone().into())]
}

/// Has the user choose files.
pub fn choose(then: impl FnOnce(Vec<OpenFile>) + 'static) {
    choose_by(|_| {}, |list| then(of_list(&list)));
}

fn choose_by(prepare: impl FnOnce(&HtmlInputElement), then: impl FnOnce(web_sys::FileList) + 'static) {
    let input = super::document().and_then(|document| document.create_element("input").ok());
    let Some(input) = input.and_then(|element| element.dyn_into::<HtmlInputElement>().ok()) else { return };
    input.set_type("file");
    input.set_multiple(true);
    prepare(&input);
    let chosen = input.clone();
    // It goes with the element: who chooses nothing leaves it to the browser to collect both.
    let on_change = Closure::once_into_js(move || {
        if let Some(list) = chosen.files() {
            then(list);
        }
    });
    input.set_onchange(Some(on_change.unchecked_ref()));
    input.click();
}

/// Has the user choose a folder.
pub fn choose_folder(then: impl FnOnce(super::drop::Intake) + 'static) {
    choose_by(
        |input| {
            // Only a name that is none fails.
            let _ = input.set_attribute("webkitdirectory", "");
        },
        |list| then(super::drop::of_folder(&list)),
    );
}

/// Whether folders can be chosen here.
pub fn has_folders() -> bool {
    let input = super::document().and_then(|document| document.create_element("input").ok());
    input.is_some_and(|input| js_sys::Reflect::has(&input, &"webkitdirectory".into()).unwrap_or(false))
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
    open_file(name.to_owned(), blob.into())
}

/// A file under a name.
pub fn open_file(name: String, blob: web_sys::Blob) -> OpenFile {
    OpenFile { name, blob, in_tree: false }
}
