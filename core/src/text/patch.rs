//! Patches as text → differences: unified diffs (`git diff`, `metadata.diff`), and the patches that `apply_patch` takes.
//!
//! ```text
//! --- a/src/a.rs                      *** Begin Patch
//! +++ b/src/a.rs                      *** Update File: src/a.rs
//! @@ -1,3 +1,3 @@ impl A {            @@ impl A {
//!  same                                same
//! -gone                               -gone
//! +new                                +new
//!                                     *** End Patch
//! ```

use super::diff::{Change, DiffLine, FileDiff, Hunk, Sign, mark_words};

/// Whether a text is a unified diff: it has the head of a hunk behind the names of two files.
pub fn is_unified(text: &str) -> bool {
    let mut named = false;
    for line in text.lines() {
        match line {
            _ if line.starts_with("--- ") || line.starts_with("diff --git ") => named = true,
            _ if named && head(line).is_some() => return true,
            _ => {}
        }
    }
    false
}

/// A unified diff, file by file. What stands between the files is passed over.
pub fn unified(text: &str) -> Vec<FileDiff> {
    let mut out: Vec<FileDiff> = Vec::new();
    let mut lines = text.split('\n').peekable();
    let mut old_name: Option<&str> = None;
    // Lines of each side that the open hunk still lacks.
    let mut left = (0u32, 0u32);
    let mut at = (0u32, 0u32);
    while let Some(line) = lines.next() {
        let bare = line.strip_suffix('\r').unwrap_or(line);
        let sign = match line.chars().next() {
            Some(' ') => Some(Sign::Same),
            Some('-') => Some(Sign::Gone),
            Some('+') => Some(Sign::New),
            // Some writers leave out the blank of an empty line.
            None if left.0 > 0 && left.1 > 0 && lines.peek().is_some() => Some(Sign::Same),
            _ => None,
        };
        if let Some(sign) = sign.filter(|sign| match sign {
            Sign::Same => left.0 > 0 && left.1 > 0,
            Sign::Gone => left.0 > 0,
            Sign::New => left.1 > 0,
        }) {
            let text = line.get(1..).unwrap_or_default();
            let hunk = out.last_mut().and_then(|file| file.hunks.last_mut());
            if let Some(hunk) = hunk {
                hunk.lines.push(numbered(sign, text, &mut at));
            }
            left.0 -= u32::from(sign != Sign::New);
            left.1 -= u32::from(sign != Sign::Gone);
            continue;
        }
        if let Some(name) = bare.strip_prefix("--- ") {
            old_name = Some(path_of(name));
            left = (0, 0);
        } else if let (Some(old), Some(name)) = (old_name, bare.strip_prefix("+++ ")) {
            out.push(file(old, path_of(name)));
            old_name = None;
        } else if let Some((old, new, place)) = head(bare) {
            if out.is_empty() {
                out.push(FileDiff::default());
            }
            (at, left) = ((old.0.max(1), new.0.max(1)), (old.1, new.1));
            if let Some(file) = out.last_mut() {
                file.change = match (old, new) {
                    ((0, 0), _) if file.hunks.is_empty() => Change::Added,
                    (_, (0, 0)) if file.hunks.is_empty() => Change::Deleted,
                    _ => file.change,
                };
                file.hunks.push(Hunk { place: place.to_owned(), lines: Vec::new() });
            }
        }
    }
    for file in &mut out {
        for hunk in &mut file.hunks {
            mark_words(&mut hunk.lines);
        }
    }
    out
}

fn numbered(sign: Sign, text: &str, at: &mut (u32, u32)) -> DiffLine {
    let old = (sign != Sign::New).then_some(at.0);
    let new = (sign != Sign::Gone).then_some(at.1);
    at.0 = at.0.saturating_add(u32::from(old.is_some()));
    at.1 = at.1.saturating_add(u32::from(new.is_some()));
    let text = text.strip_suffix('\r').unwrap_or(text).to_owned();
    DiffLine { sign, text, old, new, words: Vec::new() }
}

