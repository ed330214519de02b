//! Search over all text: what a reader sees is found, however JSON, the encoding and the transport write it.

// A test may stop at the first thing that is not as it should be.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, missing_docs)]

mod common;

use common::{File, Opened, fixtures, open, read};
use proptest::prelude::*;
use serde_json::json;
use std::fmt::Write;
use steplens_core::event::Kind;
use steplens_core::run::{DialectChoice, Run};
use steplens_core::search::{Found, Place, Search};
use steplens_core::view::{EventRow, Filter, Row};

/// A search that has read all, in chunks of so many bytes.
fn searched(opened: &Opened<'_>, text: &str, chunk: u64) -> Search {
    let mut search = Search::new(text).unwrap();
    for chunk in opened.run.search_plan(&search, chunk) {
        let bytes = opened.files[chunk.file as usize].1;
        let bytes = &bytes[chunk.start as usize..chunk.end as usize];
        opened.run.search_chunk(&mut search, &chunk, bytes);
    }
    assert_eq!(opened.run.search_plan(&search, 1), [], "nothing is searched twice");
    search
}

/// The rows that a search finds in a list.
fn found(opened: &Opened<'_>, text: &str, filter: &Filter) -> Vec<EventRow> {
    let mut search = searched(opened, text, 500);
    let run = &opened.run;
    let view = run.view(filter);
    let mut window = run.window(&view, 0..view.len());
    run.search_note(&mut search, &mut window);
    let hits = run.search_hits(&mut search, &view);
    assert_eq!(hits, run.search_hits(&mut searched(opened, text, 1 << 20), &view), "chunks of any size");
    if filter.is_empty() {
        assert_eq!(run.search_count(&mut search), hits.len() as u64);
    }
    let row = |hit: u64| match &window.rows[hit as usize] {
        Row::Event(row) => row.clone(),
        Row::Step(_) | Row::Turn(_) | Row::Ask(_) => panic!("the head of a step is no hit"),
    };
    hits.into_iter().map(row).collect()
}

fn opened<'a>(files: &[File<'a>]) -> Opened<'a> {
    open(files, DialectChoice::Auto, 64 << 10)
}

/// Lines of the hits.
fn lines(log: &str, text: &str) -> Vec<u64> {
    found(&opened(&[("run.jsonl", log.as_bytes())]), text, &Filter::default()).into_iter().map(|row| row.line).collect()
}

fn place(log: &str, text: &str) -> (Place, String) {
    let rows = found(&opened(&[("run.jsonl", log.as_bytes())]), text, &Filter::default());
    let Some(Found { place, snippet: Some(snippet) }) = rows[0].found.clone() else { panic!("{rows:?}") };
    (place, format!("{}[{}]{}", snippet.before, snippet.hit, snippet.after))
}

const CALL: &str = r#"{"type":"tool_use","sessionID":"s","part":{"id":"p","tool":"bash","state":{"status":"error","input":{"command":"make","env":{"RUST_LOG":["debug",7]}},"output":"line one\nsaid \"caf\u00e9 \ud83d\ude00\" \u001b[1mbo\u001b[0mld <\u0062>","error":"it \/ broke"}}}"#;

#[test]
fn the_text_that_the_json_stands_for() {
    for text in ["one\nsaid", "\"café 😀\"", "CAFÉ", "😀\" bold", "<b>", "/ broke", "rust_log", "7"] {
        let wanted = if text == "CAFÉ" { vec![] } else { vec![1] };
        assert_eq!(lines(CALL, text), wanted, "{text:?}");
    }
    for text in ["\\n", "\\u00e9", "\u{1b}[1m", "tool_use", "sessionID", "part"] {
        assert_eq!(lines(CALL, text), [0; 0], "{text:?} is JSON's or the terminal's, and no text");
    }
}

#[test]
fn where_it_is_and_what_stands_around_it() {
    assert_eq!(place(CALL, "debug"), (Place::Input, "[debug]".to_owned()));
    assert_eq!(place(CALL, "caf"), (Place::Output, "line one said \"[caf]é 😀\" bold <b>".to_owned()));
    // The row shows the error already.
    let rows = found(&opened(&[("run.jsonl", CALL.as_bytes())]), "broke", &Filter::default());
    assert_eq!(rows[0].found, Some(Found { place: Place::Error, snippet: None }));
    let log = r#"{"type":"brand_new","sessionID":"s","deep":[{"down":"below"}]}"#;
    let rows = found(&opened(&[("run.jsonl", log.as_bytes())]), "below", &Filter::default());
    assert_eq!(rows[0].found.as_ref().map(|found| found.place), Some(Place::Record));
}

