//! Finds a model in a table: by the name that a log or a user gives, by a part of it, or by what is near it.

use super::{DEFAULT_PROVIDER, Found, HAND_TYPED, PriceTable, Prices, Rate, Rates, Section};
use crate::order::Order;

/// What a log may put before a model that OpenRouter lists without it. Stripped once.
const GATEWAYS: [&str; 3] = [DEFAULT_PROVIDER, "kilo", "opencode"];

/// Whose own section is looked in first for an id without a provider: those who make the models.
const MAKERS: [&str; 9] =
    ["anthropic", "openai", "google", "xai", "mistral", "deepseek", "moonshotai", "zai", "alibaba"];

/// LiteLLM's names of providers that models.dev, and so the harnesses, call otherwise.
const OTHER_NAMES: [(&str, &str); 8] = [
    ("gemini", "google"),
    ("vertex_ai", "google-vertex"),
    ("bedrock", "amazon-bedrock"),
    ("bedrock_converse", "amazon-bedrock"),
    ("moonshot", "moonshotai"),
    ("together_ai", "togetherai"),
    ("fireworks_ai", "fireworks-ai"),
    ("github_copilot", "github-copilot"),
];

/// What ends the id of a model that OpenRouter serves at no charge.
const FREE: &str = ":free";

/// The name that a provider's section goes by. LiteLLM writes one for each kind of model on Vertex.
pub(super) fn section_name(provider: &str) -> &str {
    let provider = if provider.starts_with("vertex_ai-") { "vertex_ai" } else { provider };
    OTHER_NAMES.iter().find(|(other, _)| *other == provider).map_or(provider, |(_, name)| name)
}

impl PriceTable {
    /// The prices of a model: `anthropic/claude-sonnet-4.5`, `openrouter/…`, `kilo/…`, `opencode/…`, `gpt-5`.
    ///
    /// A leading `openrouter/`, `kilo/` or `opencode/` is stripped, and OpenRouter's section comes first; then the
    /// section that the gateway or the provider names; for an id alone those of the makers, then the only section that
    /// has it. Exact ids go before those that differ in case. An id that ends in `:free` costs nothing, even where the
    /// table no longer lists it. Prices typed by hand hold for every model.
    ///
    /// This looks through lists: keep what it finds for as long as steps name the same model.
    pub fn find(&self, model: &str) -> Option<Found> {
        let model = model.trim();
        if let Some(prices) = &self.any_model {
            return Some(found(model, HAND_TYPED, prices.clone()));
        }
        let (gateway, id) = match model.split_once('/') {
            Some((first, rest)) if GATEWAYS.iter().any(|name| name.eq_ignore_ascii_case(first)) => (Some(first), rest),
            _ => (None, model),
        };
        self.in_section(DEFAULT_PROVIDER, id)
            // `openrouter/auto` is the whole id of a model, as is `kilo/…` of some.
            .or_else(|| gateway.and_then(|_| self.in_section(DEFAULT_PROVIDER, model)))
            .or_else(|| gateway.and_then(|gateway| self.in_section(gateway, id)))
            .or_else(|| match id.split_once('/') {
                Some((provider, id)) => self.in_section(section_name(provider), id),
                None => self.without_provider(id),
            })
            .or_else(|| {
                let free = Rate::Known(0);
                let rates = Rates { input: free, output: free, cache_read: free, cache_write: free, reasoning: free };
                id.ends_with(FREE).then(|| found(id, DEFAULT_PROVIDER, Prices::flat(rates)))
            })
    }

    fn in_section(&self, provider: &str, id: &str) -> Option<Found> {
        let exact = self.sections.binary_search_by(|section| (*section.provider).cmp(provider)).ok();
        let section = match exact.and_then(|place| self.sections.get(place)) {
            Some(section) => section,
            None => self.sections.iter().find(|section| section.provider.eq_ignore_ascii_case(provider))?,
        };
        section.find(id)
    }

    fn without_provider(&self, id: &str) -> Option<Found> {
        if let Some(found) = MAKERS.iter().find_map(|maker| self.in_section(maker, id)) {
            return Some(found);
        }
        let mut all = self.sections.iter().filter_map(|section| section.find(id));
        let first = all.next()?;
        all.next().is_none().then_some(first)
    }

