//! Bytes → lines: chunks of any size come in, the same lines go out.
//!
//! A line ends with `\n`, and a `\r` before that belongs to the end; U+2028 and U+2029 end nothing. Line numbers start
//! at 1 and offsets are those of the bytes that were pushed. A UTF-8 byte order mark belongs to no line.

use memchr::memchr;

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// One line, without its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line<'a> {
    /// From 1.
    pub number: u64,
    /// Byte offset of its first byte.
    pub offset: u64,
    /// Its bytes.
    pub bytes: &'a [u8],
    /// Whether its end was seen; only a last line can lack it.
    pub ended: bool,
}

impl Line<'_> {
    /// Whether it holds nothing but white space.
    pub fn is_blank(&self) -> bool {
        self.bytes.iter().all(u8::is_ascii_whitespace)
    }
}

/// Cuts pushed bytes into lines. Holds at most the one line that has not ended yet.
#[derive(Debug, Default)]
pub struct Splitter {
    carry: Vec<u8>,
    offset: u64,
    lines: u64,
}

impl Splitter {
    /// Lines handed out so far.
    pub fn lines(&self) -> u64 {
        self.lines
    }

    /// Takes the next bytes and hands out each line that they end.
    pub fn push(&mut self, mut bytes: &[u8], mut each: impl FnMut(Line<'_>)) {
        while let Some(end) = memchr(b'\n', bytes) {
            let (head, rest) = bytes.split_at(end);
            bytes = rest.get(1..).unwrap_or_default();
            if self.carry.is_empty() {
                self.emit(head, true, &mut each);
            } else {
                let mut carry = std::mem::take(&mut self.carry);
                carry.extend_from_slice(head);
                self.emit(&carry, true, &mut each);
                // The buffer is kept for the next cut line, unless that one was uncommonly long.
                if carry.capacity() <= 1 << 20 {
                    carry.clear();
                    self.carry = carry;
                }
            }
        }
        self.carry.extend_from_slice(bytes);
    }

    /// Hands out the last line, if the file does not end with a line end.
    pub fn finish(&mut self, mut each: impl FnMut(Line<'_>)) {
        let carry = std::mem::take(&mut self.carry);
        if !carry.is_empty() {
            self.emit(&carry, false, &mut each);
        }
    }

    fn emit(&mut self, bytes: &[u8], ended: bool, each: &mut impl FnMut(Line<'_>)) {
        let mut line = bytes.strip_suffix(b"\r").unwrap_or(bytes);
        let mut offset = self.offset;
        if offset == 0
            && let Some(rest) = line.strip_prefix(BYTE_ORDER_MARK)
        {
            line = rest;
            offset = BYTE_ORDER_MARK.len() as u64;
        }
        self.offset += bytes.len() as u64 + u64::from(ended);
        self.lines += 1;
        each(Line { number: self.lines, offset, bytes: line, ended });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn lines(input: &[u8], chunk: usize) -> Vec<(u64, u64, Vec<u8>, bool)> {
        let mut splitter = Splitter::default();
        let mut out = Vec::new();
        let mut each = |line: Line<'_>| out.push((line.number, line.offset, line.bytes.to_vec(), line.ended));
        for piece in input.chunks(chunk) {
            splitter.push(piece, &mut each);
        }
        splitter.finish(&mut each);
        out
    }

    #[test]
    fn ends_marks_and_offsets() {
        let got = lines("\u{FEFF}a\r\n\nb\u{2028}c\nlast".as_bytes(), 3);
        let want = [
            (1, 3, "a".as_bytes().to_vec(), true),
            (2, 6, vec![], true),
            (3, 7, "b\u{2028}c".as_bytes().to_vec(), true),
            (4, 13, b"last".to_vec(), false),
        ];
        assert_eq!(got, want);
    }

    proptest! {
        #[test]
        fn any_chunk_size_gives_the_same_lines(input in prop::collection::vec(prop::sample::select(b"a\r\n\xEF\xBB\xBF{".to_vec()), 0..60), chunk in 1usize..9) {
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
