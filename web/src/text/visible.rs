//! What cannot be seen, made visible: which characters of a log are shown by their number.
//!
//! A log can hold characters that turn the direction of a line, join or part words, or show nothing at all, and with them
//! make a command look like another. Wherever text of a log is shown they stand as `U+202E`, in a box of their own where
//! there is room for one ([`crate::components::shown`]), else between brackets ([`text`]).

use std::borrow::Cow;

use steplens_core::event::is_hidden;

/// What is to be shown in place of a character; none where it shows itself.
pub fn sign(before: Option<char>, c: char, after: Option<char>) -> Option<String> {
    let shows_nothing = match c {
        '\n' | '\t' => false,
        // They have pictures of their own.
        '\0'..='\u{1f}' => return char::from_u32(0x2400 + u32::from(c)).map(String::from),
        '\u{7f}' => return Some("␡".to_owned()),
        '\u{80}'..='\u{9f}' => true,
        // Joins emoji and letters of some scripts: only between such it does what it is for.
        '\u{200c}' | '\u{200d}' => !(before.is_some_and(is_joinable) && after.is_some_and(is_joinable)),
        // Picks the form of the emoji or sign before it.
        '\u{fe00}'..='\u{fe0f}' => {
            !before.is_some_and(|c| is_joinable(c) || matches!(c, '#' | '*' | '0'..='9' | '©' | '®'))
        }
        // Beside what is hidden everywhere: letters that fill no room, and characters that no font has a sign for.
        '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}' => true,
        '\u{3164}' | '\u{ffa0}' | '\u{fff0}'..='\u{fff8}' | '\u{e0080}'..='\u{e0fff}' => true,
        c => is_hidden(c),
    };
    shows_nothing.then(|| format!("U+{:04X}", u32::from(c)))
}

fn is_joinable(c: char) -> bool {
    // Letters of right-to-left and Indic scripts, signs and emoji.
    c >= '\u{600}' && !matches!(c, '\u{2000}'..='\u{206f}' | '\u{fe00}'..='\u{fe0e}' | '\u{feff}')
}

/// A name for the signs that are used to deceive.
pub fn name(c: char) -> &'static str {
    match c {
        '\u{202e}' => "right-to-left override",
        '\u{202d}' => "left-to-right override",
        '\u{202a}' | '\u{202b}' => "embedding of another direction",
        '\u{202c}' => "end of an override",
        '\u{2066}'..='\u{2068}' => "isolate of a direction",
        '\u{2069}' => "end of an isolate",
        '\u{61c}' | '\u{200e}' | '\u{200f}' => "mark of a direction",
        '\u{200b}' => "zero-width space",
        '\u{200c}' | '\u{200d}' | '\u{2060}' => "zero-width joiner",
        '\u{ad}' => "soft hyphen",
        '\u{feff}' => "byte order mark",
        _ => "invisible character",
    }
}

/// A stretch of text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece<'a> {
    /// As it is.
    Plain(&'a str),
    /// A character that cannot be seen, and what stands for it.
    Hidden(char, String),
}

/// The text, cut at what cannot be seen.
pub fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut out = Vec::new();
    let mut start = 0;
    let mut before = None;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let sign = match c {
            ' '..='~' => None,
            _ => sign(before, c, chars.peek().map(|(_, c)| *c)),
        };
        if let Some(sign) = sign {
            out.extend(text.get(start..at).filter(|plain| !plain.is_empty()).map(Piece::Plain));
            out.push(Piece::Hidden(c, sign));
            start = at + c.len_utf8();
        }
        before = Some(c);
    }
    out.extend(text.get(start..).filter(|plain| !plain.is_empty()).map(Piece::Plain));
    out
}

/// The text with what cannot be seen between brackets: for names, titles and rows.
pub fn text(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\n' | b'\t')) {
        return Cow::Borrowed(text);
    }
    let pieces = pieces(text);
    if pieces.iter().all(|piece| matches!(piece, Piece::Plain(_))) {
        return Cow::Borrowed(text);
    }
    let shown = pieces.into_iter().map(|piece| match piece {
        Piece::Plain(text) => Cow::Borrowed(text),
        Piece::Hidden(_, sign) if sign.starts_with('U') => Cow::Owned(format!("⟨{sign}⟩")),
        Piece::Hidden(_, sign) => Cow::Owned(sign),
    });
    Cow::Owned(shown.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_deceives_is_seen() {
        assert_eq!(text("rm \u{202e}gpj.exe\u{2069}"), "rm ⟨U+202E⟩gpj.exe⟨U+2069⟩");
        assert_eq!(text("a\u{200b}b\u{feff}c\u{ad}d\u{e0041}"), "a⟨U+200B⟩b⟨U+FEFF⟩c⟨U+00AD⟩d⟨U+E0041⟩");
        assert_eq!(text("a\u{1b}[2J\u{7f}\u{85}"), "a␛[2J␡⟨U+0085⟩");
    }

    #[test]
    fn what_letters_and_emoji_need_stays() {
        for plain in ["äöü ß 汉字 שלום مرحبا", "👩‍💻 ❤️ 1️⃣ ©️", "می‌خواهم", "क्‍ष", "tab\tand\nline"]
        {
            assert!(matches!(text(plain), Cow::Borrowed(_)), "{plain}");
        }
        assert_eq!(text("a\u{200d}b x\u{fe0f}"), "a⟨U+200D⟩b x⟨U+FE0F⟩");
    }

    #[test]
    fn pieces_are_the_text() {
        let all = "a\u{202e}b\u{200b}";
        assert_eq!(
            pieces(all),
            [
                Piece::Plain("a"),
                Piece::Hidden('\u{202e}', "U+202E".to_owned()),
                Piece::Plain("b"),
                Piece::Hidden('\u{200b}', "U+200B".to_owned()),
            ]
        );
    }
}
