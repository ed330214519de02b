//! What must hold of every log that is redacted: JSON stays JSON, a line a line, and the events are the same but for their
//! texts; and nothing that was masked is left in it.

// A test may stop at the first thing that is not as it should be.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, missing_docs)]

mod common;

use common::generate::config;
use common::secrets::{Sample, json, samples};
use common::{Opened, fixtures, open};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use steplens_core::redact::{Finding, Kinds, Survey};
use steplens_core::run::DialectChoice;

/// Redacts bytes, in pieces of this size.
fn redacted(log: &[u8], chunk: usize) -> (Vec<u8>, Vec<Finding>) {
    let mut survey = Survey::new(Kinds::default());
    log.chunks(chunk).for_each(|piece| survey.push(piece));
    survey.end_file();
    let (mut out, mut findings) = (Vec::new(), Vec::new());
    let mut note = |finding: &Finding, _: &[u8]| {
        findings.push(finding.clone());
        true
    };
    let mut redactor = survey.redactor();
    log.chunks(chunk).for_each(|piece| redactor.push(piece, &mut out, &mut note));
    redactor.finish(&mut out, &mut note);
    (out, findings)
}

/// All that a log says, but for its texts.
fn said(log: &[u8]) -> Vec<Value> {
    let files = [("run.jsonl", log)];
    let opened: Opened<'_> = open(&files, DialectChoice::Auto, 64 << 10);
    let pick = |value: &Value, keys: &[&str]| keys.iter().map(|key| value[*key].clone()).collect::<Value>();
    let mut said: Vec<Value> = opened
        .event_values()
        .iter()
        .map(|event| {
            pick(
                event,
                &[
                    "type",
                    "line",
                    "tool",
                    "outcome",
                    "status",
                    "exitCode",
                    "tokens",
                    "costUsd",
                    "timeMs",
                    "callId",
                    "partId",
                    "sessionId",
                ],
            )
        })
        .collect();
    let summary = serde_json::to_value(opened.run.summary()).unwrap();
    said.push(pick(&summary, &["records", "total", "dialect"]));
    let sessions = summary["sessions"].as_array().unwrap().iter();
    said.extend(sessions.map(|session| pick(session, &["id", "steps", "calls", "tokens", "cost", "durationMs"])));
    said
}

/// All that holds of every redacted log.
fn prove(log: &[u8], about: &str) -> Vec<u8> {
    let (masked, findings) = redacted(log, 64 << 10);
    assert_eq!(redacted(log, 7), (masked.clone(), findings), "{about}: pieces of another size");
    let (before, after): (Vec<&[u8]>, Vec<&[u8]>) =
        (log.split(|byte| *byte == b'\n').collect(), masked.split(|byte| *byte == b'\n').collect());
    assert_eq!(before.len(), after.len(), "{about}: lines");
    for (before, after) in before.iter().zip(&after) {
        same_depths(&String::from_utf8_lossy(before), &String::from_utf8_lossy(after), about);
    }
    masked
}

/// The same, and that nothing more is found in what is masked. Of made-up text that does not hold: where a mask stands in
/// place of a quote that opened nothing, what follows may read in another way.
fn prove_twice(log: &[u8], about: &str) -> Vec<u8> {
    let masked = prove(log, about);
    assert_eq!(String::from_utf8_lossy(&redacted(&masked, 64 << 10).0), String::from_utf8_lossy(&masked), "{about}");
    masked
}

/// What was JSON is JSON, and so is what its strings hold.
fn same_depths(before: &str, after: &str, about: &str) {
    let Ok(before_value) = serde_json::from_str::<Value>(before) else { return };
    if !before_value.is_object() && !before_value.is_array() {
        return;
    }
    let after_value: Value =
        serde_json::from_str(after).unwrap_or_else(|error| panic!("{about}: {error}\n{before}\n{after}"));
    fn walk(before: &Value, after: &Value, about: &str) {
        match (before, after) {
            (Value::Object(a), Value::Object(b)) => a.values().zip(b.values()).for_each(|(a, b)| walk(a, b, about)),
            (Value::Array(a), Value::Array(b)) => a.iter().zip(b).for_each(|(a, b)| walk(a, b, about)),
            (Value::String(a), Value::String(b)) => same_depths(a, b, about),
            _ => {}
        }
    }
    walk(&before_value, &after_value, about);
}

fn logs() -> Vec<PathBuf> {
    let root = fixtures().join("..");
    let folders = ["step_stream", "bus", "export"].map(|folder| root.join(folder));
    let files = folders.iter().flat_map(|folder| fs::read_dir(folder).unwrap());
    let mut logs: Vec<PathBuf> = files.map(|entry| entry.unwrap().path()).collect();
    logs.retain(|path| path.extension().is_some_and(|end| end != "txt"));
    logs.sort();
    logs
}

#[test]
fn every_fixture_says_the_same_when_it_is_redacted() {
    let logs = logs();
    assert!(logs.len() > 100);
    for path in logs {
        let log = fs::read(&path).unwrap();
        let about = path.display().to_string();
        let masked = prove_twice(&log, &about);
        assert_eq!(said(&masked), said(&log), "{about}");
    }
}

