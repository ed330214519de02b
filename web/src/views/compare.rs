//! The compare tab: two of the sessions that are open, side by side.

use std::ops::Range;

use steplens_core::compare::{Call, CallPair, Comparison, CostDelta, CountDelta, Deed, PairRow, Side, Step, ToolDelta};
use steplens_core::event::Outcome;
use steplens_core::figure::{signed, words};
use steplens_core::run::Choice;
use steplens_core::summary::Summary;
use web_sys::HtmlSelectElement;
use yew::{Callback, Html, MouseEvent, Properties, TargetCast, component, html, use_mut_ref, use_state};

use crate::components::figure::cell;
use crate::components::mini::{clipped, outcome_mark};
use crate::components::verdict::word;
use crate::components::virtual_list::{Memory, VirtualList};
use crate::engine::protocol::{Answer, Ask, ListHead, Target};
use crate::engine::study::{Compared, Studied, Study};
use crate::hooks::block::{Block, Source, use_block};
use crate::hooks::context::{Act, use_act};
use crate::hooks::study::use_study;
use crate::state::reducer::Action;
use crate::state::route::Sides;
use crate::state::shared::Shared;
use crate::text::number::{UNKNOWN, bytes, count, duration, grouped, money};
use crate::text::sentence::sentence;

/// Height of a row; the style sheet says the same.
const ROW: u32 = 29;
/// Height of the head.
const HEAD: u32 = 30;
/// How many calls of one side only are listed; the steps have them all.
const LISTED: usize = 50;
/// Characters of an argument in a row.
const CLIP: usize = 300;

/// What the tab shows.
#[derive(Debug, PartialEq, Properties)]
pub struct CompareProps {
    /// Counts openings.
    pub opening: u32,
    /// The summary.
    pub summary: Shared<Summary>,
    /// The list, to know when the run may have changed.
    pub list: ListHead,
    /// The sides that were chosen.
    pub sides: Sides,
    /// Where the steps were scrolled to.
    pub memory: Memory,
}

/// The compare tab.
#[component]
pub fn Compare(props: &CompareProps) -> Html {
    let act = use_act();
    let Sides { a, b } = props.sides.clone();
    let edition = (props.opening, props.list.edition);
    let compared = use_study(edition, Ask::Study(Study::Compare(a, b)), |studied| match studied {
        Studied::Compared(compared) => Some(compared.map(|compared| *compared)),
        _ => None,
    });
    let inside = match compared.as_ref().map(|compared| (**compared).as_ref()) {
        None => html! { <div class="nothing"><p>{ "Comparing …" }</p></div> },
        Some(None) => html! {
            <div class="nothing">
                <p>{ "There is one run here, and it takes two to compare. Open another log together with this one." }</p>
            </div>
        },
        Some(Some(found)) => html! {
            <>
                { sides_bar(found, &act) }
                <div class="compare-room">
                    <div class="compare-facts" tabindex="0" role="group" aria-label="What differs">
                        { facts(found, &props.summary, &act) }
                    </div>
                    <Pairs
                        compared={compared.clone()}
                        summary={props.summary.clone()}
                        opening={props.opening}
                        agreement={agreement(&found.comparison)}
                        memory={props.memory.clone()}
                    />
                </div>
            </>
        },
    };
    html! { <div id="panel-compare" class="page compare" role="tabpanel" aria-labelledby="tab-compare">{ inside }</div> }
}

fn sides_bar(found: &Compared, act: &Act) -> Html {
    let key = |place: usize| found.choices.get(place).map(|choice| choice.key.clone());
    let (a, b) = (key(found.a), key(found.b));
    let swapped = Sides { a: b.clone(), b: a.clone() };
    let choose_a = act.on({
        let b = b.clone();
        move |event: yew::Event| Action::Sides(Sides { a: Some(chosen(&event)), b: b.clone() })
    });
    let choose_b = act.on({
        let a = a.clone();
        move |event: yew::Event| Action::Sides(Sides { a: a.clone(), b: Some(chosen(&event)) })
    });
    html! {
        <div class="sides">
            { side("A", &found.comparison.a, &found.choices, found.a, choose_a) }
            <button
                type="button"
                class="button"
                title="Swap A and B"
                onclick={act.on(move |_| Action::Sides(swapped.clone()))}
            >
                { "Swap" }
            </button>
            { side("B", &found.comparison.b, &found.choices, found.b, choose_b) }
        </div>
    }
}

