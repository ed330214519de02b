//! The difference of two texts, line by line and within changed lines word by word.
//!
//! Myers' greedy algorithm between what both texts begin and end with alike. Where texts differ in more than [`MOST`]
//! lines it stops looking for what they share and says that everything between was replaced: right, if not short.

use crate::order::Order;
use serde::{Deserialize, Serialize};

/// Lines (or words) that may differ before the search for the shortest difference is given up.
const MOST: usize = 1_000;
/// Lines of context around a change.
const CONTEXT: usize = 3;
/// Longer lines are not compared word by word.
const LONGEST_LINE: usize = 2_000;

/// What became of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Sign {
    /// It stayed.
    Same,
    /// It went.
    Gone,
    /// It came.
    New,
}

impl Sign {
    /// As a unified diff writes it.
    pub fn mark(self) -> char {
        match self {
            Sign::Same => ' ',
            Sign::Gone => '-',
            Sign::New => '+',
        }
    }
}

/// One line of a difference.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiffLine {
    /// What became of it.
    pub sign: Sign,
    /// Its text, without the end.
    pub text: String,
    /// Its number before, from 1, where it is known.
    pub old: Option<u32>,
    /// Its number after.
    pub new: Option<u32>,
    /// The bytes in which it differs from the line that it is compared with; none where it differs as a whole.
    pub words: Vec<(u32, u32)>,
}

/// Lines that stand together.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hunk {
    /// What the patch says of the place: `impl ApiError {`.
    pub place: String,
    /// The lines.
    pub lines: Vec<DiffLine>,
}

/// What happened to a file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Change {
    /// It was changed.
    #[default]
    Changed,
    /// It is new.
    Added,
    /// It was removed.
    Deleted,
}

/// The difference of one file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileDiff {
    /// Its path; empty where it is not named.
    pub path: String,
    /// Its path before, where it was moved.
    pub from: Option<String>,
    /// What happened to it.
    pub change: Change,
    /// The changes.
    pub hunks: Vec<Hunk>,
}

impl FileDiff {
    /// Lines that came, and lines that went.
    pub fn counts(&self) -> (u64, u64) {
        let lines = || self.hunks.iter().flat_map(|hunk| &hunk.lines);
        let of = |sign: Sign| lines().filter(|line| line.sign == sign).count() as u64;
        (of(Sign::New), of(Sign::Gone))
    }
}

/// A step of the way from one list to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Edit {
    Same(usize, usize),
    Gone(usize),
    New(usize),
}

/// The way from one list to another.
pub(crate) fn edits<T: PartialEq>(old: &[T], new: &[T]) -> Vec<Edit> {
    let head = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let (old_rest, new_rest) = (old.get(head..).unwrap_or_default(), new.get(head..).unwrap_or_default());
    let tail = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(|(a, b)| a == b).count();
    let (old_len, new_len) = (old_rest.len() - tail, new_rest.len() - tail);
    let middle = (old_rest.get(..old_len).unwrap_or_default(), new_rest.get(..new_len).unwrap_or_default());
    let mut out: Vec<Edit> = (0..head).map(|n| Edit::Same(n, n)).collect();
    match shortest(middle.0, middle.1) {
        Some(between) => out.extend(between.into_iter().map(|edit| match edit {
            Edit::Same(a, b) => Edit::Same(a + head, b + head),
            Edit::Gone(a) => Edit::Gone(a + head),
            Edit::New(b) => Edit::New(b + head),
        })),
        None => {
            out.extend((0..old_len).map(|n| Edit::Gone(n + head)));
            out.extend((0..new_len).map(|n| Edit::New(n + head)));
        }
    }
    out.extend((0..tail).map(|n| Edit::Same(head + old_len + n, head + new_len + n)));
    out
}

/// Myers' shortest way; none where it is longer than [`MOST`].
fn shortest<T: PartialEq>(old: &[T], new: &[T]) -> Option<Vec<Edit>> {
    let (n, m) = (old.len() as isize, new.len() as isize);
    if n == 0 || m == 0 {
        let gone = (0..old.len()).map(Edit::Gone);
        return Some(gone.chain((0..new.len()).map(Edit::New)).collect());
    }
    let most = MOST.min(old.len() + new.len()) as isize;
    let width = 2 * most + 3;
    let place = |k: isize| (k + most + 1) as usize;
    let mut reach = vec![0isize; width as usize];
    let at = |reach: &[isize], k: isize| reach.get(place(k)).copied().unwrap_or(0);
    // For each number of edits the furthest places, as they were before it: from them the way is read backwards.
    let mut trace: Vec<Vec<isize>> = Vec::new();
    let goes_down = |reach: &[isize], k: isize, d: isize| k == -d || (k != d && at(reach, k - 1) < at(reach, k + 1));
    for d in 0..=most {
        trace.push(reach.get(place(-d - 1)..=place(d + 1)).unwrap_or_default().to_vec());
        let mut k = -d;
        while k <= d {
            let mut x = if goes_down(&reach, k, d) { at(&reach, k + 1) } else { at(&reach, k - 1) + 1 };
            while x < n && x - k < m && x - k >= 0 && old.get(x as usize) == new.get((x - k) as usize) {
                x += 1;
            }
            if let Some(slot) = reach.get_mut(place(k)) {
                *slot = x;
            }
            if x >= n && x - k >= m {
                return Some(walked_back(&trace, n, m));
            }
            k += 2;
        }
    }
    None
}

