//! `steplens unmapped`: what no rule knows, where it is, and which rule could read it.

// A test may stop at the first thing that is not as it should be.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, missing_docs)]

mod common;
mod logs;

use common::{fixture, steplens};
use logs::{Folder, call, run, step_finish, step_start};
use serde_json::{Value, json};

const FETCH_RULE: &str = "[[rule]]\nid = \"extensions.webfetch\"\ntools = [\"webfetch\"]\nevent = \"read\"\n\
                          fields.path = [\"url\"]\nrequire = [\"path\"]\n";

const SKELETON: &str = "# No guess: its name and the keys of its input do not agree on an event. The input has `n` (no text).\n\
                        # [[rule]]\n# id = \"mine.demo-srv_add\"\n# tools = [\"demo-srv_add\"]\n\
                        # event = \"…\"             # read, write, search, list, command, skill, orchestration or consumed\n\
                        # fields.… = [\"…\"]        # the keys in which the event's fields stand\n";

/// Seven calls of a tool of somebody's own, a fetch, and two types that nobody knows.
fn log() -> String {
    let own = |n: i64| call((n * 10, n * 10 + 5), "ses_1", "msg_1", "demo-srv_add", json!({"n": n}), "completed");
    let mut log = step_start(0, "ses_1", "msg_1");
    log.extend((1..=7).map(own));
    log.push_str(&call((100, 200), "ses_1", "msg_1", "webfetch", json!({"url": "u"}), "completed"));
    log.push_str("{\"type\":\"news\",\"sessionID\":\"ses_1\"}\n{\"sessionID\":\"ses_1\"}\n");
    log.push_str(&step_finish(4000, "ses_1", "msg_1", "stop", None));
    log
}

#[test]
fn tools_and_types_with_their_places_and_a_rule() {
    let folder = Folder::new();
    let log = folder.write("run.jsonl", log());
    let wanted = format!(
        "tool          count  why      where\n\
         demo-srv_add      7  no rule  lines 2, 3, 4, 5, 6, …\n\
         webfetch          1  no rule  line 9\n\
         \n\
         type       count  where\n\
         (no type)      1  line 11\n\
         news           1  line 10\n\
         \n\
         suggested rules  save them for `--rules`; `--extensions` switches on those whose id says so\n\
         id = \"suggested\"\n\
         version = 1\n\
         \n\
         {SKELETON}\n\
         {FETCH_RULE}"
    );
    assert_eq!(steplens(&["unmapped", &log]).good(), wanted);
}

#[test]
fn the_same_as_a_document() {
    let folder = Folder::new();
    let log = folder.write("run.jsonl", log());
    let document: Value = serde_json::from_str(&steplens(&["unmapped", "--json", &log]).good()).unwrap();
    let wanted = json!({
        "schema": 1,
        "unmapped": [
            {
                "tool": "demo-srv_add", "reason": "no rule", "count": 7, "lines": [2, 3, 4, 5, 6, 7, 8], "suggestion": SKELETON,
                "note": "No guess: its name and the keys of its input do not agree on an event. The input has `n` (no text).",
            },
            {
                "tool": "webfetch", "reason": "no rule", "count": 1, "lines": [9], "suggestion": FETCH_RULE,
                "note": "An extension rule: the built-in tables leave this tool alone on purpose.",
            },
        ],
        "unknownTypes": [
            {"name": null, "count": 1, "lines": [11]},
            {"name": "news", "count": 1, "lines": [10]},
        ],
    });
    assert_eq!(document, wanted);
}

/// The printed table is one that `--rules` takes.
#[test]
fn the_suggestion_can_be_used_as_it_is() {
    let folder = Folder::new();
    let log = folder.write("run.jsonl", run("ses_1"));
    let printed = steplens(&["unmapped", &log]).good();
    let table = folder.write("suggested.toml", &printed[printed.find("id = ").unwrap()..]);
    let nothing = "every type and every tool is known\n";
    assert_eq!(steplens(&["unmapped", &log, "--rules", &table]).good(), nothing);
    assert_eq!(steplens(&["unmapped", &log, "--extensions"]).good(), nothing);
}

#[test]
fn where_no_rule_is_known_a_skeleton_is_suggested() {
    let folder = Folder::new();
    let text = run("ses_1").replace("webfetch", "mine");
    let log = folder.write("run.jsonl", text);
    let out = steplens(&["unmapped", &log]).good();
    assert!(out.starts_with("tool  count  why      where\nmine      1  no rule  line 3\n\n"), "{out}");
    assert!(out.contains("# tools = [\"mine\"]\n"), "{out}");
}

