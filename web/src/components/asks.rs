//! Requests to a person: their rows in the timeline, and the pane about one.

use steplens_core::ask::{AskKind, AskStatus, AskSummary, AskedQuestion, TimeFrom};
use steplens_core::overview::Axis;
use steplens_core::view::AskRow;
use yew::{Html, Properties, component, html};

use super::icon::icon;
use super::mini::{clipped, marked};
use super::row::{Ground, time};
use super::shown::shown;
use crate::dom::clock;
use crate::engine::protocol::Target;
use crate::hooks::context::use_act;
use crate::hooks::sheet::use_sheet;
use crate::state::reducer::Action;
use crate::state::shared::Shared;
use crate::text::number::{UNKNOWN, duration, grouped};

/// Characters of what was asked that a row holds.
const CLIP: usize = 400;

/// The mark of what became of a request: a shape, a colour and a word.
fn mark(status: AskStatus) -> Html {
    let (name, class) = match status {
        AskStatus::Answered => ("ok", "good"),
        AskStatus::Rejected => ("rejected", "bad"),
        AskStatus::Dismissed => ("failed", "quiet"),
        AskStatus::Pending | AskStatus::Unanswered => ("warn", "warn"),
        AskStatus::Missed => ("unknown", "quiet"),
    };
    let word = status.name();
    html! { <span class={format!("mark-{class}")} role="img" aria-label={word} title={word}>{ icon(name) }</span> }
}

/// What became of a request; while the agent is watched (`is_live`) one without an answer waits for it.
fn outcome(ask: &AskSummary, is_live: bool) -> String {
    match ask.status {
        AskStatus::Pending if is_live => "waits for an answer".to_owned(),
        _ => ask.outcome(),
    }
}

fn tag(ask: &AskSummary, is_live: bool) -> Html {
    let class = match ask.status {
        AskStatus::Answered | AskStatus::Dismissed | AskStatus::Missed => "tag",
        AskStatus::Rejected => "tag bad",
        AskStatus::Pending | AskStatus::Unanswered => "tag warn",
    };
    html! { <span {class}>{ clipped(&outcome(ask, is_live), 60) }</span> }
}

/// The id of the row of a request.
pub fn ask_row_id(ask: &AskSummary) -> String {
    format!("ask-{}-{}", ask.file, ask.line)
}

/// The row of a request.
pub fn ask_row(index: u64, row: &AskRow, whose: Html, ground: &Ground<'_>) -> Html {
    let ask = &row.ask;
    let what = clipped(&ask.what(), CLIP);
    let onclick = {
        let row = row.clone();
        ground.act.on(move |_: yew::MouseEvent| Action::Pick(Box::new(row.clone())))
    };
    let is_selected = ground.picked == Some(ask.id.as_str());
    html! {
        <div
            key={index}
            id={ask_row_id(ask)}
            class="row ask-row"
            role="row"
            aria-rowindex={(index + 1).to_string()}
            aria-selected={is_selected.to_string()}
            data-line={ask.line.to_string()}
            data-kind="ask"
            data-status={ask.status.name()}
            {onclick}
        >
            { time(row.time, ground.start, ground.is_short) }
            <span class="kd k-ask" role="gridcell">{ icon("lock") }<span class="kd-word">{ ask.kind.name() }</span></span>
            <span class="sm" role="gridcell" title={clipped(&ask.what(), 1_000)}>
                <button type="button" class="ask-open sm-text mono">{ marked(&what, ground.query) }</button>
                { tag(ask, ground.is_live) }
                if ask.was_open { <span class="tag" title="The log does not hold the event that asked">{ "open when connected" }</span> }
                { whose }
            </span>
            <span class="db" role="gridcell">
                if let Some(ms) = ask.wait_ms {
                    <i class="c-wait" style={format!("width:{:.1}%", ((1.0 + ms as f64).log10() / 6.0 * 100.0).clamp(2.0, 100.0))} />
                }
            </span>
            <span class="d" role="gridcell" title="How long it waited for an answer">
                { ask.wait_ms.map_or_else(|| UNKNOWN.to_owned(), duration) }
            </span>
            <span class="mk" role="gridcell">{ mark(ask.status) }</span>
        </div>
    }
}

