//! What every component may need: a way to say what happens, and the engine.

use std::rc::Rc;

use yew::{UseReducerDispatcher, hook, use_context};

use crate::engine::Engine;
use crate::state::reducer::Action;
use crate::state::{Prices, State};

/// Says what happens.
pub type Dispatch = UseReducerDispatcher<State>;

/// The engine, to ask for what the state does not hold: rows, steps.
#[derive(Clone)]
pub struct EngineHandle(pub Rc<dyn Engine>);

impl std::fmt::Debug for EngineHandle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("EngineHandle")
    }
}

impl PartialEq for EngineHandle {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

/// What is passed down.
#[derive(Debug, Clone, PartialEq)]
pub struct Reach {
    /// Says what happens.
    pub dispatch: Dispatch,
    /// The engine; none until it is started.
    pub engine: Option<EngineHandle>,
    /// Times are shown in UTC: what shows one is drawn again when this changes.
    pub utc: bool,
    /// Prices in place of the built-in ones.
    pub prices: Option<Prices>,
}

/// What is passed down. Outside of the page there is none.
#[hook]
pub fn use_reach() -> Option<Reach> {
    use_context::<Reach>()
}

/// A way to say what happens.
#[hook]
pub fn use_act() -> Act {
    Act(use_context::<Reach>().map(|reach| reach.dispatch))
}

/// A way to say what happens.
#[derive(Debug, Clone, PartialEq)]
pub struct Act(Option<Dispatch>);

impl Act {
    /// Of a dispatcher.
    pub fn of(dispatch: Dispatch) -> Act {
        Act(Some(dispatch))
    }

    /// It happens.
    pub fn now(&self, action: Action) {
        if let Some(dispatch) = &self.0 {
            dispatch.dispatch(action);
        }
    }

    /// It happens whenever the callback is called.
    pub fn on<E: 'static>(&self, action: impl Fn(E) -> Action + 'static) -> yew::Callback<E> {
        let act = self.clone();
        yew::Callback::from(move |event| act.now(action(event)))
    }
}
