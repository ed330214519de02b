//! The browser's streams that deflate and inflate. `web-sys` does not count them as stable yet.

use js_sys::{Array, Function, Promise, Reflect, Uint8Array};
use steplens_core::share::{LinkError, begins_as_log};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, future_to_promise};
use web_sys::{Blob, ReadableStream, ReadableStreamDefaultReader, ReadableWritablePair, WritableStream};

use super::Unmade;

/// Bytes that are inflated at once: what comes out of them is at most a thousand times as much.
const PIECE: usize = 4096;

/// Bytes that are at first.
const FIRST: usize = 64;

const FORMAT: &str = "deflate-raw";

/// A file, deflated.
///
/// # Errors
/// It comes to more than `most` bytes, or the browser cannot.
pub async fn deflate(blob: &Blob, most: usize) -> Result<Vec<u8>, Unmade> {
    let refused = |error: JsValue| Unmade::Refused(format!("this browser cannot pack it ({})", word(&error)));
    let pair = stream("CompressionStream").map_err(refused)?;
    let pair = ReadableWritablePair::new(&pair.0, &pair.1);
    let reader = reader(&blob.stream().pipe_through(&pair)).map_err(refused)?;
    let mut packed = Vec::new();
    while let Some(chunk) = next(&reader).await.map_err(refused)? {
        packed.extend(chunk.to_vec());
        if packed.len() > most {
            leave(&reader).await;
            return Err(Unmade::TooLong);
        }
    }
    Ok(packed)
}

/// What was deflated, in parts.
///
/// # Errors
/// The end is missing, the bytes are damaged, or more than `most` bytes come out of them.
pub async fn inflate(packed: &[u8], most: usize) -> Result<Array, LinkError> {
    let damaged = |_: JsValue| LinkError::Damaged;
    let (readable, writable) = stream("DecompressionStream").map_err(damaged)?;
    let reader = reader(&readable).map_err(damaged)?;
    // Written while it is read: a stream takes no more than is read from it.
    let written = write(&writable, packed).map_err(damaged)?;
    let (parts, mut length) = (Array::new(), 0);
    loop {
        match next(&reader).await {
            Ok(Some(chunk)) => {
                length += chunk.length() as usize;
                if length > most {
                    leave(&reader).await;
                    return Err(LinkError::TooLarge { most });
                }
                parts.push(&chunk);
            }
            Ok(None) => return Ok(parts),
            Err(_) => {
                // All was taken, and the end was missed: the bytes themselves were right.
                let is_whole = JsFuture::from(written).await.is_ok_and(|whole| whole.is_truthy());
                let first = parts.get(0).dyn_into::<Uint8Array>().map(|first| first.slice(0, 64).to_vec());
                return Err(match first {
                    _ if is_whole => LinkError::Cut,
                    Ok(first) if begins_as_log(&first) => LinkError::Damaged,
                    _ => LinkError::NotOurs,
                });
            }
        }
    }
}

/// Writes the bytes and closes the stream: whether all were taken before it went wrong, if it did.
fn write(writable: &WritableStream, bytes: &[u8]) -> Result<Promise, JsValue> {
    let writer = writable.get_writer()?;
    // Little at first: what comes out before a fault tells a damaged log from what never was one.
    let (first, rest) = bytes.split_at(bytes.len().min(PIECE));
    let pieces: Vec<Uint8Array> = first.chunks(FIRST).chain(rest.chunks(PIECE)).map(Uint8Array::from).collect();
    Ok(future_to_promise(async move {
        for piece in pieces {
            if JsFuture::from(writer.write_with_chunk(&piece)).await.is_err() {
                return Ok(JsValue::FALSE);
            }
        }
        // Whoever reads hears of it.
        let _ = JsFuture::from(writer.close()).await;
        Ok(JsValue::TRUE)
    }))
}

/// A new stream of that class: where it is read, and where it is written.
fn stream(class: &str) -> Result<(ReadableStream, WritableStream), JsValue> {
    let class: Function = Reflect::get(&js_sys::global(), &class.into())?.dyn_into()?;
    let stream = Reflect::construct(&class, &Array::of1(&FORMAT.into()))?;
    let readable = Reflect::get(&stream, &"readable".into())?.dyn_into()?;
    Ok((readable, Reflect::get(&stream, &"writable".into())?.dyn_into()?))
}

/// A reader of a stream of bytes.
///
/// # Errors
/// Somebody reads it already.
pub fn reader(stream: &ReadableStream) -> Result<ReadableStreamDefaultReader, JsValue> {
    stream.get_reader().dyn_into().map_err(JsValue::from)
}

/// The next bytes of a stream; none at its end.
///
/// # Errors
/// What went wrong with the stream.
pub async fn next(reader: &ReadableStreamDefaultReader) -> Result<Option<Uint8Array>, JsValue> {
    let read = JsFuture::from(reader.read()).await?;
    if Reflect::get(&read, &"done".into())?.is_truthy() {
        return Ok(None);
    }
    Reflect::get(&read, &"value".into())?.dyn_into().map(Some)
}

/// Wants no more of a stream.
pub async fn leave(reader: &ReadableStreamDefaultReader) {
    // It may have ended meanwhile.
    let _ = JsFuture::from(reader.cancel()).await;
}

/// The browser's word for what is wrong.
fn word(error: &JsValue) -> String {
    error.dyn_ref::<js_sys::Error>().map_or_else(|| format!("{error:?}"), |error| error.message().into())
}
