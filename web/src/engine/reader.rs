//! Reads a `Blob` in slices, one ahead of the parser.

use js_sys::{Array, ArrayBuffer, Promise, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::Blob;

/// Bytes in one slice: large enough that the browser's cost of a read does not show, small enough
/// that a question waits for a few milliseconds at most.
#[cfg(not(feature = "inpage"))]
pub const SLICE: u64 = 4 * 1024 * 1024;
/// In the page's own thread the page waits for each of them.
#[cfg(feature = "inpage")]
pub const SLICE: u64 = 512 * 1024;
/// Bytes in the first slice: the first rows are on screen before the second one is parsed.
const FIRST: u64 = 256 * 1024;

/// A file that is being read, front to back.
#[derive(Debug)]
pub struct Slices {
    blob: Blob,
    size: u64,
    next: u64,
    pending: Option<Promise>,
    buffer: Vec<u8>,
}

impl Slices {
    /// Starts at the beginning.
    pub fn new(blob: Blob) -> Slices {
        Slices::behind(blob, 0)
    }

    /// Starts behind so many bytes.
    pub fn behind(blob: Blob, start: u64) -> Slices {
        let size = blob.size() as u64;
        let mut slices = Slices { blob, size, next: start, pending: None, buffer: Vec::new() };
        slices.pending = slices.request();
        slices
    }

    /// The next slice; none at the end. The one after it is requested before this returns.
    ///
    /// # Errors
    /// The browser's word for what is wrong, such as `NotReadableError`.
    pub async fn next(&mut self) -> Result<Option<&[u8]>, String> {
        let Some(pending) = self.pending.take() else {
            return Ok(None);
        };
        let buffer = JsFuture::from(pending).await.map_err(|error| error_name(&error))?;
        self.pending = self.request();
        copy(&buffer, &mut self.buffer);
        Ok(Some(&self.buffer))
    }

    fn request(&mut self) -> Option<Promise> {
        if self.next >= self.size {
            return None;
        }
        let len = if self.next == 0 { FIRST } else { SLICE };
        let end = (self.next + len).min(self.size);
        let promise = request(&self.blob, self.next, end);
        self.next = end;
        Some(promise)
    }
}

/// Some bytes of a file.
///
/// # Errors
/// The browser's word for what is wrong.
pub async fn read(blob: &Blob, start: u64, end: u64) -> Result<Vec<u8>, String> {
    let buffer = JsFuture::from(request(blob, start, end)).await.map_err(|error| error_name(&error))?;
    Ok(Uint8Array::new(buffer.unchecked_ref::<ArrayBuffer>()).to_vec())
}

/// A `Blob` of some bytes.
///
/// # Errors
/// When the browser makes none.
pub fn blob_of(bytes: &[u8]) -> Result<Blob, JsValue> {
    blob_of_parts(&Array::of1(&Uint8Array::from(bytes)))
}

/// A `Blob` of several parts.
///
/// # Errors
/// When the browser makes none.
pub fn blob_of_parts(parts: &Array) -> Result<Blob, JsValue> {
    Blob::new_with_blob_sequence(parts)
}

/// Copies what a read gave.
pub(super) fn copy(buffer: &JsValue, to: &mut Vec<u8>) {
    let bytes = Uint8Array::new(buffer.unchecked_ref::<ArrayBuffer>());
    to.resize(bytes.length() as usize, 0);
    bytes.copy_to(to);
}

/// Asks for some bytes of a file.
pub(super) fn request(blob: &Blob, start: u64, end: u64) -> Promise {
    match blob.slice_with_f64_and_f64(start as f64, end as f64) {
        Ok(slice) => slice.array_buffer().unchecked_into(),
        Err(error) => Promise::reject(&error),
    }
}

/// The browser's word for what is wrong.
pub(crate) fn error_name(error: &JsValue) -> String {
    match error.dyn_ref::<js_sys::Error>() {
        Some(error) => error.name().into(),
        None => format!("{error:?}"),
    }
}
