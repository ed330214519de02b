//! LiteLLM's `model_prices_and_context_window.json`: a flat object of models, in dollars per token.
//!
//! ```json
//! {"openrouter/acme/one":{"litellm_provider":"openrouter","input_cost_per_token":3e-06,"output_cost_per_token":1.5e-05,
//!   "cache_read_input_token_cost":3e-07,"input_cost_per_token_above_200k_tokens":6e-06}}
//! ```

use super::document::{Object, Sections, count, price, string};
use super::rates::{Prices, Rate, Rates, Tier};
use super::{DEFAULT_PROVIDER, find};
use serde_json::value::RawValue;

/// The entry that documents the others.
const SAMPLE: &str = "sample_spec";

/// Reads all models, each into the section of its provider.
pub(super) fn read(models: &Object<'_>) -> Sections {
    let mut sections = Sections::new();
    for (key, value) in models.iter().filter(|(key, _)| *key != SAMPLE) {
        let Ok(fields) = serde_json::from_str::<Object<'_>>(value.get()) else { continue };
        let written = string(fields.get("litellm_provider").copied());
        let written = written.as_deref().unwrap_or(DEFAULT_PROVIDER);
        // Most keys begin with the provider, those of the large makers do not.
        let id = key.strip_prefix(written).and_then(|rest| rest.strip_prefix('/')).unwrap_or(key);
        let section = sections.entry(find::section_name(written).to_owned()).or_default();
        section.insert(id.to_owned(), prices(&fields));
    }
    sections
}

fn prices(fields: &Object<'_>) -> Prices {
    let mut base = rates(fields, "");
    let mut tiers = Vec::new();
    for key in fields.keys() {
        // `…_above_200k_tokens`; whichever class names a size, the tier is of all classes.
        let size = key.split_once("_above_").and_then(|(_, rest)| rest.strip_suffix("k_tokens"));
        if let Some(thousands) = size.and_then(|size| size.parse::<u64>().ok())
            && let Some(over) = thousands.checked_mul(1000)
            && tiers.iter().all(|tier: &Tier| tier.over != over)
        {
            let rates = rates(fields, &format!("_above_{thousands}k_tokens"));
            if !rates.is_empty() {
                tiers.push(Tier { over, rates });
            }
        }
    }
    let ranges: Vec<Object<'_>> =
        fields.get("tiered_pricing").and_then(|list| serde_json::from_str(list.get()).ok()).unwrap_or_default();
    for range in &ranges {
        match range_start(range) {
            Some(0) if base.is_empty() => base = rates(range, ""),
            Some(over) if over > 0 => tiers.push(Tier { over, rates: rates(range, "") }),
            _ => {}
        }
    }
    Prices::new(base, tiers)
}

/// The first of `"range":[32000.0,128000.0]`.
fn range_start(range: &Object<'_>) -> Option<u64> {
    let bounds: Vec<&RawValue> = serde_json::from_str(range.get("range")?.get()).ok()?;
    count(bounds.first()?.get())
}

fn rates(fields: &Object<'_>, suffix: &str) -> Rates {
    let read = |name: &str| price(fields.get(&format!("{name}{suffix}")).copied(), Rate::per_token);
    Rates {
        input: read("input_cost_per_token"),
        output: read("output_cost_per_token"),
        cache_read: read("cache_read_input_token_cost"),
        cache_write: read("cache_creation_input_token_cost"),
        reasoning: read("output_cost_per_reasoning_token"),
    }
}
