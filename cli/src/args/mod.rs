//! The command line's grammar.

mod aep;
mod default;
mod limits;
mod redact;
mod share;

pub(crate) use aep::{AepCapture, AepMode};
pub(crate) use default::with_default_command;
pub(crate) use limits::{CostKind, Limits, Millis};
pub(crate) use redact::{Redact, Report};
pub(crate) use share::{Export, Leave, Link, Site, View};

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum, ValueHint};
use std::path::{Path, PathBuf};
use steplens_core::run::DialectChoice;

/// See what a coding-agent run did, what it cost, and where its log lies.
#[derive(Debug, Parser)]
#[command(name = "steplens", version, after_help = include_str!("examples/steplens.txt"))]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// Options of all subcommands.
#[derive(Debug, Clone, ClapArgs)]
#[command(next_help_heading = "Options of all commands")]
pub(crate) struct Common {
    /// Which tool table reads the calls
    #[arg(long, global = true, value_enum, default_value_t = Dialect::Auto)]
    pub(crate) dialect: Dialect,
    /// A table of rules over the built-in ones (TOML; `steplens rules` prints those)
    #[arg(long, global = true, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) rules: Option<PathBuf>,
    /// Also the extension rules, for tools that the built-in tables leave alone
    #[arg(long, global = true)]
    pub(crate) extensions: bool,
    /// Price every step as this model (`provider/model`), whatever the log names
    #[arg(long, global = true, value_name = "ID", value_parser = named)]
    pub(crate) model: Option<String>,
    /// Prices in place of the built-in ones: models.dev's api.json, OpenRouter's models, LiteLLM's prices
    #[arg(long, global = true, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) prices: Option<PathBuf>,
    /// Only this session of the logs
    #[arg(long, global = true, value_name = "ID", value_parser = named)]
    pub(crate) session: Option<String>,
    /// When to colour the output
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto)]
    pub(crate) color: Color,
    /// Nothing on standard error but errors: no notes, no progress bar
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
    /// Also say on standard error how the logs are read, and by which prices
    #[arg(short, long, global = true, conflicts_with = "quiet")]
    pub(crate) verbose: bool,
}

/// A name that is one.
fn named(text: &str) -> Result<String, String> {
    let text = text.trim();
    if text.is_empty() {
        Err("it is empty; leave the option out to take what the log names".to_owned())
    } else {
        Ok(text.to_owned())
    }
}

/// The dialect option.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
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

/// The logs of a command.
#[derive(Debug, ClapArgs)]
pub(crate) struct Files {
    /// Logs (packed ones too), or the folder of an old storage tree; `-` is standard input
    #[arg(required = true, value_name = "FILE", value_hint = ValueHint::AnyPath)]
    pub(crate) files: Vec<PathBuf>,
}

/// Where a command writes to.
#[derive(Debug, ClapArgs)]
pub(crate) struct Output {
    /// Write to this file, which is then there whole or not at all; `-` is standard output
    #[arg(short, long, value_name = "OUT", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
    /// Replace the file if it exists
    #[arg(long, requires = "output")]
    pub(crate) force: bool,
}

