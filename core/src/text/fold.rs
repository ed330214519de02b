//! All edits of one file folded into one difference: from the file before the first edit to the file after the last.
//!
//! A log seldom holds the whole file. A hunk with line numbers says for certain what stood at these lines, and that is
//! enough: the file is a row of pieces, each a stretch of the file as it was or lines that came later, and each hunk cuts
//! and fills them. What no hunk and no text ever showed stays unknown, and is not shown.
//!
//! Where an edit contradicts what is known (the file changed in between without the log saying so), or says no place
//! that can be found, the folding begins anew from there, and the story has several parts.

use super::diff::{self, Change, DiffLine, FileDiff, Hunk, Sign};
use std::collections::BTreeMap;

/// One edit of a file, as far as the log tells.
#[derive(Debug, Clone, PartialEq)]
pub enum FileEdit {
    /// A difference; its hunks may lack line numbers.
    Diff(FileDiff),
    /// The whole text after it, and before it where that is known: an empty text for a file that was not there.
    Whole {
        /// Before.
        before: Option<String>,
        /// After.
        after: String,
    },
    /// Somebody read all of it.
    Seen(String),
    /// A text in it was replaced by another.
    Replace {
        /// The text; an empty one makes the file anew.
        old: String,
        /// The other.
        new: String,
        /// Wherever it stands.
        all: bool,
    },
}

impl FileEdit {
    /// By itself, as a difference.
    fn alone(&self) -> FileDiff {
        match self {
            FileEdit::Diff(diff) => diff.clone(),
            FileEdit::Seen(_) => FileDiff::default(),
            FileEdit::Whole { after, .. } => FileDiff { hunks: diff::between("", after), ..FileDiff::default() },
            FileEdit::Replace { old, new, .. } => FileDiff {
                hunks: vec![Hunk {
                    lines: without_numbers(diff::all_lines(&diff::lines(old), &diff::lines(new), (0, 0))),
                    ..Hunk::default()
                }],
                ..FileDiff::default()
            },
        }
    }
}

/// The lines stand somewhere in the file: their numbers mean nothing.
pub fn without_numbers(mut lines: Vec<DiffLine>) -> Vec<DiffLine> {
    for line in &mut lines {
        (line.old, line.new) = (None, None);
    }
    lines
}

/// A part of the story of a file: edits that could be folded together.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Folded {
    /// Places of its first and last edit in the list of edits.
    pub edits: (usize, usize),
    /// The difference that they make together.
    pub diff: FileDiff,
    /// Why this part does not go on from the one before.
    pub why: Option<&'static str>,
}

const CONTRADICTS: &str = "the file was changed in between, and the log does not say how";
const NO_PLACE: &str = "this edit names no line numbers, and its place in the file is not known";
const OVERWRITTEN: &str = "the whole file was written, and the log does not hold the text before";

/// Folds the edits of a file, in the order in which they were made. A part may hold no change: where edits undo each
/// other, or the file was only read.
pub fn fold(path: &str, edits: &[FileEdit]) -> Vec<Folded> {
    let mut out: Vec<Folded> = Vec::new();
    let mut file: Option<(usize, usize, Pieces)> = None;
    for (n, edit) in edits.iter().enumerate() {
        let mut why = None;
        if let Some((_, last, pieces)) = &mut file {
            match pieces.take(edit) {
                Ok(()) => {
                    *last = n;
                    continue;
                }
                Err(reason) => why = Some(reason),
            }
        }
        close(path, &mut out, file.take());
        let mut pieces = Pieces::begin(edit);
        pieces.why = why;
        match pieces.take(edit) {
            Ok(()) => file = Some((n, n, pieces)),
            // Shown as it is: nothing can be built on it.
            Err(reason) => {
                let diff = FileDiff { path: path.to_owned(), ..edit.alone() };
                out.push(Folded { edits: (n, n), diff, why: Some(why.unwrap_or(reason)) });
            }
        }
    }
    close(path, &mut out, file.take());
    out
}

