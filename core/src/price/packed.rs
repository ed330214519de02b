//! Our own form of a price table, as in `core/data/prices.json`: a line a model, its prices in one short text.
//!
//! Made by `cargo xtask prices`. Dollars per million tokens in the order input, output, cache read, cache write,
//! reasoning; `-` where there is none, `?` where it is unreadable, nothing at all for a model without prices; then the
//! tiers, each begun by `>` and its size. It is small, its diffs show which model changed, and nothing but the strings
//! has to be found at the start: a row is read when its model is asked for.
//!
//! ```json
//! {"format":"steplens-prices-1","source":"models.dev","version":"1.0.398","date":"2026-05-21","licence":"MIT",
//!  "providers":{"acme":{"one":"3 15 0.3 3.75 >200000 6 22.5 0.6 7.5","two":"2 10"}}}
//! ```

use super::rates::{Prices, Rate, Rates, Tier};
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use std::fmt;
use std::marker::PhantomData;

/// What `format` begins with; the number after it grows when rows change their meaning.
pub(super) const FORMAT: &str = "steplens-prices-1";

/// The document, everything in it borrowed from its text: so ids and rows may hold no JSON escape.
#[derive(Deserialize)]
pub(super) struct Document<'a> {
    pub(super) source: &'a str,
    pub(super) version: Option<&'a str>,
    pub(super) date: Option<&'a str>,
    #[serde(borrow)]
    pub(super) providers: Pairs<'a, Pairs<'a, &'a str>>,
}

/// An object as a list, in its own order: cheaper than a map, and a table is searched as a list.
pub(super) struct Pairs<'a, T>(pub(super) Vec<(&'a str, T)>);

impl<'de: 'a, 'a, T: Deserialize<'de>> Deserialize<'de> for Pairs<'a, T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Read<'a, T>(PhantomData<(&'a str, T)>);
        impl<'de: 'a, 'a, T: Deserialize<'de>> Visitor<'de> for Read<'a, T> {
            type Value = Pairs<'a, T>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(Pairs(pairs))
            }
        }
        deserializer.deserialize_map(Read(PhantomData))
    }
}

/// Reads the prices of one model. A row that is no row makes unreadable prices, never a wrong one.
pub(super) fn prices(row: &str) -> Prices {
    let mut parts = row.split('>');
    let base = parts.next().map(rates).unwrap_or_default();
    let tiers = parts.filter_map(|part| {
        let (over, row) = part.split_once(' ')?;
        Some(Tier { over: over.parse().ok()?, rates: rates(row) })
    });
    Prices::new(base, tiers.collect())
}

fn rates(text: &str) -> Rates {
    let mut words = text.split_ascii_whitespace();
    let mut next = || match words.next() {
        None | Some("-") => Rate::Absent,
        Some(word) => Rate::per_million(word),
    };
    Rates { input: next(), output: next(), cache_read: next(), cache_write: next(), reasoning: next() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_holds_prices_and_tiers() {
        let known = Rate::Known;
        let row = prices("3 15 0.3 3.75 >200000 6 22.5 - 7.5 >32000 ? 0");
        let base = Rates {
            input: known(3_000_000),
            output: known(15_000_000),
            cache_read: known(300_000),
            cache_write: known(3_750_000),
            reasoning: Rate::Absent,
        };
        assert_eq!(row.base, base);
        let small = Rates { input: Rate::Unreadable, output: known(0), ..Rates::default() };
        let large = Rates {
            input: known(6_000_000),
            output: known(22_500_000),
            cache_write: known(7_500_000),
            ..Rates::default()
        };
        assert_eq!(row.tiers, [Tier { over: 32_000, rates: small }, Tier { over: 200_000, rates: large }]);
        assert!(prices("").is_empty());
        assert_eq!(prices("- - - - 2").base, Rates { reasoning: known(2_000_000), ..Rates::default() });
    }
}
