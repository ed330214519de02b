//! Lines of the file that is being read: decoded, without prefix, on to the framer.

use super::super::Run;
use super::super::diagnostics::{Place as At, kind};
use crate::format::detect::Seen;
use crate::format::shape::Shape;
use crate::transport::encoding::Encoding;
use crate::transport::frame::{Framer, Place, TextLine};
use crate::transport::prefix::{self, Prefix};
use crate::transport::split::{RawLine, Splitter};

/// How many bytes of lines are held back at most until the prefix is found.
const HELD_BYTES: usize = 64 << 10;

/// A line that is held back.
#[derive(Debug)]
struct Held {
    number: u64,
    offset: u64,
    bytes: Vec<u8>,
    end: &'static str,
}

/// The state of reading one file.
#[derive(Debug, Default)]
pub(crate) struct FileState {
    splitter: Splitter,
    encoding: Encoding,
    framer: Framer,
    prefix: Option<Prefix>,
    held: Vec<Held>,
    held_bytes: usize,
    pub(crate) seen: Seen,
}

impl FileState {
    /// The file's encoding.
    pub(crate) fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Lines read so far.
    pub(crate) fn lines(&self) -> u64 {
        self.splitter.lines()
    }

    /// Bytes that were pushed and are in no record yet.
    pub(crate) fn waiting(&self) -> u64 {
        let held: usize = self.held.iter().map(|held| held.bytes.len() + held.end.len()).sum();
        self.splitter.waiting() + held as u64 + self.framer.waiting()
    }

    /// What another program put before each line.
    pub(crate) fn prefix(&self) -> Prefix {
        self.prefix.unwrap_or_default()
    }

    /// The bytes as they stand, for a reader: only the encoding is undone.
    pub(crate) fn raw(&self, bytes: &[u8]) -> String {
        self.encoding().show(bytes)
    }

    /// Text of the lines at a place of the file, as the framer saw it.
    pub(crate) fn text_of<'a>(&self, bytes: &'a [u8], within: Option<(u32, u32)>) -> std::borrow::Cow<'a, str> {
        let decoded = self.encoding().decode(bytes).text;
        let Some((at, len)) = within else { return decoded };
        let prefix = self.prefix();
        let lines = decoded.split_inclusive('\n');
        let text: String = lines.map(|line| prefix.strip(line).unwrap_or(line)).collect();
        let at = at as usize;
        text.get(at..at + len as usize).unwrap_or_default().to_owned().into()
    }
}

impl Run {
    /// Takes the next bytes of the file.
    pub(in super::super) fn take_bytes(&mut self, bytes: &[u8]) {
        let mut splitter = std::mem::take(&mut self.reading.splitter);
        splitter.push(bytes, |line| self.take_raw(line));
        self.reading.splitter = splitter;
    }

    /// The file has ended.
    pub(in super::super) fn take_end(&mut self) {
        let mut splitter = std::mem::take(&mut self.reading.splitter);
        splitter.finish(|line| self.take_raw(line));
        self.reading.splitter = splitter;
        if self.reading.prefix.is_none() {
            self.settle_prefix();
        }
        let mut framer = std::mem::take(&mut self.reading.framer);
        framer.finish(self);
        self.reading.framer = framer;
    }

    fn take_raw(&mut self, line: RawLine<'_>) {
        self.reading.encoding = line.encoding;
        if self.reading.prefix.is_some() {
            return self.take_line(line.number, line.offset, line.bytes, line.end);
        }
        let text = self.reading.encoding.decode(line.bytes).text;
        let first = text.trim_start();
        let blank = |byte: &u8| byte.is_ascii_whitespace() || *byte == 0;
        let plain = self.reading.held.iter().all(|held| held.bytes.iter().all(blank)) && first.starts_with('{');
        if plain {
            self.reading.prefix = Some(Prefix::None);
            self.release();
            return self.take_line(line.number, line.offset, line.bytes, line.end);
        }
        self.reading.held_bytes += line.bytes.len();
        self.reading.held.push(Held {
            number: line.number,
            offset: line.offset,
            bytes: line.bytes.to_vec(),
            end: line.end,
        });
        let filled = self.reading.held.iter().filter(|held| !held.bytes.iter().all(u8::is_ascii_whitespace)).count();
        if filled >= prefix::LINES || self.reading.held_bytes > HELD_BYTES {
            self.settle_prefix();
        }
    }

    fn settle_prefix(&mut self) {
        let texts: Vec<String> =
            self.reading.held.iter().map(|held| self.reading.encoding.decode(&held.bytes).text.into_owned()).collect();
        self.reading.prefix = Some(Prefix::of(texts.iter().map(String::as_str)));
        self.release();
    }

    fn release(&mut self) {
        for held in std::mem::take(&mut self.reading.held) {
            self.take_line(held.number, held.offset, &held.bytes, held.end);
        }
    }

    fn take_line(&mut self, number: u64, offset: u64, bytes: &[u8], end: &'static str) {
        let encoding = self.reading.encoding;
        let decoded = encoding.decode(bytes);
        let at = At { file: self.current_file().into(), line: number, offset };
        if decoded.invalid {
            self.diagnostics
                .add(kind::INVALID_UTF8, at, || "bytes that are no character are shown as U+FFFD".to_owned());
        }
        if decoded.lone_surrogates {
            self.diagnostics.add(kind::LONE_SURROGATE, at, || "half of a surrogate pair is shown as U+FFFD".to_owned());
        }
        let prefix = self.reading.prefix.unwrap_or_default();
        let stripped = prefix.strip(&decoded.text);
        let len = bytes.len() as u64;
        if stripped.is_none() && prefix == Prefix::Data && is_control(&decoded.text) {
            let place = Place { line: number, offset, len, within: None };
            let record = self.push_record(place, Shape::Control);
            self.consume(record);
            return;
        }
        let text = stripped.unwrap_or(&decoded.text);
        let lead = (decoded.text.len() - text.len()) as u64;
        let verbatim = (!encoding.is_wide() && !decoded.invalid).then_some(lead);
        let mut framer = std::mem::take(&mut self.reading.framer);
        framer.feed(TextLine { number, offset, len, text, verbatim, end }, self);
        self.reading.framer = framer;
    }
}

/// Lines of a server-sent event stream that carry no data.
fn is_control(text: &str) -> bool {
    text.starts_with(':') || ["event:", "id:", "retry:"].iter().any(|field| text.starts_with(field))
}
