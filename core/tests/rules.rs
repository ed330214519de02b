//! The tables as a format: what is printed can be fed back, every entry is proved by a fixture, and another harness's
//! stream is read by a table alone.

// A test may stop at the first thing that is not as it should be.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, missing_docs)]

mod common;

use common::Opened;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use steplens_core::explain::Stage;
use steplens_core::rules::{EXTENSIONS_TOML, KILO_TOML, OPENCODE_TOML, Rules, Tables};
use steplens_core::run::{DialectChoice, Options, Run};

/// A log that is kept for tests, and its bytes.
struct Fixture {
    name: String,
    text: Vec<u8>,
}

/// Every log of every format.
fn fixtures() -> Vec<Fixture> {
    let mut found = Vec::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures");
    for folder in ["step_stream", "bus", "export"] {
        let mut paths: Vec<PathBuf> = fs::read_dir(root.join(folder)).unwrap().map(|e| e.unwrap().path()).collect();
        paths.sort();
        for path in paths.into_iter().filter(|path| path.extension().is_some_and(|e| e == "jsonl" || e == "json")) {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            found.push(Fixture { name, text: fs::read(path).unwrap() });
        }
    }
    assert!(found.len() > 130);
    found
}

fn open<'a>(name: &'a str, text: &'a [u8], rules: Rules, dialect: DialectChoice) -> Opened<'a> {
    let mut run = Run::new(Options { dialect, rules, ..Options::default() });
    run.begin_file("run.jsonl");
    run.push(text);
    run.end_file();
    Opened { run, files: vec![(name, text)] }
}

fn events(fixture: &Fixture, rules: &Rules, dialect: DialectChoice) -> Vec<String> {
    open(&fixture.name, &fixture.text, rules.clone(), dialect).event_lines()
}

const DIALECTS: [DialectChoice; 3] = [DialectChoice::Auto, DialectChoice::Kilo, DialectChoice::OpenCode];

/// What `steplens rules` prints, given back as a user's table, changes no event of any fixture.
#[test]
fn a_table_that_is_fed_back_gives_the_same_events() {
    for (text, extensions) in [(OPENCODE_TOML, false), (KILO_TOML, false), (EXTENSIONS_TOML, true)] {
        let built_in = Rules::with(extensions, None).unwrap();
        // Of the extension rules only those for tools that the built-in tables leave alone are the same over them.
        let dialect = if extensions { DialectChoice::OpenCode } else { DialectChoice::Auto };
        let fed_back = Rules::with(extensions, Some(("printed.toml", text))).unwrap();
        for fixture in fixtures() {
            let (one, other) = (events(&fixture, &built_in, dialect), events(&fixture, &fed_back, dialect));
            assert_eq!(one, other, "{}", fixture.name);
        }
    }
}

/// The same where the built-in tables are not there at all: the printed ones stand alone.
#[test]
fn a_printed_table_stands_alone() {
    let alone = |text: &str| text.replacen("version = 1\n", "version = 1\nbase = \"none\"\n", 1);
    let whole = alone(OPENCODE_TOML);
    let (built_in, other) = (Rules::built_in().unwrap(), Rules::with(false, Some(("alone.toml", &whole))).unwrap());
    for fixture in fixtures() {
        let dialect = DialectChoice::OpenCode;
        assert_eq!(events(&fixture, &built_in, dialect), events(&fixture, &other, dialect), "{}", fixture.name);
    }
}

/// The quick reader of the step stream and the one that goes by the table's pointers read the same.
#[test]
fn the_stream_of_the_table_is_the_stream_that_is_read() {
    let other = "id = \"x\"\nversion = 1\n[stream]\ntypes.consumed = [\"no such type\"]\n";
    let (quick, by_table) = (Rules::built_in().unwrap(), Rules::with(false, Some(("x", other))).unwrap());
    for fixture in fixtures() {
        for dialect in DIALECTS {
            assert_eq!(events(&fixture, &quick, dialect), events(&fixture, &by_table, dialect), "{}", fixture.name);
        }
    }
}

/// One entry of a table that is taken out: what it was, and the text without it.
struct Mutant {
    what: String,
    word: String,
    text: String,
}

