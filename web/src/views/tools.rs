//! The tools tab: one row a tool, with a strip of its calls on the run's clock.

use std::cmp::Ordering;

use steplens_core::event::Kind;
use steplens_core::summary::{Summary, ToolSummary};
use yew::{Html, Properties, component, html, use_state};

use crate::components::figure::cell;
use crate::components::icon::{icon, kind_icon};
use crate::components::strip::{BINS, strip};
use crate::engine::protocol::{Ask, ListHead, Target};
use crate::engine::study::{Studied, Study};
use crate::hooks::context::use_act;
use crate::hooks::study::use_study;
use crate::state::reducer::Action;
use crate::state::shared::Shared;
use crate::text::number::{bytes, count, duration, grouped, percent};

/// What the tab shows.
#[derive(Debug, PartialEq, Properties)]
pub struct ToolsProps {
    /// Counts openings.
    pub opening: u32,
    /// The summary.
    pub summary: Shared<Summary>,
    /// The list, to know when the run may have changed.
    pub list: ListHead,
}

/// Rows that are drawn at first: a log may name thousands of tools.
const SHOWN: usize = 50;

/// A column that holds numbers.
#[derive(Debug)]
struct Column {
    word: &'static str,
    what: &'static str,
    /// What it is sorted by; none is unknown and comes last.
    key: fn(&ToolSummary) -> Option<u64>,
}

const COLUMNS: [Column; 10] = [
    Column { word: "Calls", what: "Calls", key: |t| Some(t.calls) },
    Column { word: "Failed", what: "Failed calls, without the rejected ones", key: |t| Some(t.failed) },
    Column {
        word: "Green but failed",
        what: "Failed calls whose status says success; part of the failed ones",
        key: |t| Some(t.green_but_failed),
    },
    Column { word: "Rejected", what: "Calls that a permission or a question refused", key: |t| Some(t.rejected) },
    Column { word: "p50", what: "Median duration, nearest rank", key: |t| t.p50_ms },
    Column { word: "p90", what: "90th percentile of the durations, nearest rank", key: |t| t.p90_ms },
    Column { word: "Max", what: "Longest call", key: |t| t.max_ms },
    Column { word: "Total", what: "Sum of the durations", key: |t| t.total_ms },
    Column { word: "Wall", what: "Time in which at least one call of the tool ran", key: |t| t.wall_ms },
    Column { word: "Output", what: "Size of the outputs as text", key: |t| Some(t.output_bytes) },
];

/// By which column, and whether the largest comes first. None is the engine's order: by calls, then
/// by name.
type Sort = Option<(Option<usize>, bool)>;

/// The tools tab.
#[component]
pub fn Tools(props: &ToolsProps) -> Html {
    let act = use_act();
    let sort = use_state(|| None::<(Option<usize>, bool)>);
    let is_whole = use_state(|| false);
    let marks =
        use_study((props.opening, props.list.edition), Ask::Study(Study::Marks(BINS)), |studied| match studied {
            Studied::Marks(marks) => Some(marks),
            _ => None,
        });
    let summary = &props.summary;
    if summary.tools.is_empty() {
        return html! {
            <div id="panel-tools" class="page" role="tabpanel" aria-labelledby="tab-tools">
                <div class="nothing"><p>{ "This run called no tool." }</p></div>
            </div>
        };
    }
    let mut tools: Vec<&ToolSummary> = summary.tools.iter().collect();
    sorted(&mut tools, *sort);
    let all: u64 = summary.tools.iter().filter_map(|tool| tool.total_ms).fold(0, u64::saturating_add);
    let more = if *is_whole { 0 } else { tools.len().saturating_sub(SHOWN) };
    let logs: Vec<String> = summary.files.iter().map(|file| file.name.clone()).collect();
    let go = act.on(|target: Target| Action::Jump(target));
    let rows = tools.iter().take(tools.len() - more).map(|tool| {
        let of_tool = marks.as_ref().and_then(|marks| Some((marks, marks.tools.iter().find(|s| s.tool == tool.name)?)));
        let strip = of_tool.map(|(marks, own)| strip(own, marks.duration_ms, &logs, &go));
        let name = tool.name.clone();
        let onclick = act.on(move |_| Action::OnlyTool(name.clone()));
        let unmapped = summary.unmapped.iter().find(|u| u.tool == tool.name);
        tool_row(tool, unmapped.map(|u| u.count), all, strip, onclick)
    });
    let head = |column: Option<usize>, word: &'static str, what: &'static str| {
        let (state, is_down) = match *sort {
            Some((of, down)) if of == column => (if down { "descending" } else { "ascending" }, Some(down)),
            _ => ("none", None),
        };
        let sort = sort.clone();
        let onclick = move |_| {
            let down = match is_down {
                Some(down) => !down,
                None => column.is_some(),
            };
            sort.set(Some((column, down)));
        };
        html! {
            <th scope="col" aria-sort={state} class={if column.is_some() { "num" } else { "" }}>
                <button type="button" class="sort" title={what} {onclick}>
                    { word }
                    { match is_down { Some(true) => icon("down"), Some(false) => icon("up"), None => Html::default() } }
                </button>
            </th>
        }
    };
    let heads = COLUMNS.iter().enumerate().map(|(n, column)| head(Some(n), column.word, column.what));
    html! {
        <div id="panel-tools" class="page" role="tabpanel" aria-labelledby="tab-tools">
            <p class="sideways" aria-hidden="true">{ "More columns: scroll sideways ⟶" }</p>
            <div class="table-room" tabindex="0" role="group" aria-label="Tools">
                <table class="table">
                    <caption class="unseen">{ "One row a tool" }</caption>
                    <thead>
                        <tr>
                            { head(None, "Tool", "Name as the log writes it") }
                            <th scope="col" class="strip-head" title="A mark for each call on the run's clock; a triangle where one failed">{ "When" }</th>
                            { for heads }
                            <th scope="col" class="share-head" title="Part of the sum of all durations">{ "Share of call time" }</th>
                            <th scope="col">{ "Events" }</th>
                        </tr>
                    </thead>
                    <tbody>{ for rows }</tbody>
                    { foot(summary, all) }
                </table>
                if more > 0 {
                    <p class="table-more">
                        <button type="button" class="button" onclick={move |_| is_whole.set(true)}>{ format!("Show {}", count(more as u64, "more tool", "more tools")) }</button>
                    </p>
                }
            </div>
        </div>
    }
}

