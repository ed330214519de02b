//! The review before a share: what the redactor finds in the open files, what is decided of each finding, and what leaves.
//!
//! The worker holds the findings and the decisions; the page asks for what it shows. What leaves is made of the bytes that
//! were reviewed and of the decisions, and nothing is looked for again then: see [`make`].

mod find;
mod make;
mod rows;
mod site;

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use serde::{Deserialize, Serialize};
use steplens_core::redact::{Coding, Finding, Kind, Survey};
use web_sys::Blob;

pub use make::{Made, Make, Part, Trim};
pub use site::Site;

use super::session::Shared;

/// What the page asks of the review.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum ReviewAsk {
    /// Look through what is open, unless that was done. Answered at once.
    Start {
        /// Names of users and hosts too; none leaves it as it is.
        names: Option<bool>,
    },
    /// Stop looking, and forget what was found.
    Stop,
    /// How it stands.
    Head,
    /// List the findings of this kind; none means all.
    Show(Option<Kind>),
    /// Findings of the list.
    Rows {
        /// The first.
        start: u64,
        /// How many.
        len: u64,
    },
    /// Some of the text that leaves.
    Page {
        /// The file, by its place among those that are reviewed.
        file: u32,
        /// Where in the file it begins, in bytes of the file as it is.
        at: u64,
    },
    /// Mask a finding, or show it.
    Decide {
        /// Which.
        what: Which,
        /// It is masked.
        masked: bool,
    },
    /// Take the last decision back.
    Undo,
    /// Make what leaves.
    Make(Box<Make>),
    /// Make the index and the logs of a site.
    Site(Box<Site>),
}

/// Which findings a decision is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Which {
    /// One, by its number.
    One(u32),
    /// All with the text of one.
    Same(u32),
    /// All of a kind.
    Kind(Kind),
    /// All.
    All,
}

/// The answer to a [`ReviewAsk`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Reviewed {
    /// How it stands.
    Head(ReviewHead),
    /// Findings.
    Rows(ReviewRows),
    /// Some of the text that leaves.
    Page(ReviewPage),
    /// What was made; or why it was not, as a sentence.
    Made(Result<Made, String>),
    /// A file could not be read: a sentence.
    Unreadable(String),
}

/// How far the review is.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ReviewPhase {
    /// Nothing was asked for.
    #[default]
    Idle,
    /// It is looked through.
    Running,
    /// All was looked through.
    Done,
    /// It could not be: why, as a sentence.
    Failed(String),
}

/// How the review stands.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReviewHead {
    /// What happens.
    pub phase: ReviewPhase,
    /// Bytes that were looked through. Every file is looked through twice.
    pub done: u64,
    /// Bytes that are to be.
    pub size: u64,
    /// Findings of each kind, in the order of a report.
    pub kinds: Vec<KindCount>,
    /// The files.
    pub files: Vec<ReviewFile>,
    /// The kind that is listed; none means all.
    pub shown: Option<Kind>,
    /// Findings of the list.
    pub rows: u64,
    /// Changes with the list and with what is decided.
    pub edition: u32,
    /// There is a decision to take back.
    pub can_undo: bool,
    /// Names of users and hosts are looked for.
    pub names: bool,
}

impl ReviewHead {
    /// Findings, and how many of them are masked.
    pub fn total(&self) -> (u64, u64) {
        self.kinds.iter().fold((0, 0), |(all, masked), kind| (all + kind.found, masked + kind.masked))
    }
}

/// Findings of a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct KindCount {
    /// The kind.
    pub kind: Kind,
    /// How many there are.
    pub found: u64,
    /// How many of them are masked.
    pub masked: u64,
}

/// A file that is reviewed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReviewFile {
    /// Its name.
    pub name: String,
    /// Its bytes, unpacked.
    pub size: u64,
    /// The name under which it may leave: its own, unless that holds something that is masked.
    pub leaves_as: String,
}

/// Findings of the list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReviewRows {
    /// The edition that they are of.
    pub edition: u32,
    /// The place of the first in the list.
    pub start: u64,
    /// Findings of the whole list.
    pub total: u64,
    /// The findings.
    pub rows: Vec<ReviewRow>,
}

