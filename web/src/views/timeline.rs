//! The timeline: filter chips, the list of events, and the pane about the selected one.

use std::ops::Range;

use steplens_core::event::Kind;
use steplens_core::summary::Summary;
use steplens_core::view::{AskRow, EventRow, FilterCounts, Row};
use yew::{Callback, Html, Properties, component, html};

use crate::components::asks::{AskPane, ask_row_id};
use crate::components::chips::Chips;
use crate::components::detail::Detail;
use crate::components::minimap::seen::{InSight, Seen};
use crate::components::row::{Ground, is_short, row, row_id};
use crate::components::virtual_list::{Memory, OVERSCAN, VirtualList};
use crate::engine::protocol::{Answer, Ask, ListHead};
use crate::hooks::block::{Block, Source, use_block};
use crate::hooks::context::use_act;
use crate::state::reducer::Action;
use crate::state::route::Chips as Pressed;
use crate::state::shared::Shared;
use crate::state::{Sight, Slot};

/// Height of a row; the style sheet says the same.
const ROW: u32 = 29;

/// What the timeline shows.
#[derive(Debug, PartialEq, Properties)]
pub struct TimelineProps {
    /// Counts openings.
    pub opening: u32,
    /// The summary.
    pub summary: Shared<Summary>,
    /// Start of the run, milliseconds since the epoch.
    pub start: Option<i64>,
    /// The list.
    pub list: ListHead,
    /// Whether the log is still being read.
    pub is_loading: bool,
    /// Counts for the chips.
    pub counts: Shared<FilterCounts>,
    /// The chips that are pressed.
    pub pressed: Pressed,
    /// What is searched for.
    pub query: String,
    /// The selected event.
    pub selected: Option<Shared<EventRow>>,
    /// The selected request to a person.
    pub picked: Option<Shared<AskRow>>,
    /// What is known of the selected event.
    pub slot: Slot,
    /// The row that has to be in sight.
    pub sight: Option<Sight>,
    /// Whether the detail covers the list where there is no room for both.
    pub sheet: bool,
    /// Where the list was scrolled to.
    pub memory: Memory,
    /// Where to say what of the run is in sight.
    pub seen: Seen,
    /// The log is followed: the list stays at its end.
    pub is_followed: bool,
    /// A running agent is watched: more may come.
    pub is_watched: bool,
    /// The connection to it is open.
    pub is_live: bool,
}

/// The timeline.
#[component]
pub fn Timeline(props: &TimelineProps) -> Html {
    let act = use_act();
    let list = props.list;
    let (block, in_sight) = use_block(Source {
        edition: (props.opening, list.list, list.edition),
        ask: |start, len| Ask::Rows { start, len },
        read: |answer| match answer {
            Answer::Rows(head, window) => {
                Some(Block { start: window.start, total: window.total, list: head.list, rows: window.rows })
            }
            _ => None,
        },
    });
    let draw = {
        let picked = props.picked.as_ref().map(|row| row.ask.id.clone());
        let (block, act) = (block.clone(), act.clone());
        let (start, query, seen) = (props.start, props.query.clone(), props.seen.clone());
        let is_short = is_short(&props.summary);
        let selected = props.selected.as_ref().map(|event| event.id);
        let summary = props.summary.clone();
        let is_live = props.is_live;
        let is_mixed = summary.sessions.len() > 1 && props.pressed.session.is_none();
        Callback::from(move |range: Range<u64>| {
            seen.say(in_view(block.as_ref(), &range));
            let sessions = if is_mixed { summary.sessions.as_slice() } else { &[] };
            let ground = Ground {
                start,
                is_short,
                selected,
                query: &query,
                act: &act,
                picked: picked.as_deref(),
                sessions,
                is_live,
            };
            let rows = range.map(|index| {
                let item = |index: u64| block.as_ref().and_then(|block| block.get(index));
                row(index, item(index), index.checked_sub(1).and_then(item), &ground)
            });
            html! { { for rows } }
        })
    };
    // Only a row that is drawn can be named as the one that the keyboard is at.
    let active = props.selected.as_ref().map(|event| row_id(event.id));
    let active = active.or_else(|| props.picked.as_ref().map(|row| ask_row_id(&row.ask)));
    // The list is as long as it was when its rows were asked for, so that both belong together.
    let total = block.as_ref().map_or(list.rows, |block| block.total);
    let errors = props.counts.kinds.iter().any(|(kind, n)| *kind == Kind::Error && *n > 0);
    let has_failures = errors || props.counts.failed + props.counts.rejected > 0;
    let is_filtered = !(Pressed { session: None, ..props.pressed.clone() }).is_empty();
    let body = if list.rows == 0 && !props.is_loading {
        nothing(is_filtered, props.is_followed || props.is_watched, &act.on(|_| Action::ClearChips))
    } else {
        html! {
            <VirtualList
                id="events"
                label="Events"
                class="events"
                {total}
                row_height={ROW}
                {draw}
                {in_sight}
                sight={props.sight}
                {active}
                fresh={block.as_ref().map_or(list.list, |block| block.list)}
                memory={props.memory.clone()}
                clings={props.is_followed}
            />
        }
    };
    html! {
        <div id="panel-timeline" class="timeline" role="tabpanel" aria-labelledby="tab-timeline">
            <div class="list">
                <Chips pressed={props.pressed.clone()} counts={props.counts.clone()} start={props.start} summary={props.summary.clone()} />
                { body }
            </div>
            if let Some(row) = &props.picked {
                <AskPane row={row.clone()} sheet={props.sheet} is_live={props.is_live} />
            } else {
                <Detail event={props.selected.clone()} slot={props.slot.clone()} sheet={props.sheet} query={props.query.clone()} {has_failures} has_events={list.rows > 0 || is_filtered} />
            }
        </div>
    }
}

/// From when to when the rows are: those that are drawn, but for the ones beyond sight on either side.
fn in_view(block: Option<&Shared<Block<Row>>>, drawn: &Range<u64>) -> InSight {
    let beyond = |edge: u64, is_end: bool| if edge == 0 || is_end { 0 } else { OVERSCAN };
    let Some(block) = block else { return InSight::default() };
    let rows =
        drawn.start + beyond(drawn.start, false)..drawn.end.saturating_sub(beyond(drawn.end, drawn.end == block.total));
    let mut seen = InSight::default();
    let widen = |ends: &mut Option<(i64, i64)>, value: i64| {
        *ends = Some(ends.map_or((value, value), |(from, to)| (from.min(value), to.max(value))));
    };
    for row in rows.filter_map(|row| block.get(row)) {
        match row {
            Row::Event(event) => {
                event.time.iter().for_each(|time| widen(&mut seen.times, time.0));
                widen(&mut seen.records, event.record.into());
            }
            Row::Turn(_) => {}
            Row::Ask(ask) => ask.time.iter().for_each(|time| widen(&mut seen.times, time.0)),
            Row::Step(step) => step.time.iter().for_each(|time| widen(&mut seen.times, time.0)),
        }
    }
    seen
}

fn nothing(is_filtered: bool, may_come: bool, clear: &Callback<yew::MouseEvent>) -> Html {
    html! {
        <div class="nothing">
            if is_filtered {
                <p>{ "No event passes these filters." }</p>
                <button type="button" class="button" onclick={clear.clone()}>{ "Clear filters" }</button>
            } else if may_come {
                <p>{ "No event came yet. What the agent says and does will stand here." }</p>
            } else {
                <p>{ "This log has no events: no text, no call and no error. Its steps are counted above." }</p>
            }
        </div>
    }
}
