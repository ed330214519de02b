//! The way to a running agent: an address that is typed; one in a link only fills the field.

use web_sys::HtmlInputElement;
use yew::{
    Html, InputEvent, Properties, SubmitEvent, TargetCast, component, html, use_context, use_node_ref, use_state,
};

use super::copy::Copy;
use super::dialog::Dialog;
use crate::dom;
use crate::hooks::context::use_act;
use crate::hooks::live::Watcher;
use crate::live::address;
use crate::live::connection::{Failure, Phase};
use crate::state::State;
use crate::state::live::Live;
use crate::state::reducer::Action;

/// What the section has to know.
#[derive(Debug, PartialEq, Properties)]
pub struct ConnectProps {
    /// The address that a link names.
    pub named: Option<String>,
    /// The connection, where one was tried.
    pub live: Option<Live>,
    /// The agent whose log is open.
    #[prop_or_default]
    pub watched: Option<Live>,
    /// It stands in a dialog of its own.
    #[prop_or_default]
    pub is_dialog: bool,
}

/// The section.
#[component]
pub fn Connect(props: &ConnectProps) -> Html {
    let watcher = use_context::<Watcher>();
    let act = use_act();
    let (address, user, password) = (use_node_ref(), use_node_ref(), use_node_ref());
    // What was typed: else what is said below would put the link's address in its place.
    let typed = use_state(|| None::<String>);
    let oninput = {
        let typed = typed.setter();
        move |event: InputEvent| typed.set(event.target_dyn_into::<HtmlInputElement>().map(|input| input.value()))
    };
    let shown = (*typed).clone().or_else(|| props.named.clone()).unwrap_or_default();
    let wrong = use_state(|| None::<String>);
    // The address that was asked for though another agent's log is open.
    let sure = use_state(|| None::<String>);
    let is_asked = sure.is_some() && props.watched.is_some();
    let value = |node: &yew::NodeRef| node.cast::<HtmlInputElement>().map(|input| input.value()).unwrap_or_default();
    let stop = {
        let watcher = watcher.clone();
        move |_: yew::MouseEvent| watcher.iter().for_each(Watcher::stop)
    };
    let onsubmit = {
        let (address, user, password, wrong) = (address.clone(), user.clone(), password.clone(), wrong.setter());
        let watched = props.watched.clone();
        let (act, sure) = (act.clone(), sure.clone());
        move |event: SubmitEvent| {
            event.prevent_default();
            match address::parse(&value(&address)) {
                // Its log is open: what comes goes on in it.
                Ok(server) if watched.as_ref().is_some_and(|live| live.server == server) => {
                    if let Some(watcher) = &watcher {
                        watcher.again(&value(&user), &value(&password));
                    }
                    act.now(Action::Dialog(None));
                }
                // It would be gone for another agent's: that is asked first.
                Ok(server) if watched.is_some() && sure.as_deref() != Some(&server) => {
                    wrong.set(watched.as_ref().map(|live| {
                        format!(
                            "What came from {} is gone from this page then. Save it first, if it is to be kept.",
                            live.name()
                        )
                    }));
                    sure.set(Some(server));
                }
                Ok(server) => {
                    wrong.set(None);
                    if let Some(watcher) = &watcher {
                        watcher.connect(&server, &value(&user), &value(&password));
                    }
                }
                Err(why) => wrong.set(Some(why)),
            }
        }
    };
    let phase = props.live.as_ref().map(|live| &live.phase);
    let is_ended = props.live.as_ref().is_none_or(|live| live.is_ended);
    // No event has come: else the page would show the log.
    let word = match phase {
        _ if is_ended => None,
        Some(Phase::Connecting) => Some("Asking for the stream of events …".to_owned()),
        Some(Phase::Open) => Some("Connected. No event has come yet.".to_owned()),
        Some(Phase::Waiting { seconds, attempt, why }) => {
            Some(format!("No event has come: {why}. Trying again in {seconds} s (try {attempt})."))
        }
        _ => None,
    };
    let is_busy = word.is_some();
    let problem = match (&*wrong, phase) {
        (Some(why), _) => Some(html! { <p>{ why.clone() }</p> }),
        (None, Some(Phase::Failed(failure))) => Some(why_not(failure, props.live.as_ref())),
        _ => None,
    };
    let is_open = props.named.is_some() || props.live.is_some();
    let body = html! {
        <>
            <p class="muted">
                { "Watch a session as it happens, from " }<code>{ "kilo serve" }</code>{ " or " }<code>{ "opencode serve" }</code>
                { " on this machine. What comes stays in this tab; nothing is sent to the agent unless you switch answering on." }
            </p>
            <form {onsubmit} class="connect-form">
                <label class="connect-address">{ "Address" }
                    <input ref={address} type="text" inputmode="url" autocomplete="off" spellcheck="false" placeholder="http://127.0.0.1:4096" value={shown} {oninput} />
                </label>
                <label>{ "User" }
                    <input ref={user} type="text" autocomplete="off" spellcheck="false" placeholder="kilo or opencode" />
                </label>
                <label>{ "Password, if any" }
                    <input ref={password} type="password" autocomplete="off" />
                </label>
                <button type="submit" class="button" disabled={is_busy}>{ if is_busy { "Connecting …" } else if is_asked { "Connect all the same" } else { "Connect" } }</button>
            </form>
            <p role="status" class="connect-word">
                if let Some(word) = word {
                    { word }{ " " }
                    <button type="button" class="button small" onclick={stop}>{ "Stop" }</button>
                }
            </p>
            <div role="alert" class="connect-problem">{ problem.unwrap_or_default() }</div>
        </>
    };
    if props.is_dialog {
        let close = act.on(|()| Action::Dialog(None));
        return html! { <Dialog title={TITLE} class="connect-dialog" {close}>{ body }</Dialog> };
    }
    html! {
        <details class="connect" open={is_open}>
            <summary><h2>{ TITLE }</h2></summary>
            { body }
        </details>
    }
}

