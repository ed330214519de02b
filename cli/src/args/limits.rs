//! The limits that `check` holds a run to, and how their values are read.

use clap::{Args as ClapArgs, ValueEnum};
use steplens_core::money::PicoUsd;

/// Limits of `check`.
#[derive(Debug, Clone, Default, ClapArgs)]
#[command(next_help_heading = "Limits (at least one)")]
pub(crate) struct Limits {
    /// Every run in the logs came to its end
    #[arg(long)]
    pub(crate) require_completed: bool,
    /// At most so many dollars
    #[arg(long, value_name = "USD", value_parser = money, allow_hyphen_values = true)]
    pub(crate) max_cost_usd: Option<PicoUsd>,
    /// Which cost that is
    #[arg(long, value_enum, default_value_t = CostKind::Reported, requires = "max_cost_usd")]
    pub(crate) cost: CostKind,
    /// At most so many tokens, cached ones too
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) max_tokens: Option<u64>,
    /// At most so long, such as 90s, 10m or 1h30m
    #[arg(long, value_name = "TIME", value_parser = duration, allow_hyphen_values = true)]
    pub(crate) max_duration: Option<Millis>,
    /// At most so many failed calls, rejected ones not counted
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) max_failed_calls: Option<u64>,
    /// No record of a type or tool that no rule knows
    #[arg(long)]
    pub(crate) no_unknown: bool,
    /// No line that is no JSON object, and no damaged archive
    #[arg(long)]
    pub(crate) no_malformed: bool,
}

/// The cost that is limited.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum CostKind {
    /// What the harness says
    #[default]
    Reported,
    /// Derived at list prices by the plain rule
    Comparable,
    /// Derived at list prices by the finer rule
    List,
}

impl CostKind {
    /// As the option names it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            CostKind::Reported => "reported",
            CostKind::Comparable => "comparable",
            CostKind::List => "list",
        }
    }
}

/// A length of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Millis(pub(crate) u64);

fn money(text: &str) -> Result<PicoUsd, String> {
    let amount = text.strip_prefix('$').unwrap_or(text);
    PicoUsd::parse(amount).ok_or_else(|| "expected dollars, not below zero, such as 0.50".to_owned())
}

const UNITS: [(&str, u64); 5] = [("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000)];

/// Reads whole numbers with units, each unit smaller than the one before it.
fn duration(text: &str) -> Result<Millis, String> {
    let wrong = || "expected a time with a unit, such as 500ms, 90s, 10m or 1h30m".to_owned();
    let (mut rest, mut sum, mut smallest) = (text, 0u64, u64::MAX);
    while !rest.is_empty() {
        let (number, after) = rest.split_at(rest.find(|c: char| !c.is_ascii_digit()).ok_or_else(wrong)?);
        let (unit, after) = after.split_at(after.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(after.len()));
        let (_, ms) = UNITS.into_iter().find(|(name, ms)| *name == unit && *ms < smallest).ok_or_else(wrong)?;
        let number: u64 = number.parse().map_err(|_| wrong())?;
        sum = number.checked_mul(ms).and_then(|length| sum.checked_add(length)).ok_or_else(wrong)?;
        (rest, smallest) = (after, ms);
    }
    if text.is_empty() { Err(wrong()) } else { Ok(Millis(sum)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        let read = |text: &str| duration(text).ok().map(|ms| ms.0);
        assert_eq!(read("10m"), Some(600_000));
        assert_eq!(read("1h30m"), Some(5_400_000));
        assert_eq!(read("500ms"), Some(500));
        assert_eq!(read("1d2h3m4s5ms"), Some(93_784_005));
        assert_eq!(read("0s"), Some(0));
        for wrong in
            ["", "10", "m", "1.5h", "-1s", "1m1h", "1s1s", "10 m", "99999999999999999999s", "9999999999999999999d"]
        {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn money_is_exact() {
        assert_eq!(money("0.50"), Ok(PicoUsd(500_000_000_000)));
        assert_eq!(money("$2"), Ok(PicoUsd(2_000_000_000_000)));
        assert!(money("-1").is_err() && money("free").is_err() && money("").is_err());
    }
}
