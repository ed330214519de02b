//! The picture itself: everything that does not move, as SVG in pixels, so that no text or mark is stretched.

use std::fmt::Write as _;

use steplens_core::overview::{Cut, Mark, Overview, StepBlock, WIDTH, Work};
use yew::{Html, Properties, component, html};

use super::reading::word;
use super::ticks::ticks;
use crate::components::tokens::CLASSES;
use crate::state::shared::Shared;
use crate::text::number::duration;

/// Height of the row of ticks.
pub const AXIS: f64 = 14.0;
/// Height of the row of marks.
pub const MARKS: f64 = 11.0;
/// Height of the row of steps.
const STEPS: f64 = 9.0;
/// Height of the bars of tokens.
const TOKENS: f64 = 20.0;
/// The narrowest block.
const NARROW: f64 = 1.5;
/// Half of a mark's width.
const HALF: f64 = 4.6;

/// Distance from lane to lane: less where the window is narrow.
pub fn pitch(width: f64) -> f64 {
    if width < 600.0 { 7.0 } else { 10.0 }
}

/// Where the lanes begin.
pub const LANES: f64 = AXIS + MARKS + STEPS + 2.0;

/// Lanes, that of the requests to a person among them.
fn rows(overview: &Overview) -> f64 {
    overview.lanes.len() as f64 + if overview.asks.is_empty() { 0.0 } else { 1.0 }
}

/// Height of the whole picture.
pub fn height(overview: &Overview, width: f64) -> f64 {
    LANES + rows(overview) * pitch(width) + TOKENS + 4.0
}

/// What was pointed at, by its height.
pub fn pointed(overview: &Overview, width: f64, y: f64) -> (Option<Work>, bool) {
    if (AXIS..AXIS + MARKS).contains(&y) {
        return (None, !overview.marks.is_empty());
    }
    let lane = ((y - LANES) / pitch(width)).floor();
    let lane = if lane < 0.0 { None } else { overview.lanes.get(lane as usize) };
    (lane.map(|lane| lane.work), false)
}

/// What the picture shows.
#[derive(Debug, PartialEq, Properties)]
pub struct PictureProps {
    /// The overview.
    pub overview: Shared<Overview>,
    /// Its width in pixels.
    pub width: f64,
    /// Start of the run, milliseconds since the epoch.
    pub start: i64,
}

/// The picture.
#[component]
pub fn Picture(props: &PictureProps) -> Html {
    let (overview, width) = (&*props.overview, props.width);
    let px = |units: u32| f64::from(units) * width / f64::from(WIDTH);
    let (pitch, height) = (pitch(width), height(overview, width));
    let lanes_end = LANES + rows(overview) * pitch;
    let rect = |path: &mut String, from: f64, to: f64, y: f64, high: f64| {
        let wide = (to - from).max(NARROW);
        // Writing to a text does not fail.
        let _ = write!(path, "M{from:.1} {y:.1}h{wide:.1}v{high:.1}h-{wide:.1}z");
    };
    let (mut asks, mut open) = (String::new(), String::new());
    for ask in &overview.asks {
        let path = if ask.open > 0 { &mut open } else { &mut asks };
        // One without an answer has no end that is known; at the edge it still has to be seen whole.
        let from = if ask.open > 0 { px(ask.from).min(width - pitch) } else { px(ask.from) };
        let to = if ask.open > 0 { from + pitch - 3.0 } else { px(ask.to) };
        rect(path, from, to.max(from + 2.5), lanes_end - pitch + 1.0, pitch - 3.0);
    }
    let (mut unknown, mut known) = (String::new(), String::new());
    for wait in &overview.waits {
        let path = if wait.is_known { &mut known } else { &mut unknown };
        rect(path, px(wait.from), px(wait.to), AXIS + MARKS, lanes_end - AXIS - MARKS);
    }
    let words = overview.waits.iter().filter(|wait| !wait.is_known).filter_map(|wait| {
        let text = format!("model or waiting {}", duration(wait.ms));
        let room = px(wait.to) - px(wait.from);
        // Nothing ran here, so the words stand over no lane.
        (room > 10.0 + 5.6 * text.len() as f64).then(|| {
            html! { <text class="mm-word" x={format!("{:.1}", px(wait.from) + room / 2.0)} y={format!("{:.1}", (LANES + lanes_end) / 2.0 + 3.0)} text-anchor="middle">{ text }</text> }
        })
    });
    let lanes = overview.lanes.iter().enumerate().map(|(row, lane)| {
        let mut path = String::new();
        let y = LANES + row as f64 * pitch;
        lane.blocks.iter().for_each(|block| rect(&mut path, px(block.from), px(block.to), y + 1.0, pitch - 3.0));
        html! { <path class={format!("mm-lane mm-{}", word(lane.work))} d={path} /> }
    });
    let (mut good, mut bad) = (String::new(), String::new());
    for step in &overview.steps {
        let path = if step.failed > 0 { &mut bad } else { &mut good };
        // A hair between two steps.
        let end = (px(step.to) - 1.0).max(px(step.from));
        rect(path, px(step.from), end, AXIS + MARKS, STEPS - 2.0);
    }
    let base = height - 2.0;
    let bars = bars(overview, &px, base);
    let ticks = ticks(overview, width, props.start).into_iter().map(|tick| {
        let x = format!("{:.1}", tick.x);
        match tick.gap {
            None => html! {
                <>
                    <line class="mm-tick" x1={x.clone()} x2={x} y1="2" y2={format!("{base:.1}")} />
                    <text class="mm-time" x={format!("{:.1}", tick.x + 3.0)} y="10">{ tick.text }</text>
                </>
            },
            Some(wide) => html! {
                <>
                    <rect class="mm-cut" {x} y={AXIS.to_string()} width={format!("{wide:.1}")} height={format!("{:.1}", base - AXIS)} />
                    <text class="mm-time mm-long" x={format!("{:.1}", tick.x + wide / 2.0)} y="10" text-anchor="middle">{ format!("// {}", tick.text) }</text>
                </>
            },
        }
    });
    let turns = overview.turns.iter().map(|turn| {
        let x = px(turn.at);
        html! { <path class="mm-turn" d={format!("M{x:.1} {AXIS}v{:.1}M{x:.1} {AXIS}h5", base - AXIS)} /> }
    });
    html! {
        <svg
            class="mm-picture"
            width={format!("{width:.0}")}
            height={format!("{height:.0}")}
            viewBox={format!("0 0 {width:.0} {height:.0}")}
            aria-hidden="true"
        >
            <defs>
                <pattern id="mm-hatch" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
                    <path class="mm-hatch" d="M0 0v5" />
                </pattern>
            </defs>
            <path class="mm-wait" d={unknown} />
            <path class="mm-wait is-known" d={known} />
            { for ticks }
            { for turns }
            <path class="mm-step" d={good} />
            <path class="mm-step is-bad" d={bad} />
            { for lanes }
            <path class="mm-ask" d={asks} />
            <path class="mm-ask-open" d={open} />
            { for words }
            { for bars }
            <path class="mm-base" d={format!("M0 {:.1}h{width:.1}", base + 0.5)} />
            { for marks(&overview.marks, &px, width) }
        </svg>
    }
}

