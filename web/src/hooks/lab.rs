//! Ties the lab's rules to the engine, to this browser's memory, to files that come in and to links.

use wasm_bindgen_futures::spawn_local;
use yew::{hook, use_effect_with, use_mut_ref};

use super::context::{Dispatch, EngineHandle};
use crate::dom;
use crate::engine::protocol::Ask;
use crate::engine::reader;
use crate::state::lab::LabAction;
use crate::state::reducer::Action;
use crate::state::{Failure, Stage, State};

/// How long the text has to rest before the log is mapped by it.
const REST_MS: i32 = 350;

/// Keeps the rules laid over.
#[hook]
pub fn use_lab(state: &State, dispatch: &Dispatch, engine: Option<&EngineHandle>) {
    let lab = &state.lab;
    {
        let dispatch = dispatch.clone();
        let is_first = use_mut_ref(|| true);
        use_effect_with(linked(state), move |linked| {
            // Later there may come a link with others; one without leaves them as they are.
            if is_first.replace(false) || linked.is_some() {
                begin(&dispatch, linked.clone());
            }
        });
    }
    {
        let is_over = matches!(state.stage, Stage::Ready | Stage::Failed(Failure::Unrecognised(_)));
        let key = (lab.text.clone(), state.opening, is_over, state.route.dialect);
        let (dispatch, engine) = (dispatch.clone(), engine.cloned());
        let timer = use_mut_ref(|| None::<dom::timer::Timer>);
        // Rules that were never laid over need not be taken away.
        let laid = use_mut_ref(|| (0u32, false));
        use_effect_with(key, move |(text, opening, is_over, _)| {
            let is_empty = text.trim().is_empty();
            if laid.borrow().0 != *opening {
                laid.replace((*opening, false));
            }
            timer.replace(None);
            let (Some(engine), true) = (engine, *is_over && (!is_empty || laid.borrow().1)) else { return };
            laid.borrow_mut().1 = true;
            let text = text.to_string();
            let later = dom::timer::after(REST_MS, move || {
                dispatch.dispatch(Action::Lab(LabAction::Busy));
                let then = move |answer| dispatch.dispatch(Action::Lab(LabAction::Laid(answer)));
                engine.0.ask(Ask::Lay(text), Box::new(then));
            });
            timer.replace(Some(later));
        });
    }
    use_effect_with((lab.text.clone(), lab.is_remembered), |(text, is_remembered)| {
        dom::memory::keep("rules", Some(text.as_ref()).filter(|text| *is_remembered && !text.is_empty()));
    });
    {
        let dispatch = dispatch.clone();
        use_effect_with(lab.incoming.clone(), move |file| {
            let Some(file) = file.clone() else { return };
            spawn_local(async move {
                let read = reader::read(&file.blob, 0, file.blob.size() as u64).await;
                let text = read.and_then(|bytes| String::from_utf8(bytes).map_err(|_| "it is no text".to_owned()));
                let action = match text {
                    Ok(text) => Action::Lab(LabAction::Edit(text.trim_start_matches('\u{feff}').into())),
                    Err(error) => Action::Say(Some(format!("{} could not be read: {error}", file.name))),
                };
                dispatch.dispatch(action);
            });
        });
    }
}

/// The rules that the link holds, packed.
fn linked(state: &State) -> Option<String> {
    state.route.rest.iter().find(|(key, _)| key == "rules").map(|(_, value)| value.clone())
}

/// The rules of the link, else those that this browser keeps.
fn begin(dispatch: &Dispatch, linked: Option<String>) {
    let kept = dom::memory::kept("rules");
    if kept.is_some() {
        dispatch.dispatch(Action::Lab(LabAction::Remember(linked.is_none())));
    }
    let Some(packed) = linked else {
        if let Some(text) = kept {
            dispatch.dispatch(Action::Lab(LabAction::Edit(text.into())));
        }
        return;
    };
    let dispatch = dispatch.clone();
    spawn_local(async move {
        let action = match crate::link::unpacked(&packed).await {
            Some(text) => Action::Lab(LabAction::Edit(text.into())),
            None => Action::Say(Some("The rules in this link are damaged: it was cut or changed.".to_owned())),
        };
        dispatch.dispatch(action);
    });
}
