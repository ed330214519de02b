//! What a link holds: bytes that go through the browser's own streams and its cryptography, so that the page carries
//! neither. Works in the page and in the worker.
//!
//! What comes out of a link is bounded: it is unpacked piece by piece, and no further than it may.

pub mod seal;
pub mod streams;

use js_sys::Array;
use steplens_core::share::base64url;
use steplens_core::share::{LONGEST, LinkError, MOST};
use wasm_bindgen::JsValue;
use web_sys::Blob;

/// Why a link was not made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unmade {
    /// It would be longer than any browser takes.
    TooLong,
    /// The browser says no: a sentence without a full stop.
    Refused(String),
}

/// A file as the value of `z`, or, under a password, of `zp`.
///
/// # Errors
/// It is too long, or the browser cannot.
pub async fn pack(blob: &Blob, password: Option<&str>) -> Result<String, Unmade> {
    // Four characters hold three bytes.
    let packed = streams::deflate(blob, LONGEST / 4 * 3).await?;
    let bytes = match password {
        None => packed,
        Some(password) => seal::seal(&packed, password).await.map_err(Unmade::Refused)?,
    };
    Ok(base64url::encode(&bytes))
}

/// The file that a value of `z` holds.
///
/// # Errors
/// What is wrong with the link.
pub async fn unpack(text: &str) -> Result<Blob, LinkError> {
    inflated(&bytes_of(text)?).await
}

/// The file that a value of `zp` holds.
///
/// # Errors
/// What is wrong with the link, or with the password.
pub async fn unseal(text: &str, password: &str) -> Result<Blob, LinkError> {
    inflated(&seal::open(&bytes_of(text)?, password).await?).await
}

/// Whether a value of `zp` can be opened once there is a password.
///
/// # Errors
/// What is wrong with the link.
pub fn look(text: &str) -> Result<(), LinkError> {
    steplens_core::share::sealed::Sealed::of(&bytes_of(text)?).map(|_| ())
}

fn bytes_of(text: &str) -> Result<Vec<u8>, LinkError> {
    if text.len() > LONGEST {
        return Err(LinkError::TooLong { length: text.len() });
    }
    base64url::decode(text)
}

async fn inflated(packed: &[u8]) -> Result<Blob, LinkError> {
    let parts = streams::inflate(packed, MOST).await?;
    let blob = Blob::new_with_u8_array_sequence(&parts).map_err(|_| LinkError::Damaged)?;
    if blob.size() == 0.0 { Err(LinkError::Empty) } else { Ok(blob) }
}

/// A text, packed; none where the browser cannot.
pub async fn packed(text: &str) -> Option<String> {
    let blob = Blob::new_with_str_sequence(&Array::of1(&JsValue::from_str(text))).ok()?;
    pack(&blob, None).await.ok()
}

/// A text that was packed; none where it is damaged.
pub async fn unpacked(packed: &str) -> Option<String> {
    const MOST_TEXT: usize = 1 << 20;
    let parts = streams::inflate(&bytes_of(packed).ok()?, MOST_TEXT).await.ok()?;
    let mut bytes = Vec::new();
    for part in parts.iter() {
        bytes.extend(js_sys::Uint8Array::new(&part).to_vec());
    }
    String::from_utf8(bytes).ok()
}
