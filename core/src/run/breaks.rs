//! Where a stream of events broke and began anew: a server begins each with `server.connected`, and sends nothing again. What
//! happened between two streams is in no line.

use super::Run;
use crate::summary::Finding;

impl Run {
    /// Records with which a stream began anew, and the line before each: in a file that held the beginning of one already.
    fn breaks(&self) -> Vec<u32> {
        let mut seen = Vec::new();
        let mut found = Vec::new();
        for record in &self.streams {
            let Some(file) = self.records.get(*record as usize).map(|row| row.file) else { continue };
            if !seen.contains(&file) {
                seen.push(file);
            } else if self.is_of_wanted(file) {
                found.push(*record);
            }
        }
        found
    }

    /// Whether a file holds anything of the session that is asked for.
    fn is_of_wanted(&self, file: u16) -> bool {
        self.session.is_none() || self.records.iter().any(|row| row.file == file && self.wants_session(row.session))
    }

    pub(super) fn break_limit(&self) -> Option<String> {
        let times = match self.breaks().len() {
            0 => return None,
            1 => "once".to_owned(),
            times => format!("{times} times"),
        };
        Some(format!("the stream broke and began anew {times}: what happened in between is not in this log"))
    }

    pub(super) fn broken_streams(&self, found: &mut Vec<Finding>) {
        for record in self.breaks() {
            let before = self.place(record.saturating_sub(1)).line;
            let message =
                format!("the stream broke and began anew: what happened since line {before} is not in this log");
            found.push(self.finding("stream-broke", record, message));
        }
    }
}