/// A path without the time that some writers put behind it.
fn path_of(name: &str) -> &str {
    name.split_once('\t').map_or(name, |(path, _)| path).trim_end()
}

fn file(old: &str, new: &str) -> FileDiff {
    let is_none = |name: &str| name == "/dev/null";
    // git's letters before both names.
    let (old, new) = match (old.strip_prefix("a/"), new.strip_prefix("b/")) {
        (Some(old), Some(new)) => (old, new),
        (Some(old), None) if is_none(new) => (old, new),
        (None, Some(new)) if is_none(old) => (old, new),
        _ => (old, new),
    };
    let (path, change) = match () {
        () if is_none(old) => (new, Change::Added),
        () if is_none(new) => (old, Change::Deleted),
        () => (new, Change::Changed),
    };
    let from = (change == Change::Changed && old != new).then(|| old.to_owned());
    FileDiff { path: path.to_owned(), from, change, hunks: Vec::new() }
}

type Side = (u32, u32);

/// `@@ -1,3 +1,4 @@ place`: first line and number of lines of both sides, and the place.
fn head(line: &str) -> Option<(Side, Side, &str)> {
    let (ranges, place) = line.strip_prefix("@@ -")?.split_once(" @@")?;
    let (old, new) = ranges.split_once(" +")?;
    let side = |text: &str| -> Option<Side> {
        match text.split_once(',') {
            Some((first, len)) => Some((first.parse().ok()?, len.parse().ok()?)),
            None => Some((text.parse().ok()?, 1)),
        }
    };
    Some((side(old)?, side(new)?, place.trim()))
}

