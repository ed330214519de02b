//! What was reviewed, as a folder for a static host: an index of the runs, the logs, and the viewer.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::{Function, Promise};
use steplens_core::export::site::{TITLE, link};
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{Blob, HtmlInputElement};
use yew::{AttrValue, Callback, Html, InputEvent, Properties, TargetCast, component, html, use_state, use_state_eq};

use super::Shared;
use super::logs::save;
use super::ways::{ask, files_of};
use crate::components::copy::Copy;
use crate::components::export_menu;
use crate::components::icon::icon;
use crate::dom::folder::{self, Folder, Holds};
use crate::dom::{viewer, zip};
use crate::engine::review::{Made, ReviewAsk, ReviewHead, Site};
use crate::hooks::context::{EngineHandle, use_reach};
use crate::state::fragment::parse;
use crate::state::route::{EventRef, Route};
use crate::text::number::{bytes, count, grouped};

/// What the way has to know.
#[derive(Debug, PartialEq, Properties)]
pub struct FolderProps {
    /// How the review stands.
    pub head: Rc<ReviewHead>,
    /// What is shared.
    pub shared: Rc<Shared>,
}

/// How the making stands.
#[derive(Debug, Clone, PartialEq)]
enum Making {
    No,
    /// What is done just now.
    Now(String),
    /// A site stands in the folder: is it to go?
    Asks(Folder),
    /// What was made, in sentences; where the selected event is, behind the address of the site.
    Done(Vec<String>, Option<String>),
    Failed(String),
}

/// Where it goes.
#[derive(Debug, Clone, PartialEq)]
enum Goal {
    Zip(String),
    Folder {
        folder: Folder,
        /// The site that is there goes.
        replaces: bool,
    },
}

/// What was reviewed, as a folder for a static host.
#[component]
pub fn FolderWay(props: &FolderProps) -> Html {
    let engine = use_reach().and_then(|reach| reach.engine);
    let making = use_state(|| Making::No);
    let title = use_state_eq(|| TITLE.to_owned());
    if cfg!(feature = "inpage") {
        return html! {
            <section>
                <h3>{ "Folder for a static host" }</h3>
                <p>
                    { "A one-file page has its viewer within itself, and cannot take it apart into a folder. Save the reviewed log under Files, and make the folder from it on a page of a site, or by " }
                    <code class="mono">{ "steplens site DIR run.jsonl" }</code>{ "." }
                </p>
            </section>
        };
    }
    let go = {
        let (making, head, shared) = (making.setter(), props.head.clone(), props.shared.clone());
        let (engine, title) = (engine, (*title).clone());
        Callback::from(move |goal: Goal| {
            let (making, head, shared) = (making.clone(), head.clone(), shared.clone());
            let (engine, title) = (engine.clone(), title.clone());
            spawn_local(async move {
                let said = |text: String| making.set(Making::Now(text));
                making.set(match made(engine.as_ref(), &head, &shared, &title, &goal, said).await {
                    Ok((said, event)) => Making::Done(said, event),
                    Err(why) => Making::Failed(why),
                });
            });
        })
    };
    let name = zip_name(&props.head);
    let to_zip = {
        let (go, name) = (go.clone(), name.clone());
        move |_| go.emit(Goal::Zip(name.clone()))
    };
    let to_folder = {
        let (go, making) = (go.clone(), making.setter());
        move |_| {
            let (go, making) = (go.clone(), making.clone());
            spawn_local(async move {
                match chosen().await {
                    Ok(None) => {}
                    Ok(Some((folder, Holds::Site))) => making.set(Making::Asks(folder)),
                    Ok(Some((folder, _))) => go.emit(Goal::Folder { folder, replaces: false }),
                    Err(why) => making.set(Making::Failed(why)),
                }
            });
        }
    };
    let typed = {
        let title = title.clone();
        move |event: InputEvent| title.set(event.target_unchecked_into::<HtmlInputElement>().value())
    };
    let is_busy = matches!(*making, Making::Now(_));
    html! {
        <section class="share-folder">
            <h3>{ "Folder for a static host" }</h3>
            <p class="muted">
                { "An index page with a line for each open log (outcome, cost, calls), the reviewed logs, and this viewer. Any static host serves it as it is; whoever can open the site can read all of it." }
            </p>
            <label class="field-label" for="share-title">{ "Title of the index" }</label>
            <input id="share-title" class="field" type="text" autocomplete="off" value={(*title).clone()} oninput={typed} />
            <div class="buttons share-saves">
                <button type="button" class="button" disabled={is_busy} onclick={to_zip}>
                    { icon("export") }<span>{ format!("Save {name}") }</span>
                </button>
                if folder::can_choose() {
                    <button type="button" class="button" disabled={is_busy} onclick={to_folder}>
                        { icon("folder") }<span>{ "Write into a folder …" }</span>
                    </button>
                }
            </div>
            if let Making::Asks(folder) = &*making {
                { replace(folder, &go, &making.setter()) }
            }
            <div class="share-result" role="status">
                { match &*making {
                    Making::Now(what) => html! { <p class="muted">{ what.clone() }</p> },
                    Making::Done(said, _) => html! { <>{ for said.iter().map(|said| html! { <p>{ said.clone() }</p> }) }</> },
                    _ => Html::default(),
                } }
            </div>
            if let Making::Done(_, Some(event)) = &*making {
                <label class="field-label" for="share-event">{ "The selected event, behind the site's address" }</label>
                <div class="share-link">
                    <input id="share-event" class="field mono" type="text" readonly=true value={event.clone()} />
                    <Copy text={event.clone()} label="Copy where the event is" word="Copy" />
                </div>
            }
            if let Making::Failed(why) = &*making {
                <p class="arrival-why" role="alert">{ icon("error") }<span>{ why.clone() }</span></p>
            }
        </section>
    }
}

