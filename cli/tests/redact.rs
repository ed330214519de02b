//! `steplens redact`: the masked log, its report, and where they go.

// A test may stop at the first thing that is not as it should be.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, missing_docs)]

mod common;
mod logs;

use common::{own_file, steplens, with_input};
use serde_json::{Value, json};
use std::fs;

/// A call that prints a token and a home directory, and one that uses the token again.
fn log() -> String {
    [
        logs::step_start(0, "ses_1", "msg_1"),
        logs::call(
            (1, 2),
            "ses_1",
            "msg_1",
            "bash",
            json!({"command": "export FOO_TOKEN=abc12345678; ls /home/bob/x"}),
            "completed",
        ),
        logs::call((3, 4), "ses_1", "msg_1", "bash", json!({"command": "curl -d abc12345678 x"}), "completed"),
    ]
    .concat()
}

fn masked() -> String {
    log().replace("abc12345678", "[REDACTED:token]").replace("/home/bob", "~")
}

#[test]
fn the_masked_log_goes_to_standard_output_and_the_sum_to_standard_error() {
    let file = own_file("run.jsonl", log());
    let ran = steplens(&["redact", &file.path]);
    assert_eq!((ran.code, ran.out), (0, masked()));
    assert_eq!(ran.err, format!("steplens: masked in {}: 2 token, 1 home\n", file.path));
    assert_eq!(steplens(&["redact", &file.path, "-q"]).good(), masked());
    assert_eq!(with_input(&["redact", "-", "-q"], log().as_bytes()).good(), masked());
}

#[test]
fn a_file_is_written_whole_and_never_over_the_log() {
    let file = own_file("run.jsonl", log());
    let out = file.path.replace("run.jsonl", "shared.jsonl");
    assert_eq!(steplens(&["redact", &file.path, "-o", &out, "-q"]).good(), "");
    assert_eq!(fs::read_to_string(&out).unwrap(), masked());
    assert!(steplens(&["redact", &file.path, "-o", &out]).refused().contains("--force"));
    steplens(&["redact", &file.path, "-o", &file.path, "--force"]).refused();
    assert_eq!(fs::read_to_string(&file.path).unwrap(), log());
}

#[test]
fn a_packed_log_comes_out_unpacked_and_that_is_said() {
    let file = own_file("run.jsonl.gz", logs::gzip(log()));
    let ran = steplens(&["redact", &file.path]);
    assert_eq!((ran.code, ran.out), (0, masked()));
    assert!(ran.err.contains("it is packed (gzip); what is written is not"), "{}", ran.err);
}

#[test]
fn a_report_names_places_and_no_secret() {
    let file = own_file("run.jsonl", log());
    let text = steplens(&["redact", &file.path, "--report"]).good();
    assert!(!text.contains("abc12345678") && !text.contains("bob"), "{text}");
    assert!(text.contains(": 3 places to mask\n"), "{text}");
    assert!(text.contains("token  2 places, all the same  a value that is named a token\n"), "{text}");
    assert!(text.contains("  line 2  "), "{text}");
    let out = file.path.replace("run.jsonl", "shared.jsonl");
    let report = steplens(&["redact", &file.path, "-o", &out, "--report=json"]).good();
    assert_eq!(fs::read_to_string(&out).unwrap(), masked());
    assert!(!report.contains("abc12345678") && !report.contains("bob"), "{report}");
    let report: Value = serde_json::from_str(&report).unwrap();
    assert_eq!(report["total"], 3);
    assert_eq!(
        report["kinds"],
        json!([
            {"kind": "token", "group": "assigned", "places": 2, "secrets": 1},
            {"kind": "home", "group": "personal", "places": 1, "secrets": 1},
        ])
    );
    let first = &report["findings"][0];
    let at = log().lines().nth(1).unwrap().find("abc12345678").unwrap();
    assert_eq!((&first["line"], &first["offset"], &first["length"]), (&json!(2), &json!(at), &json!(11)));
    assert_eq!(first["id"], format!("2:{at}"));
    assert_eq!(first["pointer"], "/part/state/input/command");
    assert_eq!((&first["secret"], &report["findings"][2]["secret"]), (&json!(1), &json!(1)));
    assert!(first["after"].as_str().unwrap().ends_with("; ls ~"), "{first}");
}

#[test]
fn kinds_can_be_chosen() {
    let file = own_file("run.jsonl", log());
    let only_home = steplens(&["redact", &file.path, "-q", "--kinds", "home"]).good();
    assert_eq!(only_home, log().replace("/home/bob", "~"));
    let but_home = steplens(&["redact", &file.path, "-q", "--except", "personal"]).good();
    assert_eq!(but_home, log().replace("abc12345678", "[REDACTED:token]"));
    let message = steplens(&["redact", &file.path, "--kinds", "tokens"]).refused();
    assert!(message.contains("groups: pem, keys") && message.contains("github-token"), "{message}");
}

#[test]
fn nothing_found_is_said_with_what_was_looked_for() {
    let file = own_file("run.jsonl", logs::run("ses_1"));
    let ran = steplens(&["redact", &file.path]);
    assert_eq!((ran.code, ran.out), (0, logs::run("ses_1")));
    assert_eq!(ran.err, format!("steplens: nothing found to mask in {}\n", file.path));
    let report = steplens(&["redact", &file.path, "--report", "--kinds", "jwt,email"]).good();
    assert_eq!(report, format!("{}: nothing found\nlooked for: jwt, email\n", file.path));
}

#[test]
fn where_nothing_was_looked_for_that_is_said() {
    let file = own_file("run.jsonl", log());
    let said = steplens(&["redact", &file.path, "--except", "all", "--report"]).good();
    assert_eq!(said, format!("{}: nothing found\nnothing was looked for: all kinds were left out\n", file.path));
}

#[test]
fn what_is_no_log_is_refused() {
    let file = own_file("notes.txt", "password=hunter22\n");
    assert!(steplens(&["redact", &file.path]).refused().contains("no record recognised"));
}
