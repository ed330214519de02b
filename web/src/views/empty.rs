//! The empty page: what this is, and the ways to open a log.

use yew::{Callback, Html, MouseEvent, html};

use crate::components::connect::Connect;
use crate::components::copy::Copy;
use crate::components::icon::icon;
use crate::components::live::{LastLog, LiveProps};
use crate::components::pick::Pick;
use crate::dom;
use crate::hooks::context::Act;
use crate::link;
use crate::state::arrival::LinkAction;
use crate::state::reducer::Action;
use crate::state::route::Source;
use crate::state::{Dialog, State};
use crate::views::mapping::LabAlone;

/// A log made by hand that holds every kind of event.
pub const SAMPLE: &str = include_str!("../../static/sample.jsonl");
/// Its name.
const SAMPLE_NAME: &str = "sample.jsonl";

const COMMANDS: [(&str, &str); 2] = [
    ("Kilo Code", r#"kilo run --format json "…" > run.jsonl"#),
    ("OpenCode", r#"opencode run --format json "…" > run.jsonl"#),
];

/// The empty page. `is_awaited`: the URL names a place in a log that has to be opened first.
pub fn empty(is_awaited: bool, state: &State, act: &Act) -> Html {
    let commands = COMMANDS.map(|(name, command)| {
        html! {
            <>
                <dt>{ name }</dt>
                <dd>
                    <code>{ command }</code>
                    <Copy text={command} label={format!("Copy the {name} command")} />
                </dd>
            </>
        }
    });
    html! {
        <main class="empty">
            <p class="lead">
                { "See what a coding-agent run did, which calls failed, what took the time and what it cost, down to the raw line." }
            </p>
            <section class="drop" aria-label="Drop a run log">
                <div class="drop-icon">{ icon("drop") }</div>
                <p class="drop-word">{ "Drop a run log anywhere on this page" }</p>
                <p class="drop-note">{ "JSON lines, as Kilo Code and OpenCode write them" }</p>
                if let Some((said, word)) = in_link(state) {
                    <p class="drop-note drop-awaited">
                        { said }{ " " }
                        <button type="button" class="link" onclick={act.on(|_| Action::Link(LinkAction::Again))}>{ word }</button>
                    </p>
                } else if is_awaited {
                    <p class="drop-note drop-awaited">{ "This link names a place in a log: open that log to see it." }</p>
                }
                <LastLog ..LiveProps::of(state) />
                <div class="buttons">
                    <Pick class="primary" word={"Open files"} />
                    if dom::files::has_folders() {
                        <button type="button" class="button" onclick={choose_folder(act)}>
                            { icon("list") }{ "Choose a folder" }
                        </button>
                    }
                    <button type="button" class="button" onclick={act.on(|_| Action::Dialog(Some(Dialog::Paste)))}>
                        { icon("paste") }{ "Paste" }
                    </button>
                    <button type="button" class="button" onclick={act.on(|_| open_sample())}>
                        { icon("play") }{ "Try a sample" }
                    </button>
                </div>
            </section>
            <p class="promise">{ icon("lock") }{ "Your log stays in this tab: this page sends nothing." }</p>
            <section class="make" aria-labelledby="make">
                <h2 id="make">{ "Make a log" }</h2>
                <dl>{ for commands }</dl>
            </section>
            if cfg!(not(feature = "inpage")) {
                <Connect named={state.route.live.clone()} live={state.live.clone()} />
            }
            <LabAlone lab={state.lab.clone()} route={state.route.clone()} />
        </main>
    }
}

/// What is said of a log that the link brings and that was not opened, and of the way to it.
fn in_link(state: &State) -> Option<(&'static str, &'static str)> {
    let source = state.route.source.as_ref().filter(|_| state.arrival.is_none())?;
    match source {
        Source::Sealed(log) if link::look(log).is_ok() => Some(("A sealed run is in this link.", "Enter the password")),
        Source::Hosted(_) => Some(("This link names a log at another address.", "Fetch it")),
        // One that was not opened is damaged, and said to be.
        Source::Sealed(_) | Source::Packed(_) => None,
    }
}

fn choose_folder(act: &Act) -> Callback<MouseEvent> {
    let act = act.clone();
    Callback::from(move |_| {
        let act = act.clone();
        dom::files::choose_folder(move |intake| {
            act.now(Action::Open(intake.files));
            if intake.note.is_some() {
                act.now(Action::Say(intake.note));
            }
        });
    })
}

fn open_sample() -> Action {
    Action::Open(vec![dom::files::of_text(SAMPLE_NAME, SAMPLE)])
}
