//! Lists with headings of turns and folded steps.

use steplens_core::outline::Folds;
use steplens_core::run::{Options, Run};
use steplens_core::view::{Filter, Row};

const START: u64 = 1_767_445_000_000;

fn read(log: &[String]) -> Run {
    let mut run = Run::new(Options::default());
    run.begin_file("log");
    run.push(log.join("\n").as_bytes());
    run.end_file();
    run
}

fn record(kind: &str, at: u64, part: &str) -> String {
    format!(r#"{{"type":"{kind}","timestamp":{},"sessionID":"ses_a","part":{{{part}}}}}"#, START + at)
}

fn step(n: u64, at: u64, reason: &str, exit: u64) -> Vec<String> {
    let call = format!(
        r#""id":"c{n}","callID":"c{n}","messageID":"m{n}","type":"tool","tool":"bash","state":{{"status":"completed","input":{{"command":"make"}},"output":"","metadata":{{"exit":{exit}}},"time":{{"start":{},"end":{}}}}}"#,
        START + at + 100,
        START + at + 300
    );
    vec![
        record("step_start", at, &format!(r#""id":"s{n}","messageID":"m{n}","type":"step-start""#)),
        record("tool_use", at + 300, &call),
        record("text", at + 400, &format!(r#""id":"t{n}","messageID":"m{n}","type":"text","text":"done {n}""#)),
        record(
            "step_finish",
            at + 500,
            &format!(
                r#""id":"f{n}","messageID":"m{n}","type":"step-finish","reason":"{reason}","cost":0.25,"tokens":{{"input":10,"output":5,"reasoning":0,"cache":{{"read":0,"write":0}}}}"#
            ),
        ),
    ]
}

/// Two turns, of two steps and of one; the call of step 2 is green but failed.
fn two_turns() -> Run {
    read(&[step(1, 0, "tool-calls", 0), step(2, 1000, "stop", 2), step(3, 5000, "stop", 0)].concat())
}

fn shown(run: &Run, filter: &Filter, folds: &Folds) -> Vec<String> {
    let view = run.view(filter);
    let outline = run.outline(&view, folds);
    let window = run.outline_window(&view, &outline, folds, 0..u64::MAX);
    assert_eq!(window.total, window.rows.len() as u64);
    assert_eq!(window.events, view.events());
    let word = |row: &Row| match row {
        Row::Turn(turn) => format!("turn {} of {} steps", turn.number, turn.steps),
        Row::Step(step) if step.is_folded => format!("folded {}, {} green but failed", step.number, step.green),
        Row::Step(step) => format!("step {}", step.number),
        Row::Event(event) => format!("line {}", event.line),
        Row::Ask(row) => format!("ask on line {}", row.ask.line),
    };
    window.rows.iter().map(word).collect()
}

#[test]
fn several_turns_have_headings() {
    let run = two_turns();
    let all = shown(&run, &Filter::default(), &Folds::default());
    let first = ["turn 1 of 2 steps", "step 1", "line 2", "line 3", "step 2", "line 6", "line 7"];
    assert_eq!(all, [&first[..], &["turn 2 of 1 steps", "step 3", "line 10", "line 11"]].concat());
    let view = run.view(&Filter::default());
    let outline = run.outline(&view, &Folds::default());
    let window = run.outline_window(&view, &outline, &Folds::default(), 7..8);
    let [Row::Turn(turn)] = &window.rows[..] else { panic!("row 7 is a heading") };
    assert_eq!((turn.line, turn.calls, turn.failed), (9, 1, 0));
    assert_eq!((turn.tokens, turn.cost_usd), (Some(15), Some(0.25)));
    assert_eq!((turn.duration_ms, turn.idle_ms), (Some(500), Some(3500)));
    assert_eq!((turn.prompt.as_deref(), turn.session.as_deref()), (None, None));
}

#[test]
fn one_turn_has_none() {
    let run = read(&[step(1, 0, "tool-calls", 0), step(2, 1000, "stop", 0)].concat());
    let all = shown(&run, &Filter::default(), &Folds::default());
    assert_eq!(all, ["step 1", "line 2", "line 3", "step 2", "line 6", "line 7"]);
}

#[test]
fn of_a_folded_step_its_head_is_left() {
    let run = two_turns();
    let mut folds = Folds::default();
    assert!(folds.set(1, true) && !folds.set(1, true));
    let all = shown(&run, &Filter::default(), &folds);
    let first = ["turn 1 of 2 steps", "step 1", "line 2", "line 3", "folded 2, 1 green but failed"];
    assert_eq!(all, [&first[..], &["turn 2 of 1 steps", "step 3", "line 10", "line 11"]].concat());
    // Rows 3 to 5 of the view are the step: its head stands at 4.
    let view = run.view(&Filter::default());
    let outline = run.outline(&view, &folds);
    let places: Vec<_> = (0..view.len()).map(|row| outline.row_of(row)).collect();
    assert_eq!(places, [1, 2, 3, 4, 4, 4, 6, 7, 8].map(Some));
    assert_eq!(outline.shown(&view).len(), 7);
    assert_eq!([3, 4, 5, 6].map(|row| run.step_of_row(&view, row)), [Some(1), Some(1), Some(1), Some(2)]);
}

#[test]
fn all_are_folded_but_one() {
    let run = two_turns();
    let mut folds = Folds::default();
    folds.set_all(true);
    folds.set(2, false);
    let all = shown(&run, &Filter::default(), &folds);
    let first = ["turn 1 of 2 steps", "folded 1, 0 green but failed", "folded 2, 1 green but failed"];
    assert_eq!(all, [&first[..], &["turn 2 of 1 steps", "step 3", "line 10", "line 11"]].concat());
    folds.set_all(false);
    assert!(folds.is_empty());
}

#[test]
fn a_filter_leaves_the_headings_of_what_it_leaves() {
    let run = two_turns();
    let filter = Filter { green_but_failed: true, ..Filter::default() };
    assert_eq!(shown(&run, &filter, &Folds::default()), ["turn 1 of 2 steps", "step 2", "line 6"]);
    let mut folds = Folds::default();
    folds.set_all(true);
    assert_eq!(shown(&run, &filter, &folds), ["turn 1 of 2 steps", "folded 2, 1 green but failed"]);
}