    /// Names of priced models that hold every word of `text`, in any case; each is one that [`PriceTable::find`] takes.
    /// The best come first: whole names, then those that begin with it; among them OpenRouter's, makers' and gateways',
    /// others'; then by name.
    pub fn search(&self, text: &str, limit: usize) -> Vec<String> {
        let text = text.trim().to_ascii_lowercase();
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        let mut hits: Vec<(u8, Name<'_>)> = self
            .names()
            .filter_map(|name| {
                let lower = name.text.to_ascii_lowercase();
                let tail = lower.rsplit('/').next().unwrap_or_default();
                let place = match () {
                    () if !words.iter().all(|word| lower.contains(word)) => return None,
                    () if lower == text || tail == text => 0,
                    () if lower.starts_with(&text) || tail.starts_with(&text) => 1,
                    () => 2,
                };
                Some((place, name))
            })
            .collect();
        hits.order();
        hits.into_iter().filter(|(_, name)| self.answers(name)).map(|(_, name)| name.text).take(limit).collect()
    }

    /// The name of a priced model that is nearest to one that the table does not list, if any is near: for "did you
    /// mean". Dots, dashes and case count for nothing, so `claude-sonnet-4-5` is at `anthropic/claude-sonnet-4.5`.
    pub fn nearest(&self, model: &str) -> Option<String> {
        let wanted = plain(model.trim());
        let wanted = match wanted.split_once('/') {
            Some((first, rest)) if GATEWAYS.contains(&first) => rest,
            _ => &wanted,
        };
        let within = wanted.chars().count() / 4;
        let mut near: Vec<(usize, Name<'_>)> = self
            .names()
            .filter_map(|name| {
                let whole = plain(&name.text);
                let tail = whole.rsplit('/').next().unwrap_or_default();
                let against = if wanted.contains('/') { &whole } else { tail };
                Some((distance(wanted, against, within)?, name))
            })
            .collect();
        near.order();
        near.into_iter().find(|(_, name)| self.answers(name)).map(|(_, name)| name.text)
    }

    /// Every name of a model with a price: its id in OpenRouter's section, `provider/id` in others.
    fn names(&self) -> impl Iterator<Item = Name<'_>> {
        self.sections.iter().flat_map(|section| {
            let provider = &*section.provider;
            let priced = section.models.iter().filter(|(_, row)| !row.is_empty());
            let rank = match provider {
                DEFAULT_PROVIDER => 0,
                _ if MAKERS.contains(&provider) || GATEWAYS.contains(&provider) => 1,
                _ => 2,
            };
            priced.map(move |(id, _)| match rank {
                0 => Name { rank, text: id.to_string(), provider },
                _ => Name { rank, text: format!("{provider}/{id}"), provider },
            })
        })
    }

    /// Whether the model is found by its name: not where OpenRouter has one of the same name.
    fn answers(&self, name: &Name<'_>) -> bool {
        self.find(&name.text).is_some_and(|found| found.provider == name.provider)
    }
}

/// In the order of lists: OpenRouter's first, then those of makers and gateways.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Name<'a> {
    rank: u8,
    text: String,
    provider: &'a str,
}

impl Section {
    fn find(&self, id: &str) -> Option<Found> {
        let exact = self.models.binary_search_by(|(other, _)| (**other).cmp(id)).ok();
        let (id, row) = match exact.and_then(|place| self.models.get(place)) {
            Some(model) => model,
            None => self.models.iter().find(|(other, _)| other.eq_ignore_ascii_case(id))?,
        };
        Some(found(id, &self.provider, row.prices()))
    }
}

fn found(id: &str, provider: &str, prices: Prices) -> Found {
    let free = prices.is_free();
    Found { id: id.to_owned(), provider: provider.to_owned(), prices, free }
}

/// Lower case, dots and the like as dashes.
fn plain(name: &str) -> String {
    name.chars()
        .map(|c| match c {
            '.' | '_' | ' ' | '@' => '-',
            c => c.to_ascii_lowercase(),
        })
        .collect()
}

/// Edits between two texts; `None` beyond `within`.
fn distance(a: &str, b: &str, within: usize) -> Option<usize> {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().abs_diff(b.len()) > within {
        return None;
    }
    // The row of edits from the head of `a` read so far to each head of `b`.
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (read, &x) in a.iter().enumerate() {
        let mut diagonal = read;
        let mut left = read + 1;
        let mut least = left;
        let cells = row.split_first_mut()?;
        *cells.0 = left;
        for (cell, &y) in cells.1.iter_mut().zip(&b) {
            let edits = (diagonal + usize::from(x != y)).min(left + 1).min(*cell + 1);
            diagonal = *cell;
            *cell = edits;
            left = edits;
            least = least.min(edits);
        }
        if least > within {
            return None;
        }
    }
    row.last().copied().filter(|&edits| edits <= within)
}
