//! Lone surrogates: `"\ud83d"` is no character, and strict readers refuse the whole line for it.
//!
//! JavaScript writes them when it cuts a string in the middle of an emoji. The line is good but for that one character,
//! so the escape becomes U+FFFD, as a decoder would show it, and the line stays.

use memchr::memmem;
use std::borrow::Cow;

/// Replaces each `\uD800`–`\uDFFF` escape that is not part of a pair by `\uFFFD`; all other text stays as it is.
pub(crate) fn repair(text: &str) -> Cow<'_, str> {
    let mut out: Option<String> = None;
    let mut copied = 0;
    let mut at = 0;
    while let Some(found) = text.get(at..).and_then(|rest| memmem::find(rest.as_bytes(), b"\\")) {
        let start = at + found;
        let Some(unit) = escape(text, start) else {
            at = start + 2; // any other escape: skip the escaped character too, so that `\\ud800` stays
            while at < text.len() && !text.is_char_boundary(at) {
                at += 1;
            }
            continue;
        };
        let next = start + 6;
        let pair = is_high(unit) && escape(text, next).is_some_and(is_low);
        if pair {
            at = next + 6;
            continue;
        }
        at = next;
        if is_high(unit) || is_low(unit) {
            let out = out.get_or_insert_with(String::new);
            out.push_str(text.get(copied..start).unwrap_or_default());
            out.push_str("\\uFFFD");
            copied = next;
        }
    }
    match out {
        Some(mut out) => {
            out.push_str(text.get(copied..).unwrap_or_default());
            Cow::Owned(out)
        }
        None => Cow::Borrowed(text),
    }
}

/// The code unit of a `\uXXXX` that starts at `at`.
fn escape(text: &str, at: usize) -> Option<u16> {
    let digits = text.get(at..at + 6)?.strip_prefix("\\u")?;
    digits.bytes().all(|b| b.is_ascii_hexdigit()).then(|| u16::from_str_radix(digits, 16).ok())?
}

fn is_high(unit: u16) -> bool {
    (0xD800..0xDC00).contains(&unit)
}

fn is_low(unit: u16) -> bool {
    (0xDC00..0xE000).contains(&unit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn only_lone_ones_are_replaced() {
        assert_eq!(repair(r#""\ud83d""#), r#""\uFFFD""#);
        assert_eq!(repair(r#""\ude00x\uD83D\uDE00\ud83d\n""#), r#""\uFFFDx\uD83D\uDE00\uFFFD\n""#);
        assert_eq!(repair(r#""\\ud83d é""#), r#""\\ud83d é""#);
        assert_eq!(repair(r#""\ud83d\ud83d\ude00""#), r#""\uFFFD\ud83d\ude00""#);
        assert!(matches!(repair(r#""plain""#), Cow::Borrowed(_)));
    }

    proptest! {
        #[test]
        fn any_text_survives(text in "(\\\\u[dD][89a-fA-F][0-9a-f]{2}|\\\\\\\\|\\\\n|é|\\\\u00e9|\\\\|x){0,12}") {
            let json = format!("\"{}\"", repair(&text));
            // Whatever else is wrong with the text, no lone surrogate is left to complain about.
            if let Err(error) = serde_json::from_str::<String>(&json) {
                prop_assert!(!error.to_string().contains("surrogate"), "{json}: {error}");
            }
        }
    }
}