/// Asks whether the site in a folder is to go.
fn replace(folder: &Folder, go: &Callback<Goal>, making: &yew::UseStateSetter<Making>) -> Html {
    let yes = {
        let (go, folder) = (go.clone(), folder.clone());
        move |_| go.emit(Goal::Folder { folder: folder.clone(), replaces: true })
    };
    let no = {
        let making = making.clone();
        move |_| making.set(Making::No)
    };
    html! {
        <div class="share-ask" role="alert">
            <p>
                <strong>{ format!("{} holds a site that Steplens made.", folder.name()) }</strong>
                { " Its index.html, viewer and logs are deleted and made anew; what else lies there stays." }
            </p>
            <div class="buttons">
                <button type="button" class="button" onclick={yes}>{ "Replace the site" }</button>
                <button type="button" class="button" onclick={no}>{ "Keep it" }</button>
            </div>
        </div>
    }
}

/// Has the user choose a folder into which a site may go.
async fn chosen() -> Result<Option<(Folder, Holds)>, String> {
    let refused = |why: String| {
        format!("The browser does not let this page write into that folder ({why}). Nothing was written.")
    };
    let Some(folder) = folder::choose().await.map_err(refused)? else { return Ok(None) };
    match folder.holds().await.map_err(refused)? {
        Holds::Other => Err(format!(
            "{} holds something else than a site that Steplens made, and is kept as it is: choose an empty folder.",
            folder.name()
        )),
        holds => Ok(Some((folder, holds))),
    }
}

/// Makes it, and says what was made.
async fn made(
    engine: Option<&EngineHandle>,
    head: &ReviewHead,
    shared: &Shared,
    title: &str,
    goal: &Goal,
    said: impl Fn(String),
) -> Result<(Vec<String>, Option<String>), String> {
    said("Making the index and the logs …".to_owned());
    let made = asked(engine, wanted(shared, title)).await.map_err(|why| format!("The folder was not made: {why}"))?;
    let mut files: Vec<(String, Blob)> = files_of(&made);
    let fetched = viewer::files(|have, all| said(format!("Fetching the viewer: {have} of {all} files …"))).await;
    let fetched = fetched.map_err(|why| format!("The folder was not made: {why}"))?;
    // The index last: it stands there once all that it names does.
    let index = files.drain(..files.len().min(1)).collect::<Vec<_>>();
    files.extend(fetched.files.into_iter().map(|(name, blob)| (format!("viewer/{name}"), blob)));
    files.extend(index);
    let size = files.iter().map(|(_, blob)| blob.size() as u64).sum::<u64>();
    let all = count(files.len() as u64, "file", "files");
    let mut notes = Vec::new();
    match goal {
        Goal::Zip(name) => {
            said(format!("Packing {all} …"));
            let zip = zip::zip(&files).await.map_err(|why| format!("{name} was not made: {why}."))?;
            save(name, &zip);
            notes.push(format!("{name} is saved: {all}, {}. Unpack it, and put the folder on the host.", bytes(size)));
        }
        Goal::Folder { folder, replaces } => {
            write(folder, *replaces, &files, said).await?;
            let name = folder.name();
            notes.push(format!("{all}, {}, were written into {name}: put the folder on the host.", bytes(size)));
        }
    }
    if !is_there(&made, "title") {
        notes.push(format!(
            "The title holds something that is masked, and does not go along: the index is called {TITLE}."
        ));
    }
    if !shared.rules.trim().is_empty() && !is_there(&made, "rules") {
        notes.push("The rules do not go along: they hold something that is masked.".to_owned());
    }
    for (name, what) in fetched.lacks {
        notes.push(format!("{name} could not be fetched and is not in it: that viewer does not {what}."));
    }
    Ok((notes, event(&made, head, shared)))
}

