//! Rows of the timeline.

use steplens_core::event::{Kind, Outcome};
use steplens_core::summary::{SessionSummary, Summary};
use steplens_core::time::TimeMs;
use steplens_core::view::{EventRow, Row};
use yew::{Html, classes, html};

use super::asks::ask_row;
use super::found::around;
use super::heads::{step_row, turn_row};
use super::icon::{icon, kind_icon};
use super::mini::{clipped, marked, note_class, outcome_mark};
use super::session_tree::name_among;
use crate::dom::clock;
use crate::hooks::context::Act;
use crate::state::reducer::Action;
use crate::text::number::{UNKNOWN, clock as relative, duration, tenths};

/// Characters of a summary that a row holds: more than the widest window shows.
const CLIP: usize = 400;
/// Characters that a title holds.
const TITLE_CLIP: usize = 1_000;

/// What all rows need to know.
#[derive(Debug)]
pub struct Ground<'a> {
    /// Start of the run, milliseconds since the epoch.
    pub start: Option<i64>,
    /// See [`is_short`].
    pub is_short: bool,
    /// Id of the selected event.
    pub selected: Option<u32>,
    /// What is searched for.
    pub query: &'a str,
    /// Says what happens.
    pub act: &'a Act,
    /// Id of the selected request to a person.
    pub picked: Option<&'a str>,
    /// The sessions, where rows of several are shown.
    pub sessions: &'a [SessionSummary],
    /// A running agent is watched: what has no answer waits for one.
    pub is_live: bool,
}

impl Ground<'_> {
    /// Whose a row is, where rows of several sessions are shown.
    pub fn whose(&self, session: u32) -> Html {
        let Some(session) = self.sessions.get(session as usize) else { return Html::default() };
        html! { <span class="muted whose" title="The session that it belongs to">{ name_among(session, self.sessions) }</span> }
    }
}

/// The id of the row of an event.
pub fn row_id(event: u32) -> String {
    format!("event-{event}")
}

/// Whether a run is so short that its times are told apart by tenths of a second.
pub fn is_short(summary: &Summary) -> bool {
    summary.total.duration_ms.is_some_and(|ms| ms < 60_000)
}

/// Time since the start, in tenths of a second where the run is short; the full time in the title.
pub fn time(at: Option<TimeMs>, start: Option<i64>, is_short: bool) -> Html {
    let Some(TimeMs(at)) = at else {
        return html! { <span class="t" role="gridcell" title="This record has no time">{ UNKNOWN }</span> };
    };
    let since = at - start.unwrap_or(at);
    let text = if is_short { tenths(since) } else { relative(since) };
    html! { <span class="t" role="gridcell" title={clock::full(at)}>{ text }</span> }
}

/// A row, or the place of one that is on its way. Steps say whose they are; events where another session stands above.
pub fn row(index: u64, row: Option<&Row>, above: Option<&Row>, ground: &Ground<'_>) -> Html {
    let whose = |session: u32| match above {
        // The heading of a turn names it.
        Some(Row::Turn(_)) => Html::default(),
        above if session_of(above) == Some(session) => Html::default(),
        _ => ground.whose(session),
    };
    match row {
        None => html! {
            <div key={index} class="row waiting" role="row" aria-rowindex={(index + 1).to_string()}>
                <span role="gridcell" />
            </div>
        },
        Some(Row::Turn(turn)) => turn_row(index, turn, ground),
        Some(Row::Step(step)) => step_row(index, step, ground),
        Some(Row::Event(event)) => event_row(index, event, whose(event.session), ground),
        Some(Row::Ask(ask)) => ask_row(index, ask, whose(ask.session), ground),
    }
}

fn session_of(row: Option<&Row>) -> Option<u32> {
    match row? {
        Row::Turn(_) => None,
        Row::Step(step) => Some(step.session),
        Row::Event(event) => Some(event.session),
        Row::Ask(ask) => Some(ask.session),
    }
}

