//! The gallery, in development builds only (`gallery.html`): every kind of event, every outcome, state and edge case on one
//! page, drawn by the components themselves. The logs are the fixtures of the tests; nothing is made up here but extremes
//! that no log holds.

use std::collections::BTreeSet;

use steplens_core::foreign::Foreign;
use steplens_core::run::{DialectChoice, Options, Run};
use steplens_core::summary::Summary;
use steplens_core::time::TimeMs;
use steplens_core::view::{EventRow, Filter, Row};
use yew::{Callback, Html, component, html, use_memo};

use crate::components::band::Band;
use crate::components::chips::Chips;
use crate::components::detail::Detail;
use crate::components::figure::cell;
use crate::components::header::Header;
use crate::components::icon::sprite;
use crate::components::live::LiveProps;
use crate::components::messages::Messages;
use crate::components::progress::progress;
use crate::components::row::{Ground, row};
use crate::components::verdict::verdict;
use crate::engine::protocol::{Phase, Reading, Unrecognised};
use crate::hooks::context::{Act, use_act};
use crate::state::route::Chips as Pressed;
use crate::state::shared::Shared;
use crate::state::{Failure, Message, Slot, State};
use crate::text::number::{duration, grouped};
use crate::views::failed::failed;

macro_rules! logs {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_bytes!(concat!("../../../tests/fixtures/", $name)) as &[u8])),*]
    };
}

/// Logs whose rows are shown: all kinds and outcomes of both harnesses, and what logs do that they should not.
const ROWS: [(&str, &[u8]); 14] = logs![
    "step_stream/kilo_run_all_tools.jsonl",
    "step_stream/opencode_run_all_tools.jsonl",
    "step_stream/case_status_words.jsonl",
    "step_stream/case_rejected.jsonl",
    "step_stream/case_green_but_failed.jsonl",
    "step_stream/case_error_shapes.jsonl",
    "step_stream/case_bad_lines.jsonl",
    "step_stream/case_unknown_types.jsonl",
    "step_stream/control_characters.jsonl",
    "step_stream/continued_run.jsonl",
    "step_stream/retry_six_starts_then_error.jsonl",
    "export/parent.json",
    "bus/asks.jsonl",
    "bus/open.jsonl",
];

/// Logs whose ends are shown.
const ENDS: [(&str, &[u8]); 6] = logs![
    "step_stream/case_verdict_stop.jsonl",
    "step_stream/case_verdict_error.jsonl",
    "step_stream/case_verdict_aborted.jsonl",
    "step_stream/case_verdict_length.jsonl",
    "step_stream/case_cut_no_finish.jsonl",
    "step_stream/case_flat_shape.jsonl",
];

/// Logs whose figures are shown: known, derived, unknown, and larger than anything.
const FIGURES: [(&str, &[u8]); 5] = logs![
    "step_stream/kilo_run_all_tools.jsonl",
    "step_stream/case_no_model.jsonl",
    "step_stream/huge_numbers.jsonl",
    "step_stream/case_only_error.jsonl",
    "step_stream/two_sessions_interleaved.jsonl",
];

/// Events of one kind and outcome whose panes are shown.
const PANES: usize = 40;

/// The latest time that is read as one.
const LATEST: i64 = 253_402_300_799_999;
const LONG: &str = "src/a/very/long/path/that/does/not/fit/into/any/row/of/any/window/because/it/goes/on/and/on/and/on/and/on/and/on/and/on/until/it/ends/in/file.rs";

/// Whether this page is the gallery.
pub fn is_gallery() -> bool {
    crate::dom::window()
        .and_then(|window| window.location().pathname().ok())
        .is_some_and(|path| path.ends_with("/gallery.html"))
}

/// The gallery.
#[component]
pub fn Gallery() -> Html {
    let act = use_act();
    use_memo((), |()| crate::dom::theme::apply());
    crate::dom::set_state("ready");
    let sections = [
        ("Rows", rows(&act)),
        (
            "Verdicts",
            html! { <p class="gallery-line">{ for ENDS.map(|(_, log)| verdict(&read(log).summary(), false)) }</p> },
        ),
        ("Figures", figures()),
        ("Filters", filters()),
        ("Panes", panes()),
        ("Readings", readings()),
        ("Files that could not be read", failures(&act)),
        ("Messages", messages()),
        ("Small parts", parts()),
    ];
    let sections =
        sections.map(|(name, body)| html! { <section class="gallery-part"><h2>{ name }</h2>{ body }</section> });
    html! {
        <>
            { sprite() }
            <div class="gallery"><h1>{ "Gallery" }</h1>{ for sections }</div>
        </>
    }
}

