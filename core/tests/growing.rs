//! Logs that grow while they are open: whatever the pieces in which they come, and wherever they seemed to end, the run
//! is the one of the whole log.

// A test may stop at the first thing that is not as it should be.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, missing_docs)]

mod common;

use common::dump::dump;
use common::generate::config;
use common::{File, Opened, open};
use proptest::prelude::*;
use std::fs;
use std::path::PathBuf;
use steplens_core::run::{DialectChoice, Options, Run};
use steplens_core::summary::VerdictState;

/// All logs of a folder of fixtures.
fn logs(folder: &str) -> Vec<(String, Vec<u8>)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures").join(folder);
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let logs = paths.filter(|path| path.extension().is_some_and(|e| e == "jsonl" || e == "json" || e == "log"));
    let mut logs: Vec<_> = logs.map(|path| (path.display().to_string(), fs::read(path).unwrap())).collect();
    logs.sort();
    assert!(!logs.is_empty(), "no log in the folder");
    logs
}

/// The run of a log that comes in two pieces, and seemed to end, or did not, after the first of them.
fn grown<'a>(log: &'a [u8], cut: usize, ends: bool) -> Option<Opened<'a>> {
    let mut run = Run::new(Options::default());
    run.begin_file("run.jsonl");
    run.push(&log[..cut]);
    if ends {
        run.end_file();
        assert_eq!(run.waiting_bytes(), 0, "nothing waits once a file has ended");
    } else {
        run.pause_file();
    }
    // What is asked meanwhile changes nothing.
    run.summary();
    if !run.resume_file() {
        assert!(ends, "what did not end goes on");
        return None;
    }
    run.push(&log[cut..]);
    run.end_file();
    let files: [File<'a>; 1] = [("run.jsonl", log)];
    Some(Opened { run, files: files.to_vec() })
}

fn whole(log: &[u8]) -> String {
    dump(&open(&[("run.jsonl", log)], DialectChoice::Auto, 64 << 10))
}

#[test]
fn a_log_that_is_followed_line_by_line_is_at_each_line_what_it_is_when_opened_then() {
    for (name, log) in logs("step_stream") {
        if log.len() > 40_000 || log.starts_with(&[0xFF]) || log.starts_with(&[0xFE]) {
            continue;
        }
        let mut run = Run::new(Options::default());
        run.begin_file("run.jsonl");
        let mut end = 0;
        for line in log.split_inclusive(|byte| *byte == b'\n') {
            run.push(line);
            end += line.len();
            run.pause_file();
            // A value over several lines, or lines that are held back, are not there yet.
            if run.waiting_bytes() == 0 {
                let followed = run.summary();
                let opened = open(&[("run.jsonl", &log[..end])], DialectChoice::Auto, 64 << 10).run.summary();
                assert_eq!(followed, opened, "{name}, up to byte {end}");
            }
        }
        run.end_file();
        assert_eq!(dump(&Opened { run, files: vec![("run.jsonl", &log)] }), whole(&log), "{name}");
    }
}

#[test]
fn a_log_that_seemed_to_end_goes_on_behind_whole_lines_only() {
    let log = concat!(
        r#"{"type":"step_start","timestamp":1,"sessionID":"ses_1","part":{"id":"prt_1","messageID":"msg_1","type":"step-start"}}"#,
        "\n",
        r#"{"type":"text","timestamp":2,"sessionID":"ses_1","part":{"id":"prt_2","messageID":"msg_1","type":"text","text":"hello"}}"#,
        "\n",
    );
    let first = log.find('\n').unwrap() + 1;
    for cut in 0..=log.len() {
        let grown = grown(log.as_bytes(), cut, true);
        // Behind a line end, and where there is nothing at all.
        let is_whole = [0, first, log.len()].contains(&cut);
        assert_eq!(grown.is_some(), is_whole, "cut at byte {cut}");
        if let Some(grown) = grown {
            assert_eq!(dump(&grown), whole(log.as_bytes()), "cut at byte {cut}");
        }
    }
}

#[test]
fn a_file_that_is_read_again_in_another_place_is_still_known_to_be_packed() {
    let read = |names: [&str; 2], packed: Option<&str>| {
        let mut run = Run::new(Options::default());
        for name in names {
            run.begin_file(name);
            if packed == Some(name) {
                run.unpacked_from(7, "gzip");
                run.note_damage("its end is missing");
            }
            run.push(b"{\"type\":\"text\",\"part\":{\"text\":\"hello\"}}\n");
            run.end_file();
        }
        run
    };
    let before = read(["a.jsonl", "b.jsonl.gz"], Some("b.jsonl.gz"));
    // What grew is read behind the others.
    let mut after = read(["b.jsonl.gz", "a.jsonl"], None);
    after.settle(&before);
    let files: Vec<_> = after.summary().files.into_iter().map(|file| (file.name, file.compression)).collect();
    assert_eq!(files, [("b.jsonl.gz".to_owned(), Some("gzip".to_owned())), ("a.jsonl".to_owned(), None)]);
    let damaged = after.summary().diagnostics.into_iter().find(|odd| odd.kind == "damaged-data").unwrap();
    assert_eq!(damaged.file, 0);
}

#[test]
fn bytes_that_wait_are_counted() {
    let mut run = Run::new(Options::default());
    assert!(!run.resume_file(), "there is no file yet");
    run.begin_file("run.jsonl");
    run.push(b"{\"type\":\"text\"");
    assert_eq!((run.waiting_bytes(), run.summary().records.total), (14, 0));
    run.push(b"}\n{\"type\":");
    assert_eq!((run.waiting_bytes(), run.summary().records.total), (8, 1));
    run.end_file();
    assert_eq!((run.waiting_bytes(), run.summary().records.total), (0, 2));
    assert!(!run.resume_file());
}

proptest! {
    #![proptest_config(config(64))]

    #[test]
    fn any_log_may_grow_at_any_place(which in any::<prop::sample::Index>(), place in any::<prop::sample::Index>(), ends in any::<bool>(), folder in prop::sample::select(vec!["step_stream", "bus", "export"])) {
        let logs = logs(folder);
        let (name, log) = which.get(&logs);
        let cut = place.index(log.len() + 1);
        if let Some(grown) = grown(log, cut, ends) {
            prop_assert_eq!(dump(&grown), whole(log), "{}, cut at byte {}", name, cut);
        }
    }
}

#[test]
fn what_was_read_before_a_stop_says_nothing_of_the_end() {
    let log = "{\"type\":\"step_start\",\"sessionID\":\"ses_1\",\"part\":{\"id\":\"prt_1\",\"type\":\"step-start\"}}\n";
    let mut run = Run::default();
    run.begin_file("run.jsonl");
    run.push(log.as_bytes());
    assert_eq!(run.summary().sessions[0].verdict.state, VerdictState::Cut);
    run.stop(log.len() as u64, 4000);
    let summary = run.summary();
    assert_eq!(summary.sessions[0].verdict.state, VerdictState::Unknown);
    assert_eq!(
        summary.sessions[0].verdict.reason,
        "reading was stopped before the end of the log; up to there: step 1 was started and never finished"
    );
    let limit = format!(
        "reading was stopped at {} B of 4 kB: all figures are of that part, and the end of the run is unknown",
        log.len()
    );
    assert_eq!(summary.limits.first(), Some(&limit));
    assert!(steplens_core::advice::of_limit(&limit).is_some());
}
