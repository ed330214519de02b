//! Numbers as the page writes them: grouped, short, never a zero for what is unknown.

/// What stands where a value is unknown.
pub const UNKNOWN: &str = "–";

pub use steplens_core::figure::{bytes, grouped, short};

/// `0 ms`, `210 ms`, `2.1 s`, `52 s`, `12m 41s`, `3h 05m`, `2d 04h`.
pub fn duration(ms: u64) -> String {
    let seconds = ms.saturating_add(500) / 1000;
    match ms {
        0..1_000 => format!("{ms} ms"),
        1_000..9_950 => format!("{:.1} s", ms as f64 / 1000.0),
        _ if seconds < 60 => format!("{seconds} s"),
        _ if seconds < 3_600 => format!("{}m {:02}s", seconds / 60, seconds % 60),
        _ if seconds < 86_400 => format!("{}h {:02}m", seconds / 3_600, seconds / 60 % 60),
        _ => format!("{}d {:02}h", seconds / 86_400, seconds / 3_600 % 24),
    }
}

/// Time since the start: `0:04`, `12:41`, `1:03:09`; before it `−0:04`.
pub fn clock(ms: i64) -> String {
    let sign = if ms < 0 { "−" } else { "" };
    let seconds = ms.unsigned_abs() / 1000;
    if seconds < 3600 {
        format!("{sign}{}:{:02}", seconds / 60, seconds % 60)
    } else {
        format!("{sign}{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
    }
}

/// Time since the start of a run under a minute: `0.6 s`; before it `−0.6 s`.
pub fn tenths(ms: i64) -> String {
    let sign = if ms < 0 { "−" } else { "" };
    let tenths = ms.unsigned_abs() / 100;
    format!("{sign}{}.{} s", tenths / 10, tenths % 10)
}

/// `$0.2412`: four digits after the point, more where the first that count come later.
pub fn money(usd: f64) -> String {
    let magnitude = usd.abs();
    let digits: usize = match magnitude {
        0.0 => 2,
        _ if magnitude >= 100.0 => 2,
        _ if magnitude >= 0.001 => 4,
        _ if magnitude >= 0.000_001 => 6,
        _ => 9,
    };
    let sign = if usd < 0.0 { "−" } else { "" };
    let text = format!("{magnitude:.digits$}");
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let whole = whole.parse().map(grouped).unwrap_or(whole.to_owned());
    format!("{sign}${whole}.{fraction}")
}

/// `81 %`, `3.2 %`, `< 0.1 %`.
pub fn percent(part: u64, whole: u64) -> String {
    if whole == 0 {
        return UNKNOWN.to_owned();
    }
    let percent = part as f64 * 100.0 / whole as f64;
    match percent {
        0.0 => "0 %".to_owned(),
        _ if percent < 0.1 => "< 0.1 %".to_owned(),
        _ if percent < 9.95 => format!("{percent:.1} %"),
        _ => format!("{percent:.0} %"),
    }
}

/// `1 call`, `2 calls`.
pub fn count(n: u64, one: &str, many: &str) -> String {
    format!("{} {}", grouped(n), if n == 1 { one } else { many })
}

/// A value or the mark for unknown.
pub fn or_unknown<T>(value: Option<T>, write: impl Fn(T) -> String) -> String {
    value.map_or_else(|| UNKNOWN.to_owned(), write)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations() {
        let all = [0, 210, 2_100, 9_949, 9_950, 52_000, 59_600, 761_000, 11_100_000, 187_200_000];
        let texts = all.map(duration);
        assert_eq!(
            texts,
            ["0 ms", "210 ms", "2.1 s", "9.9 s", "10 s", "52 s", "1m 00s", "12m 41s", "3h 05m", "2d 04h"]
        );
        // A sum that stays at the end of 64 bits.
        assert_eq!(duration(u64::MAX), "213503982334d 14h");
    }

    #[test]
    fn clocks() {
        assert_eq!(clock(4_999), "0:04");
        assert_eq!(clock(761_000), "12:41");
        assert_eq!(clock(3_789_000), "1:03:09");
        assert_eq!(clock(-4_000), "−0:04");
        assert_eq!([0, 640, 59_999, -640].map(tenths), ["0.0 s", "0.6 s", "59.9 s", "−0.6 s"]);
    }

    #[test]
    fn money_keeps_the_digits_that_count() {
        assert_eq!(money(0.0), "$0.00");
        assert_eq!(money(0.2412), "$0.2412");
        assert_eq!(money(0.000_123), "$0.000123");
        assert_eq!(money(0.000_000_5), "$0.000000500");
        assert_eq!(money(1234.5), "$1,234.50");
    }

    #[test]
    fn parts_of_a_whole() {
        assert_eq!(percent(1, 0), "–");
        assert_eq!(percent(0, 5), "0 %");
        assert_eq!(percent(1, 100_000), "< 0.1 %");
        assert_eq!(percent(81, 100), "81 %");
        assert_eq!(percent(32, 1000), "3.2 %");
    }
}
