//! The search box: what is typed, how many hits, next and previous.

use web_sys::HtmlInputElement;
use yew::{Html, KeyboardEvent, Properties, TargetCast, component, html, use_effect_with, use_mut_ref, use_state};

use super::icon::icon;
use crate::dom;
use crate::engine::protocol::Hits;
use crate::hooks::context::use_act;
use crate::hooks::keys::EVENTS;
use crate::state::reducer::Action;
use crate::text::number::{count, grouped};

/// Time without a key before the search starts.
const PAUSE_MS: i32 = 80;

/// What the box shows.
#[derive(Debug, PartialEq, Properties)]
pub struct SearchProps {
    /// The search that is on.
    pub query: String,
    /// Its hits.
    pub hits: Option<Hits>,
    /// Which of them is selected, from 0.
    pub hit: Option<u64>,
}

/// The search box.
#[component]
pub fn Search(props: &SearchProps) -> Html {
    let act = use_act();
    let typed = use_state(|| props.query.clone());
    let timer = use_mut_ref(|| None::<dom::timer::Timer>);
    {
        // The query changes from outside as well: by the URL, by opening another log.
        let typed = typed.setter();
        use_effect_with(props.query.clone(), move |query| typed.set(query.clone()));
    }
    let search = {
        let (act, timer, typed) = (act.clone(), timer.clone(), typed.setter());
        move |text: String| {
            // What waits to be searched for is no longer wanted.
            timer.replace(None);
            typed.set(text.clone());
            act.now(Action::Query(text));
        }
    };
    let end = {
        let search = search.clone();
        move |_: yew::MouseEvent| search(String::new())
    };
    let oninput = {
        let (typed, timer, search) = (typed.clone(), timer, search.clone());
        move |event: yew::InputEvent| {
            let text = event.target_unchecked_into::<HtmlInputElement>().value();
            typed.set(text.clone());
            let search = search.clone();
            timer.replace(Some(dom::timer::after(PAUSE_MS, move || search(text))));
        }
    };
    let onkeydown = {
        let (act, query, search) = (act.clone(), props.query.clone(), search.clone());
        move |event: KeyboardEvent| {
            let text = event.target_unchecked_into::<HtmlInputElement>().value();
            match event.key().as_str() {
                "Enter" => {
                    if text != query {
                        search(text);
                    }
                    act.now(Action::Next(!event.shift_key()));
                }
                "Escape" => {
                    if !text.is_empty() {
                        search(String::new());
                    }
                    dom::focus(EVENTS);
                }
                "ArrowDown" => {
                    dom::focus(EVENTS);
                }
                _ => return,
            }
            event.prevent_default();
        }
    };
    let is_on = !props.query.is_empty();
    let more = if props.hits.as_ref().is_some_and(|hits| !hits.is_over) { " …" } else { "" };
    let shown = props.hits.as_ref().map(|hits| hits.shown);
    let words = match (shown, props.hit) {
        (Some(0), _) if more.is_empty() => "no hits".to_owned(),
        (Some(0), _) => "…".to_owned(),
        (Some(hits), Some(hit)) => format!("{} of {}{more}", grouped(hit + 1), grouped(hits)),
        (Some(hits), None) => format!("{}{more}", count(hits, "hit", "hits")),
        (None, _) => String::new(),
    };
    let has_hits = shown.is_some_and(|hits| hits > 0);
    html! {
        <div class="find" role="search">
            { icon("search") }
            <input
                id="search"
                type="search"
                aria-label="Search events"
                placeholder="Search events"
                autocomplete="off"
                spellcheck="false"
                value={(*typed).clone()}
                {oninput}
                {onkeydown}
            />
            // Announced by the line below the tabs.
            <span class="find-count">{ words }</span>
            if is_on {
                <button type="button" class="button square quiet" aria-label="Previous hit" title="Previous hit (N)" disabled={!has_hits} onclick={act.on(|_| Action::Next(false))}>
                    { icon("up") }
                </button>
                <button type="button" class="button square quiet" aria-label="Next hit" title="Next hit (n)" disabled={!has_hits} onclick={act.on(|_| Action::Next(true))}>
                    { icon("down") }
                </button>
                <button type="button" class="button square quiet" aria-label="End the search" title="End the search (Esc)" onclick={end}>
                    { icon("close") }
                </button>
            } else {
                <kbd aria-hidden="true">{ "/" }</kbd>
            }
        </div>
    }
}
