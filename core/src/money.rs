//! Money as a whole number of pico-dollars, so that sums are exact and nothing is lost between a log and its total.

/// A count of 10⁻¹² US dollars.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct PicoUsd(pub u128);

const DIGITS: usize = 12;

impl PicoUsd {
    /// Reads a JSON number as decimal text, exponent allowed. Digits beyond the twelfth are rounded to the nearest.
    /// `None` for a negative number, for what is no number, and for more than 10²⁰ dollars.
    pub fn parse(text: &str) -> Option<PicoUsd> {
        let (mantissa, exponent) = match text.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
            None => (text, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        if whole.is_empty() || !whole.bytes().chain(fraction.bytes()).all(|b| b.is_ascii_digit()) {
            return negative_zero(text);
        }
        let digits: String = [whole, fraction].concat();
        let digits = digits.trim_start_matches('0');
        if digits.is_empty() {
            return Some(PicoUsd(0));
        }
        // value = digits · 10^(exponent − fraction length) dollars = digits · 10^shift pico-dollars
        let shift = exponent.checked_sub(i32::try_from(fraction.len()).ok()?)?.checked_add(DIGITS as i32)?;
        if shift >= 0 {
            let value = digits.parse::<u128>().ok()?.checked_mul(10u128.checked_pow(shift.unsigned_abs())?)?;
            (value <= 10u128.pow(32)).then_some(PicoUsd(value))
        } else {
            let keep = digits.len().saturating_sub(shift.unsigned_abs() as usize);
            let (kept, dropped) = digits.split_at_checked(keep)?;
            let value = if kept.is_empty() { 0 } else { kept.parse::<u128>().ok()? };
            let leading_zeros_dropped = shift.unsigned_abs() as usize > digits.len();
            let round_up = !leading_zeros_dropped && dropped.starts_with(['5', '6', '7', '8', '9']);
            Some(PicoUsd(value.checked_add(u128::from(round_up))?)).filter(|usd| usd.0 <= 10u128.pow(32))
        }
    }

    /// The nearest float, for documents. Exact to the last digit up to about 9,000 dollars.
    pub fn to_usd(self) -> f64 {
        self.0 as f64 / 1e12
    }

    /// The sum; stops at the largest amount rather than wrap.
    pub fn saturating_add(self, other: PicoUsd) -> PicoUsd {
        PicoUsd(self.0.saturating_add(other.0))
    }
}

fn negative_zero(text: &str) -> Option<PicoUsd> {
    let rest = text.strip_prefix('-')?;
    (rest.bytes().all(|b| matches!(b, b'0' | b'.')) && rest.starts_with('0')).then_some(PicoUsd(0))
}

/// Plain decimal with a dollar sign: at least two digits after the point, at most seven, but never `$0.00` for an amount
/// that is not zero.
impl std::fmt::Display for PicoUsd {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        const KEPT: usize = 7;
        let unit = 10u128.pow((DIGITS - KEPT) as u32);
        let rounded = (self.0 + unit / 2) / unit * unit;
        let value = if rounded == 0 { self.0 } else { rounded };
        let fraction = format!("{:012}", value % 10u128.pow(DIGITS as u32));
        let trimmed = fraction.trim_end_matches('0');
        write!(f, "${}.{:0<2}", value / 10u128.pow(DIGITS as u32), trimmed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pico(text: &str) -> Option<u128> {
        PicoUsd::parse(text).map(|usd| usd.0)
    }

    #[test]
    fn decimal_text_is_read_exactly() {
        assert_eq!(pico("0.0141006"), Some(14_100_600_000));
        assert_eq!(pico("3"), Some(3_000_000_000_000));
        assert_eq!(pico("1e-7"), Some(100_000));
        assert_eq!(pico("1.5E-3"), Some(1_500_000_000));
        assert_eq!(pico("2.5e1"), Some(25_000_000_000_000));
        assert_eq!(pico("0"), Some(0));
        assert_eq!(pico("-0.0"), Some(0));
    }

    #[test]
    fn digits_beyond_the_twelfth_are_rounded() {
        assert_eq!(pico("0.0000000000005"), Some(1));
        assert_eq!(pico("0.00000000000049"), Some(0));
        assert_eq!(pico("0.00000000000005"), Some(0));
        assert_eq!(pico("0.004275000000000000089"), Some(4_275_000_000));
        assert_eq!(pico("1e-400"), Some(0));
    }

    #[test]
    fn what_is_no_amount_is_none() {
        for text in ["-0.1", "", "abc", "1e999", "\"1\"", "1.2.3", "null", "-"] {
            assert_eq!(pico(text), None, "{text}");
        }
    }

    #[test]
    fn never_reads_zero_when_it_is_not() {
        let show = |text: &str| PicoUsd::parse(text).unwrap().to_string();
        assert_eq!(show("0.0141006"), "$0.0141006");
        assert_eq!(show("0.01"), "$0.01");
        assert_eq!(show("12"), "$12.00");
        assert_eq!(show("0.00000001"), "$0.00000001");
        assert_eq!(show("1.99999999"), "$2.00");
        assert_eq!(show("0"), "$0.00");
    }
}
