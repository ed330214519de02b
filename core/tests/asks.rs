//! Requests to a person: what was asked, what was answered, and how long it took.

// A test may stop at the first thing that is not as it should be.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, missing_docs)]

mod common;

use common::open;
use steplens_core::ask::{AskKind, AskStatus, AskSummary, AskSurface, TimeFrom};
use steplens_core::run::DialectChoice;
use steplens_core::summary::Summary;
use steplens_core::view::{Filter, Row};

const NEW: &str = include_str!("../../tests/fixtures/bus/asks.jsonl");
const OLD: &str = include_str!("../../tests/fixtures/bus/asks-old.jsonl");
const HOOKS: &str = include_str!("../../tests/fixtures/bus/hooks.jsonl");
const SUGGESTIONS: &str = include_str!("../../tests/fixtures/bus/suggestions.jsonl");
const FOUND_OPEN: &str = include_str!("../../tests/fixtures/bus/open.jsonl");

fn summary(logs: &[&str]) -> Summary {
    let files: Vec<(String, &str)> = (1..).zip(logs).map(|(n, log)| (format!("{n}.jsonl"), *log)).collect();
    let files: Vec<(&str, &[u8])> = files.iter().map(|(name, log)| (name.as_str(), log.as_bytes())).collect();
    open(&files, DialectChoice::Auto, 64 << 10).run.summary()
}

/// `(line, answer's line, what, outcome, wait)`, as a reader sees it.
fn told(ask: &AskSummary) -> (u64, Option<u64>, String, String, Option<u64>) {
    (ask.line, ask.answer_line, ask.what(), ask.outcome(), ask.wait_ms)
}

/// Nothing in this log says when an answer came but the ids of its events. By hand, from their digits before the last
/// three, in milliseconds: `eabdf5278`→`eabdf5285` and `eabdf528c`→`eabdf5299` are 0x0d = 13, `eabdf5340`→`eabdf5347` is
/// 7, `eabdf537c`→`eabdf5391` is 0x15 = 21.
#[test]
fn waits_are_told_by_the_ids_of_events() {
    let summary = summary(&[NEW]);
    let asks: Vec<_> = summary.asks.iter().map(told).collect();
    let row = |line, answer: u64, what: &str, outcome: &str, wait| {
        (line, (answer > 0).then_some(answer), what.to_owned(), outcome.to_owned(), wait)
    };
    assert_eq!(
        asks,
        [
            row(9, 10, "external_directory — rm -rf /tmp/old", "allowed once", Some(13)),
            row(11, 12, "bash — rm -rf /tmp/old", "always allowed", Some(13)),
            row(18, 19, "Which one next?", "answered: The logs, 7 + 30", Some(7)),
            row(25, 26, "bash — echo two; sleep 1", "rejected", Some(21)),
            row(33, 0, "edit — notes.md", "no answer in this log", None),
        ]
    );
    let first = &summary.asks[0];
    assert_eq!(first.asked_at.as_deref(), Some("2026-06-09T10:13:20.120Z"));
    assert_eq!(first.answered_at.as_deref(), Some("2026-06-09T10:13:20.133Z"));
    assert_eq!((first.asked_at_from, first.answered_at_from), (Some(TimeFrom::EventId), Some(TimeFrom::EventId)));
    assert_eq!(first.derived(), Some("derived from the event's id"));
    assert_eq!((first.options.join(" "), first.patterns.join(" ")), ("once always reject".into(), "/tmp/*".into()));
    // Kilo writes on the call who decided.
    assert_eq!(first.answered_by.as_deref(), Some("manual"));
    let form = &summary.asks[2];
    assert_eq!((form.kind, form.questions.len(), form.answered_by.as_deref()), (AskKind::Question, 2, Some("agent")));
    assert_eq!((form.questions[1].multiple, form.questions[1].custom), (true, false));
    assert_eq!(form.questions[0].options, ["The cache", "The logs"]);
    let child = &summary.asks[3];
    assert_eq!(child.session.as_deref(), Some("ses_5c0ffee0dd1fChildOfTheFirst"));
    assert_eq!((child.status, child.message.as_deref()), (AskStatus::Rejected, Some("not now")));
    assert_eq!(summary.asks[4].status, AskStatus::Pending);
}

