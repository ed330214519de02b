//! Icons: 16 × 16, strokes of 1.35, one shape a thing. Drawn once, used by name.

use steplens_core::event::Kind;
use yew::{Html, html};

/// Name and path of each icon.
const PATHS: &[(&str, &str)] = &[
    ("agent", "M2.5 3.5h11v7h-6l-3 2.5v-2.5h-2z"),
    ("user", "M8 2.6a2.6 2.6 0 1 0 0 5.2 2.6 2.6 0 0 0 0-5.2zM3 13.4c.4-2.6 2.3-3.8 5-3.8s4.6 1.2 5 3.8"),
    ("reasoning", "M8 2.2a4.3 4.3 0 0 0-2.3 7.9v1.7h4.6v-1.7A4.3 4.3 0 0 0 8 2.2zM6.2 13.8h3.6"),
    ("command", "M2.5 3.5h11v9h-11zM4.8 6.2l2 1.8-2 1.8M8.3 10h3"),
    ("read", "M4 2.5h5.5L12 5v8.5H4zM6 7h4M6 9.5h4M6 4.8h2"),
    ("write", "M10.6 2.8l2.6 2.6-7.4 7.4-3.2.6.6-3.2zM9.2 4.2l2.6 2.6"),
    ("search", "M7 2.8a4.2 4.2 0 1 0 0 8.4 4.2 4.2 0 0 0 0-8.4zM10.2 10.2l3.3 3.3"),
    ("list", "M5.5 4h8M5.5 8h8M5.5 12h8M2.5 4h.6M2.5 8h.6M2.5 12h.6"),
    ("skill", "M8 2.3l1.7 3.6 3.9.5-2.9 2.7.8 3.9L8 11.1 4.5 13l.8-3.9-2.9-2.7 3.9-.5z"),
    ("orchestration", "M8 4.1v2.4M8 6.5H4v3M8 6.5h4v3M2.5 9.5h3v3h-3zM10.5 9.5h3v3h-3zM6.5 1.9h3v2.2h-3z"),
    ("error", "M8 2.5l6 10.5H2zM8 6.3v3.2M8 11.2v.4"),
    (
        "unknown",
        "M8 2.2a5.8 5.8 0 1 0 0 11.6A5.8 5.8 0 0 0 8 2.2zM6.3 6.4c0-2.2 3.5-2.2 3.5 0 0 1.4-1.8 1.5-1.8 2.9M8 11.2v.4",
    ),
    ("ok", "M3.5 8.6l3 2.9 6-6.6"),
    ("failed", "M4.2 4.2l7.6 7.6M11.8 4.2l-7.6 7.6"),
    ("warn", "M8 3v6M8 12v.5"),
    ("rejected", "M8 2.6a5.4 5.4 0 1 0 0 10.8A5.4 5.4 0 0 0 8 2.6zM4.3 4.3l7.4 7.4"),
    (
        "more",
        "M8 3a.7.7 0 1 0 0 1.4A.7.7 0 0 0 8 3zM8 7.3a.7.7 0 1 0 0 1.4.7.7 0 0 0 0-1.4zM8 11.6a.7.7 0 1 0 0 1.4.7.7 0 0 0 0-1.4z",
    ),
    ("unsure", "M3.5 8h.6M7.7 8h.6M11.9 8h.6"),
    ("open", "M2.5 12.5v-9h4l1.4 1.7h5.6v7.3zM2.5 7h11"),
    ("add", "M8 3v10M3 8h10"),
    ("paste", "M5.5 3.5h-2v10h9v-10h-2M5.5 2.5h5v2.2h-5zM5.8 8h4.4M5.8 10.5h3"),
    ("play", "M5 3.2l7.5 4.8L5 12.8z"),
    ("drop", "M8 2.5v7M5 6.7l3 3 3-3M2.5 10.5v3h11v-3"),
    ("theme", "M8 2.4a5.6 5.6 0 1 0 0 11.2zM8 2.4a5.6 5.6 0 0 1 0 11.2"),
    ("help", "M6 6.2c0-2.6 4-2.6 4 0 0 1.6-2 1.8-2 3.4M8 12.4v.4"),
    ("close", "M4 4l8 8M12 4l-8 8"),
    ("down", "M4.5 6.5L8 10l3.5-3.5"),
    ("up", "M4.5 9.5L8 6l3.5 3.5"),
    ("copy", "M5.5 5.5h7.5v8H5.5zM5.5 10.5H3v-8h7.5v3"),
    (
        "share",
        "M11.6 2.4a1.8 1.8 0 1 0 0 3.6 1.8 1.8 0 0 0 0-3.6zM4.4 6.2a1.8 1.8 0 1 0 0 3.6 1.8 1.8 0 0 0 0-3.6zM11.6 10a1.8 1.8 0 1 0 0 3.6 1.8 1.8 0 0 0 0-3.6zM6 7.2l4-2.1M6 8.8l4 2.1",
    ),
    ("folder", "M1.8 12.6V3.4h4.4l1.6 1.9h6.4v7.3zM1.8 7.4h12.4"),
    ("export", "M8 2.6v7.2M5 6.8l3 3 3-3M2.5 9.8v3.7h11V9.8"),
    ("jump", "M3 8h9M8.5 4.5L12 8l-3.5 3.5"),
    ("image", "M2.5 3.5h11v9h-11zM2.5 10.5l3-3 2.5 2.5 2-2 3.5 3.5M10.2 6.2h.4"),
    (
        "live",
        "M8 8v.01M5.4 10.6a3.7 3.7 0 0 1 0-5.2M10.6 5.4a3.7 3.7 0 0 1 0 5.2M3.3 12.7a6.6 6.6 0 0 1 0-9.4M12.7 3.3a6.6 6.6 0 0 1 0 9.4",
    ),
    ("follow", "M1.8 8h2.8l2-4.6 3 9.2 2-4.6h2.6"),
    ("reload", "M12.8 6.2A5.2 5.2 0 1 0 13 9.4M13 3v3.4H9.6"),
    ("lock", "M4 7.5h8v6H4zM5.7 7.5V5.2a2.3 2.3 0 0 1 4.6 0v2.3"),
];

/// All icons, to stand once on the page.
pub fn sprite() -> Html {
    let symbols = PATHS.iter().map(|(name, path)| {
        html! {
            <symbol id={format!("i-{name}")} viewBox="0 0 16 16"><path d={*path} /></symbol>
        }
    });
    html! {
        <svg class="sprite" width="0" height="0" aria-hidden="true">{ for symbols }</svg>
    }
}

/// An icon. What it means has to be said in words beside it.
pub fn icon(name: &str) -> Html {
    html! {
        <svg class="ic" aria-hidden="true"><use href={format!("#i-{name}")} /></svg>
    }
}

/// The icon of a kind of events, in its colour.
pub fn kind_icon(kind: Kind) -> Html {
    let name = kind.name();
    html! {
        <svg class={format!("ic k-{name}")} aria-hidden="true"><use href={format!("#i-{name}")} /></svg>
    }
}

/// The product's mark.
pub fn mark() -> Html {
    html! {
        <svg class="mark" viewBox="0 0 20 20" width="18" height="18" aria-hidden="true">
            <path
                d="M2 15.5h4v-4h4v-4h4v-4h4"
                fill="none"
                stroke="currentColor"
                stroke-width="2.4"
                stroke-linecap="round"
                stroke-linejoin="round"
            />
        </svg>
    }
}
