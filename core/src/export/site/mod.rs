//! A site of runs for a static host: what `steplens site` and the page write into a folder.
//!
//! ```text
//! index.html      the runs, readable without scripts
//! viewer/…        the page
//! logs/…          the logs, as they are to leave
//! ```

mod index;

pub use index::{Run, page};

use crate::share::percent::encode;

/// Says in the index of whom it is: only such a folder is made anew.
pub const GENERATOR: &str = "<meta name=\"generator\" content=\"steplens site\">";

/// What the folder holds.
pub const ENTRIES: [&str; 3] = ["index.html", "viewer", "logs"];

/// The title of an index that was given none.
pub const TITLE: &str = "Runs";

/// The address of a run in its viewer, relative to the index: `viewer/#v=1&log=../logs/run.jsonl`. `pairs` say how it is
/// read, as they stand in the fragment before they are encoded.
pub fn link(log: &str, pairs: &[(&str, String)]) -> String {
    let pairs = pairs.iter().map(|(key, value)| format!("&{key}={}", encode(value)));
    // The log's name is encoded twice: once as an address, once as a value of the fragment.
    format!("viewer/#v=1&log={}{}", encode(&format!("../logs/{}", encode(log))), pairs.collect::<String>())
}

/// The names of logs in the folder, in their order: of files, or of what stands for their names. Every host takes them, and
/// no two are the same.
pub fn names<'a>(files: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut names = Vec::new();
    for file in files {
        names.push(apart(&safe(file), &names));
    }
    names
}

/// A file's name that every host takes, of a log that is no longer packed.
fn safe(name: &str) -> String {
    let mut name = name;
    while let Some(shorter) = [".gz", ".zst"].iter().find_map(|end| name.strip_suffix(end)).filter(|s| !s.is_empty()) {
        name = shorter;
    }
    let sign = |c: char| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '_' };
    let safe: String = name.chars().map(sign).collect();
    // Hosts keep files with a dot before their names to themselves.
    let safe = safe.trim_start_matches('.');
    let is_log = |end: &str| safe.to_ascii_lowercase().ends_with(end);
    match safe {
        "" => "run.jsonl".to_owned(),
        // A host would serve `.html` as a page, and run what a log holds.
        _ if ["-", ".jsonl", ".ndjson", ".json", ".log", ".txt"].into_iter().any(is_log) => safe.to_owned(),
        _ => format!("{safe}.jsonl"),
    }
}

/// The name, or one with a number where it is taken. Some systems tell no `A` from `a`.
fn apart(name: &str, taken: &[String]) -> String {
    let is_taken = |name: &str| taken.iter().any(|other| other.eq_ignore_ascii_case(name));
    let (stem, end) = name.rsplit_once('.').map_or((name, String::new()), |(stem, end)| (stem, format!(".{end}")));
    let numbered = (2..).map(|number| format!("{stem}-{number}{end}"));
    std::iter::once(name.to_owned()).chain(numbered).find(|name| !is_taken(name)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_safe_and_apart() {
        for (name, wanted) in [
            ("run.jsonl.gz", "run.jsonl"),
            ("a b/ü.json", "a_b__.json"),
            ("..", "run.jsonl"),
            ("-", "-"),
            ("evil.html", "evil.html.jsonl"),
            ("", "run.jsonl"),
        ] {
            assert_eq!(safe(name), wanted);
        }
        let taken = ["run.jsonl".to_owned(), "run-2.jsonl".to_owned()];
        assert_eq!(apart("RUN.jsonl", &taken), "RUN-3.jsonl");
        assert_eq!(apart("run", &taken), "run");
        assert_eq!(names(["a.log", "A.log", "a.log.gz"]), ["a.log", "A-2.log", "a-3.log"]);
    }

    #[test]
    fn a_link_says_how_the_run_is_read() {
        assert_eq!(link("run.jsonl", &[]), "viewer/#v=1&log=../logs/run.jsonl");
        let pairs = [("d", "kilo".to_owned()), ("f", "session:a%2Cb".to_owned())];
        assert_eq!(link("-", &pairs), "viewer/#v=1&log=../logs/-&d=kilo&f=session:a%252Cb");
    }
}
