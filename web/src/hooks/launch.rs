//! Files that the system opens with the installed page.

use js_sys::{Array, Function, Promise, Reflect};
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::File;
use yew::{hook, use_effect_with};

use super::context::Dispatch;
use crate::dom;
use crate::state::reducer::Action;

/// Opens what the system hands over, where the browser has a way for it.
#[hook]
pub fn use_launch(dispatch: &Dispatch) {
    let dispatch = dispatch.clone();
    use_effect_with((), move |()| {
        // As long as the page lives.
        let _ = consume(&dispatch);
    });
}

/// Has the browser's queue of launches call for each; none where it has no such queue.
fn consume(dispatch: &Dispatch) -> Option<()> {
    let queue = Reflect::get(&js_sys::global(), &"launchQueue".into()).ok().filter(JsValue::is_object)?;
    let consumer: Function = Reflect::get(&queue, &"setConsumer".into()).ok()?.dyn_into().ok()?;
    let dispatch = dispatch.clone();
    let take = Closure::<dyn Fn(JsValue)>::new(move |launch: JsValue| {
        let handles = Reflect::get(&launch, &"files".into()).map(Array::unchecked_from_js).unwrap_or_default();
        let dispatch = dispatch.clone();
        spawn_local(async move {
            let mut files = Vec::new();
            for handle in handles.iter() {
                if let Some(file) = file(&handle).await {
                    files.push(dom::files::open_file(file.name(), file.into()));
                }
            }
            if files.is_empty() && handles.length() > 0 {
                let text = "The browser doesn't let this page read the file that was opened with it.";
                dispatch.dispatch(Action::Say(Some(text.to_owned())));
            } else {
                dispatch.dispatch(Action::Open(files));
            }
        });
    });
    consumer.call1(&queue, &take.into_js_value()).ok()?;
    Some(())
}

/// The file of a handle; none where it cannot be read.
async fn file(handle: &JsValue) -> Option<File> {
    let get: Function = Reflect::get(handle, &"getFile".into()).ok()?.dyn_into().ok()?;
    let file: Promise = get.call0(handle).ok()?.dyn_into().ok()?;
    JsFuture::from(file).await.ok()?.dyn_into().ok()
}
