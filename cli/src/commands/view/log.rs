//! A log as it is served: its bytes as they are on disk now, or as far as they came in.

use crate::error::Error;
use crate::input;
use crate::serve::{Request, Response, Wanted, content_type};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::thread;

/// How much of what comes in is kept at once.
const PIECE: usize = 64 << 10;

/// A log that is served.
pub(super) enum Log {
    /// A file: opened for each request, as it may be replaced.
    OnDisk(PathBuf),
    /// What came in by a pipe, in a file without a name.
    Piped(Arc<Mutex<File>>),
}

impl Log {
    /// Opens a log; `-` and pipes are read on a thread of their own.
    ///
    /// # Errors
    /// It cannot be read.
    pub(super) fn open(path: &Path) -> Result<Log, Error> {
        let failed = |source| Error::read(path, source);
        if input::is_stdin(path) {
            return spool(io::stdin()).map_err(failed);
        }
        if path.is_dir() {
            let advice = "this is a folder; name the log in it".to_owned();
            return Err(Error::Folder { name: input::named(path), advice });
        }
        let file = File::open(path).map_err(failed)?;
        if file.metadata().map_err(failed)?.is_file() {
            return Ok(Log::OnDisk(path.canonicalize().map_err(failed)?));
        }
        spool(file).map_err(failed)
    }

    /// Whether more may come in by itself.
    pub(super) fn is_growing(&self) -> bool {
        matches!(self, Log::Piped(_))
    }

    /// The bytes that are asked for.
    pub(super) fn response(&self, request: &Request) -> Response {
        match self.part(request) {
            Ok(response) => response,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Response::text(
                "404 Not Found",
                "The log is gone: it was moved or deleted after `steplens view` was started.",
            ),
            Err(error) => Response::text("500 Internal Server Error", &format!("The log cannot be read: {error}.")),
        }
    }

    fn part(&self, request: &Request) -> io::Result<Response> {
        let size = match self {
            Log::OnDisk(path) => path.metadata()?.len(),
            Log::Piped(file) => locked(file).metadata()?.len(),
        };
        let (status, from, to) = match request.range(size) {
            Wanted::All => ("200 OK", 0, size),
            Wanted::Part(from, to) => ("206 Partial Content", from, to),
            Wanted::Behind => {
                let refused = Response::text("416 Range Not Satisfiable", "The log is not as long as that.");
                return Ok(refused.with("Content-Range", &format!("bytes */{size}")));
            }
        };
        let content_type = content_type("log.jsonl");
        let response = match self {
            Log::OnDisk(path) => {
                let mut file = File::open(path)?;
                file.seek(SeekFrom::Start(from))?;
                Response::of(status, content_type, to - from, file)
            }
            Log::Piped(file) => Response::of(status, content_type, to - from, Part { file: file.clone(), at: from }),
        };
        let response = response.with("Accept-Ranges", "bytes");
        Ok(match status {
            "200 OK" => response,
            _ => response.with("Content-Range", &format!("bytes {from}-{}/{size}", to.saturating_sub(1))),
        })
    }
}

/// Reads a source to its end, and keeps what it gives.
fn spool(mut source: impl Read + Send + 'static) -> io::Result<Log> {
    let file = Arc::new(Mutex::new(tempfile::tempfile()?));
    let kept = file.clone();
    thread::spawn(move || {
        let mut piece = vec![0; PIECE];
        loop {
            let read = match source.read(&mut piece) {
                Ok(0) => return,
                Ok(read) => read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(_) => return,
            };
            let mut file = locked(&kept);
            let bytes = piece.get(..read).unwrap_or_default();
            if file.seek(SeekFrom::End(0)).and_then(|_| file.write_all(bytes)).is_err() {
                crate::style::note("no more of standard input can be kept: the disk of the temporary folder is full");
                return;
            }
        }
    });
    Ok(Log::Piped(file))
}

/// A part of what came in.
struct Part {
    file: Arc<Mutex<File>>,
    at: u64,
}

impl Read for Part {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut file = locked(&self.file);
        file.seek(SeekFrom::Start(self.at))?;
        let read = file.read(buffer)?;
        self.at += read as u64;
        Ok(read)
    }
}

fn locked(file: &Mutex<File>) -> std::sync::MutexGuard<'_, File> {
    // Whoever panicked left a file: its place is set anew each time.
    file.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
