//! The dialect: what tells it, and the switch.

use steplens_core::run::DialectChoice;
use steplens_core::summary::Summary;
use yew::{Callback, Html, html};

use super::icon::icon;
use super::popover::Popover;
use crate::hooks::context::Act;
use crate::state::reducer::Action;
use crate::text::number::count;
use crate::text::sentence::sentence;

/// The dialect as a chip; its panel shows the evidence and the switch.
pub fn dialect(summary: &Summary, chosen: DialectChoice, extensions: bool, act: &Act) -> Html {
    let marks = summary.dialect_evidence.len() as u64;
    let note = match (chosen, marks) {
        (DialectChoice::Kilo | DialectChoice::OpenCode, _) => "chosen".to_owned(),
        (DialectChoice::Auto, 0) => "no mark".to_owned(),
        (DialectChoice::Auto, marks) => count(marks, "mark", "marks"),
    };
    let face = html! {
        <>{ name(&summary.dialect) }<span class="muted chip-note">{ note }</span>{ icon("down") }</>
    };
    let choices =
        [(DialectChoice::Auto, "By evidence"), (DialectChoice::Kilo, "Kilo"), (DialectChoice::OpenCode, "OpenCode")];
    let choices = choices.map(|(choice, word)| {
        let onchange: Callback<yew::Event> = act.on(move |_| Action::Dialect(choice));
        html! {
            <label class="choice">
                <input type="radio" name="dialect" checked={choice == chosen} {onchange} />
                { word }
            </label>
        }
    });
    let evidence = summary.dialect_evidence.iter().map(|mark| html! { <li>{ sentence(mark) }</li> });
    html! {
        <Popover {face} label="Dialect" class="chip" title="Which harness wrote this log">
            <h2>{ "Read by the tool table of" }</h2>
            <div role="radiogroup" aria-label="Dialect" class="choices">{ for choices }</div>
            <h2>{ "What tells it" }</h2>
            if marks == 0 {
                <p>{ "Nothing in this log is a mark of Kilo, so it is read as OpenCode. Both write the same stream; only some tools are read differently." }</p>
            } else {
                <ul class="dots">{ for evidence }</ul>
            }
            { extension_rules(summary, extensions, act) }
        </Popover>
    }
}

/// The switch for the extension rules, and what they would read.
fn extension_rules(summary: &Summary, on: bool, act: &Act) -> Html {
    let onchange: Callback<yew::Event> = act.on(move |_| Action::Extensions(!on));
    let could = summary.unmapped.iter().filter(|tool| tool.suggestion.is_some());
    let could = could.map(|tool| format!("{} ({})", tool.tool, count(tool.count, "call", "calls"))).collect::<Vec<_>>();
    html! {
        <>
            <h2>{ "Extension rules" }</h2>
            <label class="choice">
                <input type="checkbox" role="switch" checked={on} {onchange} />
                { "Read tools that neither table knows, such as webfetch or multiedit" }
            </label>
            if on {
                <p class="muted">{ "They stand behind the tables and change nothing in them." }</p>
            } else if could.is_empty() {
                <p class="muted">{ "Nothing in this log would be read otherwise." }</p>
            } else {
                <p>{ "Unknown now, and would be read: " }{ could.join(", ") }</p>
            }
        </>
    }
}

fn name(dialect: &str) -> String {
    match dialect {
        "kilo" => "Kilo".to_owned(),
        "opencode" => "OpenCode".to_owned(),
        other => other.to_owned(),
    }
}
