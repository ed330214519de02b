//! The logs that the properties are tried on hold every kind of thing; properties of empty logs would prove nothing.

// A test may stop at the first thing that is not as it should be.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, missing_docs)]

mod common;

use common::generate::{config, log, sound_line};
use common::read;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use std::collections::BTreeSet;

#[test]
fn generated_logs_hold_every_kind_of_thing() {
    let mut runner = TestRunner::new(config(1));
    let mut seen = BTreeSet::new();
    for _ in 0..400 {
        let log = log().new_tree(&mut runner).unwrap().current();
        let summary = read(&log).summary();
        seen.extend(summary.events.keys().map(|kind| format!("event {kind}")));
        seen.extend(summary.diagnostic_counts.keys().cloned());
        seen.extend(summary.sessions.iter().map(|session| format!("verdict {}", session.verdict.state.name())));
        let total = &summary.total;
        let facts = [
            ("dialect kilo", summary.dialect == "kilo"),
            ("duplicates", summary.records.duplicates > 0),
            ("consumed", summary.records.consumed > 0),
            ("several sessions", summary.sessions.len() > 1),
            ("a parent", summary.sessions.iter().any(|session| session.parent.is_some())),
            ("retries", total.retries > 0),
            ("rejected", total.rejected_calls > 0),
            ("green but failed", total.green_but_failed > 0),
            ("tokens", total.tokens.total.is_some()),
            ("partial tokens", total.tokens.partial),
            ("cost", total.cost.reported_usd.is_some()),
            ("durations", summary.tools.iter().any(|tool| tool.timed > 0)),
            ("unmapped", !summary.unmapped.is_empty()),
        ];
        seen.extend(facts.into_iter().filter(|(_, holds)| *holds).map(|(name, _)| name.to_owned()));
    }
    let wanted = [
        "event agent",
        "event command",
        "event error",
        "event list",
        "event orchestration",
        "event read",
        "event reasoning",
        "event search",
        "event skill",
        "event unknown",
        "event write",
        "bad-cost",
        "bad-timestamp",
        "bad-token-count",
        "cut-line",
        "duplicate",
        "lone-surrogate",
        "malformed-line",
        "negative-duration",
        "unknown-type",
        "verdict completed",
        "verdict cut",
        "verdict failed",
        "verdict stopped",
        "verdict unknown",
        "dialect kilo",
        "duplicates",
        "consumed",
        "several sessions",
        "a parent",
        "retries",
        "rejected",
        "green but failed",
        "tokens",
        "partial tokens",
        "cost",
        "durations",
        "unmapped",
    ];
    let missing: Vec<_> = wanted.into_iter().filter(|name| !seen.contains(*name)).collect();
    assert!(missing.is_empty(), "never seen: {missing:?}");
}

/// Lines that are meant to be sound are records of a known type, and are never malformed.
#[test]
fn sound_lines_are_sound() {
    let mut runner = TestRunner::new(config(1));
    for _ in 0..300 {
        let line = sound_line("ses_a").new_tree(&mut runner).unwrap().current();
        let summary = read(&line).summary();
        assert_eq!((summary.records.total, summary.records.malformed), (1, 0), "{line}");
        assert!(!summary.diagnostic_counts.contains_key("unknown-type"), "{line}");
        assert_eq!(summary.sessions[0].id.as_deref(), Some("ses_a"), "{line}");
    }
}
