//! Files that come in: dropped, picked, pasted.

use gloo_file::{Blob, FileList};
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
