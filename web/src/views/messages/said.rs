//! A page of the transcript: its entries, drawn once and not again while others come.

use std::rc::Rc;

use steplens_core::event::Kind;
use steplens_core::transcript::Entry;
use steplens_core::view::{EventRow, Row};
use yew::{Html, Properties, component, html};

use crate::components::icon::{icon, kind_icon};
use crate::components::markdown::markdown;
use crate::components::mini::{clipped, note_class, outcome_mark};
use crate::components::shown::shown;
use crate::engine::protocol::Target;
use crate::hooks::context::{Act, use_act};
use crate::state::reducer::Action;
use crate::text::number::{bytes, count, duration, grouped};

/// What a page shows.
#[derive(Debug, Properties)]
pub(super) struct SaidPageProps {
    /// Which page.
    pub number: u64,
    /// Its entries.
    pub entries: Rc<Vec<Entry>>,
    /// Ids of the sessions, and whether they stand further in.
    pub sessions: Rc<Vec<(String, bool)>>,
    /// Drawn for the paper alone: not in sight on a screen.
    pub is_for_paper: bool,
}

// Whether two pages are the same is told without going through their entries: thousands are drawn for a print.
impl PartialEq for SaidPageProps {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
            && self.is_for_paper == other.is_for_paper
            && Rc::ptr_eq(&self.entries, &other.entries)
            && Rc::ptr_eq(&self.sessions, &other.sessions)
    }
}

/// A page.
#[component]
pub(super) fn SaidPage(props: &SaidPageProps) -> Html {
    let act = use_act();
    let entries = props.entries.iter().map(|entry| draw(entry, &props.sessions, &act));
    let class = if props.is_for_paper { "said-page is-for-paper" } else { "said-page" };
    html! { <div {class} data-page={props.number.to_string()}>{ for entries }</div> }
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
