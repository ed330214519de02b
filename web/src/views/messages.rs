//! The messages tab: the run as prose. What was said as Markdown, thoughts folded, calls in a line each.
//!
//! Entries differ in height, so the list is drawn by pages: those in sight are there, and two spaces stand for the pages
//! above and below, as tall as these were when they were drawn, or else as pages are.

use std::collections::BTreeMap;
use std::rc::Rc;

use steplens_core::event::Kind;
use steplens_core::transcript::Entry;
use steplens_core::view::{EventRow, Row};
use web_sys::Element;
use yew::{
    AttrValue, Html, Properties, component, html, use_effect, use_effect_with, use_mut_ref, use_node_ref, use_state,
    use_state_eq,
};

use crate::components::icon::{icon, kind_icon};
use crate::components::markdown::markdown;
use crate::components::mini::{clipped, note_class, outcome_mark};
use crate::components::shown::shown;
use crate::dom;
use crate::engine::protocol::{Answer, Ask, ListHead, Target};
use crate::hooks::context::{Act, use_act, use_reach};
use crate::state::reducer::Action;
use crate::text::number::{bytes, count, duration, grouped};

/// Entries of a page.
const PAGE: u64 = 40;
/// Pages that are printed at most: 2,000 entries.
const PRINTED: u64 = 50;
/// Pages that stand whole, without a window: then the browser's own print and search find all.
const WHOLE: u64 = 4;
/// Height of a page that was never drawn.
const GUESS: f64 = PAGE as f64 * 34.0;

/// What the tab shows.
#[derive(Debug, PartialEq, Properties)]
pub struct MessagesProps {
    /// The list, which tells when entries changed.
    pub list: ListHead,
    /// Counts openings.
    pub opening: u32,
    /// Name of the log.
    pub title: AttrValue,
    /// Ids of the sessions, in the order of the summary; those behind the first that have a parent stand further in.
    pub sessions: Vec<(String, bool)>,
}

#[derive(Default)]
struct Pages {
    edition: (u32, u32, u32),
    total: u64,
    have: BTreeMap<u64, Rc<Vec<Entry>>>,
    asked: Option<u64>,
    heights: BTreeMap<u64, f64>,
}

impl Pages {
    fn count(&self) -> u64 {
        self.total.div_ceil(PAGE)
    }

    fn height(&self, page: u64) -> f64 {
        self.heights.get(&page).copied().unwrap_or(GUESS)
    }

    fn above(&self, page: u64) -> f64 {
        let drawn = self.heights.range(..page);
        let (n, sum) = drawn.fold((0u64, 0.0), |(n, sum), (_, height)| (n + 1, sum + height));
        sum + (page - n.min(page)) as f64 * GUESS
    }

    /// The page at a place in pixels.
    fn at(&self, y: f64) -> u64 {
        let mut top = 0.0;
        for page in 0..self.count() {
            top += self.height(page);
            if top > y {
                return page;
            }
        }
        self.count().saturating_sub(1)
    }
}

