//! models.dev's `api.json`: provider, then `models`, then `cost` in dollars per million tokens.
//!
//! ```json
//! {"acme":{"id":"acme","models":{"one":{"id":"one","cost":{"input":3,"output":15,"cache_read":0.3,
//!   "context_over_200k":{"input":6,"output":22.5},"tiers":[{"input":6,"output":22.5,"tier":{"type":"context","size":200000}}]}}}}}
//! ```

use super::document::{Object, Sections, count, price, string};
use super::rates::{Prices, Rate, Rates, Tier};
use super::{DEFAULT_PROVIDER, find};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::collections::BTreeMap;

#[derive(Default, Deserialize)]
struct Provider<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    models: Option<&'a RawValue>,
}

#[derive(Default, Deserialize)]
struct Model<'a> {
    #[serde(borrow)]
    cost: Option<&'a RawValue>,
}

#[derive(Default, Deserialize)]
struct Cost<'a> {
    #[serde(borrow)]
    input: Option<&'a RawValue>,
    #[serde(borrow)]
    output: Option<&'a RawValue>,
    #[serde(borrow)]
    cache_read: Option<&'a RawValue>,
    #[serde(borrow)]
    cache_write: Option<&'a RawValue>,
    #[serde(borrow)]
    reasoning: Option<&'a RawValue>,
    #[serde(borrow)]
    context_over_200k: Option<&'a RawValue>,
    #[serde(borrow)]
    tiers: Option<&'a RawValue>,
    #[serde(borrow)]
    tier: Option<&'a RawValue>,
}

#[derive(Default, Deserialize)]
struct Size<'a> {
    #[serde(borrow, rename = "type")]
    kind: Option<&'a RawValue>,
    #[serde(borrow)]
    size: Option<&'a RawValue>,
}

/// Reads all providers. What is no provider is passed over.
pub(super) fn read(providers: &Object<'_>) -> Sections {
    let mut sections = Sections::new();
    for (name, value) in providers {
        let provider: Provider<'_> = serde_json::from_str(value.get()).unwrap_or_default();
        if let Some(models) = provider.models {
            sections.insert(find::section_name(name).to_owned(), read_models(models));
        }
    }
    sections
}

/// Reads one provider that stands alone, under its own name; without one it is the default.
pub(super) fn read_provider(value: &RawValue) -> Sections {
    let provider: Provider<'_> = serde_json::from_str(value.get()).unwrap_or_default();
    let name = string(provider.id).unwrap_or_else(|| DEFAULT_PROVIDER.to_owned());
    provider.models.map(|models| (name, read_models(models))).into_iter().collect()
}

fn read_models(models: &RawValue) -> BTreeMap<String, Prices> {
    let models: Object<'_> = serde_json::from_str(models.get()).unwrap_or_default();
    let read = |value: &RawValue| {
        let model: Model<'_> = serde_json::from_str(value.get()).unwrap_or_default();
        model.cost.map(prices).unwrap_or_default()
    };
    models.into_iter().map(|(id, value)| (id, read(value))).collect()
}

fn prices(cost: &RawValue) -> Prices {
    let Ok(cost) = serde_json::from_str::<Cost<'_>>(cost.get()) else {
        let base = Rates { input: Rate::Unreadable, output: Rate::Unreadable, ..Rates::default() };
        return Prices::flat(base);
    };
    let tiers: Vec<Cost<'_>> = cost.tiers.and_then(|tiers| serde_json::from_str(tiers.get()).ok()).unwrap_or_default();
    let mut tiers: Vec<Tier> = tiers.iter().filter_map(tier).collect();
    // The older of the two ways to say it: where both stand, its size is not the real one.
    if tiers.is_empty()
        && let Some(long) = cost.context_over_200k
        && let Ok(long) = serde_json::from_str::<Cost<'_>>(long.get())
    {
        tiers.push(Tier { over: 200_000, rates: rates(&long) });
    }
    Prices::new(rates(&cost), tiers)
}

/// A tier by the size of the context, the only kind there is so far; one of another kind says nothing of a prompt.
fn tier(cost: &Cost<'_>) -> Option<Tier> {
    let size: Size<'_> = serde_json::from_str(cost.tier?.get()).ok()?;
    let by_context = size.kind.is_none() || string(size.kind).as_deref() == Some("context");
    let over = count(size.size?.get())?;
    by_context.then(|| Tier { over, rates: rates(cost) })
}

fn rates(cost: &Cost<'_>) -> Rates {
    Rates {
        input: price(cost.input, Rate::per_million),
        output: price(cost.output, Rate::per_million),
        cache_read: price(cost.cache_read, Rate::per_million),
        cache_write: price(cost.cache_write, Rate::per_million),
        reasoning: price(cost.reasoning, Rate::per_million),
    }
}
