//! A button that copies a text.

use yew::{AttrValue, Html, Properties, component, html, use_mut_ref, use_state};

use super::icon::icon;
use crate::dom;

/// What a copy button is made of.
#[derive(Debug, PartialEq, Properties)]
pub struct CopyProps {
    /// What is copied, exactly.
    pub text: AttrValue,
    /// What that is: `Copy the command`.
    pub label: AttrValue,
    /// The word on the button; none where an icon does.
    #[prop_or_default]
    pub word: Option<AttrValue>,
}

/// Copies a text and says whether it did.
#[component]
pub fn Copy(props: &CopyProps) -> Html {
    let said = use_state(|| None::<bool>);
    let timer = use_mut_ref(|| None::<dom::timer::Timer>);
    let onclick = {
        let (text, set) = (props.text.clone(), said.setter());
        move |_| {
            let (set, timer) = (set.clone(), timer.clone());
            dom::clipboard::copy(text.to_string(), move |done| {
                set.set(Some(done));
                let back = dom::timer::after(1600, move || set.set(None));
                timer.replace(Some(back));
            });
        }
    };
    let (name, word) = match *said {
        None => ("copy", props.word.clone()),
        Some(true) => ("ok", Some("Copied".into())),
        Some(false) => ("failed", Some("The browser forbids it".into())),
    };
    // A word on the button is its name; the label says more in the title.
    let name_unseen = props.word.is_none().then(|| props.label.clone());
    html! {
        <button type="button" class="copy" {onclick} aria-label={name_unseen} title={props.label.clone()}>
            { icon(name) }
            <span class="copy-word" aria-live="polite">{ word }</span>
        </button>
    }
}
