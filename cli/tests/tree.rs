//! The old storage tree: a folder in which every session, message and part is a file of its own.

// A test may stop at the first thing that is not as it should be.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, missing_docs)]

mod common;
mod logs;

use common::steplens;
use logs::Folder;
use serde_json::{Value, json};

/// Lays an export out as a storage tree of the newer or the older layout.
fn lay_out(folder: &Folder, root: &str, export: &Value, newer: bool) {
    let session = export["info"]["id"].as_str().unwrap();
    let write = |path: String, value: &Value| folder.write(&format!("{root}/{path}"), value.to_string());
    let inner = if newer { "" } else { "session/" };
    write(format!("session/{}/{session}.json", if newer { "prj" } else { "info" }), &export["info"]);
    for message in export["messages"].as_array().unwrap() {
        let id = message["info"]["id"].as_str().unwrap();
        write(format!("{inner}message/{session}/{id}.json"), &message["info"]);
        for part in message["parts"].as_array().unwrap() {
            let of_session = if newer { String::new() } else { format!("{session}/") };
            write(format!("{inner}part/{of_session}{id}/{}.json", part["id"].as_str().unwrap()), part);
        }
    }
    // What lies beside them is no part of a run.
    write(format!("session_diff/{session}.json"), &json!([]));
    write(format!("todo/{session}.json"), &json!([{"content": "x", "status": "pending"}]));
}

fn document(path: &str) -> Value {
    serde_json::from_str(&steplens(&["summary", "--json", path]).good()).unwrap()
}

#[test]
fn a_tree_says_what_the_export_says() {
    let folder = Folder::new();
    let export = logs::export("ses_1");
    let file = folder.write("export.json", export.to_string());
    lay_out(&folder, "newer/storage", &export, true);
    lay_out(&folder, "older/project/home-w/storage", &export, false);
    let wanted = document(&file);
    assert_eq!(wanted["sessions"][0]["verdict"]["state"], json!("completed"));
    for name in
        ["newer", "newer/storage", "older", "older/project/home-w/storage", "older/project/home-w/storage/session"]
    {
        let found = document(&folder.at(name));
        for key in ["sessions", "total", "events", "tools", "filesTouched", "diagnostics"] {
            assert_eq!(found[key], wanted[key], "{key} of {name}");
        }
        assert_eq!(found["files"].as_array().unwrap().len(), 7);
        assert_eq!(found["files"][0]["format"], json!("storage"));
    }
}

#[test]
fn documents_are_read_in_the_order_of_time() {
    let folder = Folder::new();
    // Ids of sessions fall with time, those of messages and parts rise: `ses_2` came first.
    lay_out(&folder, "t", &logs::export("ses_1"), true);
    let earlier = logs::export("ses_2").to_string().replace("msg_", "msg_a").replace("prt_", "prt_a");
    lay_out(&folder, "t", &serde_json::from_str(&earlier).unwrap(), true);
    let document = document(&folder.at("t"));
    let names: Vec<&str> = document["files"].as_array().unwrap().iter().map(|f| f["name"].as_str().unwrap()).collect();
    let wanted = [
        "session/prj/ses_2.json",
        "message/ses_2/msg_a0.json",
        "part/msg_a0/prt_a0.json",
        "message/ses_2/msg_a1.json",
        "part/msg_a1/prt_a1.json",
        "part/msg_a1/prt_a2.json",
        "part/msg_a1/prt_a3.json",
        "session/prj/ses_1.json",
        "message/ses_1/msg_0.json",
        "part/msg_0/prt_0.json",
        "message/ses_1/msg_1.json",
        "part/msg_1/prt_1.json",
        "part/msg_1/prt_2.json",
        "part/msg_1/prt_3.json",
    ];
    assert_eq!(names, wanted);
}

#[test]
fn events_name_the_document_they_are_from() {
    let folder = Folder::new();
    lay_out(&folder, "storage", &logs::export("ses_1"), true);
    let events = steplens(&["events", &folder.at("storage")]).good();
    let places: Vec<(Value, Value)> = events
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .map(|event| (event["type"].clone(), event["file"].clone()))
        .collect();
    let wanted = [("user", "part/msg_0/prt_0.json"), ("read", "part/msg_1/prt_2.json")];
    assert_eq!(places, wanted.map(|(kind, file)| (json!(kind), json!(file))));
    let part = folder.at("storage/part/msg_1/prt_2.json");
    assert!(steplens(&["explain", &part, "--line", "1"]).good().contains("rule opencode.read"));
}

#[test]
fn a_broken_document_spoils_nothing() {
    let folder = Folder::new();
    lay_out(&folder, "storage", &logs::export("ses_1"), true);
    folder.write("storage/part/msg_1/prt_9.json", "");
    folder.write("storage/part/msg_1/prt_8.json", "{\"id\":\"prt_8\",\"mess");
    let document = document(&folder.at("storage"));
    assert_eq!(document["records"]["malformed"], json!(1));
    assert_eq!(document["sessions"][0]["verdict"]["state"], json!("completed"));
}

#[test]
fn a_tree_in_which_all_is_broken_is_refused() {
    let folder = Folder::new();
    folder.write("t/message/ses_1/msg_1.json", "");
    folder.write("t/part/msg_1/prt_1.json", "\0\0\0\0");
    let tree = folder.at("t");
    let wanted = "this storage tree holds no document that can be read: they are empty or damaged";
    assert_eq!(steplens(&[&tree]).refused(), format!("steplens: {tree}: {wanted}\n"));
}

#[test]
fn another_folder_is_refused_with_what_to_do() {
    let folder = Folder::new();
    let name = folder.at("");
    let name = name.trim_end_matches('/');
    let refused = |wanted: &str| assert_eq!(steplens(&[name]).refused(), format!("steplens: {name}: {wanted}\n"));
    let no_tree = "this is a folder, and no storage tree (`message/` and `part/` with JSON files)";
    refused(&format!("{no_tree}; name the log itself"));
    folder.write("a.jsonl", logs::run("ses_1"));
    refused(&format!("{no_tree}; name the log in it: a.jsonl"));
    for other in ["d.jsonl.gz", "b.json", "c.log", "notes.md"] {
        folder.write(other, "");
    }
    refused(&format!("{no_tree}; name the logs in it: a.jsonl, b.json, c.log and 1 more"));
    // A tree further down is not looked for.
    lay_out(&folder, "deep/down/storage", &logs::export("ses_1"), true);
    refused(&format!("{no_tree}; name the logs in it: a.jsonl, b.json, c.log and 1 more"));
    folder.write("kilo.db", "SQLite format 3\0");
    refused(
        "this folder holds a database (kilo.db), which is not read; `kilo session list` lists its sessions, and `kilo \
         export SESSION > session.json` writes one to be read",
    );
    let tree = folder.at("deep/down");
    assert_eq!(
        steplens(&["explain", &tree, "--line", "1"]).refused(),
        format!("steplens: {tree}: explain reads one file: name the document in this folder that the line is in\n")
    );
}
