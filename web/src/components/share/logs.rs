//! What was reviewed, as files.

use std::rc::Rc;

use web_sys::Url;
use yew::{Callback, Html, Properties, component, html, use_state};

use super::Shared;
use super::page::OneFile;
use super::ways::{files_of, make};
use crate::components::icon::icon;
use crate::dom;
use crate::engine::review::{Made, Make, ReviewHead, Trim};
use crate::hooks::context::use_reach;
use crate::text::number::bytes;

/// How long the browser has for taking over a file that it saves.
const SAVING_MS: i32 = 60_000;

/// What the files have to know.
#[derive(Debug, PartialEq, Properties)]
pub struct LogsProps {
    /// How the review stands.
    pub head: Rc<ReviewHead>,
    /// What is shared.
    pub shared: Rc<Shared>,
}

/// What was reviewed, as files.
#[component]
pub fn Logs(props: &LogsProps) -> Html {
    html! {
        <>
            <OneFile head={props.head.clone()} shared={props.shared.clone()} />
            <section>
                <h3>{ "Redacted log" }</h3>
                <p class="muted">{ "The reviewed log: it opens like the one it was made of, and its events are the same." }</p>
                <SaveLogs head={props.head.clone()} />
            </section>
        </>
    }
}

/// What the buttons have to know.
#[derive(Debug, PartialEq, Properties)]
pub struct SaveProps {
    /// How the review stands.
    pub head: Rc<ReviewHead>,
}

/// A button for each of the reviewed logs, that saves it.
#[component]
pub fn SaveLogs(props: &SaveProps) -> Html {
    let engine = use_reach().and_then(|reach| reach.engine);
    let making = use_state(|| None::<u32>);
    let wrong = use_state(|| None::<String>);
    let buttons = (0u32..).zip(&props.head.files).map(|(place, file)| {
        let name = redacted_name(&file.leaves_as);
        let onclick = {
            let (engine, making, wrong, name) = (engine.clone(), making.clone(), wrong.clone(), name.clone());
            move |_| {
                making.set(Some(place));
                let (making, wrong, name) = (making.clone(), wrong.clone(), name.clone());
                let then = Callback::from(move |made: Result<Made, String>| {
                    making.set(None);
                    match made {
                        Ok(made) => {
                            wrong.set(None);
                            files_of(&made).iter().for_each(|(_, blob)| save(&name, blob));
                        }
                        Err(why) => wrong.set(Some(why)),
                    }
                });
                let what = Make {
                    file: Some(place),
                    as_link: false,
                    trim: Trim::default(),
                    password: None,
                    view: Vec::new(),
                    line: None,
                };
                make(engine.as_ref(), what, then);
            }
        };
        html! {
            <button type="button" class="button" disabled={making.is_some()} {onclick}>
                { icon("export") }
                <span>{ format!("Save {name}") }</span>
                <span class="muted">{ bytes(file.size) }</span>
            </button>
        }
    });
    html! {
        <>
            <div class="buttons share-saves">{ for buttons }</div>
            if props.head.files.iter().any(|file| file.leaves_as != file.name) {
                <p class="muted">{ "The log's own name holds something that is masked, and does not go along." }</p>
            }
            if let Some(why) = &*wrong {
                <p class="arrival-why" role="alert">{ icon("error") }<span>{ why.clone() }</span></p>
            }
        </>
    }
}

/// Saves a file.
pub fn save(name: &str, blob: &web_sys::Blob) {
    if let Ok(address) = Url::create_object_url_with_blob(blob) {
        dom::save::at(&address, name, SAVING_MS);
    }
}

/// `run.redacted.jsonl`, of `dir/run.jsonl.gz`: what is saved is unpacked.
pub fn redacted_name(name: &str) -> String {
    let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let name = [".gz", ".zst"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name);
    match name.rsplit_once('.') {
        Some((base, end)) if !base.is_empty() => format!("{base}.redacted.{end}"),
        _ => format!("{name}.redacted"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_redacted_log_is_named_after_the_log() {
        assert_eq!(redacted_name("dir/run.jsonl.gz"), "run.redacted.jsonl");
        assert_eq!(redacted_name("run"), "run.redacted");
        assert_eq!(redacted_name(".log"), ".log.redacted");
    }
}
