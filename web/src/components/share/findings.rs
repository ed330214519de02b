//! The findings, each with its line, its neighbours, and its own switch.

use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

use web_sys::HtmlInputElement;
use yew::{
    Callback, Event, Html, Properties, TargetCast, classes, component, html, use_effect_with, use_memo, use_mut_ref,
};

use super::kinds::name_of;
use super::preview::Place;
use crate::components::shown::shown;
use crate::components::virtual_list::{Memory, VirtualList};
use crate::engine::protocol::{Answer, Ask};
use crate::engine::review::{ReviewAsk, ReviewHead, ReviewRow, Reviewed, Which};
use crate::hooks::block::{Block, Source, use_block};
use crate::text::number::grouped;

/// Height of a row in pixels.
const ROW: u32 = 52;

/// What the list has to know.
#[derive(Debug, PartialEq, Properties)]
pub struct FindingsProps {
    /// How the review stands.
    pub head: Rc<ReviewHead>,
    /// Asks something that changes it.
    pub ask: Callback<ReviewAsk>,
    /// Counts openings.
    pub opening: u32,
    /// Shows a place in the text that leaves.
    pub show: Callback<Place>,
}

/// The findings.
#[component]
pub fn Findings(props: &FindingsProps) -> Html {
    let head = &props.head;
    let memory = use_memo((), |()| Memory::default());
    let list = head.shown.map_or(0, |kind| kind as u32 + 1);
    let (block, in_sight) = use_block(Source {
        edition: (props.opening, list, head.edition),
        ask: |start, len| Ask::Review(ReviewAsk::Rows { start, len }),
        read: |answer| match answer {
            Answer::Review(answer) => match *answer {
                Reviewed::Rows(rows) => Some(Block { start: rows.start, total: rows.total, list: 0, rows: rows.rows }),
                _ => None,
            },
            _ => None,
        },
    });
    let total = head.rows;
    // What was decided here, until the worker says so.
    let decided = use_mut_ref(HashMap::<u32, bool>::new);
    {
        let decided = decided.clone();
        use_effect_with(block.clone(), move |_| decided.borrow_mut().clear());
    }
    let ask = {
        let (ask, decided) = (props.ask.clone(), decided.clone());
        Callback::from(move |question: ReviewAsk| {
            if let ReviewAsk::Decide { what: Which::One(number), masked } = question {
                decided.borrow_mut().insert(number, masked);
            }
            ask.emit(question);
        })
    };
    let draw = {
        let (block, ask, show, head) = (block.clone(), ask, props.show.clone(), head.clone());
        Callback::from(move |range: Range<u64>| {
            let rows = range.map(|index| match block.as_ref().and_then(|block| block.get(index)) {
                Some(found) => {
                    let masked = decided.borrow().get(&found.number).copied().unwrap_or(found.masked);
                    row(index, total, &ReviewRow { masked, ..found.clone() }, &head, &ask, &show)
                }
                None => html! { <div key={index} class="finding" role="listitem" /> },
            });
            html! { { for rows } }
        })
    };
    html! {
        <VirtualList
            id="findings"
            label="Findings"
            class="findings"
            role="list"
            {total}
            row_height={ROW}
            {draw}
            {in_sight}
            fresh={list}
            memory={(*memory).clone()}
        />
    }
}

fn row(
    index: u64,
    total: u64,
    found: &ReviewRow,
    head: &ReviewHead,
    ask: &Callback<ReviewAsk>,
    show: &Callback<Place>,
) -> Html {
    let number = found.number;
    let onchange = {
        let ask = ask.clone();
        Callback::from(move |event: Event| {
            let masked = event.target_unchecked_into::<HtmlInputElement>().checked();
            ask.emit(ReviewAsk::Decide { what: Which::One(number), masked });
        })
    };
    let same = (found.same > 1).then(|| {
        let (ask, masked) = (ask.clone(), !found.masked);
        let onclick = move |_| ask.emit(ReviewAsk::Decide { what: Which::Same(number), masked });
        let word = if masked { "Mask" } else { "Unmask" };
        html! {
            <button type="button" class="link" {onclick}>
                { format!("{word} all {} with this text", grouped(found.same)) }
            </button>
        }
    });
    let place = Place { file: found.file, at: found.at };
    let file = head.files.get(found.file as usize).filter(|_| head.files.len() > 1);
    let on_line = {
        let show = show.clone();
        move |_| show.emit(place)
    };
    let name = name_of(found.kind);
    html! {
        <div
            key={index}
            class={classes!("finding", (!found.masked).then_some("is-kept"))}
            role="listitem"
            aria-setsize={total.to_string()}
            aria-posinset={(index + 1).to_string()}
            data-finding={found.kind.name()}
            data-line={found.line.to_string()}
        >
            <input
                type="checkbox"
                checked={found.masked}
                aria-label={format!("Mask: {name}, line {}", found.line)}
                {onchange}
            />
            <div class="finding-head">
                <span class="finding-kind">{ &name }</span>
                <button type="button" class="link" title="Show it in the text that leaves" onclick={on_line}>
                    if let Some(file) = file {
                        { format!("{}, ", file.name) }
                    }
                    { format!("line {}", grouped(found.line)) }
                </button>
                { same }
            </div>
            <div class="finding-text mono">
                <span class="finding-before"><span>{ shown(&found.before, &[]) }</span></span>
                if found.masked {
                    <del class="finding-secret">{ shown(&found.secret, &[]) }{ if found.is_cut { "…" } else { "" } }</del>
                    <ins class="finding-mask">{ found.mask.clone() }</ins>
                } else {
                    <mark class="finding-secret">{ shown(&found.secret, &[]) }{ if found.is_cut { "…" } else { "" } }</mark>
                }
                <span class="finding-after">{ shown(&found.after, &[]) }</span>
            </div>
        </div>
    }
}
