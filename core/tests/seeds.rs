//! The tables that the mapping implements, row by row: the event tables of Kilo Code and OpenCode, and how tokens are
//! summed.

// A test may stop at the first thing that is not as it should be.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, missing_docs)]

mod common;

use common::build::{call, call_with, finish, line, start};
use common::{event, events, read};
use serde_json::{Value, json};
use steplens_core::run::DialectChoice::{self, Kilo, OpenCode};

/// The event of a call, without the fields that every event has.
#[track_caller]
fn event_of(dialect: DialectChoice, tool: &str, input: &Value) -> Value {
    own(event(&call(tool, "completed", input), dialect))
}

fn own(mut event: Value) -> Value {
    let fields = event.as_object_mut().unwrap();
    for common in ["sessionId", "line", "rule", "tool", "isSuccess", "outcome"] {
        fields.remove(common);
    }
    event
}

/// A row: a tool, its input, its event under Kilo's table and under OpenCode's.
type RowOf = (&'static str, Value, Value, Value);

/// Both tables, for the tools that they share and for those that only one of them has.
fn rows() -> Vec<RowOf> {
    let both = |tool, input, event: Value| (tool, input, event.clone(), event);
    let kilo_only = |tool, input, event: Value| (tool, input, event, json!({"type": "unknown"}));
    vec![
        kilo_only(
            "task",
            json!({"name": "reviewer", "sessionId": "ses_child"}),
            json!({"type": "orchestration", "action": "subagent_completed", "subagentId": "ses_child", "subagentName": "reviewer"}),
        ),
        kilo_only("task", json!({"prompt": "nobody is named"}), json!({"type": "unknown"})),
        kilo_only(
            "agent_manager",
            json!({"agent_id": "a1"}),
            json!({"type": "orchestration", "action": "subagent_completed", "subagentId": "a1"}),
        ),
        kilo_only("agent_manager", json!({}), json!({"type": "unknown"})),
        kilo_only("codesearch", json!({"query": "where"}), json!({"type": "search", "query": "where"})),
        both("read", json!({"filePath": "/w/a"}), json!({"type": "read", "path": "/w/a"})),
        both("write", json!({"filePath": "/w/a", "content": "x"}), json!({"type": "write", "path": "/w/a"})),
        both("edit", json!({"filePath": "/w/a", "oldString": "x"}), json!({"type": "write", "path": "/w/a"})),
        both(
            "apply_patch",
            json!({"patchText": "*** Begin Patch\n*** Update File: a\n*** End Patch"}),
            json!({"type": "write", "path": "a"}),
        ),
        both("grep", json!({"pattern": "x", "path": "/w"}), json!({"type": "search", "query": "x", "path": "/w"})),
        both("glob", json!({"pattern": "*.rs"}), json!({"type": "search", "query": "*.rs"})),
        both("bash", json!({"command": "cargo test"}), json!({"type": "command", "command": "cargo test"})),
        both("bash", json!({"command": "cat a"}), json!({"type": "read", "path": "a", "command": "cat a"})),
        both(
            "skill",
            json!({"name": "pdf"}),
            json!({"type": "skill", "skillName": "pdf", "path": "skills/pdf/SKILL.md"}),
        ),
        both("lsp", json!({"operation": "workspaceSymbol", "query": "Foo"}), json!({"type": "search", "query": "Foo"})),
        both("lsp", json!({"symbol": "Bar"}), json!({"type": "search", "query": "Bar"})),
        both("lsp", json!({"operation": "hover", "line": 3}), json!({"type": "unknown"})),
        both("webfetch", json!({"url": "https://example.org"}), json!({"type": "unknown"})),
        both("websearch", json!({"query": "x"}), json!({"type": "unknown"})),
        both("question", json!({"questions": []}), json!({"type": "unknown"})),
        both("list", json!({"path": "/w"}), json!({"type": "unknown"})),
        both("multiedit", json!({"filePath": "/w/a"}), json!({"type": "unknown"})),
        both("patch", json!({"patchText": "*** Add File: a"}), json!({"type": "unknown"})),
        both("demo-srv_add", json!({"a": 1}), json!({"type": "unknown"})),
    ]
}

#[test]
fn every_row_of_both_tool_tables() {
    for (tool, input, kilo, opencode) in rows() {
        for (dialect, wanted) in [(Kilo, &kilo), (OpenCode, &opencode)] {
            // Names are compared without regard to case.
            for name in [tool.to_owned(), tool.to_uppercase(), tool[..1].to_uppercase() + &tool[1..]] {
                let got = event_of(dialect, &name, &input);
                match wanted["type"].as_str() {
                    Some("unknown") => {
                        assert_eq!(got["type"], "unknown", "{dialect:?} {name} {input}");
                        assert_eq!(got["raw"]["part"]["state"]["input"], input, "an unknown event keeps its record");
                    }
                    _ => assert_eq!(got, *wanted, "{dialect:?} {name} {input}"),
                }
            }
        }
    }
}

#[test]
fn the_todo_list_is_consumed() {
    for dialect in [Kilo, OpenCode] {
        for tool in ["todowrite", "todoread", "TodoWrite", "TODOREAD"] {
            let log = call(tool, "completed", &json!({"todos": []}));
            assert_eq!(events(&log, dialect), Vec::<Value>::new(), "{dialect:?} {tool}");
            let records = read(&log).summary().records;
            assert_eq!((records.total, records.consumed), (1, 1));
        }
    }
}

/// `id` of the row that made an event.
#[test]
fn every_event_names_its_rule() {
    let rule = |dialect, tool, input: Value| event(&call(tool, "ok", &input), dialect)["rule"].clone();
    for dialect in [Kilo, OpenCode] {
        assert_eq!(rule(dialect, "read", json!({"path": "a"})), "opencode.read");
        assert_eq!(rule(dialect, "edit", json!({"path": "a"})), "opencode.write");
        assert_eq!(rule(dialect, "apply_patch", json!({"diff": "*** Delete File: a"})), "opencode.apply_patch");
        assert_eq!(rule(dialect, "glob", json!({"glob": "*"})), "opencode.search");
        assert_eq!(rule(dialect, "bash", json!({"cmd": "make"})), "opencode.bash");
        assert_eq!(rule(dialect, "bash", json!({"cmd": "cat a"})), "bash.read");
        assert_eq!(rule(dialect, "bash", json!({"cmd": "echo x > a"})), "bash.write");
        assert_eq!(rule(dialect, "bash", json!({"cmd": "rg x"})), "bash.search");
        assert_eq!(rule(dialect, "bash", json!({"cmd": "ls"})), "bash.list");
        assert_eq!(rule(dialect, "skill", json!({"skill": "x"})), "opencode.skill");
        assert_eq!(rule(dialect, "lsp", json!({"query": "x"})), "opencode.lsp");
    }
    assert_eq!(rule(Kilo, "task", json!({"name": "x"})), "kilo.task");
    assert_eq!(rule(Kilo, "agent_manager", json!({"name": "x"})), "kilo.task");
    assert_eq!(rule(Kilo, "codesearch", json!({"query": "x"})), "kilo.codesearch");
    assert_eq!(rule(OpenCode, "task", json!({"name": "x"})), "opencode.unmapped");
    assert_eq!(rule(OpenCode, "webfetch", json!({})), "opencode.unmapped");
    assert_eq!(rule(Kilo, "webfetch", json!({})), "kilo.unmapped");
    let of = |value: Value| event(&line(&value), OpenCode)["rule"].clone();
    assert_eq!(of(json!({"type": "text", "text": "x"})), "stream.text");
    assert_eq!(of(json!({"type": "reasoning", "text": "x"})), "stream.reasoning");
    assert_eq!(of(json!({"type": "error", "error": "x"})), "stream.error");
    assert_eq!(of(json!({"type": "done"})), "stream.type");
    assert_eq!(event("no json\n", OpenCode)["rule"], "stream.malformed");
}

#[test]
fn every_row_of_the_stream_table() {
    let of = |value: Value| events(&line(&value), OpenCode).into_iter().map(own).collect::<Vec<_>>();
    let none = Vec::<Value>::new();
    assert_eq!(of(json!({"type": "step_start", "part": {"messageID": "m"}})), none);
    assert_eq!(of(json!({"type": "step_finish", "part": {"messageID": "m"}})), none);
    assert_eq!(
        of(json!({"type": "reasoning", "part": {"text": "Hm."}})),
        [json!({"type": "reasoning", "message": "Hm."})]
    );
    assert_eq!(of(json!({"type": "reasoning", "part": {"text": ""}})), none);
    assert_eq!(of(json!({"type": "reasoning", "part": {}})), none);
    assert_eq!(of(json!({"type": "text", "part": {"text": "Hi."}})), [json!({"type": "agent", "message": "Hi."})]);
    assert_eq!(of(json!({"type": "text", "part": {"text": ""}})), none);
    assert_eq!(of(json!({"type": "error", "error": "boom"})), [json!({"type": "error", "message": "boom"})]);
    let other = json!({"type": "session.idle", "x": 1});
    assert_eq!(of(other.clone()), [json!({"type": "unknown", "raw": other})]);
    let none = json!({"x": 1});
    assert_eq!(of(none.clone()), [json!({"type": "unknown", "raw": none})]);
    let torn = events("{\"type\":\"te\n", OpenCode).into_iter().map(own).collect::<Vec<_>>();
    assert_eq!(torn, [json!({"type": "unknown", "raw": "{\"type\":\"te"})]);
}

#[test]
fn the_status_sets_success() {
    let of = |word: &str| {
        let event = event(&call("read", word, &json!({"path": "a"})), OpenCode);
        (event.get("isSuccess").and_then(Value::as_bool), event["outcome"].as_str().unwrap().to_owned())
    };
    for word in ["completed", "success", "done", "ok", "Completed", "OK", "sUcCeSs"] {
        assert_eq!(of(word), (Some(true), "ok".to_owned()), "{word}");
    }
    for word in ["error", "failed", "failure", "cancelled", "canceled", "ERROR", "Failed", "CanceLLed"] {
        assert_eq!(of(word), (Some(false), "failed".to_owned()), "{word}");
    }
    for word in ["", "pending", "running", "complete", "successful", "errored", "fail", "cancel", " ok", "true"] {
        assert_eq!(of(word), (None, "unknown".to_owned()), "{word}");
    }
}

#[test]
fn the_status_of_a_task_is_its_action() {
    let action = |word| event(&call("task", word, &json!({"agent": "x"})), Kilo)["action"].clone();
    assert_eq!(action("done"), "subagent_completed");
    assert_eq!(action("canceled"), "subagent_failed");
    assert_eq!(action("running"), "subagent_started");
    assert_eq!(action("whatever"), "subagent_started");
}

#[test]
fn what_names_a_subagent() {
    let of = |input: Value| own(event(&call("task", "ok", &input), Kilo));
    for key in ["sessionId", "session_id", "agentId", "agent_id", "id"] {
        assert_eq!(of(json!({key: "s"}))["subagentId"], "s", "{key}");
    }
    for key in ["name", "agent", "subagent", "subagent_type", "agentType", "description"] {
        assert_eq!(of(json!({key: "n"}))["subagentName"], "n", "{key}");
    }
    // The first of them wins, and the input comes before the result.
    assert_eq!(of(json!({"id": "no", "session_id": "s", "description": "no", "subagent": "n"}))["subagentId"], "s");
    assert_eq!(of(json!({"id": "no", "session_id": "s", "description": "no", "subagent": "n"}))["subagentName"], "n");
    let result = json!({"metadata": {"sessionId": "ses_result"}});
    let with_result = |input| own(event(&call_with("task", "ok", &input, &result), Kilo));
    assert_eq!(with_result(json!({"agent": "x"}))["subagentId"], "ses_result");
    assert_eq!(with_result(json!({"agent": "x", "sessionId": "ses_input"}))["subagentId"], "ses_input");
}

#[test]
fn the_session_id_under_each_of_its_names() {
    let session = |value: Value| event(&line(&value), OpenCode).get("sessionId").cloned();
    for key in ["sessionID", "session_id", "sessionId"] {
        assert_eq!(session(json!({"type": "text", key: "s", "text": "x"})), Some(json!("s")), "{key}");
    }
    let all = json!({"type": "text", "sessionId": "third", "session_id": "second", "sessionID": "first", "text": "x"});
    assert_eq!(session(all), Some(json!("first")));
    let empty = json!({"type": "text", "sessionID": "", "session_id": "", "sessionId": "third", "text": "x"});
    assert_eq!(session(empty), Some(json!("third")));
    assert_eq!(session(json!({"type": "text", "text": "x"})), None);
}

#[test]
fn tokens_are_summed_over_steps() {
    let step = |id, input, output, reasoning, read, write| {
        let cache = json!({"read": read, "write": write});
        let tokens =
            json!({"input": input, "output": output, "reasoning": reasoning, "cache": cache, "total": 999_999});
        start(id) + &finish(id, "tool-calls", &tokens)
    };
    let log = step(1, 1000, 800, 200, 65_856, 2000) + &step(2, 1, 2, 3, 4, 5) + &step(3, 0, 0, 0, 0, 0);
    let tokens = read(&log).summary().total.tokens;
    // Cache writes are billed as input; cached reads are never part of it.
    assert_eq!(tokens.uncached_input, Some(1000 + 2000 + 1 + 5));
    assert_eq!(tokens.cached_input, Some(65_856 + 4));
    assert_eq!(tokens.cache_creation, Some(2005));
    assert_eq!(tokens.output, Some(802));
    assert_eq!(tokens.reasoning, Some(203));
    assert_eq!(tokens.input, Some(3006 + 65_860));
    assert_eq!(tokens.total, Some(3006 + 65_860 + 802 + 203));
    assert!(!tokens.partial);
}

/// The numbers are searched at `part.tokens` of a `step_finish` and nowhere else.
#[test]
fn tokens_are_read_from_one_place() {
    let full = json!({"input": 7, "output": 7, "reasoning": 7, "cache": {"read": 7, "write": 7}});
    let elsewhere = [
        json!({"type": "step_start", "part": {"messageID": "m", "tokens": full}}),
        json!({"type": "text", "tokens": full, "part": {"text": "x", "tokens": full}}),
        json!({"type": "tool_use", "tokens": full, "part": {"tool": "read", "state": {"tokens": full}}}),
        json!({"type": "session.updated", "tokens": full, "part": {"tokens": full}}),
        json!({"type": "step_finish", "part": {"messageID": "m", "usage": full, "metadata": {"tokens": full}}}),
    ];
    let log: String = elsewhere.iter().map(line).collect();
    let tokens = read(&log).summary().total.tokens;
    assert_eq!((tokens.total, tokens.uncached_input, tokens.partial), (None, None, true));

    // The flat keys of other harnesses are none of these, and a `read` is looked for in `cache` only.
    let flat = json!({"cacheReadTokens": 5, "cache_read": 5, "read": 5, "write": 5, "inputTokens": 5, "input": 1});
    let tokens = read(&finish(1, "stop", &flat)).summary().total.tokens;
    assert_eq!(
        (tokens.input, tokens.cached_input, tokens.cache_creation, tokens.total),
        (Some(1), None, None, Some(1))
    );

    // Flattened by others: the line's own `tokens`, where the part has none.
    let top = json!({"type": "step_finish", "tokens": {"input": 3}});
    assert_eq!(read(&line(&top)).summary().total.tokens.input, Some(3));
    let both = json!({"type": "step_finish", "tokens": {"input": 3}, "part": {"tokens": {"input": 4}}});
    assert_eq!(read(&line(&both)).summary().total.tokens.input, Some(4));
}

#[test]
fn a_step_that_is_written_twice_counts_once() {
    let tokens = json!({"input": 10, "output": 1, "reasoning": 0, "cache": {"read": 100, "write": 0}});
    let step = finish(1, "stop", &tokens);
    let once = read(&step).summary();
    let twice = read(&step.repeat(2)).summary();
    assert_eq!(once.total.tokens.total, Some(111));
    assert_eq!(twice.total, once.total);
    assert_eq!((twice.records.total, twice.records.duplicates), (2, 1));
    let other = read(&(step + &finish(2, "stop", &tokens))).summary();
    assert_eq!(other.total.tokens.total, Some(222), "equal numbers of another step");
}

/// Where a call names the directory that it starts in, and its command goes on from there, both count.
#[test]
fn a_directory_that_a_command_goes_on_to() {
    let directory = |input: Value| event_of(DialectChoice::OpenCode, "bash", &input)["workingDirectory"].clone();
    for (command, wanted) in [
        ("make", "/w"),
        ("cd sub && make", "/w/sub"),
        ("cd ./a/b && make", "/w/a/b"),
        ("cd /other && make", "/other"),
        ("cd ~/x && make", "~/x"),
        ("cd \"$X\" && make", "/w"),
    ] {
        assert_eq!(directory(json!({"command": command, "workdir": "/w"})), wanted, "{command}");
    }
    assert_eq!(directory(json!({"command": "cd sub && make"})), "sub");
}
