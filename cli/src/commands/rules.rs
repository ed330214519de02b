//! `steplens rules`: the built-in tool tables.

use crate::args::{Common, Dialect};
use crate::error::Error;
use std::io::{self, Write};
use steplens_core::rules::{KILO_TOML, OPENCODE_TOML};

pub(crate) fn run(common: &Common) -> Result<(), Error> {
    let text = match common.dialect {
        Dialect::Kilo => KILO_TOML.to_owned(),
        Dialect::Opencode => OPENCODE_TOML.to_owned(),
        // Without a choice both, told apart by a line: each is a document of its own.
        Dialect::Auto => {
            format!("{OPENCODE_TOML}\n# ---- `--dialect kilo` prints the table that is laid over this one ----\n")
        }
    };
    io::stdout().lock().write_all(text.as_bytes())?;
    Ok(())
}
