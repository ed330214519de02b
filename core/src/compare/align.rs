//! Alignment of two sequences of steps by what they did.
//!
//! What two steps have in common is worth up to 100: 100 where they made the same calls, in any order; 25 for a call that
//! has only its tool in common with one of the other; 20 where neither called anything; 0 where one did. The alignment
//! is the one that is worth the most in all (Needleman and Wunsch, with no price for a gap), and never crosses.
//!
//! It is bounded: equal steps at both ends are paired first; what is left is aligned in full up to [`CELLS`] pairs of
//! steps. Beyond that, steps that stand once on either side and are equal (in the longest chain that does not cross) are
//! fixed, and what lies between them is aligned by itself; where that is still too much, in blocks of equal share.

use crate::order::Order;
use std::cmp::Ordering;
use std::collections::HashMap;
use std::ops::Range;

/// How many pairs of steps are weighed at once at most.
const CELLS: usize = 1_000_000;

/// What a step did: sorted keys of its calls, and of their tools.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Did {
    pub(super) calls: Vec<u64>,
    pub(super) tools: Vec<u64>,
}

/// How many values two sorted lists have in common, each as often as both have it.
pub(super) fn common(a: &[u64], b: &[u64]) -> u64 {
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    let mut count = 0;
    while let (Some(x), Some(y)) = (a.peek(), b.peek()) {
        match x.cmp(y) {
            Ordering::Less => drop(a.next()),
            Ordering::Greater => drop(b.next()),
            Ordering::Equal => {
                count += 1;
                a.next();
                b.next();
            }
        }
    }
    count
}

/// What two steps are worth as a pair.
fn worth(a: &Did, b: &Did) -> u32 {
    match a.calls.len().max(b.calls.len()) as u64 {
        0 => 20,
        most => {
            let same = common(&a.calls, &b.calls);
            let tools = common(&a.tools, &b.tools).saturating_sub(same);
            u32::try_from((same * 100 + tools * 25) / most).unwrap_or(100)
        }
    }
}

/// A pair of steps, or one step that has no other, by their places.
pub(super) type Pair = (Option<usize>, Option<usize>);

/// Aligns two sequences of steps. Of several that are worth the same, the one that pairs early.
pub(super) fn align(a: &[Did], b: &[Did]) -> Vec<Pair> {
    align_within(a, b, CELLS)
}

fn align_within(a: &[Did], b: &[Did], cells: usize) -> Vec<Pair> {
    let mut pairs = Vec::with_capacity(a.len().max(b.len()));
    let mut aligner = Aligner { a, b, cells, pairs: &mut pairs };
    aligner.range(0..a.len(), 0..b.len(), true);
    pairs
}

struct Aligner<'x> {
    a: &'x [Did],
    b: &'x [Did],
    cells: usize,
    pairs: &'x mut Vec<Pair>,
}

