//! Heads in the timeline: of turns, and of steps, which fold what stands under them.

use steplens_core::view::{StepRow, TurnRow};
use yew::{Html, classes, html};

use super::icon::icon;
use super::mini::clipped;
use super::row::{Ground, time};
use crate::engine::protocol::{Fold, Target};
use crate::state::reducer::Action;
use crate::text::number::{UNKNOWN, count, duration, grouped, money};

/// Characters of a prompt that a heading holds.
const CLIP: usize = 400;

/// The heading of a turn.
pub fn turn_row(index: u64, turn: &TurnRow, ground: &Ground<'_>) -> Html {
    let prompt = turn.prompt.as_ref().map(|prompt| clipped(prompt, CLIP));
    let idle = turn.idle_ms.map(|ms| format!("{} later", duration(ms)));
    html! {
        <div
            key={index}
            class="step turn"
            role="row"
            aria-rowindex={(index + 1).to_string()}
            data-line={turn.line.to_string()}
            data-kind="turn"
        >
            { time(turn.time, ground.start, ground.is_short) }
            <span class="step-name" role="gridcell">
                <b>{ format!("Turn {}", grouped(turn.number)) }</b>
                if let Some(session) = &turn.session {
                    <span class="muted turn-of" title="The session that it belongs to">{ session.clone() }</span>
                }
                if let Some(prompt) = prompt {
                    <span class="turn-prompt" title={prompt.to_string()}>{ prompt.to_string() }</span>
                } else {
                    <span class="muted turn-prompt" title="The log does not hold its prompt">{ count(turn.steps, "step", "steps") }</span>
                }
                { wrong("failed", "bad", turn.failed, "failed") }
                { wrong("rejected", "bad", turn.rejected, "rejected") }
            </span>
            <span class="step-end" role="gridcell" title="The time before it in which nothing was asked of the agent">{ idle }</span>
            { figures(turn.tokens, turn.cost_usd, turn.duration_ms, "No step of it reports a cost") }
        </div>
    }
}

/// The head of a step.
pub fn step_row(index: u64, step: &StepRow, ground: &Ground<'_>) -> Html {
    let end = match (&step.reason, step.finished) {
        (Some(reason), _) => reason.clone(),
        (None, true) => "finished".to_owned(),
        (None, false) => "not finished".to_owned(),
    };
    let end_class = if step.finished { "" } else { "ink-warn" };
    let fold = Fold::Step(step.id, !step.is_folded);
    let onclick = ground.act.on(move |_: yew::MouseEvent| Action::Go { target: Target::Fold(fold), is_held: false });
    html! {
        <div
            key={index}
            class={classes!("step", step.is_folded.then_some("folded"))}
            role="row"
            aria-rowindex={(index + 1).to_string()}
            data-line={step.line.to_string()}
            data-kind="step"
            data-step={step.number.to_string()}
            {onclick}
        >
            { time(step.time, ground.start, ground.is_short) }
            <span class="step-name" role="gridcell">
                <button type="button" class="fold" aria-expanded={(!step.is_folded).to_string()}>
                    { icon("down") }<b>{ format!("Step {}", grouped(step.number)) }</b>
                </button>
                if step.attempts > 1 {
                    <span class="tag warn" title="It was started again before it finished">{ format!("{} attempts", step.attempts) }</span>
                }
                { ground.whose(step.session) }
                <span class="muted step-calls">{ count(step.calls, "call", "calls") }</span>
                { wrong("failed", "bad", step.failed.saturating_sub(step.green), "failed") }
                { wrong("warn", "warn", step.green, "green but failed") }
                { wrong("rejected", "bad", step.rejected, "rejected") }
                if step.is_folded {
                    { wrong("error", "bad", step.errors, if step.errors == 1 { "error" } else { "errors" }) }
                }
            </span>
            <span class={format!("step-end {end_class}")} role="gridcell">{ end }</span>
            { figures(step.tokens, step.cost_usd, step.duration_ms, "This step reports no cost") }
        </div>
    }
}

/// What went wrong, so that it is seen where it is folded away.
fn wrong(mark: &str, tone: &str, n: u64, word: &str) -> Html {
    if n == 0 {
        return Html::default();
    }
    html! { <span class={format!("wrong ink-{tone}")}>{ icon(mark) }{ format!("{} {word}", grouped(n)) }</span> }
}

fn figures(tokens: Option<u64>, cost: Option<f64>, ms: Option<u64>, no_cost: &'static str) -> Html {
    let tokens = tokens.map_or(UNKNOWN.to_owned(), grouped);
    let title = if cost.is_some() { "Cost as the log reports it" } else { no_cost };
    html! {
        <>
            <span class="step-tokens" role="gridcell">{ tokens }<span class="unit">{ " tokens" }</span></span>
            <span class="step-cost" role="gridcell" {title}>{ cost.map_or(UNKNOWN.to_owned(), money) }</span>
            <span class="d" role="gridcell">{ ms.map(duration).unwrap_or_default() }</span>
        </>
    }
}
