//! What the rules change in the log: events and records before and after.

use steplens_core::mapping::Changes;
use yew::{Html, html};

use crate::hooks::context::Act;
use crate::state::lab::LabAction;
use crate::state::reducer::Action;
use crate::text::number::{count, duration, grouped};

/// The difference that the rules make.
pub(super) fn changes(changes: &Changes, took_ms: Option<f64>, act: &Act) -> Html {
    let took = took_ms.map(|ms| format!(" · mapped again in {}", duration(ms.max(0.0) as u64))).unwrap_or_default();
    if changes.changed == 0 {
        return html! {
            <p class="lab-changes muted" role="status" data-changed="0">{ format!("These rules change nothing in this log{took}.") }</p>
        };
    }
    let moves = changes.moves.iter().map(|(from, to, n)| {
        html! { <li><b>{ grouped(*n) }</b>{ format!(" {from} → {to}") }</li> }
    });
    let (before, after) = (&changes.records_before, &changes.records_after);
    let classes = [
        ("mapped records".to_owned(), before.mapped, after.mapped),
        ("consumed records".to_owned(), before.consumed, after.consumed),
        ("unknown records".to_owned(), before.unknown, after.unknown),
    ];
    let kinds = changes.kinds.iter().map(|(kind, before, after)| (format!("{kind} events"), *before, *after));
    let rows =
        classes.into_iter().chain(kinds).filter(|(_, before, after)| before != after).map(|(word, before, after)| {
            let more = after >= before;
            let by = grouped(after.abs_diff(before));
            html! {
                <tr>
                    <th scope="row">{ word }</th>
                    <td class="num">{ grouped(before) }</td>
                    <td class="num">{ grouped(after) }</td>
                    <td class="num">{ if more { format!("+{by}") } else { format!("−{by}") } }</td>
                </tr>
            }
        });
    html! {
        <div class="lab-changes" data-changed={changes.changed.to_string()}>
            <p role="status">
                <b>{ count(changes.changed, "record", "records") }</b>
                { " changed against the built-in rules" }
                <span class="muted">{ took }</span>
            </p>
            <ul class="moves">{ for moves }</ul>
            <table class="table">
                <caption class="unseen">{ "Before and after" }</caption>
                <thead><tr><th scope="col">{ "What" }</th><th scope="col" class="num">{ "Before" }</th><th scope="col" class="num">{ "After" }</th><th scope="col" class="num">{ "Change" }</th></tr></thead>
                <tbody>{ for rows }</tbody>
            </table>
            <button type="button" class="button small" onclick={act.on(|_| Action::Lab(LabAction::OnlyChanged(true)))}>
                { "Show the changed events" }
            </button>
        </div>
    }
}
