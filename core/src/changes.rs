//! What a call did to files, as far as its record tells: the texts that it replaced, the patch, the file it wrote.
//!
//! ```json
//! {"tool":"edit","state":{"input":{"filePath":"a.rs","oldString":"x","newString":"y"},"metadata":{"diff":"--- a.rs\n+++ a.rs\n@@ …","filediff":{"file":"a.rs","before":"…","after":"…"}}}}
//! {"tool":"apply_patch","state":{"input":{"patchText":"*** Begin Patch\n…"},"metadata":{"files":[{"filePath":"/p/a.rs","relativePath":"a.rs","type":"update","patch":"--- …"}]}}}
//! ```
//!
//! What the harness says that it did comes before what the model asked for: both texts, a diff, the input.

use crate::format::wire::{Line, LineType};
use crate::json::{self, Object};
use crate::text::diff::{self, Change, FileDiff};
use crate::text::fold::FileEdit;
use crate::text::patch;
use std::borrow::Cow;

/// One edit of one file.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Edit {
    /// The file's path; empty where the record names none.
    pub(crate) path: String,
    /// Other names of the file in the same record.
    pub(crate) alias: Option<String>,
    pub(crate) edit: FileEdit,
}

/// The longest line that a harness writes whole when it reads a file: longer ones are cut.
const WHOLE_LINE: usize = 1_990;

fn text<'a>(object: &Object<'a>, keys: &[&str]) -> Option<Cow<'a, str>> {
    keys.iter().find_map(|key| json::string(object.get(key)?))
}

const PATH: [&str; 6] = ["filePath", "file_path", "filepath", "path", "file", "filename"];

/// The edits of a call, in order, whatever became of it.
pub(crate) fn edits(line: &Line<'_>) -> Vec<Edit> {
    if line.line_type != LineType::ToolUse {
        return Vec::new();
    }
    let input = line.input().and_then(|input| Object::parse(input.value)).unwrap_or_default();
    let metadata = line.metadata().cloned().unwrap_or_default();
    let path = text(&input, &PATH).unwrap_or_default().into_owned();
    let reported = reported(&metadata, &path);
    if reported.is_empty() { asked_for(&input, &metadata, path) } else { reported }
}

/// Whether the harness itself says what changed.
pub(crate) fn is_reported(line: &Line<'_>) -> bool {
    line.metadata().is_some_and(|metadata| !reported(metadata, "").is_empty())
}

fn reported(metadata: &Object<'_>, path: &str) -> Vec<Edit> {
    let files = metadata.get("files").and_then(json::elements).unwrap_or_default();
    let of_files: Vec<Edit> =
        files.into_iter().filter_map(Object::parse).filter_map(|file| of_file(&file, "")).collect();
    if !of_files.is_empty() {
        return of_files;
    }
    if let Some(edit) = metadata.get("filediff").and_then(Object::parse).and_then(|file| of_file(&file, path)) {
        return vec![edit];
    }
    let Some(diff) = text(metadata, &["diff", "patch"]) else { return Vec::new() };
    let named = |file: FileDiff| Edit {
        path: if file.path.is_empty() { path.to_owned() } else { file.path.clone() },
        alias: file.from.clone(),
        edit: FileEdit::Diff(file),
    };
    patch::unified(&diff).into_iter().filter(|file| !file.hunks.is_empty()).map(named).collect()
}

/// An entry of `files`, or `filediff`.
fn of_file(file: &Object<'_>, path: &str) -> Option<Edit> {
    let path = text(file, &PATH).map_or(path.to_owned(), Cow::into_owned);
    let alias = text(file, &["relativePath"]).map(Cow::into_owned);
    let moved = text(file, &["movePath"]).map(Cow::into_owned);
    let change = match text(file, &["type", "status"]).as_deref() {
        Some("add" | "added" | "create") => Some(Change::Added),
        Some("delete" | "deleted" | "remove") => Some(Change::Deleted),
        _ => None,
    };
    let patch = text(file, &["patch", "diff"]).filter(|patch| !patch.is_empty());
    let edit = match (text(file, &["before"]), text(file, &["after"])) {
        (Some(before), Some(after)) if change != Some(Change::Deleted) => {
            FileEdit::Whole { before: Some(before.into_owned()), after: after.into_owned() }
        }
        _ => {
            let mut diff = patch::unified(&patch?).into_iter().next()?;
            diff.change = change.unwrap_or(diff.change);
            FileEdit::Diff(diff)
        }
    };
    let (path, alias) = match moved {
        Some(moved) => (moved, Some(path)),
        None => (path, alias),
    };
    Some(Edit { path, alias, edit })
}

