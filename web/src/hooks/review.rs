//! Ties a component to the review in the worker.

use std::rc::Rc;

use yew::{Callback, UseStateSetter, hook, use_effect_with, use_state, use_state_eq};

use super::context::{EngineHandle, use_reach};
use crate::dom;
use crate::engine::protocol::{Answer, Ask};
use crate::engine::review::{ReviewAsk, ReviewHead, ReviewPhase, Reviewed};

/// How often it is asked how far the review is.
const BETWEEN_MS: i32 = 120;

/// How the review stands, and a way to ask something that changes it.
#[hook]
pub fn use_review() -> (Rc<ReviewHead>, Callback<ReviewAsk>) {
    let head = use_state_eq(|| Rc::new(ReviewHead::default()));
    // Counts answers: a review that is under way is asked again after each.
    let heard = use_state(|| 0u32);
    let engine = use_reach().and_then(|reach| reach.engine);
    let ask = {
        let (set, heard, engine) = (head.setter(), heard.clone(), engine.clone());
        Callback::from(move |question: ReviewAsk| {
            if let Some(engine) = &engine {
                ask_head(engine, question, &set, &heard.setter());
            }
        })
    };
    {
        let ask = ask.clone();
        use_effect_with((), move |()| ask.emit(ReviewAsk::Start { names: None }));
    }
    {
        let (set, is_running) = (head.setter(), head.phase == ReviewPhase::Running);
        let (number, setter) = (*heard, heard.setter());
        use_effect_with((is_running, number), move |(is_running, _)| {
            let timer = is_running.then(|| {
                dom::timer::after(BETWEEN_MS, move || {
                    if let Some(engine) = &engine {
                        ask_head(engine, ReviewAsk::Head, &set, &setter);
                    }
                })
            });
            move || drop(timer)
        });
    }
    ((*head).clone(), ask)
}

fn ask_head(
    engine: &EngineHandle,
    question: ReviewAsk,
    set: &UseStateSetter<Rc<ReviewHead>>,
    heard: &UseStateSetter<u32>,
) {
    let (set, heard) = (set.clone(), heard.clone());
    let then = move |answer| {
        if let Answer::Review(answer) = answer
            && let Reviewed::Head(head) = *answer
        {
            heard.set(head.done as u32 ^ head.edition.rotate_left(16));
            set.set(Rc::new(head));
        }
    };
    engine.0.ask(Ask::Review(question), Box::new(then));
}
