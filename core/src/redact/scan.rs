//! One pass over a line: word by word, and at the few signs that a secret can stand beside.
//!
//! Each step looks no further back than a name is long and goes on behind what it found, so that the time is linear in the
//! length of the line.

use super::assign::{self, Hit};
use super::command::Commands;
use super::kind::Kind;
use super::strings::Strings;
use super::text::{at, before, is_word, run_back, run_of};
use super::{credential, home, pem, prefix};
use std::ops::Range;

/// What a byte can begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Other,
    Word,
    Sign,
}

const CLASSES: [Class; 256] = classes();

const fn classes() -> [Class; 256] {
    let mut classes = [Class::Other; 256];
    let mut byte = 0;
    while byte < 256 {
        #[expect(clippy::indexing_slicing, reason = "256 places, and no byte is larger")]
        {
            classes[byte] = match byte as u8 {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' => Class::Word,
                b'\\' | b':' | b'=' | b'>' | b'@' | b'-' | b'"' => Class::Sign,
                _ => Class::Other,
            };
        }
        byte += 1;
    }
    classes
}

fn class(byte: u8) -> Class {
    CLASSES.get(usize::from(byte)).copied().unwrap_or(Class::Other)
}

/// How long a stretch of base64 is that is no key but a picture or a file.
const BLOB: usize = 200;

/// What was found in one line.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// In order, apart from each other.
    pub(super) hits: Vec<Hit>,
    /// Names of users, of hosts: seen here, to be looked for everywhere.
    pub(super) users: Vec<Range<usize>>,
    pub(super) hosts: Vec<Range<usize>>,
    /// A PEM block that goes on on the next line.
    pub(super) open: Option<pem::Open>,
    /// The line is, or holds, JSON.
    pub(super) is_json: bool,
}

/// Looks through a line.
pub(super) fn scan(text: &[u8]) -> Found {
    let mut scanner =
        Scanner { text, found: Found::default(), floor: 0, commands: Commands::default(), strings: Strings::of(text) };
    let mut here = 0;
    while let Some(byte) = at(text, here) {
        let floor = scanner.floor;
        let next = match class(byte) {
            Class::Other => here + 1,
            Class::Word => scanner.word(here),
            Class::Sign => scanner.sign(here, byte),
        };
        if scanner.floor != floor {
            // What was found may have quotes in it, and one before it.
            scanner.strings.pass(text, here, next);
        }
        here = next;
    }
    Found { is_json: scanner.strings.is_json(), ..scanner.found }
}

struct Scanner<'a> {
    text: &'a [u8],
    found: Found,
    /// Where the text begins in which nothing was found yet.
    floor: usize,
    commands: Commands,
    strings: Strings,
}