impl Aligner<'_> {
    fn range(&mut self, mut a: Range<usize>, mut b: Range<usize>, may_anchor: bool) {
        while !a.is_empty() && !b.is_empty() && self.a.get(a.start) == self.b.get(b.start) {
            self.pairs.push((Some(a.start), Some(b.start)));
            (a.start, b.start) = (a.start + 1, b.start + 1);
        }
        let mut tail = Vec::new();
        while !a.is_empty() && !b.is_empty() && self.a.get(a.end - 1) == self.b.get(b.end - 1) {
            (a.end, b.end) = (a.end - 1, b.end - 1);
            tail.push((Some(a.end), Some(b.end)));
        }
        if a.len().saturating_mul(b.len()) <= self.cells {
            self.weigh(a, b);
        } else {
            let anchors = if may_anchor { self.anchors(a.clone(), b.clone()) } else { Vec::new() };
            if anchors.is_empty() { self.blocks(a, b) } else { self.between(a, b, &anchors) }
        }
        self.pairs.extend(tail.into_iter().rev());
    }

    fn between(&mut self, a: Range<usize>, b: Range<usize>, anchors: &[(usize, usize)]) {
        let (mut a_at, mut b_at) = (a.start, b.start);
        for (a_fixed, b_fixed) in anchors {
            self.range(a_at..*a_fixed, b_at..*b_fixed, true);
            self.pairs.push((Some(*a_fixed), Some(*b_fixed)));
            (a_at, b_at) = (a_fixed + 1, b_fixed + 1);
        }
        // Behind the last anchor there is none left: each is there once.
        self.range(a_at..a.end, b_at..b.end, false);
    }

    /// Cuts both ranges into as many pieces, small enough to be weighed.
    fn blocks(&mut self, a: Range<usize>, b: Range<usize>) {
        let most = a.len().max(b.len());
        let side = self.cells.isqrt().max(1);
        let pieces = most.div_ceil(side).max(1);
        let cut = |range: &Range<usize>, n: usize| range.start + range.len() * n / pieces;
        for n in 0..pieces {
            self.weigh(cut(&a, n)..cut(&a, n + 1), cut(&b, n)..cut(&b, n + 1));
        }
    }

    /// Equal steps that stand once on either side, in the longest chain that does not cross.
    fn anchors(&self, a: Range<usize>, b: Range<usize>) -> Vec<(usize, usize)> {
        let once = |steps: &'_ [Did], range: Range<usize>| {
            let mut places: HashMap<Vec<u64>, Option<usize>> = HashMap::new();
            for place in range {
                let Some(did) = steps.get(place).filter(|did| !did.calls.is_empty()) else { continue };
                places.entry(did.calls.clone()).and_modify(|place| *place = None).or_insert(Some(place));
            }
            places
        };
        let of_b = once(self.b, b);
        let of_a = once(self.a, a);
        let mut both: Vec<(usize, usize)> =
            of_a.iter().filter_map(|(calls, place)| Some(((*place)?, (*of_b.get(calls)?)?))).collect();
        both.order();
        longest_rising(&both)
    }

    /// The alignment that is worth the most.
    fn weigh(&mut self, a: Range<usize>, b: Range<usize>) {
        let (rows, columns) = (a.len(), b.len());
        let width = columns + 1;
        // From the ends to the starts, so that the way can be walked from the front.
        let mut ways = vec![Way::End; (rows + 1) * width];
        let mut below = vec![0u32; width];
        let mut here = vec![0u32; width];
        for row in (0..=rows).rev() {
            for column in (0..=columns).rev() {
                let value = |list: &[u32], at: usize| list.get(at).copied().unwrap_or(0);
                let best = match (row == rows, column == columns) {
                    (true, true) => (0, Way::End),
                    (true, false) => (0, Way::OnlyB),
                    (false, true) => (0, Way::OnlyA),
                    (false, false) => {
                        let pair = match (self.a.get(a.start + row), self.b.get(b.start + column)) {
                            (Some(a), Some(b)) => worth(a, b),
                            _ => 0,
                        };
                        let (skip_a, skip_b) = (value(&below, column), value(&here, column + 1));
                        let both = value(&below, column + 1) + pair;
                        if pair > 0 && both >= skip_a.max(skip_b) {
                            (both, Way::Both)
                        } else if skip_a >= skip_b {
                            (skip_a, Way::OnlyA)
                        } else {
                            (skip_b, Way::OnlyB)
                        }
                    }
                };
                if let (Some(here), Some(way)) = (here.get_mut(column), ways.get_mut(row * width + column)) {
                    (*here, *way) = best;
                }
            }
            std::mem::swap(&mut below, &mut here);
        }
        let (mut row, mut column) = (0, 0);
        while let Some(way) = ways.get(row * width + column) {
            let (in_a, in_b) = match way {
                Way::Both => (true, true),
                Way::OnlyA => (true, false),
                Way::OnlyB => (false, true),
                Way::End => break,
            };
            self.pairs.push((in_a.then_some(a.start + row), in_b.then_some(b.start + column)));
            row += usize::from(in_a);
            column += usize::from(in_b);
        }
    }
}

#[derive(Debug, Clone, Copy)]
enum Way {
    End,
    Both,
    OnlyA,
    OnlyB,
}

