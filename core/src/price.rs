//! Price tables: what a model's tokens cost, and where that is from.
//!
//! One table is built in (`core/data/prices.json`, made by `cargo xtask prices` from models.dev). Another can take its
//! place: models.dev's `api.json`, OpenRouter's `/api/v1/models`, LiteLLM's JSON, or four prices typed by hand.
//! OpenRouter's section is the default, as both harnesses drive most models through it; the others go by provider.
//!
//! A table is data of the one who asks: a run holds none, so the same run can be priced again with another.

mod document;
mod find;
mod litellm;
mod models_dev;
mod openrouter;
mod packed;
mod rates;

#[cfg(test)]
mod tests;

pub use rates::{Prices, Rate, Rates, Tier};

use crate::order::Order;
use std::borrow::Cow;
use std::sync::OnceLock;

/// The provider whose section is looked in first.
const DEFAULT_PROVIDER: &str = "openrouter";

/// What stands for the provider where prices were typed by hand.
const HAND_TYPED: &str = "prices typed by hand";

const BUILT_IN: &str = include_str!("../data/prices.json");

/// Prices by provider and model, with their source.
#[derive(Debug, Clone, Default)]
pub struct PriceTable {
    /// Who says so: `models.dev`, or the name of the file.
    pub source: String,
    /// The source's version, where it has one.
    pub version: Option<String>,
    /// The day that the prices are of, `YYYY-MM-DD`; none where the file does not say. Whoever knows when the file was
    /// written may set it.
    pub date: Option<String>,
    /// Sorted by provider.
    sections: Vec<Section>,
    /// Prices that hold for any model.
    any_model: Option<Prices>,
}

/// The models of one provider, sorted by id.
#[derive(Debug, Clone)]
struct Section {
    provider: Cow<'static, str>,
    models: Vec<(Cow<'static, str>, Row)>,
}

/// The prices of one model. The built-in table has thousands, of which a run asks for a few: they stay text till then.
#[derive(Debug, Clone)]
enum Row {
    Text(&'static str),
    Read(Prices),
}

impl Row {
    fn prices(&self) -> Prices {
        match self {
            Row::Text(text) => packed::prices(text),
            Row::Read(prices) => prices.clone(),
        }
    }

    fn is_empty(&self) -> bool {
        match self {
            Row::Text(text) => text.is_empty(),
            Row::Read(prices) => prices.is_empty(),
        }
    }
}

/// A model of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Its id in its section: `anthropic/claude-sonnet-4.5`.
    pub id: String,
    /// The section: `openrouter`.
    pub provider: String,
    /// Its prices; empty where the table lists the model without any.
    pub prices: Prices,
    /// Input and output cost a known zero.
    pub free: bool,
}

/// Why a text is no price table.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PriceError {
    /// It is not JSON.
    #[error("{name} is not JSON ({why}); a price table is {}", document::EXPECTED)]
    NotJson {
        /// The file.
        name: String,
        /// What the parser says, with line and column.
        why: String,
    },
    /// It is JSON of no known shape.
    #[error("{name} is no price table: it is {seen}; expected {}", document::EXPECTED)]
    UnknownShape {
        /// The file.
        name: String,
        /// What it is instead.
        seen: String,
    },
    /// Its shape is known, and no model in it has a price.
    #[error("{name} looks like {shape}, but no model in it has a price; get the file again from its source")]
    NoPrices {
        /// The file.
        name: String,
        /// The shape that was recognised.
        shape: &'static str,
    },
    /// A price typed by hand is no price.
    #[error("the {field} price `{text}` is no amount; type dollars per million tokens, such as 0.30")]
    BadPrice {
        /// Which of the four.
        field: &'static str,
        /// What was typed.
        text: String,
    },
    /// No price was typed at all.
    #[error("no price was typed; type at least one, in dollars per million tokens")]
    NothingTyped,
}

