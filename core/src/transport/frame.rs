//! Lines → records: puts together values that span several lines, and takes apart several on one.
//!
//! Nearly every line of nearly every log is one JSON object, and goes straight through. Beside that there are
//! pretty-printed and concatenated objects, one array of records, and an `export` document, whose messages come out one
//! by one while it is read. A line that is no JSON is a malformed record; so is, as one, what there is of a value that is
//! cut, however many lines it has.

use crate::format::wire::{Line, Malformed};
use crate::json::{Scanner, Step};

/// One line, as text, without what another program put before it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TextLine<'a> {
    pub(crate) number: u64,
    /// Byte offset in the file of the whole line.
    pub(crate) offset: u64,
    /// Its length in the file, without its end.
    pub(crate) len: u64,
    pub(crate) text: &'a str,
    /// Bytes in the file before the text, where the text stands in the file byte for byte.
    pub(crate) verbatim: Option<u64>,
    pub(crate) end: &'static str,
}

/// Where a record stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    /// Line that it begins on.
    pub(crate) line: u64,
    pub(crate) offset: u64,
    pub(crate) len: u64,
    /// Where the lines have to be decoded and stripped again to get the text: what part of that text it is.
    pub(crate) within: Option<(u32, u32)>,
}

/// What the framer hands out.
#[derive(Debug)]
pub(crate) struct Unit<'a> {
    pub(crate) text: &'a str,
    pub(crate) place: Place,
    pub(crate) what: What<'a>,
}

