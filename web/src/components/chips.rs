//! Filter chips: outcomes first, so that they are in sight however narrow the window is.

use steplens_core::event::Outcome;
use steplens_core::overview::Axis;
use steplens_core::summary::Summary;
use steplens_core::view::FilterCounts;
use web_sys::Element;
use yew::{Callback, Html, MouseEvent, Properties, component, html, use_effect_with, use_node_ref, use_state_eq};

use super::icon::{icon, kind_icon};
use super::minimap::reading;
use super::popover::Popover;
use super::tasks::tasks;
use crate::dom::{self, clock};
use crate::hooks::context::{Act, use_act};
use crate::state::reducer::Action;
use crate::state::route::Chips as Pressed;
use crate::state::shared::Shared;
use crate::text::number::grouped;

/// What the chips show.
#[derive(Debug, PartialEq, Properties)]
pub struct ChipsProps {
    /// Which are pressed.
    pub pressed: Pressed,
    /// How many events each would leave.
    pub counts: Shared<FilterCounts>,
    /// The summary, for its lists of tasks.
    pub summary: Shared<Summary>,
    /// Start of the run, milliseconds since the epoch.
    pub start: Option<i64>,
}

/// Filter chips.
#[component]
pub fn Chips(props: &ChipsProps) -> Html {
    let act = use_act();
    let (line, is_open, is_over) = (use_node_ref(), use_state_eq(|| false), use_state_eq(|| false));
    {
        let (line, is_over, is_open) = (line.clone(), is_over.setter(), *is_open);
        // The chips change with the log and with what is pressed.
        use_effect_with((props.pressed.clone(), props.counts.clone(), is_open), move |_| {
            let watched = line.cast::<Element>().filter(|_| !is_open).map(|element| {
                let measured = element.clone();
                let measure = move || is_over.set(is_beyond(&measured));
                measure();
                dom::resize::watch(&element, measure)
            });
            move || drop(watched)
        });
    }
    let (pressed, counts) = (&props.pressed, &props.counts);
    let apart = Pressed { session: pressed.session.clone(), range: pressed.range, ..Pressed::default() };
    let is_all = apart == *pressed;
    let outcomes = [
        ("failed", "bad", Outcome::Failed, counts.failed),
        ("rejected", "bad", Outcome::Rejected, counts.rejected),
        ("unclear", "warn", Outcome::Unknown, counts.unknown),
        ("ok", "kind", Outcome::Ok, counts.ok),
    ]
    .map(|(word, class, outcome, n)| {
        let is_pressed = pressed.outcomes.contains(&outcome);
        let onclick = act.on(move |_| Action::ToggleOutcome(outcome));
        // Nothing is said of what there is none of, but that nothing failed.
        let is_shown = n > 0 || is_pressed || outcome == Outcome::Failed;
        html! {
            if is_shown { { chip(Html::default(), word, class, n, is_pressed, onclick) } }
        }
    });
    let green = chip(
        Html::default(),
        "green but failed",
        "warn",
        counts.green_but_failed,
        pressed.green_but_failed,
        act.on(|_| Action::ToggleGreen),
    );
    let asks = (counts.asks > 0 || pressed.asks)
        .then(|| chip(icon("lock"), "asked", "kind", counts.asks, pressed.asks, act.on(|_| Action::ToggleAsks)));
    let kinds = counts.kinds.iter().map(|(kind, n)| {
        let kind = *kind;
        let is_pressed = pressed.kinds.contains(&kind);
        chip(kind_icon(kind), kind.name(), "kind", *n, is_pressed, act.on(move |_| Action::ToggleKind(kind)))
    });
    let tools = pressed.tools.iter().map(|tool| {
        let name = tool.clone();
        let label = format!("tool {tool}: no longer only {tool}");
        html! {
            <button type="button" class="f on" title={label.clone()} aria-label={label} onclick={act.on(move |_| Action::ToggleTool(name.clone()))}>
                <span class="f-tool">{ "tool " }{ tool.clone() }</span>{ icon("close") }
            </button>
        }
    });
    let choice = (counts.tools.len() > 1).then(|| {
        let rows = counts.tools.iter().map(|(tool, n)| tool_row(tool, *n, pressed.tools.contains(tool), &act));
        let face = html! { <>{ "Tools " }<span class="n">{ counts.tools.len() }</span>{ icon("down") }</> };
        html! {
            <Popover {face} label="Tools" class="f" title="Only the events of some tools">
                <h2>{ "Only the events of" }</h2>
                <ul class="plain f-tools">{ for rows }</ul>
            </Popover>
        }
    });
    let session = pressed.session.as_ref().map(|session| {
        let label = format!("No longer only the session {session}");
        html! {
            <button type="button" class="f on" title={label.clone()} aria-label={label} onclick={act.on(|_| Action::Session(None))}>
                <span class="f-tool">{ "session " }{ session.clone() }</span>{ icon("close") }
            </button>
        }
    });
    let range = pressed.range.map(|range| {
        let words = reading::stretch(range.axis, range.from, range.to, props.start.unwrap_or(range.from));
        let title = match range.axis {
            Axis::Time => format!("{} to {}", clock::full(range.from), clock::full(range.to)),
            Axis::Order => words.clone(),
        };
        html! {
            <button type="button" class="f on" {title} aria-label={format!("No longer only {words}")} onclick={act.on(|_| Action::Range(None))}>
                { words.clone() }{ icon("close") }
            </button>
        }
    });
    let onclick = {
        let is_open = is_open.clone();
        move |_| is_open.set(!*is_open)
    };
    let word = if *is_open { "Fewer filters" } else { "More filters" };
    html! {
        <div class={if *is_open { "chips-bar is-open" } else { "chips-bar" }}>
        <div class="chips" id="chips" role="toolbar" aria-label="Filters" ref={line}>
            { chip(Html::default(), "All", "all", counts.all + counts.asks, is_all, act.on(|_| Action::AnyKind)) }
            { range.unwrap_or_default() }
            { session.unwrap_or_default() }
            <>{ for tools }</>
            <>{ for outcomes }</>
            { green }
            <span class="sep" aria-hidden="true" />
            { tasks(&props.summary.todos, &act) }
            { choice.unwrap_or_default() }
            { asks.unwrap_or_default() }
            <>{ for kinds }</>
        </div>
            if *is_over || *is_open {
                <button type="button" class="f chips-more" title={word} aria-label={word} aria-expanded={is_open.to_string()} aria-controls="chips" {onclick}>
                    { icon(if *is_open { "up" } else { "down" }) }
                </button>
            }
        </div>
    }
}

/// Whether chips stand on a line that is not shown.
fn is_beyond(line: &Element) -> bool {
    line.scroll_height() > line.client_height() + 4
}

fn tool_row(tool: &str, n: u64, is_pressed: bool, act: &Act) -> Html {
    let name = tool.to_owned();
    html! {
        <li>
            <label>
                <input
                    type="checkbox"
                    checked={is_pressed}
                    onchange={act.on(move |_: yew::Event| Action::ToggleTool(name.clone()))}
                />
                <span class="mono break">{ tool.to_owned() }</span>
                <span class="grow" />
                <span class="muted">{ grouped(n) }</span>
            </label>
        </li>
    }
}

fn chip(
    picture: Html,
    word: &'static str,
    class: &'static str,
    n: u64,
    is_pressed: bool,
    onclick: Callback<MouseEvent>,
) -> Html {
    let on = if is_pressed { "on" } else { "" };
    let none = if n == 0 { "none" } else { "" };
    html! {
        <button
            type="button"
            class={format!("f f-{class} {on} {none}")}
            aria-pressed={is_pressed.to_string()}
            disabled={n == 0 && !is_pressed}
            {onclick}
        >
            { picture }{ word }{ " " }<span class="n">{ grouped(n) }</span>
        </button>
    }
}