impl PriceTable {
    /// The table that comes with the program. Read at the first call, and only its strings; a run that nobody prices
    /// never pays for it.
    pub fn built_in() -> &'static PriceTable {
        static TABLE: OnceLock<PriceTable> = OnceLock::new();
        // A test reads it: it cannot fail here.
        TABLE.get_or_init(|| document::packed(BUILT_IN, Cow::Borrowed, Row::Text).unwrap_or_default())
    }

    /// Reads a table that someone else made, told by its shape: models.dev's `api.json` (or one provider of it),
    /// OpenRouter's `/api/v1/models`, LiteLLM's `model_prices_and_context_window.json`, or our own `prices.json`.
    ///
    /// `name` is what the file is called: it becomes the source, and stands in errors. What cannot be read of one model
    /// makes its price unreadable, and fails nothing else.
    ///
    /// # Errors
    /// Not JSON, no known shape, or no price in it.
    pub fn parse(text: &str, name: &str) -> Result<PriceTable, PriceError> {
        document::parse(text, name)
    }

    /// Prices typed by hand, in dollars per million tokens: they hold for any model, and where no model is known. A
    /// dollar sign, and blanks around, are allowed; blank means that there is no price for the class.
    ///
    /// # Errors
    /// A text that is no amount, or all four blank.
    ///
    /// # Examples
    /// ```
    /// use steplens_core::price::{PriceTable, Rate};
    /// let table = PriceTable::manual("3", "15", "0.30", "").unwrap();
    /// assert_eq!(table.find("any/model").unwrap().prices.base.cache_read, Rate::Known(300_000));
    /// assert!(PriceTable::manual("3,50", "15", "", "").is_err());
    /// ```
    pub fn manual(input: &str, output: &str, cache_read: &str, cache_write: &str) -> Result<PriceTable, PriceError> {
        let base = Rates {
            input: typed("input", input)?,
            output: typed("output", output)?,
            cache_read: typed("cache read", cache_read)?,
            cache_write: typed("cache write", cache_write)?,
            reasoning: Rate::Absent,
        };
        if base.is_empty() {
            return Err(PriceError::NothingTyped);
        }
        Ok(PriceTable { source: HAND_TYPED.to_owned(), any_model: Some(Prices::flat(base)), ..PriceTable::default() })
    }

    /// How many models it lists, those without a price included.
    pub fn model_count(&self) -> usize {
        self.sections.iter().map(|section| section.models.len()).sum()
    }

    /// Its providers, in order.
    pub fn providers(&self) -> impl Iterator<Item = &str> {
        self.sections.iter().map(|section| &*section.provider)
    }

    /// Where the prices are from, in a few words: `models.dev (1.0.398), as of 2026-05-21`.
    pub fn describe(&self) -> String {
        let mut text = self.source.clone();
        if let Some(version) = &self.version {
            text.push_str(&format!(" ({version})"));
        }
        if let Some(date) = &self.date {
            text.push_str(&format!(", as of {date}"));
        }
        text
    }

    /// Prices that hold even where no model is known: those typed by hand.
    pub fn for_any_model(&self) -> Option<Found> {
        self.any_model.as_ref().and_then(|_| self.find("any model"))
    }

    fn new(source: &str, mut sections: Vec<Section>) -> PriceTable {
        for section in &mut sections {
            section.models.order_by(|a, b| a.0.cmp(&b.0));
        }
        sections.order_by(|a, b| a.provider.cmp(&b.provider));
        PriceTable { source: source.to_owned(), sections, ..PriceTable::default() }
    }
}

fn typed(field: &'static str, text: &str) -> Result<Rate, PriceError> {
    let amount = text.trim();
    let amount = amount.strip_prefix('$').unwrap_or(amount).trim_start();
    if amount.is_empty() {
        return Ok(Rate::Absent);
    }
    let whole = if amount.starts_with('.') { Cow::from(format!("0{amount}")) } else { Cow::from(amount) };
    match Rate::per_million(&whole) {
        Rate::Unreadable => Err(PriceError::BadPrice { field, text: text.trim().to_owned() }),
        rate => Ok(rate),
    }
}
