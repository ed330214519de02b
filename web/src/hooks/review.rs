//! Ties a component to the review in the worker.

use std::rc::Rc;

use yew::{Callback, UseStateSetter, hook, use_effect_with, use_mut_ref, use_state, use_state_eq};

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
    let count = use_mut_ref(|| 0u32);
    let said = {
        let heard = heard.setter();
        Callback::from(move |()| {
            let mut count = count.borrow_mut();
            *count = count.wrapping_add(1);
            heard.set(*count);
        })
    };
    let engine = use_reach().and_then(|reach| reach.engine);
    let ask = {
        let (set, said, engine) = (head.setter(), said.clone(), engine.clone());
        Callback::from(move |question: ReviewAsk| {
            if let Some(engine) = &engine {
                ask_head(engine, question, &set, &said);
            }
        })
    };
    {
        let ask = ask.clone();
        use_effect_with((), move |()| ask.emit(ReviewAsk::Start { names: None }));
    }
    {
        let (set, is_running) = (head.setter(), head.phase == ReviewPhase::Running);
        let number = *heard;
        use_effect_with((is_running, number), move |(is_running, _)| {
            let timer = is_running.then(|| {
                dom::timer::after(BETWEEN_MS, move || {
                    if let Some(engine) = &engine {
                        ask_head(engine, ReviewAsk::Head, &set, &said);
                    }
                })
            });
            move || drop(timer)
        });
    }
    ((*head).clone(), ask)
}

fn ask_head(engine: &EngineHandle, question: ReviewAsk, set: &UseStateSetter<Rc<ReviewHead>>, said: &Callback<()>) {
    let (set, said) = (set.clone(), said.clone());
    let then = move |answer| {
        if let Answer::Review(answer) = answer
            && let Reviewed::Head(head) = *answer
        {
            // Also where it stands as it stood: a worker that is busy is asked again.
            said.emit(());
            set.set(Rc::new(head));
        }
    };
    engine.0.ask(Ask::Review(question), Box::new(then));
}
