//! See what a coding-agent run did, what it cost, and where its log lies: the command line.
//!
//! One file a subcommand under `commands`; `input` reads files, `error` says what is wrong, where, and what to do.

mod args;
mod commands;
mod error;
mod input;
mod style;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let args = args::Args::parse_from(args::with_default_command(std::env::args_os().collect()));
    args.common.color.write_global();
    match commands::run(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if error.is_broken_pipe() => ExitCode::SUCCESS,
        Err(error) => {
            anstream::eprintln!("{}steplens:{} {error}", style::BAD, style::RESET);
            ExitCode::from(2)
        }
    }
}
