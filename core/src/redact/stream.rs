//! Bytes in, bytes out: lines are cut, decoded where they are not UTF-8, and written in the encoding that they had.

use super::{Coding, Finding, Redactor, Survey};
use crate::transport::encoding::Encoding;
use crate::transport::split::RawLine;
use std::borrow::Cow;
use std::ops::Range;

impl Survey {
    /// Takes the next bytes of a file.
    pub fn push(&mut self, bytes: &[u8]) {
        let mut splitter = std::mem::take(&mut self.splitter);
        splitter.push(bytes, |line| self.line(&text(&line)));
        self.splitter = splitter;
    }

    /// The file has ended; a further one may follow, whose secrets are looked for in all of them.
    pub fn end_file(&mut self) {
        let mut splitter = std::mem::take(&mut self.splitter);
        splitter.finish(|line| self.line(&text(&line)));
        self.open = None;
    }
}

impl Redactor {
    /// Takes the next bytes of the file, and writes what is done. `decide` says of each finding, on its line, whether it is
    /// masked. The line is in UTF-8 whatever the file is in, and without its end.
    pub fn push(&mut self, bytes: &[u8], out: &mut Vec<u8>, mut decide: impl FnMut(&Finding, &[u8]) -> bool) {
        let mut splitter = std::mem::take(&mut self.splitter);
        splitter.push(bytes, |line| self.write(&line, out, &mut decide));
        for byte in bytes.iter().rev().take(2).rev() {
            let [_, before] = self.last;
            self.last = [before, *byte];
        }
        self.splitter = splitter;
    }

    /// How the file writes its characters, once its first bytes came in.
    pub fn coding(&self) -> Coding {
        Coding(self.splitter.encoding())
    }

    /// The file has ended: writes what is left.
    pub fn finish(&mut self, out: &mut Vec<u8>, mut decide: impl FnMut(&Finding, &[u8]) -> bool) {
        let mut splitter = std::mem::take(&mut self.splitter);
        splitter.finish(|line| self.write(&line, out, &mut decide));
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

    fn write(&mut self, line: &RawLine<'_>, out: &mut Vec<u8>, decide: &mut impl FnMut(&Finding, &[u8]) -> bool) {
        if !self.is_started {
            self.is_started = true;
            out.extend_from_slice(mark(line.encoding));
        }
        let text = text(line);
        let mut findings = self.line(&text);
        for finding in &mut findings {
            finding.place = place(line, &text, &finding.range);
        }
        findings.retain(|finding| decide(finding, &text));
        if findings.is_empty() {
            out.extend_from_slice(line.bytes);
        } else {
            let masked = apply(&text, &findings);
            match line.encoding {
                Encoding::Utf16Le | Encoding::Utf16Be => wide(&masked, line.encoding, out),
                _ => out.extend_from_slice(&masked),
            }
        }
        if line.encoding.is_wide() {
            wide(line.end.as_bytes(), line.encoding, out);
        } else {
            out.extend_from_slice(line.end.as_bytes());
        }
    }
}

/// Where bytes of a line, as UTF-8, stand in the file.
fn place(line: &RawLine<'_>, text: &[u8], range: &Range<usize>) -> Range<u64> {
    let at = |end: usize| {
        let before = text.get(..end).unwrap_or_default();
        line.offset
            + if line.encoding.is_wide() {
                2 * String::from_utf8_lossy(before).encode_utf16().count() as u64
            } else {
                before.len() as u64
            }
    };
    at(range.start)..at(range.end)
}

/// The line with these findings masked.
fn apply(line: &[u8], findings: &[Finding]) -> Vec<u8> {
    let mut out = Vec::with_capacity(line.len());
    let mut from = 0;
    for finding in findings {
        out.extend_from_slice(line.get(from..finding.range.start).unwrap_or_default());
        out.extend_from_slice(finding.mask.as_bytes());
        from = finding.range.end;
    }
    out.extend_from_slice(line.get(from..).unwrap_or_default());
    out
}

fn text<'a>(line: &RawLine<'a>) -> Cow<'a, [u8]> {
    if line.encoding.is_wide() {
        Cow::Owned(line.encoding.show(line.bytes).into_bytes())
    } else {
        // Bytes that are no characters stay as they are.
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

pub(super) fn wide(text: &[u8], encoding: Encoding, out: &mut Vec<u8>) {
    let to_bytes = if encoding == Encoding::Utf16Be { u16::to_be_bytes } else { u16::to_le_bytes };
    out.extend(String::from_utf8_lossy(text).encode_utf16().flat_map(to_bytes));
}
