//! Many lines of one height, of which only those in sight are drawn.

use std::ops::Range;

use yew::{AttrValue, Callback, Classes, Html, KeyboardEvent, Properties, component, html, use_memo};

use crate::components::virtual_list::{Memory, VirtualList};
use crate::state::Sight;

/// Height of a line; the style sheet says the same.
pub const LINE: u32 = 18;

/// What is shown.
#[derive(Debug, PartialEq, Properties)]
pub struct LinesProps {
    /// Id of the list.
    pub id: AttrValue,
    /// What it is.
    pub label: AttrValue,
    /// Its class.
    #[prop_or_default]
    pub class: Classes,
    /// Lines, drawn or not.
    pub total: u64,
    /// Draws lines.
    pub draw: Callback<Range<u64>, Html>,
    /// `group`, or `tree`.
    #[prop_or(AttrValue::Static("group"))]
    pub role: AttrValue,
    /// The line that has to be in sight.
    #[prop_or_default]
    pub sight: Option<Sight>,
    /// Id of the line that the keyboard is at.
    #[prop_or_default]
    pub active: Option<AttrValue>,
    /// Hears keys.
    #[prop_or_default]
    pub onkeydown: Callback<KeyboardEvent>,
}

/// Many lines of one height.
#[component]
pub fn Lines(props: &LinesProps) -> Html {
    let memory = use_memo((), |()| Memory::default());
    let height = (props.total.min(10_000) as u32) * LINE + 20;
    html! {
        <div class="lines-room" style={format!("height:min({height}px, 62vh)")}>
            <VirtualList
                id={props.id.clone()}
                label={props.label.clone()}
                class={yew::classes!("lines", "mono", props.class.clone())}
                total={props.total}
                row_height={LINE}
                draw={props.draw.clone()}
                in_sight={Callback::noop()}
                role={props.role.clone()}
                sight={props.sight}
                active={props.active.clone()}
                onkeydown={props.onkeydown.clone()}
                memory={(*memory).clone()}
            />
        </div>
    }
}
