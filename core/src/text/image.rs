//! Pictures that a log holds as `data:` addresses: their type, size, and, where the head of the file says so, dimensions.

/// What can be told of a picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture<'a> {
    /// `image/png`.
    pub mime: &'a str,
    /// The address, whole.
    pub uri: &'a str,
    /// Size of the decoded file in bytes.
    pub bytes: u64,
    /// Width and height in pixels.
    pub size: Option<(u32, u32)>,
}

/// Bytes of the head in which the dimensions are looked for.
const HEAD: usize = 64 * 1024;

/// The pictures in a text, in order, at most so many.
pub fn pictures(text: &str, most: usize) -> Vec<Picture<'_>> {
    let mut out = Vec::new();
    let mut rest = text;
    while out.len() < most
        && let Some(at) = rest.find("data:image/")
    {
        rest = rest.get(at..).unwrap_or_default();
        let end = rest.find(|c: char| !is_of_uri(c)).unwrap_or(rest.len());
        let (uri, behind) = rest.split_at_checked(end).unwrap_or((rest, ""));
        out.extend(of_uri(uri));
        rest = behind;
    }
    out
}

fn is_of_uri(c: char) -> bool {
    c.is_ascii_alphanumeric() || "+/=:;,-_.".contains(c)
}

/// A picture's address; none for any other.
pub fn of_uri(uri: &str) -> Option<Picture<'_>> {
    let (mime, data) = uri.strip_prefix("data:")?.split_once(";base64,")?;
    mime.strip_prefix("image/").filter(|kind| !kind.is_empty())?;
    let digits = data.trim_end_matches('=').len() as u64;
    if digits == 0 {
        return None;
    }
    let head = decode(data.get(..data.len().min(HEAD / 3 * 4)).unwrap_or(data));
    Some(Picture { mime, uri, bytes: digits * 3 / 4, size: size(&head) })
}

fn decode(text: &str) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut count) = (0u32, 0u8);
    for byte in text.bytes() {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => break,
        };
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            out.push((bits >> count) as u8);
        }
    }
    out
}

/// Width and height by the head of a PNG, GIF, JPEG or WebP file.
fn size(head: &[u8]) -> Option<(u32, u32)> {
    let big = |at: usize, len: usize| {
        head.get(at..at + len).map(|bytes| bytes.iter().fold(0u32, |n, byte| n << 8 | u32::from(*byte)))
    };
    let little = |at: usize, len: usize| {
        head.get(at..at + len).map(|bytes| bytes.iter().rev().fold(0u32, |n, byte| n << 8 | u32::from(*byte)))
    };
    match head {
        [0x89, b'P', b'N', b'G', ..] => Some((big(16, 4)?, big(20, 4)?)),
        [b'G', b'I', b'F', b'8', ..] => Some((little(6, 2)?, little(8, 2)?)),
        [0xFF, 0xD8, ..] => {
            let mut at = 2;
            // Segments: FF, kind, length; a start of frame holds the dimensions.
            while head.get(at)? == &0xFF {
                let kind = *head.get(at + 1)?;
                if matches!(kind, 0xC0..=0xCF) && !matches!(kind, 0xC4 | 0xC8 | 0xCC) {
                    return Some((big(at + 7, 2)?, big(at + 5, 2)?));
                }
                at += 2 + (big(at + 2, 2)? as usize).max(2);
            }
            None
        }
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', b'V', b'P', b'8', form, ..] => match form {
            b'X' => Some((little(24, 3)? + 1, little(27, 3)? + 1)),
            b' ' => Some((little(26, 2)? & 0x3FFF, little(28, 2)? & 0x3FFF)),
            b'L' => {
                let bits = little(21, 4)?;
                Some(((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1))
            }
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PIXEL: &str = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=";

    #[test]
    fn a_picture_in_a_text() {
        let text = format!("see ![x]({PIXEL}) and data:text/plain;base64,AAAA");
        let found = pictures(&text, 9);
        assert_eq!(found.len(), 1);
        assert_eq!(
            (found[0].mime, found[0].uri, found[0].bytes, found[0].size),
            ("image/png", PIXEL, 68, Some((1, 1)))
        );
    }

    #[test]
    fn dimensions_by_the_head_of_the_file() {
        assert_eq!(size(b"GIF89a\x05\x01\x02\x00"), Some((261, 2)));
        let jpeg = [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 0, 0, 0xFF, 0xC0, 0, 11, 8, 0, 20, 0, 30];
        assert_eq!(size(&jpeg), Some((30, 20)));
        assert_eq!(size(b"RIFF0000WEBPVP8X0000    \x09\0\0\x04\0\0"), Some((10, 5)));
        assert_eq!(size(&[0xFF, 0xD8, 0xFF]), None);
        assert_eq!(size(b"<svg/>"), None);
    }

    #[test]
    fn no_picture() {
        for uri in ["data:image/png;base64,", "data:text/html;base64,AAAA", "https://x/y.png", "data:image/;base64,AA"]
        {
            assert_eq!(of_uri(uri), None, "{uri}");
        }
    }
}
