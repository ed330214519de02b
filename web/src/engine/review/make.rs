//! Makes what leaves, of the reviewed bytes and the decisions: a link, or the logs as files.

use std::ops::Range;

use js_sys::{Array, Uint8Array};
use memchr::memchr;
use serde::{Deserialize, Serialize};
use steplens_core::redact::{Cut, Splice};
use steplens_core::share::trim::{Lines, Shorten};
use web_sys::Blob;

use super::super::blobs;
use super::super::reader::{self, Slices};
use super::super::session::Shared;
use super::{File, ReviewPhase};
use crate::link::{self, Unmade};

/// Bytes of the result that become a part of a `Blob`.
const PART: usize = 4 << 20;

/// What is to be made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Make {
    /// The file, by its place among those that were reviewed; none means all of them.
    pub file: Option<u32>,
    /// Of one file a link is made; else the files come as `Blob`s.
    pub as_link: bool,
    /// What is left out.
    pub trim: Trim,
    /// Seals the link.
    pub password: Option<String>,
    /// How the log is looked at, as pairs of the fragment, decoded: what holds something that is masked is left out.
    pub view: Vec<(String, String)>,
    /// A line of the file, from 1, that is to be found again.
    pub line: Option<u64>,
}

/// What is left out, so that a link is shorter.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trim {
    /// Events that the filter does not show.
    pub hidden: bool,
    /// Most of texts of more than so many bytes.
    pub longer_than: Option<u32>,
}

/// What was made.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Made {
    /// The value of `z`, or of `zp` where there was a password; none where it is too long, or was not wanted.
    pub link: Option<String>,
    /// The files.
    pub parts: Vec<Part>,
    /// The pairs of the view that hold nothing that is masked.
    pub view: Vec<(String, String)>,
    /// The number of the line that was to be found again; none where it was left out.
    pub line: Option<u64>,
    /// Lines that were left out.
    pub lines_left_out: u64,
    /// Texts that were cut.
    pub texts_cut: u64,
}

/// A file that was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// Its name.
    pub name: String,
    /// Its `Blob`: see [`blobs::take`].
    pub blob: u32,
    /// Its bytes.
    pub size: u64,
}

/// Makes it.
///
/// # Errors
/// Why it was not made, as a sentence.
pub(super) async fn make(session: &Shared, what: Make) -> Result<Made, String> {
    let files: Vec<(u32, File)> = {
        let this = session.borrow();
        let review = &this.review;
        if review.phase != ReviewPhase::Done || review.of != (this.opening, this.files.len()) {
            return Err("The log is another than the one that was reviewed: review it again.".to_owned());
        }
        let all = (0u32..).zip(review.files.iter().cloned());
        all.filter(|(place, _)| what.file.is_none_or(|file| file == *place)).collect()
    };
    let mut made = Made { view: view(session, &what.view), ..Made::default() };
    for (place, file) in files {
        let blob = reviewed(session, place, &file, &what, &mut made).await?;
        if !what.as_link {
            let size = blob.size() as u64;
            made.parts.push(Part { name: file.name, blob: blobs::keep(blob), size });
            continue;
        }
        match link::pack(&blob, what.password.as_deref()).await {
            Ok(link) => made.link = Some(link),
            Err(Unmade::TooLong) => {}
            Err(Unmade::Refused(why)) => return Err(format!("The link was not made: {why}.")),
        }
    }
    Ok(made)
}

/// The pairs that hold nothing of a kind that is masked somewhere.
fn view(session: &Shared, pairs: &[(String, String)]) -> Vec<(String, String)> {
    let review = &session.borrow().review;
    let clean = review.are_clean(pairs.iter().map(|(key, value)| format!("{key}={value}")));
    pairs.iter().zip(clean).filter(|(_, clean)| *clean).map(|(pair, _)| pair.clone()).collect()
}

