//! Values on lines below their name: a block scalar of YAML, a field of a multipart form.
//!
//! ```text
//! password: |                Content-Disposition: form-data; name="password"
//!   hunter22
//!                            hunter22
//! ```
//!
//! The lines may be those of the log, or of a text within one of its strings, where an escape ends each.

use super::kind::Kind;
use super::name::Named;
use super::open;
use super::text::{at, indent, own_marks, run_of};
use super::value::{Style, is_secret};
use std::ops::Range;

/// The most lines that are looked at below a name.
const MOST_LINES: u32 = 64;
/// The longest of them.
const LONGEST_LINE: usize = 4096;

/// A name whose value stands on the next lines.
#[derive(Debug)]
pub(super) struct Open {
    name: Vec<u8>,
    named: Named,
    form: Form,
    lines: u32,
}

#[derive(Debug, Clone, Copy)]
enum Form {
    /// Lines that are further in than the name.
    Scalar { parent: usize },
    /// One line, behind further headers and a blank one.
    Field { is_past_blank: bool },
}

/// What stands below a name.
#[derive(Debug)]
pub(super) struct Block {
    pub(super) kind: Kind,
    /// In order.
    pub(super) parts: Vec<Range<usize>>,
    /// It goes on on the next line.
    pub(super) open: Option<open::Open>,
}

/// The block scalar that begins at `from`, the value of the name at `name`.
pub(super) fn scalar(text: &[u8], from: usize, name: Range<usize>, named: Named, is_json: bool) -> Option<Block> {
    if !matches!(at(text, from), Some(b'|' | b'>')) {
        return None;
    }
    let signs = run_of(text, from + 1, |byte| matches!(byte, b'+' | b'-' | b'0'..=b'9'));
    let end = from + 1 + signs;
    let end = end + run_of(text, end, |byte| byte == b' ');
    if !line_ends(text, end) {
        return None;
    }
    let blanks = indent(text, name.start)?;
    let form = Form::Scalar { parent: blanks };
    Some(follow(text, Open { name: text.get(name)?.to_vec(), named, form, lines: 0 }, end, is_json))
}

/// The field of a multipart form whose name is at `name`; its closing quote ends at `from`.
pub(super) fn field(text: &[u8], from: usize, name: Range<usize>, named: Named, is_json: bool) -> Option<Block> {
    let head = text.get(name.start.saturating_sub(64)..name.start)?;
    if !line_ends(text, from) || memchr::memmem::find(head, b"form-data;").is_none() {
        return None;
    }
    let form = Form::Field { is_past_blank: false };
    Some(follow(text, Open { name: text.get(name)?.to_vec(), named, form, lines: 0 }, from, is_json))
}

/// Takes the lines that follow within a text; `here` is where the name's line ends.
fn follow(text: &[u8], mut open: Open, mut here: usize, is_json: bool) -> Block {
    let mut block = Block { kind: open.kind(), parts: Vec::new(), open: None };
    loop {
        let Some(start) = next_line(text, here) else {
            let is_last = text.get(here..).unwrap_or_default().iter().all(u8::is_ascii_whitespace);
            block.open = (is_last && !is_json).then_some(open::Open::Below(open));
            return block;
        };
        let end = line_end(text, start);
        let (part, next) = open.line(text.get(start..end).unwrap_or_default());
        block.parts.extend(part.map(|part| start + part.start..start + part.end));
        let Some(next) = next else { return block };
        (open, here) = (next, end);
    }
}

impl Open {
    pub(super) fn kind(&self) -> Kind {
        self.named.kind
    }

    /// Takes the next line: what of it is the value, and whether that goes on.
    pub(super) fn line(mut self, text: &[u8]) -> (Option<Range<usize>>, Option<Open>) {
        // The number by which a tool shows the line.
        let digits = run_of(text, run_of(text, 0, |byte| byte == b' '), |byte| byte.is_ascii_digit());
        let number = run_of(text, 0, |byte| byte == b' ' || byte.is_ascii_digit());
        let lead = if digits > 0 && matches!(at(text, number), Some(b'|' | b':')) { number + 1 } else { 0 };
        let indent = lead + run_of(text, lead, |byte| byte == b' ');
        let content = text.get(indent..).unwrap_or_default().trim_ascii_end();
        self.lines += 1;
        // An event of a log is none of it.
        if self.lines > MOST_LINES || content.len() > LONGEST_LINE || content.starts_with(b"{") {
            return (None, None);
        }
        let judge = |open: &Open, style: Style| {
            let fits = !content.contains(&b'"') && is_secret(&open.name, open.named, content, style);
            fits.then_some(indent..indent + content.len())
        };
        match self.form {
            _ if content.is_empty() => {
                if let Form::Field { is_past_blank } = &mut self.form {
                    *is_past_blank = true;
                }
                (None, Some(self))
            }
            Form::Scalar { parent } if indent - lead <= parent => (None, None),
            Form::Scalar { .. } => (judge(&self, Style::Quoted), Some(self)),
            Form::Field { is_past_blank: true } => (judge(&self, Style::Given), None),
            Form::Field { .. } => (None, content.contains(&b':').then_some(self)),
        }
    }
}

fn line_ends(text: &[u8], here: usize) -> bool {
    next_line(text, here).is_some() || text.get(here..).unwrap_or_default().iter().all(u8::is_ascii_whitespace)
}

/// Where the line begins that follows the escape of a line's end.
fn next_line(text: &[u8], here: usize) -> Option<usize> {
    escape(text, escape(text, here, b'r').unwrap_or(here), b'n')
}

fn escape(text: &[u8], here: usize, letter: u8) -> Option<usize> {
    let marks = run_of(text, here, |byte| byte == b'\\');
    (marks > 0 && at(text, here + marks) == Some(letter)).then_some(here + marks + 1)
}

/// Where a line of a text ends: at its escape, or at the quote that ends the string around it.
fn line_end(text: &[u8], from: usize) -> usize {
    let mut here = from;
    while let Some(byte) = at(text, here) {
        match byte {
            b'\\' => {
                let marks = run_of(text, here, |byte| byte == b'\\');
                match at(text, here + marks) {
                    None | Some(b'n' | b'r') => return here,
                    Some(b'"') => return here + marks - own_marks(marks),
                    Some(_) => here += marks + 1,
                }
            }
            b'"' => return here,
            _ => here += 1,
        }
    }
    here
}
