//! Sets of times: what lies in any of several intervals, and what one set leaves of another.

/// Intervals `[from, to)` in order, none empty, none touching the next.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Spans(Vec<(i64, i64)>);

impl Spans {
    /// All that lies in any of the intervals. One that ends before it starts, or at once, holds nothing.
    pub(crate) fn of(intervals: impl IntoIterator<Item = (i64, i64)>) -> Spans {
        let mut all: Vec<(i64, i64)> = intervals.into_iter().filter(|(from, to)| from < to).collect();
        all.sort_unstable();
        let mut out: Vec<(i64, i64)> = Vec::new();
        for (from, to) in all {
            match out.last_mut() {
                Some((_, until)) if from <= *until => *until = (*until).max(to),
                _ => out.push((from, to)),
            }
        }
        Spans(out)
    }

    /// What lies in this one and not in the other.
    pub(crate) fn without(&self, other: &Spans) -> Spans {
        let mut out = Vec::new();
        let mut cuts = other.0.iter().peekable();
        for (from, to) in &self.0 {
            let mut at = *from;
            while let Some((start, end)) = cuts.peek() {
                if *start >= *to {
                    break;
                }
                if at < *start {
                    out.push((at, *start));
                }
                at = at.max(*end);
                if *end > *to {
                    break;
                }
                cuts.next();
            }
            if at < *to {
                out.push((at, *to));
            }
        }
        Spans(out)
    }

    /// What lies in both.
    pub(crate) fn within(&self, other: &Spans) -> Spans {
        self.without(&self.without(other))
    }

    /// What lies in either.
    pub(crate) fn with(&self, other: &Spans) -> Spans {
        Spans::of(self.0.iter().chain(&other.0).copied())
    }

    /// How long they are together.
    pub(crate) fn length(&self) -> u64 {
        self.0.iter().map(|(from, to)| to.abs_diff(*from)).sum()
    }

    /// The intervals, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (i64, i64)> + '_ {
        self.0.iter().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn spans(list: &[(i64, i64)]) -> Spans {
        Spans::of(list.iter().copied())
    }

    #[test]
    fn what_is_left_is_cut_at_both_ends() {
        let all = spans(&[(0, 10), (20, 30), (40, 50)]);
        assert_eq!(all.without(&spans(&[(2, 4), (8, 22), (40, 50)])), spans(&[(0, 2), (4, 8), (22, 30)]));
        assert_eq!(all.without(&spans(&[(-5, 60)])), Spans::default());
        assert_eq!(all.within(&spans(&[(5, 25)])), spans(&[(5, 10), (20, 25)]));
        assert_eq!(spans(&[(3, 3), (5, 4), (1, 2), (2, 3)]), spans(&[(1, 3)]));
    }

    proptest! {
        #[test]
        fn as_a_count_by_units_says(
            one in prop::collection::vec((0i64..40, 0i64..9), 0..8),
            two in prop::collection::vec((0i64..40, 0i64..9), 0..8),
        ) {
            let set = |list: &[(i64, i64)]| Spans::of(list.iter().map(|(from, len)| (*from, from + len)));
            let (one, two) = (set(&one), set(&two));
            let has = |set: &Spans, unit: i64| set.iter().any(|(from, to)| from <= unit && unit < to);
            for unit in 0..50 {
                prop_assert_eq!(has(&one.without(&two), unit), has(&one, unit) && !has(&two, unit));
                prop_assert_eq!(has(&one.within(&two), unit), has(&one, unit) && has(&two, unit));
                prop_assert_eq!(has(&one.with(&two), unit), has(&one, unit) || has(&two, unit));
            }
            prop_assert_eq!(one.with(&two).length(), one.length() + two.without(&one).length());
        }
    }
}