fn close(path: &str, out: &mut Vec<Folded>, file: Option<(usize, usize, Pieces)>) {
    if let Some((first, last, pieces)) = file {
        let why = pieces.why;
        out.push(Folded { edits: (first, last), diff: pieces.diff(path), why });
    }
}

/// A stretch of the file as it is now.
#[derive(Debug, Clone, PartialEq)]
enum Piece {
    /// Lines of the file as it was: from the first (counted from 0) up to, without, the last.
    Old(usize, usize),
    /// Lines that came.
    New(Vec<String>),
}

impl Piece {
    fn len(&self) -> usize {
        match self {
            Piece::Old(start, end) => end - start,
            Piece::New(lines) => lines.len(),
        }
    }
}

/// More lines than any file has: the end of one whose length is not known.
const ENDLESS: usize = usize::MAX / 4;

struct Pieces {
    /// Lines of the file as it was, as far as they were shown.
    old: BTreeMap<usize, String>,
    /// How many it has, if that is known.
    old_len: Option<usize>,
    now: Vec<Piece>,
    why: Option<&'static str>,
    existed: bool,
    exists: bool,
}

impl Pieces {
    /// The file before its first edit.
    fn begin(edit: &FileEdit) -> Pieces {
        let (text, existed) = match edit {
            FileEdit::Whole { before: Some(before), .. } => (Some(before.as_str()), !before.is_empty()),
            FileEdit::Seen(text) => (Some(text.as_str()), true),
            FileEdit::Diff(diff) if diff.change == Change::Added => (Some(""), false),
            _ => (None, true),
        };
        let old: BTreeMap<usize, String> =
            text.map(|text| text.lines().map(str::to_owned).enumerate().collect()).unwrap_or_default();
        let old_len = text.map(|_| old.len());
        let now = match old_len {
            Some(0) => Vec::new(),
            Some(len) => vec![Piece::Old(0, len)],
            None => vec![Piece::Old(0, ENDLESS)],
        };
        Pieces { old, old_len, now, why: None, existed, exists: existed }
    }

