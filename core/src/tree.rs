//! The old storage tree, in which every session, message and part is a JSON file of its own: which files of a folder are
//! documents of one, and in which order they are read.
//!
//! ```text
//! storage/session/<project>/ses_….json      until autumn 2025: storage/session/info/ses_….json
//! storage/message/ses_…/msg_….json                             storage/session/message/ses_…/msg_….json
//! storage/part/msg_…/prt_….json                                storage/session/part/ses_…/msg_…/prt_….json
//! ```

use crate::order::Order;
use std::cmp::Reverse;
use std::collections::HashMap;

/// How many files one run can hold.
pub const MOST_FILES: usize = u16::MAX as usize;

/// What a stored document is. The order is that in which those of one session are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Session,
    Message,
    Part,
}

/// A stored document.
#[derive(Debug)]
struct Document<'p> {
    /// Its place among the paths.
    place: usize,
    kind: Kind,
    /// Its file's name without the extension: its id.
    id: &'p str,
    /// The name of the folder that it lies in: what it belongs to.
    owner: &'p str,
}

/// The documents of a storage tree among files of a folder, by their places in `paths`: each session's own first, then each
/// message with its parts. Ids of messages and parts rise with time and those of sessions fall, so that the order by id is
/// the order in time. What else lies beside them (`session_diff`, `todo`, …) is no part of a run.
///
/// Paths are relative to the folder, with `/` between their parts. Empty where the folder is no storage tree: one has
/// messages and parts.
///
/// # Examples
/// ```
/// use steplens_core::tree::documents;
/// let paths = ["part/msg_1/prt_1.json", "todo/ses_1.json", "message/ses_1/msg_1.json", "session/p/ses_1.json"];
/// assert_eq!(documents(&paths), [3, 2, 0]);
/// assert!(documents(&["run.jsonl", "message/x.json"]).is_empty());
/// ```
pub fn documents<P: AsRef<str>>(paths: &[P]) -> Vec<usize> {
    let mut all: Vec<Document<'_>> =
        paths.iter().enumerate().filter_map(|(place, path)| document(place, path.as_ref())).collect();
    let has = |kind: Kind| all.iter().any(|document| document.kind == kind);
    if !has(Kind::Message) || !has(Kind::Part) {
        return Vec::new();
    }
    // Folders are listed in no particular order, which may decide nothing.
    all.order_by_key(|document| paths.get(document.place).map(AsRef::as_ref).unwrap_or_default());
    let session_of: HashMap<&str, &str> = all
        .iter()
        .filter(|document| document.kind == Kind::Message)
        .map(|message| (message.id, message.owner))
        .collect();
    all.order_by_cached_key(|document| {
        let (session, message) = match document.kind {
            Kind::Session => (Some(document.id), ""),
            Kind::Message => (Some(document.owner), document.id),
            Kind::Part => (session_of.get(document.owner).copied(), document.owner),
        };
        // Parts whose message is missing stand at the end.
        (
            session.is_none(),
            Reverse(session.map(str::to_owned)),
            message.to_owned(),
            document.kind,
            document.id.to_owned(),
        )
    });
    all.into_iter().map(|document| document.place).collect()
}

/// A document, by where its file lies: in the folder itself, in its `storage`, or in that of one of its projects. Nowhere
/// deeper.
fn document(place: usize, path: &str) -> Option<Document<'_>> {
    let (folders, file) = path.rsplit_once('/')?;
    let id = file.strip_suffix(".json").filter(|id| !id.is_empty())?;
    let folders: Vec<&str> = folders.split('/').collect();
    let rest = match folders.as_slice() {
        ["project", _, "storage", rest @ ..] | ["storage", rest @ ..] | rest => rest,
    };
    let kind = match rest {
        ["session", "message", ..] | ["message", ..] => Kind::Message,
        ["session", "part", ..] | ["part", ..] => Kind::Part,
        ["session" | "info", ..] => Kind::Session,
        _ => return None,
    };
    Some(Document { place, kind, id, owner: rest.last()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(paths: &[&str]) -> Vec<String> {
        documents(paths).into_iter().map(|place| paths[place].to_owned()).collect()
    }

    #[test]
    fn sessions_fall_and_messages_rise() {
        let wanted = [
            "storage/session/p/ses_2.json",
            "storage/message/ses_2/msg_1.json",
            "storage/part/msg_1/prt_1.json",
            "storage/part/msg_1/prt_2.json",
            "storage/message/ses_2/msg_2.json",
            "storage/session/p/ses_1.json",
            "storage/message/ses_1/msg_3.json",
            "storage/part/msg_9/prt_9.json",
        ];
        let mut given: Vec<&str> = wanted.iter().rev().copied().collect();
        given.extend(["storage/todo/ses_1.json", "storage/part/msg_1/notes.txt", "deep/storage/part/m/p.json"]);
        assert_eq!(order(&given), wanted);
    }

    #[test]
    fn the_older_layouts() {
        let wanted = [
            "project/x/storage/session/info/ses_1.json",
            "project/x/storage/session/message/ses_1/msg_1.json",
            "project/x/storage/session/part/ses_1/msg_1/prt_1.json",
        ];
        assert_eq!(order(&[wanted[2], wanted[0], wanted[1]]), wanted);
    }
}