/// What it is called everywhere.
pub const TITLE: &str = "Connect to a running agent";

/// The section as a dialog over an open log.
pub fn connect(state: &State) -> Html {
    let watched = state.watched().cloned();
    let live = state.live.clone().filter(|_| watched.is_none());
    html! { <Connect named={state.route.live.clone()} {live} {watched} is_dialog=true /> }
}

/// Why there is no connection, and what to do about it.
pub fn why_not(failure: &Failure, live: Option<&Live>) -> Html {
    let server = live.map(|live| live.server.as_str()).unwrap_or_default();
    // The page's own server answers for it.
    if let (Failure::Status(502), Some(agent)) = (failure, live.and_then(|live| live.agent.as_deref())) {
        return html! { <p>{ format!("The agent at {agent} does not answer. Is it running, and is this the port that it printed?") }</p> };
    }
    match failure {
        Failure::Unreachable => {
            html! { <p>{ "Nothing answers at this address. Is the server running, and is this the port that it printed?" }</p> }
        }
        Failure::Refused => {
            let origin = dom::window().and_then(|window| window.location().origin().ok()).unwrap_or_default();
            let command = |agent: &str| format!("{agent} serve --port {} --cors {origin}", address::port(server));
            let rows = ["kilo", "opencode"].map(|agent| {
                let command = command(agent);
                html! { <li><code>{ command.clone() }</code><Copy text={command} label={format!("Copy the {agent} command")} /></li> }
            });
            let view = format!("steplens view --connect {server}");
            html! {
                <>
                    <p>{ "A server is there, and does not let this page read it (CORS). Start it so that it allows this page:" }</p>
                    <ul class="plain connect-commands">{ for rows }</ul>
                    <p>{ "Or serve page and stream from one address:" }</p>
                    <ul class="plain connect-commands"><li><code>{ view.clone() }</code><Copy text={view} label="Copy the steplens command" /></li></ul>
                </>
            }
        }
        Failure::Moved => {
            html! { <p>{ "The server sends on to another address, which the page may not ask: type the one where the agent itself listens." }</p> }
        }
        Failure::Forbidden => {
            html! { <p>{ "The server refuses this page (403). Its password would not help: see what it says in its own terminal." }</p> }
        }
        Failure::Password => {
            html! { <p>{ "The server wants a password, or another one: that of KILO_SERVER_PASSWORD or OPENCODE_SERVER_PASSWORD." }</p> }
        }
        Failure::Status(status) => {
            html! { <p>{ format!("The server answers {status} where its events should be: is it the address of an agent?") }</p> }
        }
        Failure::NoStream(kind) => {
            html! { <p>{ format!("The server sends no stream of events ({}): is it the address of an agent?", if kind.is_empty() { "no type" } else { kind }) }</p> }
        }
    }
}
