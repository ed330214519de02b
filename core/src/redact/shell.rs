//! Secrets that a command takes without an option: `setenv DB_PASSWORD …`, `set -gx DB_PASSWORD …`, `ENV PASSWORD …`,
//! `htpasswd -b file bob …`, `openssl … -passin pass:…`, `echo … | docker login --password-stdin`.

use super::assign::{Hit, JUDGED, bare_end, ends_string, quoted_end};
use super::blank::is_placeholder;
use super::command::{login, password};
use super::kind::Kind;
use super::name::named;
use super::text::{at, before, is_word, quote, run_of};
use super::value::{Style, is_secret};
use memchr::memmem;
use std::ops::Range;

/// How far behind a text the command may stand that it is piped into.
const PIPE: usize = 200;

/// The secret that the command at a word takes.
pub(super) fn secret(text: &[u8], start: usize, end: usize, around: Option<usize>) -> Option<Hit> {
    match text.get(start..end)? {
        b"pass" => openssl(text, start, end),
        b"set" | b"config" => variable(text, end, Style::Literal, around),
        b"setenv" | b"setx" | b"ENV" => variable(text, end, Style::Set, around),
        b"define" if before(text, start) == Some(b'#') => variable(text, end, Style::Set, around),
        b"user" if text.get(..start)?.ends_with(b"net ") => {
            let user = word(text, end, around)?;
            let value = word(text, user.end, around)?;
            given(text, value).filter(|hit| at(text, hit.range.start) != Some(b'/'))
        }
        b"SecureString" if text.get(..start)?.ends_with(b"ConvertTo-") => {
            let (value, _) = operand(text, end, around)?;
            given(text, value).filter(|hit| !text.get(hit.range.clone()).is_some_and(|value| value.contains(&b' ')))
        }
        b"htpasswd" => htpasswd(text, end, around),
        b"add_user" | b"change_password" if text.get(..start)?.ends_with(b"rabbitmqctl ") => {
            let user = word(text, end, around)?;
            given(text, word(text, user.end, around)?)
        }
        b"echo" | b"printf" => piped(text, end, around),
        b"stdin" if text.get(..start)?.ends_with(b"--password-") => {
            let marks = end + run_of(text, end, |byte| byte == b' ');
            text.get(marks..)?.starts_with(b"<<<").then_some(())?;
            given(text, word(text, marks + 3, around)?)
        }
        _ => None,
    }
}

/// A word of a command line.
struct Word {
    inside: Range<usize>,
    is_quoted: bool,
    /// Behind its closing quote.
    end: usize,
}

/// The word that follows behind blanks.
fn word(text: &[u8], from: usize, around: Option<usize>) -> Option<Word> {
    let start = from + run_of(text, from, |byte| byte == b' ');
    match quote(text, start) {
        Some((opening, _)) if ends_string(opening, around) => None,
        Some((opening, inside)) => {
            let end = quoted_end(text, inside, opening, around, JUDGED);
            Some(Word { inside: inside..end, is_quoted: true, end: end + opening.marks + 1 })
        }
        None => {
            let end = bare_end(text, start, Style::Set, JUDGED);
            (start < end && start > from).then_some(Word { inside: start..end, is_quoted: false, end })
        }
    }
}

/// The word behind flags of one or two dashes; how many there were.
fn operand(text: &[u8], from: usize, around: Option<usize>) -> Option<(Word, usize)> {
    let mut here = from;
    for flags in 0..4 {
        let next = word(text, here, around)?;
        if !text.get(next.inside.clone())?.starts_with(b"-") {
            return Some((next, flags));
        }
        here = next.end;
    }
    None
}