/// A rule that is there and finds no path is another matter than no rule, in the summary too.
#[test]
fn a_rule_that_lacks_a_field_says_so_and_is_suggested_wider() {
    let folder = Folder::new();
    let read = |at: i64, input: Value| call((at, at + 5), "ses_1", "msg_1", "read", input, "completed");
    let log = [
        step_start(0, "ses_1", "msg_1"),
        read(10, json!({"filePath": "a.rs"})),
        read(20, json!({"target_file": "b.rs"})),
        call((30, 35), "ses_1", "msg_1", "webfetch", json!({"url": "u"}), "completed"),
        step_finish(4000, "ses_1", "msg_1", "stop", None),
    ];
    let log = folder.write("run.jsonl", log.concat());
    let out = steplens(&["unmapped", &log]).good();
    assert!(out.contains("read          1  no path in its input  line 3\n"), "{out}");
    assert!(out.contains("fields.path = [\"@path\", \"target_file\"]\n"), "{out}");
    let summary = steplens(&["summary", &log]).good();
    let wanted = "no rule for webfetch\nno path in its input: read: `steplens unmapped` says where, and which rule could read them\n";
    assert!(summary.contains(wanted), "{summary}");
}

/// What the author of a table should know is said beside the answer, not in it.
#[test]
fn notes_on_a_table() {
    let folder = Folder::new();
    let log = folder.write("run.jsonl", run("ses_1"));
    let table = |head: &str, tool: &str, key: &str| {
        format!(
            "id = \"mine\"\nversion = 1\n{head}[[rule]]\nid = \"mine.a\"\ntools = [\"{tool}\"]\nevent = \"read\"\nfields.path = [\"{key}\"]\n"
        )
    };
    let said = |text: String| {
        let rules = folder.write("mine.toml", text);
        let output = steplens(&["events", &log, "--rules", &rules]);
        assert_eq!(output.code, 0, "{}", output.err);
        output.err
    };
    assert_eq!(said(table("", "webfetch", "url")), "");
    assert_eq!(
        said(table("", "nothing", "url")),
        "steplens: of the rules of `mine`, these read no call of this log: `mine.a`\n"
    );
    assert_eq!(
        said(table("", "webfetch", "state/input/url")),
        "steplens: rule `mine.a` looks for a key `state/input/url` of the input; a JSON pointer begins with a slash: `/state/input/url`\n"
    );
    assert_eq!(
        said(table("base = \"kilo\"\n", "webfetch", "url")),
        "steplens: none of the rules of `mine` applies: this log is read by the opencode table, and its `base` names another; \
         leave `base` out to lay it over both\n"
    );
    let broken = folder.write("broken.toml", "id = 1");
    assert_eq!(steplens(&["rules", "--rules", &broken]).code, 2);
}

#[test]
fn a_log_in_which_all_is_known() {
    assert_eq!(steplens(&["unmapped", &fixture("case_verdict_stop")]).good(), "every type and every tool is known\n");
}

#[test]
fn tools_that_one_rule_reads_share_it() {
    let folder = Folder::new();
    let query = |at: i64, tool: &str| call((at, at + 5), "ses_1", "msg_1", tool, json!({"query": "x"}), "completed");
    let log = [step_start(0, "ses_1", "msg_1"), query(10, "websearch"), query(20, "semantic_search")].concat();
    let log = folder.write("run.jsonl", log);
    let printed = steplens(&["unmapped", &log]).good();
    assert_eq!(printed.matches("[[rule]]").count(), 1, "{printed}");
}

#[test]
fn of_several_files_the_places_name_theirs() {
    let folder = Folder::new();
    let first = folder.write("a.jsonl", log());
    let second =
        folder.write("b.jsonl", log().replace("ses_1", "ses_2").replace("msg_1", "msg_2").replace("prt_", "prt_b"));
    let out = steplens(&["unmapped", &first, &second]).good();
    assert!(out.contains("webfetch          2  no rule  a.jsonl 9, b.jsonl 9\n"), "{out}");
    assert!(out.contains("demo-srv_add     14  no rule  a.jsonl 2, 3, 4, 5, 6, …\n"), "{out}");
    assert!(out.contains("news           2  a.jsonl 10, b.jsonl 10\n"), "{out}");
    let document: Value = serde_json::from_str(&steplens(&["unmapped", "--json", &first, &second]).good()).unwrap();
    assert_eq!(document["unmapped"][1]["lines"], json!([9, 9]));
    assert_eq!(document["unmapped"][1]["files"], json!([0, 1]));
    assert_eq!(document["unknownTypes"][0]["files"], json!([0, 1]));
    let broken = steplens(&["check", "--no-unknown", &second, &first]);
    assert!(broken.out.contains("tool webfetch (b.jsonl 9, a.jsonl 9)"), "{}", broken.out);
}
