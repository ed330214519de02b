//! Logs that look like logs: lines with the fields of the step stream, some missing, some of the wrong type, some twice,
//! in any order, with the ids of a few sessions, messages and parts.

use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{Config, RngSeed};

/// The same inputs in every run, so that a change and nothing else makes a test fail. `PROPTEST_CASES` and
/// `PROPTEST_RNG_SEED` in the environment look further.
pub(crate) fn config(cases: u32) -> Config {
    let mut config = Config { failure_persistence: None, ..Config::default() };
    if std::env::var_os("PROPTEST_CASES").is_none() {
        config.cases = cases;
    }
    if config.rng_seed == RngSeed::Random {
        config.rng_seed = RngSeed::Fixed(7_070_707);
    }
    config
}

type Text = BoxedStrategy<String>;

fn one_of(values: &'static [&'static str]) -> Text {
    select(values).prop_map(str::to_owned).boxed()
}

/// A JSON string of one of these texts.
fn word(values: &'static [&'static str]) -> Text {
    select(values).prop_map(quoted).boxed()
}

pub(crate) fn quoted(text: impl AsRef<str>) -> String {
    serde_json::Value::from(text.as_ref()).to_string()
}

/// Any small piece of JSON: what stands where something else should.
fn anything() -> Text {
    one_of(&[
        "null",
        "true",
        "0",
        "-1",
        "1.5",
        "1e300",
        "18446744073709551615",
        "\"\"",
        "\"x\"",
        "[]",
        "[{}]",
        "{}",
        "{\"a\":{\"b\":[1]}}",
        "\"\\ud83d\"",
        "\"a\\u0000\\nb\"",
    ])
}

/// How a field of an object may be spoilt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    Kept,
    Missing,
    Spoilt,
    Twice,
}

