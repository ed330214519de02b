//! What the bar over a watched agent says beside how the connection stands, and the way back to an agent that is watched no
//! longer.

use steplens_core::summary::Summary;
use web_sys::HtmlInputElement;
use yew::{Html, Properties, SubmitEvent, component, html, use_context, use_node_ref};

use super::connect::why_not;
use crate::hooks::live::Watcher;
use crate::live::connection::{Failure, Phase};
use crate::state::live::Live;
use crate::state::shared::Shared;

/// What they have to know.
#[derive(Debug, PartialEq, Properties)]
pub struct NotesProps {
    /// The connection.
    pub live: Live,
    /// What is known of the run.
    pub summary: Shared<Summary>,
}

/// What the connection could not tell, and what the server said of itself.
#[component]
pub fn LiveNotes(props: &NotesProps) -> Html {
    let (live, summary) = (&props.live, &props.summary);
    let holes = summary.findings.iter().filter(|finding| finding.kind == "stream-broke").count();
    let holes = match holes {
        0 => None,
        1 => Some("Reconnected once; what happened in between is missing.".to_owned()),
        times => Some(format!("Reconnected {times} times; what happened in between is missing.")),
    };
    let quiet = live.quiet.map(|seconds| format!("Nothing has come for {seconds} s."));
    let is_over = live.is_ended || matches!(live.phase, Phase::Failed(_));
    let untold = (live.is_untold && !is_over)
        .then(|| "The server did not say what is open: requests from before are not known here.".to_owned());
    let restarted = match (&live.was_version, &live.version) {
        (Some(before), Some(now)) if !is_over => {
            Some(format!("The server was version {before} before, and is {now} now."))
        }
        _ => None,
    };
    let is_open = live.phase == Phase::Open && !live.is_ended;
    let idle = (is_open
        && holes.is_none()
        && summary.sessions.iter().all(|session| session.id.is_none())
        && summary.asks.is_empty()
        && live.quiet.is_none())
    .then(|| "Connected. Nothing has happened since: ask the agent something.".to_owned());
    let notes = [idle, quiet, holes, restarted, untold].into_iter().flatten();
    html! {
        <>
            <div role="status" class="watch-notes">{ for notes.map(|note| html! { <p>{ note }</p> }) }</div>
            <Back live={live.clone()} />
        </>
    }
}

#[derive(Debug, PartialEq, Properties)]
struct BackProps {
    live: Live,
}

/// Why there is no connection any more, and the way back.
#[component]
fn Back(props: &BackProps) -> Html {
    let watcher = use_context::<Watcher>();
    let (user, password) = (use_node_ref(), use_node_ref());
    let live = &props.live;
    let failure = match &live.phase {
        Phase::Failed(failure) if !live.is_ended => Some(failure),
        _ => None,
    };
    let value = |node: &yew::NodeRef| node.cast::<HtmlInputElement>().map(|input| input.value()).unwrap_or_default();
    let onsubmit = {
        let (user, password) = (user.clone(), password.clone());
        move |event: SubmitEvent| {
            event.prevent_default();
            if let Some(watcher) = &watcher {
                watcher.again(&value(&user), &value(&password));
            }
        }
    };
    let wants_password = failure == Some(&Failure::Password);
    html! {
        <>
            <div role="alert" class="connect-problem watch-problem">{ failure.map(|failure| why_not(failure, Some(live))).unwrap_or_default() }</div>
            if live.is_ended || failure.is_some() {
                <form class="connect-form watch-back" {onsubmit}>
                    if wants_password {
                        <label>{ "User" }
                            <input ref={user} type="text" autocomplete="off" spellcheck="false" placeholder="kilo or opencode" />
                        </label>
                        <label>{ "Password" }
                            <input ref={password} type="password" autocomplete="off" />
                        </label>
                    }
                    <button type="submit" class="button small">{ "Connect again" }</button>
                    if !wants_password { <span class="muted">{ "What comes then goes on in this log." }</span> }
                </form>
            }
        </>
    }
}

/// What the offer has to know.
#[derive(Debug, PartialEq, Properties)]
pub struct OfferProps {
    /// The address of the agent.
    pub server: String,
}

/// A link brought a log and the address of an agent: it is offered, and connected to by nothing but a click.
#[component]
pub fn LiveOffer(props: &OfferProps) -> Html {
    let act = crate::hooks::context::use_act();
    let open = act.on(|_| crate::state::reducer::Action::Dialog(Some(crate::state::Dialog::Connect)));
    html! {
        <section class="watch" aria-label="Running agent">
            <div class="watch-line">
                <span class="watch-dot" aria-hidden="true" />
                <span class="watch-text" title={props.server.clone()}>{ "A running agent can be watched, too." }</span>
                <span class="grow" />
                <button type="button" class="button small" onclick={open}>{ "Connect …" }</button>
            </div>
        </section>
    }
}