/// A finding as it is shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReviewRow {
    /// Its number.
    pub number: u32,
    /// What it is.
    pub kind: Kind,
    /// The file, by its place among those that are reviewed.
    pub file: u32,
    /// The line, from 1.
    pub line: u64,
    /// Where it begins, in bytes of the file.
    pub at: u64,
    /// What stands before it on its line.
    pub before: String,
    /// The text itself, or its beginning.
    pub secret: String,
    /// It goes on.
    pub is_cut: bool,
    /// What stands behind it.
    pub after: String,
    /// What stands in its place.
    pub mask: String,
    /// It is masked.
    pub masked: bool,
    /// How many findings have this text.
    pub same: u64,
}

/// Some of the text that leaves.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReviewPage {
    /// The file, by its place.
    pub file: u32,
    /// Bytes of the file that it stands for.
    pub start: u64,
    /// Where the next page begins.
    pub end: u64,
    /// Bytes of the file.
    pub size: u64,
    /// The text in pieces; a mask is a piece of its own.
    pub pieces: Vec<(String, bool)>,
}

/// A finding as it is kept.
#[derive(Debug, Clone, Copy)]
struct Found {
    start: u64,
    len: u32,
    line: u32,
    file: u32,
    /// Its text, by its place among the different ones.
    secret: u32,
    /// What stands in its place, by its place in the table.
    mask: u16,
    kind: Kind,
    masked: bool,
}

impl Found {
    fn place(&self) -> Range<u64> {
        self.start..self.start + u64::from(self.len)
    }
}

/// A file as it was when it was reviewed.
#[derive(Debug, Clone)]
struct File {
    name: String,
    blob: Blob,
    size: u64,
    coding: Coding,
    /// Its findings, among all.
    found: Range<usize>,
}

/// The review of what is open.
#[derive(Debug, Default)]
pub struct Review {
    /// Counts reviews, so that an earlier one knows itself as such.
    number: u32,
    phase: ReviewPhase,
    /// The opening that was reviewed, and how many files it had.
    of: (u32, usize),
    names: bool,
    done: u64,
    size: u64,
    survey: Survey,
    files: Vec<File>,
    found: Vec<Found>,
    /// The findings of each kind.
    by_kind: Vec<Vec<u32>>,
    /// How often each text was found.
    same: Vec<u32>,
    secrets: HashMap<u64, u32>,
    masks: Vec<String>,
    mask_places: HashMap<String, u16>,
    shown: Option<Kind>,
    edition: u32,
    /// The findings that each decision changed.
    undo: Vec<Vec<u32>>,
}

/// Answers the page.
pub async fn answer(session: &Shared, ask: ReviewAsk) -> Reviewed {
    match ask {
        ReviewAsk::Start { names } => {
            let is_there = {
                let this = session.borrow();
                let review = &this.review;
                review.of == (this.opening, this.files.len())
                    && names.is_none_or(|names| names == review.names)
                    && matches!(review.phase, ReviewPhase::Running | ReviewPhase::Done)
            };
            if !is_there {
                find::start(session, names.unwrap_or_default());
            }
            head(session)
        }
        ReviewAsk::Stop => {
            let review = &mut session.borrow_mut().review;
            *review = review.after();
            Reviewed::Head(review.head())
        }
        ReviewAsk::Head => head(session),
        ReviewAsk::Show(kind) => {
            let review = &mut session.borrow_mut().review;
            review.shown = kind;
            review.edition = review.edition.wrapping_add(1);
            Reviewed::Head(review.head())
        }
        ReviewAsk::Decide { what, masked } => {
            let review = &mut session.borrow_mut().review;
            review.decide(what, masked);
            Reviewed::Head(review.head())
        }
        ReviewAsk::Undo => {
            let review = &mut session.borrow_mut().review;
            review.undo();
            Reviewed::Head(review.head())
        }
        ReviewAsk::Rows { start, len } => rows::rows(session, start, len).await,
        ReviewAsk::Page { file, at } => rows::page(session, file, at).await,
        ReviewAsk::Make(what) => Reviewed::Made(make::make(session, *what).await),
        ReviewAsk::Site(what) => Reviewed::Made(site::make(session, *what).await),
    }
}

fn head(session: &Shared) -> Reviewed {
    Reviewed::Head(session.borrow().review.head())
}

impl Review {
    /// None, after this one: what still looks knows that it is over.
    pub(super) fn after(&self) -> Review {
        let edition = self.edition.wrapping_add(1);
        Review { number: self.number.wrapping_add(1), edition, ..Review::default() }
    }

