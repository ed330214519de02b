//! Figures as they are read at a glance.

use steplens_core::money::PicoUsd;

/// Dollars; a cost that is not known says so.
pub(crate) fn money(usd: Option<f64>) -> String {
    pico(usd).map_or_else(|| "unknown".to_owned(), |usd| usd.to_string())
}

/// Dollars of a document as the exact amount that they stand for.
pub(crate) fn pico(usd: Option<f64>) -> Option<PicoUsd> {
    usd.and_then(|usd| PicoUsd::parse(&usd.to_string()))
}

/// A count; one that is not known says so.
pub(crate) fn count(value: Option<u64>) -> String {
    value.map_or_else(|| "unknown".to_owned(), grouped)
}

/// Thousands told apart by a comma.
pub(crate) fn grouped(value: u64) -> String {
    let digits = value.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A time that reads at a glance: `340ms`, `2.4s`, `12m 41s`, `3h 05m`.
pub(crate) fn duration(ms: u64) -> String {
    match ms {
        0..1_000 => format!("{ms}ms"),
        1_000..60_000 => format!("{}.{}s", ms / 1000, ms % 1000 / 100),
        60_000..3_600_000 => format!("{}m {:02}s", ms / 60_000, ms % 60_000 / 1000),
        _ => format!("{}h {:02}m", ms / 3_600_000, ms % 3_600_000 / 60_000),
    }
}

/// A size in decimal units: `512 B`, `4.8 MB`.
pub(crate) fn size(bytes: u64) -> String {
    let (unit, name) = match bytes {
        0..1_000 => return format!("{bytes} B"),
        1_000..1_000_000 => (1_000, "kB"),
        1_000_000..1_000_000_000 => (1_000_000, "MB"),
        _ => (1_000_000_000, "GB"),
    };
    format!("{}.{} {name}", bytes / unit, bytes % unit * 10 / unit)
}

/// Lines, at most so many of them named: `line 3`, `lines 3, 9, 12, …`.
pub(crate) fn lines(lines: &[u64], count: u64, most: usize) -> String {
    let named: Vec<String> = lines.iter().take(most).map(ToString::to_string).collect();
    let more = if count > named.len() as u64 { ", …" } else { "" };
    format!("line{} {}{more}", if count == 1 { "" } else { "s" }, named.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_read_at_a_glance() {
        assert_eq!((grouped(0), grouped(999), grouped(1_243_118)), ("0".into(), "999".into(), "1,243,118".into()));
        assert_eq!(
            (duration(340), duration(2_460), duration(761_000)),
            ("340ms".into(), "2.4s".into(), "12m 41s".into())
        );
        assert_eq!(duration(11_100_000), "3h 05m");
        assert_eq!((size(512), size(4_830_000)), ("512 B".into(), "4.8 MB".into()));
        assert_eq!((money(Some(0.03)), money(None)), ("$0.03".into(), "unknown".into()));
        assert_eq!((lines(&[3], 1, 5), lines(&[3, 9], 2, 5)), ("line 3".into(), "lines 3, 9".into()));
        assert_eq!(lines(&[1, 2, 3], 7, 2), "lines 1, 2, …");
    }
}
