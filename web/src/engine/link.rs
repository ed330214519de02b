//! One running worker.

use js_sys::Array;
use wasm_bindgen::prelude::{Closure, JsValue};
use wasm_bindgen::{JsCast, UnwrapThrowExt};
use web_sys::{Blob, BlobPropertyBag, ErrorEvent, Event, MessageEvent, Url, Worker, WorkerOptions, WorkerType};

use super::protocol::{FromWorker, ToWorker};

/// A running worker; it ends when this is dropped.
#[derive(Debug)]
pub(super) struct Link {
    worker: Worker,
    script: String,
    _on_message: Closure<dyn Fn(MessageEvent)>,
    _on_error: Closure<dyn Fn(Event)>,
}

impl Link {
    /// Starts the worker that the page's `<meta name="steplens-worker">` names. `hear` gets each
    /// message, or why the worker is lost.
    ///
    /// # Errors
    /// When the page names no worker, or the browser can't start one.
    pub(super) fn start(hear: impl Fn(Result<FromWorker, String>) + Clone + 'static) -> Result<Self, JsValue> {
        let script = script()?;
        let options = WorkerOptions::new();
        options.set_type(WorkerType::Module);
        let worker = Worker::new_with_options(&script, &options)?;

        let heard = hear.clone();
        let on_message = Closure::<dyn Fn(MessageEvent)>::new(move |event: MessageEvent| {
            heard(serde_wasm_bindgen::from_value(event.data()).map_err(|error| error.to_string()));
        });
        worker.set_onmessage(Some(on_message.as_ref().unchecked_ref()));

        // A script that can't be loaded gives a plain Event, without a message.
        let on_error = Closure::<dyn Fn(Event)>::new(move |event: Event| {
            hear(Err(match event.dyn_ref::<ErrorEvent>() {
                Some(error) => error.message(),
                None => "its script can't be loaded".to_owned(),
            }));
        });
        worker.set_onerror(Some(on_error.as_ref().unchecked_ref()));

        Ok(Self { worker, script, _on_message: on_message, _on_error: on_error })
    }

    /// Posts a message. It is lost if the worker has not said that it is ready.
    pub(super) fn post(&self, message: &ToWorker) -> Result<(), JsValue> {
        let message = serde_wasm_bindgen::to_value(message)?;
        self.worker.post_message(&message)
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        // A worker may die while its closures run; then nothing may call them any more.
        self.worker.set_onmessage(None);
        self.worker.set_onerror(None);
        self.worker.terminate();
        Url::revoke_object_url(&self.script).unwrap_throw();
    }
}

/// The address of a script that loads the worker: a blob, because only then does the worker
/// inherit the page's Content-Security-Policy.
fn script() -> Result<String, JsValue> {
    let document = web_sys::window().and_then(|window| window.document()).ok_or("no document")?;
    let meta = document.query_selector("meta[name=steplens-worker]")?.ok_or("the page names no worker")?;
    let base = document.base_uri()?.unwrap_or_default();
    let address = |attribute: &str| -> Result<JsValue, JsValue> {
        let name = meta.get_attribute(attribute).ok_or(attribute)?;
        Ok(Url::new_with_base(&name, &base)?.href().into())
    };
    let source = format!(
        "import init from {}; await init({{ module_or_path: {} }});",
        js_sys::JSON::stringify(&address("data-js")?)?,
        js_sys::JSON::stringify(&address("data-wasm")?)?,
    );
    let bag = BlobPropertyBag::new();
    bag.set_type("text/javascript");
    let blob = Blob::new_with_str_sequence_and_options(&Array::of1(&source.into()), &bag)?;
    Url::create_object_url_with_blob(&blob)
}
