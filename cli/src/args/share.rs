//! Options of the commands that hand a run on: `export`, `site`, `view`.

use super::{Files, Output, redact::Mask};
use clap::{Args as ClapArgs, ValueHint};
use std::path::PathBuf;

/// What of a log does not leave.
#[derive(Debug, ClapArgs)]
pub(crate) struct Leave {
    /// Mask keys, passwords, addresses and home directories, as `steplens redact` does
    #[arg(long)]
    pub(crate) redact: bool,
    #[command(flatten)]
    pub(crate) mask: Mask,
    /// Leave out what the calls gave back; how much it was is said in its place
    #[arg(long)]
    pub(crate) no_outputs: bool,
}

/// Options of `export`.
#[derive(Debug, ClapArgs)]
pub(crate) struct Export {
    #[command(flatten)]
    pub(crate) files: Files,
    #[command(flatten)]
    pub(crate) leave: Leave,
    /// Open the file at the event of this line of the first log
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) line: Option<u64>,
    #[command(flatten)]
    pub(crate) output: Output,
}

/// Options of `site`.
#[derive(Debug, ClapArgs)]
pub(crate) struct Site {
    /// The folder to make
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) folder: PathBuf,
    #[command(flatten)]
    pub(crate) files: Files,
    #[command(flatten)]
    pub(crate) leave: Leave,
    /// The title of the index page
    #[arg(long, default_value = steplens_core::export::site::TITLE)]
    pub(crate) title: String,
    /// Make it anew where there is one: another folder is never replaced
    #[arg(long)]
    pub(crate) force: bool,
}

/// Options of `view`.
#[derive(Debug, ClapArgs)]
pub(crate) struct View {
    /// Logs; `-` is standard input, shown as it comes
    #[arg(required_unless_present = "connect", value_name = "FILE", value_hint = ValueHint::AnyPath)]
    pub(crate) files: Vec<PathBuf>,
    /// Show what is appended to the first log, as it is written
    #[arg(long)]
    pub(crate) follow: bool,
    /// Also pass on the events of a server of Kilo or OpenCode on this machine, and replies to it
    #[arg(long, value_name = "URL")]
    pub(crate) connect: Option<String>,
    /// The port; a free one if it is not given
    #[arg(long, value_name = "PORT")]
    pub(crate) port: Option<u16>,
    /// Open the browser
    #[arg(long)]
    pub(crate) open: bool,
}

/// Options of `link`.
#[derive(Debug, ClapArgs)]
pub(crate) struct Link {
    /// The log (a packed one is unpacked); `-` is standard input
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) leave: Leave,
    /// Open the link at the event of this line
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) line: Option<u64>,
    /// The page that opens it; without it only the part behind `#` is printed
    #[arg(long, value_name = "URL", value_hint = ValueHint::Url)]
    pub(crate) viewer: Option<String>,
}
