//! Values under a name: `DB_PASSWORD=…`, `"token": "…"`, `password: …`, `export X=…`, `--token …`, `<password>…<`.
//!
//! The anchor is the sign: what stands before it is the name, what stands behind it the value. A quoted value ends at a
//! quote behind as many backslashes as the one that opened it: that holds at any depth of JSON within JSON.

use super::blank::is_placeholder;
use super::command::next_item;
use super::declare;
use super::kind::Kind;
use super::name::{LONGEST, Named, named};
use super::text::{
    Quote, at, before, indent, is_quote, is_word, own_marks, quote, quote_back, run_back, run_of, starts_with_word,
};
use super::value::{Style, is_secret};
use super::view::ESCAPE;
use std::ops::Range;

/// A secret that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Hit {
    pub(super) range: Range<usize>,
    pub(super) kind: Kind,
    /// The mask has to be put between such quotes, as the value stands bare where JSON allows no text.
    pub(super) quotes: Option<Quote>,
}

/// By how much of a value it is judged, if it is quoted and if it is bare.
pub(super) const JUDGED: usize = 16 << 10;
const JUDGED_BARE: usize = 1 << 8;

/// The last byte of the wide colon of Chinese and Japanese, `：`.
pub(super) const WIDE_COLON: u8 = 0x9A;

/// A name that stands before a sign.
#[derive(Debug)]
pub(super) struct Given<'a> {
    pub(super) word: &'a [u8],
    /// Where the name begins, or that of the field that holds the value.
    pub(super) start: usize,
    /// The quote that closes it.
    pub(super) closing: Option<Quote>,
    pub(super) named: Named,
    /// How the value is to be judged, however it is written.
    pub(super) style: Option<Style>,
}

/// The secret that a sign at `sign` (`=`, `:` or `>`) gives to a name. `around` is the string of JSON that the sign stands
/// in: how many backslashes its quotes have.
pub(super) fn assigned(text: &[u8], sign: usize, given: &Given<'_>, around: Option<usize>) -> Option<Hit> {
    let Given { word, start, closing, named, style: wanted } = *given;
    let sign_byte = at(text, sign).map(|byte| if byte == WIDE_COLON { b':' } else { byte })?;
    let Start { from, spaced, compared } = value_start(text, sign)?;
    // A signature is a secret in a URL; elsewhere it only proves something.
    let is_signature = named.kind == Kind::Signature;
    if (is_signature && sign_byte != b'=') || (compared && (is_signature || named.header)) {
        return None;
    }
    if named.header {
        return header(text, from, around);
    }
    let wanted = if compared { Some(Style::Literal) } else { wanted };
    if let Some(inside) = entity(text, from) {
        let end = inside + run_of(text, inside, |byte| !matches!(byte, b'&' | b'"' | b'<' | b'\\' | b'\n'));
        let fits = at(text, end) == Some(b'&') && is_secret(word, named, text.get(inside..end)?, Style::Quoted);
        return fits.then_some(Hit { range: inside..end, kind: named.kind, quotes: None });
    }
    let opening = quote(text, from).or_else(|| quote(text, declare::value(text, sign_byte, from)?));
    let Some((opening, inside)) = opening else {
        if compared {
            return None;
        }
        let tight = !spaced && before(text, sign).is_some_and(|byte| is_word(byte) || byte == ESCAPE || byte >= 0x80);
        let style = match sign_byte {
            b':' if spaced && indent(text, start).is_some() => Style::Listed,
            b'=' | b'>' if tight => Style::Set,
            _ => Style::Loose,
        };
        let style = wanted.unwrap_or(style);
        let from = if sign_byte == b':' && spaced { behind_tag(text, from) } else { from };
        let judged = bare_end(text, from, style, JUDGED_BARE);
        let value = text.get(from..judged)?;
        let style = if style == Style::Listed && !ends_line(text, judged) { Style::Spoken } else { style };
        // A key of JSON with a bare value: a number, `true`, `null`, or a container.
        let json = closing.is_some_and(|quote| quote.byte == b'"') && sign_byte == b':';
        if json {
            let number = value.len() >= 4 && value.iter().all(u8::is_ascii_digit) && named.kind == Kind::Password;
            return number.then_some(Hit { range: from..judged, kind: named.kind, quotes: closing });
        }
        return is_secret(word, named, value, style).then(|| {
            let end = bare_end(text, from, style, usize::MAX);
            Hit { range: from..end, kind: named.kind, quotes: None }
        });
    };
    if ends_string(opening, around) {
        return None;
    }
    let inside = behind_three(text, opening, inside);
    let judged = quoted_end(text, inside, opening, around, JUDGED);
    let value = text.get(inside..judged)?;
    let is_given = sign_byte == b'=' && !spaced && before(text, sign).is_some_and(is_word);
    let style = wanted.unwrap_or(if is_given { Style::Given } else { Style::Quoted });
    is_secret(word, named, value, style).then(|| {
        let end = quoted_end(text, inside, opening, around, usize::MAX);
        Hit { range: inside..end, kind: named.kind, quotes: None }
    })
}

