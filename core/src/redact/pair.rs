//! A name and its value in two fields side by side: `name: DB_PASSWORD` and `value: …`, `{"key": "password", "value": "…"}`,
//! `<add key="ApiKey" value="…"/>`, `<entry key="password">…</entry>`.

use super::assign::{self, Given, Hit, bare_end, quoted_end};
use super::name::{LONGEST, Named, named};
use super::text::{at, is_quote, is_word, quote, run_of};
use super::value::Style;
use memchr::memmem;
use std::ops::Range;

/// How far apart the two may stand.
const REACH: usize = 240;
/// On how many lines below.
const MOST_LINES: u8 = 2;

/// What a field is of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Name,
    Value,
}

/// The role that a field has by its own name.
pub(super) fn role(word: &[u8]) -> Option<Role> {
    let is = |wanted: &[u8]| word.eq_ignore_ascii_case(wanted);
    match word.len() {
        3 if is(b"key") => Some(Role::Name),
        4 if is(b"name") || is(b"type") => Some(Role::Name),
        4 if is(b"text") => Some(Role::Value),
        5 if is(b"value") || is(b"input") => Some(Role::Value),
        5 if is(b"field") || is(b"label") => Some(Role::Name),
        7 if is(b"element") => Some(Role::Name),
        8 if is(b"variable") || is(b"selector") => Some(Role::Name),
        9 if is(b"plaintext") => Some(Role::Value),
        12 if is(b"parameterkey") => Some(Role::Name),
        14 if is(b"parametervalue") => Some(Role::Value),
        _ => None,
    }
}

/// A name that was read, whose value is yet to come.
#[derive(Debug)]
pub(super) struct Pair {
    name: Vec<u8>,
    pub(super) named: Named,
    /// A name of the environment, whose value may be any word.
    is_given: bool,
    /// It was read from the type of a field.
    pub(super) is_type: bool,
    /// Where the name ended on this line.
    from: usize,
    lines: u8,
}

/// A name as the value of a field.
#[derive(Debug)]
pub(super) struct Name {
    pub(super) range: Range<usize>,
    pub(super) named: Named,
    /// Behind its closing quote.
    pub(super) end: usize,
}

/// The telling name that the field whose sign is at `sign` holds.
pub(super) fn name(text: &[u8], sign: usize, role: &[u8], around: Option<usize>) -> Option<Name> {
    let from = sign + 1 + run_of(text, sign + 1, |byte| byte == b' ');
    let is_type = role.eq_ignore_ascii_case(b"type");
    // Most types are others.
    if is_type && !quote(text, from).is_some_and(|(_, inside)| matches!(at(text, inside), Some(b'p' | b'P'))) {
        return None;
    }
    let (range, end) = match quote(text, from) {
        Some((opening, inside)) => {
            let end = quoted_end(text, inside, opening, around, LONGEST);
            (inside..end, end + opening.marks + 1)
        }
        None => {
            let len = run_of(text, from, |byte| is_word(byte) || byte == b'.');
            (from..from + len, from + len)
        }
    };
    let word = text.get(range.clone())?;
    if is_type && !word.eq_ignore_ascii_case(b"password") {
        return None;
    }
    // A field is described by its first words: `Password input`.
    let word = if matches!(role.len(), 3 | 12) { word } else { word.split(|byte| *byte == b' ').next()? };
    let named = named(word).filter(|_| !word.contains(&b' '))?;
    Some(Name { range, named, end })
}

impl Pair {
    pub(super) fn new(text: &[u8], role: &[u8], name: &Name) -> Pair {
        let name_text = text.get(name.range.clone()).unwrap_or_default();
        let is_shouted = !name_text.iter().any(u8::is_ascii_lowercase);
        // Keys of translations may be written so too, but hardly with two words.
        let is_given = is_shouted && (role.len() == 4 || name_text.contains(&b'_'));
        let is_type = role.eq_ignore_ascii_case(b"type");
        Pair { is_type, name: name_text.to_vec(), named: name.named, is_given, from: name.end, lines: 0 }
    }

    /// The value of the field whose name is at `field`, and its sign at `sign`.
    pub(super) fn value(&self, text: &[u8], field: &Range<usize>, sign: usize, around: Option<usize>) -> Option<Hit> {
        let between = text.get(self.from..field.start)?;
        let near = if self.lines == 0 { between.len() <= REACH } else { true };
        (near && !parts(between)).then(|| self.given(text, field.start, sign, around))?
    }

