//! The Agent Event Protocol over whole logs: what holds of every log, and the ladder of a run stream.

// A test may stop at the first thing that is not as it should be.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, missing_docs)]

mod common;

use common::open;
use serde_json::Value;
use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::PathBuf;
use steplens_core::aep::{Settings, Survey, Totals};
use steplens_core::run::DialectChoice;

/// The events of a log as JSON, and what became of its moments.
fn map(bytes: &[u8], settings: &Settings) -> (Vec<String>, Totals) {
    let opened = open(&[("run.jsonl", bytes)], DialectChoice::Auto, 64 << 10);
    let run = &opened.run;
    let mut survey = Survey::default();
    let read = |record| opened.bytes(run.span(record).unwrap());
    for record in run.record_ids() {
        run.aep_survey(&mut survey, record, read(record));
    }
    let mut pass = run.aep(settings.clone(), survey);
    let mut lines: Vec<String> = Vec::new();
    for record in run.record_ids() {
        lines.extend(run.aep_record(&mut pass, record, read(record)).iter().map(|event| event.to_json_line()));
    }
    let (end, mapper) = run.aep_end(pass);
    lines.extend(end.iter().map(|event| event.to_json_line()));
    (lines, mapper.totals())
}

/// Logs of the project, and those of the folder that `STEPLENS_LOGS` names.
fn logs() -> Vec<PathBuf> {
    let mut folders = vec![PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures")];
    folders.extend(std::env::var_os("STEPLENS_LOGS").map(PathBuf::from));
    let mut logs = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "jsonl" || end == "json" || end == "log") {
                logs.push(path);
            }
        }
    }
    logs.sort();
    logs
}

/// A type of the protocol: words of small letters, digits and underscores.
fn is_type(name: &str) -> bool {
    let words: Vec<&str> = name.split('.').collect();
    let word = |word: &&str| !word.is_empty() && word.bytes().all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'_'));
    words.iter().all(word) && words.len() >= if words[0] == "x" { 4 } else { 2 }
}

#[test]
fn no_log_loses_a_moment_and_every_event_is_whole() {
    let mut with_moments = 0;
    for path in logs() {
        let bytes = fs::read(&path).unwrap();
        let (lines, totals) = map(&bytes, &Settings::default());
        let name = path.display();
        with_moments += u64::from(totals.moments > 0);
        assert_eq!(totals.moments, totals.mapped + totals.suppressed + totals.duplicates, "{name}");
        assert_eq!(map(&bytes, &Settings::default()).0, lines, "{name}: a second time gives other bytes");
        let mut next: HashMap<String, u64> = HashMap::new();
        let mut ids = HashSet::new();
        for line in &lines {
            let event: Value = serde_json::from_str(line).unwrap();
            let text = |key: &str| event[key].as_str().unwrap_or_default().to_owned();
            assert_eq!(text("aep"), "0.1", "{name}");
            assert!(is_type(&text("type")), "{name}: {line}");
            assert!(ids.insert(text("id")), "{name}: an id twice: {line}");
            assert!(steplens_core::time::TimeMs::from_rfc3339(&text("time")).is_some(), "{name}: {line}");
            let agent = text("agent");
            assert!(["kilocode", "opencode"].contains(&agent.as_str()), "{name}: {line}");
            assert!(event["data"].is_object(), "{name}: {line}");
            let start = format!("aep://local/agent/{agent}");
            match event.get("session") {
                Some(session) => {
                    let session = session.as_str().unwrap().to_owned();
                    assert_eq!(text("source"), format!("{start}/session/{session}"), "{name}");
                    let seq = next.entry(session).or_default();
                    assert_eq!(event["seq"].as_u64(), Some(*seq), "{name}: {line}");
                    *seq += 1;
                }
                None => assert_eq!((text("source"), event.get("seq")), (start, None), "{name}: {line}"),
            }
            assert!(!event.as_object().unwrap().values().any(Value::is_null), "{name}: {line}");
        }
    }
    assert!(with_moments >= 3, "bus logs and hook logs are among the fixtures");
}

/// Type, subject, outcome of a line.
fn brief(line: &str) -> String {
    let event: Value = serde_json::from_str(line).unwrap();
    let part = |value: &Value| value.as_str().map(|text| format!(" {text}")).unwrap_or_default();
    format!("{}{}{}", event["type"].as_str().unwrap(), part(&event["subject"]), part(&event["data"]["outcome"]))
}

