//! A button that opens the browser's file picker.

use web_sys::HtmlInputElement;
use yew::{AttrValue, Classes, Html, Properties, TargetCast, classes, component, html, use_node_ref};

use super::icon::icon;
use crate::dom;
use crate::hooks::context::use_act;
use crate::state::reducer::Action;

/// How the button looks.
#[derive(Debug, PartialEq, Properties)]
pub struct PickProps {
    /// Its class.
    #[prop_or_default]
    pub class: Classes,
    /// Its word; none where an icon does.
    #[prop_or_default]
    pub word: Option<AttrValue>,
}

/// Opens the files that the user picks.
#[component]
pub fn Pick(props: &PickProps) -> Html {
    let act = use_act();
    let input = use_node_ref();
    let onclick = {
        let input = input.clone();
        move |_| {
            if let Some(input) = input.cast::<HtmlInputElement>() {
                input.click();
            }
        }
    };
    let onchange = move |event: yew::Event| {
        let input: HtmlInputElement = event.target_unchecked_into();
        let files = input.files().map(|list| dom::files::of_list(&list));
        act.now(Action::Open(files.unwrap_or_default()));
        // So that picking the same file again is a change too.
        input.set_value("");
    };
    html! {
        <>
            <button
                type="button"
                class={classes!("button", props.class.clone())}
                aria-label="Open files"
                title="Open files"
                {onclick}
            >
                { icon("open") }
                if let Some(word) = &props.word {
                    <span>{ word.clone() }</span>
                }
            </button>
            <input ref={input} type="file" multiple=true hidden=true {onchange} />
        </>
    }
}
