//! See what a coding-agent run did, what it cost, and where its log lies: the command line.
//!
//! One file a subcommand under `commands`; `input` reads files, `setup` turns options into the way in which they are
//! read, `output` writes, `error` says what is wrong, where, and what to do.

mod args;
mod commands;
mod error;
mod input;
mod leave;
mod link;
mod output;
mod progress;
mod serve;
mod setup;
mod style;
mod viewer;

use clap::Parser;
use commands::Done;
use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    let args = args::Args::parse_from(args::with_default_command(std::env::args_os().collect()));
    args.common.color.write_global();
    match commands::run(&args) {
        Ok(Done::Fine) => ExitCode::SUCCESS,
        Ok(Done::LimitBroken | Done::Differs) => ExitCode::from(1),
        Err(error) if error.is_broken_pipe() => ExitCode::SUCCESS,
        Err(error) => {
            // Where nobody reads errors either, the exit code still says it.
            let text = error::printable(&error);
            let _ = writeln!(anstream::stderr(), "{}steplens:{} {text}", style::BAD, style::RESET);
            ExitCode::from(2)
        }
    }
}
