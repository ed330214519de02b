//! Follows a file that is still written, reads changed files again, and offers the log that was opened last.

use std::cell::Cell;
use std::rc::Rc;

use wasm_bindgen::JsCast;
use wasm_bindgen_futures::spawn_local;
use web_sys::{Blob, File};
use yew::{hook, use_effect_with};

use super::context::{Dispatch, EngineHandle, Reach};
use super::grow::hand;
use crate::dom;
use crate::dom::source::{self, Source};
use crate::engine::protocol::{Grown, Growth, OpenFile};
use crate::engine::reader;
use crate::state::follow::{Follow, FollowAction};
use crate::state::reducer::Action;
use crate::state::{Stage, State};

/// How long between two looks at a file that is followed.
const EVERY_MS: i32 = 1000;

/// Follows the file that the state names, keeps the last log's handle, and looks for the one that was kept.
#[hook]
pub fn use_follow(state: &State, dispatch: &Dispatch, engine: Option<&EngineHandle>) {
    {
        let dispatch = dispatch.clone();
        use_effect_with((), move |()| {
            spawn_local(async move {
                if let Some(last) = dom::last::kept().await {
                    dispatch.dispatch(Action::Follow(FollowAction::Last(Some(last))));
                }
            });
        });
    }
    {
        // Only what is a log is offered again.
        let is_read = state.stage == Stage::Ready;
        let last = state.followable().filter(|_| is_read).and_then(|file| state.follow.source(file)).cloned();
        use_effect_with(last, |last| {
            if let Some(last) = last.clone() {
                spawn_local(async move { dom::last::keep(Some(&last)).await });
            }
        });
    }
    let followed = state.follow.file.as_ref().and_then(|name| {
        let file = state.followable().filter(|file| file.name == *name)?;
        Some((name.clone(), file.blob.clone(), state.follow.source(file)?.clone()))
    });
    let reach = Reach { dispatch: dispatch.clone(), engine: engine.cloned(), utc: false, prices: None };
    // The file becomes another one with each growth: the task knows it by itself.
    let key = (state.opening, followed.as_ref().map(|(name, _, source)| (name.clone(), source.clone())));
    use_effect_with(key, move |_| {
        let alive = Rc::new(Cell::new(true));
        if let Some((name, blob, source)) = followed {
            let (alive, reach) = (alive.clone(), reach.clone());
            spawn_local(follow(reach, name, blob, source, alive));
        }
        move || alive.set(false)
    });
}

async fn follow(reach: Reach, name: String, mut known: Blob, source: Source, alive: Rc<Cell<bool>>) {
    while alive.get() {
        match source.file().await {
            Err(error) => {
                let why = format!("{name} is no longer followed: it cannot be read any more ({error}).");
                reach.dispatch.dispatch(Action::Follow(FollowAction::Off(Some(why))));
                return;
            }
            Ok(file) if alive.get() && is_other(&known, &file) => {
                match handed(&reach, &name, Growth::Whole(file.clone().into())).await {
                    Some(Grown::Packed) => {
                        let files = OpenFile { name: name.clone(), blob: file.clone().into(), in_tree: false };
                        reach.dispatch.dispatch(Action::Follow(FollowAction::Sources(vec![(file.into(), source)])));
                        reach.dispatch.dispatch(Action::Follow(FollowAction::Reopen(vec![files])));
                        return;
                    }
                    // It is written this very moment, or others are read: the next look tells more.
                    Some(Grown::Busy | Grown::Unreadable(_)) => {}
                    Some(Grown::More(_) | Grown::Anew(_) | Grown::Gone) => known = file.into(),
                    None => return,
                }
            }
            Ok(_) => {}
        }
        dom::timer::sleep(EVERY_MS).await;
    }
    // What waits for the rest of its line is read as it stands.
    hand(&reach, &name, Growth::End, |_| {});
}

/// Hands what came to a file to the engine, and waits for what became of it.
pub(super) async fn handed(reach: &Reach, name: &str, growth: Growth) -> Option<Grown> {
    let answer: Rc<Cell<Option<Grown>>> = Rc::default();
    let promise = js_sys::Promise::new(&mut |resolve, _| {
        let answer = answer.clone();
        hand(reach, name, growth.clone(), move |grown| {
            answer.set(grown);
            // A promise's own function: it does not throw.
            let _ = resolve.call0(&wasm_bindgen::JsValue::NULL);
        });
    });
    // It is never rejected.
    let _ = wasm_bindgen_futures::JsFuture::from(promise).await;
    answer.take()
}

