//! Errors as a reader needs them: what is wrong, where, and what to do.

use std::fmt;
use std::io;
use std::path::Path;
use steplens_core::run::Run;

/// Why a command could not do its work.
#[derive(Debug)]
pub(crate) enum Error {
    /// A file that cannot be read.
    Read { name: String, source: io::Error },
    /// A file with no record of a known format.
    NotALog { name: String, head: Vec<u8>, empty: bool, foreign: Option<&'static str> },
    /// No such line, or a blank one.
    NoRecord { name: String, line: u64, lines: u64 },
    /// Writing the output failed.
    Write(io::Error),
}

impl Error {
    pub(crate) fn read(path: &Path, source: io::Error) -> Error {
        Error::Read { name: path.display().to_string(), source }
    }

    /// The reader of a pipe has seen enough: no error.
    pub(crate) fn is_broken_pipe(&self) -> bool {
        matches!(self, Error::Write(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Error {
        Error::Write(error)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Read { name, source } if source.kind() == io::ErrorKind::NotFound => {
                write!(f, "{name}: there is no such file")
            }
            Error::Read { name, source } if source.kind() == io::ErrorKind::IsADirectory => {
                write!(f, "{name}: this is a folder; name the log in it")
            }
            Error::Read { name, source } => write!(f, "{name}: cannot be read: {source}"),
            Error::NotALog { name, empty: true, .. } => {
                write!(f, "{name}: the file is empty (nothing but white space), so there is no record in it")
            }
            Error::NotALog { name, foreign: Some(foreign), .. } => {
                write!(f, "{name}: this looks like {foreign}, which is not read yet")
            }
            Error::NotALog { name, head, .. } => {
                let formats: Vec<&str> = Run::formats().collect();
                let (formats, head) = (formats.join(", "), shown(head));
                write!(
                    f,
                    "{name}: no record recognised. Tried: {formats}. (A step-stream is what `kilo run --format json` and \
                     `opencode run --format json` write.) It begins with: {head}"
                )
            }
            Error::NoRecord { name, line, lines } if line > lines => {
                write!(f, "{name}: there is no line {line}; the file has {lines}")
            }
            Error::NoRecord { name, line, .. } => {
                write!(f, "{name}: line {line} is blank, so there is no record on it")
            }
            Error::Write(error) => write!(f, "the output cannot be written: {error}"),
        }
    }
}

/// The head of a file as text: what cannot be shown as hex, and no more than one line of it.
fn shown(head: &[u8]) -> String {
    let text = String::from_utf8_lossy(head);
    let line: String = text.chars().take(120).collect();
    if line.chars().any(|c| c == '\u{FFFD}' || (c.is_control() && !c.is_whitespace())) {
        return head.iter().take(24).map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ");
    }
    format!("{:?}", line.trim_end())
}
