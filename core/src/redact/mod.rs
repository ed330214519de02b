//! Finds what should not leave with a log, and masks it: keys, tokens, passwords, addresses, home directories.
//!
//! A log is read twice. The first pass ([`Survey`]) collects what is secret; the second ([`Redactor`]) finds it again, and
//! wherever else it stands: a password that was given to a variable on line 3 is masked in the command of line 90, in
//! base64, in hex and percent-encoded too. Bytes are pushed into both in pieces of any size, and at most one line is kept.
//!
//! ```
//! use steplens_core::redact::{self, Kinds};
//! let log = "{\"output\":\"DB_PASSWORD=hunter22\\nssh -i /home/bob/key\"}\n";
//! let (masked, findings) = redact::text(log, Kinds::default());
//! assert_eq!(masked, "{\"output\":\"DB_PASSWORD=[REDACTED:password]\\nssh -i ~/key\"}\n");
//! assert_eq!(findings.len(), 2);
//! ```
//!
//! What holds of every log: JSON stays JSON and a line stays a line, as a mask never reaches over a quote, parts an escape,
//! or holds a character that has to be escaped; equal secrets get equal masks; what was masked is not masked again.
//!
//! A review shows the [`Finding`]s, each with its [`Finding::excerpt`]; in the second pass it says of each whether it is to
//! be masked, by its [`Finding::id`] or its kind.

mod assign;
mod below;
mod blank;
mod call;
mod command;
mod credential;
mod declare;
mod foreign;
mod home;
mod kind;
mod known;
mod name;
mod nest;
mod open;
mod pair;
mod pem;
mod pointer;
mod prefix;
mod prose;
mod scan;
mod shell;
mod signs;
mod spelling;
mod splice;
mod sql;
mod stream;
mod strings;
mod text;
mod value;
mod view;

pub use kind::{Group, Kind, Kinds};
pub use pointer::pointer;
pub use splice::{Coding, Cut, Splice};

use crate::json::fingerprint_of_bytes;
use crate::order::Order;
use crate::transport::rewrite::Rewriter;
use crate::transport::split::Splitter;
use known::{Collected, Known};
use memchr::memmem;
use open::Open;
use pair::Pair;
use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use text::Quote;
use view::View;

/// Names a finding: the same for the same log, whatever else is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FindingId {
    /// The line, from 1.
    pub line: u64,
    /// Bytes before it on the line.
    pub at: u64,
}

impl fmt::Display for FindingId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.at)
    }
}

/// One secret at one place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// What it is.
    pub kind: Kind,
    /// The line, from 1.
    pub line: u64,
    /// Its bytes on the line.
    pub range: Range<usize>,
    /// Its bytes in the file, in the file's encoding.
    pub place: Range<u64>,
    /// Equal for equal secrets. Not to be shown or written: who guesses a short secret could prove it by this.
    pub secret: u64,
    /// What stands in its place.
    pub mask: String,
}

impl Finding {
    /// Its name.
    pub fn id(&self) -> FindingId {
        FindingId { line: self.line, at: self.range.start as u64 }
    }

    /// The secret with what stands beside it on its line: at most `reach` bytes on either side, and of the secret.
    pub fn excerpt<'a>(&self, line: &'a [u8], reach: usize) -> Excerpt<'a> {
        let part = |range: Range<usize>| String::from_utf8_lossy(line.get(range).unwrap_or_default());
        let start = self.range.start.min(line.len());
        let end = self.range.end.clamp(start, line.len());
        let shown = whole_char(line, end.min(start + reach));
        Excerpt {
            before: part(whole_char(line, start.saturating_sub(reach))..start),
            secret: part(start..shown),
            is_cut: shown < end,
            after: part(end..whole_char(line, line.len().min(end + reach))),
        }
    }
}

/// A place at which no character is parted: this one or the next before it.
fn whole_char(line: &[u8], mut at: usize) -> usize {
    while at > 0 && line.get(at).is_some_and(|byte| byte & 0xC0 == 0x80) {
        at -= 1;
    }
    at
}

/// A secret among its neighbours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excerpt<'a> {
    /// What stands before it.
    pub before: Cow<'a, str>,
    /// The secret, or its beginning.
    pub secret: Cow<'a, str>,
    /// The secret goes on.
    pub is_cut: bool,
    /// What stands behind it.
    pub after: Cow<'a, str>,
}

/// The first pass over a log: collects what to look for everywhere.
#[derive(Debug, Default)]
pub struct Survey {
    kinds: Kinds,
    collected: Collected,
    open: Option<Open>,
    pair: Option<Pair>,
    splitter: Splitter,
}

impl Survey {
    /// Looks for these kinds.
    pub fn new(kinds: Kinds) -> Survey {
        Survey { kinds, ..Survey::default() }
    }

