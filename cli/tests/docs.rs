//! Every command in the documents and in the help can be run as it stands there.

// A test may stop at the first thing that is not as it should be.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, missing_docs)]

mod common;
mod logs;

use common::{command, ran, steplens};
use logs::Folder;
use std::fs;
use std::path::Path;

/// The commands of a text: what a line of a code block says behind `$ ` or `run: `, or alone, up to a pipe, a redirection
/// or a remark.
fn commands(text: &str) -> Vec<String> {
    let mut commands = Vec::new();
    for line in text.lines() {
        let line = line.trim_start().trim_start_matches("$ ").trim_start_matches("run: ");
        // One command runs until it is stopped: its own test does that.
        if !line.starts_with("steplens ") || line.starts_with("steplens view ") {
            continue;
        }
        let ends = [" | ", " > ", " >> ", " || ", "  "].iter().filter_map(|end| line.find(end));
        commands.push(line[..ends.min().unwrap_or(line.len())].to_owned());
    }
    commands
}

/// The files that the commands name.
fn folder() -> Folder {
    let folder = Folder::new();
    let log = [logs::run("ses_1"), logs::run_at(9000, "ses_2"), logs::run_at(18_000, "ses_3")].concat();
    folder.write("run.jsonl.gz", logs::gzip(&log));
    folder.write("run.jsonl", &log);
    folder.write("before.jsonl", logs::run("ses_1"));
    folder.write("after.jsonl", log);
    folder.write("export.json", logs::export("ses_1").to_string().replace("prt_2", "prt_01"));
    let kilo = steplens(&["rules", "--dialect", "kilo"]).good();
    folder.write("kilo.toml", &kilo);
    folder.write("mapping/rules.toml", kilo);
    folder.write("mapping/fetch.jsonl", logs::run("ses_1"));
    steplens(&["map-test", &folder.at("mapping"), "--update"]).good();
    folder
}

#[test]
fn every_command_can_be_run() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut texts = Vec::new();
    for file in ["formats.md", "mapping.md", "cost.md", "ci.md", "sharing.md"] {
        let text = fs::read_to_string(root.join("../docs").join(file)).unwrap();
        texts.extend(text.split("```").skip(1).step_by(2).map(str::to_owned));
    }
    for name in fs::read_dir(root.join("src/args/examples")).unwrap() {
        texts.push(fs::read_to_string(name.unwrap().path()).unwrap());
    }
    let commands: Vec<String> = texts.iter().flat_map(|text| commands(text)).collect();
    assert!(commands.len() > 30, "{commands:?}");
    let viewer = logs::viewer();
    for line in commands {
        let folder = folder();
        let words: Vec<&str> = line.split(' ').skip(1).collect();
        let mut command = command();
        command.current_dir(folder.path()).env("STEPLENS_VIEWER", viewer.path());
        let ran = ran(command.args(&words).write_stdin(logs::run("ses_1")));
        // One document shows what becomes of a table that cannot be used.
        let wanted = if line.contains("mine.toml") { 2 } else { i32::from(words[0] == "check" && ran.code == 1) };
        assert_eq!(ran.code, wanted, "{line}\n{}", ran.err);
    }
}

/// The table of another harness in the document is the one that a test of the core holds to its log.
#[test]
fn the_table_of_another_harness_is_the_one_that_is_tested() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let read = |path: &str| fs::read_to_string(root.join(path)).unwrap();
    let (text, table) = (read("docs/mapping.md"), read("tests/fixtures/rules/acme.toml"));
    assert_eq!(text.split("```toml\n").nth(2).unwrap().split("```").next().unwrap(), table);
    let lines = read("tests/fixtures/rules/acme.jsonl");
    let shown = text.split("```json\n").nth(1).unwrap().split("```").next().unwrap().lines();
    assert_eq!(shown.filter(|line| lines.contains(line)).count(), 2);
}

/// The table in the document about the format is one.
#[test]
fn the_example_of_a_table_can_be_used() {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/mapping.md")).unwrap();
    let table = text.split("```toml\n").nth(1).unwrap().split("```").next().unwrap();
    let folder = folder();
    let table = folder.write("mine.toml", table);
    let input = serde_json::json!({"file": "src/a.rs"});
    let log = [
        logs::step_start(0, "s", "m"),
        logs::call((1, 2), "s", "m", "my_kilo_tool", serde_json::json!({}), "completed"),
        logs::call((3, 4), "s", "m", "patch_file", input, "completed"),
    ];
    let log = folder.write("own.jsonl", log.concat());
    let events = steplens(&["events", &log, "--rules", &table]).good();
    let last: serde_json::Value = serde_json::from_str(events.lines().last().unwrap()).unwrap();
    assert_eq!((last["type"].as_str(), last["path"].as_str()), (Some("write"), Some("src/a.rs")));
    assert_eq!(last["rule"], "mine.patch_file");
    // The mark tells the dialect.
    assert!(events.contains("\"rule\":\"kilo.unmapped\""), "{events}");
}
