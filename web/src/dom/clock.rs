//! Points in time as the reader's clock shows them.

use std::cell::Cell;

use js_sys::Intl::DateTimeFormat;
use js_sys::{Array, Date, Object, Reflect};
use wasm_bindgen::JsValue;

/// Milliseconds since the epoch, from RFC 3339.
pub fn parse(text: &str) -> Option<i64> {
    let ms = Date::parse(text);
    ms.is_finite().then_some(ms as i64)
}

thread_local! {
    /// The zone that the reader chose: all that shows a time asks here.
    static UTC: Cell<bool> = const { Cell::new(false) };
}

/// Shows times in UTC, or in the reader's own zone.
pub fn set_utc(utc: bool) {
    UTC.set(utc);
}

/// The name of the zone in which a time is shown: `UTC`, or `UTC+01:00`, which may be another in summer.
pub fn zone(ms: i64) -> String {
    if UTC.get() || is_utc_here(ms) { "UTC".to_owned() } else { offset_name(away(ms)) }
}

/// Whether the reader's own clock showed UTC at that time.
pub fn is_utc_here(ms: i64) -> bool {
    away(ms) == 0
}

/// The reader's own zone, as `Europe/Berlin`.
pub fn own_zone() -> String {
    let options = DateTimeFormat::new(&Array::new(), &Object::new()).resolved_options();
    let name = Reflect::get(&options, &"timeZone".into()).ok().and_then(|name| name.as_string());
    name.unwrap_or_else(|| "local".to_owned())
}

/// `2026-01-03 13:56:40.123 UTC+01:00 · 12:56:40.123 UTC`, the chosen zone first.
pub fn full(ms: i64) -> String {
    let away = away(ms);
    let utc = split(ms);
    let here = split(ms + away * 60_000);
    if away == 0 {
        return format!("{} {} UTC", utc.0, utc.1);
    }
    let (first, second) = if UTC.get() { (&utc, &here) } else { (&here, &utc) };
    let (first_zone, second_zone) = match UTC.get() {
        true => ("UTC".to_owned(), offset_name(away)),
        false => (offset_name(away), "UTC".to_owned()),
    };
    let day = if first.0 == second.0 { String::new() } else { format!("{} ", second.0) };
    format!("{} {} {first_zone} · {day}{} {second_zone}", first.0, first.1, second.1)
}

/// `2026-01-03 13:56`, in the chosen zone.
pub fn short(ms: i64) -> String {
    let shift = if UTC.get() { 0 } else { away(ms) };
    let (day, time) = split(ms + shift * 60_000);
    let minute: String = time.chars().take(5).collect();
    format!("{day} {minute}")
}

/// `2026-01-03 13:56:40 UTC+01:00`, in the chosen zone.
pub fn stamp(ms: i64) -> String {
    let shift = if UTC.get() { 0 } else { away(ms) };
    let (day, time) = split(ms + shift * 60_000);
    let second: String = time.chars().take(8).collect();
    format!("{day} {second} {}", zone(ms))
}

/// Minutes that the reader's clock is ahead of UTC at that time.
fn away(ms: i64) -> i64 {
    -Date::new(&JsValue::from_f64(ms as f64)).get_timezone_offset() as i64
}

fn offset_name(away: i64) -> String {
    format!("UTC{}{:02}:{:02}", if away < 0 { "−" } else { "+" }, away.abs() / 60, away.abs() % 60)
}

/// Day and time of day, as UTC would write them.
fn split(ms: i64) -> (String, String) {
    let text: String = Date::new(&JsValue::from_f64(ms as f64)).to_iso_string().into();
    match text.split_once('T') {
        Some((day, time)) => (day.to_owned(), time.trim_end_matches('Z').to_owned()),
        None => (text, String::new()),
    }
}
