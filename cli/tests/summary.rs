//! `steplens summary`: the document, and what it says on one screen.

// A test may stop at the first thing that is not as it should be.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, missing_docs)]

mod common;

use common::{cases, command, fixture, own_file, ran, steplens, with_input};
use serde_json::{Value, json};
use std::fs;
use steplens_core::run::{Options, Run};
use steplens_core::summary::Summary;

fn document(args: &[&str]) -> Value {
    let out = steplens(&[&["summary", "--json"], args].concat()).good();
    serde_json::from_str(&out).unwrap()
}

/// The keys of the documented shape, everywhere where the sample has an object; a list is checked by its first element.
#[track_caller]
fn has_keys(sample: &Value, value: &Value, path: &str) {
    match (sample, value) {
        (Value::Object(sample), Value::Object(fields)) => {
            for (key, inner) in sample {
                let got = fields.get(key).unwrap_or_else(|| panic!("{path}.{key} is missing"));
                has_keys(inner, got, &format!("{path}.{key}"));
            }
        }
        (Value::Array(sample), Value::Array(elements)) => {
            let first = elements.first().unwrap_or_else(|| panic!("{path} is empty"));
            has_keys(&sample[0], first, &format!("{path}[0]"));
        }
        (Value::Null, _) => {}
        (sample, value) => {
            let kind = |value: &Value| match value {
                Value::Bool(_) => "a boolean",
                Value::Number(_) => "a number",
                Value::String(_) => "a text",
                Value::Array(_) => "a list",
                Value::Object(_) => "an object",
                Value::Null => "null",
            };
            assert_eq!(kind(value), kind(sample), "{path} is {value}");
        }
    }
}

#[test]
fn the_document_has_the_documented_shape() {
    let log = fs::read_to_string(fixture("kilo_run_all_tools")).unwrap() + "no json\n";
    let log = own_file("run.jsonl", log);
    let document = document(&[&log.path]);
    let tokens = json!({"uncachedInput": 0, "cachedInput": 0, "cacheCreation": 0, "output": 0, "reasoning": 0,
        "input": 0, "total": 0, "partial": false});
    let cost = json!({"reportedUsd": 0.5, "comparableUsd": null, "listUsd": null, "partial": false, "model": null,
        "priceSource": null, "unknownBecause": ""});
    let sample = json!({
        "schema": 1,
        "files": [{"name": "", "bytes": 0, "lines": 0, "records": 0, "encoding": "", "compression": null, "format": ""}],
        "dialect": "",
        "dialectEvidence": [""],
        "sessions": [{"id": "", "parent": null, "verdict": {"state": "", "reason": ""}, "startedAt": "", "endedAt": "",
            "durationMs": 0, "steps": 0, "model": null, "tokens": tokens, "cost": cost}],
        "total": {"tokens": tokens, "cost": cost},
        "records": {"total": 0, "consumed": 0, "mapped": 0, "unknown": 0, "duplicates": 0, "malformed": 0},
        "events": {"agent": 0, "command": 0},
        "tools": [{"name": "", "calls": 0, "failed": 0, "rejected": 0, "greenButFailed": 0, "p50Ms": 0, "p90Ms": 0,
            "maxMs": 0, "totalMs": 0, "wallMs": 0, "outputBytes": 0, "events": {"command": 0}}],
        "filesTouched": [{"path": "", "reads": 0, "writes": 0}],
        "unmapped": [{"tool": "", "count": 0, "lines": [0]}],
        "limits": [""],
        "diagnostics": [{"kind": "", "line": 0, "offset": 0, "message": ""}],
    });
    has_keys(&sample, &document, "");
    assert_eq!(document["schema"], 1);
    assert_eq!(document["files"][0]["name"], "run.jsonl");
    assert_eq!(document["dialect"], "kilo");
    assert_eq!(document["diagnostics"][0]["kind"], "malformed-line");
    assert_eq!(document["diagnostics"][0]["line"], 33);
}

