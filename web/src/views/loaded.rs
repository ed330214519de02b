//! The loaded page: band, tabs, and the open tab.

use steplens_core::summary::Summary;
use yew::{Html, html};

use super::aep::Aep;
use super::compare::Compare;
use super::files::Files;
use super::mapping::{Mapping, changed_bar};
use super::messages::Messages;
use super::timeline::Timeline;
use super::tokens::Tokens;
use super::tools::Tools;
use crate::components::band::Band;
use crate::components::found::found;
use crate::components::live_bar::LiveBar;
use crate::components::live_notes::LiveOffer;
use crate::components::minimap::Minimap;
use crate::components::minimap::seen::Seen;
use crate::components::search::Search;
use crate::components::tabs::tabs;
use crate::components::virtual_list::Memory;
use crate::dom::clock;
use crate::hooks::context::Act;
use crate::state::route::Tab;
use crate::state::shared::Shared;
use crate::state::{Stage, State};

/// Where the lists of the tabs were scrolled to.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Memories {
    /// The timeline's.
    pub rows: Memory,
    /// That of the steps.
    pub steps: Memory,
    /// That of the AEP events.
    pub aep: Memory,
    /// What of the run is in sight in the timeline.
    pub seen: Seen,
    /// That of the aligned steps of a comparison.
    pub pairs: Memory,
}

/// The loaded page.
pub fn loaded(state: &State, summary: &Shared<Summary>, memories: &Memories, act: &Act) -> Html {
    let start = summary.total.started_at.as_deref().and_then(clock::parse);
    let counts = [
        Some(state.counts.all + state.counts.asks),
        Some(summary.tools.len() as u64),
        None,
        Some(summary.files_touched.len() as u64),
        None,
        None,
        None,
        None,
    ];
    let open = match state.route.tab {
        Tab::Timeline => html! {
            <Timeline
                opening={state.opening}
                summary={summary.clone()}
                {start}
                list={state.list}
                is_loading={state.stage == Stage::Loading}
                counts={state.counts.clone()}
                pressed={state.route.chips.clone()}
                query={state.route.query.clone()}
                selected={state.selected.clone()}
                picked={state.picked.clone()}
                slot={state.detail.clone()}
                sight={state.sight}
                sheet={state.sheet}
                memory={memories.rows.clone()}
                seen={memories.seen.clone()}
                is_followed={!state.follow.files.is_empty()}
                is_watched={state.watched().is_some_and(|live| !live.is_ended)}
                is_live={state.is_live()}
            />
        },
        Tab::Mapping => html! {
            <Mapping
                opening={state.opening}
                epoch={state.epoch}
                lab={state.lab.clone()}
                route={state.route.clone()}
                files={summary.files.iter().map(|file| file.name.clone()).collect::<Vec<_>>()}
                detail={state.detail.clone()}
            />
        },
        Tab::Files => html! { <Files summary={summary.clone()} opening={state.opening} epoch={state.epoch} /> },
        Tab::Messages => html! {
            <Messages
                list={state.list}
                opening={state.opening}
                title={state.title()}
                sessions={summary.sessions.iter().map(|s| (s.id.clone().unwrap_or_default(), s.parent.is_some())).collect::<Vec<_>>()}
            />
        },
        Tab::Tools => html! { <Tools opening={state.opening} summary={summary.clone()} list={state.list} /> },
        Tab::Aep => html! {
            <Aep
                edition={(state.opening, state.epoch, state.list.edition)}
                {start}
                look={state.route.aep.clone()}
                memory={memories.aep.clone()}
            />
        },
        Tab::Compare => html! {
            <Compare
                opening={state.opening}
                summary={summary.clone()}
                list={state.list}
                sides={state.route.sides.clone()}
                memory={memories.pairs.clone()}
            />
        },
        Tab::Tokens => html! {
            <Tokens
                opening={state.opening}
                summary={summary.clone()}
                {start}
                list={state.list}
                model={state.route.model.clone()}
                memory={memories.steps.clone()}
            />
        },
    };
    html! {
        <>
            if let Some(live) = state.watched() {
                <LiveBar live={live.clone()} summary={summary.clone()} blob={state.files.iter().find(|file| file.name == live.file).map(|file| file.blob.clone())} />
            } else if let (Some(server), true, true) = (&state.route.live, state.route.source.is_some(), cfg!(not(feature = "inpage"))) {
                <LiveOffer server={server.clone()} />
            }
            <Band summary={summary.clone()} />
            <Minimap
                opening={state.opening}
                summary={summary.clone()}
                {start}
                range={state.route.chips.range}
                selected={state.selected.clone()}
                seen={memories.seen.clone()}
            />
            <nav class="tabs" aria-label="Views">
                { tabs(state.route.tab, counts, &state.tabs(), act) }
                <span class="grow" />
                <Search query={state.route.query.clone()} hits={state.hits.clone()} hit={state.hit} />
            </nav>
            <main class="panel">
                if state.route.tab == Tab::Timeline && !state.route.query.is_empty() {
                    { found(&state.route.query, state.hits.as_ref(), &state.route.chips, act) }
                }
                if state.route.tab == Tab::Timeline {
                    { changed_bar(state, act) }
                }
                { open }
            </main>
        </>
    }
}
