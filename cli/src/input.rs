//! Reads logs in pieces of bounded size, and single lines again later.

use crate::args::Common;
use crate::error::Error;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use steplens_core::run::{Options, Run, Span};

/// How much is read at once.
const PIECE: usize = 1 << 20;

/// Whether lines have to be read again after the first pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pass {
    /// Once: standard input is read as it comes.
    Once,
    /// Again: standard input is kept in a temporary file.
    Again,
}

/// A run, and the files that it was read from.
pub(crate) struct Opened {
    pub(crate) run: Run,
    files: Vec<Option<File>>,
}

/// Reads all files into one run. A file that holds no record of a known format is an error, as is one that cannot be read.
pub(crate) fn open(paths: &[PathBuf], common: &Common, pass: Pass) -> Result<Opened, Error> {
    let mut run = Run::new(Options { dialect: common.dialect.into(), ..Options::default() });
    let mut files = Vec::new();
    for (index, path) in paths.iter().enumerate() {
        let name = name_of(path);
        run.begin_file(&name);
        let file = read_into(&mut run, path, pass).map_err(|source| Error::read(path, source))?;
        run.end_file();
        files.push(file);
        if !run.file_recognised(index as u32) {
            let head = run.head_of_file(index as u32).to_vec();
            let empty = run.summary().files.get(index).is_some_and(|file| file.records == 0);
            let foreign = run.foreign_format(index as u32);
            return Err(Error::NotALog { name: path.display().to_string(), head, empty, foreign });
        }
    }
    Ok(Opened { run, files })
}

fn name_of(path: &Path) -> String {
    if path == Path::new("-") {
        return "standard input".to_owned();
    }
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

fn read_into(run: &mut Run, path: &Path, pass: Pass) -> io::Result<Option<File>> {
    if path == Path::new("-") {
        let mut spool = if pass == Pass::Again { Some(tempfile::tempfile()?) } else { None };
        each_piece(&mut io::stdin().lock(), |piece| {
            run.push(piece);
            spool.as_mut().map_or(Ok(()), |spool| spool.write_all(piece))
        })?;
        return Ok(spool);
    }
    let mut file = File::open(path)?;
    if file.metadata()?.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    each_piece(&mut file, |piece| {
        run.push(piece);
        Ok(())
    })?;
    Ok(Some(file))
}

fn each_piece(reader: &mut impl Read, mut each: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
    let mut piece = vec![0; PIECE];
    loop {
        match reader.read(&mut piece) {
            Ok(0) => return Ok(()),
            Ok(len) => each(piece.get(..len).unwrap_or_default())?,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// Reads lines of opened files again; neighbours come from one read.
pub(crate) struct Lines<'a> {
    files: &'a mut [Option<File>],
    file: u32,
    start: u64,
    buffer: Vec<u8>,
}

impl Opened {
    /// The run, and a reader of its lines.
    pub(crate) fn lines(&mut self) -> (&Run, Lines<'_>) {
        (&self.run, Lines { files: &mut self.files, file: 0, start: 0, buffer: Vec::new() })
    }
}

impl Lines<'_> {
    /// The bytes of a line.
    pub(crate) fn read(&mut self, span: Span) -> io::Result<&[u8]> {
        let held = self.file == span.file
            && span.offset >= self.start
            && span.offset + span.len <= self.start + self.buffer.len() as u64;
        if !held {
            self.fill(span)?;
        }
        let from = (span.offset - self.start) as usize;
        Ok(self.buffer.get(from..from + span.len as usize).unwrap_or_default())
    }

    fn fill(&mut self, span: Span) -> io::Result<()> {
        let missing = || io::Error::other("the file cannot be read a second time");
        let file = self.files.get_mut(span.file as usize).and_then(Option::as_mut).ok_or_else(missing)?;
        file.seek(SeekFrom::Start(span.offset))?;
        self.buffer.clear();
        file.take(span.len.max(PIECE as u64)).read_to_end(&mut self.buffer)?;
        self.file = span.file;
        self.start = span.offset;
        Ok(())
    }
}
