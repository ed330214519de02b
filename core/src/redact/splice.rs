//! The file again, with what was decided: masks are put into its bytes by the places that the second pass told.
//!
//! A review shows the findings before anything is written, and they change their minds there. Then nothing has to be looked
//! for again, and what is written is what was shown.

use crate::transport::encoding::Encoding;
use crate::transport::rewrite::wide;
use std::iter::Peekable;
use std::ops::Range;

/// How a file writes its characters.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Coding(pub(super) Encoding);

impl Coding {
    /// A text as this file would hold it.
    pub fn bytes(self, text: &str) -> Vec<u8> {
        let mut out = Vec::with_capacity(text.len());
        if self.0.is_wide() {
            wide(text.as_bytes(), self.0, &mut out)
        } else {
            out.extend_from_slice(text.as_bytes())
        }
        out
    }

    /// The text of some of its bytes; what is no character becomes U+FFFD.
    pub fn text(self, bytes: &[u8]) -> String {
        self.0.show(bytes)
    }

    /// Bytes of the smallest character.
    pub fn unit(self) -> u64 {
        if self.0.is_wide() { 2 } else { 1 }
    }
}

/// What is taken out of a file, and what is put in its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cut<'a> {
    /// Bytes of the file.
    pub place: Range<u64>,
    /// What stands there instead, in the file's encoding.
    pub mask: &'a [u8],
}

/// Puts masks into the bytes of a file. The cuts are in order, and apart from each other.
#[derive(Debug)]
pub struct Splice<'a, I: Iterator<Item = Cut<'a>>> {
    cuts: Peekable<I>,
    /// Bytes that came in.
    at: u64,
    /// Bytes before this place are taken out.
    skip: u64,
}

impl<'a, I: Iterator<Item = Cut<'a>>> Splice<'a, I> {
    /// Before the first byte of the file.
    pub fn new(cuts: I) -> Self {
        Splice::at(0, cuts)
    }

    /// Before the byte at that place; none of the cuts begins before it.
    pub fn at(at: u64, cuts: I) -> Self {
        Splice { cuts: cuts.peekable(), at, skip: at }
    }

    /// Takes the next bytes of the file. `each` gets what is left of them, and each mask, which it is told by `true`.
    pub fn push(&mut self, bytes: &[u8], mut each: impl FnMut(&[u8], bool)) {
        let end = self.at + bytes.len() as u64;
        let of = |from: u64, to: u64| {
            let place = |to: u64| usize::try_from(to.saturating_sub(self.at)).unwrap_or(usize::MAX);
            bytes.get(place(from)..place(to)).unwrap_or_default()
        };
        let mut from = self.skip.clamp(self.at, end);
        while let Some(cut) = self.cuts.next_if(|cut| cut.place.start < end) {
            let to = cut.place.start.clamp(from, end);
            if from < to {
                each(of(from, to), false);
            }
            each(cut.mask, true);
            self.skip = self.skip.max(cut.place.end);
            from = self.skip.clamp(from, end);
        }
        if from < end {
            each(of(from, end), false);
        }
        self.at = end;
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Kinds, Survey};
    use super::*;

    /// What the second pass writes, and what is written by the places that it told.
    fn both(file: &[u8], decide: impl Fn(usize) -> bool, piece: usize) -> (Vec<u8>, Vec<u8>) {
        let mut survey = Survey::new(Kinds::all());
        survey.push(file);
        survey.end_file();
        let mut redactor = survey.redactor();
        let (mut direct, mut found) = (Vec::new(), Vec::new());
        let mut note = |finding: &super::super::Finding, _: &[u8]| {
            let is_masked = decide(found.len());
            found.push((finding.place.clone(), finding.mask.clone(), is_masked));
            is_masked
        };
        redactor.push(file, &mut direct, &mut note);
        redactor.finish(&mut direct, &mut note);
        let coding = redactor.coding();
        let masks: Vec<(Range<u64>, Vec<u8>)> =
            found.into_iter().filter(|(.., on)| *on).map(|(place, mask, _)| (place, coding.bytes(&mask))).collect();
        let cuts = masks.iter().map(|(place, mask)| Cut { place: place.clone(), mask });
        let (mut splice, mut out) = (Splice::new(cuts), Vec::new());
        for bytes in file.chunks(piece) {
            splice.push(bytes, |bytes, _| out.extend_from_slice(bytes));
        }
        (direct, out)
    }

    const LOG: &str = "{\"a\":\"DB_PASSWORD=hunter22 in /home/bob/x\"}\r\n\u{10348} mail bob@corp.example now\nplain\n\
        {\"b\":\"hunter22, /home/bob\"}";

    #[test]
    fn what_was_decided_is_what_is_written() {
        let wide = |mark: [u8; 2], to: fn(u16) -> [u8; 2]| {
            mark.into_iter().chain(LOG.encode_utf16().flat_map(to)).collect::<Vec<u8>>()
        };
        let files = [
            LOG.as_bytes().to_vec(),
            [b"\xEF\xBB\xBF", LOG.as_bytes()].concat(),
            wide([0xFF, 0xFE], u16::to_le_bytes),
            wide([0xFE, 0xFF], u16::to_be_bytes),
        ];
        for file in &files {
            for piece in [1, 2, 7, 4096] {
                for keep in 0..6 {
                    let (direct, spliced) = both(file, |place| place != keep, piece);
                    assert_eq!(spliced, direct, "in pieces of {piece} without {keep}");
                    assert_ne!(&spliced, file);
                }
            }
        }
    }

    #[test]
    fn a_stretch_is_written_by_itself() {
        let cuts = [Cut { place: 12..14, mask: b"[m]" }, Cut { place: 18..30, mask: b"~" }];
        let mut out = Vec::new();
        let mut splice = Splice::at(10, cuts.into_iter());
        splice.push(b"abcdefghij", |bytes, is_mask| out.push((String::from_utf8_lossy(bytes).into_owned(), is_mask)));
        let wanted = [("ab", false), ("[m]", true), ("efgh", false), ("~", true)];
        assert_eq!(out, wanted.map(|(text, is_mask)| (text.to_owned(), is_mask)));
    }
}
