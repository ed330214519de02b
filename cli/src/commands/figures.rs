//! Figures as they are read at a glance.

use crate::style;
pub(crate) use steplens_core::figure::{bytes as size, duration, grouped};
use steplens_core::money::PicoUsd;
use steplens_core::summary::Summary;

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

/// Places, at most so many of them named: `run.jsonl 3, 9, export.json 12, …` where several files are open, else as
/// [`lines`] does.
pub(crate) fn places(summary: &Summary, files: &[u32], at: &[u64], count: u64, most: usize) -> String {
    if files.is_empty() {
        return lines(at, count, most);
    }
    let (mut out, mut last) = (String::new(), None);
    for (file, line) in files.iter().zip(at).take(most) {
        let name = summary.files.get(*file as usize).map_or("?", |file| file.name.as_str());
        let before = if out.is_empty() { "" } else { ", " };
        match last {
            Some(known) if known == file => out.push_str(&format!("{before}{line}")),
            _ => out.push_str(&format!("{before}{} {line}", style::one_line(name))),
        }
        last = Some(file);
    }
    if count > files.len().min(most) as u64 { out + ", …" } else { out }
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
        assert_eq!((money(Some(0.03)), money(None)), ("$0.03".into(), "unknown".into()));
        assert_eq!((lines(&[3], 1, 5), lines(&[3, 9], 2, 5)), ("line 3".into(), "lines 3, 9".into()));
        assert_eq!(lines(&[1, 2, 3], 7, 2), "lines 1, 2, …");
    }
}
