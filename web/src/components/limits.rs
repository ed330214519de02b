//! What the log cannot tell, with what can be done about each.

use steplens_core::advice::of_limit;
use steplens_core::summary::Summary;
use yew::{Html, html};

use crate::text::sentence::sentence;

/// One entry a limit.
pub fn limit_list(summary: &Summary) -> Html {
    let entries = summary.limits.iter().map(|limit| {
        html! {
            <li>
                <p class="break">{ sentence(limit) }</p>
                if let Some(advice) = of_limit(limit) {
                    <p class="muted">{ advice }</p>
                }
            </li>
        }
    });
    html! { <ul class="dots">{ for entries }</ul> }
}
