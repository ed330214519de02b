//! Options of all commands: model, prices, rules, extensions, session, quiet and verbose.

// A test may stop at the first thing that is not as it should be.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, missing_docs)]

mod common;
mod logs;

use common::{fixture, steplens};
use logs::Folder;
use serde_json::{Value, json};
use std::fs::File;
use std::time::{Duration, UNIX_EPOCH};

/// Prices of the worked figure: 3 in, 15 out, 0.30 for cached reads, 3.75 for cache writes, per million tokens.
const OPENROUTER: &str = r#"{"data":[{"id":"anthropic/claude-sonnet-4.5","pricing":
    {"prompt":"0.000003","completion":"0.000015","input_cache_read":"0.0000003","input_cache_write":"0.00000375"}}]}"#;
const LITELLM: &str = r#"{"anthropic/claude-sonnet-4.5":{"input_cost_per_token":0.000003,"output_cost_per_token":0.000015,
    "cache_read_input_token_cost":0.0000003,"cache_creation_input_token_cost":0.00000375,"litellm_provider":"anthropic"}}"#;
const MODELS_DEV: &str = r#"{"anthropic":{"id":"anthropic","models":{"claude-sonnet-4.5":{"id":"claude-sonnet-4.5",
    "cost":{"input":3,"output":15,"cache_read":0.3,"cache_write":3.75}}}}}"#;

fn document(args: &[&str]) -> Value {
    serde_json::from_str(&steplens(&[&["summary", "--json"], args].concat()).good()).unwrap()
}

/// The run's tokens at those prices: 105 · 3 + 300 · 0.30 + 30 · 15 = 855 micro-dollars; with cache writes at their own
/// price 100 · 3 + 5 · 3.75 + 300 · 0.30 + 30 · 15 = 858.75.
#[test]
fn a_model_and_prices_give_the_derived_costs() {
    let folder = Folder::new();
    let log = folder.write("run.jsonl", logs::run("ses_1"));
    let unpriced = document(&[&log]);
    assert_eq!(unpriced["total"]["cost"]["unknownBecause"], json!("the stream names no model"));
    for (name, text) in [("openrouter.json", OPENROUTER), ("litellm.json", LITELLM), ("api.json", MODELS_DEV)] {
        let prices = folder.write(name, text);
        let written = UNIX_EPOCH + Duration::from_secs(1_767_445_000);
        File::options().write(true).open(&prices).unwrap().set_modified(written).unwrap();
        for place in [0, 1] {
            // Before the file or behind it, in one word or in two.
            let options = ["--model", "anthropic/claude-sonnet-4.5", "--prices", &prices];
            let joined = ["--model=anthropic/claude-sonnet-4.5".to_owned(), format!("--prices={prices}")];
            let words = if place == 0 { options.to_vec() } else { joined.iter().map(String::as_str).collect() };
            let args = if place == 0 { [&words[..], &[&log]].concat() } else { [&[log.as_str()], &words[..]].concat() };
            let cost = &document(&args)["total"]["cost"];
            assert_eq!(cost["reportedUsd"], json!(0.03));
            assert_eq!(cost["comparableUsd"], json!(0.000855), "{name}");
            assert_eq!(cost["listUsd"], json!(0.00085875), "{name}");
            assert_eq!(cost["model"], json!("anthropic/claude-sonnet-4.5"));
            // The file does not say of which day it is: it was written on that day.
            let source = cost["priceSource"].as_str().unwrap();
            assert!(source.ends_with(", as of 2026-01-03"), "{name}: {source}");
        }
    }
    let text = steplens(&[&log, "--model", "anthropic/claude-sonnet-4.5", "--prices", &folder.at("api.json")]).good();
    assert!(text.contains("$0.03 reported  comparable $0.000855, list $0.0008588\n"), "{text}");
    assert!(text.contains("        anthropic/claude-sonnet-4.5 at the prices of "), "{text}");
    assert!(text.contains("        comparable against reported: -97.15 %, "), "{text}");
}

