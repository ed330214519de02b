//! A log as it is served: its bytes as they are on disk now, or as far as they came in.

use crate::error::Error;
use crate::input;
use crate::serve::{Request, Response, Wanted, content_type};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How long the page waits for the first bytes of a pipe.
const FIRST: Duration = Duration::from_secs(60);
/// How often it is looked for them.
const LOOK: Duration = Duration::from_millis(20);
/// How much of what comes in is kept at once.
const PIECE: usize = 64 << 10;

/// A log that is served.
pub(super) enum Log {
    /// A file: opened for each request, as it may be replaced.
    OnDisk(PathBuf),
    /// What came in by a pipe, in a file without a name.
    Piped(Arc<Spool>),
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
            Log::Piped(spool) if request.header("range").is_none() => spool.first()?,
            Log::Piped(spool) => spool.locked().metadata()?.len(),
        };
        let (status, from, to) = match request.range(size) {
            Wanted::All => ("200 OK", 0, size),
            Wanted::Part(from, to) => ("206 Partial Content", from, to),
            // The page asks every second: an error would fill the browser's console.
            Wanted::Nothing => return Ok(Response::of("204 No Content", content_type("log.jsonl"), 0, io::empty())),
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
            Log::Piped(spool) => Response::of(status, content_type, to - from, Part { spool: spool.clone(), at: from }),
        };
        let response = response.with("Accept-Ranges", "bytes");
        Ok(match status {
            "200 OK" => response,
            _ => response.with("Content-Range", &format!("bytes {from}-{}/{size}", to.saturating_sub(1))),
        })
    }
}

/// What came in by a pipe.
pub(super) struct Spool {
    file: Mutex<File>,
    is_over: AtomicBool,
}

impl Spool {
    fn locked(&self) -> MutexGuard<'_, File> {
        // Whoever panicked left a file: its place is set anew each time.
        self.file.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How much there is, once there is something: an empty log would be shown as one.
    fn first(&self) -> io::Result<u64> {
        let started = Instant::now();
        loop {
            let is_over = self.is_over.load(Ordering::Acquire);
            let size = self.locked().metadata()?.len();
            if size > 0 || is_over || started.elapsed() > FIRST {
                return Ok(size);
            }
            thread::sleep(LOOK);
        }
    }
}

/// Reads a source to its end, on a thread of its own, and keeps what it gives.
fn spool(mut source: impl Read + Send + 'static) -> io::Result<Log> {
    let spool = Arc::new(Spool { file: Mutex::new(tempfile::tempfile()?), is_over: AtomicBool::new(false) });
    let kept = spool.clone();
    thread::spawn(move || {
        if let Err(error) = keep(&mut source, &kept) {
            crate::style::note(&format!("no more of the log is read: {error}"));
        }
        kept.is_over.store(true, Ordering::Release);
    });
    Ok(Log::Piped(spool))
}

fn keep(source: &mut impl Read, spool: &Spool) -> io::Result<()> {
    let mut piece = vec![0; PIECE];
    loop {
        let read = match source.read(&mut piece) {
            Ok(0) => return Ok(()),
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let mut file = spool.locked();
        file.seek(SeekFrom::End(0))?;
        file.write_all(piece.get(..read).unwrap_or_default())?;
    }
}

/// A part of what came in.
struct Part {
    spool: Arc<Spool>,
    at: u64,
}

impl Read for Part {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut file = self.spool.locked();
        file.seek(SeekFrom::Start(self.at))?;
        let read = file.read(buffer)?;
        self.at += read as u64;
        Ok(read)
    }
}
