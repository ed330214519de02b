//! A list of any length of which only the rows in sight are drawn.
//!
//! ```text
//!      scroller (what is seen)            spacer (as tall as all rows, or as browsers allow)
//!    ┌────────────────────────┐ ┌────────┐
//!    │ head, sticky           │ │        │
//!    ├────────────────────────┤ │        │  Up to `TALLEST` pixels a pixel of the spacer is a pixel
//!    │ row 4000               │ │ ┌────┐ │  of the rows, and the drawn rows stand at their place in
//!    │ row 4001               │ │ │rows│ │  it. Beyond that the spacer is shorter than the rows: its
//!    │ …                      │ │ └────┘ │  scroll position is scaled, and wheel and keys move by
//!    └────────────────────────┘ │        │  rows, so that no row is ever out of reach.
//!                               └────────┘
//! ```

use std::cell::Cell;
use std::ops::Range;
use std::rc::Rc;

use web_sys::wasm_bindgen::JsCast;
use web_sys::{Element, WheelEvent};
use yew::{
    AttrValue, Callback, Classes, Html, KeyboardEvent, Properties, classes, component, html, use_effect_with,
    use_mut_ref, use_node_ref, use_state_eq,
};

use crate::dom;
use crate::state::Sight;

/// Taller elements are cut by some browsers (Firefox at 17.9 million pixels).
const TALLEST: f64 = 8_000_000.0;
/// Rows that are drawn beyond those in sight, on either side.
pub const OVERSCAN: u64 = 8;

/// What a list is made of.
#[derive(Debug, PartialEq, Properties)]
pub struct VirtualListProps {
    /// The list's id.
    pub id: AttrValue,
    /// What it lists.
    pub label: AttrValue,
    /// Its class.
    #[prop_or_default]
    pub class: Classes,
    /// Rows, drawn or not.
    pub total: u64,
    /// Height of each row in pixels.
    pub row_height: u32,
    /// The head; it stays in sight.
    #[prop_or_default]
    pub head: Option<Html>,
    /// Height of the head in pixels.
    #[prop_or_default]
    pub head_height: u32,
    /// Draws rows.
    pub draw: Callback<Range<u64>, Html>,
    /// Hears which rows are in sight.
    pub in_sight: Callback<Range<u64>>,
    /// The row that has to be in sight.
    #[prop_or_default]
    pub sight: Option<Sight>,
    /// Id of the row that the keyboard is at.
    #[prop_or_default]
    pub active: Option<AttrValue>,
    /// Starts at the top again when it changes.
    #[prop_or_default]
    pub fresh: u32,
    /// Where the list was scrolled to, kept while it is not on the page.
    pub memory: Memory,
    /// A list that is shown to its end stays there when it grows.
    #[prop_or_default]
    pub clings: bool,
    /// What it is to a screen reader.
    #[prop_or(AttrValue::Static("grid"))]
    pub role: AttrValue,
    /// Hears keys.
    #[prop_or_default]
    pub onkeydown: Callback<KeyboardEvent>,
}

/// Where a list was scrolled to, kept while it is not on the page.
#[derive(Debug, Clone, Default)]
pub struct Memory(Rc<Cell<Remembered>>);

#[derive(Debug, Clone, Copy, Default)]
struct Remembered {
    /// Which list it was.
    list: u32,
    /// Pixels of its rows.
    offset: f64,
    /// The last wish for a row that was met.
    sight: u32,
}

impl PartialEq for Memory {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

/// What is drawn: rows, and where the first of them stands.
#[derive(Debug, Clone, PartialEq, Default)]
struct Drawn {
    rows: Range<u64>,
    top: f64,
}

/// Sizes, all in pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Sizes {
    total: u64,
    row: f64,
    head: f64,
    viewport: f64,
}

impl Sizes {
    fn all(self) -> f64 {
        self.total as f64 * self.row
    }

    fn spacer(self) -> f64 {
        self.all().min(TALLEST)
    }

    fn seen(self) -> f64 {
        (self.viewport - self.head).max(0.0)
    }

    fn furthest(self) -> f64 {
        (self.all() - self.seen()).max(0.0)
    }

    /// Pixels of rows for one pixel of scroll position.
    fn scale(self) -> f64 {
        if self.all() <= TALLEST { 1.0 } else { self.furthest() / (self.spacer() - self.seen()).max(1.0) }
    }

    fn drawn(self, offset: f64, scroll: f64) -> Drawn {
        let first = (offset / self.row).floor() as u64;
        let end = ((offset + self.seen()) / self.row).ceil() as u64;
        let start = first.saturating_sub(OVERSCAN);
        let top =
            if self.scale() > 1.0 { scroll - (offset - start as f64 * self.row) } else { start as f64 * self.row };
        Drawn { rows: start..(end + OVERSCAN).min(self.total), top }
    }
}

