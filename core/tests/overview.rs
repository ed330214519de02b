//! The overview, with exact places: 80,000 units from the first time to the last.

// A test may stop at the first thing that is not as it should be.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, missing_docs)]

mod common;

use common::read;
use steplens_core::overview::*;
use steplens_core::run::Run;
use steplens_core::view::{Filter, Row};

const START: i64 = 1_767_445_000_000;

fn line(at: i64, kind: &str, part: &str) -> String {
    format!(r#"{{"type":"{kind}","timestamp":{},"sessionID":"ses_1","part":{{"id":"{kind}{at}",{part}}}}}"#, START + at)
}

fn step(n: u32, from: i64, inner: &[String], to: i64, reason: &str) -> Vec<String> {
    let tokens = format!(r#""tokens":{{"input":{n}00,"output":10,"reasoning":0,"cache":{{"read":0,"write":0}}}}"#);
    let mut lines = vec![line(from, "step_start", &format!(r#""messageID":"m{n}""#))];
    lines.extend(inner.iter().cloned());
    lines.push(line(to, "step_finish", &format!(r#""messageID":"m{n}","reason":"{reason}",{tokens}"#)));
    lines
}

fn call(n: u32, tool: &str, from: i64, to: i64, rest: &str) -> String {
    let (start, end) = (START + from, START + to);
    let input = r#"{"command":"make","filePath":"a.rs"}"#;
    let state = format!(r#"{{"input":{input},"time":{{"start":{start},"end":{end}}},{rest}}}"#);
    line(to, "tool_use", &format!(r#""messageID":"m{n}","tool":"{tool}","state":{state}"#))
}

const OK: &str = r#""status":"completed""#;
const GREEN: &str = r#""status":"completed","metadata":{"exit":1}"#;
const FAILED: &str = r#""status":"error","error":"boom""#;

fn block(from: u32, to: u32, count: u32) -> Block {
    Block { from, to, count }
}

#[test]
fn a_short_run_keeps_every_edge() {
    // Ten seconds: eight units a millisecond.
    let calls = [
        call(1, "read", 1000, 1500, OK),
        call(1, "bash", 2000, 4000, GREEN),
        call(1, "write", 4000, 4005, FAILED),
        call(1, "write", 4012, 4020, OK),
    ];
    let overview = read(&step(1, 0, &calls, 10_000, "stop").join("\n")).overview();
    let piece = Piece { from: START, to: START + 10_000, at: 0, until: WIDTH, cut: Cut::None };
    assert_eq!((overview.axis, overview.pieces.clone()), (Axis::Time, vec![piece]));
    assert_eq!(
        overview.lanes,
        [
            Lane { work: Work::Read, count: 1, blocks: vec![block(8000, 12_000, 1)] },
            // Closer together than a bin: one block.
            Lane { work: Work::Write, count: 2, blocks: vec![block(32_000, 32_160, 2)] },
            Lane { work: Work::Command, count: 1, blocks: vec![block(16_000, 32_000, 1)] },
        ]
    );
    assert_eq!(
        overview.marks,
        [Mark { at: 32_000, green: 1, failed: 1, ..Mark::default() }],
        "marks closer together than a two-hundredth are one"
    );
    let [step] = overview.steps.as_slice() else { panic!("{:?}", overview.steps) };
    assert_eq!((step.from, step.to, step.number, step.count, step.failed), (0, WIDTH, 1, 1, 2));
    assert_eq!((step.tokens.total, overview.max_tokens), (Some(110), 110));
    let wait = |from, to, ms| Wait { from, to, ms, is_known: false };
    assert_eq!(overview.waits, [wait(0, 8000, 1000), wait(12_000, 16_000, 500), wait(32_160, WIDTH, 5980)]);
    assert_eq!((overview.turns.len(), overview.unplaced), (0, 0));
    assert_eq!((overview.place(START + 5000), overview.value(40_000)), (40_000, START + 5000));
}

#[test]
fn an_idle_gap_is_cut_short() {
    // A second of work, an hour of nothing, a second of work.
    let mut log = step(1, 0, &[call(1, "bash", 0, 1000, OK)], 1000, "stop");
    log.extend(step(2, 3_601_000, &[call(2, "bash", 3_601_000, 3_602_000, OK)], 3_602_000, "stop"));
    let overview = read(&log.join("\n")).overview();
    let piece = |from, to, at, until, cut| Piece { from: START + from, to: START + to, at, until, cut };
    assert_eq!(
        overview.pieces,
        [
            piece(0, 1000, 0, 39_200, Cut::None),
            piece(1000, 3_601_000, 39_200, 40_800, Cut::Idle),
            piece(3_601_000, 3_602_000, 40_800, WIDTH, Cut::None),
        ]
    );
    assert_eq!(overview.turns.iter().map(|turn| (turn.at, turn.number)).collect::<Vec<_>>(), [(0, 1), (40_800, 2)]);
    assert_eq!(overview.lanes[0].blocks, [block(0, 39_200, 1), block(40_800, WIDTH, 1)]);
    assert!(overview.waits.is_empty());
}

#[test]
fn a_gap_that_the_log_cannot_explain_is_cut_only_where_it_is_most_of_the_run() {
    let log = |gap: i64| {
        let calls = [call(1, "bash", 0, 1000, OK), call(1, "bash", 1000 + gap, 2000 + gap, OK)];
        read(&step(1, 0, &calls, 2000 + gap, "stop").join("\n")).overview()
    };
    assert_eq!(log(1900).pieces.len(), 1);
    let overview = log(100_000);
    assert_eq!(overview.pieces.iter().map(|piece| piece.cut).collect::<Vec<_>>(), [Cut::None, Cut::Unknown, Cut::None]);
    assert_eq!(overview.waits, [Wait { from: 39_200, to: 40_800, ms: 100_000, is_known: false }]);
}

#[test]
fn without_times_the_axis_goes_by_order() {
    let line = |n: u32| format!(r#"{{"type":"text","sessionID":"s","part":{{"id":"p{n}","text":"n {n}"}}}}"#);
    let log: Vec<String> = (0..4).map(line).collect();
    let run = read(&log.join("\n"));
    let overview = run.overview();
    assert_eq!(overview.axis, Axis::Order);
    assert_eq!(overview.pieces, [Piece { from: 0, to: 4, at: 0, until: WIDTH, cut: Cut::None }]);
    let blocks: Vec<u32> = overview.lanes[0].blocks.iter().map(|block| block.from).collect();
    assert_eq!(blocks, [0, 20_000, 40_000, 60_000]);
    let range = Some(Stretch { axis: Axis::Order, from: 1, to: 3 });
    assert_eq!(run.view(&Filter { range, ..Filter::default() }).events(), 2);
    // One event with a time among four is not enough for an axis of time.
    let timed = r#"{"type":"text","timestamp":1767445000000,"sessionID":"s","part":{"id":"q","text":"x"}}"#;
    assert_eq!(read(&format!("{timed}\n{}", log.join("\n"))).overview().axis, Axis::Order);
    let mixed = read(&format!("{timed}\n{}", log[0])).overview();
    assert_eq!((mixed.axis, mixed.unplaced, mixed.pieces.len()), (Axis::Time, 1, 1));
}

#[test]
fn nothing_is_nothing() {
    assert_eq!(Run::default().overview(), Overview::default());
    assert_eq!(read("").overview(), Overview::default());
}

fn lines_at(run: &Run, at: i64, work: Option<Work>, wrong: bool) -> Option<u64> {
    let view = run.view(&Filter::default());
    let row = run.nearest(&view, Axis::Time, START + at, work, wrong)?;
    match run.window(&view, row..row + 1).rows.remove(0) {
        Row::Event(event) => Some(event.line),
        Row::Step(_) | Row::Turn(_) | Row::Ask(_) => None,
    }
}

#[test]
fn a_click_goes_to_the_nearest_event_of_what_was_clicked() {
    let calls = [
        call(1, "bash", 1000, 9000, OK),
        call(1, "read", 2000, 2500, OK),
        call(1, "write", 5000, 5500, FAILED),
        call(1, "read", 8000, 8100, OK),
    ];
    let run = read(&step(1, 0, &calls, 10_000, "stop").join("\n"));
    assert_eq!(lines_at(&run, 1200, None, false), Some(2), "the one that it lies in");
    assert_eq!(lines_at(&run, 2200, None, false), Some(3), "of several the shortest");
    assert_eq!(lines_at(&run, 6000, Some(Work::Read), false), Some(5), "of a lane only its own");
    assert_eq!(lines_at(&run, 0, None, true), Some(4), "of the marks only what went wrong");
    assert_eq!(lines_at(&run, 0, Some(Work::Agent), false), None);
    let range = |from, to| {
        let range = Some(Stretch { axis: Axis::Time, from: START + from, to: START + to });
        run.view(&Filter { range, ..Filter::default() }).events()
    };
    assert_eq!((range(0, 1000), range(0, 1001), range(2400, 5001), range(9000, 9001)), (0, 1, 3, 0));
}

#[test]
fn however_long_the_log_the_picture_stays_small() {
    let mut log = Vec::new();
    for n in 0..6000 {
        let at = i64::from(n) * 1000;
        let outcome = if n % 50 == 0 { FAILED } else { OK };
        log.extend(step(n, at, &[call(n, "bash", at + 100, at + 600, outcome)], at + 900, "tool-calls"));
    }
    let overview = read(&log.join("\n")).overview();
    assert_eq!(overview.lanes[0].count, 6000);
    assert_eq!((overview.steps.len(), overview.marks.len()), (800, 120));
    assert_eq!(overview.steps.iter().map(|step| step.count).sum::<u32>(), 6000);
    assert_eq!(overview.steps.iter().map(|step| step.failed).sum::<u64>(), 120);
    assert_eq!(overview.max_tokens, 599_910);
    let bytes = serde_json::to_string(&overview).unwrap().len();
    assert!(bytes < 300_000, "{bytes} bytes of JSON");
}
