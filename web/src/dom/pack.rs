//! Texts in links: deflated by the browser, then base64url.

use js_sys::{Array, Function, Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, ReadableStream, ReadableWritablePair, Response, WritableStream};

/// The most that a link may hold, unpacked.
const MOST: usize = 1 << 20;

/// A text, packed; none where the browser cannot.
pub async fn packed(text: &str) -> Option<String> {
    let bytes = through(text.as_bytes(), "CompressionStream").await.ok()?;
    let binary: String = bytes.iter().map(|byte| char::from(*byte)).collect();
    let text = super::window()?.btoa(&binary).ok()?;
    Some(text.replace('+', "-").replace('/', "_").trim_end_matches('=').to_owned())
}

/// What was packed; none where it is damaged.
pub async fn unpacked(packed: &str) -> Option<String> {
    let text = packed.replace('-', "+").replace('_', "/");
    let binary = super::window()?.atob(&text).ok()?;
    let bytes: Vec<u8> = binary.chars().map(|c| u8::try_from(u32::from(c))).collect::<Result<_, _>>().ok()?;
    let bytes = through(&bytes, "DecompressionStream").await.ok()?;
    String::from_utf8(bytes).ok()
}

/// Bytes that went through a stream of the browser. `web-sys` does not count these streams as stable yet.
async fn through(bytes: &[u8], class: &str) -> Result<Vec<u8>, JsValue> {
    let class: Function = Reflect::get(&js_sys::global(), &class.into())?.dyn_into()?;
    let stream = Reflect::construct(&class, &Array::of1(&"deflate-raw".into()))?;
    let readable: ReadableStream = Reflect::get(&stream, &"readable".into())?.dyn_into()?;
    let writable: WritableStream = Reflect::get(&stream, &"writable".into())?.dyn_into()?;
    let pair = ReadableWritablePair::new(&readable, &writable);
    let blob = Blob::new_with_u8_array_sequence(&Array::of1(&Uint8Array::from(bytes)))?;
    let response = Response::new_with_opt_readable_stream(Some(&blob.stream().pipe_through(&pair)))?;
    let bytes = Uint8Array::new(&JsFuture::from(response.array_buffer()?).await?).to_vec();
    if bytes.len() > MOST { Err(JsValue::NULL) } else { Ok(bytes) }
}