fn sorted(tools: &mut [&ToolSummary], sort: Sort) {
    let Some((column, is_down)) = sort else { return };
    let key = column.and_then(|n| COLUMNS.get(n)).map(|column| column.key);
    tools.sort_by(|a, b| {
        let order = match key.map(|key| (key(a), key(b))) {
            None => a.name.cmp(&b.name),
            // Unknown comes last, whichever way.
            Some((None, Some(_))) => return Ordering::Greater,
            Some((Some(_), None)) => return Ordering::Less,
            Some((a, b)) => a.cmp(&b),
        };
        if is_down { order.reverse() } else { order }
    });
}

fn tool_row(
    tool: &ToolSummary,
    unmapped: Option<u64>,
    all: u64,
    strip: Option<Html>,
    onclick: yew::Callback<yew::MouseEvent>,
) -> Html {
    let ink = |n: u64, class: &'static str| if n > 0 { class } else { "zero" };
    let untimed = tool.calls - tool.timed.min(tool.calls);
    let total_title = (untimed > 0 && tool.total_ms.is_some())
        .then(|| format!("{} without a duration", count(untimed, "call", "calls")));
    let gave = tool.events.iter().map(|(kind, n)| {
        let picture = Kind::from_name(kind).map(kind_icon);
        html! { <span class="gave">{ picture }{ format!("{kind} {}", grouped(*n)) }</span> }
    });
    let share = tool.total_ms.map(|ms| {
        let width = ms as f64 * 100.0 / all.max(1) as f64;
        html! {
            <span class="share">
                <span class="share-bar"><i style={format!("width:{width:.1}%")} /></span>
                <span>{ percent(ms, all) }</span>
            </span>
        }
    });
    let label = format!("Show the calls of {} on the timeline", tool.name);
    html! {
        <tr onclick={onclick.clone()} class="clickable">
            <th scope="row">
                <button type="button" class="tool-name mono" title={label} {onclick}>{ tool.name.clone() }</button>
                if let Some(n) = unmapped {
                    <span class="tag" title={format!("{} became unknown events", count(n, "call", "calls"))}>{ "no rule" }</span>
                }
            </th>
            <td class="strip-cell">{ strip.unwrap_or_default() }</td>
            <td class="num">{ grouped(tool.calls) }</td>
            <td class={format!("num {}", ink(tool.failed, "ink-bad"))}>{ grouped(tool.failed) }</td>
            <td class={format!("num {}", ink(tool.green_but_failed, "ink-warn"))}>{ grouped(tool.green_but_failed) }</td>
            <td class={format!("num {}", ink(tool.rejected, "ink-bad"))}>{ grouped(tool.rejected) }</td>
            <td class="num">{ cell(tool.p50_ms, duration) }</td>
            <td class="num">{ cell(tool.p90_ms, duration) }</td>
            <td class="num">{ cell(tool.max_ms, duration) }</td>
            <td class="num" title={total_title}>{ cell(tool.total_ms, duration) }</td>
            <td class="num">{ cell(tool.wall_ms, duration) }</td>
            <td class="num">{ bytes(tool.output_bytes) }</td>
            <td>{ share.unwrap_or_else(|| cell(None::<u64>, grouped)) }</td>
            <td><span class="gaves">{ for gave }</span></td>
        </tr>
    }
}

fn foot(summary: &Summary, all: u64) -> Html {
    let total = &summary.total;
    let output: u64 = summary.tools.iter().map(|tool| tool.output_bytes).fold(0, u64::saturating_add);
    let is_timed = summary.tools.iter().any(|tool| tool.total_ms.is_some());
    html! {
        <tfoot>
            <tr>
                <th scope="row">{ count(summary.tools.len() as u64, "tool", "tools") }</th>
                <td />
                <td class="num">{ grouped(total.calls) }</td>
                <td class="num">{ grouped(total.failed_calls) }</td>
                <td class="num">{ grouped(total.green_but_failed) }</td>
                <td class="num">{ grouped(total.rejected_calls) }</td>
                <td /><td /><td />
                <td class="num">{ cell(is_timed.then_some(all), duration) }</td>
                <td class="num">{ cell(total.working_ms, duration) }</td>
                <td class="num">{ bytes(output) }</td>
                <td /><td />
            </tr>
        </tfoot>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_comes_last_whichever_way() {
        let tool = |name: &str, p50_ms| ToolSummary { name: name.to_owned(), p50_ms, ..ToolSummary::default() };
        let (a, b, c) = (tool("a", Some(1)), tool("b", None), tool("c", Some(3)));
        let names = |sort| {
            let mut tools = vec![&a, &b, &c];
            sorted(&mut tools, sort);
            tools.iter().map(|t| t.name.as_str()).collect::<String>()
        };
        assert_eq!(names(None), "abc");
        assert_eq!(names(Some((Some(4), true))), "cab");
        assert_eq!(names(Some((Some(4), false))), "acb");
        assert_eq!(names(Some((None, true))), "cba");
    }
}
