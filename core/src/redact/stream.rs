//! Bytes in, bytes out: lines are cut, decoded where they are not UTF-8, and written in the encoding that they had.

use super::{Coding, Finding, Redactor, Survey};
use crate::transport::rewrite::text;
use crate::transport::split::RawLine;
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
        (self.open, self.pair) = (None, None);
    }
}

impl Redactor {
    /// Takes the next bytes of the file, and writes what is done. `decide` says of each finding, on its line, whether it is
    /// masked. The line is in UTF-8 whatever the file is in, and without its end.
    pub fn push(&mut self, bytes: &[u8], out: &mut Vec<u8>, mut decide: impl FnMut(&Finding, &[u8]) -> bool) {
        let mut rewriter = std::mem::take(&mut self.rewriter);
        rewriter.push(bytes, out, |line, text| self.masked(line, text, &mut decide));
        self.rewriter = rewriter;
    }

    /// How the file writes its characters, once its first bytes came in.
    pub fn coding(&self) -> Coding {
        Coding(self.rewriter.encoding())
    }

    /// The file has ended: writes what is left.
    pub fn finish(&mut self, out: &mut Vec<u8>, mut decide: impl FnMut(&Finding, &[u8]) -> bool) {
        let mut rewriter = std::mem::take(&mut self.rewriter);
        rewriter.finish(out, |line, text| self.masked(line, text, &mut decide));
        self.rewriter = rewriter;
    }

    fn masked(
        &mut self,
        line: &RawLine<'_>,
        text: &[u8],
        decide: &mut impl FnMut(&Finding, &[u8]) -> bool,
    ) -> Option<Vec<u8>> {
        let mut findings = self.line(text);
        for finding in &mut findings {
            finding.place = place(line, text, &finding.range);
        }
        findings.retain(|finding| decide(finding, text));
        (!findings.is_empty()).then(|| apply(text, &findings))
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
