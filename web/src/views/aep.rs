//! The AEP tab: a bus or hook log as events of the Agent Event Protocol.

use std::ops::Range;

use steplens_core::aep::{AepHead, AepKind, AepRow, Capture, Mode, RunSpan, Show};
use wasm_bindgen::JsCast;
use web_sys::{HtmlInputElement, HtmlSelectElement, KeyboardEvent};
use yew::{Callback, Html, InputEvent, Properties, TargetCast, component, html, use_effect_with, use_state};

use crate::components::copy::Copy;
use crate::components::icon::icon;
use crate::components::mini::clipped;
use crate::components::popover::Popover;
use crate::components::row::time;
use crate::components::virtual_list::{Memory, VirtualList};
use crate::components::why::coded;
use crate::dom;
use crate::engine::aep::{AepAsk, AepTold};
use crate::engine::protocol::{Answer, Ask};
use crate::hooks::block::{Block, Source, use_block};
use crate::hooks::context::{Act, use_act, use_reach};
use crate::hooks::keys::key_for;
use crate::state::Sight;
use crate::state::aep::{AepLook, AepPlace};
use crate::state::reducer::Action;
use crate::state::shared::Shared;
use crate::text::json::pretty;
use crate::text::number::{count, duration, grouped};
use steplens_core::time::TimeMs;

/// Height of a row; the style sheet says the same.
const ROW: u32 = 29;
/// Runs that are drawn.
const RUNS: usize = 40;

/// What the tab shows.
#[derive(Debug, PartialEq, Properties)]
pub struct AepProps {
    /// Changes when the log did.
    pub edition: (u32, u32, u32),
    /// Start of the run, milliseconds since the epoch.
    pub start: Option<i64>,
    /// How it is looked at.
    pub look: AepLook,
    /// Where the list was scrolled to.
    pub memory: Memory,
}

/// How the mapping stands.
#[derive(Debug, Clone, PartialEq)]
enum Stand {
    Waiting,
    Known(Shared<AepHead>, u32),
    Failed(String),
}

/// The selected row.
#[derive(Debug, Clone, PartialEq)]
struct Picked {
    /// Its place in the list.
    index: u64,
    row: AepRow,
    /// Its event, as its line of JSON.
    line: Option<String>,
}

impl Picked {
    fn is_at(&self, at: AepPlace) -> bool {
        (self.row.file, self.row.line, self.row.nth) == (at.file, at.line, at.nth)
    }
}

/// Selector of the list.
const LIST: &str = "#aep-events";
/// Rows that a page key moves.
const PAGE: u64 = 20;

fn row_id(row: u32) -> String {
    format!("aep-row-{row}")
}

/// Where a key leads from a row.
fn walk(key: &str, from: Option<u64>, total: u64) -> Option<u64> {
    let last = total.checked_sub(1)?;
    Some(match (key, from) {
        ("g" | "Home", _) => 0,
        ("G" | "End", _) => last,
        ("j" | "ArrowDown" | "PageDown", None) => 0,
        ("k" | "ArrowUp" | "PageUp", None) => last,
        ("j" | "ArrowDown", Some(row)) => row.saturating_add(1).min(last),
        ("k" | "ArrowUp", Some(row)) => row.saturating_sub(1),
        ("PageDown", Some(row)) => row.saturating_add(PAGE).min(last),
        ("PageUp", Some(row)) => row.saturating_sub(PAGE),
        _ => return None,
    })
}

