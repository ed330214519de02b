//! Bytes → lines: chunks of any size come in, the same lines go out.
//!
//! A line ends with `\n`, and a `\r` before that belongs to the end; U+2028 and U+2029 end nothing. Line numbers start
//! at 1 and offsets are those of the bytes that were pushed. A byte order mark belongs to no line.
//!
//! NUL bytes at the start of a line are handed out as a piece of their own: they are what a log holds that was emptied
//! while its writer went on behind its old end, or whose end was lost in a crash, and the record behind them is whole. There
//! can be any number of them, so they are counted and not kept.

use super::encoding::Encoding;
use memchr::memchr;

/// One line, without its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RawLine<'a> {
    /// From 1.
    pub(crate) number: u64,
    /// Byte offset of its first byte.
    pub(crate) offset: u64,
    /// Its bytes, in the file's encoding.
    pub(crate) bytes: &'a [u8],
    /// Its end: empty only for a last line that has none.
    pub(crate) end: &'static str,
    /// The file's encoding.
    pub(crate) encoding: Encoding,
}

/// Cuts pushed bytes into lines. Holds at most the one line that has not ended yet.
#[derive(Debug, Default)]
pub(crate) struct Splitter {
    encoding: Option<Encoding>,
    carry: Vec<u8>,
    /// Bytes of the carry that hold no line end (wide encodings only).
    searched: usize,
    /// NUL bytes since the last line end, while there is nothing else.
    nuls: u64,
    offset: u64,
    lines: u64,
}

/// NUL bytes, to compare with.
const NULS: &[u8] = &[0; 4096];
/// How many of the NUL bytes of one place are shown.
const NULS_SHOWN: u64 = 256;

/// How many NUL bytes there are at the start.
fn leading_nuls(bytes: &[u8]) -> usize {
    let whole = bytes.chunks(NULS.len()).take_while(|chunk| NULS.get(..chunk.len()) == Some(*chunk));
    let whole: usize = whole.map(<[u8]>::len).sum();
    let rest = bytes.get(whole..).unwrap_or_default();
    whole + rest.iter().position(|byte| *byte != 0).unwrap_or(rest.len())
}

impl Splitter {
    /// Lines handed out so far.
    pub(crate) fn lines(&self) -> u64 {
        self.lines
    }

    /// The file's encoding; UTF-8 until its first bytes are there.
    pub(crate) fn encoding(&self) -> Encoding {
        self.encoding.unwrap_or_default()
    }

    /// Bytes of the line that has not ended yet.
    pub(crate) fn waiting(&self) -> u64 {
        self.carry.len() as u64 + self.nuls
    }

