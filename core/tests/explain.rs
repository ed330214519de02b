//! Why a record became what it became: the chain of decisions, with the place of each in the record.

// A test may stop at the first thing that is not as it should be.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, missing_docs)]

mod common;

use common::build::{call, call_with};
use common::open;
use serde_json::{Value, json};
use steplens_core::explain::{Explanation, Found, OutcomeFacts, Stage};
use steplens_core::run::DialectChoice;

/// The explanation of a line of a log.
#[track_caller]
fn explain(log: &str, line: u64, dialect: DialectChoice) -> Explanation {
    let files = [("run.jsonl", log.as_bytes())];
    let opened = open(&files, dialect, 64 << 10);
    let record = opened.run.records_on_line(0, line)[0];
    opened.run.explain(record, opened.bytes(opened.run.span(record).unwrap()))
}

/// What was decided at a stage, and why.
#[track_caller]
fn at(explanation: &Explanation, stage: Stage) -> (&str, &str, Option<&str>) {
    let decision = explanation.decisions.iter().find(|decision| decision.stage == stage);
    let decision = decision.unwrap_or_else(|| panic!("nothing was decided at {stage:?}: {explanation}"));
    (&decision.what, &decision.why, decision.pointer.as_deref())
}

fn stages(explanation: &Explanation) -> Vec<Stage> {
    let mut stages: Vec<Stage> = explanation.decisions.iter().map(|decision| decision.stage).collect();
    stages.dedup();
    stages
}

fn attention(explanation: &Explanation) -> Vec<Stage> {
    explanation.decisions.iter().filter(|decision| decision.attention).map(|decision| decision.stage).collect()
}

#[test]
fn a_call_that_its_rule_maps() {
    let input = json!({"filePath": "/w/a.rs", "offset": 5, "limit": 10});
    let explanation = explain(&call("Read", "completed", &input), 1, DialectChoice::OpenCode);
    assert_eq!(
        stages(&explanation),
        [
            Stage::Line,
            Stage::Session,
            Stage::Type,
            Stage::Tool,
            Stage::Input,
            Stage::Status,
            Stage::Rule,
            Stage::Field,
            Stage::Event,
            Stage::Outcome
        ]
    );
    assert!(attention(&explanation).is_empty(), "nothing is odd here: {explanation}");
    assert_eq!(at(&explanation, Stage::Session), ("session ses_1", "named on this line", Some("/sessionID")));
    assert_eq!(at(&explanation, Stage::Type), ("type is tool_use", "a call", Some("/type")));
    assert_eq!(at(&explanation, Stage::Tool).2, Some("/part/tool"));
    assert_eq!(at(&explanation, Stage::Input).2, Some("/part/state/input"));
    let (rule, why, _) = at(&explanation, Stage::Rule);
    assert_eq!(rule, "rule opencode.read");
    assert!(why.contains("reads `read`") && why.contains("opencode table"), "{why}");
    let (path, why, pointer) = at(&explanation, Stage::Field);
    assert_eq!((path, pointer), ("path is `/w/a.rs`", Some("/part/state/input/filePath")));
    assert_eq!(why, "looked for `path`, `file_path`, `filePath` (hit)");
    let fields: Vec<_> = explanation.decisions.iter().filter(|d| d.stage == Stage::Field).map(|d| &*d.what).collect();
    assert_eq!(fields, ["path is `/w/a.rs`", "startLine is 5", "lineCount is 10"]);
    assert_eq!(at(&explanation, Stage::Event).0, "event read");
    assert_eq!(at(&explanation, Stage::Outcome).0, "outcome ok");
}

#[test]
fn a_tool_without_a_rule_and_the_one_that_comes_nearest() {
    let explanation = explain(&call("webfetch", "completed", &json!({"url": "x"})), 1, DialectChoice::Kilo);
    assert_eq!(at(&explanation, Stage::Rule).0, "no rule: kilo.unmapped");
    assert!(at(&explanation, Stage::Rule).1.contains("reads `webfetch`"));
    assert_eq!(at(&explanation, Stage::Event).0, "event unknown");
    assert_eq!(attention(&explanation), [Stage::Rule, Stage::Event]);
    let near = explain(&call("multiedit", "completed", &json!({})), 1, DialectChoice::OpenCode);
    assert!(at(&near, Stage::Rule).1.contains("`opencode.write` came nearest"), "{near}");
}

