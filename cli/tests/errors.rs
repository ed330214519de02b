//! What cannot be done: exit code 2, and a message that says what is wrong, where, and what to do.

// A test may stop at the first thing that is not as it should be.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, missing_docs)]

mod common;

use common::{fixture, own_file, steplens, with_input};

const COMMANDS: [&[&str]; 4] = [&["summary"], &["summary", "--json"], &["events"], &["explain", "--line", "1"]];

/// The message of every command that reads a file.
#[track_caller]
fn refusals(path: &str) -> String {
    let first = steplens(&[path]).refused();
    for command in COMMANDS {
        assert_eq!(steplens(&[command, &[path]].concat()).refused(), first, "{command:?}");
    }
    first
}

#[test]
fn a_file_that_is_not_there() {
    assert_eq!(refusals("no/such/run.jsonl"), "steplens: no/such/run.jsonl: there is no such file\n");
    // A mistyped subcommand is taken for a file, and is said not to be there.
    assert_eq!(
        steplens(&["sumary"]).refused(),
        "steplens: sumary: there is no such file, nor a command of that name (`steplens --help` lists them)\n"
    );
    let good = fixture("case_verdict_stop");
    assert_eq!(steplens(&["events", &good, "gone.jsonl"]).refused(), "steplens: gone.jsonl: there is no such file\n");
}

#[test]
fn a_folder() {
    let folder = common::fixtures().display().to_string();
    let message = steplens(&[&folder]).refused();
    assert!(message.starts_with(&format!("steplens: {folder}: ")) && message.contains("folder"), "{message}");
}

#[test]
fn an_empty_file() {
    for blank in ["", "\n", " \n\t\r\n"] {
        let file = own_file("run.jsonl", blank);
        let message = refusals(&file.path);
        assert!(message.starts_with(&format!("steplens: {}: the file is empty", file.path)), "{message}");
    }
    let message = with_input(&["-"], b"").refused();
    assert!(message.contains("empty"), "{message}");
}

/// The message names what was tried and shows what is there instead.
#[test]
fn a_file_that_is_no_log() {
    let of = |bytes: &[u8]| {
        let file = own_file("notes.txt", bytes);
        let message = refusals(&file.path);
        assert!(message.starts_with(&format!("steplens: {}: no record recognised", file.path)), "{message}");
        assert!(message.contains("step-stream") && message.contains("kilo run --format json"), "{message}");
        assert_eq!(message.lines().count(), 1, "one line: {message}");
        message
    };
    assert!(of(b"hello\nworld\n").contains(r#""hello\nworld""#), "the first bytes are shown");
    assert!(of(b"{\"level\":\"info\"}\n").contains(r#"{\"level\":\"info\"}"#));
    assert!(
        of(b"\x7fELF\x02\x01\x01\x00").contains("7f 45 4c 46 02 01 01 00"),
        "bytes that are no text are shown as hex"
    );
    let long = of("word ".repeat(100).as_bytes());
    assert!(long.len() < 500, "only the head is shown: {long}");
    let escapes = of(b"\x1b[31mred\x1b[0m\x1b]0;title\x07");
    assert!(!escapes.contains('\u{1b}') && !escapes.contains('\u{7}'), "{escapes:?}");
}

/// What is no log is left out beside one that is, and said to be: on standard error, and in the document.
#[test]
fn one_file_of_several_that_is_no_log() {
    let (notes, empty) = (own_file("notes.txt", "just notes\n"), own_file("empty.jsonl", ""));
    let good = fixture("case_verdict_stop");
    let alone = steplens(&["summary", "--json", &good]).good();
    for order in [[&notes.path, &good, &empty.path], [&good, &empty.path, &notes.path]] {
        let ran = steplens(&[&["summary", "--json"][..], &order.map(String::as_str)].concat());
        let said = &ran.err;
        assert!(said.contains(&notes.path) && said.contains("just notes") && said.contains("left out"), "{said}");
        assert!(said.contains(&format!("{}: the file is empty", empty.path)), "{said}");
        let document: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
        let whole: serde_json::Value = serde_json::from_str(&alone).unwrap();
        for key in ["files", "total", "records", "sessions"] {
            assert_eq!(document[key], whole[key], "{key}");
        }
        let left_out = document["leftOut"].as_array().unwrap();
        let names: Vec<&str> = left_out.iter().map(|file| file["name"].as_str().unwrap()).collect();
        assert!(names.len() == 2 && names.contains(&"notes.txt") && names.contains(&"empty.jsonl"), "{names:?}");
    }
    // A gate is no place to be lenient: the run that wrote an empty log may have died.
    let message = steplens(&["check", "--no-unknown", &good, &empty.path]).refused();
    assert!(message.contains("the file is empty"), "{message}");
    let message = steplens(&["summary", &notes.path, &empty.path]).refused();
    assert!(message.contains("just notes"), "the first is named: {message}");
}

#[test]
fn wrong_use() {
    for args in [
        &["summary"][..],
        &["events"],
        &["explain"],
        &["--dialect", "cline", "run.jsonl"],
        &["--color", "sometimes", "run.jsonl"],
        &["summary", "--jsn", "run.jsonl"],
    ] {
        let message = steplens(args).refused();
        assert!(message.starts_with("error: "), "{args:?}: {message}");
    }
    // Without any argument the help is shown.
    let message = steplens(&[]).refused();
    assert!(message.contains("Usage: steplens"), "{message}");
}

/// What a user is warned of on standard output is never an exit code: a failed run is a fine log.
#[test]
fn a_log_of_a_failed_run_is_no_error() {
    for case in ["case_verdict_error", "cut_mid_line", "noise_between_records", "kilo_permission_refused"] {
        steplens(&[&fixture(case)]).good();
    }
}

/// What is emptied while its writer goes on begins with NUL bytes: the record behind them is read.
#[test]
fn nul_bytes_before_a_record_are_one_record_of_their_own() {
    let good = std::fs::read(fixture("case_verdict_stop")).unwrap();
    let file = own_file("run.jsonl", [&[0; 300_000][..], &good].concat());
    let document: serde_json::Value = serde_json::from_str(&steplens(&["--json", &file.path]).good()).unwrap();
    let records = &document["records"];
    assert_eq!((&records["total"], &records["malformed"]), (&serde_json::json!(4), &serde_json::json!(1)));
    assert_eq!(document["sessions"][0]["verdict"]["state"], "completed");
    let message = document["diagnostics"][0]["message"].as_str().unwrap();
    assert!(message.starts_with("NUL bytes: the file was emptied"), "{message}");
}

/// Devices that never end are given up, with little memory taken.
#[cfg(unix)]
#[test]
fn what_never_ends_is_given_up() {
    let message = steplens(&["/dev/zero"]).refused();
    assert!(message.starts_with("steplens: /dev/zero: cannot be read: no record in its first"), "{message}");
}

#[test]
fn an_empty_name_says_so() {
    for option in ["--model", "--session"] {
        let message = steplens(&[option, "", &fixture("case_verdict_stop")]).refused();
        assert!(message.contains("it is empty; leave the option out"), "{message}");
    }
}