/// A list of any length.
#[component]
pub fn VirtualList(props: &VirtualListProps) -> Html {
    let node = use_node_ref();
    let viewport = use_state_eq(|| 0.0f64);
    let drawn = use_state_eq(Drawn::default);
    // Offset in pixels of rows; the scroll position that belongs to it.
    let offset = use_mut_ref(|| (props.memory.0.get().offset, -1.0f64));
    let is_at_end = use_mut_ref(|| false);
    let sizes = Sizes {
        total: props.total,
        row: f64::from(props.row_height),
        head: f64::from(props.head_height),
        viewport: *viewport,
    };

    let scrolled = {
        let (node, offset, drawn, is_at_end) = (node.clone(), offset.clone(), drawn.setter(), is_at_end.clone());
        let (memory, fresh) = (props.memory.clone(), props.fresh);
        move || {
            let Some(element) = node.cast::<Element>() else { return };
            if sizes.viewport == 0.0 {
                // Not measured yet: what is remembered is not to be lost to a list of no height.
                return;
            }
            let scroll = f64::from(element.scroll_top());
            let mut at = offset.borrow_mut();
            // What was scrolled by row is not rounded to what the scroll bar can say.
            if (scroll - at.1).abs() > 1.0 || sizes.scale() == 1.0 {
                *at = (scroll * sizes.scale(), scroll);
            }
            at.0 = at.0.clamp(0.0, sizes.furthest());
            is_at_end.replace(at.0 + sizes.row >= sizes.furthest());
            memory.0.set(Remembered { list: fresh, offset: at.0, ..memory.0.get() });
            drawn.set(sizes.drawn(at.0, scroll));
        }
    };
    let move_to = {
        let (node, offset, scrolled) = (node.clone(), offset.clone(), scrolled.clone());
        move |to: f64| {
            let Some(element) = node.cast::<Element>() else { return };
            let to = to.clamp(0.0, sizes.furthest());
            let scroll = (to / sizes.scale()).round();
            *offset.borrow_mut() = (to, scroll);
            element.set_scroll_top(scroll as i32);
            scrolled();
        }
    };

    {
        let (node, viewport) = (node.clone(), viewport.setter());
        use_effect_with((), move |()| {
            let watched = node.cast::<Element>().map(|element| {
                let measured = element.clone();
                let measure = move || viewport.set(f64::from(measured.client_height()));
                measure();
                dom::resize::watch(&element, measure)
            });
            move || drop(watched)
        });
    }
    {
        // Another list starts at the top; the same one, where it was left.
        let (move_to, offset, memory) = (move_to.clone(), offset.clone(), props.memory.clone());
        use_effect_with((props.fresh, *viewport > 0.0), move |(fresh, is_measured)| {
            if *is_measured {
                let kept = memory.0.get();
                let to = if kept.list == *fresh { kept.offset } else { 0.0 };
                offset.borrow_mut().0 = to;
                move_to(to);
            }
        });
    }
    {
        let (scrolled, move_to, clings) = (scrolled.clone(), move_to.clone(), props.clings);
        use_effect_with((props.total, *viewport, props.row_height), move |_| {
            let was_at_end = *is_at_end.borrow();
            if clings && was_at_end { move_to(sizes.furthest()) } else { scrolled() }
        });
    }
    {
        let (move_to, offset, memory) = (move_to.clone(), offset.clone(), props.memory.clone());
        let sight = props.sight.filter(|sight| sight.list == props.fresh && sight.row < props.total && *viewport > 0.0);
        use_effect_with(sight, move |sight| {
            let kept = memory.0.get();
            if let Some(sight) = sight.filter(|sight| sight.number != kept.sight) {
                memory.0.set(Remembered { sight: sight.number, ..kept });
                let at = offset.borrow().0;
                if let Some(to) = brought(sizes, at, sight) {
                    move_to(to);
                }
            }
        });
    }
    {
        let in_sight = props.in_sight.clone();
        use_effect_with(drawn.rows.clone(), move |rows| {
            if !rows.is_empty() {
                in_sight.emit(rows.clone());
            }
        });
    }
    {
        // Only where the scroll bar is too coarse for a wheel.
        let (node, offset) = (node.clone(), offset.clone());
        let is_scaled = sizes.scale() > 1.0;
        use_effect_with((is_scaled, sizes), move |_| {
            let listener = is_scaled.then(|| node.cast::<Element>()).flatten().map(|element| {
                dom::listen::listen(&element, "wheel", move |event| {
                    let Some(wheel) = event.dyn_ref::<WheelEvent>() else { return };
                    let unit = match wheel.delta_mode() {
                        WheelEvent::DOM_DELTA_LINE => sizes.row,
                        WheelEvent::DOM_DELTA_PAGE => sizes.seen(),
                        _ => 1.0,
                    };
                    event.prevent_default();
                    let at = offset.borrow().0;
                    move_to(at + wheel.delta_y() * unit);
                })
            });
            move || drop(listener)
        });
    }

    let onscroll = {
        let scrolled = scrolled.clone();
        move |_| scrolled()
    };
    let rows = if drawn.rows.is_empty() {
        Html::default()
    } else {
        let end = drawn.rows.end.min(props.total);
        props.draw.emit(drawn.rows.start.min(end)..end)
    };
    let head_rows = u64::from(props.head.is_some());
    html! {
        <div
            ref={node}
            id={props.id.clone()}
            class={classes!("vlist", props.class.clone())}
            role={props.role.clone()}
            aria-label={props.label.clone()}
            aria-rowcount={(props.role == "grid").then(|| (props.total + head_rows).to_string())}
            aria-activedescendant={props.active.clone()}
            tabindex="0"
            onkeydown={props.onkeydown.clone()}
            {onscroll}
        >
            { props.head.clone() }
            <div class="vlist-space" role="presentation" style={format!("height:{:.0}px", sizes.spacer())}>
                <div class="vlist-rows" role="presentation" style={format!("top:{:.1}px", drawn.top)}>
                    { rows }
                </div>
            </div>
        </div>
    }
}

/// The offset that brings a row into sight; none where it is in sight already.
fn brought(sizes: Sizes, at: f64, sight: Sight) -> Option<f64> {
    let top = sight.row as f64 * sizes.row;
    let bottom = top + sizes.row;
    // The row before stays in sight as well: it tells which step this is.
    let slack = sizes.row;
    if top - slack >= at && bottom + slack <= at + sizes.seen() {
        return None;
    }
    Some(if sight.centred {
        top - (sizes.seen() - sizes.row) / 2.0
    } else if top - slack < at {
        top - slack
    } else {
        bottom + slack - sizes.seen()
    })
}
