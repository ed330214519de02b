//! An answer about the whole run, asked again whenever it may have become another one.

use yew::{hook, use_effect_with, use_state};

use super::context::use_reach;
use crate::engine::protocol::{Answer, Ask};
use crate::engine::study::Studied;
use crate::state::shared::Shared;

/// The latest answer; the one before it stays until the next is there.
#[hook]
pub fn use_study<T: PartialEq + 'static>(
    edition: (u32, u32),
    ask: Ask,
    read: fn(Studied) -> Option<T>,
) -> Option<Shared<T>> {
    let answer = use_state(|| None::<Shared<T>>);
    let engine = use_reach().and_then(|reach| reach.engine);
    let set = answer.setter();
    use_effect_with((edition, ask, engine.is_some()), move |(_, ask, _)| {
        if let Some(engine) = engine {
            let then = move |answer| {
                if let Answer::Study(studied) = answer
                    && let Some(value) = read(*studied)
                {
                    set.set(Some(Shared::new(value)));
                }
            };
            engine.0.ask(ask.clone(), Box::new(then));
        }
    });
    (*answer).clone()
}
