//! Whether a value is a secret, given what its name says: `hunter22` is, `${TOKEN}`, `string` and `args.token` are not.

use super::blank::{TYPES, is_one_of, is_path, is_phrase, is_placeholder, is_type};
use super::kind::Kind;
use super::name::{Named, Trust};

/// How a value is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// Between quotes.
    Quoted,
    /// Between quotes right behind a name and `=`, as a shell or an environment would have it.
    Given,
    /// Bare, as a shell, an environment or a URL would have it: nothing between name, sign and value.
    Set,
    /// Bare behind a colon, and nothing but that on the line: YAML, a header.
    Listed,
    /// The same, and more follows on the line.
    Spoken,
    /// Bare otherwise, as in code.
    Loose,
    /// Where words are ordinary: compared with, handed to a call, in a cell or a list. Only what is no word is a secret.
    Literal,
}

impl Style {
    fn is_quoted(self) -> bool {
        matches!(self, Style::Quoted | Style::Given)
    }
}

/// What a value is made of.
#[derive(Debug, Default)]
pub(super) struct Makeup {
    pub(super) lower: usize,
    pub(super) upper: usize,
    pub(super) digits: usize,
    spaces: usize,
    symbols: usize,
    /// Changes between letters and digits, or from small to capital.
    changes: usize,
    /// The longest stretch between symbols.
    longest: usize,
}

impl Makeup {
    pub(super) fn of(value: &[u8]) -> Makeup {
        let mut makeup = Makeup::default();
        let (mut previous, mut stretch) = (0u8, 0);
        for &byte in value {
            match byte {
                b'a'..=b'z' => makeup.lower += 1,
                b'A'..=b'Z' => makeup.upper += 1,
                b'0'..=b'9' => makeup.digits += 1,
                b' ' => makeup.spaces += 1,
                _ => makeup.symbols += 1,
            }
            let both = byte.is_ascii_alphanumeric() && previous.is_ascii_alphanumeric();
            makeup.changes += usize::from(both && class(byte) != class(previous));
            stretch = if byte.is_ascii_alphanumeric() { stretch + 1 } else { 0 };
            makeup.longest = makeup.longest.max(stretch);
            previous = byte;
        }
        makeup
    }

    fn letters(&self) -> usize {
        self.lower + self.upper
    }

    /// Nothing but letters and what joins them in names.
    fn is_wordy(&self, value: &[u8]) -> bool {
        self.digits == 0 && value.iter().all(|byte| byte.is_ascii_alphabetic() || is_joint(*byte) || *byte >= 0x80)
    }
}

fn class(byte: u8) -> u8 {
    match byte {
        b'0'..=b'9' => 0,
        b'A'..=b'Z' => 1,
        _ => 2,
    }
}

fn is_joint(byte: u8) -> bool {
    matches!(byte, b'_' | b'-' | b'.' | b'/' | b':' | b'$' | b' ')
}

/// Whether a value is a secret.
pub(super) fn is_secret(name: &[u8], named: Named, value: &[u8], style: Style) -> bool {
    let makeup = Makeup::of(value);
    if !style.is_quoted() && is_code(value, &makeup) {
        return false;
    }
    let shouted = !name.iter().any(u8::is_ascii_lowercase) && name.iter().any(u8::is_ascii_uppercase);
    // A password in an environment may be any word, and its own name.
    let is_given = shouted && matches!(style, Style::Set | Style::Given | Style::Listed);
    if is_given && named.kind == Kind::Password && named.trust == Trust::Any {
        return is_given_password(name, value, &makeup, style);
    }
    if value.len() < 3 || is_placeholder(value) || is_type(value) || same_word(name, value) {
        return false;
    }
    if style.is_quoted() && is_label(value) {
        return false;
    }
    if named.trust == Trust::Mixed {
        let is_spoken = matches!(style, Style::Loose | Style::Spoken);
        let digits = if style.is_quoted() { 1 } else { 2 };
        let is_mixed = !is_spoken && makeup.digits >= digits && makeup.letters() >= 3 && value.len() >= 8;
        return is_mixed && is_literal(name, Named { trust: Trust::Any, ..named }, value, &makeup);
    }
    if style == Style::Literal {
        return is_literal(name, named, value, &makeup);
    }
    match named.trust {
        _ if named.header => value.len() >= 6,
        Trust::Any => any(value, &makeup, style, shouted),
        Trust::Random if shouted && style == Style::Set => {
            value.len() >= 6 && !is_path(value) && makeup.spaces == 0 && !is_number(value, 6)
        }
        Trust::Random => {
            let plain = named.kind == Kind::Secret && style.is_quoted() && makeup.is_wordy(value);
            let whole_word = plain
                && value.len() >= 8
                && makeup.spaces == 0
                && makeup.symbols == 0
                && name.to_ascii_lowercase().ends_with(b"secret");
            whole_word || (value.len() >= 8 && is_random(value, &makeup))
        }
        Trust::LongRandom => value.len() >= 16 && is_random(value, &makeup),
        Trust::Mixed => false,
    }
}

