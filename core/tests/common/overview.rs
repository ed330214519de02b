//! What holds of the overview of every log.

use super::Opened;
use steplens_core::overview::{Axis, BIN, BINS, CUTS, MARKS, Overview, Stretch, WIDTH};
use steplens_core::summary::Summary;
use steplens_core::view::{Filter, Row};

/// The overview is bounded, nothing is missing in it, and a stretch of it holds the events that stand there.
#[track_caller]
pub(crate) fn holds(opened: &Opened<'_>, summary: &Summary) {
    let overview = opened.run.overview();
    axis_is_whole(&overview);
    let events = summary.events.values().sum::<u64>();
    let errors = summary.events.get("error").copied().unwrap_or(0);
    let in_lanes = overview.lanes.iter().map(|lane| lane.count).sum::<u64>();
    if overview.pieces.is_empty() {
        assert_eq!(events, 0);
        return;
    }
    let marked = overview.marks.iter().map(|mark| u64::from(mark.errors)).sum::<u64>();
    assert!(in_lanes + errors <= events + overview.unplaced && in_lanes + marked + overview.unplaced == events);
    for lane in &overview.lanes {
        assert_eq!(lane.blocks.iter().map(|block| u64::from(block.count)).sum::<u64>(), lane.count);
        assert!(lane.blocks.len() <= BINS as usize + 1);
        assert!(lane.blocks.iter().all(|block| block.from <= block.to && block.to <= WIDTH));
        assert!(lane.blocks.windows(2).all(|pair| pair[0].to + BIN <= pair[1].from));
    }
    assert!(overview.steps.len() <= BINS as usize + 1 && overview.waits.len() <= BINS as usize);
    assert!(overview.marks.len() <= MARKS as usize + 1 && overview.turns.len() <= MARKS as usize + 1);
    assert!(overview.pieces.len() <= 2 * CUTS + 1);
    if overview.axis == Axis::Time {
        let first = overview.pieces[0].from;
        assert!(overview.ends().is_some_and(|(from, to)| from == first && to > from));
    }
    stretches_hold_their_events(opened, &overview);
}

/// Pieces follow each other from 0 to the width; a value and its place lead to each other.
#[track_caller]
fn axis_is_whole(overview: &Overview) {
    let mut at = 0;
    let mut from = overview.pieces.first().map_or(0, |piece| piece.from);
    for piece in &overview.pieces {
        assert_eq!((piece.at, piece.from), (at, from), "{:?}", overview.pieces);
        assert!(piece.from < piece.to && piece.at <= piece.until, "{piece:?}");
        (at, from) = (piece.until, piece.to);
        assert_eq!(overview.place(piece.from), piece.at);
    }
    assert!(overview.pieces.is_empty() || at == WIDTH);
    let places: Vec<u32> = (0..=BINS).map(|bin| overview.place(overview.value(bin * BIN))).collect();
    assert!(places.windows(2).all(|pair| pair[0] <= pair[1]), "{places:?}");
}

/// Of two halves each event is in one at least, and in none that it does not touch.
#[track_caller]
fn stretches_hold_their_events(opened: &Opened<'_>, overview: &Overview) {
    let Some((from, to)) = overview.ends() else { return };
    let (run, axis) = (&opened.run, overview.axis);
    let middle = overview.value(WIDTH / 2);
    let all = run.view(&Filter::default());
    let mut expected = [0u64; 2];
    for row in run.window(&all, 0..all.len()).rows {
        let Row::Event(event) = row else { continue };
        let span = match axis {
            Axis::Time => event.span.map(|(from, to)| (from.0, to.0)),
            Axis::Order => Some((event.record.into(), event.record.into())),
        };
        let Some((start, end)) = span else { continue };
        expected[0] += u64::from(start < middle);
        expected[1] += u64::from(end > middle || start >= middle);
    }
    let halves = [Stretch { axis, from, to: middle }, Stretch { axis, from: middle, to: to + 1 }].map(|range| {
        let filter = Filter { range: Some(range), ..Filter::default() };
        let events = run.view(&filter).events();
        assert_eq!(run.filter_counts(&filter).all, events);
        events
    });
    assert_eq!(halves, expected);
}
