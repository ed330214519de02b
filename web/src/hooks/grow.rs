//! Hands what came to a file that is open to the engine, and tells the state what became of it.

use crate::engine::protocol::{Answer, Ask, Grown, Growth};
use crate::hooks::context::Reach;
use crate::state::reducer::Action;

/// Hands what came to a file, by its name, to the engine. `then` hears what became of it; none where the engine died or the
/// file is no longer open.
///
/// What comes in pieces is handed over piece by piece: the next one once `then` was called, and the same one again where
/// it was [`Grown::Busy`].
pub fn hand(reach: &Reach, file: &str, growth: Growth, then: impl FnOnce(Option<Grown>) + 'static) {
    let Some(engine) = &reach.engine else { return then(None) };
    let (dispatch, file) = (reach.dispatch.clone(), file.to_owned());
    let ask = Ask::Grow { file: file.clone(), growth: growth.clone() };
    engine.0.ask(
        ask,
        Box::new(move |answer| {
            let grown = match &answer {
                Answer::Grown(grown) => Some(grown.clone()),
                _ => None,
            };
            dispatch.dispatch(Action::Grown { file, growth, answer });
            then(grown);
        }),
    );
}
