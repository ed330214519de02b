//! Follow and Reload: what the page offers for a log that is still written.

use yew::{Html, Properties, component, html};

use super::icon::icon;
use crate::dom::source;
use crate::engine::protocol::OpenFile;
use crate::hooks::context::use_reach;
use crate::hooks::follow::{reload, start};
use crate::state::State;
use crate::state::follow::{Follow, FollowAction};
use crate::state::reducer::Action;
use crate::text::number::bytes;

/// What the buttons have to know.
#[derive(Debug, Clone, PartialEq, Properties)]
pub struct LiveProps {
    /// All files that were asked for.
    pub files: Vec<OpenFile>,
    /// The one that can be followed.
    pub file: Option<OpenFile>,
    /// What is known of files that may be written.
    pub follow: Follow,
    /// Bytes that wait for the rest of their line.
    pub waiting: u64,
}

impl LiveProps {
    /// Of the state.
    pub fn of(state: &State) -> LiveProps {
        LiveProps {
            files: state.asked_files(),
            file: state.followable().cloned(),
            follow: state.follow.clone(),
            waiting: state.reading.as_ref().map_or(0, |reading| reading.waiting),
        }
    }
}

/// The button: Follow, Following, or Reload.
#[component]
pub fn Live(props: &LiveProps) -> Html {
    let Some(reach) = use_reach() else { return Html::default() };
    let Some(file) = &props.file else { return Html::default() };
    let name = &file.name;
    let dispatch = reach.dispatch;
    if props.follow.file.as_ref() == Some(name) {
        let waiting = match props.waiting {
            0 => String::new(),
            waiting => format!(" {} of a line that is not whole yet wait for its rest.", bytes(waiting)),
        };
        let onclick = move |_| dispatch.dispatch(Action::Follow(FollowAction::Off(None)));
        return html! {
            <button
                type="button"
                class="button live is-live"
                aria-label="Following"
                aria-pressed="true"
                title={format!("{name} is read on as it is written.{waiting} Click to stop.")}
                {onclick}
            >
                <i class="live-dot" aria-hidden="true" /><span>{ "Following" }</span>
            </button>
        };
    }
    let (files, follow) = (props.files.clone(), props.follow.clone());
    let is_handle = matches!(follow.source(file), Some(source::Source::Handle(_)));
    if follow.stale.is_none() && (is_handle || source::can_choose()) {
        let title = match is_handle {
            true => format!("Read on while {name} is written"),
            false => format!("Read on while {name} is written: choose it once more, so that the page may look at it"),
        };
        let file = file.clone();
        let onclick = move |_| start(&dispatch, &file, &follow);
        return html! {
            <button type="button" class="button live" aria-label="Follow" aria-pressed="false" {title} {onclick}>
                { icon("follow") }<span>{ "Follow" }</span>
            </button>
        };
    }
    let title = match &follow.stale {
        Some(stale) => format!("{stale} changed on disk: read it again"),
        None => format!("Read {name} again, as it is now"),
    };
    let class = if follow.stale.is_some() { "button live is-stale" } else { "button live" };
    let onclick = move |_| reload(&dispatch, files.clone(), &follow);
    html! {
        <button type="button" {class} aria-label="Reload" {title} {onclick}>
            { icon("reload") }<span>{ "Reload" }</span>
        </button>
    }
}

/// The log that was opened last, on the empty page.
#[component]
pub fn LastLog(props: &LiveProps) -> Html {
    let Some(reach) = use_reach() else { return Html::default() };
    let Some((name, source)) = props.follow.last.clone() else { return Html::default() };
    let dispatch = reach.dispatch;
    let open = {
        let (dispatch, name) = (dispatch.clone(), name.clone());
        move |_| crate::hooks::follow::open_last(&dispatch, name.clone(), source.clone())
    };
    html! {
        <p class="last">
            <button type="button" class="button" title="The log that was opened last in this browser" onclick={open}>
                { icon("reload") }<span>{ format!("Open {name} again") }</span>
            </button>
            <button
                type="button"
                class="button square quiet"
                aria-label={format!("Forget {name}")}
                title="Forget it: this browser keeps where the file is, not what is in it"
                onclick={move |_| crate::hooks::follow::forget_last(&dispatch)}
            >
                { icon("close") }
            </button>
        </p>
    }
}
