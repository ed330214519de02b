//! A secret in another spelling than the one it was found in: percent-encoded once or more, as a form writes it, behind
//! backslashes at any depth of JSON, with entities of HTML, as `\x41`; and such spellings of what was found, undone.

use super::text::{at, before, own_marks, run_back, run_of};
use std::ops::Range;

/// How often one encoding stands within itself, at most.
const DEPTH: usize = 4;
/// How often a way that led nowhere is gone back from.
const TRIES: usize = 64;

/// Where a secret stands whose first byte is spelled at `here`, whatever its spelling. `is_json` says of the line that
/// its double quotes and lone backslashes are JSON's.
pub(super) fn place(text: &[u8], here: usize, secret: &[u8], is_json: bool) -> Option<Range<usize>> {
    let spelled = Spelled { text, secret, is_json };
    let end = spelled.end(0, here, &mut { TRIES })?;
    let marks = run_back(text, here, usize::MAX, |byte| byte == b'\\');
    // What escapes the first byte belongs to it.
    let start = match at(text, here) {
        Some(b'"') => here - own_marks(marks),
        Some(b'\\') => here - marks,
        _ if is_json && marks % 2 == 1 => return None,
        _ => here,
    };
    Some(start..end)
}

/// Whether a byte can begin the spelling of another one.
pub(super) fn is_sign(byte: u8) -> bool {
    matches!(byte, b'%' | b'&' | b'+' | b'\\')
}

/// The bytes that can be meant at a place that is no bare letter; no more than a few.
pub(super) fn first_bytes(text: &[u8], here: usize, mut each: impl FnMut(u8)) {
    match at(text, here) {
        Some(b'%') => percent(text, here, |byte, _| each(byte)),
        Some(b'&') => entities(text, here, |c, _| {
            each(c.encode_utf8(&mut [0; 4]).bytes().next().unwrap_or_default());
        }),
        Some(b'\\') => {
            if let Some((byte, _)) = hex_escape(text, here + 1) {
                each(byte);
            }
        }
        _ => {}
    }
}

/// The pairs of bytes that a secret can begin with, in any of its spellings.
pub(super) fn pairs(secret: &[u8], mut each: impl FnMut(u8, u8)) {
    let [first, second, ..] = *secret else { return };
    each(first, second);
    each(first, b'%');
    if !second.is_ascii_alphanumeric() {
        each(first, b'\\');
        each(first, b'&');
    }
    if second == b' ' {
        each(first, b'+');
    }
    let digit = b"0123456789abcdef".get(usize::from(first >> 4)).copied().unwrap_or(b'0');
    each(b'%', digit);
    each(b'%', digit.to_ascii_uppercase());
    each(b'%', b'2');
    each(b'&', b'#');
    if matches!(first, b'&' | b'<' | b'>' | b'"' | b'\'') {
        b"algq".iter().for_each(|byte| each(b'&', *byte));
    }
    each(b'\\', b'x');
    if first == b'\\' {
        each(b'\\', b'\\');
    }
}

struct Spelled<'a> {
    text: &'a [u8],
    secret: &'a [u8],
    is_json: bool,
}

impl Spelled<'_> {
    /// Where the rest of the secret ends.
    fn end(&self, mut index: usize, mut here: usize, tries: &mut usize) -> Option<usize> {
        while let Some(&wanted) = self.secret.get(index) {
            let byte = at(self.text, here)?;
            if byte.is_ascii_alphanumeric() {
                if byte != wanted {
                    return None;
                }
                (index, here) = (index + 1, here + 1);
                continue;
            }
            let mut ways = [(0, 0); 2 * DEPTH];
            let mut count = 0;
            self.ways(index, here, |taken, next| {
                if let Some(way) = ways.get_mut(count) {
                    *way = (taken, next);
                    count += 1;
                }
            });
            let (last, others) = ways.get(..count)?.split_last()?;
            for (taken, next) in others {
                *tries = tries.checked_sub(1)?;
                if let Some(end) = self.end(index + taken, *next, tries) {
                    return Some(end);
                }
            }
            (index, here) = (index + last.0, last.1);
        }
        Some(here)
    }

    /// Each way in which what stands at a place spells the next bytes: how many, and where the text goes on. The bare one
    /// comes last.
    fn ways(&self, index: usize, here: usize, mut each: impl FnMut(usize, usize)) {
        let text = self.text;
        let rest = self.secret.get(index..).unwrap_or_default();
        let (Some(&wanted), Some(byte)) = (rest.first(), at(text, here)) else { return };
        match byte {
            b'\\' => return self.backslashes(wanted, here, each),
            b'%' => percent(text, here, |byte, next| {
                if byte == wanted {
                    each(1, next);
                }
            }),
            b'&' => entities(text, here, |c, next| {
                let mut buffer = [0; 4];
                let bytes = c.encode_utf8(&mut buffer).as_bytes();
                if rest.starts_with(bytes) {
                    each(bytes.len(), next);
                }
            }),
            b'+' if wanted == b' ' => each(1, here + 1),
            // The end of a string.
            b'"' if self.is_json && before(text, here) != Some(b'\\') => return,
            _ => {}
        }
        if byte == wanted {
            each(1, here + 1);
        }
    }

    fn backslashes(&self, wanted: u8, here: usize, mut each: impl FnMut(usize, usize)) {
        let text = self.text;
        let marks = run_of(text, here, |byte| byte == b'\\');
        let behind = here + marks;
        if let Some((byte, next)) = hex_escape(text, behind)
            && byte == wanted
        {
            each(1, next);
        }
        let next = at(text, behind);
        if wanted != b'\\' {
            if next == Some(wanted) && !wanted.is_ascii_alphanumeric() {
                each(1, behind + 1);
            }
            return;
        }
        // Those before a quote are its own, and in JSON one that is left over begins an escape.
        let others = match next {
            Some(b'"') => own_marks(marks),
            _ if self.is_json => marks % 2,
            _ => 0,
        };
        if marks > others {
            each(1, behind - others);
        }
    }
}

