//! What the page shows of a review: findings among their neighbours, and the text that leaves.

use js_sys::Promise;
use steplens_core::redact::{Coding, Cut, Splice};
use wasm_bindgen_futures::JsFuture;

use super::super::reader;
use super::super::session::Shared;
use super::{File, Found, Review, ReviewPage, ReviewRow, ReviewRows, Reviewed};

/// Bytes of a line that are shown on either side of a finding, and of the finding itself.
const REACH: u64 = 90;
/// Bytes of a page.
const PAGE: u64 = 24 << 10;

/// Findings of the list.
pub(super) async fn rows(session: &Shared, start: u64, len: u64) -> Reviewed {
    let (edition, total, wanted) = {
        let review = &session.borrow().review;
        let total = review.rows();
        let wanted: Vec<(u32, Found, File, String, u64)> = (start..start.saturating_add(len).min(total))
            .filter_map(|place| {
                let number = review.at(place as usize)?;
                let found = *review.found.get(number as usize)?;
                let file = review.files.get(found.file as usize)?.clone();
                let same = review.same.get(found.secret as usize).copied().unwrap_or(1);
                Some((number, found, file, review.mask(&found).to_owned(), u64::from(same)))
            })
            .collect();
        (review.edition, total, wanted)
    };
    // All are asked for before the first is waited for.
    let reads: Vec<(u64, u64, Promise)> = wanted
        .iter()
        .map(|(_, found, file, ..)| {
            let reach = REACH * file.coding.unit();
            let from = found.start.saturating_sub(reach);
            let to = (found.place().end + reach).min(file.size);
            (from, to, reader::request(&file.blob, from, to))
        })
        .collect();
    let mut rows = Vec::with_capacity(wanted.len());
    for ((number, found, file, mask, same), (from, _, read)) in wanted.into_iter().zip(reads) {
        let mut bytes = Vec::new();
        match JsFuture::from(read).await {
            Ok(read) => reader::copy(&read, &mut bytes),
            Err(error) => {
                let error = reader::error_name(&error);
                return Reviewed::Unreadable(format!("{} could not be read ({error}): open it again.", file.name));
            }
        }
        let reach = (REACH * file.coding.unit()) as usize;
        let start = (found.start - from) as usize;
        let end = start + found.len as usize;
        let shown = end.min(start + reach);
        rows.push(ReviewRow {
            number,
            kind: found.kind,
            file: found.file,
            line: found.line.into(),
            at: found.start,
            before: last_line(&text(&bytes, file.coding, 0, start)).to_owned(),
            secret: text(&bytes, file.coding, start, shown),
            is_cut: shown < end,
            after: first_line(&text(&bytes, file.coding, end, bytes.len())).to_owned(),
            mask,
            masked: found.masked,
            same,
        });
    }
    Reviewed::Rows(ReviewRows { edition, start, total, rows })
}

/// Whole characters only: half of one at either end is left out.
fn text(bytes: &[u8], coding: Coding, mut from: usize, mut to: usize) -> String {
    if coding.unit() == 1 {
        let is_within = |at: usize| bytes.get(at).is_some_and(|byte| byte & 0xC0 == 0x80);
        while from < to && is_within(from) {
            from += 1;
        }
        while to > from && is_within(to) {
            to -= 1;
        }
        if to == bytes.len() && to > from {
            // The last character may be parted by the end of what was read.
            let tail = bytes.get(to.saturating_sub(4).max(from)..to).unwrap_or_default();
            if let Some(lead) = tail.iter().rposition(|byte| byte & 0xC0 != 0x80) {
                let (len, needs) = (tail.len() - lead, tail.get(lead).map_or(1, |lead| width(*lead)));
                if len < needs {
                    to -= len;
                }
            }
        }
    }
    coding.text(bytes.get(from..to).unwrap_or_default())
}

fn width(lead: u8) -> usize {
    match lead {
        0xC0..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xFF => 4,
        _ => 1,
    }
}

fn last_line(text: &str) -> &str {
    text.rsplit('\n').next().unwrap_or_default()
}

fn first_line(text: &str) -> &str {
    text.split(['\r', '\n']).next().unwrap_or_default()
}

/// Some of the text that leaves.
pub(super) async fn page(session: &Shared, file: u32, at: u64) -> Reviewed {
    let found = {
        let review = &session.borrow().review;
        review.files.get(file as usize).cloned().map(|of| (of, review.number))
    };
    let Some((of, number)) = found else { return Reviewed::Page(ReviewPage::default()) };
    // A character of UTF-16 begins at an even place.
    let at = (at.min(of.size) / of.coding.unit()) * of.coding.unit();
    let end = (at + PAGE).min(of.size);
    // Up to a character's end.
    let bytes = match reader::read(&of.blob, at, (end + 3).min(of.size)).await {
        Ok(bytes) => bytes,
        Err(error) => {
            return Reviewed::Unreadable(format!("{} could not be read ({error}): open it again.", of.name));
        }
    };
    let review = &session.borrow().review;
    if review.number != number {
        return Reviewed::Page(ReviewPage::default());
    }
    let is_within = |at: usize| of.coding.unit() == 1 && bytes.get(at).is_some_and(|byte| byte & 0xC0 == 0x80);
    let (mut from, mut to) = (0, (end - at) as usize);
    while at > 0 && is_within(from) && from < to {
        from += 1;
    }
    while to < bytes.len() && is_within(to) {
        to += 1;
    }
    let bytes = bytes.get(from..to).unwrap_or_default();
    let (start, end) = (at + from as u64, at + to as u64);
    let pieces = review.pieces(file, start, bytes, of.coding);
    Reviewed::Page(ReviewPage { file, start, end, size: of.size, pieces })
}

impl Review {
    /// Some bytes of a file as they leave.
    fn pieces(&self, file: u32, start: u64, bytes: &[u8], coding: Coding) -> Vec<(String, bool)> {
        let all = self.found_in(file);
        let first = all.partition_point(|found| found.place().end <= start);
        let masked = all.get(first..).unwrap_or_default().iter().filter(|found| found.masked);
        let masks: Vec<_> = masked
            .take_while(|found| found.start < start + bytes.len() as u64)
            .map(|found| (found.start.max(start)..found.place().end, coding.bytes(self.mask(found))))
            .collect();
        let cuts = masks.iter().map(|(place, mask)| Cut { place: place.clone(), mask });
        let mut pieces = Vec::new();
        Splice::at(start, cuts).push(bytes, |bytes, is_mask| pieces.push((coding.text(bytes), is_mask)));
        pieces
    }
}
