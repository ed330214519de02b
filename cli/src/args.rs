//! The command line's grammar.

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;
use steplens_core::run::DialectChoice;

/// See what a coding-agent run did, what it cost, and where its log lies.
#[derive(Debug, Parser)]
#[command(
    name = "steplens",
    version,
    after_help = "Examples:\n  kilo run --format json \"fix the login\" > run.jsonl\n  steplens run.jsonl\n  steplens summary run.jsonl --json\n  steplens events run.jsonl | jq -r 'select(.outcome == \"failed\").tool'\n  steplens explain run.jsonl --line 12\n\n`steplens FILE` is `steplens summary FILE`. `-` reads standard input.\nExit codes: 0 fine; 1 a check failed; 2 wrong use, an unreadable file, or no record recognised in it."
)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// Options of all subcommands.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct Common {
    /// Which tool table reads the calls
    #[arg(long, global = true, value_enum, default_value_t = Dialect::Auto)]
    pub(crate) dialect: Dialect,
    /// When to colour the output
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto)]
    pub(crate) color: Color,
}

/// The dialect option.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Dialect {
    /// By evidence in the log
    Auto,
    /// Kilo Code
    Kilo,
    /// OpenCode
    Opencode,
}

impl From<Dialect> for DialectChoice {
    fn from(dialect: Dialect) -> DialectChoice {
        match dialect {
            Dialect::Auto => DialectChoice::Auto,
            Dialect::Kilo => DialectChoice::Kilo,
            Dialect::Opencode => DialectChoice::OpenCode,
        }
    }
}

/// The colour option.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Color {
    /// Only to a terminal, and not with NO_COLOR
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl Color {
    pub(crate) fn write_global(self) {
        match self {
            Color::Auto => anstream::ColorChoice::Auto,
            Color::Always => anstream::ColorChoice::Always,
            Color::Never => anstream::ColorChoice::Never,
        }
        .write_global();
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Verdict, totals, tools, limits and diagnostics of a run
    Summary {
        /// Logs; `-` is standard input
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// The summary document as JSON
        #[arg(long)]
        json: bool,
    },
    /// Normalized events as JSON lines, in file order
    Events {
        /// Logs; `-` is standard input
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
    /// Why a line became what it became
    Explain {
        /// The log
        file: PathBuf,
        /// The line, from 1
        #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
        line: u64,
        /// The chain of decisions as JSON
        #[arg(long)]
        json: bool,
    },
    /// The built-in tool tables as TOML, ready to edit (`--dialect` picks one)
    Rules,
}

/// `steplens FILE` is `steplens summary FILE`: the subcommand is put in where the first plain word names none.
pub(crate) fn with_default_command(mut args: Vec<OsString>) -> Vec<OsString> {
    const COMMANDS: [&str; 5] = ["summary", "events", "explain", "rules", "help"];
    const WITH_VALUE: [&str; 2] = ["--dialect", "--color"];
    let mut skip = false;
    let mut first = None;
    for (index, arg) in args.iter().enumerate().skip(1) {
        let text = arg.to_string_lossy();
        if std::mem::take(&mut skip) {
            continue;
        }
        if WITH_VALUE.contains(&text.as_ref()) {
            skip = true;
        } else if text == "-" || !text.starts_with('-') {
            first = Some((index, text.into_owned()));
            break;
        }
    }
    if let Some((index, word)) = first
        && !COMMANDS.contains(&word.as_str())
    {
        args.insert(index, "summary".into());
    }
    args
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(args: &[&str]) -> Vec<String> {
        let args = args.iter().map(OsString::from).collect();
        with_default_command(args).into_iter().map(|arg| arg.to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn a_file_alone_is_summarized() {
        assert_eq!(words(&["steplens", "run.jsonl"]), ["steplens", "summary", "run.jsonl"]);
        assert_eq!(words(&["steplens", "-"]), ["steplens", "summary", "-"]);
        assert_eq!(words(&["steplens", "--dialect", "kilo", "a"]), ["steplens", "--dialect", "kilo", "summary", "a"]);
        assert_eq!(words(&["steplens", "events", "a"]), ["steplens", "events", "a"]);
        assert_eq!(words(&["steplens", "--help"]), ["steplens", "--help"]);
    }

    #[test]
    fn the_grammar_is_sound() {
        use clap::CommandFactory;
        Args::command().debug_assert();
    }
}