fn walked_back(trace: &[Vec<isize>], n: isize, m: isize) -> Vec<Edit> {
    let (mut x, mut y) = (n, m);
    let mut out = Vec::new();
    for (d, reach) in trace.iter().enumerate().rev() {
        let d = d as isize;
        let at = |k: isize| reach.get((k + d + 1) as usize).copied().unwrap_or(0);
        let k = x - y;
        let down = k == -d || (k != d && at(k - 1) < at(k + 1));
        let from_k = if down { k + 1 } else { k - 1 };
        let from_x = at(from_k);
        let from_y = from_x - from_k;
        while x > from_x && y > from_y && x > 0 && y > 0 {
            x -= 1;
            y -= 1;
            out.push(Edit::Same(x as usize, y as usize));
        }
        if d == 0 {
            break;
        }
        if down {
            y -= 1;
            out.push(Edit::New(y as usize));
        } else {
            x -= 1;
            out.push(Edit::Gone(x as usize));
        }
    }
    out.reverse();
    out
}

/// The lines of a text: without their ends, and without an empty one after the last end.
pub fn lines(text: &str) -> Vec<&str> {
    text.lines().collect()
}

/// The difference of two texts with every line, the unchanged ones too. Numbers start behind those given.
pub fn all_lines(old: &[&str], new: &[&str], before: (u32, u32)) -> Vec<DiffLine> {
    let number =
        |n: usize, before: u32| Some(u32::try_from(n).unwrap_or(u32::MAX).saturating_add(before).saturating_add(1));
    let text = |list: &[&str], n: usize| list.get(n).copied().unwrap_or_default().to_owned();
    let line = |edit: &Edit| match *edit {
        Edit::Same(a, b) => DiffLine {
            sign: Sign::Same,
            text: text(new, b),
            old: number(a, before.0),
            new: number(b, before.1),
            words: Vec::new(),
        },
        Edit::Gone(a) => {
            DiffLine { sign: Sign::Gone, text: text(old, a), old: number(a, before.0), new: None, words: Vec::new() }
        }
        Edit::New(b) => {
            DiffLine { sign: Sign::New, text: text(new, b), old: None, new: number(b, before.1), words: Vec::new() }
        }
    };
    let mut out: Vec<DiffLine> = edits(old, new).iter().map(line).collect();
    group(&mut out);
    mark_words(&mut out);
    out
}

/// Within each changed stretch what went stands before what came.
fn group(lines: &mut [DiffLine]) {
    for stretch in lines.chunk_by_mut(|a, b| a.sign != Sign::Same && b.sign != Sign::Same) {
        stretch.order_by_key(|line| line.sign == Sign::New);
    }
}

/// Says of lines that were changed, not replaced, in which words they differ.
pub(crate) fn mark_words(lines: &mut [DiffLine]) {
    for stretch in lines.chunk_by_mut(|a, b| a.sign != Sign::Same && b.sign != Sign::Same) {
        let gone = stretch.iter().take_while(|line| line.sign == Sign::Gone).count();
        let Some((gone, new)) = stretch.split_at_mut_checked(gone) else { continue };
        // Line by line from the top: which became which is not known, but lines that share little are not marked.
        for (old, new) in gone.iter_mut().zip(new) {
            if let Some((left, right)) = words(&old.text, &new.text) {
                (old.words, new.words) = (left, right);
            }
        }
    }
}

type Ranges = Vec<(u32, u32)>;

/// The bytes in which two lines differ; none where they share less than half.
fn words(old: &str, new: &str) -> Option<(Ranges, Ranges)> {
    if old.len() > LONGEST_LINE || new.len() > LONGEST_LINE {
        return None;
    }
    let (left, right) = (tokens(old), tokens(new));
    let mut ranges = (Vec::new(), Vec::new());
    let (mut at, mut shared) = ((0u32, 0u32), 0u32);
    let len = |token: Option<&&str>| token.map_or(0, |token| token.len() as u32);
    for edit in edits(&left, &right) {
        match edit {
            Edit::Same(a, _) => {
                let token = left.get(a);
                at = (at.0 + len(token), at.1 + len(token));
                shared += token.map_or(0, |token| token.trim().len() as u32);
            }
            Edit::Gone(a) => {
                let end = at.0 + len(left.get(a));
                extend(&mut ranges.0, at.0, end);
                at.0 = end;
            }
            Edit::New(b) => {
                let end = at.1 + len(right.get(b));
                extend(&mut ranges.1, at.1, end);
                at.1 = end;
            }
        }
    }
    let longer = old.trim().len().max(new.trim().len()) as u32;
    (shared * 2 >= longer && shared > 0).then_some(ranges)
}

fn extend(ranges: &mut Ranges, start: u32, end: u32) {
    match ranges.last_mut() {
        Some(last) if last.1 == start => last.1 = end,
        _ => ranges.push((start, end)),
    }
}