/// The tab.
#[component]
pub fn Aep(props: &AepProps) -> Html {
    let act = use_act();
    let engine = use_reach().and_then(|reach| reach.engine);
    let stand = use_state(|| Stand::Waiting);
    let list = use_state(|| 0u32);
    let picked = use_state(|| None::<Picked>);
    let sight = use_state(|| None::<Sight>);
    let look = &props.look;
    {
        let (stand, list, engine, picked) = (stand.setter(), list.clone(), engine.clone(), picked.setter());
        let wanted = (props.edition, look.capture, look.mode, look.show, look.text.clone());
        use_effect_with((wanted, engine.is_some()), move |((_, capture, mode, show, text), _)| {
            let Some(engine) = engine else { return };
            picked.set(None);
            let number = list.wrapping_add(1);
            let then = move |answer| match answer {
                Answer::Aep(AepTold::Head(Ok(head))) => {
                    stand.set(Stand::Known(Shared::new(*head), number));
                    list.set(number);
                }
                Answer::Aep(AepTold::Head(Err(why))) => stand.set(Stand::Failed(why)),
                _ => stand.set(Stand::Failed("the reader stopped".to_owned())),
            };
            let ask = AepAsk::Head { capture: *capture, mode: *mode, show: *show, text: text.clone() };
            engine.0.ask(Ask::Aep(ask), Box::new(then));
        });
    }
    let (block, in_sight) = use_block(Source {
        edition: (props.edition.0, *list, 0),
        ask: |start, len| Ask::Aep(AepAsk::Rows { start, len }),
        read: |answer| match answer {
            Answer::Aep(AepTold::Rows { start, total, edition, rows }) => {
                Some(Block { start, total, list: edition, rows })
            }
            _ => None,
        },
    });
    let place = act.on({
        let look = look.clone();
        move |at: Option<AepPlace>| Action::Aep(AepLook { at, ..look.clone() })
    });
    let pick = {
        let (picked, engine, place) = (picked.clone(), engine.clone(), place.clone());
        Callback::from(move |(index, row): (u64, AepRow)| {
            let picked = picked.setter();
            place.emit(Some(AepPlace { file: row.file, line: row.line, nth: row.nth }));
            picked.set(Some(Picked { index, row: row.clone(), line: None }));
            if let Some(engine) = &engine {
                let ask = Ask::Aep(AepAsk::Line(row.id));
                let then = move |answer| {
                    if let Answer::Aep(AepTold::Line(line)) = answer {
                        picked.set(Some(Picked { index, row, line }));
                    }
                };
                engine.0.ask(ask, Box::new(then));
            }
        })
    };
    let close = {
        let (picked, place) = (picked.setter(), place.clone());
        Callback::from(move |()| {
            picked.set(None);
            place.emit(None);
        })
    };
    // Selects the row at a place of the list, and brings it into sight.
    let go = {
        let (pick, engine, sight, list) = (pick.clone(), engine.clone(), sight.clone(), *list);
        Callback::from(move |(index, centred): (u64, bool)| {
            let Some(engine) = &engine else { return };
            let (pick, sight) = (pick.clone(), sight.clone());
            let then = move |answer| {
                if let Answer::Aep(AepTold::Rows { start, rows, .. }) = answer
                    && let Some(row) = rows.into_iter().next()
                {
                    let number = sight.map_or(1, |sight| sight.number.wrapping_add(1));
                    sight.set(Some(Sight { list, row: start, number, centred }));
                    pick.emit((start, row));
                }
            };
            engine.0.ask(Ask::Aep(AepAsk::Rows { start: index, len: 1 }), Box::new(then));
        })
    };
    {
        // The row that the URL names, in this list.
        let (go, engine) = (go.clone(), engine.clone());
        let is_picked = picked.as_ref().is_some_and(|picked| look.at.is_some_and(|at| picked.is_at(at)));
        use_effect_with((*list, look.at), move |(list, at)| {
            let (Some(engine), Some(at)) = (engine, at.filter(|_| *list > 0 && !is_picked)) else { return };
            let then = move |answer| {
                if let Answer::Aep(AepTold::At(Some(index))) = answer {
                    go.emit((index, true));
                }
            };
            engine.0.ask(Ask::Aep(AepAsk::At(at.file, at.line, at.nth)), Box::new(then));
        });
    }
    let total = block.as_ref().map_or(0, |block| block.total);
    {
        let (go, close) = (go.clone(), close.clone());
        let index = picked.as_ref().map(|picked| picked.index);
        use_effect_with((index, total, *list, look.clone()), move |(index, total, ..)| {
            let (index, total) = (*index, *total);
            let listener = dom::document().map(|document| {
                dom::listen::listen(&document, "keydown", move |event| {
                    let Some(event) = event.dyn_ref::<KeyboardEvent>() else { return };
                    let Some(key) = key_for(event, LIST) else { return };
                    match (walk(&key, index, total), key.as_str()) {
                        (Some(to), _) => {
                            dom::focus(LIST);
                            go.emit((to, false));
                        }
                        (None, "Enter") if index.is_some() => {
                            dom::focus(".aep .detail-panel");
                        }
                        (None, "Escape") => close.emit(()),
                        _ => return,
                    }
                    event.prevent_default();
                })
            });
            move || drop(listener)
        });
    }
    let draw = {
        let (block, pick, start) = (block.clone(), pick, props.start);
        let chosen = picked.as_ref().map(|picked| picked.row.id);
        Callback::from(move |range: Range<u64>| {
            let rows = range.map(|index| {
                let item = block.as_ref().and_then(|block| block.get(index));
                draw_row(index, item, start, chosen, &pick)
            });
            html! { { for rows } }
        })
    };
    let head = match &*stand {
        Stand::Waiting => return frame(html! { <p class="muted nothing">{ "Mapping the log …" }</p> }),
        Stand::Failed(why) => {
            return frame(html! { <p class="nothing">{ format!("The log was not mapped: {why}.") }</p> });
        }
        Stand::Known(head, _) => head.clone(),
    };
    let active = picked.as_ref().map(|picked| row_id(picked.row.id));
    let clear = act.on({
        let look = look.clone();
        move |_: yew::MouseEvent| Action::Aep(AepLook { show: Show::All, text: String::new(), ..look.clone() })
    });
    let body = html! {
        <>
            <div class="list">
                { facts(&head) }
                { controls(&head, look, &act) }
                if block.is_some() && total == 0 {
                    <div class="nothing">
                        <p>{ "No row passes this filter." }</p>
                        <button type="button" class="button" onclick={clear}>{ "Show all" }</button>
                    </div>
                } else {
                    <VirtualList
                        id="aep-events"
                        label="AEP events"
                        class="events aep-events"
                        {total}
                        row_height={ROW}
                        {draw}
                        {in_sight}
                        sight={*sight}
                        {active}
                        fresh={*list}
                        memory={props.memory.clone()}
                    />
                }
            </div>
            { pane(picked.as_ref(), &close) }
        </>
    };
    frame(body)
}