#[test]
fn prices_that_are_none_are_refused() {
    let folder = Folder::new();
    let log = folder.write("run.jsonl", logs::run("ses_1"));
    let refused = |prices: &str| steplens(&[&log, "--prices", prices]).refused();
    let gone = folder.at("gone.json");
    assert_eq!(refused(&gone), format!("steplens: {gone}: there is no such file\n"));
    let message = refused(&folder.write("no.json", "{"));
    assert!(message.starts_with("steplens: no.json is not JSON ("), "{message}");
    let message = refused(&folder.write("other.json", "[1]"));
    assert!(message.starts_with("steplens: other.json is no price table: "), "{message}");
    let binary = folder.write("binary.json", b"\xff\xfe");
    assert_eq!(refused(&binary), format!("steplens: {binary}: cannot be read: it is not UTF-8 text\n"));
}

const MINE: &str = "id = \"mine\"\nversion = 1\n\n[[rule]]\nid = \"mine.fetch\"\ntools = [\"webfetch\"]\nevent = \"search\"\n\
                    fields.query = [\"url\"]\nrequire = [\"query\"]\n";

#[test]
fn rules_and_extensions_read_what_the_tables_leave_alone() {
    let folder = Folder::new();
    let log = folder.write("run.jsonl", logs::run("ses_1"));
    let mine = folder.write("mine.toml", format!("\u{feff}{MINE}"));
    let fetch = |options: &[&str]| -> (Value, Value) {
        let out = steplens(&[&["events", &log], options].concat()).good();
        let events: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let event = events.into_iter().find(|event| event["tool"] == "webfetch").unwrap();
        (event["type"].clone(), event["rule"].clone())
    };
    assert_eq!(fetch(&[]), (json!("unknown"), json!("opencode.unmapped")));
    assert_eq!(fetch(&["--extensions"]), (json!("read"), json!("extensions.webfetch")));
    assert_eq!(fetch(&["--rules", &mine]), (json!("search"), json!("mine.fetch")));
    assert_eq!(fetch(&["--rules", &mine, "--extensions"]), (json!("search"), json!("mine.fetch")));
    assert_eq!(document(&[&log, "--extensions"])["unmapped"], json!([]));
    let explained = steplens(&["explain", &log, "--line", "3", "--rules", &mine]).good();
    assert!(explained.contains("mine.fetch"), "{explained}");
}

#[test]
fn a_table_that_cannot_be_used_is_refused_with_its_place() {
    let folder = Folder::new();
    let log = folder.write("run.jsonl", logs::run("ses_1"));
    let wrong = folder.write("wrong.toml", MINE.replace("search", "serch"));
    let message = steplens(&[&log, "--rules", &wrong]).refused();
    assert!(
        message.starts_with(&format!(
            "steplens: {wrong}: line 7, column 9: rule `mine.fetch`: `serch` is no event of a call; allowed: "
        )),
        "{message}"
    );
    assert!(message.ends_with("\n`steplens rules` prints a table that can be used\n"), "{message}");
    let wrong = folder.write("wrong.toml", MINE.replace("tools", "tool"));
    let message = steplens(&[&log, "--rules", &wrong]).refused();
    assert!(message.contains("line 6"), "{message}");
}

/// What is printed with the extensions is still one table, and one that can be used.
#[test]
fn the_tables_are_printed_with_the_extensions_too() {
    let folder = Folder::new();
    let log = folder.write("run.jsonl", logs::run("ses_1"));
    let printed = steplens(&["rules", "--dialect", "opencode", "--extensions"]).good();
    assert!(
        printed.contains("id = \"opencode.read\"") && printed.contains("id = \"extensions.webfetch\""),
        "{printed}"
    );
    let table = folder.write("all.toml", printed);
    let events = steplens(&["events", &log, "--rules", &table]).good();
    assert!(events.contains("\"rule\":\"extensions.webfetch\""), "{events}");
}

