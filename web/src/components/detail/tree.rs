//! JSON as a tree that folds: arrows open and close, `c` copies the value, `p` its path. Only what is in sight is drawn,
//! and numbers stand as they are written.

use std::collections::BTreeSet;
use std::ops::Range;
use std::rc::Rc;

use steplens_core::text::tree::{Kind, Row, path, rows};
use yew::{AttrValue, Callback, Html, KeyboardEvent, Properties, component, html, use_memo, use_state};

use super::lines::Lines;
use crate::components::copy::Copy;
use crate::components::shown::shown;
use crate::dom;
use crate::state::Sight;
use crate::text::number::{count, grouped};

/// More rows begin folded below the first levels.
const OPEN_AT_FIRST: usize = 200;
/// Bytes of a text that a row shows.
const WIDEST: usize = 2_000;

/// What is shown.
#[derive(Debug, PartialEq, Properties)]
pub(super) struct TreeProps {
    /// The JSON.
    pub text: AttrValue,
    /// Id of the tree.
    pub id: AttrValue,
    /// What it is.
    pub label: AttrValue,
}

/// Whether a text can be shown as a tree.
pub(super) fn is_tree(text: &str) -> bool {
    rows(text).is_some_and(|rows| rows.len() > 1)
}

/// JSON as a tree.
#[component]
pub(super) fn Tree(props: &TreeProps) -> Html {
    let rows = use_memo(props.text.clone(), |text| rows(text).unwrap_or_default());
    let folded = use_state(|| folded_at_first(&rows));
    let active = use_state(|| 0usize);
    let sight = use_state(|| None::<Sight>);
    let visible = use_memo(((*folded).clone(), props.text.clone()), |(folded, _)| in_sight(&rows, folded));
    let at = visible.get(*active).copied().unwrap_or(0) as usize;

    let toggle = {
        let (folded, rows) = (folded.clone(), rows.clone());
        Callback::from(move |row: usize| {
            if rows.get(row).is_some_and(|row| row.children > 0) {
                let mut set: BTreeSet<u32> = (**folded).clone();
                if !set.remove(&(row as u32)) {
                    set.insert(row as u32);
                }
                folded.set(Rc::new(set));
            }
        })
    };
    let go = {
        let (active, sight, len) = (active.clone(), sight.clone(), visible.len());
        move |to: usize| {
            let to = to.min(len.saturating_sub(1));
            active.set(to);
            let number = sight.map_or(0, |sight| sight.number) + 1;
            sight.set(Some(Sight { list: 0, row: to as u64, number, centred: false }));
        }
    };
    let onkeydown = {
        let (rows, visible, folded, toggle, active) =
            (rows.clone(), visible.clone(), folded.clone(), toggle.clone(), *active);
        let (text, go) = (props.text.clone(), go.clone());
        Callback::from(move |pressed: KeyboardEvent| {
            if pressed.ctrl_key() || pressed.meta_key() || pressed.alt_key() {
                return;
            }
            let Some(here) = rows.get(at) else { return };
            let is_open = here.children > 0 && !folded.contains(&(at as u32));
            match pressed.key().as_str() {
                "ArrowDown" => go(active + 1),
                "ArrowUp" => go(active.saturating_sub(1)),
                "Home" => go(0),
                "End" => go(visible.len()),
                "PageDown" => go(active + 20),
                "PageUp" => go(active.saturating_sub(20)),
                "ArrowRight" if is_open => go(active + 1),
                "ArrowRight" | "Enter" | " " => toggle.emit(at),
                "ArrowLeft" if is_open => toggle.emit(at),
                "ArrowLeft" => go(visible.iter().position(|row| *row == here.parent).unwrap_or(0)),
                "c" => dom::clipboard::copy(value(&text, here).to_owned(), |_| {}),
                "p" => dom::clipboard::copy(path(&text, &rows, at), |_| {}),
                _ => return,
            }
            pressed.prevent_default();
            pressed.stop_propagation();
        })
    };
    let draw = {
        let (rows, visible, folded) = (rows.clone(), visible.clone(), folded.clone());
        let (text, id, active, set_active) = (props.text.clone(), props.id.clone(), *active, active.setter());
        Callback::from(move |range: Range<u64>| {
            let places = visible.get(range.start as usize..range.end as usize).unwrap_or_default();
            let drawn = places.iter().zip(range.start as usize..).filter_map(|(row, place)| {
                let (index, row) = (*row as usize, rows.get(*row as usize)?);
                let is_open = (row.children > 0).then(|| !folded.contains(&(index as u32)));
                let onclick = {
                    let (toggle, set_active) = (toggle.clone(), set_active.clone());
                    move |_| {
                        set_active.set(place);
                        toggle.emit(index);
                    }
                };
                Some(html! {
                    <div
                        key={place}
                        id={format!("{id}-{place}")}
                        class="tr"
                        role="treeitem"
                        aria-level={(row.depth + 1).to_string()}
                        aria-expanded={is_open.map(|open| open.to_string())}
                        aria-selected={(place == active).to_string()}
                        style={format!("padding-left:{}ch", 2 * u32::from(row.depth.min(40)))}
                        {onclick}
                    >
                        <span class="tr-fold" aria-hidden="true">{ is_open.map_or("", |open| if open { "▾" } else { "▸" }) }</span>
                        { key(&text, row, rows.get(row.parent as usize)) }
                        { face(&text, row, is_open) }
                    </div>
                })
            });
            html! { { for drawn } }
        })
    };
    let here = rows.get(at);
    html! {
        <>
            <Lines
                id={props.id.clone()}
                label={props.label.clone()}
                class="tree"
                role="tree"
                total={visible.len() as u64}
                {draw}
                sight={*sight}
                active={format!("{}-{}", props.id, *active)}
                {onkeydown}
            />
            if let Some(here) = here {
                <div class="tools">
                    <span class="mono break tree-path">{ shown(&path(&props.text, &rows, at), &[]) }</span>
                    <Copy text={path(&props.text, &rows, at)} label="Copy the path (p)" word="Copy path" />
                    <Copy text={value(&props.text, here).to_owned()} label="Copy the value (c)" word="Copy value" />
                    <span class="muted">{ count(rows.len() as u64, "value", "values") }</span>
                </div>
            }
        </>
    }
}

