//! Logs at the edge of what can be: deep, long, many.

// A test may stop at the first thing that is not as it should be.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, missing_docs)]

mod common;

use common::{CHUNKS, Opened, open, proofs, read};
use serde_json::{Value, json};
use steplens_core::run::{DIAGNOSTICS_KEPT, DialectChoice, Run};
use steplens_core::view::{Filter, Row};

/// The run of a log, after all proofs, the same for pieces of 7 bytes and of 64 KiB.
#[track_caller]
fn opened(log: &str, check: impl Fn(&Opened<'_>)) {
    let files = [("run.jsonl", log.as_bytes())];
    for chunk in &CHUNKS[1..] {
        let opened = open(&files, DialectChoice::Auto, *chunk);
        proofs::all(&opened);
        proofs::one_record_a_line(&opened);
        check(&opened);
    }
}

#[test]
fn nesting_of_two_thousand_levels() {
    const LEVELS: usize = 2_000;
    let arrays = format!("{}1{}", "[".repeat(LEVELS), "]".repeat(LEVELS));
    let objects = format!("{}1{}", "{\"a\":".repeat(LEVELS), "}".repeat(LEVELS));
    let state = |more: &str| {
        format!(
            "{{\"type\":\"tool_use\",\"sessionID\":\"s\",\"part\":{{\"id\":\"prt_{}\",\"tool\":\"bash\",\"state\":{{\"status\":\"completed\",{more}}}}}}}\n",
            more.len()
        )
    };
    let log = [
        state(&format!(
            "\"input\":{{\"command\":\"make\",\"deep\":{arrays}}},\"metadata\":{{\"exit\":3,\"deep\":{objects}}}"
        )),
        state(&format!("\"input\":{{\"command\":\"make\"}},\"output\":{objects}")),
        state(&format!("\"input\":{arrays}")),
        format!("{{\"type\":\"news\",\"sessionID\":\"s\",\"x\":{objects}}}\n"),
        format!("{arrays}\n"),
        format!("{}\n", "{\"a\":".repeat(LEVELS)),
        "{\"type\":\"text\",\"text\":\"after\"}\n".to_owned(),
    ]
    .concat();
    opened(&log, |opened| {
        let summary = opened.run.summary();
        let records = summary.records;
        assert_eq!((records.total, records.mapped, records.unknown, records.malformed), (7, 3, 4, 2));
        assert_eq!((summary.total.failed_calls, summary.total.green_but_failed), (1, 1));
        assert_eq!(summary.tools[0].output_bytes, objects.len() as u64);
        let lines = opened.event_lines();
        assert!(lines[0].contains("\"exitCode\":3") && lines[0].contains("\"outcome\":\"failed\""), "{}", lines[0]);
        assert!(lines[3].contains(&objects), "the record is kept as it is");
        assert!(lines[6].contains("\"message\":\"after\""));
    });
}

#[test]
fn a_line_of_a_megabyte() {
    let text = "é→\u{1F600}x".repeat(110_000);
    assert!(text.len() > 1_000_000);
    let write = json!({"type": "tool_use", "sessionID": "s", "part": {"id": "prt_1", "tool": "write", "state": {
        "status": "completed", "input": {"filePath": "/w/long.txt", "content": text}, "output": text}}});
    let said = json!({"type": "text", "sessionID": "s", "part": {"id": "prt_2", "text": text}});
    let log = format!("{write}\n{said}\n{{\"type\":\"text\",\"text\":\"after\"}}\n");
    opened(&log, |opened| {
        let events = opened.event_values();
        assert_eq!((&events[0]["path"], &events[1]["message"]), (&json!("/w/long.txt"), &json!(text)));
        assert_eq!((&events[2]["message"], &events[2]["line"]), (&json!("after"), &json!(3)));
        assert_eq!(opened.run.summary().tools[0].output_bytes, text.len() as u64);
        let view = opened.run.view(&Filter::default());
        for row in opened.run.window(&view, 0..3).rows {
            let Row::Event(row) = row else { panic!("there is no step") };
            assert!(row.summary.len() <= 240, "a row holds a line, not the whole");
        }
    });
}

#[test]
fn ten_thousand_calls() {
    let call = |index: u64| {
        let (start, end) = (1_780_000_000_000 + index * 10, 1_780_000_000_000 + index * 10 + index % 10);
        let state = json!({"status": "completed", "input": {"command": "make"}, "output": "ok",
            "metadata": {"exit": index % 2}, "time": {"start": start, "end": end}});
        let part = json!({"id": format!("prt_{index}"), "tool": "bash", "state": state});
        format!("{}\n", json!({"type": "tool_use", "sessionID": format!("ses_{}", index % 3), "part": part}))
    };
    let log: String = (0..10_000).map(call).collect();
    let files = [("run.jsonl", log.as_bytes())];
    let opened = open(&files, DialectChoice::Auto, 4096);
    let summary = opened.run.summary();
    assert_eq!(
        (summary.total.calls, summary.total.failed_calls, summary.total.green_but_failed),
        (10_000, 5_000, 5_000)
    );
    let bash = &summary.tools[0];
    assert_eq!((bash.p50_ms, bash.p90_ms, bash.max_ms), (Some(4), Some(8), Some(9)));
    assert_eq!((bash.total_ms, bash.wall_ms, bash.output_bytes), (Some(45_000), Some(45_000), 20_000));
    let calls: Vec<_> = summary.sessions.iter().map(|session| session.calls).collect();
    assert_eq!(calls, [3_334, 3_333, 3_333]);
    assert_eq!(opened.event_lines().len(), 10_000);
}

/// Beyond a bound for each kind, what is odd is counted and not listed.
#[test]
fn many_oddities_are_counted_and_not_all_listed() {
    let many = DIAGNOSTICS_KEPT + 5;
    let log = format!("{}{}", "no json\n".repeat(many), "{\"type\":\"news\",\"sessionID\":\"s\"}\n".repeat(3));
    let summary = read(&log).summary();
    assert_eq!(summary.records.malformed, many as u64);
    let listed = |kind: &str| summary.diagnostics.iter().filter(|diagnostic| diagnostic.kind == kind).count();
    assert_eq!((listed("malformed-line"), listed("unknown-type")), (DIAGNOSTICS_KEPT, 3));
    assert_eq!(summary.diagnostic_counts["malformed-line"], many as u64);
    assert_eq!(summary.diagnostic_counts["unknown-type"], 3);
    let last = summary.diagnostics.iter().rfind(|diagnostic| diagnostic.kind == "malformed-line").unwrap();
    assert_eq!((last.line, last.offset), (DIAGNOSTICS_KEPT as u64, 8 * (DIAGNOSTICS_KEPT as u64 - 1)));
}

#[test]
fn nothing_at_all() {
    for log in ["", "\n", "\r\n\r\n", "   \n\t", "\u{FEFF}", "\u{FEFF}\n"] {
        let run = read(log);
        let summary = run.summary();
        assert!(!run.recognised());
        assert_eq!(summary.records.total, 0, "{log:?}");
        assert_eq!((summary.sessions.len(), summary.limits.len(), summary.diagnostics.len()), (0, 0, 0));
        assert_eq!(run.event_records().count(), 0);
        assert!(run.view(&Filter::default()).is_empty());
    }
    let run = Run::default();
    assert_eq!(run.summary().files.len(), 0);
    assert_eq!(run.progress().bytes, 0);
}

/// Calls that nobody can tell apart by their ids are all there.
#[test]
fn lines_without_any_id_are_never_lost() {
    let log =
        "{\"type\":\"tool_use\",\"tool\":\"bash\",\"status\":\"ok\",\"input\":{\"command\":\"make\"}}\n".repeat(50);
    let summary = read(&log).summary();
    assert_eq!((summary.total.calls, summary.records.mapped, summary.records.duplicates), (50, 50, 0));
}

/// The largest counts survive into the document, digit by digit.
#[test]
fn the_largest_counts_are_exact_in_the_document() {
    let log = "{\"type\":\"step_finish\",\"part\":{\"tokens\":{\"input\":18446744073709551615,\"output\":9007199254740993}}}\n";
    let document = serde_json::to_string(&read(log).summary()).unwrap();
    assert!(document.contains("\"uncachedInput\":18446744073709551615"), "{document}");
    assert!(document.contains("\"output\":9007199254740993"), "{document}");
    let value: Value = serde_json::from_str(&document).unwrap();
    assert_eq!(value["total"]["tokens"]["uncachedInput"].as_u64(), Some(u64::MAX));
}
