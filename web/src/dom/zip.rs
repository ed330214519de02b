//! Files as one `.zip`, made of `Blob`s: the browser holds the bytes, and only a slice of them is in memory.

use js_sys::{Array, Uint8Array};
use steplens_core::export::zip::{Crc, Zip};
use web_sys::{Blob, BlobPropertyBag};

use crate::engine::reader::{Slices, error_name};

/// An archive of these files, by their paths.
///
/// # Errors
/// Why there is none, without a full stop.
pub async fn zip(files: &[(String, Blob)]) -> Result<Blob, String> {
    let (mut zip, parts) = (Zip::default(), Array::new());
    for (path, blob) in files {
        let mut crc = Crc::default();
        let mut slices = Slices::new(blob.clone());
        while let Some(bytes) = slices.next().await.map_err(|error| format!("{path} could not be read ({error})"))? {
            crc.push(bytes);
        }
        let head = zip.entry(path, blob.size() as u64, crc).map_err(|error| error.to_string())?;
        parts.push(&Uint8Array::from(head.as_slice()));
        parts.push(blob);
    }
    let end = zip.finish().map_err(|error| error.to_string())?;
    parts.push(&Uint8Array::from(end.as_slice()));
    let bag = BlobPropertyBag::new();
    bag.set_type("application/zip");
    Blob::new_with_blob_sequence_and_options(&parts, &bag).map_err(|error| error_name(&error))
}