/// Words, runs of white space, and single other characters.
fn tokens(text: &str) -> Vec<&str> {
    let class = |c: char| match c {
        _ if c.is_alphanumeric() || c == '_' => 1,
        _ if c.is_whitespace() => 2,
        _ => 0,
    };
    let mut out = Vec::new();
    let mut start = 0;
    let mut before = None;
    for (at, c) in text.char_indices() {
        let now = class(c);
        if before.is_some_and(|before| before != now || now == 0) {
            out.extend(text.get(start..at));
            start = at;
        }
        before = Some(now);
    }
    out.extend(text.get(start..).filter(|rest| !rest.is_empty()));
    out
}

/// Cuts lines into hunks: the changes with a few lines around them.
pub fn hunks(lines: Vec<DiffLine>) -> Vec<Hunk> {
    let changed: Vec<usize> =
        lines.iter().enumerate().filter(|(_, line)| line.sign != Sign::Same).map(|(n, _)| n).collect();
    let is_near = |n: usize| {
        let next = changed.partition_point(|&c| c < n);
        let gap = |place: Option<usize>| place.and_then(|place| changed.get(place)).map(|&c| c.abs_diff(n));
        gap(Some(next)).into_iter().chain(gap(next.checked_sub(1))).any(|gap| gap <= CONTEXT)
    };
    let mut out: Vec<Hunk> = Vec::new();
    let mut last = None;
    for (n, line) in lines.into_iter().enumerate() {
        if !is_near(n) {
            continue;
        }
        if last != n.checked_sub(1) || out.is_empty() {
            out.push(Hunk::default());
        }
        last = Some(n);
        if let Some(hunk) = out.last_mut() {
            hunk.lines.push(line);
        }
    }
    out
}

/// The difference of two texts.
pub fn between(old: &str, new: &str) -> Vec<Hunk> {
    hunks(all_lines(&lines(old), &lines(new), (0, 0)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn written(lines: &[DiffLine]) -> Vec<String> {
        lines.iter().map(|line| format!("{}{}", line.sign.mark(), line.text)).collect()
    }

    #[test]
    fn lines_that_changed_stand_together_with_their_words() {
        let lines = all_lines(&["a", "let x = 1;", "b"], &["a", "let x = 22;", "new", "b"], (0, 0));
        assert_eq!(written(&lines), [" a", "-let x = 1;", "+let x = 22;", "+new", " b"]);
        let lines = all_lines(&["let x = 1;"], &["let x = 22;"], (9, 19));
        assert_eq!((lines[0].words.clone(), lines[1].words.clone()), (vec![(8, 9)], vec![(8, 10)]));
        assert_eq!((lines[0].old, lines[1].new), (Some(10), Some(20)));
    }

    #[test]
    fn lines_that_share_little_differ_as_a_whole() {
        let lines = all_lines(&["alpha beta"], &["gamma delta"], (0, 0));
        assert!(lines.iter().all(|line| line.words.is_empty()));
    }

    #[test]
    fn far_changes_are_two_hunks() {
        let old: Vec<String> = (0..40).map(|n| n.to_string()).collect();
        let mut new = old.clone();
        new[2] = "x".to_owned();
        new[30] = "y".to_owned();
        let hunks = between(&old.join("\n"), &new.join("\n"));
        let firsts: Vec<_> = hunks.iter().map(|hunk| (hunk.lines[0].old, hunk.lines.len())).collect();
        assert_eq!(firsts, [(Some(1), 7), (Some(28), 8)]);
        assert_eq!(between("a\nb", "a\nb"), []);
    }

    #[test]
    fn texts_with_nothing_in_common_are_replaced() {
        let old: Vec<String> = (0..3000).map(|n| format!("a{n}")).collect();
        let new: Vec<String> = (0..3000).map(|n| format!("b{n}")).collect();
        let hunks = between(&old.join("\n"), &new.join("\n"));
        assert_eq!(hunks[0].lines.len(), 6000);
    }

    proptest! {
        #[test]
        fn the_difference_makes_the_new_text_of_the_old_one(
            old in prop::collection::vec(0u8..5, 0..40),
            new in prop::collection::vec(0u8..5, 0..40),
        ) {
            let (mut left, mut right) = (Vec::new(), Vec::new());
            for edit in edits(&old, &new) {
                match edit {
                    Edit::Same(a, b) => {
                        prop_assert_eq!(old[a], new[b]);
                        left.push(old[a]);
                        right.push(new[b]);
                    }
                    Edit::Gone(a) => left.push(old[a]),
                    Edit::New(b) => right.push(new[b]),
                }
            }
            prop_assert_eq!((left, right), (old, new));
        }

        #[test]
        fn words_lie_on_characters(old in "[aä \u{1F600}(]{0,20}", new in "[aä \u{1F600}(]{0,20}") {
            for line in all_lines(&[&old], &[&new], (0, 0)) {
                for (start, end) in line.words {
                    prop_assert!(line.text.get(start as usize..end as usize).is_some());
                }
            }
        }
    }
}
