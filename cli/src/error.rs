//! Errors as a reader needs them: what is wrong, where, and what to do.

use crate::style::one_line;
use std::fmt;
use std::io;
use std::path::Path;
use steplens_core::foreign::Foreign;
use steplens_core::run::Run;

/// Why a command could not do its work.
#[derive(Debug)]
pub(crate) enum Error {
    /// A file that cannot be read.
    Read { name: String, source: io::Error },
    /// A folder that is no storage tree, and what to do with it.
    Folder { name: String, advice: String },
    /// A file with no record of a known format.
    NotALog { name: String, head: Vec<u8>, foreign: Option<Foreign>, damage: Option<String> },
    /// No such line, or a blank one.
    NoRecord { name: String, line: u64, lines: u64 },
    /// None of the records on a line is of that part.
    NoPart { name: String, line: u64, part: String, parts: Vec<String> },
    /// No such session in the files.
    NoSession { id: String, files: Vec<String> },
    /// Nothing in the logs has a time.
    NoTimes,
    /// A table of rules that cannot be used.
    Rules(String),
    /// A price table that cannot be used.
    Prices(String),
    /// Options that make no sense together.
    Usage(String),
    /// Writing to standard output failed.
    Write(io::Error),
    /// Writing a file failed.
    WriteFile { name: String, source: io::Error },
    /// A file that would be replaced.
    Exists { name: String },
    /// The output would replace a log that is read.
    OwnInput { name: String },
    /// This binary was built without the viewer.
    NoViewer { command: &'static str },
    /// The viewer's folder, which the environment names, cannot be read.
    Viewer { folder: String, source: io::Error },
}

impl Error {
    pub(crate) fn read(path: &Path, source: io::Error) -> Error {
        Error::Read { name: crate::input::named(path), source }
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
            Error::Read { name, source } => write_unreadable(f, name, source),
            Error::Folder { name, advice } => write!(f, "{name}: {advice}"),
            Error::NotALog { name, damage: Some(damage), foreign: Some(Foreign::Empty | Foreign::Blank), .. } => {
                write!(f, "{name}: {damage}")
            }
            Error::NotALog { name, foreign: Some(foreign), .. } => write!(f, "{name}: {}", foreign.reason()),
            Error::NotALog { name, head, damage, .. } => write_foreign(f, name, head, damage.as_deref()),
            Error::NoRecord { name, line, lines } if line > lines => {
                write!(f, "{name}: there is no line {line}; the file has {lines}")
            }
            Error::NoRecord { name, line, .. } => {
                write!(f, "{name}: line {line} is blank, so there is no record on it")
            }
            Error::NoPart { name, line, part, parts } => {
                let parts = if parts.is_empty() { "none".to_owned() } else { parts.join(", ") };
                write!(f, "{name}: no record on line {line} is of the part {part}; the parts on it: {parts}")
            }
            Error::NoSession { id, files } => {
                let files = files.join(" ");
                write!(f, "there is no session {id} in {files}; `steplens summary {files}` lists those that there are")
            }
            Error::NoTimes => f.write_str(
                "nothing in these logs has a time, so there is nothing to put on a time line; an export of the session \
                 holds times (`opencode export` or `kilo export`)",
            ),
            Error::Rules(message) => {
                write!(f, "{}\n`steplens rules` prints a table that can be used", message.trim_end())
            }
            Error::Prices(message) | Error::Usage(message) => f.write_str(message),
            Error::Write(error) => write!(f, "the output cannot be written: {error}"),
            Error::WriteFile { name, source } => write!(f, "{name}: cannot be written: {source}"),
            Error::OwnInput { name } => {
                write!(
                    f,
                    "{name}: this is one of the logs that are read, and is kept; name another file for the output"
                )
            }
            Error::NoViewer { command } => write!(
                f,
                "`steplens {command}` needs the viewer, and this binary was built without it (or without a part of it): \
                 `cargo xtask build` makes target/release/steplens with the viewer in it"
            ),
            Error::Viewer { folder, source } => {
                write!(
                    f,
                    "{folder}: STEPLENS_VIEWER names this folder as the viewer's, and it cannot be read: {source}"
                )
            }
            Error::Exists { name } => write!(f, "{name}: this file exists, and is kept; `--force` replaces it"),
        }
    }
}

fn write_unreadable(f: &mut fmt::Formatter<'_>, name: &str, source: &io::Error) -> fmt::Result {
    match source.kind() {
        io::ErrorKind::NotFound if !name.contains(['.', '/', '\\']) => {
            write!(f, "{name}: there is no such file, nor a command of that name (`steplens --help` lists them)")
        }
        io::ErrorKind::NotFound => write!(f, "{name}: there is no such file"),
        io::ErrorKind::IsADirectory => write!(f, "{name}: this is a folder; name a file"),
        _ => write!(f, "{name}: cannot be read: {source}"),
    }
}

fn write_foreign(f: &mut fmt::Formatter<'_>, name: &str, head: &[u8], damage: Option<&str>) -> fmt::Result {
    let formats: Vec<&str> = Run::formats().collect();
    let (formats, head) = (formats.join(", "), shown(head));
    write!(
        f,
        "{name}: no record recognised. Tried: {formats}. (A step-stream is what `kilo run --format json` and \
         `opencode run --format json` write.) It begins with: {head}"
    )?;
    damage.map_or(Ok(()), |damage| write!(f, "; {damage}"))?;
    f.write_str(
        ". Another harness's stream can be read by rules alone (`--rules` with a `[stream]` that says where its records hold \
         their type, tool, input and status)",
    )
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

/// Names of files and sessions come from outside: an error is printed with [`one_line`] pieces only.
pub(crate) fn printable(error: &Error) -> String {
    let text = error.to_string();
    match error {
        // The place in a table is drawn over several lines, and what can be chosen is listed.
        Error::Rules(_) | Error::Usage(_) => crate::style::plain(&text),
        _ => one_line(&text),
    }
}
