//! `steplens compare`: the pair of fixtures, a run that went well and one with errors.

// A test may stop at the first thing that is not as it should be.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, missing_docs)]

mod common;

use common::{steplens, with_input};
use serde_json::{Value, json};

fn pair() -> [String; 2] {
    ["good", "errors"].map(|name| {
        common::fixtures().join(format!("../compare/{name}.jsonl")).canonicalize().unwrap().display().to_string()
    })
}

const SCREEN: &str = "\
A  good.jsonl
   completed  step 6 ended with reason stop  ses_aaaa11112222ffeGoodRunOfThePair
B  errors.jsonl
   completed  step 8 ended with reason stop  ses_bbbb33334444ffeRunWithErrorsPair
calls are compared without /home/ann in A and /builds/7 in B

                              A        B    B − A
steps                         6        8       +2
retries                       0        0        0
calls                         7        8       +1
calls failed                  0        4       +4
calls rejected                0        0        0
calls green but failed        0        2       +2
duration                   4.7s     6.8s    +2.1s
working                    1.1s     2.0s   +918ms
tokens total             12,210   18,730   +6,520
tokens input             11,900   18,420   +6,520
tokens cached input       9,000   14,700   +5,700
tokens uncached input     2,900    3,720     +820
tokens cache creation         0        0        0
tokens output               250      310      +60
tokens reasoning             60  unknown  unknown
cost reported            $0.015  unknown  unknown
cost comparable         unknown  unknown  unknown
cost list               unknown  unknown  unknown

tool   calls A  B  B − A  failed A  B  total A     B  output A     B
bash         2  2      0         0  2    960ms  1.8s      15 B  16 B
read         1  2     +1         0  1     40ms  50ms       7 B   7 B
edit         1  1      0         0  1     25ms   8ms      12 B   0 B
glob         1  1      0         0  0     50ms  45ms      11 B  11 B
grep         1  1      0         0  0     30ms  30ms      11 B  11 B
write        1  1      0         0  0     20ms  20ms      10 B  10 B

Only A did
  bash ls -la  line 3

Only B did
  read shop/docs/missing.md  failed  line 9
  bash pytest -q  failed  line 15

Came out otherwise
  edit shop/README.md  ok → failed  lines 13 and 18
  bash pytest -q  ok → green but failed  lines 16 and 21

Steps  3 the same, 3 that differ, 0 only in A, 2 only in B  (aligned by tools and arguments)
  A step 1 · B step 1
    − bash ls -la  only A: ok
  A – · B step 3
    + read shop/docs/missing.md  only B: failed
  A – · B step 5
    + bash pytest -q  only B: green but failed
  A step 4 · B step 6
    ≠ edit shop/README.md  ok → failed
  A step 5 · B step 7
    ≠ bash pytest -q  ok → green but failed
";

#[test]
fn two_runs_on_one_screen() {
    let [good, errors] = pair();
    assert_eq!(steplens(&["compare", &good, &errors]).good(), SCREEN);
}

#[test]
fn the_document_leaves_the_unknown_unknown() {
    let [good, errors] = pair();
    let document: Value = serde_json::from_str(&steplens(&["compare", &good, &errors, "--json"]).good()).unwrap();
    assert_eq!(document["schema"], 1);
    let cost = json!({"figure": "cost.reported", "aUsd": 0.015, "bUsd": null, "deltaUsd": null, "partial": false});
    assert_eq!(document["costs"][0], cost);
    let reasoning = document["counts"].as_array().unwrap().iter().find(|row| row["figure"] == "tokens.reasoning");
    assert_eq!(
        reasoning.unwrap(),
        &json!({"figure": "tokens.reasoning", "a": 60, "b": null, "delta": null, "partial": false})
    );
    assert_eq!(document["onlyA"][0]["tool"], "bash");
    assert_eq!(document["steps"].as_array().unwrap().len(), 8);
}

/// The totals of either side are those of `summary`.
#[test]
fn the_totals_are_those_of_the_summary() {
    let [good, errors] = pair();
    let document: Value = serde_json::from_str(&steplens(&["compare", &good, &errors, "--json"]).good()).unwrap();
    for (side, path) in [("a", &good), ("b", &errors)] {
        let summary: Value = serde_json::from_str(&steplens(&["summary", path, "--json"]).good()).unwrap();
        assert_eq!(document[side]["total"], summary["total"]);
    }
}

#[test]
fn one_side_may_be_standard_input() {
    let [good, errors] = pair();
    let ran = with_input(&["compare", "-", &errors], &std::fs::read(good).unwrap());
    assert!(ran.good().starts_with("A  standard input\n"));
    let message = steplens(&["compare", "-", "-"]).refused();
    assert!(message.contains("can be read only once"), "{message}");
}

#[test]
fn what_cannot_be_read_is_exit_code_two() {
    let [good, _] = pair();
    let message = steplens(&["compare", &good, "no/such/file.jsonl"]).refused();
    assert!(message.contains("no/such/file.jsonl: there is no such file"), "{message}");
    assert_eq!(steplens(&["compare", &good]).code, 2);
}
