//! A log that the page's own server still writes: `follow=1` beside `log=` asks for what came since, and each `also=` names
//! a further log. `steplens view` makes such addresses. Nothing of another site is asked for.

use std::cell::Cell;
use std::rc::Rc;

use wasm_bindgen::JsCast;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{Blob, Headers, Request, RequestInit, Response};
use yew::{hook, use_effect_with};

use super::context::{Dispatch, EngineHandle, Reach};
use super::follow::handed;
use crate::dom::hosted::{self, Place};
use crate::dom::{self, files};
use crate::engine::protocol::{Grown, Growth, OpenFile};
use crate::state::State;
use crate::state::reducer::Action;
use crate::state::route::Source;

/// How long between two questions.
const EVERY_MS: i32 = 1000;

/// What is to be asked for.
#[derive(Debug, Clone, PartialEq)]
struct Tail {
    opening: u32,
    /// The log of the link: its address, and its name.
    url: String,
    name: String,
    /// Addresses of further ones.
    also: Vec<String>,
    follows: bool,
}

impl Tail {
    /// Of a page whose log came from its own server, and was read to its end; none where nothing more is asked for.
    fn of(state: &State) -> Option<Tail> {
        let Some(Source::Hosted(url)) = &state.route.source else { return None };
        let Ok(Place::Here(url)) = hosted::judge(url) else { return None };
        let rest = &state.route.rest;
        let follows = rest.iter().any(|(key, value)| key == "follow" && value == "1");
        let also = rest.iter().filter(|(key, _)| key == "also").filter_map(|(_, value)| match hosted::judge(value) {
            Ok(Place::Here(url)) => Some(url),
            _ => None,
        });
        let also: Vec<String> = also.collect();
        let file = state.files.first().filter(|_| state.opening > 0 && state.arrival.is_none())?;
        let is_there = state.has_rows() && (follows || !also.is_empty());
        is_there.then(|| Tail { opening: state.opening, url, name: file.name.clone(), also, follows })
    }
}

/// Asks the page's own server for what comes to its logs.
#[hook]
pub fn use_tail(state: &State, dispatch: &Dispatch, engine: Option<&EngineHandle>) {
    let tail = Tail::of(state);
    let size = state.files.first().map_or(0, |file| file.blob.size() as u64);
    let reach = Reach { dispatch: dispatch.clone(), engine: engine.cloned(), utc: false, prices: None };
    use_effect_with(tail, move |tail| {
        let alive = Rc::new(Cell::new(true));
        if let Some(tail) = tail.clone() {
            let (alive, reach) = (alive.clone(), reach.clone());
            spawn_local(go(tail, size, reach, alive));
        }
        move || alive.set(false)
    });
}

async fn go(tail: Tail, size: u64, reach: Reach, alive: Rc<Cell<bool>>) {
    let say = |text: String| reach.dispatch.dispatch(Action::Say(Some(text)));
    let mut more: Vec<OpenFile> = Vec::new();
    for url in &tail.also {
        match hosted::fetch(url, None, |_, _| ()).await {
            Ok(blob) => more.push(files::open_file(hosted::name(url), blob)),
            Err(why) => say(why),
        }
    }
    if !alive.get() {
        return;
    }
    if !more.is_empty() {
        reach.dispatch.dispatch(Action::Add(more));
    }
    let mut size = size;
    while tail.follows && alive.get() {
        dom::timer::sleep(EVERY_MS).await;
        if !alive.get() {
            return;
        }
        let growth = match since(&tail.url, size).await {
            Ok(None) => continue,
            Ok(Some(growth)) => growth,
            Err(why) => return say(format!("{} is no longer followed: {why}.", tail.name)),
        };
        let new = match &growth {
            Growth::More(blob) => size + blob.size() as u64,
            Growth::Whole(blob) | Growth::Beside(blob) => blob.size() as u64,
            Growth::End => size,
        };
        match handed(&reach, &tail.name, growth).await {
            // Files are still read: the next question tells more.
            Some(Grown::Busy | Grown::Unreadable(_) | Grown::Blocked(..)) => {}
            Some(Grown::More(_) | Grown::Anew(_) | Grown::Gone) => size = new,
            Some(Grown::Packed) => {
                return say(format!("{} is packed: load the page again to see what came.", tail.name));
            }
            None => return,
        }
    }
}

/// What came to a log of that size since; none where nothing did.
async fn since(url: &str, size: u64) -> Result<Option<Growth>, &'static str> {
    let gone = "its server does not answer any more";
    let headers = Headers::new().map_err(|_| gone)?;
    headers.set("range", &format!("bytes={size}-")).map_err(|_| gone)?;
    let init = RequestInit::new();
    init.set_headers(&headers);
    let request = Request::new_with_str_and_init(url, &init).map_err(|_| gone)?;
    let window = dom::window().ok_or(gone)?;
    let response = JsFuture::from(window.fetch_with_request(&request)).await.map_err(|_| gone)?;
    let response: Response = response.unchecked_into();
    let is_part = match response.status() {
        206 => true,
        200 => false,
        204 => return Ok(None),
        // As long as it was, or shorter: `bytes */SIZE` says which.
        416 => {
            let range = response.headers().get("content-range").ok().flatten().unwrap_or_default();
            let now = range.rsplit('/').next().and_then(|now| now.parse().ok());
            return if now.is_some_and(|now: u64| now < size) { Err("it became shorter") } else { Ok(None) };
        }
        404 => return Err("it is gone"),
        _ => return Err(gone),
    };
    let blob = JsFuture::from(response.blob().map_err(|_| gone)?).await.map_err(|_| gone)?;
    let blob: Blob = blob.unchecked_into();
    Ok(match (is_part, blob.size() as u64) {
        (true, 0) => None,
        (true, _) => Some(Growth::More(blob)),
        (false, now) if now == size => None,
        (false, _) => Some(Growth::Whole(blob)),
    })
}
