//! What must hold of any log at all: random bytes, logs with any part of them broken, calls with any mark of failure.

// A test may stop at the first thing that is not as it should be.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, missing_docs)]

mod common;

use common::generate::{STATUS, config, input, log, quoted, sound_line};
use common::{CHUNKS, dump, open, proofs, read};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::Value;
use steplens_core::event::{Kind, Outcome};
use steplens_core::run::{DialectChoice, Options, Run};
use steplens_core::search::Search;
use steplens_core::view::{Filter, Row};

const DIALECTS: [DialectChoice; 3] = [DialectChoice::Auto, DialectChoice::Kilo, DialectChoice::OpenCode];

/// All proofs under every dialect, and one dump for every size of pieces.
fn prove(bytes: &[u8]) {
    let files = [("run.jsonl", bytes)];
    for dialect in DIALECTS {
        proofs::all(&open(&files, dialect, 64 << 10));
    }
    proofs::every_byte_is_in_a_record(&open(&files, DialectChoice::Auto, 64 << 10));
    let dumps = CHUNKS.map(|chunk| dump::dump(&open(&files, DialectChoice::Auto, chunk)));
    assert_eq!(dumps[0], dumps[1]);
    assert_eq!(dumps[0], dumps[2]);
}

proptest! {
    #![proptest_config(config(96))]

    #[test]
    fn any_bytes_are_read_and_add_up(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        prove(&bytes);
    }

    /// Bytes that matter to JSON, to lines and to UTF-8, more often than others.
    #[test]
    fn any_structure_is_read_and_adds_up(
        bytes in prop::collection::vec(select(b"{}[]\":,\\\n\r \t0-e.ut\xEF\xBB\xBF\xC3\xA9\xFF\0".to_vec()), 0..200),
    ) {
        prove(&bytes);
    }
}

