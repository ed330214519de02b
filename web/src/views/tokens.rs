//! The tokens and cost tab: totals by class, three costs, and the steps.

use std::ops::Range;

use steplens_core::summary::Summary;
use steplens_core::view::StepUsage;
use yew::{Callback, Html, Properties, component, html};

use crate::components::cost::{COSTS, notes};
use crate::components::figure::{cell, figure};
use crate::components::growth::GrowthSection;
use crate::components::model_picker::ModelPicker;
use crate::components::row::{is_short, time};
use crate::components::tokens::{CLASSES, key, stack};
use crate::components::virtual_list::{Memory, VirtualList};
use crate::engine::protocol::{Answer, Ask, ListHead, Target};
use crate::hooks::block::{Block, Source, use_block};
use crate::hooks::context::{Act, use_act};
use crate::state::reducer::Action;
use crate::state::shared::Shared;
use crate::text::number::{UNKNOWN, count, duration, grouped, money, percent};
use crate::text::sentence::sentence;

/// Height of a row; the style sheet says the same.
const ROW: u32 = 27;
/// Height of the head.
const HEAD: u32 = 30;

/// What the tab shows.
#[derive(Debug, PartialEq, Properties)]
pub struct TokensProps {
    /// Counts openings.
    pub opening: u32,
    /// The summary.
    pub summary: Shared<Summary>,
    /// Start of the run, milliseconds since the epoch.
    pub start: Option<i64>,
    /// The list, to know when steps may have changed.
    pub list: ListHead,
    /// The model that was chosen to price as.
    pub model: Option<String>,
    /// Where the steps were scrolled to.
    pub memory: Memory,
}

/// The tokens and cost tab.
#[component]
pub fn Tokens(props: &TokensProps) -> Html {
    html! {
        <div id="panel-tokens" class="page tokens" role="tabpanel" aria-labelledby="tab-tokens">
            <div class="tokens-top">
                { classes(&props.summary) }
                { costs(&props.summary, props.model.as_ref()) }
            </div>
            <GrowthSection opening={props.opening} summary={props.summary.clone()} list={props.list} />
            <Steps
                opening={props.opening}
                summary={props.summary.clone()}
                start={props.start}
                list={props.list}
                model={props.model.clone()}
                memory={props.memory.clone()}
            />
        </div>
    }
}

fn classes(summary: &Summary) -> Html {
    let tokens = &summary.total.tokens;
    let whole = tokens.total.unwrap_or(0);
    let rows = CLASSES.map(|class| {
        let value = (class.of)(tokens);
        html! {
            <>
                <tr>
                    <th scope="row">{ key(class.style) }{ class.word }</th>
                    <td class="num">{ figure(class.figure, value, grouped) }</td>
                    <td class="num">{ cell(value, |n| percent(n, whole)) }</td>
                    <td class="muted">{ class.what }</td>
                </tr>
                if class.figure == "tokens.uncachedInput" {
                    <tr class="sub">
                        <th scope="row">{ "cache writes" }</th>
                        <td class="num">{ figure("tokens.cacheCreation", tokens.cache_creation, grouped) }</td>
                        <td class="num">{ cell(tokens.cache_creation, |n| percent(n, whole)) }</td>
                        <td class="muted">{ "Part of the uncached input" }</td>
                    </tr>
                }
            </>
        }
    });
    html! {
        <section aria-labelledby="by-class">
            <h2 id="by-class">{ "Tokens by class" }</h2>
            <table class="table table-small">
                <thead>
                    <tr>
                        <th scope="col">{ "Class" }</th>
                        <th scope="col" class="num">{ "Tokens" }</th>
                        <th scope="col" class="num">{ "Share" }</th>
                        <th scope="col">{ "What it is" }</th>
                    </tr>
                </thead>
                <tbody>{ for rows }</tbody>
                <tfoot>
                    <tr>
                        <th scope="row">{ "total" }</th>
                        <td class="num">{ figure("tokens.total", tokens.total, grouped) }</td>
                        <td />
                        <td class="muted">
                            { if tokens.partial { "Partly reported: some steps lack tokens or a class" } else { "All input, output and reasoning" } }
                        </td>
                    </tr>
                </tfoot>
            </table>
        </section>
    }
}

fn costs(summary: &Summary, model: Option<&String>) -> Html {
    let cost = &summary.total.cost;
    let boxes = COSTS.iter().map(|kind| {
        let value = (kind.of)(cost);
        html! {
            <div class={if value.is_some() { "cost" } else { "cost is-unknown" }}>
                <h3>{ kind.word }</h3>
                <p class="big">{ figure(kind.figure, value, money) }</p>
                <p class="muted">{ kind.what }</p>
                { notes(kind, cost) }
            </div>
        }
    });
    html! {
        <section aria-labelledby="three-costs">
            <h2 id="three-costs">
                { "Cost" }
                <span class="muted">
                    { match &cost.model { Some(model) => format!(" for {model}"), None => " · no model named in the log".to_owned() } }
                </span>
            </h2>
            <div class="cost-boxes">{ for boxes }</div>
            <ModelPicker
                chosen={model.cloned()}
                named={cost.model.clone().filter(|_| model.is_none())}
                source={cost.price_source.clone()}
            />
            if let Some(reconciliation) = &cost.reconciliation {
                <p class="muted small">
                    { format!("Compared over {} of {}.", reconciliation.steps, count(reconciliation.of_steps, "step", "steps")) }
                    { for reconciliation.assumptions.iter().map(|text| html! { <>{ " " }{ sentence(text) }{ "." }</> }) }
                </p>
            }
        </section>
    }
}