fn event_row(index: u64, event: &EventRow, whose: Html, ground: &Ground<'_>) -> Html {
    let is_selected = ground.selected == Some(event.id);
    let kind = event.kind.name();
    let summary = clipped(&event.summary, CLIP);
    let text = match event.kind {
        Kind::Read | Kind::Write | Kind::List => path(&summary, ground.query),
        Kind::Command | Kind::Search => html! { <span class="sm-text mono">{ marked(&summary, ground.query) }</span> },
        _ => html! { <span class="sm-text">{ marked(&summary, ground.query) }</span> },
    };
    let onclick = {
        let event = event.clone();
        ground.act.on(move |_: yew::MouseEvent| Action::Select(Box::new(event.clone())))
    };
    let length = event.duration_ms.map(|ms| bar(ms, event));
    html! {
        <div
            key={index}
            id={row_id(event.id)}
            class={if length.is_some() { "row" } else { "row no-bar" }}
            role="row"
            aria-rowindex={(index + 1).to_string()}
            aria-selected={is_selected.to_string()}
            data-line={event.line.to_string()}
            data-kind={kind}
            data-taken-back={event.taken_back.then_some("")}
            {onclick}
        >
            { time(event.time, ground.start, ground.is_short) }
            <span class={format!("kd k-{kind}")} role="gridcell">
                { kind_icon(event.kind) }<span class="kd-word">{ kind }</span>
            </span>
            <span class={classes!("sm", event.found.as_ref().is_some_and(|found| found.snippet.is_some()).then_some("has-hit"))} role="gridcell" title={clipped(&event.summary, TITLE_CLIP)}>
                { text }
                if let Some(aside) = event.aside.as_ref().filter(|aside| **aside != event.summary) {
                    <span class="sm-aside">{ marked(&clipped(aside, CLIP), ground.query) }</span>
                }
                if let Some(snippet) = event.found.as_ref().and_then(|found| found.snippet.as_ref()) {
                    { around(snippet) }
                }
                if event.synthetic {
                    <span class="tag">{ "by the harness" }</span>
                }
                if event.taken_back {
                    <span class="tag warn" title="It was removed from its session later, or undone with it; what was read of it stays here">{ "taken back" }</span>
                }
                if let Some(note) = event.note.as_ref().filter(|note| **note != event.summary) {
                    <span class={note_class(event)} title={clipped(note, TITLE_CLIP)}>{ clipped(note, 60) }</span>
                }
                { whose }
            </span>
            <span class="db" role="gridcell">{ length.unwrap_or_default() }</span>
            <span class="d" role="gridcell">{ event.duration_ms.map(duration).unwrap_or_default() }</span>
            <span class="mk" role="gridcell">
                if event.kind == Kind::Error {
                    <span class="mark-bad" role="img" aria-label="error" title="error">{ icon("error") }</span>
                } else if let Some(outcome) = event.outcome {
                    { outcome_mark(outcome, event.green_but_failed) }
                }
            </span>
        </div>
    }
}

/// A path with its name apart, so that the name stays in sight where there is no room for all.
fn path(text: &str, query: &str) -> Html {
    let Some((folder, name)) = text.rsplit_once('/').filter(|(_, name)| !name.is_empty()) else {
        return html! { <span class="sm-text mono">{ marked(text, query) }</span> };
    };
    // A hit may lie across the cut: then it is better seen whole.
    if !query.is_empty() && query.contains('/') {
        return html! { <span class="sm-text mono">{ marked(text, query) }</span> };
    }
    html! {
        <>
            <span class={if folder.chars().nth(2).is_some() { "sm-folder mono" } else { "sm-folder is-short mono" }}><bdi>{ marked(folder, query) }</bdi></span>
            <span class="sm-name mono">{ "/" }{ marked(name, query) }</span>
        </>
    }
}

/// The bar of a duration: by its logarithm, a full one at a quarter of an hour, so that calls of
/// milliseconds and of minutes are both told apart.
fn bar(ms: u64, event: &EventRow) -> Html {
    let width = ((1.0 + ms as f64).log10() / 6.0 * 100.0).clamp(2.0, 100.0);
    let class = match event.outcome {
        _ if event.green_but_failed => "warn",
        Some(Outcome::Failed | Outcome::Rejected) => "bad",
        _ => event.kind.name(),
    };
    html! { <i class={format!("bar-{class}")} style={format!("width:{width:.1}%")} /> }
}
