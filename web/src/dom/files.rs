//! Files that come in: dropped, picked, pasted.

use js_sys::Array;
use web_sys::{Blob, BlobPropertyBag, DataTransfer, FileList};

use crate::engine::protocol::OpenFile;

/// The files of a list.
pub fn of_list(list: &FileList) -> Vec<OpenFile> {
    let files = (0..list.length()).filter_map(|index| list.get(index));
    files.map(|file| OpenFile { name: file.name(), blob: file.into() }).collect()
}

/// The files of a drop or of the clipboard, else its text as a file.
pub fn of_transfer(transfer: &DataTransfer) -> Vec<OpenFile> {
    let files = transfer.files().map(|list| of_list(&list)).unwrap_or_default();
    if !files.is_empty() {
        return files;
    }
    match transfer.get_data("text/plain") {
        Ok(text) if !text.trim().is_empty() => of_text("pasted.jsonl", &text).into_iter().collect(),
        _ => Vec::new(),
    }
}

/// Whether a drag holds something that can be opened.
pub fn is_openable(transfer: &DataTransfer) -> bool {
    let types = transfer.types();
    types.includes(&"Files".into(), 0) || types.includes(&"text/plain".into(), 0)
}

/// A text as a file, so that it takes the same way as one.
pub fn of_text(name: &str, text: &str) -> Option<OpenFile> {
    let bag = BlobPropertyBag::new();
    bag.set_type("application/x-ndjson");
    let blob = Blob::new_with_str_sequence_and_options(&Array::of1(&text.into()), &bag).ok()?;
    Some(OpenFile { name: name.to_owned(), blob })
}
