//! The sessions that are open as a tree: a run, the children that its `task` calls started, and forks of it. One can be
//! chosen; the timeline then shows it alone.
//!
//! The cost of a session is its own. What its children cost stands beside it and is never part of it.

use std::collections::HashMap;

use steplens_core::summary::{SessionSummary, Summary};
use web_sys::wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, KeyboardEvent};
use yew::{Html, Properties, TargetCast, component, html, use_effect_with, use_node_ref};

use super::icon::icon;
use super::popover::Popover;
use super::verdict::{Standing, standing};
use crate::hooks::context::{Act, use_act};
use crate::state::reducer::Action;
use crate::state::route::key;
use crate::state::shared::Shared;
use crate::text::number::{count, money};

/// A session in the tree.
#[derive(Debug, Clone, PartialEq)]
struct Node {
    /// Its place in the summary.
    place: usize,
    /// How deep it stands, from 1.
    level: usize,
    /// What it is to the one above it.
    kind: Kind,
    /// Which of its neighbours under the same session it is, from 1, and of how many.
    position: (usize, usize),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Root,
    Child,
    Fork,
}

/// The sessions in the order in which the tree shows them. Each stands once, also where two name each other as parents.
fn nodes(sessions: &[SessionSummary]) -> Vec<Node> {
    let place_of: HashMap<&str, usize> =
        sessions.iter().enumerate().filter_map(|(place, session)| Some((session.id.as_deref()?, place))).collect();
    let mut below: HashMap<Option<usize>, Vec<(usize, Kind)>> = HashMap::new();
    for (place, session) in sessions.iter().enumerate() {
        let find = |id: &Option<String>| id.as_deref().and_then(|id| place_of.get(id).copied()).filter(|p| *p != place);
        let (parent, kind) = match (find(&session.parent), find(&session.fork_of)) {
            (Some(parent), _) => (Some(parent), Kind::Child),
            (None, Some(original)) => (Some(original), Kind::Fork),
            (None, None) => (None, Kind::Root),
        };
        below.entry(parent).or_default().push((place, kind));
    }
    let mut out = Vec::with_capacity(sessions.len());
    let mut is_placed = vec![false; sessions.len()];
    descend(None, 1, &below, &mut is_placed, &mut out);
    // Those that name each other hang under no root.
    for (place, session) in sessions.iter().enumerate() {
        if is_placed.get(place) == Some(&false) {
            let kind = if session.parent.is_some() { Kind::Child } else { Kind::Fork };
            out.push(Node { place, level: 1, kind, position: (1, 1) });
        }
    }
    out
}

fn descend(
    above: Option<usize>,
    level: usize,
    below: &HashMap<Option<usize>, Vec<(usize, Kind)>>,
    is_placed: &mut [bool],
    out: &mut Vec<Node>,
) {
    let list = below.get(&above).map(Vec::as_slice).unwrap_or_default();
    for (index, (place, kind)) in list.iter().enumerate() {
        match is_placed.get_mut(*place) {
            Some(placed) if !*placed => *placed = true,
            _ => continue,
        }
        out.push(Node { place: *place, level, kind: *kind, position: (index + 1, list.len()) });
        descend(Some(*place), level + 1, below, is_placed, out);
    }
}

/// What the children below a session cost together, how many there are, and how many of them report nothing. A fork is a
/// run of its own.
fn below(nodes: &[Node], index: usize, sessions: &[SessionSummary]) -> (Option<f64>, u64, u64) {
    let Some(node) = nodes.get(index) else { return (None, 0, 0) };
    let (mut cost, mut children, mut silent) = (None, 0, 0);
    let mut fork_level = None;
    for under in nodes.iter().skip(index + 1).take_while(|under| under.level > node.level) {
        if fork_level.is_some_and(|level| under.level > level) {
            continue;
        }
        fork_level = (under.kind == Kind::Fork).then_some(under.level);
        if fork_level.is_some() {
            continue;
        }
        children += 1;
        match sessions.get(under.place).and_then(|session| session.cost.reported_usd) {
            Some(own) => cost = Some(cost.unwrap_or(0.0) + own),
            None => silent += 1,
        }
    }
    (cost, children, silent)
}

