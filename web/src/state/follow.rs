//! Files that are still written: which can be had again, which is followed, and what changed on disk.

use std::rc::Rc;

use web_sys::Blob;

use super::{Message, Sight, State};
use crate::dom::source::Source;
use crate::engine::grow;
use crate::engine::protocol::{Again, Answer, Grown, Growth, OpenFile};
use crate::state::Pending;

/// What is known of files that may be written while they are open.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Follow {
    /// Where files can be had again; a file is known by its bytes.
    pub sources: Vec<(Blob, Source)>,
    /// The files that are followed, by their names.
    pub files: Vec<String>,
    /// A file that changed on disk since it was read, by its name.
    pub stale: Option<String>,
    /// The log that was opened last, before the page was loaded.
    pub last: Option<(String, Source)>,
}

/// What happens to such files.
#[derive(Debug)]
pub enum FollowAction {
    /// Where files can be had again.
    Sources(Vec<(Blob, Source)>),
    /// Follow these files, by their names.
    On(Vec<String>),
    /// Follow none any more.
    Off,
    /// This one cannot be followed any longer, and why; the others are.
    Lost(String, String),
    /// What is to be known of a file that is followed: a sentence, until it is closed.
    Told(String),
    /// That file cannot be read again, as another one cannot be read, with the browser's word for why.
    Blocked {
        /// The file that is followed.
        file: String,
        /// The one that cannot be read.
        by: String,
        /// Why.
        error: String,
    },
    /// Read all again with this file as it is now; what is looked at, and how, stays.
    Replace(OpenFile),
    /// Read these in place of those that are open; what is looked at, and how, stays.
    Reopen(Vec<OpenFile>),
    /// The log that was opened last.
    Last(Option<(String, Source)>),
}

impl Follow {
    /// Where a file can be had again.
    pub fn source(&self, file: &OpenFile) -> Option<&Source> {
        self.sources.iter().find(|(blob, _)| *blob == file.blob).map(|(_, source)| source)
    }
}

impl State {
    /// All files that were asked for.
    pub fn asked_files(&self) -> Vec<OpenFile> {
        self.files.iter().chain(self.added.iter()).cloned().collect()
    }

    /// The last file, where it is one on disk.
    pub fn last_on_disk(&self) -> Option<&OpenFile> {
        let last = self.added.last().or(self.files.last());
        last.filter(|file| wasm_bindgen::JsCast::has_type::<web_sys::File>(&file.blob))
    }

    /// The files that can be followed as they are: those that a handle leads to.
    pub fn followable(&self) -> Vec<OpenFile> {
        let has_handle = |file: &&OpenFile| matches!(self.follow.source(file), Some(Source::Handle(_)));
        self.files.iter().chain(self.added.iter()).filter(has_handle).cloned().collect()
    }

    pub(super) fn follow_acted(&mut self, action: FollowAction) {
        match action {
            FollowAction::Sources(sources) => self.follow.sources.extend(sources),
            FollowAction::On(files) => {
                self.follow.stale = None;
                self.follow.files = files;
                // What is written next comes at the end.
                if let Some(row) = self.list.rows.checked_sub(1) {
                    self.moves_made = self.moves_made.wrapping_add(1);
                    self.sight = Some(Sight { list: self.list.list, row, number: self.moves_made, centred: false });
                }
            }
            FollowAction::Off => self.follow.files.clear(),
            FollowAction::Lost(name, why) => {
                self.follow.files.retain(|followed| *followed != name);
                self.follow_acted(FollowAction::Told(why));
            }
            FollowAction::Told(text) => self.message = Some(Message { text, stays: true }),
            // Where it is followed too, it is read as it is by the next look.
            FollowAction::Blocked { by, .. } if self.follow.files.contains(&by) => {}
            FollowAction::Blocked { file, by, error } => {
                let why = format!(
                    "{file} is no longer followed: {by} has to be read with it, and cannot be read any more ({error})."
                );
                self.follow.stale = Some(by);
                self.follow_acted(FollowAction::Lost(file, why));
            }
            FollowAction::Replace(new) => {
                let all = self.asked_files().into_iter();
                let now = all.map(|file| if file.name == new.name { new.clone() } else { file }).collect();
                self.follow_acted(FollowAction::Reopen(now));
            }
            FollowAction::Reopen(files) if self.has_rows() => {
                self.follow.stale = None;
                self.asked += 1;
                self.pending =
                    Some(Pending { number: self.asked, files: Rc::new(files), is_again: true, linked: None });
            }
            FollowAction::Reopen(files) => self.open(files),
            FollowAction::Last(last) => self.follow.last = last,
        }
    }

    /// A file could not be read: it changed since it was opened.
    pub(super) fn went_stale(&mut self, file: &str) {
        if !self.follow.files.iter().any(|followed| followed == file) {
            self.follow.stale = Some(file.to_owned());
        }
    }

    /// What came to a file was read, or was not.
    pub(super) fn grown(&mut self, file: &str, growth: &Growth, answer: &Answer) {
        for files in [&mut self.files, &mut self.added] {
            let Some(known) = files.iter().find(|known| known.name == file).map(|known| known.blob.clone()) else {
                continue;
            };
            grow::note(Rc::make_mut(files).as_mut_slice(), file, growth, answer);
            let now = files.iter().find(|known| known.name == file).map(|known| known.blob.clone());
            for (blob, _) in &mut self.follow.sources {
                if *blob == known {
                    *blob = now.clone().unwrap_or_else(|| known.clone());
                }
            }
        }
        let text = match answer {
            Answer::Grown(Grown::Anew(Again::Replaced)) => {
                format!("{file} was replaced or cut short on disk, and was read again from its beginning.")
            }
            Answer::Grown(Grown::Gone) => {
                format!("{file} was emptied or replaced on disk. What is shown is what was read of it before.")
            }
            _ => return,
        };
        self.message = Some(Message { text, stays: false });
    }
}
