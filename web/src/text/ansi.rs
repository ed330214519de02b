//! Terminal output as plain text: escape sequences go, what they would hide stays visible.

use std::borrow::Cow;

const ESCAPE: char = '\u{1b}';

/// Whether the text holds anything that [`plain`] changes.
pub fn is_plain(text: &str) -> bool {
    !text.contains(|c: char| c.is_control() && c != '\n' && c != '\t')
}

/// The text without escape sequences, with one kind of line end, and with every other control
/// character as its picture (`␇`), so that nothing is hidden.
pub fn plain(text: &str) -> Cow<'_, str> {
    if is_plain(text) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            ESCAPE => skip_sequence(&mut chars, &mut out),
            // A carriage return alone goes back over a line: a new line shows both.
            '\r' => {
                if chars.peek() != Some(&'\n') {
                    out.push('\n');
                }
            }
            '\n' | '\t' => out.push(c),
            '\0'..='\u{1f}' => out.extend(char::from_u32(0x2400 + u32::from(c))),
            '\u{7f}' => out.push('␡'),
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// Passes over a control sequence (`ESC [ … letter`), an operating system command
/// (`ESC ] … BEL`) or a short one (`ESC` and one character).
fn skip_sequence(chars: &mut std::iter::Peekable<std::str::Chars<'_>>, out: &mut String) {
    match chars.peek() {
        Some('[') => {
            chars.next();
            for c in chars.by_ref() {
                if ('@'..='~').contains(&c) {
                    break;
                }
            }
        }
        Some(']') => {
            while let Some(c) = chars.next() {
                if c == '\u{7}' {
                    break;
                }
                if c == ESCAPE {
                    chars.next_if_eq(&'\\');
                    break;
                }
            }
        }
        Some('(' | ')' | '#') => {
            chars.next();
            chars.next();
        }
        Some('0'..='~') => {
            chars.next();
        }
        _ => out.push('␛'),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_go_and_text_stays() {
        assert_eq!(plain("\u{1b}[31mred\u{1b}[0m\r\nnext"), "red\nnext");
        assert_eq!(plain("\u{1b}]0;title\u{7}a\u{1b}]8;;x\u{1b}\\b"), "ab");
        assert_eq!(plain("\u{1b}(Ba\u{1b}7b"), "ab");
    }

    #[test]
    fn what_is_no_sequence_is_seen() {
        assert_eq!(plain("a\u{7}\u{0}\u{1b}"), "a␇␀␛");
        assert_eq!(plain("10%\r20%"), "10%\n20%");
    }

    #[test]
    fn plain_text_is_not_copied() {
        assert!(matches!(plain("a\n\tb"), Cow::Borrowed(_)));
    }
}
