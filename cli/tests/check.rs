//! `steplens check`: limits that hold, limits that are broken, figures that are unknown, and every format.

// A test may stop at the first thing that is not as it should be.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, missing_docs)]

mod common;
mod logs;

use common::{Ran, steplens, with_input};
use logs::{Folder, call, run, step_finish, step_start};
use serde_json::{Value, json};

/// A log of the test's own, checked.
fn check(log: &str, limits: &[&str]) -> Ran {
    with_input(&[&["check", "-"], limits].concat(), log.as_bytes())
}

/// Exit code, state and what was found, of one limit.
fn one(log: &str, limits: &[&str]) -> (i32, String, String) {
    let ran = check(log, &[limits, &["--format", "json"]].concat());
    let document: Value = serde_json::from_str(&ran.out).unwrap();
    let row = &document["limits"][0];
    assert_eq!(document["passed"], json!(ran.code == 0));
    (ran.code, row["state"].as_str().unwrap().to_owned(), row["found"].as_str().unwrap().to_owned())
}

fn held(found: &str) -> (i32, String, String) {
    (0, "held".to_owned(), found.to_owned())
}

fn broken(found: &str) -> (i32, String, String) {
    (1, "broken".to_owned(), found.to_owned())
}

fn unknown(found: &str) -> (i32, String, String) {
    (1, "unknown".to_owned(), found.to_owned())
}

/// Two steps, of which the second reports neither tokens nor cost.
fn half_known() -> String {
    let bare = json!({"type": "step-finish", "reason": "stop"});
    [
        step_start(0, "ses_1", "msg_1"),
        step_finish(1000, "ses_1", "msg_1", "tool-calls", Some(0.03)),
        step_start(2000, "ses_1", "msg_2"),
        logs::line(3000, "ses_1", "step_finish", "msg_2", bare),
    ]
    .concat()
}

#[test]
fn a_run_that_completed() {
    assert_eq!(one(&run("ses_1"), &["--require-completed"]), held("completed"));
    let two = [run("ses_1"), run("ses_2")].concat();
    assert_eq!(one(&two, &["--require-completed"]), held("all 2 runs completed"));
    let cut = step_start(0, "ses_1", "msg_1");
    assert_eq!(one(&cut, &["--require-completed"]), broken("ses_1: cut (step 1 was started and never finished)"));
    let both_cut = [step_start(0, "ses_1", "msg_1"), step_start(0, "ses_2", "msg_2"), run("ses_3")].concat();
    assert_eq!(
        one(&both_cut, &["--require-completed"]),
        broken("ses_1: cut (step 1 was started and never finished); and 1 more not completed")
    );
}

#[test]
fn cost_is_compared_exactly() {
    let log = &run("ses_1");
    assert_eq!(one(log, &["--max-cost-usd", "0.03"]), held("$0.03"));
    assert_eq!(one(log, &["--max-cost-usd", "0.029999999999"]), broken("$0.03"));
    assert_eq!(one(log, &["--max-cost-usd", "$1"]), held("$0.03"));
    let free = [step_start(0, "s", "m"), step_finish(1, "s", "m", "stop", Some(0.0))].concat();
    assert_eq!(one(&free, &["--max-cost-usd", "0"]), held("$0.00 (zero with tokens: free, subscription or unpriced)"));
}

#[test]
fn a_figure_that_is_unknown_breaks_its_limit() {
    let log = &run("ses_1");
    for kind in ["comparable", "list"] {
        assert_eq!(one(log, &["--max-cost-usd", "1", "--cost", kind]), unknown("unknown: the stream names no model"));
        let priced = ["--max-cost-usd", "1", "--cost", kind, "--model", "anthropic/claude-sonnet-4.5"];
        assert_eq!(one(log, &priced).0, 0);
    }
    let bare = [
        step_start(0, "s", "m"),
        logs::line(1000, "s", "step_finish", "m", json!({"type": "step-finish", "reason": "stop"})),
    ]
    .concat();
    assert_eq!(one(&bare, &["--max-cost-usd", "1"]), unknown("unknown: no step reports a cost"));
    assert_eq!(one(&bare, &["--max-tokens", "1"]), unknown("unknown: no step reports tokens"));
    let timeless = bare.replace("\"timestamp\":", "\"ts\":");
    assert_eq!(one(&timeless, &["--max-duration", "1h"]), unknown("unknown: no record has a time"));
}