/// A call that holds a text as its command, its output and its error.
fn call(text: &str) -> String {
    let text = json(text);
    format!(
        r#"{{"type":"tool_use","timestamp":1767445000200,"sessionID":"ses_1f2e3d4c5b6a","part":{{"id":"prt_0283","sessionID":"ses_1f2e3d4c5b6a","messageID":"msg_0074","type":"tool","callID":"call_0282","tool":"bash","state":{{"status":"completed","input":{{"command":"{text}"}},"output":"{text}","title":"{text}","metadata":{{"exit":0}},"time":{{"start":1767445000100,"end":1767445000200}}}}}}}}
{{"type":"text","timestamp":1767445000300,"sessionID":"ses_1f2e3d4c5b6a","part":{{"id":"prt_0284","sessionID":"ses_1f2e3d4c5b6a","messageID":"msg_0074","type":"text","text":"{text}"}}}}
"#
    )
}

/// The labelled texts as commands, alone and behind what makes a command a file operation.
#[test]
fn a_call_stays_what_it_was_whatever_secret_is_in_it() {
    // A shell reads `$`, a space and a line's end in a secret, and none in a mask.
    let plain =
        |sample: &Sample| !sample.secrets.iter().any(|secret| sample.text[secret.clone()].contains(['$', ' ', '\n']));
    for sample in samples().into_iter().filter(plain) {
        for command in ["", "cat ", "cd x && cat "] {
            let log = call(&format!("{command}{}", sample.text));
            let (masked, _) = redacted(log.as_bytes(), 64 << 10);
            assert_eq!(said(&masked), said(log.as_bytes()), "{command}{}", sample.source);
        }
    }
}

#[test]
fn nothing_that_was_masked_is_left_in_any_form() {
    for sample in samples() {
        let log = call(&sample.text);
        let masked = String::from_utf8(prove_twice(log.as_bytes(), &sample.source)).unwrap();
        for secret in &sample.secrets {
            // Short words and homes may stand elsewhere; lines of a block are masked one by one.
            let secret = &sample.text[secret.clone()];
            if secret.len() >= 8 && secret.bytes().any(|byte| byte.is_ascii_digit()) && !secret.contains('\n') {
                assert!(!masked.contains(secret), "{}: {masked}", sample.source);
                assert!(!masked.contains(&json(secret)), "{}: {masked}", sample.source);
            }
        }
    }
}

/// Two-byte encodings come out as they came in.
#[test]
fn wide_text_stays_wide() {
    let log = call("export FOO_TOKEN=abc12345678 # é");
    let wide: Vec<u8> = [0xFEFF].into_iter().chain(log.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    let (masked, _) = redacted(&wide, 5);
    let units: Vec<u16> = masked.chunks(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
    let text = String::from_utf16(&units).unwrap();
    assert_eq!(text, format!("\u{FEFF}{}", log.replace("abc12345678", "[REDACTED:token]")));
}

static KEYS: &[&str] = &["password", "output", "token", "a"];

static PIECES: &[&str] = &[
    "password",
    "=",
    ": ",
    ":",
    "\"",
    "'",
    "`",
    "\\",
    "\n",
    "hunter22",
    "xk7-qq81zz",
    "Bearer ",
    "token",
    "api_key",
    " ",
    "{",
    "}",
    "[",
    "]",
    ",",
    "://",
    "bob",
    "@",
    "example.com",
    "/home/bob",
    "C:\\Users\\bob",
    "é",
    "12345678",
    "\u{1b}[31m",
    "--token ",
    "-----BEGIN PRIVATE ",
    "KEY-----",
    "-----END PRIVATE ",
    "curl -u ",
    ": |\n  ",
    "name",
    "value",
    "(",
    "|",
    "<",
    ">",
    "===",
    "\", \"",
    "['",
    " is ",
    "echo ",
    " | sudo -S ",
    "：",
    "пароль",
];

proptest! {
    #![proptest_config(config(256))]

    /// Whatever stands in whatever string, at any depth.
    #[test]
    fn json_stays_json_at_every_depth(
        texts in prop::collection::vec((select(KEYS), prop::collection::vec(select(PIECES), 0..14)), 1..4),
        depth in 0usize..3,
        escaped in any::<bool>(),
    ) {
        let fields: Vec<String> = texts.iter().map(|(key, pieces)| format!("\"{key}\":\"{}\"", json(&pieces.concat()))).collect();
        let mut line = format!("{{{}}}", fields.join(","));
        for _ in 0..depth {
            line = format!("{{\"text\":\"{}\",\"b\":1}}", json(&line));
        }
        if escaped {
            line = line.replace("\\\"", "\\u0022").replace('@', "\\u0040").replace('/', "\\/");
        }
        prove(line.as_bytes(), "made up");
    }

    /// Any text comes through, line by line.
    #[test]
    fn any_text_keeps_its_lines(pieces in prop::collection::vec(select(PIECES), 0..40)) {
        prove(pieces.concat().as_bytes(), "made up");
    }
}
