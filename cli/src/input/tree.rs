//! Folders: the old storage tree, in which every session, message and part is a JSON file of its own.
//!
//! ```text
//! storage/session/<project>/ses_….json      until autumn 2025: storage/session/info/ses_….json
//! storage/message/ses_…/msg_….json                             storage/session/message/ses_…/msg_….json
//! storage/part/msg_…/prt_….json                                storage/session/part/ses_…/msg_…/prt_….json
//! ```

use crate::error::Error;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// How many inputs one run can hold.
const MOST_FILES: usize = u16::MAX as usize;
/// How many logs of a folder an error names.
const NAMED: usize = 3;
/// Databases of the releases that no longer keep a storage tree.
const DATABASES: [(&str, &str); 2] = [("opencode.db", "opencode"), ("kilo.db", "kilo")];

/// The folders of documents. What else lies beside them (`session_diff`, `todo`, …) is no part of a run.
const FOLDERS: [(&str, Kind); 4] =
    [("session", Kind::Session), ("info", Kind::Session), ("message", Kind::Message), ("part", Kind::Part)];

/// What a stored document is. The order is that in which those of one session are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Session,
    Message,
    Part,
}

/// A stored document.
#[derive(Debug)]
struct Document {
    path: PathBuf,
    kind: Kind,
    /// Its file's name without the extension: its id.
    id: String,
    /// The name of the folder that it lies in: what it belongs to.
    owner: String,
}

/// The documents of a storage tree, each session's own first, then each message with its parts. Ids of messages and parts
/// rise with time and those of sessions fall, so that the order by id is the order in time.
///
/// # Errors
/// The folder cannot be read, or is no storage tree; the message says what to do instead.
pub(super) fn documents(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let failed = |source| Error::read(folder, source);
    let name = || folder.display().to_string();
    let bases = bases(folder).map_err(failed)?;
    if bases.is_empty() {
        return Err(Error::Folder { name: name(), advice: advice(folder) });
    }
    let mut all = Vec::new();
    for base in bases {
        for (part_of_tree, kind) in FOLDERS {
            collect(&base.join(part_of_tree), kind, &mut all).map_err(failed)?;
        }
    }
    if all.len() > MOST_FILES {
        return Err(Error::Folder { name: name(), advice: too_many(all.len()) });
    }
    // Folders are listed in no particular order, which may decide nothing.
    all.sort_by(|a, b| a.path.cmp(&b.path));
    let session_of: HashMap<String, String> = all
        .iter()
        .filter(|document| document.kind == Kind::Message)
        .map(|message| (message.id.clone(), message.owner.clone()))
        .collect();
    let key = |document: &Document| {
        let (session, message) = match document.kind {
            Kind::Session => (Some(document.id.clone()), String::new()),
            Kind::Message => (Some(document.owner.clone()), document.id.clone()),
            Kind::Part => (session_of.get(&document.owner).cloned(), document.owner.clone()),
        };
        // Parts whose message is missing stand at the end.
        (session.is_none(), Reverse(session), message, document.kind, document.id.clone())
    };
    all.sort_by_cached_key(key);
    Ok(all.into_iter().map(|document| document.path).collect())
}

/// Where the folders of documents lie: in the folder that is named, in its `storage`, or in those of its projects. Nowhere
/// deeper: a name given by mistake must not read a whole disk.
fn bases(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut roots = vec![folder.to_owned(), folder.join("storage")];
    let projects = folder.join("project");
    if projects.is_dir() {
        let mut storages = Vec::new();
        for project in fs::read_dir(projects)? {
            storages.push(project?.path().join("storage"));
        }
        storages.sort();
        roots.extend(storages);
    }
    let bases = roots.into_iter().flat_map(|root| [root.join("session"), root]);
    Ok(bases.filter(|base| base.join("message").is_dir() && base.join("part").is_dir()).collect())
}

/// Takes the documents in a folder and those below it.
fn collect(folder: &Path, kind: Kind, out: &mut Vec<Document>) -> io::Result<()> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    for entry in entries {
        let entry = entry?;
        let path = entry.path();
        // The entry's own type: a link is not followed, so that none can lead around in circles.
        let file_type = entry.file_type()?;
        if file_type.is_dir() {
            collect(&path, kind, out)?;
        } else if file_type.is_file() && path.extension().is_some_and(|extension| extension == "json") {
            let name = |name: Option<&OsStr>| name.unwrap_or_default().to_string_lossy().into_owned();
            let (id, owner) = (name(path.file_stem()), name(folder.file_name()));
            out.push(Document { path, kind, id, owner });
        }
    }
    Ok(())
}

fn too_many(count: usize) -> String {
    format!(
        "this storage tree holds {count} documents, more than the {MOST_FILES} inputs that are read at once; put them \
         into one: `find session message part -name '*.json' | sort | xargs cat | steplens -`"
    )
}

/// What to do with a folder that is no storage tree.
fn advice(folder: &Path) -> String {
    for (database, program) in DATABASES {
        if folder.join(database).is_file() {
            return format!(
                "this folder holds a database ({database}), which is not read; `{program} session list` lists its \
                 sessions, and `{program} export SESSION > session.json` writes one to be read"
            );
        }
    }
    let mut logs: Vec<String> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| [".jsonl", ".json", ".log", ".ndjson", ".gz", ".zst"].iter().any(|end| name.ends_with(end)))
        .collect();
    logs.sort();
    let no_tree = "this is a folder, and no storage tree (`message/` and `part/` with JSON files)";
    match logs.as_slice() {
        [] => format!("{no_tree}; name the log itself"),
        [only] => format!("{no_tree}; name the log in it: {only}"),
        logs => {
            let named = logs.get(..NAMED.min(logs.len())).unwrap_or_default().join(", ");
            let more = if logs.len() > NAMED { format!(" and {} more", logs.len() - NAMED) } else { String::new() };
            format!("{no_tree}; name the logs in it: {named}{more}")
        }
    }
}
