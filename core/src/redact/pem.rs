//! PEM blocks: within one line, whose line ends are escapes, and over several lines.
//!
//! ```text
//! -----BEGIN PRIVATE KEY-----
//! MIIEvQIBADANBg…
//! -----END PRIVATE KEY-----
//! ```

use super::kind::Kind;
use super::text::{at, run_of};
use memchr::memmem;
use std::ops::Range;

const BEGIN: &[u8] = b"-----BEGIN ";
const END: &[u8] = b"-----END ";
/// The longest line of a block that goes over several.
const LONGEST_LINE: usize = 4096;
/// The most lines of a block.
const MOST_LINES: u32 = 4096;

/// A block that has begun and not ended yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Open {
    pub(super) kind: Kind,
    lines: u32,
}

/// The block that begins at a place.
#[derive(Debug)]
pub(super) struct Block {
    pub(super) kind: Kind,
    /// What is to be masked, in order.
    pub(super) parts: Vec<Range<usize>>,
    /// Where the search goes on.
    pub(super) end: usize,
    /// It goes on on the next line.
    pub(super) open: Option<Open>,
}

impl Block {
    fn whole(kind: Kind, range: Range<usize>) -> Block {
        Block { kind, end: range.end, parts: Vec::from([range]), open: None }
    }
}

/// The block that begins with the dash at a place.
pub(super) fn block(text: &[u8], start: usize) -> Option<Block> {
    let rest = text.get(start..)?;
    if !rest.starts_with(BEGIN) {
        return None;
    }
    let label = run_of(text, start + BEGIN.len(), is_label);
    let body = start + BEGIN.len() + label;
    if !text.get(body..)?.starts_with(b"-----") {
        return None;
    }
    let body = body + 5;
    let label = text.get(start + BEGIN.len()..body - 5)?;
    if label.ends_with(b"PUBLIC KEY") {
        return None;
    }
    let private = label.windows(7).any(|word| word == b"PRIVATE");
    let kind = if private { Kind::PrivateKey } else { Kind::PemBlock };
    let reach = text.get(..text.len().min(body + (64 << 10)))?;
    let Some(close) = memmem::find(reach.get(body..)?, END).map(|at| body + at) else {
        return cut(text, start, body, kind);
    };
    // The end may be cut itself: no further than it goes.
    let name = run_of(text, close + END.len(), is_label);
    let end = close + END.len() + name;
    let end = end + run_of(text, end, |byte| byte == b'-').min(5);
    let inside = text.get(body..close)?;
    if inside.iter().any(|byte| matches!(byte, b'"' | b'\'' | b'`')) {
        // Put together from several strings: what is between them stays.
        let parts = stretches(text, body, close);
        return Some(Block { kind, parts, end, open: None });
    }
    // A block that holds nothing, or a mask, is none.
    (body_len(inside) >= 16).then(|| Block::whole(kind, start..end))
}

/// A block whose end is not on its line: it goes on on the next one, or was cut.
fn cut(text: &[u8], start: usize, body: usize, kind: Kind) -> Option<Block> {
    let end = body_end(text, body);
    let len = body_len(text.get(body..end)?);
    if text.get(body..)?.iter().all(u8::is_ascii_whitespace) {
        let open = Some(Open { kind, lines: 0 });
        return Some(Block { kind, parts: Vec::new(), end: text.len(), open });
    }
    (len >= 16).then(|| Block::whole(kind, start..end))
}

/// Where the base64 and line ends end that begin at a place.
fn body_end(text: &[u8], from: usize) -> usize {
    let mut here = from;
    while let Some(byte) = at(text, here) {
        match byte {
            b'\\' => {
                let marks = run_of(text, here, |byte| byte == b'\\');
                match at(text, here + marks) {
                    Some(b'n' | b'r' | b't') => here += marks + 1,
                    _ => return here,
                }
            }
            _ if is_body(byte) || byte.is_ascii_whitespace() => here += 1,
            _ => return here,
        }
    }
    here
}

fn is_label(byte: u8) -> bool {
    byte.is_ascii_uppercase() || byte.is_ascii_digit() || matches!(byte, b' ' | b'/')
}

fn is_body(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'-' | b'_')
}

fn body_len(text: &[u8]) -> usize {
    text.iter().filter(|byte| byte.is_ascii_alphanumeric()).count()
}

/// The stretches of base64 between two places.
fn stretches(text: &[u8], from: usize, to: usize) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut here = from;
    while here < to {
        if at(text, here) == Some(b'\\') {
            let marks = run_of(text, here, |byte| byte == b'\\');
            here += marks + 1;
            continue;
        }
        let len = run_of(text, here, is_body).min(to - here);
        if len >= 16 {
            parts.push(here..here + len);
        }
        here += len.max(1);
    }
    parts
}

impl Open {
    /// Takes the next line of the block: what of it is to be masked, and whether the block goes on.
    pub(super) fn line(self, text: &[u8]) -> (Option<Range<usize>>, Option<Open>) {
        let lead = run_of(text, 0, |byte| byte.is_ascii_whitespace() || matches!(byte, b'>' | b'|' | b'#'));
        let body = text.get(lead..).unwrap_or_default().trim_ascii_end();
        if body.starts_with(END) {
            return (None, None);
        }
        let base64 = !body.is_empty() && body.len() <= LONGEST_LINE && body.iter().all(|byte| is_body(*byte));
        // `Proc-Type: 4,ENCRYPTED`, `DEK-Info: …`, and the blank line behind them.
        let header = body.is_empty()
            || body.starts_with(b"Proc-Type:")
            || body.starts_with(b"DEK-Info:")
            || body.starts_with(b"Comment:")
            || body.starts_with(b"Version:");
        let next = Open { lines: self.lines + 1, ..self };
        let goes_on = (base64 || header) && next.lines < MOST_LINES;
        (base64.then_some(lead..lead + body.len()), goes_on.then_some(next))
    }
}
