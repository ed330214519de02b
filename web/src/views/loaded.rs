//! The loaded page: band, tabs, and the open tab.

use steplens_core::summary::Summary;
use yew::{Html, Properties, component, html, use_memo};

use super::timeline::Timeline;
use super::tokens::Tokens;
use super::tools::Tools;
use crate::components::band::Band;
use crate::components::search::Search;
use crate::components::tabs::Tabs;
use crate::components::virtual_list::Memory;
use crate::dom::clock;
use crate::state::route::Tab;
use crate::state::shared::Shared;
use crate::state::{Stage, State};

/// What the page shows.
#[derive(Debug, PartialEq, Properties)]
pub struct LoadedProps {
    /// All that the page knows.
    pub state: State,
    /// The summary of it.
    pub summary: Shared<Summary>,
}

/// The loaded page.
#[component]
pub fn Loaded(props: &LoadedProps) -> Html {
    let (state, summary) = (&props.state, &props.summary);
    let rows = use_memo((), |()| Memory::default());
    let steps = use_memo((), |()| Memory::default());
    let start = summary.total.started_at.as_deref().and_then(clock::parse);
    let counts = [Some(state.counts.all), Some(summary.tools.len() as u64), None];
    let open = match state.route.tab {
        Tab::Timeline => html! {
            <Timeline
                opening={state.opening}
                {start}
                list={state.list}
                is_loading={state.stage == Stage::Loading}
                counts={state.counts.clone()}
                pressed={state.route.chips.clone()}
                query={state.route.query.clone()}
                selected={state.selected.clone()}
                slot={state.detail.clone()}
                sight={state.sight}
                sheet={state.sheet}
                memory={(*rows).clone()}
            />
        },
        Tab::Tools => html! { <Tools summary={summary.clone()} /> },
        Tab::Tokens => html! {
            <Tokens
                opening={state.opening}
                summary={summary.clone()}
                {start}
                list={state.list}
                memory={(*steps).clone()}
            />
        },
    };
    html! {
        <>
            <Band summary={summary.clone()} />
            <nav class="tabs" aria-label="Views">
                <Tabs tab={state.route.tab} {counts} />
                <span class="grow" />
                <Search query={state.route.query.clone()} hits={state.hits} hit={state.hit} />
            </nav>
            { open }
        </>
    }
}