proptest! {
    #![proptest_config(config(64))]

    #[test]
    fn logs_with_broken_parts_are_read_and_add_up(log in log()) {
        prove(log.as_bytes());
    }

    /// Choosing a dialect later is the same as choosing it at the start, and taking the choice back leaves no trace.
    #[test]
    fn a_dialect_can_be_chosen_and_taken_back(log in log()) {
        let files = [("run.jsonl", log.as_bytes())];
        let mut switched = open(&files, DialectChoice::Auto, 64 << 10);
        let (before, text) = (switched.run.summary(), dump::dump(&switched));
        for dialect in DIALECTS {
            switched.run.set_dialect(dialect);
            let chosen = open(&files, dialect, 64 << 10);
            prop_assert_eq!(switched.run.summary(), chosen.run.summary());
            prop_assert_eq!(dump::dump(&switched), dump::dump(&chosen));
        }
        switched.run.set_dialect(DialectChoice::Auto);
        prop_assert_eq!(switched.run.summary(), before);
        prop_assert_eq!(dump::dump(&switched), text);
    }

    /// What is known after some lines is what a log of just these lines says.
    #[test]
    fn a_log_can_be_asked_about_while_it_comes_in(
        first in sound_line("ses_a"),
        more in prop::collection::vec(
            prop_oneof![4 => sound_line("ses_a"), 4 => sound_line("ses_b"), 1 => Just("INFO loading".to_owned())], 0..9),
    ) {
        let mut growing = Run::new(Options::default());
        growing.begin_file("run.jsonl");
        let mut so_far = String::new();
        for line in std::iter::once(first).chain(more) {
            let line = format!("{line}\n");
            growing.push(line.as_bytes());
            so_far.push_str(&line);
            prop_assert_eq!(growing.summary(), read(&so_far).summary());
        }
    }

    /// Ranges and filters of any kind give what there is, and never more.
    #[test]
    fn lists_answer_any_question(
        log in log(),
        range in (any::<u64>(), any::<u64>()),
        near in (0u64..20, 0u64..20),
        kinds in prop::collection::vec(select(Kind::ALL.to_vec()), 0..3),
        outcomes in prop::collection::vec(
            select(vec![Outcome::Ok, Outcome::Failed, Outcome::Rejected, Outcome::Unknown]), 0..3),
        tools in prop::collection::vec(select(vec!["bash", "read", "nope", ""]), 0..2),
        green_but_failed in any::<bool>(),
        session in prop::option::of(prop_oneof![0u32..4, Just(u32::MAX)]),
        text in select(vec!["", "a", "Hello", "needle", "é", "\u{2028}", "zzz", "rs"]),
        id in prop_oneof![0u32..30, Just(u32::MAX)],
    ) {
        let run = read(&log);
        let tools: Vec<String> = tools.into_iter().map(str::to_owned).collect();
        let filter = Filter { kinds: kinds.clone(), outcomes, green_but_failed, tools, session, ..Filter::default() };
        let view = run.view(&filter);
        prop_assert!(view.events() <= view.len());
        prop_assert_eq!(view.len(), run.window(&view, 0..u64::MAX).rows.len() as u64);
        for (start, end) in [range, near, (0, u64::MAX), (u64::MAX, 0)] {
            let window = run.window(&view, start..end);
            prop_assert_eq!((window.total, window.events), (view.len(), view.events()));
            let expected = end.min(view.len()).saturating_sub(start.min(view.len()));
            prop_assert_eq!(window.rows.len() as u64, expected);
            let steps = run.steps(start..end);
            prop_assert!(steps.rows.len() as u64 <= steps.total);
        }
        let rows = run.window(&view, 0..view.len()).rows;
        for row in &rows {
            if let Row::Event(row) = row {
                prop_assert!(kinds.is_empty() || kinds.contains(&row.kind));
            }
        }
        if let Some(mut search) = Search::new(text) {
            for chunk in run.search_plan(&search, range.0) {
                // Bytes that are none of the log's, and too few of them.
                run.search_chunk(&mut search, &chunk, text.as_bytes());
            }
            let hits = run.search_hits(&mut search, &view);
            prop_assert!(hits.windows(2).all(|pair| pair[0] < pair[1]), "hits are in order, each once");
        }
        run.filter_counts(&Filter { session, ..Filter::default() });
        run.row_of_event(&view, id);
        run.row_of_line(&view, id, range.0);
        run.span_of_event(id);
        run.detail(id, b"{\"type\":\"text\"}");
        run.records_on_line(id, range.1);
    }

    /// Writing every record twice changes no total and no event.
    #[test]
    fn a_log_in_which_every_line_stands_twice_says_the_same(
        lines in prop::collection::vec(prop_oneof![sound_line("ses_a"), sound_line("ses_b")], 1..14),
    ) {
        let once = format!("{}\n", lines.join("\n"));
        let twice: String = lines.iter().map(|line| format!("{line}\n{line}\n")).collect();
        let (one, two) = (read(&once).summary(), read(&twice).summary());
        prop_assert_eq!(&one.total, &two.total);
        prop_assert_eq!(&one.tools, &two.tools);
        prop_assert_eq!(&one.events, &two.events);
        prop_assert_eq!(&one.files_touched, &two.files_touched);
        prop_assert_eq!(one.records.total * 2, two.records.total);
        prop_assert_eq!(one.records.duplicates + one.records.total, two.records.duplicates);
        prop_assert_eq!(one.records.mapped, two.records.mapped);
        for (one, two) in one.sessions.iter().zip(&two.sessions) {
            prop_assert_eq!((&one.id, &one.tokens, &one.cost), (&two.id, &two.tokens, &two.cost));
            prop_assert_eq!(one.verdict.state, two.verdict.state);
        }
        let unnumbered = |log: &str, factor: u64| -> Vec<(u64, Value)> {
            let of = |mut event: Value| {
                let line = event.as_object_mut().unwrap().remove("line").unwrap().as_u64().unwrap();
                (line.div_ceil(factor), event)
            };
            common::events(log, DialectChoice::Auto).into_iter().map(of).collect()
        };
        prop_assert_eq!(unnumbered(&once, 1), unnumbered(&twice, 2));
    }

    /// The order in which files of different sessions are opened changes no total. (Files that share a session are put to
    /// exact tests in `documents.rs`: a step that begins in one file and ends in another is another matter.)
    #[test]
    fn the_order_of_files_changes_no_total(
        left in prop::collection::vec(prop_oneof![sound_line("ses_a"), sound_line("ses_b")], 1..10),
        right in prop::collection::vec(prop_oneof![sound_line("ses_c"), sound_line("ses_d")], 1..10),
    ) {
        let (left, right) = (left.join("\n"), right.join("\n"));
        let (left, right) = (("left.jsonl", left.as_bytes()), ("right.jsonl", right.as_bytes()));
        let [one, two] = [[left, right], [right, left]]
            .map(|files| common::open(&files, DialectChoice::Auto, 64 << 10).run.summary());
        prop_assert_eq!(&one.total, &two.total);
        prop_assert_eq!(&one.tools, &two.tools);
        prop_assert_eq!(&one.events, &two.events);
        prop_assert_eq!(&one.files_touched, &two.files_touched);
        prop_assert_eq!(&one.records, &two.records);
        prop_assert_eq!(one.sessions.len(), two.sessions.len());
        for (one, two) in one.sessions.iter().zip(&two.sessions) {
            prop_assert_eq!((&one.id, &one.tokens, &one.cost), (&two.id, &two.tokens, &two.cost));
            prop_assert_eq!((one.steps, one.calls), (two.steps, two.calls));
        }
    }

    /// Two sessions in one file, however they are mixed, are what each is alone.
    #[test]
    fn sessions_of_one_file_do_not_touch_each_other(
        left in prop::collection::vec(sound_line("ses_left"), 1..8),
        right in prop::collection::vec(sound_line("ses_right"), 1..8),
        order in prop::collection::vec(any::<bool>(), 16),
    ) {
        let alone = [&left, &right].map(|lines| read(&lines.join("\n")).summary().sessions.remove(0));
        let (mut left, mut right) = (left.into_iter().peekable(), right.into_iter().peekable());
        let mut mixed = String::new();
        for left_first in order.into_iter().cycle() {
            let (first, second) = if left_first { (&mut left, &mut right) } else { (&mut right, &mut left) };
            let Some(line) = first.next().or_else(|| second.next()) else { break };
            mixed.push_str(&line);
            mixed.push('\n');
        }
        let together = read(&mixed).summary().sessions;
        prop_assert_eq!(together.len(), 2);
        for session in alone {
            prop_assert!(together.contains(&session), "{:?} is not among {:?}", session, together);
        }
    }
}

