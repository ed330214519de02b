//! Where a file that is open can be had again, as it is by then: a handle, or the entry of a drop.

use js_sys::{Array, Object, Promise, Reflect};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, DataTransfer, File};

use super::object::{call, get, promised, text, wait};

/// Where a file can be had again.
#[derive(Debug, Clone, PartialEq)]
pub enum Source {
    /// A `FileSystemFileHandle`.
    Handle(JsValue),
    /// A `FileSystemFileEntry`.
    Entry(JsValue),
}

impl Source {
    /// The file as it is now.
    ///
    /// # Errors
    /// The browser's word for what is wrong.
    pub async fn file(&self) -> Result<File, String> {
        let file = match self {
            Source::Handle(handle) => wait(handle, "getFile", &Array::new()).await.map_err(|error| name_of(&error))?,
            Source::Entry(entry) => promised(entry, "file").await.ok_or("NotFoundError")?,
        };
        file.dyn_into().map_err(|_| "TypeError".to_owned())
    }

    /// Whether it may be read; the user is asked where that is open. Only after a click may be asked.
    pub async fn may_be_read(&self) -> bool {
        let Source::Handle(handle) = self else { return true };
        let mode = Object::new();
        // A plain object takes any property.
        let _ = Reflect::set(&mode, &"mode".into(), &"read".into());
        for method in ["queryPermission", "requestPermission"] {
            let said = wait(handle, method, &Array::of1(&mode)).await;
            if said.is_ok_and(|said| said.as_string().as_deref() == Some("granted")) {
                return true;
            }
        }
        false
    }
}

/// Whether the browser lets the user choose a file that can be followed.
pub fn can_choose() -> bool {
    super::window().is_some_and(|window| get(&window, "showOpenFilePicker").is_function())
}

/// Has the user choose a file; none where nothing was chosen.
pub async fn choose() -> Option<(File, Source)> {
    let window: JsValue = super::window()?.into();
    let handles: Array = wait(&window, "showOpenFilePicker", &Array::new()).await.ok()?.dyn_into().ok()?;
    let source = Source::Handle(handles.get(0));
    Some((source.file().await.ok()?, source))
}

/// The sources of what is dropped, beside its files. They can only be asked for while the event is heard; what is asked is
/// answered later.
pub fn of_drop(transfer: &DataTransfer) -> impl Future<Output = Vec<(Blob, Source)>> + use<> {
    let files: Vec<File> =
        transfer.files().map(|list| (0..list.length()).filter_map(|n| list.get(n)).collect()).unwrap_or_default();
    let items = get(transfer, "items");
    let length = get(&items, "length").as_f64().unwrap_or(0.0) as u32;
    let items = (0..length).filter_map(|place| Reflect::get_u32(&items, place).ok());
    let items = items.filter(|item| text(item, "kind").as_deref() == Some("file"));
    let asked: Vec<(Option<JsValue>, Option<JsValue>)> = items
        .map(|item| {
            let none = Array::new();
            (call(&item, "getAsFileSystemHandle", &none), call(&item, "webkitGetAsEntry", &none))
        })
        .collect();
    async move {
        let mut sources = Vec::new();
        for (file, (handle, entry)) in files.into_iter().zip(asked) {
            let handle = match handle {
                Some(promise) => JsFuture::from(Promise::resolve(&promise)).await.ok(),
                None => None,
            };
            let is_file = |handle: &JsValue| text(handle, "kind").as_deref() == Some("file");
            let entry = entry.filter(|entry| get(entry, "isFile").is_truthy());
            let source = handle.filter(is_file).map(Source::Handle).or(entry.map(Source::Entry));
            sources.extend(source.map(|source| (file.into(), source)));
        }
        sources
    }
}

/// The browser's word for what is wrong.
fn name_of(error: &JsValue) -> String {
    text(error, "name").unwrap_or_else(|| "Error".to_owned())
}