#[test]
fn a_lower_bound_holds_nothing_but_can_break() {
    let log = &half_known();
    assert_eq!(one(log, &["--max-cost-usd", "0.05"]), unknown("unknown: at least $0.03, and some steps report none"));
    assert_eq!(one(log, &["--max-cost-usd", "0.02"]), broken("at least $0.03"));
    assert_eq!(one(log, &["--max-tokens", "1000"]), unknown("unknown: at least 435, and some steps report none"));
    assert_eq!(one(log, &["--max-tokens", "434"]), broken("at least 435"));
}

#[test]
fn tokens_time_and_failed_calls() {
    let log = &run("ses_1");
    assert_eq!(one(log, &["--max-tokens", "435"]), held("435"));
    assert_eq!(one(log, &["--max-tokens", "434"]), broken("435"));
    assert_eq!(one(log, &["--max-duration", "4s"]), held("4.0s"));
    assert_eq!(one(log, &["--max-duration", "3s999ms"]), broken("4.0s"));
    assert_eq!(one(log, &["--max-failed-calls", "0"]), held("0 of 2 calls"));
    let failed = [
        log.clone(),
        step_start(5000, "ses_1", "msg_9"),
        call((5100, 5200), "ses_1", "msg_9", "read", json!({"filePath": "gone"}), "error"),
        call((5300, 5400), "ses_1", "msg_9", "read", json!({"filePath": "gone"}), "error"),
        step_finish(6000, "ses_1", "msg_9", "stop", Some(0.0)),
    ]
    .concat();
    assert_eq!(one(&failed, &["--max-failed-calls", "2"]), held("2 of 4 calls: read 2"));
    assert_eq!(one(&failed, &["--max-failed-calls", "1"]), broken("2 of 4 calls: read 2"));
}

#[test]
fn time_is_that_of_the_longest_run() {
    let two = [run("ses_1"), logs::run_at(3_600_000, "ses_2").replace("\"stop\"", "\"tool-calls\"")].concat();
    let later =
        [two.clone(), step_start(3_606_000, "ses_2", "msg_9"), step_finish(3_609_000, "ses_2", "msg_9", "stop", None)]
            .concat();
    assert_eq!(one(&two, &["--max-duration", "4s"]), held("4.0s, the longest of 2 runs"));
    assert_eq!(one(&later, &["--max-duration", "8s"]), broken("9.0s, the longest of 2 runs"));
    // One session, continued an hour later: the hour is nobody's.
    let continued =
        [run("ses_1"), step_start(3_600_000, "ses_1", "msg_9"), step_finish(3_601_000, "ses_1", "msg_9", "stop", None)]
            .concat();
    assert_eq!(one(&continued, &["--max-duration", "5s"]), held("5.0s, without 59m 56s idle between turns"));
}

#[test]
fn unknown_and_malformed_records() {
    let log = &run("ses_1");
    assert_eq!(one(log, &["--no-malformed"]), held("none"));
    assert_eq!(one(log, &["--no-unknown"]), broken("1 record: tool webfetch (line 3)"));
    assert_eq!(one(log, &["--no-unknown", "--extensions"]), held("none"));
    let odd = [log.as_str(), "{\"type\":\"news\",\"sessionID\":\"ses_1\"}\n", "not json\n"].concat();
    assert_eq!(
        one(&odd, &["--no-unknown"]),
        broken("3 records: tool webfetch (line 3), type news (line 5), 1 of them malformed")
    );
    let (code, state, found) = one(&odd, &["--no-malformed"]);
    assert_eq!((code, state.as_str()), (1, "broken"));
    assert!(found.starts_with("1 line, first line 6: "), "{found}");
}

#[test]
fn children_that_are_in_no_file_are_named() {
    let mut task = call((100, 200), "ses_1", "msg_1", "task", json!({"description": "x"}), "completed");
    task = task.replace("\"state\":{", "\"state\":{\"metadata\":{\"sessionId\":\"ses_child\"},");
    let log = [step_start(0, "ses_1", "msg_1"), task, step_finish(1000, "ses_1", "msg_1", "stop", Some(0.03))].concat();
    let limits = ["--dialect", "kilo", "--max-tokens", "500"];
    assert_eq!(one(&log, &limits), held("435; without 1 sub-session that is in none of the files"));
}

