//! The notice that a new version of the page is there. `boot.js` says so, and takes it over when it is wanted.

use yew::{Html, Properties, component, html, use_effect_with, use_state_eq};

use super::icon::icon;
use crate::dom;
use crate::dom::listen::listen;

/// How the notice stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Notice {
    Unneeded,
    Shown,
    /// The user wants it later: the next time the page is opened.
    Closed,
}

/// What the notice has to know.
#[derive(Debug, PartialEq, Properties)]
pub struct RenewalProps {
    /// A log is open, which a reload would close.
    pub is_loaded: bool,
}

/// The notice. The live region is there from the start: only then is what comes into it read out.
#[component]
pub fn Renewal(props: &RenewalProps) -> Html {
    let notice = use_state_eq(|| Notice::Unneeded);
    {
        let notice = notice.setter();
        use_effect_with((), move |()| {
            // It may have been said before this listened.
            if dom::is_there("html[data-renewal]") {
                notice.set(Notice::Shown);
            }
            let listener =
                dom::window().map(|window| listen(&window, "steplens-renewal", move |_| notice.set(Notice::Shown)));
            move || drop(listener)
        });
    }
    let close = {
        let notice = notice.setter();
        move |_| notice.set(Notice::Closed)
    };
    html! {
        <div class="renewal" role="status" aria-live="polite">
            if *notice == Notice::Shown {
                <div class="message">
                    <p>
                        { "A new version is there." }
                        if props.is_loaded {
                            { " Reloading closes the log." }
                        }
                    </p>
                    <button type="button" class="button primary" onclick={|_| dom::say("steplens-renew")}>{ "Reload" }</button>
                    <button type="button" class="button square quiet" aria-label="Later" title="Later" onclick={close}>
                        { icon("close") }
                    </button>
                </div>
            }
        </div>
    }
}