/// The switch between sessions; nothing where there is only one.
pub fn sessions(summary: &Shared<Summary>, chosen: Option<&str>, is_live: bool) -> Html {
    let all = &summary.sessions;
    if all.len() < 2 {
        return Html::default();
    }
    let place = chosen.and_then(|chosen| (0u32..).zip(all).find(|(place, session)| key(*place, session) == chosen));
    let name = place.map_or_else(|| format!("All {} sessions", all.len()), |(_, session)| name_among(session, all));
    let face = html! { <><span class="session-name">{ name.clone() }</span>{ icon("down") }</> };
    html! {
        <Popover {face} label="Session" class="chip session-switch" title={format!("Session shown on the timeline: {name}")}>
            <Tree summary={summary.clone()} chosen={chosen.map(str::to_owned)} {is_live} />
        </Popover>
    }
}

/// What the tree shows.
#[derive(Debug, PartialEq, Properties)]
struct TreeProps {
    summary: Shared<Summary>,
    chosen: Option<String>,
    is_live: bool,
}

/// The tree; its chosen entry has the keyboard as soon as it is there.
#[component]
fn Tree(props: &TreeProps) -> Html {
    let act = use_act();
    let root = use_node_ref();
    {
        let root = root.clone();
        use_effect_with((), move |()| {
            let chosen = root.cast::<Element>().and_then(|tree| tree.query_selector("[tabindex='0']").ok().flatten());
            focus(chosen);
        });
    }
    let sessions = &props.summary.sessions;
    let nodes = nodes(sessions);
    let rows = nodes.iter().enumerate().filter_map(|(index, node)| {
        let session = sessions.get(node.place)?;
        let value = key(u32::try_from(node.place).ok()?, session);
        let is_chosen = props.chosen.as_ref() == Some(&value);
        let standing = standing(session, &props.summary.asks, props.is_live);
        Some(row(
            node,
            (session, name_among(session, sessions), standing),
            below(&nodes, index, sessions),
            (value, is_chosen),
            &act,
        ))
    });
    let is_all = props.chosen.is_none();
    html! {
        <ul ref={root} class="session-tree" role="tree" aria-label="Sessions" {onkeydown}>
            <li
                role="treeitem"
                aria-level="1"
                aria-selected={is_all.to_string()}
                tabindex={if is_all { "0" } else { "-1" }}
                data-leads=""
                onclick={act.on(|_| Action::Session(None))}
            >
                <strong>{ format!("All {} sessions", sessions.len()) }</strong>
            </li>
            { for rows }
        </ul>
    }
}

fn row(
    node: &Node,
    (session, name, standing): (&SessionSummary, String, Standing),
    (cost, children, silent): (Option<f64>, u64, u64),
    (value, is_chosen): (String, bool),
    act: &Act,
) -> Html {
    let Standing { word: verdict, class, .. } = standing;
    let kind = match node.kind {
        Kind::Root => None,
        Kind::Child => Some("child"),
        Kind::Fork => Some("fork"),
    };
    let own = session.cost.reported_usd;
    let plain = |usd: Option<f64>| usd.map(|usd| usd.to_string()).unwrap_or_default();
    let choose = value.clone();
    let beside = (children > 0).then(|| {
        let what = count(children, "child", "children");
        match cost {
            Some(cost) if silent > 0 => format!("{what}: at least {}", money(cost)),
            Some(cost) => format!("{what}: {}", money(cost)),
            None => format!("{what}: cost unknown"),
        }
    });
    html! {
        <li
            key={value.clone()}
            role="treeitem"
            aria-level={node.level.to_string()}
            aria-posinset={node.position.0.to_string()}
            aria-setsize={node.position.1.to_string()}
            aria-selected={is_chosen.to_string()}
            tabindex={if is_chosen { "0" } else { "-1" }}
            style={format!("--level:{}", node.level)}
            title={session.verdict.reason.clone()}
            data-leads=""
            data-session={value}
            data-own-cost={plain(own)}
            data-children-cost={plain(cost)}
            onclick={act.on(move |_| Action::Session(Some(choose.clone())))}
        >
            <span class="session-title">
                if let Some(kind) = kind {
                    <span class="session-kind">{ kind }{ " " }</span>
                }
                <strong>{ name }</strong>
            </span>
            <span class="session-cost">{ own.map_or_else(|| "no cost".to_owned(), money) }</span>
            <span class="session-facts muted">
                <span class={format!("ink-{class}")}>{ verdict }</span>
                { format!(" · {} · {}", count(session.steps, "step", "steps"), count(session.calls, "call", "calls")) }
                if session.copied_steps > 0 {
                    { format!(" · {} copied", count(session.copied_steps, "step", "steps")) }
                }
            </span>
            if let Some(beside) = beside {
                <span class="session-beside muted" title="Not part of this session's own cost">{ beside }</span>
            }
        </li>
    }
}

