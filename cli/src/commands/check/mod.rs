//! `steplens check`: holds a run to limits, one row a limit.

mod document;
mod github;
mod junit;
mod rows;
mod text;

use super::Done;
use crate::args::{Common, Format, Limits, Output};
use crate::error::Error;
use crate::input::{self, Pass};
use crate::output;
use rows::Checked;
use std::path::PathBuf;

pub(crate) fn run(
    files: &[PathBuf],
    common: &Common,
    limits: &Limits,
    format: Format,
    output: &Output,
) -> Result<Done, Error> {
    if !rows::any(limits) {
        return Err(Error::Usage(NO_LIMIT.to_owned()));
    }
    output::check(output, files)?;
    let mut opened = input::open(files, common, Pass::Once)?;
    // A run that wrote no log is no run that keeps its limits.
    if let Some(refusal) = opened.refusal() {
        return Err(refusal);
    }
    let damage: Vec<&str> = opened.damage().collect();
    let checked = rows::check(&opened.run.summary(), &opened.paths, &damage, limits);
    output::write_to(output, |out| {
        match format {
            Format::Text => text::write_table(out, &checked),
            Format::Markdown => text::write_markdown(out, &checked),
            Format::Json => document::write(out, &checked),
            Format::Junit => junit::write(out, &checked),
            Format::Github => github::write(out, &checked),
        }
        .map_err(Error::Write)
    })?;
    Ok(if checked.passed() { Done::Fine } else { Done::LimitBroken })
}

const NO_LIMIT: &str = "check needs at least one limit:
  --require-completed       every run in the logs came to its end
  --max-cost-usd USD        at most so many dollars (--cost reported, comparable or list)
  --max-tokens N            at most so many tokens, cached ones too
  --max-duration TIME       at most so long, such as 90s, 10m or 1h30m
  --max-failed-calls N      at most so many failed calls
  --no-unknown              no record of a type or tool that no rule knows
  --no-malformed            no line that is no JSON object";

impl Checked {
    /// Whether every limit holds.
    fn passed(&self) -> bool {
        self.broken() == 0
    }

    /// How many limits are broken.
    fn broken(&self) -> usize {
        self.rows.iter().filter(|row| row.state.is_broken()).count()
    }
}