fn chosen(event: &yew::Event) -> String {
    let select: HtmlSelectElement = event.target_unchecked_into();
    select.value()
}

fn side(letter: &'static str, side: &Side, choices: &[Choice], place: usize, onchange: Callback<yew::Event>) -> Html {
    let options = choices.iter().enumerate().map(|(n, choice)| {
        html! { <option value={choice.key.clone()} selected={n == place}>{ choice.name.clone() }</option> }
    });
    let verdict = side.sessions.first().map(|session| {
        let (name, class) = word(session.verdict.state);
        html! {
            <span class="side-verdict" title={sentence(&session.verdict.reason)}>
                <strong class={format!("ink-{class}")}>{ name }</strong>
                <span class="muted">{ ": " }{ session.verdict.reason.clone() }</span>
            </span>
        }
    });
    html! {
        <div class="side">
            <strong class="side-letter" aria-hidden="true">{ letter }</strong>
            <select class="select" aria-label={format!("Side {letter}")} {onchange}>{ for options }</select>
            { verdict.unwrap_or_default() }
        </div>
    }
}

fn facts(found: &Compared, summary: &Summary, act: &Act) -> Html {
    let comparison = &found.comparison;
    let jump = |call: &Call| jump(summary, act, call.file, call.line);
    let made_none = comparison.tools.is_empty();
    html! {
        <>
            if let Some((a, b)) = &comparison.folders {
                <p class="muted small compare-note">
                    { "Calls are compared without the folders " }<code>{ a.clone() }</code>{ " in A and " }<code>{ b.clone() }</code>{ " in B." }
                </p>
            }
            { deeds("only-a", "Only A did", &comparison.only_a, &jump) }
            { deeds("only-b", "Only B did", &comparison.only_b, &jump) }
            { outcomes(comparison, &jump) }
            if comparison.only_a.is_empty() && comparison.only_b.is_empty() && comparison.outcomes.is_empty() {
                <p class="muted compare-note">
                    { if made_none { "Neither run made a call." } else { "Both made the same calls, and these came out the same." } }
                </p>
            }
            { totals(comparison) }
            { tools(&comparison.tools) }
        </>
    }
}

/// What a click on a call of a file does.
fn jump(summary: &Summary, act: &Act, file: u32, line: u64) -> Callback<MouseEvent> {
    let name = summary.files.get(file as usize).map(|file| file.name.clone());
    let file = name.filter(|_| summary.files.len() > 1);
    act.on(move |_| Action::Jump(Target::Line { file: file.clone(), line }))
}

fn deeds(id: &'static str, title: &'static str, deeds: &[Deed], jump: &impl Fn(&Call) -> Callback<MouseEvent>) -> Html {
    if deeds.is_empty() {
        return Html::default();
    }
    let calls: u64 = deeds.iter().map(|deed| deed.calls).sum();
    let rows = deeds.iter().take(LISTED).map(|deed| {
        html! {
            <li>
                { outcome_mark(deed.first.outcome, deed.first.green_but_failed) }
                <button type="button" class="link deed" title={deed.argument.clone()} onclick={jump(&deed.first)}>
                    <span>{ deed.tool.clone() }</span>{ " " }<span class="mono">{ clipped(&deed.argument, CLIP) }</span>
                </button>
                if deed.calls > 1 {
                    <span class="tag">{ format!("{} times", grouped(deed.calls)) }</span>
                }
            </li>
        }
    });
    html! {
        <section aria-labelledby={id}>
            <h2 {id}>{ title }<span class="muted">{ format!(" · {}", count(calls, "call", "calls")) }</span></h2>
            <ul class="plain deeds">{ for rows }</ul>
            { more(deeds.len()) }
        </section>
    }
}

fn more(all: usize) -> Html {
    match all.saturating_sub(LISTED) {
        0 => Html::default(),
        more => html! { <p class="muted">{ format!("and {} more among the steps", grouped(more as u64)) }</p> },
    }
}