/// The steps, one row each.
#[component]
fn Steps(props: &TokensProps) -> Html {
    let act = use_act();
    let (block, in_sight) = use_block(Source {
        // Steps do not depend on the filter.
        edition: (props.opening, 0, props.list.edition),
        ask: |start, len| Ask::Steps { start, len },
        read: |answer| match answer {
            Answer::Steps(window) => Some(Block {
                start: window.start,
                total: window.total,
                list: 0,
                rows: window.rows.into_iter().map(|row| (row, window.max_tokens)).collect(),
            }),
            _ => None,
        },
    });
    let total = block.as_ref().map_or(props.summary.total.steps, |block| block.total);
    let has_sessions = props.summary.sessions.len() > 1;
    let draw = {
        let (block, act, start) = (block.clone(), act.clone(), (props.start, is_short(&props.summary)));
        Callback::from(move |range: Range<u64>| {
            let rows = range.map(|index| {
                let item = block.as_ref().and_then(|block| block.get(index));
                step(index, item, start, has_sessions, &act)
            });
            html! { { for rows } }
        })
    };
    if total == 0 {
        return html! { <div class="nothing"><p>{ "This log has no steps, and so no tokens." }</p></div> };
    }
    let heads = [
        ("Start", "t"),
        ("Step", "st-name"),
        ("Tokens by class", "st-bar"),
        ("Total", "num"),
        ("Cached", "num st-more"),
        ("Uncached", "num st-more"),
        ("Output", "num st-more"),
        ("Reasoning", "num st-more"),
        ("Cost", "num"),
        ("Ended with", "st-end"),
        ("Took", "num st-more"),
    ];
    let head = html! {
        <div class="st st-head" role="row" aria-rowindex="1">
            { for heads.map(|(word, class)| html! { <span class={class} role="columnheader">{ word }</span> }) }
        </div>
    };
    html! {
        <section class="steps" aria-labelledby="by-step">
            <h2 id="by-step">{ "By step" }<span class="muted">{ " · click one to see it on the timeline" }</span></h2>
            <VirtualList
                id="steps"
                label="Steps"
                class="steps-list"
                {total}
                row_height={ROW}
                {head}
                head_height={HEAD}
                {draw}
                {in_sight}
                fresh={props.opening}
                memory={props.memory.clone()}
            />
        </section>
    }
}

fn step(
    index: u64,
    item: Option<&(StepUsage, u64)>,
    start: (Option<i64>, bool),
    has_sessions: bool,
    act: &Act,
) -> Html {
    let index_text = (index + 2).to_string();
    let Some((usage, scale)) = item else {
        return html! { <div key={index} class="st" role="row" aria-rowindex={index_text}><span role="gridcell" /></div> };
    };
    let (step, tokens) = (&usage.step, &usage.tokens);
    let target = Target::StepAt { session: step.session, number: step.number, line: step.line };
    let onclick: Callback<yew::MouseEvent> = act.on(move |_| Action::Jump(target.clone()));
    let number = if has_sessions {
        format!("{} of session {}", grouped(step.number), step.session + 1)
    } else {
        grouped(step.number)
    };
    let value = |n: Option<u64>, class: &'static str| {
        html! { <span class={class} role="gridcell">{ cell(n, grouped) }</span> }
    };
    let end = match (&step.reason, step.finished) {
        (Some(reason), _) => reason.clone(),
        (None, true) => UNKNOWN.to_owned(),
        (None, false) => "not finished".to_owned(),
    };
    html! {
        <div key={index} class="st clickable" role="row" aria-rowindex={index_text} data-line={step.line.to_string()} data-step={step.number.to_string()} onclick={onclick.clone()}>
            { time(step.time, start.0, start.1) }
            <span class="st-name" role="gridcell">
                <button type="button" class="link" title="Show this step on the timeline" {onclick}>{ number }</button>
                if step.attempts > 1 {
                    <span class="tag warn">{ count(u64::from(step.attempts), "attempt", "attempts") }</span>
                }
            </span>
            <span class="st-bar" role="gridcell">
                if tokens.total.is_some() { { stack(tokens, *scale) } }
            </span>
            { value(tokens.total, "num") }
            { value(tokens.cached_input, "num st-more") }
            { value(tokens.uncached_input, "num st-more") }
            { value(tokens.output, "num st-more") }
            { value(tokens.reasoning, "num st-more") }
            <span class="num" role="gridcell">{ cell(step.cost_usd, money) }</span>
            <span class={if step.finished { "st-end" } else { "st-end ink-warn" }} role="gridcell">{ end }</span>
            <span class="num st-more" role="gridcell">{ cell(step.duration_ms, duration) }</span>
        </div>
    }
}
