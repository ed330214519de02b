//! The redactor over its labelled set: how much of what is secret it finds, and how much of what it finds is secret.
//!
//! Each text of `tests/fixtures/redact/labelled.txt` is looked at as it is and as logs carry it: in a string of JSON, in
//! JSON within JSON, and with every sign written as an escape.

// A test may stop at the first thing that is not as it should be.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, missing_docs)]

mod common;

use common::secrets::{CARRIERS, Carrier, Sample, samples};
use std::ops::Range;
use steplens_core::redact::{self, Kinds};

#[derive(Default)]
struct Score {
    found: usize,
    exact: usize,
    missed: Vec<String>,
    wrong: Vec<String>,
}

impl Score {
    fn take(&mut self, sample: &Sample, (name, write, before, after): Carrier) {
        // Where each byte of the text stands once it is written.
        let (mut log, mut places) = (before.to_owned(), vec![0; sample.text.len() + 1]);
        for (at, c) in sample.text.char_indices() {
            places[at] = log.len();
            log.push_str(&write(c));
        }
        places[sample.text.len()] = log.len();
        log.push_str(after);
        let (masked, findings) = redact::text(&log, Kinds::default());
        if before.starts_with('{') {
            serde_json::from_str::<serde_json::Value>(&masked)
                .unwrap_or_else(|error| panic!("{error}: {log}\n{masked}"));
        }
        let (again, more) = redact::text(&masked, Kinds::default());
        assert!(more.is_empty() && again == masked, "masked twice: {masked}\n{again}");
        // Findings count from the line's start.
        let starts: Vec<usize> = std::iter::once(0).chain(log.match_indices('\n').map(|(at, _)| at + 1)).collect();
        let found: Vec<Range<usize>> = findings
            .iter()
            .map(|finding| {
                let start = starts[finding.line as usize - 1];
                start + finding.range.start..start + finding.range.end
            })
            .collect();
        for secret in &sample.secrets {
            let wanted = places[secret.start]..places[secret.end];
            let bytes = wanted.clone().filter(|at| log.as_bytes()[*at] != b'\n');
            let covered = bytes.clone().filter(|at| found.iter().any(|range| range.contains(at))).count();
            // The frame of a PEM block over several lines may stay.
            let frame =
                log[wanted.clone()].lines().filter(|line| line.starts_with("-----")).map(str::len).sum::<usize>();
            if covered + frame >= bytes.count() {
                self.found += 1;
                self.exact += usize::from(frame > 0 || found.contains(&wanted));
            } else {
                self.missed.push(format!("{name}: {}", sample.source));
            }
        }
        for range in &found {
            let is_secret =
                |secret: &Range<usize>| places[secret.start] < range.end && range.start < places[secret.end];
            if !sample.secrets.iter().any(is_secret) {
                self.wrong.push(format!("{name}: {} ({})", sample.source, &log[range.clone()]));
            }
        }
    }
}

#[test]
fn recall_and_precision_over_the_labelled_set() {
    let mut score = Score::default();
    for sample in samples() {
        for carrier in CARRIERS {
            score.take(&sample, carrier);
        }
    }
    let all = score.found + score.missed.len();
    let recall = score.found as f64 / all as f64;
    let precision = score.found as f64 / (score.found + score.wrong.len()) as f64;
    score.missed.iter().for_each(|missed| println!("missed {missed}"));
    score.wrong.iter().for_each(|wrong| println!("wrong {wrong}"));
    println!("recall {recall:.4} ({} of {all}, {} of them to the byte)", score.found, score.exact);
    println!("precision {precision:.4} ({} findings of nothing)", score.wrong.len());
    assert!(recall >= 0.99, "recall {recall}");
    assert!(precision >= 0.95, "precision {precision}");
}

#[test]
fn a_secret_that_was_found_once_is_masked_wherever_it_stands() {
    let log = "{\"a\":\"export DB_PASSWORD=xk7-qq81zz\"}\n{\"a\":\"mysql -pxk7-qq81zz; echo eGs3LXFxODF6eg==\"}\n";
    let (masked, findings) = redact::text(log, Kinds::default());
    assert_eq!(
        masked,
        "{\"a\":\"export DB_PASSWORD=[REDACTED:password]\"}\n\
         {\"a\":\"mysql -p[REDACTED:password]; echo [REDACTED:password]\"}\n"
    );
    assert_eq!(findings[0].secret, findings[1].secret, "equal secrets are told as such");
}

/// A log in which a first line gives a secret away, and a second one, of plain text, holds it in another spelling: what
/// becomes of that line.
fn second_line(given: &str, second: &str) -> String {
    let first = serde_json::json!({ "a": format!("password='{given}'") });
    let (masked, _) = redact::text(&format!("{first}\n{second}\n"), Kinds::default());
    masked.lines().nth(1).unwrap().to_owned()
}