/// Tokens per step, stacked by class, as high as they are of the most.
fn bars(overview: &Overview, px: &impl Fn(u32) -> f64, base: f64) -> Vec<Html> {
    let mut paths = CLASSES.map(|_| String::new());
    let scale = (TOKENS - 2.0) / overview.max_tokens.max(1) as f64;
    let ends = |step: &StepBlock, next: Option<&StepBlock>| {
        let (from, to) = (px(step.from), px(step.to));
        // One without a length is as wide as there is room for, up to a few pixels.
        let room = next.map_or(6.0, |next| (px(next.from) - from - 0.5).clamp(NARROW, 6.0));
        (from, (to - 1.0).max(from + room).min(px(WIDTH)).max(from))
    };
    for (index, step) in overview.steps.iter().enumerate() {
        let (from, to) = ends(step, overview.steps.get(index + 1));
        let mut top = base;
        for (path, class) in paths.iter_mut().zip(CLASSES) {
            let high = (class.of)(&step.tokens).unwrap_or(0) as f64 * scale;
            if high > 0.0 {
                top -= high;
                let _ = write!(path, "M{from:.1} {top:.2}h{:.1}v{high:.2}H{from:.1}z", to - from);
            }
        }
    }
    let bar = |(path, class): (String, crate::components::tokens::Class)| {
        html! { <path class={format!("mm-bar mm-{}", class.style)} d={path} /> }
    };
    paths.into_iter().zip(CLASSES).map(bar).collect()
}

/// The marks, each whole within the picture. Of equal ones that would lie over each other the first stands for all.
fn marks(marks: &[Mark], px: &impl Fn(u32) -> f64, width: f64) -> Vec<Html> {
    let mut last: Option<(u8, f64)> = None;
    let mut drawn = Vec::new();
    for mark in marks {
        let x = px(mark.at).clamp(HALF, (width - HALF).max(HALF));
        let rank = rank(mark);
        if last.is_some_and(|(before, at)| before == rank && x - at < HALF) {
            continue;
        }
        last = Some((rank, x));
        drawn.push(shape(mark, x));
    }
    drawn
}

/// Which of its faults a mark shows: the worst.
fn rank(mark: &Mark) -> u8 {
    [mark.errors, mark.failed, mark.green, 1].iter().position(|n| *n > 0).map_or(3, |place| place as u8)
}

/// The shape of a mark: a diamond for an error, a filled triangle for a failed call, a hollow one for a green one, a
/// ring with a stroke for a rejected one. Of several the worst is drawn.
pub fn shape(mark: &Mark, x: f64) -> Html {
    let y = AXIS + MARKS / 2.0;
    let (class, path) = if mark.errors > 0 {
        ("mm-error", format!("M{x:.1} {:.1}l4.6 4.6l-4.6 4.6l-4.6 -4.6z", y - 4.6))
    } else if mark.failed > 0 {
        ("mm-failed", format!("M{x:.1} {:.1}l4.4 7.6h-8.8z", y - 4.0))
    } else if mark.green > 0 {
        ("mm-green", format!("M{x:.1} {:.1}l3.8 6.6h-7.6z", y - 3.4))
    } else {
        (
            "mm-rejected",
            format!(
                "M{:.1} {y:.1}a3.6 3.6 0 1 0 7.2 0a3.6 3.6 0 1 0 -7.2 0M{:.1} {:.1}l5 5",
                x - 3.6,
                x - 2.5,
                y - 2.5
            ),
        )
    };
    html! { <path class={format!("mm-mark {class}")} d={path} /> }
}

/// Whether a piece of the axis is cut short.
pub fn has_cut(overview: &Overview) -> bool {
    overview.pieces.iter().any(|piece| piece.cut != Cut::None)
}
