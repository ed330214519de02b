//! `steplens events`: one JSON object a line, in file order.

// A test may stop at the first thing that is not as it should be.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, missing_docs)]

mod common;

use common::{cases, command, fixture, own_file, steplens, with_input};
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};
use steplens_core::run::{Options, Run};

fn events(args: &[&str]) -> Vec<Value> {
    let out = steplens(&[&["events"], args].concat()).good();
    out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The lines of every fixture are what the core makes of it.
#[test]
fn the_lines_are_what_the_core_says() {
    for case in cases() {
        let bytes = fs::read(fixture(&case)).unwrap();
        let mut run = Run::new(Options::default());
        run.begin_file(&format!("{case}.jsonl"));
        run.push(&bytes);
        run.end_file();
        let mut wanted = String::new();
        for record in run.event_records() {
            let span = run.source_of(record).unwrap();
            let line = &bytes[span.offset as usize..(span.offset + span.len) as usize];
            for event in run.events_of(record, line) {
                wanted.push_str(&event.to_json_line());
                wanted.push('\n');
            }
        }
        assert_eq!(steplens(&["events", &fixture(&case)]).good(), wanted, "{case}");
    }
}

#[test]
fn an_event_in_full() {
    let out = steplens(&["events", &fixture("case_green_but_failed")]).good();
    assert_eq!(
        out,
        "{\"type\":\"command\",\"timestamp\":\"2026-01-03T12:56:40.200Z\",\"sessionId\":\"ses_1f2e3d4c5b6a\",\"line\":2,\
         \"rule\":\"opencode.bash\",\"tool\":\"bash\",\"callId\":\"call_0061\",\"command\":\"nosuchcmd\",\"exitCode\":127,\
         \"isSuccess\":true,\"outcome\":\"failed\",\"durationMs\":100}\n"
    );
}

#[test]
fn events_stand_in_file_order() {
    let lines: Vec<u64> =
        events(&[&fixture("child_sessions_in_file")]).iter().map(|event| event["line"].as_u64().unwrap()).collect();
    assert_eq!(lines, [2, 4, 7, 10, 13, 15, 18]);
    // A call that was finished later stands at its end.
    let lines: Vec<u64> =
        events(&[&fixture("triples_of_states")]).iter().map(|event| event["line"].as_u64().unwrap()).collect();
    assert_eq!(lines, [10, 12, 13, 14, 15]);
}

#[test]
fn a_log_without_events_prints_nothing() {
    assert_eq!(steplens(&["events", &fixture("case_cut_one_line")]).good(), "");
}

#[test]
fn standard_input_is_read_twice_from_a_copy() {
    for case in ["kilo_late_mark", "pruned_calls", "crlf_and_bom", "cut_mid_character"] {
        let bytes = fs::read(fixture(case)).unwrap();
        let from_file = steplens(&["events", "--dialect", "kilo", &fixture(case)]).good();
        assert_eq!(with_input(&["events", "--dialect", "kilo", "-"], &bytes).good(), from_file, "{case}");
    }
}

#[test]
fn several_files_are_named_on_each_event() {
    let left = own_file("left.jsonl", "{\"type\":\"text\",\"sessionID\":\"s\",\"text\":\"one\"}\n");
    let right = own_file("right.jsonl", "\n{\"type\":\"text\",\"sessionID\":\"s\",\"text\":\"two\"}");
    let both = events(&[&left.path, &right.path]);
    let places: Vec<_> = both.iter().map(|event| (event["file"].as_str(), event["line"].as_u64())).collect();
    assert_eq!(places, [(Some("left.jsonl"), Some(1)), (Some("right.jsonl"), Some(2))]);
    assert_eq!(events(&[&left.path])[0].get("file"), None);
}

/// Readers that cut text at every Unicode line end must not tear a line apart.
#[test]
fn no_line_end_of_unicode_stands_inside_a_line() {
    let out = steplens(&["events", &fixture("control_characters")]).good();
    assert!(!out.contains(['\u{85}', '\u{2028}', '\u{2029}']));
    assert_eq!(out.lines().count(), 4);
    assert!(out.contains("a\\u0085b\\u2028c\\u2029d"), "{out}");
}

/// Whoever reads the pipe may stop when they have seen enough: that is no error.
#[test]
fn a_broken_pipe_is_no_error() {
    let log = own_file("long.jsonl", "{\"type\":\"text\",\"sessionID\":\"s\",\"text\":\"hello\"}\n".repeat(30_000));
    let mut child = Command::new(command().get_program())
        .args(["events", &log.path])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
    assert!(first.starts_with("{\"type\":\"agent\",\"sessionId\":\"s\",\"line\":1,"), "{first}");
    let mut complaint = String::new();
    child.stderr.take().unwrap().read_to_string(&mut complaint).unwrap();
    assert_eq!((child.wait().unwrap().code(), complaint.as_str()), (Some(0), ""));
}

/// A line longer than any buffer comes out whole, and so do its neighbours.
#[test]
fn a_line_of_three_megabytes() {
    let text = "é".repeat(1_500_000);
    let line = |text: &str| format!("{{\"type\":\"text\",\"sessionID\":\"s\",\"text\":\"{text}\"}}\n");
    let log = own_file("long.jsonl", line("before") + &line(&text) + &line("after"));
    let messages: Vec<_> = events(&[&log.path]).into_iter().map(|event| event["message"].clone()).collect();
    assert_eq!(messages, ["before", &text, "after"]);
}
