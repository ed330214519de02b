//! Tells whether a file is a log before it is read together with others: one that is none is left out, and said to be.

use crate::foreign::Foreign;
use crate::rules::Rules;
use crate::run::{Options, Run};
use crate::unpack::{Damage, Packing, Unpacker};

/// Looks at a file until the first record of a known format is seen.
///
/// # Examples
/// ```
/// use steplens_core::rules::Rules;
/// use steplens_core::sniff::Sniffer;
/// let mut sniffer = Sniffer::new("notes.txt", Rules::default());
/// assert!(!sniffer.push(b"just notes\n"));
/// assert!(!sniffer.end());
/// assert_eq!(sniffer.reason(), "no record of a known format was found in it");
/// ```
#[derive(Debug)]
pub struct Sniffer {
    run: Run,
    /// The first bytes, until there are enough of them to tell how the file is packed.
    mark: Vec<u8>,
    state: State,
}

#[derive(Debug)]
enum State {
    Unknown,
    Plain,
    Packed(Unpacker),
}

impl Sniffer {
    /// Begins with a file; `rules` are those that it would be read by.
    pub fn new(name: &str, rules: Rules) -> Sniffer {
        let mut run = Run::new(Options { rules, ..Options::default() });
        run.begin_file(name);
        Sniffer { run, mark: Vec::new(), state: State::Unknown }
    }

    /// The next bytes of the file as they are on disk: whether a record of a known format was seen by now.
    pub fn push(&mut self, bytes: &[u8]) -> bool {
        if matches!(self.state, State::Unknown) {
            self.mark.extend(bytes);
            if self.mark.len() >= Packing::MARK {
                self.settle();
            }
        } else {
            self.feed(bytes);
        }
        self.run.file_recognised(0)
    }

    /// The file has ended: whether it is a log.
    pub fn end(&mut self) -> bool {
        if matches!(self.state, State::Unknown) {
            self.settle();
        }
        if let State::Packed(unpacker) = &mut self.state {
            unpacker.finish(|piece| self.run.push(piece));
        }
        self.run.end_file();
        self.run.file_recognised(0)
    }

    /// How the file is packed turns out.
    fn settle(&mut self) {
        let mark = std::mem::take(&mut self.mark);
        self.state = Packing::of(&mark).map_or(State::Plain, |packing| State::Packed(Unpacker::new(packing)));
        self.feed(&mark);
    }

    fn feed(&mut self, bytes: &[u8]) {
        match &mut self.state {
            State::Packed(unpacker) => unpacker.push(bytes, |piece| self.run.push(piece)),
            State::Plain | State::Unknown => self.run.push(bytes),
        }
    }

    /// What is wrong with the packed data, once that is known. Nothing more can be had from the file then.
    pub fn damage(&self) -> Option<&Damage> {
        match &self.state {
            State::Packed(unpacker) => unpacker.damage(),
            State::Plain | State::Unknown => None,
        }
    }

    /// What the file is, where that is known.
    pub fn foreign(&self) -> Option<Foreign> {
        self.run.foreign(0)
    }

    /// The first bytes of it, unpacked.
    pub fn head(&self) -> &[u8] {
        self.run.head_of_file(0)
    }

    /// Why it is no log, as a sentence without a full stop.
    pub fn reason(&self) -> String {
        match (self.damage(), self.foreign()) {
            (Some(damage), None | Some(Foreign::Empty | Foreign::Blank)) => damage.to_string(),
            (_, Some(foreign)) => foreign.reason(),
            (None, None) => "no record of a known format was found in it".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sniffed(bytes: &[u8], size: usize) -> Sniffer {
        let mut sniffer = Sniffer::new("x", Rules::default());
        bytes.chunks(size).for_each(|piece| {
            sniffer.push(piece);
        });
        sniffer.end();
        sniffer
    }

    #[test]
    fn pieces_of_any_size_give_the_same() {
        for size in [1, 3, 100] {
            assert_eq!(sniffed(b"%PDF-1.7\n%", size).foreign(), Some(Foreign::Pdf));
            assert_eq!(sniffed(b"", size).foreign(), Some(Foreign::Empty));
            assert_eq!(sniffed(b" \n\t\n", size).foreign(), Some(Foreign::Blank));
            let broken = sniffed(b"\x1f\x8b\x08\0broken", size);
            assert!(broken.reason().contains("nothing of it could be unpacked"), "{}", broken.reason());
            assert!(sniffed(br#"{"type":"step_start"}"#, size).run.file_recognised(0));
        }
    }
}
