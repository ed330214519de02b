//! Prices in place of the built-in ones: those of a file, or typed by hand.

use web_sys::HtmlInputElement;
use yew::{Callback, Event, Html, Properties, SubmitEvent, TargetCast, component, html, use_node_ref, use_state};

use crate::dom::files::of_list;
use crate::engine::protocol::{Answer, Ask};
use crate::hooks::context::{use_act, use_reach};
use crate::state::Prices;
use crate::state::reducer::Action;
use crate::text::number::UNKNOWN;

/// The classes that are typed, as the engine takes them.
const CLASSES: [&str; 4] = ["Input", "Output", "Cache read", "Cache write"];

/// What is shown of the prices.
#[derive(Debug, PartialEq, Properties)]
pub struct PricePickerProps {
    /// Where the prices are from, where they are used.
    pub source: Option<String>,
}

/// Takes another price table by its file, or prices that are typed; and goes back to the built-in ones.
#[component]
pub fn PricePicker(props: &PricePickerProps) -> Html {
    let act = use_act();
    let reach = use_reach();
    let prices = reach.as_ref().and_then(|reach| reach.prices.clone());
    let engine = reach.and_then(|reach| reach.engine);
    let wrong = use_state(|| None::<String>);
    let take = {
        let (wrong, act) = (wrong.clone(), act.clone());
        move |ask: Ask, prices: Option<Prices>| {
            let Some(engine) = &engine else { return };
            let (wrong, act) = (wrong.clone(), act.clone());
            let then = move |answer| {
                if let Answer::Prices(error) = answer {
                    if error.is_none() {
                        act.now(Action::Prices(prices));
                    }
                    wrong.set(error);
                }
            };
            engine.0.ask(ask, Box::new(then));
        }
    };
    let onfile = {
        let take = take.clone();
        Callback::from(move |event: Event| {
            let input = event.target_unchecked_into::<HtmlInputElement>();
            let files = input.files().map(|list| of_list(&list)).unwrap_or_default();
            if let Some(file) = files.into_iter().next() {
                let name = file.name.clone();
                take(Ask::Prices(Some(file)), Some(Prices::File(name)));
            }
            // The same file can be taken again, after it was mended.
            input.set_value("");
        })
    };
    let inputs = [use_node_ref(), use_node_ref(), use_node_ref(), use_node_ref()];
    let ontyped = {
        let (take, inputs) = (take.clone(), inputs.clone());
        Callback::from(move |event: SubmitEvent| {
            event.prevent_default();
            let typed = inputs
                .clone()
                .map(|input| input.cast::<HtmlInputElement>().map(|input| input.value()).unwrap_or_default());
            take(Ask::TypedPrices(typed.clone()), Some(Prices::Typed(typed)));
        })
    };
    let back = Callback::from(move |_| take(Ask::Prices(None), None));
    let held = match &prices {
        Some(Prices::Typed(typed)) => typed.clone(),
        _ => Default::default(),
    };
    let fields = CLASSES.iter().zip(&held).zip(&inputs).map(|((class, value), input)| {
        html! {
            <label>
                { *class }
                <input
                    ref={input.clone()}
                    type="text"
                    inputmode="decimal"
                    class="price-input"
                    aria-label={format!("{class} price, dollars per million tokens")}
                    autocomplete="off"
                    value={value.clone()}
                />
            </label>
        }
    });
    let said = match &prices {
        Some(Prices::Typed(typed)) => Some(format!("Your prices: {}", listed(typed))),
        Some(Prices::File(name)) => Some(format!("Prices of {}", props.source.as_ref().unwrap_or(name))),
        None => props.source.as_ref().map(|source| format!("Prices of {source}")),
    };
    let drop_word = match &prices {
        Some(Prices::File(name)) => Some(format!("Not {name}")),
        Some(Prices::Typed(_)) => Some("Not my prices".to_owned()),
        None => None,
    };
    html! {
        <div class="model-picker">
            <label class="button">
                { "Load a price table" }
                <input type="file" class="unseen" accept=".json,application/json" aria-label="Load a price table" onchange={onfile} />
            </label>
            <details class="own-prices">
                <summary class="link">{ "Enter prices by hand" }</summary>
                <form class="own-prices-form" aria-label="Your prices" onsubmit={ontyped}>
                    { for fields }
                    <button type="submit" class="button">{ "Use my prices" }</button>
                    <span class="muted small">{ "Dollars per million tokens, for any model. Blank: no price" }</span>
                </form>
            </details>
            if let Some(word) = drop_word {
                <button type="button" class="button" onclick={back}>{ word }</button>
            }
            if let Some(said) = said {
                <span class="muted small">{ said }</span>
            }
            if let Some(wrong) = &*wrong {
                <span class="ink-bad small" role="alert">{ wrong.clone() }</span>
            }
        </div>
    }
}

/// `input $3 · output $15 · cache read – · cache write –, per million tokens`.
fn listed(typed: &[String; 4]) -> String {
    let one = |(class, value): (&&str, &String)| {
        let value = value.trim().trim_start_matches('$').trim();
        let price = if value.is_empty() { UNKNOWN.to_owned() } else { format!("${value}") };
        format!("{} {price}", class.to_lowercase())
    };
    let all: Vec<String> = CLASSES.iter().zip(typed).map(one).collect();
    format!("{}, per million tokens", all.join(" · "))
}
