//! What the duration went to: a stacked bar, its legend, and a panel that says how each part is told.

use steplens_core::summary::{Summary, TimeSplit};
use yew::{Html, html};

use super::figure::figure;
use super::popover::Popover;
use super::tokens::key;
use crate::text::number::{duration, percent};

/// A part of the time.
struct Part {
    figure: &'static str,
    style: &'static str,
    word: &'static str,
    what: &'static str,
    of: fn(&TimeSplit) -> u64,
}

/// The parts, in the order in which they are stacked.
const PARTS: [Part; 5] = [
    Part {
        figure: "time.tools",
        style: "c-work",
        word: "tools",
        what: "At least one call ran: from its start to its end, as the log says them. Calls side by side count once.",
        of: |time| time.tools_ms,
    },
    Part {
        figure: "time.model",
        style: "c-model",
        word: "model",
        what: "No call ran, and text or reasoning was being written, from its start to its end.",
        of: |time| time.model_ms,
    },
    Part {
        figure: "time.waiting",
        style: "c-wait",
        word: "waiting",
        what: "A person was asked, and had not answered yet. Only bus logs say when.",
        of: |time| time.waiting_ms,
    },
    Part {
        figure: "time.unknown",
        style: "c-unsure",
        word: "cannot tell",
        what: "Model or waiting: in a turn, and neither a call nor text was being written. The log cannot tell which.",
        of: |time| time.unknown_ms,
    },
    Part {
        figure: "time.idle",
        style: "c-idle",
        word: "idle",
        what: "Between turns or sessions: nothing was asked of the agent.",
        of: |time| time.idle_ms,
    },
];

/// The bar, the legend and the panel.
pub fn time_split(summary: &Summary) -> Html {
    let total = &summary.total;
    let Some((time, whole)) = total.time.zip(total.duration_ms).filter(|(_, whole)| *whole > 0) else {
        return html! { <p class="legend muted">{ "The log holds no span of time" }</p> };
    };
    let parts = || PARTS.iter().filter(|part| (part.of)(&time) > 0);
    let title = parts()
        .map(|part| format!("{} {} ({})", part.word, duration((part.of)(&time)), percent((part.of)(&time), whole)))
        .collect::<Vec<_>>()
        .join(", ");
    let bars = parts().map(|part| {
        let width = (part.of)(&time) as f64 * 100.0 / whole as f64;
        html! { <i class={part.style} style={format!("width:{width:.2}%")} /> }
    });
    let legend = parts().map(|part| {
        html! { <span>{ key(part.style) }{ part.word }{ " " }{ duration((part.of)(&time)) }</span> }
    });
    let rows = PARTS.iter().map(|part| {
        let ms = (part.of)(&time);
        html! {
            <>
                <dt>{ key(part.style) }{ part.word }</dt>
                <dd>
                    <strong>{ figure(part.figure, Some(ms), duration) }</strong>
                    <span class="muted">{ " " }{ percent(ms, whole) }</span>
                    <p class="muted">{ part.what }</p>
                </dd>
            </>
        }
    });
    let face = html! {
        <>
            <span class="stack" aria-hidden="true">{ for bars }</span>
            <span class="legend">{ for legend }</span>
        </>
    };
    html! {
        <Popover {face} label="What the time went to" class="split" {title}>
            <h2>{ "What the time went to" }</h2>
            <dl class="costs">{ for rows }</dl>
            <p class="muted">
                { "Each moment counts once, so the five add up to the duration. Where two hold, the first counts: waiting, tools, model." }
            </p>
        </Popover>
    }
}