impl Output {
    /// The file; none for standard output.
    pub(crate) fn path(&self) -> Option<&Path> {
        self.output.as_deref().filter(|path| *path != Path::new("-"))
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Verdict, totals, tools, limits and diagnostics of a run
    #[command(after_help = include_str!("examples/summary.txt"))]
    Summary {
        #[command(flatten)]
        files: Files,
        /// The summary document as JSON
        #[arg(long)]
        json: bool,
        /// The tools as a table for a spreadsheet
        #[arg(long, conflicts_with = "json")]
        csv: bool,
    },
    /// Normalized events as JSON lines, in file order
    #[command(after_help = include_str!("examples/events.txt"))]
    Events {
        #[command(flatten)]
        files: Files,
    },
    /// Why the record that covers a line became what it became
    #[command(after_help = include_str!("examples/explain.txt"))]
    Explain {
        /// The log
        #[arg(value_hint = ValueHint::FilePath)]
        file: PathBuf,
        /// The line, from 1
        #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
        line: u64,
        /// Of several records on the line, the one of this part
        #[arg(long, value_name = "ID")]
        part: Option<String>,
        /// The chain of decisions as JSON
        #[arg(long)]
        json: bool,
    },
    /// Types and tools that no rule knows: how many, where, and which rule could read them
    #[command(after_help = include_str!("examples/unmapped.txt"))]
    Unmapped {
        #[command(flatten)]
        files: Files,
        /// The list as JSON
        #[arg(long)]
        json: bool,
    },
    /// The built-in tool tables as TOML, ready to edit (`--dialect` picks one, `--extensions` adds those rules)
    #[command(after_help = include_str!("examples/rules.txt"))]
    Rules,
    /// Hold a mapping to fixtures: small logs, and the events that they must become
    #[command(after_help = include_str!("examples/map-test.txt"))]
    MapTest {
        /// The folder of the fixtures
        #[arg(value_hint = ValueHint::DirPath, value_name = "DIR")]
        folder: PathBuf,
        /// Write the events that the rules give now, where they are not as expected
        #[arg(long)]
        update: bool,
    },
    /// Hold a run to limits: one row a limit, exit code 1 if one is broken
    #[command(after_help = include_str!("examples/check.txt"))]
    Check {
        #[command(flatten)]
        files: Files,
        #[command(flatten)]
        limits: Limits,
        /// How the rows are written
        #[arg(long, value_enum, default_value_t = Format::Text)]
        format: Format,
        #[command(flatten)]
        output: Output,
    },
    /// Sessions, steps and calls on a time line: a Chrome trace, for Perfetto
    #[command(after_help = include_str!("examples/trace.txt"))]
    Trace {
        #[command(flatten)]
        files: Files,
        #[command(flatten)]
        output: Output,
    },
    /// Two runs side by side: what lies between their totals, tools and steps
    #[command(after_help = include_str!("examples/compare.txt"))]
    Compare {
        /// One log
        #[arg(value_name = "A", value_hint = ValueHint::AnyPath)]
        a: PathBuf,
        /// The other
        #[arg(value_name = "B", value_hint = ValueHint::AnyPath)]
        b: PathBuf,
        /// The comparison as JSON
        #[arg(long)]
        json: bool,
    },
    /// The log as events of the Agent Event Protocol 0.1, as JSON lines
    #[command(after_help = include_str!("examples/aep.txt"))]
    Aep {
        #[command(flatten)]
        files: Files,
        /// How much of what people and models wrote may be in the events
        #[arg(long, value_enum, default_value_t = AepCapture::Metadata)]
        capture: AepCapture,
        /// The channel that the events are for
        #[arg(long, value_enum, default_value_t = AepMode::Auto)]
        mode: AepMode,
    },
    /// The log with keys, passwords, addresses and home directories masked; it still gives the same events
    #[command(after_help = include_str!("examples/redact.txt"))]
    Redact(Redact),
    /// The run as one HTML file that opens from disk, offline, with the whole viewer
    #[command(after_help = include_str!("examples/export.txt"))]
    Export(Export),
    /// A folder for a static host: the viewer, logs, and an index page of the runs
    #[command(after_help = include_str!("examples/site.txt"))]
    Site(Site),
    /// A link that holds the run itself, for a pull request or a chat
    #[command(after_help = include_str!("examples/link.txt"))]
    Link(Link),
    /// The page with the log open, served to this machine until Ctrl-C
    #[command(after_help = include_str!("examples/view.txt"))]
    View(View),
    /// A script that completes the command line in a shell
    #[command(after_help = include_str!("examples/completions.txt"))]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

/// How `check` writes its rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// A table for a terminal
    Text,
    /// One JSON document
    Json,
    /// JUnit XML, one test case a limit
    Junit,
    /// A Markdown table
    Markdown,
    /// Commands of a GitHub workflow
    Github,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_grammar_is_sound() {
        use clap::CommandFactory;
        Args::command().debug_assert();
    }
}
