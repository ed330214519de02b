//! Secrets among the options of commands, where nothing but the command says what they are: `curl -u user:password`,
//! `mysql -ppassword`, `sshpass -p password`, `docker login -p password`.

use super::assign::{Hit, JUDGED, bare_end, ends_string, quoted_end};
use super::blank::{is_common, is_placeholder};
use super::credential::cookie_list;
use super::kind::Kind;
use super::text::{at, before, is_quote, is_word, quote, quote_back, run_of};
use super::value::Style;
use std::ops::Range;

/// How far behind a command its options may stand.
const REACH: usize = 1024;

/// How an option takes its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// A password, written onto it.
    Attached,
    /// A password behind it.
    Apart,
    /// A password, either way.
    Either,
    /// `user:password`, either way.
    Login,
    /// `user%password`, either way.
    Share,
    /// `user,password`, either way.
    Comma,
    /// `name=value; name=value`, either way.
    Cookies,
}

/// A command and its options that take something secret.
#[derive(Debug)]
struct Command {
    short: &'static [(u8, Way)],
    long: &'static [(&'static [u8], Way)],
    /// Options without a value, which may stand before such a one behind the same dash.
    flags: &'static [u8],
    /// Options that end it, as another command follows; so does the first secret of one that is `is_once`.
    stops: &'static [u8],
    is_once: bool,
}

const PLAIN: Command = Command { short: &[], long: &[], flags: b"", stops: b"", is_once: false };
const CURL: Command = Command {
    short: &[(b'u', Way::Login), (b'U', Way::Login), (b'b', Way::Cookies)],
    long: &[(b"user", Way::Login), (b"proxy-user", Way::Login), (b"cookie", Way::Cookies)],
    flags: b"sSfkvLiIgGnNOJjqalBRZp0123456#",
    ..PLAIN
};
const MYSQL: Command = Command { short: &[(b'p', Way::Attached)], ..PLAIN };
const SSHPASS: Command = Command { short: &[(b'p', Way::Either)], stops: b"efd", is_once: true, ..PLAIN };
const LOGIN: Command = Command { short: &[(b'p', Way::Apart)], is_once: true, ..PLAIN };
const MONGO: Command = Command { short: &[(b'p', Way::Apart)], ..PLAIN };
const REDIS: Command = Command { short: &[(b'a', Way::Either)], long: &[(b"pass", Way::Apart)], ..PLAIN };
const LFTP: Command = Command { short: &[(b'u', Way::Comma)], long: &[(b"user", Way::Comma)], ..PLAIN };
const HTTPIE: Command = Command { short: &[(b'a', Way::Login)], long: &[(b"auth", Way::Login)], ..PLAIN };
const KEYGEN: Command = Command { short: &[(b'N', Way::Apart), (b'P', Way::Apart)], ..PLAIN };
const SAMBA: Command = Command { short: &[(b'U', Way::Share)], long: &[(b"user", Way::Share)], ..PLAIN };
const SQLCMD: Command = Command { short: &[(b'P', Way::Either)], ..PLAIN };
const LDAP: Command = Command { short: &[(b'w', Way::Either)], ..PLAIN };
const SEVEN: Command = Command { short: &[(b'p', Way::Attached)], ..PLAIN };

/// The command of that name; `rest` is what stands behind it.
fn command(text: &[u8], start: usize, end: usize) -> Option<&'static Command> {
    let rest = text.get(end..)?;
    Some(match text.get(start..end)? {
        b"curl" => &CURL,
        b"mysql" | b"mariadb" | b"mysqldump" | b"mysqladmin" | b"mysqlimport" | b"mysqlcheck" => &MYSQL,
        b"sshpass" => &SSHPASS,
        b"login" if is_registry(text.get(..start)?) => &LOGIN,
        b"mongo" | b"mongosh" | b"mongodump" | b"mongorestore" | b"mongoimport" | b"mongoexport" => &MONGO,
        b"twine" => &MONGO,
        b"redis" if rest.starts_with(b"-cli") => &REDIS,
        b"lftp" => &LFTP,
        b"http" | b"https" | b"xh" if rest.starts_with(b" ") => &HTTPIE,
        b"ssh" if rest.starts_with(b"-keygen") => &KEYGEN,
        b"smbclient" | b"rpcclient" | b"smbget" | b"winexe" => &SAMBA,
        b"sqlcmd" | b"zip" | b"unzip" => &SQLCMD,
        b"ldapsearch" | b"ldapmodify" | b"ldapadd" | b"ldapdelete" | b"ldapwhoami" | b"ldappasswd" => &LDAP,
        b"7z" | b"7za" | b"7zz" => &SEVEN,
        _ => return None,
    })
}

