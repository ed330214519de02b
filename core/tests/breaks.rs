//! Streams of events that broke and began anew: what happened in between is in no line, and that is said.

// A test may stop at the first thing that is not as it should be.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, missing_docs)]

mod common;

use common::open;
use steplens_core::advice;
use steplens_core::run::DialectChoice;
use steplens_core::summary::Summary;

/// A live log: connected on lines 1, 5 and 7.
const BROKEN: &str = include_str!("../../tests/fixtures/bus/broken.jsonl");
/// The same as the server sends it: on lines 1 and 7.
const OPEN: &str = include_str!("../../tests/fixtures/bus/open.jsonl");

fn summary(logs: &[&str]) -> Summary {
    let names: Vec<String> = (1..=logs.len()).map(|n| format!("{n}.jsonl")).collect();
    let files: Vec<_> = names.iter().map(String::as_str).zip(logs.iter().map(|log| log.as_bytes())).collect();
    open(&files, DialectChoice::Auto, 64 << 10).run.summary()
}

fn told(summary: &Summary) -> (Vec<&str>, Vec<(u32, u64, &str)>) {
    let limits = summary.limits.iter().filter(|limit| limit.starts_with("the stream broke"));
    let found = summary.findings.iter().filter(|finding| finding.kind == "stream-broke");
    (limits.map(String::as_str).collect(), found.map(|f| (f.file, f.line, f.message.as_str())).collect())
}

#[test]
fn each_place_where_the_stream_began_anew_is_a_finding_and_all_are_a_limit() {
    let broken = summary(&[BROKEN]);
    assert_eq!(
        told(&broken),
        (
            vec!["the stream broke and began anew 2 times: what happened in between is not in this log"],
            vec![
                (0, 5, "the stream broke and began anew: what happened since line 4 is not in this log"),
                (0, 7, "the stream broke and began anew: what happened since line 6 is not in this log"),
            ]
        )
    );
    assert!(broken.limits.iter().all(|limit| advice::of_limit(limit).is_some()), "{:?}", broken.limits);
    assert!(advice::of_kind("stream-broke").is_some());
    let once = summary(&[OPEN]);
    assert_eq!(
        told(&once),
        (
            vec!["the stream broke and began anew once: what happened in between is not in this log"],
            vec![(0, 7, "the stream broke and began anew: what happened since line 6 is not in this log")]
        )
    );
}

#[test]
fn a_stream_that_was_read_in_one_go_is_whole_and_so_are_two_logs() {
    let (whole, _) = BROKEN.split_once("{\"timestamp\":1781000026020").unwrap();
    assert_eq!(told(&summary(&[whole])), (vec![], vec![]));
    assert_eq!(told(&summary(&[whole, &OPEN.lines().take(6).collect::<Vec<_>>().join("\n")])), (vec![], vec![]));
}
