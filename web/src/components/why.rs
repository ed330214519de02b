//! Why a record became what it became: three facts, and each decision in its order.

use steplens_core::explain::{Decision, Explanation, OutcomeFacts};
use yew::{Html, html};

use crate::text::number::UNKNOWN;

/// The explanation.
pub fn why(explanation: &Explanation) -> Html {
    let facts = explanation.facts.as_ref().map(facts);
    let decisions = explanation.decisions.iter().map(decision);
    html! {
        <div class="why">
            { facts.unwrap_or_default() }
            if explanation.decisions.is_empty() {
                <p class="muted">{ "Nothing was decided about this record." }</p>
            } else {
                <ol>{ for decisions }</ol>
            }
        </div>
    }
}

fn facts(facts: &OutcomeFacts) -> Html {
    // Whether a status is a good word is the core's to say: its decisions below do.
    let status_class = match facts.status.as_deref() {
        Some("completed" | "success" | "done" | "ok") => "ink-good",
        Some("error" | "failed" | "failure" | "cancelled" | "canceled") => "ink-bad",
        _ => "muted",
    };
    let exit_class = match facts.exit_code.as_deref() {
        Some("0") => "ink-good",
        Some("null") | None => "muted",
        Some(_) => "ink-bad",
    };
    let error_class = if facts.error.is_some() { "ink-bad" } else { "muted" };
    html! {
        <dl class="facts">
            { fact("the harness says", facts.status.as_deref().unwrap_or(UNKNOWN), status_class) }
            { fact("exit code", facts.exit_code.as_deref().unwrap_or("none"), exit_class) }
            { fact("error text", facts.error.as_deref().unwrap_or("none"), error_class) }
        </dl>
    }
}

fn fact(what: &'static str, value: &str, class: &'static str) -> Html {
    html! {
        <div>
            <dt>{ what }</dt>
            <dd class={class} title={value.to_owned()}>{ value.to_owned() }</dd>
        </div>
    }
}

fn decision(decision: &Decision) -> Html {
    html! {
        <li class={decision.attention.then_some("attention")}>
            <b>{ coded(&decision.what) }</b>
            if !decision.why.is_empty() || decision.pointer.is_some() {
                <p>
                    { coded(&decision.why) }
                    if let Some(pointer) = &decision.pointer {
                        { " " }<code>{ pointer.clone() }</code>
                    }
                </p>
            }
        </li>
    }
}

/// What stands between backticks, as code.
fn coded(text: &str) -> Html {
    let parts = text.split('`').enumerate().map(|(place, part)| {
        if place % 2 == 1 {
            html! { <code>{ part.to_owned() }</code> }
        } else {
            html! { { part.to_owned() } }
        }
    });
    html! { { for parts } }
}