/// Whether a command has a name of that length and first letter: most words are done with here.
fn may_name(len: usize, first: Option<u8>) -> bool {
    let lens: &[usize] = match first {
        Some(b'c') => &[4],
        Some(b'm') => &[5, 7, 9, 10, 11, 12],
        Some(b's') => &[3, 6, 7, 9],
        Some(b'l') => &[4, 5, 7, 10, 12],
        Some(b't' | b'u') => &[5],
        Some(b'r') => &[5, 9],
        Some(b'w') => &[6],
        Some(b'h') => &[4, 5],
        Some(b'x') => &[2],
        Some(b'z') => &[3],
        Some(b'7') => &[2, 3],
        _ => return false,
    };
    lens.contains(&len)
}

/// What takes a user and a password behind `login`.
fn is_registry(head: &[u8]) -> bool {
    let names: [&[u8]; 10] =
        [b"docker", b"podman", b"registry", b"nerdctl", b"buildah", b"skopeo", b"oras", b"crane", b" az", b" oc"];
    // In a list a comma and quotes stand between.
    let apart = |byte: &u8| matches!(byte, b' ' | b',' | b'\\') || is_quote(*byte);
    let len = head.len() - head.iter().rev().take(12).take_while(|byte| apart(byte)).count();
    len < head.len() && names.iter().any(|name| head.get(..len).is_some_and(|head| head.ends_with(name)))
}

/// The command whose options are read.
#[derive(Debug, Default)]
pub(super) struct Commands {
    /// Where its name ends.
    now: Option<(usize, &'static Command)>,
}

impl Commands {
    /// Notes the command that a word names, if it names one.
    pub(super) fn word(&mut self, text: &[u8], start: usize, end: usize) {
        if may_name(end - start, at(text, start))
            && before(text, start) != Some(b'-')
            && let Some(command) = command(text, start, end)
        {
            self.now = Some((end, command));
        }
    }

