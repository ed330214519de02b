//! Files that grow: the last one can be taken up again where it ended.
//!
//! A log that is still written ends with whatever was written last. Who follows it pushes what comes, and asks for what
//! is known after each piece, as for any other reading: a line that is not whole yet waits. Who reads a file that seems
//! whole ends it, and may learn later that it was not.

use super::Run;

impl Run {
    /// Says that nothing more of the last file is there for now: what is known is put in order, and the file goes on.
    pub fn pause_file(&mut self) {
        self.number_steps();
    }

    /// Takes the last file up again, so that more of it can be pushed; true too where it never ended.
    ///
    /// False where its end made a record of a line, or of a value, that was not whole: what follows may belong to it, and
    /// the file has to be read again. False where there is no file.
    pub fn resume_file(&mut self) -> bool {
        let Some(file) = self.files.last_mut() else { return false };
        if file.is_torn {
            return false;
        }
        // A file without a line has no state that is worth anything: how its lines look is not known yet.
        if std::mem::take(&mut file.has_ended) && file.state.lines() > 0 {
            self.reading = std::mem::take(&mut file.state);
        }
        true
    }

    /// How much of a file was pushed, and whether it was unpacked; none where there is no such file.
    pub fn pushed(&self, file: u32) -> Option<(u64, bool)> {
        self.files.get(file as usize).map(|file| (file.bytes, file.packed.is_some()))
    }

    /// Bytes of the last file that wait for the rest of their line, or of their value; none of a file that has ended.
    pub fn waiting_bytes(&self) -> u64 {
        self.reading.waiting()
    }
}
