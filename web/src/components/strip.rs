//! The strip of a tool: one mark a call on the run's clock. Calls that lie closer than two pixels are one mark, the taller
//! the more it stands for; where one of them failed it is a triangle.
//!
//! All marks of a strip are two paths, so that the page stays small whatever the number of calls.

use std::fmt::Write as _;

use steplens_core::run::{Mark, Strip};
use web_sys::Element;
use yew::{Callback, Html, MouseEvent, TargetCast, html};

use crate::engine::protocol::Target;
use crate::text::number::{clock, count};

/// Bins of a strip.
pub const BINS: u32 = 90;
/// Pixels of a bin.
const BIN: u32 = 2;
/// With more failed marks than this their triangles would run into each other.
const DENSE: usize = BINS as usize / 4;
/// Height in pixels.
const HEIGHT: u32 = 18;

/// The strip of a tool; `go` hears which call a click means.
pub fn strip(strip: &Strip, duration_ms: u64, files: &[String], go: &Callback<Target>) -> Html {
    let at = |mark: &Mark| clock((u64::from(mark.bin) * duration_ms / u64::from(BINS)) as i64);
    let (calls, failed) = strip.marks.iter().fold((strip.timeless, 0), |(calls, failed), mark| {
        (calls + u64::from(mark.calls), failed + u64::from(mark.failed))
    });
    let mut label = count(calls, "call", "calls");
    if failed > 0 {
        let _ = write!(label, ", {failed} failed or rejected");
    }
    if let (Some(first), Some(last)) = (strip.marks.first(), strip.marks.last()) {
        let _ = write!(label, ", from {} to {}", at(first), at(last));
    }
    if strip.timeless > 0 {
        let _ = write!(label, "; {} without a time", strip.timeless);
    }
    let onclick = {
        let (marks, files, go) = (strip.marks.clone(), files.to_vec(), go.clone());
        move |event: MouseEvent| {
            event.stop_propagation();
            let Some(strip) = event.target_dyn_into::<Element>().and_then(|e| e.closest(".strip").ok().flatten())
            else {
                return;
            };
            let area = strip.get_bounding_client_rect();
            let share = (f64::from(event.client_x()) - area.left()) / area.width().max(1.0);
            let x = (share * f64::from(BINS)).floor() as i64;
            let nearest = marks.iter().min_by_key(|mark| i64::from(mark.bin).abs_diff(x));
            if let Some(mark) = nearest {
                let file = files.get(mark.file as usize).filter(|_| files.len() > 1).cloned();
                go.emit(Target::Line { file, line: mark.line });
            }
        }
    };
    let (fine, failed) = paths(&strip.marks);
    html! {
        <svg
            class="strip"
            role="img"
            aria-label={label}
            viewBox={format!("0 0 {} {HEIGHT}", BINS * BIN)}
            preserveAspectRatio="none"
            {onclick}
        >
            <path class="strip-base" d={format!("M0 {}.5h{}", HEIGHT - 3, BINS * BIN)} />
            <path class="strip-fine" d={fine} />
            <path class="strip-failed" d={failed} />
        </svg>
    }
}

/// Bars of the calls that went well, triangles where one failed.
fn paths(marks: &[Mark]) -> (String, String) {
    let (mut fine, mut failed) = (String::new(), String::new());
    let is_dense = marks.iter().filter(|mark| mark.failed > 0).count() > DENSE;
    let most = marks.iter().map(|mark| mark.calls).max().unwrap_or_default().max(1);
    for mark in marks {
        let x = mark.bin * BIN;
        if is_dense {
            // Triangles would be one saw: a bar as high as its calls are of the most, what failed of them at its foot.
            let part =
                |of: u32, whole: u32, high: u32| (u64::from(of) * u64::from(high) / u64::from(whole.max(1))) as u32;
            let height = 2 + part(mark.calls, most, HEIGHT - 6);
            let bad = if mark.failed > 0 { part(mark.failed, mark.calls, height).max(1) } else { 0 };
            let base = HEIGHT - 3;
            if bad > 0 {
                let _ = write!(failed, "M{x} {}h{BIN}v{bad}h-{BIN}z", base - bad);
            }
            if height > bad {
                let _ = write!(fine, "M{x} {}h{BIN}v{}h-{BIN}z", base - height, height - bad);
            }
            continue;
        }
        // 1, 2, 4, 8 … calls: a step higher each.
        let height = (5 + 2 * mark.calls.max(1).ilog2()).min(HEIGHT - 4);
        // Writing to a text does not fail.
        if mark.failed > 0 {
            let _ = write!(failed, "M{} {}h7l-3.5-7z", x as f32 + 1.0 - 3.5, HEIGHT - 3);
        }
        if mark.calls > mark.failed {
            let _ = write!(fine, "M{x} {}h{BIN}v{height}h-{BIN}z", HEIGHT - 3 - height);
        }
    }
    (fine, failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failed_calls_have_another_shape() {
        let mark = |bin, calls, failed| Mark { bin, calls, failed, ..Mark::default() };
        let (fine, failed) = paths(&[mark(0, 1, 0), mark(5, 4, 1), mark(9, 1, 1)]);
        assert_eq!(fine, "M0 10h2v5h-2zM10 6h2v9h-2z");
        assert_eq!(failed.matches('M').count(), 2);
    }

    #[test]
    fn many_failed_marks_are_bars_of_their_part() {
        let marks: Vec<Mark> = (0..23).map(|bin| Mark { bin, calls: 4, failed: 1, ..Mark::default() }).collect();
        let (fine, failed) = paths(&marks);
        assert_eq!(fine.split_inclusive('z').next(), Some("M0 1h2v11h-2z"));
        assert_eq!(failed.split_inclusive('z').next(), Some("M0 12h2v3h-2z"));
    }
}
