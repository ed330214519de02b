//! `steplens trace`: a Chrome trace with exact times, without overlaps on a thread, the same every time.

// A test may stop at the first thing that is not as it should be.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, missing_docs)]

mod common;
mod logs;

use common::{cases, fixture, steplens};
use logs::{Folder, line, run, step_start};
use serde_json::{Value, json};
use std::collections::HashMap;

fn trace(log: &str) -> Value {
    serde_json::from_str(&steplens(&["trace", "-q", log]).good()).unwrap()
}

/// Events that are no metadata.
fn events(trace: &Value) -> Vec<Value> {
    trace["traceEvents"].as_array().unwrap().iter().filter(|event| event["ph"] != "M").cloned().collect()
}

#[test]
fn a_run_in_full() {
    let folder = Folder::new();
    let log = folder.write("run.jsonl", run("ses_1"));
    let trace = trace(&log);
    assert_eq!(trace["displayTimeUnit"], json!("ms"));
    assert_eq!(
        trace["otherData"],
        json!({"producer": format!("steplens {}", env!("CARGO_PKG_VERSION")), "startedAt": "2026-01-03T12:56:40.000Z",
               "files": ["run.jsonl"], "dialect": "opencode"})
    );
    let metadata =
        |tid: u32, name: &str, args: Value| json!({"ph": "M", "pid": 1, "tid": tid, "name": name, "args": args});
    let mut wanted = vec![
        metadata(0, "process_name", json!({"name": "ses_1"})),
        metadata(0, "process_sort_index", json!({"sort_index": 1})),
        metadata(0, "process_labels", json!({"labels": "completed"})),
    ];
    for (tid, name) in [(1, "steps"), (101, "calls"), (102, "calls (2)")] {
        wanted.push(metadata(tid, "thread_name", json!({"name": name})));
        wanted.push(metadata(tid, "thread_sort_index", json!({"sort_index": tid})));
    }
    let slice = |tid: u32, ts: u64, dur: u64, name: &str, cat: &str, args: Value| json!({"ph": "X", "pid": 1, "tid": tid, "ts": ts, "dur": dur, "name": name, "cat": cat, "args": args});
    wanted.push(slice(
        1,
        0,
        4_000_000,
        "step 1",
        "step",
        json!({"line": 1, "reason": "stop", "tokens": 435, "reportedUsd": 0.03}),
    ));
    wanted.push(json!({
        "ph": "C", "pid": 1, "tid": 1, "ts": 0, "name": "tokens", "cat": "tokens",
        "args": {"uncachedInput": 105, "cachedInput": 300, "output": 20, "reasoning": 10},
    }));
    let args = json!({"line": 2, "step": 1, "summary": "src/a.rs", "outcome": "ok", "isSuccess": true});
    wanted.push(slice(101, 100_000, 240_000, "read", "call", args));
    let found = trace["traceEvents"].as_array().unwrap();
    assert_eq!(found[..wanted.len()], wanted);
    // The fetch overlaps the read: it stands on a thread of its own.
    let fetch = &found[wanted.len()];
    let place = |key: &str| fetch[key].clone();
    assert_eq!(
        (place("name"), place("tid"), place("ts"), place("dur")),
        (json!("webfetch"), json!(102), json!(200_000), json!(1_000_000))
    );
    assert_eq!(found.len(), wanted.len() + 1);
}

#[test]
fn errors_and_what_has_no_duration_are_instants() {
    let folder = Folder::new();
    let timeless = json!({"type": "tool", "tool": "bash", "callID": "c", "state": {"status": "completed",
        "input": {"command": "make"}, "output": ""}});
    let text = [
        step_start(0, "ses_1", "msg_1"),
        line(500, "ses_1", "tool_use", "msg_1", timeless),
        format!(
            "{{\"type\":\"error\",\"timestamp\":{},\"sessionID\":\"ses_1\",\"error\":{{\"name\":\"APIError\",\"data\":{{\"message\":\"no\"}}}}}}\n",
            logs::START + 900
        ),
    ]
    .concat();
    let trace = trace(&folder.write("run.jsonl", text));
    let wanted = [
        json!({"ph": "i", "pid": 1, "tid": 1, "ts": 0, "s": "t", "name": "step 1", "cat": "step", "args": {"line": 1}}),
        json!({"ph": "i", "pid": 1, "tid": 101, "ts": 500_000, "s": "t", "name": "bash", "cat": "call",
            "args": {"line": 2, "step": 1, "summary": "make", "outcome": "ok", "isSuccess": true}}),
        json!({"ph": "i", "pid": 1, "tid": 1, "ts": 900_000, "s": "p", "name": "error", "cat": "error",
            "args": {"line": 3, "message": "no"}}),
    ];
    assert_eq!(events(&trace), wanted);
}

