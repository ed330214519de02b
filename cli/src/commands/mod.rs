//! One file a subcommand.

mod events;
mod explain;
mod rules;
mod summary;
mod table;

use crate::args::{Args, Command};
use crate::error::Error;

/// Runs the command that was asked for.
pub(crate) fn run(args: &Args) -> Result<(), Error> {
    match &args.command {
        Command::Summary { files, json } => summary::run(files, &args.common, *json),
        Command::Events { files } => events::run(files, &args.common),
        Command::Explain { file, line, json } => explain::run(file, *line, &args.common, *json),
        Command::Rules => rules::run(&args.common),
    }
}
