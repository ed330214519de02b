//! The pane about one event: its fields, its input and output, its line, and why it became that.

use std::rc::Rc;

use steplens_core::detail::Detail as Known;
use steplens_core::search::Place;
use steplens_core::view::EventRow;
use yew::{AttrValue, Html, KeyboardEvent, Properties, component, html, use_effect_with, use_state};

use super::copy::Copy;
use super::icon::{icon, kind_icon};
use super::mini::{clipped, note_class, outcome_mark};
use super::tabs::walked;
use super::why::why;
use crate::dom;
use crate::engine::protocol::Target;
use crate::hooks::context::use_act;
use crate::state::Slot;
use crate::state::reducer::Action;
use crate::state::shared::Shared;
use crate::text::ansi;
use crate::text::json::{self, Value};
use crate::text::number::{bytes, count, duration, grouped};

mod long;
use long::Long;

/// What the pane shows.
#[derive(Debug, PartialEq, Properties)]
pub struct DetailProps {
    /// The selected event.
    pub event: Option<Shared<EventRow>>,
    /// What is known of it.
    pub slot: Slot,
    /// Whether it covers the list where there is no room for both.
    pub sheet: bool,
    /// Whether any call failed or was rejected.
    pub has_failures: bool,
}

/// A tab of the pane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tab {
    Event,
    Input,
    Output,
    Raw,
    Why,
}

const TABS: [(Tab, &str, &str); 5] = [
    (Tab::Event, "event", "Event"),
    (Tab::Input, "input", "Input"),
    (Tab::Output, "output", "Output"),
    (Tab::Raw, "raw", "Raw"),
    (Tab::Why, "why", "Why"),
];

/// The pane about one event.
#[component]
pub fn Detail(props: &DetailProps) -> Html {
    let act = use_act();
    // The tab that the user chose; an event that lacks it shows its own best one.
    let chosen = use_state(|| None::<Tab>);
    {
        // An event with a hit of the search opens where the hit is.
        let chosen = chosen.setter();
        let hit = props.event.as_ref().and_then(|event| Some((event.id, event.found.as_ref()?.place)));
        use_effect_with(hit, move |hit| {
            if let Some((_, place)) = hit {
                chosen.set(Some(tab_of(*place)));
            }
        });
    }
    let Some(event) = &props.event else {
        return html! {
            <section id="detail" class="detail is-empty" aria-label="Event detail">
                <div class="nothing">
                    <p>{ "Select an event to see its fields, its input and output, its raw line, and why it was read that way." }</p>
                    <div class="buttons">
                        if props.has_failures {
                            <button type="button" class="button" onclick={act.on(|_| Action::Next(true))}>{ "First failure" }</button>
                        }
                        <button type="button" class="button" onclick={act.on(|_| Action::Go { target: Target::Last, is_held: false })}>{ "Last event" }</button>
                    </div>
                    <p class="muted">
                        <kbd>{ "j" }</kbd>{ " " }<kbd>{ "k" }</kbd>{ " walk, " }
                        <kbd>{ "n" }</kbd>{ " next failure, " }
                        <kbd>{ "/" }</kbd>{ " search, " }
                        <kbd>{ "?" }</kbd>{ " all keys" }
                    </p>
                </div>
            </section>
        };
    };
    let known = match &props.slot {
        Slot::Known(known) => Some(known.clone()),
        Slot::Waiting | Slot::Unreadable(_) => None,
    };
    let tab = chosen.filter(|tab| has(known.as_deref(), *tab)).unwrap_or_else(|| best(known.as_deref()));
    let tabs = TABS.into_iter().map(|(this, id, word)| {
        let chosen = chosen.setter();
        let is_open = this == tab;
        html! {
            <button
                type="button"
                role="tab"
                class="tab"
                id={format!("detail-tab-{id}")}
                aria-selected={is_open.to_string()}
                aria-controls={is_open.then_some("detail-panel")}
                tabindex={if is_open { "0" } else { "-1" }}
                disabled={!has(known.as_deref(), this)}
                onclick={move |_| chosen.set(Some(this))}
            >
                { word }
            </button>
        }
    });
    let onkeydown = {
        let (chosen, known) = (chosen.setter(), known.clone());
        move |pressed: KeyboardEvent| {
            let there: Vec<_> = TABS.into_iter().filter(|(tab, ..)| has(known.as_deref(), *tab)).collect();
            let from = there.iter().position(|(this, ..)| *this == tab);
            if let Some(to) = walked(&pressed.key(), there.len(), from)
                && let Some((tab, id, _)) = there.get(to)
            {
                pressed.prevent_default();
                chosen.set(Some(*tab));
                dom::focus(&format!("#detail-tab-{id}"));
            }
        }
    };
    let body = match &props.slot {
        Slot::Known(known) => panel(tab, known, event),
        Slot::Waiting => html! { <p class="pad muted" aria-live="polite">{ "Reading the line …" }</p> },
        Slot::Unreadable(why) => html! { <p class="pad ink-bad" role="alert">{ why.clone() }</p> },
    };
    let panel_name = TABS.into_iter().find(|(this, ..)| *this == tab).map(|(_, id, _)| format!("detail-tab-{id}"));
    html! {
        <section id="detail" class={if props.sheet { "detail is-sheet" } else { "detail" }} aria-label="Event detail">
            <header class="detail-head">
                <h2>
                    { kind_icon(event.kind) }
                    <span class={format!("k-{}", event.kind.name())}>{ event.kind.name() }</span>
                    <span class="detail-summary mono" title={clipped(&event.summary, 1000)}>{ clipped(&event.summary, 300) }</span>
                </h2>
                <button type="button" class="button square quiet detail-close" aria-label="Back to the list" title="Back to the list (Esc)" onclick={act.on(|_| Action::Deselect)}>
                    { icon("close") }
                </button>
                { facts(event, known.as_deref()) }
            </header>
            <div class="tablist" role="tablist" aria-label="About this event" {onkeydown}>{ for tabs }</div>
            <div id="detail-panel" class="detail-panel" role="tabpanel" aria-labelledby={panel_name} tabindex="0">
                { body }
            </div>
        </section>
    }
}