fn asked_for(input: &Object<'_>, metadata: &Object<'_>, path: String) -> Vec<Edit> {
    if let Some(patch) = text(input, &["patchText", "patch_text", "patch", "input"]) {
        let files = patch::apply_patch(&patch);
        let files = if files.is_empty() { patch::unified(&patch) } else { files };
        let named = |file: FileDiff| {
            let edit = if file.change == Change::Added {
                let lines = file.hunks.iter().flat_map(|hunk| &hunk.lines).map(|line| line.text.as_str());
                FileEdit::Whole { before: Some(String::new()), after: lines.collect::<Vec<_>>().join("\n") }
            } else {
                FileEdit::Diff(file.clone())
            };
            Edit { path: file.path, alias: file.from, edit }
        };
        return files.into_iter().map(named).collect();
    }
    let one = |edit: FileEdit| Edit { path: path.clone(), alias: None, edit };
    if let Some(edits) = input.get("edits").and_then(json::elements) {
        return edits.into_iter().filter_map(Object::parse).filter_map(|edit| replacement(&edit)).map(one).collect();
    }
    if let Some(edit) = replacement(input) {
        return vec![one(edit)];
    }
    let Some(after) = text(input, &["content", "contents", "file_text"]) else { return Vec::new() };
    let is_new = metadata.get("exists") == Some("false");
    vec![one(FileEdit::Whole { before: is_new.then(String::new), after: after.into_owned() })]
}

fn replacement(object: &Object<'_>) -> Option<FileEdit> {
    let old = text(object, &["oldString", "old_string", "oldText", "old_str"])?;
    let new = text(object, &["newString", "new_string", "newText", "new_str"])?;
    let all = ["replaceAll", "replace_all"].into_iter().any(|key| object.get(key) == Some("true"));
    Some(FileEdit::Replace { old: old.into_owned(), new: new.into_owned(), all })
}

/// The text of a file that a call read whole, where the harness says that it did.
pub(crate) fn seen(line: &Line<'_>) -> Option<Edit> {
    let metadata = line.metadata()?;
    let display = Object::parse(metadata.get("display")?)?;
    let is_whole = display.get("lineStart") == Some("1")
        && display.get("lineEnd").is_some_and(|end| Some(end) == display.get("totalLines"))
        && display.get("truncated") == Some("false");
    let (path, text) = (text(&display, &["path"])?, text(&display, &["text"])?);
    let is_uncut = text.lines().all(|line| line.len() < WHOLE_LINE);
    (is_whole && is_uncut).then(|| Edit {
        path: path.into_owned(),
        alias: None,
        edit: FileEdit::Seen(text.into_owned()),
    })
}

/// The edits of a call as differences, each as it can be shown by itself.
pub(crate) fn differences(line: &Line<'_>) -> Vec<FileDiff> {
    let shown = |edit: Edit| {
        let diff = match edit.edit {
            FileEdit::Diff(diff) => diff,
            FileEdit::Seen(_) => FileDiff::default(),
            FileEdit::Whole { before, after } => FileDiff {
                change: if before.as_ref().is_some_and(String::is_empty) { Change::Added } else { Change::Changed },
                hunks: diff::between(before.as_deref().unwrap_or_default(), &after),
                ..FileDiff::default()
            },
            FileEdit::Replace { old, new, .. } => {
                let lines = diff::all_lines(&diff::lines(&old), &diff::lines(&new), (0, 0));
                let lines = crate::text::fold::without_numbers(lines);
                FileDiff { hunks: vec![diff::Hunk { place: String::new(), lines }], ..FileDiff::default() }
            }
        };
        FileDiff { from: edit.alias.filter(|_| diff.from.is_some()), path: edit.path, ..diff }
    };
    edits(line).into_iter().map(shown).collect()
}
