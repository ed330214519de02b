//! Ticks of the axis: at round values, as many as have room.

use steplens_core::overview::{Axis, Cut, Overview, WIDTH};

use crate::text::number::{clock, duration, grouped};

/// Pixels that a label and the room after it take.
const ROOM: f64 = 72.0;

/// Steps between ticks of time, in milliseconds.
const STEPS: [i64; 24] = [
    1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000,
    900_000, 1_800_000, 3_600_000, 10_800_000, 21_600_000,
];

/// A tick, or the label of a gap that is cut short.
#[derive(Debug, Clone, PartialEq)]
pub struct Tick {
    /// Where, in pixels.
    pub x: f64,
    /// Its text.
    pub text: String,
    /// A gap: its width in pixels.
    pub gap: Option<f64>,
}

/// The ticks of an axis that is so many pixels wide, counted from a start.
pub fn ticks(overview: &Overview, width: f64, start: i64) -> Vec<Tick> {
    let px = |units: u32| f64::from(units) * width / f64::from(WIDTH);
    let start = if overview.axis == Axis::Time { start } else { 0 };
    let scaled = || overview.pieces.iter().filter(|piece| piece.cut == Cut::None);
    let longest = scaled().max_by_key(|piece| piece.until - piece.at);
    let step = longest.map_or(1, |piece| {
        let per_px = (piece.to - piece.from) as f64 / px(piece.until - piece.at).max(1.0);
        round_step(overview.axis, per_px * ROOM)
    });
    let mut out: Vec<Tick> = Vec::new();
    let mut free = 0.0;
    for (index, piece) in overview.pieces.iter().enumerate() {
        // The label of a gap is centred on it, and wider than it.
        let before_gap = overview.pieces.get(index + 1).is_some_and(|next| next.cut != Cut::None);
        let room = if before_gap { ROOM } else { ROOM * 0.6 };
        let (x, end) = (px(piece.at), px(piece.until));
        if piece.cut != Cut::None {
            let text = duration(piece.from.abs_diff(piece.to));
            out.push(Tick { x, text, gap: Some(end - x) });
            free = end.max(x + 40.0);
            continue;
        }
        let mut value = start + (piece.from - start).div_euclid(step) * step;
        while value < piece.to {
            let x = px(overview.place(value));
            if value >= piece.from && x >= free && x + room <= end {
                out.push(Tick { x, text: label(overview.axis, value - start, step), gap: None });
                free = x + ROOM * 0.7;
            }
            value += step;
        }
    }
    out
}

fn round_step(axis: Axis, least: f64) -> i64 {
    let round = |n: i64| n as f64 >= least;
    match axis {
        Axis::Time => STEPS.into_iter().find(|n| round(*n)).unwrap_or_else(|| {
            let days = (least / 86_400_000.0).ceil().max(1.0);
            86_400_000 * days as i64
        }),
        Axis::Order => {
            let tens = 10_i64.pow((least.max(1.0)).log10().floor() as u32);
            [1, 2, 5, 10].into_iter().map(|n| n * tens).find(|n| round(*n)).unwrap_or(10 * tens)
        }
    }
}

/// A value as its axis says it.
pub fn label(axis: Axis, value: i64, step: i64) -> String {
    match axis {
        Axis::Order => grouped(value.unsigned_abs()),
        Axis::Time if step < 1_000 => {
            let sign = if value < 0 { "−" } else { "" };
            let ms = value.unsigned_abs();
            format!("{sign}{}.{:03} s", ms / 1_000, ms % 1_000)
        }
        Axis::Time => clock(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use steplens_core::overview::Piece;

    fn overview(axis: Axis, pieces: &[(i64, i64, u32, u32, Cut)]) -> Overview {
        let piece = |&(from, to, at, until, cut)| Piece { from, to, at, until, cut };
        Overview { axis, pieces: pieces.iter().map(piece).collect(), ..Overview::default() }
    }

    fn texts(overview: &Overview, width: f64) -> Vec<String> {
        ticks(overview, width, 5_000).into_iter().map(|tick| format!("{:.0} {}", tick.x, tick.text)).collect()
    }

    #[test]
    fn round_values_with_room_between_them() {
        let one = overview(Axis::Time, &[(5_000, 305_000, 0, WIDTH, Cut::None)]);
        assert_eq!(texts(&one, 400.0), ["0 0:00", "80 1:00", "160 2:00", "240 3:00", "320 4:00"]);
        assert_eq!(texts(&one, 100.0), ["0 0:00"]);
        let short = overview(Axis::Time, &[(5_000, 5_300, 0, WIDTH, Cut::None)]);
        assert_eq!(texts(&short, 300.0), ["0 0.000 s", "100 0.100 s", "200 0.200 s"]);
        let order = overview(Axis::Order, &[(0, 1_200, 0, WIDTH, Cut::None)]);
        assert_eq!(texts(&order, 480.0), ["0 0", "80 200", "160 400", "240 600", "320 800", "400 1,000"]);
    }

    #[test]
    fn a_gap_says_how_long_it_is() {
        let pieces = [
            (5_000, 65_000, 0, 39_200, Cut::None),
            (65_000, 3_665_000, 39_200, 40_800, Cut::Idle),
            (3_665_000, 3_725_000, 40_800, WIDTH, Cut::None),
        ];
        let ticks = texts(&overview(Axis::Time, &pieces), 800.0);
        assert_eq!(
            ticks,
            ["0 0:00", "98 0:15", "196 0:30", "294 0:45", "392 1h 00m", "506 1:01:15", "604 1:01:30", "702 1:01:45"]
        );
    }
}