fn frame(body: Html) -> Html {
    html! { <div id="panel-aep" class="timeline aep" role="tabpanel" aria-labelledby="tab-aep">{ body }</div> }
}

/// The counts, which add up, and what the log is.
fn facts(head: &AepHead) -> Html {
    let fact = |name: &'static str, n: u64, word: &'static str| {
        html! { <span><strong data-aep={name} data-value={n.to_string()}>{ grouped(n) }</strong>{ " " }{ word }</span> }
    };
    html! {
        <div class="aep-facts">
            if head.moments > 0 {
                <p>
                    { fact("moments", head.moments, "moments") }{ " = " }
                    { fact("mapped", head.mapped, "mapped") }{ " + " }
                    { fact("suppressed", head.suppressed, "suppressed") }{ " + " }
                    { fact("duplicates", head.duplicates, "duplicates") }
                </p>
            }
            <p>
                { fact("events", head.core + head.vendor, "events") }{ ": " }
                { fact("core", head.core, "core") }{ ", " }{ fact("vendor", head.vendor, "vendor") }{ ", " }
                { fact("pairs", head.pairs, "pairs") }
                <span class="muted">{ format!(" · agent {} · permission surface: ", head.agent) }{ coded(&head.surface) }</span>
                if !head.evidence.is_empty() {
                    <span class="muted">{ format!(" ({})", head.evidence.join(", ").replace('`', "")) }</span>
                }
            </p>
            if head.without_time > 0 {
                <p class="ink-warn">{ format!("{} no time and stand at 1970.", tells(head.without_time)) }</p>
            }
            if head.without_session > 0 {
                <p class="muted">{ format!("{} no session, and none stands before.", tells(head.without_session)) }</p>
            }
            { runs(&head.runs) }
        </div>
    }
}

fn tells(moments: u64) -> String {
    format!("{} {}", count(moments, "moment", "moments"), if moments == 1 { "tells" } else { "tell" })
}

