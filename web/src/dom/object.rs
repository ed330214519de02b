//! Objects of the browser that `web-sys` does not count as stable yet, or that the page uses once: asked by name.

use js_sys::{Array, Function, Promise, Reflect};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

/// A property; undefined where there is none.
pub fn get(object: &JsValue, name: &str) -> JsValue {
    Reflect::get(object, &name.into()).unwrap_or(JsValue::UNDEFINED)
}

/// A property that is a text.
pub fn text(object: &JsValue, name: &str) -> Option<String> {
    get(object, name).as_string()
}

/// Calls a method; none where there is none, or it throws.
pub fn call(object: &JsValue, method: &str, arguments: &Array) -> Option<JsValue> {
    let function: Function = get(object, method).dyn_into().ok()?;
    function.apply(object, arguments).ok()
}

/// Calls a method that answers with a promise, and waits for it.
///
/// # Errors
/// What the promise was rejected with; undefined where there is no such method, or it throws.
pub async fn wait(object: &JsValue, method: &str, arguments: &Array) -> Result<JsValue, JsValue> {
    let promise = call(object, method, arguments).ok_or(JsValue::UNDEFINED)?;
    JsFuture::from(Promise::resolve(&promise)).await
}

/// What a method hands to the first of its two callbacks.
pub async fn promised(object: &JsValue, method: &str) -> Option<JsValue> {
    let promise = Promise::new(&mut |resolve, reject| {
        let none = call(object, method, &Array::of2(&resolve, &reject)).is_none();
        if none {
            // A promise's own function: it does not throw.
            let _ = reject.call0(&JsValue::NULL);
        }
    });
    JsFuture::from(promise).await.ok()
}