/// A word in any mixture of capitals.
fn any_case(words: &'static [&'static str]) -> impl Strategy<Value = String> {
    (select(words), any::<u64>()).prop_map(|(word, mask)| {
        let cased = |(index, c): (usize, char)| if mask >> (index % 64) & 1 == 1 { c.to_ascii_uppercase() } else { c };
        word.chars().enumerate().map(cased).collect()
    })
}

/// The one mark of failure that a call has, whatever else it says.
#[derive(Debug, Clone)]
enum Signal {
    Status(String),
    Invalid(String),
    Exit { key: &'static str, code: i64, as_text: bool },
}

fn signal() -> impl Strategy<Value = Signal> {
    let code = any::<i32>().prop_map(i64::from).prop_filter("a code of 0 is no failure", |code| *code != 0);
    let exit = (select(vec!["exit", "exitCode"]), code, any::<bool>());
    prop_oneof![
        any_case(&["error", "failed", "failure", "cancelled", "canceled"]).prop_map(Signal::Status),
        any_case(&["invalid"]).prop_map(Signal::Invalid),
        exit.prop_map(|(key, code, as_text)| Signal::Exit { key, code, as_text }),
    ]
}

proptest! {
    #![proptest_config(config(256))]

    /// No call with a mark of failure comes out as `ok`, in no event and in no count.
    #[test]
    fn a_mark_of_failure_is_never_lost(
        signal in signal(),
        tool in select(common::generate::TOOLS),
        good in select(&STATUS[..4]),
        input in input(),
        error in prop::option::of(select(vec!["", "boom", "The user rejected permission to use this specific tool call."])),
        output in select(vec!["null", "\"\"", "\"ok\"", "\"<shell_metadata>timed out\""]),
        flat in any::<bool>(),
        dialect in select(DIALECTS.to_vec()),
    ) {
        let status = if let Signal::Status(word) = &signal { word.as_str() } else { good };
        let tool = if let Signal::Invalid(tool) = &signal { tool.as_str() } else { tool };
        let metadata = match &signal {
            Signal::Exit { key, code, as_text: false } => format!("{{\"{key}\":{code}}}"),
            Signal::Exit { key, code, as_text: true } => format!("{{\"{key}\":\"{code}\"}}"),
            _ => "{\"exit\":0}".to_owned(),
        };
        let error = error.map(|error| format!(",\"error\":{}", quoted(error))).unwrap_or_default();
        let state = format!(
            "\"status\":{},\"input\":{input},\"output\":{output},\"metadata\":{metadata}{error}", quoted(status));
        let log = if flat {
            format!("{{\"type\":\"tool_use\",\"tool\":{},{state}}}\n", quoted(tool))
        } else {
            format!("{{\"type\":\"tool_use\",\"part\":{{\"tool\":{},\"state\":{{{state}}}}}}}\n", quoted(tool))
        };
        for event in common::events(&log, dialect) {
            prop_assert_ne!(&event["outcome"], "ok", "{} of {}", event, log);
        }
        let files = [("run.jsonl", log.as_bytes())];
        let run = open(&files, dialect, 64 << 10).run;
        let total = run.summary().total;
        prop_assert_eq!((total.calls, total.failed_calls + total.rejected_calls), (1, 1), "{}", log);
        if !matches!(signal, Signal::Status(_)) {
            prop_assert_eq!(total.green_but_failed, 1, "{}", log);
        }
        let ok = Filter { outcomes: vec![Outcome::Ok], ..Filter::default() };
        prop_assert_eq!(run.view(&ok).events(), 0);
    }

    /// Texts, paths and commands come out as they went in, whatever characters they hold.
    #[test]
    fn texts_come_out_as_they_went_in(text in ".{1,40}|[\\u{0}-\\u{9f}\\u{2028}\\u{2029}]{1,20}", escaped in any::<bool>()) {
        let json = if escaped {
            let units: Vec<u16> = text.encode_utf16().collect();
            format!("\"{}\"", units.iter().map(|unit| format!("\\u{unit:04x}")).collect::<String>())
        } else {
            quoted(&text)
        };
        let message = common::event(&format!("{{\"type\":\"text\",\"part\":{{\"text\":{json}}}}}"), DialectChoice::Auto);
        prop_assert_eq!(&message["message"], text.as_str());
        let call = |tool: &str, key: &str| {
            let state = format!("{{\"status\":\"completed\",\"input\":{{\"{key}\":{json}}},\"output\":{json}}}");
            format!("{{\"type\":\"tool_use\",\"part\":{{\"tool\":\"{tool}\",\"state\":{state}}}}}")
        };
        let written = common::event(&call("write", "filePath"), DialectChoice::Auto);
        prop_assert_eq!(&written["path"], text.as_str());
        let ran = common::event(&call("bash", "command"), DialectChoice::Auto);
        prop_assert_eq!(&ran["command"], text.as_str());
        let summary = read(&call("write", "filePath")).summary();
        prop_assert_eq!(summary.tools[0].output_bytes, text.len() as u64);
        prop_assert_eq!(&summary.files_touched[0].path, &text);
    }
}
