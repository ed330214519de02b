//! A log that the page's own server still writes: `follow=1` beside `log=` asks for what came since, and each `also=` names
//! a further log. `steplens view` makes such addresses. Nothing of another site is asked for.
//!
//! Each question begins before the end of what is there: where those bytes are others now, the file was replaced or cut,
//! and is read from its beginning.

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
use crate::engine::reader;
use crate::state::arrival::LinkAction;
use crate::state::follow::FollowAction;
use crate::state::reducer::Action;
use crate::state::route::Source;
use crate::state::{Stage, State};

/// How long between two questions.
const EVERY_MS: i32 = 1000;
/// How many bytes of what is there are asked for again.
const OVERLAP: u64 = 512;

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
    /// It holds no log yet.
    waits: bool,
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
        let waits = follows && matches!(state.stage, Stage::Failed(_));
        let is_there = waits || (state.has_rows() && (follows || !also.is_empty()));
        is_there.then(|| Tail { opening: state.opening, url, name: file.name.clone(), also, follows, waits })
    }
}

/// Asks the page's own server for what comes to its logs.
#[hook]
pub fn use_tail(state: &State, dispatch: &Dispatch, engine: Option<&EngineHandle>) {
    let tail = Tail::of(state);
    let known = state.files.first().map(|file| file.blob.clone());
    let reach = Reach { dispatch: dispatch.clone(), engine: engine.cloned(), utc: false, prices: None };
    use_effect_with(tail, move |tail| {
        let alive = Rc::new(Cell::new(true));
        if let Some(tail) = tail.clone() {
            let (alive, reach) = (alive.clone(), reach.clone());
            spawn_local(go(tail, known.clone(), reach, alive));
        }
        move || alive.set(false)
    });
}

async fn go(tail: Tail, known: Option<Blob>, reach: Reach, alive: Rc<Cell<bool>>) {
    let say = |text: String| reach.dispatch.dispatch(Action::Say(Some(text)));
    let tell = |text: String| reach.dispatch.dispatch(Action::Follow(FollowAction::Told(text)));
    let mut known = Known::of(known).await;
    if tail.waits {
        tell(format!("{} holds no record of a run yet: it is followed, and opens once it does.", tail.name));
        return wait(&tail, &known, &reach, &alive).await;
    }
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
    while tail.follows && alive.get() {
        dom::timer::sleep(EVERY_MS).await;
        if !alive.get() {
            return;
        }
        let growth = match since(&tail.url, &known).await {
            Ok(None) => continue,
            Ok(Some(growth)) => growth,
            Err(why) => return tell(format!("{} is no longer followed: {why}.", tail.name)),
        };
        let new = match &growth {
            Growth::More(blob) => known.with(blob).await,
            Growth::Whole(blob) | Growth::Beside(blob) => Known::of(Some(blob.clone())).await,
            Growth::End => known.clone(),
        };
        match handed(&reach, &tail.name, growth).await {
            // Files are still read: the next question tells more.
            Some(Grown::Busy | Grown::Unreadable(_) | Grown::Blocked(..)) => {}
            Some(Grown::More(_) | Grown::Anew(_)) => known = new,
            // What comes next is not to be put behind what was read before.
            Some(Grown::Gone) => known = Known { is_other: true, ..new },
            Some(Grown::Packed) => {
                return tell(format!("{} is packed: load the page again to see what came.", tail.name));
            }
            None => return,
        }
    }
}

/// Looks until the file is another than it was, and has it fetched like the first time.
async fn wait(tail: &Tail, known: &Known, reach: &Reach, alive: &Cell<bool>) {
    loop {
        dom::timer::sleep(EVERY_MS).await;
        if !alive.get() {
            return;
        }
        match since(&tail.url, known).await {
            Ok(None) => {}
            Ok(Some(_)) => return reach.dispatch.dispatch(Action::Link(LinkAction::Again)),
            Err(why) => {
                let text = format!("{} is no longer followed: {why}.", tail.name);
                return reach.dispatch.dispatch(Action::Follow(FollowAction::Told(text)));
            }
        }
    }
}

/// What is known of the file as it was last handed over.
#[derive(Debug, Clone, Default)]
struct Known {
    size: u64,
    /// Its last bytes.
    tail: Vec<u8>,
    /// The reader holds another one.
    is_other: bool,
}

impl Known {
    async fn of(blob: Option<Blob>) -> Known {
        let Some(blob) = blob else { return Known::default() };
        let size = blob.size() as u64;
        let tail = reader::read(&blob, size.saturating_sub(OVERLAP), size).await.unwrap_or_default();
        Known { size, tail, is_other: false }
    }

    /// With what came behind it.
    async fn with(&self, part: &Blob) -> Known {
        let came = Known::of(Some(part.clone())).await;
        let mut tail = [self.tail.as_slice(), &came.tail].concat();
        tail.drain(..tail.len().saturating_sub(OVERLAP as usize));
        Known { size: self.size + came.size, tail, is_other: self.is_other }
    }
}

/// What came to a log since it was known; none where nothing did. One that is another by now comes whole.
async fn since(url: &str, known: &Known) -> Result<Option<Growth>, &'static str> {
    let from = known.size.saturating_sub(known.tail.len() as u64);
    let (is_part, blob) = match asked(url, Some(from)).await? {
        Some(answer) => answer,
        // Nothing stands there: as long as it was, if there was nothing.
        None if known.size == from => return Ok(None),
        None => return whole(url).await.map(Some),
    };
    let size = blob.size() as u64;
    if !is_part {
        let now = Known::of(Some(blob.clone())).await;
        let is_same = (now.size, &now.tail) == (known.size, &known.tail);
        return Ok((!is_same).then_some(Growth::Whole(blob)));
    }
    let overlap = known.tail.len() as u64;
    let gone = "what came of it cannot be read";
    let there = reader::read(&blob, 0, overlap.min(size)).await.map_err(|_| gone)?;
    let is_same = there == known.tail;
    match size > overlap {
        false if is_same => Ok(None),
        true if is_same && !known.is_other => {
            let start = overlap as f64;
            Ok(Some(Growth::More(blob.slice_with_f64_and_f64(start, size as f64).map_err(|_| gone)?)))
        }
        _ => whole(url).await.map(Some),
    }
}

async fn whole(url: &str) -> Result<Growth, &'static str> {
    let (_, blob) = asked(url, None).await?.ok_or("it is gone")?;
    Ok(Growth::Whole(blob))
}

/// Asks for the file, from a place on: whether what comes is that part, and the bytes. None where nothing stands there.
async fn asked(url: &str, from: Option<u64>) -> Result<Option<(bool, Blob)>, &'static str> {
    let gone = "its server does not answer any more";
    let headers = Headers::new().map_err(|_| gone)?;
    if let Some(from) = from {
        headers.set("range", &format!("bytes={from}-")).map_err(|_| gone)?;
    }
    let init = RequestInit::new();
    init.set_headers(&headers);
    let request = Request::new_with_str_and_init(url, &init).map_err(|_| gone)?;
    let window = dom::window().ok_or(gone)?;
    let response = JsFuture::from(window.fetch_with_request(&request)).await.map_err(|_| gone)?;
    let response: Response = response.unchecked_into();
    let is_part = match response.status() {
        206 => true,
        200 => false,
        // 416: it is shorter than that.
        204 | 416 => return Ok(None),
        404 => return Err("it is gone"),
        _ => return Err(gone),
    };
    let blob = JsFuture::from(response.blob().map_err(|_| gone)?).await.map_err(|_| gone)?;
    Ok(Some((is_part, blob.unchecked_into())))
}
