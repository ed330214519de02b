//! The whole run on one axis: steps, lanes of work, tokens, waits, and what went wrong.
//!
//! A click goes to the nearest event, a drag keeps only what lies in the stretch, the wheel narrows and widens it. The
//! same by keys: arrows move a cursor, with Shift they stretch, Enter goes there, Escape shows all again.

pub mod picture;
pub mod reading;
pub mod seen;
pub mod ticks;

use std::cell::RefCell;
use std::rc::Rc;

use steplens_core::overview::{Axis, Overview, Stretch, WIDTH};
use steplens_core::summary::Summary;
use steplens_core::view::EventRow;
use web_sys::wasm_bindgen::JsCast;
use web_sys::{Element, WheelEvent};
use yew::{
    Callback, Html, KeyboardEvent, PointerEvent, Properties, component, hook, html, use_effect_with, use_mut_ref,
    use_node_ref, use_state, use_state_eq,
};

use self::picture::{AXIS, LANES, MARKS, Picture, height, pitch, pointed, shape};
use self::seen::{InSight, Seen};
use super::popover::Popover;
use crate::dom;
use crate::engine::protocol::{Answer, Ask, Target};
use crate::hooks::context::{EngineHandle, use_act, use_reach};
use crate::state::reducer::Action;
use crate::state::shared::Shared;
use crate::text::number::{count, grouped};

/// Units that an arrow key moves.
const ARROW: u32 = WIDTH / 200;
/// Units that a page key moves.
const PAGE: u32 = WIDTH / 10;
/// Pixels that make a drag of a click.
const DRAG: f64 = 4.0;
/// Time without a key or a turn of the wheel before the stretch is taken.
const PAUSE_MS: i32 = 160;
/// The narrowest stretch that the wheel makes.
const NARROWEST: u32 = WIDTH / 400;

/// What the overview shows.
#[derive(Debug, PartialEq, Properties)]
pub struct MinimapProps {
    /// Counts openings.
    pub opening: u32,
    /// The summary; another one is a reason to ask again.
    pub summary: Shared<Summary>,
    /// Start of the run, milliseconds since the epoch.
    pub start: Option<i64>,
    /// The stretch that the list is filtered by.
    pub range: Option<Stretch>,
    /// The selected event.
    pub selected: Option<Shared<EventRow>>,
    /// What of the run is in sight in the list.
    pub seen: Seen,
}

/// The overview of the run.
#[component]
pub fn Minimap(props: &MinimapProps) -> Html {
    let overview = use_overview(props.opening, &props.summary);
    let Some(overview) = overview.filter(|overview| !overview.pieces.is_empty()) else {
        return html! { <div class="minimap is-empty" aria-hidden="true" /> };
    };
    let start = props.start.unwrap_or_else(|| overview.ends().map_or(0, |(first, _)| first));
    html! {
        <section class="minimap" aria-label="Overview">
            <Plot
                {overview}
                {start}
                summary={props.summary.clone()}
                range={props.range}
                selected={props.selected.clone()}
                seen={props.seen.clone()}
            />
        </section>
    }
}

/// The overview of what is open; asked for again whenever there is another summary, one question at a time.
#[hook]
fn use_overview(opening: u32, summary: &Shared<Summary>) -> Option<Shared<Overview>> {
    let overview = use_state(|| None::<(u32, Shared<Overview>)>);
    let asked = use_mut_ref(Asked::default);
    let engine = use_reach().and_then(|reach| reach.engine);
    {
        let setter = overview.setter();
        use_effect_with((opening, summary.clone()), move |(opening, _)| {
            let opening = *opening;
            let hear = Rc::new(move |found| setter.set(Some((opening, Shared::new(found)))));
            if let Some(engine) = engine {
                fetch(&engine, &asked, hear);
            }
        });
    }
    (*overview).clone().filter(|(of, _)| *of == opening).map(|(_, overview)| overview)
}

#[derive(Debug, Default)]
struct Asked {
    is_asked: bool,
    again: bool,
}

