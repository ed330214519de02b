//! Looks through the files, twice each, slice by slice: the worker answers others meanwhile.

use steplens_core::redact::{Finding, Group, Kind, Kinds, Redactor, Survey};
use steplens_core::unpack::Packing;
use wasm_bindgen_futures::spawn_local;

use super::super::protocol::Phase;
use super::super::reader::{self, Slices};
use super::super::session::Shared;
use super::{File, Found, Review, ReviewPhase};

/// Begins to look through what is open.
pub(super) fn start(session: &Shared, names: bool) {
    let number = {
        let mut this = session.borrow_mut();
        let this = &mut *this;
        let number = this.review.number.wrapping_add(1);
        let files: Vec<File> = this
            .files
            .iter()
            .map(|file| File {
                name: file.name.clone(),
                blob: file.blob.clone(),
                size: file.blob.size() as u64,
                coding: Default::default(),
                found: 0..0,
            })
            .collect();
        let phase = match this.phase() {
            Phase::Reading => ReviewPhase::Failed("The log is still being read: wait until it is.".to_owned()),
            _ => ReviewPhase::Running,
        };
        let is_running = phase == ReviewPhase::Running;
        this.review = Review {
            number,
            phase,
            of: (this.opening, files.len()),
            names,
            size: 2 * files.iter().map(|file| file.size).sum::<u64>(),
            survey: Survey::new(kinds(names)),
            files,
            by_kind: vec![Vec::new(); Kind::ALL.len()],
            edition: this.review.edition.wrapping_add(1),
            ..Review::default()
        };
        if !is_running {
            return;
        }
        number
    };
    let session = session.clone();
    spawn_local(async move {
        let end = match go(&session, number).await {
            Ok(()) => ReviewPhase::Done,
            Err(why) => ReviewPhase::Failed(why),
        };
        let review = &mut session.borrow_mut().review;
        if review.number == number {
            review.phase = end;
            review.edition = review.edition.wrapping_add(1);
        }
    });
}

fn kinds(names: bool) -> Kinds {
    let mut kinds = Kinds::default();
    if names {
        kinds.insert_group(Group::Names);
    }
    kinds
}

/// Both passes; why they came to no end, as a sentence. A review that another took over from just ends.
async fn go(session: &Shared, number: u32) -> Result<(), String> {
    let files = session.borrow().review.files.clone();
    for file in &files {
        let head = reader::read(&file.blob, 0, file.size.min(Packing::MARK as u64)).await;
        let head = head.map_err(|error| unreadable(file, &error))?;
        if let Some(packing) = Packing::of(&head) {
            // What is packed hides everything from the redactor.
            return Err(format!(
                "{} is packed ({}) and was not unpacked to its end: open it again.",
                file.name,
                packing.name()
            ));
        }
        let mut slices = Slices::new(file.blob.clone());
        loop {
            let slice = slices.next().await.map_err(|error| unreadable(file, &error))?;
            let review = &mut session.borrow_mut().review;
            if review.number != number {
                return Ok(());
            }
            let Some(bytes) = slice else {
                review.survey.end_file();
                break;
            };
            review.survey.push(bytes);
            review.done += bytes.len() as u64;
        }
    }
    for (place, file) in files.iter().enumerate() {
        let mut redactor = session.borrow().review.survey.redactor();
        let mut slices = Slices::new(file.blob.clone());
        let mut sink = Vec::new();
        loop {
            let slice = slices.next().await.map_err(|error| unreadable(file, &error))?;
            let review = &mut session.borrow_mut().review;
            if review.number != number {
                return Ok(());
            }
            let bytes = slice.unwrap_or_default();
            let before = review.found.len();
            let mut note = |finding: &Finding, _: &[u8]| {
                review.note(place, finding);
                // Nothing is written yet.
                false
            };
            if bytes.is_empty() {
                redactor.finish(&mut sink, &mut note);
            } else {
                redactor.push(bytes, &mut sink, &mut note);
            }
            sink.clear();
            review.done += bytes.len() as u64;
            if review.found.len() > before {
                review.edition = review.edition.wrapping_add(1);
            }
            let (end, coding) = (review.found.len(), Redactor::coding(&redactor));
            if let Some(file) = review.files.get_mut(place) {
                file.coding = coding;
                file.found.end = end;
            }
            if bytes.is_empty() {
                break;
            }
        }
        let review = &mut session.borrow_mut().review;
        let end = review.found.len();
        if let Some(next) = review.files.get_mut(place + 1) {
            next.found = end..end;
        }
    }
    Ok(())
}

fn unreadable(file: &File, error: &str) -> String {
    format!("{} could not be read ({error}): it changed or moved on disk. Open it again.", file.name)
}

impl Review {
    fn note(&mut self, file: usize, finding: &Finding) {
        let number = self.found.len() as u32;
        let next = self.same.len() as u32;
        let secret = *self.secrets.entry(finding.secret).or_insert(next);
        match self.same.get_mut(secret as usize) {
            Some(count) => *count += 1,
            None => self.same.push(1),
        }
        let mask = match self.mask_places.get(&finding.mask) {
            Some(place) => *place,
            None => {
                let place = u16::try_from(self.masks.len()).unwrap_or(u16::MAX);
                self.masks.push(finding.mask.clone());
                self.mask_places.insert(finding.mask.clone(), place);
                place
            }
        };
        self.found.push(Found {
            start: finding.place.start,
            len: (finding.place.end - finding.place.start) as u32,
            line: finding.line as u32,
            file: file as u32,
            secret,
            mask,
            kind: finding.kind,
            masked: true,
        });
        if let Some(of_kind) = self.by_kind.get_mut(finding.kind as usize) {
            of_kind.push(number);
        }
    }
}
