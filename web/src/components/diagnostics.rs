//! What a reader should look at, and what was odd in the log: one list by kind, with links to the places.

use std::collections::BTreeMap;

use steplens_core::advice::of_kind;
use steplens_core::summary::Summary;
use yew::{Html, html};

use super::popover::Popover;
use crate::engine::protocol::Target;
use crate::hooks::context::Act;
use crate::state::reducer::Action;
use crate::text::number::{count, grouped};
use crate::text::sentence::sentence;

/// Entries of a kind that are listed; the page holds no thousands of them.
const LISTED: usize = 50;

/// A place and what is said of it.
struct Entry<'s> {
    file: u32,
    line: u64,
    offset: Option<u64>,
    message: &'s str,
}

/// A button with the counts; its panel lists findings and diagnostics by kind.
pub fn diagnostics(summary: &Summary, act: &Act) -> Html {
    let all: u64 = summary.diagnostic_counts.values().sum();
    let found: u64 = summary.finding_counts.values().sum();
    if all + found == 0 {
        return html! { <p class="muted diagnostics-none">{ "No findings, no diagnostics" }</p> };
    }
    let words = [(found, "finding", "findings"), (all, "diagnostic", "diagnostics")];
    let words = words.into_iter().filter(|(n, ..)| *n > 0).map(|(n, one, many)| count(n, one, many));
    let face = html! { <span>{ words.collect::<Vec<_>>().join(" · ") }</span> };
    let mut findings: BTreeMap<&str, Vec<Entry<'_>>> = BTreeMap::new();
    for f in &summary.findings {
        let entry = Entry { file: f.file, line: f.line, offset: None, message: &f.message };
        findings.entry(&f.kind).or_default().push(entry);
    }
    let mut odd: BTreeMap<&str, Vec<Entry<'_>>> = BTreeMap::new();
    for d in &summary.diagnostics {
        let entry = Entry { file: d.file, line: d.line, offset: Some(d.offset), message: &d.message };
        odd.entry(&d.kind).or_default().push(entry);
    }
    let findings = findings.iter().map(|(kind, entries)| {
        let all = summary.finding_counts.get(*kind).copied().unwrap_or(entries.len() as u64);
        group(summary, act, kind, entries, all)
    });
    let odd = odd.iter().map(|(kind, entries)| {
        let all = summary.diagnostic_counts.get(*kind).copied().unwrap_or(entries.len() as u64);
        group(summary, act, kind, entries, all)
    });
    html! {
        <Popover {face} label="Findings and diagnostics" class="link ink-warn" title="What to look at, and what was odd in this log">
            if found > 0 {
                <h2>{ "Findings" }</h2>
                { for findings }
            }
            if all > 0 {
                <h2>{ "What was odd" }</h2>
                { for odd }
            }
        </Popover>
    }
}

/// The entries of a kind, how many there are, and what the kind means. Few are open from the start.
fn group(summary: &Summary, act: &Act, kind: &str, entries: &[Entry<'_>], all: u64) -> Html {
    let listed = entries.iter().take(LISTED).map(|each| entry(summary, act, each));
    let shown = entries.len().min(LISTED) as u64;
    html! {
        <details class="kind" open={all <= 5}>
            <summary><strong>{ kind.replace('-', " ") }</strong><span class="muted">{ format!(" {}", grouped(all)) }</span></summary>
            if let Some(meaning) = of_kind(kind) {
                <p class="muted">{ meaning }</p>
            }
            <ul class="plain">{ for listed }</ul>
            if shown < all {
                <p class="muted">{ format!("The first {} of {}", grouped(shown), grouped(all)) }</p>
            }
        </details>
    }
}

fn entry(summary: &Summary, act: &Act, entry: &Entry<'_>) -> Html {
    let line = entry.line;
    let file = summary.files.get(entry.file as usize).map(|file| file.name.clone());
    let file = file.filter(|_| summary.files.len() > 1);
    let place = match &file {
        Some(file) => format!("{file}, line {}", grouped(line)),
        None => format!("line {}", grouped(line)),
    };
    let title = entry.offset.map(|offset| format!("byte {}", grouped(offset)));
    let onclick = act.on(move |_| Action::Jump(Target::Line { file: file.clone(), line }));
    html! {
        <li>
            <button type="button" class="link" data-leads="" {onclick} {title}>{ place }</button>
            <p class="break">{ sentence(entry.message) }</p>
        </li>
    }
}
