//! Colour and control characters: what reaches a terminal.

// A test may stop at the first thing that is not as it should be.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, missing_docs)]

mod common;

use common::{cases, command, fixture, own_file, ran, steplens};
use serde_json::json;

const ESCAPE: char = '\u{1b}';

#[test]
fn no_colour_in_a_pipe() {
    let path = fixture("kilo_run_all_tools");
    for args in
        [&["summary", &path][..], &["events", &path], &["explain", &path, "--line", "3"], &["rules"], &["--help"]]
    {
        assert!(!steplens(args).good().contains(ESCAPE), "{args:?}");
    }
    assert!(!steplens(&["gone.jsonl"]).refused().contains(ESCAPE));
}

#[test]
fn colour_where_it_is_wanted_changes_nothing_else() {
    let path = fixture("kilo_run_all_tools");
    let plain = steplens(&["--color", "never", &path]).good();
    let coloured = steplens(&["--color", "always", &path]).good();
    assert!(coloured.contains(ESCAPE) && !plain.contains(ESCAPE));
    assert_eq!(without_colour(&coloured), plain);
    assert_eq!(steplens(&["--color", "auto", &path]).good(), plain);
    let wrong = steplens(&["--color", "always", "gone.jsonl"]);
    assert_eq!(without_colour(&wrong.refused()), "steplens: gone.jsonl: there is no such file\n");
    // Data is never coloured.
    let events = steplens(&["--color", "always", "events", &path]).good();
    assert!(!events.contains(ESCAPE));
    let json = steplens(&["--color", "always", "summary", "--json", &path]).good();
    assert!(!json.contains(ESCAPE));
}

#[test]
fn the_environment_can_forbid_colour() {
    let path = fixture("kilo_run_all_tools");
    let with = |variables: &[(&str, &str)]| {
        ran(command().envs(variables.iter().copied()).args(["summary", &path]).write_stdin("")).good()
    };
    // Without a terminal only this asks for colour, so that the next line shows what forbids it.
    assert!(with(&[("CLICOLOR_FORCE", "1")]).contains(ESCAPE));
    assert!(!with(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]).contains(ESCAPE));
    assert!(!with(&[("NO_COLOR", "1")]).contains(ESCAPE));
}

/// Select Graphic Rendition sequences taken out.
fn without_colour(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("\u{1b}[") {
        out.push_str(before);
        rest = after.split_once('m').map_or("", |(_, after)| after);
    }
    out + rest
}

/// A log can hold what moves a cursor, sets colours or renames a window. On a screen for people none of it may arrive.
#[test]
fn control_characters_of_a_log_never_reach_the_screen() {
    let evil =
        "a\u{1b}[31m\u{1b}]0;title\u{7}b\u{8}\u{9b}2J\u{7f}\rc\u{0}d\u{202e}txt\u{2066}e\u{200b}f\u{feff}g\u{e0041}";
    let part = |value| json!({"type": "tool_use", "timestamp": 1_767_225_600_000u64, "sessionID": format!("ses{evil}"), "part": value});
    let lines = [
        part(
            json!({"id": format!("prt{evil}"), "tool": format!("tool{evil}"), "state": {"status": format!("no{evil}")}}),
        ),
        part(
            json!({"id": "prt_2", "tool": "task", "state": {"status": "ok", "input": {"agent": evil, "sessionId": evil}}}),
        ),
        part(
            json!({"id": "prt_3", "tool": "bash", "state": {"status": "error", "input": {"command": evil}, "error": evil}}),
        ),
        part(json!({"id": "prt_4", "tool": "read", "state": {"status": "ok", "input": {evil: evil}}})),
        json!({"type": format!("type{evil}"), "sessionID": format!("ses{evil}")}),
        json!({"type": "text", "timestamp": evil, "sessionID": format!("ses{evil}"), "text": evil}),
        json!({"type": "step_finish", "part": {"reason": evil, "tokens": {"input": evil}, "cost": evil,
            "model": {"modelID": evil}}}),
        json!({"type": "error", "error": {"name": evil, "message": evil}}),
    ];
    let log: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let log = own_file("run.jsonl", format!("{log}{evil} no json\n{{\"cut{evil}"));
    let hidden = ['\u{202e}', '\u{2066}', '\u{200b}', '\u{feff}', '\u{e0041}'];
    let clean = |text: &str| !text.chars().any(|c| (c.is_control() && c != '\n') || hidden.contains(&c));
    for dialect in ["kilo", "opencode"] {
        let out = steplens(&["--dialect", dialect, &log.path]).good();
        assert!(clean(&out), "{out:?}");
        assert!(out.contains("31m") && out.contains("\\u{202e}"), "what is left of it is shown: {out}");
        for line in 1..=10 {
            let out = steplens(&["explain", &log.path, "--line", &line.to_string(), "--dialect", dialect]).good();
            assert!(clean(&out), "line {line}: {out:?}");
        }
    }
    // With colour the only escapes are the program's own.
    let coloured = steplens(&["--color", "always", &log.path]).good();
    assert!(clean(&without_colour(&coloured)), "{coloured:?}");
    // In JSON the low ones are always escaped.
    for args in [&["events", &log.path][..], &["summary", "--json", &log.path], &["trace", "-q", &log.path]] {
        let out = steplens(args).good();
        assert!(clean(&out), "{out:?}");
        assert!(out.contains("\\u202e") && out.contains("\\udb40\\udc41"), "{out}");
    }
    for format in ["text", "json", "junit", "markdown", "github"] {
        let ran = steplens(&["check", "--no-unknown", "--require-completed", "--format", format, &log.path]);
        assert!(clean(&ran.out), "{format}: {:?}", ran.out);
    }
}

/// The screen of every fixture holds no control character, and no line that ends with a space.
#[test]
fn every_screen_is_clean() {
    for case in cases() {
        let out = steplens(&[&fixture(&case)]).good();
        assert!(!out.chars().any(|c| c.is_control() && c != '\n'), "{case}: {out:?}");
        assert!(out.starts_with(&format!("{case}.jsonl  ")), "{case}: {out}");
        assert!(!out.lines().any(|line| line.ends_with(' ')), "{case}: {out}");
    }
}