/// A patch of `apply_patch`, file by file. It names no line numbers.
pub fn apply_patch(text: &str) -> Vec<FileDiff> {
    let mut out: Vec<FileDiff> = Vec::new();
    for line in text.lines() {
        let named = [
            ("*** Add File:", Change::Added),
            ("*** Update File:", Change::Changed),
            ("*** Delete File:", Change::Deleted),
        ]
        .into_iter()
        .find_map(|(marker, change)| Some((line.strip_prefix(marker)?.trim(), change)));
        if let Some((path, change)) = named {
            out.push(FileDiff { path: path.to_owned(), change, ..FileDiff::default() });
            continue;
        }
        let Some(file) = out.last_mut() else { continue };
        if let Some(path) = line.strip_prefix("*** Move to:") {
            let before = std::mem::replace(&mut file.path, path.trim().to_owned());
            file.from = Some(before);
            continue;
        }
        if line.starts_with("*** ") {
            continue;
        }
        if let Some(place) = line.strip_prefix("@@") {
            file.hunks.push(Hunk { place: place.trim().to_owned(), lines: Vec::new() });
            continue;
        }
        let (sign, text) = match line.split_at_checked(1) {
            Some(("+", text)) => (Sign::New, text),
            Some(("-", text)) => (Sign::Gone, text),
            Some((" ", text)) => (Sign::Same, text),
            None => (Sign::Same, ""),
            _ => continue,
        };
        if file.hunks.is_empty() {
            file.hunks.push(Hunk::default());
        }
        let is_new = file.change == Change::Added;
        if let Some(hunk) = file.hunks.last_mut() {
            let number = is_new.then(|| u32::try_from(hunk.lines.len() + 1).unwrap_or(u32::MAX));
            hunk.lines.push(DiffLine { sign, text: text.to_owned(), old: None, new: number, words: Vec::new() });
        }
    }
    for file in &mut out {
        file.hunks.retain(|hunk| !hunk.lines.is_empty());
        for hunk in &mut file.hunks {
            mark_words(&mut hunk.lines);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn written(file: &FileDiff) -> Vec<String> {
        let line = |line: &DiffLine| format!("{}{} {:?} {:?}", line.sign.mark(), line.text, line.old, line.new);
        file.hunks.iter().flat_map(|hunk| &hunk.lines).map(line).collect()
    }

    #[test]
    fn a_diff_of_git() {
        let text = "diff --git a/x.rs b/x.rs\nindex 1..2 100644\n--- a/x.rs\n+++ b/x.rs\n@@ -8,3 +8,3 @@ fn a()\n same\n--- old\n+++ new\n last\ndiff --git a/n b/n\nnew file mode 100644\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+one\n\\ No newline at end of file\n";
        assert!(is_unified(text));
        let files = unified(text);
        assert_eq!(
            files.iter().map(|f| (f.path.as_str(), f.change)).collect::<Vec<_>>(),
            [("x.rs", Change::Changed), ("n", Change::Added)]
        );
        assert_eq!(files[0].hunks[0].place, "fn a()");
        assert_eq!(
            written(&files[0]),
            [" same Some(8) Some(8)", "--- old Some(9) None", "+++ new None Some(9)", " last Some(10) Some(10)"]
        );
        assert_eq!(written(&files[1]), ["+one None Some(1)"]);
    }

    #[test]
    fn a_diff_of_the_harness() {
        let text = "Index: /p/README.md\n===\n--- /p/README.md\n+++ /p/README.md\n@@ -1,3 +1,3 @@\n # Demo\r\n \r\n-TODO: write docs\r\n+Docs later\n\nIndex: /p/old.txt\n===\n--- /p/old.txt\n+++ /p/old.txt\n@@ -1,1 +0,0 @@\n-bye\n\n";
        let files = unified(text);
        assert_eq!(files.len(), 2);
        assert_eq!((files[0].path.as_str(), files[0].from.clone()), ("/p/README.md", None));
        assert_eq!(files[0].counts(), (1, 1));
        assert_eq!((files[1].change, files[1].counts()), (Change::Deleted, (0, 1)));
    }

    #[test]
    fn a_patch_of_apply_patch() {
        let text = "*** Begin Patch\n*** Add File: a.txt\n+hello\n+world\n*** Update File: b.rs\n*** Move to: c.rs\n@@ impl B\n same\n-let a = 1;\n+let a = 2;\n*** Delete File: d\n*** End Patch";
        let files = apply_patch(text);
        assert_eq!(files.len(), 3);
        assert_eq!(
            (files[0].change, written(&files[0])),
            (Change::Added, vec!["+hello None Some(1)".to_owned(), "+world None Some(2)".to_owned()])
        );
        assert_eq!((files[1].path.as_str(), files[1].from.as_deref()), ("c.rs", Some("b.rs")));
        assert_eq!(files[1].hunks[0].place, "impl B");
        assert_eq!(files[1].hunks[0].lines[1].words, [(8, 9)]);
        assert_eq!((files[2].change, files[2].hunks.len()), (Change::Deleted, 0));
    }

    #[test]
    fn prose_with_dashes_is_no_diff() {
        assert!(!is_unified("--- \nfront: matter\n---\n@@ nothing"));
        assert!(!is_unified("@@ -1 +1 @@\n-a\n+b"));
    }

    proptest! {
        #[test]
        fn no_text_is_too_odd(text in "([-+@ *]{1,3}|[0-9,]{1,3}|\n|--- a\n|\\+\\+\\+ b\n|@@ -1,2 \\+1,2 @@\n|ä|\r){0,40}") {
            unified(&text);
            apply_patch(&text);
            is_unified(&text);
        }

        #[test]
        fn what_is_written_is_read(
            old in prop::collection::vec("[ab]{0,2}", 1..12),
            new in prop::collection::vec("[ab]{0,2}", 1..12),
        ) {
            let (old, new): (Vec<&str>, Vec<&str>) = (old.iter().map(String::as_str).collect(), new.iter().map(String::as_str).collect());
            let lines = crate::text::diff::all_lines(&old, &new, (0, 0));
            let body: String = lines.iter().map(|line| format!("{}{}\n", line.sign.mark(), line.text)).collect();
            let text = format!("--- a/x\n+++ b/x\n@@ -1,{} +1,{} @@\n{body}", old.len(), new.len());
            prop_assert_eq!(&unified(&text)[0].hunks[0].lines, &lines);
        }
    }
}
