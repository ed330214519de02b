//! How the run ended.

use steplens_core::ask::{AskStatus, AskSummary};
use steplens_core::summary::{SessionSummary, Summary, VerdictState};
use yew::{Html, classes, html};

use super::popover::Popover;
use crate::text::sentence::sentence;

/// The verdict of the first session as a chip; its panel lists those of all. While the agent is watched (`is_live`), what
/// has no end yet is not called cut off.
pub fn verdict(summary: &Summary, is_live: bool) -> Html {
    let [first, others @ ..] = summary.sessions.as_slice() else {
        return Html::default();
    };
    let standing = standing(first, &summary.asks, is_live);
    let Standing { word, class, .. } = standing;
    let reason = sentence(&first.verdict.reason);
    let face = html! {
        <>
            <span class="chip-word"><i class="dot" aria-hidden="true" />{ word }</span>
            <span class="chip-note">{ first.verdict.reason.clone() }</span>
        </>
    };
    let listed = others.iter().map(|session| html! { <li>{ one(session, &summary.asks, is_live, true) }</li> });
    html! {
        <Popover
            {face}
            label="Verdict"
            class={classes!("chip", "verdict", format!("chip-{class}"))}
            title={reason}
            verdict={standing.name}
        >
            <h2>
                { match (standing.is_open, others.is_empty()) {
                    (false, true) => "How the run ended",
                    (false, false) => "How the first session ended",
                    (true, true) => "How the run stands",
                    (true, false) => "How the first session stands",
                } }
            </h2>
            { one(first, &summary.asks, is_live, false) }
            if !others.is_empty() {
                <h2>{ "The others" }</h2>
                <ul class="plain">{ for listed }</ul>
            }
            <p class="muted">
                { if is_live { "The connection is open: this is what the last records say so far." } else { "No record ends a run: this is what the last ones say." } }
            </p>
        </Popover>
    }
}

fn one(session: &SessionSummary, asks: &[AskSummary], is_live: bool, is_marked: bool) -> Html {
    let Standing { word, class, name, .. } = standing(session, asks, is_live);
    let mark = is_marked.then_some(name);
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

/// How a session stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// How it is written.
    pub word: &'static str,
    /// Its colour.
    pub class: &'static str,
    /// Its name for tests and styles.
    pub name: &'static str,
    /// It has no end so far, and more may come.
    pub is_open: bool,
}

/// The verdict; of a session without an end whose agent is watched, that it goes on.
pub fn standing(session: &SessionSummary, asks: &[AskSummary], is_live: bool) -> Standing {
    let open = |word, class, name| Standing { word, class, name, is_open: true };
    let waits = || asks.iter().any(|ask| ask.status == AskStatus::Pending && ask.session == session.id);
    match session.verdict.state {
        VerdictState::Cut if is_live && waits() => open("Waiting", "warn", "waiting"),
        VerdictState::Cut if is_live => open("Running", "live", "running"),
        VerdictState::Unknown if is_live => open("No end so far", "quiet", "open"),
        state => {
            let (word, class) = word(state);
            Standing { word, class, name: state.name(), is_open: false }
        }
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
