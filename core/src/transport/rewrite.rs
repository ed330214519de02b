//! Bytes in, bytes out: lines of a log are changed, and everything else of the file stays as it is: its encoding, its mark,
//! the ends of its lines.

use super::encoding::Encoding;
use super::split::{RawLine, Splitter};
use std::borrow::Cow;

/// Writes a file again, line by line.
#[derive(Debug, Default)]
pub(crate) struct Rewriter {
    splitter: Splitter,
    is_started: bool,
    /// The last two bytes that came in.
    last: [u8; 2],
}

impl Rewriter {
    /// The file's encoding, once its first bytes came in.
    pub(crate) fn encoding(&self) -> Encoding {
        self.splitter.encoding()
    }

    /// Takes the next bytes, and writes what is done. `change` gets each line, and its text in UTF-8, without its end; it
    /// gives another text in its place, or none where it stays as it is.
    pub(crate) fn push(
        &mut self,
        bytes: &[u8],
        out: &mut Vec<u8>,
        mut change: impl FnMut(&RawLine<'_>, &[u8]) -> Option<Vec<u8>>,
    ) {
        let mut splitter = std::mem::take(&mut self.splitter);
        splitter.push(bytes, |line| self.write(&line, out, &mut change));
        for byte in bytes.iter().rev().take(2).rev() {
            let [_, before] = self.last;
            self.last = [before, *byte];
        }
        self.splitter = splitter;
    }

    /// The file has ended: writes what is left.
    pub(crate) fn finish(&mut self, out: &mut Vec<u8>, mut change: impl FnMut(&RawLine<'_>, &[u8]) -> Option<Vec<u8>>) {
        let mut splitter = std::mem::take(&mut self.splitter);
        splitter.finish(|line| self.write(&line, out, &mut change));
        if !self.is_started {
            // A file of nothing but a mark has no line.
            out.extend_from_slice(mark(splitter.encoding()));
        }
        // The splitter takes a last `\r` for half of an end.
        match (splitter.encoding(), self.last) {
            (Encoding::Utf8 | Encoding::Utf8Bom, [_, b'\r']) => out.push(b'\r'),
            (Encoding::Utf16Le, end @ [b'\r', 0]) | (Encoding::Utf16Be, end @ [0, b'\r']) => out.extend(end),
            _ => {}
        }
        // It still knows the encoding.
        self.splitter = splitter;
    }

    fn write(
        &mut self,
        line: &RawLine<'_>,
        out: &mut Vec<u8>,
        change: &mut impl FnMut(&RawLine<'_>, &[u8]) -> Option<Vec<u8>>,
    ) {
        if !self.is_started {
            self.is_started = true;
            out.extend_from_slice(mark(line.encoding));
        }
        match change(line, &text(line)) {
            None => out.extend_from_slice(line.bytes),
            Some(changed) if line.encoding.is_wide() => wide(&changed, line.encoding, out),
            Some(changed) => out.extend_from_slice(&changed),
        }
        if line.encoding.is_wide() {
            wide(line.end.as_bytes(), line.encoding, out);
        } else {
            out.extend_from_slice(line.end.as_bytes());
        }
    }
}

/// A line in UTF-8. Bytes that are no characters stay as they are.
pub(crate) fn text<'a>(line: &RawLine<'a>) -> Cow<'a, [u8]> {
    if line.encoding.is_wide() {
        Cow::Owned(line.encoding.show(line.bytes).into_bytes())
    } else {
        Cow::Borrowed(line.bytes)
    }
}

fn mark(encoding: Encoding) -> &'static [u8] {
    match encoding {
        Encoding::Utf8 => b"",
        Encoding::Utf8Bom => b"\xEF\xBB\xBF",
        Encoding::Utf16Le => b"\xFF\xFE",
        Encoding::Utf16Be => b"\xFE\xFF",
    }
}

/// Writes text in an encoding of two bytes.
pub(crate) fn wide(text: &[u8], encoding: Encoding, out: &mut Vec<u8>) {
    let to_bytes = if encoding == Encoding::Utf16Be { u16::to_be_bytes } else { u16::to_le_bytes };
    out.extend(String::from_utf8_lossy(text).encode_utf16().flat_map(to_bytes));
}
