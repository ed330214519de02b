//! Exports, bus logs, shares and stored sessions: what they give alone, and together with the run's own stream.

// A test may stop at the first thing that is not as it should be.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, missing_docs)]

use serde_json::Value;
use steplens_core::run::{Options, Run};
use steplens_core::summary::{Summary, VerdictState};
use steplens_core::view::{Filter, Row};

const PARENT: &str = "ses_5c0ffee0dd1eAbCdEfGhIjKlMn";
const CHILD: &str = "ses_5c0ffee0dd1fChildOfTheFirst";

fn fixture(name: &str) -> Vec<u8> {
    let path = format!("{}/../tests/fixtures/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn run_of(files: &[(&str, &[u8])], chunk: usize) -> Run {
    let mut run = Run::new(Options::default());
    for (name, bytes) in files {
        run.begin_file(name);
        bytes.chunks(chunk).for_each(|piece| run.push(piece));
        run.end_file();
    }
    run
}

/// The same whatever the pieces are; records add up.
fn open(names: &[&str]) -> Run {
    let bytes: Vec<Vec<u8>> = names.iter().map(|name| fixture(name)).collect();
    let files: Vec<(&str, &[u8])> = names.iter().copied().zip(bytes.iter().map(Vec::as_slice)).collect();
    let run = run_of(&files, 64 << 10);
    for chunk in [1, 7] {
        assert_eq!(run_of(&files, chunk).summary(), run.summary());
    }
    let records = run.summary().records;
    assert_eq!(records.total, records.consumed + records.mapped + records.unknown + records.duplicates);
    run
}

/// Events as `type: what`.
fn events(run: &Run, names: &[&str]) -> Vec<String> {
    let bytes: Vec<Vec<u8>> = names.iter().map(|name| fixture(name)).collect();
    let mut out = Vec::new();
    for record in run.event_records() {
        let span = run.source_of(record).unwrap();
        let (from, to) = (span.offset as usize, (span.offset + span.len) as usize);
        for event in run.events_of(record, &bytes[span.file as usize][from..to]) {
            let json: Value = serde_json::from_str(&event.to_json_line()).unwrap();
            let keys = ["message", "path", "subagentId", "command"];
            let what = keys.iter().find_map(|key| json[*key].as_str()).unwrap_or("");
            out.push(format!("{}: {what}", json["type"].as_str().unwrap()));
        }
    }
    out
}

fn cost(summary: &Summary) -> Vec<Option<f64>> {
    summary.sessions.iter().map(|session| session.cost.reported_usd).collect()
}

#[test]
fn an_export_alone() {
    let run = open(&["export/parent.json"]);
    let summary = run.summary();
    assert_eq!(summary.files[0].format.as_deref(), Some("export"));
    assert_eq!(summary.files[0].confidence, 100);
    let session = &summary.sessions[0];
    assert_eq!((session.id.as_deref(), session.title.as_deref()), (Some(PARENT), Some("Rename the flag")));
    assert_eq!((session.model.as_deref(), session.dialect.as_str()), (Some("acme/one"), "kilo"));
    assert_eq!((session.steps, session.calls, session.turns), (2, 2, 1));
    // Of the message's own cost, which holds the subagent's, nothing is taken: steps are summed.
    assert_eq!(session.cost.reported_usd, Some(0.03));
    assert_eq!((session.verdict.state, session.duration_ms), (VerdictState::Completed, Some(9000)));
    assert_eq!(
        events(&run, &["export/parent.json"]),
        [
            "user: rename --fast to --quick",
            &format!("orchestration: {CHILD}"),
            "write: /w/cli.rs",
            "agent: Renamed in 1 file."
        ]
    );
    // The head, 9 parts: 4 that gave events, and 5 that by rule give none (4 boundaries and a patch).
    let records = summary.records;
    assert_eq!((records.total, records.mapped, records.consumed), (10, 4, 6));
    assert!(summary.limits.iter().any(|limit| limit.contains(CHILD)), "{:?}", summary.limits);
    assert!(!summary.limits.iter().any(|limit| limit.contains("no prompt")));
}

#[test]
fn a_cut_run_its_export_and_its_child_are_one_tree() {
    let names = ["export/run_cut.jsonl", "export/parent.json", "export/child.json"];
    let forward = open(&names).summary();
    let mut backward = open(&[names[2], names[1], names[0]]).summary();
    let tree: Vec<_> = forward.sessions.iter().map(|s| (s.id.as_deref(), s.parent.as_deref())).collect();
    assert_eq!(tree, [(Some(PARENT), None), (Some(CHILD), Some(PARENT))]);
    assert_eq!(cost(&forward), [Some(0.03), Some(0.04)]);
    assert_eq!(forward.total.cost.reported_usd, Some(0.07));
    assert_eq!((forward.total.steps, forward.total.calls), (3, 2));
    assert_eq!((forward.records.total, forward.records.duplicates), (20, 5));
    assert_eq!(forward.sessions[0].verdict.state, VerdictState::Completed);
    let contributed: Vec<u64> = forward.files.iter().map(|file| file.contributed.duplicates).collect();
    assert_eq!(contributed.iter().sum::<u64>(), 5);
    // The order in which files are given does not matter to anything but their own list.
    backward.files.reverse();
    let mut forward = forward;
    for summary in [&mut forward, &mut backward] {
        summary.diagnostics.clear();
        summary.findings.clear();
    }
    assert_eq!(backward, forward);
}

#[test]
fn an_export_that_died() {
    let run = open(&["export/died.json"]);
    let verdict = &run.summary().sessions[0].verdict;
    assert_eq!(verdict.state, VerdictState::Failed);
    assert!(verdict.reason.starts_with("no credit left"), "{}", verdict.reason);
    assert_eq!(events(&run, &["export/died.json"]), ["user: hello", "error: no credit left"]);
}

#[test]
fn an_export_that_is_cut_behind_text_of_another_program() {
    let run = open(&["export/cut_behind_junk.json"]);
    let summary = run.summary();
    assert_eq!(summary.files[0].format.as_deref(), Some("export"));
    assert_eq!(summary.sessions[0].verdict.state, VerdictState::Cut);
    assert_eq!((summary.total.steps, summary.total.calls), (2, 2));
    let events = events(&run, &["export/cut_behind_junk.json"]);
    let known: Vec<&String> = events.iter().filter(|event| !event.starts_with("unknown")).collect();
    assert_eq!(known, ["user: rename --fast to --quick", &format!("orchestration: {CHILD}"), "write: /w/cli.rs"]);
    // The junk, and the piece of the message that is cut.
    assert_eq!(summary.records.malformed, 2);
}

/// Wherever an export is cut, all of it is read but one piece at most, which is one record that holds the rest.
#[test]
fn an_export_that_is_cut_anywhere_ends_in_one_unknown_record() {
    let whole = fixture("export/parent.json");
    let stamped = |bytes: &[u8]| -> Vec<u8> {
        let lines = bytes.split_inclusive(|byte| *byte == b'\n');
        lines.flat_map(|line| [b"2026-11-30T10:00:00.1234567Z ", line].concat()).collect()
    };
    let mut calls = 0;
    for cut in (2..whole.len()).step_by(29) {
        let cut = &whole[..cut];
        for bytes in [cut.to_vec(), stamped(cut)] {
            let run = run_of(&[("export.json", &bytes)], 64 << 10);
            let summary = run.summary();
            let records = summary.records;
            assert_eq!(records.total, records.consumed + records.mapped + records.unknown + records.duplicates);
            assert!(records.unknown <= 1 && records.unknown == records.malformed, "{} bytes: {records:?}", cut.len());
            assert_eq!(summary.diagnostic_counts.values().sum::<u64>(), records.malformed, "{:?}", summary.diagnostics);
            assert!(summary.total.calls >= calls, "{} bytes: {} calls after {calls}", cut.len(), summary.total.calls);
            calls = summary.total.calls;
            let Some(line) = summary.diagnostics.first().map(|diagnostic| diagnostic.line) else { continue };
            let unknown = run.records_on_line(0, line).into_iter().next_back().unwrap();
            let span = run.span(unknown).unwrap();
            let events = run.events_of(unknown, &bytes[span.offset as usize..(span.offset + span.len) as usize]);
            let json: Value = serde_json::from_str(&events[0].to_json_line()).unwrap();
            let raw = json["raw"].as_str().unwrap();
            let end = String::from_utf8_lossy(cut);
            assert!(
                raw.starts_with(['{', ']']) && end.trim_end().ends_with(raw.trim_end()),
                "{} bytes: {raw:?}",
                cut.len()
            );
        }
    }
    assert_eq!(calls, 2);
}

#[test]
fn a_fork_is_counted_once() {
    let summary = open(&["export/parent.json", "export/fork.json"]).summary();
    assert_eq!(cost(&summary), [Some(0.03), Some(0.03)]);
    assert_eq!(summary.total.cost.reported_usd, Some(0.03));
    assert_eq!((summary.total.steps, summary.total.calls), (2, 2));
    assert!(summary.limits.iter().any(|limit| limit.contains("2 steps of") && limit.contains("a fork")));
}

#[test]
fn a_bus_log_says_what_the_export_says() {
    let run = open(&["bus/turn.jsonl"]);
    let summary = run.summary();
    assert_eq!((summary.files[0].format.as_deref(), summary.files[0].confidence), (Some("bus"), 100));
    assert_eq!(
        events(&run, &["bus/turn.jsonl"]),
        [
            "user: rename --fast to --quick".to_owned(),
            format!("orchestration: {CHILD}"),
            "agent: Renamed in 1 file.".to_owned(),
            "unknown: ".to_owned()
        ]
    );
    let session = &summary.sessions[0];
    assert_eq!((session.steps, session.calls, session.model.as_deref()), (2, 1, Some("acme/one")));
    assert_eq!(session.verdict.reason, "the turn was closed: completed");
    assert_eq!(session.cost.reported_usd, Some(0.03));
    // An earlier state of the call, and one of the text.
    assert_eq!(summary.records.duplicates, 2);
}

#[test]
fn what_was_taken_back_is_found_where_it_stands() {
    let run = open(&["bus/removed.jsonl"]);
    let summary = run.summary();
    let found: Vec<_> = summary.findings.iter().map(|f| (f.kind.as_str(), f.line, f.message.as_str())).collect();
    let stays = "what was read of it before stays here";
    assert_eq!(
        found,
        [
            ("removed-message", 5, &*format!("message msg_a1 was removed from its session (line 11): {stays}")),
            ("reverted", 5, &format!("the session was reverted to just before message msg_a1 (line 10): {stays}")),
            ("pruned-output", 6, "the harness took the output of this call out of the context later"),
            ("removed-part", 7, &format!("part prt_a3 was removed from its message (line 9): {stays}")),
            (
                "removed-message",
                12,
                "message msg_never_seen was removed from its session (line 12): nothing of it is in this log"
            ),
        ]
    );
    assert_eq!(summary.finding_counts.values().sum::<u64>(), 5);
    // The rows of what was taken back say so.
    let view = run.view(&Filter::default());
    let rows = run.window(&view, 0..20).rows;
    let marks = rows.iter().filter_map(|row| match row {
        Row::Event(event) => Some((event.line, event.taken_back)),
        _ => None,
    });
    assert_eq!(marks.collect::<Vec<_>>(), [(3, false), (6, true), (7, true)]);
    // The events stay, and the limits say what is not known of them.
    assert_eq!((summary.events["read"], summary.events["agent"]), (1, 1));
    let limits: Vec<&str> = summary.limits.iter().map(String::as_str).collect();
    assert!(
        limits.contains(&"3 parts carry no time of their own: the time of their message stands for it, derived"),
        "{limits:?}"
    );
    assert!(
        limits.contains(&"the harness took the output of 1 call out of the context later: what the model still saw is not in the log"),
        "{limits:?}"
    );
    for limit in limits {
        assert!(steplens_core::advice::of_limit(limit).is_some(), "{limit}");
    }
}

#[test]
fn a_start_that_only_an_id_tells_is_said_to_be_derived() {
    let log = r#"{"type":"text","timestamp":1781000000270,"sessionID":"s","part":{"id":"prt_eabdf520000aAbCdEfGhIjKlMn","messageID":"m","type":"text","text":"hello"}}"#;
    let mut run = Run::new(Options::default());
    run.begin_file("run.jsonl");
    run.push(log.as_bytes());
    run.end_file();
    let limits = run.summary().limits;
    let derived = "1 text or call says no start: it is derived from their part ids, and how long they took is unknown";
    assert!(limits.iter().any(|limit| limit == derived), "{limits:?}");
}

#[test]
fn an_ask_without_an_answer_is_where_the_log_ends() {
    let summary = open(&["bus/unanswered.jsonl"]).summary();
    let verdict = &summary.sessions[0].verdict;
    assert_eq!(verdict.state, VerdictState::Cut);
    assert_eq!(verdict.reason, "waits for an answer to task (per_1)");
    assert!(summary.findings.iter().any(|finding| finding.kind == "never-answered"));
}

#[test]
fn a_share_and_a_stored_session_give_the_same() {
    let export: Value = serde_json::from_slice(&fixture("export/parent.json")).unwrap();
    let mut share = vec![serde_json::json!({"type": "session", "data": export["info"]})];
    let mut stored = vec![export["info"].clone()];
    for message in export["messages"].as_array().unwrap() {
        share.push(serde_json::json!({"type": "message", "data": message["info"]}));
        stored.push(message["info"].clone());
        for part in message["parts"].as_array().unwrap() {
            share.push(serde_json::json!({"type": "part", "data": part}));
            stored.push(part.clone());
        }
    }
    let share = Value::from(share).to_string();
    let stored: String = stored.iter().map(|document| format!("{document:#}\n")).collect();
    let whole = open(&["export/parent.json"]).summary();
    for (text, format) in [(share, "share"), (stored, "storage")] {
        let summary = run_of(&[("x.json", text.as_bytes())], 64 << 10).summary();
        assert_eq!(summary.files[0].format.as_deref(), Some(format));
        assert_eq!(summary.events, whole.events, "{format}");
        assert_eq!(summary.total.tokens, whole.total.tokens, "{format}");
        assert_eq!(summary.sessions[0].cost.reported_usd, Some(0.03), "{format}");
        assert_eq!(summary.sessions[0].verdict, whole.sessions[0].verdict, "{format}");
    }
}

#[test]
fn another_harness_is_named_and_not_read() {
    let claude = "{\"type\":\"system\",\"subtype\":\"init\",\"session_id\":\"x\"}\n{\"type\":\"assistant\",\"message\":{},\"session_id\":\"x\"}\n";
    let run = run_of(&[("claude.jsonl", claude.as_bytes())], 64 << 10);
    assert!(!run.recognised());
    assert_eq!(run.foreign(0), Some(steplens_core::foreign::Foreign::ClaudeCode));
}
