//! Reads lines of opened files again.

use super::PIECE;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::PathBuf;
use steplens_core::run::Span;

/// Where the bytes of a file can be had a second time.
#[derive(Debug)]
pub(super) enum Again {
    /// In the file itself. It is opened when it is needed: a storage tree has more files than a process may hold open.
    InPlace(PathBuf),
    /// In a temporary file, which holds what came out of a pipe or an archive.
    Spooled(File),
    /// Nowhere: nobody asked for it.
    Nowhere,
}

impl Again {
    /// All of it, from its first byte on, as often as it is asked for.
    ///
    /// # Errors
    /// It cannot be read any more, or was not kept.
    pub(super) fn open(&mut self) -> io::Result<File> {
        match self {
            Again::InPlace(path) => File::open(path),
            Again::Spooled(file) => {
                file.rewind()?;
                file.try_clone()
            }
            Again::Nowhere => Err(io::Error::other("it cannot be read a second time")),
        }
    }

    /// All of it, from its first byte on.
    ///
    /// # Errors
    /// It cannot be read any more, or was not kept.
    pub(super) fn whole(self) -> io::Result<File> {
        match self {
            Again::InPlace(path) => File::open(path),
            Again::Spooled(file) => Ok(file),
            Again::Nowhere => Err(io::Error::other("it cannot be read a second time")),
        }
    }
}

/// Reads lines of opened files again; neighbours come from one read.
pub(crate) struct Lines<'a> {
    files: &'a mut [Again],
    open: Option<(u32, File)>,
    file: u32,
    start: u64,
    buffer: Vec<u8>,
}

impl<'a> Lines<'a> {
    pub(super) fn new(files: &'a mut [Again]) -> Lines<'a> {
        Lines { files, open: None, file: 0, start: 0, buffer: Vec::new() }
    }

    /// The bytes of a line.
    ///
    /// # Errors
    /// The file cannot be read any more, or is shorter than it was.
    pub(crate) fn read(&mut self, span: Span) -> io::Result<&[u8]> {
        let held = self.file == span.file
            && span.offset >= self.start
            && span.offset + span.len <= self.start + self.buffer.len() as u64;
        if !held {
            self.fill(span)?;
        }
        let from = (span.offset - self.start) as usize;
        let changed = || io::Error::new(io::ErrorKind::UnexpectedEof, "it has become shorter while it was read");
        self.buffer.get(from..from + span.len as usize).ok_or_else(changed)
    }

    fn fill(&mut self, span: Span) -> io::Result<()> {
        let missing = || io::Error::other("it cannot be read a second time");
        let file = match self.files.get_mut(span.file as usize) {
            Some(Again::Spooled(file)) => file,
            Some(Again::InPlace(path)) => {
                if self.open.as_ref().is_none_or(|(open, _)| *open != span.file) {
                    self.open = Some((span.file, File::open(path)?));
                }
                &mut self.open.as_mut().ok_or_else(missing)?.1
            }
            _ => return Err(missing()),
        };
        file.seek(SeekFrom::Start(span.offset))?;
        self.buffer.clear();
        file.take(span.len.max(PIECE as u64)).read_to_end(&mut self.buffer)?;
        self.file = span.file;
        self.start = span.offset;
        Ok(())
    }
}
