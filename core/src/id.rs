//! The time in an id of these harnesses: a prefix, `_`, and twelve hexadecimal digits of `ms · 4096 + counter`, of which
//! 48 bits are kept. So an id holds the lower 36 bits of its milliseconds, which mean one point in every 795 days, and
//! a time near it is needed to tell which one.

use crate::time::TimeMs;

const PERIOD: i64 = 1 << 36;

/// The lower 36 bits of the milliseconds; `None` for an id of another form.
pub(crate) fn low_bits(id: &str) -> Option<i64> {
    let (_, digits) = id.split_once('_')?;
    let digits = digits.get(..12)?;
    if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    i64::from_str_radix(digits, 16).ok().map(|value| value >> 12)
}

/// How long before a time the last point with these lower bits lies, in milliseconds.
pub(crate) fn before(low: i64, time: TimeMs) -> i64 {
    (time.0 - low).rem_euclid(PERIOD)
}

/// The point with these lower bits that is nearest to a time.
pub(crate) fn nearest(low: i64, time: TimeMs) -> Option<TimeMs> {
    let behind = before(low, time);
    let past = time.0 - behind;
    TimeMs::from_ms(if behind > PERIOD / 2 { past + PERIOD } else { past } as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_tells_its_time_near_a_reference() {
        // 1,796,033,265,449 ms; the reference two milliseconds earlier, and a minute later.
        let low = low_bits("evt_22becbf29001Fs6zd5JCTaG0jn").unwrap();
        assert_eq!(nearest(low, TimeMs(1_796_033_265_447)), Some(TimeMs(1_796_033_265_449)));
        assert_eq!(nearest(low, TimeMs(1_796_033_325_447)), Some(TimeMs(1_796_033_265_449)));
        assert_eq!(before(low, TimeMs(1_796_033_325_447)), 59_998);
        assert_eq!(low_bits("per_zzz"), None);
        assert_eq!(low_bits("0f1e2d3c-aaaa"), None);
    }
}
