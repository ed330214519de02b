//! The worker's side: hears the page, runs the session, posts what it says.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::{Array, ArrayBuffer, Uint8Array};
use serde::Serialize;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue, UnwrapThrowExt};
use wasm_bindgen_futures::spawn_local;
use web_sys::{DedicatedWorkerGlobalScope, MessageEvent};

use super::blobs;
use super::protocol::{BUILD_ID, FromWorker, ToWorker, Update};
use super::session::{self, Emit, Shared};

/// Starts to answer the page.
///
/// # Errors
/// When this isn't a dedicated worker, or the first message can't be posted.
pub fn start() -> Result<(), JsValue> {
    std::panic::set_hook(Box::new(|info| {
        let message = info.to_string();
        // Nobody is left to be told that telling failed.
        let _ = post(&FromWorker::Panicked { message });
    }));
    let scope: DedicatedWorkerGlobalScope = js_sys::global().dyn_into()?;
    let session: Shared = Rc::new(RefCell::default());
    let emit: Emit = Rc::new(|update: &Update| {
        let buffer = packed(update);
        post_with(&FromWorker::Update(buffer.clone()), &buffer).unwrap_throw();
    });
    let on_message = Closure::<dyn Fn(MessageEvent)>::new(move |event: MessageEvent| {
        let message = serde_wasm_bindgen::from_value(event.data()).unwrap_throw();
        hear(&session, &emit, message);
    });
    scope.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
    // Lives as long as the worker.
    on_message.forget();
    let build = BUILD_ID.to_owned();
    post(&FromWorker::Ready { build })
}

fn hear(session: &Shared, emit: &Emit, message: ToWorker) {
    match message {
        ToWorker::Open(opening) => {
            spawn_local(session::open(session.clone(), opening, emit.clone()));
        }
        ToWorker::Add(files) => spawn_local(session::add(session.clone(), files, emit.clone())),
        ToWorker::Cancel => session::cancel(session, emit),
        ToWorker::Filter(filter) => session::filter(session, filter, emit),
        ToWorker::Search(text) => spawn_local(session::search(session.clone(), text, emit.clone())),
        ToWorker::Dialect(dialect) => session::dialect(session, dialect, emit),
        ToWorker::Model(model) => session::model(session, model, emit),
        ToWorker::Ask { id, ask } => {
            let (session, emit) = (session.clone(), emit.clone());
            spawn_local(async move {
                let buffer = packed(&session::answer(&session, ask, &emit).await);
                for (number, blob) in blobs::drain() {
                    post(&FromWorker::Blob { number, blob }).unwrap_throw();
                }
                let message = FromWorker::Answer { id, buffer: buffer.clone() };
                post_with(&message, &buffer).unwrap_throw();
            });
        }
    }
}

fn packed(value: &impl Serialize) -> ArrayBuffer {
    let bytes = postcard::to_allocvec(value).unwrap_throw();
    Uint8Array::from(bytes.as_slice()).buffer()
}

fn post(message: &FromWorker) -> Result<(), JsValue> {
    let scope: DedicatedWorkerGlobalScope = js_sys::global().dyn_into()?;
    scope.post_message(&serde_wasm_bindgen::to_value(message)?)
}

fn post_with(message: &FromWorker, buffer: &ArrayBuffer) -> Result<(), JsValue> {
    let scope: DedicatedWorkerGlobalScope = js_sys::global().dyn_into()?;
    let message = serde_wasm_bindgen::to_value(message)?;
    scope.post_message_with_transfer(&message, &Array::of1(buffer))
}
