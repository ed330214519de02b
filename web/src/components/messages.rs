//! What the page has to say, at its foot.

use yew::{Html, Properties, component, html, use_effect_with};

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
    {
        let act = act.clone();
        use_effect_with(props.message.clone(), move |message| {
            let passing = message.as_ref().filter(|message| !message.stays);
            let timer = passing.map(|_| dom::timer::after(MS, move || act.now(Action::Say(None))));
            move || drop(timer)
        });
    }
    html! {
        <div class="messages" role="status" aria-live="polite">
            if let Some(message) = &props.message {
                <div class="message">
                    <p>{ message.text.clone() }</p>
                    <button type="button" class="button square quiet" aria-label="Close the message" onclick={act.on(|_| Action::Say(None))}>
                        { icon("close") }
                    </button>
                </div>
            }
        </div>
    }
}
