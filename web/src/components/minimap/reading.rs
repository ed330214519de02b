//! What stands at a place of the overview, and the whole of it, in words.

use steplens_core::overview::{Axis, BIN, Block, Cut, Mark, Overview, StepBlock, Wait, Work};
use steplens_core::summary::Summary;

use super::ticks::label;
use crate::dom::clock;
use crate::text::number::{count, duration, grouped};

/// The word of a lane.
pub fn word(work: Work) -> &'static str {
    match work {
        Work::Text => "text",
        Work::Read => "read",
        Work::Write => "write",
        Work::Command => "command",
        Work::Agent => "agents",
        Work::Other => "unknown",
    }
}

/// What a lane holds.
pub fn what(work: Work) -> &'static str {
    match work {
        Work::Text => "Text, reasoning and prompts",
        Work::Read => "Reads, searches and listings",
        Work::Write => "Writes and edits",
        Work::Command => "Commands",
        Work::Agent => "Subagents and skills",
        Work::Other => "Calls and records that no rule reads",
    }
}

/// A value of the axis as rows say it.
pub fn moment(overview: &Overview, value: i64, start: i64) -> String {
    match overview.axis {
        Axis::Time => label(Axis::Time, value - start, 1_000),
        Axis::Order => format!("record {}", grouped(value.max(0).unsigned_abs() + 1)),
    }
}

/// From one value to another, as the chip of the range says it.
pub fn stretch(axis: Axis, from: i64, to: i64, start: i64) -> String {
    match axis {
        Axis::Time if (to - from) < 1_000 => {
            format!("{}–{}", label(axis, from - start, 1), label(axis, to - start, 1))
        }
        Axis::Time => format!("{}–{}", label(axis, from - start, 1_000), label(axis, to - start, 1_000)),
        Axis::Order => format!("records {}–{}", grouped(from.unsigned_abs() + 1), grouped(to.unsigned_abs())),
    }
}

/// What stands at a place: the time first, then a line a thing.
pub fn at(overview: &Overview, place: u32, start: i64) -> Vec<String> {
    let value = overview.value(place);
    let mut lines = vec![match overview.axis {
        Axis::Time => format!("{} · {}", moment(overview, value, start), clock::full(value)),
        Axis::Order => moment(overview, value, start),
    }];
    let gap = overview.pieces.iter().find(|piece| piece.cut != Cut::None && piece.at <= place && place < piece.until);
    if let Some(gap) = gap {
        let long = duration(gap.from.abs_diff(gap.to));
        lines.push(match gap.cut {
            Cut::Idle => format!("idle for {long}, drawn short"),
            Cut::Unknown | Cut::None => format!("model or waiting for {long}, drawn short: the log cannot tell"),
        });
    } else if let Some(wait) = overview.waits.iter().find(|wait| wait.from <= place && place < wait.to) {
        lines.push(of_wait(wait));
    }
    if let Some(step) = nearest(&overview.steps, place, |step| (step.from, step.to)) {
        lines.push(of_step(step));
    }
    for lane in &overview.lanes {
        if let Some(block) = nearest(&lane.blocks, place, |block: &Block| (block.from, block.to)) {
            lines.push(format!("{}: {}", word(lane.work), count(block.count.into(), "event", "events")));
        }
    }
    if let Some(ask) = nearest(&overview.asks, place, |ask| (ask.from, ask.to)) {
        let more = if ask.count > 1 { format!(" and {} more", ask.count - 1) } else { String::new() };
        let wait = ask.wait_ms.map(|ms| format!(", waited {}", duration(ms))).unwrap_or_default();
        lines.push(format!("asked {}{more}: {}{wait}", ask.what, ask.outcome));
    }
    if let Some(mark) = overview.marks.iter().find(|mark| mark.at.abs_diff(place) <= 3 * BIN) {
        lines.push(of_mark(mark));
    }
    lines
}

/// The block at a place, or one that is less than a bin away.
fn nearest<T>(blocks: &[T], place: u32, ends: impl Fn(&T) -> (u32, u32)) -> Option<&T> {
    let near = blocks.iter().filter_map(|block| {
        let (from, to) = ends(block);
        let away = if place < from { from - place } else { place.saturating_sub(to) };
        (away <= BIN).then_some((away, block))
    });
    near.min_by_key(|(away, _)| *away).map(|(_, block)| block)
}

fn of_wait(wait: &Wait) -> String {
    let long = duration(wait.ms);
    if wait.is_known {
        format!("waiting for an answer, {long}")
    } else {
        format!("model or waiting, {long}: the log cannot tell")
    }
}

fn of_step(step: &StepBlock) -> String {
    let mut text = match step.count {
        1 => format!("step {}", grouped(step.number)),
        n => format!("step {} and {} more", grouped(step.number), grouped(u64::from(n) - 1)),
    };
    if let Some(tokens) = step.tokens.total {
        let most = if step.count > 1 { "up to " } else { "" };
        text.push_str(&format!(" · {most}{}", count(tokens, "token", "tokens")));
    }
    if step.failed > 0 {
        text.push_str(&format!(" · {} failed or rejected", grouped(step.failed)));
    }
    text
}

/// What a mark stands for.
pub fn of_mark(mark: &Mark) -> String {
    let parts = [
        (mark.errors, "error", "errors"),
        (mark.failed, "failed call", "failed calls"),
        (mark.green, "green but failed", "green but failed"),
        (mark.rejected, "rejected call", "rejected calls"),
    ];
    let parts = parts.into_iter().filter(|(n, ..)| *n > 0).map(|(n, one, many)| count(n.into(), one, many));
    parts.collect::<Vec<_>>().join(", ")
}

/// The whole overview, for those who cannot see it.
pub fn whole(overview: &Overview, summary: &Summary) -> String {
    let total = &summary.total;
    let mut text = format!("{} in ", count(summary.events.values().sum(), "event", "events"));
    text.push_str(&count(total.steps, "step", "steps"));
    if let Some(ms) = total.duration_ms {
        text.push_str(&format!(" over {}", duration(ms)));
    }
    for lane in &overview.lanes {
        text.push_str(&format!("; {} {}", grouped(lane.count), word(lane.work)));
    }
    let sum = overview.marks.iter().fold(Mark::default(), |sum, mark| Mark {
        at: 0,
        errors: sum.errors + mark.errors,
        failed: sum.failed + mark.failed,
        green: sum.green + mark.green,
        rejected: sum.rejected + mark.rejected,
    });
    let wrong = of_mark(&sum);
    text.push_str(&format!("; {}", if wrong.is_empty() { "nothing failed".to_owned() } else { wrong }));
    for piece in overview.pieces.iter().filter(|piece| piece.cut != Cut::None) {
        let what = if piece.cut == Cut::Idle { "idle" } else { "unexplained" };
        text.push_str(&format!("; {what} for {}", duration(piece.from.abs_diff(piece.to))));
    }
    if let Some(wait) = overview.waits.iter().max_by_key(|wait| wait.ms) {
        text.push_str(&format!("; longest: {}", of_wait(wait)));
    }
    text.push('.');
    text
}
