//! The summary band: the run's figures at a glance.

use steplens_core::summary::Summary;
use yew::{Html, Properties, component, html};

use super::cost::CostCell;
use super::diagnostics::Diagnostics;
use super::figure::figure;
use super::popover::Popover;
use super::tokens::{CLASSES, key, stack};
use crate::dom::clock;
use crate::state::shared::Shared;
use crate::text::number::{UNKNOWN, count, duration, grouped, percent, short};

/// What the band shows.
#[derive(Debug, PartialEq, Properties)]
pub struct BandProps {
    /// The summary.
    pub summary: Shared<Summary>,
}

/// The run's figures at a glance.
#[component]
pub fn Band(props: &BandProps) -> Html {
    let summary = &props.summary;
    html! {
        <section class="band" aria-label="Summary">
            { duration_cell(summary) }
            { steps_cell(summary) }
            { calls_cell(summary) }
            { tokens_cell(summary) }
            <CostCell summary={summary.clone()} />
            <Limits summary={summary.clone()} />
        </section>
    }
}

fn duration_cell(summary: &Summary) -> Html {
    let total = &summary.total;
    let started = total.started_at.as_deref().and_then(clock::parse);
    let title = started.map(clock::full);
    let parts = total.duration_ms.zip(total.working_ms);
    let bar = parts.map(|(whole, calls)| {
        let rest = whole.saturating_sub(calls);
        let width = |part: u64| format!("width:{:.2}%", part as f64 * 100.0 / whole.max(1) as f64);
        let calls_title = format!("At least one call ran: {} of the time", percent(calls, whole));
        let rest_title = "No call ran: the model worked, or the run waited. The log cannot tell which.";
        html! {
            <>
                <span class="stack">
                    if calls > 0 { <i class="c-work" style={width(calls)} title={calls_title.clone()} /> }
                    if rest > 0 { <i class="c-model" style={width(rest)} title={rest_title} /> }
                </span>
                <p class="legend">
                    <span title={calls_title}>{ key("c-work") }{ format!("calls {}", duration(calls)) }</span>
                    <span title={rest_title}>{ key("c-model") }{ format!("model or waiting {}", duration(rest)) }</span>
                </p>
            </>
        }
    });
    html! {
        <div class="cell cell-duration">
            <h2>{ "Duration" }</h2>
            <p class="big" {title}>
                { figure("durationMs", total.duration_ms, duration) }
                if let Some(started) = started {
                    <small>{ format!("from {}", clock::short(started)) }</small>
                }
            </p>
            { bar }
        </div>
    }
}

fn steps_cell(summary: &Summary) -> Html {
    let total = &summary.total;
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
                <span class={ink(total.failed_calls, "ink-bad")}>
                    { figure("calls.failed", Some(total.failed_calls), grouped) }{ " failed" }
                </span>
                if total.green_but_failed > 0 {
                    <span class="ink-warn" title="The status says success, and the call failed. Part of the failed ones.">
                        { format!("{} green", grouped(total.green_but_failed)) }
                    </span>
                }
                <span class={ink(total.rejected_calls, "ink-bad")}>
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
                { key(class.style) }
                { class.word }{ " " }
                { figure(class.figure, (class.of)(tokens), short) }
            </span>
        }
    });
    html! {
        <div class="cell cell-tokens">
            <h2>
                { "Tokens" }
                if tokens.partial {
                    <span class="ink-warn" title="A step reports no tokens, or lacks a class that others have: the sums are of what is there.">
                        { " partly reported" }
                    </span>
                }
            </h2>
            <p class="big">{ figure("tokens.total", tokens.total, grouped) }</p>
            if tokens.total.is_some_and(|total| total > 0) {
                { stack(tokens, 0) }
            }
            <p class="legend">
                { for legend }
                <span class="muted" title="Written to the cache; part of the uncached input">
                    { "of it written " }
                    { figure("tokens.cacheCreation", tokens.cache_creation, short) }
                </span>
            </p>
        </div>
    }
}

#[derive(Debug, PartialEq, Properties)]
struct LimitsProps {
    summary: Shared<Summary>,
}

/// What the log cannot tell, and what was odd in it.
#[component]
fn Limits(props: &LimitsProps) -> Html {
    let limits = &props.summary.limits;
    let face = match limits.as_slice() {
        [] => html! { <span class="muted">{ UNKNOWN }</span> },
        [first, rest @ ..] => html! {
            <>
                <span class="limit">{ first.clone() }</span>
                if !rest.is_empty() {
                    <span class="more">{ format!("{} more", rest.len()) }</span>
                }
            </>
        },
    };
    let all = limits.iter().map(|limit| html! { <li>{ limit.clone() }</li> });
    html! {
        <div class="cell cell-limits">
            <h2>{ "What this log cannot tell" }</h2>
            if limits.is_empty() {
                <p class="muted">{ "Nothing that is known to be missing" }</p>
            } else {
                <Popover {face} label="What this log cannot tell" class="link limits" title="All that this log cannot tell">
                    <h2>{ "What this log cannot tell" }</h2>
                    <ul class="dots">{ for all }</ul>
                </Popover>
            }
            <Diagnostics summary={props.summary.clone()} />
        </div>
    }
}