fn read(log: &[u8]) -> Run {
    let mut run = Run::new(Options::default());
    run.begin_file("run.jsonl");
    run.push(log);
    run.end_file();
    run
}

fn all_rows(run: &Run, folded: bool) -> Vec<Row> {
    let view = run.view(&Filter::default());
    let mut folds = steplens_core::outline::Folds::default();
    folds.set_all(folded);
    let outline = run.outline(&view, &folds);
    run.outline_window(&view, &outline, &folds, 0..outline.len()).rows
}

fn rows(act: &Act) -> Html {
    let mut of_logs: Vec<(&str, Option<i64>, Vec<Row>)> = ROWS
        .iter()
        .map(|(name, log)| {
            let run = read(log);
            let start = run.summary().total.started_at.as_deref().and_then(crate::dom::clock::parse);
            (*name, start, all_rows(&run, false))
        })
        .collect();
    let event = of_logs.iter().flat_map(|(_, _, rows)| rows).find_map(|row| match row {
        Row::Event(event) => Some(event.clone()),
        _ => None,
    });
    let folded = ROWS.first().map(|(_, log)| ("all steps folded", None, all_rows(&read(log), true)));
    of_logs.extend(folded);
    of_logs.extend(event.map(|event| ("extremes", event.time.map(|time| time.0), extremes(&event))));
    let lists = of_logs.iter().map(|(name, start, rows)| {
        let ground = Ground { start: *start, is_short: false, selected: Some(2), query: "file", act, picked: None, sessions: &[], is_live: false };
        let drawn = (0u64..).zip(rows).map(|(n, each)| row(n, Some(each), None, &ground));
        html! {
            <>
                <h3>{ *name }</h3>
                <div class="gallery-rows" role="grid" aria-label={*name} tabindex="0">{ for drawn }{ row(99, None, None, &ground) }</div>
            </>
        }
    });
    html! { <>{ for lists }</> }
}

/// What no log holds at once.
fn extremes(event: &EventRow) -> Vec<Row> {
    let long = |id| EventRow {
        id,
        summary: LONG.repeat(3),
        aside: Some(LONG.to_owned()),
        note: Some(LONG.to_owned()),
        ..event.clone()
    };
    let bare = |id| EventRow {
        id,
        time: None,
        duration_ms: None,
        summary: String::new(),
        aside: None,
        note: None,
        ..event.clone()
    };
    let late = |id| EventRow {
        id,
        line: u64::MAX,
        duration_ms: Some(u64::MAX / 2),
        time: Some(TimeMs(LATEST)),
        ..event.clone()
    };
    [long(9_001), bare(9_002), late(9_003)].map(Row::Event).to_vec()
}

fn figures() -> Html {
    let mut of_logs: Vec<(&str, Summary)> = FIGURES.map(|(name, log)| (name, read(log).summary())).to_vec();
    of_logs.push(("nothing at all", Summary::default()));
    let each = of_logs.into_iter().map(|(name, summary)| {
        let summary = Shared::new(summary);
        html! {
            <>
                <h3>{ name }</h3>
                <Header
                    rules={Some(("acme".into(), false, false))}
                    title={format!("{name}.jsonl")}
                    summary={summary.clone()}
                    dialect={DialectChoice::Auto}
                    extensions={false}
                    session={None::<String>}
                    live={LiveProps::of(&State::default())}
                    is_live={false}
                    is_reading={false}
                />
                <Band summary={summary} />
            </>
        }
    });
    html! { <>{ for each }</> }
}

fn filters() -> Html {
    let pressed = Pressed { green_but_failed: true, tools: vec![LONG.to_owned()], ..Pressed::default() };
    let each = [("none pressed", Pressed::default()), ("some pressed", pressed)].map(|(name, pressed)| {
        let run = read(ROWS.first().map_or(&[][..], |(_, log)| log));
        html! {
            <>
                <h3>{ name }</h3>
                <Chips {pressed} counts={Shared::new(run.filter_counts(&Filter::default()))} summary={Shared::new(run.summary())} start={None} />
            </>
        }
    });
    html! { <>{ for each }</> }
}

