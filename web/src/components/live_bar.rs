//! The bar over an agent that is watched: how the connection stands, what is asked, and the answers.

use steplens_core::ask::{AskKind, AskStatus, AskSummary, TimeFrom};
use steplens_core::summary::Summary;
use steplens_core::time::TimeMs;
use web_sys::HtmlInputElement;
use yew::{Html, InputEvent, Properties, TargetCast, component, html, use_context, use_state};

use super::asks::said_of;
use super::icon::icon;
use super::live_notes::LiveNotes;
use super::shown::shown;
use crate::dom;
use crate::dom::clock;
use crate::hooks::context::use_act;
use crate::hooks::live::Watcher;
use crate::live::connection::Phase;
use crate::live::reply::{Reply, can_answer};
use crate::state::live::{Live, LiveAction};
use crate::state::reducer::Action;
use crate::state::shared::Shared;
use crate::text::number::{count, grouped};

/// How long the browser may take to read what it saves.
const SAVING_MS: i32 = 60_000;

/// What the bar shows.
#[derive(Debug, PartialEq, Properties)]
pub struct LiveBarProps {
    /// The connection.
    pub live: Live,
    /// What is known of the run.
    pub summary: Shared<Summary>,
    /// Requests that have no answer.
    pub asks: Vec<AskSummary>,
    /// The log as far as it came.
    pub blob: Option<web_sys::Blob>,
}

/// Requests without an answer; with those of before the stream broke, unless the server told which are open.
pub fn pending(asks: &[AskSummary], is_listed: bool) -> Vec<AskSummary> {
    let is_open = |ask: &&AskSummary| match ask.status {
        AskStatus::Pending => true,
        AskStatus::Missed => !is_listed,
        _ => false,
    };
    asks.iter().filter(is_open).cloned().collect()
}

/// Since when a request is open that was so when the page connected; that it may be answered since the stream broke.
fn since(ask: &AskSummary) -> Option<String> {
    if ask.status == AskStatus::Missed {
        return Some("The stream broke since: it may have been answered.".to_owned());
    }
    ask.was_open.then(|| {
        let asked = ask.asked_at.as_deref().and_then(TimeMs::from_rfc3339).map(|time| clock::full(time.0));
        let from = ask.asked_at_from.and_then(TimeFrom::note).map(|note| format!(" ({note})")).unwrap_or_default();
        let asked = asked.map_or_else(|| "since when is not known".to_owned(), |at| format!("asked {at}{from}"));
        format!("Was open when the page connected: {asked}.")
    })
}