impl Scanner<'_> {
    /// Notes a secret; where the search goes on.
    fn hit(&mut self, hit: Hit) -> usize {
        let end = hit.range.end;
        if hit.range.start >= self.floor && !hit.range.is_empty() {
            self.found.hits.push(hit);
            self.floor = end;
        }
        end
    }

    fn hit_of(&mut self, range: Range<usize>, kind: Kind) -> usize {
        self.hit(Hit { range, kind, quotes: None })
    }

    /// A value by its name; where the value itself says whose key it is, that is its kind.
    fn hit_by_name(&mut self, mut hit: Hit) -> usize {
        if let Some((end, kind)) = self.key(hit.range.start)
            && end == hit.range.end
        {
            hit.kind = kind;
        }
        self.hit(hit)
    }

    fn key(&self, start: usize) -> Option<(usize, Kind)> {
        match prefix::key(self.text, start) {
            Some((end, kind)) => kind.map(|kind| (end, kind)),
            None => credential::jwt(self.text, start).map(|end| (end, Kind::Jwt)),
        }
    }

    /// Takes the word that begins here.
    fn word(&mut self, start: usize) -> usize {
        let text = self.text;
        let end = start + run_of(text, start, |byte| class(byte) == Class::Word);
        match prefix::key(text, start) {
            Some((end, Some(kind))) => return self.hit_of(start..end, kind),
            Some((far, None)) => return far.max(end),
            None => {}
        }
        if let Some(end) = credential::jwt(text, start) {
            return self.hit_of(start..end, Kind::Jwt);
        }
        if before(text, start) == Some(b'-') {
            let hits = self.commands.option(text, start, self.strings.around());
            if !hits.is_empty() {
                return hits.into_iter().fold(end, |_, hit| self.hit(hit));
            }
        }
        self.commands.word(text, start, end);
        match end - start {
            4 => return self.home(start, end),
            5 | 6 => return self.short_word(start, end),
            8 if text.get(start..end) == Some(b"password") => {
                if let Some(hit) = assign::netrc(text, start, end) {
                    return self.hit(hit);
                }
            }
            14 => {
                if let Some(end) = prefix::terraform(text, start, end) {
                    return self.hit_of(start..end, Kind::Vendor);
                }
            }
            _ => {}
        }
        self.behind(start, end)
    }

    /// Words of five and six letters.
    fn short_word(&mut self, start: usize, end: usize) -> usize {
        let text = self.text;
        let word = text.get(start..end).unwrap_or_default();
        if word == b"Users" {
            return self.home(start, end);
        }
        if word == b"base64" && at(text, end) == Some(b',') {
            // A data URI: a picture, a font.
            return end + 1 + run_of(text, end + 1, |byte| is_word(byte) || matches!(byte, b'+' | b'/' | b'='));
        }
        if let Some(end) = prefix::azure(text, start, end) {
            return self.hit_of(start..end, Kind::Vendor);
        }
        if (word.eq_ignore_ascii_case(b"bearer") || word.eq_ignore_ascii_case(b"basic"))
            && let Some(hit) = credential::scheme(text, start, end)
        {
            return self.hit_by_name(hit);
        }
        self.behind(start, end)
    }

    /// What a word can be for what stands around it: an option, or the start of a blob.
    fn behind(&mut self, start: usize, end: usize) -> usize {
        let text = self.text;
        match at(text, end) {
            Some(b'+' | b'/') if end - start >= 16 => {
                let blob = run_of(text, end, |byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'='));
                if end - start + blob >= BLOB { end + blob } else { end }
            }
            Some(b' ' | b'-')
                if before(text, start) == Some(b'-') && text.get(..start).is_some_and(|head| head.ends_with(b"--")) =>
            {
                let name = start + run_of(text, start, is_word);
                match assign::option(text, start, name, self.strings.around()) {
                    Some(hit) => self.hit_by_name(hit),
                    None => end,
                }
            }
            _ => end,
        }
    }

    fn home(&mut self, start: usize, end: usize) -> usize {
        match home::home(self.text, start, end) {
            Some(home) => {
                self.found.users.push(home.user);
                self.hit_of(home.all, Kind::Home)
            }
            None => end,
        }
    }

    /// Takes a sign.
    fn sign(&mut self, here: usize, byte: u8) -> usize {
        let text = self.text;
        match byte {
            b'\\' => self.backslashes(here),
            b':' => {
                if matches!(at(text, here + 1), Some(b'5' | b'6' | b'*'))
                    && let Some(hit) = assign::pgpass(text, here)
                {
                    return self.hit(hit);
                }
                if let Some(range) = credential::url(text, here) {
                    self.hit_url(range);
                    return here + 1;
                }
                self.assigned(here)
            }
            b'=' => self.assigned(here),
            b'>' => {
                let name = run_back(text, here, 80, |byte| is_word(byte) || byte == b'.');
                if before(text, here - name) == Some(b'<') { self.assigned(here) } else { here + 1 }
            }
            b'@' => self.at_sign(here),
            b'"' => {
                self.strings.quote(text, here);
                here + 1
            }
            _ => self.dashes(here),
        }
    }

    /// A login may hold keys of known form, whose kind says more. What stands before it in the URL is no secret.
    fn hit_url(&mut self, range: Range<usize>) {
        self.hit_by_name(Hit { range, kind: Kind::UrlPassword, quotes: None });
    }

    fn backslashes(&mut self, here: usize) -> usize {
        let text = self.text;
        let marks = run_of(text, here, |byte| byte == b'\\');
        if marks >= 2
            && let Some(host) = home::share(text, here, marks)
        {
            self.found.hosts.push(host);
        }
        if at(text, here + marks) == Some(b'n') {
            self.strings.end_line(marks);
        }
        // The letter of an escape begins no word.
        let escaped = matches!(at(text, here + marks), Some(b'n' | b'r' | b't' | b'b' | b'f'));
        here + marks + usize::from(escaped)
    }

    fn assigned(&mut self, sign: usize) -> usize {
        if sign < self.floor {
            return sign + 1;
        }
        if let Some(hit) = assign::assigned(self.text, sign, self.strings.around()) {
            return self.hit_by_name(hit);
        }
        if matches!(before(self.text, sign), Some(b'e' | b'E' | b'"' | b'\'' | b' ' | b']')) {
            let mut found = Vec::new();
            credential::cookies(self.text, sign, |range| found.push(range));
            for range in found {
                self.hit_of(range, Kind::Cookie);
            }
        }
        sign + 1
    }

    fn at_sign(&mut self, sign: usize) -> usize {
        if sign < self.floor {
            return sign + 1;
        }
        if let Some((user, host)) = home::login(self.text, sign) {
            self.found.users.push(user);
            self.found.hosts.push(host);
        }
        match credential::email(self.text, sign, self.floor) {
            Some(range) => self.hit_of(range, Kind::Email),
            None => sign + 1,
        }
    }

    fn dashes(&mut self, here: usize) -> usize {
        let text = self.text;
        let len = run_of(text, here, |byte| byte == b'-');
        if len == 5
            && let Some(block) = pem::block(text, here)
        {
            for part in block.parts {
                self.hit_of(part, block.kind);
            }
            self.found.open = block.open;
            self.floor = self.floor.max(block.end);
            return block.end;
        }
        here + len
    }
}
