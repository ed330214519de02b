//! A whole script: leading `cd`s, the first simple command that counts, and a look at the rest.

use super::options::{Arguments, Spec};
use super::parse::{self, Joint, Simple};
use super::place::Place;
use super::redirect::{self, Output};
use super::row::{self, Row};
use super::{Operation, rest, token, wrapper};

/// How deep `bash -c` inside `bash -c` is opened.
const MAX_SHELLS: usize = 4;

/// What a script was found to be.
pub(super) struct Verdict {
    /// The operation and why, or why it is a plain command.
    pub(super) outcome: Result<(Operation, String), String>,
    /// Where the simple command that decided runs.
    pub(super) place: Place,
}

/// Judges the script `text`, run in `place`, itself inside `depth` other shells.
pub(super) fn judge(text: &str, mut place: Place, depth: usize) -> Verdict {
    let commands = match token::tokens(text).and_then(|tokens| parse::commands(&tokens)) {
        Ok(commands) => commands,
        Err(why) => {
            return Verdict { outcome: Err(why.to_owned()), place };
        }
    };
    let mut rest = commands.as_slice();
    while let [first, second, ..] = rest {
        let Some(next) = entered(first, &place).filter(|_| second.joint == Joint::And) else {
            break;
        };
        place = next;
        rest = rest.get(1..).unwrap_or_default();
    }
    let Some((first, rest)) = rest.split_first() else {
        return Verdict { outcome: Err("the command is empty".to_owned()), place };
    };
    let Verdict { outcome, place: inner } = decide(first, &place, depth);
    let outcome = outcome.and_then(|(operation, why)| Ok((rest::checked(operation, rest, &place)?, why)));
    Verdict { outcome, place: inner }
}

/// The place after `command`, when it is a `cd DIR` and nothing else.
fn entered(command: &Simple, place: &Place) -> Option<Place> {
    let (first, words) = wrapper::unwrapped(&command.words).ok()?.split_first()?;
    let streams = redirect::streams(&command.redirects).ok()?;
    if first.text != "cd" || matches!(streams.output, Output::File(_)) {
        return None;
    }
    match Arguments::read(words, &Spec::default()).operands.as_slice() {
        // `cd -` and a bare `cd` lead somewhere the text does not say.
        [] => Some(Place::Unknown),
        [directory] => Some(place.enter(directory)),
        _ => None,
    }
}

/// What the first simple command that counts does, by itself.
fn decide(command: &Simple, place: &Place, depth: usize) -> Verdict {
    let here = |outcome| Verdict { outcome, place: place.clone() };
    let words = match wrapper::unwrapped(&command.words) {
        Ok(words) => words,
        Err(why) => return here(Err(why)),
    };
    if words.first().is_some_and(wrapper::is_shell) {
        return match wrapper::script(words).and_then(|script| check_shell(command, depth).map(|()| script)) {
            Ok(script) => judge(&script.text, place.clone(), depth + 1),
            Err(why) => here(Err(why)),
        };
    }
    here(match row::find(words, &command.redirects, place, false) {
        Row::Is(operation, why) => Ok((operation, why)),
        Row::Other(why) | Row::Doubt(why) => Err(why),
    })
}

/// Whether the shell around a script leaves its output and input alone.
fn check_shell(command: &Simple, depth: usize) -> Result<(), String> {
    let streams = redirect::streams(&command.redirects)?;
    if !matches!(streams.output, Output::Shown) || streams.input || streams.here {
        return Err("a script whose output or input is redirected".to_owned());
    }
    if depth < MAX_SHELLS { Ok(()) } else { Err("shells are nested too deep".to_owned()) }
}
