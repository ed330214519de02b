//! OpenRouter's `/api/v1/models`: a list of models with `pricing` in dollars per token, as strings.
//!
//! ```json
//! {"data":[{"id":"acme/one","pricing":{"prompt":"0.000003","completion":"0.000015","input_cache_read":"0.0000003",
//!   "input_cache_write":"0.00000375","internal_reasoning":"0"}}]}
//! ```

use super::DEFAULT_PROVIDER;
use super::document::{Sections, price, string};
use super::rates::{Prices, Rate, Rates};
use serde::Deserialize;
use serde_json::value::RawValue;

#[derive(Default, Deserialize)]
struct Model<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    pricing: Option<&'a RawValue>,
}

#[derive(Default, Deserialize)]
struct Pricing<'a> {
    #[serde(borrow)]
    prompt: Option<&'a RawValue>,
    #[serde(borrow)]
    completion: Option<&'a RawValue>,
    #[serde(borrow)]
    input_cache_read: Option<&'a RawValue>,
    #[serde(borrow)]
    input_cache_write: Option<&'a RawValue>,
    #[serde(borrow)]
    internal_reasoning: Option<&'a RawValue>,
}

/// Reads the list, as one section. What has no id is passed over.
pub(super) fn read(list: &[&RawValue]) -> Sections {
    let mut sections = Sections::new();
    let models = sections.entry(DEFAULT_PROVIDER.to_owned()).or_default();
    for value in list {
        let model: Model<'_> = serde_json::from_str(value.get()).unwrap_or_default();
        if let Some(id) = string(model.id) {
            models.insert(id, model.pricing.map(prices).unwrap_or_default());
        }
    }
    sections
}

fn prices(pricing: &RawValue) -> Prices {
    let Ok(pricing) = serde_json::from_str::<Pricing<'_>>(pricing.get()) else {
        let base = Rates { input: Rate::Unreadable, output: Rate::Unreadable, ..Rates::default() };
        return Prices::flat(base);
    };
    // Here 0 says that reasoning has no charge of its own, as it is billed with the completion; not that it is free.
    let reasoning = match price(pricing.internal_reasoning, Rate::per_token) {
        Rate::Known(0) => Rate::Absent,
        rate => rate,
    };
    Prices::flat(Rates {
        input: price(pricing.prompt, Rate::per_token),
        output: price(pricing.completion, Rate::per_token),
        cache_read: price(pricing.input_cache_read, Rate::per_token),
        cache_write: price(pricing.input_cache_write, Rate::per_token),
        reasoning,
    })
}