/// A pane for the first event of every kind and outcome, and panes without one.
fn panes() -> Html {
    let mut seen = BTreeSet::new();
    let mut panes = Vec::new();
    for (_, log) in ROWS {
        let run = read(log);
        for row in all_rows(&run, false) {
            let Row::Event(event) = row else { continue };
            if panes.len() >= PANES || !seen.insert((event.kind, event.outcome.map(|outcome| outcome.name()))) {
                continue;
            }
            let bytes = run
                .span_of_event(event.id)
                .and_then(|span| log.get(span.offset as usize..(span.offset + span.len) as usize));
            let known = bytes.and_then(|bytes| run.detail(event.id, bytes));
            panes.push((event, known.map_or(Slot::Waiting, |known| Slot::Known(Shared::new(known)))));
        }
    }
    if let Some((event, _)) = panes.first().cloned() {
        panes.push((event.clone(), Slot::Waiting));
        panes.push((event, Slot::Unreadable("run.jsonl could not be read (NotReadableError).".to_owned())));
    }
    let drawn = panes.into_iter().map(|(event, slot)| {
        html! { <div class="gallery-pane"><Detail event={Shared::new(event)} {slot} sheet={false} query={String::new()} has_failures={true} has_events={true} /></div> }
    });
    html! {
        <div class="gallery-panes">
            { for drawn }
            <div class="gallery-pane"><Detail event={None} slot={Slot::Waiting} sheet={false} query={String::new()} has_failures={true} has_events={true} /></div>
        </div>
    }
}

fn readings() -> Html {
    let each = [(3u64 << 20, 180u64 << 20, 800.0), (0, u64::MAX, 60_000.0), (180 << 20, 180 << 20, 3_000.0)].map(
        |(bytes, size, elapsed_ms)| {
            let reading = Reading { phase: Phase::Reading, bytes, size, elapsed_ms, waiting: 0 };
            progress(&reading, Callback::noop())
        },
    );
    html! { <div class="gallery-line">{ for each }</div> }
}

fn failures(act: &Act) -> Html {
    let state = State::default();
    let unknown = Unrecognised {
        name: LONG.to_owned(),
        bytes: 12_345,
        head: b"PK\x03\x04 \x00\xFF a file that is no log\n".to_vec(),
        foreign: None,
        reason: "none of its lines is a record of a known format".to_owned(),
    };
    let empty = Unrecognised { foreign: Some(Foreign::Empty), head: Vec::new(), bytes: 0, ..unknown.clone() };
    let failures = [
        Failure::Unrecognised(Box::new(unknown)),
        Failure::Unrecognised(Box::new(empty)),
        Failure::Unreadable { file: LONG.to_owned(), error: "NotReadableError".to_owned() },
        Failure::Outdated,
        Failure::Lost { reason: "out of memory".to_owned() },
        Failure::Lost { reason: "panicked at core/src/run/mod.rs:1".to_owned() },
    ];
    html! { <>{ for failures.iter().map(|failure| failed(failure, &state, act)) }</> }
}

fn messages() -> Html {
    let each = [
        ("Line 3 gave no event of its own.".to_owned(), false),
        (format!("{LONG} could not be read any further (NotReadableError): it changed or moved on disk."), true),
    ];
    let each = each.map(|(text, stays)| html! { <Messages message={Message { text, stays }} /> });
    html! { <div class="gallery-messages">{ for each }</div> }
}

fn parts() -> Html {
    let figures = [Some(0), Some(1_234), Some(u64::MAX), None];
    html! {
        <>
            <p class="gallery-line">
                { for figures.map(|figure| html! { <span>{ cell(figure, grouped) }</span> }) }
                { for figures.map(|figure| html! { <span>{ cell(figure, duration) }</span> }) }
            </p>
            <p class="gallery-line">
                <button type="button" class="button">{ "Button" }</button>
                <button type="button" class="button primary">{ "Primary" }</button>
                <button type="button" class="button" aria-pressed="true">{ "Pressed" }</button>
                <button type="button" class="button" disabled=true>{ "Disabled" }</button>
                <button type="button" class="link">{ "Link" }</button>
                <kbd>{ "k" }</kbd><code>{ "code" }</code><mark>{ "mark" }</mark>
            </p>
        </>
    }
}