#[test]
fn a_field_that_is_missing_names_the_keys_that_were_looked_for_and_those_that_are_there() {
    let input = json!({"file": "/w/a.rs", "Lines": 3});
    let explanation = explain(&call("read", "completed", &input), 1, DialectChoice::OpenCode);
    let (what, why, pointer) = at(&explanation, Stage::Field);
    assert_eq!((what, pointer), ("no path", Some("/part/state/input")));
    for key in ["path", "file_path", "filePath", "filepath", "abs_path", "absolutePath", "source", "file", "Lines"] {
        assert!(why.contains(&format!("`{key}`")), "{key} in: {why}");
    }
    let none = explain(&call("read", "completed", &json!({})), 1, DialectChoice::OpenCode);
    assert!(at(&none, Stage::Field).1.ends_with("the input has no key at all"), "{none}");
    let redacted = json!({"redacted": "tool-input:prt_1"});
    let redacted = explain(&call("read", "completed", &redacted), 1, DialectChoice::OpenCode);
    assert_eq!(at(&redacted, Stage::Field).0, "the input is redacted: no path");
    assert!(!redacted.to_string().contains("no key"), "{redacted}");
}

#[test]
fn a_call_without_a_tool_or_an_input() {
    let explanation = explain("{\"type\":\"tool_use\",\"part\":{}}", 1, DialectChoice::OpenCode);
    assert_eq!(at(&explanation, Stage::Tool).0, "no tool");
    assert_eq!(at(&explanation, Stage::Input).0, "no input");
    assert_eq!(at(&explanation, Stage::Session).0, "session of the records around it");
}

/// Status, exit code and error text are three facts, and the one that decided is named with its place.
#[test]
fn the_fact_that_decided_the_outcome() {
    let of = |tool: &str, status: &str, more: Value| {
        let explanation =
            explain(&call_with(tool, status, &json!({"command": "x"}), &more), 1, DialectChoice::OpenCode);
        let (what, why, pointer) = at(&explanation, Stage::Outcome);
        let facts = explanation.facts.clone().expect("a call has facts");
        (what.to_owned(), why.to_owned(), pointer.map(str::to_owned), facts)
    };
    let facts = |status: &str, exit_code: Option<&str>, error: Option<&str>| OutcomeFacts {
        status: Some(status.to_owned()),
        exit_code: exit_code.map(str::to_owned),
        error: error.map(str::to_owned),
    };
    let (what, why, pointer, seen) = of("bash", "completed", json!({"metadata": {"exit": 127}}));
    assert_eq!((&*what, pointer.as_deref()), ("outcome failed", Some("/part/state/metadata/exit")));
    assert!(why.contains("127"), "{why}");
    assert_eq!(seen, facts("completed", Some("127"), None));

    let (what, _, pointer, seen) = of("bash", "completed", json!({"metadata": {"exitCode": 2, "exit": 0}}));
    assert_eq!((&*what, pointer.as_deref()), ("outcome failed", Some("/part/state/metadata/exitCode")));
    assert_eq!(seen, facts("completed", Some("2"), None));

    let (what, why, _, seen) = of("bash", "error", json!({"error": "The user rejected permission to use this tool"}));
    assert_eq!(what, "outcome rejected");
    assert!(why.contains("rejected permission"), "{why}");
    assert_eq!(seen, facts("error", None, Some("The user rejected permission to use this tool")));

    let (what, _, pointer, _) = of("bash", "failed", json!({}));
    assert_eq!((&*what, pointer.as_deref()), ("outcome failed", Some("/part/state/status")));

    let timed_out = json!({"metadata": {"exit": null}, "output": "x <shell_metadata>\nexceeding timeout 500 ms"});
    let (what, why, _, seen) = of("bash", "completed", timed_out);
    assert_eq!(what, "outcome unknown");
    assert!(why.starts_with("timed out"), "{why}");
    assert_eq!(seen, facts("completed", Some("null"), None));

    let (what, why, _, _) = of("bash", "completed", json!({"metadata": {"exit": null}, "output": "timed out"}));
    assert_eq!(what, "outcome unknown");
    assert!(!why.starts_with("timed out"), "only the harness's own note says so: {why}");

    let (what, _, _, seen) = of("bash", "running", json!({}));
    assert_eq!((&*what, seen), ("outcome unknown", facts("running", None, None)));

    let (what, _, pointer, _) = of("Invalid", "completed", json!({}));
    assert_eq!((&*what, pointer.as_deref()), ("outcome failed", Some("/part/tool")));
}

