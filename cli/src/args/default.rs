//! `steplens FILE` is `steplens summary FILE`.

use super::Args;
use clap::{Command, CommandFactory};
use std::ffi::OsString;

/// Puts the subcommand in where the first word that is no option names none. Which options take a value is asked of the
/// grammar itself, so that a new one cannot be forgotten here.
pub(crate) fn with_default_command(mut args: Vec<OsString>) -> Vec<OsString> {
    let command = Args::command();
    let named = first_word(&args, &command);
    if named.is_some_and(|word| !names_of_commands(&command).any(|name| name == word)) {
        // Right behind the program's name: options of all commands may stand behind the command too.
        args.insert(1, "summary".into());
    }
    args
}

/// The first word that is neither an option nor an option's value.
fn first_word(args: &[OsString], command: &Command) -> Option<String> {
    let mut args = args.iter().skip(1).map(|arg| arg.to_string_lossy());
    while let Some(arg) = args.next() {
        if arg == "--" {
            // What follows can only be files: whatever it is called, it names no command.
            return args.next().map(|_| String::new());
        }
        match arg.strip_prefix('-') {
            None | Some("") => return Some(arg.into_owned()),
            Some(option) if wants_next(option, command) => {
                args.next();
            }
            Some(_) => {}
        }
    }
    None
}

/// Whether an option, without its first dash, has its value in the next word.
fn wants_next(option: &str, command: &Command) -> bool {
    if let Some(long) = option.strip_prefix('-') {
        // `--name=value` has its value with it.
        return !long.contains('=') && takes_value(command, |arg| arg.get_long() == Some(long));
    }
    // Of letters behind one dash, the first that takes a value has the rest of them as its value.
    let mut letters = option.chars();
    letters.find(|letter| takes_value(command, |arg| arg.get_short() == Some(*letter))).is_some()
        && letters.next().is_none()
}

/// Whether the option that is meant takes a value, in all commands or in `summary`.
fn takes_value(command: &Command, is_meant: impl Fn(&clap::Arg) -> bool) -> bool {
    let summary = command.find_subcommand("summary").into_iter().flat_map(Command::get_arguments);
    command.get_arguments().chain(summary).any(|arg| is_meant(arg) && arg.get_action().takes_values())
}

fn names_of_commands(command: &Command) -> impl Iterator<Item = &str> {
    command.get_subcommands().flat_map(Command::get_name_and_visible_aliases).chain(["help"])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(args: &str, expected: &str) {
        let args = args.split(' ').map(OsString::from).collect();
        let words: Vec<_> = with_default_command(args).iter().map(|arg| arg.to_string_lossy().into_owned()).collect();
        assert_eq!(words.join(" "), expected);
    }

    #[test]
    fn a_file_alone_is_summarized() {
        check("steplens run.jsonl", "steplens summary run.jsonl");
        check("steplens -", "steplens summary -");
        check("steplens a.jsonl b.json --json", "steplens summary a.jsonl b.json --json");
        check("steplens -- check", "steplens summary -- check");
        check("steplens ./check", "steplens summary ./check");
    }

    #[test]
    fn options_before_the_file_keep_their_values() {
        for options in [
            "--dialect kilo",
            "--color never",
            "--model check",
            "--prices events",
            "--rules rules",
            "--session summary",
            "--model=x",
            "--extensions",
            "-q",
            "-v",
            "--json",
        ] {
            check(&format!("steplens {options} a"), &format!("steplens summary {options} a"));
            check(&format!("steplens {options} events a"), &format!("steplens {options} events a"));
        }
    }

    #[test]
    fn every_option_of_the_grammar_that_takes_a_value_is_known() {
        let command = Args::command();
        let valued: Vec<_> = command.get_arguments().filter(|arg| arg.get_action().takes_values()).collect();
        assert_eq!(valued.len(), 6);
        for arg in valued {
            let long = arg.get_long().unwrap();
            check(&format!("steplens --{long} trace a"), &format!("steplens summary --{long} trace a"));
            check(&format!("steplens --{long}=trace trace a"), &format!("steplens --{long}=trace trace a"));
        }
    }

    #[test]
    fn commands_and_questions_stay() {
        for args in
            ["steplens", "steplens --help", "steplens -V", "steplens help", "steplens help check", "steplens --"]
        {
            check(args, args);
        }
        for command in Args::command().get_subcommands() {
            let args = format!("steplens {} x", command.get_name());
            check(&args, &args);
        }
    }
}
