//! Tells the engine what the state wants, and the state what the engine answers.

use std::cell::RefCell;
use std::rc::Rc;

use steplens_core::run::DialectChoice;
use steplens_core::view::Filter;
use yew::{hook, use_effect, use_effect_with, use_mut_ref, use_state};

use super::context::{Dispatch, EngineHandle};
use crate::engine::Engine;
#[cfg(not(feature = "inpage"))]
use crate::engine::client::Client as Reader;
#[cfg(feature = "inpage")]
use crate::engine::inpage::InPage as Reader;
use crate::engine::protocol::{Ask, Opening};
use crate::state::State;
use crate::state::reducer::Action;

/// What the engine was told last.
#[derive(Debug, Default)]
struct Told {
    asked: u32,
    opening: u32,
    added: usize,
    filter: Filter,
    query: String,
    dialect: DialectChoice,
    model: Option<String>,
    moved: u32,
    detail: Option<(u32, u32, u32)>,
}

/// Starts the engine, and keeps it told of what the state wants.
#[hook]
pub fn use_engine(state: &State, dispatch: &Dispatch) -> Option<EngineHandle> {
    let engine = use_state(|| None::<EngineHandle>);
    let told: Rc<RefCell<Told>> = use_mut_ref(Told::default);
    {
        let (engine, dispatch) = (engine.clone(), dispatch.clone());
        use_effect_with((), move |()| {
            let hear = dispatch.clone();
            let reader = Reader::start(move |notice| hear.dispatch(Action::Heard(notice)));
            engine.set(Some(EngineHandle(Rc::new(reader))));
            #[cfg(feature = "inpage")]
            dispatch.dispatch(Action::Open(crate::dom::single::logs()));
        });
    }
    {
        let (state, dispatch, engine) = (state.clone(), dispatch.clone(), engine.clone());
        use_effect(move || {
            if let Some(engine) = engine.as_ref() {
                tell(engine.0.as_ref(), &mut told.borrow_mut(), &state, &dispatch);
            }
        });
    }
    (*engine).clone()
}

fn tell(engine: &dyn Engine, told: &mut Told, state: &State, dispatch: &Dispatch) {
    let sessions = state.summary.as_ref().map(|s| s.sessions.as_slice());
    let mut filter = state.route.chips.filter(sessions.unwrap_or_default());
    filter.changed = state.lab.only_changed;
    let route = &state.route;
    if told.asked != state.asked {
        told.asked = state.asked;
        let keeps = state.pending.is_some();
        let (number, files, route) = match &state.pending {
            Some(pending) => (
                pending.number,
                pending.files.to_vec(),
                match &pending.linked {
                    Some(linked) => (**linked).clone(),
                    None if pending.is_again => route.clone(),
                    None => route.of_another_log(),
                },
            ),
            None => (state.opening, state.files.to_vec(), route.clone()),
        };
        engine.open(Opening {
            number,
            files,
            dialect: route.dialect,
            filter: route.chips.filter(&[]),
            search: route.query.clone(),
            model: route.model.clone(),
            keeps,
            extensions: route.extensions,
        });
    }
    if told.opening != state.opening {
        *told = Told {
            asked: told.asked,
            opening: state.opening,
            added: 0,
            filter: route.chips.filter(&[]),
            query: route.query.clone(),
            dialect: route.dialect,
            model: route.model.clone(),
            moved: told.moved,
            detail: None,
        };
    } else if state.opening > 0 {
        if let Some(files) = state.added.get(told.added..).filter(|files| !files.is_empty()) {
            told.added = state.added.len();
            engine.add(files.to_vec());
        }
        if told.dialect != route.dialect {
            told.dialect = route.dialect;
            engine.dialect(route.dialect);
        }
        if told.model != route.model {
            told.model.clone_from(&route.model);
            engine.model(route.model.clone());
        }
        if told.filter != filter {
            told.filter.clone_from(&filter);
            engine.filter(filter);
        }
        if told.query != route.query {
            told.query.clone_from(&route.query);
            engine.search(route.query.clone());
        }
    }
    move_on(engine, told, state, dispatch);
    ask_detail(engine, told, state, dispatch);
}

/// Asks where the first of the waiting movements ends.
fn move_on(engine: &dyn Engine, told: &mut Told, state: &State, dispatch: &Dispatch) {
    if let Some(next) = state.moves.front()
        && told.moved != next.number
    {
        told.moved = next.number;
        let (number, dispatch) = (next.number, dispatch.clone());
        let ask = Ask::Land { from: state.spot(), target: next.target.clone() };
        let then = move |answer| dispatch.dispatch(Action::Landed { number, answer });
        engine.ask(ask, Box::new(then));
    }
}

/// Asks what the selected event holds, again whenever it may have become another one.
fn ask_detail(engine: &dyn Engine, told: &mut Told, state: &State, dispatch: &Dispatch) {
    let Some(id) = state.selected.as_ref().map(|event| event.id) else {
        told.detail = None;
        return;
    };
    let wanted = Some((state.opening, state.epoch, id));
    if told.detail != wanted {
        told.detail = wanted;
        let dispatch = dispatch.clone();
        let then = move |answer| dispatch.dispatch(Action::Detailed { id, answer });
        engine.ask(Ask::Detail(id), Box::new(then));
    }
}
