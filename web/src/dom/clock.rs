//! Points in time as the reader's clock shows them.

use js_sys::Date;
use wasm_bindgen::JsValue;

/// Milliseconds since the epoch, from RFC 3339.
pub fn parse(text: &str) -> Option<i64> {
    let ms = Date::parse(text);
    ms.is_finite().then_some(ms as i64)
}

/// `2026-01-03 13:56:40.123 here (UTC+01:00), 12:56:40.123 UTC`.
pub fn full(ms: i64) -> String {
    let date = Date::new(&JsValue::from_f64(ms as f64));
    let away = -date.get_timezone_offset() as i64;
    let utc = split(ms);
    let here = split(ms + away * 60_000);
    let zone = format!("UTC{}{:02}:{:02}", if away < 0 { "−" } else { "+" }, away.abs() / 60, away.abs() % 60);
    if away == 0 {
        return format!("{} {} UTC", utc.0, utc.1);
    }
    let utc_day = if utc.0 == here.0 { String::new() } else { format!("{} ", utc.0) };
    format!("{} {} local ({zone}) · {utc_day}{} UTC", here.0, here.1, utc.1)
}

/// `2026-01-03 13:56`, local.
pub fn short(ms: i64) -> String {
    let date = Date::new(&JsValue::from_f64(ms as f64));
    let (day, time) = split(ms - date.get_timezone_offset() as i64 * 60_000);
    let minute: String = time.chars().take(5).collect();
    format!("{day} {minute}")
}

/// Day and time of day, as UTC would write them.
fn split(ms: i64) -> (String, String) {
    let text: String = Date::new(&JsValue::from_f64(ms as f64)).to_iso_string().into();
    match text.split_once('T') {
        Some((day, time)) => (day.to_owned(), time.trim_end_matches('Z').to_owned()),
        None => (text, String::new()),
    }
}