/// Every way to take one thing out of a table: a whole rule, and each entry of each list but those of what is required
/// (without its field a rule gives nothing anyway) and of tools that mark a dialect.
fn mutants(table: &str) -> Vec<Mutant> {
    let mut out = Vec::new();
    let starts: Vec<usize> = table.match_indices("[[rule]]").map(|(at, _)| at).collect();
    for (index, start) in starts.iter().enumerate() {
        let end = starts.get(index + 1).copied().unwrap_or(table.len());
        let rule = &table[*start..end];
        let id = rule.split('"').nth(1).unwrap();
        let text = format!("{}{}", &table[..*start], &table[end..]);
        out.push(Mutant { what: format!("rule {id}"), word: String::new(), text });
    }
    let mut at = 0;
    let mut place = String::new();
    for line in table.split_inclusive('\n') {
        let here = at;
        at += line.len();
        let code = line.split_once('=').map_or("", |(key, _)| key.trim());
        if code == "id" {
            place = line.split('"').nth(1).unwrap().to_owned();
        }
        let single = |key: &str| code == key && !line.contains('[');
        if single("shell") || single("each") {
            let text = format!("{}{}", &table[..here], &table[at..]);
            out.push(Mutant { what: format!("{place}: {}", line.trim()), word: String::new(), text });
        }
        if line.starts_with('#') || line.starts_with("[[") || code.starts_with("require") || !line.contains("= [") {
            continue;
        }
        if code == "marks" {
            continue;
        }
        let from = here + line.find('[').unwrap();
        let to = from + table[from..].find(']').unwrap();
        let entries: Vec<&str> = table[from + 1..to].split(',').map(str::trim).filter(|e| !e.is_empty()).collect();
        assert!(entries.iter().all(|entry| entry.starts_with('"') && entry.ends_with('"')), "{entries:?}");
        for (index, entry) in entries.iter().enumerate() {
            let rest: Vec<&str> = entries.iter().enumerate().filter(|(i, _)| *i != index).map(|(_, e)| *e).collect();
            let text = format!("{}{}{}", &table[..=from], rest.join(", "), &table[to..]);
            let word = entry.trim_matches('"');
            let word = if word.starts_with('@') || word.contains('{') { "" } else { word.rsplit('/').next().unwrap() };
            out.push(Mutant { what: format!("{place}: {code}: {entry}"), word: word.to_ascii_lowercase(), text });
        }
    }
    out
}

/// The mutation check: whatever is taken out of a built-in table, some fixture's events change.
#[test]
fn every_entry_of_the_built_in_tables_is_proved_by_a_fixture() {
    let fixtures = fixtures();
    let lower: Vec<String> =
        fixtures.iter().map(|fixture| String::from_utf8_lossy(&fixture.text).to_ascii_lowercase()).collect();
    let mut unproved = Vec::new();
    let mut count = 0;
    let built_in = Tables::BUILT_IN;
    type With = fn(&str) -> Result<Rules, steplens_core::rules::RuleError>;
    let tables: [(&str, With, DialectChoice, bool); 3] = [
        (
            OPENCODE_TOML,
            |text| Rules::of(Tables { opencode: text, ..Tables::BUILT_IN }, false, None),
            DialectChoice::OpenCode,
            false,
        ),
        (
            KILO_TOML,
            |text| Rules::of(Tables { kilo: text, ..Tables::BUILT_IN }, false, None),
            DialectChoice::Kilo,
            false,
        ),
        (
            EXTENSIONS_TOML,
            |text| Rules::of(Tables { extensions: text, ..Tables::BUILT_IN }, true, None),
            DialectChoice::OpenCode,
            true,
        ),
    ];
    for (table, with, dialect, extensions) in tables {
        let whole = Rules::of(built_in, extensions, None).unwrap();
        let wanted: Vec<Vec<String>> = fixtures.iter().map(|fixture| events(fixture, &whole, dialect)).collect();
        for mutant in mutants(table) {
            count += 1;
            // A table that cannot be read without the entry needs it.
            let Ok(rules) = with(&mutant.text) else { continue };
            let changes = |index: &usize| {
                lower[*index].contains(&mutant.word) && events(&fixtures[*index], &rules, dialect) != wanted[*index]
            };
            if !(0..fixtures.len()).any(|index| changes(&index)) {
                unproved.push(mutant.what);
            }
        }
    }
    assert!(count > 150, "{count} entries");
    assert!(unproved.is_empty(), "no fixture's events change without:\n{}", unproved.join("\n"));
}

/// An invented harness, whose lines have a kind, an action and a result, and nothing of the step stream.
const ACME_LOG: &str = include_str!("../../tests/fixtures/rules/acme.jsonl");
const ACME_RULES: &str = include_str!("../../tests/fixtures/rules/acme.toml");

