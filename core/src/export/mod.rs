//! Files that are made of a run: the same from the page's menu and from the command line, to the last byte.
//!
//! The events are made line by line where the lines are ([`crate::run::Run::events_of`]).

mod csv;
pub mod page;
pub mod site;
mod trace;
pub mod zip;

pub use csv::tools_csv;
pub use trace::{NoTimes, Trace, trace};

use crate::event::harmless;
use crate::summary::Summary;

/// The summary document, laid out, on lines of its own.
///
/// # Errors
/// Never: its keys are texts, and nothing in it fails to be written.
pub fn summary_json(summary: &Summary) -> serde_json::Result<String> {
    Ok(harmless(serde_json::to_string_pretty(summary)?) + "\n")
}
