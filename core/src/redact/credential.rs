//! Credentials of requests and connections: `Bearer …`, `Basic …`, JSON Web Tokens, `scheme://user:password@host`, cookies.

use super::assign::{Hit, credential, name_before};
use super::blank::{is_placeholder, is_type};
use super::kind::Kind;
use super::text::{at, before, is_word, quote, run_back, run_of, starts_with_word};
use std::ops::Range;

/// A JSON Web Token: two or three pieces of base64, the first of which is `{"…` in base64; an encrypted one has five.
pub(super) fn jwt(text: &[u8], start: usize) -> Option<usize> {
    if !text.get(start..)?.starts_with(b"eyJ") {
        return None;
    }
    let mut end = start + run_of(text, start, is_word);
    if end - start < 12 {
        return None;
    }
    let mut pieces = 1;
    while pieces < 5 && at(text, end) == Some(b'.') {
        let len = run_of(text, end + 1, is_word);
        // The last piece, the signature, may be empty.
        if len == 0 && pieces != 2 {
            break;
        }
        end += 1 + len;
        pieces += 1;
    }
    (pieces >= 2 && end - start >= 24).then_some(end)
}

/// The credential behind `Bearer` or `Basic`, whose first letter stands at `start`.
pub(super) fn scheme(text: &[u8], start: usize, end: usize) -> Option<Hit> {
    let word = text.get(start..end)?;
    let blanks = run_of(text, end, |byte| byte == b' ');
    if !(1..=4).contains(&blanks) {
        return None;
    }
    let from = end + blanks;
    if word.eq_ignore_ascii_case(b"bearer") {
        let range = credential(text, from, 8)?;
        let value = text.get(range.clone())?;
        // "bearer authentication", "Bearer tokens": words.
        let digits = value.iter().filter(|byte| byte.is_ascii_digit()).count();
        let mixed = value.iter().any(u8::is_ascii_lowercase) && value.iter().any(u8::is_ascii_uppercase);
        let random = digits >= 2 || (mixed && value.len() >= 16);
        return random.then_some(Hit { range, kind: Kind::Bearer, quotes: None });
    }
    login(text, from).map(|range| Hit { range, kind: Kind::Basic, quotes: None })
}

/// A user and a password in base64.
fn login(text: &[u8], from: usize) -> Option<Range<usize>> {
    let base64 = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'-' | b'_');
    let len = run_of(text, from, base64);
    let value = text.get(from..from + len)?;
    let plain = unbase64(value)?;
    let fits = plain.contains(&b':') && plain.iter().all(|byte| (0x20..0x7F).contains(byte) || *byte >= 0x80);
    (fits && len >= 8).then_some(from..from + len)
}

/// The same as the value of `"auth": "…"` in Docker's configuration, or of `_auth=…` in npm's; the sign is at `sign`.
pub(super) fn login_in_base64(text: &[u8], sign: usize) -> Option<Range<usize>> {
    let from = sign + 1 + run_of(text, sign + 1, |byte| byte == b' ');
    let from = quote(text, from).map_or(from, |(_, inside)| inside);
    // The bytes of a word in base64 are no text.
    login(text, from).filter(|range| {
        let plain = text.get(range.clone()).and_then(unbase64).unwrap_or_default();
        range.len() >= 12 && plain.is_ascii()
    })
}

/// The bytes of a text in base64; none where it is no such text.
pub(super) fn unbase64(text: &[u8]) -> Option<Vec<u8>> {
    let digits = text.iter().rev().skip_while(|byte| **byte == b'=').count();
    let (mut out, mut bits, mut held) = (Vec::new(), 0u32, 0);
    for byte in text.get(..digits)? {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return None,
        };
        bits = (bits << 6) | u32::from(value);
        held += 6;
        if held >= 8 {
            held -= 8;
            out.push((bits >> held) as u8);
            bits &= (1 << held) - 1;
        }
    }
    Some(out)
}