    fn take(&mut self, edit: &FileEdit) -> Result<(), &'static str> {
        match edit {
            FileEdit::Whole { before, after } => {
                if let Some(before) = before {
                    self.agree(before)?;
                } else if self.old_len.is_none() {
                    return Err(OVERWRITTEN);
                }
                self.now = vec![Piece::New(after.lines().map(str::to_owned).collect())];
                self.exists = true;
                Ok(())
            }
            FileEdit::Diff(diff) => self.patch(diff),
            FileEdit::Seen(text) => self.agree(text),
            FileEdit::Replace { old, new, .. } if old.is_empty() && self.known().is_some_and(|now| now.is_empty()) => {
                self.now = vec![Piece::New(new.lines().map(str::to_owned).collect())];
                self.exists = true;
                Ok(())
            }
            FileEdit::Replace { old, new, all } => {
                let now = self.known().ok_or(NO_PLACE)?.join("\n") + "\n";
                if old.is_empty() || !now.contains(old.as_str()) {
                    return Err(CONTRADICTS);
                }
                let after = if *all { now.replace(old, new) } else { now.replacen(old, new, 1) };
                self.now = vec![Piece::New(after.lines().map(str::to_owned).collect())];
                Ok(())
            }
        }
    }

    /// The file as it is now is this text; what was not known of it is known from here on.
    fn agree(&mut self, text: &str) -> Result<(), &'static str> {
        let lines: Vec<&str> = text.lines().collect();
        let fixed: usize = self.now.iter().filter(|piece| piece.len() < ENDLESS / 2).map(Piece::len).sum();
        let mut at = 0;
        let mut learnt = Vec::new();
        let mut whole = self.now.clone();
        for piece in &mut whole {
            if let Piece::Old(start, end) = piece
                && *end - *start >= ENDLESS / 2
            {
                *end = *start + lines.len().checked_sub(fixed).ok_or(CONTRADICTS)?;
                learnt.push((None, *end));
            }
            for n in 0..piece.len() {
                let line = lines.get(at).ok_or(CONTRADICTS)?;
                match piece {
                    Piece::Old(start, _) => match self.old.get(&(*start + n)) {
                        Some(known) if known != line => return Err(CONTRADICTS),
                        Some(_) => {}
                        None => learnt.push((Some((*line).to_owned()), *start + n)),
                    },
                    Piece::New(own) => {
                        if own.get(n).is_none_or(|own| own != line) {
                            return Err(CONTRADICTS);
                        }
                    }
                }
                at += 1;
            }
        }
        if at != lines.len() {
            return Err(CONTRADICTS);
        }
        for (line, n) in learnt {
            match line {
                Some(line) => {
                    self.old.insert(n, line);
                }
                None => self.old_len = Some(n),
            }
        }
        self.now = whole;
        Ok(())
    }

    fn patch(&mut self, diff: &FileDiff) -> Result<(), &'static str> {
        let mut now = self.now.clone();
        let mut learnt = BTreeMap::new();
        // From the last hunk to the first, so that none moves the lines of another.
        for hunk in diff.hunks.iter().rev() {
            let place = match place_of(hunk) {
                Some(place) => place,
                None => self.find(hunk).ok_or(NO_PLACE)?,
            };
            now = self.cut(now, hunk, place, &mut learnt)?;
        }
        self.old.extend(learnt);
        self.now = now;
        self.exists = diff.change != Change::Deleted;
        if !self.exists {
            self.now.clear();
        }
        Ok(())
    }

    /// Where a hunk without numbers stands: where its old lines stand, if all of the file is known and they do once.
    fn find(&self, hunk: &Hunk) -> Option<usize> {
        let wanted: Vec<&str> =
            hunk.lines.iter().filter(|line| line.sign != Sign::New).map(|line| line.text.as_str()).collect();
        let now = self.known()?;
        if wanted.is_empty() {
            return now.is_empty().then_some(0);
        }
        let mut places = now.windows(wanted.len()).enumerate().filter(|(_, window)| *window == wanted.as_slice());
        let (place, _) = places.next()?;
        places.next().is_none().then_some(place)
    }

    /// All lines of the file as it is now, if they are known.
    fn known(&self) -> Option<Vec<&str>> {
        let mut out = Vec::new();
        for piece in &self.now {
            match piece {
                Piece::Old(start, end) if end - start < ENDLESS / 2 => {
                    for n in *start..*end {
                        out.push(self.old.get(&n)?.as_str());
                    }
                }
                Piece::Old(..) => return None,
                Piece::New(lines) => out.extend(lines.iter().map(String::as_str)),
            }
        }
        Some(out)
    }

    /// The pieces with one hunk applied at a line.
    fn cut(
        &self,
        now: Vec<Piece>,
        hunk: &Hunk,
        place: usize,
        learnt: &mut BTreeMap<usize, String>,
    ) -> Result<Vec<Piece>, &'static str> {
        let (mut out, rest) = split(now, place).ok_or(CONTRADICTS)?;
        let taken = hunk.lines.iter().filter(|line| line.sign != Sign::New).count();
        let (middle, tail) = split(rest, taken).ok_or(CONTRADICTS)?;
        let mut lines = hunk.lines.iter();
        let mut came = |out: &mut Vec<Piece>, until_old: bool| -> Option<&DiffLine> {
            for line in lines.by_ref() {
                match line.sign {
                    Sign::New => push(out, Piece::New(vec![line.text.clone()])),
                    _ if until_old => return Some(line),
                    _ => {}
                }
            }
            None
        };
        for piece in middle {
            for n in 0..piece.len() {
                let line = came(&mut out, true).ok_or(CONTRADICTS)?;
                let one = match &piece {
                    Piece::Old(start, _) => {
                        let at = start + n;
                        let known = self.old.get(&at).or_else(|| learnt.get(&at));
                        if known.is_some_and(|known| *known != line.text) {
                            return Err(CONTRADICTS);
                        }
                        learnt.insert(at, line.text.clone());
                        Piece::Old(at, at + 1)
                    }
                    Piece::New(own) => match own.get(n).filter(|own| **own == line.text) {
                        Some(own) => Piece::New(vec![own.clone()]),
                        None => return Err(CONTRADICTS),
                    },
                };
                if line.sign == Sign::Same {
                    push(&mut out, one);
                }
            }
        }
        came(&mut out, false);
        for piece in tail {
            push(&mut out, piece);
        }
        Ok(out)
    }

    /// From the file as it was to the file as it is.
    fn diff(self, path: &str) -> FileDiff {
        let mut hunks: Vec<Hunk> = Vec::new();
        let mut lines: Vec<DiffLine> = Vec::new();
        // The line of the old file behind the last one in `lines`: what does not go on from it is another stretch.
        let mut next = 0;
        let (mut old_at, mut new_at) = (0usize, 0usize);
        let mut came: Vec<&str> = Vec::new();
        let end = self.old_len.unwrap_or(ENDLESS);
        let last = Piece::Old(end, end);
        for piece in self.now.iter().chain([&last]) {
            let (start, stop) = match piece {
                Piece::New(text) => {
                    came.extend(text.iter().map(String::as_str));
                    continue;
                }
                Piece::Old(start, stop) => (*start, *stop),
            };
            let gone: Vec<&str> = self.old.range(old_at..start.max(old_at)).map(|(_, text)| text.as_str()).collect();
            if next != old_at {
                hunks.extend(diff::hunks(std::mem::take(&mut lines)));
            }
            lines.extend(diff::all_lines(&gone, &came, (number(old_at), number(new_at))));
            new_at += came.len();
            came.clear();
            next = start;
            for (n, text) in self.old.range(start..stop) {
                if *n != next {
                    hunks.extend(diff::hunks(std::mem::take(&mut lines)));
                }
                next = n + 1;
                lines.push(DiffLine {
                    sign: Sign::Same,
                    text: text.clone(),
                    old: Some(number(n + 1)),
                    new: Some(number(n - start + new_at + 1)),
                    words: Vec::new(),
                });
            }
            new_at += stop - start;
            old_at = stop;
        }
        hunks.extend(diff::hunks(lines));
        let change = match (self.existed, self.exists) {
            (false, true) => Change::Added,
            (true, false) => Change::Deleted,
            _ => Change::Changed,
        };
        FileDiff { path: path.to_owned(), from: None, change, hunks }
    }
}