/// Printed, edited and given back, each table reads the logs of its dialect.
#[test]
fn a_printed_table_can_be_edited_and_used() {
    let folder = Folder::new();
    let input = json!({"query": "x"});
    let log = [logs::step_start(0, "s", "m"), logs::call((1, 2), "s", "m", "codesearch", input, "completed")].concat();
    let log = folder.write("run.jsonl", log);
    let rule_of = |options: &[&str]| {
        let out = steplens(&[&["events", &log, "--dialect", "kilo"], options].concat()).good();
        serde_json::from_str::<Value>(&out).unwrap()["rule"].clone()
    };
    assert_eq!(rule_of(&[]), json!("kilo.codesearch"));
    let printed = steplens(&["rules", "--dialect", "kilo"]).good();
    let edited = folder.write("kilo.toml", printed.replace("kilo.codesearch", "mine.codesearch"));
    assert_eq!(rule_of(&["--rules", &edited]), json!("mine.codesearch"));
    let printed = steplens(&["rules", "--dialect", "opencode"]).good();
    let edited =
        folder.write("opencode.toml", printed.replace("\"grep\", \"glob\"", "\"grep\", \"glob\", \"codesearch\""));
    assert_eq!(rule_of(&["--rules", &edited]), json!("opencode.search"));
}

#[test]
fn one_session_of_several() {
    let folder = Folder::new();
    let log = folder.write("run.jsonl", [logs::run("ses_1"), logs::run_at(9000, "ses_2")].concat());
    let both = document(&[&log]);
    assert_eq!((&both["total"]["steps"], both["sessions"].as_array().unwrap().len()), (&json!(2), 2));
    let one = document(&[&log, "--session", "ses_2"]);
    assert_eq!(one["total"]["steps"], json!(1));
    assert_eq!(one["total"]["cost"]["reportedUsd"], json!(0.03));
    assert_eq!(one["sessions"].as_array().unwrap().len(), 1);
    assert_eq!(one["sessions"][0]["id"], json!("ses_2"));
    let events = steplens(&["events", &log, "--session", "ses_2"]).good();
    assert_eq!(events.lines().count(), 2);
    assert!(events.lines().all(|line| line.contains("\"sessionId\":\"ses_2\"")), "{events}");
    assert_eq!(
        steplens(&[&log, "--session", "ses_3"]).refused(),
        format!("steplens: there is no session ses_3 in {log}; `steplens summary {log}` lists those that there are\n")
    );
}

#[test]
fn quiet_and_verbose() {
    let folder = Folder::new();
    let log = folder.write("run.jsonl", logs::run("ses_1"));
    let plain = steplens(&[&log]).good();
    assert_eq!(steplens(&["-q", &log]).good(), plain);
    let verbose = steplens(&["-v", &log]);
    assert_eq!((verbose.code, verbose.out), (0, plain));
    let lines: Vec<&str> = verbose.err.lines().collect();
    assert!(lines[0].starts_with("steplens: prices: models.dev ("), "{}", lines[0]);
    let format = "4 of 4 records have a known `type` (or a `type` and a session id)";
    assert_eq!(lines[1], format!("steplens: {log}: step-stream, utf-8: {format}"));
    assert_eq!(lines[2], "steplens: read as opencode: no mark of Kilo");
    assert!(steplens(&["-q", "-v", &log]).refused().contains("cannot be used with"));
}

#[test]
fn a_part_of_a_line_with_many() {
    let folder = Folder::new();
    let log = folder.write("export.json", logs::export("ses_1").to_string());
    let explain = |part: &str| steplens(&["explain", &log, "--line", "1", "--part", part]);
    let call = explain("prt_2").good();
    assert!(call.contains("rule opencode.read") && !call.contains("Fix it"), "{call}");
    assert_eq!(call.matches(":1\n").count(), 1, "{call}");
    assert!(steplens(&["explain", &log, "--line", "1"]).good().matches(":1\n").count() > 3);
    let message = explain("prt_9").refused();
    assert!(message.contains("no record on line 1 is of the part prt_9; the parts on it: "), "{message}");
    assert!(message.contains("prt_1, prt_2, prt_3"), "{message}");
}

