//! The summary band: the run's figures at a glance.

use steplens_core::summary::Summary;
use yew::{Html, Properties, component, html};

use super::cost::cost_cell;
use super::diagnostics::diagnostics;
use super::figure::figure;
use super::limits::limit_list;
use super::popover::Popover;
use super::time_split::time_split;
use super::tokens::{CLASSES, key, stack};
use crate::dom::clock;
use crate::hooks::context::{Act, use_act, use_reach};
use crate::state::reducer::Action;
use crate::state::shared::Shared;
use crate::text::number::{count, duration, grouped, short};
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
    let utc = use_reach().is_some_and(|reach| reach.utc);
    html! {
        <section class="band" aria-label="Summary">
            { duration_cell(summary, utc, &act) }
            { steps_cell(summary) }
            { calls_cell(summary) }
            { tokens_cell(summary) }
            { cost_cell(summary, &act) }
            <div class="cell cell-limits">
                <h2>{ "What this log cannot tell" }</h2>
                { limits(summary) }
                { diagnostics(summary, &act) }
            </div>
        </section>
    }
}

fn duration_cell(summary: &Summary, utc: bool, act: &Act) -> Html {
    let total = &summary.total;
    let started = total.started_at.as_deref().and_then(clock::parse);
    html! {
        <div class="cell cell-duration">
            <h2>
                { "Duration" }
                if let Some(started) = started {
                    <span class="muted"><span class="zone-words">{ ", times in" }</span>{ " " }{ zone_switch(started, utc, act) }</span>
                }
            </h2>
            <p class="big" title={started.map(clock::full)}>
                { figure("durationMs", total.duration_ms, duration) }
                if let Some(started) = started {
                    <small>{ format!("from {}", clock::short(started)) }</small>
                }
            </p>
            { time_split(summary) }
        </div>
    }
}

/// The zone that times are shown in; a click shows them in the other one.
fn zone_switch(at: i64, utc: bool, act: &Act) -> Html {
    let zone = clock::zone(at);
    // Where the reader's clock is UTC there is no other.
    if clock::is_utc_here(at) {
        return html! { <span class="muted zone" title="Times are in UTC, which is this browser's zone too">{ "UTC" }</span> };
    }
    let other = if utc { clock::own_zone() } else { "UTC".to_owned() };
    html! {
        <button
            type="button"
            class="link zone"
            aria-label={format!("Times are in {zone}: show them in {other}")}
            title={format!("Show times in {other}")}
            onclick={act.on(move |_| Action::Utc(!utc))}
        >
            { zone }
        </button>
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
                        { format!("{} green but failed", grouped(total.green_but_failed)) }
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
                    { "cache writes " }{ figure("tokens.cacheCreation", tokens.cache_creation, short) }
                </small>
            </p>
            if tokens.total.is_some_and(|total| total > 0) {
                { stack(tokens, 0) }
            }
            <p class="legend">
                { for legend }
                if tokens.partial {
                    <span class="ink-warn" title="A step reports no tokens, or lacks a class that others have: the sums are of what is there">
                        { "partly reported" }
                    </span>
                }
            </p>
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
    html! {
        <Popover {face} label="What this log cannot tell" class="link limits" title="All that this log cannot tell">
            <h2>{ "What this log cannot tell" }</h2>
            { limit_list(summary) }
        </Popover>
    }
}