/// 13 + 13 + 7 + 21, none of them at the same time as another; a call that waits does not work.
#[test]
fn waiting_is_apart_from_working_and_a_request_without_an_answer_is_found() {
    let summary = summary(&[NEW]);
    let time = summary.total.time.unwrap();
    assert_eq!(time.waiting_ms, 54);
    // 110–198, 310–329 and 340–438, without the 54 that they waited.
    assert_eq!(time.tools_ms, 88 + 19 + 98 - 54);
    let found: Vec<_> = summary.findings.iter().map(|f| (f.kind.as_str(), f.line, f.message.as_str())).collect();
    let open = found.iter().find(|(kind, ..)| *kind == "never-answered").unwrap();
    assert_eq!((open.1, open.2.starts_with("nobody answered edit (per_")), (33, true));
    let verdict = &summary.sessions[0].verdict;
    assert!(verdict.reason.starts_with("waits for an answer to edit (per_"), "{}", verdict.reason);
}

#[test]
fn the_older_surface_says_the_same() {
    let summary = summary(&[OLD]);
    let asks: Vec<_> = summary.asks.iter().map(told).collect();
    let row = |line, answer, what: &str, outcome: &str, wait| (line, answer, what.to_owned(), outcome.to_owned(), wait);
    assert_eq!(
        asks,
        [
            row(2, Some(3), "write — Create a.txt", "allowed once", Some(1000)),
            // The session went idle over it.
            row(4, None, "bash — ls", "never answered", None),
            // Its request is not in the log.
            row(6, Some(6), "a request that this log does not hold", "dismissed", None),
        ]
    );
    let of: Vec<_> = summary.asks.iter().map(|ask| (ask.surface, ask.status, ask.kind)).collect();
    assert_eq!(
        of,
        [
            (AskSurface::Hook, AskStatus::Answered, AskKind::Permission),
            (AskSurface::Hook, AskStatus::Unanswered, AskKind::Permission),
            (AskSurface::Unknown, AskStatus::Dismissed, AskKind::Question),
        ]
    );
    assert_eq!(summary.asks[0].asked_at_from, Some(TimeFrom::Reported));
    assert_eq!(summary.asks[0].derived(), None);
    let found: Vec<_> = summary.findings.iter().filter(|f| f.kind == "never-answered").map(|f| f.line).collect();
    assert_eq!(found, [4]);
}

/// A hook and the bus event beside it are one request; nothing tells when the answer came.
#[test]
fn a_request_by_hook_and_bus_is_one() {
    let summary = summary(&[HOOKS]);
    assert_eq!(
        summary.asks.iter().map(told).collect::<Vec<_>>(),
        [(5, Some(7), "bash — npm test".to_owned(), "allowed once".to_owned(), None)]
    );
    assert_eq!(summary.asks[0].asked_at.as_deref(), Some("1970-01-01T00:00:01.200Z"));
}

#[test]
fn a_log_that_is_opened_twice_asks_once() {
    let once = summary(&[NEW]);
    let twice = summary(&[NEW, NEW]);
    assert_eq!(twice.asks.iter().map(told).collect::<Vec<_>>(), once.asks.iter().map(told).collect::<Vec<_>>());
    assert_eq!(twice.total.time, once.total.time);
}

/// A request stands in its step, before the call that waited for it.
#[test]
fn requests_stand_among_the_events() {
    let run = open(&[("1.jsonl", NEW.as_bytes())], DialectChoice::Auto, 64 << 10).run;
    let lines = |filter: &Filter| -> Vec<String> {
        let view = run.view(filter);
        let row = |row: &Row| match row {
            Row::Ask(row) => format!("ask {}", row.ask.line),
            Row::Event(event) => format!("{} {}", event.kind.name(), event.line),
            Row::Step(step) => format!("step {}", step.number),
            Row::Turn(_) => "turn".to_owned(),
        };
        run.window(&view, 0..view.len()).rows.iter().map(row).collect()
    };
    let all = lines(&Filter::default());
    let first: Vec<&str> = all.iter().map(String::as_str).take(6).collect();
    assert_eq!(first, ["user 4", "step 1", "ask 9", "ask 11", "command 14", "step 2"]);
    assert_eq!(
        lines(&Filter { asks: true, ..Filter::default() }).iter().filter(|row| row.starts_with("ask")).count(),
        5
    );
    assert!(!lines(&Filter { asks: true, ..Filter::default() }).iter().any(|row| row.starts_with("command")));
    assert!(!lines(&Filter { green_but_failed: true, ..Filter::default() }).iter().any(|row| row.starts_with("ask")));
    let counts = run.filter_counts(&Filter::default());
    assert_eq!(counts.asks, 5);
    // They are no events: nothing of the sums changes.
    let kinds: u64 = counts.kinds.iter().map(|(_, count)| count).sum();
    assert_eq!((counts.all, run.view(&Filter::default()).events()), (kinds, kinds));
}