fn percent(text: &str, twice: bool) -> String {
    let once: String = text.bytes().map(|byte| format!("%{byte:02X}")).collect();
    if twice { once.replace('%', "%25") } else { once }
}

fn hex(text: &str) -> String {
    text.bytes().map(|byte| format!("{byte:02x}")).collect()
}

/// Each text in a string of JSON, so many strings of JSON deep.
fn nested(text: &str, depth: usize) -> String {
    (0..depth).fold(text.to_owned(), |text, _| serde_json::json!({ "k": text }).to_string())
}

#[test]
fn a_secret_is_masked_in_every_spelling() {
    let mask = "[REDACTED:password]";
    for secret in
        ["p@ss w0rd/9&x", "hunter2222", r#"qu"o\te9"#, "pässwört-7ß", "пароль-2024", "b<77>&\"amp;\"", "a+b=c%41d 1"]
    {
        let form: String = secret
            .bytes()
            .map(|byte| {
                if byte == b' ' {
                    "+".into()
                } else if byte.is_ascii_alphanumeric() {
                    char::from(byte).to_string()
                } else {
                    format!("%{byte:02x}")
                }
            })
            .collect();
        let entities = secret.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;");
        let numbers: String = secret
            .chars()
            .map(|c| if c.is_alphanumeric() && c.is_ascii() { c.to_string() } else { format!("&#{};", u32::from(c)) })
            .collect();
        let units: String = secret.encode_utf16().map(|unit| format!("\\u{unit:04x}")).collect();
        let escapes: String = secret.bytes().map(|byte| format!("\\x{byte:02X}")).collect();
        for (name, spelled) in [
            ("bare", secret.to_owned()),
            ("of a form", form.clone()),
            ("of a form, in a URL", form.replace('%', "%25")),
            ("all percent", percent(secret, false)),
            ("percent twice", percent(secret, true)),
            ("entities", entities.clone()),
            ("entities twice", entities.replace('&', "&amp;")),
            ("entities by number", numbers),
            ("hex", hex(secret)),
            ("HEX", hex(secret).to_uppercase()),
            ("units", units),
            ("bytes", escapes),
        ] {
            assert_eq!(second_line(secret, &format!("x={spelled};y")), format!("x={mask};y"), "{name}: {spelled}");
            for depth in 1..=4 {
                let line = nested(&format!("x={spelled};y"), depth);
                let masked = second_line(secret, &line);
                assert_eq!(masked, nested(&format!("x={mask};y"), depth), "{name}, {depth} deep: {spelled}");
            }
        }
    }
}

#[test]
fn what_a_secret_spells_is_one_too() {
    let log = "postgres://bob:p%40ss+w0rd@db/x\np@ss w0rd\np@ss+w0rd\n\
        Authorization: Basic Ym9iOmh1bnRlcjIyMjI=\nx hunter2222 y\nPASSWORD=\"pa\\$$77word\"\nx pa$$77word y";
    let (masked, _) = redact::text(log, Kinds::default());
    assert_eq!(
        masked,
        "postgres://bob:[REDACTED:url-password]@db/x\n[REDACTED:url-password]\n[REDACTED:url-password]\n\
         Authorization: Basic [REDACTED:basic]\nx [REDACTED:basic] y\n\
         PASSWORD=\"[REDACTED:password]\"\nx [REDACTED:password] y"
    );
}

#[test]
fn a_mask_parts_no_escape_and_reaches_over_no_quote() {
    // The `n` of a line's end, and a quote that ends a string, are none of a secret's.
    let log = "PASSWORD=nabc12345\n{\"a\":\"x\\nabc12345\"}\nPASSWORD='abc1234\",7'\n{\"a\":[\"abc1234\",7]}\n{\"a\":\"C:\\\\nabc12345\"}";
    let (masked, _) = redact::text(log, Kinds::default());
    assert_eq!(
        masked,
        "PASSWORD=[REDACTED:password]\n{\"a\":\"x\\nabc12345\"}\nPASSWORD='[REDACTED:password]'\n{\"a\":[\"abc1234\",7]}\n{\"a\":\"C:\\\\[REDACTED:password]\"}"
    );
}

#[test]
fn a_command_goes_on_behind_a_backslash_at_the_end_of_its_line() {
    for (command, masked) in [
        ("mysql -h db \\\n  -uroot \\\n  -phunter2 app", "mysql -h db \\\n  -uroot \\\n  -p[REDACTED:password] app"),
        ("docker login r \\\n  -p hunter2", "docker login r \\\n  -p [REDACTED:password]"),
        ("docker login r\nmkdir -p hunter2", "docker login r\nmkdir -p hunter2"),
        ("sshpass -p hunter2 ssh x\nssh -p 2222 y", "sshpass -p [REDACTED:password] ssh x\nssh -p 2222 y"),
        ("curl https://x \\\n  -u bob:hunter2", "curl https://x \\\n  -u bob:[REDACTED:basic]"),
    ] {
        for depth in 1..=3 {
            let (found, _) = redact::text(&nested(command, depth), Kinds::default());
            assert_eq!(found, nested(masked, depth));
        }
    }
}

#[test]
fn names_are_masked_only_if_asked_for() {
    let log = "{\"cwd\":\"/home/jdoe/x\",\"out\":\"jdoe@buildbox:~$ ls\\njdoe jdoes\"}";
    assert_eq!(redact::text(log, Kinds::default()).0, "{\"cwd\":\"~/x\",\"out\":\"jdoe@buildbox:~$ ls\\njdoe jdoes\"}");
    assert_eq!(
        redact::text(log, Kinds::all()).0,
        "{\"cwd\":\"~/x\",\"out\":\"[REDACTED:user]@[REDACTED:host]:~$ ls\\n[REDACTED:user] jdoes\"}"
    );
}

#[test]
fn a_bare_number_that_is_a_password_becomes_a_text() {
    let (masked, _) = redact::text(r#"{"password":12345678,"a":"{\"password\":12345678}"}"#, Kinds::default());
    assert_eq!(masked, r#"{"password":"[REDACTED:password]","a":"{\"password\":\"[REDACTED:password]\"}"}"#);
}

#[test]
fn a_pem_block_over_several_lines_keeps_its_lines() {
    let body = "MIIEowIBAAKCAQEA7".repeat(3);
    let (begin, end) =
        (format!("-----BEGIN {}-----", "RSA PRIVATE KEY"), format!("-----END {}-----", "RSA PRIVATE KEY"));
    let (masked, _) = redact::text(&format!("{begin}\r\n{body}\r\n{body}\r\n{end}\r\nkeep\r"), Kinds::default());
    let mask = "[REDACTED:private-key]";
    assert_eq!(masked, format!("{begin}\r\n{mask}\r\n{mask}\r\n{end}\r\nkeep\r"));
}

#[test]
fn a_value_on_the_lines_below_its_name_is_masked_and_no_event_is() {
    for (log, masked) in [
        // A block scalar ends where its lines do.
        ("password: |\n  hunter22\n  hunter33\nport: 5432\n", "password: |\n  [M]\n  [M]\nport: 5432\n"),
        (
            "- a:\n    password: >-\r\n      hunter22\r\n    port: 1\r\n",
            "- a:\n    password: >-\r\n      [M]\r\n    port: 1\r\n",
        ),
        (
            "password: |\n{\"type\":\"text\",\"text\":\"hunter22\"}\n",
            "password: |\n{\"type\":\"text\",\"text\":\"hunter22\"}\n",
        ),
        ("password: |\n  {\"a\":\"hunter22\"}\n  hunter33\n", "password: |\n  {\"a\":\"hunter22\"}\n  hunter33\n"),
        // A pair ends with its item or object.
        ("- name: DB_PASSWORD\n  value: hunter\n", "- name: DB_PASSWORD\n  value: [M]\n"),
        ("- name: DB_PASSWORD\n- name: B\n  value: hunter\n", "- name: DB_PASSWORD\n- name: B\n  value: hunter\n"),
        (
            "{\n  \"name\": \"DB_PASSWORD\",\n  \"value\": \"hunter22\"\n}\n",
            "{\n  \"name\": \"DB_PASSWORD\",\n  \"value\": \"[M]\"\n}\n",
        ),
        (
            "{\"name\": \"DB_PASSWORD\"}\n{\"value\": \"hunter22\"}\n",
            "{\"name\": \"DB_PASSWORD\"}\n{\"value\": \"hunter22\"}\n",
        ),
        // A field of a form is one line.
        (
            "Content-Disposition: form-data; name=\"password\"\r\n\r\nhunter22\r\nabc12345\r\n",
            "Content-Disposition: form-data; name=\"password\"\r\n\r\n[M]\r\nabc12345\r\n",
        ),
    ] {
        assert_eq!(redact::text(log, Kinds::default()).0, masked.replace("[M]", "[REDACTED:password]"), "{log}");
    }
}

#[test]
fn an_excerpt_parts_no_character() {
    let log = "ééé password=hunter22 ééé";
    let (_, findings) = redact::text(log, Kinds::default());
    let excerpt = findings[0].excerpt(log.as_bytes(), 11);
    assert_eq!((&*excerpt.before, &*excerpt.secret, &*excerpt.after), ("é password=", "hunter22", " ééé"));
    assert_eq!(findings[0].id().to_string(), "1:16");
}
