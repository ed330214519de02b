//! The pane about one event: its fields, its input and output, its line, and why it became that.

use steplens_core::detail::Detail as Known;
use steplens_core::search::Place;
use steplens_core::view::EventRow;
use yew::{ContextProvider, Html, KeyboardEvent, Properties, component, html, use_effect_with, use_state};

use super::icon::{icon, kind_icon};
use super::mini::{clipped, note_class, outcome_mark};
use super::pick::Pick;
use super::tabs::walked;
use super::why::Why;
use crate::dom::{self, clock};
use crate::engine::protocol::Target;
use crate::hooks::context::use_act;
use crate::hooks::sheet::use_sheet;
use crate::state::Slot;
use crate::state::reducer::Action;
use crate::state::shared::Shared;
use crate::text::number::{bytes, duration, grouped};

pub mod diff;
mod extras;
pub mod lines;
mod long;
mod marks;
mod panels;
mod tree;
mod whole;

use marks::Marks;
use panels::{EventPanel, InputPanel, OutputPanel, RawPanel};
use whole::Sought;

/// What the pane shows.
#[derive(Debug, PartialEq, Properties)]
pub struct DetailProps {
    /// The selected event.
    pub event: Option<Shared<EventRow>>,
    /// What is known of it.
    pub slot: Slot,
    /// Whether it covers the list where there is no room for both.
    pub sheet: bool,
    /// What is searched for.
    pub query: String,
    /// Whether any call failed or was rejected.
    pub has_failures: bool,
    /// Whether there is any event to go to.
    pub has_events: bool,
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
    use_sheet(props.sheet);
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
        if !props.has_events {
            return html! { <section id="detail" class="detail is-empty" aria-label="Event detail" /> };
        }
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
        Slot::Unreadable(why) => html! {
            <div class="nothing">
                <p class="ink-bad" role="alert">{ why.clone() }</p>
                <p>{ "The file was changed or moved after it was opened: open it again to see this event whole." }</p>
                <div class="buttons"><Pick class="primary" word={"Open files"} /></div>
            </div>
        },
    };
    let found = event.found.as_ref();
    let marks = html! {
        <Marks
            query={props.query.clone()}
            of={(event.id, tab_id(tab))}
            expected={found.is_some_and(|found| tab_of(found.place) == tab)}
            snippet={found.and_then(|found| found.snippet.clone())}
        />
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
                <ContextProvider<Sought> context={Sought(props.query.clone().into())}>{ body }</ContextProvider<Sought>>
            </div>
            { marks }
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
    facts.extend(event.time.map(|time| clock::stamp(time.0)));
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
            if event.outcome.is_some() { { "·\u{a0}" } }
            // Each goes to the next line whole: nothing breaks between a number and its unit.
            { for facts.into_iter().enumerate().map(|(n, fact)| html! { <>{ if n > 0 { " · " } else { "" } }<span class="fact">{ fact }</span></> }) }
            if let Some(line) = rewritten {
                <span class="ink-warn">{ format!("\u{a0}· written again at line {}", grouped(line)) }</span>
            }
            if let Some(siblings) = known.map(|known| known.siblings).filter(|n| *n > 1) {
                <span>{ format!("\u{a0}· one of {siblings} events of this record") }</span>
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

fn tab_id(tab: Tab) -> &'static str {
    TABS.into_iter().find(|(this, ..)| *this == tab).map_or("", |(_, id, _)| id)
}

fn tab_of(place: Place) -> Tab {
    match place {
        Place::Input => Tab::Input,
        Place::Message | Place::Output | Place::Error => Tab::Output,
        Place::Record => Tab::Raw,
    }
}

/// What is most likely wanted: a todo list that went in, what came out, else what went in, else the fields.
fn best(known: Option<&Known>) -> Tab {
    match known {
        Some(known) if known.error.is_none() && !known.todos.is_empty() => Tab::Input,
        Some(known) if known.output.is_some() || known.error.is_some() => Tab::Output,
        Some(known) if known.input.is_some() => Tab::Input,
        _ => Tab::Event,
    }
}

fn panel(tab: Tab, known: &Shared<Known>, event: &Shared<EventRow>) -> Html {
    let (id, known, event) = (event.id, known.clone(), event.clone());
    // What was chosen for one event is not chosen for another: they are told apart by the key.
    match tab {
        Tab::Event => html! { <EventPanel key={id} {known} {event} /> },
        Tab::Input => html! { <InputPanel key={id} {known} {event} /> },
        Tab::Output => html! { <OutputPanel key={id} {known} {event} /> },
        Tab::Raw => html! { <RawPanel key={id} {known} {event} /> },
        Tab::Why => {
            html! { <Why key={id} explanation={known.explanation.clone()} raw={std::rc::Rc::<str>::from(known.raw.as_str())} /> }
        }
    }
}
