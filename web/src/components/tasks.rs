//! The agent's list of tasks: how it went on, and how it stands.

use steplens_core::ask::TimeFrom;
use steplens_core::todo::{TodoPoint, TodoSummary};
use yew::{Html, html};

use super::popover::Popover;
use super::shown::shown;
use super::todo::todo;
use crate::dom::clock;
use crate::engine::protocol::Target;
use crate::hooks::context::Act;
use crate::state::reducer::Action;
use crate::text::number::{count, grouped};

/// Height of the strip.
const HIGH: f64 = 44.0;
/// Its width.
const WIDE: f64 = 320.0;
/// Width of a column at most.
const WIDEST: f64 = 28.0;

/// A button with how many tasks are done, over what became of them; nothing where the log has none.
pub fn tasks(lists: &[TodoSummary], act: &Act) -> Html {
    let last = |list: &TodoSummary| list.points.last().cloned().unwrap_or_default();
    let (done, total) = lists
        .iter()
        .map(last)
        .fold((0, 0), |(done, total), point| (done + point.completed, total + point.total() - point.cancelled));
    if lists.is_empty() {
        return Html::default();
    }
    let face = html! { <>{ "Tasks " }<span class="n">{ format!("{}/{}", grouped(done), grouped(total)) }</span></> };
    let several = lists.len() > 1;
    html! {
        <Popover {face} label="Tasks" class="f" title="The agent's list of tasks, and how it went on">
            { for lists.iter().map(|list| of_session(list, several, act)) }
        </Popover>
    }
}

fn of_session(list: &TodoSummary, several: bool, act: &Act) -> Html {
    let points = list.points.iter().rev().take(8).map(|point| {
        let line = point.line;
        let onclick = act.on(move |_: yew::MouseEvent| Action::Jump(Target::Line { file: None, line }));
        let from = point.at_from.and_then(TimeFrom::note).map(|note| format!(" ({note})")).unwrap_or_default();
        let when = point.at.as_deref().and_then(clock::parse).map(|ms| format!(" · {}{from}", clock::full(ms)));
        html! {
            <li>
                <button type="button" class="link" {onclick}>{ format!("line {}", grouped(line)) }</button>
                { format!(" {} of {} done", grouped(point.completed), grouped(point.total() - point.cancelled)) }
                <span class="muted">{ when.unwrap_or_default() }</span>
            </li>
        }
    });
    html! {
        <section class="tasks">
            if several {
                <h2>{ list.session.as_deref().map(|id| shown(id, &[])).unwrap_or_else(|| html! { { "Session without an id" } }) }</h2>
            } else {
                <h2>{ "Tasks" }</h2>
            }
            { strip(list) }
            <ul class="plain todos" aria-label="Todo list">{ for list.items.iter().map(|item| todo(&item.status, &item.content, None)) }</ul>
            <h2>{ count(list.changes, "change", "changes") }</h2>
            <ul class="plain task-points">{ for points }</ul>
        </section>
    }
}

/// A column a point: done below, then what is worked on, then what is to come.
fn strip(list: &TodoSummary) -> Html {
    let most = list.points.iter().map(TodoPoint::total).max().unwrap_or(0).max(1) as f64;
    let wide = (WIDE / list.points.len().max(1) as f64).min(WIDEST);
    let columns = (0u32..).zip(&list.points).map(|(n, point)| {
        let (x, gap) = (f64::from(n) * wide, if wide > 4.0 { 1.0 } else { 0.0 });
        let mut base = HIGH;
        let parts = [("t-done", point.completed), ("t-now", point.in_progress), ("t-next", point.pending)];
        let rects = parts.map(|(class, n)| {
            let high = n as f64 / most * HIGH;
            base -= high;
            html! { <rect {class} x={format!("{x:.1}")} y={format!("{base:.1}")} width={format!("{:.1}", wide - gap)} height={format!("{high:.1}")} /> }
        });
        html! { <>{ for rects }</> }
    });
    let last = list.points.last().cloned().unwrap_or_default();
    let label = format!(
        "Tasks over {}: at the end {} done, {} in progress, {} to come",
        count(list.changes, "change", "changes"),
        last.completed,
        last.in_progress,
        last.pending
    );
    html! {
        <svg class="task-strip" viewBox={format!("0 0 {WIDE} {HIGH}")} preserveAspectRatio="none" role="img" aria-label={label}>
            { for columns }
        </svg>
    }
}