    fn head(&self) -> ReviewHead {
        let mut masked = vec![0u64; Kind::ALL.len()];
        for found in self.found.iter().filter(|found| found.masked) {
            if let Some(masked) = masked.get_mut(found.kind as usize) {
                *masked += 1;
            }
        }
        let kinds = Kind::ALL.iter().zip(&self.by_kind).zip(masked);
        let kinds = kinds.filter(|((_, found), _)| !found.is_empty());
        ReviewHead {
            phase: self.phase.clone(),
            done: self.done,
            size: self.size,
            kinds: kinds
                .map(|((kind, found), masked)| KindCount { kind: *kind, found: found.len() as u64, masked })
                .collect(),
            files: self.names().collect(),
            shown: self.shown,
            rows: self.rows(),
            edition: self.edition,
            can_undo: !self.undo.is_empty(),
            names: self.names,
        }
    }

    /// The files, with the names under which they may leave.
    fn names(&self) -> impl Iterator<Item = ReviewFile> {
        // Nothing leaves before the end.
        let clean = (self.phase == ReviewPhase::Done).then(|| {
            let names = self.files.iter().map(|file| format!("name={}", file.name));
            self.are_clean(names)
        });
        let clean = clean.unwrap_or_default();
        self.files.iter().enumerate().map(move |(place, file)| ReviewFile {
            name: file.name.clone(),
            size: file.size,
            leaves_as: match clean.get(place) {
                Some(true) => file.name.clone(),
                _ => format!("log-{}.jsonl", place + 1),
            },
        })
    }

    /// Which of these texts hold nothing of a kind that is masked somewhere.
    fn are_clean(&self, texts: impl Iterator<Item = String>) -> Vec<bool> {
        let masked: HashSet<Kind> = self.found.iter().filter(|found| found.masked).map(|found| found.kind).collect();
        let (mut redactor, mut sink) = (self.survey.redactor(), Vec::new());
        let each = |text: String| {
            let mut is_clean = true;
            let mut note = |finding: &Finding, _: &[u8]| {
                // A home directory by itself is no line that was reviewed: nothing says that it may leave.
                is_clean &=
                    self.found.iter().any(|found| found.kind == finding.kind) && !masked.contains(&finding.kind);
                false
            };
            redactor.push(text.as_bytes(), &mut sink, &mut note);
            redactor.push(b"\n", &mut sink, &mut note);
            sink.clear();
            is_clean
        };
        texts.map(each).collect()
    }

    fn of_kind(&self, kind: Kind) -> &[u32] {
        self.by_kind.get(kind as usize).map(Vec::as_slice).unwrap_or_default()
    }

    /// Findings of the list.
    fn rows(&self) -> u64 {
        self.shown.map_or(self.found.len(), |kind| self.of_kind(kind).len()) as u64
    }

    /// The finding at a place of the list: by kind, then as they stand.
    fn at(&self, mut place: usize) -> Option<u32> {
        if let Some(kind) = self.shown {
            return self.of_kind(kind).get(place).copied();
        }
        for found in &self.by_kind {
            match found.get(place) {
                Some(number) => return Some(*number),
                None => place -= found.len(),
            }
        }
        None
    }

    fn decide(&mut self, what: Which, masked: bool) {
        let secret = |number: u32| self.found.get(number as usize).map(|found| found.secret);
        let numbers: Vec<u32> = match what {
            Which::One(number) => vec![number],
            Which::Kind(kind) => self.of_kind(kind).to_vec(),
            Which::All => self.by_kind.iter().flatten().copied().collect(),
            Which::Same(number) => {
                let same = secret(number);
                let all = (0u32..).zip(&self.found);
                all.filter(|(_, found)| Some(found.secret) == same).map(|(number, _)| number).collect()
            }
        };
        let mut changed = Vec::new();
        for number in numbers {
            if let Some(found) = self.found.get_mut(number as usize)
                && found.masked != masked
            {
                found.masked = masked;
                changed.push(number);
            }
        }
        if !changed.is_empty() {
            self.undo.push(changed);
            self.edition = self.edition.wrapping_add(1);
        }
    }

    fn undo(&mut self) {
        for number in self.undo.pop().unwrap_or_default() {
            if let Some(found) = self.found.get_mut(number as usize) {
                found.masked = !found.masked;
            }
        }
        self.edition = self.edition.wrapping_add(1);
    }

    /// The findings of a file, in their order.
    fn found_in(&self, file: u32) -> &[Found] {
        let range = self.files.get(file as usize).map_or(0..0, |file| file.found.clone());
        self.found.get(range).unwrap_or_default()
    }

    fn mask(&self, found: &Found) -> &str {
        self.masks.get(usize::from(found.mask)).map(String::as_str).unwrap_or_default()
    }
}
