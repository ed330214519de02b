//! `steplens explain` and `steplens rules`: why, and by which table.

// A test may stop at the first thing that is not as it should be.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, missing_docs)]

mod common;

use common::{fixture, own_file, steplens, with_input};
use serde_json::Value;
use std::fs;
use steplens_core::explain::Explanation;
use steplens_core::rules::RuleSet;

#[test]
fn an_explanation_in_full() {
    let path = fixture("case_explain_unmapped");
    let out = steplens(&["explain", &path, "--line", "2"]).good();
    let wanted = format!(
        "{path}:2
· a JSON object
    line 2 at byte 232, 354 bytes
· session ses_1f2e3d4c5b6a
    named on this line (at /sessionID)
· type is tool_use
    a call (at /type)
· tool is webfetch
    its name (at /part/tool)
· input found
    the call's arguments (at /part/state/input)
· status is completed
    a success word (at /part/state/status)
! no rule: opencode.unmapped
    none of the 8 rules of the opencode table reads `webfetch`
! event unknown
    isSuccess is true: status `completed` is a success word (at /part/state/status)
· outcome ok
    status `completed` is a success word, and nothing speaks against it (at /part/state/status)
"
    );
    assert_eq!(out, wanted);
}

#[test]
fn a_missing_field_names_what_was_looked_for_and_what_is_there() {
    let path = fixture("case_explain_missing_field");
    let out = steplens(&["explain", "--line", "2", "--dialect", "opencode", &path]).good();
    for wanted in ["! no path", "opencode.read needs it", "`filePath`", "`absolutePath`", "the input has `wrong_arg`"] {
        assert!(out.contains(wanted), "{wanted:?} is not in:\n{out}");
    }
}

#[test]
fn the_dialect_decides_which_table_is_asked() {
    let path = fixture("case_child_not_here");
    let auto = steplens(&["explain", &path, "--line", "2"]).good();
    assert!(auto.contains("no rule: opencode.unmapped"), "{auto}");
    let kilo = steplens(&["explain", &path, "--line", "2", "--dialect", "kilo"]).good();
    assert!(kilo.contains("rule kilo.task") && kilo.contains("subagentId is `ses_child`"), "{kilo}");
    assert!(kilo.contains("(at /part/state/metadata/sessionId)"), "{kilo}");
}

#[test]
fn duplicates_and_lines_that_are_no_json() {
    let path = fixture("case_dup_every_line");
    let twin = steplens(&["explain", &path, "--line", "6"]).good();
    assert!(twin.contains("! duplicate of the part on line 5"), "{twin}");
    let path = fixture("case_bad_lines");
    let torn = steplens(&["explain", &path, "--line", "2"]).good();
    assert_eq!(
        torn,
        format!(
            "{path}:2\n! not a JSON object\n    the line is cut in the middle of a JSON object: kept as an unknown event\n"
        )
    );
}

#[test]
fn the_chain_as_json() {
    let path = fixture("case_green_but_failed");
    let out = steplens(&["explain", &path, "--line", "2", "--json"]).good();
    let explanation: Explanation = serde_json::from_str(&out).unwrap();
    let facts = explanation.facts.unwrap();
    assert_eq!(facts.status.as_deref(), Some("completed"));
    assert_eq!((facts.exit_code.as_deref(), facts.error), (Some("127"), None));
    let value: Value = serde_json::from_str(&out).unwrap();
    let last = value["decisions"].as_array().unwrap().last().unwrap();
    assert_eq!((&last["stage"], &last["what"]), (&"outcome".into(), &"outcome failed".into()));
    assert_eq!((&last["pointer"], &last["attention"]), (&"/part/state/metadata/exit".into(), &true.into()));
}

#[test]
fn standard_input_can_be_explained() {
    let bytes = fs::read(fixture("case_explain_unmapped")).unwrap();
    let out = with_input(&["explain", "-", "--line", "2"], &bytes).good();
    assert!(out.starts_with("-:2\n"), "{out}");
    let from_file = steplens(&["explain", &fixture("case_explain_unmapped"), "--line", "2"]).good();
    assert_eq!(out.split_once('\n').unwrap().1, from_file.split_once('\n').unwrap().1);
}

/// Every line of a long log, the first and the last among them, is the line that it says.
#[test]
fn any_line_of_a_long_log() {
    let line =
        |number: u32| format!("{{\"type\":\"news{number}\",\"sessionID\":\"s\",\"x\":\"{}\"}}\n", "x".repeat(300));
    let log = own_file("long.jsonl", (1..=9_000).map(line).collect::<String>());
    for number in ["1", "2", "4500", "8999", "9000"] {
        let out = steplens(&["explain", &log.path, "--line", number]).good();
        assert!(out.contains(&format!("! type is news{number}\n")), "{out}");
    }
}

#[test]
fn lines_that_are_not_there() {
    let path = fixture("blank_lines_only_between");
    let beyond = steplens(&["explain", &path, "--line", "8"]).refused();
    assert_eq!(beyond, format!("steplens: {path}: there is no line 8; the file has 7\n"));
    let blank = steplens(&["explain", &path, "--line", "4"]).refused();
    assert_eq!(blank, format!("steplens: {path}: line 4 is blank, so there is no record on it\n"));
    for wrong in ["0", "-1", "x", "1.5"] {
        let message = steplens(&["explain", &path, "--line", wrong]).refused();
        assert!(message.contains("--line"), "{message}");
    }
    let without = steplens(&["explain", &path]).refused();
    assert!(without.contains("--line <LINE>"), "{without}");
}

/// The printed tables are read back by the reader of tables, with the same rules.
#[test]
fn the_printed_tables_can_be_read_back() {
    let opencode = RuleSet::parse(&steplens(&["rules", "--dialect", "opencode"]).good(), None).unwrap();
    let kilo = RuleSet::parse(&steplens(&["rules", "--dialect", "kilo"]).good(), Some(&opencode)).unwrap();
    assert_eq!((opencode.id.as_str(), kilo.id.as_str()), ("opencode", "kilo"));
    let ids = |set: &RuleSet| set.rules().iter().map(|rule| rule.id.clone()).collect::<Vec<_>>();
    let of_opencode = [
        "opencode.read",
        "opencode.write",
        "opencode.apply_patch",
        "opencode.search",
        "opencode.bash",
        "opencode.skill",
        "opencode.lsp",
        "opencode.todo",
    ];
    assert_eq!(ids(&opencode), of_opencode);
    assert_eq!(ids(&kilo), [&["kilo.task", "kilo.codesearch"], &of_opencode[..]].concat());
    assert_eq!(kilo.find("Agent_Manager").unwrap().id, "kilo.task");
    assert!(opencode.find("task").is_none());
    let kilo_alone = RuleSet::parse(&steplens(&["rules", "--dialect", "kilo"]).good(), None);
    assert!(kilo_alone.unwrap_err().to_string().contains("base `opencode`"));
    let without_a_choice = RuleSet::parse(&steplens(&["rules"]).good(), None).unwrap();
    assert_eq!(ids(&without_a_choice), of_opencode);
}
