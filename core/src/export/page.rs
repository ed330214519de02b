//! A run as one HTML file: the viewer's own page with the logs in it.
//!
//! The viewer is built as `single.html` too: style, script and wasm within it, and a mark where the data goes. A log is a
//! block of base64 over gzip, in a `<script>` of a type that no browser runs: none of its signs can end the block.
//!
//! ```html
//! <script type="application/octet-stream" data-log="run.jsonl">H4sIAAAAA…</script>
//! <script type="application/octet-stream" data-start="v=1&amp;e=61.prt_1"></script>
//! ```

use std::io::{self, Write};

use flate2::write::GzEncoder;
use flate2::{Compression, GzBuilder};
use sha2::{Digest, Sha256};

/// Stands where the data goes; it stays behind the data, so that the page can be the template of the next.
pub const MARK: &str = "<!--steplens-data-->";

/// What ends a block.
pub const BLOCK_END: &str = "</script>\n";

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The page before the data, and behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Template<'a> {
    /// Up to the data.
    pub before: &'a str,
    /// From the mark on.
    pub after: &'a str,
}

impl<'a> Template<'a> {
    /// Of the text of `single.html`; none where it does not hold the mark exactly once.
    pub fn of(text: &'a str) -> Option<Template<'a>> {
        let at = text.find(MARK)?;
        let (before, after) = text.split_at_checked(at)?;
        let is_one = after.get(MARK.len()..).is_some_and(|rest| !rest.contains(MARK));
        is_one.then_some(Template { before, after })
    }
}

/// What begins the block of a log; the base64 of its gzip and [`BLOCK_END`] follow.
pub fn log_begin(name: &str) -> String {
    format!("<script type=\"application/octet-stream\" data-log=\"{}\">", attribute(name))
}

/// The block that says where the page is opened: a fragment as it stands in an address, without `#`.
pub fn start(fragment: &str) -> String {
    let fragment = attribute(fragment.trim_start_matches('#'));
    format!("<script type=\"application/octet-stream\" data-start=\"{fragment}\">{BLOCK_END}")
}

/// What a Content-Security-Policy calls an inline script or style: `'sha256-…'`.
pub fn hash_source(text: &str) -> String {
    let mut base64 = Base64::new(b"'sha256-".to_vec());
    // Writing to memory cannot fail.
    let _ = base64.write_all(&Sha256::digest(text.as_bytes()));
    let source = base64.finish().unwrap_or_default();
    String::from_utf8_lossy(&source).into_owned() + "'"
}

/// A text as the value of an attribute between double quotes, or between elements: it can neither end there nor hold the
/// mark.
pub fn attribute(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for sign in text.chars() {
        match sign {
            // No document may hold it, not even as a reference.
            '\0' => out.push('\u{FFFD}'),
            '&' | '"' | '<' | '>' | '\'' | '\u{1}'..='\u{1f}' => out.push_str(&format!("&#{};", u32::from(sign))),
            _ => out.push(sign),
        }
    }
    out
}

/// Writes base64, with padding at the end.
#[derive(Debug)]
pub struct Base64<W> {
    out: W,
    /// Bytes that wait for others to make three.
    rest: Vec<u8>,
}

impl<W: Write> Base64<W> {
    /// Writes to `out`.
    pub fn new(out: W) -> Base64<W> {
        Base64 { out, rest: Vec::with_capacity(3) }
    }

    /// Writes what is left, with padding.
    ///
    /// # Errors
    /// Those of what is written to.
    pub fn finish(mut self) -> io::Result<W> {
        let rest = std::mem::take(&mut self.rest);
        if !rest.is_empty() {
            self.out.write_all(&group(&rest))?;
        }
        Ok(self.out)
    }
}

impl<W: Write> Write for Base64<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut text = Vec::with_capacity(bytes.len() / 3 * 4 + 8);
        let mut left = bytes;
        if !self.rest.is_empty() {
            let (head, tail) = left.split_at_checked(3 - self.rest.len()).unwrap_or((left, &[]));
            self.rest.extend_from_slice(head);
            left = tail;
            if self.rest.len() == 3 {
                text.extend(group(&self.rest));
                self.rest.clear();
            }
        }
        let chunks = left.chunks_exact(3);
        self.rest.extend_from_slice(chunks.remainder());
        chunks.for_each(|chunk| text.extend(group(chunk)));
        self.out.write_all(&text)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// One to three bytes as four signs.
fn group(bytes: &[u8]) -> [u8; 4] {
    let byte = |at: usize| u32::from(bytes.get(at).copied().unwrap_or_default());
    let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
    let digit = |shift: u32| DIGITS.get((bits >> shift & 63) as usize).copied().unwrap_or(b'=');
    let or_padding = |is_there: bool, digit: u8| if is_there { digit } else { b'=' };
    [digit(18), digit(12), or_padding(bytes.len() > 1, digit(6)), or_padding(bytes.len() > 2, digit(0))]
}

/// Writes the block of a log: takes the log's bytes, in pieces.
#[derive(Debug)]
pub struct LogBlock<W: Write>(GzEncoder<Base64<W>>);

impl<W: Write> LogBlock<W> {
    /// Begins the block of a log of this name.
    ///
    /// # Errors
    /// Those of what is written to.
    pub fn new(mut out: W, name: &str) -> io::Result<LogBlock<W>> {
        out.write_all(log_begin(name).as_bytes())?;
        // Without a time: the same log gives the same file.
        Ok(LogBlock(GzBuilder::new().write(Base64::new(out), Compression::best())))
    }