/// Where a text in three quotes begins whose first one ends at a place.
fn behind_three(text: &[u8], opening: Quote, inside: usize) -> usize {
    let same = |from: usize| quote(text, from).filter(|(quote, _)| *quote == opening).map(|(_, behind)| behind);
    same(inside).and_then(same).unwrap_or(inside)
}

/// The place behind a quote that is written as an entity of HTML.
fn entity(text: &[u8], from: usize) -> Option<usize> {
    let rest = text.get(from..).filter(|_| at(text, from) == Some(b'&'))?;
    ENTITIES.iter().find(|entity| rest.starts_with(entity)).map(|entity| from + entity.len())
}

const ENTITIES: [&[u8]; 4] = [b"&quot;", b"&#34;", b"&#39;", b"&#x27;"];

/// Whether the value behind a sign is quoted.
pub(super) fn is_quoted(text: &[u8], sign: usize) -> bool {
    value_start(text, sign).is_some_and(|start| quote(text, start.from).is_some())
}

/// Where the block scalar of YAML would begin that a sign gives to a name.
pub(super) fn scalar_start(text: &[u8], sign: usize) -> Option<usize> {
    value_start(text, sign).filter(|start| start.spaced && at(text, sign) == Some(b':')).map(|start| start.from)
}

/// The value of an option that stands apart from it: `--password VALUE`, `-storepass VALUE`, `"--token", "VALUE"`. `start`
/// is where the name begins, `end` where it ends.
pub(super) fn option(text: &[u8], start: usize, end: usize, around: Option<usize>) -> Option<Hit> {
    let (from, around) = match at(text, end) {
        Some(b' ') => (end + run_of(text, end, |byte| byte == b' '), around),
        _ => {
            quote_back(text, start - run_back(text, start, 2, |byte| byte == b'-'))?;
            next_item(text, end, around)?
        }
    };
    let word = text.get(start..end)?;
    let named = named(word)?;
    let is_long = text.get(..start)?.ends_with(b"--");
    let (range, style) = match quote(text, from) {
        Some((opening, _)) if ends_string(opening, around) => return None,
        Some((opening, inside)) => (inside..quoted_end(text, inside, opening, around, JUDGED), Style::Quoted),
        None if is_long => (from..bare_end(text, from, Style::Set, JUDGED), Style::Set),
        None => (from..bare_end(text, from, Style::Set, JUDGED), Style::Literal),
    };
    let value = text.get(range.clone())?;
    let fits = !value.starts_with(b"-") && is_secret(word, named, value, style);
    fits.then_some(Hit { range, kind: named.kind, quotes: None })
}

/// The password of a `.netrc`: `login NAME password VALUE`. `start` is where the word `password` begins.
pub(super) fn netrc(text: &[u8], start: usize, end: usize) -> Option<Hit> {
    let blanks = run_back(text, start, 32, |byte| byte == b' ');
    let head = text.get(..start - blanks)?;
    let head = match head.strip_suffix(b"n") {
        Some(line) if line.ends_with(b"\\") => {
            line.get(..line.len() - run_back(line, line.len(), usize::MAX, |byte| byte == b'\\'))?
        }
        _ if blanks > 0 => head,
        _ => return None,
    };
    let name = run_back(head, head.len(), 64, |byte| is_word(byte) || matches!(byte, b'.' | b'@'));
    let fits = name > 0 && head.get(..head.len() - name)?.ends_with(b"login ") && at(text, end) == Some(b' ');
    let to = bare_end(text, end + 1, Style::Listed, JUDGED);
    let value = text.get(end + 1..to)?;
    let fits = fits && value.len() >= 3 && !is_placeholder(value);
    fits.then_some(Hit { range: end + 1..to, kind: Kind::Password, quotes: None })
}