fn fetch(engine: &EngineHandle, asked: &Rc<RefCell<Asked>>, hear: Rc<dyn Fn(Overview)>) {
    {
        let mut asked = asked.borrow_mut();
        if asked.is_asked {
            asked.again = true;
            return;
        }
        asked.is_asked = true;
    }
    let (again, engine_then) = (asked.clone(), engine.clone());
    let then = move |answer| {
        let is_wanted = {
            let mut asked = again.borrow_mut();
            asked.is_asked = false;
            std::mem::take(&mut asked.again)
        };
        if let Answer::Overview(overview) = answer {
            hear(*overview);
        }
        if is_wanted {
            fetch(&engine_then, &again, hear);
        }
    };
    engine.0.ask(Ask::Overview, Box::new(then));
}

#[derive(Debug, PartialEq, Properties)]
struct PlotProps {
    overview: Shared<Overview>,
    start: i64,
    summary: Shared<Summary>,
    range: Option<Stretch>,
    selected: Option<Shared<EventRow>>,
    seen: Seen,
}

/// Where the pointer or the keyboard is.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Cursor {
    at: u32,
    /// Height of the pointer; none by keyboard.
    y: Option<f64>,
}

#[component]
fn Plot(props: &PlotProps) -> Html {
    let act = use_act();
    let node = use_node_ref();
    let width = use_state_eq(|| 0.0f64);
    let cursor = use_state_eq(|| None::<Cursor>);
    // A stretch that is being made, in units.
    let draft = use_state_eq(|| None::<(u32, u32)>);
    let drag = use_mut_ref(|| None::<f64>);
    let anchor = use_mut_ref(|| None::<u32>);
    let timer = use_mut_ref(|| None::<dom::timer::Timer>);
    let overview = props.overview.clone();
    {
        let (node, width) = (node.clone(), width.setter());
        use_effect_with((), move |()| {
            let watched = node.cast::<Element>().map(|element| {
                let measured = element.clone();
                let measure = move || width.set(f64::from(measured.client_width()));
                measure();
                dom::resize::watch(&element, measure)
            });
            move || drop(watched)
        });
    }
    {
        // The draft was taken, or the range changed from outside.
        let (draft, anchor) = (draft.setter(), anchor.clone());
        use_effect_with(props.range, move |range| {
            draft.set(None);
            if range.is_none() {
                anchor.replace(None);
            }
        });
    }
    let wide = *width;
    let px = |units: u32| f64::from(units) * wide / f64::from(WIDTH);
    let units = move |x: f64| ((x / wide.max(1.0)).clamp(0.0, 1.0) * f64::from(WIDTH)).round() as u32;
    let shown = draft.or_else(|| {
        let range = props.range.filter(|range| range.axis == overview.axis)?;
        Some((overview.place(range.from), overview.place(range.to)))
    });

    let keep = {
        let (act, overview, timer) = (act.clone(), overview.clone(), timer.clone());
        move |(from, to): (u32, u32)| {
            timer.replace(None);
            let first = overview.value(from.min(to));
            let last = overview.value(from.max(to));
            // The record that a stretch ends in is part of it.
            let last = if overview.axis == Axis::Order { last + 1 } else { last.max(first + 1) };
            act.now(Action::Range(Some(Stretch { axis: overview.axis, from: first, to: last })));
        }
    };
    let keep_soon = {
        let (draft, timer, keep) = (draft.setter(), timer.clone(), keep.clone());
        move |stretch: (u32, u32)| {
            draft.set(Some(stretch));
            let keep = keep.clone();
            timer.replace(Some(dom::timer::after(PAUSE_MS, move || keep(stretch))));
        }
    };
    let clear = {
        let (act, draft, timer, anchor) = (act.clone(), draft.setter(), timer.clone(), anchor.clone());
        move || {
            timer.replace(None);
            anchor.replace(None);
            draft.set(None);
            act.now(Action::Range(None));
        }
    };
    let go = {
        let (act, overview) = (act.clone(), overview.clone());
        move |at: u32, y: Option<f64>| {
            let (work, wrong) = y.map_or((None, false), |y| pointed(&overview, wide, y));
            let target = Target::Near { axis: overview.axis, value: overview.value(at), work, wrong };
            act.now(Action::Jump(target));
        }
    };
    let spot = {
        let node = node.clone();
        move |event: &PointerEvent| {
            let rect = node.cast::<Element>()?.get_bounding_client_rect();
            Some((f64::from(event.client_x()) - rect.left(), f64::from(event.client_y()) - rect.top()))
        }
    };

    let onpointerdown = {
        let (drag, spot, node) = (drag.clone(), spot.clone(), node.clone());
        move |event: PointerEvent| {
            if event.button() != 0 {
                return;
            }
            if let (Some((x, _)), Some(element)) = (spot(&event), node.cast::<Element>()) {
                drag.replace(Some(x));
                // Without it a drag ends at the edge; nothing else is lost.
                let _ = element.set_pointer_capture(event.pointer_id());
            }
        }
    };
    let onpointermove = {
        let (drag, spot, draft, cursor) = (drag.clone(), spot.clone(), draft.setter(), cursor.setter());
        move |event: PointerEvent| {
            let Some((x, y)) = spot(&event) else { return };
            cursor.set(Some(Cursor { at: units(x), y: Some(y) }));
            if let Some(from) = drag.borrow().filter(|from| (from - x).abs() >= DRAG) {
                draft.set(Some((units(from.min(x)), units(from.max(x)))));
            }
        }
    };
    let onpointerup = {
        let (drag, spot, keep, go) = (drag.clone(), spot.clone(), keep.clone(), go.clone());
        move |event: PointerEvent| {
            let (Some(from), Some((x, y))) = (drag.take(), spot(&event)) else { return };
            if (from - x).abs() >= DRAG {
                keep((units(from), units(x)));
            } else {
                go(units(x), Some(y));
            }
        }
    };
    let onpointercancel = {
        let (drag, draft) = (drag.clone(), draft.setter());
        move |_: PointerEvent| {
            drag.take();
            draft.set(None);
        }
    };
    let onpointerleave = {
        let cursor = cursor.setter();
        move |_: PointerEvent| cursor.set(None)
    };
    let home = props.selected.as_ref().and_then(|event| ends_of(&overview, event)).map_or(0, |(from, _)| from);
    let at = cursor.map_or(home, |cursor| cursor.at);
    let onkeydown = {
        let (cursor, keep_soon, clear, go) = (cursor.setter(), keep_soon.clone(), clear.clone(), go.clone());
        let is_stretched = shown.is_some();
        move |event: KeyboardEvent| {
            if event.ctrl_key() || event.meta_key() || event.alt_key() {
                return;
            }
            let to = match event.key().as_str() {
                "ArrowLeft" | "ArrowDown" => at.saturating_sub(ARROW),
                "ArrowRight" | "ArrowUp" => at.saturating_add(ARROW).min(WIDTH),
                "PageDown" => at.saturating_sub(PAGE),
                "PageUp" => at.saturating_add(PAGE).min(WIDTH),
                "Home" => 0,
                "End" => WIDTH,
                "Enter" | " " => {
                    event.prevent_default();
                    return go(at, None);
                }
                "Escape" if is_stretched => {
                    event.prevent_default();
                    return clear();
                }
                _ => return,
            };
            event.prevent_default();
            cursor.set(Some(Cursor { at: to, y: None }));
            if event.shift_key() {
                let from = *anchor.borrow_mut().get_or_insert(at);
                if from != to {
                    keep_soon((from.min(to), from.max(to)));
                }
            } else {
                anchor.replace(None);
            }
        }
    };
    {
        let node = node.clone();
        use_effect_with((overview.clone(), wide, shown), move |(_, _, shown)| {
            let shown = *shown;
            let listener = node.cast::<Element>().map(|element| {
                dom::listen::listen(&element.clone(), "wheel", move |event| {
                    let Some(wheel) = event.dyn_ref::<WheelEvent>() else { return };
                    if wheel.delta_y() == 0.0 {
                        return;
                    }
                    event.prevent_default();
                    let at = units(f64::from(wheel.client_x()) - element.get_bounding_client_rect().left());
                    match wheeled(shown.unwrap_or((0, WIDTH)), at, wheel.delta_y() < 0.0) {
                        Some(stretch) => keep_soon(stretch),
                        None if shown.is_some() => clear(),
                        None => {}
                    }
                })
            });
            move || drop(listener)
        });
    }

    let high = height(&overview, wide);
    let lines = cursor.map(|cursor| reading::at(&overview, cursor.at, props.start)).unwrap_or_default();
    let spoken = reading::at(&overview, at, props.start).join(", ");
    let band = |from: u32, to: u32, class: &'static str| {
        let style = format!("left:{:.1}px;width:{:.1}px", px(from), (px(to) - px(from)).max(2.0));
        html! { <i {class} {style} /> }
    };
    let note = match (overview.axis, overview.unplaced) {
        (Axis::Order, _) => Some("By order: this log has no times".to_owned()),
        (Axis::Time, 0) => None,
        (Axis::Time, n) => Some(format!("{} without a time not drawn", count(n, "event", "events"))),
    };
    let tip = cursor.filter(|_| drag.borrow().is_none() || draft.is_none()).map(|cursor| {
        let x = px(cursor.at);
        let side =
            if x > wide / 2.0 { format!("right:{:.0}px", wide - x + 10.0) } else { format!("left:{:.0}px", x + 10.0) };
        html! {
            <div class="mm-tip" style={side} aria-hidden="true">
                { for lines.iter().map(|line| html! { <p>{ line.clone() }</p> }) }
            </div>
        }
    });
    html! {
        <>
            <div class="mm-gutter">
                { legend(&overview) }
                { for overview.lanes.iter().enumerate().map(|(row, lane)| {
                    let top = LANES + row as f64 * pitch(wide);
                    let title = format!("{}: {}", reading::what(lane.work), count(lane.count, "event", "events"));
                    html! { <span class="mm-label" style={format!("top:{top:.0}px")} {title}>{ reading::word(lane.work) }</span> }
                }) }
                if !overview.asks.is_empty() {
                    <span class="mm-label" style={format!("top:{:.0}px", LANES + overview.lanes.len() as f64 * pitch(wide))} title="What was asked of a person, from the request to the answer">{ "asked" }</span>
                }
                if overview.max_tokens > 0 {
                    <span class="mm-label" style={format!("top:{:.0}px", high - 17.0)} title={format!("Tokens of each step, up to {}", grouped(overview.max_tokens))}>{ "tokens" }</span>
                }
            </div>
            <div
                ref={node}
                id="minimap"
                class="mm-plot"
                style={format!("height:{high:.0}px")}
                role="slider"
                tabindex="0"
                aria-label="Overview of the run"
                aria-describedby="mm-text"
                aria-valuemin="0"
                aria-valuemax={WIDTH.to_string()}
                aria-valuenow={at.to_string()}
                aria-valuetext={spoken}
                {onpointerdown}
                {onpointermove}
                {onpointerup}
                {onpointercancel}
                {onpointerleave}
                {onkeydown}
            >
                if wide > 0.0 {
                    <SeenBand overview={overview.clone()} seen={props.seen.clone()} width={wide} />
                    <Picture overview={overview.clone()} width={wide} start={props.start} />
                    if let Some((from, to)) = props.selected.as_ref().and_then(|event| ends_of(&overview, event)) {
                        { band(from, to, "mm-selected") }
                    }
                    if let Some((from, to)) = shown {
                        { band(0, from, "mm-out") }
                        { band(to, WIDTH, "mm-out") }
                        { band(from, to, "mm-range") }
                    }
                    if let Some(cursor) = *cursor {
                        <i class="mm-cursor" style={format!("left:{:.1}px", px(cursor.at))} />
                    }
                    { tip.unwrap_or_default() }
                }
            </div>
            if let Some(note) = note {
                <p class="mm-note">{ note }</p>
            }
            <p id="mm-text" class="unseen">{ reading::whole(&overview, &props.summary) }</p>
        </>
    }
}

