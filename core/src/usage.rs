//! Tokens: what one step reports, and sums over steps that tell absent from zero.
//!
//! Read only at `part.tokens` of a `step_finish` (else its top-level `tokens`); the numbers are per step, so the
//! aggregation is the sum over every distinct step.
//!
//! ```json
//! {"total":1540,"input":476,"output":40,"reasoning":0,"cache":{"read":1024,"write":0}}
//! ```

use serde::{Deserialize, Serialize};

/// What one step reports, as written. Every figure may be absent, and absent is not zero.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Usage {
    /// `input`: never includes the cached part.
    pub input: Option<u64>,
    /// `output`.
    pub output: Option<u64>,
    /// `reasoning`.
    pub reasoning: Option<u64>,
    /// `cache.read`.
    pub cache_read: Option<u64>,
    /// `cache.write`.
    pub cache_write: Option<u64>,
    /// `total`: only checked, never summed.
    pub total: Option<u64>,
}

impl Usage {
    /// Whether nothing is reported.
    pub fn is_empty(&self) -> bool {
        self.classes().iter().all(Option::is_none)
    }

    fn classes(&self) -> [Option<u64>; 5] {
        [self.input, self.output, self.reasoning, self.cache_read, self.cache_write]
    }
}

/// Token classes; null where no step reports the class.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Tokens {
    /// `input` + `cache.write`: cache writes are billed as input.
    pub uncached_input: Option<u64>,
    /// `cache.read`.
    pub cached_input: Option<u64>,
    /// `cache.write`, shown apart; already inside `uncached_input`.
    pub cache_creation: Option<u64>,
    /// `output`.
    pub output: Option<u64>,
    /// `reasoning`.
    pub reasoning: Option<u64>,
    /// `uncached_input` + `cached_input`.
    pub input: Option<u64>,
    /// `input` + `output` + `reasoning`.
    pub total: Option<u64>,
    /// Something is missing: a step without tokens, or a class that one step lacks and another has.
    pub partial: bool,
}

/// A sum that knows what it lacks.
#[derive(Debug, Clone, Default)]
pub struct TokenSum {
    sums: [Option<u64>; 5],
    reported: [u64; 5],
    steps: u64,
    empty_steps: u64,
}

impl TokenSum {
    /// Adds a step; `None` is a step that reports nothing.
    pub fn add(&mut self, usage: Option<&Usage>) {
        self.steps += 1;
        let usage = usage.copied().unwrap_or_default();
        if usage.is_empty() {
            self.empty_steps += 1;
        }
        for ((sum, reported), value) in self.sums.iter_mut().zip(&mut self.reported).zip(usage.classes()) {
            if let Some(value) = value {
                *sum = Some(sum.unwrap_or(0).saturating_add(value));
                *reported += 1;
            }
        }
    }

    /// The classes. Sums stop at 2^64 − 1 rather than wrap.
    pub fn tokens(&self) -> Tokens {
        let [input, output, reasoning, cache_read, cache_write] = self.sums;
        let add = |a: Option<u64>, b: Option<u64>| match (a, b) {
            (None, None) => None,
            (a, b) => Some(a.unwrap_or(0).saturating_add(b.unwrap_or(0))),
        };
        let uncached_input = add(input, cache_write);
        let all_input = add(uncached_input, cache_read);
        let filled = self.steps - self.empty_steps;
        Tokens {
            uncached_input,
            cached_input: cache_read,
            cache_creation: cache_write,
            output,
            reasoning,
            input: all_input,
            total: add(add(all_input, output), reasoning),
            partial: self.empty_steps > 0 || self.reported.iter().any(|&n| n > 0 && n < filled),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn usage(input: u64, output: u64, reasoning: u64, read: u64, write: u64) -> Usage {
        Usage {
            input: Some(input),
            output: Some(output),
            reasoning: Some(reasoning),
            cache_read: Some(read),
            cache_write: Some(write),
            total: None,
        }
    }

    #[test]
    fn cache_writes_fold_into_uncached_input() {
        let mut sum = TokenSum::default();
        sum.add(Some(&usage(1000, 800, 200, 65856, 2000)));
        sum.add(Some(&usage(1, 2, 3, 4, 5)));
        let tokens = sum.tokens();
        assert_eq!(tokens.uncached_input, Some(3006));
        assert_eq!(tokens.cached_input, Some(65860));
        assert_eq!(tokens.cache_creation, Some(2005));
        assert_eq!(tokens.total, Some(69871));
        assert!(!tokens.partial);
    }

    #[test]
    fn absent_is_not_zero() {
        let mut sum = TokenSum::default();
        assert_eq!(sum.tokens(), Tokens::default());
        sum.add(None);
        assert_eq!(sum.tokens(), Tokens { partial: true, ..Tokens::default() });
        sum.add(Some(&Usage { input: Some(7), ..Usage::default() }));
        let tokens = sum.tokens();
        assert_eq!((tokens.uncached_input, tokens.output, tokens.total), (Some(7), None, Some(7)));
        assert!(tokens.partial);
    }

    #[test]
    fn a_class_that_one_step_lacks_makes_the_sum_partial() {
        let mut sum = TokenSum::default();
        sum.add(Some(&usage(1, 1, 1, 1, 1)));
        sum.add(Some(&Usage { reasoning: None, ..usage(1, 1, 1, 1, 1) }));
        assert_eq!(sum.tokens().reasoning, Some(1));
        assert!(sum.tokens().partial);
    }

    #[test]
    fn sums_stop_at_the_largest_integer() {
        let mut sum = TokenSum::default();
        sum.add(Some(&usage(u64::MAX, 0, 0, 0, 0)));
        assert_eq!(sum.tokens().uncached_input, Some(u64::MAX));
        sum.add(Some(&usage(1, 0, 0, 0, 0)));
        assert_eq!(sum.tokens().uncached_input, Some(u64::MAX));
    }
}
