//! Tells which kind of price table a JSON document is, by its shape: names of files say nothing.

use super::{PriceError, PriceTable, Prices, Rate, Row, Section, litellm, models_dev, openrouter, packed};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// What a price table can be, for errors.
pub(super) const EXPECTED: &str = "one of: models.dev's api.json (provider, then `models`, then `cost`), OpenRouter's \
    /api/v1/models (`data`, each with `id` and `pricing`), LiteLLM's JSON (model, then `input_cost_per_token`)";

/// An object whose values are not read yet. Of two values with the same key the last counts.
pub(super) type Object<'a> = BTreeMap<String, &'a RawValue>;

/// Model and prices, by provider.
pub(super) type Sections = BTreeMap<String, BTreeMap<String, Prices>>;

/// Just enough to tell the shapes apart; each field is there or not.
#[derive(Default, Deserialize)]
struct Shape<'a> {
    #[serde(borrow)]
    format: Option<&'a RawValue>,
    #[serde(borrow)]
    data: Option<&'a RawValue>,
    #[serde(borrow)]
    models: Option<&'a RawValue>,
    #[serde(borrow)]
    pricing: Option<&'a RawValue>,
    #[serde(borrow)]
    litellm_provider: Option<&'a RawValue>,
    #[serde(borrow)]
    input_cost_per_token: Option<&'a RawValue>,
}

impl<'a> Shape<'a> {
    fn of(value: &'a RawValue) -> Shape<'a> {
        // A list would be read as the fields in their order.
        let object = Some(value.get()).filter(|text| text.starts_with('{'));
        object.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default()
    }
}

pub(super) fn parse(text: &str, name: &str) -> Result<PriceTable, PriceError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let value: &RawValue = serde_json::from_str(text)
        .map_err(|error| PriceError::NotJson { name: name.to_owned(), why: not_json(text, &error) })?;
    let (shape, sections) = if value.get().starts_with('[') {
        let list: Vec<&RawValue> = serde_json::from_str(value.get()).unwrap_or_default();
        if list.first().is_some_and(|first| Shape::of(first).pricing.is_some()) {
            ("OpenRouter's list of models", openrouter::read(&list))
        } else {
            return Err(unknown(name, format!("a list of {}", list.len())));
        }
    } else {
        let object: Object<'_> = serde_json::from_str(value.get()).map_err(|_| unknown(name, head(value.get())))?;
        let shape = Shape::of(value);
        if shape.format.is_some_and(|format| format.get().trim_matches('"') == packed::FORMAT) {
            return packed(text, |id| Cow::Owned(id.to_owned()), |row| Row::Read(packed::prices(row)))
                .map_err(|error| unknown(name, format!("in the form of Steplens's own prices.json, but {error}")));
        }
        if let Some(data) = shape.data {
            let list: Vec<&RawValue> = serde_json::from_str(data.get()).unwrap_or_default();
            if !list.iter().any(|model| Shape::of(model).pricing.is_some()) {
                return Err(unknown(name, keys(&object)));
            }
            ("OpenRouter's list of models", openrouter::read(&list))
        } else if shape.models.is_some() {
            ("a provider of models.dev", models_dev::read_provider(value))
        } else if object.values().any(|value| Shape::of(value).models.is_some()) {
            ("models.dev's api.json", models_dev::read(&object))
        } else if object.values().map(|value| Shape::of(value)).any(|shape| is_litellm(&shape)) {
            ("LiteLLM's price table", litellm::read(&object))
        } else {
            return Err(unknown(name, keys(&object)));
        }
    };
    if sections.values().flat_map(BTreeMap::values).all(Prices::is_empty) {
        return Err(PriceError::NoPrices { name: name.to_owned(), shape });
    }
    let sections = sections.into_iter().map(|(provider, models)| Section {
        provider: Cow::Owned(provider),
        models: models.into_iter().map(|(id, prices)| (Cow::Owned(id), Row::Read(prices))).collect(),
    });
    Ok(PriceTable::new(name, sections.collect()))
}

/// Reads our own form. `keep` makes what is kept of an id, `row` a model's prices of its text: at once, or when they are
/// asked for.
pub(super) fn packed<'a>(
    text: &'a str,
    keep: fn(&'a str) -> Cow<'static, str>,
    row: fn(&'a str) -> Row,
) -> Result<PriceTable, serde_json::Error> {
    let document: packed::Document<'a> = serde_json::from_str(text)?;
    let sections = document.providers.0.into_iter().map(|(provider, models)| Section {
        provider: keep(provider),
        models: models.0.into_iter().map(|(id, prices)| (keep(id), row(prices))).collect(),
    });
    let mut table = PriceTable::new(document.source, sections.collect());
    table.version = document.version.map(str::to_owned);
    table.date = document.date.map(str::to_owned);
    Ok(table)
}

fn is_litellm(shape: &Shape<'_>) -> bool {
    shape.litellm_provider.is_some() || shape.input_cost_per_token.is_some()
}

/// A price as a JSON number or a string that holds one. `null` never comes here: it is absent.
pub(super) fn price(value: Option<&RawValue>, read: fn(&str) -> Rate) -> Rate {
    let Some(value) = value else { return Rate::Absent };
    match value.get() {
        "null" => Rate::Absent,
        text if text.starts_with('"') => {
            serde_json::from_str::<String>(text).map_or(Rate::Unreadable, |text| read(text.trim()))
        }
        text => read(text),
    }
}

/// A JSON string; `None` for anything else.
pub(super) fn string(value: Option<&RawValue>) -> Option<String> {
    serde_json::from_str(value?.get()).ok()
}

/// A count that may be written as `200000` or `200000.0`.
pub(super) fn count(text: &str) -> Option<u64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    fraction.bytes().all(|digit| digit == b'0').then(|| whole.parse().ok()).flatten()
}

fn not_json(text: &str, error: &serde_json::Error) -> String {
    match text.trim_start().chars().next() {
        None => "it is empty".to_owned(),
        Some('<') => "it looks like a web page".to_owned(),
        Some(_) => error.to_string(),
    }
}

fn unknown(name: &str, seen: String) -> PriceError {
    PriceError::UnknownShape { name: name.to_owned(), seen }
}

fn keys(object: &Object<'_>) -> String {
    let shown: Vec<String> = object.keys().take(4).map(|key| format!("`{}`", head(key))).collect();
    match object.len() {
        0 => "an empty object".to_owned(),
        count if count > shown.len() => format!("an object with {} and {} more", shown.join(", "), count - shown.len()),
        _ => format!("an object with {}", shown.join(", ")),
    }
}

fn head(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