/// Where an event stands, in units; none where the axis cannot place it.
fn ends_of(overview: &Overview, event: &EventRow) -> Option<(u32, u32)> {
    let (from, to) = match overview.axis {
        Axis::Time => event.span.map(|(from, to)| (from.0, to.0))?,
        Axis::Order => (event.record.into(), event.record.into()),
    };
    Some((overview.place(from), overview.place(to)))
}

/// The stretch after a turn of the wheel at a place; none where it is the whole again.
fn wheeled((from, to): (u32, u32), at: u32, narrows: bool) -> Option<(u32, u32)> {
    let at = at.clamp(from, to);
    let scale = |part: u32| if narrows { part / 5 * 4 } else { part / 4 * 5 + ARROW };
    let (from, to) = (at.saturating_sub(scale(at - from)), at.saturating_add(scale(to - at)).min(WIDTH));
    if narrows && to - from < NARROWEST {
        let from = at.saturating_sub(NARROWEST / 2).min(WIDTH - NARROWEST);
        return Some((from, from + NARROWEST));
    }
    ((from, to) != (0, WIDTH)).then_some((from, to))
}

#[derive(Debug, PartialEq, Properties)]
struct SeenBandProps {
    overview: Shared<Overview>,
    seen: Seen,
    width: f64,
}

