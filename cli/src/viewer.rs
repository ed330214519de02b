//! The viewer that is built into the binary: the page's files, packed.
//!
//! A binary that was built without them (plain `cargo build`) has none. The environment's `STEPLENS_VIEWER` may name a
//! folder with a built page, which then is taken instead.

use crate::error::Error;
use std::borrow::Cow;
use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use steplens_core::unpack::{Packing, Unpacker};

/// Names and packed bytes.
const FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/viewer.rs"));

/// The names of the variable that names a folder.
const VARIABLE: &str = "STEPLENS_VIEWER";

/// One file of the viewer.
pub(crate) struct File {
    pub(crate) name: Cow<'static, str>,
    place: Place,
}

enum Place {
    /// Packed, in the binary.
    Within(&'static [u8]),
    /// On disk.
    At(PathBuf),
}

/// All files of the viewer, by name.
///
/// # Errors
/// The binary was built without it, or the folder that the environment names cannot be read.
pub(crate) fn files(command: &'static str) -> Result<Vec<File>, Error> {
    let Some(folder) = std::env::var_os(VARIABLE).filter(|folder| !folder.is_empty()) else {
        let within = FILES.iter().map(|(name, bytes)| File { name: (*name).into(), place: Place::Within(bytes) });
        let files: Vec<File> = within.collect();
        return if files.is_empty() { Err(Error::NoViewer { command }) } else { Ok(files) };
    };
    let failed = |source| Error::Viewer { folder: named(&folder), source };
    let mut files = Vec::new();
    for entry in fs::read_dir(&folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.path().is_file() {
            files.push(File { name: name.into(), place: Place::At(entry.path()) });
        }
    }
    files.sort_by(|a, b| a.name.cmp(&b.name));
    if files.iter().any(|file| file.name == "index.html") { Ok(files) } else { Err(Error::NoViewer { command }) }
}

/// One file of the viewer as text.
///
/// # Errors
/// As [`files`], or it is not among them.
pub(crate) fn text(name: &str, command: &'static str) -> Result<String, Error> {
    let files = files(command)?;
    let file = files.iter().find(|file| file.name == name).ok_or(Error::NoViewer { command })?;
    let bytes = file.bytes()?;
    String::from_utf8(bytes).map_err(|_| Error::NoViewer { command })
}

impl File {
    /// Its bytes, unpacked.
    ///
    /// # Errors
    /// It cannot be read from disk.
    pub(crate) fn bytes(&self) -> Result<Vec<u8>, Error> {
        match &self.place {
            Place::Within(packed) => {
                let (mut unpacker, mut bytes) = (Unpacker::new(Packing::Gzip), Vec::new());
                unpacker.push(packed, &mut |piece: &[u8]| bytes.extend_from_slice(piece));
                unpacker.finish(&mut |piece: &[u8]| bytes.extend_from_slice(piece));
                Ok(bytes)
            }
            Place::At(path) => fs::read(path).map_err(|source| Error::read(path, source)),
        }
    }
}

fn named(folder: &OsString) -> String {
    folder.to_string_lossy().into_owned()
}
