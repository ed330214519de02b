//! What a reader should look at, and what was odd in the log: one list, with links to the places.

use steplens_core::summary::Summary;
use yew::{Html, html};

use super::popover::Popover;
use crate::engine::protocol::Target;
use crate::hooks::context::Act;
use crate::state::reducer::Action;
use crate::text::number::{count, grouped};
use crate::text::sentence::sentence;

/// Entries of a kind that are listed; the page holds no thousands of them.
const LISTED: usize = 100;

/// A button with the counts; its panel lists findings and diagnostics.
pub fn diagnostics(summary: &Summary, act: &Act) -> Html {
    let all: u64 = summary.diagnostic_counts.values().sum();
    let found = summary.findings.len() as u64;
    if all + found == 0 {
        return html! { <p class="muted diagnostics-none">{ "No findings, no diagnostics" }</p> };
    }
    let words = [(found, "finding", "findings"), (all, "diagnostic", "diagnostics")];
    let words = words.into_iter().filter(|(n, ..)| *n > 0).map(|(n, one, many)| count(n, one, many));
    let face = html! { <span>{ words.collect::<Vec<_>>().join(" · ") }</span> };
    let findings = summary.findings.iter().take(LISTED);
    let findings = findings.map(|f| entry(summary, act, f.file, f.line, None, &f.kind, &f.message));
    let odd = summary.diagnostics.iter().take(LISTED);
    let odd = odd.map(|d| entry(summary, act, d.file, d.line, Some(d.offset), &d.kind, &d.message));
    html! {
        <Popover {face} label="Findings and diagnostics" class="link ink-warn" title="What to look at, and what was odd in this log">
            if found > 0 {
                <h2>{ "Findings" }</h2>
                <ul class="plain">{ for findings }</ul>
                { rest(summary.findings.len(), found) }
            }
            if all > 0 {
                <h2>{ "What was odd" }</h2>
                <table class="facts-table"><tbody>{ for summary.diagnostic_counts.iter().map(kind_count) }</tbody></table>
                <ul class="plain">{ for odd }</ul>
                { rest(summary.diagnostics.len(), all) }
            }
        </Popover>
    }
}

fn kind_count((kind, n): (&String, &u64)) -> Html {
    html! { <tr><th scope="row">{ kind.clone() }</th><td>{ grouped(*n) }</td></tr> }
}

fn entry(summary: &Summary, act: &Act, file: u32, line: u64, offset: Option<u64>, kind: &str, message: &str) -> Html {
    let file = summary.files.get(file as usize).map(|file| file.name.clone());
    let file = file.filter(|_| summary.files.len() > 1);
    let place = match &file {
        Some(file) => format!("{file}, line {}", grouped(line)),
        None => format!("line {}", grouped(line)),
    };
    let title = offset.map(|offset| format!("byte {}", grouped(offset)));
    let onclick = act.on(move |_| Action::Jump(Target::Line { file: file.clone(), line }));
    html! {
        <li>
            <button type="button" class="link" data-leads="" {onclick} {title}>{ place }</button>
            <span class="muted">{ " " }{ kind.to_owned() }</span>
            <p class="break">{ sentence(message) }</p>
        </li>
    }
}

/// How many of them are listed, where that is not all.
fn rest(kept: usize, all: u64) -> Html {
    let shown = kept.min(LISTED) as u64;
    if shown == all {
        return Html::default();
    }
    html! { <p class="muted">{ format!("The first {} of {}", grouped(shown), grouped(all)) }</p> }
}
