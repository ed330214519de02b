//! Timers that end when they are dropped.

use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;

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

impl Drop for Timer {
    fn drop(&mut self) {
        if let (Some(window), Some(handle)) = (super::window(), self.handle) {
            window.clear_timeout_with_handle(handle);
        }
    }
}
