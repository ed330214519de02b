//! Reads tokens and cost of a `step_finish`, from exactly one place each.

use super::diagnostics::kind;
use crate::format::wire::Line;
use crate::json::{self, Object};
use crate::money::PicoUsd;
use crate::usage::Usage;

/// What is wrong with a figure: the diagnostic's kind and message.
pub(crate) type Complaint = (&'static str, String);

/// Tokens of the step: `part.tokens`, else the line's own `tokens`. A count that is negative, has a fraction or is no
/// number counts as absent, with a complaint.
pub(crate) fn usage(line: &Line<'_>, complaints: &mut Vec<Complaint>) -> Option<Usage> {
    let tokens = line.part.tokens.or(line.top.tokens)?;
    let Some(object) = Object::parse(tokens) else {
        complaints.push((kind::TOKENS, format!("`tokens` is no object: {}", head(tokens))));
        return None;
    };
    let cache = object.get("cache").and_then(Object::parse).unwrap_or_default();
    let mut read = |object: &Object<'_>, key: &str, name: &str| {
        let text = object.get(key).filter(|text| *text != "null")?;
        let value = count(text);
        if value.is_none() {
            complaints.push((kind::TOKENS, format!("`tokens.{name}` is no count of tokens: {}", head(text))));
        }
        value
    };
    let usage = Usage {
        input: read(&object, "input", "input"),
        output: read(&object, "output", "output"),
        reasoning: read(&object, "reasoning", "reasoning"),
        cache_read: read(&cache, "read", "cache.read"),
        cache_write: read(&cache, "write", "cache.write"),
        total: read(&object, "total", "total"),
    };
    (!usage.is_empty()).then_some(usage)
}

/// A count: every integer up to 2^64 − 1 exactly; a float only where it has no fraction.
fn count(text: &str) -> Option<u64> {
    if let Ok(value) = text.parse::<u64>() {
        return Some(value);
    }
    if text.starts_with('"') {
        return None;
    }
    json::integer(text).and_then(|value| u64::try_from(value).ok())
}

/// Cost of the step in dollars: `part.cost`, else the line's own `cost`.
pub(crate) fn cost(line: &Line<'_>, complaints: &mut Vec<Complaint>) -> Option<PicoUsd> {
    let text = line.part.cost.or(line.top.cost)?;
    let cost = PicoUsd::parse(text);
    if cost.is_none() {
        complaints.push((kind::COST, format!("`cost` is no amount: {}", head(text))));
    }
    cost
}

fn head(text: &str) -> String {
    let head: String = text.chars().take(40).collect();
    if head.len() < text.len() { format!("{head}…") } else { head }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(tokens: &str) -> (Option<Usage>, Vec<String>) {
        let text = format!(r#"{{"type":"step_finish","part":{{"tokens":{tokens}}}}}"#);
        let mut complaints = Vec::new();
        let usage = usage(&Line::parse(&text).unwrap(), &mut complaints);
        (usage, complaints.into_iter().map(|(_, message)| message).collect())
    }

    #[test]
    fn counts_are_exact_up_to_the_largest() {
        let (usage, complaints) = read(r#"{"input":18446744073709551615,"output":2.0}"#);
        let usage = usage.unwrap();
        assert_eq!((usage.input, usage.output, usage.reasoning), (Some(u64::MAX), Some(2), None));
        assert!(complaints.is_empty());
    }

    #[test]
    fn what_is_no_count_is_absent_and_named() {
        let (usage, complaints) = read(r#"{"input":-1,"output":1.5,"reasoning":"7","cache":{"read":null,"write":3}}"#);
        assert_eq!(usage.unwrap().cache_write, Some(3));
        assert_eq!(
            complaints,
            [
                "`tokens.input` is no count of tokens: -1",
                "`tokens.output` is no count of tokens: 1.5",
                "`tokens.reasoning` is no count of tokens: \"7\"",
            ]
        );
        assert_eq!(read(r#"{"flat":1}"#).0, None);
    }
}