/// Runs as spans on one axis, a row each while there are few.
fn runs(runs: &[RunSpan]) -> Html {
    let timed: Vec<&RunSpan> = runs.iter().filter(|run| run.from_ms > 0).take(RUNS).collect();
    let from = timed.iter().map(|run| run.from_ms).min().unwrap_or(0);
    let to = timed.iter().map(|run| run.to_ms.unwrap_or(run.from_ms)).max().unwrap_or(0);
    if timed.is_empty() || from >= to {
        return Html::default();
    }
    let whole = (to - from) as f64;
    let bars = timed.iter().map(|run| {
        let end = run.to_ms.unwrap_or(to);
        let (left, wide) = ((run.from_ms - from) as f64 / whole * 100.0, (end - run.from_ms) as f64 / whole * 100.0);
        let long = run.to_ms.map_or_else(
            || "no end in the log".to_owned(),
            |end| duration(end.abs_diff(run.from_ms)),
        );
        let how = run.end.as_deref().and_then(|end| end.strip_prefix("run.")).unwrap_or("open");
        let title = format!("Run {} of {}: {how}, {long}, {}", run.number, run.session, count(run.events, "event", "events"));
        html! {
            <li {title}>
                <span class="aep-run-name">{ format!("run {}", run.number) }</span>
                <span class="aep-run-lane"><i class={format!("aep-run is-{how}")} style={format!("left:{left:.2}%;width:{:.2}%", wide.max(0.4))} /></span>
                <span class="muted aep-run-long">{ format!("{how} · {long}") }</span>
            </li>
        }
    });
    html! { <ul class="plain aep-runs" aria-label="Runs">{ for bars }</ul> }
}

fn controls(head: &AepHead, look: &AepLook, act: &Act) -> Html {
    let silent = head.suppressed + head.duplicates;
    let counts = [head.core + head.vendor + silent, head.core, head.vendor, silent];
    let shows = Show::ALL.into_iter().zip(counts).map(|(show, n)| {
        let on = look.show == show;
        let word = match show {
            Show::All => "All",
            Show::Core => "core",
            Show::Vendor => "vendor",
            Show::Silent => "no event",
        };
        let look = look.clone();
        html! {
            <button
                type="button"
                class={if on { "f f-all on" } else { "f f-all" }}
                aria-pressed={on.to_string()}
                disabled={n == 0 && !on}
                onclick={act.on(move |_: yew::MouseEvent| Action::Aep(AepLook { show, ..look.clone() }))}
            >
                { word }{ " " }<span class="n">{ grouped(n) }</span>
            </button>
        }
    });
    let oninput = act.on({
        let look = look.clone();
        move |event: InputEvent| {
            let text = event.target_dyn_into::<HtmlInputElement>().map(|input| input.value()).unwrap_or_default();
            Action::Aep(AepLook { text, ..look.clone() })
        }
    });
    let capture = {
        let look = look.clone();
        act.on(move |event: yew::Event| {
            let value = event.target_dyn_into::<HtmlSelectElement>().map(|select| select.value()).unwrap_or_default();
            let capture = CAPTURES.into_iter().find(|capture| capture.name() == value).unwrap_or_default();
            Action::Aep(AepLook { capture, ..look.clone() })
        })
    };
    let mode = {
        let look = look.clone();
        act.on(move |event: yew::Event| {
            let value = event.target_dyn_into::<HtmlSelectElement>().map(|select| select.value()).unwrap_or_default();
            let mode = MODES.into_iter().find(|(_, name)| *name == value).map(|(mode, _)| mode).unwrap_or_default();
            Action::Aep(AepLook { mode, ..look.clone() })
        })
    };
    let types = head.types.iter().map(|(name, n)| {
        let (look, text) = (look.clone(), name.clone());
        let onclick = act.on(move |_: yew::MouseEvent| {
            Action::Aep(AepLook { show: Show::All, text: text.clone(), ..look.clone() })
        });
        html! { <li><button type="button" class="menu-item" {onclick}><span class="mono">{ name.clone() }</span><span class="muted">{ grouped(*n) }</span></button></li> }
    });
    html! {
        <div class="chips" role="toolbar" aria-label="AEP filters">
            { for shows }
            <Popover face={html! { <>{ "Types " }<span class="n">{ head.types.len() }</span>{ icon("down") }</> }} label="Types" class="f" title="Events by type">
                <h2>{ "Events by type" }</h2>
                <ul class="plain menu aep-types">{ for types }</ul>
            </Popover>
            <input type="search" class="aep-text" aria-label="Filter AEP events" placeholder="type or subject" value={look.text.clone()} {oninput} />
            <label class="aep-choice">{ "capture" }
                <select onchange={capture}>
                    { for CAPTURES.map(|capture| html! { <option value={capture.name()} selected={look.capture == capture}>{ capture.name() }</option> }) }
                </select>
            </label>
            <label class="aep-choice">{ "channel" }
                <select onchange={mode}>
                    { for MODES.map(|(mode, name)| html! { <option value={name} selected={look.mode == mode}>{ name }</option> }) }
                </select>
            </label>
        </div>
    }
}