/// The messages tab.
#[component]
pub fn Messages(props: &MessagesProps) -> Html {
    let act = use_act();
    let engine = use_reach().and_then(|reach| reach.engine);
    let pages = use_mut_ref(Pages::default);
    let node = use_node_ref();
    let near = use_state_eq(|| (0u64, 1u64));
    let changed = use_state(|| 0u32);
    let is_printing = use_state(|| false);
    let said = use_state(|| None::<String>);
    let edition = (props.opening, props.list.list, props.list.edition);

    let (first, last) = {
        let mut pages = pages.borrow_mut();
        if pages.edition != edition {
            // What is drawn stays until the new page is here.
            pages.edition = edition;
            pages.total = 0;
            pages.have.clear();
            pages.asked = None;
        }
        let end = pages.count().saturating_sub(1);
        match () {
            () if *is_printing => (0, end.min(PRINTED - 1)),
            () if pages.count() <= WHOLE => (0, end),
            () => (near.0.saturating_sub(1).min(end), (near.1 + 1).min(end)),
        }
    };

    {
        // One page is asked for at a time: the first that is drawn and not here.
        let (pages, changed, engine) = (pages.clone(), changed.clone(), engine.clone());
        use_effect(move || {
            let wanted = {
                let mut pages = pages.borrow_mut();
                let missing = (first..=last).find(|page| !pages.have.contains_key(page));
                if pages.asked.is_some() || missing.is_none() {
                    None
                } else {
                    pages.asked = missing;
                    missing
                }
            };
            if let (Some(page), Some(engine)) = (wanted, engine) {
                let then = move |answer| {
                    {
                        let mut pages = pages.borrow_mut();
                        pages.asked = None;
                        if let Answer::Transcript(part) = answer
                            && pages.edition == edition
                        {
                            pages.total = part.total;
                            pages.have.insert(page, Rc::new(part.entries));
                            // Pages far away are asked for again when they come into sight.
                            if pages.have.len() > 80 {
                                pages.have.retain(|at, _| at.abs_diff(page) < 60);
                            }
                        }
                    }
                    changed.set(*changed + 1);
                };
                engine.0.ask(Ask::Transcript { start: page * PAGE, len: PAGE }, Box::new(then));
            }
        });
    }
    let scrolled = {
        let (node, near, pages) = (node.clone(), near.setter(), pages.clone());
        move || {
            let Some(element) = node.cast::<Element>() else { return };
            let pages = pages.borrow();
            let top = f64::from(element.scroll_top());
            near.set((pages.at(top), pages.at(top + f64::from(element.client_height()))));
        }
    };
    {
        // How tall the pages came out.
        let (node, pages, scrolled) = (node.clone(), pages.clone(), scrolled.clone());
        use_effect(move || {
            let Some(element) = node.cast::<Element>() else { return };
            let drawn = element.children();
            for n in 0..drawn.length() {
                let Some(page) = drawn.item(n).filter(|page| page.has_attribute("data-page")) else { continue };
                let number = page.get_attribute("data-page").and_then(|n| n.parse().ok());
                if let Some(number) = number {
                    let height = page.get_bounding_client_rect().height();
                    pages.borrow_mut().heights.insert(number, height);
                }
            }
            scrolled();
        });
    }
    {
        // Everything is here: print, and go back to the window.
        let all = *is_printing && (first..=last).all(|page| pages.borrow().have.contains_key(&page));
        let is_printing = is_printing.setter();
        use_effect_with(all, move |all| {
            let timer = all.then(|| {
                dom::timer::after(50, move || {
                    if let Some(window) = dom::window() {
                        let _ = window.print();
                    }
                    is_printing.set(false);
                })
            });
            move || drop(timer)
        });
    }

    let text = {
        let (engine, title, said) = (engine.clone(), props.title.to_string(), said.setter());
        move |then: fn(String, String, yew::UseStateSetter<Option<String>>)| {
            let (said, title) = (said.clone(), title.clone());
            if let Some(engine) = &engine {
                let named = title.clone();
                let hear = move |answer| {
                    if let Answer::Text(text) = answer {
                        then(text, named, said);
                    }
                };
                engine.0.ask(Ask::Markdown(title), Box::new(hear));
            }
        }
    };
    let copy = {
        let text = text.clone();
        move |_| {
            text(|text, _, said| {
                dom::clipboard::copy(text, move |done| {
                    said.set(Some(if done { "Copied" } else { "The browser forbids it" }.to_owned()));
                });
            });
        }
    };
    let save = move |_| text(|text, name, _| dom::save::text(&format!("{name}.md"), &text));
    let print = {
        let is_printing = is_printing.setter();
        move |_| is_printing.set(true)
    };

    let held = pages.borrow();
    let total = held.total;
    let above = held.above(first);
    let below = held.above(held.count()) - held.above(last + 1).min(held.above(held.count()));
    let drawn = (first..=last).filter_map(|page| {
        let entries = held.have.get(&page)?.clone();
        let sessions = &props.sessions;
        let entries = entries.iter().map(|entry| draw(entry, sessions, &act)).collect::<Vec<_>>();
        Some(html! { <div class="said-page" key={page} data-page={page.to_string()}>{ for entries }</div> })
    });
    let is_cut = held.count() > PRINTED;
    let onscroll = move |_| scrolled();
    html! {
        <div id="panel-messages" class="page transcript" role="tabpanel" aria-labelledby="tab-messages">
            <div class="transcript-tools">
                <button type="button" class="button small" onclick={copy}>{ "Copy as Markdown" }</button>
                <button type="button" class="button small" onclick={save}>{ "Save as Markdown" }</button>
                <button type="button" class="button small" onclick={print} disabled={*is_printing}>{ "Print" }</button>
                <span class="muted" aria-live="polite">
                    { said.as_deref().unwrap_or_default().to_owned() }
                    if *is_printing { { "Preparing the print …" } }
                </span>
            </div>
            <div class="said" ref={node} tabindex="0" role="group" aria-label="Transcript" {onscroll}>
                <div key="above" class="said-space" style={format!("height:{above:.0}px")} />
                { for drawn }
                <div key="below" class="said-space" style={format!("height:{below:.0}px")} />
                if total > 0 && is_cut {
                    <p key="cut" class="print-only">
                        { format!("Printed are the first {} of {}. Save as Markdown holds them all.", grouped(PRINTED * PAGE), count(total, "entry", "entries")) }
                    </p>
                }
            </div>
        </div>
    }
}