/// The bar.
#[component]
pub fn LiveBar(props: &LiveBarProps) -> Html {
    let act = use_act();
    let watcher = use_context::<Watcher>();
    let live = &props.live;
    let (class, text) = match &live.phase {
        _ if live.is_ended => ("off", format!("No longer watching {}", live.name())),
        Phase::Connecting => ("wait", format!("Connecting to {} …", live.name())),
        Phase::Open if live.quiet.is_some() => ("quiet", format!("Live from {}", live.name())),
        Phase::Open => ("on", format!("Live from {}", live.name())),
        Phase::Waiting { seconds, attempt, why } => (
            "wait",
            format!(
                "Disconnected: {why}. Trying again in {seconds} s (try {attempt}). What the agent does meanwhile is missing here."
            ),
        ),
        Phase::Failed(_) => ("off", format!("The connection to {} is over", live.name())),
    };
    let stop = {
        let watcher = watcher.clone();
        move |_: yew::MouseEvent| watcher.iter().for_each(Watcher::stop)
    };
    let again = {
        let watcher = watcher.clone();
        move |_: yew::MouseEvent| watcher.iter().for_each(Watcher::at_once)
    };
    let save = {
        let (blob, name) = (props.blob.clone(), live.file.clone());
        move |_: yew::MouseEvent| {
            if let Some(address) = blob.as_ref().and_then(|blob| web_sys::Url::create_object_url_with_blob(blob).ok()) {
                dom::save::at(&address, &name, SAVING_MS);
            }
        }
    };
    let switch = act.on(|event: yew::Event| {
        let on = event.target_dyn_into::<HtmlInputElement>().is_some_and(|input| input.checked());
        Action::Live(LiveAction::Answers(on))
    });
    let is_waiting = matches!(live.phase, Phase::Waiting { .. }) && !live.is_ended;
    let is_over = live.is_ended || matches!(live.phase, Phase::Failed(_));
    html! {
        <section class="watch" aria-label="Live connection">
            <div class="watch-line">
                <span class={format!("watch-dot is-{class}")} aria-hidden="true" />
                <span role="status" class="watch-text">{ text }</span>
                <span class="muted watch-count">{ count(live.events, "event", "events") }</span>
                <span class="grow" />
                if !is_over {
                    <label class="watch-switch" title="Only for this connection: answers go to the agent's server">
                        <input type="checkbox" checked={live.answers} onchange={switch} />{ " Answer from here" }
                    </label>
                }
                if is_waiting {
                    <button type="button" class="button small" onclick={again}>{ "Try now" }</button>
                }
                <button type="button" class="button small" disabled={props.blob.is_none()} onclick={save}>{ icon("drop") }{ "Save log" }</button>
                if !is_over {
                    <button type="button" class="button small" onclick={stop}>{ "Stop watching" }</button>
                }
            </div>
            <LiveNotes live={live.clone()} summary={props.summary.clone()} />
            // Where many wait, they scroll: the run itself stays in sight.
            <div class="watch-asks" aria-live="polite" tabindex={(props.asks.len() > 1).then_some("0")} role="group" aria-label="Open requests">
                { for props.asks.iter().map(|ask| html! { <Asked key={ask.id.clone()} ask={ask.clone()} answers={live.answers && !is_over} {is_over} is_sending={live.sending.is_some()} /> }) }
                if let Some(said) = &live.said { <p class="watch-said muted">{ said.clone() }</p> }
            </div>
        </section>
    }
}

#[derive(Debug, PartialEq, Properties)]
struct AskedProps {
    ask: AskSummary,
    answers: bool,
    is_sending: bool,
    /// Nothing more comes: whether it was answered is not known.
    is_over: bool,
}

