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
    /// The files come to those that are open.
    #[prop_or_default]
    pub adds: bool,
}

/// Opens the files that the user picks, or adds them to those that are open.
#[component]
pub fn Pick(props: &PickProps) -> Html {
    let act = use_act();
    let input = use_node_ref();
    let adds = props.adds;
    let onclick = {
        let (input, act) = (input.clone(), act.clone());
        move |_| {
            if adds {
                let act = act.clone();
                dom::files::choose(move |files| act.now(Action::Add(files)));
            } else if let Some(input) = input.cast::<HtmlInputElement>() {
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
    let (name, title, shape) = match adds {
        true => ("Add files", "Add files to what is open: an export, child sessions, other runs", "add"),
        false => ("Open files", "Open files", "open"),
    };
    html! {
        <>
            <button
                type="button"
                class={classes!("button", props.class.clone())}
                aria-label={name}
                {title}
                {onclick}
            >
                { icon(shape) }
                if let Some(word) = &props.word {
                    <span>{ word.clone() }</span>
                }
            </button>
            if !adds {
                <input ref={input} type="file" multiple=true hidden=true {onchange} />
            }
        </>
    }
}