const LIMITS: [&str; 4] = ["--require-completed", "--max-cost-usd", "0.01", "--no-unknown"];

#[test]
fn the_table() {
    let ran = check(&run("ses_1"), &LIMITS);
    let wanted = "        limit              wanted                   found\n\
                  held    require-completed  every run completed      completed\n\
                  broken  max-cost-usd       at most $0.01, reported  $0.03\n\
                  broken  no-unknown         no unknown record        1 record: tool webfetch (line 3)\n\
                  2 of 3 limits broken\n";
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (1, wanted, ""));
    let good = check(&run("ses_1"), &["--max-tokens", "1000"]);
    assert_eq!((good.code, good.out.lines().last()), (0, Some("the limit holds")));
    let good = check(&run("ses_1"), &["--max-tokens", "1000", "--no-malformed"]);
    assert_eq!(good.out.lines().last(), Some("all 2 limits hold"));
}

#[test]
fn the_document() {
    let folder = Folder::new();
    let log = folder.write("run.jsonl", run("ses_1"));
    let ran = steplens(&[&["check", &log, "--format", "json"], &LIMITS[..]].concat());
    let document: Value = serde_json::from_str(&ran.out).unwrap();
    let row = |limit: &str, state: &str, wanted: &str, found: &str, bound: Value, value: Value, at: bool| {
        json!({
            "limit": limit, "state": state, "wanted": wanted, "found": found, "bound": bound, "value": value,
            "file": if at { json!(log) } else { Value::Null }, "line": if at { json!(3) } else { Value::Null },
        })
    };
    let wanted = json!({
        "schema": 1, "passed": false, "files": [log],
        "limits": [
            row("require-completed", "held", "every run completed", "completed", Value::Null, Value::Null, false),
            row("max-cost-usd", "broken", "at most $0.01, reported", "$0.03", json!(0.01), json!(0.03), false),
            row("no-unknown", "broken", "no unknown record", "1 record: tool webfetch (line 3)", json!(0), json!(1), true),
        ],
    });
    assert_eq!(document, wanted);
    assert!(ran.out.starts_with("{\n  \"schema\": 1,\n  \"passed\": false,\n"), "{}", ran.out);
}

/// A session and a tool whose names are full of what the formats give a meaning to.
fn hostile() -> String {
    let session = "ses_<&\"'>|`*\u{1b}[31m\r\n::error::x%,:";
    [
        step_start(0, session, "msg_1"),
        call((100, 200), session, "msg_1", "a|b<c>&\"'`\n::warning::%", json!({}), "error"),
    ]
    .concat()
}

#[test]
fn junit_is_valid_xml_whatever_a_log_holds() {
    let ran = check(&run("ses_1"), &[&LIMITS[..], &["--format", "junit"]].concat());
    let wanted = r#"<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="steplens check" tests="3" failures="2" errors="0">
  <testsuite name="-" tests="3" failures="2" errors="0" skipped="0">
    <testcase classname="steplens.check" name="require-completed">
      <system-out>wanted every run completed; found completed</system-out>
    </testcase>
    <testcase classname="steplens.check" name="max-cost-usd">
      <failure type="broken" message="wanted at most $0.01, reported; found $0.03">wanted at most $0.01, reported; found $0.03</failure>
    </testcase>
    <testcase classname="steplens.check" name="no-unknown">
      <failure type="broken" message="wanted no unknown record; found 1 record: tool webfetch (line 3)">wanted no unknown record; found 1 record: tool webfetch (line 3)</failure>
    </testcase>
  </testsuite>
</testsuites>
"#;
    assert_eq!(ran.out, wanted);
    let limits = ["--require-completed", "--max-failed-calls", "0", "--format", "junit"];
    let xml = check(&hostile(), &limits).out;
    let escaped = "ses_&lt;&amp;&quot;&apos;&gt;|`*\u{fffd}[31m&#13;&#10;::error::x%,:: cut";
    assert!(xml.contains(escaped), "{xml}");
    assert!(xml.contains("a|b&lt;c&gt;&amp;&quot;&apos;`&#10;::warning::% 1"), "{xml}");
    assert!(!xml.contains('\u{1b}'));
    // As many tags opened as closed, and nothing but tags begins with `<`.
    assert_eq!(xml.matches("<testcase ").count(), xml.matches("</testcase>").count());
    assert_eq!(xml.matches("<failure ").count(), 2);
}