/// Longer notes are beginnings of what the output tab shows whole.
const SHORT_NOTE: usize = 40;

/// One line of facts under the head.
fn facts(event: &EventRow, known: Option<&Known>) -> Html {
    let mut facts = vec![format!("line {}", grouped(event.line))];
    if let Some(known) = known {
        facts.push(format!("byte {}", grouped(known.offset)));
        facts.push(bytes(known.len));
    }
    if let Some(tool) = &event.tool {
        facts.push(clipped(tool, 80).to_string());
    }
    facts.extend(event.duration_ms.map(duration));
    let rewritten = known.and_then(|known| known.values_line).filter(|line| *line != event.line);
    html! {
        <p class="detail-facts">
            if let Some(outcome) = event.outcome {
                { outcome_mark(outcome, event.green_but_failed) }
                <span>
                    { if event.green_but_failed { "green but failed" } else { outcome.name() } }
                    { " " }
                </span>
            }
            if let Some(note) = event.note.as_ref().filter(|note| note.len() <= SHORT_NOTE) {
                <span class={note_class(event)} title={clipped(note, 1000)}>{ clipped(note, 80) }</span>
                { " " }
            }
            if event.outcome.is_some() { { "· " } }
            { facts.join(" · ") }
            if let Some(line) = rewritten {
                <span class="ink-warn">{ format!(" · written again at line {}", grouped(line)) }</span>
            }
            if let Some(siblings) = known.map(|known| known.siblings).filter(|n| *n > 1) {
                <span>{ format!(" · one of {siblings} events of this record") }</span>
            }
        </p>
    }
}

fn has(known: Option<&Known>, tab: Tab) -> bool {
    match tab {
        Tab::Input => known.is_none_or(|known| known.input.is_some()),
        Tab::Output => known.is_none_or(|known| known.output.is_some() || known.error.is_some()),
        Tab::Event | Tab::Raw | Tab::Why => true,
    }
}

fn tab_of(place: Place) -> Tab {
    match place {
        Place::Input => Tab::Input,
        Place::Message | Place::Output | Place::Error => Tab::Output,
        Place::Record => Tab::Raw,
    }
}

/// What is most likely wanted: what came out, else what went in, else the fields.
fn best(known: Option<&Known>) -> Tab {
    match known {
        Some(known) if known.output.is_some() || known.error.is_some() => Tab::Output,
        Some(known) if known.input.is_some() => Tab::Input,
        _ => Tab::Event,
    }
}

