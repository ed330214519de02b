//! Where output goes: standard output, or a file that is there whole or not at all.

use crate::args::Output;
use crate::error::Error;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::{Builder, NamedTempFile};

/// Writes what `write` writes to where the options say. A file appears under its name only once all of it is written:
/// whoever reads it never sees half of one, and a failure leaves what was there.
///
/// # Errors
/// The file exists and `--force` is not given, or it cannot be written.
pub(crate) fn write_to(output: &Output, write: impl FnOnce(&mut dyn Write) -> Result<(), Error>) -> Result<(), Error> {
    let Some(path) = output.path() else {
        let mut out = BufWriter::new(io::stdout().lock());
        write(&mut out)?;
        return Ok(out.flush()?);
    };
    let failed = |source: io::Error| Error::WriteFile { name: path.display().to_string(), source: own(source) };
    let of_file = |error: Error| match error {
        Error::Write(source) => failed(source),
        error => error,
    };
    // A device or a pipe is no file to be replaced.
    if is_special(path) {
        let mut out = BufWriter::new(File::options().write(true).open(path).map_err(failed)?);
        write(&mut out).map_err(of_file)?;
        return out.flush().map_err(failed);
    }
    // What a link leads to is replaced, not the link.
    let target = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let mut file = temporary(&folder_of(&target)).map_err(failed)?;
    let mut out = BufWriter::new(&mut file);
    write(&mut out).map_err(of_file)?;
    out.flush().map_err(failed)?;
    drop(out);
    file.as_file().sync_all().map_err(failed)?;
    let persisted = if output.force { file.persist(&target) } else { file.persist_noclobber(&target) };
    persisted.map(|_| ()).map_err(|error| match error.error.kind() {
        io::ErrorKind::AlreadyExists => exists(path),
        _ => failed(error.error),
    })
}

/// Writes a file in place of what is there, whole or not at all.
///
/// # Errors
/// It cannot be written.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let failed = |source: io::Error| Error::WriteFile { name: path.display().to_string(), source };
    let target = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let mut file = temporary(&folder_of(&target)).map_err(failed)?;
    file.write_all(bytes).map_err(failed)?;
    file.as_file().sync_all().map_err(failed)?;
    file.persist(&target).map(|_| ()).map_err(|error| failed(error.error))
}

/// Refuses early what the end would refuse anyway: before a large log is read.
///
/// # Errors
/// The file exists and `--force` is not given, its name is a folder's, or it is one of the logs that are read: that one is
/// kept even with `--force`.
pub(crate) fn check(output: &Output, logs: &[PathBuf]) -> Result<(), Error> {
    let same = |a: &Path, b: &Path| matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b);
    match output.path() {
        Some(path) if logs.iter().any(|log| same(path, log)) && !is_special(path) => {
            Err(Error::OwnInput { name: path.display().to_string() })
        }
        Some(path) if path.is_dir() => {
            let source = io::ErrorKind::IsADirectory.into();
            Err(Error::WriteFile { name: path.display().to_string(), source })
        }
        Some(path) if !output.force && !is_special(path) && path.symlink_metadata().is_ok() => Err(exists(path)),
        _ => Ok(()),
    }
}

/// An error without the name of the temporary file, which nobody asked for.
fn own(error: io::Error) -> io::Error {
    let text = error.to_string();
    match text.split_once(" at path ") {
        Some((what, _)) => io::Error::new(error.kind(), what.to_owned()),
        None => error,
    }
}

fn exists(path: &Path) -> Error {
    Error::Exists { name: path.display().to_string() }
}

fn is_special(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir())
}

/// The folder that a file is to lie in: the temporary file must be on the same disk to be renamed.
fn folder_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent.to_owned(),
        _ => PathBuf::from("."),
    }
}

/// A temporary file with the rights that any new file gets, not the narrow ones of a secret.
fn temporary(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    builder.prefix(".steplens-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}
