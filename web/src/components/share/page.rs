//! What was reviewed, as one HTML file with the viewer in it.

use std::rc::Rc;

use wasm_bindgen_futures::spawn_local;
use web_sys::Blob;
use yew::{AttrValue, Callback, Html, Properties, component, html, use_state, use_state_eq};

use super::Shared;
use super::logs::save;
use super::ways::{files_of, make};
use crate::components::export_menu;
use crate::components::icon::icon;
use crate::dom::single::{self, Log};
use crate::engine::review::{Made, Make, ReviewHead, Trim};
use crate::hooks::context::use_reach;
use crate::link::packed;
use crate::state::fragment::{parse, write};
use crate::state::route::{EventRef, Route};
use crate::text::number::bytes;

/// What the way has to know.
#[derive(Debug, PartialEq, Properties)]
pub struct OneFileProps {
    /// How the review stands.
    pub head: Rc<ReviewHead>,
    /// What is shared.
    pub shared: Rc<Shared>,
}

/// How the making stands.
#[derive(Debug, Clone, PartialEq)]
enum Making {
    No,
    Now,
    /// The file's name, and its size.
    Done(String, u64),
    Failed(String),
}

/// What was reviewed, as one HTML file.
#[component]
pub fn OneFile(props: &OneFileProps) -> Html {
    let engine = use_reach().and_then(|reach| reach.engine);
    let making = use_state(|| Making::No);
    let goes_along = use_state_eq(|| true);
    let onclick = {
        let (making, head, shared) = (making.clone(), props.head.clone(), props.shared.clone());
        let with_view = *goes_along;
        move |_| {
            making.set(Making::Now);
            let what = wanted(&head, &shared, with_view);
            let (making, shared, name) = (making.clone(), shared.clone(), name_of(&head));
            let then = Callback::from(move |made: Result<Made, String>| {
                let (making, shared, name) = (making.clone(), shared.clone(), name.clone());
                spawn_local(async move {
                    let page = match made {
                        Ok(made) => page(&made, &shared, with_view).await,
                        Err(why) => Err(why),
                    };
                    making.set(match page {
                        Ok(page) => {
                            save(&name, &page);
                            Making::Done(name, page.size() as u64)
                        }
                        Err(why) => Making::Failed(why),
                    });
                });
            });
            make(engine.as_ref(), what, then);
        }
    };
    let toggle = {
        let goes_along = goes_along.clone();
        move |_| goes_along.set(!*goes_along)
    };
    let is_looked_at = props.shared.route != Route::default();
    html! {
        <section>
            <h3>{ "One HTML file" }</h3>
            <p class="muted">
                { "The reviewed run with the whole viewer: it opens from disk, without a network, and connects to nothing." }
            </p>
            if is_looked_at {
                <label class="check">
                    <input type="checkbox" checked={*goes_along} onchange={toggle} />
                    <span>{ "With what is looked at: tab, event, filters, search" }</span>
                </label>
            }
            <div class="buttons share-saves">
                <button type="button" class="button" disabled={*making == Making::Now} {onclick}>
                    { icon("export") }
                    <span>{ format!("Save {}", name_of(&props.head)) }</span>
                </button>
            </div>
            <p class="muted" role="status">
                { match &*making {
                    Making::Now => "The file is being made …".to_owned(),
                    Making::Done(name, size) => format!("{name} is saved: {}. It holds the log; whoever has it can read all of it.", bytes(*size)),
                    Making::No | Making::Failed(_) => String::new(),
                } }
            </p>
            if let Making::Failed(why) = &*making {
                <p class="arrival-why" role="alert">{ icon("error") }<span>{ format!("The file was not made: {why}") }</span></p>
            }
        </section>
    }
}

/// How the `n`-th name is asked about: whether it holds something that is masked.
fn name_key(place: usize) -> String {
    format!("name {place}")
}

/// What the worker has to make: all logs, and which parts of the view hold nothing that is masked.
fn wanted(head: &ReviewHead, shared: &Shared, with_view: bool) -> Make {
    let mut view: Vec<(String, String)> =
        head.files.iter().enumerate().map(|(place, file)| (name_key(place), file.name.clone())).collect();
    if with_view {
        let mut route = Route { source: None, name: None, part: None, event: None, ..shared.route.clone() };
        route.rest.retain(|(key, _)| key != "rules");
        view.extend(parse(&route.text()).into_iter().filter(|(key, _)| key != "v"));
        if let Some(part) = shared.route.event.as_ref().and_then(|event| event.part.clone()) {
            view.push(("part id".to_owned(), part));
        }
        if !shared.rules.trim().is_empty() {
            view.push(("rules".to_owned(), shared.rules.to_string()));
        }
    }
    Make { file: None, as_link: false, trim: Trim::default(), password: None, view, line: None }
}

/// The file.
async fn page(made: &Made, shared: &Shared, with_view: bool) -> Result<Blob, String> {
    let said = |key: &str| made.view.iter().find(|(name, _)| name == key).map(|(_, value)| value.clone());
    let files = files_of(made);
    // A name that holds something masked does not go along.
    let named = |place: usize| said(&name_key(place)).unwrap_or_else(|| format!("log-{}.jsonl", place + 1));
    let logs: Vec<Log> =
        files.iter().enumerate().map(|(place, (_, blob))| Log { name: named(place), blob: blob.clone() }).collect();
    let is_own = |key: &str| key == "part id" || key == "rules" || key.starts_with("name ");
    let mut pairs: Vec<(String, String)> = made.view.iter().filter(|(key, _)| !is_own(key)).cloned().collect();
    if let Some(event) = shared.route.event.as_ref().filter(|_| with_view) {
        let place = event.file.as_ref().and_then(|name| files.iter().position(|(file, _)| file == name));
        let event = EventRef { file: place.map(named), line: event.line, part: said("part id") };
        pairs.push(("e".to_owned(), event.text()));
    }
    if let Some(rules) = said("rules") {
        pairs.extend(packed(&rules).await.map(|rules| ("rules".to_owned(), rules)));
    }
    if !pairs.is_empty() {
        pairs.insert(0, ("v".to_owned(), "1".to_owned()));
    }
    let fragment = write(pairs.iter().map(|(key, value)| (key.as_str(), value.as_str())));
    single::html(&logs, &fragment).await
}

/// `run.html`, of `dir/run.jsonl.gz`.
fn name_of(head: &ReviewHead) -> String {
    let names: Vec<AttrValue> = head.files.iter().map(|file| file.leaves_as.clone().into()).collect();
    export_menu::name_of(&names, "html").to_string()
}
