//! Words before the command proper: assignments, `sudo`, `env`, `time`, `command`; and `bash -c
//! SCRIPT`.
//!
//! `timeout`, `nice`, `nohup` and `xargs` are left alone: the table does not name them, and what
//! they run they run under conditions of their own.

use super::options::{Arguments, Spec, listed};
use super::word::Word;

/// Shells whose `-c` is opened.
const SHELLS: [&str; 4] = ["bash", "sh", "zsh", "dash"];

/// What a wrapper's options mean for the command behind it. Any option not named here is doubt:
/// `sudo -e` edits, `env -C` changes the directory, `command -v` only looks.
struct Wrapper {
    name: &'static str,
    /// Letters of options that change nothing about files.
    switches: &'static str,
    /// Letters of options that change nothing about files and take a value.
    values: &'static str,
    /// Long options that change nothing about files.
    long_switches: &'static str,
    /// Long options that change nothing about files and take a value.
    long_values: &'static str,
}

const WRAPPERS: [Wrapper; 4] = [
    Wrapper {
        name: "sudo",
        switches: "nEHSAPkb",
        values: "ugpCT",
        long_switches: "non-interactive preserve-env set-home stdin askpass preserve-groups",
        long_values: "user group prompt",
    },
    Wrapper {
        name: "env",
        switches: "i0",
        values: "u",
        long_switches: "ignore-environment null",
        long_values: "unset",
    },
    Wrapper { name: "time", switches: "pvl", values: "f", long_switches: "portability verbose", long_values: "format" },
    Wrapper { name: "command", switches: "p", values: "", long_switches: "", long_values: "" },
];

/// Whether `word` is the name of a shell.
pub(super) fn is_shell(word: &Word) -> bool {
    SHELLS.contains(&word.program())
}

/// The words from the command proper on, or why there is none.
pub(super) fn unwrapped(mut words: &[Word]) -> Result<&[Word], String> {
    let mut wrapper = None;
    loop {
        let Some((first, rest)) = words.split_first() else {
            return Err(match wrapper {
                Some(name) => format!("`{name}` without a command"),
                None => "it runs no program".to_owned(),
            });
        };
        // `!` only turns the exit code around.
        if first.is_assignment() || first.is_reserved("!") {
            words = rest;
            continue;
        }
        if first.expansion || first.pattern || first.escapes {
            return Err(format!("which program `{}` is, is not certain", first.shown()));
        }
        let Some(found) = WRAPPERS.iter().find(|wrapper| wrapper.name == first.program()) else {
            return Ok(words);
        };
        words = found.skip_options(rest)?;
        wrapper = Some(found.name);
    }
}

impl Wrapper {
    /// The words after the wrapper's own options.
    fn skip_options<'a>(&self, mut words: &'a [Word]) -> Result<&'a [Word], String> {
        while let Some((word, rest)) = words.split_first() {
            let Some(option) = word.text.strip_prefix('-') else {
                break;
            };
            let skipped = match option.strip_prefix('-') {
                Some("") => return Ok(rest),
                Some(long) => self.skip_long(long),
                None => self.skip_letters(option),
            };
            let skipped =
                skipped.ok_or_else(|| format!("`{} {}` does more than run a command", self.name, word.shown()))?;
            words = rest.get(skipped..).unwrap_or_default();
        }
        Ok(words)
    }

    /// How many words after `--long` belong to it; `None` when it is not known.
    fn skip_long(&self, long: &str) -> Option<usize> {
        let (name, value) = long.split_once('=').map_or((long, None), |(name, value)| (name, Some(value)));
        if listed(self.long_values, name) {
            return Some(usize::from(value.is_none()));
        }
        listed(self.long_switches, name).then_some(0)
    }

    /// How many words after `-letters` belong to it; `None` when one of the letters is not known.
    fn skip_letters(&self, letters: &str) -> Option<usize> {
        for (at, letter) in letters.char_indices() {
            if self.values.contains(letter) {
                let attached = at + letter.len_utf8() < letters.len();
                return Some(usize::from(!attached));
            }
            if !self.switches.contains(letter) {
                return None;
            }
        }
        Some(0)
    }
}

/// The SCRIPT of `bash -lc SCRIPT`; `words` starts with the shell.
pub(super) fn script(words: &[Word]) -> Result<&Word, String> {
    let (shell, rest) = words.split_first().ok_or_else(|| "it runs no program".to_owned())?;
    let spec = Spec { short: "oO", long: "rcfile init-file", ..Spec::default() };
    // A shell's options end at its first operand, so what follows the script cannot be one of them.
    let mut end = 0;
    while let Some(word) = rest.get(end).filter(|word| word.text.starts_with(['-', '+'])) {
        let takes_next = word.text.ends_with(['o', 'O']) && !word.text.starts_with("--");
        let takes_file = word.text.strip_prefix("--").is_some_and(|name| listed(spec.long, name));
        end += if takes_next || takes_file { 2 } else { 1 };
    }
    let options = Arguments::read(rest.get(..end).unwrap_or_default(), &spec);
    let script = rest.get(end).filter(|_| options.has(&["c"]));
    let script = script.ok_or_else(|| format!("`{}` without `-c SCRIPT`", shell.shown()))?;
    if script.expansion || script.pattern || script.escapes {
        return Err(format!("the script of `{}` is not certain: the shell changes it", shell.shown()));
    }
    Ok(script)
}