/// `%41`, `%2541`, `%252541`: the byte, and where the text goes on.
fn percent(text: &[u8], here: usize, mut each: impl FnMut(u8, usize)) {
    let mut digits = here + 1;
    for _ in 0..DEPTH {
        let Some(byte) = hex(text, digits) else { return };
        each(byte, digits + 2);
        if byte != b'%' {
            return;
        }
        digits += 2;
    }
}

/// `&quot;`, `&#39;`, `&#x27;`, `&amp;quot;`: the character, and where the text goes on.
fn entities(text: &[u8], here: usize, mut each: impl FnMut(char, usize)) {
    let mut from = here + 1;
    for _ in 0..DEPTH {
        let len = run_of(text, from, |byte| byte.is_ascii_alphanumeric() || byte == b'#');
        if len > 8 || at(text, from + len) != Some(b';') {
            return;
        }
        let name = text.get(from..from + len).and_then(|name| std::str::from_utf8(name).ok()).unwrap_or_default();
        from += len + 1;
        let c = match (name, name.strip_prefix("#x").or(name.strip_prefix("#X")), name.strip_prefix('#')) {
            ("amp", ..) => Some('&'),
            ("lt", ..) => Some('<'),
            ("gt", ..) => Some('>'),
            ("quot", ..) => Some('"'),
            ("apos", ..) => Some('\''),
            (_, Some(digits), _) => u32::from_str_radix(digits, 16).ok().and_then(char::from_u32),
            (_, _, Some(digits)) => digits.parse().ok().and_then(char::from_u32),
            _ => None,
        };
        let Some(c) = c else { return };
        each(c, from);
        if c != '&' {
            return;
        }
    }
}

/// `x41`, behind its backslash.
fn hex_escape(text: &[u8], here: usize) -> Option<(u8, usize)> {
    (at(text, here) == Some(b'x')).then(|| hex(text, here + 1).map(|byte| (byte, here + 3)))?
}

fn hex(text: &[u8], at: usize) -> Option<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    match text.get(at..at + 2)? {
        [a, b] => u8::try_from(digit(*a)? * 16 + digit(*b)?).ok(),
        _ => None,
    }
}

/// What a text spells, if it can be read in another way than as it is: of `p%40ss` that is `p@ss`.
pub(super) fn undone(text: &[u8]) -> Vec<Vec<u8>> {
    let mut out: Vec<Vec<u8>> = Vec::new();
    let mut last = text.to_vec();
    for _ in 0..2 {
        let next = replaced(&last, |text, here| {
            let mut found = None;
            match at(text, here) {
                Some(b'%') => found = hex(text, here + 1).map(|byte| (vec![byte], here + 3)),
                Some(b'&') => entities(text, here, |c, next| {
                    found.get_or_insert((c.to_string().into_bytes(), next));
                }),
                // A shell's.
                Some(b'\\') => {
                    let next = at(text, here + 1).filter(|byte| byte.is_ascii_punctuation());
                    found = next.map(|byte| (vec![byte], here + 2));
                }
                _ => {}
            }
            found
        });
        if next == last {
            break;
        }
        last.clone_from(&next);
        out.push(next);
    }
    if text.contains(&b'+') && !text.contains(&b' ') {
        let spaced =
            |text: &[u8]| text.iter().map(|byte| if *byte == b'+' { b' ' } else { *byte }).collect::<Vec<u8>>();
        let more: Vec<Vec<u8>> = std::iter::once(spaced(text)).chain(undone(&spaced(text))).collect();
        out.extend(more);
    }
    out.retain(|text| !text.iter().any(u8::is_ascii_control));
    out
}

fn replaced(text: &[u8], find: impl Fn(&[u8], usize) -> Option<(Vec<u8>, usize)>) -> Vec<u8> {
    let (mut out, mut here) = (Vec::with_capacity(text.len()), 0);
    while let Some(byte) = at(text, here) {
        match find(text, here) {
            Some((bytes, next)) => {
                out.extend(bytes);
                here = next;
            }
            None => {
                out.push(byte);
                here += 1;
            }
        }
    }
    out
}