/// Writes the files into a folder.
async fn write(folder: &Folder, replaces: bool, files: &[(String, Blob)], said: impl Fn(String)) -> Result<(), String> {
    let name = folder.name();
    if replaces {
        folder.clear().await.map_err(|(entry, why)| {
            format!("{entry} could not be deleted from {name} ({why}): the site in it is not whole any more, and nothing was written.")
        })?;
    }
    for (place, (path, blob)) in files.iter().enumerate() {
        said(format!("Writing file {} of {} …", grouped(place as u64 + 1), grouped(files.len() as u64)));
        folder.write(path, blob).await.map_err(|why| {
            let (before, all) = (grouped(place as u64), count(files.len() as u64, "file", "files"));
            format!("{path} could not be written into {name} ({why}). {before} of {all} were written, and there is no index.html: the folder is no site yet.")
        })?;
    }
    Ok(())
}

fn is_there(made: &Made, key: &str) -> bool {
    made.view.iter().any(|(there, _)| there == key)
}

/// What the worker has to make: how the logs are read goes along, and not how they are looked at.
fn wanted(shared: &Shared, title: &str) -> Site {
    let route = &shared.route;
    let mut view: Vec<(String, String)> = parse(&Route { source: None, ..route.clone() }.text());
    view.retain(|(key, _)| matches!(key.as_str(), "d" | "m" | "x"));
    view.extend(route.event.as_ref().and_then(|event| event.part.clone()).map(|part| ("part id".to_owned(), part)));
    if !shared.rules.trim().is_empty() {
        view.push(("rules".to_owned(), shared.rules.to_string()));
    }
    Site { title: title.trim().to_owned(), view }
}

/// Where the selected event is in the site: `viewer/#v=1&log=../logs/run.jsonl&e=5.prt_1`.
fn event(made: &Made, head: &ReviewHead, shared: &Shared) -> Option<String> {
    let event = shared.route.event.as_ref()?;
    let said = |key: &str| made.view.iter().find(|(name, _)| name == key).map(|(_, value)| value.clone());
    let place = match &event.file {
        None => 0,
        Some(name) => head.files.iter().position(|file| file.name == *name)?,
    };
    let log = made.parts.get(place + 1)?.name.strip_prefix("logs/")?;
    let event = EventRef { file: None, line: event.line, part: said("part id") };
    let mut pairs: Vec<(&str, String)> =
        ["d", "m", "x"].into_iter().filter_map(|key| Some((key, said(key)?))).collect();
    pairs.push(("e", event.text()));
    Some(link(log, &pairs))
}

/// Asks the worker, and waits.
async fn asked(engine: Option<&EngineHandle>, site: Site) -> Result<Made, String> {
    let heard = Rc::new(RefCell::new(None));
    let promise = Promise::new(&mut |resolve: Function, _| {
        let heard = heard.clone();
        ask(engine, ReviewAsk::Site(Box::new(site.clone())), move |made| {
            *heard.borrow_mut() = Some(made);
            // A promise's own function: it does not throw.
            let _ = resolve.call0(&JsValue::NULL);
        });
    });
    // It is never rejected.
    let _ = JsFuture::from(promise).await;
    heard.take().unwrap_or_else(|| Err("The reader stopped: open the log again.".to_owned()))
}

/// `run-site.zip`, of `dir/run.jsonl.gz`.
fn zip_name(head: &ReviewHead) -> String {
    let names: Vec<AttrValue> = head.files.iter().map(|file| file.leaves_as.clone().into()).collect();
    let name = export_menu::name_of(&names, "zip");
    format!("{}-site.zip", name.strip_suffix(".zip").unwrap_or(&name))
}