    /// The secrets of the option that begins at `start`, in order; `around` is the string of JSON that it stands in.
    pub(super) fn option(&mut self, text: &[u8], start: usize, around: Option<usize>) -> Vec<Hit> {
        let Some((from, command)) = self.now else { return Vec::new() };
        if start - from > REACH || at(text, start).is_some_and(|flag| command.stops.contains(&flag)) {
            self.now = None;
            return Vec::new();
        }
        let Some(found) = find(text, from, start, command, around) else { return Vec::new() };
        if command.is_once {
            self.now = None;
        }
        found
    }
}

/// What the option at `start` gives; none where it is no such option.
fn find(text: &[u8], from: usize, start: usize, command: &Command, around: Option<usize>) -> Option<Vec<Hit>> {
    let is_long = text.get(..start)?.ends_with(b"--");
    let dash = start - if is_long { 2 } else { 1 };
    // An argument of its own, or one of a list.
    let is_listed = quote_back(text, dash).is_some();
    if !is_listed && before(text, dash) != Some(b' ') {
        return None;
    }
    let (way, behind) = if is_long {
        let len = run_of(text, start, is_word);
        let name = text.get(start..start + len)?;
        (command.long.iter().find(|(long, _)| *long == name)?.1, start + len)
    } else {
        let flags = run_of(text, start, |byte| {
            command.flags.contains(&byte) && !command.short.iter().any(|(short, _)| *short == byte)
        });
        let flag = at(text, start + flags)?;
        (command.short.iter().find(|(short, _)| *short == flag)?.1, start + flags + 1)
    };
    let blanks = run_of(text, behind, |byte| byte == b' ');
    let (blanks, around) = match next_item(text, behind, around).filter(|_| is_listed) {
        Some((next, around)) => (next - behind, around),
        None if is_long && at(text, behind) == Some(b'=') => (1, around),
        None => (blanks, around),
    };
    let fits = match way {
        Way::Attached => blanks == 0,
        Way::Apart => blanks > 0,
        _ => blanks > 0 || !is_long,
    };
    if !fits || (matches!(way, Way::Attached | Way::Apart | Way::Either) && ends(text.get(from..start)?)) {
        return None;
    }
    let value = behind + blanks;
    if way == Way::Cookies {
        return Some(cookies(text, value, around));
    }
    let parted_by = match way {
        Way::Login => Some(b':'),
        Way::Share => Some(b'%'),
        Way::Comma => Some(b','),
        _ => None,
    };
    let (range, is_quoted) = match quote(text, value) {
        Some((opening, _)) if ends_string(opening, around) => return None,
        Some((opening, inside)) => (inside..quoted_end(text, inside, opening, around, JUDGED), true),
        None if parted_by.is_some() => (value..bare_end(text, value, Style::Listed, JUDGED), false),
        None => (value..bare_end(text, value, Style::Set, JUDGED), false),
    };
    let hit = match parted_by {
        Some(sign) => login(text, range, sign),
        None => password(text, range, blanks == 0, is_quoted),
    };
    Some(hit.into_iter().collect())
}

/// Where the next item of a list begins, with its quote, and the string of JSON around the list: the item before it ends at
/// a place, and `around` is the string that this stands in.
pub(super) fn next_item(text: &[u8], end: usize, around: Option<usize>) -> Option<(usize, Option<usize>)> {
    let (closing, behind) = quote(text, end)?;
    let comma = behind + run_of(text, behind, |byte| byte == b' ');
    (at(text, comma) == Some(b',')).then_some(())?;
    let next = comma + 1 + run_of(text, comma + 1, |byte| byte == b' ');
    let (opening, inside) = quote(text, next).filter(|(opening, _)| *opening == closing)?;
    // The key of an object is no item.
    let last = quoted_end(text, inside, opening, None, JUDGED) + opening.marks + 1;
    if at(text, last + run_of(text, last, |byte| byte == b' ')) == Some(b':') {
        return None;
    }
    let is_json = around.is_some() && ends_string(closing, around);
    let outer = if is_json { closing.marks.checked_sub(1).map(|marks| marks / 2) } else { around };
    Some((next, outer))
}

/// Whether a command ends within a text: another one is not its. A line that goes on behind a backslash is.
fn ends(between: &[u8]) -> bool {
    let mut here = 0;
    while let Some(byte) = at(between, here) {
        match byte {
            b';' | b'|' | b'&' => return true,
            b'\n' if before(between, here) != Some(b'\\') => return true,
            b'\\' => {
                let marks = run_of(between, here, |byte| byte == b'\\');
                // Those of the backslash, and half as many of the line's end.
                if at(between, here + marks) == Some(b'n') && marks % 3 != 0 {
                    return true;
                }
                here += marks;
            }
            _ => here += 1,
        }
        here += usize::from(byte == b'\n');
    }
    false
}

/// A password that an option or its place says to be one.
pub(super) fn password(text: &[u8], range: Range<usize>, is_attached: bool, is_quoted: bool) -> Option<Hit> {
    let value = text.get(range.clone())?;
    // `-port` and `-password` are other options, written wrong; `-p to` stands in a sentence.
    let is_word = !is_quoted && value.iter().all(u8::is_ascii_lowercase);
    let is_other = is_word
        && if is_attached {
            matches!(value, b"ort" | b"assword" | b"ipe" | b"rotocol" | b"ath" | b"lugin")
        } else {
            is_common(value)
        };
    let fits = value.len() >= 2 && !is_other && !matches!(value.first(), Some(b'-' | b'$')) && !is_placeholder(value);
    fits.then_some(Hit { range, kind: Kind::Password, quotes: None })
}

/// The password of `user:password`, or with another sign between.
pub(super) fn login(text: &[u8], range: Range<usize>, sign: u8) -> Option<Hit> {
    let value = text.get(range.clone())?;
    let colon = value.iter().position(|byte| *byte == sign)?;
    let (user, password) = (value.get(..colon)?, value.get(colon + 1..)?);
    let digits = |text: &[u8]| text.iter().all(u8::is_ascii_digit);
    // A user and a group.
    let is_ids = digits(user) && digits(password);
    let fits = password.len() >= 2
        && !user.is_empty()
        && user.iter().all(|byte| is_word(*byte) || matches!(byte, b'.' | b'@' | b'+' | b'\\' | b'/'))
        && !password.starts_with(b"//")
        && !is_ids
        && !is_placeholder(password);
    fits.then_some(Hit { range: range.start + colon + 1..range.end, kind: Kind::Basic, quotes: None })
}

/// The cookies of an option. A file's name has no `=`.
fn cookies(text: &[u8], value: usize, around: Option<usize>) -> Vec<Hit> {
    let from = match quote(text, value) {
        Some((opening, _)) if ends_string(opening, around) => return Vec::new(),
        Some((_, inside)) => inside,
        None => value,
    };
    let mut found = Vec::new();
    cookie_list(text, from, |range| found.push(Hit { range, kind: Kind::Cookie, quotes: None }));
    found
}
