//! One pass over a line: word by word, and at the few signs that a secret can stand beside.
//!
//! Each step looks no further back than a name is long and goes on behind what it found, so that the time is linear in the
//! length of the line.

use super::assign::{self, Hit};
use super::command::Commands;
use super::kind::Kind;
use super::name::Named;
use super::open::Open;
use super::pair::Pair;
use super::strings::Strings;
use super::text::{at, before, is_quote, is_word, run_back, run_of};
use super::{call, credential, home, pem, prefix, prose, shell, sql};
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
                b'\\' | b':' | b'=' | b'>' | b'@' | b'-' | b'"' | b'(' | b'|' | WIDE => Class::Sign,
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

/// The first byte of the wide colon, `：`.
const WIDE: u8 = 0xEF;

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
    /// What goes on on the next line.
    pub(super) open: Option<Open>,
    /// A name whose value may stand on the next line.
    pub(super) pair: Option<Pair>,
    /// The line is, or holds, JSON.
    pub(super) is_json: bool,
}

/// Looks through a line. `pair` is the name that the line before it left.
pub(super) fn scan(text: &[u8], pair: Option<Pair>) -> Found {
    let mut scanner = Scanner {
        text,
        found: Found { pair, ..Found::default() },
        floor: 0,
        commands: Commands::default(),
        strings: Strings::of(text),
        nest: None,
    };
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
    let pair = scanner.found.pair.take().and_then(|pair| pair.on_next_line(text));
    Found { is_json: scanner.strings.is_json(), pair, ..scanner.found }
}

/// Whether a word of that length and first letter can lead to a secret: most words are done with here.
fn may_lead(len: usize, first: Option<u8>) -> bool {
    match first {
        Some(b'i' | b'b' | b'B' | b't') => len == 2,
        Some(b'w' | b'E') => len == 3,
        Some(b's') => matches!(len, 3..=6),
        Some(b'p') => matches!(len, 4 | 6 | 8),
        Some(b'e' | b'u') => len == 4,
        Some(b'c') => matches!(len, 6 | 15),
        Some(b'd') => len == 6,
        Some(b'P' | b'h' | b'a') => len == 8,
        Some(b'S') => len == 12,
        _ => false,
    }
}

/// Whether a name is that of an option, behind one dash or two.
fn begins_option(text: &[u8], start: usize) -> bool {
    let dashes = run_back(text, start, 3, |byte| byte == b'-');
    dashes >= 2 || dashes == 1 && before(text, start - 1).is_none_or(|byte| byte == b' ' || is_quote(byte))
}

/// A line, and how far it was looked through.
pub(super) struct Scanner<'a> {
    pub(super) text: &'a [u8],
    pub(super) found: Found,
    /// Where the text begins in which nothing was found yet.
    pub(super) floor: usize,
    commands: Commands,
    pub(super) strings: Strings,
    /// An object below a telling name: what the name says, and where the object ends.
    pub(super) nest: Option<(Named, usize)>,
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

    pub(super) fn hit_of(&mut self, range: Range<usize>, kind: Kind) -> usize {
        self.hit(Hit { range, kind, quotes: None })
    }

    /// A value by its name; where the value itself says whose key it is, that is its kind.
    pub(super) fn hit_by_name(&mut self, mut hit: Hit) -> usize {
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
        if prefix::may_begin(text, start, end) {
            match prefix::key(text, start) {
                Some((end, Some(kind))) => return self.hit_of(start..end, kind),
                Some((far, None)) => return far.max(end),
                None => {}
            }
            if let Some(end) = credential::jwt(text, start) {
                return self.hit_of(start..end, Kind::Jwt);
            }
        }
        if before(text, start) == Some(b'-') {
            let hits = self.commands.option(text, start, self.strings.around());
            if !hits.is_empty() {
                return hits.into_iter().fold(end, |_, hit| self.hit(hit));
            }
        }
        self.commands.word(text, start, end);
        if matches!(at(text, end), Some(b' ' | b':'))
            && may_lead(end - start, at(text, start))
            && let Some(hit) = self.worded(start, end)
        {
            return self.hit_by_name(hit);
        }
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

    /// What certain words lead to: commands, statements, sentences.
    fn worded(&self, start: usize, end: usize) -> Option<Hit> {
        let (text, around) = (self.text, self.strings.around());
        let word = text.get(start..end)?;
        match word {
            b"is" | b"was" | b"to" => prose::told(text, start, end, around),
            b"by" | b"BY" | b"password" | b"PASSWORD" | b"Password" => sql::password(text, start, end, around),
            _ => shell::secret(text, start, end, around),
        }
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
    #[inline]
    fn behind(&mut self, start: usize, end: usize) -> usize {
        let text = self.text;
        match at(text, end) {
            Some(b'+' | b'/') if end - start >= 16 => {
                let blob = run_of(text, end, |byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'='));
                if end - start + blob >= BLOB { end + blob } else { end }
            }
            Some(b' ' | b'-' | b'"' | b'\'' | b'\\')
                if before(text, start) == Some(b'-') && begins_option(text, start) =>
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
            None => self.behind(start, end),
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
            b'>' => self.tag(here),
            b'@' => self.at_sign(here),
            b'|' => match prose::row(text, here) {
                Some(hit) => self.hit_by_name(hit),
                None => here + 1,
            },
            b'(' => match call::call(text, here, self.strings.around()) {
                Some(hit) => self.hit_by_name(hit),
                None => here + 1,
            },
            WIDE => match text.get(here + 1..here + 3) {
                Some([0xBC, assign::WIDE_COLON]) => self.foreign(here, here + 2),
                _ => here + 1,
            },
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
            self.found.open = block.open.map(Open::Pem);
            self.floor = self.floor.max(block.end);
            return block.end;
        }
        here + len
    }
}