fn outcomes(comparison: &Comparison, jump: &impl Fn(&Call) -> Callback<MouseEvent>) -> Html {
    if comparison.outcomes.is_empty() {
        return Html::default();
    }
    let rows = comparison.outcomes.iter().take(LISTED).map(|change| {
        html! {
            <li>
                <span class="deed" title={change.argument.clone()}>
                    { change.tool.clone() }{ " " }<span class="mono">{ clipped(&change.argument, CLIP) }</span>
                </span>
                <button type="button" class="link" onclick={jump(&change.a)}>{ outcome_word(&change.a) }</button>
                { "→" }
                <button type="button" class="link" onclick={jump(&change.b)}>{ outcome_word(&change.b) }</button>
            </li>
        }
    });
    html! {
        <section aria-labelledby="otherwise">
            <h2 id="otherwise">
                { "Came out otherwise" }
                <span class="muted">{ format!(" · {}", count(comparison.outcomes.len() as u64, "call", "calls")) }</span>
            </h2>
            <ul class="plain deeds">{ for rows }</ul>
            { more(comparison.outcomes.len()) }
        </section>
    }
}

fn outcome_word(call: &Call) -> &'static str {
    match call.outcome {
        Outcome::Failed if call.green_but_failed => "green but failed",
        Outcome::Ok => "ok",
        Outcome::Failed => "failed",
        Outcome::Rejected => "rejected",
        Outcome::Unknown => "outcome unknown",
    }
}

fn totals(comparison: &Comparison) -> Html {
    let is_partial = comparison.counts.iter().any(|row| row.partial) || comparison.costs.iter().any(|row| row.partial);
    html! {
        <section aria-labelledby="totals">
            <h2 id="totals">{ "Totals" }</h2>
            <table class="table table-delta">
                <thead><tr><th scope="col">{ "Figure" }</th><th scope="col" class="num">{ "A" }</th><th scope="col" class="num">{ "B" }</th><th scope="col" class="num">{ "B − A" }</th></tr></thead>
                <tbody>
                    { for comparison.counts.iter().map(count_row) }
                    { for comparison.costs.iter().map(cost_row) }
                </tbody>
            </table>
            if is_partial {
                <p class="muted small">{ "~ one side reports only a part of it: the difference is that of the parts." }</p>
            }
        </section>
    }
}

fn count_row(row: &CountDelta) -> Html {
    let is_time = row.figure.ends_with("Ms");
    let write = move |n: u64| if is_time { duration(n) } else { grouped(n) };
    let exact = |value: Option<u64>| value.map(|value| value.to_string()).unwrap_or_default();
    let delta = row.delta.map(|delta| signed(delta, write));
    html! {
        <tr data-delta={row.figure.clone()} data-a={exact(row.a)} data-b={exact(row.b)} data-value={row.delta.map(|delta| delta.to_string()).unwrap_or_default()}>
            <th scope="row">{ words(&row.figure) }</th>
            <td class="num">{ cell(row.a, write) }</td>
            <td class="num">{ cell(row.b, write) }</td>
            { delta_cell(delta, row.partial) }
        </tr>
    }
}

fn cost_row(row: &CostDelta) -> Html {
    let exact = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
    let delta = row.delta_usd.map(|usd| match usd {
        0.0 => "0".to_owned(),
        _ => format!("{}{}", if usd < 0.0 { "" } else { "+" }, money(usd)),
    });
    html! {
        <tr data-delta={row.figure.clone()} data-a={exact(row.a_usd)} data-b={exact(row.b_usd)} data-value={exact(row.delta_usd)}>
            <th scope="row">{ words(&row.figure) }</th>
            <td class="num">{ cell(row.a_usd, money) }</td>
            <td class="num">{ cell(row.b_usd, money) }</td>
            { delta_cell(delta, row.partial) }
        </tr>
    }
}

fn delta_cell(delta: Option<String>, partial: bool) -> Html {
    let class = if delta.as_deref() == Some("0") { "num zero" } else { "num" };
    html! {
        <td {class}>
            if partial && delta.is_some() {
                <span title="One side reports only a part of it">{ "~" }</span>
            }
            { cell(delta, |text| text) }
        </td>
    }
}

