//! Marks a text wherever it stands below an element, without touching the elements: by the browser's highlights.
//!
//! Whatever draws the text (plain, terminal colours, Markdown, trees) need not know of it, and a hit that lies across
//! several elements of a line is marked too. Browsers without highlights still scroll to the hit.

use js_sys::{Array, Function, Reflect};
use steplens_core::search::Needle;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, MutationObserver, MutationObserverInit, Node, Range};

/// Hits that are marked at most.
const MOST: usize = 1_000;
/// Name of the highlight; the style sheet says how it looks.
const NAME: &str = "found";
/// Elements that stand within a line: text goes on through them.
const INLINE: [&str; 16] =
    ["SPAN", "A", "B", "I", "EM", "STRONG", "CODE", "BDI", "BDO", "U", "S", "DEL", "INS", "MARK", "SMALL", "SUB"];

/// A piece of the text: the node, and where it begins in all of it.
struct Piece {
    node: Node,
    start: usize,
    text: String,
}

/// Marks the needle below an element, and nowhere else; the first hit.
pub fn mark(element: &Element, needle: &Needle) -> Option<Range> {
    let (mut pieces, mut all) = (Vec::new(), String::new());
    let mut block = None;
    gather(element, &mut pieces, &mut all, &mut block);
    let ranges: Vec<Range> =
        needle.ranges(&all).into_iter().take(MOST).filter_map(|hit| range(&pieces, hit.start, hit.end)).collect();
    register(&ranges);
    ranges.into_iter().next()
}

/// Marks nothing any more.
pub fn clear() {
    register(&[]);
}

fn gather(node: &Node, pieces: &mut Vec<Piece>, all: &mut String, block: &mut Option<Node>) {
    if node.node_type() == Node::TEXT_NODE {
        let text = node.node_value().unwrap_or_default();
        let own = block_of(node);
        if *block != own {
            // What stands in two blocks is no one text.
            all.push('\u{0}');
            *block = own;
        }
        pieces.push(Piece { node: node.clone(), start: all.len(), text: text.clone() });
        all.push_str(&text);
        return;
    }
    let mut child = node.first_child();
    while let Some(here) = child {
        gather(&here, pieces, all, block);
        child = here.next_sibling();
    }
}

fn block_of(node: &Node) -> Option<Node> {
    let mut parent = node.parent_node();
    while let Some(here) = parent {
        if !INLINE.contains(&here.node_name().as_str()) {
            return Some(here);
        }
        parent = here.parent_node();
    }
    None
}

fn range(pieces: &[Piece], start: usize, end: usize) -> Option<Range> {
    // The piece that holds the byte at (or, for an end, before) a place.
    let locate = |at: usize| -> Option<(&Node, u32)> {
        let piece = pieces.get(pieces.partition_point(|piece| piece.start <= at).checked_sub(1)?)?;
        let inside = at.checked_sub(piece.start)?;
        let before = piece.text.get(..inside)?;
        Some((&piece.node, u32::try_from(before.encode_utf16().count()).ok()?))
    };
    let range = Range::new().ok()?;
    let (first, from) = locate(start)?;
    range.set_start(first, from).ok()?;
    let last = pieces.get(pieces.partition_point(|piece| piece.start < end).checked_sub(1)?)?;
    let inside = last.text.get(..end.checked_sub(last.start)?)?;
    range.set_end(&last.node, u32::try_from(inside.encode_utf16().count()).ok()?).ok()?;
    Some(range)
}

/// `CSS.highlights.set(NAME, new Highlight(…ranges))`, where the browser knows of it.
fn register(ranges: &[Range]) {
    let global = js_sys::global();
    let get = |of: &JsValue, name: &str| Reflect::get(of, &name.into()).ok().filter(|value| !value.is_undefined());
    let Some(highlights) = get(&global, "CSS").and_then(|css| get(&css, "highlights")) else { return };
    let method = |name: &str| get(&highlights, name).and_then(|method| method.dyn_into::<Function>().ok());
    // Without marks a page is still right: what fails here is let be.
    if ranges.is_empty() {
        let _ = method("delete").map(|delete| delete.call1(&highlights, &NAME.into()));
        return;
    }
    let Some(class) = get(&global, "Highlight").and_then(|class| class.dyn_into::<Function>().ok()) else { return };
    let list: Array = ranges.iter().collect();
    if let Ok(highlight) = Reflect::construct(&class, &list) {
        let _ = method("set").map(|set| set.call2(&highlights, &NAME.into(), &highlight));
    }
}

/// Scrolls whatever holds a hit, up to an element, so that the hit is in sight.
pub fn bring(range: &Range, within: &Element) {
    let mut parent = range.start_container().ok().and_then(|node| node.parent_element());
    while let Some(here) = parent {
        let hit = range.get_bounding_client_rect();
        let frame = here.get_bounding_client_rect();
        let (height, width) = (f64::from(here.client_height()), f64::from(here.client_width()));
        if here.scroll_height() > here.client_height() && height > 0.0 {
            let (top, bottom) = (hit.top() - frame.top(), hit.bottom() - frame.top());
            if top < 0.0 || bottom > height {
                here.set_scroll_top(here.scroll_top() + (top - height / 2.0) as i32);
            }
        }
        if here.scroll_width() > here.client_width() && width > 0.0 {
            let (left, right) = (hit.left() - frame.left(), hit.right() - frame.left());
            if left < 0.0 || right > width {
                here.set_scroll_left(here.scroll_left() + (left - width / 2.0) as i32);
            }
        }
        if here == *within {
            return;
        }
        parent = here.parent_element();
    }
}

/// Hears of changes below an element until it is dropped.
#[must_use = "nothing is watched once this is dropped"]
#[derive(Debug)]
pub struct Watch {
    observer: Option<MutationObserver>,
    _closure: Closure<dyn Fn()>,
}

/// Calls at each change of what stands below an element.
pub fn watch(element: &Element, changed: impl Fn() + 'static) -> Watch {
    let closure = Closure::<dyn Fn()>::new(changed);
    let observer = MutationObserver::new(closure.as_ref().unchecked_ref()).ok();
    if let Some(observer) = &observer {
        let what = MutationObserverInit::new();
        what.set_child_list(true);
        what.set_subtree(true);
        what.set_character_data(true);
        // It fails only for options that ask for nothing.
        let _ = observer.observe_with_options(element, &what);
    }
    Watch { observer, _closure: closure }
}

impl Drop for Watch {
    fn drop(&mut self) {
        if let Some(observer) = &self.observer {
            observer.disconnect();
        }
    }
}