/// The value that stands behind the name of a variable: `set -gx NAME VALUE`.
fn variable(text: &[u8], end: usize, style: Style, around: Option<usize>) -> Option<Hit> {
    let from = end + run_of(text, end, |byte| byte == b' ');
    let (name, flags) = operand(text, end, around)?;
    if name.is_quoted || (flags == 0 && name.inside.start != from) {
        return None;
    }
    // `//registry.example/:_authToken`
    let path = text.get(name.inside.clone())?;
    let last = path.iter().rposition(|byte| matches!(byte, b'/' | b':')).map_or(0, |at| at + 1);
    let last = path.get(last..)?;
    let named = named(last).filter(|named| !named.header && last.iter().all(|byte| is_word(*byte) || *byte == b'.'))?;
    let mut value = word(text, name.end, around)?;
    if matches!(text.get(value.inside.clone())?, b"--body" | b"-b" | b"--value") {
        value = word(text, value.end, around)?;
    }
    let style = match (style, flags, value.is_quoted) {
        (Style::Literal, 0, false) => Style::Literal,
        (_, _, true) => Style::Given,
        _ => Style::Set,
    };
    let fits = is_secret(last, named, text.get(value.inside.clone())?, style);
    fits.then_some(Hit { range: value.inside, kind: named.kind, quotes: None })
}

/// `-passin pass:…`; the word `pass` has just ended.
fn openssl(text: &[u8], start: usize, end: usize) -> Option<Hit> {
    const OPTIONS: [&[u8]; 3] = [b"-passin", b"-passout", b"-pass"];
    let head = text.get(..start)?.trim_ascii_end();
    let head = head.strip_suffix(b"\"").or_else(|| head.strip_suffix(b"'")).unwrap_or(head).trim_ascii_end();
    if before(text, start) == Some(b'/') && at(text, end) == Some(b':') {
        // `cmdkey /pass:…`
        let range = end + 1..bare_end(text, end + 1, Style::Set, JUDGED);
        return password(text, range, true, false).filter(|_| before(text, start - 1) == Some(b' '));
    }
    let fits = at(text, end) == Some(b':') && OPTIONS.iter().any(|option| head.ends_with(option));
    let range = end + 1..bare_end(text, end + 1, Style::Set, JUDGED);
    fits.then(|| password(text, range, true, false))?
}

/// `htpasswd -b FILE USER PASSWORD`, or with `-n` without a file.
fn htpasswd(text: &[u8], end: usize, around: Option<usize>) -> Option<Hit> {
    let (first, flags) = operand(text, end, around)?;
    let options = text.get(end..first.inside.start)?;
    if flags == 0 || !options.contains(&b'b') {
        return None;
    }
    let user = if options.contains(&b'n') { first } else { word(text, first.end, around)? };
    given(text, word(text, user.end, around)?)
}

/// A word that can be nothing but a password.
fn given(text: &[u8], word: Word) -> Option<Hit> {
    password(text, word.inside, false, word.is_quoted)
}

/// `echo PASSWORD | docker login --password-stdin` and its like.
fn piped(text: &[u8], end: usize, around: Option<usize>) -> Option<Hit> {
    let (said, _) = operand(text, end, around)?;
    let pipe = said.end + run_of(text, said.end, |byte| byte == b' ');
    if at(text, pipe) != Some(b'|') || said.end == pipe {
        return None;
    }
    let rest = text.get(pipe + 1..text.len().min(pipe + PIPE))?;
    let line = rest.iter().position(|byte| matches!(byte, b'\\' | b'"' | b'|' | b';' | b'&')).unwrap_or(rest.len());
    let command = rest.get(..line)?;
    let holds = |wanted: &[u8]| memmem::find(command, wanted).is_some();
    if holds(b" chpasswd") {
        return login(text, said.inside, b':');
    }
    let takes: [&[u8]; 6] =
        [b"password-stdin", b"sudo -S", b"--with-token", b" passwd", b"cryptsetup", b"--passphrase-fd 0"];
    let value = text.get(said.inside.clone())?;
    let fits = takes.iter().any(|wanted| holds(wanted)) && value.len() >= 4 && !is_placeholder(value);
    fits.then_some(Hit { range: said.inside, kind: Kind::Password, quotes: None })
}
