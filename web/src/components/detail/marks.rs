//! The hits of the search in the pane about an event: marked, the first one in sight, and told where it is not shown.

use std::cell::Cell;
use std::rc::Rc;

use steplens_core::search::{Needle, Snippet};
use web_sys::HtmlElement;
use web_sys::wasm_bindgen::JsCast;
use yew::{Html, Properties, component, html, use_effect_with, use_state_eq};

use crate::components::found::around;
use crate::dom;
use crate::dom::highlight;

const PANEL: &str = "#detail-panel";

/// What is marked.
#[derive(Debug, Clone, PartialEq, Properties)]
pub(super) struct MarksProps {
    /// What is searched for.
    pub query: String,
    /// The event, its place, and the tab that is open: another one has to be scrolled anew.
    pub of: (u32, &'static str),
    /// Whether the tab that is open is the one with the hit.
    pub expected: bool,
    /// What stands around the hit.
    pub snippet: Option<Snippet>,
}

/// Marks; draws nothing but a line where the hit is beyond what is shown.
#[component]
pub(super) fn Marks(props: &MarksProps) -> Html {
    let is_seen = use_state_eq(|| true);
    {
        let is_seen = is_seen.setter();
        use_effect_with((props.query.clone(), props.of, props.expected), move |(query, _, expected)| {
            let panel = dom::document().and_then(|document| document.query_selector(PANEL).ok().flatten());
            let watched = panel.zip(Needle::new(query)).map(|(panel, needle)| {
                let (expected, stage) = (*expected, Rc::new(Cell::new(Stage::Fresh)));
                let look = {
                    let panel = panel.clone();
                    move || {
                        let first = highlight::mark(&panel, &needle);
                        match (first, stage.get()) {
                            (Some(range), Stage::Fresh | Stage::Opened) => {
                                stage.set(Stage::Seen);
                                highlight::bring(&range, &panel);
                                is_seen.set(true);
                            }
                            (None, Stage::Fresh) if expected && open_previews(&panel) => stage.set(Stage::Opened),
                            (first, stage) => is_seen.set(first.is_some() || stage == Stage::Seen || !expected),
                        }
                    }
                };
                look();
                highlight::watch(&panel, look)
            });
            move || {
                drop(watched);
                highlight::clear();
            }
        });
    }
    match &props.snippet {
        Some(snippet) if !*is_seen => html! {
            <p class="beyond">{ "The hit is beyond what is shown here: " }{ around(snippet) }</p>
        },
        _ => Html::default(),
    }
}

/// How far it is with a hit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Not there yet.
    Fresh,
    /// Previews were opened for it.
    Opened,
    /// It was brought into sight: further changes do not scroll.
    Seen,
}

/// Opens what shows only its beginning; false where there is no such thing.
fn open_previews(panel: &web_sys::Element) -> bool {
    let Ok(buttons) = panel.query_selector_all(".cut button") else { return false };
    let buttons = (0..buttons.length()).filter_map(|place| buttons.get(place)?.dyn_into::<HtmlElement>().ok());
    buttons.map(|button| button.click()).count() > 0
}
