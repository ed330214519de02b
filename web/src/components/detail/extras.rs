//! Todo lists, and pictures that the log holds.

use steplens_core::detail::{Picture, Todo};
use yew::{Html, Properties, component, html, use_state};

use crate::components::icon::icon;
use crate::components::shown::shown;
use crate::components::todo::todo;
use crate::text::number::{bytes, grouped};

/// A todo list as a list.
pub(super) fn todos(todos: &[Todo]) -> Html {
    let entry = |entry: &Todo| {
        // Spellings of other harnesses.
        let status = match entry.status.as_str() {
            "done" => "completed",
            "canceled" => "cancelled",
            status => status,
        };
        todo(status, &entry.content, entry.priority.as_deref())
    };
    html! { <ul class="plain todos" aria-label="Todo list">{ for todos.iter().map(entry) }</ul> }
}

/// What is shown.
#[derive(Debug, PartialEq, Properties)]
pub(super) struct PicturesProps {
    /// The pictures.
    pub pictures: Vec<Picture>,
}

/// Pictures: what they are, and on a click what they show, from the log's own bytes.
#[component]
pub(super) fn Pictures(props: &PicturesProps) -> Html {
    let open = use_state(Vec::<usize>::new);
    let pictures = props.pictures.iter().enumerate().map(|(n, picture)| {
        let is_open = open.contains(&n);
        let size = picture.size.map(|(w, h)| format!(" · {} × {}", grouped(w.into()), grouped(h.into())));
        let what = format!("{} · {}{}", picture.mime, bytes(picture.bytes), size.unwrap_or_default());
        let onclick = {
            let open = open.clone();
            move |_| {
                let mut now = (*open).clone();
                match now.iter().position(|at| *at == n) {
                    Some(at) => {
                        now.remove(at);
                    }
                    None => now.push(n),
                }
                open.set(now);
            }
        };
        html! {
            <figure class="picture">
                <figcaption>
                    { icon("image") }
                    <span>{ shown(&what, &[]) }</span>
                    <button type="button" class="button small" aria-expanded={is_open.to_string()} {onclick}>
                        { if is_open { "Hide" } else { "Show picture" } }
                    </button>
                </figcaption>
                if is_open {
                    <img src={picture.uri.clone()} alt={format!("Picture of the log, {what}")} />
                }
            </figure>
        }
    });
    html! { <div class="pictures">{ for pictures }</div> }
}