/// Unknown is null, and never left out or zero.
#[test]
fn what_is_unknown_is_null() {
    let document = document(&[&fixture("case_cut_one_line")]);
    let session = document["sessions"][0].as_object().unwrap();
    for key in ["parent", "model"] {
        assert_eq!(session.get(key), Some(&Value::Null), "{key}");
    }
    for key in ["uncachedInput", "cachedInput", "cacheCreation", "output", "reasoning", "input", "total"] {
        assert_eq!(session["tokens"].get(key), Some(&Value::Null), "{key}");
    }
    for key in ["reportedUsd", "comparableUsd", "listUsd", "model", "priceSource"] {
        assert_eq!(session["cost"].get(key), Some(&Value::Null), "{key}");
    }
    assert_eq!(session["cost"]["unknownBecause"], "the stream names no model");
    assert_eq!(document["files"][0].get("compression"), Some(&Value::Null));
}

/// The document of every fixture is what the core says, so that page and command line cannot disagree.
#[test]
fn the_document_is_what_the_core_says() {
    for case in cases() {
        let path = fixture(&case);
        let mut run = Run::new(Options::default());
        run.begin_file(&format!("{case}.jsonl"));
        run.push(&fs::read(&path).unwrap());
        run.end_file();
        let document: Summary = serde_json::from_value(document(&[&path])).unwrap();
        assert_eq!(document, run.summary(), "{case}");
    }
}

#[test]
fn a_file_alone_is_summarized() {
    let path = fixture("kilo_run_all_tools");
    let summary = steplens(&["summary", &path]).good();
    assert_eq!(steplens(&[&path]).good(), summary);
    assert_eq!(steplens(&["--dialect", "auto", &path]).good(), summary);
    assert_eq!(steplens(&["--color=never", &path]).good(), summary);
    assert_eq!(steplens(&[&path, "--json"]).good(), steplens(&["summary", "--json", &path]).good());
    let both = steplens(&[&path, &fixture("case_two_sessions")]).good();
    assert!(both.contains("kilo_run_all_tools.jsonl") && both.contains("case_two_sessions.jsonl"), "{both}");
}

#[test]
fn the_screen_says_what_the_run_was() {
    let out = steplens(&[&fixture("kilo_run_all_tools")]).good();
    for wanted in [
        "kilo_run_all_tools.jsonl",
        "Kilo",
        "completed  step 7 ended with reason stop",
        "7 steps, 15 calls, 13.9s",
        "92,545",
        "$0.085065 reported",
        "records 32 = 14 mapped + 15 consumed + 3 unknown + 0 duplicates",
        "orchestration 1",
        "webfetch",
        "What this log cannot tell",
        "sub-session ses_child000000001 is not in the open files",
    ] {
        assert!(out.contains(wanted), "{wanted:?} is not in:\n{out}");
    }
    let bash = out.lines().find(|line| line.starts_with("bash ")).expect("the tools table has a row for bash");
    assert_eq!(
        bash.split_whitespace().collect::<Vec<_>>(),
        ["bash", "2", "1", "1", "0", "95ms", "4.2s", "4.2s", "4.3s", "4.3s", "102", "B"]
    );
    assert!(!out.lines().any(|line| line.ends_with(' ')), "no line ends with a space");
}

#[test]
fn unknown_figures_are_called_unknown() {
    let out = steplens(&[&fixture("case_cut_one_line")]).good();
    assert!(out.contains("cut  step 1 was started and never finished"), "{out}");
    assert!(out.contains("tokens  unknown"), "{out}");
    assert!(out.contains("cost    unknown reported"), "{out}");
    assert!(!out.contains('$'), "no amount of money is made up: {out}");
    let zero = steplens(&[&fixture("case_cost_zero_with_tokens")]).good();
    assert!(zero.contains("$0.00 reported"), "{zero}");
    assert!(zero.contains("a cost of zero with tokens: free, subscription or unpriced"), "{zero}");
}

#[test]
fn diagnostics_are_listed_with_their_lines() {
    let log = own_file("run.jsonl", format!("{{\"type\":\"text\",\"text\":\"x\"}}\n{}", "bad\n".repeat(5)));
    let out = steplens(&[&log.path]).good();
    for wanted in ["malformed-line 5", "line 2: the line is no JSON", "line 4: the line is no JSON", "and 2 more"] {
        assert!(out.contains(wanted), "{wanted:?} is not in:\n{out}");
    }
    assert!(!out.contains("line 5:"), "{out}");
}

#[test]
fn several_sessions_have_their_own_figures_and_a_sum() {
    let out = steplens(&[&fixture("case_two_sessions")]).good();
    for wanted in ["ses_a", "ses_b", "all sessions", "$0.01 reported", "$0.02 reported", "$0.03 reported"] {
        assert!(out.contains(wanted), "{wanted:?} is not in:\n{out}");
    }
    let one = steplens(&[&fixture("case_verdict_stop")]).good();
    assert!(!one.contains("all sessions"), "{one}");
}

