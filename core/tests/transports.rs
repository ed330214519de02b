//! However a log reaches the reader, it says the same: other encodings and line ends, prefixes of other programs, lists,
//! records over several lines or several on one, wrappers.

// A test may stop at the first thing that is not as it should be.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, missing_docs)]

mod common;

use common::generate::{config, sound_line};
use common::{Opened, lines, open, proofs};
use proptest::prelude::*;
use serde_json::{Value, json};
use steplens_core::run::DialectChoice;
use steplens_core::summary::Summary;

fn opened(bytes: &[u8], chunk: usize) -> Opened<'_> {
    open(&[("run.jsonl", bytes)], DialectChoice::Auto, chunk)
}

/// What a log says, without where on which line it says it.
fn said(bytes: &[u8]) -> (Summary, Vec<Value>) {
    let opened = opened(bytes, 64 << 10);
    proofs::all(&opened);
    let mut summary = opened.run.summary();
    for chunk in [1, 7] {
        let other = self::opened(bytes, chunk);
        assert_eq!(other.run.summary(), summary, "pieces of {chunk} bytes");
        assert_eq!(other.event_lines(), opened.event_lines(), "pieces of {chunk} bytes");
    }
    let mut events = opened.event_values();
    for event in &mut events {
        let fields = event.as_object_mut().unwrap();
        fields.remove("line");
        if let Some(Value::String(raw)) = fields.get("raw") {
            panic!("a record of a sound log is no text: {raw}");
        }
        fields.remove("raw");
    }
    // Lines and bytes are those of the file; the counts are those of the log.
    summary.files.clear();
    summary.diagnostics.clear();
    summary.findings.iter_mut().for_each(|finding| finding.line = 0);
    summary.findings.sort_by(|a, b| (&a.kind, &a.message).cmp(&(&b.kind, &b.message)));
    summary.unmapped.iter_mut().for_each(|tool| tool.lines.clear());
    summary.unknown_types.iter_mut().for_each(|kind| kind.lines.clear());
    let unnumbered = |text: &str| text.split(" on line ").next().unwrap_or_default().to_owned();
    summary.dialect_evidence = summary.dialect_evidence.iter().map(|mark| unnumbered(mark)).collect();
    (summary, events)
}

fn utf16(text: &str, unit: fn(u16) -> [u8; 2]) -> Vec<u8> {
    std::iter::once(0xFEFF).chain(text.encode_utf16()).flat_map(unit).collect()
}

/// The text of a JSON value over many lines, each token as it was.
fn pretty(json: &str) -> String {
    let (mut out, mut depth, mut in_text, mut escaped) = (String::new(), 0, false, false);
    for c in json.chars() {
        if in_text {
            out.push(c);
            in_text = escaped || c != '"';
            escaped = !escaped && c == '\\';
            continue;
        }
        let line = |depth: usize| format!("\n{}", "  ".repeat(depth));
        match c {
            '"' => {
                in_text = true;
                out.push(c);
            }
            '{' | '[' => {
                depth += 1;
                out.push(c);
                out += &line(depth);
            }
            '}' | ']' => {
                depth -= 1;
                out += &line(depth);
                out.push(c);
            }
            ',' => {
                out.push(c);
                out += &line(depth);
            }
            ':' => out += ": ",
            c => out.push(c),
        }
    }
    out
}

/// Every way of writing the same records, by name.
fn transports(lines: &[String]) -> Vec<(&'static str, Vec<u8>)> {
    let plain = format!("{}\n", lines.join("\n"));
    let behind = |prefix: &str| lines.iter().map(|line| format!("{prefix}{line}\n")).collect::<String>().into_bytes();
    let each =
        |wrap: &dyn Fn(&str) -> String| lines.iter().map(|line| wrap(line) + "\n").collect::<String>().into_bytes();
    let pretty_lines: Vec<String> = lines.iter().map(|line| pretty(line)).collect();
    let prefixed = |text: &str, prefix: &str| {
        text.lines().map(|line| format!("{prefix}{line}\n")).collect::<String>().into_bytes()
    };
    vec![
        ("without a last line end", lines.join("\n").into_bytes()),
        ("CRLF", lines.join("\r\n").into_bytes()),
        ("blank lines between", lines.join("\n\n  \n").into_bytes()),
        ("a UTF-8 mark", format!("\u{FEFF}{plain}").into_bytes()),
        ("UTF-16LE", utf16(&plain, u16::to_le_bytes)),
        ("UTF-16BE", utf16(&plain, u16::to_be_bytes)),
        ("GitHub Actions", behind("2026-11-30T10:00:00.1234567Z ")),
        ("a service's name", behind("agent-1  | ")),
        ("time and level", behind("[2026-02-01T10:00:00.000Z] [INFO] ")),
        ("server-sent events", each(&|line| format!("data: {line}\n"))),
        ("server-sent events with names", each(&|line| format!("event: message\ndata: {line}\n"))),
        ("a list over lines", format!("[\n{}\n]\n", lines.join(",\n")).into_bytes()),
        ("a list on one line", format!("[{}]", lines.join(",")).into_bytes()),
        ("all on one line", lines.concat().into_bytes()),
        ("all on one line with spaces", lines.join(" ").into_bytes()),
        ("pretty-printed", pretty_lines.join("\n").into_bytes()),
        ("pretty-printed, CRLF", pretty_lines.join("\n").replace('\n', "\r\n").into_bytes()),
        ("a pretty-printed list", pretty(&format!("[{}]", lines.join(","))).into_bytes()),
        ("pretty-printed behind a prefix", prefixed(&pretty_lines.join("\n"), "[2026-02-01T10:00:00.000Z] [INFO] ")),
        ("the lines of a captured stream", each(&|line| json!({"stream": "stdout", "line": line}).to_string())),
        ("wrapped with a time", each(&|line| format!("{{\"timestamp\":\"2026-06-01T00:00:00Z\",\"event\":{line}}}"))),
    ]
}

proptest! {
    #![proptest_config(config(24))]

    #[test]
    fn a_log_says_the_same_however_it_comes(
        log in prop::collection::vec(prop_oneof![3 => sound_line("ses_a"), 1 => sound_line("ses_b")], 2..7),
    ) {
        let log: Vec<String> = log.into_iter().map(|line| line.replace("ud83d", "u00e9")).collect();
        let (summary, events) = said(format!("{}\n", log.join("\n")).as_bytes());
        for (name, bytes) in transports(&log) {
            let (mut other, other_events) = said(&bytes);
            if name == "server-sent events with names" {
                // Their lines without data are records that are consumed.
                other.records.total -= log.len() as u64;
                other.records.consumed -= log.len() as u64;
            }
            let mut wanted = summary.clone();
            if name.contains("pretty") {
                // An output that is no text counts with the spaces that it is written with.
                other.tools.iter_mut().chain(&mut wanted.tools).for_each(|tool| tool.output_bytes = 0);
            }
            let texts = |summary: &Summary, events: &[Value]| format!("{summary:#?}\n{events:#?}");
            let (want, got) = (texts(&wanted, &events), texts(&other, &other_events));
            prop_assert!(want == got, "{name}:\n{}", lines::difference(&want, &got));
        }
    }
}
