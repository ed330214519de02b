//! Folders: the documents of an old storage tree. `core` says which files are documents, and in which order they are read.

use crate::error::Error;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use steplens_core::tree::{self, MOST_FILES};

/// How many logs of a folder an error names.
const NAMED: usize = 3;
/// Databases of the releases that no longer keep a storage tree.
const DATABASES: [(&str, &str); 2] = [("opencode.db", "opencode"), ("kilo.db", "kilo")];

/// The folders of documents.
const FOLDERS: [&str; 4] = ["session", "info", "message", "part"];

/// The documents of a storage tree, in the order in which they are read.
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
        for part_of_tree in FOLDERS {
            collect(&base.join(part_of_tree), &mut all).map_err(failed)?;
        }
    }
    if all.len() > MOST_FILES {
        return Err(Error::Folder { name: name(), advice: too_many(all.len()) });
    }
    let inner = |path: &PathBuf| {
        let parts = path.strip_prefix(folder).unwrap_or(path).components();
        parts.map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
    };
    let inners: Vec<String> = all.iter().map(inner).collect();
    let documents = tree::documents(&inners).into_iter();
    Ok(documents.filter_map(|place| all.get(place).cloned()).collect())
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
fn collect(folder: &Path, out: &mut Vec<PathBuf>) -> io::Result<()> {
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
            collect(&path, out)?;
        } else if file_type.is_file() && path.extension().is_some_and(|extension| extension == "json") {
            out.push(path);
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
