//! The tabs of the loaded page.

use yew::{Html, KeyboardEvent, html};

use crate::dom;
use crate::hooks::context::Act;
use crate::state::reducer::Action;
use crate::state::route::Tab;
use crate::text::number::grouped;

/// The tabs with a count beside each; arrow keys go from one to the next.
pub fn tabs(chosen: Tab, counts: [Option<u64>; Tab::ALL.len()], shown: &[Tab], act: &Act) -> Html {
    let shown_tabs = Tab::ALL.into_iter().zip(counts).filter(|(tab, _)| shown.contains(tab));
    let tabs = shown_tabs.map(|(tab, count)| {
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
        let (act, shown) = (act.clone(), shown.to_vec());
        move |event: KeyboardEvent| {
            if let Some(to) = walked(&event.key(), shown.len(), shown.iter().position(|t| *t == chosen))
                && let Some(tab) = shown.get(to)
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
