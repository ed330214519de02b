//! A log within a link: `…/#v=1&z=<base64url(deflate-raw(log))>`.
//!
//! A fragment never reaches a server, and opens on any copy of the page. What comes out of one is as little to be trusted
//! as any log: it may be cut by a chat, changed, foreign, or a bomb of zeros.

use flate2::write::DeflateEncoder;
use flate2::{Compression, Decompress, FlushDecompress, Status};
use std::io::Write;

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// How much is unpacked at once.
const PIECE: usize = 64 << 10;

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
    /// It cannot be unpacked.
    #[error("the link is damaged: what it holds cannot be unpacked")]
    Damaged,
    /// It holds more than may come out of a link, in bytes.
    #[error("the link holds more than {most} bytes, which is more than a link may")]
    TooLarge {
        /// The bound.
        most: usize,
    },
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
}

/// The log as the value of `z`.
pub fn pack(log: &[u8]) -> String {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    // Writing to memory cannot fail.
    let _ = encoder.write_all(log);
    base64url(&encoder.finish().unwrap_or_default())
}

/// The log that a value of `z` holds, if it is no larger than `most` bytes.
///
/// # Errors
/// It is empty, foreign, cut, damaged, or too large.
pub fn unpack(text: &str, most: usize) -> Result<Vec<u8>, LinkError> {
    let packed = unbase64url(text)?;
    let (mut inflate, mut log) = (Decompress::new(false), Vec::new());
    loop {
        let read = usize::try_from(inflate.total_in()).unwrap_or(usize::MAX);
        let rest = packed.get(read..).unwrap_or_default();
        log.reserve(PIECE);
        let (had, took) = (log.len(), inflate.total_in());
        let status = inflate.decompress_vec(rest, &mut log, FlushDecompress::None);
        if log.len() > most {
            return Err(LinkError::TooLarge { most });
        }
        match status {
            Ok(Status::StreamEnd) if inflate.total_in() == packed.len() as u64 => return Ok(log),
            Ok(Status::StreamEnd) | Err(_) => return Err(LinkError::Damaged),
            // Neither bytes nor room are lacking now, so it is the end that lacks.
            Ok(_) if log.len() == had && inflate.total_in() == took => return Err(LinkError::Cut),
            Ok(_) => {}
        }
    }
}

fn base64url(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let bits = three.iter().fold(0u32, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - three.len()));
        for place in 0..=three.len() {
            let digit = DIGITS.get((bits >> (18 - 6 * place)) as usize & 63);
            out.extend(digit.map(|digit| char::from(*digit)));
        }
    }
    out
}

/// Reads what `base64url` writes; what other programs do to it (`+`, `/`, `=`, line ends) is put up with.
fn unbase64url(text: &str) -> Result<Vec<u8>, LinkError> {
    let (mut out, mut bits, mut held, mut digits) = (Vec::with_capacity(text.len() / 4 * 3), 0u32, 0, 0usize);
    for (at, sign) in text.chars().enumerate() {
        let value = match sign {
            'A'..='Z' => sign as u32 - 'A' as u32,
            'a'..='z' => sign as u32 - 'a' as u32 + 26,
            '0'..='9' => sign as u32 - '0' as u32 + 52,
            '-' | '+' => 62,
            '_' | '/' => 63,
            '=' | '\n' | '\r' | ' ' => continue,
            _ => return Err(LinkError::Foreign { sign, at }),
        };
        digits += 1;
        bits = (bits << 6) | value;
        held += 6;
        if held >= 8 {
            held -= 8;
            out.push((bits >> held) as u8);
            bits &= (1 << held) - 1;
        }
    }
    match digits % 4 {
        _ if digits == 0 => Err(LinkError::Empty),
        // A lone digit holds no whole byte.
        1 => Err(LinkError::Cut),
        _ => Ok(out),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const MOST: usize = 1 << 20;

    #[test]
    fn a_link_holds_its_log() {
        let log = "{\"type\":\"step_start\"}\n".repeat(50);
        let link = pack(log.as_bytes());
        assert!(link.len() < 100 && !link.contains(['+', '/', '=']), "{link}");
        assert_eq!(unpack(&link, MOST).unwrap(), log.as_bytes());
    }

    /// As the browser's own stream writes it: raw deflate, without a head or a sum.
    #[test]
    fn what_other_writers_made_is_read() {
        assert_eq!(unpack("y0jNyclXKM8vyklRBAA", MOST).unwrap(), b"hello world!");
        assert_eq!(unpack("y0jNyclXKM8vyklRBAA=\n", MOST).unwrap(), b"hello world!");
    }

    #[test]
    fn what_is_wrong_is_told() {
        let link = pack("a log of a run, long enough to be cut somewhere".as_bytes());
        for len in 1..link.len() {
            assert_eq!(unpack(&link[..len], MOST), Err(LinkError::Cut), "{len}");
        }
        assert_eq!(unpack("", MOST), Err(LinkError::Empty));
        assert_eq!(unpack("ab%20", MOST), Err(LinkError::Foreign { sign: '%', at: 2 }));
        assert_eq!(unpack("________", MOST), Err(LinkError::Damaged));
        assert_eq!(unpack(&format!("{link}AAAA"), MOST), Err(LinkError::Damaged));
        let bomb = pack(&vec![0; 3 * MOST]);
        assert!(bomb.len() < 8_000);
        assert_eq!(unpack(&bomb, MOST), Err(LinkError::TooLarge { most: MOST }));
    }

    #[test]
    fn lengths_and_where_they_fit() {
        let fits = [2_000, 2_001, 8_000, 8_001, 32_000, 32_001].map(Fit::of);
        assert_eq!(fits, [Fit::Anywhere, Fit::Chat, Fit::Chat, Fit::Browsers, Fit::Browsers, Fit::TooLong]);
    }

    proptest! {
        #[test]
        fn any_bytes_come_back(log in prop::collection::vec(any::<u8>(), 0..500)) {
            prop_assert_eq!(unpack(&pack(&log), MOST).unwrap(), log);
        }

        #[test]
        fn any_text_is_read_or_refused(text in "[A-Za-z0-9_-]{0,60}") {
            let _ = unpack(&text, MOST);
        }
    }
}
