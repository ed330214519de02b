//! What a search found: the line below the tabs, and what stands around a hit in a row.

use steplens_core::search::Snippet;
use yew::{Html, html};

use crate::engine::protocol::Hits;
use crate::hooks::context::Act;
use crate::state::reducer::Action;
use crate::state::route::Chips;
use crate::text::number::{bytes, count, percent};

/// A hit in a row that does not show it otherwise.
pub fn around(snippet: &Snippet) -> Html {
    html! {
        <span class="sm-hit mono">
            { snippet.before.clone() }<mark>{ snippet.hit.clone() }</mark>{ snippet.after.clone() }
        </span>
    }
}

/// The line below the tabs: how the search stands, what it looked at, and what the filter hides of it.
pub fn found(query: &str, hits: Option<&Hits>, chips: &Chips, act: &Act) -> Html {
    let Some(hits) = hits else { return Html::default() };
    let folded = query.to_lowercase();
    let is_session = (Chips { session: None, ..chips.clone() }).is_empty();
    let is_exact = folded != query;
    // While it runs, a screen reader hears that it does, and not each figure on the way.
    let announced = if hits.is_over { words(query, hits) } else { "Searching …".to_owned() };
    html! {
        <div class="found">
            <span class="found-words" aria-hidden="true">{ words(query, hits) }</span>
            <span class="unseen" role="status">{ announced }{ hidden(hits).map(|text| format!(" {text}")) }</span>
            if let Some(text) = hidden(hits) {
                <span aria-hidden="true">{ text }</span>
                if is_session {
                    <button type="button" class="button small" onclick={act.on(|_| Action::Session(None))}>{ "All sessions" }</button>
                } else {
                    <button type="button" class="button small" onclick={act.on(|_| Action::ClearChips)}>{ "Clear filters" }</button>
                }
            }
            if is_exact && hits.is_over {
                <span class="muted">{ "Case counts, as the text has a capital." }</span>
                <button type="button" class="button small" onclick={act.on(move |_| Action::Query(folded.clone()))}>{ "Ignore case" }</button>
            }
            if let Some((file, error)) = &hits.unreadable {
                <span class="ink-bad" role="alert">
                    { format!("{file} could not be read to its end ({error}): it changed or moved on disk. Open it again.") }
                </span>
            }
        </div>
    }
}

fn words(query: &str, hits: &Hits) -> String {
    let events = |n| count(n, "event", "events");
    if !hits.is_over {
        let so_far = if hits.shown > 0 { format!(" {} so far", events(hits.shown)) } else { String::new() };
        return match hits.size {
            0 => format!("Searching …{so_far}"),
            size => format!("Searching {} of {} …{so_far}", percent(hits.done.min(size), size), bytes(size)),
        };
    }
    let ground = format!("{} ({})", events(hits.events), bytes(hits.bytes));
    match hits.shown {
        0 => format!("No hits for “{query}” in the messages, inputs, outputs and errors of {ground}."),
        shown => format!("“{query}” in {} of {ground}", events(shown)),
    }
}

fn hidden(hits: &Hits) -> Option<String> {
    match (hits.hidden, hits.shown) {
        (0, _) => None,
        (n, 0) => Some(format!("The filter hides {}.", count(n, "hit", "hits"))),
        (n, _) => Some(format!("The filter hides {} more.", count(n, "hit", "hits"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_searched_and_what_was_found() {
        let hits = Hits { shown: 2, hidden: 1, events: 1200, bytes: 3_000_000, is_over: true, ..Hits::default() };
        assert_eq!(words("x", &hits), "“x” in 2 events of 1,200 events (3 MB)");
        assert_eq!(hidden(&hits).as_deref(), Some("The filter hides 1 hit more."));
        let none = Hits { shown: 0, hidden: 0, ..hits.clone() };
        assert_eq!(
            words("x", &none),
            "No hits for “x” in the messages, inputs, outputs and errors of 1,200 events (3 MB)."
        );
        assert_eq!(hidden(&none), None);
        let early = Hits { is_over: false, done: 1, size: 4_000_000, ..hits };
        assert_eq!(words("x", &early), "Searching < 0.1 % of 4 MB … 2 events so far");
    }
}