#[test]
fn a_line_within_a_record_is_explained_by_it() {
    let folder = Folder::new();
    let pretty: String = logs::run("ses_1")
        .lines()
        .map(|line| serde_json::to_string_pretty(&serde_json::from_str::<Value>(line).unwrap()).unwrap() + "\n")
        .collect();
    let log = folder.write("run.json", &pretty);
    let line_of = |text: &str| pretty.lines().position(|line| line.contains(text)).unwrap() + 1;
    let line = line_of("src/a.rs").to_string();
    let out = steplens(&["explain", &log, "--line", &line]).good();
    assert!(out.contains("rule opencode.read"), "{out}");
    let last = pretty.lines().count().to_string();
    assert!(steplens(&["explain", &log, "--line", &last]).good().contains("step_finish"));
    let beyond = (pretty.lines().count() + 1).to_string();
    assert!(steplens(&["explain", &log, "--line", &beyond]).refused().contains("there is no line"));
}

#[test]
fn files_are_merged_and_a_stranger_among_them_is_named() {
    let folder = Folder::new();
    // The export's parts are the stream's: the same ids.
    let renamed = |text: String, from: &str, to: &str| text.replace(from, to);
    let stream = [
        logs::line(0, "ses_1", "step_start", "msg_1", json!({"type": "step-start", "id": "prt_1"})),
        renamed(
            logs::call((100, 340), "ses_1", "msg_1", "read", json!({"filePath": "src/a.rs"}), "completed"),
            "prt_ses_1000034008",
            "prt_2",
        ),
    ]
    .concat();
    let log = folder.write("run.jsonl", stream);
    let export = folder.write("export.json", logs::export("ses_1").to_string());
    for files in [[&log, &export], [&export, &log]] {
        let merged = document(&[files[0], files[1]]);
        assert_eq!(merged["total"]["steps"], json!(1));
        assert_eq!(merged["total"]["calls"], json!(1));
        assert_eq!(merged["total"]["tokens"]["total"], json!(435));
        assert_eq!(merged["records"]["duplicates"], json!(2));
        assert_eq!(merged["sessions"][0]["model"], json!("anthropic/claude-sonnet-4.5"));
        assert_eq!(merged["events"], json!({"read": 1, "user": 1}));
    }
    let notes = folder.write("notes.txt", "nothing to see here\n");
    for command in ["summary", "events", "unmapped", "trace"] {
        let without = steplens(&[command, &log, &export]).good();
        let ran = steplens(&[command, &log, &notes, &export]);
        assert_eq!((ran.code, ran.out), (0, without), "{command}");
        let said = format!("steplens: left out: {notes}: no record recognised. Tried: ");
        assert!(ran.err.starts_with(&said), "{}", ran.err);
    }
    assert_eq!(steplens(&["-", "-"]).refused(), "steplens: standard input (`-`) can be read only once; name it once\n");
}

#[test]
fn files_of_one_name_are_told_apart_by_their_paths() {
    let folder = Folder::new();
    let first = folder.write("a/run.jsonl", logs::run("ses_1"));
    let second = folder.write("b/run.jsonl", logs::run("ses_2"));
    let third = folder.write("c/other.jsonl", logs::run("ses_3"));
    let document = document(&[&first, &second, &third]);
    let names: Vec<&Value> = document["files"].as_array().unwrap().iter().map(|file| &file["name"]).collect();
    assert_eq!(names, [&json!(first), &json!(second), &json!("other.jsonl")]);
}

/// A fixture with an unknown model says that the table has none, and never a price.
#[test]
fn a_model_without_a_price_stays_unknown() {
    let document = document(&[&fixture("case_verdict_stop"), "--model", "nobody/nothing"]);
    let cost = &document["total"]["cost"];
    assert_eq!((&cost["comparableUsd"], &cost["listUsd"]), (&Value::Null, &Value::Null));
    assert_eq!(cost["unknownBecause"], json!("the price table has no model nobody/nothing"));
}