#[test]
fn a_run_stream_climbs_the_ladder() {
    let log = concat!(
        r#"{"type":"step_start","timestamp":1000,"sessionID":"s","part":{"id":"p1","messageID":"m","type":"step-start"}}"#,
        "\n",
        r#"{"type":"text","timestamp":1100,"sessionID":"s","part":{"id":"p2","messageID":"m","type":"text","text":"hi"}}"#,
        "\n",
        r#"{"type":"tool_use","timestamp":1400,"sessionID":"s","part":{"id":"p3","messageID":"m","type":"tool","tool":"bash","callID":"c1","state":{"status":"completed","input":{"command":"npm test"},"output":"ok 42 tests","metadata":{"exit":0},"time":{"start":1200,"end":1300}}}}"#,
        "\n",
        r#"{"type":"tool_use","timestamp":1500,"sessionID":"s","part":{"id":"p4","messageID":"m","type":"tool","tool":"bash","callID":"c2","state":{"status":"completed","input":{"command":"false"},"output":"","metadata":{"exit":1},"time":{"start":1410,"end":1420}}}}"#,
        "\n",
        r#"{"type":"tool_use","timestamp":1500,"sessionID":"s","part":{"id":"p5","messageID":"m","type":"tool","tool":"read","callID":"c3","state":{"status":"running","input":{"filePath":"a"},"time":{"start":1430}}}}"#,
        "\n",
        r#"{"type":"step_finish","timestamp":1600,"sessionID":"s","part":{"id":"p6","messageID":"m","type":"step-finish","reason":"stop","cost":0.25,"tokens":{"input":10,"output":5,"reasoning":0,"cache":{"read":0,"write":0}}}}"#,
        "\n",
    );
    let (lines, totals) = map(log.as_bytes(), &Settings::default());
    assert_eq!(totals, Totals::default());
    let briefs: Vec<String> = lines.iter().map(|line| brief(line)).collect();
    assert_eq!(
        briefs,
        [
            "session.started",
            "run.started",
            "run.step.started",
            "tool.requested bash",
            "tool.completed bash",
            "tool.requested bash",
            "tool.failed bash failed",
            "tool.requested read",
            "run.step.finished",
            "run.finished",
            "session.ended"
        ]
    );
    let event = |index: usize| serde_json::from_str::<Value>(&lines[index]).unwrap();
    assert_eq!(event(3)["data"]["args_digest"], "9178ac939ad908d8fd89e97596cdc0e5");
    assert_eq!(event(4)["data"]["result_digest"], "9623cdc86ee0e1f01e338bc35845417f");
    assert_eq!(
        (event(4)["time"].as_str(), event(4)["cause"].as_str()),
        (Some("1970-01-01T00:00:01.300Z"), Some("1-3-1"))
    );
    assert_eq!(
        event(8)["data"],
        serde_json::json!({"reason": "stop", "cost_usd": 0.25, "gen_ai.usage.input_tokens": 10, "gen_ai.usage.output_tokens": 5})
    );
    // Texts only where everything may be shown.
    let full = Settings { capture: steplens_core::aep::Capture::Full, ..Settings::default() };
    assert!(map(log.as_bytes(), &full).0.iter().any(|line| brief(line) == "x.opencode.message.text"));
}

#[test]
fn the_end_of_a_run_is_told_only_where_the_log_tells_it() {
    let start =
        r#"{"type":"step_start","timestamp":1,"sessionID":"s","part":{"id":"a","messageID":"m","type":"step-start"}}"#;
    let error = |name: &str| {
        format!(
            r#"{start}{}{{"type":"error","timestamp":2,"sessionID":"s","error":{{"name":"{name}","data":{{"message":"x"}}}}}}{}"#,
            "\n", "\n"
        )
    };
    let last = |log: &str| {
        let (lines, _) = map(log.as_bytes(), &Settings::default());
        lines.iter().rev().take(2).map(|line| brief(line)).collect::<Vec<_>>()
    };
    assert_eq!(last(&error("MessageAbortedError")), ["session.ended", "run.cancelled"]);
    assert_eq!(last(&error("APIError")), ["session.ended", "run.failed"]);
    assert_eq!(last(&format!("{start}\n")), ["run.step.started", "run.started"]);
}
