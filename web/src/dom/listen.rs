//! Listeners that end when they are dropped.

use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;
use web_sys::{AddEventListenerOptions, Event, EventTarget};

/// A listener; dropping it ends it.
#[must_use = "a listener ends when it is dropped"]
#[derive(Debug)]
pub struct Listener {
    target: EventTarget,
    name: &'static str,
    capture: bool,
    closure: Closure<dyn Fn(Event)>,
}

/// Listens to what bubbles up to the target.
pub fn listen(target: &EventTarget, name: &'static str, hear: impl Fn(Event) + 'static) -> Listener {
    with(target, name, false, hear)
}

/// Listens before the elements inside the target do.
pub fn listen_first(target: &EventTarget, name: &'static str, hear: impl Fn(Event) + 'static) -> Listener {
    with(target, name, true, hear)
}

fn with(target: &EventTarget, name: &'static str, capture: bool, hear: impl Fn(Event) + 'static) -> Listener {
    let closure = Closure::<dyn Fn(Event)>::new(hear);
    let options = AddEventListenerOptions::new();
    options.set_capture(capture);
    // Wheel and touch listeners are passive by default, and then can't keep the browser from scrolling.
    options.set_passive(false);
    let function = closure.as_ref().unchecked_ref();
    // Only fails for a target that is none.
    let _ = target.add_event_listener_with_callback_and_add_event_listener_options(name, function, &options);
    Listener { target: target.clone(), name, capture, closure }
}

impl Drop for Listener {
    fn drop(&mut self) {
        let function = self.closure.as_ref().unchecked_ref();
        let _ = self.target.remove_event_listener_with_callback_and_bool(self.name, function, self.capture);
    }
}
