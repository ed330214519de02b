//! One file a subcommand.

mod aep;
mod check;
mod compare;
mod completions;
mod events;
mod explain;
mod export;
pub(crate) mod figures;
mod link;
mod map_test;
mod redact;
mod rules;
mod site;
mod summary;
mod table;
mod trace;
mod unmapped;
mod view;

use crate::args::{Args, Command};
use crate::error::Error;

/// How a command that did its work came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Done {
    /// Well.
    Fine,
    /// A limit of `check` is broken.
    LimitBroken,
    /// A fixture of `map-test` is not as expected.
    Differs,
}

/// Runs the command that was asked for.
pub(crate) fn run(args: &Args) -> Result<Done, Error> {
    let common = &args.common;
    match &args.command {
        Command::Aep { files, capture, mode } => aep::run(&files.files, *capture, *mode, common)?,
        Command::Summary { files, json, csv } => summary::run(&files.files, common, *json, *csv)?,
        Command::Events { files } => events::run(&files.files, common)?,
        Command::Explain { file, line, part, json } => explain::run(file, *line, part.as_deref(), common, *json)?,
        Command::Unmapped { files, json } => unmapped::run(&files.files, common, *json)?,
        Command::Rules => rules::run(common)?,
        Command::MapTest { folder, update } => return map_test::run(folder, common, *update),
        Command::Check { files, limits, format, output } => {
            return check::run(&files.files, common, limits, *format, output);
        }
        Command::Trace { files, output } => trace::run(&files.files, common, output)?,
        Command::Compare { a, b, json } => compare::run(a, b, common, *json)?,
        Command::Redact(redact) => redact::run(redact, common)?,
        Command::Export(export) => export::run(export, common)?,
        Command::Site(site) => site::run(site, common)?,
        Command::View(view) => view::run(view, common)?,
        Command::Link(what) => link::run(what, common)?,
        Command::Completions { shell } => completions::run(*shell)?,
    }
    Ok(Done::Fine)
}

/// A JSON document, laid out, that no control character of a log can get out of.
pub(crate) fn json_document(value: &impl serde::Serialize) -> std::io::Result<String> {
    Ok(steplens_core::event::harmless(serde_json::to_string_pretty(value)?))
}