/// What of the run is in sight in the list.
#[component]
fn SeenBand(props: &SeenBandProps) -> Html {
    let now = use_state_eq(InSight::default);
    {
        let setter = now.setter();
        use_effect_with(props.seen.clone(), move |seen| seen.hear(Callback::from(move |now| setter.set(now))));
    }
    let ends = match props.overview.axis {
        Axis::Time => now.times,
        Axis::Order => now.records,
    };
    let Some((from, to)) = ends else { return Html::default() };
    let px = |value: i64| f64::from(props.overview.place(value)) * props.width / f64::from(WIDTH);
    let style = format!("left:{:.1}px;width:{:.1}px", px(from), (px(to) - px(from)).max(3.0));
    html! { <i class="mm-seen" {style} /> }
}

fn legend(overview: &Overview) -> Html {
    use steplens_core::overview::Mark;
    let none = Mark::default();
    let marks = [
        (Mark { errors: 1, ..none }, "error that the harness reported"),
        (Mark { failed: 1, ..none }, "failed call"),
        (Mark { green: 1, ..none }, "green but failed: the status says success"),
        (Mark { rejected: 1, ..none }, "rejected call"),
    ];
    let mark = |(mark, what): (Mark, &'static str)| {
        html! {
            <li>
                <svg class="mm-key" width="14" height="12" viewBox={format!("-7 {AXIS} 14 {MARKS}")} aria-hidden="true">{ shape(&mark, 0.0) }</svg>
                { what }
            </li>
        }
    };
    let lanes = overview.lanes.iter().map(|lane| {
        let word = reading::word(lane.work);
        html! {
            <li>
                <i class={format!("mm-key mm-{word}")} aria-hidden="true" />
                { reading::what(lane.work) }
                <span class="muted">{ " " }{ grouped(lane.count) }</span>
            </li>
        }
    });
    html! {
        <Popover face={html! { <span>{ "Legend" }</span> }} label="Legend" class="mm-legend" title="What the overview shows, and how to use it">
            <h2>{ "What went wrong" }</h2>
            <ul class="plain mm-keys">{ for marks.into_iter().map(mark) }</ul>
            <h2>{ "Work" }</h2>
            <ul class="plain mm-keys">
                <li><i class="mm-key mm-steps" aria-hidden="true" />{ "Steps; red where a call failed or was rejected" }</li>
                { for lanes }
                <li><i class="mm-key mm-key-unsure" aria-hidden="true" />{ "Model or waiting: neither a call nor text was being written" }</li>
                <li><i class="mm-key mm-key-wait" aria-hidden="true" />{ "Waiting for an answer; the lowest lane has each request, hollow where nobody answered" }</li>
            </ul>
            <p class="muted">{ "The blue stretch is what the list below shows." }</p>
            if picture::has_cut(overview) {
                <p class="muted">{ "// Idle time is drawn short, with its true length above it." }</p>
            }
            <h2>{ "How to use it" }</h2>
            <p class="muted">
                { "Click: the nearest event. Drag or wheel: only that stretch. Keys: arrows move, Shift stretches, Enter goes there, Escape shows all." }
            </p>
        </Popover>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wheel_narrows_about_the_pointer_and_widens_to_all() {
        assert_eq!(wheeled((0, 80_000), 40_000, true), Some((8_000, 72_000)));
        assert_eq!(wheeled((0, 80_000), 0, true), Some((0, 64_000)));
        assert_eq!(wheeled((40_000, 40_200), 40_100, true), Some((40_000, 40_200)));
        assert_eq!(wheeled((8_000, 72_000), 40_000, false), None);
        assert_eq!(wheeled((30_000, 50_000), 40_000, false), Some((27_100, 52_900)));
    }
}