const CAPTURES: [Capture; 4] = [Capture::None, Capture::Metadata, Capture::Redacted, Capture::Full];
const MODES: [(Mode, &str); 3] = [(Mode::Plugin, "plugin"), (Mode::Companion, "companion"), (Mode::Primary, "primary")];

fn word(row: &AepRow) -> (&'static str, &'static str) {
    match &row.kind {
        AepKind::Core => ("core", "core"),
        AepKind::Vendor => ("vendor", "vendor"),
        AepKind::Suppressed(_) => ("suppressed", "suppressed"),
        AepKind::Duplicate => ("duplicate", "duplicate"),
    }
}

fn draw_row(
    index: u64,
    row: Option<&AepRow>,
    start: Option<i64>,
    chosen: Option<u32>,
    pick: &Callback<(u64, AepRow)>,
) -> Html {
    let Some(row) = row else {
        return html! { <div key={index} class="row waiting" role="row" aria-rowindex={(index + 1).to_string()}><span role="gridcell" /></div> };
    };
    let (class, kind) = word(row);
    let onclick = {
        let (pick, row) = (pick.clone(), row.clone());
        move |_: yew::MouseEvent| pick.emit((index, row.clone()))
    };
    html! {
        <div
            key={index}
            id={row_id(row.id)}
            class={format!("row aep-row is-{class}")}
            role="row"
            aria-rowindex={(index + 1).to_string()}
            aria-selected={(chosen == Some(row.id)).to_string()}
            data-line={row.line.to_string()}
            data-type={row.name.clone()}
            {onclick}
        >
            { time(row.time_ms.map(TimeMs), start, false) }
            <span class="kd" role="gridcell">{ kind }</span>
            <span class="sm" role="gridcell">
                <button type="button" class="ask-open sm-text mono">{ clipped(&row.name, 200) }</button>
                if let Some(subject) = &row.subject {
                    <span class="sm-aside">{ clipped(subject, 200) }</span>
                }
                if let AepKind::Suppressed(why) = &row.kind {
                    <span class="sm-aside">{ why.clone() }</span>
                }
                if row.severity.as_deref() == Some("error") { <span class="tag bad">{ "error" }</span> }
            </span>
            <span class="aep-run-of muted" role="gridcell">{ row.run.map(|run| format!("run {run}")).unwrap_or_default() }</span>
            <span class="d" role="gridcell" title="After the event that it answers">{ row.pair_ms.map(duration).unwrap_or_default() }</span>
        </div>
    }
}

fn pane(picked: Option<&Picked>, close: &Callback<()>) -> Html {
    let Some(Picked { row, line, .. }) = picked else {
        return html! {
            <section class="detail is-empty" aria-label="AEP event">
                <div class="nothing"><p>{ "Select a row to see its event as JSON." }</p></div>
            </section>
        };
    };
    let close = close.reform(|_: yew::MouseEvent| ());
    let text = line.as_deref().map(pretty);
    html! {
        <section class="detail is-sheet" aria-label="AEP event">
            <header class="detail-head">
                <h2><span class="mono">{ clipped(&row.name, 200) }</span></h2>
                <button type="button" class="button square quiet detail-close" aria-label="Back to the list" title="Back to the list" onclick={close}>{ icon("close") }</button>
                <p class="detail-facts">
                    { format!("line {}", grouped(row.line)) }
                    if let Some(seq) = row.seq { { format!(" · seq {}", grouped(seq)) } }
                    if let Some(ms) = row.pair_ms { { format!(" · {} after the event that it answers", duration(ms)) } }
                </p>
            </header>
            <div class="detail-panel" tabindex="0" role="group" aria-label="The event as JSON">
                if let (Some(text), Some(line)) = (text, line) {
                    <div class="tools"><Copy text={line.clone()} label="Copy the event" word="Copy" /></div>
                    <pre class="aep-json">{ text }</pre>
                } else {
                    <p class="muted">
                        { match &row.kind {
                            AepKind::Suppressed(why) => format!("This moment gives no event: {why}."),
                            AepKind::Duplicate => "This moment was there before, or its original is: it gives no event of its own.".to_owned(),
                            AepKind::Core | AepKind::Vendor => "Its JSON is in the export.".to_owned(),
                        } }
                    </p>
                }
            </div>
        </section>
    }
}
