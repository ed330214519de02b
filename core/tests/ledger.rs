//! The strips of the tools tab, and the chart and the ranking of the tokens tab.

// A test may stop at the first thing that is not as it should be.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, missing_docs)]

use steplens_core::export::{summary_json, tools_csv};
use steplens_core::run::{Marks, Options, Ranking, Run};

fn of(lines: &str) -> Run {
    let mut run = Run::new(Options::default());
    run.begin_file("run.jsonl");
    run.push(lines.as_bytes());
    run.end_file();
    run
}

fn call(id: u32, tool: &str, status: &str, time: Option<(i64, i64)>) -> String {
    let time = time.map(|(start, end)| format!(r#","time":{{"start":{start},"end":{end}}}"#)).unwrap_or_default();
    format!(
        "{{\"type\":\"tool_use\",\"sessionID\":\"s\",\"part\":{{\"id\":\"c{id}\",\"tool\":\"{tool}\",\"state\":{{\"status\":\"{status}\",\"input\":{{}}{time}}}}}}}\n"
    )
}

/// `bin×calls/failed@line` of each mark.
fn shown(marks: &Marks) -> Vec<String> {
    let strip = |strip: &steplens_core::run::Strip| {
        let marks: Vec<String> = strip
            .marks
            .iter()
            .map(|mark| format!("{}×{}/{}@{}", mark.bin, mark.calls, mark.failed, mark.line))
            .collect();
        format!("{} {} +{}", strip.tool, marks.join(" "), strip.timeless)
    };
    marks.tools.iter().map(strip).collect()
}

#[test]
fn calls_stand_in_the_bin_of_their_start() {
    let run = of(&[
        call(1, "read", "completed", Some((1000, 1010))),
        call(2, "read", "completed", Some((1020, 1999))),
        call(3, "read", "error", Some((1050, 1060))),
        call(4, "bash", "completed", Some((1500, 1600))),
        call(5, "bash", "completed", None),
    ]
    .concat());
    // From 1000 to 1999: ten bins of 100 ms. The bin of three reads leads to the one that failed.
    let marks = run.marks(10);
    assert_eq!((marks.start_ms, marks.duration_ms), (Some(1000), 999));
    assert_eq!(shown(&marks), ["bash 5×1/0@4 +1", "read 0×3/1@3 +0"]);
    assert_eq!(run.marks(10), run.marks(10));
}

#[test]
fn marks_are_bounded_by_the_bins_whatever_the_number_of_calls() {
    let lines: String =
        (0..5000).map(|n| call(n, "read", "completed", Some((i64::from(n) * 10, i64::from(n) * 10 + 5)))).collect();
    let marks = of(&lines).marks(120);
    let [strip] = marks.tools.as_slice() else { panic!("one tool") };
    assert_eq!(strip.marks.len(), 120);
    assert_eq!(strip.marks.iter().map(|mark| mark.calls).sum::<u32>(), 5000);
}

#[test]
fn nothing_with_a_time_has_no_clock() {
    let marks = of(&call(1, "read", "completed", None)).marks(10);
    assert_eq!((marks.start_ms, marks.duration_ms), (None, 0));
    assert_eq!(shown(&marks), ["read  +1"]);
    assert_eq!(of("").marks(10), Marks::default());
}

/// A step with so many tokens read from the cache and not, and a cost.
fn step(id: u32, cached: u64, input: u64, cost: Option<f64>) -> String {
    let cost = cost.map(|cost| format!(r#","cost":{cost}"#)).unwrap_or_default();
    format!(
        "{{\"type\":\"step_start\",\"sessionID\":\"s\",\"part\":{{\"id\":\"s{id}\",\"messageID\":\"m{id}\"}}}}\n\
         {{\"type\":\"step_finish\",\"sessionID\":\"s\",\"part\":{{\"id\":\"f{id}\",\"messageID\":\"m{id}\",\"reason\":\"tool-calls\",\
         \"tokens\":{{\"input\":{input},\"output\":1,\"reasoning\":0,\"cache\":{{\"read\":{cached},\"write\":0}}}}{cost}}}}}\n"
    )
}

#[test]
fn steps_are_bars_and_the_dearest_are_ranked() {
    let run = of(&[step(1, 0, 100, Some(0.5)), step(2, 100, 50, Some(0.25)), step(3, 400, 10, Some(0.75))].concat());
    let growth = run.growth(100);
    assert_eq!((growth.steps, growth.per_bar, growth.max_tokens), (3, 1, 411));
    let context: Vec<_> = growth.bars.iter().map(|bar| (bar.number, bar.line, bar.tokens.input)).collect();
    assert_eq!(context, [(1, 1, Some(100)), (2, 3, Some(150)), (3, 5, Some(410))]);
    assert_eq!(growth.ranked_by, Ranking::Reported);
    assert_eq!(growth.dearest.iter().map(|step| step.step.number).collect::<Vec<_>>(), [3, 1, 2]);
}

#[test]
fn a_bar_of_several_steps_is_the_one_with_the_most() {
    let run = of(&(1..=7).map(|n| step(n, 0, u64::from(n % 3) * 10, None)).collect::<String>());
    let growth = run.growth(3);
    assert_eq!((growth.per_bar, growth.bars.len()), (3, 3));
    // Of steps 1–3, 4–6 and 7 the inputs are 10 20 0, 10 20 0 and 10.
    assert_eq!(growth.bars.iter().map(|bar| bar.number).collect::<Vec<_>>(), [2, 5, 7]);
    assert_eq!(growth.ranked_by, Ranking::Tokens);
    assert_eq!(growth.dearest[0].step.number, 2);
}

#[test]
fn a_step_after_a_compaction_is_marked() {
    let note =
        "{\"type\":\"text\",\"sessionID\":\"s\",\"part\":{\"id\":\"t\",\"text\":\"Continue\",\"synthetic\":true}}\n";
    let run = of(&[&step(1, 900, 10, None), note, &step(2, 0, 50, None)].concat());
    let growth = run.growth(10);
    assert_eq!(growth.bars.iter().map(|bar| bar.compacted).collect::<Vec<_>>(), [false, true]);
    assert_eq!(growth.compactions, 1);
}

#[test]
fn documents_are_lines_of_their_own() {
    let run = of(&call(1, "=read", "completed", Some((1000, 1010))));
    let summary = run.summary();
    assert!(summary_json(&summary).unwrap().ends_with("}\n"));
    let csv = tools_csv(&summary);
    assert!(csv.ends_with("\r\n\"'=read\",1,0,0,0,10,10,10,10,10,0\r\n"), "{csv}");
}