/// `todo.updated` tells them where it is there, else the calls do; a list that says the same again is no change.
#[test]
fn lists_of_tasks_tell_their_progress() {
    let bus = summary(&[NEW, NEW]);
    let points = |summary: &Summary| -> Vec<(u64, u64, u64, u64)> {
        let points = summary.todos.iter().flat_map(|list| &list.points);
        points.map(|point| (point.line, point.completed, point.in_progress, point.total())).collect()
    };
    assert_eq!(points(&bus), [(31, 1, 1, 3), (32, 2, 1, 4)]);
    assert_eq!(bus.todos[0].items[3].content, "Ask about the rest");
    // Only the ids of the events tell when: 0x1c2 = 450 and 0x1cc = 460.
    let times = |summary: &Summary| -> Vec<(Option<String>, Option<TimeFrom>)> {
        summary.todos[0].points.iter().map(|point| (point.at.clone(), point.at_from)).collect()
    };
    let at = |text: &str, from| (Some(text.to_owned()), Some(from));
    let by_id = |text| at(text, TimeFrom::EventId);
    assert_eq!(times(&bus), [by_id("2026-06-09T10:13:20.450Z"), by_id("2026-06-09T10:13:20.460Z")]);
    let call = |line: u64, status: &str| {
        let todos = format!(r#"[{{"content":"a","status":"{status}"}},{{"content":"b","status":"pending"}}]"#);
        let part = format!(
            r#"{{"id":"prt_{line}","sessionID":"s","type":"tool","tool":"todowrite","callID":"c{line}","state":{{"status":"completed","input":{{"todos":{todos}}},"output":"","metadata":{{}},"time":{{"start":1,"end":2}}}}}}"#
        );
        format!("{{\"type\":\"tool_use\",\"timestamp\":{line}000,\"sessionID\":\"s\",\"part\":{part}}}\n")
    };
    let stream = [call(1, "pending"), call(2, "pending"), call(3, "completed")].concat();
    let calls = summary(&[&stream]);
    assert_eq!(points(&calls), [(1, 0, 0, 2), (3, 1, 0, 2)]);
    let said = |text| at(text, TimeFrom::Reported);
    assert_eq!(times(&calls), [said("1970-01-01T00:00:01.000Z"), said("1970-01-01T00:00:03.000Z")]);
}

/// A call of Kilo Code's `suggest` waits for a person while its session is called idle: 850 − 50, and 1000 − 900.
#[test]
fn a_suggestion_waits_while_its_session_is_idle() {
    let summary = summary(&[SUGGESTIONS]);
    let row = |line, answer, what: &str, outcome: &str, wait| (line, answer, what.to_owned(), outcome.to_owned(), wait);
    assert_eq!(
        summary.asks.iter().map(told).collect::<Vec<_>>(),
        [
            row(6, Some(9), "Review the changes?", "accepted: Review", Some(800)),
            row(12, Some(14), "Tidy up?", "dismissed", Some(100)),
            row(15, None, "Commit?", "no answer in this log", None),
        ]
    );
    let first = &summary.asks[0];
    assert_eq!((first.kind, first.kind.name()), (AskKind::Suggestion, "suggestion"));
    assert_eq!((first.call_id.as_deref(), first.status), (Some("call_1"), AskStatus::Answered));
    assert_eq!((first.questions[0].options.join(" "), first.questions[0].custom), ("Review Commit".to_owned(), false));
    assert_eq!((first.permission.as_deref(), first.options.len()), (None, 0));
    assert_eq!(summary.total.time.unwrap().waiting_ms, 900);
    let found: Vec<_> = summary.findings.iter().map(|f| (f.kind.as_str(), f.line)).collect();
    assert!(found.contains(&("never-answered", 15)), "{found:?}");
    let reason = &summary.sessions[0].verdict.reason;
    assert!(reason.starts_with("waits for an answer to a suggestion (sug_"), "{reason}");
    let run = open(&[("1.jsonl", SUGGESTIONS.as_bytes())], DialectChoice::Auto, 64 << 10).run;
    let spans: Vec<_> = run.overview().asks.iter().map(|span| (span.line, span.open, span.wait_ms)).collect();
    assert_eq!(spans, [(6, 0, Some(800)), (12, 0, Some(100)), (15, 1, None)]);
    assert_eq!(run.filter_counts(&Filter::default()).asks, 3);
    // The end of the turn leaves it without an answer for good.
    let closed = r#"{"type":"session.turn.close","properties":{"sessionID":"ses_5c0ffee0dd1eAbCdEfGhIjKlMn","reason":"completed"}}"#;
    let log = format!("{SUGGESTIONS}{closed}\n");
    let closed = open(&[("1.jsonl", log.as_bytes())], DialectChoice::Auto, 64 << 10).run.summary();
    assert_eq!(closed.asks[2].status, AskStatus::Unanswered);
}

/// Without ids of events nothing tells when an answer came but the call, which does nothing but ask.
#[test]
fn an_answer_without_a_time_came_when_its_call_ended() {
    let log = [
        r#"{"type":"session.created","properties":{"info":{"id":"ses_1","time":{"created":1781000000000,"updated":1781000000000}}}}"#,
        r#"{"type":"question.asked","properties":{"id":"que_eabdf5278001aAbBcCdDeEfFgG","sessionID":"ses_1","tool":{"messageID":"m","callID":"c"},"questions":[{"question":"Which?","options":[{"label":"A","description":"the first"},{"label":"B"}]}]}}"#,
        r#"{"type":"question.replied","properties":{"sessionID":"ses_1","requestID":"que_eabdf5278001aAbBcCdDeEfFgG","answers":[["A"]]}}"#,
        r#"{"type":"message.part.updated","properties":{"part":{"id":"p","sessionID":"ses_1","messageID":"m","type":"tool","callID":"c","tool":"question","state":{"status":"completed","input":{},"output":"A","time":{"start":1781000000500,"end":1781000007120}}}}}"#,
    ];
    let summary = summary(&[&log.join("\n")]);
    let ask = &summary.asks[0];
    // The request's id says 1781000000120.
    assert_eq!((ask.wait_ms, ask.answered_at_from), (Some(7_000), Some(TimeFrom::Call)));
    assert_eq!(ask.questions[0].descriptions, ["the first", ""]);
    assert_eq!(summary.total.time.map(|time| time.waiting_ms), Some(7_000));
}

#[test]
fn the_overview_has_them_as_spans() {
    let run = open(&[("1.jsonl", NEW.as_bytes())], DialectChoice::Auto, 64 << 10).run;
    let overview = run.overview();
    let spans: Vec<_> = overview.asks.iter().map(|span| (span.line, span.count, span.open, span.wait_ms)).collect();
    assert_eq!(
        spans,
        [(9, 1, 0, Some(13)), (11, 1, 0, Some(13)), (18, 1, 0, Some(7)), (25, 1, 0, Some(21)), (33, 1, 1, None)]
    );
    assert!(overview.asks.iter().take(4).all(|span| span.from < span.to));
}

/// The page connected a minute after two requests and ten milliseconds after a third, whose event came all the same; the
/// stream broke, and only the third was still open after that.
#[test]
fn requests_that_were_open_at_the_connection_are_told_apart_and_are_one_with_their_event() {
    let summary = summary(&[FOUND_OPEN]);
    let row = |line, answer, what: &str, outcome: &str, wait| (line, answer, what.to_owned(), outcome.to_owned(), wait);
    assert_eq!(
        summary.asks.iter().map(told).collect::<Vec<_>>(),
        [
            row(2, Some(6), "bash — rm -rf dist", "allowed once", Some(65_000)),
            row(3, None, "edit — notes.md", "never answered", None),
            row(4, None, "Which?", "the stream broke: its answer was missed", None),
        ]
    );
    let open: Vec<_> =
        summary.asks.iter().map(|ask| (ask.was_open, ask.asked_at_from, ask.asked_at.as_deref().unwrap())).collect();
    assert_eq!(
        open,
        [
            (true, Some(TimeFrom::RequestId), "2026-06-09T10:13:20.050Z"),
            (false, Some(TimeFrom::EventId), "2026-06-09T10:14:19.991Z"),
            (true, Some(TimeFrom::RequestId), "2026-06-09T10:13:20.100Z"),
        ]
    );
    assert_eq!(summary.asks[2].status, AskStatus::Missed);
    // Of what was missed nobody can say that it was never answered.
    let found: Vec<_> = summary.findings.iter().filter(|f| f.kind == "never-answered").map(|f| f.line).collect();
    assert_eq!(found, [3]);
    assert_eq!(summary.total.time.map(|time| time.waiting_ms), Some(65_000));
}
