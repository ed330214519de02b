//! How tokens and context grew, step by step, and the most expensive steps.

use std::fmt::Write as _;

use steplens_core::run::{Bar, Growth, Ranking};
use steplens_core::summary::Summary;
use web_sys::Element;
use yew::{Html, MouseEvent, Properties, TargetCast, UseStateHandle, component, html, use_state_eq};

use super::tokens::{CLASSES, key};
use crate::engine::protocol::{Ask, ListHead, Target};
use crate::engine::study::{Studied, Study};
use crate::hooks::context::{Act, use_act};
use crate::hooks::study::use_study;
use crate::state::reducer::Action;
use crate::state::shared::Shared;
use crate::text::number::{UNKNOWN, count, grouped, money, percent, short};

/// Bars at most.
const BARS: u64 = 160;
/// Steps of the ranking that are shown at first: as high as the chart beside it.
const RANKED: usize = 5;
/// Units of a bar's width, the gap to the next one among them.
const WIDE: u64 = 10;
/// Units of the chart's height.
const HIGH: f64 = 100.0;

/// What the chart shows.
#[derive(Debug, PartialEq, Properties)]
pub struct GrowthProps {
    /// Counts openings.
    pub opening: u32,
    /// The summary.
    pub summary: Shared<Summary>,
    /// The list, to know when steps may have changed.
    pub list: ListHead,
}

/// The chart, and the ranking beside it.
#[component]
pub fn GrowthSection(props: &GrowthProps) -> Html {
    let act = use_act();
    let growth =
        use_study((props.opening, props.list.edition), Ask::Study(Study::Growth(BARS)), |studied| match studied {
            Studied::Growth(growth) => Some(*growth),
            _ => None,
        });
    let is_whole = use_state_eq(|| false);
    let Some(growth) = growth.filter(|growth| !growth.bars.is_empty()) else { return Html::default() };
    let has_sessions = props.summary.sessions.len() > 1;
    html! {
        <div class="growth">
            <section aria-labelledby="growth">
                <h2 id="growth">
                    { "Tokens by step" }
                    <span class="muted">{ format!(" · {}", hit_rate(&props.summary)) }</span>
                </h2>
                { chart(&growth, has_sessions, &act) }
                <p class="legend">
                    { for CLASSES.iter().map(|class| html! { <span title={class.what}>{ key(class.style) }{ class.word }</span> }) }
                    <span title="Input tokens that a step was asked with, from the cache or not"><i class="key-line" aria-hidden="true" />{ "context" }</span>
                    if growth.compactions > 0 {
                        <span title="Steps that follow a text which the harness wrote to go on after it made the context shorter">
                            <i class="key-compacted" aria-hidden="true" />{ count(growth.compactions, "compaction", "compactions") }
                        </span>
                    }
                    if growth.per_bar > 1 {
                        <span class="muted">{ format!("A bar stands for {} steps: the one with the most tokens", grouped(growth.per_bar)) }</span>
                    }
                </p>
            </section>
            { ranking(&growth, has_sessions, &is_whole, &act) }
        </div>
    }
}

/// How much of the input came from the cache.
fn hit_rate(summary: &Summary) -> String {
    let tokens = &summary.total.tokens;
    match (tokens.cached_input, tokens.input) {
        (Some(cached), Some(input)) if input > 0 => {
            format!("{} of the input came from the cache", percent(cached, input))
        }
        _ => "cache hit rate unknown".to_owned(),
    }
}

fn chart(growth: &Growth, has_sessions: bool, act: &Act) -> Html {
    let bars = growth.bars.len() as u64;
    let width = bars * WIDE;
    let scale = growth.max_tokens.max(1) as f64;
    let high = |tokens: u64| tokens as f64 * HIGH / scale;
    let stacks = (0..CLASSES.len()).map(|class| {
        let style = CLASSES.get(class).map_or("", |class| class.style);
        html! { <path class={format!("g-{style}")} d={stack_path(&growth.bars, class, &high)} /> }
    });
    let places: Vec<Target> = growth.bars.iter().map(target).collect();
    let onclick = {
        let act = act.clone();
        move |event: MouseEvent| {
            let Some(chart) = event.target_dyn_into::<Element>().and_then(|e| e.closest(".g-chart").ok().flatten())
            else {
                return;
            };
            let area = chart.get_bounding_client_rect();
            let share = (f64::from(event.client_x()) - area.left()) / area.width().max(1.0);
            let place = (share * bars as f64).floor().clamp(0.0, bars.saturating_sub(1) as f64) as usize;
            if let Some(target) = places.get(place) {
                act.now(Action::Jump(target.clone()));
            }
        }
    };
    let compacted: String =
        (0u64..).zip(&growth.bars).filter(|(_, bar)| bar.compacted).fold(String::new(), |mut path, (n, _)| {
            let _ = write!(path, "M{} 0v{HIGH}", n * WIDE);
            path
        });
    let label = format!(
        "Tokens of {}, at most {}; the list below has every figure",
        count(growth.steps, "step", "steps"),
        count(growth.max_tokens, "token", "tokens")
    );
    html! {
        <div class="g-room">
            <span class="g-max muted" title="The most tokens of a step">{ format!("{} tokens", short(growth.max_tokens)) }</span>
            <svg
                class="g-chart"
                role="img"
                aria-label={label}
                viewBox={format!("0 0 {width} {HIGH}")}
                preserveAspectRatio="none"
                {onclick}
            >
                { for stacks }
                <path class="g-compacted" d={compacted} />
                <path class="g-context" d={context_path(&growth.bars, &high)} />
            </svg>
            if let [first, .., last] = growth.bars.as_slice() {
                <p class="g-steps muted" aria-hidden="true"><span>{ step_name(first, has_sessions) }</span><span>{ step_name(last, has_sessions) }</span></p>
            }
        </div>
    }
}

