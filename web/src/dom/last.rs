//! The log that was opened last, kept in this browser as a handle: not its bytes, but where they are.

use js_sys::{Array, Promise};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

use super::object::{call, get, text};
use super::source::Source;

const BASE: &str = "steplens";
const STORE: &str = "handles";
const KEY: &str = "last";

/// Keeps a source, or forgets the one that is kept. A browser that keeps nothing is no fault.
pub async fn keep(source: Option<&Source>) {
    let value = match source {
        Some(Source::Handle(handle)) => Some(handle.clone()),
        // An entry cannot be kept.
        Some(Source::Entry(_)) => return,
        None => None,
    };
    if let Some(store) = store("readwrite").await {
        let _ = match value {
            Some(handle) => call(&store, "put", &Array::of2(&handle, &KEY.into())),
            None => call(&store, "delete", &Array::of1(&KEY.into())),
        };
    }
}

/// The name of the file that was opened last, and where it is.
pub async fn kept() -> Option<(String, Source)> {
    let store = store("readonly").await?;
    let request = call(&store, "get", &Array::of1(&KEY.into()))?;
    let handle = answer(&request).await?;
    Some((text(&handle, "name")?, Source::Handle(handle)))
}

async fn store(mode: &str) -> Option<JsValue> {
    let window: JsValue = super::window()?.into();
    let factory = get(&window, "indexedDB");
    let request = call(&factory, "open", &Array::of2(&BASE.into(), &1.into()))?;
    let made = request.clone();
    let on_upgrade = Closure::once_into_js(move || {
        call(&get(&made, "result"), "createObjectStore", &Array::of1(&STORE.into()));
    });
    js_sys::Reflect::set(&request, &"onupgradeneeded".into(), &on_upgrade).ok()?;
    let base = answer(&request).await?;
    let transaction = call(&base, "transaction", &Array::of2(&STORE.into(), &mode.into()))?;
    call(&transaction, "objectStore", &Array::of1(&STORE.into()))
}

/// What a request of the database ends with; none where it fails, or with nothing.
async fn answer(request: &JsValue) -> Option<JsValue> {
    let promise = Promise::new(&mut |resolve, reject| {
        for (name, then) in [("onsuccess", resolve), ("onerror", reject)] {
            // An event handler of a request can be set.
            let _ = js_sys::Reflect::set(request, &name.into(), &then);
        }
    });
    JsFuture::from(promise).await.ok()?;
    Some(get(request, "result")).filter(|value| !value.is_undefined() && !value.is_null()).map(|v| v.unchecked_into())
}