/// The password of a URL whose `://` begins at `colon`; where none is there, a user that can only be a token.
pub(super) fn url(text: &[u8], colon: usize) -> Option<Range<usize>> {
    let scheme = run_back(text, colon, 24, |byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'));
    if scheme == 0 || !text.get(colon..)?.starts_with(b"://") {
        return None;
    }
    let from = colon + 3;
    let ends = |byte: u8| matches!(byte, 0..=b' ' | b'"' | b'\'' | b'`' | b'<' | b'>' | b'\\' | b'?' | b'#' | 0x7F);
    let reach = text.get(..text.len().min(from + 1024))?;
    let authority = run_of(reach, from, |byte| !ends(byte) && byte != b'/');
    let head = text.get(from..from + authority)?;
    let (login, colon) = match head.iter().rposition(|byte| *byte == b'@') {
        Some(end) => (head.get(..end)?, head.get(..end)?.iter().position(|byte| *byte == b':')),
        None => {
            let colon = head.iter().position(|byte| *byte == b':')?;
            let port = head.get(colon + 1..)?;
            if port.is_empty() || port.iter().all(u8::is_ascii_digit) || head.contains(&b'[') {
                return None;
            }
            // A password may hold a `/` that nobody wrote as `%2F`; an `@` in a path may stand behind one too.
            let whole = text.get(from..from + run_of(reach, from, |byte| !ends(byte)))?;
            let end = whole.iter().rposition(|byte| *byte == b'@')?;
            (whole.get(..end)?, Some(colon))
        }
    };
    match colon {
        Some(colon) => {
            let password = login.get(colon + 1..)?;
            let known =
                is_placeholder(password) || matches!(password, b"password" | b"pass" | b"PASSWORD" | b"x-oauth-basic");
            let fits = !password.is_empty() && !known && !password.contains(&b'{') && !password.contains(&b'$');
            fits.then_some(from + colon + 1..from + login.len())
        }
        None => {
            let digits = login.iter().filter(|byte| byte.is_ascii_digit()).count();
            let token = login.len() >= 16 && digits >= 2 && login.iter().all(|byte| is_word(*byte));
            token.then_some(from..from + login.len())
        }
    }
}

/// An e-mail address around the `@` at a place. `floor` is where the text begins that is not masked yet.
pub(super) fn email(text: &[u8], sign: usize, floor: usize) -> Option<Range<usize>> {
    let local = |byte: u8| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'%' | b'+' | b'-') || (0x80..0xFF).contains(&byte)
    };
    let mut start = sign - run_back(text, sign, 64, local).min(sign - floor);
    // The letter of an escape is none of the name's, and no name begins with a mark.
    if before(text, start) == Some(b'\\')
        && at(text, start).is_some_and(|byte| matches!(byte, b'n' | b'r' | b't' | b'b' | b'f'))
    {
        start += 1;
    }
    start += run_of(text, start, |byte| matches!(byte, b'.' | b'-' | b'%' | b'+'));
    let name = text.get(start..sign).filter(|name| !name.is_empty())?;
    let host = run_of(text, sign + 1, |byte| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-') || (0x80..0xFF).contains(&byte)
    });
    let host_text = text.get(sign + 1..sign + 1 + host)?;
    let host_text = host_text
        .get(..host_text.len() - host_text.iter().rev().take_while(|byte| matches!(byte, b'.' | b'-')).count())?;
    let point = host_text.iter().rposition(|byte| *byte == b'.')?;
    let (domain, top) = (host_text.get(..point)?, host_text.get(point + 1..)?);
    let is_domain = domain.iter().any(|byte| byte.is_ascii_alphabetic())
        && !domain.starts_with(b".")
        && !domain.starts_with(b"-")
        && (2..=24).contains(&top.len())
        && top.iter().all(|byte| byte.is_ascii_alphabetic() || *byte >= 0x80);
    // `git@github.com:x/y.git` is an address of a repository, `logo@2x.png` and `pkg@next.js` are files.
    let end = sign + 1 + host_text.len();
    let is_git = name == b"git"
        || (matches!(at(text, end), Some(b':'))
            && at(text, end + 1).is_some_and(|byte| is_word(byte) || matches!(byte, b'/' | b'~')));
    let is_file = FILES.iter().any(|file| file.eq_ignore_ascii_case(top));
    // `//user@host` belongs to a URL, whose password is looked for elsewhere.
    let in_url = before(text, start) == Some(b'/')
        || before(text, start) == Some(b':')
            && before(text, start - 1) != Some(b'o')
            && before(text, start - 1).is_some_and(|byte| byte.is_ascii_alphanumeric())
            && login_of_url(text, start);
    (is_domain && !is_git && !is_file && !in_url).then_some(start..end)
}