    /// Ends the block.
    ///
    /// # Errors
    /// Those of what is written to.
    pub fn finish(self) -> io::Result<W> {
        let mut out = self.0.finish()?.finish()?;
        out.write_all(BLOCK_END.as_bytes())?;
        Ok(out)
    }
}

impl<W: Write> Write for LogBlock<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    fn base64(pieces: &[&[u8]]) -> String {
        let mut out = Base64::new(Vec::new());
        pieces.iter().for_each(|piece| out.write_all(piece).unwrap());
        String::from_utf8(out.finish().unwrap()).unwrap()
    }

    #[test]
    fn base64_is_that_of_the_standard_however_it_is_cut() {
        // RFC 4648, 10.
        for (text, wanted) in
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("foobar", "Zm9vYmFy")]
        {
            assert_eq!(base64(&[text.as_bytes()]), wanted);
            let (a, b) = text.as_bytes().split_at(text.len() / 2);
            assert_eq!(base64(&[a, b]), wanted);
            assert_eq!(base64(&text.as_bytes().chunks(1).collect::<Vec<_>>()), wanted);
        }
        assert_eq!(base64(&[&[0xfb, 0xff, 0xfe]]), "+//+");
    }

    #[test]
    fn a_block_holds_the_log() {
        let log = "{\"type\":\"text\"}\n</script><!--steplens-data-->".repeat(1000);
        let mut block = LogBlock::new(Vec::new(), "a \"b\"<i>&\n.jsonl").unwrap();
        log.as_bytes().chunks(777).for_each(|piece| block.write_all(piece).unwrap());
        let text = String::from_utf8(block.finish().unwrap()).unwrap();
        let begin = "<script type=\"application/octet-stream\" data-log=\"a &#34;b&#34;&#60;i&#62;&#38;&#10;.jsonl\">";
        let data = text.strip_prefix(begin).unwrap().strip_suffix("</script>\n").unwrap();
        assert!(data.bytes().all(|b| b.is_ascii_alphanumeric() || b"+/=".contains(&b)), "{data}");
        let value = |sign: u8| DIGITS.iter().position(|digit| *digit == sign).unwrap_or(0) as u32;
        let mut packed = Vec::new();
        for four in data.as_bytes().chunks(4) {
            let bits = four.iter().fold(0, |bits, sign| bits << 6 | value(*sign));
            packed.extend_from_slice(&bits.to_be_bytes()[1..4 - four.iter().filter(|sign| **sign == b'=').count()]);
        }
        let mut out = String::new();
        flate2::read::GzDecoder::new(packed.as_slice()).read_to_string(&mut out).unwrap();
        assert_eq!(out, log);
    }

    #[test]
    fn a_policy_names_a_script_by_its_hash() {
        // The example of the Content Security Policy, level 3, 8.4.
        let source = hash_source("alert('Hello, world.');");
        assert_eq!(source, "'sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng='");
    }

    #[test]
    fn a_template_has_one_place() {
        let text = format!("<head>{MARK}</head>");
        assert_eq!(Template::of(&text), Some(Template { before: "<head>", after: "<!--steplens-data--></head>" }));
        assert_eq!(Template::of("<head></head>"), None);
        assert_eq!(Template::of(&text.repeat(2)), None);
    }

    #[test]
    fn a_start_cannot_end_its_block() {
        assert_eq!(
            start("#v=1&q=a\"</script>\0"),
            "<script type=\"application/octet-stream\" data-start=\"v=1&#38;q=a&#34;&#60;/script&#62;\u{FFFD}\"></script>\n"
        );
    }
}