#[test]
fn another_harness_is_read_by_a_table_alone() {
    let rules = Rules::with(false, Some(("acme.toml", ACME_RULES))).unwrap();
    let opened = open("run.jsonl", ACME_LOG.as_bytes(), rules, DialectChoice::Auto);
    let call =
        |line: u64, rule: &str, tool: &str| json!({"line": line, "rule": rule, "tool": tool, "sessionId": "run-7"});
    let with = |mut event: Value, more: Value| {
        event.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        event
    };
    let at = |seconds: u32| format!("2026-05-04T10:00:{seconds:02}.000Z");
    let wanted = [
        json!({"type": "agent", "line": 2, "rule": "stream.text", "sessionId": "run-7", "timestamp": at(1), "message": "I look first."}),
        with(
            call(3, "acme.open", "fs.open"),
            json!({"type": "read", "timestamp": at(2), "callId": "a1", "path": "src/lib.rs", "startLine": 3, "isSuccess": true, "outcome": "ok", "durationMs": 250}),
        ),
        with(
            call(4, "bash.search", "sh"),
            json!({"type": "search", "timestamp": at(3), "callId": "a2", "query": "todo", "path": "src", "command": "rg todo src", "exitCode": 2, "isSuccess": true, "outcome": "failed"}),
        ),
        with(
            call(5, "acme.save", "fs.save_all"),
            json!({"type": "write", "timestamp": at(4), "callId": "a3", "path": "a.rs", "isSuccess": false, "outcome": "failed"}),
        ),
        with(
            call(5, "acme.save", "fs.save_all"),
            json!({"type": "write", "timestamp": at(4), "callId": "a3", "path": "b.rs", "isSuccess": false, "outcome": "failed"}),
        ),
        with(
            call(6, "acme.unmapped", "net.ping"),
            json!({"type": "unknown", "timestamp": at(5), "callId": "a4", "outcome": "unknown", "raw": serde_json::from_str::<Value>(ACME_LOG.lines().nth(5).unwrap()).unwrap()}),
        ),
        json!({"type": "error", "line": 7, "rule": "stream.error", "sessionId": "run-7", "timestamp": at(6), "message": "quota"}),
        json!({"type": "unknown", "line": 8, "rule": "stream.type", "sessionId": "run-7", "raw": {"kind": "heartbeat"}}),
    ];
    assert_eq!(opened.event_values(), wanted);
    let summary = opened.run.summary();
    let records = &summary.records;
    assert_eq!((records.total, records.consumed, records.mapped, records.unknown), (8, 1, 5, 2));
    assert_eq!(summary.files[0].format.as_deref(), Some("step-stream"));
    let none = open("run.jsonl", ACME_LOG.as_bytes(), Rules::default(), DialectChoice::Auto);
    assert!(!none.run.recognised(), "without the table it is no log");
}

#[test]
fn an_explanation_names_the_places_of_the_table() {
    let rules = Rules::with(false, Some(("acme.toml", ACME_RULES))).unwrap();
    let opened = open("run.jsonl", ACME_LOG.as_bytes(), rules, DialectChoice::Auto);
    let record = opened.run.records_on_line(0, 3)[0];
    let explanation = opened.run.explain(record, opened.bytes(opened.run.span(record).unwrap()));
    let at = |stage: Stage| {
        let decision = explanation.decisions.iter().find(|decision| decision.stage == stage).unwrap();
        decision.pointer.clone().unwrap_or_default()
    };
    assert_eq!(at(Stage::Type), "/kind");
    assert_eq!(at(Stage::Tool), "/action/name");
    assert_eq!(at(Stage::Input), "/action/args");
    assert_eq!(at(Stage::Session), "/run");
    assert_eq!(at(Stage::Outcome), "/result/state");
}

/// A type that `types` does not name is unknown, and says which it is; its session and its time are where the table says.
#[test]
fn a_type_that_the_table_does_not_name_keeps_its_session_and_its_time() {
    let rules = || Rules::with(false, Some(("acme.toml", ACME_RULES))).unwrap();
    let log = concat!(
        "{\"kind\":\"usage\",\"run\":\"run-9\",\"at\":\"2026-05-04T10:00:01Z\",\"tokens\":3}\n",
        "{\"kind\":\"say\",\"run\":\"run-9\",\"words\":\"x\"}\n"
    );
    let opened = open("run.jsonl", log.as_bytes(), rules(), DialectChoice::Auto);
    let raw: Value = serde_json::from_str(log.lines().next().unwrap()).unwrap();
    assert_eq!(
        opened.event_values()[0],
        json!({"type": "unknown", "line": 1, "rule": "stream.type", "sessionId": "run-9", "timestamp": "2026-05-04T10:00:01.000Z", "raw": raw})
    );
    let summary = opened.run.summary();
    assert_eq!(summary.sessions.len(), 1);
    assert_eq!(summary.unknown_types[0].name.as_deref(), Some("usage"));
    let record = opened.run.records_on_line(0, 1)[0];
    let explanation = opened.run.explain(record, opened.bytes(opened.run.span(record).unwrap()));
    let decision = explanation.decisions.iter().find(|decision| decision.stage == Stage::Type).unwrap();
    assert_eq!((decision.what.as_str(), decision.pointer.as_deref()), ("type is usage", Some("/kind")));
    assert_eq!(
        decision.why,
        "`types` of the rules' `stream` does not name it (it names `action`, `alarm`, `hello`, `say`): kept as an unknown event"
    );
    // Records of such types alone are no log that the table reads.
    let alone = open("run.jsonl", log.lines().next().unwrap().as_bytes(), rules(), DialectChoice::Auto);
    assert!(!alone.run.recognised());
}
