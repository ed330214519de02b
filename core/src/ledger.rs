//! The arithmetic of the tool ledger: percentiles, and the time in which at least one call ran.

/// Nearest-rank percentile of sorted values: the smallest that at least `percent` per cent of them do not exceed.
pub(crate) fn nearest_rank(sorted: &[u64], percent: u64) -> Option<u64> {
    let rank = (sorted.len() as u64 * percent).div_ceil(100).max(1);
    sorted.get(usize::try_from(rank).ok()? - 1).copied()
}

/// Length of the union of intervals, in their unit. `None` without any.
pub(crate) fn union_length(mut intervals: Vec<(i64, i64)>) -> Option<u64> {
    intervals.sort_unstable();
    let mut total = 0u64;
    let mut open: Option<(i64, i64)> = None;
    for (start, end) in intervals {
        match &mut open {
            Some((_, until)) if start <= *until => *until = (*until).max(end),
            _ => {
                total += open.map_or(0, |(from, until)| until.abs_diff(from));
                open = Some((start, end));
            }
        }
    }
    open.map(|(from, until)| total + until.abs_diff(from))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn percentiles_are_values_that_were_seen() {
        let ten: Vec<u64> = (1..=10).map(|n| n * 1000).collect();
        assert_eq!(
            (nearest_rank(&ten, 50), nearest_rank(&ten, 90), nearest_rank(&ten, 100)),
            (Some(5000), Some(9000), Some(10000))
        );
        assert_eq!(nearest_rank(&[3, 7], 50), Some(3));
        assert_eq!(nearest_rank(&[7], 1), Some(7));
        assert_eq!(nearest_rank(&[], 50), None);
    }

    #[test]
    fn time_that_overlaps_counts_once() {
        assert_eq!(union_length(vec![(2, 5), (1, 4)]), Some(4));
        assert_eq!(union_length(vec![(1, 2), (5, 9), (6, 7)]), Some(5));
        assert_eq!(union_length(vec![(3, 3)]), Some(0));
        assert_eq!(union_length(vec![]), None);
    }

    proptest! {
        #[test]
        fn the_union_is_what_a_count_by_units_gives(intervals in prop::collection::vec((0i64..40, 0i64..10), 1..12)) {
            let intervals: Vec<(i64, i64)> = intervals.into_iter().map(|(start, len)| (start, start + len)).collect();
            let units = (0..60).filter(|unit| intervals.iter().any(|(start, end)| start <= unit && unit < end)).count();
            prop_assert_eq!(union_length(intervals), Some(units as u64));
        }
    }
}