/// Whether a quoted text is what a page says of the field: `Passwort`, `Password must be at least 8 characters`.
fn is_label(value: &[u8]) -> bool {
    let len = value.iter().position(|byte| !byte.is_ascii_alphabetic()).unwrap_or(value.len());
    let Some([first, rest @ ..]) = value.get(..len) else { return false };
    let is_capital = first.is_ascii_uppercase() && rest.iter().all(u8::is_ascii_lowercase);
    let is_whole = matches!(value.get(len), None | Some(b' '));
    is_capital && is_whole && value.get(..len).is_some_and(|word| super::name::named(word).is_some())
}

/// The value of `MYSQL_ROOT_PASSWORD=…` in a shell, a file of an environment, or YAML.
fn is_given_password(name: &[u8], value: &[u8], makeup: &Makeup, style: Style) -> bool {
    // The image's own example: `my-secret-pw`.
    let is_mine = value.starts_with(b"my-") || value.starts_with(b"my_");
    let is_blank = is_one_of(value, TYPES) || value == name || (is_placeholder(value) && !is_mine);
    if value.len() < 2 || is_blank || is_path(value) {
        return false;
    }
    match makeup.spaces {
        0 => style != Style::Listed || value.len() >= 3,
        _ => any(value, makeup, style, true),
    }
}

/// Whether a value is none of the words that stand beside such names too: `required`, `min:8`, `#password`, `password2`.
fn is_literal(name: &[u8], named: Named, value: &[u8], makeup: &Makeup) -> bool {
    // A sign or a number at the end makes no other word of one: `password2`, `Passwort*`.
    let is_end = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'!' | b'?' | b'*' | b'.' | b':' | b'_' | b'-');
    let is_sign = |byte: &u8| b"!@#%^*+=$&~".contains(byte);
    let len = value.iter().rposition(|byte| !is_end(byte)).map_or(0, |last| last + 1);
    let core = value.get(..len).unwrap_or_default();
    let is_signed = makeup.letters() > 0 && core.iter().any(is_sign);
    let is_word = !core.is_empty() && (is_type(core) || same_word(name, core)) || (makeup.digits == 0 && !is_signed);
    // A selector, a part of what code puts together.
    let is_part = value.first().is_some_and(|byte| b"#.-@/:\\+,;)".contains(byte));
    if is_word || is_part || value.len() < 6 || makeup.spaces > 0 || is_path(value) {
        return false;
    }
    if named.trust != Trust::Any {
        let least = if named.trust == Trust::Random { 8 } else { 16 };
        return value.len() >= least && is_random(value, makeup);
    }
    if value.iter().all(u8::is_ascii_digit) {
        return true;
    }
    let is_mixed = makeup.digits > 0 && makeup.letters() > 0 && makeup.symbols == 0;
    // `max:255`
    let is_rule = value.contains(&b':') && value.len() < 16;
    !is_rule && !is_number(value, 0) && (is_signed || is_mixed || is_random(value, makeup))
}

fn any(value: &[u8], makeup: &Makeup, style: Style, shouted: bool) -> bool {
    if makeup.spaces > 0 {
        // A sentence about passwords has spaces too, but no digits.
        let is_short = value.len() <= 64 && makeup.digits > 0 && !value.ends_with(b".");
        return style.is_quoted() && (is_short || is_phrase(value));
    }
    // A sentence of Chinese or Japanese has no spaces.
    let is_sentence = value.iter().all(|byte| *byte >= 0x80) && value.iter().any(|byte| *byte >= 0xE3);
    if is_sentence || is_path(value) {
        return false;
    }
    if makeup.is_wordy(value) || value.iter().all(u8::is_ascii_digit) {
        return match style {
            Style::Quoted | Style::Given => value.len() >= 4,
            Style::Set => value.len() >= 4 && (shouted || makeup.symbols == 0),
            Style::Listed => value.len() >= 4 && makeup.symbols == 0,
            Style::Loose => makeup.letters() == 0 && value.len() >= 6,
            // More follows: a sentence about passwords.
            Style::Spoken => makeup.letters() == 0 && value.len() >= 4,
            Style::Literal => false,
        };
    }
    true
}

