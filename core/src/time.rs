//! Points in time: milliseconds since the Unix epoch, and their one written form.

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

/// Milliseconds since 1970-01-01T00:00:00Z, between the years 0001 and 9999.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct TimeMs(pub i64);

const MIN_MS: i64 = -62_135_596_800_000; // 0001-01-01T00:00:00Z
const MAX_MS: i64 = 253_402_300_799_999; // 9999-12-31T23:59:59.999Z

impl TimeMs {
    /// From a count of milliseconds; `None` outside the years 0001–9999 and for what is not finite.
    pub fn from_ms(ms: f64) -> Option<TimeMs> {
        // A float holds every millisecond of these years exactly, so the cast loses only a fraction of one.
        (ms.is_finite() && ms >= MIN_MS as f64 && ms <= MAX_MS as f64).then(|| TimeMs(ms.floor() as i64))
    }

    /// From an RFC 3339 date and time, with any offset.
    pub fn from_rfc3339(text: &str) -> Option<TimeMs> {
        let moment = OffsetDateTime::parse(text, &Rfc3339).ok()?;
        let ms = moment.unix_timestamp_nanos().div_euclid(1_000_000);
        let ms = i64::try_from(ms).ok()?;
        (MIN_MS..=MAX_MS).contains(&ms).then_some(TimeMs(ms))
    }

    /// RFC 3339, UTC, always with three digits of milliseconds: `2026-01-03T12:56:40.123Z`.
    pub fn to_rfc3339(self) -> Option<String> {
        let moment = OffsetDateTime::from_unix_timestamp(self.0.div_euclid(1000)).ok()?;
        Some(format!(
            "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z",
            moment.year(),
            u8::from(moment.month()),
            moment.day(),
            moment.hour(),
            moment.minute(),
            moment.second(),
            self.0.rem_euclid(1000)
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_in_utc_with_milliseconds() {
        assert_eq!(TimeMs(1_767_445_000_123).to_rfc3339().as_deref(), Some("2026-01-03T12:56:40.123Z"));
        assert_eq!(TimeMs(0).to_rfc3339().as_deref(), Some("1970-01-01T00:00:00.000Z"));
        assert_eq!(TimeMs(MIN_MS).to_rfc3339().as_deref(), Some("0001-01-01T00:00:00.000Z"));
        assert_eq!(TimeMs(MAX_MS).to_rfc3339().as_deref(), Some("9999-12-31T23:59:59.999Z"));
    }

    #[test]
    fn read_from_text_with_any_offset() {
        assert_eq!(TimeMs::from_rfc3339("2026-01-03T13:56:40.1239+01:00"), Some(TimeMs(1_767_445_000_123)));
        assert_eq!(TimeMs::from_rfc3339("2026-01-03"), None);
        assert_eq!(TimeMs::from_rfc3339("1767445000123"), None);
    }

    #[test]
    fn nothing_outside_the_calendar() {
        assert_eq!(TimeMs::from_ms(f64::NAN), None);
        assert_eq!(TimeMs::from_ms(1e300), None);
        assert_eq!(TimeMs::from_ms(253_402_300_800_000.0), None);
        assert_eq!(TimeMs::from_ms(1_767_445_000_123.9), Some(TimeMs(1_767_445_000_123)));
    }
}
