//! Ties the lab's rules to the engine, to this browser's memory, to files that come in and to links.

use steplens_core::run::DialectChoice;
use wasm_bindgen_futures::spawn_local;
use yew::{hook, use_effect_with, use_mut_ref};

use super::context::{Dispatch, EngineHandle};
use crate::dom;
use crate::engine::protocol::{Answer, Ask};
use crate::engine::reader;
use crate::state::lab::{LabAction, Origin};
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
        let known = lab.packed.clone();
        use_effect_with(linked(state), move |linked| {
            // Later there may come a link with others; one without leaves them as they are.
            let is_other = linked.as_ref().is_some_and(|linked| linked.as_str() != &*known);
            if is_first.replace(false) || is_other {
                begin(&dispatch, linked.clone());
            }
        });
    }
    {
        let is_refused = matches!(state.stage, Stage::Failed(Failure::Unrecognised(_)));
        let is_over = is_refused || state.stage == Stage::Ready;
        let shows = !is_refused || lab.shows;
        let key = (lab.text.clone(), state.opening, is_over, state.route.dialect, shows);
        let (dispatch, engine) = (dispatch.clone(), engine.cloned());
        let timer = use_mut_ref(|| None::<dom::timer::Timer>);
        // Rules that were never laid over need not be taken away.
        let laid = use_mut_ref(|| (0u32, false));
        use_effect_with(key, move |(text, opening, is_over, _, shows)| {
            let is_empty = text.trim().is_empty();
            if laid.borrow().0 != *opening {
                laid.replace((*opening, false));
            }
            timer.replace(None);
            let (Some(engine), true) = (engine, *is_over && (!is_empty || laid.borrow().1)) else { return };
            laid.borrow_mut().1 = true;
            let (text, shows) = (text.to_string(), *shows);
            let later = dom::timer::after(REST_MS, move || {
                dispatch.dispatch(Action::Lab(LabAction::Busy));
                let then = move |answer| dispatch.dispatch(Action::Lab(LabAction::Laid(answer)));
                engine.0.ask(Ask::Lay { text, shows }, Box::new(then));
            });
            timer.replace(Some(later));
        });
    }
    {
        // Where no log is open nothing is mapped, and a fault is said all the same.
        let is_empty_page = state.stage == Stage::Empty;
        let (dispatch, engine) = (dispatch.clone(), engine.cloned());
        let timer = use_mut_ref(|| None::<dom::timer::Timer>);
        use_effect_with((lab.text.clone(), is_empty_page, engine.is_some()), move |(text, is_empty_page, _)| {
            timer.replace(None);
            let (Some(engine), true) = (engine, *is_empty_page && !text.trim().is_empty()) else { return };
            let ask = Ask::Try { lines: String::new(), rules: text.to_string(), dialect: DialectChoice::Auto };
            let then = move |answer| {
                if let Answer::Tried(result) = answer {
                    dispatch.dispatch(Action::Lab(LabAction::Checked(result.err())));
                }
            };
            timer.replace(Some(dom::timer::after(REST_MS, move || engine.0.ask(ask, Box::new(then)))));
        });
    }
    {
        // The address goes on to say what a link said: as it is now.
        let (dispatch, timer) = (dispatch.clone(), use_mut_ref(|| None::<dom::timer::Timer>));
        use_effect_with((lab.text.clone(), lab.is_linked), move |(text, is_linked)| {
            timer.replace(None);
            if !*is_linked || text.trim().is_empty() {
                return;
            }
            let text = text.clone();
            let later = dom::timer::after(REST_MS, move || {
                spawn_local(async move {
                    if let Some(packed) = crate::link::packed(&text).await {
                        dispatch.dispatch(Action::Lab(LabAction::Packed(packed.into())));
                    }
                });
            });
            timer.replace(Some(later));
        });
    }
    use_effect_with((lab.text.clone(), lab.is_remembered), |(text, is_remembered)| {
        // What is kept is forgotten when the user says so, and never because other rules are looked at.
        if *is_remembered {
            dom::memory::keep("rules", Some(text.as_ref()).filter(|text| !text.is_empty()));
        }
    });
    {
        let (dispatch, is_along) = (dispatch.clone(), lab.is_along);
        use_effect_with(lab.incoming.clone(), move |file| {
            let Some(file) = file.clone() else { return };
            spawn_local(async move {
                let read = reader::read(&file.blob, 0, file.blob.size() as u64).await;
                let text = read.and_then(|bytes| String::from_utf8(bytes).map_err(|_| "it is no text".to_owned()));
                let action = match text {
                    Ok(text) if is_no_table(&text, is_along) => Action::Say(Some(format!(
                        "{} is no table of rules: it is left out, and your rules stay as they are.",
                        file.name
                    ))),
                    Ok(text) => Action::Lab(LabAction::Load(text.trim_start_matches('\u{feff}').into(), Origin::File)),
                    Err(error) => Action::Say(Some(format!("{} could not be read: {error}", file.name))),
                };
                dispatch.dispatch(action);
            });
        });
    }
}

/// Whether a file is surely no table: JSON; or, of one that came along with logs, what has neither rules nor a stream.
fn is_no_table(text: &str, is_along: bool) -> bool {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let has = |head: &str| text.lines().any(|line| line.trim_start().starts_with(head));
    text.starts_with('{') || text.starts_with("[{") || (is_along && !has("[[rule]]") && !has("[stream"))
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
            dispatch.dispatch(Action::Lab(LabAction::Load(text.into(), Origin::Memory)));
        }
        return;
    };
    let dispatch = dispatch.clone();
    spawn_local(async move {
        let action = match crate::link::unpacked(&packed).await {
            Some(text) => Action::Lab(LabAction::Load(text.into(), Origin::Link)),
            None => Action::Say(Some("The rules in this link are damaged: it was cut or changed.".to_owned())),
        };
        dispatch.dispatch(action);
    });
}