/// The row as it is written.
fn value<'a>(text: &'a str, row: &Row) -> &'a str {
    text.get(row.value.0 as usize..row.value.1 as usize).unwrap_or_default()
}

/// Small trees are open; of large ones the first two levels.
fn folded_at_first(rows: &[Row]) -> Rc<BTreeSet<u32>> {
    let is_small = rows.len() <= OPEN_AT_FIRST;
    let is_folded =
        |row: &Row| !is_small && row.children > 0 && (row.depth >= 2 || (row.depth == 1 && row.children > 100));
    Rc::new((0u32..).zip(rows).filter(|(_, row)| is_folded(row)).map(|(n, _)| n).collect())
}

/// The rows that no folded one hides.
fn in_sight(rows: &[Row], folded: &BTreeSet<u32>) -> Vec<u32> {
    let mut out = Vec::new();
    let mut at = 0u32;
    while let Some(row) = rows.get(at as usize) {
        out.push(at);
        at = if folded.contains(&at) { row.end } else { at + 1 };
    }
    out
}

fn key(text: &str, row: &Row, parent: Option<&Row>) -> Html {
    match row.key.and_then(|(start, end)| text.get(start as usize..end as usize)) {
        Some(key) => html! { <><span class="tr-key">{ shown(key.trim_matches('"'), &[]) }</span>{ ": " }</> },
        None if parent.is_some_and(|parent| parent.kind == Kind::Array) && row.depth > 0 => {
            html! { <span class="tr-place">{ grouped(row.place.into()) }{ " " }</span> }
        }
        None => Html::default(),
    }
}

fn face(text: &str, row: &Row, is_open: Option<bool>) -> Html {
    let value = value(text, row);
    let cut = value.get(..value.floor_char_boundary(WIDEST)).unwrap_or(value);
    let ellipsis = if cut.len() < value.len() { "…" } else { "" };
    let class = match row.kind {
        Kind::Object | Kind::Array => {
            let word = match (row.kind, row.children) {
                (Kind::Object, 0) => "{}".to_owned(),
                (_, 0) => "[]".to_owned(),
                (Kind::Object, n) => format!("{{ {} }}", count(n.into(), "key", "keys")),
                (_, n) => format!("[ {} ]", count(n.into(), "entry", "entries")),
            };
            let class = if is_open == Some(true) { "tr-note is-open" } else { "tr-note" };
            return html! { <span {class}>{ word }</span> };
        }
        Kind::Text => "tr-text",
        Kind::Word => "tr-word",
    };
    html! { <span {class}>{ shown(cut, &[]) }{ ellipsis }</span> }
}
