//! Why a record became what it became: three facts, and each decision in its order.

use std::rc::Rc;

use steplens_core::explain::{Decision, Explanation, Found, OutcomeFacts};
use yew::{Html, Properties, component, html, use_state};

use crate::hooks::context::{Act, use_act};
use crate::state::lab::LabAction;
use crate::state::reducer::Action;
use crate::text::json;
use crate::text::number::UNKNOWN;
use crate::text::place;

/// What is explained.
#[derive(Debug, PartialEq, Properties)]
pub struct WhyProps {
    /// The chain of decisions.
    pub explanation: Explanation,
    /// The line, to show places in.
    pub raw: Rc<str>,
}

/// The explanation. A place opens the line, laid out, with what stands there marked; a rule opens its text.
#[component]
pub fn Why(props: &WhyProps) -> Html {
    let act = use_act();
    // The decision whose place is open, and that place.
    let open = use_state(|| None::<(usize, String)>);
    let explanation = &props.explanation;
    let decisions = explanation.decisions.iter().enumerate().map(|(number, decision)| {
        let set = open.setter();
        let now = open.as_ref().filter(|(of, _)| *of == number).map(|(_, pointer)| pointer.clone());
        let toggle = {
            let now = now.clone();
            Rc::new(move |pointer: String| {
                let is_open = now.as_ref() == Some(&pointer);
                set.set((!is_open).then_some((number, pointer)));
            })
        };
        let shown = now.as_deref().map(|pointer| excerpt(&props.raw, pointer));
        item(decision, Some((&act, toggle, now.as_deref())), shown)
    });
    html! {
        <div class="why">
            { explanation.facts.as_ref().map(facts).unwrap_or_default() }
            if explanation.decisions.is_empty() {
                <p class="muted">{ "Nothing was decided about this record." }</p>
            } else {
                <ol>{ for decisions }</ol>
            }
        </div>
    }
}

/// The decisions alone, without places to open.
pub fn chain(explanation: &Explanation) -> Html {
    html! {
        <div class="why">
            <ol>{ for explanation.decisions.iter().map(|decision| item(decision, None, None)) }</ol>
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

/// How a decision's places are opened: what acts, what opens one, and which is open.
type Opens<'a> = (&'a Act, Rc<dyn Fn(String)>, Option<&'a str>);

fn item(decision: &Decision, opens: Option<Opens<'_>>, shown: Option<Html>) -> Html {
    let link = |pointer: &String, word: Html| match &opens {
        None => word,
        Some((_, toggle, now)) => {
            let (toggle, pointer) = (toggle.clone(), pointer.clone());
            let is_open = *now == Some(pointer.as_str());
            let title = format!("Show {pointer} in the line");
            html! {
                <button type="button" class="place mono" aria-expanded={is_open.to_string()} {title} onclick={move |_| toggle(pointer.clone())}>
                    { word }
                </button>
            }
        }
    };
    let rule = decision.rule.as_ref().zip(opens.as_ref()).map(|(id, (act, ..))| {
        let rule: Rc<str> = id.as_str().into();
        html! {
            <button type="button" class="link rule-link" onclick={act.on(move |_| Action::Lab(LabAction::Rule(rule.clone())))}>
                { format!("the text of {id}") }
            </button>
        }
    });
    let keys = decision.keys.iter().map(|key| {
        let class = match key.found {
            Found::Hit => "look is-hit",
            Found::Absent => "look is-absent",
            Found::Empty | Found::Unfit => "look is-passed",
            Found::Unneeded => "look is-unneeded",
        };
        let name = html! { <code>{ key.source.clone() }</code> };
        let name = match key.pointer.as_ref() {
            Some(pointer) => link(pointer, name),
            None => name,
        };
        html! { <li {class}>{ name }<span>{ key.found.words() }</span></li> }
    });
    html! {
        <li class={decision.attention.then_some("attention")}>
            <b>{ coded(&decision.what) }</b>
            if decision.keys.is_empty() {
                if !decision.why.is_empty() || decision.pointer.is_some() {
                    <p>
                        { coded(&decision.why) }
                        if let Some(pointer) = &decision.pointer {
                            { " " }{ link(pointer, html! { <code>{ pointer.clone() }</code> }) }
                        }
                    </p>
                }
            } else {
                if decision.attention { <p>{ coded(&decision.why) }</p> }
                <ul class="looked" aria-label="Looked for, in this order">{ for keys }</ul>
            }
            { rule.unwrap_or_default() }
            { shown.unwrap_or_default() }
        </li>
    }
}

/// Characters of a long value that are shown around a place.
const AROUND: usize = 400;

/// The line laid out, around a place that is marked.
fn excerpt(raw: &str, pointer: &str) -> Html {
    let text = json::pretty(raw);
    let Some(range) = place::find(&text, pointer) else {
        return html! { <p class="muted">{ "This place is inside of a text, or not on this line." }</p> };
    };
    let piece = |range: std::ops::Range<usize>| text.get(range).unwrap_or_default();
    let (before, value, after) = (piece(0..range.start), piece(range.clone()), piece(range.end..text.len()));
    let lines_before: Vec<&str> = before.split_inclusive('\n').collect();
    let before: String = lines_before.iter().skip(lines_before.len().saturating_sub(4)).copied().collect();
    let after: String = after.split_inclusive('\n').take(4).collect();
    let cut = |text: &str| {
        let short: String = text.chars().take(AROUND).collect();
        if short.len() < text.len() { format!("{short}…") } else { short }
    };
    let before: String = {
        let chars: Vec<char> = before.chars().collect();
        chars.iter().skip(chars.len().saturating_sub(AROUND)).collect()
    };
    html! {
        <pre class="excerpt mono" tabindex="0" aria-label={format!("{pointer} in the line")}>
            { before }<mark>{ cut(value) }</mark>{ cut(&after) }
        </pre>
    }
}

/// What stands between backticks, as code.
pub fn coded(text: &str) -> Html {
    let parts = text.split('`').enumerate().map(|(place, part)| {
        if place % 2 == 1 {
            html! { <code>{ part.to_owned() }</code> }
        } else {
            html! { { part.to_owned() } }
        }
    });
    html! { { for parts } }
}