/// Whether a URL's login holds a place: a scheme and `//` stand before it.
fn login_of_url(text: &[u8], place: usize) -> bool {
    let len = run_back(text, place, 256, |byte| !matches!(byte, 0..=b' ' | b'"' | b'\'' | b'`' | b'/'));
    text.get(..place - len).is_some_and(|head| head.ends_with(b"//"))
}

/// Ends of file names that are no ends of hosts.
const FILES: &[&[u8]] = &[
    b"png", b"jpg", b"jpeg", b"gif", b"svg", b"webp", b"avif", b"ico", b"js", b"mjs", b"cjs", b"ts", b"mts", b"tsx",
    b"jsx", b"css", b"scss", b"json", b"jsonl", b"yml", b"yaml", b"toml", b"lock", b"html", b"txt", b"log", b"wasm",
    b"tgz", b"gz", b"zip", b"tar", b"deb", b"rpm", b"jar", b"whl", b"exe", b"dll", b"service", b"timer", b"socket",
    b"target", b"mount", b"device", b"local", b"conf", b"java", b"kt", b"go", b"cpp", b"hpp", b"vue", b"map", b"patch",
    b"diff", b"sql", b"xml", b"csv", b"pdf", b"latest", b"beta", b"alpha", b"next", b"canary",
];

/// The values of a `Cookie` header behind its colon, one after another: those that look like sessions.
pub(super) fn cookies(text: &[u8], sign: usize, each: impl FnMut(Range<usize>)) -> Option<()> {
    let (name, _) = name_before(text, sign)?;
    let name = text.get(name)?;
    let name = name.get(name.len().checked_sub(6)?..)?;
    if !name.eq_ignore_ascii_case(b"cookie") {
        return None;
    }
    let mut from = sign + 1 + run_of(text, sign + 1, |byte| matches!(byte, b' ' | b'['));
    if let Some((_, inside)) = quote(text, from) {
        from = inside;
    }
    cookie_list(text, from, each);
    Some(())
}

/// `name=value; name=value`: the values that look like sessions.
pub(super) fn cookie_list(text: &[u8], from: usize, mut each: impl FnMut(Range<usize>)) {
    let mut here = from;
    loop {
        here += run_of(text, here, |byte| byte == b' ');
        let len = run_of(text, here, |byte| is_word(byte) || byte == b'.');
        let name = text.get(here..here + len).unwrap_or_default();
        if len == 0 || at(text, here + len) != Some(b'=') {
            return;
        }
        let from = here + len + 1;
        let value = run_of(text, from, |byte| {
            is_word(byte) || matches!(byte, b'.' | b'~' | b'+' | b'/' | b'=' | b':' | b'|' | b'!' | b'%')
        });
        if is_session(name, text.get(from..from + value).unwrap_or_default()) {
            each(from..from + value);
        }
        here = from + value;
        if at(text, here) != Some(b';') {
            return;
        }
        here += 1;
    }
}

fn is_session(name: &[u8], value: &[u8]) -> bool {
    const NAMES: &[&[u8]] =
        &[b"sess", b"sid", b"auth", b"token", b"jwt", b"remember", b"csrf", b"xsrf", b"login", b"ticket", b"secret"];
    let lower = name.to_ascii_lowercase();
    let is_named = NAMES.iter().any(|word| lower.windows(word.len()).any(|window| window == *word));
    let (digits, letters) = (value.iter().any(u8::is_ascii_digit), value.iter().any(u8::is_ascii_alphabetic));
    let is_random = value.len() >= 16 && digits && letters;
    let is_likely = is_named && value.len() >= 6 && !is_type(value);
    (is_random || is_likely) && !is_placeholder(value) && !starts_with_word(value, b"http")
}