#[test]
fn an_escape_of_a_plain_character_hides_nothing() {
    let log = format!(
        r#"{{"type":"text","sessionID":"s","part":{{"id":"p","text":"{} \u0068\u0069dden"}}}}"#,
        "0123456789 ".repeat(40)
    );
    assert_eq!(place(&log, "hidden").1, "…23456789 0123456789 0123456789 [hidden]");
}

#[test]
fn a_record_of_several_events_is_one_hit_unless_its_rows_say_more() {
    let patch = "*** Begin Patch\n*** Add File: a.txt\n+same\n*** Add File: b.txt\n+same\n*** End Patch";
    let log = json!({"type": "tool_use", "sessionID": "s", "part": {"id": "p", "tool": "apply_patch", "state": {
        "status": "completed", "input": {"patchText": patch}}}})
    .to_string();
    let opened = opened(&[("run.jsonl", log.as_bytes())]);
    let summaries = |text: &str| -> Vec<String> {
        found(&opened, text, &Filter::default()).into_iter().map(|row| row.summary).collect()
    };
    assert_eq!(summaries(".txt"), ["a.txt", "b.txt"]);
    assert_eq!(summaries("b.txt"), ["b.txt"]);
    assert_eq!(summaries("same"), ["a.txt"]);
}

#[test]
fn what_the_filter_hides_is_counted_and_not_listed() {
    let log = std::fs::read(fixtures().join("opencode_run_all_tools.jsonl")).unwrap();
    let opened = opened(&[("run.jsonl", &log)]);
    let filter = Filter { kinds: vec![Kind::Read], ..Filter::default() };
    let (all, reads) = (found(&opened, "e", &Filter::default()), found(&opened, "e", &filter));
    assert!(reads.len() < all.len() && !reads.is_empty());
    assert!(reads.iter().all(|row| row.kind == Kind::Read));
}

#[test]
fn the_values_of_a_part_are_those_of_its_last_line() {
    let state = |status: &str, output: &str| {
        json!({"type": "tool_use", "sessionID": "s", "part": {"id": "p", "tool": "bash", "state": {
            "status": status, "input": {"command": "x"}, "output": output}}})
        .to_string()
    };
    let log = format!("{}\n{}\n", state("completed", "early"), state("error", "late"));
    assert_eq!(lines(&log, "early"), [0; 0]);
    assert_eq!(lines(&log, "late"), [1]);
}

#[test]
fn a_search_goes_on_with_what_was_read_meanwhile() {
    let text =
        |n: u32| format!("{{\"type\":\"text\",\"sessionID\":\"s\",\"part\":{{\"id\":\"p{n}\",\"text\":\"{n} x\"}}}}\n");
    let log: String = (0..4).map(text).collect();
    let (mut run, mut search) = (Run::default(), Search::new("x").unwrap());
    run.begin_file("run.jsonl");
    for line in log.split_inclusive('\n') {
        run.push(line.as_bytes());
        let plan = run.search_plan(&search, 1 << 20);
        assert_eq!(plan.len(), 1);
        for chunk in plan {
            let bytes = &log.as_bytes()[chunk.start as usize..chunk.end as usize];
            assert_eq!(bytes, line.trim_end().as_bytes());
            run.search_chunk(&mut search, &chunk, bytes);
        }
    }
    assert_eq!(run.search_hits(&mut search, &run.view(&Filter::default())), [0, 1, 2, 3]);
    assert_eq!(run.search_ground(), (4, log.lines().map(|line| line.len() as u64).sum()));
}

/// One record: its kind, and two texts.
type Item = (u8, String, String);

/// How JSON may spell a string.
fn quoted(text: &str, style: u8) -> String {
    let mut out = String::from("\"");
    for (place, c) in text.chars().enumerate() {
        let escapes = match style {
            0 => false,
            1 => true,
            _ => place % 2 == 0,
        };
        if escapes {
            c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| write!(out, "\\u{unit:04x}").unwrap());
        } else {
            let plain = json!(c.to_string()).to_string();
            out.push_str(&plain[1..plain.len() - 1]);
        }
    }
    out + "\""
}

