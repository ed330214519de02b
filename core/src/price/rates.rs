//! What a model's tokens cost: one rate a class, and tiers for long prompts.

use crate::money::PicoUsd;
use crate::order::Order;

/// What a table says of one class of tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Rate {
    /// Nothing: another class may stand in for it.
    #[default]
    Absent,
    /// Something that is no price: negative (OpenRouter's `-1` for its routers), or no number. Nothing stands in for it.
    Unreadable,
    /// Pico-dollars per token. 0 is a known zero.
    Known(u64),
}

impl Rate {
    /// Reads dollars per million tokens as decimal text, rounded once to a whole pico-dollar per token.
    pub fn per_million(text: &str) -> Rate {
        scaled(text, -6)
    }

    /// Reads dollars per token as decimal text, rounded once to a whole pico-dollar.
    pub fn per_token(text: &str) -> Rate {
        scaled(text, 0)
    }

    /// The price, where it is known.
    pub fn known(self) -> Option<u64> {
        match self {
            Rate::Known(pico) => Some(pico),
            Rate::Absent | Rate::Unreadable => None,
        }
    }

    /// Itself, or the other where the table says nothing.
    pub fn or(self, other: Rate) -> Rate {
        if self == Rate::Absent { other } else { self }
    }
}

/// `text` · 10^`shift` dollars. The shift goes into the exponent, so that only one rounding happens.
fn scaled(text: &str, shift: i32) -> Rate {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()),
        None => (text, Some(0)),
    };
    exponent
        .and_then(|exponent| exponent.checked_add(shift))
        .and_then(|exponent| PicoUsd::parse(&format!("{mantissa}e{exponent}")))
        .and_then(|price| u64::try_from(price.0).ok())
        .map_or(Rate::Unreadable, Rate::Known)
}

/// One rate a class.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Rates {
    /// `prompt`.
    pub input: Rate,
    /// `completion`.
    pub output: Rate,
    /// Reads from the cache; absent, they cost what input does.
    pub cache_read: Rate,
    /// Writes to the cache; absent, they cost what input does.
    pub cache_write: Rate,
    /// Reasoning; absent, it costs what output does.
    pub reasoning: Rate,
}

impl Rates {
    /// Whether the table says nothing of any class.
    pub fn is_empty(&self) -> bool {
        *self == Rates::default()
    }
}

/// Rates for prompts beyond a size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tier {
    /// The prompt's size in tokens that it begins above, itself not included.
    pub over: u64,
    /// Its rates.
    pub rates: Rates,
}

/// Prices of one model.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Prices {
    /// What holds where no tier does.
    pub base: Rates,
    /// Tiers by rising size. `context_over_200k`, where it is all there is, is a tier over 200,000.
    pub tiers: Vec<Tier>,
}

impl Prices {
    /// Prices without tiers.
    pub fn flat(base: Rates) -> Prices {
        Prices { base, tiers: Vec::new() }
    }

    /// Sorts the tiers; of two over the same size the first stays.
    pub(super) fn new(base: Rates, mut tiers: Vec<Tier>) -> Prices {
        tiers.order_by_key(|tier| tier.over);
        tiers.dedup_by_key(|tier| tier.over);
        Prices { base, tiers }
    }

    /// Whether the table says nothing of any class.
    pub fn is_empty(&self) -> bool {
        self.base.is_empty() && self.tiers.is_empty()
    }

    /// Whether input and output cost a known zero.
    pub fn is_free(&self) -> bool {
        let free = |rates: &Rates| rates.input == Rate::Known(0) && rates.output == Rate::Known(0);
        free(&self.base) && self.tiers.iter().all(|tier| free(&tier.rates))
    }

    /// The largest tier whose size is strictly below the prompt; none = the base holds.
    pub fn tier(&self, prompt_tokens: u128) -> Option<&Tier> {
        self.tiers.iter().rev().find(|tier| u128::from(tier.over) < prompt_tokens)
    }

    /// The rates for a prompt. Where a tier says nothing of input, output or cache, the base holds; where it says
    /// nothing of reasoning, its own output price does, as a base price would undercut the tier's output.
    pub fn rates(&self, prompt_tokens: u128) -> Rates {
        let Some(Tier { rates, .. }) = self.tier(prompt_tokens) else { return self.base };
        let output = rates.output.or(self.base.output);
        Rates {
            input: rates.input.or(self.base.input),
            output,
            cache_read: rates.cache_read.or(self.base.cache_read),
            cache_write: rates.cache_write.or(self.base.cache_write),
            reasoning: rates.reasoning.or(output),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prices_are_rounded_once_to_a_pico_dollar_per_token() {
        assert_eq!(Rate::per_million("3"), Rate::Known(3_000_000));
        assert_eq!(Rate::per_million("0.30000000000000004"), Rate::Known(300_000));
        assert_eq!(Rate::per_million("0.08333333333333334"), Rate::Known(83_333));
        assert_eq!(Rate::per_million("0.0000005"), Rate::Known(1));
        // Rounded at the twelfth digit first, this would become the half that is rounded up.
        assert_eq!(Rate::per_million("0.0000004999999999996"), Rate::Known(0));
        assert_eq!(Rate::per_million("2.5e-1"), Rate::Known(250_000));
        assert_eq!(Rate::per_token("0.000003"), Rate::Known(3_000_000));
        assert_eq!(Rate::per_token("3e-06"), Rate::Known(3_000_000));
        assert_eq!(Rate::per_token("0"), Rate::Known(0));
    }

    #[test]
    fn what_is_no_price_is_unreadable() {
        for text in ["-1", "-0.000003", "", "free", "1e", "1e99", "NaN", "1,5"] {
            assert_eq!(Rate::per_token(text), Rate::Unreadable, "{text}");
        }
    }

    #[test]
    fn the_largest_tier_strictly_below_the_prompt_holds() {
        let rates = |price| Rates { input: Rate::Known(price), ..Rates::default() };
        let tier = |over, price| Tier { over, rates: rates(price) };
        let prices = Prices::new(rates(1), vec![tier(256_000, 3), tier(128_000, 2), tier(256_000, 9)]);
        for (prompt, price) in [(0, 1), (128_000, 1), (128_001, 2), (256_000, 2), (256_001, 3), (9_000_000, 3)] {
            assert_eq!(prices.rates(prompt).input, Rate::Known(price), "{prompt}");
        }
    }

    #[test]
    fn what_a_tier_does_not_say_the_base_does() {
        let base = Rates {
            input: Rate::Known(1),
            output: Rate::Known(2),
            cache_read: Rate::Known(3),
            cache_write: Rate::Unreadable,
            reasoning: Rate::Known(5),
        };
        let over = Rates { input: Rate::Known(10), output: Rate::Known(20), ..Rates::default() };
        let prices = Prices::new(base, vec![Tier { over: 100, rates: over }]);
        assert_eq!(prices.rates(100), base);
        let long = Rates { input: Rate::Known(10), output: Rate::Known(20), reasoning: Rate::Known(20), ..base };
        assert_eq!(prices.rates(101), long);
    }
}
