//! The bar over an agent that is watched: how the connection stands, and what is asked.

use steplens_core::summary::Summary;
use web_sys::HtmlInputElement;
use yew::{Html, Properties, TargetCast, component, html, use_context};

use super::icon::icon;
use super::live_cards::Cards;
use super::live_notes::LiveNotes;
use crate::dom;
use crate::hooks::context::use_act;
use crate::hooks::live::Watcher;
use crate::live::connection::Phase;
use crate::state::live::{Live, LiveAction};
use crate::state::reducer::Action;
use crate::state::shared::Shared;
use crate::text::number::count;

/// How long the browser may take to read what it saves.
const SAVING_MS: i32 = 60_000;

/// What the bar shows.
#[derive(Debug, PartialEq, Properties)]
pub struct LiveBarProps {
    /// The connection.
    pub live: Live,
    /// What is known of the run.
    pub summary: Shared<Summary>,
    /// The log as far as it came.
    pub blob: Option<web_sys::Blob>,
}

/// Saves a log that is watched under its name.
pub fn save(blob: &web_sys::Blob, name: &str) {
    if let Ok(address) = web_sys::Url::create_object_url_with_blob(blob) {
        dom::save::at(&address, name, SAVING_MS);
    }
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
    let onsave = {
        let (act, blob, name) = (act.clone(), props.blob.clone(), live.file.clone());
        move |_: yew::MouseEvent| {
            if let Some(blob) = &blob {
                save(blob, &name);
                act.now(Action::Live(LiveAction::Saved(blob.size() as u64)));
            }
        }
    };
    let switch = act.on(|event: yew::Event| {
        let on = event.target_dyn_into::<HtmlInputElement>().is_some_and(|input| input.checked());
        Action::Live(LiveAction::Answers(on))
    });
    let is_waiting = matches!(live.phase, Phase::Waiting { .. }) && !live.is_ended;
    let is_over = live.is_over();
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
                <button type="button" class="button small" disabled={props.blob.is_none()} onclick={onsave}>{ icon("drop") }{ "Save log" }</button>
                if !is_over {
                    <button type="button" class="button small" onclick={stop}>{ "Stop watching" }</button>
                }
            </div>
            <LiveNotes live={live.clone()} summary={props.summary.clone()} />
            <Cards live={live.clone()} summary={props.summary.clone()} />
        </section>
    }
}
