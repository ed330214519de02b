//! Files and folders of a drop. A folder is walked where the browser shows what is in it; of a storage tree only the
//! documents are taken, in the order of the command line.

use std::collections::HashSet;

use js_sys::{Array, Reflect};
use steplens_core::tree::{self, MOST_FILES};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::spawn_local;
use web_sys::{DataTransfer, File};

use super::files;
use super::object::{call, get, promised, text};
use crate::engine::protocol::OpenFile;
use crate::text::number::count;

/// Folders that hold no logs and very many files.
const PASSED_OVER: [&str; 2] = [".git", "node_modules"];

/// What came in, and what has to be said of it.
#[derive(Debug, Default)]
pub struct Intake {
    /// The files.
    pub files: Vec<OpenFile>,
    /// What is not among them, and why.
    pub note: Option<String>,
}

/// A file, and where it lay: `FOLDER/…/NAME`, or its name alone where it came by itself.
struct Found {
    path: String,
    file: File,
}

/// Takes what is dropped. `then` is called at once where no folder is among it.
pub fn take(transfer: &DataTransfer, then: impl FnOnce(Intake) + 'static) {
    let entries = entries(transfer);
    if !entries.iter().any(|entry| is(entry, "isDirectory")) {
        return then(Intake { files: files::of_transfer(transfer), note: None });
    }
    spawn_local(async move {
        let mut walk = Walk { waiting: entries, ..Walk::default() };
        walk.go().await;
        then(arrange(walk.found, walk.unread));
    });
}

/// The files of a folder that was chosen, with their paths in it.
pub fn of_folder(list: &web_sys::FileList) -> Intake {
    let found = (0..list.length()).filter_map(|place| {
        let file = list.get(place)?;
        let path = text(&file, "webkitRelativePath").filter(|path| !path.is_empty()).unwrap_or_else(|| file.name());
        Some(Found { path, file })
    });
    arrange(found.collect(), 0)
}

/// The entries of a drop. They can only be had while the event is heard.
fn entries(transfer: &DataTransfer) -> Vec<JsValue> {
    let Ok(items) = Reflect::get(transfer, &"items".into()) else { return Vec::new() };
    let length = Reflect::get(&items, &"length".into()).ok().and_then(|length| length.as_f64()).unwrap_or(0.0);
    let entry = |place: u32| {
        let item = Reflect::get_u32(&items, place).ok()?;
        let entry = call(&item, "webkitGetAsEntry", &Array::new())?;
        entry.is_object().then_some(entry)
    };
    (0..length as u32).filter_map(entry).collect()
}

#[derive(Default)]
struct Walk {
    waiting: Vec<JsValue>,
    found: Vec<Found>,
    /// How many files and folders could not be read.
    unread: u64,
}

impl Walk {
    async fn go(&mut self) {
        while let Some(entry) = self.waiting.pop() {
            let path = text(&entry, "fullPath").unwrap_or_default();
            let path = path.trim_start_matches('/').to_owned();
            if is(&entry, "isDirectory") {
                let name = path.rsplit('/').next().unwrap_or_default();
                if !PASSED_OVER.contains(&name) && self.list(&entry).await.is_none() {
                    self.unread += 1;
                }
            } else {
                match promised(&entry, "file").await.map(|file| file.unchecked_into()) {
                    Some(file) => self.found.push(Found { path, file }),
                    None => self.unread += 1,
                }
            }
        }
    }

    /// What is in a folder; the browser hands it out in pieces, the last of which is empty.
    async fn list(&mut self, entry: &JsValue) -> Option<()> {
        let reader = call(entry, "createReader", &Array::new())?;
        loop {
            let piece: Array = promised(&reader, "readEntries").await?.unchecked_into();
            if piece.length() == 0 {
                return Some(());
            }
            self.waiting.extend(piece.iter());
        }
    }
}

/// Takes the documents of a storage tree where there is one, else every file.
fn arrange(mut found: Vec<Found>, unread: u64) -> Intake {
    found.sort_by(|a, b| a.path.cmp(&b.path));
    // The folder that was dropped is the tree, or holds it.
    let within = |path: &str| path.split_once('/').map_or_else(|| path.to_owned(), |(_, rest)| rest.to_owned());
    let whole: Vec<String> = found.iter().map(|file| file.path.clone()).collect();
    let inner: Vec<String> = whole.iter().map(|path| within(path)).collect();
    let mut documents = tree::documents(&whole);
    if documents.is_empty() {
        documents = tree::documents(&inner);
    }
    let mut notes = Vec::new();
    let places: Vec<(usize, bool)> = if documents.is_empty() {
        (0..found.len()).map(|place| (place, false)).collect()
    } else {
        let in_tree: HashSet<usize> = documents.iter().copied().collect();
        let alone: Vec<usize> = (0..found.len())
            .filter(|place| !in_tree.contains(place) && whole.get(*place).is_some_and(|path| !path.contains('/')))
            .collect();
        let beside = (found.len() - in_tree.len() - alone.len()) as u64;
        if beside > 0 {
            let files = count(beside, "file beside the storage tree is", "files beside the storage tree are");
            notes.push(format!("{files} no part of a run and left out."));
        }
        documents.into_iter().map(|place| (place, true)).chain(alone.into_iter().map(|place| (place, false))).collect()
    };
    if places.is_empty() {
        notes.push("There is no file in this folder.".to_owned());
    }
    if places.len() > MOST_FILES {
        notes.push(format!("More than {MOST_FILES} files are not read together: the others are left out."));
    }
    if unread > 0 {
        notes.push(format!("{} could not be read.", count(unread, "entry", "entries")));
    }
    let open = |(place, in_tree): (usize, bool)| {
        let found = found.get(place)?;
        Some(OpenFile { in_tree, ..files::open_file(found.path.clone(), found.file.clone().into()) })
    };
    let files = places.into_iter().take(MOST_FILES).filter_map(open).collect();
    Intake { files, note: (!notes.is_empty()).then(|| notes.join(" ")) }
}

fn is(object: &JsValue, name: &str) -> bool {
    get(object, name).is_truthy()
}
