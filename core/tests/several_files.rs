//! Several files that are open together.

// A test may stop at the first thing that is not as it should be.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, missing_docs)]

mod common;

use common::{File, Opened, fixtures, open, proofs};
use std::fs;
use steplens_core::run::DialectChoice;
use steplens_core::view::{Filter, Row};

fn fixture(case: &str) -> Vec<u8> {
    fs::read(fixtures().join(format!("{case}.jsonl"))).unwrap()
}

/// The run of these files, after all proofs.
#[track_caller]
fn opened<'a>(files: &[File<'a>]) -> Opened<'a> {
    for chunk in common::CHUNKS {
        let opened = open(files, DialectChoice::Auto, chunk);
        proofs::all(&opened);
        proofs::one_record_a_line(&opened);
    }
    open(files, DialectChoice::Auto, 64 << 10)
}

#[test]
fn a_file_that_is_opened_twice_counts_once() {
    let log = fixture("kilo_run_all_tools");
    let once = opened(&[("a.jsonl", &log)]).run.summary();
    let twice = opened(&[("a.jsonl", &log), ("b.jsonl", &log)]).run.summary();
    assert_eq!(twice.total, once.total);
    assert_eq!(twice.sessions, once.sessions);
    assert_eq!(twice.events, once.events);
    assert_eq!(twice.tools, once.tools);
    assert_eq!((twice.records.total, twice.records.duplicates), (64, 32));
}

#[test]
fn an_event_names_its_file_only_where_there_are_several() {
    let (left, right) = (fixture("case_verdict_stop"), fixture("case_timestamp_wire"));
    let alone = opened(&[("left.jsonl", &left)]).event_values();
    assert!(alone.iter().all(|event| event.get("file").is_none()));
    let both = opened(&[("left.jsonl", &left), ("right.jsonl", &right)]);
    let places: Vec<_> =
        both.event_values().iter().map(|event| (event["file"].clone(), event["line"].clone())).collect();
    assert_eq!(places, [("left.jsonl".into(), 2.into()), ("right.jsonl".into(), 1.into())]);
    let names: Vec<_> =
        both.run.summary().files.into_iter().map(|file| (file.name, file.lines, file.records)).collect();
    assert_eq!(names, [("left.jsonl".to_owned(), 3, 3), ("right.jsonl".to_owned(), 1, 1)]);
}