/// What a session is called among all: its title, with the end of its id where another has the same, as a fork may have
/// its parent's; without a title the end of its id alone. The start of an id says when, its end tells sessions apart.
pub fn name_among(session: &SessionSummary, all: &[SessionSummary]) -> String {
    let id = session.id.as_deref();
    let end = id.map_or_else(|| "without an id".to_owned(), end_of);
    match session.title.as_ref().filter(|title| !title.trim().is_empty()) {
        None => end,
        Some(title) if all.iter().any(|other| other.id != session.id && other.title == session.title) => {
            format!("{title} {end}")
        }
        Some(title) => title.clone(),
    }
}

/// The last eight characters of an id.
fn end_of(id: &str) -> String {
    match id.char_indices().rev().nth(7) {
        Some((at, _)) if at > 0 => format!("…{}", id.get(at..).unwrap_or(id)),
        _ => id.to_owned(),
    }
}

fn onkeydown(event: KeyboardEvent) {
    let Some(item) = event.target_dyn_into::<Element>() else { return };
    let level = |item: &Element| item.get_attribute("aria-level").and_then(|level| level.parse::<usize>().ok());
    let to = match event.key().as_str() {
        "ArrowDown" => item.next_element_sibling(),
        "ArrowUp" => item.previous_element_sibling(),
        "Home" => item.parent_element().and_then(|tree| tree.first_element_child()),
        "End" => item.parent_element().and_then(|tree| tree.last_element_child()),
        "ArrowRight" => item.next_element_sibling().filter(|next| level(next) > level(&item)),
        "ArrowLeft" => {
            let mut before = item.previous_element_sibling();
            while let Some(other) = before.as_ref().filter(|other| level(other) >= level(&item)) {
                before = other.previous_element_sibling();
            }
            before
        }
        "Enter" | " " => {
            event.prevent_default();
            if let Some(item) = item.dyn_ref::<HtmlElement>() {
                item.click();
            }
            return;
        }
        _ => return,
    };
    event.prevent_default();
    focus(to);
}

fn focus(element: Option<Element>) {
    if let Some(element) = element.and_then(|element| element.dyn_into::<HtmlElement>().ok()) {
        // Only fails for what is no longer on the page.
        let _ = element.focus();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use steplens_core::summary::CostSummary;

    fn session(id: &str, parent: Option<&str>, fork_of: Option<&str>, usd: Option<f64>) -> SessionSummary {
        SessionSummary {
            id: Some(id.to_owned()),
            parent: parent.map(str::to_owned),
            fork_of: fork_of.map(str::to_owned),
            cost: CostSummary { reported_usd: usd, ..CostSummary::default() },
            ..SessionSummary::default()
        }
    }

    #[test]
    fn children_and_forks_stand_under_what_they_come_from() {
        let sessions = [
            session("a", None, None, Some(1.0)),
            session("a1", Some("a"), None, Some(0.25)),
            session("a1x", Some("a1"), None, None),
            session("b", None, Some("a"), Some(4.0)),
            session("b1", Some("b"), None, Some(8.0)),
            session("c", Some("gone"), None, Some(16.0)),
        ];
        let nodes = nodes(&sessions);
        let shown: Vec<_> = nodes.iter().map(|node| (node.place, node.level, node.kind)).collect();
        assert_eq!(
            shown,
            [
                (0, 1, Kind::Root),
                (1, 2, Kind::Child),
                (2, 3, Kind::Child),
                (3, 2, Kind::Fork),
                (4, 3, Kind::Child),
                (5, 1, Kind::Root),
            ]
        );
        assert_eq!(below(&nodes, 0, &sessions), (Some(0.25), 2, 1));
        assert_eq!(below(&nodes, 3, &sessions), (Some(8.0), 1, 0));
        assert_eq!(below(&nodes, 5, &sessions), (None, 0, 0));
    }

    #[test]
    fn sessions_that_name_each_other_are_not_lost() {
        let sessions = [session("a", Some("b"), None, None), session("b", Some("a"), None, None)];
        assert_eq!(nodes(&sessions).len(), 2);
    }
}
