//! A log within a link: `…/#v=1&z=<base64url(deflate-raw(log))>`, or `zp=` where a password seals it.
//!
//! A fragment never reaches a server, and opens on any copy of the page. What comes out of one is as little to be trusted
//! as any log: it may be cut by a chat, changed, foreign, or a bomb of zeros.
//!
//! The page packs and unpacks by the browser's own streams, the command line by [`codec`]; what is wrong with a link is
//! told in the same words by both.

pub mod base64url;
pub mod codec;
pub mod percent;
pub mod sealed;
pub mod trim;

/// The most that is taken out of a link, in bytes. A log larger than that is a file.
pub const MOST: usize = 64 << 20;

/// The longest link that is made, or looked at, in characters: browsers refuse longer addresses.
pub const LONGEST: usize = 2_000_000;

/// Whether an address can stand before a link's `#`: one of a page, by `https`, `http` or `file`. `javascript:` is none.
pub fn is_page(address: &str) -> bool {
    let rest = address
        .split_once("://")
        .filter(|(scheme, _)| ["https", "http", "file"].iter().any(|known| known.eq_ignore_ascii_case(scheme)));
    rest.is_some_and(|(_, rest)| !rest.is_empty() && !rest.contains(|c: char| c.is_whitespace() || c.is_control()))
}

/// Whether bytes can be the beginning of a log: text, and some of it.
pub fn begins_as_log(bytes: &[u8]) -> bool {
    let head = bytes.get(..64).unwrap_or(bytes);
    // A byte order mark, or a first sign of JSON, or another text.
    let is_text = |byte: &u8| !byte.is_ascii_control() || byte.is_ascii_whitespace() || *byte == 0x1B;
    let is_wide = head.starts_with(&[0xFF, 0xFE]) || head.starts_with(&[0xFE, 0xFF]);
    !head.is_empty()
        && (is_wide
            || (head.iter().all(is_text)
                && std::str::from_utf8(head).map_or_else(|error| error.valid_up_to() + 4 > head.len(), |_| true)))
}

/// What is weak about a password that seals a link, if anything is: a sentence without a full stop.
pub fn weakness(password: &str) -> Option<&'static str> {
    let chars = password.chars().count();
    let mut different: Vec<char> = password.chars().collect();
    different.sort_unstable();
    different.dedup();
    match (chars, different.len()) {
        (0, _) => None,
        (1..=7, _) => Some("it is so short that it can be found by trying"),
        (_, 1..=3) => Some("it repeats itself, and can be found by trying"),
        _ if password.chars().all(|c| c.is_ascii_digit()) && chars < 16 => Some("digits alone can be found by trying"),
        (8..=11, _) if password.chars().all(|c| c.is_ascii_lowercase()) => Some("one word can be found by trying"),
        _ => None,
    }
}

/// Why there is no log in a link.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LinkError {
    /// Nothing at all.
    #[error("the link holds no log")]
    Empty,
    /// A character that no such link has; its place, from 0.
    #[error("the link is not one of these, or was changed: `{sign}` at place {at} cannot stand in it")]
    Foreign {
        /// The character.
        sign: char,
        /// Its place in characters, from 0.
        at: usize,
    },
    /// The end is missing.
    #[error("the link is cut: its end is missing, as some programs shorten long links; ask for the file instead")]
    Cut,
    /// Not even its beginning can be unpacked, or what comes out is no text.
    #[error("the link is not one of these, or was changed at its beginning: nothing of a log comes out of it")]
    NotOurs,
    /// It cannot be unpacked to its end.
    #[error("the link is damaged: what it holds cannot be unpacked")]
    Damaged,
    /// It holds more than may come out of a link, in bytes.
    #[error("the link holds more than {most} bytes, which is more than a link may")]
    TooLarge {
        /// The bound.
        most: usize,
    },
    /// The link itself is longer than any that is made.
    #[error("the link is {length} characters long, and no link is longer than {LONGEST}")]
    TooLong {
        /// Its length in characters.
        length: usize,
    },
    /// It is sealed in a way that this version does not know.
    #[error("the link was sealed by a later version of Steplens (seal {version}): open it on a newer copy of the page")]
    Version {
        /// What it says of itself.
        version: u8,
    },
    /// The password does not open it.
    #[error("this password does not open the link; or the link was changed on its way")]
    Password,
}

impl LinkError {
    /// As a sentence: with a capital, and a full stop.
    pub fn sentence(&self) -> String {
        let text = self.to_string();
        let mut chars = text.chars();
        chars.next().map(|first| format!("{}{}.", first.to_uppercase(), chars.as_str())).unwrap_or_default()
    }
}

/// Where a link of some length still works.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fit {
    /// Everywhere: up to 2,000 characters.
    Anywhere,
    /// In most chats: up to 8,000.
    Chat,
    /// In most browsers, and in a comment of a code host: up to 32,000.
    Browsers,
    /// It is too long to be relied on.
    TooLong,
}

impl Fit {
    /// Of a whole link, in characters.
    pub fn of(length: usize) -> Fit {
        match length {
            0..=2_000 => Fit::Anywhere,
            2_001..=8_000 => Fit::Chat,
            8_001..=32_000 => Fit::Browsers,
            _ => Fit::TooLong,
        }
    }

    /// In words, as the end of “fits”.
    pub fn words(self) -> &'static str {
        match self {
            Fit::Anywhere => "fits anywhere",
            Fit::Chat => "fits most chats",
            Fit::Browsers => "fits most browsers and a comment on GitHub, not every chat",
            Fit::TooLong => "too long to be relied on: chats and code hosts cut such links",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_and_where_they_fit() {
        let fits = [2_000, 2_001, 8_000, 8_001, 32_000, 32_001].map(Fit::of);
        assert_eq!(fits, [Fit::Anywhere, Fit::Chat, Fit::Chat, Fit::Browsers, Fit::Browsers, Fit::TooLong]);
    }

    #[test]
    fn only_an_address_of_a_page_stands_before_a_link() {
        for address in ["https://v.example/x", "HTTP://localhost:8080/", "file:///home/x/run.html"] {
            assert!(is_page(address), "{address}");
        }
        for address in
            ["", " ", "javascript:alert(1)", "javascript://x", "foo", "https://", "https://a b", "data:text/html,x"]
        {
            assert!(!is_page(address), "{address}");
        }
    }

    #[test]
    fn a_password_that_can_be_found_by_trying_is_weak() {
        for password in ["a", "1234567", "aaaaaaaaaaaa", "123456789012", "sunshine"] {
            assert!(weakness(password).is_some(), "{password}");
        }
        for password in ["", "correct horse battery", "kX9-qq8-zz1", "почтовый-ящик"] {
            assert_eq!(weakness(password), None, "{password}");
        }
    }

    #[test]
    fn an_error_is_a_sentence() {
        assert_eq!(LinkError::Empty.sentence(), "The link holds no log.");
    }
}
