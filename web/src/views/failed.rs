//! The page of a log that could not be read: what was tried, and what the first bytes look like.

use steplens_core::foreign::Foreign;
use yew::{Html, html};

use crate::components::icon::icon;
use crate::components::live::Again;
use crate::components::pick::Pick;
use crate::components::refused::{about, has_lines};
use crate::dom;
use crate::hooks::context::Act;
use crate::state::reducer::Action;
use crate::state::{Dialog, Failure, State};
use crate::views::mapping::LabAlone;

/// The page of a log that could not be read.
pub fn failed(failure: &Failure, state: &State, act: &Act) -> Html {
    let title = state.title();
    let (head, body) = match failure {
        Failure::Unrecognised(what) if what.foreign == Some(Foreign::Empty) => (
            format!("{title} is empty."),
            html! { <p>{ "There is nothing in it to read. A run that was only just started writes its first line when its first step begins." }</p> },
        ),
        Failure::Unrecognised(what) => (
            format!("This is not a log that Steplens reads: {title}"),
            html! {
                <>
                    { about(what) }
                    if has_lines(what) {
                        <p>
                            <button type="button" class="button" onclick={act.on(|_| Action::ShowAnyway)}>
                                { "Show its lines as they are" }
                            </button>
                        </p>
                    }
                </>
            },
        ),
        Failure::Unreadable { file, error } => (
            format!("{file} could not be read."),
            html! { <p>{ format!("The browser says {error}: the file was changed or moved after it was opened, or may not be read. Open it again.") }</p> },
        ),
        Failure::Outdated => (
            "This page was updated while it was open.".to_owned(),
            html! { <p>{ "Its reader is of another version than the page. Reload the page, then open the log again." }</p> },
        ),
        Failure::Lost { reason } => (
            "The reader stopped.".to_owned(),
            html! {
                <>
                    if reason.contains("emory") {
                        <p>{ "The browser has no memory left for it: close other tabs, then open the log again. It said:" }</p>
                    } else {
                        <p>{ "It was started again and stopped once more on the same log. This is a fault in Steplens, not in the log. It said:" }</p>
                    }
                    <pre class="out mono out-wrap" tabindex="0">{ reason.clone() }</pre>
                </>
            },
        ),
    };
    let way_on = match failure {
        Failure::Outdated => Some(html! {
            <button type="button" class="button primary" onclick={|_| dom::reload()}>{ icon("reload") }{ "Reload the page" }</button>
        }),
        Failure::Lost { .. } => Some(html! { <Again files={state.asked_files()} follow={state.follow.clone()} /> }),
        _ => None,
    };
    let class = if way_on.is_some() { "" } else { "primary" };
    html! {
        <main class="failed">
            <h2>{ icon("error") }<span>{ head }</span></h2>
            { body }
            <div class="buttons">
                { way_on.unwrap_or_default() }
                <Pick class={class} word={"Open files"} />
                <button type="button" class="button" onclick={act.on(|_| Action::Dialog(Some(Dialog::Paste)))}>
                    { icon("paste") }{ "Paste" }
                </button>
            </div>
            if matches!(failure, Failure::Unrecognised(what) if has_lines(what)) {
                <p class="muted">{ "A stream of another harness can be read by rules alone: say under " }<code>{ "[stream]" }</code>{ " where its records hold their type, tool, input and status." }</p>
                <LabAlone lab={state.lab.clone()} route={state.route.clone()} />
            }
        </main>
    }
}
