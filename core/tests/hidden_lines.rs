//! A log without the lines of events that nobody wants to see is a log of the others, and its steps cost the same.

// A test may stop at the first thing that is not as it should be.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, missing_docs)]

use steplens_core::event::Kind;
use steplens_core::run::{Options, Run};
use steplens_core::share::trim::Lines;
use steplens_core::view::{Filter, Row};

const SAMPLE: &str = include_str!("../../web/static/sample.jsonl");

fn run(log: &str) -> Run {
    let mut run = Run::new(Options::default());
    run.begin_file("log.jsonl");
    run.push(log.as_bytes());
    run.end_file();
    run
}

fn summaries(run: &Run, filter: &Filter) -> Vec<String> {
    let view = run.view(filter);
    let rows = run.window(&view, 0..view.len()).rows;
    let events = rows.into_iter().filter_map(|row| match row {
        Row::Event(event) => Some(format!("{:?} {}", event.kind, event.summary)),
        _ => None,
    });
    events.collect()
}

#[test]
fn hidden_events_are_left_out() {
    // Every record twice, as some versions wrote them.
    let twice: String = SAMPLE.lines().flat_map(|line| [line, "\n", line, "\n"]).collect();
    for log in [SAMPLE, &twice] {
        let whole = run(log);
        let filter = Filter { kinds: vec![Kind::Command], ..Filter::default() };
        let hidden = whole.hidden_lines(&whole.view(&filter), 0);
        let (mut lines, mut at, mut kept) = (Lines::new(hidden.into_iter(), None), 0, String::new());
        for line in log.split_inclusive('\n') {
            let end = at + line.len() as u64;
            if lines.keeps(at..end).unwrap() {
                kept.push_str(line);
            }
            at = end;
        }
        let part = run(&kept);
        assert!(lines.left_out() > 0);
        assert_eq!(summaries(&part, &Filter::default()), summaries(&whole, &filter));
        let (part, whole) = (part.summary(), whole.summary());
        assert_eq!(part.total.tokens, whole.total.tokens);
        assert_eq!(part.total.cost, whole.total.cost);
        assert_eq!(part.total.steps, whole.total.steps);
    }
}

#[test]
fn a_line_of_several_records_stays_for_any_of_them() {
    let export = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/fixtures/export/parent.json"));
    let run = run(&export.unwrap());
    let none = Filter { kinds: vec![Kind::Skill], ..Filter::default() };
    let view = run.view(&none);
    assert_eq!(view.events(), 0);
    // What is left out of a document is no line of its own.
    let mut lines = Lines::new(run.hidden_lines(&view, 0).into_iter(), None);
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/fixtures/export/parent.json"));
    let (mut at, mut refused) = (0, false);
    for line in text.unwrap().split_inclusive('\n') {
        let end = at + line.len() as u64;
        refused |= lines.keeps(at..end).is_none();
        at = end;
    }
    assert!(refused || lines.left_out() == 0);
}
