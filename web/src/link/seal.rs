//! Links under a password: AES-256-GCM, the key by PBKDF2-SHA-256, both by the browser's WebCrypto.

use js_sys::{Array, Object, Reflect, Uint8Array};
use steplens_core::share::LinkError;
use steplens_core::share::sealed::{IV, ROUNDS, SALT, Sealed, TAG, said};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Crypto, CryptoKey, SubtleCrypto};

/// Seals bytes under a password.
///
/// # Errors
/// Why the browser cannot, as a sentence without a full stop.
pub async fn seal(bytes: &[u8], password: &str) -> Result<Vec<u8>, String> {
    let crypto = crypto().ok_or("this browser seals nothing on a page that did not come by https")?;
    let (mut salt, mut iv) = ([0; SALT], [0; IV]);
    let refused = |error: JsValue| format!("this browser cannot seal it ({error:?})");
    crypto.get_random_values_with_u8_array(&mut salt).map_err(refused)?;
    crypto.get_random_values_with_u8_array(&mut iv).map_err(refused)?;
    let length = u32::try_from(bytes.len() + TAG).map_err(|_| "it is too long".to_owned())?;
    let said = said(length);
    let subtle = crypto.subtle();
    let password = composed(password);
    let sealed = async {
        let key = key(&subtle, &password, &salt).await?;
        let how = gcm(&iv, &said)?;
        JsFuture::from(subtle.encrypt_with_object_and_js_u8_array(&how, &key, &Uint8Array::from(bytes))?).await
    };
    let sealed = Uint8Array::new(&sealed.await.map_err(refused)?).to_vec();
    Ok([&said[..], &salt, &iv, &sealed].concat())
}

/// What was sealed.
///
/// # Errors
/// What is wrong with the bytes, or with the password.
pub async fn open(bytes: &[u8], password: &str) -> Result<Vec<u8>, LinkError> {
    let sealed = Sealed::of(bytes)?;
    let subtle = crypto().ok_or(LinkError::Password)?.subtle();
    let open = async |password: &str| {
        let key = key(&subtle, password, sealed.salt).await?;
        let how = gcm(sealed.iv, sealed.said)?;
        JsFuture::from(subtle.decrypt_with_object_and_js_u8_array(&how, &key, &Uint8Array::from(sealed.body))?).await
    };
    let composed = composed(password);
    let mut opened: Result<JsValue, JsValue> = open(&composed).await;
    if opened.is_err() && composed != password {
        // Sealed by a version that took passwords as they were typed.
        opened = open(password).await;
    }
    Ok(Uint8Array::new(&opened.map_err(|_| LinkError::Password)?).to_vec())
}

/// A password in the form NFC: keyboards type an `é` as one character or as two.
fn composed(password: &str) -> String {
    js_sys::JsString::from(password).normalize("NFC").into()
}

/// The browser's cryptography; none on a page that did not come over a safe connection.
fn crypto() -> Option<Crypto> {
    let crypto = Reflect::get(&js_sys::global(), &"crypto".into()).ok()?;
    let is_there = Reflect::get(&crypto, &"subtle".into()).is_ok_and(|subtle| subtle.is_truthy());
    is_there.then(|| crypto.unchecked_into())
}

async fn key(subtle: &SubtleCrypto, password: &str, salt: &[u8]) -> Result<CryptoKey, JsValue> {
    let uses = |names: &[&str]| names.iter().map(|name| JsValue::from_str(name)).collect::<Array>();
    let text = Uint8Array::from(password.as_bytes());
    let text = subtle.import_key_with_str("raw", &text, "PBKDF2", false, &uses(&["deriveKey"]))?;
    let text: CryptoKey = JsFuture::from(text).await?.dyn_into()?;
    let how = object(&[
        ("name", "PBKDF2".into()),
        ("hash", "SHA-256".into()),
        ("salt", Uint8Array::from(salt).into()),
        ("iterations", ROUNDS.into()),
    ])?;
    let what = object(&[("name", "AES-GCM".into()), ("length", 256.into())])?;
    let uses = uses(&["encrypt", "decrypt"]);
    let key = subtle.derive_key_with_object_and_object(&how, &text, &what, false, &uses)?;
    JsFuture::from(key).await?.dyn_into()
}

fn gcm(iv: &[u8], said: &[u8]) -> Result<Object, JsValue> {
    object(&[
        ("name", "AES-GCM".into()),
        ("iv", Uint8Array::from(iv).into()),
        ("additionalData", Uint8Array::from(said).into()),
    ])
}

fn object(fields: &[(&str, JsValue)]) -> Result<Object, JsValue> {
    let object = Object::new();
    for (name, value) in fields {
        Reflect::set(&object, &(*name).into(), value)?;
    }
    Ok(object)
}
