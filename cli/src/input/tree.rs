//! Folders: the old storage tree, in which every session, message and part is a JSON file of its own.
//!
//! ```text
//! storage/session/<project>/ses_….json      until autumn 2025: storage/session/info/ses_….json
//! storage/message/ses_…/msg_….json                             storage/session/message/ses_…/msg_….json
//! storage/part/msg_…/prt_….json                                storage/session/part/ses_…/msg_…/prt_….json
//! ```

use crate::error::Error;
use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// How many inputs one run can hold.
const MOST_FILES: usize = u16::MAX as usize;
/// How many logs of a folder an error names.
const NAMED: usize = 3;
/// Databases of the releases that no longer keep a storage tree.
const DATABASES: [(&str, &str); 2] = [("opencode.db", "opencode"), ("kilo.db", "kilo")];

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

/// The documents of the storage tree in or under a folder, each session's own first, then each message with its parts.
/// Ids of messages and parts rise with time and those of sessions fall, so that the order by id is the order in time.
///
/// # Errors
/// The folder cannot be read, or holds no storage tree; the message says what to do instead.
pub(super) fn documents(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut all = Vec::new();
    collect(folder, folder, &mut all).map_err(|source| Error::read(folder, source))?;
    let found = |kind: Kind| all.iter().any(|document| document.kind == kind);
    if !(found(Kind::Message) && found(Kind::Part)) {
        return Err(Error::Folder { name: folder.display().to_string(), advice: advice(folder) });
    }
    if all.len() > MOST_FILES {
        let name = folder.display().to_string();
        return Err(Error::Folder { name, advice: too_many(all.len()) });
    }
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
        // Parts whose message is missing stand at the end. Session ids fall with time.
        (session.is_none(), std::cmp::Reverse(session), message, document.kind, document.id.clone())
    };
    all.sort_by_cached_key(key);
    Ok(all.into_iter().map(|document| document.path).collect())
}

fn collect(root: &Path, folder: &Path, out: &mut Vec<Document>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        // `metadata` of the entry itself does not follow links, so that no link can lead around in circles.
        let kind = entry.metadata()?.file_type();
        if kind.is_dir() {
            collect(root, &path, out)?;
        } else if kind.is_file() {
            out.extend(document(root, path));
        }
    }
    Ok(())
}

/// What a file of the tree is, told by the folders that it lies in.
fn document(root: &Path, path: PathBuf) -> Option<Document> {
    if path.extension()? != "json" {
        return None;
    }
    // The folder itself may be one of the three.
    let inside = path.strip_prefix(root.parent().unwrap_or(root)).unwrap_or(&path).parent()?;
    let kind = inside.components().rev().find_map(|component| match component.as_os_str().to_str()? {
        "part" => Some(Kind::Part),
        "message" => Some(Kind::Message),
        "session" | "info" => Some(Kind::Session),
        _ => None,
    })?;
    let id = path.file_stem()?.to_string_lossy().into_owned();
    let owner = path.parent()?.file_name()?.to_string_lossy().into_owned();
    Some(Document { path, kind, id, owner })
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
