//! gzip and zstd: told by their first bytes, read as what is in them.

// A test may stop at the first thing that is not as it should be.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, missing_docs)]

mod common;
mod logs;

use common::{fixture, steplens, with_input};
use logs::{Folder, gzip, zstd};
use serde_json::{Value, json};
use std::fs;

fn document(path: &str) -> Value {
    serde_json::from_str(&steplens(&["summary", "--json", path]).good()).unwrap()
}

#[test]
fn a_packed_log_is_read_as_the_log_in_it() {
    let bytes = fs::read(fixture("kilo_run_all_tools")).unwrap();
    let folder = Folder::new();
    let plain = folder.write("run.jsonl", &bytes);
    let events = steplens(&["events", &plain]).good();
    let half = bytes.len() / 2;
    // Names say nothing: a gzip file may be called `.zst`, and a log `.gz`.
    for (name, packed, compression) in [
        ("a.jsonl.gz", gzip(&bytes), Some("gzip")),
        ("b.log.zst", gzip(&bytes), Some("gzip")),
        ("members.gz", [gzip(&bytes[..half]), gzip(&bytes[half..])].concat(), Some("gzip")),
        ("c.jsonl.zst", zstd(&bytes), Some("zstd")),
        ("frames", [zstd(&bytes[..half]), zstd(&bytes[half..])].concat(), Some("zstd")),
        ("plain.gz", bytes.clone(), None),
    ] {
        let path = folder.write(name, &packed);
        assert_eq!(steplens(&["events", &path]).good(), events, "{name}");
        assert_eq!(with_input(&["events", "-"], &packed).good(), events, "{name}");
        let mut found = document(&path);
        let file = &found["files"][0];
        assert_eq!((&file["name"], &file["bytes"]), (&json!(name), &json!(packed.len())));
        assert_eq!(file["compression"], json!(compression));
        let mut wanted = document(&plain);
        wanted["files"] = Value::Null;
        found["files"] = Value::Null;
        assert_eq!(found, wanted, "{name}");
    }
    let of_stdin: Value = serde_json::from_str(&with_input(&["summary", "--json", "-"], &gzip(&bytes)).good()).unwrap();
    assert_eq!(of_stdin["files"][0]["bytes"], json!(gzip(&bytes).len()));
}

#[test]
fn places_are_those_of_the_unpacked_bytes() {
    let plain = fixture("kilo_run_all_tools");
    let folder = Folder::new();
    let path = folder.write("run.jsonl.zst", zstd(fs::read(&plain).unwrap()));
    for line in ["1", "3", "7"] {
        let wanted = steplens(&["explain", &plain, "--line", line]).good();
        let found = steplens(&["explain", &path, "--line", line]).good();
        assert_eq!(found.replace(&path, &plain), wanted);
    }
}

#[test]
fn of_a_cut_archive_the_rest_is_read_and_the_cut_is_said() {
    let text = logs::run("ses_1");
    let folder = Folder::new();
    let packed = gzip(&text);
    // All but the checksum is there: every line comes out.
    let path = folder.write("run.jsonl.gz", &packed[..packed.len() - 8]);
    let wanted = format!(
        "the gzip data ends early, at byte {}: {} bytes could be unpacked and are read",
        packed.len() - 8,
        text.len()
    );
    let ran = steplens(&["summary", "--json", &path]);
    assert_eq!((ran.code, ran.err.as_str()), (0, format!("steplens: {path}: {wanted}\n").as_str()));
    let document: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(document["records"]["total"], json!(4));
    assert_eq!(document["diagnosticCounts"], json!({"damaged-data": 1}));
    assert_eq!(
        document["diagnostics"],
        json!([{"kind": "damaged-data", "file": 0, "line": 4, "offset": text.len(), "message": wanted}])
    );
    let quiet = steplens(&["-q", &path]).good();
    assert!(quiet.contains("damaged-data 1\n") && quiet.contains(&wanted), "{quiet}");
    let ran = steplens(&["check", "--no-malformed", "-q", &path]);
    assert_eq!(ran.code, 1);
    assert!(ran.out.contains(&format!("broken  no-malformed  no malformed line  none; {wanted}")), "{}", ran.out);
}

#[test]
fn an_archive_with_nothing_to_be_had_is_refused() {
    let folder = Folder::new();
    let packed = gzip(logs::run("ses_1"));
    let path = folder.write("run.jsonl.gz", &packed[..12]);
    let message = steplens(&[&path]).refused();
    assert_eq!(
        message,
        format!("steplens: {path}: the gzip data ends early, at byte 12: nothing of it could be unpacked\n")
    );
    let path = folder.write("empty.gz", gzip(""));
    let message = steplens(&[&path]).refused();
    assert!(message.starts_with(&format!("steplens: {path}: the file is empty")), "{message}");
}

#[test]
fn what_cannot_be_read_says_what_to_do() {
    let folder = Folder::new();
    for (head, wanted) in [
        (&b"SQLite format 3\0\x10"[..], "this is an SQLite database, which is not read; `opencode export SESSION"),
        (b"PK\x03\x04abc", "this is a zip archive, which is not read; unpack it"),
        (b"\xfd7zXZ\0abc", "this is xz data, which is not read; unpack it with `xz -d`"),
        (b"BZh91AY", "this is bzip2 data, which is not read"),
    ] {
        let path = folder.write("file", head);
        let message = steplens(&[&path]).refused();
        assert!(message.starts_with(&format!("steplens: {path}: {wanted}")), "{message}");
        let packed = folder.write("file.gz", gzip(head));
        assert!(steplens(&[&packed]).refused().contains(wanted));
    }
}
