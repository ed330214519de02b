//! The directory a command runs in, as far as the command says it, and paths joined to it.

use super::word::Word;

/// No system takes a longer path. The bound keeps many joins to one directory linear.
const MAX_PATH: usize = 4096;

/// The directory a simple command runs in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Place {
    /// Where the call started; the log may or may not say where that is.
    Start,
    /// After `cd` to this directory.
    In(String),
    /// After `cd` to somewhere that is not certain.
    Unknown,
}

impl Place {
    /// The place after `cd` to `word`.
    pub(super) fn enter(&self, word: &Word) -> Place {
        match self.path(word) {
            Ok(path) if word.text != "-" && path.len() <= MAX_PATH => Place::In(path),
            _ => Place::Unknown,
        }
    }

    /// The directory, when a `cd` named it.
    pub(super) fn directory(self) -> Option<String> {
        match self {
            Place::In(directory) => Some(directory),
            Place::Start | Place::Unknown => None,
        }
    }

    /// The path a command works on when it names none, as `.` would be: none before any `cd`.
    pub(super) fn here(&self) -> Result<Option<String>, String> {
        match self {
            Place::Start => Ok(None),
            Place::In(directory) => Ok(Some(directory.clone())),
            Place::Unknown => Err("the directory it runs in is not certain".to_owned()),
        }
    }

    /// The path `word` names, joined to the directory, or why it is not certain.
    pub(super) fn path(&self, word: &Word) -> Result<String, String> {
        if word.expansion || word.pattern || word.escapes {
            return Err(format!("`{}` is no certain path: the shell changes it", word.shown()));
        }
        if word.text.is_empty() {
            return Err("an operand is empty".to_owned());
        }
        if is_absolute(word) {
            return Ok(word.text.clone());
        }
        Ok(match self.here()? {
            None => word.text.clone(),
            Some(directory) => join(&directory, &word.text),
        })
    }
}

/// Also true of `~/x` and of Windows paths: a shell on Windows runs logs' commands too.
fn is_absolute(word: &Word) -> bool {
    word.has_tilde() || is_rooted(&word.text)
}

fn is_rooted(path: &str) -> bool {
    let drive = path.split_once(':').is_some_and(|(drive, rest)| {
        drive.len() == 1 && drive.starts_with(|c: char| c.is_ascii_alphabetic()) && rest.starts_with(['/', '\\'])
    });
    drive || path.starts_with('/') || path.starts_with("\\\\")
}

/// The directory that another one is, seen from where a command started.
pub(super) fn within(start: &str, directory: &str) -> String {
    if is_rooted(directory) || directory.starts_with('~') { directory.to_owned() } else { join(start, directory) }
}

/// `a` and `./b` give `a/b`. A `..` stays: behind a symbolic link it leads elsewhere than its text
/// says.
fn join(directory: &str, path: &str) -> String {
    let mut path = path;
    while let Some(rest) = path.strip_prefix("./") {
        path = rest.trim_start_matches('/');
    }
    if path.is_empty() || path == "." {
        return directory.to_owned();
    }
    if directory == "." {
        return path.to_owned();
    }
    format!("{}/{path}", directory.trim_end_matches('/'))
}