fn number(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// The line (from 0) that a hunk begins at in the file before it, where it says so.
fn place_of(hunk: &Hunk) -> Option<usize> {
    let first = hunk.lines.first()?;
    match (first.old, first.new) {
        (Some(old), _) => Some((old as usize).saturating_sub(1)),
        // It begins with a line that came: the first old one behind it tells.
        (None, Some(new)) => {
            let old = hunk.lines.iter().find_map(|line| line.old);
            Some(old.map_or((new as usize).saturating_sub(1), |old| (old as usize).saturating_sub(1)))
        }
        (None, None) => None,
    }
}

/// Pieces up to a line, and from there on; none where there are not that many lines.
fn split(pieces: Vec<Piece>, at: usize) -> Option<(Vec<Piece>, Vec<Piece>)> {
    let (mut before, mut after) = (Vec::new(), Vec::new());
    let mut left = at;
    for piece in pieces {
        let len = piece.len();
        if left == 0 {
            after.push(piece);
        } else if len <= left {
            left -= len;
            before.push(piece);
        } else {
            match piece {
                Piece::Old(start, end) => {
                    before.push(Piece::Old(start, start + left));
                    after.push(Piece::Old(start + left, end));
                }
                Piece::New(mut lines) => {
                    let rest = lines.split_off(left);
                    before.push(Piece::New(lines));
                    after.push(Piece::New(rest));
                }
            }
            left = 0;
        }
    }
    (left == 0).then_some((before, after))
}

/// Adds a piece, joined to the last one where they belong together.
fn push(pieces: &mut Vec<Piece>, piece: Piece) {
    match (pieces.last_mut(), piece) {
        (Some(Piece::Old(_, end)), Piece::Old(start, stop)) if *end == start => *end = stop,
        (Some(Piece::New(own)), Piece::New(mut more)) => own.append(&mut more),
        (_, piece) => pieces.push(piece),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::patch;
    use proptest::prelude::*;

    fn whole(before: Option<&str>, after: &str) -> FileEdit {
        FileEdit::Whole { before: before.map(str::to_owned), after: after.to_owned() }
    }

    fn hunk(text: &str) -> FileEdit {
        FileEdit::Diff(patch::unified(&format!("--- a/f\n+++ b/f\n{text}")).remove(0))
    }

    fn replace(old: &str, new: &str) -> FileEdit {
        FileEdit::Replace { old: old.to_owned(), new: new.to_owned(), all: false }
    }

    fn told(edits: &[FileEdit]) -> String {
        let mut out = String::new();
        for part in fold("f", edits) {
            out += &format!("{}..{} {:?} {}\n", part.edits.0, part.edits.1, part.diff.change, part.why.unwrap_or(""));
            for hunk in &part.diff.hunks {
                out += "@\n";
                for line in &hunk.lines {
                    let n = |n: Option<u32>| n.map_or("-".to_owned(), |n| n.to_string());
                    out += &format!("{}{} {} {}\n", line.sign.mark(), line.text, n(line.old), n(line.new));
                }
            }
        }
        out
    }

    #[test]
    fn hunks_fold_although_nobody_knows_the_file() {
        let edits = [
            hunk("@@ -10,3 +10,4 @@\n a\n-b\n+B\n+C\n d\n"),
            hunk("@@ -2,1 +2,2 @@\n top\n+new\n"),
            hunk("@@ -12,2 +12,2 @@\n B\n-C\n+CC\n"),
        ];
        assert_eq!(
            told(&edits),
            "0..2 Changed \n@\n top 2 2\n+new - 3\n@\n a 10 11\n-b 11 -\n+B - 12\n+CC - 13\n d 12 14\n"
        );
    }

    #[test]
    fn an_edit_that_is_undone_leaves_nothing() {
        let edits = [hunk("@@ -1,2 +1,2 @@\n-a\n+b\n c\n"), hunk("@@ -1,2 +1,2 @@\n-b\n+a\n c\n")];
        assert_eq!(told(&edits), "0..1 Changed \n");
    }

    #[test]
    fn a_new_file_is_edited_and_removed() {
        let edits = [whole(Some(""), "a\nb\n"), replace("b", "c"), hunk("@@ -1,1 +1,2 @@\n a\n+x\n")];
        assert_eq!(told(&edits), "0..2 Added \n@\n+a - 1\n+x - 2\n+c - 3\n");
        let gone = FileEdit::Diff(FileDiff { change: Change::Deleted, ..FileDiff::default() });
        assert_eq!(told(&[edits[0].clone(), gone]), "0..1 Changed \n");
    }

    #[test]
    fn what_contradicts_begins_a_new_part() {
        let edits = [hunk("@@ -1,1 +1,1 @@\n-a\n+b\n"), hunk("@@ -1,1 +1,1 @@\n-other\n+c\n")];
        assert_eq!(
            told(&edits),
            format!("0..0 Changed \n@\n-a 1 -\n+b - 1\n1..1 Changed {CONTRADICTS}\n@\n-other 1 -\n+c - 1\n")
        );
    }

    #[test]
    fn an_edit_without_a_place_is_shown_as_it_is() {
        assert_eq!(told(&[replace("a", "b")]), format!("0..0 Changed {NO_PLACE}\n@\n-a - -\n+b - -\n"));
        let edits = [whole(Some("a\nx\n"), "b\nx\n"), whole(None, "b\ny\n")];
        assert_eq!(told(&edits), "0..1 Changed \n@\n-a 1 -\n-x 2 -\n+b - 1\n+y - 2\n");
        assert_eq!(told(&[whole(None, "a\n")]), format!("0..0 Changed {OVERWRITTEN}\n@\n+a - 1\n"));
    }

    #[test]
    fn a_reading_tells_what_was_there_before() {
        let edits = [FileEdit::Seen("a\nb\nc\n".to_owned()), replace("b", "x"), FileEdit::Seen("a\nx\nc".to_owned())];
        assert_eq!(told(&edits), "0..2 Changed \n@\n a 1 1\n-b 2 -\n+x - 2\n c 3 3\n");
        let edits = [edits[0].clone(), FileEdit::Seen("other".to_owned()), replace("other", "more")];
        assert_eq!(told(&edits), format!("0..0 Changed \n1..2 Changed {CONTRADICTS}\n@\n-other 1 -\n+more - 1\n"));
    }

    #[test]
    fn a_text_that_comes_later_must_agree() {
        let edits = [hunk("@@ -2,1 +2,1 @@\n-b\n+B\n"), whole(Some("a\nB\nc\n"), "a\nB\nC\n")];
        assert_eq!(told(&edits), "0..1 Changed \n@\n a 1 1\n-b 2 -\n-c 3 -\n+B - 2\n+C - 3\n");
    }

    /// The text after a difference of all of it.
    fn applied(before: &[String], diff: &FileDiff) -> Vec<String> {
        let mut out = Vec::new();
        let mut at = 0usize;
        for line in diff.hunks.iter().flat_map(|hunk| &hunk.lines) {
            if let Some(old) = line.old {
                out.extend(before[at..old as usize - 1].iter().cloned());
                at = old as usize - 1;
                assert_eq!(before[at], line.text);
                at += 1;
            } else if let Some(new) = line.new {
                while out.len() + 1 < new as usize {
                    out.push(before[at].clone());
                    at += 1;
                }
            }
            if line.sign != Sign::Gone {
                out.push(line.text.clone());
            }
        }
        out.extend(before[at..].iter().cloned());
        out
    }

    proptest! {
        /// Hunks alone, without any of the whole texts, fold into the way from the first text to the last.
        #[test]
        fn folded_hunks_lead_from_the_first_text_to_the_last(
            texts in prop::collection::vec(prop::collection::vec("[a-e]", 1..25), 2..6),
        ) {
            let mut edits = Vec::new();
            for pair in texts.windows(2) {
                let join = |text: &Vec<String>| text.join("\n");
                let hunks = diff::between(&join(&pair[0]), &join(&pair[1]));
                edits.push(FileEdit::Diff(FileDiff { hunks, ..FileDiff::default() }));
            }
            let folded = fold("f", &edits);
            prop_assert_eq!(folded.len(), 1);
            prop_assert_eq!(&applied(&texts[0], &folded[0].diff), texts.last().unwrap());
        }

        #[test]
        fn nothing_is_too_odd(texts in prop::collection::vec("[ab\n]{0,8}", 1..6), kinds in prop::collection::vec(0u8..5, 6)) {
            let edits: Vec<FileEdit> = texts.iter().zip(kinds).map(|(text, kind)| match kind {
                0 => whole(None, text),
                1 => whole(Some("a\n"), text),
                2 => replace(text, "b"),
                3 => FileEdit::Diff(FileDiff { hunks: diff::between(text, "a\nb"), ..FileDiff::default() }),
                _ => FileEdit::Diff(FileDiff { change: Change::Deleted, ..FileDiff::default() }),
            }).collect();
            let folded = fold("f", &edits);
            prop_assert_eq!(folded.iter().map(|part| part.edits.1 - part.edits.0 + 1).sum::<usize>(), edits.len());
        }
    }
}