#[test]
fn a_shell_command_says_why_it_is_or_is_no_file_operation() {
    let of = |command: &str| explain(&call("bash", "ok", &json!({"command": command})), 1, DialectChoice::OpenCode);
    let read = of("sed -n '10,20p' src/lib.rs");
    assert_eq!(at(&read, Stage::Shell).0, "a file operation: bash.read");
    let two = of("cat a b");
    assert_eq!(at(&two, Stage::Shell).0, "not a file operation");
    assert_eq!(at(&two, Stage::Shell).1, "`cat` with 2 file operands");
    assert_eq!(at(&two, Stage::Event).0, "event command");
}

#[test]
fn lines_that_are_no_calls() {
    let of = |log: &str| explain(log, 1, DialectChoice::OpenCode);
    let torn = of("{\"type\":\"te");
    assert_eq!(stages(&torn), [Stage::Line]);
    assert_eq!(attention(&torn), [Stage::Line]);
    assert!(torn.to_string().contains("cut in the middle of a JSON object"), "{torn}");
    assert!(of("[1]").to_string().contains("JSON, but no object"));
    assert!(of("WARN x").to_string().contains("the line is no JSON"));
    let step = of("{\"type\":\"step_start\"}");
    assert_eq!(at(&step, Stage::Event).0, "consumed");
    assert_eq!(step.facts, None);
    assert_eq!(
        at(&of("{\"type\":\"text\",\"text\":\"\"}"), Stage::Event),
        ("consumed", "there is no text in it", None)
    );
    assert_eq!(at(&of("{\"type\":\"text\",\"text\":\"x\"}"), Stage::Event).0, "event agent");
    let synthetic = of("{\"type\":\"text\",\"part\":{\"text\":\"Continue\",\"synthetic\":true}}");
    assert!(at(&synthetic, Stage::Event).1.contains("the harness wrote it"), "{synthetic}");
    let error = of("{\"type\":\"error\",\"error\":{\"data\":{\"message\":\"boom\"}}}");
    assert_eq!((at(&error, Stage::Event).0, at(&error, Stage::Event).2), ("event error", Some("/error/data/message")));
    let other = of("{\"type\":\"news\"}");
    assert_eq!(at(&other, Stage::Type).0, "type is news");
    assert_eq!(attention(&other), [Stage::Type, Stage::Event]);
    assert_eq!(at(&of("{\"x\":1}"), Stage::Type).0, "no type");
}

#[test]
fn a_part_that_is_written_several_times() {
    let state = |status: &str| {
        format!(
            "{{\"type\":\"tool_use\",\"sessionID\":\"s\",\"part\":{{\"id\":\"p\",\"tool\":\"bash\",\"state\":{{\"status\":\"{status}\",\"input\":{{\"command\":\"make\"}}}}}}}}\n"
        )
    };
    let log = state("running") + &state("completed") + &state("error") + &state("error");
    let duplicate = |line| {
        let explanation = explain(&log, line, DialectChoice::OpenCode);
        let (what, why, pointer) = at(&explanation, Stage::Duplicate);
        assert_eq!(pointer, Some("/part/id"));
        (what.to_owned(), why.to_owned())
    };
    for line in [1, 3, 4] {
        assert_eq!(duplicate(line).0, "duplicate of the part on line 2");
        assert!(duplicate(line).1.contains("line 3 holds its values"), "{}", duplicate(line).1);
    }
    assert_eq!(duplicate(2).0, "values from a later line");
    assert!(duplicate(2).1.contains("again on line 3"), "{}", duplicate(2).1);
}

