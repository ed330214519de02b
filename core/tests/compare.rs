//! Two runs side by side. The pair in `tests/fixtures/compare` was made by hand, and so were the answers: a run that went
//! well in one folder, and the same task with errors in another.

// A test may stop at the first thing that is not as it should be.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, missing_docs)]

use steplens_core::compare::{Agreement, CallPair, Comparison, Deed, StepPair, compare};
use steplens_core::run::{Choice, Options, Run};

fn fixture(name: &str) -> Vec<u8> {
    let path = format!("{}/../tests/fixtures/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn open(names: &[&str]) -> Run {
    let mut run = Run::new(Options::default());
    for name in names {
        run.begin_file(name.rsplit('/').next().unwrap());
        run.push(&fixture(name));
        run.end_file();
    }
    run
}

fn of_lines(lines: &str) -> Run {
    let mut run = Run::new(Options::default());
    run.begin_file("run.jsonl");
    run.push(lines.as_bytes());
    run.end_file();
    run
}

fn between(a: &Run, b: &Run) -> Comparison {
    compare(&a.facts("a", None), &b.facts("b", None))
}

fn pair() -> Comparison {
    between(&open(&["compare/good.jsonl"]), &open(&["compare/errors.jsonl"]))
}

fn count(comparison: &Comparison, figure: &str) -> (Option<u64>, Option<u64>, Option<i64>) {
    let row = comparison.counts.iter().find(|row| row.figure == figure).unwrap();
    (row.a, row.b, row.delta)
}

fn deeds(deeds: &[Deed]) -> Vec<String> {
    let shown = |deed: &Deed| {
        format!("{} {} ×{} failed {} line {}", deed.tool, deed.argument, deed.calls, deed.failed, deed.first.line)
    };
    deeds.iter().map(shown).collect()
}

/// `2:2 = read README.md +grep …`: steps of A and B, then calls; `-` and `+` mark those of A and of B only, `!` another
/// outcome, `~` one that the other side made in another step.
fn steps(comparison: &Comparison) -> Vec<String> {
    let call = |call: &CallPair| {
        let mark = match (&call.a, &call.b) {
            _ if call.moved => "~",
            (Some(_), None) => "-",
            (None, _) => "+",
            _ if call.is_same() => "",
            _ => "!",
        };
        format!(" {mark}{}({})", call.tool, call.argument)
    };
    let step = |pair: &StepPair| {
        let side = |step: Option<u64>| step.map_or("-".to_owned(), |number| number.to_string());
        let (a, b) = (pair.a.as_ref().and_then(|s| s.number), pair.b.as_ref().and_then(|s| s.number));
        let calls: String = pair.calls.iter().map(call).collect();
        format!("{}:{}{}{calls}", side(a), side(b), if pair.same { " =" } else { "" })
    };
    comparison.steps.iter().map(step).collect()
}

#[test]
fn steps_are_aligned_by_what_they_did() {
    assert_eq!(
        steps(&pair()),
        [
            "1:1 glob(**/*.py) -bash(ls -la)",
            "2:2 = read(shop/README.md) grep(TODO in shop)",
            "-:3 +read(shop/docs/missing.md)",
            "3:4 = write(shop/src/cart.py)",
            "-:5 +bash(pytest -q)",
            "4:6 !edit(shop/README.md)",
            "5:7 !bash(pytest -q)",
            "6:8 =",
        ]
    );
}

#[test]
fn what_one_did_and_the_other_did_not() {
    let pair = pair();
    assert_eq!(pair.folders, Some(("/home/ann".to_owned(), "/builds/7".to_owned())));
    assert_eq!(deeds(&pair.only_a), ["bash ls -la ×1 failed 0 line 3"]);
    assert_eq!(
        deeds(&pair.only_b),
        ["read shop/docs/missing.md ×1 failed 1 line 9", "bash pytest -q ×1 failed 1 line 15"]
    );
    let outcomes: Vec<_> = pair.outcomes.iter().map(|o| (o.argument.as_str(), o.a.line, o.b.line)).collect();
    assert_eq!(outcomes, [("shop/README.md", 13, 18), ("pytest -q", 16, 21)]);
    assert!(pair.outcomes[1].b.green_but_failed && !pair.outcomes[0].b.green_but_failed);
    assert_eq!(
        pair.agreement,
        Agreement {
            steps_same: 3,
            steps_changed: 3,
            steps_only_a: 0,
            steps_only_b: 2,
            calls_both: 6,
            calls_moved: 0,
            calls_only_a: 1,
            calls_only_b: 2,
            outcomes_differ: 2,
        }
    );
}

#[test]
fn totals_and_what_lies_between_them() {
    let pair = pair();
    let expected = [
        ("steps", (Some(6), Some(8), Some(2))),
        ("retries", (Some(0), Some(0), Some(0))),
        ("calls", (Some(7), Some(8), Some(1))),
        ("calls.failed", (Some(0), Some(4), Some(4))),
        ("calls.rejected", (Some(0), Some(0), Some(0))),
        ("calls.greenButFailed", (Some(0), Some(2), Some(2))),
        ("durationMs", (Some(4725), Some(6843), Some(2118))),
        ("workingMs", (Some(1125), Some(2043), Some(918))),
        // 2,900 + 9,000 + 250 + 60 and 3,720 + 14,700 + 310.
        ("tokens.total", (Some(12_210), Some(18_730), Some(6_520))),
        ("tokens.cachedInput", (Some(9_000), Some(14_700), Some(5_700))),
        ("tokens.uncachedInput", (Some(2_900), Some(3_720), Some(820))),
        ("tokens.output", (Some(250), Some(310), Some(60))),
        // B reports no reasoning: what it spent is unknown, and so is the difference.
        ("tokens.reasoning", (Some(60), None, None)),
    ];
    for (figure, values) in expected {
        assert_eq!(count(&pair, figure), values, "{figure}");
    }
    let cost =
        |n: usize| (pair.costs[n].figure.as_str(), pair.costs[n].a_usd, pair.costs[n].b_usd, pair.costs[n].delta_usd);
    assert_eq!(cost(0), ("cost.reported", Some(0.015), None, None));
    assert_eq!(cost(1), ("cost.comparable", None, None, None));
}

#[test]
fn tools_stand_side_by_side() {
    let rows: Vec<_> = pair().tools.into_iter().map(|t| (t.name, t.calls, t.failed, t.total_ms)).collect();
    let row = |name: &str, calls, failed, ms| (name.to_owned(), calls, failed, Some(ms));
    assert_eq!(
        rows,
        [
            row("bash", 0, 2, 930),
            row("read", 1, 1, 10),
            row("edit", 0, 1, -17),
            row("glob", 0, 0, -5),
            row("grep", 0, 0, 0),
            row("write", 0, 0, 0),
        ]
    );
}

#[test]
fn a_run_is_the_same_as_itself() {
    let run = open(&["compare/errors.jsonl"]);
    let same = between(&run, &run);
    assert_eq!(
        same.agreement,
        Agreement { steps_same: 8, calls_both: 8, ..Agreement::default() },
        "{:?}",
        steps(&same)
    );
    assert!(same.counts.iter().all(|row| row.delta.unwrap_or(0) == 0));
    assert!(same.only_a.is_empty() && same.only_b.is_empty() && same.outcomes.is_empty());
}

#[test]
fn swapped_sides_swap_the_answer() {
    let (good, bad) = (open(&["compare/good.jsonl"]), open(&["compare/errors.jsonl"]));
    let (there, back) = (between(&good, &bad), between(&bad, &good));
    assert_eq!(back.only_a, there.only_b);
    assert_eq!(back.agreement.steps_only_a, there.agreement.steps_only_b);
    for (row, other) in there.counts.iter().zip(&back.counts) {
        assert_eq!(row.delta, other.delta.map(|delta| -delta), "{}", row.figure);
    }
}

/// A step that calls these: a tool and its command each.
fn step(id: u32, commands: &[&str]) -> String {
    let mut out = format!(r#"{{"type":"step_start","sessionID":"ses_1","part":{{"id":"s{id}","messageID":"m{id}"}}}}"#);
    for (n, command) in commands.iter().enumerate() {
        out.push_str(&format!(
            "\n{{\"type\":\"tool_use\",\"sessionID\":\"ses_1\",\"part\":{{\"id\":\"c{id}.{n}\",\"messageID\":\"m{id}\",\"tool\":\"bash\",\
             \"state\":{{\"status\":\"completed\",\"input\":{{\"command\":\"{command}\"}}}}}}}}"
        ));
    }
    out.push_str(&format!(
        "\n{{\"type\":\"step_finish\",\"sessionID\":\"ses_1\",\"part\":{{\"id\":\"f{id}\",\"messageID\":\"m{id}\",\"reason\":\"tool-calls\"}}}}\n"
    ));
    out
}

#[test]
fn a_call_in_another_step_was_moved_and_not_left_out() {
    let a = [step(1, &["make", "make test"]), step(2, &["git add"])].concat();
    let b = [step(1, &["make"]), step(2, &["make test", "git add"])].concat();
    let comparison = between(&of_lines(&a), &of_lines(&b));
    assert_eq!(steps(&comparison), ["1:1 bash(make) ~bash(make test)", "2:2 bash(git add) ~bash(make test)"]);
    let agreement = comparison.agreement;
    assert_eq!((agreement.calls_both, agreement.calls_moved), (2, 1));
    assert!(comparison.only_a.is_empty() && comparison.only_b.is_empty());
}

#[test]
fn commands_that_part_behind_what_a_row_shows_are_two() {
    let long = "x".repeat(300);
    let a = step(1, &[&format!("echo {long} a")]);
    let b = step(1, &[&format!("echo {long} b")]);
    let comparison = between(&of_lines(&a), &of_lines(&b));
    assert_eq!((comparison.agreement.calls_only_a, comparison.agreement.calls_only_b), (1, 1));
}

#[test]
fn a_tool_of_which_nothing_is_shown_is_told_by_its_input() {
    let call = |input: &str| {
        format!(r#"{{"type":"tool_use","sessionID":"s","tool":"frobnicate","input":{input},"status":"completed"}}"#)
    };
    let (one, two) = (of_lines(&call(r#"{"x":1}"#)), of_lines(&call(r#"{"x":2}"#)));
    assert_eq!(between(&one, &two).agreement.calls_only_a, 1);
    assert_eq!(between(&one, &of_lines(&call(r#"{ "x": 1 }"#))).agreement.calls_both, 1);
}

#[test]
fn calls_without_steps_are_aligned_one_by_one() {
    let call = |command: &str| {
        format!(
            r#"{{"type":"tool_use","sessionID":"s","tool":"bash","input":{{"command":"{command}"}},"status":"completed"}}"#
        )
    };
    let (a, b) = ([call("a"), call("b"), call("c")].join("\n"), [call("a"), call("c")].join("\n"));
    let comparison = between(&of_lines(&a), &of_lines(&b));
    assert_eq!(steps(&comparison), ["-:- = bash(a)", "-:- -bash(b)", "-:- = bash(c)"]);
}

fn keys(choices: &[Choice]) -> Vec<(&str, &[u32])> {
    choices.iter().map(|choice| (choice.key.as_str(), choice.sessions.as_slice())).collect()
}

#[test]
fn sessions_of_one_run_are_chosen_by_tree() {
    assert_eq!(keys(&open(&["compare/good.jsonl"]).choices()), []);
    let both = open(&["compare/good.jsonl", "compare/errors.jsonl"]);
    let choices = both.choices();
    assert_eq!(
        keys(&choices),
        [
            ("tree:ses_aaaa11112222ffeGoodRunOfThePair", &[0u32][..]),
            ("tree:ses_bbbb33334444ffeRunWithErrorsPair", &[1][..]),
        ]
    );
    assert_eq!(choices[0].name, "good.jsonl · ses_aaaa11112222ffeGoodRunOfThePair");
    // The same as of two runs of one file each.
    let facts = |n: usize| both.facts(&choices[n].name, Some(&choices[n].sessions));
    let (together, apart) = (compare(&facts(0), &facts(1)), pair());
    assert_eq!(together.agreement, apart.agreement);
    assert_eq!(together.counts, apart.counts);
    assert_eq!(together.tools, apart.tools);
    assert_eq!(steps(&together), steps(&apart));
}

#[test]
fn a_tree_is_compared_whole_or_session_by_session() {
    let run = open(&["export/parent.json", "export/child.json", "compare/good.jsonl"]);
    let choices = run.choices();
    let trees: Vec<_> =
        choices.iter().map(|choice| (&choice.key[..choice.key.find(':').unwrap()], choice.sessions.len())).collect();
    assert_eq!(trees, [("tree", 2), ("session", 1), ("session", 1), ("tree", 1)]);
    let steps_of = |n: usize| run.facts("", Some(&choices[n].sessions));
    let total = |n: usize| compare(&steps_of(n), &steps_of(n)).a.total.steps;
    assert_eq!(total(0), total(1) + total(2));
}

#[test]
fn rows_are_handed_out_in_both_orders() {
    use steplens_core::compare::PairRow;
    let pair = pair();
    let shown = |first: bool| {
        let listing = pair.listing(first);
        let rows = pair.rows(&listing, 0..u64::MAX).rows;
        let head = |row: &PairRow| match row {
            PairRow::Step { same: true, calls, .. } => format!("= {calls}"),
            PairRow::Step { .. } => "≠".to_owned(),
            PairRow::Call(call) => call.tool.clone(),
        };
        rows.iter().map(head).collect::<Vec<_>>()
    };
    let differ = ["≠", "glob", "bash", "≠", "read", "≠", "bash", "≠", "edit", "≠", "bash"];
    let same = ["= read shop/README.md, grep TODO in shop", "= write shop/src/cart.py", "= "];
    assert_eq!(shown(true), [&differ[..], &same[..]].concat());
    assert_eq!(shown(false)[..5], ["≠", "glob", "bash", same[0], "≠"]);
    let window = pair.rows(&pair.listing(true), 12..99);
    assert_eq!((window.start, window.total, window.rows.len()), (12, 14, 2));
}