#[test]
fn sessions_are_processes() {
    let folder = Folder::new();
    let log = folder.write("run.jsonl", [run("ses_2"), logs::run_at(1000, "ses_1")].concat());
    let trace = trace(&log);
    let named: Vec<(Value, Value)> = trace["traceEvents"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|event| event["name"] == "process_name")
        .map(|event| (event["pid"].clone(), event["args"]["name"].clone()))
        .collect();
    assert_eq!(named, [(json!(1), json!("ses_2")), (json!(2), json!("ses_1"))]);
    let steps: Vec<(Value, Value)> = events(&trace)
        .into_iter()
        .filter(|event| event["cat"] == "step")
        .map(|event| (event["pid"].clone(), event["ts"].clone()))
        .collect();
    assert_eq!(steps, [(json!(1), json!(0)), (json!(2), json!(1_000_000))]);
    let one = trace_of(&["--session", "ses_1", &log]);
    // Alone it is the first process; time begins with it.
    let pids: Vec<&Value> = one["traceEvents"].as_array().unwrap().iter().map(|event| &event["pid"]).collect();
    assert!(pids.len() > 4 && pids.iter().all(|pid| **pid == json!(1)), "{pids:?}");
    assert_eq!(events(&one)[0]["ts"], json!(0));
    let message = steplens(&["trace", "--session", "ses_9", &log]).refused();
    assert!(message.starts_with("steplens: there is no session ses_9 in "), "{message}");
}

fn trace_of(args: &[&str]) -> Value {
    serde_json::from_str(&steplens(&[&["trace", "-q"], args].concat()).good()).unwrap()
}

#[test]
fn several_files_name_themselves() {
    let folder = Folder::new();
    let first = folder.write("a.jsonl", run("ses_1"));
    let second = folder.write("b.jsonl", logs::run_at(9000, "ses_2"));
    let calls: Vec<Value> = events(&trace_of(&[&first, &second]))
        .into_iter()
        .filter(|event| event["cat"] == "call")
        .map(|event| event["args"]["file"].clone())
        .collect();
    assert_eq!(calls, ["a.jsonl", "a.jsonl", "b.jsonl", "b.jsonl"].map(|name| json!(name)));
}

#[test]
fn what_has_no_time_is_counted() {
    let folder = Folder::new();
    let text = run("ses_1").replace("\"timestamp\":", "\"ts\":");
    let bare = json!({"type": "tool", "tool": "bash", "callID": "c", "state": {"status": "completed", "input": {}}});
    let more = line(0, "ses_1", "tool_use", "msg_of_ses_1", bare).replace("\"timestamp\":", "\"ts\":");
    let ran = steplens(&["trace", &folder.write("run.jsonl", [text, more].concat())]);
    assert_eq!(
        (ran.code, ran.err.as_str()),
        (0, "steplens: 2 steps or calls have no time, and are not in the trace\n")
    );
    let none = folder.write("none.jsonl", "{\"type\":\"text\",\"sessionID\":\"s\",\"part\":{\"text\":\"x\"}}\n");
    let message = steplens(&["trace", &none]).refused();
    assert!(message.starts_with("steplens: nothing in these logs has a time"), "{message}");
}

/// On every fixture: the same bytes twice, times from zero on, and slices of a thread one behind the other.
#[test]
fn slices_of_a_thread_never_overlap() {
    for case in cases() {
        let ran = steplens(&["trace", "-q", &fixture(&case)]);
        if ran.code == 2 {
            assert!(ran.err.contains("nothing in these logs has a time"), "{case}: {}", ran.err);
            continue;
        }
        let text = ran.good();
        assert_eq!(steplens(&["trace", "-q", &fixture(&case)]).good(), text, "{case}");
        let mut ends: HashMap<(u64, u64), u64> = HashMap::new();
        let mut last = 0;
        for event in events(&serde_json::from_str(&text).unwrap()) {
            let number = |key: &str| event[key].as_u64().unwrap_or_else(|| panic!("{case}: {key} of {event}"));
            assert!(number("ts") >= last, "{case}: {event}");
            last = number("ts");
            if event["ph"] == "X" {
                let end = ends.entry((number("pid"), number("tid"))).or_default();
                assert!(*end <= number("ts"), "{case}: {event}");
                *end = number("ts") + number("dur");
            }
        }
    }
}
