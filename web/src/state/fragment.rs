//! The text form of the page's state in the URL: `#v=1&tab=tools&e=61.prt_1&f=command,failed`.
//!
//! `&`-joined `key=value`, percent-encoded. Keys that this version does not know are kept as they are.

use steplens_core::share::percent::encode;

/// Key and value of each pair, decoded. A key without `=` has an empty value.
pub fn parse(fragment: &str) -> Vec<(String, String)> {
    fragment
        .trim_start_matches('#')
        .split('&')
        .filter(|pair| !pair.is_empty())
        .map(|pair| {
            let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
            (decode(key), decode(value))
        })
        .collect()
}

/// The pairs as a fragment, without `#`.
pub fn write<'a>(pairs: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    pairs.map(|(key, value)| format!("{}={}", encode(key), encode(value))).collect::<Vec<_>>().join("&")
}

/// Reads percent-encoding; what is no such code stands for itself.
pub fn decode(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [byte, tail @ ..] = rest {
        if let (b'%', [high, low, after @ ..]) = (*byte, tail)
            && let (Some(high), Some(low)) = (hex(*high), hex(*low))
        {
            bytes.push(high * 16 + low);
            rest = after;
        } else {
            bytes.push(*byte);
            rest = tail;
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn hex(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).and_then(|d| u8::try_from(d).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        for text in ["", "a b&c=d", "100 %", "ä → ☃", "a%2Cb", "#"] {
            assert_eq!(decode(&encode(text)), text);
        }
        let pairs = [("v", "1"), ("q", "a&b = c"), ("odd key", "")];
        let text = write(pairs.into_iter());
        let read = parse(&format!("#{text}"));
        let read: Vec<_> = read.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect();
        assert_eq!(read, pairs);
    }

    #[test]
    fn half_a_code_stands_for_itself() {
        assert_eq!(decode("5%"), "5%");
        assert_eq!(decode("%4"), "%4");
        assert_eq!(decode("%zz%41"), "%zzA");
    }
}