fn tools(tools: &[ToolDelta]) -> Html {
    if tools.is_empty() {
        return Html::default();
    }
    let rows = tools.iter().map(|tool| {
        let (a, b) = (tool.a.as_ref(), tool.b.as_ref());
        let ink = |failed: u64| if failed > 0 { "num ink-bad" } else { "num zero" };
        let failed = |side: Option<&steplens_core::summary::ToolSummary>| side.map_or(0, |side| side.failed);
        let number = |n: u64| if n > 0 { "num" } else { "num zero" };
        let calls = |side: Option<&steplens_core::summary::ToolSummary>| side.map_or(0, |side| side.calls);
        html! {
            <tr>
                <th scope="row" class="mono" title={tool.name.clone()}>{ clipped(&tool.name, 60) }</th>
                <td class={number(calls(a))}>{ grouped(calls(a)) }</td>
                <td class={number(calls(b))}>{ grouped(calls(b)) }</td>
                { delta_cell(Some(signed(tool.calls, grouped)), false) }
                <td class={ink(failed(a))}>{ grouped(failed(a)) }</td>
                <td class={ink(failed(b))}>{ grouped(failed(b)) }</td>
                <td class="num">{ a.map_or_else(Html::default, |side| cell(side.total_ms, duration)) }</td>
                <td class="num">{ b.map_or_else(Html::default, |side| cell(side.total_ms, duration)) }</td>
                <td class="num">{ a.map(|side| bytes(side.output_bytes)) }</td>
                <td class="num">{ b.map(|side| bytes(side.output_bytes)) }</td>
            </tr>
        }
    });
    html! {
        <section aria-labelledby="tools-of-both">
            <h2 id="tools-of-both">{ "Tools" }</h2>
            <div class="table-room" tabindex="0" role="group" aria-label="Tools of both">
                <table class="table table-delta">
                    <thead>
                        <tr>
                            <th scope="col">{ "Tool" }</th>
                            { for ["Calls A", "B", "B − A", "Failed A", "B", "Time A", "B", "Output A", "B"].map(|word| html! { <th scope="col" class="num">{ word }</th> }) }
                        </tr>
                    </thead>
                    <tbody>{ for rows }</tbody>
                </table>
            </div>
        </section>
    }
}

fn agreement(comparison: &Comparison) -> String {
    let agreement = &comparison.agreement;
    format!(
        "{} the same, {} that differ, {} only in A, {} only in B",
        grouped(agreement.steps_same),
        grouped(agreement.steps_changed),
        grouped(agreement.steps_only_a),
        grouped(agreement.steps_only_b)
    )
}

/// What the list of steps shows.
#[derive(Debug, PartialEq, Properties)]
struct PairsProps {
    /// The comparison that the rows are of.
    compared: Option<Shared<Option<Compared>>>,
    summary: Shared<Summary>,
    opening: u32,
    agreement: String,
    memory: Memory,
}

fn read(answer: Answer) -> Option<Block<PairRow>> {
    match answer {
        Answer::Study(studied) => match *studied {
            Studied::Pairs(window) => {
                Some(Block { start: window.start, total: window.total, list: 0, rows: window.rows })
            }
            _ => None,
        },
        _ => None,
    }
}

/// The aligned steps, with their calls where they differ.
#[component]
fn Pairs(props: &PairsProps) -> Html {
    let act = use_act();
    let is_first = use_state(|| true);
    // Counts comparisons: their rows have nothing to do with each other.
    let counted = use_mut_ref(|| (None::<Shared<Option<Compared>>>, 0u32));
    let number = {
        let mut counted = counted.borrow_mut();
        if counted.0 != props.compared {
            *counted = (props.compared.clone(), counted.1.wrapping_add(1));
        }
        counted.1
    };
    let order = u32::from(*is_first);
    let source = if *is_first {
        Source { edition: (props.opening, number, order), ask: |start, len| pairs(true, start, len), read }
    } else {
        Source { edition: (props.opening, number, order), ask: |start, len| pairs(false, start, len), read }
    };
    let (block, in_sight) = use_block(source);
    let total = block.as_ref().map_or(1, |block| block.total);
    let draw = {
        let (block, act, summary) = (block.clone(), act.clone(), props.summary.clone());
        Callback::from(move |range: Range<u64>| {
            let rows = range.map(|index| row(index, block.as_ref().and_then(|block| block.get(index)), &summary, &act));
            html! { { for rows } }
        })
    };
    let head = html! {
        <div class="cp cp-head" role="row" aria-rowindex="1">
            <span role="columnheader">{ "A" }</span>
            <span role="columnheader">{ "Step and call" }</span>
            <span role="columnheader">{ "B" }</span>
        </div>
    };
    let button = |word: &'static str, first: bool| {
        let is_first = is_first.clone();
        html! {
            <button type="button" class="button small" aria-pressed={(*is_first == first).to_string()} onclick={move |_| is_first.set(first)}>{ word }</button>
        }
    };
    html! {
        <section class="compare-steps" aria-labelledby="aligned">
            <div class="compare-steps-head">
                <h2 id="aligned" title="Steps are aligned by their tools and arguments">{ "Steps" }</h2>
                <span class="muted grow">{ props.agreement.clone() }</span>
                { button("Differences first", true) }
                { button("In order", false) }
            </div>
            <VirtualList
                id="pairs"
                label="Aligned steps"
                class="pairs-list"
                {total}
                row_height={ROW}
                {head}
                head_height={HEAD}
                {draw}
                {in_sight}
                fresh={props.opening.wrapping_mul(2).wrapping_add(order)}
                memory={props.memory.clone()}
            />
        </section>
    }
}