/// What stands where in the printed form, which is the same chain.
#[test]
fn the_printed_form() {
    let explanation = explain("{\"type\":\"news\",\"sessionID\":\"s\"}\n", 1, DialectChoice::OpenCode);
    assert_eq!(
        explanation.to_string(),
        "· a JSON object\n    line 1 at byte 0, 31 bytes\n\
         · session s\n    named on this line (at /sessionID)\n\
         ! type is news\n    none of `step_start`, `step_finish`, `text`, `reasoning`, `tool_use`, `error`: kept as an unknown event (at /type)\n\
         ! unknown\n    the record is kept as it is\n"
    );
}

#[test]
fn what_a_record_says_beside_its_event() {
    let log = include_str!("../../tests/fixtures/step_stream/pruned_calls.jsonl");
    let text = |line| explain(log, line, DialectChoice::Auto).to_string();
    // The first line is a step's start, which has no time of its own.
    assert!(
        text(1).contains("· made at 2026-06-22T03:46:40.900Z, derived\n    it carries no time of its own"),
        "{}",
        text(1)
    );
    assert!(!text(2).contains("made at"), "a call says itself when it began: {}", text(2));
    let pruned = 1 + log.lines().position(|line| line.contains("\"compacted\"")).unwrap() as u64;
    assert!(text(pruned).contains("· pruned later\n    the harness took its output out of the context at 2026-"));
    assert!(text(pruned).contains("(at /part/state/time/compacted)"));

    let state = |status: &str| {
        format!(
            "{{\"type\":\"tool_use\",\"sessionID\":\"s\",\"part\":{{\"id\":\"p\",\"tool\":\"read\",\"state\":{{\"status\":\"{status}\",\"input\":{{\"filePath\":\"f\"}}}}}}}}\n"
        )
    };
    let log = ["pending", "running", "running ", "completed"].map(state).concat();
    let last = explain(&log, 4, DialectChoice::Auto);
    assert!(last.to_string().contains("· states on other lines: 1, 2, 3\n"), "{last}");
}

/// The chain as data: which rule a decision is about, and each place that was looked at, with what was there.
#[test]
fn places_that_were_looked_at_and_passed_over() {
    let input = json!({"path": "", "file_path": 7, "filePath": "/w/a.rs", "source": "b"});
    let explanation = explain(&call("read", "completed", &input), 1, DialectChoice::OpenCode);
    let decision = explanation.decisions.iter().find(|decision| decision.stage == Stage::Field).unwrap();
    assert_eq!(decision.why, "looked for `path` (empty), `file_path` (of another kind), `filePath` (hit)");
    assert_eq!(decision.rule.as_deref(), Some("opencode.read"));
    let keys: Vec<_> =
        decision.keys.iter().map(|key| (key.source.as_str(), key.found, key.pointer.as_deref())).collect();
    let wanted = [
        ("path", Found::Empty, Some("/part/state/input/path")),
        ("file_path", Found::Unfit, Some("/part/state/input/file_path")),
        ("filePath", Found::Hit, Some("/part/state/input/filePath")),
        ("filepath", Found::Absent, None),
        ("abs_path", Found::Absent, None),
        ("absolutePath", Found::Absent, None),
        ("source", Found::Unneeded, Some("/part/state/input/source")),
    ];
    assert_eq!(keys, wanted);
}

#[test]
fn the_nearest_rule_says_what_it_would_lack() {
    let near = |input| at_rule(&explain(&call("multiedit", "completed", &input), 1, DialectChoice::OpenCode));
    let (why, rule) = near(json!({}));
    assert!(why.ends_with("`opencode.write` came nearest by name, and it would lack path"), "{why}");
    assert_eq!(rule.as_deref(), Some("opencode.write"));
    let (why, _) = near(json!({"path": "a"}));
    assert!(why.ends_with("and it would find all that it needs"), "{why}");
}

fn at_rule(explanation: &Explanation) -> (String, Option<String>) {
    let decision = explanation.decisions.iter().find(|decision| decision.stage == Stage::Rule).unwrap();
    (decision.why.clone(), decision.rule.clone())
}