fn panel(tab: Tab, known: &Shared<Known>, event: &EventRow) -> Html {
    match tab {
        Tab::Event => html! {
            <>
                { fields(&known.event) }
                <div class="tools"><Copy text={known.event.clone()} label="Copy the event as JSON" word="Copy JSON" /></div>
            </>
        },
        Tab::Input => {
            let input = known.input.clone().unwrap_or_default();
            html! {
                <>
                    { fields(&input) }
                    <div class="tools"><Copy text={input} label="Copy the input" word="Copy input" /></div>
                </>
            }
        }
        Tab::Output => output(known, event),
        Tab::Raw => html! { <RawLine known={known.clone()} /> },
        Tab::Why => why(&known.explanation),
    }
}

/// An object field by field: texts as they read, everything else as it is written.
fn fields(text: &str) -> Html {
    let Some(fields) = json::fields(text) else {
        return html! { <Long text={text.to_owned()} /> };
    };
    if fields.is_empty() {
        return html! { <p class="pad muted">{ "No fields" }</p> };
    }
    let rows = fields.into_iter().map(|field| {
        let value: Html = match field.value {
            Value::Text(text) if is_short(&text) => html! { <span class="text">{ text }</span> },
            Value::Text(text) => html! { <Long text={text} /> },
            Value::Other(text) if is_short(&text) => html! { <span class="mono">{ text }</span> },
            Value::Other(text) => html! { <Long text={json::pretty(&text)} /> },
        };
        html! { <><dt class="mono">{ field.name }</dt><dd>{ value }</dd></> }
    });
    html! { <dl class="fields">{ for rows }</dl> }
}

fn is_short(text: &str) -> bool {
    text.len() < 120 && !text.contains('\n')
}

fn output(known: &Known, event: &EventRow) -> Html {
    let error = known.error.as_ref().map(|error| {
        html! { <><h3>{ "Error" }</h3><Long text={error.clone()} bad=true /></> }
    });
    let is_message = event.outcome.is_none();
    let output = known.output.as_ref().map(|output| {
        if output.is_empty() {
            return html! { <p class="pad muted">{ "The output is empty." }</p> };
        }
        let is_stripped = !ansi::is_plain(output);
        html! {
            <>
                if known.error.is_some() { <h3>{ "Output" }</h3> }
                <Long text={ansi::plain(output).into_owned()} prose={is_message} />
                <div class="tools">
                    <Copy text={output.clone()} label="Copy the output exactly" word="Copy output" />
                    <span class="muted">
                        { count(output.lines().count() as u64, "line", "lines") }{ " · " }{ bytes(output.len() as u64) }
                        if is_stripped { { " · escape sequences are left out here, not in the copy" } }
                    </span>
                </div>
            </>
        }
    });
    html! { <div class="outputs">{ error.unwrap_or_default() }{ output.unwrap_or_default() }</div> }
}

#[derive(Debug, PartialEq, Properties)]
struct RawLineProps {
    known: Shared<Known>,
}

/// The line, as it is or laid out.
#[component]
fn RawLine(props: &RawLineProps) -> Html {
    let is_laid_out = use_state(|| true);
    let raw: Rc<str> = props.known.raw.as_str().into();
    let text: AttrValue = if *is_laid_out { json::pretty(&raw).into() } else { raw.clone().into() };
    let choice = |word: &'static str, laid_out: bool| {
        let set = is_laid_out.setter();
        html! {
            <button type="button" class="button small" aria-pressed={(*is_laid_out == laid_out).to_string()} onclick={move |_| set.set(laid_out)}>
                { word }
            </button>
        }
    };
    let known = &props.known;
    html! {
        <>
            <div class="tools">
                <span class="group" role="group" aria-label="Layout">
                    { choice("Laid out", true) }
                    { choice("As it is", false) }
                </span>
                <Copy text={AttrValue::from(raw)} label="Copy the line exactly" word="Copy line" />
                <span class="muted break">
                    { format!("{} · line {} · bytes {}–{}", known.file, grouped(known.values_line.unwrap_or(known.line)), grouped(known.offset), grouped(known.offset + known.len)) }
                </span>
            </div>
            <Long text={text} wrap={!*is_laid_out} />
        </>
    }
}
