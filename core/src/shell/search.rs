//! The searches of the shell table: `rg`, `grep`, `ag`, `git grep`, and `find`.

use super::Operation;
use super::options::{Arguments, Spec};
use super::place::Place;
use super::row::{Call, Row};
use super::word::Word;

/// Options with a value, from each program's own manual.
const GREP: Spec = Spec {
    short: "ABCDdefm",
    number: "",
    long: "after-context before-context context binary-files devices directories regexp file \
        max-count exclude exclude-dir exclude-from include include-dir label",
};
const RG: Spec = Spec {
    short: "ABCdEefgjMmrtT",
    number: "",
    long: "after-context before-context color colors context context-separator dfa-size-limit \
        encoding engine field-context-separator field-match-separator file generate glob \
        hostname-bin hyperlink-format iglob ignore-file max-columns max-count max-depth \
        maxdepth max-filesize path-separator pre pre-glob regex-size-limit regexp replace \
        sort sortr threads type type-add type-clear type-not",
};
const AG: Spec = Spec {
    short: "GgmpW",
    number: "ABC",
    long: "color-line-number color-match color-path depth file-search-regex ignore ignore-dir \
        max-count pager path-to-ignore path-to-agignore width workers",
};
const GIT_GREP: Spec =
    Spec { short: "ABCefm", number: "", long: "after-context before-context context max-count max-depth threads" };

/// `rg`, `grep`, `egrep`, `fgrep`, `ag`.
pub(super) fn text(call: Call<'_>) -> Result<Row, String> {
    let spec = match call.program {
        "rg" => &RG,
        "ag" => &AG,
        _ => &GREP,
    };
    let arguments = Arguments::read(call.words, spec);
    if let Some(help) = call.help(&arguments) {
        return Ok(help);
    }
    if call.program == "rg" && arguments.has(&["type-list"]) {
        return Ok(Row::Other("`rg --type-list` looks at no file".to_owned()));
    }
    if call.program == "rg" && arguments.has(&["files"]) {
        return files(call, &arguments);
    }
    if call.program != "ag" && arguments.has(&["f", "file"]) {
        return Err(format!("`{}` takes its patterns from a file", call.program));
    }
    // `ag -g PATTERN` searches names, as `find -name` does.
    let names: &[&str] = if call.program == "ag" { &["g"] } else { &["e", "regexp"] };
    let walks = match call.program {
        "rg" | "ag" => true,
        _ => arguments.has(&["r", "R", "recursive", "dereference-recursive"]),
    };
    let option = arguments.values(names).next();
    let (query, paths) = pattern(call, option, &arguments.operands)?;
    found(call, query, paths.first().copied(), walks)
}

/// `rg --files`: it takes no pattern, so its operands are paths, and what it prints is a listing,
/// as of `tree`. A deviation: by its first word it would be a search.
fn files(call: Call<'_>, arguments: &Arguments<'_>) -> Result<Row, String> {
    call.check_streams()?;
    let path = match arguments.operands.first() {
        Some(path) => Some(call.place.path(path)?),
        None => call.place.here()?,
    };
    Ok(Row::Is(Operation::List { path }, "`rg --files` lists, it has no pattern".to_owned()))
}