/// Whether a file was written since.
fn is_other(known: &Blob, file: &File) -> bool {
    let before = known.dyn_ref::<File>().map(File::last_modified);
    before != Some(file.last_modified()) || known.size() != file.size()
}

/// Follows a file: it is asked for where nothing says where it is. Has to come from a click.
pub fn start(dispatch: &Dispatch, file: &OpenFile, follow: &Follow) {
    let on = |name: String| Action::Follow(FollowAction::On(name));
    if let Some(Source::Handle(_)) = follow.source(file) {
        dispatch.dispatch(on(file.name.clone()));
        return;
    }
    let (dispatch, file) = (dispatch.clone(), file.clone());
    spawn_local(async move {
        let Some((chosen, source)) = source::choose().await else { return };
        // It is read where it stands once more: its name says whether it is the one that is open.
        let is_same = chosen.name() == file.name;
        let blob: Blob = if is_same { file.blob.clone() } else { chosen.clone().into() };
        dispatch.dispatch(Action::Follow(FollowAction::Sources(vec![(blob, source)])));
        if !is_same {
            dispatch.dispatch(Action::Open(dom::files::of_file(&chosen)));
        }
        dispatch.dispatch(on(chosen.name()));
    });
}

/// Reads all files again as they are now. What nothing says the place of is asked for where it cannot be read as it was.
/// Has to come from a click.
pub fn reload(dispatch: &Dispatch, files: Vec<OpenFile>, follow: &Follow) {
    let (dispatch, follow) = (dispatch.clone(), follow.clone());
    spawn_local(async move {
        let (mut again, mut lost) = (Vec::new(), None);
        for file in files {
            let blob: Blob = match follow.source(&file) {
                Some(source) => match source.file().await {
                    Ok(now) => {
                        let now: Blob = now.into();
                        let known = vec![(now.clone(), source.clone())];
                        dispatch.dispatch(Action::Follow(FollowAction::Sources(known)));
                        now
                    }
                    Err(error) => {
                        let text = format!("{} cannot be read any more ({error}).", file.name);
                        dispatch.dispatch(Action::Say(Some(text)));
                        return;
                    }
                },
                None => {
                    if reader::read(&file.blob, 0, 1).await.is_err() {
                        lost = Some(file.name.clone());
                    }
                    file.blob.clone()
                }
            };
            again.push(OpenFile { blob, ..file });
        }
        let reopen = |files| Action::Follow(FollowAction::Reopen(files));
        let Some(lost) = lost else { return dispatch.dispatch(reopen(again)) };
        let text = format!("The browser does not tell this page where {lost} is: choose it again.");
        dispatch.dispatch(Action::Say(Some(text)));
        dom::files::choose(move |chosen| {
            for file in &mut again {
                let same = chosen.iter().find(|new| new.name == file.name);
                let only = chosen.first().filter(|_| chosen.len() == 1 && file.name == lost);
                if let Some(new) = same.or(only) {
                    *file = new.clone();
                }
            }
            dispatch.dispatch(reopen(again));
        });
    });
}

/// Opens the log that was opened last. Has to come from a click.
pub fn open_last(dispatch: &Dispatch, name: String, source: Source) {
    let dispatch = dispatch.clone();
    spawn_local(async move {
        if !source.may_be_read().await {
            return;
        }
        match source.file().await {
            Ok(file) => {
                let files = dom::files::of_file(&file);
                let known = files.iter().map(|file| (file.blob.clone(), source.clone())).collect();
                dispatch.dispatch(Action::Follow(FollowAction::Sources(known)));
                dispatch.dispatch(Action::Open(files));
            }
            Err(error) => {
                dispatch.dispatch(Action::Say(Some(format!("{name} cannot be read any more ({error})."))));
                forget_last(&dispatch);
            }
        }
    });
}

/// Forgets the log that was opened last.
pub fn forget_last(dispatch: &Dispatch) {
    dispatch.dispatch(Action::Follow(FollowAction::Last(None)));
    spawn_local(async { dom::last::keep(None).await });
}
