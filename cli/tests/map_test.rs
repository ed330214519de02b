//! `steplens map-test`: a mapping is held to its fixtures.

// A test may stop at the first thing that is not as it should be.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, missing_docs)]

mod common;
mod logs;

use common::{cases, fixture, steplens};
use logs::Folder;
use serde_json::json;
use std::fs;

const RULES: &str = "id = \"mine\"\nversion = 1\n\n[[rule]]\nid = \"mine.fetch\"\ntools = [\"webfetch\"]\nevent = \"read\"\n\
                     fields.path = [\"url\"]\nrequire = [\"path\"]\n";

fn fetch() -> String {
    logs::call((1, 2), "s", "m", "webfetch", json!({"url": "u"}), "completed")
}

/// A folder with one log and no events yet.
fn folder() -> (Folder, String) {
    let folder = Folder::new();
    folder.write("fetch.jsonl", fetch());
    let path = folder.path().display().to_string();
    (folder, path)
}

#[test]
fn events_are_written_and_then_held_to() {
    let (folder, path) = folder();
    let rules = folder.write("rules.toml", RULES);
    let head = format!("rules {rules}\n");
    let without = steplens(&["map-test", &path]);
    assert_eq!((without.code, without.err.as_str()), (1, ""));
    let wanted =
        "FAIL  fetch.jsonl\n  no events are kept beside it; `--update` writes them\n1 fixture: 0 as expected, 1 not\n";
    assert_eq!(without.out, format!("{head}{wanted}"));

    let wrote = steplens(&["map-test", &path, "--update"]).good();
    assert_eq!(wrote, format!("{head}wrote fetch.jsonl  1 event\n1 fixture: 0 as expected, 0 not, 1 written\n"));
    let events = fs::read_to_string(folder.at("fetch.events.jsonl")).unwrap();
    assert_eq!(events, steplens(&["events", &folder.at("fetch.jsonl"), "--rules", &rules]).good());
    assert_eq!(folder.names(), ["fetch.events.jsonl", "fetch.jsonl", "rules.toml"]);

    let good = steplens(&["map-test", &path]).good();
    assert_eq!(good, format!("{head}ok    fetch.jsonl  1 event\n1 fixture: 1 as expected, 0 not\n"));
    let again = steplens(&["map-test", &path, "--update"]).good();
    assert!(again.ends_with("1 fixture: 1 as expected, 0 not, 0 written\n"), "{again}");
}

#[test]
fn a_difference_names_the_line_and_the_fields() {
    let (folder, path) = folder();
    folder.write("rules.toml", RULES);
    steplens(&["map-test", &path, "--update"]).good();
    let other = folder.write("other.toml", RULES.replace("event = \"read\"", "event = \"list\""));
    let ran = steplens(&["map-test", &path, "--rules", &other]);
    assert_eq!((ran.code, ran.err.as_str()), (1, ""));
    let wanted = "FAIL  fetch.jsonl  - expected, + what it is\n  line 1:\n    - type: \"read\"\n    + type: \"list\"\n1 fixture: 0 as expected, 1 not\n";
    assert_eq!(ran.out, format!("rules {other}\n{wanted}"));

    // A line that gives an event more, and one that gives none any more.
    folder.write("fetch.jsonl", fetch().repeat(2).replacen("webfetch", "todoread", 1).replacen("prt_", "prt_0", 1));
    let ran = steplens(&["map-test", &path]);
    assert_eq!(ran.code, 1);
    let lines: Vec<&str> = ran.out.lines().map(|line| line.split('{').next().unwrap().trim_end()).collect();
    let wanted = [
        "FAIL  fetch.jsonl  - expected, + what it is",
        "  line 1: this event is expected and was not made",
        "    -",
        "  line 2: this event was made and is not expected",
        "    +",
        "1 fixture: 0 as expected, 1 not",
    ];
    assert_eq!(lines[1..], wanted);
}

/// The events of all fixtures of this program, held to without a table.
#[test]
fn every_fixture_of_the_step_stream_holds_to_its_own_events() {
    let folder = Folder::new();
    let path = folder.path().display().to_string();
    let cases = cases();
    for case in &cases {
        // Under another name: `kilo` in a file's name is a mark of the dialect.
        folder.write(&format!("{}.jsonl", case.replace("kilo", "k")), fs::read(fixture(case)).unwrap());
    }
    let count = cases.len();
    let wrote = steplens(&["map-test", &path, "--update"]).good();
    assert!(wrote.ends_with(&format!("{count} fixtures: 0 as expected, 0 not, {count} written\n")), "{wrote}");
    let good = steplens(&["map-test", &path]).good();
    assert!(good.ends_with(&format!("{count} fixtures: {count} as expected, 0 not\n")), "{good}");
}

#[test]
fn what_cannot_be_tested_is_refused() {
    let folder = Folder::new();
    let path = folder.path().display().to_string();
    let empty = steplens(&["map-test", &path]).refused();
    assert_eq!(
        empty,
        format!("steplens: {path}: no fixture in it: one is a log NAME.jsonl, and its events in NAME.events.jsonl\n")
    );
    let missing = folder.at("not-there");
    assert_eq!(steplens(&["map-test", &missing]).code, 2);
    folder.write("a.jsonl", fetch());
    let events = folder.write("a.events.jsonl", "{}\nnone\n");
    let broken = steplens(&["map-test", &path]).refused();
    assert!(broken.starts_with(&format!("steplens: {events}: line 2: no JSON object: ")), "{broken}");
    let stray = folder.write("b.events.jsonl", "{}\n");
    let message = steplens(&["map-test", &path]).refused();
    assert_eq!(message, format!("steplens: {stray}: the log that these events are of is not beside them\n"));
    folder.write("rules.toml", "id = 1\n");
    assert!(steplens(&["map-test", &path]).refused().contains("rules.toml: line 1, column 6: "));
}
