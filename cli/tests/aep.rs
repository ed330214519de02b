//! `steplens aep`.

// A test may stop at the first thing that is not as it should be.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, missing_docs)]

mod common;
mod logs;

use common::steplens;
use logs::Folder;
use serde_json::Value;

const HOOKS: &str = include_str!("../../tests/fixtures/bus/hooks.jsonl");

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_log_of_hooks_becomes_events() {
    let folder = Folder::new();
    let log = folder.write("hooks.jsonl", HOOKS);
    let told = steplens(&["aep", "-v", &log]);
    let events = lines(&told.out);
    assert_eq!(told.code, 0);
    let brief: Vec<String> = events
        .iter()
        .map(|event| {
            let text = |key: &str| event[key].as_str().unwrap_or("-").to_owned();
            format!("{} {} {} {}", event["id"].as_str().unwrap(), text("type"), text("subject"), text("cause"))
        })
        .collect();
    assert_eq!(
        brief,
        [
            "1-1-1 x.kilocode.server.connected - -",
            "1-2-1 session.started - -",
            "1-3-1 run.started - -",
            "1-4-1 tool.requested bash -",
            "1-6-1 attention.requested bash -",
            "1-7-1 attention.resolved per_1 1-6-1",
            "1-8-1 tool.completed bash 1-4-1",
            "1-9-1 progress.task.planned t1 -",
            "1-9-2 progress.task.completed t1 -",
            "1-10-1 run.finished - -",
        ]
    );
    for said in [
        "agent kilocode",
        "10 moments: 9 mapped to 10 events, 1 suppressed, 0 duplicates",
        "permission surface: the hook `permission.ask` (Kilo Code up to 7.4.5, OpenCode): 1 × `permission.ask`, \
         1 × `permission.updated`",
        "1 moments tell no session",
    ] {
        assert!(told.err.contains(said), "{said}\n{}", told.err);
    }
}

#[test]
fn a_companion_holds_vendor_types_alone() {
    let folder = Folder::new();
    let log = folder.write("hooks.jsonl", HOOKS);
    let events = lines(&steplens(&["aep", &log, "--mode", "companion"]).good());
    assert_eq!(events.len(), 10);
    assert!(events.iter().all(|event| event["type"].as_str().unwrap().starts_with("x.kilocode.")));
}

#[test]
fn the_ceiling_decides_what_may_leave() {
    let folder = Folder::new();
    let log = folder.write("hooks.jsonl", HOOKS);
    let args = |capture: &str| lines(&steplens(&["aep", &log, "--capture", capture]).good())[3]["data"].clone();
    assert!(args("metadata").get("args").is_none());
    assert_eq!(args("redacted")["args"]["command"], "npm test");
    assert_eq!(args("none"), serde_json::json!({}));
}