#[test]
fn a_child_in_another_file_is_found_by_its_parent() {
    let all = String::from_utf8(fixture("child_sessions_in_file")).unwrap();
    let parent_id = "ses_11e7bc4ffffeGIhwhpsuBfEg9t";
    let own = format!("\"sessionID\":\"{parent_id}\",\"part\"");
    let (parent, children): (Vec<&str>, Vec<&str>) = all.lines().partition(|line| line.contains(&own));
    let (parent, children) = (parent.join("\n"), children.join("\n"));
    let missing = |limits: &[String]| limits.iter().filter(|limit| limit.starts_with("sub-session ")).count();

    let alone = opened(&[("parent.jsonl", parent.as_bytes())]).run.summary();
    assert_eq!((alone.sessions.len(), missing(&alone.limits)), (1, 1), "the child is said to be missing");

    let orders: [&[File<'_>]; 2] = [
        &[("parent.jsonl", parent.as_bytes()), ("children.jsonl", children.as_bytes())],
        &[("children.jsonl", children.as_bytes()), ("parent.jsonl", parent.as_bytes())],
    ];
    for files in orders {
        let summary = opened(files).run.summary();
        assert_eq!(missing(&summary.limits), 0);
        let parents: Vec<_> = summary.sessions.iter().map(|session| session.parent.as_deref()).collect();
        let ids: Vec<_> = summary.sessions.iter().map(|session| session.id.as_deref()).collect();
        assert_eq!(parents, [None, ids[0], ids[1]], "parent, child, child's child");
        assert_eq!(ids[0], Some(parent_id));
    }
}

#[test]
fn the_order_of_files_with_different_sessions_does_not_matter() {
    let logs = ["kilo_permission_refused", "opencode_run_all_tools", "opencode2_errors"].map(fixture);
    let [a, b, c] = [("a.jsonl", &*logs[0]), ("b.jsonl", &*logs[1]), ("c.jsonl", &*logs[2])];
    let first = opened(&[a, b, c]).run.summary();
    for files in [[b, c, a], [c, b, a]] {
        let summary = opened(&files).run.summary();
        assert_eq!(summary.total, first.total);
        assert_eq!(summary.tools, first.tools);
        assert_eq!(summary.events, first.events);
        let verdicts = |summary: &steplens_core::summary::Summary| {
            summary.sessions.iter().map(|session| (session.id.clone(), session.verdict.clone())).collect::<Vec<_>>()
        };
        assert_eq!(verdicts(&summary), verdicts(&first));
    }
}

#[test]
fn kilo_in_a_file_name_tells_the_dialect() {
    let log = br#"{"type":"tool_use","sessionID":"ses_1","part":{"tool":"task","state":{"status":"ok","input":{"agent":"x"}}}}"#;
    let dialect = |name| {
        let summary = opened(&[(name, log)]).run.summary();
        (summary.dialect, summary.dialect_evidence, summary.events.into_keys().next())
    };
    let mark = || vec!["\"kilo\" in the file's name".to_owned()];
    assert_eq!(dialect("my-kilo-run.jsonl"), ("kilo".to_owned(), mark(), Some("orchestration".to_owned())));
    assert_eq!(dialect("KILO.jsonl"), ("kilo".to_owned(), mark(), Some("orchestration".to_owned())));
    assert_eq!(dialect("run.jsonl"), ("opencode".to_owned(), vec![], Some("unknown".to_owned())));
}

#[test]
fn records_at_the_head_of_a_file_belong_to_the_session_that_it_names_first() {
    let first = br#"{"type":"text","sessionID":"ses_1","part":{"id":"prt_1","text":"one"}}"#;
    let second =
        b"{\"type\":\"text\",\"text\":\"head\"}\nnoise\n{\"type\":\"text\",\"sessionID\":\"ses_1\",\"text\":\"two\"}\n";
    let both = opened(&[("a.jsonl", first), ("b.jsonl", second)]);
    let sessions: Vec<_> = both.run.summary().sessions.into_iter().map(|session| session.id).collect();
    assert_eq!(sessions, [Some("ses_1".to_owned())]);
    assert!(both.event_values().iter().all(|event| event["sessionId"] == "ses_1"));

    // A file whose records name none has a session of its own.
    let unnamed = b"{\"type\":\"text\",\"text\":\"alone\"}\n";
    let both = opened(&[("a.jsonl", first), ("b.jsonl", unnamed)]);
    let sessions: Vec<_> = both.run.summary().sessions.into_iter().map(|session| session.id).collect();
    assert_eq!(sessions, [None, Some("ses_1".to_owned())]);
}

#[test]
fn rows_lead_to_the_right_file() {
    let (left, right) = (fixture("case_verdict_stop"), fixture("case_two_sessions"));
    let both = opened(&[("left.jsonl", &left), ("right.jsonl", &right)]);
    let view = both.run.view(&Filter::default());
    for file in 0..2 {
        let row = both.run.row_of_line(&view, file, 1).unwrap();
        let window = both.run.window(&view, row..row + 1);
        let Row::Step(step) = &window.rows[0] else { panic!("line 1 begins a step") };
        assert_eq!((step.line, step.number), (1, 1));
        let span = both.run.span(both.run.records_on_line(file, 1)[0]).unwrap();
        assert_eq!((span.file, span.offset), (file, 0));
    }
    assert_eq!(both.run.row_of_line(&view, 2, 1), None);
}

#[test]
fn a_file_that_is_no_log_is_told_from_one_that_is() {
    let log = fixture("case_verdict_stop");
    let files: &[File<'_>] = &[("run.jsonl", &log), ("notes.txt", b"just notes\n"), ("empty", b"")];
    let both = opened(files);
    let recognised: Vec<bool> = (0..4).map(|file| both.run.file_recognised(file)).collect();
    assert_eq!(recognised, [true, false, false, false]);
    assert!(both.run.recognised());
    assert_eq!(both.run.head_of_file(1), b"just notes\n");
    let formats: Vec<_> = both.run.summary().files.into_iter().map(|file| file.format).collect();
    assert_eq!(formats, [Some("step-stream".to_owned()), None, None]);
    assert!(!open(&[("notes.txt", b"just notes\n{\"a\":1}\n[]")], DialectChoice::Auto, 7).run.recognised());
    assert!(open(&[("x", b"{\"type\":\"news\",\"sessionID\":\"s\"}")], DialectChoice::Auto, 7).run.recognised());
    assert!(!open(&[("x", b"{\"type\":\"news\"}")], DialectChoice::Auto, 7).run.recognised());
    assert!(open(&[("x", b"{\"type\":\"step_start\"}")], DialectChoice::Auto, 7).run.recognised());
}

/// A log that was cut in two is one run, whichever half is opened first.
#[test]
fn halves_of_a_log_are_one_run_in_either_order() {
    let log = String::from_utf8(fixture("kilo_run_all_tools")).unwrap();
    let whole = opened(&[("run.jsonl", log.as_bytes())]).run.summary();
    let lines: Vec<&str> = log.lines().collect();
    for at in 1..lines.len() {
        let (first, second) = (lines[..at].join("\n"), lines[at..].join("\n"));
        let (first, second) = (("run.1.jsonl", first.as_bytes()), ("run.2.jsonl", second.as_bytes()));
        for files in [[first, second], [second, first]] {
            let halves = open(&files, DialectChoice::Auto, 64 << 10).run.summary();
            let of = |summary: &steplens_core::summary::Summary| {
                let total = summary.total.clone();
                (total.steps, total.calls, total.failed_calls, total.tokens, total.cost, summary.events.clone())
            };
            assert_eq!(of(&halves), of(&whole), "cut behind line {at}");
        }
    }
}