/// The pattern, an option's value or the first operand, and the operands that are paths.
fn pattern<'w>(
    call: Call<'_>,
    option: Option<&'w Word>,
    operands: &'w [&'w Word],
) -> Result<(&'w Word, &'w [&'w Word]), String> {
    let (query, paths) = match (option, operands.split_first()) {
        (Some(query), _) => (query, operands),
        (None, Some((query, paths))) => (*query, paths),
        (None, None) => return Err(format!("`{}` without a pattern", call.program)),
    };
    if query.expansion {
        return Err(format!("what `{}` looks for is not certain: `{}`", call.program, query.shown()));
    }
    if query.text.is_empty() {
        return Err(format!("`{}` with an empty pattern", call.program));
    }
    Ok((query, paths))
}

/// The search for `query` in `path`; `walks` says that without a path it goes through the directory
/// it runs in.
fn found(call: Call<'_>, query: &Word, path: Option<&Word>, walks: bool) -> Result<Row, String> {
    let piped = path.is_none() && (call.piped || call.streams.input || call.streams.here);
    if piped || path.is_some_and(|path| path.text == "-") {
        return Ok(Row::Other(format!("`{}` searches its standard input", call.program)));
    }
    call.check_streams()?;
    let path = match path {
        Some(path) => Some(call.place.path(path)?),
        None if walks => call.place.here()?,
        None => None,
    };
    let why = if path.is_some() { "with a pattern and a path" } else { "with a pattern and no path" };
    Ok(Row::Is(Operation::Search { query: query.text.clone(), path }, format!("`{}` {why}", call.program)))
}

/// The subcommand of `git`, the words after it, and the value of `-C`.
pub(super) fn git_subcommand(words: &[Word]) -> Option<(&Word, &[Word], Option<&Word>)> {
    let mut words = words.iter();
    let mut directory = None;
    while let Some(word) = words.next() {
        match word.text.as_str() {
            // A second `-C` would be relative to the first.
            "-C" if directory.is_some() => return None,
            "-C" => directory = words.next(),
            "-c" | "--git-dir" | "--work-tree" | "--namespace" => {
                words.next();
            }
            option if option.starts_with('-') => {}
            _ => return Some((word, words.as_slice(), directory)),
        }
    }
    None
}

/// `git grep`. `git -C DIR grep` is `cd DIR && git grep`, and names DIR as its path.
pub(super) fn git(call: Call<'_>) -> Result<Row, String> {
    let Some((subcommand, words, directory)) = git_subcommand(call.words) else {
        return Ok(Row::Other("`git` without a certain subcommand".to_owned()));
    };
    if subcommand.text != "grep" {
        let name = subcommand.shown();
        return Ok(Row::Other(format!("`git {name}` has no row in the shell table")));
    }
    let place = directory.map_or_else(|| call.place.clone(), |directory| call.place.enter(directory));
    // It never reads its standard input.
    let call = Call { program: "git grep", words, place: &place, piped: false, ..call };
    let arguments = Arguments::read(words, &GIT_GREP);
    if let Some(help) = call.help(&arguments) {
        return Ok(help);
    }
    if arguments.has(&["f"]) {
        return Err("`git grep` takes its patterns from a file".to_owned());
    }
    let option = arguments.values(&["e"]).next();
    let (query, rest) = pattern(call, option, &arguments.operands)?;
    let path = match arguments.before_dashes {
        // `git grep x v1.0 -- src`: before the dashes stand revisions.
        Some(before) => arguments.operands.get(before.max(arguments.operands.len() - rest.len())),
        None => rest.iter().find(|word| !is_revision(word)),
    };
    found(call, query, path.copied(), true)
}

/// Whether a word before `--` can be told for a revision by its look; a branch's name cannot be
/// told from a path.
fn is_revision(word: &Word) -> bool {
    let text = word.text.trim_start_matches('~');
    text.starts_with("HEAD") || text.contains(['~', '^', ':']) || text.contains("@{")
}

/// Tests of `find` whose value is what is looked for. `-ipath`, `-regex` and their like are not in
/// the written table; they are the same test, spelt otherwise.
const NAME_TESTS: [&str; 2] = ["-name", "-iname"];
const PATH_TESTS: [&str; 6] = ["-path", "-ipath", "-wholename", "-iwholename", "-regex", "-iregex"];
/// Actions of `find` that run programs, delete or write: no search any more.
const ACTIONS: [&str; 9] = ["-exec", "-execdir", "-ok", "-okdir", "-delete", "-fprint", "-fprint0", "-fprintf", "-fls"];

/// `find`.
pub(super) fn names(call: Call<'_>) -> Result<Row, String> {
    let mut words = call.words;
    while let Some((first, rest)) = words.split_first() {
        match first.text.as_str() {
            "-H" | "-L" | "-P" => words = rest,
            "--help" | "--version" | "-help" | "-version" => {
                return Ok(Row::Other("`find` is asked for help".to_owned()));
            }
            _ => break,
        }
    }
    let in_expression = |word: &Word| word.text.starts_with(['-', '(', ')', '!']);
    let starts = words.iter().take_while(|word| !in_expression(word)).count();
    let (starts, expression) = words.split_at_checked(starts).unwrap_or((words, &[]));
    if let Some(action) = expression.iter().find(|word| ACTIONS.contains(&word.text.as_str())) {
        return Err(format!("`find {}` acts on what it finds", action.text));
    }
    call.check_streams()?;
    let path = match starts.first() {
        Some(start) => call.place.path(start)?,
        None if *call.place == Place::Start => ".".to_owned(),
        None => call.place.here()?.unwrap_or_else(|| ".".to_owned()),
    };
    let (query, why) = match wanted(expression) {
        Some(value) if value.expansion => {
            return Err(format!("what `find` looks for is not certain: `{}`", value.shown()));
        }
        Some(value) if !value.text.is_empty() => (value.text.clone(), "`find` with a name or path test"),
        _ => (path.clone(), "`find` without a name test"),
    };
    Ok(Row::Is(Operation::Search { query, path: Some(path) }, why.to_owned()))
}

/// The value of the test that says what is looked for. A naive reading takes the first one; but
/// `-not -path` and `-name node_modules -prune` say what is *not* looked for, and a name says more
/// than a path.
fn wanted(expression: &[Word]) -> Option<&Word> {
    let after_prune = expression.iter().rposition(|word| word.text == "-prune").map_or(0, |at| at + 1);
    let expression = expression.get(after_prune..).unwrap_or_default();
    let first = |tests: &[&str]| {
        let mut negated = false;
        let mut words = expression.iter();
        while let Some(word) = words.next() {
            if tests.contains(&word.text.as_str()) {
                let value = words.next();
                if !negated {
                    return value;
                }
            }
            negated = matches!(word.text.as_str(), "!" | "-not");
        }
        None
    };
    first(&NAME_TESTS).or_else(|| first(&PATH_TESTS))
}