    fn given(&self, text: &[u8], start: usize, sign: usize, around: Option<usize>) -> Option<Hit> {
        let style = match (assign::is_quoted(text, sign), at(text, sign)) {
            (false, _) if self.named.header => return None,
            (true, _) if self.is_given => Some(Style::Given),
            (false, Some(b':')) if self.is_given => None,
            (true, Some(b'=')) => Some(Style::Quoted),
            _ => Some(Style::Literal),
        };
        let closing = assign::name_before(text, sign).and_then(|(_, closing)| closing);
        assign::assigned(text, sign, &Given { word: &self.name, start, closing, named: self.named, style }, around)
    }

    /// What is left of it for the next line.
    pub(super) fn on_next_line(self, text: &[u8]) -> Option<Pair> {
        let rest = text.get(self.from..)?;
        let goes_on = self.lines < MOST_LINES && rest.len() <= REACH && !parts(rest);
        goes_on.then_some(Pair { from: 0, lines: self.lines + 1, ..self })
    }
}

/// Whether an object, a tag or an item of a list begins or ends in a text.
fn parts(between: &[u8]) -> bool {
    between.iter().any(|byte| matches!(byte, b'{' | b'}' | b'<' | b'>')) || memmem::find(between, b"- ").is_some()
}

/// The value of a field whose name comes behind it: `{"value": "…", "name": "DB_PASSWORD"}`.
pub(super) fn value_first(text: &[u8], field: &Range<usize>, sign: usize, around: Option<usize>) -> Option<Hit> {
    let from = sign + 1 + run_of(text, sign + 1, |byte| byte == b' ');
    let end = match quote(text, from) {
        Some((opening, inside)) => quoted_end(text, inside, opening, around, REACH) + opening.marks + 1,
        None => bare_end(text, from, Style::Literal, REACH),
    };
    let mut here = end;
    let field_start = loop {
        match at(text, here)? {
            _ if here - end > 48 => return None,
            b' ' | b',' | b';' => here += 1,
            b'\\' => {
                here += run_of(text, here, |byte| byte == b'\\');
                here += usize::from(matches!(at(text, here), Some(b'n' | b'r' | b't')));
            }
            byte if is_quote(byte) => here += 1,
            _ => break here,
        }
    };
    let word = run_of(text, field_start, is_word);
    let name_field = text.get(field_start..field_start + word)?;
    if role(name_field) != Some(Role::Name) {
        return None;
    }
    let behind = field_start + word;
    let behind = behind + run_of(text, behind, |byte| matches!(byte, b'\\' | b'"' | b'\'' | b' '));
    matches!(at(text, behind), Some(b':' | b'=')).then_some(())?;
    // The name may stand in another string than the value: in the same object it does not.
    let found = name(text, behind, name_field, around)?;
    Pair::new(text, name_field, &found).given(text, field.start, sign, around)
}

/// The value between tags, the first of which names it: `<entry key="password">…</entry>`; `name` is what was read of it.
pub(super) fn content(text: &[u8], name: &Name, around: Option<usize>) -> Option<Hit> {
    (at(text, name.end) == Some(b'>')).then_some(())?;
    let word = text.get(name.range.clone())?;
    let given = Given { word, start: name.range.start, closing: None, named: name.named, style: Some(Style::Literal) };
    assign::assigned(text, name.end, &given, around)
}

/// The value of a property list: `<key>password</key><string>…</string>`; the sign is the `>` of the first tag.
pub(super) fn property(text: &[u8], sign: usize, around: Option<usize>) -> Option<Hit> {
    let len = run_of(text, sign + 1, |byte| is_word(byte) || byte == b'.').min(LONGEST + 1);
    let word = text.get(sign + 1..sign + 1 + len)?;
    let behind = sign + 1 + len;
    let rest = text.get(behind..)?.strip_prefix(b"</key>")?;
    let named = named(word)?;
    let skipped = rest.iter().take(32).take_while(|byte| matches!(byte, b' ' | b'\\' | b'n' | b't' | b'r')).count();
    rest.get(skipped..)?.starts_with(b"<string>").then_some(())?;
    let given = Given { word, start: sign + 1, closing: None, named, style: Some(Style::Literal) };
    assign::assigned(text, behind + 6 + skipped + 7, &given, around)
}
