//! What was odd in the log, with links to the places.

use steplens_core::summary::Summary;
use yew::{Html, Properties, component, html};

use super::popover::Popover;
use crate::engine::protocol::Target;
use crate::hooks::context::use_act;
use crate::state::reducer::Action;
use crate::state::shared::Shared;
use crate::text::number::{count, grouped};

/// Entries that are listed; the page holds no thousands of them.
const LISTED: usize = 100;

/// What the list shows.
#[derive(Debug, PartialEq, Properties)]
pub struct DiagnosticsProps {
    /// The summary.
    pub summary: Shared<Summary>,
}

/// A button with the count; the panel lists them.
#[component]
pub fn Diagnostics(props: &DiagnosticsProps) -> Html {
    let act = use_act();
    let summary = &props.summary;
    let all: u64 = summary.diagnostic_counts.values().sum();
    if all == 0 {
        return html! { <p class="muted diagnostics-none">{ "No diagnostics" }</p> };
    }
    let kinds = summary.diagnostic_counts.iter().map(|(kind, n)| {
        html! { <tr><th scope="row">{ kind.clone() }</th><td>{ grouped(*n) }</td></tr> }
    });
    let listed = summary.diagnostics.iter().take(LISTED).map(|diagnostic| {
        let file = summary.files.get(diagnostic.file as usize).map(|file| file.name.clone());
        let file = file.filter(|_| summary.files.len() > 1);
        let place = match &file {
            Some(file) => format!("{file}, line {}", grouped(diagnostic.line)),
            None => format!("line {}", grouped(diagnostic.line)),
        };
        let line = diagnostic.line;
        let onclick = act.on(move |_| Action::Jump(Target::Line { file: file.clone(), line }));
        html! {
            <li>
                <button type="button" class="link" {onclick} title={format!("byte {}", grouped(diagnostic.offset))}>
                    { place }
                </button>
                <span class="muted">{ " " }{ diagnostic.kind.clone() }</span>
                <p class="break">{ diagnostic.message.clone() }</p>
            </li>
        }
    });
    let shown = summary.diagnostics.len().min(LISTED) as u64;
    let face = html! { <span>{ count(all, "diagnostic", "diagnostics") }</span> };
    html! {
        <Popover {face} label="Diagnostics" class="link ink-warn" title="What was odd in this log">
            <h2>{ "What was odd" }</h2>
            <table class="facts-table"><tbody>{ for kinds }</tbody></table>
            <ul class="plain">{ for listed }</ul>
            if shown < all {
                <p class="muted">{ format!("The first {} of {}", grouped(shown), grouped(all)) }</p>
            }
        </Popover>
    }
}