/// One request that waits.
#[component]
fn Asked(props: &AskedProps) -> Html {
    let watcher = use_context::<Watcher>();
    let ask = &props.ask;
    let chosen = use_state(|| vec![Vec::<String>::new(); ask.questions.len()]);
    let own = use_state(|| vec![String::new(); ask.questions.len()]);
    let send = |reply: Reply| {
        let (watcher, ask) = (watcher.clone(), ask.clone());
        move |_: yew::MouseEvent| {
            if let Some(watcher) = &watcher {
                watcher.reply(&ask, &reply);
            }
        }
    };
    let permission = [("once", "Allow once"), ("always", "Always allow"), ("reject", "Reject")].map(|(word, label)| {
        let class = if word == "once" { "button small primary" } else { "button small" };
        html! { <button type="button" {class} disabled={props.is_sending} onclick={send(Reply::Permission(word))}>{ label }</button> }
    });
    let answers: Vec<Vec<String>> = chosen
        .iter()
        .zip(own.iter())
        .map(|(chosen, own)| {
            let own = Some(own.trim()).filter(|own| !own.is_empty()).map(str::to_owned);
            chosen.iter().cloned().chain(own).collect()
        })
        .collect();
    let is_whole = answers.iter().all(|answer| !answer.is_empty());
    let offers =
        ask.questions.first().filter(|_| ask.kind == AskKind::Suggestion).map(|offer| offer.options.as_slice());
    let accepts = offers.unwrap_or_default().iter().enumerate().map(|(place, offer)| {
        let class = if place == 0 { "button small primary" } else { "button small" };
        html! { <button type="button" {class} disabled={props.is_sending} onclick={send(Reply::Accept(place))}>{ shown(offer, &[]) }</button> }
    });
    let forms = if offers.is_some() { &[] } else { ask.questions.as_slice() };
    let questions = forms.iter().enumerate().map(|(n, question)| {
        let options = question.options.iter().enumerate().map(|(place, option)| {
            let is_on = chosen.get(n).is_some_and(|chosen| chosen.contains(option));
            let onchange = {
                let (chosen, option, multiple) = (chosen.clone(), option.clone(), question.multiple);
                move |_: yew::Event| {
                    let mut now = (*chosen).clone();
                    if let Some(answer) = now.get_mut(n) {
                        match answer.iter().position(|known| *known == option) {
                            Some(at) if multiple => {
                                answer.remove(at);
                            }
                            Some(_) => {}
                            None if multiple => answer.push(option.clone()),
                            None => *answer = vec![option.clone()],
                        }
                    }
                    chosen.set(now);
                }
            };
            let kind = if question.multiple { "checkbox" } else { "radio" };
            html! { <label class="watch-option"><input type={kind} name={format!("{}-{n}", ask.id)} checked={is_on} disabled={!props.answers} {onchange} />{ " " }<span>{ shown(option, &[]) }{ said_of(question, place) }</span></label> }
        });
        let oninput = {
            let own = own.clone();
            move |event: InputEvent| {
                let mut now = (*own).clone();
                if let (Some(slot), Some(input)) = (now.get_mut(n), event.target_dyn_into::<HtmlInputElement>()) {
                    *slot = input.value();
                }
                own.set(now);
            }
        };
        html! {
            <fieldset class="watch-question">
                <legend>{ question.header.as_deref().map(|header| html! { <b>{ shown(header, &[]) }{ ": " }</b> }).unwrap_or_default() }{ shown(&question.question, &[]) }</legend>
                { for options }
                if question.custom && props.answers {
                    <label class="watch-option">{ "Own answer " }<input type="text" {oninput} /></label>
                }
            </fieldset>
        }
    });
    let can = can_answer(ask);
    let title = match ask.kind {
        AskKind::Permission => "Permission asked",
        AskKind::Question => "Question",
        AskKind::Suggestion => "Suggestion",
    };
    let stands_below = ask.kind == AskKind::Question && !ask.questions.is_empty();
    html! {
        <article class="watch-ask" data-ask={ask.id.clone()}>
            <p class="watch-what">
                { icon("lock") }{ " " }<b>{ title }</b>{ " " }
                // The questions stand below in full.
                if !stands_below { <span class="mono break">{ shown(&ask.what(), &[]) }</span> }
                if !ask.patterns.is_empty() { <span class="muted">{ " for " }{ shown(&ask.patterns.join(", "), &[]) }</span> }
                <span class="muted">{ format!("{}line {}", if stands_below { "" } else { " · " }, grouped(ask.line)) }</span>
            </p>
            if let Some(since) = since(ask) { <p class="watch-since muted">{ since }</p> }
            { for questions }
            if let Some(offers) = offers.filter(|_| !props.answers) {
                <p class="watch-offers">{ "Offers: " }{ shown(&offers.join(" · "), &[]) }</p>
            }
            <div class="watch-answers">
                if props.answers && can {
                    if ask.kind == AskKind::Permission {
                        { for permission }
                    } else if offers.is_some() {
                        { for accepts }
                        <button type="button" class="button small" disabled={props.is_sending} onclick={send(Reply::Dismiss)}>{ "Dismiss" }</button>
                    } else {
                        <button type="button" class="button small primary" disabled={props.is_sending || !is_whole} onclick={send(Reply::Answers(answers))}>{ "Send answer" }</button>
                        <button type="button" class="button small" disabled={props.is_sending} onclick={send(Reply::Dismiss)}>{ "Dismiss" }</button>
                    }
                } else if props.answers {
                    <span class="muted">{ "Its labels are too long to be answered from here." }</span>
                } else if props.is_over {
                    <span class="muted">{ "It had no answer when the connection ended." }</span>
                } else {
                    <span class="muted">{ "Answer it at the agent, or switch on “Answer from here”." }</span>
                }
            </div>
        </article>
    }
}
