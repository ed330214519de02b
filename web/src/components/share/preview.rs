//! The text that leaves, with its masks marked, a page at a time.

use std::rc::Rc;

use web_sys::HtmlSelectElement;
use yew::{Callback, Event, Html, Properties, TargetCast, component, html, use_effect_with, use_state_eq};

use crate::components::shown::shown;
use crate::engine::protocol::{Answer, Ask};
use crate::engine::review::{ReviewAsk, ReviewHead, ReviewPage, Reviewed};
use crate::hooks::context::use_reach;
use crate::text::number::{bytes, grouped};

/// How far before a finding the text begins that is shown.
const BEFORE: u64 = 2_000;
/// How far it goes back for an earlier page.
const BACK: u64 = 24 << 10;

/// A place in what leaves.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Place {
    /// The file.
    pub file: u32,
    /// Bytes before it.
    pub at: u64,
}

/// What the preview has to know.
#[derive(Debug, PartialEq, Properties)]
pub struct PreviewProps {
    /// How the review stands.
    pub head: Rc<ReviewHead>,
    /// The place that is to be seen.
    pub place: Place,
    /// Goes to another place.
    pub go: Callback<Place>,
}

/// What is known of the page.
#[derive(Debug, Clone, PartialEq)]
enum Known {
    Nothing,
    Page(Rc<ReviewPage>),
    Unreadable(String),
}

/// The text that leaves.
#[component]
pub fn Preview(props: &PreviewProps) -> Html {
    let engine = use_reach().and_then(|reach| reach.engine);
    let known = use_state_eq(|| Known::Nothing);
    {
        let set = known.setter();
        let place = props.place;
        use_effect_with((place, props.head.edition), move |(place, _)| {
            let ask = ReviewAsk::Page { file: place.file, at: place.at.saturating_sub(BEFORE) };
            if let Some(engine) = engine {
                let then = move |answer| {
                    if let Answer::Review(answer) = answer {
                        match *answer {
                            Reviewed::Page(page) => set.set(Known::Page(Rc::new(page))),
                            Reviewed::Unreadable(why) => set.set(Known::Unreadable(why)),
                            _ => {}
                        }
                    }
                };
                engine.0.ask(Ask::Review(ask), Box::new(then));
            }
        });
    }
    let page = match &*known {
        Known::Page(page) => page.clone(),
        Known::Unreadable(why) => return html! { <p class="share-preview" role="alert">{ why.clone() }</p> },
        Known::Nothing => Rc::default(),
    };
    let to = |at: u64| {
        let (go, file) = (props.go.clone(), page.file);
        // The page begins before the place.
        move |_| go.emit(Place { file, at: if at == 0 { 0 } else { at + BEFORE } })
    };
    let choose = {
        let go = props.go.clone();
        Callback::from(move |event: Event| {
            let file = event.target_unchecked_into::<HtmlSelectElement>().selected_index();
            go.emit(Place { file: u32::try_from(file).unwrap_or_default(), at: 0 });
        })
    };
    let files = (0u32..).zip(&props.head.files).map(|(place, file)| {
        html! { <option selected={place == page.file}>{ file.name.clone() }</option> }
    });
    let pieces = page.pieces.iter().map(|(text, is_mask)| match is_mask {
        true => html! { <mark class="finding-mask">{ text.clone() }</mark> },
        false => shown(text, &[]),
    });
    html! {
        <div class="share-preview">
            <div class="share-tools">
                if props.head.files.len() > 1 {
                    <select class="select" aria-label="File" onchange={choose}>{ for files }</select>
                }
                <span class="muted">
                    { format!("Bytes {} to {} of {}", grouped(page.start), grouped(page.end), bytes(page.size)) }
                </span>
                <span class="grow" />
                <button type="button" class="button small" disabled={page.start == 0} onclick={to(page.start.saturating_sub(BACK))}>{ "Earlier" }</button>
                <button type="button" class="button small" disabled={page.end >= page.size} onclick={to(page.end)}>{ "Later" }</button>
            </div>
            <pre class="share-text mono" tabindex="0" aria-label="The text that leaves">{ for pieces }</pre>
        </div>
    }
}
