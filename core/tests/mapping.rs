//! What the lab shows: coverage, unknowns by reason, rules by use, drift, and the difference that a table makes.

// A test may stop at the first thing that is not as it should be.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, missing_docs)]

mod common;

use common::build::{call, finish, line, start};
use serde_json::json;
use steplens_core::event::Kind;
use steplens_core::mapping::UnknownKind;
use steplens_core::rules::Rules;
use steplens_core::run::{DialectChoice, Options, Run};
use steplens_core::view::Filter;

/// A step with two fetches, a read that lacks its path, a tool of somebody's own, a type that nobody knows and a torn line.
fn log() -> String {
    [
        start(1),
        call("webfetch", "completed", &json!({"url": "u"})),
        call("webfetch", "completed", &json!({"url": "v"})),
        call("read", "completed", &json!({"target_file": "a.rs"})),
        call("mcp_fs_search", "completed", &json!({"needle": 1, "search_term": "x"})),
        line(&json!({"type": "news", "sessionID": "ses_1"})),
        "{\"type\":\"te\n".to_owned(),
        line(&json!({"type": "text", "sessionID": "ses_1", "mood": 1, "part": {"text": "x", "tone": 2}})),
        finish(1, "stop", &json!({"input": 1})),
    ]
    .concat()
}

fn read(rules: Option<&str>) -> Run {
    let rules = Rules::with(false, rules.map(|text| ("mine.toml", text))).unwrap();
    let mut run = Run::new(Options { dialect: DialectChoice::OpenCode, rules, ..Options::default() });
    run.begin_file("run.jsonl");
    run.push(log().as_bytes());
    run.end_file();
    run
}

#[test]
fn unknowns_go_by_what_names_them_and_by_reason() {
    let mapping = read(None).mapping();
    assert_eq!((mapping.records.mapped, mapping.records.consumed, mapping.records.unknown), (1, 2, 6));
    let groups: Vec<_> = mapping
        .unknown
        .iter()
        .map(|group| (group.what, group.name.as_str(), group.reason.as_str(), group.count, group.places.clone()))
        .collect();
    let wanted = [
        (UnknownKind::Tool, "webfetch", "no rule", 2, vec![(0, 2), (0, 3)]),
        (UnknownKind::Tool, "mcp_fs_search", "no rule", 1, vec![(0, 5)]),
        (UnknownKind::Tool, "read", "no path in its input", 1, vec![(0, 4)]),
        (UnknownKind::Type, "news", "no type that is known", 1, vec![(0, 6)]),
        (UnknownKind::Malformed, "", "no JSON object", 1, vec![(0, 7)]),
    ];
    assert_eq!(groups, wanted);
}

/// Each suggestion can be laid over as it stands, and reads what it was made for.
#[test]
fn a_suggestion_can_be_used_as_it_is() {
    let mapping = read(None).mapping();
    let suggested: Vec<_> = mapping.unknown.iter().filter_map(|group| group.suggestion.clone()).collect();
    assert_eq!(suggested.len(), 3);
    assert_eq!(
        mapping.unknown.iter().map(|group| group.is_guess).collect::<Vec<_>>(),
        [false, true, true, false, false]
    );
    assert_eq!(
        suggested[1],
        "[[rule]]\nid = \"mine.mcp_fs_search\"\ntools = [\"mcp_fs_search\"]\nevent = \"search\"\n\
         fields.query = [\"search_term\"]\nrequire = [\"query\"]\n"
    );
    let table = format!("id = \"mine\"\nversion = 1\n\n{}", suggested.join("\n"));
    let mut run = read(Some(&table));
    let before = read(None).prints();
    let changes = run.compare(&before);
    assert_eq!((changes.changed, changes.records_before.unknown, changes.records_after.unknown), (4, 6, 2));
    let moves: Vec<_> = changes.moves.iter().map(|(a, b, n)| (a.as_str(), b.as_str(), *n)).collect();
    assert_eq!(moves, [("unknown", "read", 3), ("unknown", "search", 1)]);
    let kinds: Vec<_> = changes.kinds.iter().map(|(kind, a, b)| (kind.as_str(), *a, *b)).collect();
    assert_eq!(kinds, [("agent", 1, 1), ("read", 0, 3), ("search", 0, 1), ("unknown", 6, 2)]);
    let view = run.view(&Filter { changed: true, ..Filter::default() });
    assert_eq!(view.events(), 4);
    let view = run.view(&Filter { changed: true, kinds: vec![Kind::Search], ..Filter::default() });
    assert_eq!(view.events(), 1);
    // The same table again changes nothing.
    let same = run.prints();
    assert_eq!(run.compare(&same).changed, 0);
    assert_eq!(run.view(&Filter { changed: true, ..Filter::default() }).events(), 0);
}

