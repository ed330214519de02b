//! The redactor's labelled set, with made-up characters in it.

use std::fs;
use std::ops::Range;
use std::path::PathBuf;

/// A text, and what of it is secret.
pub(crate) struct Sample {
    pub(crate) source: String,
    pub(crate) text: String,
    pub(crate) secrets: Vec<Range<usize>>,
}

/// Made-up characters, the same in every run.
struct Made(u64);

impl Made {
    fn next(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % below
    }

    fn text(&mut self, alphabet: &str, len: usize) -> String {
        let alphabet: Vec<char> = alphabet.chars().collect();
        (0..len).map(|_| alphabet[self.next(alphabet.len())]).collect()
    }

    /// What `{alnum:36}` stands for.
    fn filled(&mut self, what: &str) -> String {
        let (lower, upper, digits) = ("abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789");
        let (kind, rest) = what.split_once(':').unwrap();
        if kind == "basic" {
            return base64(rest.as_bytes());
        }
        let len = rest.parse().unwrap();
        let alphabet = match kind {
            "alnum" => format!("{lower}{upper}{digits}"),
            "word" => format!("{lower}{upper}{digits}{digits}_-"),
            "b64" => format!("{lower}{upper}{digits}+/"),
            "hex" => "0123456789abcdef".to_owned(),
            "digits" => "123456789".to_owned(),
            "upper" => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".to_owned(),
            "lower" => lower.to_owned(),
            _ => panic!("{what}"),
        };
        // A key of any length holds a digit, and neither begins nor ends with a sign.
        let mut text = self.text(&alphabet, len);
        if len >= 6 && matches!(kind, "alnum" | "word" | "b64" | "hex") {
            text.replace_range(0..1, "k".get(..1).filter(|_| kind != "hex").unwrap_or("a"));
            text.replace_range(2..3, "7");
            text.replace_range(len - 1..len, if kind == "hex" { "4" } else { "Q" });
        }
        text
    }
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for three in bytes.chunks(3) {
        let bits = three.iter().fold(0u32, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - three.len()));
        for place in 0..4 {
            let digit = DIGITS[(bits >> (18 - 6 * place)) as usize & 63];
            out.push(if place <= three.len() { char::from(digit) } else { '=' });
        }
    }
    out
}

pub(crate) fn samples() -> Vec<Sample> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures/redact/labelled.txt");
    let file = fs::read_to_string(path).unwrap();
    let mut made = Made(1);
    let lines = file.lines().filter(|line| !line.is_empty() && !line.starts_with("# ") && !line.starts_with("## "));
    lines.map(|line| sample(line, &mut made)).collect()
}

fn sample(line: &str, made: &mut Made) -> Sample {
    let (mut text, mut secrets, mut start) = (String::new(), Vec::new(), 0);
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        match c {
            '§' => {}
            '⟦' => start = text.len(),
            '⟧' => secrets.push(start..text.len()),
            '\\' => {
                text.push(match rest.as_bytes()[0] {
                    b'n' => '\n',
                    b't' => '\t',
                    b'e' => '\u{1b}',
                    _ => '\\',
                });
                rest = &rest[1..];
            }
            '{' if is_filling(rest) => {
                let (what, behind) = rest.split_once('}').unwrap();
                text.push_str(&made.filled(what));
                rest = behind;
            }
            c => text.push(c),
        }
    }
    Sample { source: line.to_owned(), text, secrets }
}

fn is_filling(rest: &str) -> bool {
    ["alnum:", "word:", "b64:", "hex:", "digits:", "upper:", "lower:", "basic:"]
        .iter()
        .any(|kind| rest.starts_with(kind))
}

/// A way in which a log carries a text: each character as it is written, and what stands around all of it.
pub(crate) type Carrier = (&'static str, fn(char) -> String, &'static str, &'static str);

pub(crate) const CARRIERS: [Carrier; 4] = [
    ("as it is", |c| c.to_string(), "", ""),
    ("in JSON", |c| json(&c.to_string()), r#"{"type":"tool_use","part":{"state":{"output":""#, r#""}}}"#),
    ("in JSON in JSON", |c| json(&json(&c.to_string())), r#"{"output":"{\"stdout\":\""#, r#"\"}"}"#),
    ("escaped", escaped, r#"{"text":""#, r#""}"#),
];

pub(crate) fn json(text: &str) -> String {
    let quoted = serde_json::to_string(text).unwrap();
    quoted[1..quoted.len() - 1].to_owned()
}

fn escaped(c: char) -> String {
    match c {
        '/' => "\\/".to_owned(),
        'a'..='z' | 'A'..='Z' | '0'..='9' | ' ' => c.to_string(),
        c => format!("\\u{:04X}", u32::from(c)),
    }
}
