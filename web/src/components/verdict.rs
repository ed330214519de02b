//! How the run ended.

use steplens_core::summary::{SessionSummary, Summary, VerdictState};
use yew::{Html, classes, html};

use super::popover::Popover;
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
            <span class="chip-word"><i class="dot" aria-hidden="true" />{ word }</span>
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