/// The name before a sign, and the quote that closes it.
pub(super) fn name_before(text: &[u8], sign: usize) -> Option<(Range<usize>, Option<Quote>)> {
    // `password !== …`
    let sign = sign - usize::from(at(text, sign) == Some(b'=') && before(text, sign) == Some(b'!'));
    // As many blanks as line signs up below each other, as in a plan of Terraform.
    let mut end = sign - run_back(text, sign, 40, |byte| matches!(byte, b' ' | ESCAPE));
    // `Password { get; set; } = …`
    if before(text, end) == Some(b'}') {
        let inside = run_back(text, end - 1, 32, |byte| byte != b'{' && byte != b'\n');
        let block = text.get(end - 1 - inside..end - 1).unwrap_or_default();
        if before(text, end - 1 - inside) == Some(b'{') && block.trim_ascii_start().starts_with(b"get;") {
            end -= inside + 2;
            end -= run_back(text, end, 2, |byte| byte == b' ');
        }
    }
    // `**Password**: …`
    end -= run_back(text, end, 2, |byte| byte == b'*');
    // `char password[32] = …`
    if before(text, end) == Some(b']') {
        let digits = run_back(text, end - 1, 4, |byte| byte.is_ascii_digit());
        if before(text, end - 1 - digits) == Some(b'[') {
            end -= digits + 2;
        }
    }
    // `config["password"] = …`, `password?: …`
    end -= run_back(text, end, 2, |byte| matches!(byte, b']' | b'?' | b'!'));
    if before(text, end) == Some(b';') {
        let head = text.get(..end)?;
        end -= ENTITIES.iter().find(|entity| head.ends_with(entity)).map_or(0, |entity| entity.len());
    }
    let closing = quote_back(text, end);
    if let Some((_, start)) = closing {
        end = start;
    }
    let len = run_back(text, end, LONGEST + 1, |byte| is_word(byte) || byte == b'.');
    let mut start = end - len;
    // The letter of an escape is none of the name's: `\nTOKEN=…`.
    if before(text, start) == Some(b'\\') && at(text, start).is_some_and(|byte| matches!(byte, b'n' | b'r' | b't')) {
        start += 1;
    }
    start = with_lead(text, start, end);
    (start < end).then_some((start..end, closing.map(|(quote, _)| quote)))
}

/// Where a name of two words begins whose last one is `key`: `API key`, `access key`.
pub(super) fn with_lead(text: &[u8], start: usize, end: usize) -> usize {
    if !text.get(start..end).is_some_and(|word| word.eq_ignore_ascii_case(b"key")) {
        return start;
    }
    let Some(head) = text.get(..start).and_then(|head| head.strip_suffix(b" ")) else { return start };
    let lead = run_back(head, head.len(), 8, |byte| byte.is_ascii_alphabetic());
    let word = head.get(head.len() - lead..).unwrap_or_default();
    let is_lead = LEADS.iter().any(|known| word.eq_ignore_ascii_case(known));
    if is_lead { start - 1 - lead } else { start }
}

const LEADS: [&[u8]; 4] = [b"api", b"access", b"secret", b"account"];

/// Where a value begins.
struct Start {
    from: usize,
    /// Space stands before it.
    spaced: bool,
    /// The sign compares rather than gives.
    compared: bool,
}

/// None where the sign gives nothing.
fn value_start(text: &[u8], sign: usize) -> Option<Start> {
    let mut from = sign + 1;
    let mut compared = false;
    match (at(text, sign)?, at(text, from)) {
        (b'=', Some(b'~')) | (b':', Some(b':')) => return None,
        (b'=', _) if matches!(before(text, sign), Some(b'=' | b'<' | b'>' | b'~')) => return None,
        (b'=', Some(b'=')) => {
            from += run_of(text, from, |byte| byte == b'=').min(2);
            compared = true;
        }
        (b'=', _) if before(text, sign) == Some(b'!') => compared = true,
        (b'=', Some(b'>')) | (b':', Some(b'=')) => from += 1,
        (b'>', Some(b'<')) if text.get(from..)?.starts_with(CDATA) => from += CDATA.len(),
        _ => {}
    }
    // `**Password:** …`
    if at(text, sign) == Some(b':') && text.get(from..).is_some_and(|rest| rest.starts_with(b"** ")) {
        from += 2;
    }
    let blanks = run_of(text, from, |byte| matches!(byte, b' ' | b'\t' | ESCAPE));
    let spaced = text.get(from..from + blanks)?.iter().any(|byte| *byte != ESCAPE);
    from += blanks;
    // `b"…"`, `r"…"`, `f'…'`.
    if matches!(at(text, from), Some(b'b' | b'r' | b'f' | b'u' | b'L' | b'N' | b'@' | b'$'))
        && quote(text, from + 1).is_some()
    {
        from += 1;
    }
    Some(Start { from, spaced, compared })
}