#[test]
fn standard_input_is_read_as_a_file() {
    let path = fixture("kilo_run_all_tools");
    let bytes = fs::read(&path).unwrap();
    let from_file = document(&[&path]);
    let out = with_input(&["summary", "-", "--json"], &bytes).good();
    let mut from_input: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(from_input["files"][0]["name"], "standard input");
    // The name of the file is a mark of Kilo's here; standard input has none.
    assert_eq!(from_input["dialectEvidence"], json!(["part.metrics on line 5", "state.metadata.approval on line 3"]));
    for key in ["files", "dialectEvidence"] {
        from_input[key] = from_file[key].clone();
    }
    assert_eq!(from_input, from_file);
    assert_eq!(with_input(&["-"], &bytes).good(), with_input(&["summary", "-"], &bytes).good());
}

#[test]
fn the_dialect_can_be_chosen() {
    let path = fixture("case_table_kilo");
    let of = |args: &[&str]| {
        let document = document(&[args, &[&path]].concat());
        (document["dialect"].clone(), document["events"].clone())
    };
    let kilo = json!({"orchestration": 3, "search": 1, "unknown": 2});
    assert_eq!(of(&[]), (json!("kilo"), kilo.clone()));
    assert_eq!(of(&["--dialect", "kilo"]), (json!("kilo"), kilo));
    assert_eq!(of(&["--dialect", "opencode"]), (json!("opencode"), json!({"unknown": 6})));
    let out = steplens(&["--dialect", "opencode", &path]).good();
    assert!(out.contains("OpenCode (chosen)"), "{out}");
}

#[test]
fn help_has_examples_and_exit_codes() {
    let help = ran(command().arg("--help").write_stdin("")).good();
    for wanted in ["Examples:", "steplens summary run.jsonl --json", "Exit codes: 0", "--dialect", "--color"] {
        assert!(help.contains(wanted), "{wanted:?} is not in:\n{help}");
    }
    assert_eq!(steplens(&["--version"]).good(), format!("steplens {}\n", env!("CARGO_PKG_VERSION")));
}

/// The tools as a table: the figures of the document.
#[test]
fn the_tools_as_a_table() {
    let out = steplens(&["summary", &fixture("case_percentiles"), "--csv"]).good();
    let document: serde_json::Value =
        serde_json::from_str(&steplens(&["summary", &fixture("case_percentiles"), "--json"]).good()).unwrap();
    let rows: Vec<&str> = out.split_terminator("\r\n").collect();
    assert_eq!(rows.len(), document["tools"].as_array().unwrap().len() + 1);
    let tool = &document["tools"][0];
    let columns = [
        "calls",
        "failed",
        "greenButFailed",
        "rejected",
        "p50Ms",
        "p90Ms",
        "maxMs",
        "totalMs",
        "wallMs",
        "outputBytes",
    ];
    let cells: Vec<String> =
        columns.iter().map(|column| tool[*column].as_u64().map_or(String::new(), |n| n.to_string())).collect();
    assert_eq!(rows[1], format!("{},{}", tool["name"].as_str().unwrap(), cells.join(",")));
    assert_eq!(steplens(&["summary", &fixture("case_percentiles"), "--csv", "--json"]).code, 2);
}

/// The list of tasks as it stood at the end; a log without one says nothing of it.
#[test]
fn the_tasks_as_they_stood_at_the_end() {
    let todos = r#"[{"content":"a","status":"completed"},{"content":"b","status":"in_progress"},{"content":"c","status":"cancelled"}]"#;
    let log = format!(
        r#"{{"id":"evt_eabdf53c2001aAbBcCdDeEfFgG","type":"todo.updated","properties":{{"sessionID":"ses_1","todos":{todos}}}}}"#
    );
    let log = own_file("todos.jsonl", log + "\n");
    let out = steplens(&[&log.path]).good();
    let tasks = "\nTasks  1 of 2 done\n  a  completed\n  b  in_progress\n  c  cancelled\n";
    assert!(out.contains(tasks), "{out}");
    assert!(!steplens(&[&fixture("case_percentiles")]).good().contains("Tasks"));
}