/// The pieces of one class in all bars.
fn stack_path(bars: &[Bar], class: usize, high: &impl Fn(u64) -> f64) -> String {
    let mut path = String::new();
    for (n, bar) in (0u64..).zip(bars) {
        let value = |class: usize| CLASSES.get(class).and_then(|class| (class.of)(&bar.tokens)).unwrap_or(0);
        let own = high(value(class));
        if own <= 0.0 {
            continue;
        }
        let top = HIGH - (0..=class).map(|class| high(value(class))).sum::<f64>();
        let wide = WIDE - 2;
        // Writing to a text does not fail.
        let _ = write!(path, "M{} {top:.2}h{wide}v{own:.2}h-{wide}z", n * WIDE + 1);
    }
    path
}

/// A line over the bars; it breaks where another session begins or a step reports nothing.
fn context_path(bars: &[Bar], high: &impl Fn(u64) -> f64) -> String {
    let mut path = String::new();
    let mut before = None;
    for (n, bar) in (0u64..).zip(bars) {
        let Some(context) = bar.tokens.input else {
            before = None;
            continue;
        };
        let to = if before == Some(bar.session) { 'L' } else { 'M' };
        let _ = write!(path, "{to}{} {:.2}", n * WIDE + WIDE / 2, HIGH - high(context));
        // A point of its own is seen too.
        if to == 'M' {
            path.push_str("h0.1");
        }
        before = Some(bar.session);
    }
    path
}

fn step_name(bar: &Bar, has_sessions: bool) -> String {
    named(bar.number, bar.session, has_sessions)
}

/// What a step is called.
fn named(number: u64, session: u32, has_sessions: bool) -> String {
    match has_sessions {
        true => format!("Step {} of session {}", grouped(number), session + 1),
        false => format!("Step {}", grouped(number)),
    }
}

fn target(bar: &Bar) -> Target {
    Target::StepAt { session: bar.session, number: bar.number, line: bar.line }
}

fn ranking(growth: &Growth, has_sessions: bool, is_whole: &UseStateHandle<bool>, act: &Act) -> Html {
    let by = match growth.ranked_by {
        Ranking::Reported => "by the cost that the log reports",
        Ranking::List => "by list price: the log reports no cost",
        Ranking::Tokens => "by tokens: no cost is known",
    };
    let more = if **is_whole { 0 } else { growth.dearest.len().saturating_sub(RANKED) };
    let entries = growth.dearest.iter().take(growth.dearest.len() - more).map(|usage| {
        let step = &usage.step;
        let target = Target::StepAt { session: step.session, number: step.number, line: step.line };
        let cost = match growth.ranked_by {
            Ranking::Reported => step.cost_usd,
            Ranking::List => usage.list_usd,
            Ranking::Tokens => None,
        };
        let name = named(step.number, step.session, has_sessions);
        html! {
            <li>
                <button type="button" class="link" title="Show this step on the timeline" onclick={act.on(move |_| Action::Jump(target.clone()))}>{ name }</button>
                if let Some(cost) = cost {
                    <strong class="num">{ money(cost) }</strong>
                }
                <span class="num muted">{ usage.tokens.total.map_or(UNKNOWN.to_owned(), |n| count(n, "token", "tokens")) }</span>
            </li>
        }
    });
    html! {
        <section class="dearest" aria-labelledby="dearest">
            <h2 id="dearest">{ "Most expensive steps" }<span class="muted">{ format!(" · {by}") }</span></h2>
            if growth.dearest.is_empty() {
                <p class="muted">{ "No step reports tokens or a cost." }</p>
            } else {
                <ol class="plain">{ for entries }</ol>
                if more > 0 {
                    <button type="button" class="link" onclick={let is_whole = is_whole.clone(); move |_| is_whole.set(true)}>{ format!("Show {more} more") }</button>
                }
            }
        </section>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use steplens_core::usage::Tokens;

    fn bar(session: u32, cached: u64, uncached: u64, output: u64) -> Bar {
        let tokens = Tokens {
            cached_input: Some(cached),
            uncached_input: Some(uncached),
            output: Some(output),
            input: Some(cached + uncached),
            ..Tokens::default()
        };
        Bar { session, tokens, ..Bar::default() }
    }

    #[test]
    fn classes_are_stacked_from_below() {
        let bars = [bar(0, 50, 30, 20)];
        let high = |tokens: u64| tokens as f64;
        assert_eq!(stack_path(&bars, 0, &high), "M1 50.00h8v50.00h-8z");
        assert_eq!(stack_path(&bars, 1, &high), "M1 20.00h8v30.00h-8z");
        assert_eq!(stack_path(&bars, 2, &high), "M1 0.00h8v20.00h-8z");
        assert_eq!(stack_path(&bars, 3, &high), "");
    }

    #[test]
    fn the_line_breaks_between_sessions() {
        let none = Bar { session: 1, ..Bar::default() };
        let bars = [bar(0, 10, 10, 0), bar(0, 20, 20, 0), bar(1, 5, 5, 0), none, bar(1, 1, 1, 0)];
        let line = context_path(&bars, &|tokens| tokens as f64);
        assert_eq!(line, "M5 80.00h0.1L15 60.00M25 90.00h0.1M45 98.00h0.1");
    }
}
