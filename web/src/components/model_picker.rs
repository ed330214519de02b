//! The model that steps are priced as; the prices stand beside it.

use web_sys::{HtmlInputElement, InputEvent};
use yew::{Callback, Event, Html, Properties, SubmitEvent, TargetCast, component, html, use_state};

use super::prices::PricePicker;
use crate::engine::protocol::{Answer, Ask};
use crate::hooks::context::{use_act, use_reach};
use crate::state::reducer::Action;

/// What the picker shows.
#[derive(Debug, PartialEq, Properties)]
pub struct ModelPickerProps {
    /// The model that was chosen; none goes by the log.
    pub chosen: Option<String>,
    /// The model that the log names.
    pub named: Option<String>,
    /// Where the prices are from, where they are used.
    pub source: Option<String>,
}

/// Chooses a model by typing a part of its name.
#[component]
pub fn ModelPicker(props: &ModelPickerProps) -> Html {
    let act = use_act();
    let reach = use_reach();
    let offered = use_state(Vec::<String>::new);
    // What is being typed; the choice only changes when it is done.
    let typed = use_state(|| None::<String>);
    let engine = reach.and_then(|reach| reach.engine);
    let oninput = {
        let (engine, offered, typed) = (engine.clone(), offered.clone(), typed.clone());
        Callback::from(move |event: InputEvent| {
            let text = event.target_unchecked_into::<HtmlInputElement>().value();
            typed.set(Some(text.clone()));
            if let Some(engine) = &engine {
                let offered = offered.clone();
                let then = move |answer| {
                    if let Answer::Models(models) = answer {
                        offered.set(models);
                    }
                };
                engine.0.ask(Ask::Models(text), Box::new(then));
            }
        })
    };
    let onchange = {
        let typed = typed.clone();
        act.on(move |event: Event| {
            let text = event.target_unchecked_into::<HtmlInputElement>().value();
            typed.set(None);
            Action::Model(Some(text.trim().to_owned()).filter(|text| !text.is_empty()))
        })
    };
    let models = offered.iter().map(|model| html! { <option value={model.clone()} /> });
    let hint = props.named.clone().unwrap_or_else(|| "provider/model".to_owned());
    html! {
        <>
        <form class="model-picker" onsubmit={|event: SubmitEvent| event.prevent_default()}>
            <label>
                { "Price as " }
                <input
                    type="text"
                    list="models"
                    class="model-input"
                    aria-label="Model to price as"
                    placeholder={hint}
                    autocomplete="off"
                    spellcheck="false"
                    value={(*typed).clone().or_else(|| props.chosen.clone()).unwrap_or_default()}
                    {oninput}
                    {onchange}
                />
            </label>
            <datalist id="models">{ for models }</datalist>
            if props.chosen.is_some() {
                <button type="button" class="button" onclick={act.on(|_| Action::Model(None))}>{ "By the log" }</button>
            }
        </form>
        <PricePicker source={props.source.clone()} />
        </>
    }
}
