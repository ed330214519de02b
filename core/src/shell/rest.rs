//! What comes after the first simple command, and whether it makes the label a lie.

use super::Operation;
use super::options::listed;
use super::parse::{Joint, Simple};
use super::place::Place;
use super::redirect::{self, Output};
use super::row::{self, Row};
use super::search;
use super::word::Word;
use super::wrapper;

/// Programs that change files, or run others that may: behind one of these no label says what the
/// line does.
const ACTORS: &str = "\
    rm rmdir unlink shred mv cp ln dd install truncate rsync scp mkdir touch tee sponge patch \
    xargs parallel eval source . exec bash sh zsh dash fish ksh ash trash";

/// Subcommands of git that change the files of the work tree.
const GIT_ACTORS: &str = "\
    apply am checkout switch restore reset clean mv rm stash merge rebase pull clone revert \
    cherry-pick";

/// Words of compound commands that a simple command may stand behind.
const RESERVED: &str = "\
    { } if then elif else fi while until do done esac";

/// `operation`, unless one of the commands after it makes a lie of it. They run in `place` until
/// one of them leaves it.
///
/// The same file may come again where the label stays true: `echo a > f && cat f` is a write of
/// `f`, and so is `echo a > f; echo b >> f`. Two reads of one file with different lines are one
/// read, of lines no pair can name.
pub(super) fn checked(mut operation: Operation, rest: &[Simple], place: &Place) -> Result<Operation, String> {
    let mut place = place.clone();
    for command in rest {
        let mut words = command.words.as_slice();
        while let Some((_, after)) =
            words.split_first().filter(|(word, _)| word.is_reserved(&word.text) && listed(RESERVED, &word.text))
        {
            words = after;
        }
        let words = match wrapper::unwrapped(words) {
            Ok(words) => words,
            // An assignment, a closing `done`: no program, but perhaps a redirection.
            Err(_) if words.iter().all(Word::is_assignment) => &[],
            Err(why) => return Err(format!("in what follows, {why}")),
        };
        if let Some(actor) = actor(words) {
            return Err(format!("`{actor}` follows, which may change files"));
        }
        if words.first().is_some_and(|word| matches!(word.text.as_str(), "cd" | "pushd" | "popd")) {
            place = Place::Unknown;
        }
        match row::find(words, &command.redirects, &place, command.joint == Joint::Pipe) {
            Row::Is(next, _) => operation = both(operation, next)?,
            Row::Doubt(why) => return Err(format!("in what follows, {why}")),
            Row::Other(_) => {
                if let Output::File(file) = redirect::streams(&command.redirects)?.output {
                    return Err(format!("what follows writes `{}`", file.shown()));
                }
            }
        }
    }
    Ok(operation)
}

/// The one operation that two come to, if one label is true of both.
fn both(first: Operation, next: Operation) -> Result<Operation, String> {
    use Operation::{Read, Write};
    match (first, next) {
        (first, next) if first == next => Ok(first),
        (Write { path }, Read { path: next, .. }) if path == next => Ok(Write { path }),
        (Read { path, .. }, Read { path: next, .. }) if path == next => Ok(Read { path, lines: None }),
        _ => Err("another file operation follows: more than one file".to_owned()),
    }
}

/// The program of a command that changes files or runs other programs.
fn actor(words: &[Word]) -> Option<&str> {
    let (first, operands) = words.split_first()?;
    let program = first.program();
    let acts = match program {
        "git" => search::git_subcommand(operands).is_some_and(|(name, ..)| listed(GIT_ACTORS, &name.text)),
        // `perl -pi -e`, `ruby -i`
        "perl" | "ruby" => operands
            .iter()
            .any(|word| word.text.starts_with('-') && !word.text.starts_with("--") && word.text.contains('i')),
        _ => listed(ACTORS, program),
    };
    acts.then_some(program)
}
