//! `steplens map-test`: a folder of small logs, each with the events that it must become.

use super::Done;
use crate::args::Common;
use crate::error::Error;
use crate::input::named;
use crate::output;
use crate::setup;
use crate::style::{self, BAD, BOLD, DIM, GOOD, RESET, WARN};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use steplens_core::fixture::{self, Difference, Differs};
use steplens_core::run::Options;

/// What the events of a log are kept in, beside it.
const EVENTS: &str = ".events.jsonl";

/// A table that lies in the folder and is used where no other is named.
const RULES: &str = "rules.toml";

/// How many differences of one log are printed.
const SHOWN: usize = 20;

/// How much of a value is printed.
const WIDTH: usize = 160;

/// What became of one log.
enum Outcome {
    Same(usize),
    Written(usize),
    NoExpectation,
    Differs(Vec<Difference>),
}

pub(crate) fn run(folder: &Path, common: &Common, update: bool) -> Result<Done, Error> {
    let own = folder.join(RULES);
    let mut common = common.clone();
    if common.rules.is_none() && own.is_file() {
        common.rules = Some(own);
    }
    let options = setup::options(&common)?;
    let logs = logs(folder)?;
    let mut out = anstream::stdout().lock();
    if let Some(rules) = &common.rules {
        writeln!(out, "{DIM}rules {}{RESET}", style::one_line(&rules.display().to_string()))?;
    }
    let (mut good, mut bad, mut written) = (0, 0, 0);
    for log in &logs {
        let outcome = test(log, &options, update)?;
        match &outcome {
            Outcome::Same(_) => good += 1,
            Outcome::Written(_) => written += 1,
            Outcome::NoExpectation | Outcome::Differs(_) => bad += 1,
        }
        let name = log.file_name().unwrap_or_default().to_string_lossy();
        print(&mut out, &style::one_line(&name), &outcome)?;
    }
    let fixtures = if logs.len() == 1 { "fixture" } else { "fixtures" };
    let written = if update { format!(", {written} written") } else { String::new() };
    writeln!(out, "{BOLD}{} {fixtures}{RESET}: {good} as expected, {bad} not{written}", logs.len())?;
    Ok(if bad == 0 { Done::Fine } else { Done::Differs })
}

/// The logs of a folder, by name. What is kept of a log that is gone is an error: it would be tested no more.
fn logs(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let failed = |source: io::Error| match source.kind() {
        io::ErrorKind::NotFound => {
            Error::Folder { name: named(folder), advice: "there is no such folder; name one with fixtures".to_owned() }
        }
        io::ErrorKind::NotADirectory => {
            Error::Folder { name: named(folder), advice: "this is a file; name the folder that it is in".to_owned() }
        }
        _ => Error::read(folder, source),
    };
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        names.push(entry.map_err(failed)?.path());
    }
    names.sort();
    let is_events = |path: &PathBuf| path.to_string_lossy().ends_with(EVENTS);
    let is_log = |path: &PathBuf| path.extension().is_some_and(|end| end == "jsonl" || end == "json");
    let (events, others): (Vec<_>, Vec<_>) = names.into_iter().partition(is_events);
    let logs: Vec<PathBuf> = others.into_iter().filter(is_log).collect();
    if let Some(stray) = events.into_iter().find(|path| !logs.iter().any(|log| events_of(log) == *path)) {
        return Err(Error::Usage(format!("{}: the log that these events are of is not beside them", named(&stray))));
    }
    if logs.is_empty() {
        let advice = format!("no fixture in it: one is a log NAME.jsonl, and its events in NAME{EVENTS}");
        return Err(Error::Folder { name: named(folder), advice });
    }
    Ok(logs)
}

fn events_of(log: &Path) -> PathBuf {
    let stem = log.file_stem().unwrap_or_default().to_string_lossy();
    log.with_file_name(format!("{stem}{EVENTS}"))
}

fn test(log: &Path, options: &Options, update: bool) -> Result<Outcome, Error> {
    let bytes = fs::read(log).map_err(|source| Error::read(log, source))?;
    let name = log.file_name().unwrap_or_default().to_string_lossy();
    let got = fixture::events(&name, &bytes, options.clone());
    let path = events_of(log);
    let expected = match fs::read_to_string(&path) {
        Ok(text) => Some(text),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(source) => return Err(Error::read(&path, source)),
    };
    let differences = match &expected {
        Some(text) => fixture::compare(text.lines(), got.iter().map(String::as_str)),
        None => Ok(Vec::new()),
    };
    match (&expected, differences) {
        (Some(_), Ok(differences)) if differences.is_empty() => Ok(Outcome::Same(got.len())),
        _ if update => {
            let text: String = got.iter().map(|event| format!("{event}\n")).collect();
            output::replace(&path, text.as_bytes())?;
            Ok(Outcome::Written(got.len()))
        }
        (None, _) => Ok(Outcome::NoExpectation),
        (Some(_), Ok(differences)) => Ok(Outcome::Differs(differences)),
        (Some(_), Err((line, why))) => Err(Error::Usage(format!("{}: line {line}: {why}", named(&path)))),
    }
}

fn print(out: &mut impl Write, name: &str, outcome: &Outcome) -> io::Result<()> {
    let events = |count: &usize| if *count == 1 { "1 event".to_owned() } else { format!("{count} events") };
    match outcome {
        Outcome::Same(count) => writeln!(out, "{GOOD}ok{RESET}    {name}  {DIM}{}{RESET}", events(count)),
        Outcome::Written(count) => writeln!(out, "{WARN}wrote{RESET} {name}  {DIM}{}{RESET}", events(count)),
        Outcome::NoExpectation => {
            writeln!(out, "{BAD}FAIL{RESET}  {name}\n  no events are kept beside it; `--update` writes them")
        }
        Outcome::Differs(differences) => {
            writeln!(out, "{BAD}FAIL{RESET}  {name}  {DIM}- expected, + what it is{RESET}")?;
            differences.iter().take(SHOWN).try_for_each(|difference| print_difference(out, difference))?;
            match differences.len().checked_sub(SHOWN) {
                Some(more) if more > 0 => writeln!(out, "  and {more} more differences"),
                _ => Ok(()),
            }
        }
    }
}

fn print_difference(out: &mut impl Write, difference: &Difference) -> io::Result<()> {
    let line = difference.line.map_or("an event without a line".to_owned(), |line| format!("line {line}"));
    match &difference.what {
        Differs::Missing(event) => {
            writeln!(out, "  {line}: this event is expected and was not made")?;
            writeln!(out, "    {BAD}- {}{RESET}", style::one_line(event))
        }
        Differs::Unexpected(event) => {
            writeln!(out, "  {line}: this event was made and is not expected")?;
            writeln!(out, "    {GOOD}+ {}{RESET}", style::one_line(event))
        }
        Differs::Fields(fields) => {
            writeln!(out, "  {line}:")?;
            for field in fields {
                let name = style::one_line(&field.name);
                // What an unknown event keeps is the whole record: its head will do.
                let cut = |json: &str| {
                    let text: String = json.chars().take(WIDTH).collect();
                    if text.len() < json.len() { format!("{text}…") } else { text }
                };
                let side = |json: &Option<String>| json.as_deref().map(|json| style::one_line(&cut(json)));
                if let Some(expected) = side(&field.expected) {
                    writeln!(out, "    {BAD}- {name}: {expected}{RESET}")?;
                }
                if let Some(got) = side(&field.got) {
                    writeln!(out, "    {GOOD}+ {name}: {got}{RESET}")?;
                }
            }
            Ok(())
        }
    }
}
