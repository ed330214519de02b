//! `steplens rules`: the built-in tool tables.

use crate::args::{Common, Dialect};
use crate::error::Error;
use std::io::{self, Write};
use steplens_core::rules::{EXTENSIONS_TOML, KILO_TOML, OPENCODE_TOML};

pub(crate) fn run(common: &Common) -> Result<(), Error> {
    let mut text = match common.dialect {
        Dialect::Kilo => KILO_TOML.to_owned(),
        Dialect::Opencode | Dialect::Auto => OPENCODE_TOML.to_owned(),
    };
    if let Some(name) = &common.rules {
        // A table that is named is checked, and refused if it cannot be used.
        crate::setup::rules(common)?;
        crate::style::note(&format!("{} can be used; what is printed is the built-in table", name.display()));
    }
    if common.extensions {
        // Behind the table, as they are in force: what is printed stays one document.
        let rules = EXTENSIONS_TOML.split_once("[[rule]]").map(|(_, rules)| rules).unwrap_or_default();
        text.push_str("\n# The extension rules: for tools that no rule above reads.\n\n[[rule]]");
        text.push_str(rules);
    }
    if common.dialect == Dialect::Auto {
        text.push_str("\n# ---- `--dialect kilo` prints the table that is laid over this one ----\n");
    }
    io::stdout().lock().write_all(text.as_bytes())?;
    Ok(())
}
