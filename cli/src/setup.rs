//! From the common options to the way in which a run is read: tool tables, prices, model, session.

use crate::args::Common;
use crate::error::Error;
use crate::style;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::UNIX_EPOCH;
use steplens_core::price::PriceTable;
use steplens_core::rules::Rules;
use steplens_core::run::Options;
use steplens_core::time::TimeMs;

/// The options of a run.
pub(crate) fn options(common: &Common) -> Result<Options, Error> {
    let prices = common.prices.as_deref().map(prices).transpose()?;
    if common.verbose {
        let table = prices.as_ref().unwrap_or_else(|| PriceTable::built_in());
        style::note(&format!("prices: {}, {} models", table.describe(), table.model_count()));
    }
    Ok(Options {
        dialect: common.dialect.into(),
        rules: rules(common)?,
        model: common.model.clone(),
        prices: prices.map(Arc::new),
        session: common.session.clone(),
    })
}

/// The tool tables: the built-in ones, the extensions behind them if asked for, and the user's over them.
pub(crate) fn rules(common: &Common) -> Result<Rules, Error> {
    let name = |path: &PathBuf| path.display().to_string();
    let overlay = rules_text(common)?.and_then(|text| Some((common.rules.as_ref().map(name)?, text)));
    let overlay = overlay.as_ref().map(|(name, text)| (name.as_str(), text.as_str()));
    Rules::with(common.extensions, overlay).map_err(|error| Error::Rules(error.to_string()))
}

/// The user's table of rules, as it is written; none where none is named.
pub(crate) fn rules_text(common: &Common) -> Result<Option<String>, Error> {
    common.rules.as_deref().map(text_of).transpose()
}

/// A price table from a file. Where it does not say of which day it is, that is the day on which the file was written.
fn prices(path: &Path) -> Result<PriceTable, Error> {
    let text = text_of(path)?;
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    let mut table = PriceTable::parse(&text, &name).map_err(|error| Error::Prices(error.to_string()))?;
    if table.date.is_none() {
        table.date = written_on(path);
    }
    Ok(table)
}

/// The day on which a file was last written, `YYYY-MM-DD`, UTC.
fn written_on(path: &Path) -> Option<String> {
    let written = fs::metadata(path).ok()?.modified().ok()?;
    let ms = i64::try_from(written.duration_since(UNIX_EPOCH).ok()?.as_millis()).ok()?;
    TimeMs(ms).to_rfc3339()?.get(..10).map(str::to_owned)
}

/// All of a small file.
fn text_of(path: &Path) -> Result<String, Error> {
    let bytes = fs::read(path).map_err(|source| Error::read(path, source))?;
    let text = String::from_utf8(bytes);
    let text = text.map_err(|_| Error::read(path, std::io::Error::other("it is not UTF-8 text")))?;
    // Editors of one system put a mark in front that no parser of TOML or JSON takes.
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}
