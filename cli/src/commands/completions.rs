//! `steplens completions`: a script for a shell.

use crate::args::Args;
use crate::error::Error;
use clap::CommandFactory;
use clap_complete::Shell;
use std::io::{self, Write};

pub(crate) fn run(shell: Shell) -> Result<(), Error> {
    let mut command = Args::command();
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, "steplens", &mut script);
    // Not straight to standard output: the generator takes a broken pipe for a fault of the program.
    io::stdout().lock().write_all(&script)?;
    Ok(())
}
