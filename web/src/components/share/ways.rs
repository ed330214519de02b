//! The ways to share what was reviewed.

use std::rc::Rc;

use yew::{Callback, Html, Properties, component, html, use_state_eq};

use super::Shared;
use super::folder::FolderWay;
use super::hosted::Hosted;
use super::link::LinkWay;
use super::logs::Logs;
use crate::engine::blobs;
use crate::engine::protocol::{Answer, Ask};
use crate::engine::review::{Made, Make, ReviewAsk, ReviewHead, Reviewed};
use crate::hooks::context::EngineHandle;

/// A way to share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Link,
    Hosted,
    Files,
    Folder,
}

const WAYS: [(Way, &str, &str); 4] = [
    (Way::Link, "Link with the run inside", "For a pull request or a chat. Nothing is stored anywhere."),
    (Way::Hosted, "Link to a hosted log", "For long runs: the log lies on a site, the link names it."),
    (Way::Files, "Files", "The log with its masks, or one HTML file with log and viewer."),
    (Way::Folder, "Folder for a static host", "A site of its own: an index of the runs, the logs, and the viewer."),
];

/// What the ways have to know.
#[derive(Debug, PartialEq, Properties)]
pub struct WaysProps {
    /// How the review stands.
    pub head: Rc<ReviewHead>,
    /// What is shared.
    pub shared: Rc<Shared>,
}

/// The ways to share.
#[component]
pub fn Ways(props: &WaysProps) -> Html {
    let chosen = use_state_eq(|| Way::Link);
    let items = WAYS.map(|(way, word, what)| {
        let chosen = chosen.clone();
        html! {
            <li>
                <button
                    type="button"
                    class="share-way"
                    aria-pressed={(*chosen == way).to_string()}
                    onclick={move |_| chosen.set(way)}
                >
                    <strong>{ word }</strong>
                    <span class="muted">{ what }</span>
                </button>
            </li>
        }
    });
    let (head, shared) = (props.head.clone(), props.shared.clone());
    html! {
        <div class="share-parts is-ways">
            <nav class="share-kinds" aria-label="Ways to share">
                <ul class="plain">{ for items }</ul>
            </nav>
            <div class="share-made">
                { match *chosen {
                    Way::Link => html! { <LinkWay {head} {shared} /> },
                    Way::Hosted => html! { <Hosted {head} {shared} /> },
                    Way::Files => html! { <Logs {head} {shared} /> },
                    Way::Folder => html! { <FolderWay {head} {shared} /> },
                } }
            </div>
        </div>
    }
}

/// Has the worker make something of what was reviewed.
pub fn make(engine: Option<&EngineHandle>, what: Make, then: Callback<Result<Made, String>>) {
    ask(engine, ReviewAsk::Make(Box::new(what)), move |made| then.emit(made));
}

/// Asks the worker for something that is made.
pub fn ask(engine: Option<&EngineHandle>, what: ReviewAsk, then: impl FnOnce(Result<Made, String>) + 'static) {
    let Some(engine) = engine else { return };
    let hear = move |answer| {
        let made = match answer {
            Answer::Review(answer) => match *answer {
                Reviewed::Made(made) => made,
                _ => Err("The reader answered something else.".to_owned()),
            },
            _ => Err("The reader stopped: open the log again.".to_owned()),
        };
        then(made);
    };
    engine.0.ask(Ask::Review(what), Box::new(hear));
}

/// The files that were made, by their names.
pub fn files_of(made: &Made) -> Vec<(String, web_sys::Blob)> {
    made.parts.iter().filter_map(|part| Some((part.name.clone(), blobs::take(part.blob)?))).collect()
}
