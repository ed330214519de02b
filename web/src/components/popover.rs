//! A button that opens a small panel under itself.

use web_sys::wasm_bindgen::JsCast;
use web_sys::{Element, KeyboardEvent, MouseEvent, Node};
use yew::{
    AttrValue, Children, Classes, Html, Properties, TargetCast, classes, component, html, use_effect_with,
    use_node_ref, use_state,
};

use crate::dom;
use crate::dom::listen::{listen, listen_first};

/// What a popover is made of.
#[derive(Debug, PartialEq, Properties)]
pub struct PopoverProps {
    /// What the button shows.
    pub face: Html,
    /// What the panel is, for those who cannot see it.
    pub label: AttrValue,
    /// The button's title.
    #[prop_or_default]
    pub title: Option<AttrValue>,
    /// The button's name, where its face may show none.
    #[prop_or_default]
    pub name: Option<AttrValue>,
    /// The button's class.
    #[prop_or_default]
    pub class: Classes,
    /// What the button says of a verdict, for tests and styles.
    #[prop_or_default]
    pub verdict: Option<AttrValue>,
    /// What the panel shows.
    pub children: Children,
}

/// Room between the panel and the window's edge.
const EDGE: f64 = 8.0;

/// A button that opens a small panel under itself. Escape, a click outside and leaving it by
/// keyboard close it.
#[component]
pub fn Popover(props: &PopoverProps) -> Html {
    let place = use_state(|| None::<(f64, f64, f64)>);
    let root = use_node_ref();
    let toggle = {
        let (place, root) = (place.clone(), root.clone());
        move |_| place.set(if place.is_some() { None } else { below(root.cast()) })
    };
    {
        let (root, setter) = (root.clone(), place.setter());
        use_effect_with(place.is_some(), move |is_open| {
            let listeners = match (*is_open, root.cast::<Element>(), dom::document()) {
                (true, Some(root), Some(document)) => {
                    let (inside, outside) = (root.clone(), root);
                    let (by_key, by_click) = (setter.clone(), setter);
                    let escape = listen_first(&document, "keydown", move |event| {
                        let is_escape = event.dyn_ref::<KeyboardEvent>().is_some_and(|key| key.key() == "Escape");
                        if is_escape {
                            event.stop_propagation();
                            event.prevent_default();
                            by_key.set(None);
                            focus_button(&inside);
                        }
                    });
                    let leave = ["pointerdown", "focusin"].map(|name| {
                        let (outside, close) = (outside.clone(), by_click.clone());
                        listen(&document, name, move |event| {
                            let target = event.target().and_then(|t| t.dyn_into::<Node>().ok());
                            if !outside.contains(target.as_ref()) {
                                close.set(None);
                            }
                        })
                    });
                    Some((escape, leave))
                }
                _ => None,
            };
            move || drop(listeners)
        });
    }
    let is_open = place.is_some();
    let panel = place.map(|(left, top, room)| {
        let style = format!("left:{left:.0}px;top:{top:.0}px;max-height:{room:.0}px");
        let close = place.setter();
        let onclick = move |event: MouseEvent| {
            // What leads to another place leaves the panel.
            let target = event.target_dyn_into::<Element>();
            if target.is_some_and(|t| t.closest("[data-leads]").is_ok_and(|e| e.is_some())) {
                close.set(None);
            }
        };
        html! {
            // Its text may be longer than the window: the keyboard scrolls it.
            <div class="pop-panel" role="dialog" tabindex="0" aria-label={props.label.clone()} {style} {onclick}>
                { props.children.clone() }
            </div>
        }
    });
    html! {
        <span class="pop" ref={root}>
            <button
                type="button"
                class={classes!("pop-button", props.class.clone())}
                aria-label={props.name.clone()}
                aria-haspopup="dialog"
                aria-expanded={is_open.to_string()}
                title={props.title.clone()}
                data-verdict={props.verdict.clone()}
                onclick={toggle}
            >
                { props.face.clone() }
            </button>
            { panel.unwrap_or_default() }
        </span>
    }
}

/// Left, top and the height there is below the button; the panel's width is that of the style sheet.
fn below(root: Option<Element>) -> Option<(f64, f64, f64)> {
    let button = root?.first_element_child()?.get_bounding_client_rect();
    let window = dom::window()?;
    let width = window.inner_width().ok()?.as_f64()?;
    let height = window.inner_height().ok()?.as_f64()?;
    let panel = 380f64.min(width - 2.0 * EDGE);
    let left = button.left().min(width - panel - EDGE).max(EDGE);
    let top = button.bottom() + 4.0;
    Some((left, top, height - top - EDGE))
}

fn focus_button(root: &Element) {
    let button = root.first_element_child();
    if let Some(button) = button.and_then(|b| b.dyn_into::<web_sys::HtmlElement>().ok()) {
        // Focus can only fail for what is no longer on the page.
        let _ = button.focus();
    }
}
