//! The files that a patch names.
//!
//! ```text
//! *** Begin Patch
//! *** Update File: src/a.rs
//! *** Move to: src/b.rs
//! *** End Patch
//! ```

const MARKERS: [&str; 4] = ["*** Add File:", "*** Update File:", "*** Delete File:", "*** Move to:"];

/// Distinct files, in the order in which they are named first. A marker counts only in the first column: with a space or
/// a `+` before it, it is a line of some file's text.
pub(super) fn files(patch: &str) -> Vec<&str> {
    let mut files: Vec<&str> = Vec::new();
    for line in patch.lines() {
        let named = MARKERS.into_iter().find_map(|marker| line.strip_prefix(marker)).map(str::trim);
        if let Some(file) = named.filter(|file| !file.is_empty())
            && !files.contains(&file)
        {
            files.push(file);
        }
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_file_once_and_only_from_the_first_column() {
        let patch = "*** Begin Patch\r\n*** Add File: a.txt\r\n+*** Add File: no.txt\n *** Update File: no2\n*** Update File: b.rs\n*** Move to: c.rs\n*** Delete File: a.txt\n*** Update File:\n*** End Patch";
        assert_eq!(files(patch), ["a.txt", "b.rs", "c.rs"]);
        assert!(files("--- a/x\n+++ b/x").is_empty());
    }
}