    fn line(&mut self, line: &[u8]) {
        if let Some(open) = self.open.take() {
            let kind = open.kind();
            let (part, next) = open.line(line);
            self.open = next;
            if let Some(part) = part {
                if self.kinds.contains(kind) {
                    self.collected.secret(line.get(part).unwrap_or_default(), kind);
                }
                return;
            }
        }
        let view = View::of(line);
        let found = scan::scan(&view.bytes, self.pair.take());
        (self.open, self.pair) = (found.open.or(self.open.take()), found.pair);
        let of = |range: &Range<usize>| view.bytes.get(range.clone()).unwrap_or_default();
        for hit in found.hits.iter().filter(|hit| self.kinds.contains(hit.kind)) {
            self.collected.secret(of(&hit.range), hit.kind);
        }
        for (ranges, kind) in [(&found.users, Kind::User), (&found.hosts, Kind::Host)] {
            if self.kinds.contains(kind) {
                ranges.iter().for_each(|range| self.collected.name(of(range), kind));
            }
        }
    }

    /// The second pass, over one of the files that this one went over, from its first byte on.
    pub fn redactor(&self) -> Redactor {
        let known = Arc::new(self.collected.known());
        Redactor { kinds: self.kinds, known, open: None, pair: None, lines: 0, rewriter: Rewriter::default() }
    }
}

/// The second pass over a log: finds what is to be masked, and masks it.
#[derive(Debug)]
pub struct Redactor {
    kinds: Kinds,
    known: Arc<Known>,
    open: Option<Open>,
    pair: Option<Pair>,
    lines: u64,
    rewriter: Rewriter,
}

impl Redactor {
    /// The findings of the next line: in order, and apart from each other.
    fn line(&mut self, line: &[u8]) -> Vec<Finding> {
        self.lines += 1;
        if let Some(open) = self.open.take() {
            let kind = open.kind();
            let (part, next) = open.line(line);
            self.open = next;
            if let Some(range) = part {
                let is_wanted = self.kinds.contains(kind);
                return if is_wanted { vec![self.finding(line, range, kind, None)] } else { Vec::new() };
            }
        }
        let view = View::of(line);
        let found = scan::scan(&view.bytes, self.pair.take());
        (self.open, self.pair) = (found.open.or(self.open.take()), found.pair);
        let hits = found.hits.into_iter().filter(|hit| self.kinds.contains(hit.kind));
        let mut spans: Vec<Span> =
            hits.map(|hit| Span { range: hit.range, kind: hit.kind, quotes: hit.quotes }).collect();
        let own = spans.len();
        self.known.find(&view.bytes, found.is_json, |range, kind| spans.push(Span { range, kind, quotes: None }));
        if spans.len() > own {
            spans = apart(spans);
        }
        let masks = masks(&view.bytes);
        spans.retain(|span| !masks.iter().any(|mask| mask.start < span.range.end && span.range.start < mask.end));
        let whole = |span: Span| {
            let range = view.to_line(span.range.start)..view.to_line(span.range.end);
            self.finding(line, range, span.kind, span.quotes)
        };
        spans.into_iter().map(whole).collect()
    }

    fn finding(&self, line: &[u8], range: Range<usize>, kind: Kind, quotes: Option<Quote>) -> Finding {
        let secret = fingerprint_of_bytes(line.get(range.clone()).unwrap_or_default());
        let mask = match quotes {
            Some(quote) => {
                let quote = format!("{}{}", "\\".repeat(quote.marks), char::from(quote.byte));
                format!("{quote}{}{quote}", kind.mask())
            }
            None => kind.mask(),
        };
        Finding { kind, line: self.lines, range, place: 0..0, secret: secret.0, mask }
    }
}

/// Where masks stand already: nothing that reaches into one is masked again.
fn masks(text: &[u8]) -> Vec<Range<usize>> {
    let starts = memmem::find_iter(text, kind::MARK.as_bytes());
    starts.map(|start| start..start + text::run_of(text, start, |byte| byte != b']') + 1).collect()
}

struct Span {
    range: Range<usize>,
    kind: Kind,
    quotes: Option<Quote>,
}

/// Spans that overlap become one, of the kind of the longer.
fn apart(mut spans: Vec<Span>) -> Vec<Span> {
    spans.order_by_key(|span| (span.range.start, std::cmp::Reverse(span.range.end)));
    let mut out: Vec<Span> = Vec::with_capacity(spans.len());
    for span in spans {
        match out.last_mut() {
            Some(last) if span.range.start < last.range.end => {
                if span.range.len() > last.range.len() {
                    last.kind = span.kind;
                }
                last.range.end = last.range.end.max(span.range.end);
            }
            _ => out.push(span),
        }
    }
    out
}

/// A whole text, masked, and what was found in it. For what is held in memory anyway: a line to be copied, a paste.
pub fn text(text: &str, kinds: Kinds) -> (String, Vec<Finding>) {
    let mut survey = Survey::new(kinds);
    survey.push(text.as_bytes());
    survey.end_file();
    let (mut out, mut findings) = (Vec::with_capacity(text.len()), Vec::new());
    let mut redactor = survey.redactor();
    let mut note = |finding: &Finding, _: &[u8]| {
        findings.push(finding.clone());
        true
    };
    redactor.push(text.as_bytes(), &mut out, &mut note);
    redactor.finish(&mut out, &mut note);
    (String::from_utf8_lossy(&out).into_owned(), findings)
}
