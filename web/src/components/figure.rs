//! A figure: what is read, and the exact value for tools.

use yew::{AttrValue, Html, html};

use crate::text::number::UNKNOWN;

/// A figure whose text is made from its value; unknown is a dash and says so.
pub fn figure<T: Copy + ToString>(name: &'static str, value: Option<T>, write: impl Fn(T) -> String) -> Html {
    let text: AttrValue = value.map_or(UNKNOWN.into(), |v| write(v).into());
    let exact = value.map(|v| v.to_string()).unwrap_or_default();
    let title = if value.is_some() { None } else { Some("unknown") };
    html! {
        <span data-figure={name} data-value={exact} {title}>{ text }</span>
    }
}

/// A value in a table; unknown is a dash and says so.
pub fn cell<T>(value: Option<T>, write: impl Fn(T) -> String) -> Html {
    match value {
        Some(value) => html! { { write(value) } },
        None => html! { <span class="unknown" title="unknown">{ UNKNOWN }</span> },
    }
}