fn draw(entry: &Entry, sessions: &[(String, bool)], act: &Act) -> Html {
    let event = match &entry.row {
        // Only a list as the timeline shows it has them.
        Row::Turn(_) => return Html::default(),
        Row::Step(step) => {
            return html! {
                <div class="said-step" data-step={step.number.to_string()}>
                    <span>{ format!("Step {}", grouped(step.number)) }</span>
                    <span class="muted">{ count(step.calls, "call", "calls") }</span>
                    if step.failed > 0 { <span class="ink-bad">{ format!("{} failed", step.failed) }</span> }
                    if !step.finished { <span class="ink-warn">{ "not finished" }</span> }
                </div>
            };
        }
        Row::Ask(row) => {
            let ask = &row.ask;
            return html! {
                <article class="said-entry" data-line={ask.line.to_string()} data-kind="ask">
                    <p class="said-call">
                        { icon("lock") }{ " asked " }<span class="mono">{ shown(&clipped(&ask.what(), 300), &[]) }</span>
                        { format!(": {}", ask.outcome()) }
                        if let Some(ms) = ask.wait_ms { <span class="muted">{ format!(" · waited {}", duration(ms)) }</span> }
                    </p>
                </article>
            };
        }
        Row::Event(event) => event,
    };
    let child = sessions.get(event.session as usize).filter(|(_, is_child)| *is_child);
    let text = entry.text.as_deref().unwrap_or(&event.summary);
    let body = match event.kind {
        Kind::Agent => html! { <div class="said-agent">{ markdown(text) }</div> },
        Kind::User => html! { <div class="said-user"><h3>{ "User" }</h3>{ markdown(text) }</div> },
        Kind::Reasoning => html! {
            <details class="said-thought">
                <summary>{ kind_icon(event.kind) }{ " " }{ shown(&clipped(&event.summary, 140), &[]) }</summary>
                { markdown(text) }
            </details>
        },
        Kind::Error => html! { <p class="said-error ink-bad">{ kind_icon(event.kind) }{ " " }{ shown(text, &[]) }</p> },
        _ => call(event, act),
    };
    html! {
        <article class={if child.is_some() { "said-entry is-child" } else { "said-entry" }} data-line={event.line.to_string()} data-kind={event.kind.name()}>
            if let Some((id, _)) = child {
                <span class="said-session muted">{ "subagent " }{ shown(&clipped(id, 40), &[]) }</span>
            }
            { body }
            if entry.left_out > 0 {
                <p class="muted">
                    { format!("{} more. ", bytes(entry.left_out)) }
                    { jump(event, "All of it", act) }
                </p>
            }
        </article>
    }
}

fn jump(event: &EventRow, word: &str, act: &Act) -> Html {
    let id = event.id;
    let act = act.clone();
    let onclick = move |_| {
        act.now(Action::Tab(crate::state::route::Tab::Timeline));
        act.now(Action::Jump(Target::Event(id)));
        act.now(Action::Sheet(true));
    };
    html! { <button type="button" class="link" {onclick}>{ word.to_owned() }</button> }
}

fn call(event: &EventRow, act: &Act) -> Html {
    html! {
        <div class="said-call">
            if let Some(outcome) = event.outcome { { outcome_mark(outcome, event.green_but_failed) } }
            <span class={format!("k-{}", event.kind.name())}>{ kind_icon(event.kind) }{ " " }{ event.kind.name() }</span>
            <span class="mono said-summary">{ shown(&clipped(&event.summary, 300), &[]) }</span>
            if let Some(note) = &event.note { <span class={note_class(event)}>{ clipped(note, 80) }</span> }
            if let Some(ms) = event.duration_ms { <span class="muted">{ duration(ms) }</span> }
            { jump(event, &format!("line {}", grouped(event.line)), act) }
        </div>
    }
}