const CDATA: &[u8] = b"<![CDATA[";

/// Where a value of YAML begins behind its tag or anchor: `!!str …`, `&name …`.
fn behind_tag(text: &[u8], from: usize) -> usize {
    let is_tag = text.get(from..).is_some_and(|rest| rest.starts_with(b"!!str ") || rest.starts_with(b"!!binary "));
    let len = 1 + run_of(text, from + 1, |byte| is_word(byte) || byte == b'!');
    let is_anchor = at(text, from) == Some(b'&')
        && at(text, from + len) == Some(b' ')
        && !matches!(text.get(from + 1..from + len), Some(b"mut" | b"dyn" | b"str" | b"self" | b"" | b"&"));
    if is_tag || is_anchor { from + len + run_of(text, from + len, |byte| byte == b' ') } else { from }
}

/// Whether a quote ends the string around it, and opens nothing.
pub(super) fn ends_string(quote: Quote, around: Option<usize>) -> bool {
    quote.byte == b'"' && around.is_some_and(|marks| quote.marks <= marks)
}

/// Where a quoted value ends: at its closing quote, and at the latest where its line or the string around it ends, or
/// behind `most` bytes.
pub(super) fn quoted_end(text: &[u8], from: usize, opening: Quote, around: Option<usize>, most: usize) -> usize {
    let mut here = from;
    while let Some(byte) = at(text, here) {
        if here - from > most {
            break;
        }
        match byte {
            b'\\' => {
                let marks = run_of(text, here, |byte| byte == b'\\');
                let own = own_marks(marks);
                match at(text, here + marks) {
                    // Backslashes before those of the quote belong to the value.
                    Some(byte) if byte == opening.byte && own == opening.marks => return here + marks - own,
                    // Fewer backslashes: the string around it ends, or a quote of it.
                    Some(byte) if is_quote(byte) && own < opening.marks => return here + marks - own,
                    Some(b'"') if ends_string(Quote { marks: own, byte: b'"' }, around) => return here + marks - own,
                    // The line ends around it: a line's end within has more backslashes.
                    Some(b'n' | b'r') if marks <= opening.marks || opening.byte != b'"' => return here,
                    Some(_) => here += marks + 1,
                    None => return here,
                }
            }
            b'\n' => return here,
            b'"' if opening.byte == b'"' || around.is_some() => return here,
            _ if byte == opening.byte => return here,
            _ => here += 1,
        }
    }
    here
}

/// Where a bare value ends. A backslash and what it escapes are never parted.
pub(super) fn bare_end(text: &[u8], from: usize, style: Style, most: usize) -> usize {
    let mut here = from;
    while let Some(byte) = at(text, here) {
        if here - from > most {
            break;
        }
        match byte {
            0..=b' ' | b'"' | b'\'' | b'`' | 0x7F => break,
            b'\\' => {
                let marks = run_of(text, here, |byte| byte == b'\\');
                match at(text, here + marks) {
                    None | Some(b'n' | b'r' | b't' | b'"' | b'\'' | b'`' | b' ') => break,
                    Some(_) => here += marks + 1,
                }
            }
            b'<' if matches!(style, Style::Set | Style::Literal) => break,
            b'&' | b';' | b'|' if style == Style::Set && !stands_within(text, here) => break,
            b']' if text.get(here..).is_some_and(|rest| rest.starts_with(b"]]>")) => break,
            b',' | b')' | b'}' | b']' if style == Style::Set && !stands_within(text, here) => break,
            b',' | b';' | b')' | b']' | b'}' if style == Style::Loose => break,
            _ => here += 1,
        }
    }
    // A full stop or a comma ends the sentence.
    let value = text.get(from..here).unwrap_or_default();
    here - value.iter().rev().take_while(|byte| matches!(byte, b',' | b';' | b':')).count()
}

