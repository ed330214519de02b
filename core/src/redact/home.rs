//! Home directories, and the names of users and hosts that paths and prompts show.

use super::text::{at, before, is_word, run_back, run_of};
use std::ops::Range;

/// A home directory: all of it, and the user's name in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Home {
    pub(super) all: Range<usize>,
    pub(super) user: Range<usize>,
}

/// The home directory whose word `home` or `Users` stands at `start..end`.
pub(super) fn home(text: &[u8], start: usize, end: usize) -> Option<Home> {
    match text.get(start..end)? {
        b"home" => unix(text, start, end),
        b"Users" => unix(text, start, end).or_else(|| windows(text, start, end)),
        b"Documents and Settings" => windows(text, start, end),
        _ => None,
    }
}

/// `/home/NAME`, `/Users/NAME`, with what mounts it before.
fn unix(text: &[u8], start: usize, end: usize) -> Option<Home> {
    if before(text, start) != Some(b'/') || at(text, end) != Some(b'/') {
        return None;
    }
    let user = end + 1..end + 1 + name_len(text, end + 1);
    let name = text.get(user.clone())?;
    if name.is_empty() || name == b"Shared" || name.iter().all(u8::is_ascii_digit) || name.starts_with(b".") {
        return None;
    }
    let mut from = start - 1;
    let head = text.get(..from)?;
    const MOUNTS: [&[u8]; 8] =
        [b"/var", b"/usr", b"/export", b"/private", b"/System/Volumes/Data", b"/mnt/c", b"/mnt/d", b"/host_mnt"];
    if let Some(mount) = MOUNTS.iter().find(|mount| head.ends_with(mount)) {
        from -= mount.len();
    } else if let Some([b'/', b':', drive]) =
        text.get(..start).map(|head| head.iter().rev().take(3).copied().collect::<Vec<u8>>()).as_deref()
        && drive.is_ascii_alphabetic()
        && text.get(start..end) == Some(b"Users")
    {
        // `C:/Users/NAME`
        from -= 2;
    } else if let Some([b'/', drive]) = head.get(head.len().saturating_sub(2)..)
        && drive.is_ascii_alphabetic()
    {
        // `/c/Users/NAME`
        from -= 2;
    }
    // `https://host/home/x` is a page; `file:///home/x` is not.
    let stands_free = before(text, from)
        .is_none_or(|byte| !is_word(byte) && !matches!(byte, b'.' | b'~' | b')' | b'}' | b'>'))
        || after_escape(text, from);
    // A request's path is none on a disk.
    let requested = METHODS.iter().any(|method| text.get(..from).is_some_and(|head| head.ends_with(method)));
    (stands_free && !requested).then_some(Home { all: from..user.end, user })
}

const METHODS: [&[u8]; 6] = [b"GET ", b"POST ", b"PUT ", b"PATCH ", b"DELETE ", b"HEAD "];

/// `C:\Users\NAME`, with any number of backslashes.
fn windows(text: &[u8], start: usize, end: usize) -> Option<Home> {
    let marks = run_back(text, start, 32, |byte| byte == b'\\');
    let drive = start - marks;
    let letter = before(text, drive).filter(|byte| *byte == b':').and_then(|_| before(text, drive - 1));
    let behind = run_of(text, end, |byte| byte == b'\\');
    if marks == 0 || marks != behind || !letter.is_some_and(|byte| byte.is_ascii_alphabetic()) {
        return None;
    }
    let from = end + behind;
    let mut len = name_len(text, from);
    // A name of two words, where a folder follows it.
    let more = run_of(text, from + len, |byte| byte == b' ');
    if more == 1 {
        let second = name_len(text, from + len + 1);
        if second > 0 && at(text, from + len + 1 + second) == Some(b'\\') {
            len += 1 + second;
        }
    }
    let user = from..from + len;
    let name = text.get(user.clone())?;
    (len > 0 && name != b"Public" && name != b"Default").then_some(Home { all: drive - 2..user.end, user })
}

/// Whether the letter before a place belongs to an escape: `\n/home/x`.
fn after_escape(text: &[u8], place: usize) -> bool {
    matches!(before(text, place), Some(b'n' | b'r' | b't')) && place >= 2 && before(text, place - 1) == Some(b'\\')
}

fn name_len(text: &[u8], from: usize) -> usize {
    run_of(text, from, |byte| is_word(byte) || matches!(byte, b'.' | b'+') || byte >= 0x80).min(64)
}

/// A user and a host as a prompt or a copy over the network names them: `NAME@HOST:`, around the `@` at a place.
pub(super) fn login(text: &[u8], sign: usize) -> Option<(Range<usize>, Range<usize>)> {
    let user = run_back(text, sign, 32, is_word);
    let host = run_of(text, sign + 1, |byte| is_word(byte) || byte == b'.');
    let name = text.get(sign - user..sign)?;
    let fits = user >= 2 && (2..=64).contains(&host) && name != b"git" && name.iter().any(u8::is_ascii_alphabetic);
    let prompt = matches!(at(text, sign + 1 + host), Some(b':'))
        && at(text, sign + 2 + host).is_some_and(|byte| matches!(byte, b'~' | b'/' | b'$'));
    (fits && prompt).then_some((sign - user..sign, sign + 1..sign + 1 + host))
}

/// The host of a shared folder, `\\HOST\share`: the run of backslashes begins at `start`, and has `marks` of them.
pub(super) fn share(text: &[u8], start: usize, marks: usize) -> Option<Range<usize>> {
    let from = start + marks;
    let len = run_of(text, from, |byte| is_word(byte) || byte == b'.');
    let behind = run_of(text, from + len, |byte| byte == b'\\');
    let free = before(text, start).is_none_or(|byte| !is_word(byte) && byte != b':');
    let name = text.get(from..from + len)?;
    (free && behind * 2 == marks && len >= 2 && name.iter().any(u8::is_ascii_alphabetic)).then_some(from..from + len)
}
