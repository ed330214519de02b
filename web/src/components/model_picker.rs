//! The model that steps are priced as, and the prices.

use web_sys::{HtmlInputElement, InputEvent};
use yew::{Callback, Event, Html, Properties, SubmitEvent, TargetCast, component, html, use_state};

use crate::dom::files::of_list;

use crate::engine::protocol::{Answer, Ask, OpenFile};
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

/// Chooses a model by typing a part of its name, and another price table by its file.
#[component]
pub fn ModelPicker(props: &ModelPickerProps) -> Html {
    let act = use_act();
    let reach = use_reach();
    let offered = use_state(Vec::<String>::new);
    let wrong = use_state(|| None::<String>);
    let replaced = use_state(|| None::<String>);
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
    let take = {
        let (engine, wrong, replaced) = (engine.clone(), wrong.clone(), replaced.clone());
        move |file: Option<OpenFile>| {
            let name = file.as_ref().map(|file| file.name.clone());
            let Some(engine) = &engine else { return };
            let (wrong, replaced) = (wrong.clone(), replaced.clone());
            let then = move |answer| {
                if let Answer::Prices(error) = answer {
                    if error.is_none() {
                        replaced.set(name);
                    }
                    wrong.set(error);
                }
            };
            engine.0.ask(Ask::Prices(file), Box::new(then));
        }
    };
    let onfile = {
        let take = take.clone();
        Callback::from(move |event: Event| {
            let input = event.target_unchecked_into::<HtmlInputElement>();
            let files = input.files().map(|list| of_list(&list)).unwrap_or_default();
            if let Some(file) = files.into_iter().next() {
                take(Some(file));
            }
            // The same file can be taken again, after it was mended.
            input.set_value("");
        })
    };
    let ondrop_prices = Callback::from(move |_| take(None));
    let models = offered.iter().map(|model| html! { <option value={model.clone()} /> });
    let hint = props.named.clone().unwrap_or_else(|| "provider/model".to_owned());
    html! {
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
            <label class="button">
                { "Other prices" }
                <input type="file" class="unseen" accept=".json,application/json" aria-label="Open a price table" onchange={onfile} />
            </label>
            if let Some(name) = &*replaced {
                <button type="button" class="button" onclick={ondrop_prices}>{ format!("Not {name}") }</button>
            }
            if let Some(source) = &props.source {
                <span class="muted small">{ "Prices of " }{ source.clone() }</span>
            }
            if let Some(wrong) = &*wrong {
                <span class="ink-bad small" role="alert">{ wrong.clone() }</span>
            }
        </form>
    }
}
