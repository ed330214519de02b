//! Timers that end when they are dropped.

use js_sys::Promise;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

/// A timer; dropping it before its time ends it.
#[must_use = "a timer ends when it is dropped"]
#[derive(Debug)]
pub struct Timer {
    handle: Option<i32>,
    _closure: Closure<dyn FnMut()>,
}

/// Calls once, so many milliseconds later.
pub fn after(ms: i32, then: impl FnOnce() + 'static) -> Timer {
    let mut then = Some(then);
    let closure = Closure::<dyn FnMut()>::new(move || {
        if let Some(then) = then.take() {
            then();
        }
    });
    let function = closure.as_ref().unchecked_ref();
    let handle =
        super::window().and_then(|w| w.set_timeout_with_callback_and_timeout_and_arguments_0(function, ms).ok());
    Timer { handle, _closure: closure }
}

/// Waits so many milliseconds.
pub async fn sleep(ms: i32) {
    let promise = Promise::new(&mut |resolve, _| {
        let set =
            super::window().map(|window| window.set_timeout_with_callback_and_timeout_and_arguments_0(&resolve, ms));
        // Without a window nothing is waited for.
        if !matches!(set, Some(Ok(_))) {
            let _ = resolve.call0(&JsValue::NULL);
        }
    });
    // It is never rejected.
    let _ = JsFuture::from(promise).await;
}

impl Drop for Timer {
    fn drop(&mut self) {
        if let (Some(window), Some(handle)) = (super::window(), self.handle) {
            window.clear_timeout_with_handle(handle);
        }
    }
}