    /// Takes the next bytes and hands out each line that they end.
    pub(crate) fn push(&mut self, bytes: &[u8], mut each: impl FnMut(RawLine<'_>)) {
        if self.encoding.is_none() {
            self.carry.extend_from_slice(bytes);
            if self.carry.len() >= 3 {
                let carry = self.settle();
                self.lines_of(&carry, &mut each);
            }
            return;
        }
        self.lines_of(bytes, &mut each);
    }

    /// Hands out the last line, if the file does not end with a line end.
    pub(crate) fn finish(&mut self, mut each: impl FnMut(RawLine<'_>)) {
        if self.encoding.is_none() {
            let carry = self.settle();
            self.lines_of(&carry, &mut each);
        }
        let carry = std::mem::take(&mut self.carry);
        if !carry.is_empty() {
            self.emit(&carry, 0, &mut each);
        } else if self.emit_nuls(&mut each) {
            self.lines += 1;
        }
    }

    /// Takes the encoding from the first bytes, and gives back what stands behind the mark.
    fn settle(&mut self) -> Vec<u8> {
        let mut carry = std::mem::take(&mut self.carry);
        let encoding = Encoding::of(&carry);
        self.encoding = Some(encoding);
        self.offset = encoding.mark_len() as u64;
        carry.drain(..encoding.mark_len().min(carry.len()));
        carry
    }

    fn lines_of(&mut self, bytes: &[u8], each: &mut impl FnMut(RawLine<'_>)) {
        if self.encoding().is_wide() { self.wide_lines(bytes, each) } else { self.narrow_lines(bytes, each) }
    }

    fn narrow_lines(&mut self, mut bytes: &[u8], each: &mut impl FnMut(RawLine<'_>)) {
        loop {
            if self.carry.is_empty() && bytes.first() == Some(&0) {
                let nuls = leading_nuls(bytes);
                self.nuls += nuls as u64;
                bytes = bytes.get(nuls..).unwrap_or_default();
            }
            if !bytes.is_empty() {
                self.emit_nuls(each);
            }
            let Some(end) = memchr(b'\n', bytes) else { break };
            let (head, rest) = bytes.split_at(end);
            bytes = rest.get(1..).unwrap_or_default();
            if self.carry.is_empty() {
                self.emit(head, 1, each);
            } else {
                let mut carry = std::mem::take(&mut self.carry);
                carry.extend_from_slice(head);
                self.emit(&carry, 1, each);
                // The buffer is kept for the next cut line, unless that one was uncommonly long.
                if carry.capacity() <= 1 << 20 {
                    carry.clear();
                    self.carry = carry;
                }
            }
        }
        self.carry.extend_from_slice(bytes);
    }

    /// Lines of two-byte units: every line begins at an even place of the carry.
    fn wide_lines(&mut self, bytes: &[u8], each: &mut impl FnMut(RawLine<'_>)) {
        let mut carry = std::mem::take(&mut self.carry);
        carry.extend_from_slice(bytes);
        let mut start = 0;
        let mut at = self.searched;
        while let Some([a, b]) = carry.get(at..at + 2) {
            if self.encoding().unit([*a, *b]) == 0x0A {
                let line = carry.get(start..at).unwrap_or_default().to_vec();
                self.emit(&line, 2, each);
                start = at + 2;
            }
            at += 2;
        }
        carry.drain(..start);
        self.searched = at - start;
        self.carry = carry;
    }

    /// Hands out the NUL bytes at the start of a line, if there are any.
    fn emit_nuls(&mut self, each: &mut impl FnMut(RawLine<'_>)) -> bool {
        let nuls = std::mem::take(&mut self.nuls);
        let shown = NULS.get(..nuls.min(NULS_SHOWN) as usize).unwrap_or_default();
        if nuls > 0 {
            let (number, offset, encoding) = (self.lines + 1, self.offset, self.encoding());
            self.offset += nuls;
            each(RawLine { number, offset, bytes: shown, end: "", encoding });
        }
        nuls > 0
    }

    fn emit(&mut self, bytes: &[u8], end: usize, each: &mut impl FnMut(RawLine<'_>)) {
        let return_mark: &[u8] = match self.encoding() {
            Encoding::Utf16Le => b"\r\0",
            Encoding::Utf16Be => b"\0\r",
            Encoding::Utf8 | Encoding::Utf8Bom => b"\r",
        };
        let line = bytes.strip_suffix(return_mark).unwrap_or(bytes);
        let end_text = match (end, line.len() < bytes.len()) {
            (0, _) => "",
            (_, true) => "\r\n",
            (_, false) => "\n",
        };
        let offset = self.offset;
        self.offset += (bytes.len() + end) as u64;
        self.lines += 1;
        let encoding = self.encoding();
        each(RawLine { number: self.lines, offset, bytes: line, end: end_text, encoding });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    type Got = (u64, u64, Vec<u8>, &'static str);

    fn lines(input: &[u8], chunk: usize) -> Vec<Got> {
        let mut splitter = Splitter::default();
        let mut out = Vec::new();
        let mut each = |line: RawLine<'_>| out.push((line.number, line.offset, line.bytes.to_vec(), line.end));
        for piece in input.chunks(chunk) {
            splitter.push(piece, &mut each);
        }
        splitter.finish(&mut each);
        out
    }

    #[test]
    fn ends_marks_and_offsets() {
        let got = lines("\u{FEFF}a\r\n\nb\u{2028}c\nlast".as_bytes(), 2);
        let want: [Got; 4] = [
            (1, 3, b"a".to_vec(), "\r\n"),
            (2, 6, vec![], "\n"),
            (3, 7, "b\u{2028}c".as_bytes().to_vec(), "\n"),
            (4, 13, b"last".to_vec(), ""),
        ];
        assert_eq!(got, want);
    }

    #[test]
    fn nuls_before_a_line_are_a_piece_of_their_own() {
        let input = [&b"a\n"[..], &[0; 1000], b"b\0c\n\0\0\n\0"].concat();
        let want: [Got; 6] = [
            (1, 0, b"a".to_vec(), "\n"),
            (2, 2, vec![0; 256], ""),
            (2, 1002, b"b\0c".to_vec(), "\n"),
            (3, 1006, vec![0; 2], ""),
            (3, 1008, vec![], "\n"),
            (4, 1009, vec![0], ""),
        ];
        for chunk in [1, 7, 5000] {
            assert_eq!(lines(&input, chunk), want);
        }
    }

    #[test]
    fn wide_lines_end_at_whole_units_only() {
        // U+0A00 holds the byte of a line end, and is none.
        let text = "a\u{0A00}\r\nb";
        let mut bytes = vec![0xFF, 0xFE];
        bytes.extend(text.encode_utf16().flat_map(u16::to_le_bytes));
        let got = lines(&bytes, 3);
        assert_eq!(got.len(), 2);
        assert_eq!((got[0].1, got[0].2.len(), got[0].3), (2, 4, "\r\n"));
        assert_eq!((got[1].1, got[1].2.clone()), (10, vec![0x62, 0]));
    }

    proptest! {
        #[test]
        fn any_chunk_size_gives_the_same_lines(input in prop::collection::vec(prop::sample::select(b"a\r\n\0\xEF\xBB\xBF\xFF\xFE{".to_vec()), 0..60), chunk in 1usize..9) {
            prop_assert_eq!(lines(&input, chunk), lines(&input, 1 << 16));
        }

        #[test]
        fn an_offset_leads_back_to_its_line(input in prop::collection::vec(any::<u8>(), 0..80), chunk in 1usize..9) {
            for (_, offset, bytes, _) in lines(&input, chunk) {
                let start = offset as usize;
                prop_assert_eq!(&input[start..start + bytes.len()], &bytes[..]);
            }
        }
    }
}
