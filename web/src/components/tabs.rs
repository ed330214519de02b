//! The tabs of the loaded page.

use web_sys::HtmlElement;
use web_sys::wasm_bindgen::JsCast;
use yew::{Html, KeyboardEvent, Properties, TargetCast, component, html};

use crate::dom;
use crate::hooks::context::use_act;
use crate::state::reducer::Action;
use crate::state::route::Tab;
use crate::text::number::grouped;

/// What the tabs show.
#[derive(Debug, PartialEq, Properties)]
pub struct TabsProps {
    /// The open one.
    pub tab: Tab,
    /// A count beside each.
    pub counts: [Option<u64>; 3],
}

/// The tabs; arrow keys go from one to the next.
#[component]
pub fn Tabs(props: &TabsProps) -> Html {
    let act = use_act();
    let chosen = props.tab;
    let tabs = Tab::ALL.into_iter().zip(props.counts).map(|(tab, count)| {
        let is_open = tab == chosen;
        html! {
            <button
                type="button"
                role="tab"
                id={format!("tab-{}", tab.name())}
                class="tab"
                aria-selected={is_open.to_string()}
                aria-controls={is_open.then(|| format!("panel-{}", tab.name()))}
                tabindex={if is_open { "0" } else { "-1" }}
                onclick={act.on(move |_| Action::Tab(tab))}
            >
                { tab.title() }
                if let Some(count) = count {
                    <span class="tab-count">{ grouped(count) }</span>
                }
            </button>
        }
    });
    let onkeydown = {
        let act = act.clone();
        move |event: KeyboardEvent| {
            if let Some(to) = walked(&event.key(), Tab::ALL.len(), Tab::ALL.iter().position(|t| *t == chosen))
                && let Some(tab) = Tab::ALL.get(to)
            {
                event.prevent_default();
                act.now(Action::Tab(*tab));
                dom::focus(&format!("#tab-{}", tab.name()));
            }
        }
    };
    html! {
        <div class="tablist" role="tablist" aria-label="Views" {onkeydown}>{ for tabs }</div>
    }
}

/// The tab that an arrow key goes to, round the ends.
pub fn walked(key: &str, len: usize, from: Option<usize>) -> Option<usize> {
    let from = from?;
    let last = len.checked_sub(1)?;
    match key {
        "ArrowRight" => Some(if from >= last { 0 } else { from + 1 }),
        "ArrowLeft" => Some(from.checked_sub(1).unwrap_or(last)),
        "Home" => Some(0),
        "End" => Some(last),
        _ => None,
    }
}

/// Whether a key event came from a tab itself.
pub fn is_on_tab(event: &KeyboardEvent) -> bool {
    event
        .target_dyn_into::<HtmlElement>()
        .is_some_and(|e| e.unchecked_ref::<web_sys::Element>().get_attribute("role").as_deref() == Some("tab"))
}
