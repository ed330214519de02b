//! Where the records went, as figures and as a bar.

use steplens_core::mapping::Mapping;
use yew::{Html, html};

use crate::text::number::{grouped, percent};

/// Coverage of a log.
pub(super) fn coverage(mapping: &Mapping) -> Html {
    let records = &mapping.records;
    let parts = [
        ("mapped", "Mapped", "gave events of a known type", records.mapped),
        ("consumed", "Consumed", "known, and by rule no event: steps, envelopes, the todo list", records.consumed),
        ("unknown", "Unknown", "kept as they are", records.unknown),
        ("duplicates", "Duplicates", "say again what another record says", records.duplicates),
    ];
    let figures = parts.iter().map(|(id, word, what, n)| {
        html! {
            <div class={format!("cover-{id}")} title={*what}>
                <dt><i aria-hidden="true" />{ *word }</dt>
                <dd data-figure={format!("records.{id}")} data-value={n.to_string()}>
                    { grouped(*n) }{ " " }<span class="muted">{ percent(*n, records.total) }</span>
                </dd>
            </div>
        }
    });
    let bars = parts.iter().filter(|(.., n)| *n > 0).map(|(id, _, _, n)| {
        let width = *n as f64 * 100.0 / records.total.max(1) as f64;
        html! { <i class={format!("cover-{id}")} style={format!("width:{width:.2}%")} /> }
    });
    html! {
        <section class="mapping-part" aria-labelledby="mapping-coverage">
            <h2 id="mapping-coverage">{ "Coverage" }<span class="muted">{ format!("{} records", grouped(records.total)) }</span></h2>
            <div class="cover-bar" aria-hidden="true">{ for bars }</div>
            <dl class="cover">{ for figures }</dl>
        </section>
    }
}