/// An object with fields of these names, most of them as they should be, in any order.
fn object(fields: Vec<(&'static str, Text)>) -> Text {
    let field = |(name, value): (&'static str, Text)| {
        let fate = prop_oneof![
            16 => Just(Fate::Kept), 2 => Just(Fate::Missing), 1 => Just(Fate::Spoilt), 1 => Just(Fate::Twice)
        ];
        (fate, value, anything()).prop_map(move |(fate, value, other)| {
            let field = |value: &str| format!("{}:{value}", quoted(name));
            match fate {
                Fate::Kept => vec![field(&value)],
                Fate::Missing => vec![],
                Fate::Spoilt => vec![field(&other)],
                Fate::Twice => vec![field(&other), field(&value)],
            }
        })
    };
    let fields: Vec<_> = fields.into_iter().map(field).collect();
    let fields = fields.prop_shuffle();
    fields.prop_map(|fields| format!("{{{}}}", fields.concat().join(","))).boxed()
}

fn time() -> Text {
    let near = (0u64..5_000).prop_map(|ms| (1_780_000_000_000 + ms).to_string());
    let odd = one_of(&["0", "-5", "1e14", "1780000000", "\"2026-06-01T00:00:00Z\"", "\"soon\"", "1780000000000.75"]);
    prop_oneof![9 => near, 1 => odd].boxed()
}

fn interval() -> Text {
    object(vec![("start", time()), ("end", time())])
}

pub(crate) const TOOLS: &[&str] = &[
    "bash",
    "Bash",
    "read",
    "write",
    "edit",
    "grep",
    "glob",
    "apply_patch",
    "skill",
    "lsp",
    "todowrite",
    "task",
    "agent_manager",
    "codesearch",
    "webfetch",
    "invalid",
    "demo-srv_add",
    "suggest",
    "subagent",
    "",
];

/// Words of a status; the first ten decide, the others do not.
pub(crate) const STATUS: &[&str] = &[
    "completed",
    "success",
    "done",
    "ok",
    "error",
    "failed",
    "failure",
    "cancelled",
    "canceled",
    "ERROR",
    "pending",
    "running",
    "",
    "okay",
];

fn command() -> Text {
    word(&["make", "cat a.rs", "ls src", "rg x src", "sed -n 1,9p f", "cd web && npm test", "echo x > f", "", "cat 'x"])
}

pub(crate) fn input() -> Text {
    let fields = object(vec![
        ("command", command()),
        ("filePath", word(&["/w/a.rs", "b", "é/→.txt", ""])),
        ("offset", one_of(&["1", "0", "-2", "7"])),
        ("limit", one_of(&["10", "0", "1"])),
        ("pattern", word(&["needle", "**/*.rs"])),
        ("query", word(&["where", "Foo"])),
        ("name", word(&["pdf", "docs"])),
        ("description", word(&["Look around"])),
        ("subagent_type", word(&["explore"])),
        ("sessionId", word(&["ses_a", "ses_child"])),
        ("tool", word(&["frobnicate", "bash"])),
        ("patchText", word(&["*** Begin Patch\n*** Add File: a\n*** Move to: b\n", "nothing"])),
        ("tasks", one_of(&["[]", "[{\"name\":\"one\"},{\"name\":\"two\"},{}]", "[1]"])),
    ]);
    let as_text = fields.clone().prop_map(quoted);
    prop_oneof![12 => fields, 1 => as_text, 1 => anything()].boxed()
}

fn metadata() -> Text {
    object(vec![
        ("exit", one_of(&["0", "0", "1", "127", "null", "\"2\"", "\"x\""])),
        ("sessionId", word(&["ses_b", "ses_child", ""])),
        ("dir", word(&["/skills/pdf"])),
        ("truncated", one_of(&["false"])),
    ])
}

fn error() -> Text {
    let text = word(&[
        "boom",
        "The user rejected permission to use this specific tool call.",
        "run ended with an auto-rejected permission; pass --auto for autonomous use",
    ]);
    let named = object(vec![
        ("name", word(&["APIError", "MessageAbortedError", "ContentFilterError", "MessageOutputLengthError"])),
        (
            "data",
            object(vec![("message", word(&["Upstream timeout", ""])), ("statusCode", one_of(&["504", "\"429\""]))]),
        ),
        ("type", word(&["aborted", "provider.quota"])),
        ("status", one_of(&["402"])),
    ]);
    prop_oneof![1 => text, 1 => named].boxed()
}

fn state() -> Text {
    object(vec![
        ("status", word(STATUS)),
        ("input", input()),
        ("output", word(&["", "ok\n", "<shell_metadata>\nexceeding timeout"])),
        ("error", prop_oneof![3 => Just("null".to_owned()), 1 => error()].boxed()),
        ("title", word(&["t"])),
        ("metadata", metadata()),
        ("time", interval()),
    ])
}

fn count() -> Text {
    prop_oneof![9 => (0u64..5_000).prop_map(|n| n.to_string()), 1 => one_of(&["18446744073709551615", "2.0"])].boxed()
}

fn tokens() -> Text {
    let cache = object(vec![("read", count()), ("write", count())]);
    object(vec![("total", count()), ("input", count()), ("output", count()), ("reasoning", count()), ("cache", cache)])
}

fn part_id() -> Text {
    word(&["prt_1", "prt_2", "prt_3", "prt_4", "prt_5", "prt_6", "prt_7", "prt_8", "REDACTED", ""])
}

fn part() -> Text {
    object(vec![
        ("id", part_id()),
        ("messageID", word(&["msg_1", "msg_2", "msg_3"])),
        ("callID", word(&["call_1", "call_2"])),
        ("text", word(&["hello", "two\nlines", "\u{2028}", ""])),
        ("tool", word(TOOLS)),
        ("state", state()),
        ("reason", word(&["stop", "tool-calls", "length", "error", "unknown", "end_turn"])),
        ("tokens", tokens()),
        ("cost", one_of(&["0", "0.01", "0.0000001", "1e-3", "\"1\"", "-1"])),
        ("synthetic", one_of(&["false", "false", "true"])),
        ("time", interval()),
        ("metrics", one_of(&["null", "null", "{}"])),
    ])
}

const TYPES: &[&str] = &["step_start", "step_finish", "text", "reasoning", "tool_use", "tool_use", "error", "done"];

/// One line that looks like one of a log.
pub(crate) fn line() -> Text {
    let session = prop_oneof![
        8 => word(&["ses_a", "ses_b"]).prop_map(|id| ("sessionID", id)),
        1 => word(&["ses_a", "ses_c", ""]).prop_map(|id| ("session_id", id)),
        1 => word(&["ses_b"]).prop_map(|id| ("sessionId", id)),
    ];
    let whole = session.prop_flat_map(|(name, id)| {
        object(vec![
            ("type", word(TYPES)),
            ("timestamp", time()),
            (name, Just(id).boxed()),
            ("part", part()),
            ("error", error()),
        ])
    });
    // What others write: everything at the top level.
    let flat = (word(TYPES), part(), time()).prop_map(|(kind, part, time)| {
        format!("{{\"type\":{kind},\"timestamp\":{time},{}", part.replacen('{', "", 1)).replace(",}", "}")
    });
    let cut = (whole.clone(), any::<prop::sample::Index>()).prop_map(|(line, at)| {
        let at = at.index(line.len());
        line.char_indices().take_while(|(index, _)| *index < at).map(|(_, c)| c).collect()
    });
    let noise =
        one_of(&["", "   ", "INFO loading", "[1,2]", "null", "\u{1b}[33mWARN\u{1b}[0m", "{\"a\":1}}", "{", "\t{}"]);
    prop_oneof![20 => whole, 2 => flat, 1 => cut, 2 => noise].boxed()
}

/// A log of such lines, with either line end, ended or not.
pub(crate) fn log() -> BoxedStrategy<String> {
    (prop::collection::vec(line(), 0..16), select(vec!["\n", "\r\n"]), any::<bool>())
        .prop_map(|(lines, end, ended)| lines.join(end) + if ended { end } else { "" })
        .boxed()
}

/// A line of a part with an id, as the command lines write them: nothing is missing that tells one part from another.
pub(crate) fn sound_line(session: &'static str) -> Text {
    let kind = select(vec!["step_start", "step_finish", "text", "reasoning", "tool_use"]);
    (kind, 0u32..12, 0u32..4, 0u64..5_000, part())
        .prop_map(move |(kind, id, message, ms, part)| {
            let rest = part.strip_prefix('{').unwrap_or_default();
            let comma = if rest == "}" { "" } else { "," };
            // The ids stand last, so that no twin of theirs in the rest outranks them.
            let rest = rest.strip_suffix('}').unwrap_or_default();
            let ids = format!("\"id\":\"prt_{kind}{id}\",\"messageID\":\"msg_{message}\"");
            let timestamp = 1_780_000_000_000 + ms;
            format!(
                "{{\"type\":\"{kind}\",\"timestamp\":{timestamp},\"sessionID\":\"{session}\",\"part\":{{{rest}{comma}{ids}}}}}"
            )
        })
        .boxed()
}
