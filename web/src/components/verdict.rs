//! How the run ended.

use steplens_core::ask::{AskStatus, AskSummary};
use steplens_core::summary::{SessionSummary, Summary, VerdictState};
use yew::{Html, classes, html};

use super::popover::Popover;
use crate::text::number::grouped;
use crate::text::sentence::sentence;

/// The verdict as a chip; its panel lists those of all sessions. Of several runs that ended differently it counts the ends,
/// in the colour of the worst: the first one's alone would hide the others'. A subagent's end is its parent's matter. While the agent is watched (`is_live`), what
/// has no end yet is not called cut off.
pub fn verdict(summary: &Summary, is_live: bool) -> Html {
    let [first, others @ ..] = summary.sessions.as_slice() else {
        return Html::default();
    };
    let standing = standing(first, &summary.asks, is_live);
    let Standing { word, class, .. } = standing;
    let reason = sentence(&first.verdict.reason);
    let ends = ends(summary, is_live);
    let (word, note, class, name, reason) = match ends.as_slice() {
        [] | [_] => (word.to_owned(), first.verdict.reason.clone(), class, standing.name, reason),
        [(_, worst), ..] => {
            let words = ends.iter().map(|(n, end)| format!("{} {}", grouped(*n), end.word.to_lowercase()));
            let words = words.collect::<Vec<_>>().join(", ");
            (words.clone(), String::new(), worst.class, worst.name, format!("How the runs ended: {words}"))
        }
    };
    let face = html! {
        <>
            <span class="chip-word"><i class="dot" aria-hidden="true" />{ word }</span>
            <span class="chip-note">{ note }</span>
        </>
    };
    let listed = others.iter().map(|session| html! { <li>{ one(session, &summary.asks, is_live, true) }</li> });
    html! {
        <Popover
            {face}
            label="Verdict"
            class={classes!("chip", "verdict", format!("chip-{class}"))}
            title={reason}
            verdict={name}
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

/// How the runs ended, the worst first, each end once with its count; of no subagents.
fn ends(summary: &Summary, is_live: bool) -> Vec<(u64, Standing)> {
    let runs = summary.sessions.iter().filter(|session| session.parent.is_none());
    let mut ends: Vec<(u64, Standing)> = Vec::new();
    for end in runs.map(|session| standing(session, &summary.asks, is_live)) {
        match ends.iter_mut().find(|(_, known)| *known == end) {
            Some((n, _)) => *n += 1,
            None => ends.push((1, end)),
        }
    }
    let rank = |class: &str| ["bad", "warn", "quiet", "live", "good"].iter().position(|known| *known == class);
    ends.sort_by_key(|(_, end)| rank(end.class));
    ends
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