/// The longest chain of pairs, sorted by their first place, whose second places rise too.
fn longest_rising(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // The index of the last pair of the best chain of each length, and the one before each.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = vec![None; pairs.len()];
    let second = |at: &usize| pairs.get(*at).map_or(0, |pair| pair.1);
    for at in 0..pairs.len() {
        let len = ends.partition_point(|end| second(end) < second(&at));
        if let Some(link) = before.get_mut(at) {
            *link = len.checked_sub(1).and_then(|len| ends.get(len).copied());
        }
        match ends.get_mut(len) {
            Some(end) => *end = at,
            None => ends.push(at),
        }
    }
    let mut chain = Vec::new();
    let mut at = ends.last().copied();
    while let Some(index) = at {
        chain.extend(pairs.get(index));
        at = before.get(index).copied().flatten();
    }
    chain.reverse();
    chain
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Steps of calls `tool argument`: `r1` reads 1; a step without calls is `-`.
    fn steps(text: &str) -> Vec<Did> {
        let step = |word: &str| {
            let calls: Vec<&str> = word.split('+').filter(|call| *call != "-").collect();
            let key = |call: &str| crate::json::fingerprint_of_bytes(call.as_bytes()).0;
            let mut did = Did {
                calls: calls.iter().map(|call| key(call)).collect(),
                tools: calls.iter().map(|call| key(&call[..1])).collect(),
            };
            did.calls.sort_unstable();
            did.tools.sort_unstable();
            did
        };
        text.split_whitespace().map(step).collect()
    }

    fn shown(pairs: &[Pair]) -> String {
        let side = |place: Option<usize>| place.map_or("-".to_owned(), |place| place.to_string());
        pairs.iter().map(|(a, b)| format!("{}:{}", side(*a), side(*b))).collect::<Vec<_>>().join(" ")
    }

    fn check(a: &str, b: &str, expected: &str) {
        assert_eq!(shown(&align(&steps(a), &steps(b))), expected);
    }

    #[test]
    fn steps_that_did_the_same_stand_side_by_side() {
        check("r1 r2 w1 -", "r1 r2 w1 -", "0:0 1:1 2:2 3:3");
        check("r1 w1 -", "r1 g1 w1 -", "0:0 -:1 1:2 2:3");
        check("g1+r1 w1", "r1+g1 w1", "0:0 1:1");
    }

    #[test]
    fn another_argument_is_nearer_than_another_tool() {
        check("r1 w1", "r2 w1", "0:0 1:1");
        check("r1", "w1", "0:- -:0");
        check("-", "r1", "0:- -:0");
        // One call in common of two outweighs the tool alone.
        check("r1+g1", "r2 r1", "-:0 0:1");
    }

    #[test]
    fn nothing_against_something() {
        check("", "", "");
        check("", "r1 -", "-:0 -:1");
        check("r1 -", "", "0:- 1:-");
    }

    #[test]
    fn the_longest_chain_does_not_cross() {
        assert_eq!(longest_rising(&[(0, 5), (1, 1), (2, 2), (3, 9), (4, 3)]), [(1, 1), (2, 2), (4, 3)]);
    }

    #[test]
    fn long_runs_are_aligned_too() {
        // 3,000 steps that differ at every place but the one in ten that both have.
        let run = |tool: char| (0..3000).map(move |n| if n % 10 == 0 { format!("r{n}") } else { format!("{tool}{n}") });
        let (a, b) = (run('x').collect::<Vec<_>>().join(" "), run('y').collect::<Vec<_>>().join(" "));
        let pairs = align(&steps(&a), &steps(&b));
        assert_eq!(pairs.iter().filter(|(a, b)| a.is_some() && a == b).count(), 300);
        // Without anything that stands once: in blocks.
        let (a, b) = ("x1 x2 ".repeat(1000), "x2 x1 x1 ".repeat(1000));
        let pairs = align(&steps(&a), &steps(&b));
        assert_eq!(pairs.iter().filter(|(a, _)| a.is_some()).count(), 2000);
    }

    fn words() -> impl Strategy<Value = Vec<Did>> {
        let call = (0u64..3, 0u64..4);
        let step = prop::collection::vec(call, 0..3).prop_map(|calls| {
            let mut did = Did {
                calls: calls.iter().map(|(tool, argument)| tool * 100 + argument).collect(),
                tools: calls.iter().map(|(tool, _)| *tool).collect(),
            };
            did.calls.sort_unstable();
            did.tools.sort_unstable();
            did
        });
        prop::collection::vec(step, 0..12)
    }

    /// The best worth, by trying everything.
    fn best(a: &[Did], b: &[Did]) -> u32 {
        match (a.split_first(), b.split_first()) {
            (Some((x, a_rest)), Some((y, b_rest))) => {
                (worth(x, y) + best(a_rest, b_rest)).max(best(a_rest, b)).max(best(a, b_rest))
            }
            _ => 0,
        }
    }

    proptest! {
        #[test]
        fn every_step_once_and_in_order(a in words(), b in words(), cells in 1usize..60) {
            let pairs = align_within(&a, &b, cells);
            let of_a: Vec<usize> = pairs.iter().filter_map(|pair| pair.0).collect();
            let of_b: Vec<usize> = pairs.iter().filter_map(|pair| pair.1).collect();
            prop_assert_eq!(of_a, (0..a.len()).collect::<Vec<_>>());
            prop_assert_eq!(of_b, (0..b.len()).collect::<Vec<_>>());
        }

        #[test]
        fn nothing_is_worth_more(a in words(), b in words()) {
            let (a, b) = (&a[..a.len().min(6)], &b[..b.len().min(6)]);
            let worth_of = |pair: &Pair| Some(worth(a.get(pair.0?)?, b.get(pair.1?)?));
            prop_assert_eq!(align(a, b).iter().filter_map(worth_of).sum::<u32>(), best(a, b));
        }
    }
}