/// A part, with the texts of an item under the names that its kind has.
fn part(n: usize, (kind, one, two): &Item, style: u8) -> String {
    let (one, two) = (quoted(one, style), quoted(two, style));
    let ids = format!(r#""id":"prt_{n}","sessionID":"ses_1","messageID":"msg_1""#);
    match kind {
        0 => format!(r#"{{{ids},"type":"text","text":{one}}}"#),
        1 => format!(r#"{{{ids},"type":"reasoning","text":{one}}}"#),
        _ => format!(
            r#"{{{ids},"type":"tool","tool":"thing","callID":"c{n}","state":{{"status":"completed","input":{{{one}:[{one},1]}},"output":{two},"metadata":{{"copy":"zzz"}}}}}}"#
        ),
    }
}

/// The log of these items, by transport.
fn log(items: &[Item], style: u8, transport: u8) -> Vec<u8> {
    let line_type = |kind: u8| ["text", "reasoning", "tool_use"][usize::from(kind.min(2))];
    let lines = items.iter().enumerate().map(|(n, item)| {
        let part = part(n, item, style);
        format!(r#"{{"type":"{}","timestamp":1767445000000,"sessionID":"ses_1","part":{part}}}"#, line_type(item.0))
    });
    match transport {
        0 => lines.map(|line| line + "\n").collect::<String>().into(),
        1 => {
            let text: String = lines.map(|line| line + "\r\n").collect();
            std::iter::once(0xFEFF).chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect()
        }
        2 => lines.map(|line| format!("agent-1  | {line}\n")).collect::<String>().into(),
        3 => lines.map(|line| json!({"stream": "stdout", "line": line}).to_string() + "\n").collect::<String>().into(),
        _ => {
            let parts: Vec<String> = items.iter().enumerate().map(|(n, item)| part(n, item, style)).collect();
            let info = r#"{"id":"msg_1","sessionID":"ses_1","role":"assistant","time":{"created":1767445000000}}"#;
            format!(
                "{{\"info\":{{\"id\":\"ses_1\"}},\"messages\":[{{\"info\":{info},\"parts\":[{}]}}]}}",
                parts.join(", ")
            )
            .into()
        }
    }
}

fn items() -> impl Strategy<Value = Vec<Item>> {
    let text = || "[abAé\"\\\\/ \nÉ😀<]{1,9}";
    prop::collection::vec((0u8..3, text(), text()), 1..6)
}

proptest! {
    #![proptest_config(common::generate::config(200))]

    #[test]
    fn any_spelling_and_transport_gives_what_a_naive_search_gives(
        items in items(),
        needle in "[abAé\"\\\\/ \nÉ😀<]{1,3}",
        style in 0u8..3,
        transport in 0u8..5,
    ) {
        let log = log(&items, style, transport);
        let opened = opened(&[("run.jsonl", &log)]);
        let view = opened.run.view(&Filter::default());
        let rows = opened.run.window(&view, 0..view.len()).rows;
        let rows: Vec<&EventRow> = rows.iter().filter_map(|row| match row {
            Row::Event(row) => Some(row),
            Row::Step(_) | Row::Turn(_) | Row::Ask(_) => None,
        }).collect();
        prop_assert_eq!(rows.len(), items.len());
        let exact = needle.chars().any(char::is_uppercase);
        let holds = |text: &str| if exact { text.contains(&needle) } else { text.to_lowercase().contains(&needle) };
        let wanted: Vec<u32> = items.iter().zip(rows).filter(|((kind, one, two), row)| {
            let shown = [Some(&row.summary), row.aside.as_ref(), row.note.as_ref(), row.tool.as_ref()];
            holds(one) || (*kind == 2 && holds(two)) || shown.into_iter().flatten().any(|text| holds(text))
        }).map(|(_, row)| row.id).collect();
        let have: Vec<u32> = found(&opened, &needle, &Filter::default()).into_iter().map(|row| row.id).collect();
        prop_assert_eq!(have, wanted, "{}", String::from_utf8_lossy(&log));
    }
}

#[test]
fn an_empty_text_is_no_search() {
    assert!(Search::new("").is_none());
    assert_eq!(read("").search_ground(), (0, 0));
}
