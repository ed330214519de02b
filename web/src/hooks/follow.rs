//! Follows files that are still written, reads changed files again, and offers the log that was opened last.

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

/// How long between two looks at the files that are followed.
const EVERY_MS: i32 = 1000;

/// Follows the files that the state names, keeps the last log's handle, and looks for the one that was kept.
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
        let last = state.last_on_disk().filter(|_| is_read).and_then(|file| state.follow.source(file)).cloned();
        use_effect_with(last, |last| {
            if let Some(last) = last.clone() {
                spawn_local(async move { dom::last::keep(Some(&last)).await });
            }
        });
    }
    let is_followed = |file: &OpenFile| state.follow.files.contains(&file.name);
    let followed = state.followable().into_iter().filter(is_followed).filter_map(|file| {
        let source = state.follow.source(&file)?.clone();
        Some(Followed { name: file.name, known: file.blob, source })
    });
    let followed: Vec<Followed> = followed.collect();
    let reach = Reach { dispatch: dispatch.clone(), engine: engine.cloned(), utc: false, prices: None };
    // A file becomes another one with each growth: the task knows it by itself.
    let named: Vec<(String, Source)> = followed.iter().map(|file| (file.name.clone(), file.source.clone())).collect();
    use_effect_with((state.opening, named), move |_| {
        let alive = Rc::new(Cell::new(true));
        if !followed.is_empty() {
            spawn_local(follow(reach.clone(), followed, alive.clone()));
        }
        move || alive.set(false)
    });
}

/// A file that is followed.
#[derive(Debug)]
struct Followed {
    name: String,
    /// As it was when it was last read.
    known: Blob,
    source: Source,
}

/// Looks at the files again and again. What came is handed over one file after the other: the engine reads one at a time.
async fn follow(reach: Reach, mut files: Vec<Followed>, alive: Rc<Cell<bool>>) {
    while alive.get() {
        let mut others = Vec::new();
        for (place, file) in files.iter().enumerate() {
            match file.source.file().await {
                Ok(now) if is_other(&file.known, &now) => others.push((place, now)),
                Ok(_) => {}
                Err(error) => {
                    let why = format!("{} is no longer followed: it cannot be read any more ({error}).", file.name);
                    return reach.dispatch.dispatch(Action::Follow(FollowAction::Lost(file.name.clone(), why)));
                }
            }
        }
        if others.len() > 1 {
            // One that is not the last is read again with the others, which nobody can read as they were.
            for (place, now) in &others {
                let Some(file) = files.get(*place).filter(|_| alive.get()) else { continue };
                handed(&reach, &file.name, Growth::Beside(now.clone().into())).await;
            }
        }
        for (place, now) in others {
            let Some(file) = files.get_mut(place).filter(|_| alive.get()) else { continue };
            if !read_on(&reach, file, now).await {
                return;
            }
        }
        dom::timer::sleep(EVERY_MS).await;
    }
    // What waits for the rest of its line is read as it stands.
    if let Some(last) = files.last() {
        hand(&reach, &last.name, Growth::End, |_| {});
    }
}

/// Has what came to a file read; false where another task follows what is left to follow.
async fn read_on(reach: &Reach, followed: &mut Followed, file: File) -> bool {
    let name = &followed.name;
    match handed(reach, name, Growth::Whole(file.clone().into())).await {
        // Nothing is read on in what is packed: it is read whole, with the others.
        Some(Grown::Packed) => {
            let new = OpenFile { name: name.clone(), blob: file.clone().into(), in_tree: false };
            let known = vec![(file.into(), followed.source.clone())];
            reach.dispatch.dispatch(Action::Follow(FollowAction::Sources(known)));
            reach.dispatch.dispatch(Action::Follow(FollowAction::Replace(new)));
            false
        }
        Some(Grown::Blocked(by, error)) => {
            reach.dispatch.dispatch(Action::Follow(FollowAction::Blocked { file: name.clone(), by, error }));
            true
        }
        // It is written this very moment, or others are read: the next look tells more.
        Some(Grown::Busy | Grown::Unreadable(_)) => true,
        Some(Grown::More(_) | Grown::Anew(_) | Grown::Gone) => {
            followed.known = file.into();
            true
        }
        None => false,
    }
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

/// Follows these files, each by its handle.
pub fn start(dispatch: &Dispatch, files: &[OpenFile]) {
    let names = files.iter().map(|file| file.name.clone()).collect();
    dispatch.dispatch(Action::Follow(FollowAction::On(names)));
}

/// Follows a file that nothing says the place of: it is asked for. Has to come from a click.
pub fn choose(dispatch: &Dispatch, file: &OpenFile) {
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
        dispatch.dispatch(Action::Follow(FollowAction::On(vec![chosen.name()])));
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
