//! A folder on disk that the user chose, to write a site into: where the browser has `showDirectoryPicker`.

use js_sys::{Array, Object, Reflect};
use steplens_core::export::site::{ENTRIES, GENERATOR};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, File};

use super::object::{call, get, text, wait};

/// A `FileSystemDirectoryHandle`.
#[derive(Debug, Clone, PartialEq)]
pub struct Folder(JsValue);

/// What is in a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holds {
    /// Nothing that can be seen.
    Nothing,
    /// A site that Steplens made.
    Site,
    /// Something else.
    Other,
}

/// Whether the browser lets the user choose a folder.
pub fn can_choose() -> bool {
    super::window().is_some_and(|window| get(&window, "showDirectoryPicker").is_function())
}

/// Has the user choose a folder, and lets the page write there; none where nothing was chosen. Only after a click.
///
/// # Errors
/// The browser's word for why not.
pub async fn choose() -> Result<Option<Folder>, String> {
    let window: JsValue = super::window().ok_or("NotSupportedError")?.into();
    match wait(&window, "showDirectoryPicker", &Array::of1(&with("mode", &"readwrite".into()))).await {
        Ok(handle) => Ok(Some(Folder(handle))),
        Err(error) => match name_of(&error) {
            name if name == "AbortError" => Ok(None),
            name => Err(name),
        },
    }
}

impl Folder {
    /// What it is called.
    pub fn name(&self) -> String {
        text(&self.0, "name").filter(|name| !name.is_empty()).unwrap_or_else(|| "The folder".to_owned())
    }

    /// What is in it. Names that begin with a dot do not count: what systems put there, and `.git`.
    ///
    /// # Errors
    /// The browser's word for what is wrong.
    pub async fn holds(&self) -> Result<Holds, String> {
        let names = call(&self.0, "keys", &Array::new()).ok_or("NotSupportedError")?;
        let mut is_empty = true;
        while is_empty {
            let next = wait(&names, "next", &Array::new()).await.map_err(|error| name_of(&error))?;
            if get(&next, "done").is_truthy() {
                return Ok(Holds::Nothing);
            }
            is_empty = text(&next, "value").is_some_and(|name| name.starts_with('.'));
        }
        let Ok(handle) = wait(&self.0, "getFileHandle", &Array::of1(&"index.html".into())).await else {
            return Ok(Holds::Other);
        };
        let file = wait(&handle, "getFile", &Array::new()).await.map_err(|error| name_of(&error))?;
        let file: File = file.dyn_into().map_err(|_| "TypeError")?;
        let page = JsFuture::from(file.text()).await.map_err(|error| name_of(&error))?;
        let is_ours = page.as_string().is_some_and(|page| page.contains(GENERATOR));
        Ok(if is_ours { Holds::Site } else { Holds::Other })
    }

    /// Removes the site in it, and nothing else.
    ///
    /// # Errors
    /// What could not be removed, and the browser's word for why.
    pub async fn clear(&self) -> Result<(), (String, String)> {
        for entry in ENTRIES {
            let arguments = Array::of2(&entry.into(), &with("recursive", &true.into()));
            match wait(&self.0, "removeEntry", &arguments).await.map_err(|error| name_of(&error)) {
                Err(why) if why != "NotFoundError" => return Err((entry.to_owned(), why)),
                _ => {}
            }
        }
        Ok(())
    }

    /// Writes a file, by its path.
    ///
    /// # Errors
    /// The browser's word for what is wrong: `NotAllowedError`, `QuotaExceededError` …
    pub async fn write(&self, path: &str, blob: &Blob) -> Result<(), String> {
        let said = |error: JsValue| name_of(&error);
        let create = with("create", &true.into());
        let (mut folder, mut rest) = (self.0.clone(), path);
        while let Some((name, tail)) = rest.split_once('/') {
            folder = wait(&folder, "getDirectoryHandle", &Array::of2(&name.into(), &create)).await.map_err(said)?;
            rest = tail;
        }
        let file = wait(&folder, "getFileHandle", &Array::of2(&rest.into(), &create)).await.map_err(said)?;
        let stream = wait(&file, "createWritable", &Array::new()).await.map_err(said)?;
        wait(&stream, "write", &Array::of1(blob)).await.map_err(said)?;
        // What was written is there only now.
        wait(&stream, "close", &Array::new()).await.map_err(said)?;
        Ok(())
    }
}

fn with(name: &str, value: &JsValue) -> Object {
    let object = Object::new();
    // A plain object takes any property.
    let _ = Reflect::set(&object, &name.into(), value);
    object
}

/// The browser's word for what is wrong.
fn name_of(error: &JsValue) -> String {
    text(error, "name").unwrap_or_else(|| "Error".to_owned())
}