/// A file as it leaves.
async fn reviewed(session: &Shared, place: u32, file: &File, what: &Make, made: &mut Made) -> Result<Blob, String> {
    let (number, masks, hidden) = {
        let this = session.borrow();
        let review = &this.review;
        let masked = review.found_in(place).iter().filter(|found| found.masked);
        let masks: Vec<(Range<u64>, Vec<u8>)> =
            masked.map(|found| (found.place(), file.coding.bytes(review.mask(found)))).collect();
        let hidden = if what.trim.hidden { this.run.hidden_lines(&this.view, place) } else { Vec::new() };
        (review.number, masks, hidden)
    };
    if what.trim != Trim::default() && file.coding.unit() > 1 {
        return Err(format!("{} is in UTF-16: nothing can be left out of it.", file.name));
    }
    let is_cut_by_line = !hidden.is_empty();
    let cuts = masks.iter().map(|(place, mask)| Cut { place: place.clone(), mask });
    let mut writer = Writer {
        splice: Splice::new(cuts),
        lines: Lines::new(hidden.into_iter(), what.line),
        shorten: what.trim.longer_than.map(|most| Shorten::new(most as usize)),
        at: 0,
        line: Vec::new(),
        out: Vec::new(),
    };
    let parts = Array::new();
    let mut slices = Slices::new(file.blob.clone());
    loop {
        let slice = slices.next().await.map_err(|error| {
            format!("{} could not be read ({error}): it changed or moved on disk. Open it again.", file.name)
        })?;
        if session.borrow().review.number != number {
            return Err("Another review was begun meanwhile.".to_owned());
        }
        let is_last = slice.is_none();
        match slice {
            Some(bytes) if is_cut_by_line => {
                writer
                    .by_line(bytes)
                    .ok_or_else(|| format!("{} is one document: no event can be left out of it.", file.name))?;
            }
            Some(bytes) => writer.whole(bytes),
            None => writer.finish().ok_or_else(|| "An event could not be left out.".to_owned())?,
        }
        if is_last || writer.out.len() >= PART {
            let part = reader::blob_of_parts(&Array::of1(&Uint8Array::from(writer.out.as_slice())));
            let part: Blob = part.map_err(|error| format!("The browser made no file of it ({error:?})."))?;
            parts.push(&part);
            writer.out.clear();
        }
        if is_last {
            break;
        }
    }
    made.line = if is_cut_by_line { writer.lines.found() } else { what.line };
    made.lines_left_out += writer.lines.left_out();
    made.texts_cut += writer.shorten.as_ref().map_or(0, Shorten::cut);
    reader::blob_of_parts(&parts).map_err(|error| format!("The browser made no file of it ({error:?})."))
}

/// Puts the masks in, leaves lines out, and cuts long texts, in this order.
struct Writer<'a, C: Iterator<Item = Cut<'a>>, D: Iterator<Item = Range<u64>>> {
    splice: Splice<'a, C>,
    lines: Lines<D>,
    shorten: Option<Shorten>,
    /// Bytes of the file before the line that is held.
    at: u64,
    /// The beginning of a line whose end did not come yet.
    line: Vec<u8>,
    out: Vec<u8>,
}

impl<'a, C: Iterator<Item = Cut<'a>>, D: Iterator<Item = Range<u64>>> Writer<'a, C, D> {
    fn whole(&mut self, bytes: &[u8]) {
        self.splice.push(bytes, |bytes, _| match &mut self.shorten {
            Some(shorten) => shorten.push(bytes, &mut self.out),
            None => self.out.extend_from_slice(bytes),
        });
    }

    /// None where the file's lines are no records.
    fn by_line(&mut self, mut bytes: &[u8]) -> Option<()> {
        while let Some(end) = memchr(b'\n', bytes) {
            let (head, rest) = bytes.split_at(end + 1);
            bytes = rest;
            if self.line.is_empty() {
                self.one(head)?;
            } else {
                let mut line = std::mem::take(&mut self.line);
                line.extend_from_slice(head);
                self.one(&line)?;
            }
        }
        self.line.extend_from_slice(bytes);
        Some(())
    }

    fn one(&mut self, line: &[u8]) -> Option<()> {
        let end = self.at + line.len() as u64;
        let keeps = self.lines.keeps(self.at..end)?;
        self.at = end;
        if keeps {
            self.whole(line);
        } else {
            // Part of a list that goes over lines: without it the others were no JSON.
            let text = line.trim_ascii_end();
            if text.ends_with(b",") || text.ends_with(b"[") {
                return None;
            }
            self.splice.push(line, |_, _| {});
        }
        Some(())
    }

    fn finish(&mut self) -> Option<()> {
        let line = std::mem::take(&mut self.line);
        if !line.is_empty() {
            self.one(&line)?;
        }
        if let Some(shorten) = &mut self.shorten {
            shorten.finish(&mut self.out);
        }
        Some(())
    }
}