/// What is said of an option, under it.
pub fn said_of(question: &AskedQuestion, place: usize) -> Html {
    match question.descriptions.get(place).filter(|said| !said.is_empty()) {
        Some(said) => html! { <span class="option-said muted">{ shown(said, &[]) }</span> },
        None => Html::default(),
    }
}

/// What the pane shows.
#[derive(Debug, PartialEq, Properties)]
pub struct AskPaneProps {
    /// The request.
    pub row: Shared<AskRow>,
    /// Whether the pane covers the list where there is no room for both.
    pub sheet: bool,
    /// A running agent is watched, and the connection is open.
    pub is_live: bool,
}

/// The pane about one request: what was asked, what could be answered, what was, and how long it took.
#[component]
pub fn AskPane(props: &AskPaneProps) -> Html {
    let act = use_act();
    use_sheet(props.sheet);
    let (row, ask) = (&props.row, &props.row.ask);
    let close = act.on(|_: yew::MouseEvent| Action::Sheet(false));
    let jump = {
        let value = row.record.into();
        act.on(move |_: yew::MouseEvent| {
            Action::Jump(Target::Near { axis: Axis::Order, value, work: None, wrong: false })
        })
    };
    let at = |time: Option<steplens_core::time::TimeMs>, text: &Option<String>, from: Option<TimeFrom>| match text {
        None => html! { <span class="muted">{ "the log does not tell" }</span> },
        Some(text) => html! {
            <>
                <span>{ time.map_or_else(|| text.clone(), |time| clock::full(time.0)) }</span>{ " " }
                if let Some(note) = from.and_then(TimeFrom::note) {
                    <span class="tag">{ note }</span>
                }
            </>
        },
    };
    let answered_at = row.end.filter(|_| ask.answered_at.is_some());
    let untitled = if ask.kind == AskKind::Suggestion { "Suggestion" } else { "Question" };
    let questions = ask.questions.iter().enumerate().map(|(n, question)| {
        let answers = ask.answers.get(n).cloned().unwrap_or_default();
        let options = question.options.iter().enumerate().map(|(place, option)| {
            let is_chosen = answers.contains(option);
            html! {
                <li class={if is_chosen { "ask-option is-chosen" } else { "ask-option" }}>
                    <span role="img" aria-label={if is_chosen { "chosen" } else { "not chosen" }}>{ if is_chosen { "◉" } else { "○" } }</span>
                    { " " }{ shown(option, &[]) }{ said_of(question, place) }
                </li>
            }
        });
        let own = answers.iter().filter(|answer| !question.options.contains(answer));
        html! {
            <section class="ask-question">
                <h3>{ question.header.as_deref().map(|header| shown(header, &[])).unwrap_or_else(|| html! { { untitled } }) }</h3>
                <p>{ shown(&question.question, &[]) }</p>
                <ul class="plain ask-options">
                    { for options }
                    { for own.map(|answer| html! { <li class="ask-option is-chosen"><span role="img" aria-label="own answer">{ "◉" }</span>{ " " }{ shown(answer, &[]) }<span class="tag">{ "own answer" }</span></li> }) }
                </ul>
            </section>
        }
    });
    let options = ask.options.iter().map(|option| {
        let is_chosen = ask.answer.as_ref() == Some(option);
        html! { <span class={if is_chosen { "tag ask-given" } else { "tag" }}>{ option.clone() }</span> }
    });
    let surface = match ask.surface {
        _ if ask.was_open => "listed by the server: it was open when the page connected",
        _ if ask.kind == AskKind::Suggestion => "bus event (Kilo Code alone)",
        steplens_core::ask::AskSurface::Bus => "bus event (Kilo Code from 7.4.6, OpenCode from 1.1.2)",
        steplens_core::ask::AskSurface::Hook => {
            "hook or permission.updated (Kilo Code up to 7.4.5, OpenCode up to 1.0)"
        }
        steplens_core::ask::AskSurface::Unknown => "only the answer is in this log",
    };
    html! {
        <section id="detail" class={if props.sheet { "detail is-sheet ask-pane" } else { "detail ask-pane" }} aria-label="Event detail">
            <header class="detail-head">
                <h2>
                    { icon("lock") }<span class="k-ask">{ ask.kind.name() }</span>
                    <span class="detail-summary mono" title={clipped(&ask.what(), 1_000)}>{ clipped(&ask.what(), 300) }</span>
                </h2>
                <button type="button" class="button square quiet detail-close" aria-label="Back to the list" title="Back to the list" onclick={close}>
                    { icon("close") }
                </button>
                <p class="detail-facts">
                    { mark(ask.status) }{ " " }{ clipped(&outcome(ask, props.is_live), 200) }
                    { " · line " }{ grouped(ask.line) }
                    if let Some(line) = ask.answer_line.filter(|line| *line != ask.line) {
                        { " · answered on line " }{ grouped(line) }
                    }
                </p>
            </header>
            <div class="detail-panel" tabindex="0" role="group" aria-label="About this request">
                <dl class="ask-facts">
                    <dt>{ "Waited" }</dt>
                    <dd>
                        <strong>{ ask.wait_ms.map_or_else(|| UNKNOWN.to_owned(), duration) }</strong>
                        if ask.wait_ms.is_none() { <span class="muted">{ " the log does not tell both times" }</span> }
                    </dd>
                    <dt>{ "Asked" }</dt>
                    <dd>{ at(row.time, &ask.asked_at, ask.asked_at_from) }</dd>
                    <dt>{ "Answered" }</dt>
                    <dd>{ at(answered_at, &ask.answered_at, ask.answered_at_from) }</dd>
                    if let Some(by) = &ask.answered_by {
                        <dt>{ "Decided by" }</dt>
                        <dd>{ shown(by, &[]) }<span class="muted">{ if by == "manual" { " (a person), as the call says" } else { ", as the call says" } }</span></dd>
                    }
                    if let Some(permission) = &ask.permission {
                        <dt>{ "Permission" }</dt>
                        <dd class="mono">{ shown(permission, &[]) }</dd>
                    }
                    if ask.kind == AskKind::Permission {
                        if let Some(title) = &ask.title {
                            <dt>{ "For" }</dt>
                            <dd class="mono break">{ shown(title, &[]) }</dd>
                        }
                    }
                    if !ask.patterns.is_empty() {
                        <dt>{ "Patterns" }</dt>
                        <dd><ul class="plain">{ for ask.patterns.iter().map(|pattern| html! { <li class="mono break">{ shown(pattern, &[]) }</li> }) }</ul></dd>
                    }
                    if !ask.options.is_empty() {
                        <dt>{ "Options" }</dt>
                        <dd class="ask-tags">{ for options }</dd>
                    }
                    if let Some(message) = &ask.message {
                        <dt>{ "Said with it" }</dt>
                        <dd class="break">{ shown(message, &[]) }</dd>
                    }
                    <dt>{ "Request" }</dt>
                    <dd class="mono break">{ shown(&ask.id, &[]) }</dd>
                    if let Some(call) = &ask.call_id {
                        <dt>{ "Call" }</dt>
                        <dd class="mono break">{ shown(call, &[]) }</dd>
                    }
                    <dt>{ "Surface" }</dt>
                    <dd class="muted">{ surface }</dd>
                </dl>
                { for questions }
                <p><button type="button" class="button small" onclick={jump}>{ "Show the event nearest to it" }</button></p>
            </div>
        </section>
    }
}
