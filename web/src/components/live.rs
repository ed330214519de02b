//! Follow and Reload: what the page offers for a log that is still written.

use yew::{Callback, Html, MouseEvent, Properties, component, html};

use super::icon::icon;
use crate::dom::source;
use crate::engine::protocol::OpenFile;
use crate::hooks::context::{Dispatch, use_reach};
use crate::hooks::follow::{choose, reload, start};
use crate::state::State;
use crate::state::follow::{Follow, FollowAction};
use crate::state::reducer::Action;
use crate::text::number::bytes;

/// What the buttons have to know.
#[derive(Debug, Clone, PartialEq, Properties)]
pub struct LiveProps {
    /// All files that were asked for.
    pub files: Vec<OpenFile>,
    /// Those that can be followed as they are.
    pub followable: Vec<OpenFile>,
    /// The last one, where it is one on disk.
    pub last: Option<OpenFile>,
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
            followable: state.followable(),
            last: state.last_on_disk().cloned(),
            follow: state.follow.clone(),
            waiting: state.reading.as_ref().map_or(0, |reading| reading.waiting),
        }
    }

    /// The files that are followed.
    fn followed(&self) -> impl Iterator<Item = &OpenFile> {
        self.followable.iter().filter(|file| self.follow.files.contains(&file.name))
    }
}

/// The button: Follow, Following, or Reload.
#[component]
pub fn Live(props: &LiveProps) -> Html {
    let Some(reach) = use_reach() else { return Html::default() };
    let dispatch = reach.dispatch;
    let followed = names(props.followed());
    let follow = match (&followed, props.followable.as_slice(), &props.last) {
        (Some(followed), ..) => {
            let dispatch = dispatch.clone();
            let onclick = move |_| dispatch.dispatch(Action::Follow(FollowAction::Off));
            let waiting = match props.waiting {
                0 => String::new(),
                waiting => format!(" {} of a line that is not whole yet wait for its rest.", bytes(waiting)),
            };
            let others = props.files.iter().filter(|file| !props.follow.files.contains(&file.name));
            let others = names(others).map(|others| format!(" Not followed: {others}.")).unwrap_or_default();
            let title = format!("Read on as it is written: {followed}.{waiting}{others} Click to stop.");
            Some(html! {
                <button type="button" class="button live is-live" aria-label="Following" aria-pressed="true" {title} {onclick}>
                    <i class="live-dot" aria-hidden="true" /><span>{ "Following" }</span>
                </button>
            })
        }
        _ if props.follow.stale.is_some() => None,
        (None, [], None) => None,
        (None, [], Some(_)) if !source::can_choose() => None,
        (None, [], Some(last)) => {
            let title =
                format!("Read on while {} is written: choose it once more, so that the page may look at it", last.name);
            let (dispatch, last) = (dispatch.clone(), last.clone());
            Some(follow_button(title, Callback::from(move |_| choose(&dispatch, &last))))
        }
        (None, files, _) => {
            let title = format!("Read on as it is written: {}", names(files.iter()).unwrap_or_default());
            let (dispatch, files) = (dispatch.clone(), files.to_vec());
            Some(follow_button(title, Callback::from(move |_| start(&dispatch, &files))))
        }
    };
    let reload = (follow.is_none() || props.follow.stale.is_some()).then(|| reload_button(props, &dispatch));
    html! { <>{ follow }{ reload.flatten() }</> }
}

fn follow_button(title: String, onclick: Callback<MouseEvent>) -> Html {
    html! {
        <button type="button" class="button live" aria-label="Follow" aria-pressed="false" {title} {onclick}>
            { icon("follow") }<span>{ "Follow" }</span>
        </button>
    }
}

fn reload_button(props: &LiveProps, dispatch: &Dispatch) -> Option<Html> {
    let title = match (&props.follow.stale, &props.last) {
        (Some(stale), _) => format!("{stale} changed on disk: read it again"),
        (None, Some(last)) => format!("Read {} again, as it is now", last.name),
        (None, None) => return None,
    };
    let class = if props.follow.stale.is_some() { "button live is-stale" } else { "button live" };
    let (dispatch, files, follow) = (dispatch.clone(), props.files.clone(), props.follow.clone());
    let onclick = move |_| reload(&dispatch, files.clone(), &follow);
    Some(html! {
        <button type="button" {class} aria-label="Reload" {title} {onclick}>
            { icon("reload") }<span>{ "Reload" }</span>
        </button>
    })
}

/// What is read again.
#[derive(Debug, PartialEq, Properties)]
pub struct AgainProps {
    /// The files.
    pub files: Vec<OpenFile>,
    /// What is known of them.
    pub follow: Follow,
}

/// The button that opens the log again after its reader stopped.
#[component]
pub fn Again(props: &AgainProps) -> Html {
    let Some(reach) = use_reach().filter(|_| !props.files.is_empty()) else { return Html::default() };
    let (dispatch, files, follow) = (reach.dispatch, props.files.clone(), props.follow.clone());
    html! {
        <button type="button" class="button primary" onclick={move |_| reload(&dispatch, files.clone(), &follow)}>
            { icon("reload") }{ "Open the log again" }
        </button>
    }
}

/// The names of files, as a list in words; none of no files.
fn names<'f>(files: impl Iterator<Item = &'f OpenFile>) -> Option<String> {
    let names: Vec<&str> = files.map(|file| file.name.as_str()).collect();
    (!names.is_empty()).then(|| names.join(", "))
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