/// Whether a value is not made of ordinary words.
fn is_random(value: &[u8], makeup: &Makeup) -> bool {
    if makeup.spaces > 0 || is_path(value) || is_number(value, 0) {
        return false;
    }
    let letters = makeup.letters();
    if makeup.digits > 0 && letters > 0 {
        // Words with a number or two between them: `cl100k_base`, `gpt-4o-mini`, `step-1`.
        let words = makeup.symbols > 0 && makeup.longest < 16 && makeup.changes <= 3 && makeup.digits * 3 < value.len();
        return !words;
    }
    if makeup.digits > 0 {
        return false;
    }
    // Letters only: camel case has few changes, random letters many.
    makeup.longest >= 16 && makeup.lower > 0 && makeup.upper > 0 && makeup.changes * 4 >= makeup.longest
        || (value.len() >= 8
            && makeup.symbols > 0
            && value.iter().any(|byte| matches!(byte, b'!' | b'@' | b'#' | b'%' | b'^' | b'*' | b'+' | b'=')))
}

fn is_number(value: &[u8], longest: usize) -> bool {
    let digits = value.iter().filter(|byte| byte.is_ascii_digit()).count();
    (longest == 0 || value.len() < longest)
        && digits > 0
        && value.iter().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b',' | b'_' | b'-' | b'+' | b'%'))
}

/// `password=password`, `token: token`: a name handed on.
fn same_word(name: &[u8], value: &[u8]) -> bool {
    let letters = |text: &[u8]| -> Vec<u8> {
        text.iter().filter(|byte| byte.is_ascii_alphanumeric()).map(u8::to_ascii_lowercase).collect()
    };
    let (name, value) = (letters(name), letters(value));
    !value.is_empty() && name.ends_with(&value)
}

/// A call, an index, a field, a type: what code has on the right of a sign.
fn is_code(value: &[u8], makeup: &Makeup) -> bool {
    let holds = |wanted: &[u8]| value.iter().any(|byte| wanted.contains(byte));
    if holds(b"()[]<>{}") {
        if [&b"(*"[..], b"(&", b"!("].iter().any(|sign| value.starts_with(sign)) {
            return true;
        }
        // A bracket may be in a password, but then it doesn't stand behind a name.
        let head = value
            .iter()
            .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b':' | b'&'))
            .count();
        // A macro's `!`.
        let head = head + usize::from(value.get(head) == Some(&b'!'));
        return head > 0 && value.get(head).is_some_and(|byte| matches!(byte, b'(' | b'[' | b'<' | b'{'));
    }
    // An alias of YAML.
    if value.first() == Some(&b'*') && value.iter().skip(1).all(|byte| byte.is_ascii_alphanumeric() || is_joint(*byte))
    {
        return true;
    }
    // `args.token`, `self.password`, `req.body.secret`, `Foo::token`.
    makeup.is_wordy(value) && (value.contains(&b'.') || value.windows(2).any(|window| window == b"::"))
}

#[cfg(test)]
mod tests {
    use super::super::name::named;
    use super::*;

    fn check(name: &str, value: &str, style: Style) -> bool {
        is_secret(name.as_bytes(), named(name.as_bytes()).unwrap(), value.as_bytes(), style)
    }

    #[test]
    fn secrets() {
        for (name, value, style) in [
            ("password", "hunter2", Style::Quoted),
            ("password", "correct horse 7 battery", Style::Quoted),
            ("password", "$2b$12$abcdefghijklmnopqrstuv", Style::Quoted),
            ("DB_PASSWORD", "postgres", Style::Set),
            ("password", "postgres", Style::Listed),
            ("FOO_TOKEN", "abc12345678", Style::Set),
            ("token", "d41d8cd98f00b204", Style::Quoted),
            ("SECRET_KEY", "supersecretkey", Style::Set),
            ("secret", "KJHqweLKJfdsaQPOIweruZXC", Style::Quoted),
            ("STRIPE_KEY", "a1b2c3d4e5f6a7b8c9", Style::Set),
        ] {
            assert!(check(name, value, style), "{name} {value}");
        }
    }

    #[test]
    fn no_secrets() {
        for (name, value, style) in [
            ("password", "string", Style::Loose),
            ("password", "args.password", Style::Loose),
            ("password", "getpass(prompt)", Style::Loose),
            ("password", "${DB_PASSWORD}", Style::Set),
            ("password", "$DB_PASSWORD", Style::Set),
            ("password", "The password to sign in with.", Style::Quoted),
            ("token", "keyword.operator", Style::Quoted),
            ("token", "534", Style::Quoted),
            ("token", "cl100k_base", Style::Quoted),
            ("token", "your-token-here", Style::Quoted),
            ("API_KEY", "xxxxxxxxxxxxxxxx", Style::Set),
            ("secret", "/run/secrets/db", Style::Quoted),
            ("access_token", "accessToken", Style::Loose),
            ("token", "next_token", Style::Loose),
        ] {
            assert!(!check(name, value, style), "{name} {value}");
        }
    }
}
