//! Logs that grow while they are open: what came is read behind what was there.
//!
//! Where the bytes come from is not known here: a file that is followed is handed in whole, as it is now, a stream or a
//! polled address in pieces. While a log grows its last file has no end, so that a line which is not whole yet waits for
//! its rest; [`Growth::End`] ends it. What cannot be read on is read anew, beside what is on screen, and takes its place
//! when it is whole.

use steplens_core::run::{Options, Run};
use web_sys::Blob;

use super::find;
use super::protocol::{Again, Answer, Grown, Growth, OpenFile, Phase};
use super::reader::{self, Slices};
use super::session::{Emit, Pace, Session, Shared};

/// How many bytes of a file's end are kept.
const TAIL: usize = 512;

/// The last bytes of a file that were read.
#[derive(Debug, Default)]
pub struct Tail(Vec<u8>);

impl Tail {
    /// Takes the bytes that were read next.
    pub(super) fn see(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes.get(bytes.len().saturating_sub(TAIL)..).unwrap_or_default());
        self.0.drain(..self.0.len().saturating_sub(TAIL));
    }
}

/// What is to be done.
enum Plan {
    /// Read what stands behind so many bytes.
    Behind(u64),
    Anew(Again),
}

/// Reads what came to a file.
pub(super) async fn grow(session: &Shared, file: &str, growth: Growth, emit: &Emit) -> Answer {
    let number = {
        let mut this = session.borrow_mut();
        let this = &mut *this;
        if *this.phase() == Phase::Reading || this.is_growing || this.lab.under_way > 0 {
            return Answer::Grown(Grown::Busy);
        }
        if growth == Growth::End {
            this.run.end_file();
            emit(&this.refreshed());
            return Answer::Grown(Grown::More(0));
        }
        if let Growth::Beside(blob) = growth {
            return this.beside(file, blob).map_or(Answer::Lost, Answer::Grown);
        }
        this.is_growing = true;
        this.lab.forget();
        this.opening
    };
    let grown = grown(session, file, growth, emit).await;
    {
        let mut this = session.borrow_mut();
        if this.opening == number {
            this.is_growing = false;
        }
    }
    let Some(grown) = grown else { return Answer::Lost };
    if matches!(grown, Grown::More(1..) | Grown::Anew(_)) {
        find::go_on(session.clone(), emit.clone()).await;
    }
    Answer::Grown(grown)
}

/// Notes among files what came to one of them, where it was read, so that they can be read again.
pub fn note(files: &mut [OpenFile], name: &str, growth: &Growth, answer: &Answer) {
    if matches!(answer, Answer::Grown(Grown::More(_) | Grown::Anew(_)))
        && let Some(file) = files.iter_mut().find(|file| file.name == name)
        && let Some(blob) = growth.onto(&file.blob)
    {
        file.blob = blob;
    }
}

impl Growth {
    /// The file with what came; none where nothing did, or the browser puts nothing together.
    fn onto(&self, known: &Blob) -> Option<Blob> {
        match self {
            Growth::Whole(blob) | Growth::Beside(blob) => Some(blob.clone()),
            Growth::More(part) => reader::blob_of_parts(&js_sys::Array::of2(known, part)).ok(),
            Growth::End => None,
        }
    }
}

/// What becomes of it; none where there is no such file, or another opening took over.
async fn grown(session: &Shared, file: &str, growth: Growth, emit: &Emit) -> Option<Grown> {
    let (number, index, blob, plan) = {
        let this = session.borrow();
        let index = this.files.iter().position(|known| known.name == file)?;
        let blob = growth.onto(&this.files.get(index)?.blob)?;
        let (read, is_packed) = this.run.pushed(index as u32).unwrap_or_default();
        if is_packed {
            return Some(Grown::Packed);
        }
        // The last of those that were read, and all were.
        let is_last = index + 1 == this.files.len() && this.is_read_to_end();
        let plan = match is_last {
            _ if (blob.size() as u64) < read => Plan::Anew(Again::Replaced),
            true => Plan::Behind(read),
            false => Plan::Anew(Again::Torn),
        };
        (this.opening, index, blob, plan)
    };
    let plan = match plan {
        Plan::Behind(read) => match is_same(session, index, &blob, read).await {
            Err(error) => return Some(Grown::Unreadable(error)),
            Ok(false) => Plan::Anew(Again::Replaced),
            Ok(true) if session.borrow_mut().run.resume_file() => Plan::Behind(read),
            Ok(true) => Plan::Anew(Again::Torn),
        },
        plan => plan,
    };
    match plan {
        Plan::Behind(read) => behind(session, number, index, blob, read, emit).await,
        Plan::Anew(why) => anew(session, number, index, blob, why, emit).await,
    }
}

