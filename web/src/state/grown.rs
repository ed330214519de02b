//! What the state makes of files that grew.

use std::rc::Rc;

use super::{Message, State};
use crate::engine::grow;
use crate::engine::protocol::{Again, Answer, Grown, Growth};

impl State {
    /// What came to a file was read, or was not.
    pub(super) fn grown(&mut self, file: &str, growth: &Growth, answer: &Answer) {
        for files in [&mut self.files, &mut self.added] {
            if files.iter().any(|known| known.name == file) {
                grow::note(Rc::make_mut(files).as_mut_slice(), file, growth, answer);
            }
        }
        let text = match answer {
            Answer::Grown(Grown::Anew(Again::Replaced)) => {
                format!("{file} was replaced or cut short on disk, and is read again from its beginning.")
            }
            Answer::Grown(Grown::Gone) => {
                format!("{file} was emptied or replaced on disk. What is shown is what was read of it before.")
            }
            _ => return,
        };
        self.message = Some(Message { text, stays: false });
    }
}
