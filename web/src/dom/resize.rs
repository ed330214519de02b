//! Tells when an element's size changes.

use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;
use web_sys::{Element, ResizeObserver};

/// Watches an element until it is dropped.
#[must_use = "nothing is watched once this is dropped"]
#[derive(Debug)]
pub struct Resize {
    observer: Option<ResizeObserver>,
    _closure: Closure<dyn Fn()>,
}

/// Calls now and at each change of the element's size.
pub fn watch(element: &Element, changed: impl Fn() + 'static) -> Resize {
    let closure = Closure::<dyn Fn()>::new(changed);
    let observer = ResizeObserver::new(closure.as_ref().unchecked_ref()).ok();
    if let Some(observer) = &observer {
        observer.observe(element);
    }
    Resize { observer, _closure: closure }
}

impl Drop for Resize {
    fn drop(&mut self) {
        if let Some(observer) = &self.observer {
            observer.disconnect();
        }
    }
}