/// Whether what was read of a file still stands there: its first and its last bytes are compared.
async fn is_same(session: &Shared, index: usize, blob: &Blob, read: u64) -> Result<bool, String> {
    let (head, tail) = {
        let this = session.borrow();
        (this.run.head_of_file(index as u32).to_vec(), this.tail.0.clone())
    };
    let first = reader::read(blob, 0, head.len() as u64).await?;
    let last = reader::read(blob, read.saturating_sub(tail.len() as u64), read).await?;
    Ok(first == head && last == tail)
}

/// Reads what stands behind what was read.
async fn behind(session: &Shared, number: u32, index: usize, blob: Blob, read: u64, emit: &Emit) -> Option<Grown> {
    let mut slices = Slices::behind(blob.clone(), read);
    let mapped = {
        let mut this = session.borrow_mut();
        this.replace_blob(index, blob);
        this.lab.edition
    };
    let (mut pace, mut came) = (Pace::default(), 0);
    loop {
        let slice = slices.next().await;
        let mut this = session.borrow_mut();
        if this.opening != number {
            return None;
        }
        // Files were added, or the lab read it all: what came is, or will be, in that reading.
        if this.files.len() != index + 1 || this.lab.edition != mapped {
            return Some(Grown::More(came));
        }
        match slice {
            Ok(Some(bytes)) => {
                came += bytes.len() as u64;
                this.push(bytes);
            }
            Ok(None) => {
                this.run.pause_file();
                this.finished();
                emit(&this.refreshed());
                return Some(Grown::More(came));
            }
            Err(error) => {
                this.run.pause_file();
                emit(&this.refreshed());
                return Some(Grown::Unreadable(error));
            }
        }
        if pace.is_due() {
            let update = this.refreshed();
            emit(&update);
            pace.said();
        }
    }
}

/// Reads all files again, that one last. What is on screen stays until that is done.
async fn anew(session: &Shared, number: u32, index: usize, blob: Blob, why: Again, emit: &Emit) -> Option<Grown> {
    let mut name = String::new();
    let (mut run, files, mapped) = {
        let this = session.borrow();
        let mut files: Vec<OpenFile> = this.files.clone();
        let mut last = files.remove(index);
        last.blob = blob;
        name.clone_from(&last.name);
        files.push(last);
        (Run::new(Options { ..this.run.options() }), files, this.lab.edition)
    };
    let mut tail = Tail::default();
    for file in &files {
        run.end_file();
        run.begin_file(&file.name);
        tail = Tail::default();
        let mut slices = Slices::new(file.blob.clone());
        loop {
            let slice = slices.next().await;
            let this = session.borrow();
            if this.opening != number {
                return None;
            }
            if this.files.len() != files.len() || this.lab.edition != mapped {
                return Some(Grown::Busy);
            }
            match slice {
                Ok(Some(bytes)) => {
                    tail.see(bytes);
                    run.push(bytes);
                }
                Ok(None) => break,
                Err(error) if file.name == name => return Some(Grown::Unreadable(error)),
                Err(error) => return Some(Grown::Blocked(file.name.clone(), error)),
            }
        }
    }
    run.pause_file();
    let is_log = run.file_recognised(files.len().saturating_sub(1) as u32);
    if !is_log {
        return Some(Grown::Gone);
    }
    let mut this = session.borrow_mut();
    this.take_over(run, files, tail);
    emit(&this.remapped());
    Some(Grown::Anew(why))
}

impl Session {
    /// Notes how a file is by now, to be read with another one.
    fn beside(&mut self, file: &str, blob: Blob) -> Option<Grown> {
        let index = self.files.iter().position(|known| known.name == file)?;
        let (_, is_packed) = self.run.pushed(index as u32).unwrap_or_default();
        if is_packed {
            return Some(Grown::Packed);
        }
        self.replace_blob(index, blob);
        Some(Grown::More(0))
    }

    fn replace_blob(&mut self, index: usize, blob: Blob) {
        if let Some(slot) = self.files.get_mut(index) {
            let more = blob.size() as u64 - (slot.blob.size() as u64).min(blob.size() as u64);
            self.size += more;
            slot.blob = blob;
        }
    }

    fn take_over(&mut self, mut run: Run, files: Vec<OpenFile>, tail: Tail) {
        run.settle(&self.run);
        self.run = run;
        self.size = files.iter().map(|file| file.blob.size() as u64).sum();
        self.bytes = self.size;
        self.next = files.len();
        self.files = files;
        self.tail = tail;
        self.folds = Default::default();
        self.lab.edition = self.lab.edition.wrapping_add(1);
        self.find = self.find.again();
        self.finished();
    }
}