fn pairs(differences_first: bool, start: u64, len: u64) -> Ask {
    Ask::Study(Study::Pairs { differences_first, start, len })
}

fn row(index: u64, row: Option<&PairRow>, summary: &Summary, act: &Act) -> Html {
    let place = (index + 2).to_string();
    match row {
        None => html! { <div key={index} class="cp" role="row" aria-rowindex={place}><span role="gridcell" /></div> },
        Some(PairRow::Step { a, b, same, calls }) => {
            let (mark, word) = match (a, b) {
                (Some(_), None) => ("−", "only in A"),
                (None, _) => ("+", "only in B"),
                _ if *same => ("=", "the same"),
                _ => ("≠", "differ"),
            };
            html! {
                <div key={index} class={if *same { "cp cp-step is-same" } else { "cp cp-step" }} role="row" aria-rowindex={place}>
                    { step_cell(a.as_ref(), summary, act) }
                    <span class="cp-what" role="gridcell">
                        <span class="cp-mark" role="img" aria-label={word} title={word}>{ mark }</span>
                        if *same {
                            <span class="muted" title={calls.clone()}>{ if calls.is_empty() { "no call".into() } else { clipped(calls, CLIP) } }</span>
                        } else {
                            <span>{ word }</span>
                        }
                    </span>
                    { step_cell(b.as_ref(), summary, act) }
                </div>
            }
        }
        Some(PairRow::Call(call)) => call_row(index, place, call, summary, act),
    }
}

fn step_cell(step: Option<&Step>, summary: &Summary, act: &Act) -> Html {
    let Some(step) = step else { return html! { <span role="gridcell" class="zero">{ UNKNOWN }</span> } };
    let (name, target) = match step.number {
        Some(number) => (
            format!("step {}", grouped(number)),
            Some(Target::StepAt { session: step.session, number, line: step.line }),
        ),
        None => (format!("line {}", grouped(step.line)), None),
    };
    let onclick = match target {
        Some(target) => act.on(move |_: MouseEvent| Action::Jump(target.clone())),
        None => jump(summary, act, step.file, step.line),
    };
    html! {
        <span role="gridcell">
            <button type="button" class="link" title="Show it on the timeline" {onclick}>{ name }</button>
            if let Some(tokens) = step.tokens {
                <span class="muted cp-more">{ format!(" {} tok", grouped(tokens)) }</span>
            }
        </span>
    }
}

fn call_row(index: u64, place: String, call: &CallPair, summary: &Summary, act: &Act) -> Html {
    let note = match (&call.a, &call.b) {
        _ if call.moved => Some(("tag", "in another step")),
        (Some(_), None) => Some(("tag warn", "only A")),
        (None, _) => Some(("tag warn", "only B")),
        _ if !call.is_same() => Some(("tag bad", "came out otherwise")),
        _ => None,
    };
    html! {
        <div key={index} class={if note.is_some() { "cp" } else { "cp is-same" }} role="row" aria-rowindex={place}>
            { call_cell(call.a.as_ref(), summary, act) }
            <span class="cp-what" role="gridcell" title={call.argument.clone()}>
                <span class="cp-tool">{ clipped(&call.tool, 60) }</span>
                <span class="mono cp-argument">{ clipped(&call.argument, CLIP) }</span>
                if let Some((class, word)) = note {
                    <span {class}>{ word }</span>
                }
            </span>
            { call_cell(call.b.as_ref(), summary, act) }
        </div>
    }
}

fn call_cell(call: Option<&Call>, summary: &Summary, act: &Act) -> Html {
    let Some(call) = call else { return html! { <span role="gridcell" class="zero">{ UNKNOWN }</span> } };
    let onclick = jump(summary, act, call.file, call.line);
    html! {
        <span role="gridcell" class="cp-call">
            { outcome_mark(call.outcome, call.green_but_failed) }
            <button type="button" class="link" title="Open this call" data-line={call.line.to_string()} {onclick}>{ format!("line {}", grouped(call.line)) }</button>
            <span class="muted cp-more">{ cell(call.duration_ms, duration) }</span>
        </span>
    }
}
