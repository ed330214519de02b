//! How the run ended, and which of its sessions is shown.

use steplens_core::summary::{SessionSummary, Summary, VerdictState};
use web_sys::HtmlSelectElement;
use yew::{Html, TargetCast, classes, html};

use super::popover::Popover;
use crate::hooks::context::Act;
use crate::state::reducer::Action;
use crate::state::route::key;
use crate::text::number::count;
use crate::text::sentence::sentence;

/// The verdict of the first session as a chip; its panel lists those of all.
pub fn verdict(summary: &Summary) -> Html {
    let [first, others @ ..] = summary.sessions.as_slice() else {
        return Html::default();
    };
    let (word, class) = word(first.verdict.state);
    let reason = sentence(&first.verdict.reason);
    let face = html! {
        <>
            <i class="dot" aria-hidden="true" />
            { word }
            <span class="chip-note">{ first.verdict.reason.clone() }</span>
        </>
    };
    let listed = others.iter().map(|session| html! { <li>{ one(session, true) }</li> });
    html! {
        <Popover
            {face}
            label="Verdict"
            class={classes!("chip", "verdict", format!("chip-{class}"))}
            title={reason}
            verdict={first.verdict.state.name()}
        >
            <h2>{ if others.is_empty() { "How the run ended" } else { "How the first session ended" } }</h2>
            { one(first, false) }
            if !others.is_empty() {
                <h2>{ "The others" }</h2>
                <ul class="plain">{ for listed }</ul>
            }
            <p class="muted">{ "No record ends a run: this is what the last ones say." }</p>
        </Popover>
    }
}

fn one(session: &SessionSummary, is_marked: bool) -> Html {
    let (word, class) = word(session.verdict.state);
    let mark = is_marked.then(|| session.verdict.state.name());
    html! {
        <>
            <p>
                <strong class={format!("ink-{class}")} data-verdict={mark}>{ word }</strong>
                { ": " }{ session.verdict.reason.clone() }
            </p>
            <p class="muted mono break">{ session.id.clone() }</p>
        </>
    }
}

/// How a verdict is written and coloured.
pub fn word(state: VerdictState) -> (&'static str, &'static str) {
    match state {
        VerdictState::Completed => ("Completed", "good"),
        VerdictState::Failed => ("Failed", "bad"),
        VerdictState::Stopped => ("Stopped", "warn"),
        VerdictState::Cut => ("Cut off", "warn"),
        VerdictState::Unknown => ("Unknown end", "quiet"),
    }
}

/// Which session the timeline shows; nothing where there is only one.
pub fn sessions(summary: &Summary, chosen: Option<&str>, act: &Act) -> Html {
    if summary.sessions.len() < 2 {
        return Html::default();
    }
    let onchange = act.on(|event: yew::Event| {
        let select: HtmlSelectElement = event.target_unchecked_into();
        Action::Session(Some(select.value()).filter(|value| !value.is_empty()))
    });
    let chosen = chosen.unwrap_or_default();
    let options = (0u32..).zip(&summary.sessions).map(|(place, session)| {
        let value = key(place, session);
        html! {
            <option selected={value == chosen} value={value.clone()}>{ session_name(place, session) }</option>
        }
    });
    html! {
        <select class="select" aria-label="Session" title="Session shown on the timeline" {onchange}>
            <option value="" selected={chosen.is_empty()}>{ format!("All {} sessions", summary.sessions.len()) }</option>
            { for options }
        </select>
    }
}

fn session_name(place: u32, session: &SessionSummary) -> String {
    let id = session.id.as_deref().unwrap_or("without an id");
    // The start of an id says when, its end tells sessions apart.
    let tail = id.char_indices().rev().nth(7).map_or(0, |(at, _)| at);
    let name = match &session.title {
        Some(title) => title.clone(),
        None => format!("…{}", id.get(tail..).unwrap_or(id)),
    };
    let kind = if session.parent.is_some() { "child" } else { "session" };
    format!("{} · {kind} {name} · {}", place + 1, count(session.calls, "call", "calls"))
}
