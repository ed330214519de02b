//! What the page has to say, at its foot.

use yew::{Html, Properties, component, html, use_effect_with, use_state_eq};

use super::icon::icon;
use crate::dom;
use crate::hooks::context::use_act;
use crate::state::Message;
use crate::state::reducer::Action;

/// How long a message stays that does not have to be closed.
const MS: i32 = 5_000;

/// What is said.
#[derive(Debug, PartialEq, Properties)]
pub struct MessagesProps {
    /// The message.
    pub message: Option<Message>,
}

/// The live region is there from the start: only then is what comes into it read out.
#[component]
pub fn Messages(props: &MessagesProps) -> Html {
    let act = use_act();
    // Who points at it, or went there by keyboard, is reading it.
    let is_read = use_state_eq(|| false);
    let reads = |read: bool| {
        let is_read = is_read.setter();
        move |_: yew::MouseEvent| is_read.set(read)
    };
    let (enter, leave) = (reads(true), reads(false));
    let by_keyboard = |read: bool| {
        let is_read = is_read.setter();
        move |_: yew::FocusEvent| is_read.set(read)
    };
    let (focus, blur) = (by_keyboard(true), by_keyboard(false));
    {
        // A message that goes takes the pointer's word with it.
        let is_read = is_read.setter();
        use_effect_with(props.message.clone(), move |_| is_read.set(false));
    }
    {
        let act = act.clone();
        use_effect_with((props.message.clone(), *is_read), move |(message, is_read)| {
            let passing = message.as_ref().filter(|message| !message.stays && !is_read);
            let timer = passing.map(|_| dom::timer::after(MS, move || act.now(Action::Say(None))));
            move || drop(timer)
        });
    }
    html! {
        <div class="messages" role="status" aria-live="polite">
            if let Some(message) = &props.message {
                <div class="message" data-stays={message.stays.then_some("true")} onmouseenter={enter} onmouseleave={leave} onfocusin={focus} onfocusout={blur}>
                    <p>{ message.text.clone() }</p>
                    <button type="button" class="button square quiet" aria-label="Close the message" onclick={act.on(|_| Action::Say(None))}>
                        { icon("close") }
                    </button>
                </div>
            }
        </div>
    }
}
