//! Bytes as the signs that a link may hold.

use super::LinkError;

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// Without what a link would have to escape, and without padding.
pub fn encode(bytes: &[u8]) -> String {
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

/// Reads what [`encode`] writes; what other programs do to it (`+`, `/`, `=`, line ends) is put up with.
///
/// # Errors
/// It is empty, holds a sign that cannot stand there, or ends within a byte.
pub fn decode(text: &str) -> Result<Vec<u8>, LinkError> {
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
