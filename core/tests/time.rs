//! What the time of a run went to: every part of it exactly, and that the parts add up.

// A test may stop at the first thing that is not as it should be.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, missing_docs)]

mod common;

use common::read;
use steplens_core::summary::TimeSplit;

const START: i64 = 1_767_445_000_000;

fn line(at: i64, kind: &str, part: &str) -> String {
    format!(r#"{{"type":"{kind}","timestamp":{},"sessionID":"ses_1","part":{{{part}}}}}"#, START + at)
}

fn step(at: i64, message: &str) -> String {
    line(at, "step_start", &format!(r#""id":"s{at}","messageID":"{message}""#))
}

fn finish(at: i64, message: &str, reason: &str) -> String {
    line(at, "step_finish", &format!(r#""id":"f{at}","messageID":"{message}","reason":"{reason}""#))
}

fn text(message: &str, kind: &str, from: i64, to: i64) -> String {
    let (start, end) = (START + from, START + to);
    line(
        to,
        kind,
        &format!(
            r#""id":"t{from}","messageID":"{message}","type":"{kind}","text":"x","time":{{"start":{start},"end":{end}}}"#
        ),
    )
}

fn call(message: &str, from: i64, to: i64) -> String {
    let (start, end) = (START + from, START + to);
    let state =
        format!(r#"{{"status":"completed","input":{{"command":"make"}},"time":{{"start":{start},"end":{end}}}}}"#);
    line(to, "tool_use", &format!(r#""id":"c{from}","messageID":"{message}","tool":"bash","state":{state}"#))
}

fn split(lines: &[String]) -> Option<TimeSplit> {
    let total = read(&lines.join("\n")).summary().total;
    let time = total.time?;
    let sum = time.waiting_ms + time.tools_ms + time.model_ms + time.idle_ms + time.unknown_ms;
    assert_eq!(Some(sum), total.duration_ms, "the parts add up to the duration");
    Some(time)
}

#[test]
fn each_moment_counts_once_and_tools_before_the_model() {
    // 0 start, 1000–3000 reasoning, 2500–6000 a call, 4000–5000 a call beside it, 7000 finish.
    let log = [
        step(0, "m1"),
        text("m1", "reasoning", 1000, 3000),
        call("m1", 2500, 6000),
        call("m1", 4000, 5000),
        finish(7000, "m1", "stop"),
    ];
    let expected = TimeSplit { tools_ms: 3500, model_ms: 1500, unknown_ms: 2000, ..TimeSplit::default() };
    assert_eq!(split(&log), Some(expected));
}

#[test]
fn between_two_turns_is_idle_and_between_two_steps_is_not() {
    let log = [
        step(0, "m1"),
        finish(1000, "m1", "tool-calls"),
        step(1500, "m2"),
        text("m2", "text", 1600, 2000),
        finish(2000, "m2", "stop"),
        step(62_000, "m3"),
        call("m3", 62_000, 63_000),
        finish(63_000, "m3", "stop"),
    ];
    let expected =
        TimeSplit { tools_ms: 1000, model_ms: 400, idle_ms: 60_000, unknown_ms: 1600, ..TimeSplit::default() };
    assert_eq!(split(&log), Some(expected));
}

#[test]
fn what_lacks_a_time_counts_as_nothing() {
    let open = r#""id":"c1","messageID":"m1","tool":"bash","state":{"status":"running","input":{"command":"make"},"time":{"start":1767445000500}}"#;
    let log =
        [step(0, "m1"), line(500, "tool_use", open), line(900, "text", r#""id":"t1","messageID":"m1","text":"x""#)];
    assert_eq!(split(&log), Some(TimeSplit { unknown_ms: 900, ..TimeSplit::default() }));
    let timeless = r#"{"type":"text","sessionID":"ses_1","part":{"id":"t1","messageID":"m1","text":"x"}}"#;
    assert_eq!(split(&[timeless.to_owned()]), None);
}

#[test]
fn between_two_sessions_is_idle_unless_one_of_them_goes_on() {
    let other = |line: String, id: &str| line.replace("ses_1", id);
    let apart = [
        step(0, "m1"),
        finish(1000, "m1", "stop"),
        other(step(9000, "m2"), "ses_2"),
        other(finish(9500, "m2", "stop"), "ses_2"),
    ];
    assert_eq!(split(&apart), Some(TimeSplit { idle_ms: 8000, unknown_ms: 1500, ..TimeSplit::default() }));
    let beside = [
        step(0, "m1"),
        other(step(500, "m2"), "ses_2"),
        finish(1000, "m1", "stop"),
        other(finish(9500, "m2", "stop"), "ses_2"),
    ];
    assert_eq!(split(&beside), Some(TimeSplit { unknown_ms: 9500, ..TimeSplit::default() }));
}

#[test]
fn a_request_waits_until_it_is_answered() {
    let bus = |at: i64, kind: &str, properties: &str| {
        let time = START + at;
        format!(r#"{{"timestamp":{time},"type":"{kind}","properties":{{"sessionID":"ses_1",{properties}}}}}"#)
    };
    let log = [
        bus(0, "session.status", r#""status":{"type":"busy"}"#),
        bus(1000, "permission.asked", r#""id":"per_1","permission":"bash""#),
        bus(6000, "permission.replied", r#""requestID":"per_1","reply":"once""#),
        bus(7000, "session.idle", r#""x":1"#),
    ];
    assert_eq!(split(&log), Some(TimeSplit { waiting_ms: 5000, unknown_ms: 2000, ..TimeSplit::default() }));
}
