//! Figures as page and command line write them: what both show reads the same.

/// `1,243,118`.
pub fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Three digits and a unit: `640`, `52.1k`, `1.24M`.
pub fn short(n: u64) -> String {
    scaled(n, &["", "k", "M", "G", "T", "P", "E"], "")
}

/// `640 B`, `412 kB`, `4.82 MB`; a thousand bytes to the kB.
pub fn bytes(n: u64) -> String {
    scaled(n, &["B", "kB", "MB", "GB", "TB", "PB", "EB"], " ")
}

/// A time that reads at a glance: `340ms`, `2.4s`, `12m 41s`, `3h 05m`.
pub fn duration(ms: u64) -> String {
    match ms {
        0..1_000 => format!("{ms}ms"),
        1_000..60_000 => format!("{}.{}s", ms / 1000, ms % 1000 / 100),
        60_000..3_600_000 => format!("{}m {:02}s", ms / 60_000, ms % 60_000 / 1000),
        _ => format!("{}h {:02}m", ms / 3_600_000, ms % 3_600_000 / 60_000),
    }
}

/// A figure's name as it is read: `calls.greenButFailed` is `calls green but failed`.
pub fn words(figure: &str) -> String {
    let mut words = String::new();
    for c in figure.trim_end_matches("Ms").chars() {
        match c {
            '.' => words.push(' '),
            c if c.is_uppercase() => words.extend([' '].into_iter().chain(c.to_lowercase())),
            c => words.push(c),
        }
    }
    words
}

/// A difference with its sign, the amount written by `write`: `+1,200`, `−3`, `0`.
pub fn signed(delta: i64, write: impl Fn(u64) -> String) -> String {
    match delta {
        0 => "0".to_owned(),
        _ => format!("{}{}", if delta < 0 { "−" } else { "+" }, write(delta.unsigned_abs())),
    }
}

fn scaled(value: u64, units: &[&str], gap: &str) -> String {
    let mut value = value as f64;
    let mut units = units.iter().peekable();
    let mut unit = units.next().copied().unwrap_or_default();
    // 999.5 would be written as 1000.
    while value >= 999.5 && units.peek().is_some() {
        value /= 1000.0;
        unit = units.next().copied().unwrap_or_default();
    }
    // A round thousand has as many digits as those beside it.
    let is_round = value.fract() == 0.0 && value < 1000.0 && (unit.is_empty() || !gap.is_empty());
    let number = if is_round {
        format!("{value:.0}")
    } else if value < 9.995 {
        format!("{value:.2}")
    } else if value < 99.95 {
        format!("{value:.1}")
    } else {
        format!("{value:.0}")
    };
    format!("{number}{gap}{unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_of_three() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1_000), "1,000");
        assert_eq!(grouped(u64::MAX), "18,446,744,073,709,551,615");
    }

    #[test]
    fn three_digits_and_a_unit() {
        assert_eq!(short(999), "999");
        assert_eq!(short(1_000), "1.00k");
        assert_eq!(short(52_149), "52.1k");
        assert_eq!(short(999_949), "1.00M");
        assert_eq!(short(1_243_118), "1.24M");
        assert_eq!(bytes(0), "0 B");
        assert_eq!(bytes(412_300), "412 kB");
        assert_eq!(bytes(4_821_000), "4.82 MB");
    }

    #[test]
    fn times_read_at_a_glance() {
        assert_eq!(
            (duration(340), duration(2_460), duration(761_000)),
            ("340ms".into(), "2.4s".into(), "12m 41s".into())
        );
        assert_eq!(duration(11_100_000), "3h 05m");
    }

    #[test]
    fn figures_are_named_in_words() {
        assert_eq!(words("calls.greenButFailed"), "calls green but failed");
        assert_eq!(
            (words("durationMs"), words("tokens.cachedInput")),
            ("duration".into(), "tokens cached input".into())
        );
    }

    #[test]
    fn a_difference_has_a_sign() {
        assert_eq!(
            (signed(1200, grouped), signed(-3, grouped), signed(0, grouped)),
            ("+1,200".into(), "−3".into(), "0".into())
        );
        assert_eq!((signed(-1200, grouped), signed(3, grouped)), ("−1,200".into(), "+3".into()));
    }
}
