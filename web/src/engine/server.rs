//! The worker's side.

use wasm_bindgen::{JsCast, JsValue};
use web_sys::DedicatedWorkerGlobalScope;

use super::protocol::{BUILD_ID, FromWorker};

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
    let build = BUILD_ID.to_owned();
    post(&FromWorker::Ready { build })
}

fn post(message: &FromWorker) -> Result<(), JsValue> {
    let scope: DedicatedWorkerGlobalScope = js_sys::global().dyn_into()?;
    scope.post_message(&serde_wasm_bindgen::to_value(message)?)
}