/// Whether a mark stands inside of a password rather than behind it: `a;b9` of `PASSWORD=a;b9`, but not `x&key=…`, `x; ls`.
fn stands_within(text: &[u8], here: usize) -> bool {
    let mark = at(text, here);
    let next = at(text, here + 1);
    if !next.is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'!' | b'#' | b'$' | b'%' | b'^' | b'*'))
    {
        return false;
    }
    if mark == Some(b'|') {
        return false;
    }
    // Another pair follows: `&key=…`, `;Database=…`, `, user=…`.
    let word = run_of(text, here + 1, |byte| is_word(byte) || byte == b' ' || byte == b'.');
    !matches!(at(text, here + 1 + word), Some(b'=' | b':'))
        && mark != Some(b')')
        && mark != Some(b'}')
        && mark != Some(b']')
}

/// Whether nothing but a comment follows on the line.
fn ends_line(text: &[u8], end: usize) -> bool {
    let blanks = run_of(text, end, |byte| matches!(byte, b' ' | ESCAPE));
    let marks = run_of(text, end + blanks, |byte| byte == b'\\');
    match at(text, end + blanks + marks) {
        None => true,
        Some(b'\'') => !at(text, end + blanks + marks + 1).is_some_and(is_word),
        Some(b'\n' | b'\r' | b'"' | b'`') => true,
        Some(b'n' | b'r') => marks > 0,
        Some(b'#') => blanks > 0,
        Some(_) => false,
    }
}

/// The secret of an `Authorization` header: what stands behind the scheme.
fn header(text: &[u8], from: usize, around: Option<usize>) -> Option<Hit> {
    let from = match quote(text, from) {
        Some((quote, _)) if ends_string(quote, around) => return None,
        Some((_, inside)) => inside,
        None => from,
    };
    let scheme = run_of(text, from, is_word);
    let rest = from + scheme;
    let known = [&b"bearer"[..], b"basic", b"token", b"apikey", b"bot", b"key", b"digest", b"negotiate"];
    let scheme_is_known =
        text.get(from..rest).is_some_and(|word| known.iter().any(|known| known.eq_ignore_ascii_case(word)));
    let blanks = run_of(text, rest, |byte| byte == b' ');
    let start = if scheme_is_known && blanks > 0 { rest + blanks } else { from };
    let kind = match text.get(from..) {
        Some(head) if start > from && starts_with_word(head, b"basic") => Kind::Basic,
        _ => Kind::Bearer,
    };
    credential(text, start, 6).map(|range| Hit { range, kind, quotes: None })
}

/// A credential that stands bare: where it goes.
pub(super) fn credential(text: &[u8], from: usize, least: usize) -> Option<Range<usize>> {
    let fits =
        |byte: u8| is_word(byte) || matches!(byte, b'.' | b'~' | b'+' | b'/' | b'=' | b':' | b'|' | b'!' | b'@' | b'%');
    let len = run_of(text, from, fits);
    let value = text.get(from..from + len)?;
    let len = len - value.iter().rev().take_while(|byte| matches!(byte, b'.' | b':' | b'!')).count();
    let value = value.get(..len)?;
    let wordy = value.iter().all(|byte| byte.is_ascii_lowercase() || matches!(byte, b'.' | b'-' | b'_' | b'/'));
    (len >= least && !wordy && !is_placeholder(value)).then_some(from..from + len)
}

/// The password of a line of `.pgpass`: `host:port:database:user:password`. `sign` is the colon before the port.
pub(super) fn pgpass(text: &[u8], sign: usize) -> Option<Hit> {
    const PORTS: [&[u8]; 6] = [b"5432:", b"5433:", b"5434:", b"6432:", b"6543:", b"*:"];
    let port = PORTS.into_iter().find(|port| text.get(sign + 1..).is_some_and(|rest| rest.starts_with(port)))?;
    let field = |byte: u8| is_word(byte) || matches!(byte, b'.' | b'*');
    if run_back(text, sign, 256, field) == 0 {
        return None;
    }
    let mut from = sign + 1 + port.len();
    for _ in 0..2 {
        let len = run_of(text, from, field);
        let name = text.get(from..from + len)?;
        // `file.rs:5432:12:` is a place in a file.
        if len == 0 || at(text, from + len) != Some(b':') || name.iter().all(u8::is_ascii_digit) {
            return None;
        }
        from += len + 1;
    }
    let to = bare_end(text, from, Style::Listed, JUDGED);
    let value = text.get(from..to)?;
    let fits = value.len() >= 3 && !value.starts_with(b"$") && !value.starts_with(b"/") && !is_placeholder(value);
    fits.then_some(Hit { range: from..to, kind: Kind::Password, quotes: None })
}