#[test]
fn rules_by_use() {
    let table = "id = \"mine\"\nversion = 1\n[[rule]]\nid = \"mine.fetch\"\ntools = [\"webf*\"]\nevent = \"read\"\nfields.path = [\"url\"]\nrequire = [\"path\"]\n";
    let rules = read(Some(table)).mapping().rules;
    let used: Vec<_> = rules.iter().map(|rule| (rule.id.as_str(), rule.is_own, rule.calls, rule.unknown)).collect();
    assert_eq!(used[..2], [("mine.fetch", true, 2, 0), ("opencode.read", false, 1, 1)]);
    assert!(used[2..].iter().all(|(_, own, calls, _)| !own && *calls == 0));
    assert_eq!(used.len(), 9);
}

#[test]
fn fields_that_no_version_writes_are_named_with_their_place() {
    let drift = read(None).mapping().drift;
    let rows: Vec<_> = drift.iter().map(|row| (row.name.as_str(), row.count, row.line)).collect();
    assert_eq!(rows, [("text mood", 1, 8), ("text part.tone", 1, 8)]);
}

#[test]
fn a_line_alone_is_mapped_and_explained() {
    let tried = Run::tried("line.jsonl", call("webfetch", "completed", &json!({})).as_bytes(), Options::default());
    assert_eq!(tried.events.len(), 1);
    assert!(tried.events[0].contains("\"type\":\"unknown\""));
    assert_eq!(tried.explanations.len(), 1);
    assert!(tried.explanations[0].to_string().contains("no rule: opencode.unmapped"));
    assert_eq!(Run::tried("line.jsonl", b"", Options::default()).events.len(), 0);
}

/// What is suggested for a tool changes nothing of what is read already: over every fixture, laid over one by one.
#[test]
fn no_suggestion_takes_anything_away() {
    let mut tried = 0;
    let is_log = |path: &std::path::PathBuf| path.extension().is_some_and(|end| end == "jsonl");
    let paths = std::fs::read_dir(common::fixtures()).unwrap().map(|entry| entry.unwrap().path()).filter(is_log);
    let mut logs: Vec<String> = paths.filter_map(|path| std::fs::read_to_string(path).ok()).collect();
    // Good calls of each tool beside one that lacks what its rule needs.
    let odd =
        |tool: &str| call(tool, "completed", &json!({"the_file": "a", "file_list": [{"file": "b"}], "text": "c"}));
    let tools = ["read", "write", "edit", "grep", "glob", "bash", "skill", "lsp", "apply_patch", "task", "codesearch"];
    logs.push(log());
    logs = logs.into_iter().map(|log| tools.iter().fold(log, |log, tool| log + &odd(tool))).collect();
    for log in logs {
        for dialect in [DialectChoice::Kilo, DialectChoice::OpenCode] {
            let read = |rules: Option<&str>| {
                let rules = Rules::with(false, rules.map(|text| ("mine.toml", text))).unwrap();
                let mut run = Run::new(Options { dialect, rules, ..Options::default() });
                run.begin_file("run.jsonl");
                run.push(log.as_bytes());
                run.end_file();
                run
            };
            let before = read(None);
            let prints = before.prints();
            for group in before.mapping().unknown {
                let Some(rule) = group.suggestion else { continue };
                let mut after = read(Some(&format!("id = \"mine\"\nversion = 1\n\n{rule}")));
                let changes = after.compare(&prints);
                let from: Vec<_> = changes.moves.iter().filter(|(from, ..)| from != "unknown").collect();
                assert!(from.is_empty(), "{rule}: {from:?}");
                tried += 1;
            }
        }
    }
    assert!(tried > 100, "{tried}");
}