/// What a unit is.
#[derive(Debug)]
pub(crate) enum What<'a> {
    /// A JSON object. (A line is large, and units are moved about.)
    Object(Box<Line<'a>>),
    /// No JSON object, and why.
    Malformed(Malformed),
    /// The head of an export: everything before its list of messages, closed to be a whole object.
    ExportHead,
    /// A message of an export that is cut: its whole parts, closed to be a whole object.
    CutMessage,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum List {
    Array,
    Messages,
}

#[derive(Debug, Clone, Copy)]
struct Pending {
    number: u64,
    offset: u64,
    len: u64,
    /// Where its text begins in the buffer.
    at: usize,
}

/// The state between lines: at most one open value.
#[derive(Debug, Default)]
pub(crate) struct Framer {
    list: Option<List>,
    open: Option<Scanner>,
    /// The rest of an export behind its messages.
    tail: Option<Scanner>,
    pending: Vec<Pending>,
    buffer: String,
    verbatim: bool,
    /// Bytes of the first pending line before the value: in the file, and in its text.
    lead: u64,
    at: usize,
    indented: bool,
    objects: u64,
}

/// Takes units. The borrowed parts live only for the call.
pub(crate) trait Sink {
    fn unit(&mut self, unit: Unit<'_>);
}

impl Framer {
    /// Takes the next line.
    pub(crate) fn feed(&mut self, line: TextLine<'_>, sink: &mut impl Sink) {
        if self.open.is_some() {
            self.go_on(line, sink);
        } else {
            self.start(line, 0, sink);
        }
    }

    /// Bytes of the value that has not ended yet.
    pub(crate) fn waiting(&self) -> u64 {
        if self.open.is_some() { self.buffer.len() as u64 } else { 0 }
    }

    /// The file has ended: what is still open is cut.
    pub(crate) fn finish(&mut self, sink: &mut impl Sink) {
        if let Some(scanner) = self.open.take() {
            self.give_up(&scanner, Malformed::Cut, sink);
        }
    }

    fn start(&mut self, line: TextLine<'_>, at: usize, sink: &mut impl Sink) {
        let mut at = at;
        loop {
            let rest = line.text.get(at..).unwrap_or_default();
            let blank = rest.len() - rest.trim_start().len();
            at += blank;
            let rest = rest.trim_start();
            if rest.is_empty() {
                return;
            }
            if let Some(mut tail) = self.tail.take() {
                match tail.feed(rest) {
                    Step::Done(end) => at += end,
                    Step::Open | Step::Messages(_) => {
                        self.tail = Some(tail);
                        return;
                    }
                    Step::Invalid => {}
                }
                continue;
            }
            if self.list.is_some() && rest.starts_with([',', ']']) {
                if rest.starts_with(']') {
                    self.tail = (self.list == Some(List::Messages)).then(Scanner::in_object);
                    self.list = None;
                }
                at += 1;
                continue;
            }
            if self.list.is_none() && opens_array(rest) {
                self.list = Some(List::Array);
                at += 1;
                continue;
            }
            match self.value(line, at, rest, sink) {
                Some(next) => at = next,
                None => return,
            }
        }
    }

    /// Takes the value that begins at `at`; where the line goes on behind it, `None` where nothing is left of the line.
    fn value(&mut self, line: TextLine<'_>, at: usize, rest: &str, sink: &mut impl Sink) -> Option<usize> {
        if !rest.starts_with('{') {
            if let Some(brace) = self.brace_behind_junk(rest) {
                let why = Malformed::Invalid("text of another program before the first record".to_owned());
                self.emit(line, at, at + brace, What::Malformed(why), sink);
                return Some(at + brace);
            }
            let nuls = rest.bytes().all(|byte| byte == 0);
            let why = if nuls { Malformed::Invalid(NULS.to_owned()) } else { not_json(rest) };
            self.emit(line, at, line.text.len(), What::Malformed(why), sink);
            return None;
        }
        match Line::parse(rest) {
            Ok(parsed) => {
                self.objects += 1;
                self.emit(line, at, line.text.len(), What::Object(Box::new(parsed)), sink);
                None
            }
            Err(why @ (Malformed::Cut | Malformed::Trailing(_))) => self.partial(line, at, rest, why, sink),
            Err(why) => {
                self.emit(line, at, line.text.len(), What::Malformed(why), sink);
                None
            }
        }
    }

    /// A value that does not end with its line: it ends before, or on a later line, or never.
    fn partial(
        &mut self,
        line: TextLine<'_>,
        at: usize,
        rest: &str,
        why: Malformed,
        sink: &mut impl Sink,
    ) -> Option<usize> {
        let mut scanner = Scanner::new();
        match scanner.feed(rest) {
            Step::Done(end) => {
                let behind = rest.get(end..).unwrap_or_default().trim_start();
                let goes_on = behind.is_empty()
                    || behind.starts_with('{')
                    || (self.list.is_some() && behind.starts_with([',', ']']));
                match Line::parse(rest.get(..end).unwrap_or_default()) {
                    Ok(parsed) if goes_on => {
                        self.objects += 1;
                        self.emit(line, at, at + end, What::Object(Box::new(parsed)), sink);
                        Some(at + end)
                    }
                    _ => {
                        self.emit(line, at, line.text.len(), What::Malformed(why), sink);
                        None
                    }
                }
            }
            Step::Messages(end) => Some(self.enter_messages(line, at, at + end, sink)),
            Step::Open => {
                scanner.feed(line.end);
                self.open = Some(scanner);
                self.buffer.clear();
                self.buffer.push_str(rest);
                self.buffer.push_str(line.end);
                self.pending.clear();
                self.pending.push(Pending { number: line.number, offset: line.offset, len: line.len, at: 0 });
                self.verbatim = line.verbatim.is_some();
                self.lead = line.verbatim.unwrap_or(0) + at as u64;
                self.at = at;
                self.indented = false;
                None
            }
            Step::Invalid => {
                // Only what ends the file can be cut and still be whole one day.
                let why = if line.end.is_empty() { why } else { Malformed::Invalid(why.to_string()) };
                self.emit(line, at, line.text.len(), What::Malformed(why), sink);
                None
            }
        }
    }

    fn enter_messages(&mut self, line: TextLine<'_>, from: usize, to: usize, sink: &mut impl Sink) -> usize {
        let head = format!("{}]}}", line.text.get(from..to).unwrap_or_default());
        let place = self.place(line, from, to);
        self.objects += 1;
        sink.unit(Unit { text: &head, place, what: What::ExportHead });
        self.list = Some(List::Messages);
        to
    }

    /// A further line of an open value.
    fn go_on(&mut self, line: TextLine<'_>, sink: &mut impl Sink) {
        // A record that begins in the first column, while those before it are indented, or one that a compact writer
        // wrote, is no piece of a value that was cut: what is open is lost, and this one is not.
        let begins = line.text.starts_with("{\"") || (self.indented && line.text.starts_with('{'));
        let Some(mut scanner) = self.open.take() else { return self.start(line, 0, sink) };
        if begins {
            self.give_up(&scanner, self.cut_inside(), sink);
            return self.start(line, 0, sink);
        }
        self.indented |= line.text.starts_with([' ', '\t']);
        self.verbatim &= line.verbatim == Some(0);
        let at = self.buffer.len();
        self.pending.push(Pending { number: line.number, offset: line.offset, len: line.len, at });
        self.buffer.push_str(line.text);
        self.buffer.push_str(line.end);
        match scanner.feed(line.text) {
            Step::Open => {
                scanner.feed(line.end);
                self.open = Some(scanner);
            }
            Step::Done(end) => {
                self.complete(&scanner, at + end, sink);
                self.start(line, end, sink);
            }
            Step::Messages(end) => {
                let head = format!("{}]}}", self.buffer.get(..at + end).unwrap_or_default());
                let place = self.pending_place(0, at + end);
                self.objects += 1;
                sink.unit(Unit { text: &head, place, what: What::ExportHead });
                self.list = Some(List::Messages);
                self.pending.clear();
                self.start(line, end, sink);
            }
            // The file ends here: this is the last piece of what is cut.
            Step::Invalid if line.end.is_empty() && scanner.ran_out() => self.open = Some(scanner),
            Step::Invalid => {
                // The line that broke it may be anything; what was open before it is a value that is cut.
                self.pending.pop();
                self.buffer.truncate(at);
                self.give_up(&scanner, self.cut_inside(), sink);
                self.start(line, 0, sink);
            }
        }
    }

    /// The open value has ended at this place of the buffer.
    fn complete(&mut self, scanner: &Scanner, end: usize, sink: &mut impl Sink) {
        let place = self.pending_place(0, end);
        let buffer = std::mem::take(&mut self.buffer);
        let text = buffer.get(..end).unwrap_or_default();
        match Line::parse(text) {
            Ok(parsed) => {
                self.objects += 1;
                sink.unit(Unit { text, place, what: What::Object(Box::new(parsed)) });
                self.pending.clear();
                self.buffer = buffer;
            }
            Err(why) => {
                self.buffer = buffer;
                self.give_up(scanner, why, sink);
            }
        }
    }

    /// Why a value is malformed that ends before the file does.
    fn cut_inside(&self) -> Malformed {
        Malformed::Invalid(match self.pending.len() {
            0 | 1 => "the line is cut in the middle of a JSON object".to_owned(),
            lines => format!("a JSON object is cut in the middle, after {lines} lines"),
        })
    }

    /// What is pending goes no further: of an export's message the whole parts are kept, and what is left is one malformed
    /// record.
    fn give_up(&mut self, scanner: &Scanner, why: Malformed, sink: &mut impl Sink) {
        let whole = if self.list == Some(List::Messages) { scanner.part_end() } else { None };
        let whole = whole.filter(|end| *end <= self.buffer.len()).unwrap_or(0);
        let kept = if whole > 0 && self.salvage(whole, sink) { whole } else { 0 };
        let rest = self.buffer.get(kept..).unwrap_or_default();
        let from = kept + (rest.len() - rest.trim_start_matches([',', ' ', '\n', '\r', '\t']).len());
        let to = self.buffer.trim_end_matches(['\r', '\n']).len();
        if let Some(text) = self.buffer.get(from..to).filter(|text| !text.trim().is_empty()) {
            sink.unit(Unit { text, place: self.pending_place(from, to), what: What::Malformed(why) });
        }
        self.pending.clear();
    }

    /// Hands out a message up to the end of its last whole part.
    fn salvage(&mut self, end: usize, sink: &mut impl Sink) -> bool {
        let text = format!("{}]}}", self.buffer.get(..end).unwrap_or_default());
        let is_whole = Line::parse(&text).is_ok();
        if is_whole {
            sink.unit(Unit { text: &text, place: self.pending_place(0, end), what: What::CutMessage });
        }
        is_whole
    }

    /// Where a piece of the buffer stands.
    fn pending_place(&self, from: usize, end: usize) -> Place {
        let index = self.pending.partition_point(|line| line.at <= from).saturating_sub(1);
        let last = self.pending.partition_point(|line| line.at < end).saturating_sub(1);
        let (Some(first), Some(last)) = (self.pending.get(index), self.pending.get(last)) else {
            return Place { line: 0, offset: 0, len: 0, within: None };
        };
        // The first line may have begun before the value.
        let (lead, at) = if index == 0 { (self.lead, self.at) } else { (0, 0) };
        let into = from.saturating_sub(first.at);
        if self.verbatim {
            let offset = first.offset + lead + into as u64;
            return Place { line: first.number, offset, len: end.saturating_sub(from) as u64, within: None };
        }
        let len = (last.offset + last.len).saturating_sub(first.offset);
        let whole = |value: usize| u32::try_from(value).unwrap_or(u32::MAX);
        let within = Some((whole(at + into), whole(end.saturating_sub(from))));
        Place { line: first.number, offset: first.offset, len, within }
    }

    fn place(&self, line: TextLine<'_>, from: usize, to: usize) -> Place {
        match line.verbatim {
            Some(lead) => Place {
                line: line.number,
                offset: line.offset + lead + from as u64,
                len: (to - from) as u64,
                within: None,
            },
            None => {
                let whole = |value: usize| u32::try_from(value).unwrap_or(u32::MAX);
                let within = Some((whole(from), whole(to - from)));
                Place { line: line.number, offset: line.offset, len: line.len, within }
            }
        }
    }

    fn emit(&mut self, line: TextLine<'_>, from: usize, to: usize, what: What<'_>, sink: &mut impl Sink) {
        let place = self.place(line, from, to);
        sink.unit(Unit { text: line.text.get(from..to).unwrap_or_default(), place, what });
    }

    /// Where a document begins behind text of another program: `Exporting session: ses_1{`.
    fn brace_behind_junk(&self, rest: &str) -> Option<usize> {
        let brace = rest.find('{').filter(|_| self.objects == 0)?;
        let document = rest.get(brace..)?;
        (document.trim_end() == "{" || document.starts_with("{\"info\"")).then_some(brace)
    }
}

/// Why there are NUL bytes in a log.
const NULS: &str = "NUL bytes: the file was emptied while it was written, or a part of it was lost";

fn not_json(text: &str) -> Malformed {
    Line::parse(text).err().unwrap_or(Malformed::Invalid("the line is no JSON".to_owned()))
}

/// An array of records begins: `[` alone, or `[` before an object. Any other array is a value that is no record.
fn opens_array(rest: &str) -> bool {
    rest.strip_prefix('[').is_some_and(|rest| {
        let rest = rest.trim_start();
        rest.is_empty() || rest.starts_with('{')
    })
}

#[cfg(test)]
mod tests;
