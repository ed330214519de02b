//! The summary band: the run's figures at a glance.

use steplens_core::summary::Summary;
use yew::{Html, Properties, component, html};

use super::cost::cost_cell;
use super::diagnostics::diagnostics;
use super::figure::figure;
use super::popover::Popover;
use super::tokens::{CLASSES, key, stack};
use crate::dom::clock;
use crate::hooks::context::use_act;
use crate::state::shared::Shared;
use crate::text::number::{count, duration, grouped, percent, short};
use crate::text::sentence::sentence;

/// What the band shows.
#[derive(Debug, PartialEq, Properties)]
pub struct BandProps {
    /// The summary.
    pub summary: Shared<Summary>,
}

/// The run's figures at a glance.
#[component]
pub fn Band(props: &BandProps) -> Html {
    let act = use_act();
    let summary = &props.summary;
    html! {
        <section class="band" aria-label="Summary">
            { duration_cell(summary) }
            { steps_cell(summary) }
            { calls_cell(summary) }
            { tokens_cell(summary) }
            { cost_cell(summary) }
            <div class="cell cell-limits">
                <h2>{ "What this log cannot tell" }</h2>
                { limits(summary) }
                { diagnostics(summary, &act) }
            </div>
        </section>
    }
}

/// A part of the run's time.
struct Part {
    style: &'static str,
    word: &'static str,
    ms: u64,
    what: &'static str,
}

fn duration_cell(summary: &Summary) -> Html {
    let total = &summary.total;
    let started = total.started_at.as_deref().and_then(clock::parse);
    let bar = total.duration_ms.zip(total.working_ms).map(|(whole, calls)| time_bar(summary, whole, calls));
    html! {
        <div class="cell cell-duration">
            <h2>{ "Duration" }</h2>
            <p class="big" title={started.map(clock::full)}>
                { figure("durationMs", total.duration_ms, duration) }
                if let Some(started) = started {
                    <small>{ format!("from {}", clock::short(started)) }</small>
                }
            </p>
            { bar.unwrap_or_default() }
        </div>
    }
}

fn time_bar(summary: &Summary, whole: u64, calls: u64) -> Html {
    // Idle time is known between the turns of one session; that of several overlaps.
    let idle = match summary.sessions.as_slice() {
        [only] => only.idle_ms.unwrap_or(0),
        _ => 0,
    };
    let parts = [
        Part { style: "c-work", word: "calls", ms: calls, what: "At least one call ran" },
        Part {
            style: "c-model",
            word: "model or waiting",
            ms: whole.saturating_sub(calls).saturating_sub(idle),
            what: "No call ran: the model worked, or the run waited. The log cannot tell which",
        },
        Part { style: "c-idle", word: "idle", ms: idle, what: "Between turns nothing was asked of the agent" },
    ];
    let title = |part: &Part| format!("{}: {} of the time", part.what, percent(part.ms, whole));
    let parts = || parts.iter().filter(|part| part.ms > 0);
    let bars = parts().map(|part| {
        let width = part.ms as f64 * 100.0 / whole.max(1) as f64;
        html! { <i class={part.style} style={format!("width:{width:.2}%")} title={title(part)} /> }
    });
    let legend = parts().map(|part| {
        html! { <span title={title(part)}>{ key(part.style) }{ part.word }{ " " }{ duration(part.ms) }</span> }
    });
    html! {
        <>
            <span class="stack">{ for bars }</span>
            <p class="legend">{ for legend }</p>
        </>
    }
}

fn steps_cell(summary: &Summary) -> Html {
    let total = &summary.total;
    let turns: u64 = summary.sessions.iter().map(|session| session.turns).sum();
    html! {
        <div class="cell cell-steps">
            <h2>{ "Steps" }</h2>
            <p class="big">{ figure("steps", Some(total.steps), grouped) }</p>
            <p class="legend">
                if total.retries > 0 {
                    <span class="ink-warn" title="Attempts beyond the first, over all steps">
                        { count(total.retries, "retry", "retries") }
                    </span>
                } else {
                    <span class="muted">{ "no retries" }</span>
                }
                if turns > 1 {
                    <span title="What follows one prompt, or one --continue">{ count(turns, "turn", "turns") }</span>
                }
            </p>
        </div>
    }
}

fn calls_cell(summary: &Summary) -> Html {
    let total = &summary.total;
    let ink = |n: u64, class: &'static str| if n > 0 { class } else { "muted" };
    html! {
        <div class="cell cell-calls">
            <h2>{ "Calls" }</h2>
            <p class="big">{ figure("calls", Some(total.calls), grouped) }</p>
            <p class="legend">
                <span class={ink(total.failed_calls, "ink-bad")} title="Failed calls, without the rejected ones">
                    { figure("calls.failed", Some(total.failed_calls), grouped) }{ " failed" }
                </span>
                if total.green_but_failed > 0 {
                    <span class="ink-warn" title="Part of the failed ones: the status says success, and the call failed">
                        { format!("{} green", grouped(total.green_but_failed)) }
                    </span>
                }
                <span class={ink(total.rejected_calls, "ink-bad")} title="Refused by a permission or a question">
                    { figure("calls.rejected", Some(total.rejected_calls), grouped) }{ " rejected" }
                </span>
            </p>
        </div>
    }
}

fn tokens_cell(summary: &Summary) -> Html {
    let tokens = &summary.total.tokens;
    let legend = CLASSES.map(|class| {
        html! {
            <span title={class.what}>
                { key(class.style) }{ class.word }{ " " }{ figure(class.figure, (class.of)(tokens), short) }
            </span>
        }
    });
    html! {
        <div class="cell cell-tokens">
            <h2>{ "Tokens" }</h2>
            <p class="big">
                { figure("tokens.total", tokens.total, grouped) }
                <small title="Written to the cache: part of the uncached input">
                    { figure("tokens.cacheCreation", tokens.cache_creation, short) }{ " cache writes" }
                </small>
                if tokens.partial {
                    <small class="ink-warn" title="A step reports no tokens, or lacks a class that others have: the sums are of what is there">
                        { "partly reported" }
                    </small>
                }
            </p>
            if tokens.total.is_some_and(|total| total > 0) {
                { stack(tokens, 0) }
            }
            <p class="legend">{ for legend }</p>
        </div>
    }
}

/// What the log cannot tell: the first limit, and all of them in a panel.
fn limits(summary: &Summary) -> Html {
    let [first, rest @ ..] = summary.limits.as_slice() else {
        return html! { <p class="muted limits-none">{ "Nothing known is missing" }</p> };
    };
    let face = html! {
        <>
            <span class="limit">{ sentence(first) }</span>
            if !rest.is_empty() {
                <span class="more">{ format!("{} more", rest.len()) }</span>
            }
        </>
    };
    let all = summary.limits.iter().map(|limit| html! { <li>{ sentence(limit) }</li> });
    html! {
        <Popover {face} label="What this log cannot tell" class="link limits" title="All that this log cannot tell">
            <h2>{ "What this log cannot tell" }</h2>
            <ul class="dots">{ for all }</ul>
        </Popover>
    }
}