#[test]
fn markdown_keeps_its_cells() {
    let ran = check(&run("ses_1"), &[&LIMITS[..], &["--format", "markdown"]].concat());
    let wanted = "**steplens check**: 2 of 3 limits broken (-)\n\n\
                  | limit | result | wanted | found |\n| --- | --- | --- | --- |\n\
                  | require-completed | ✅ held | every run completed | completed |\n\
                  | max-cost-usd | ❌ broken | at most \\$0.01, reported | \\$0.03 |\n\
                  | no-unknown | ❌ broken | no unknown record | 1 record: tool webfetch (line 3) |\n";
    assert_eq!(ran.out, wanted);
    let table = check(&hostile(), &["--require-completed", "--max-failed-calls", "0", "--format", "markdown"]).out;
    for line in table.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| ---")) {
        let bars = line.replace("\\|", "").matches('|').count();
        assert_eq!(bars, 5, "{line}");
    }
    assert_eq!(table.lines().count(), 6, "{table}");
    assert!(!table.contains("<c>") && !table.contains('\u{1b}'), "{table}");
}

#[test]
fn a_workflow_reads_only_our_commands() {
    let folder = Folder::new();
    let log = folder.write("a:b,c%.jsonl", run("ses_1"));
    let ran = steplens(&[&["check", &log, "--format", "github"], &LIMITS[..]].concat());
    let file = log.replace('%', "%25").replace(':', "%3A").replace(',', "%2C");
    let wanted = format!(
        "held require-completed: wanted every run completed; found completed\n\
         ::error title=steplens max-cost-usd,file={file}::wanted at most $0.01, reported; found $0.03\n\
         ::error title=steplens no-unknown,file={file},line=3::wanted no unknown record; found 1 record: tool webfetch \
         (line 3)\n"
    );
    assert_eq!((ran.code, ran.out), (1, wanted));
    let out = check(&hostile(), &["--require-completed", "--max-failed-calls", "0", "--format", "github"]).out;
    assert_eq!(out.lines().count(), 2, "{out}");
    assert!(out.lines().all(|line| line.starts_with("::error title=steplens ")), "{out}");
    assert!(out.contains("%0D%0A::error::x%25,:: cut"), "{out}");
}

#[test]
fn without_a_limit_they_are_listed() {
    let message = check(&run("ses_1"), &[]).refused();
    assert!(message.starts_with("steplens: check needs at least one limit:\n"), "{message}");
    for limit in [
        "--require-completed",
        "--max-cost-usd USD",
        "--max-tokens N",
        "--max-duration TIME",
        "--max-failed-calls N",
        "--no-unknown",
        "--no-malformed",
    ] {
        assert!(message.contains(&format!("\n  {limit} ")), "{limit} is not in:\n{message}");
    }
    // A cost kind alone limits nothing; and values that are none say what is expected.
    assert!(check("", &["--cost", "list"]).refused().contains("--max-cost-usd <USD>"));
    for (option, value, wanted) in [
        ("--max-duration", "10", "expected a time with a unit, such as 500ms, 90s, 10m or 1h30m"),
        ("--max-cost-usd", "free", "expected dollars, not below zero, such as 0.50"),
        ("--max-tokens", "-1", "invalid value"),
        ("--max-cost-usd", "-1", "expected dollars, not below zero"),
        ("--max-duration", "-5m", "expected a time with a unit"),
        ("--format", "xml", "[possible values: text, json, junit, markdown, github]"),
    ] {
        for args in [vec![format!("{option}={value}")], vec![option.to_owned(), value.to_owned()]] {
            let args: Vec<&str> = args.iter().map(String::as_str).collect();
            let message = check("", &args).refused();
            assert!(message.contains(wanted) && !message.contains("tip:"), "{message}");
        }
    }
}

#[test]
fn a_log_that_cannot_be_read_is_no_broken_limit() {
    let message = steplens(&["check", "gone.jsonl", "--require-completed"]).refused();
    assert_eq!(message, "steplens: gone.jsonl: there is no such file\n");
    assert!(check("nothing\n", &["--require-completed"]).refused().contains("no record recognised"));
}
