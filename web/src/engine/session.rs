//! The engine proper: what is open, what is shown of it, and the answers to questions about it.
//!
//! It reads nothing by itself and posts nothing: [`open`] is given a way to say how things stand.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use steplens_core::price::PriceTable;
use steplens_core::run::{DialectChoice, Options, RecordId, Run, Span};
use steplens_core::unpack::{Packing, Unpacker};
use steplens_core::view::{Filter, View};
use wasm_bindgen_futures::JsFuture;
use web_sys::Blob;

use super::find::{self, Find};
use super::lab::{self, Lab};
use super::land;
use super::protocol::{Answer, Ask, Hits, ListHead, OpenFile, Opening, Phase, Reading, Target, Unrecognised, Update};
use super::reader::{self, Slices};
use super::stories;
use super::study;

/// How long at least between two updates while a file is read.
const BETWEEN_MS: f64 = 90.0;
/// An update may take this part of the time at most: large logs get fewer of them.
const SHARE: f64 = 8.0;

/// Bytes of an unpacked file that wait for more before they go into a `Blob`.
const PIECE: usize = 4 << 20;

/// How many models are offered at most.
const MODELS: usize = 40;

/// A way to say how things stand.
pub type Emit = Rc<dyn Fn(&Update)>;

/// The session of everyone who holds the `Rc`.
pub type Shared = Rc<RefCell<Session>>;

/// What is open, and what is shown of it.
#[derive(Debug)]
pub struct Session {
    pub(super) opening: u32,
    pub(super) run: Run,
    pub(super) files: Vec<OpenFile>,
    phase: Phase,
    bytes: u64,
    size: u64,
    started: f64,
    pub(super) filter: Filter,
    pub(super) view: View,
    list: u32,
    edition: u32,
    pub(super) find: Find,
    /// The file that is being unpacked: its bytes cannot be read yet where they were found.
    pub(super) unpacking: Option<usize>,
    pub(super) lab: Lab,
    compared: study::Cache,
    /// Prices in place of the built-in ones; they outlive an opening.
    prices: Option<Arc<PriceTable>>,
}

impl Default for Session {
    fn default() -> Self {
        Session {
            opening: 0,
            run: Run::new(Options::default()),
            files: Vec::new(),
            phase: Phase::Done,
            bytes: 0,
            size: 0,
            started: 0.0,
            filter: Filter::default(),
            view: View::default(),
            list: 0,
            edition: 0,
            find: Find::default(),
            unpacking: None,
            compared: study::Cache::default(),
            prices: None,
            lab: Lab::default(),
        }
    }
}

/// Reads the files of an opening to their end, or until another opening or [`cancel`] takes over.
pub async fn open(session: Shared, opening: Opening, emit: Emit) {
    let number = opening.number;
    let files = opening.files.clone();
    session.borrow_mut().begin(opening);
    let ended = read_all(&session, number, files, &emit).await;
    if ended {
        find::go_on(session, emit).await;
    }
}

/// Reads files to their end; false where another opening took over.
async fn read_all(session: &Shared, number: u32, files: Vec<OpenFile>, emit: &Emit) -> bool {
    let mut pace = Pace::default();
    for (index, file) in files.into_iter().enumerate() {
        session.borrow_mut().run.begin_file(&file.name);
        match unpack(session, number, index, &file, emit, &mut pace).await {
            Unpacked::NotPacked => {}
            Unpacked::Done => continue,
            Unpacked::Stopped => return session.borrow().opening == number,
        }
        let mut slices = Slices::new(file.blob);
        loop {
            let slice = slices.next().await;
            let mut this = session.borrow_mut();
            if this.opening != number || this.phase != Phase::Reading {
                return this.opening == number;
            }
            match slice {
                Ok(Some(bytes)) => this.push(bytes),
                Ok(None) => break,
                Err(error) => {
                    this.phase = Phase::Unreadable { file: file.name, error };
                    emit(&this.refreshed());
                    return true;
                }
            }
            if pace.is_due() {
                let update = this.refreshed();
                emit(&update);
                pace.said();
            }
        }
        session.borrow_mut().run.end_file();
    }
    let mut this = session.borrow_mut();
    this.phase = Phase::Done;
    emit(&this.refreshed());
    true
}

/// What became of a file that may be packed.
enum Unpacked {
    NotPacked,
    Done,
    Stopped,
}

/// Reads a packed file; its unpacked bytes take its place.
async fn unpack(
    session: &Shared,
    number: u32,
    index: usize,
    file: &OpenFile,
    emit: &Emit,
    pace: &mut Pace,
) -> Unpacked {
    let size = file.blob.size() as u64;
    let head = reader::read(&file.blob, 0, size.min(Packing::MARK as u64)).await;
    let Some(packing) = head.ok().and_then(|head| Packing::of(&head)) else { return Unpacked::NotPacked };
    {
        let mut this = session.borrow_mut();
        this.run.unpacked_from(size, packing.name());
        this.unpacking = Some(index);
    }
    let mut unpacker = Unpacker::new(packing);
    let mut slices = Slices::new(file.blob.clone());
    let (parts, mut read) = (js_sys::Array::new(), 0);
    loop {
        let slice = slices.next().await;
        let mut this = session.borrow_mut();
        if this.opening != number || this.phase != Phase::Reading {
            return Unpacked::Stopped;
        }
        let (packed, is_last) = match &slice {
            Ok(Some(packed)) => (*packed, false),
            Ok(None) => (&[][..], true),
            Err(error) => {
                this.phase = Phase::Unreadable { file: file.name.clone(), error: error.clone() };
                emit(&this.refreshed());
                return Unpacked::Stopped;
            }
        };
        let mut piece = Vec::new();
        let mut take = |bytes: &[u8]| {
            this.run.push(bytes);
            piece.extend_from_slice(bytes);
            keep(&parts, &mut piece, PIECE);
        };
        if is_last {
            unpacker.finish(&mut take)
        } else {
            unpacker.push(packed, &mut take)
        }
        keep(&parts, &mut piece, 1);
        read += packed.len() as u64;
        this.bytes += packed.len() as u64;
        if is_last || unpacker.damage().is_some() {
            // Behind a damage nothing is read.
            this.bytes += size.saturating_sub(read);
            if let Some(damage) = unpacker.damage() {
                this.run.note_damage(&damage.to_string());
            }
            if let (Ok(whole), Some(slot)) = (reader::blob_of_parts(&parts), this.files.get_mut(index)) {
                slot.blob = whole;
            }
            this.unpacking = None;
            this.run.end_file();
            return Unpacked::Done;
        }
        if pace.is_due() {
            let update = this.refreshed();
            emit(&update);
            pace.said();
        }
    }
}

/// Moves unpacked bytes, once there are so many, out of the wasm memory into a `Blob` of the browser's.
fn keep(parts: &js_sys::Array, piece: &mut Vec<u8>, enough: usize) {
    if piece.len() >= enough
        && let Ok(blob) = reader::blob_of(piece)
    {
        parts.push(&blob);
        piece.clear();
    }
}

/// Prices every step as this model; none goes back to what the log names.
pub fn model(session: &Shared, model: Option<String>, emit: &Emit) {
    let mut this = session.borrow_mut();
    this.run.set_model(model);
    emit(&this.refreshed());
}

/// Takes the prices of a file in place of the built-in ones; none goes back to these.
async fn prices(session: &Shared, file: Option<OpenFile>, emit: &Emit) -> Result<(), String> {
    let table = match &file {
        None => None,
        Some(file) => {
            let size = file.blob.size() as u64;
            let bytes = reader::read(&file.blob, 0, size).await?;
            let text = String::from_utf8(bytes).map_err(|_| format!("{}: this is no text", file.name))?;
            Some(Arc::new(PriceTable::parse(&text, &file.name).map_err(|error| error.to_string())?))
        }
    };
    let mut this = session.borrow_mut();
    this.run.set_prices(table.clone());
    this.prices = table;
    emit(&this.refreshed());
    Ok(())
}

/// Stops reading; what was read stays.
pub fn cancel(session: &Shared, emit: &Emit) {
    let mut this = session.borrow_mut();
    if this.phase == Phase::Reading {
        this.phase = Phase::Cancelled;
        emit(&this.refreshed());
    }
}

/// Shows other events.
pub fn filter(session: &Shared, filter: Filter, emit: &Emit) {
    let mut this = session.borrow_mut();
    this.filter = filter;
    this.list += 1;
    this.rebuild();
    emit(&this.update(false));
}

/// Finds a text in all events; empty ends the search.
pub async fn search(session: Shared, text: String, emit: Emit) {
    {
        let mut this = session.borrow_mut();
        this.find = this.find.after(&text);
        if text.is_empty() {
            emit(&this.searched());
        }
    }
    find::go_on(session, emit).await;
}

/// Reads the calls by another tool table.
pub fn dialect(session: &Shared, dialect: DialectChoice, emit: &Emit) {
    let mut this = session.borrow_mut();
    this.run.set_dialect(dialect);
    this.lab.forget();
    emit(&this.refreshed());
}

/// Answers a question.
pub async fn answer(session: &Shared, ask: Ask, emit: &Emit) -> Answer {
    match ask {
        Ask::Prices(file) => Answer::Prices(prices(session, file, emit).await.err()),
        Ask::Rows { start, len } => {
            let mut this = session.borrow_mut();
            let this = &mut *this;
            let mut window = this.run.window(&this.view, start..start.saturating_add(len));
            this.find.note(&this.run, &mut window);
            Answer::Rows(this.list_head(), window)
        }
        Ask::Steps { start, len } => Answer::Steps(session.borrow().run.steps(start..start.saturating_add(len))),
        Ask::Models(text) => Answer::Models(session.borrow().models(&text)),
        Ask::Land { from, target } => {
            if let Target::Hit(forward) = target {
                until_known(session, from, forward).await;
            }
            let mut this = session.borrow_mut();
            let this = &mut *this;
            let names = this.files.iter().map(|file| file.name.as_str());
            let ground = land::Ground { run: &this.run, view: &this.view, filter: &this.filter };
            let hits = this.find.rows(&this.run, &this.view);
            let mut landed = land::land(&ground, hits, names, from, &target);
            if let Some(event) = landed.as_mut().and_then(|landed| landed.event.as_mut()) {
                event.found = this.find.found(&this.run, event.id);
            }
            Answer::Landed(landed.map(Box::new))
        }
        Ask::Overview => Answer::Overview(Box::new(session.borrow().run.overview())),
        Ask::Files => Answer::Files(session.borrow().run.files_read_and_written()),
        Ask::Story(path) => stories::story(session, path).await,
        Ask::Transcript { start, len } => stories::transcript(session, start, len).await,
        Ask::Markdown(title) => stories::markdown(session, title).await,
        Ask::Detail(id) => detail(session, id).await,
        Ask::Mapping => Answer::Mapping(Box::new(session.borrow().run.mapping())),
        Ask::Lay(text) => Answer::Laid(lab::lay(session, text, emit).await),
        Ask::Try { lines, rules, dialect } => Answer::Tried(lab::try_lines(&lines, &rules, dialect).map(Box::new)),
        Ask::Line(file, line) => Answer::Line(lab::line_text(session, file, line).await),
        Ask::Study(study) => {
            let this = &mut *session.borrow_mut();
            Answer::Study(Box::new(study::answer(&this.run, &mut this.compared, &study)))
        }
        Ask::Export(export) => super::export::answer(session, export).await,
    }
}

/// Waits until the next hit is known, or that there is none.
async fn until_known(session: &Shared, from: Option<u32>, forward: bool) {
    loop {
        let wait = {
            let mut this = session.borrow_mut();
            let this = &mut *this;
            let row = from.and_then(|id| this.run.row_of_event(&this.view, id));
            this.find.wait(&this.run, &this.view, row, forward, this.files.len())
        };
        let Some(promise) = wait else { return };
        // It is never rejected.
        let _ = JsFuture::from(promise).await;
    }
}

async fn detail(session: &Shared, id: u32) -> Answer {
    let found = {
        let this = session.borrow();
        this.run.span_of_event(id).and_then(|span| {
            let file = this.files.get(span.file as usize)?;
            Some((span, file.clone(), this.opening))
        })
    };
    let Some((span, file, opening)) = found else {
        return Answer::Detail(None);
    };
    // Not under a borrow: the reading of the file goes on meanwhile.
    match reader::read(&file.blob, span.offset, span.offset + span.len).await {
        Err(error) => Answer::Unreadable { file: file.name, error },
        Ok(bytes) => {
            let this = session.borrow();
            let detail = (this.opening == opening).then(|| this.run.detail(id, &bytes));
            Answer::Detail(detail.flatten().map(Box::new))
        }
    }
}

impl Session {
    /// The run that is open.
    pub(super) fn run(&self) -> &Run {
        &self.run
    }

    /// Counts openings.
    pub(super) fn opening(&self) -> u32 {
        self.opening
    }

    /// Where the values of a record stand: the place, and the file.
    pub(super) fn source(&self, record: RecordId) -> Option<(Span, Blob)> {
        let span = self.run.source_of(record)?;
        Some((span, self.files.get(span.file as usize)?.blob.clone()))
    }

    fn begin(&mut self, opening: Opening) {
        *self = Session {
            opening: opening.number,
            run: Run::new(Options {
                dialect: opening.dialect,
                model: opening.model,
                prices: self.prices.clone(),
                ..Options::default()
            }),
            prices: self.prices.clone(),
            size: opening.files.iter().map(|f| f.blob.size() as u64).sum(),
            files: opening.files,
            phase: Phase::Reading,
            started: now(),
            filter: opening.filter,
            list: self.list + 1,
            find: self.find.after(&opening.search),
            ..Session::default()
        };
    }

    fn push(&mut self, bytes: &[u8]) {
        self.bytes += bytes.len() as u64;
        self.run.push(bytes);
    }

    fn rebuild(&mut self) {
        self.edition += 1;
        self.view = self.run.view(&self.filter);
        self.find.forget();
    }

    /// An update about the search: rows show what was found in them.
    pub(super) fn searched(&mut self) -> Update {
        self.edition += 1;
        self.update(false)
    }

    pub(super) fn phase(&self) -> &Phase {
        &self.phase
    }

    pub(super) fn blob(&self, file: u32) -> Option<Blob> {
        self.files.get(file as usize).map(|file| file.blob.clone())
    }

    pub(super) fn name(&self, file: u32) -> String {
        self.files.get(file as usize).map(|file| file.name.clone()).unwrap_or_default()
    }

    fn refreshed(&mut self) -> Update {
        self.rebuild();
        self.update(true)
    }

    /// An update after the records were mapped by other rules.
    pub(super) fn remapped(&mut self) -> Update {
        self.list += 1;
        self.refreshed()
    }

    pub(super) fn files(&self) -> &[OpenFile] {
        &self.files
    }

    fn unrecognised(&self) -> Unrecognised {
        Unrecognised {
            head: self.run.head_of_file(0).to_vec(),
            foreign: self.run.foreign_format(0).map(str::to_owned),
            tried: Run::formats().map(str::to_owned).collect(),
        }
    }

    fn models(&self, text: &str) -> Vec<String> {
        self.prices.as_deref().unwrap_or_else(|| PriceTable::built_in()).search(text, MODELS)
    }

    fn list_head(&self) -> ListHead {
        ListHead { list: self.list, edition: self.edition, rows: self.view.len(), events: self.view.events() }
    }

    fn update(&mut self, with_summary: bool) -> Update {
        Update {
            opening: self.opening,
            reading: Reading {
                phase: self.phase.clone(),
                bytes: self.bytes,
                size: self.size,
                elapsed_ms: now() - self.started,
            },
            unrecognised: (!self.run.recognised()).then(|| Box::new(self.unrecognised())),
            summary: with_summary.then(|| Box::new(self.run.summary())),
            counts: self.run.filter_counts(&self.filter),
            list: self.list_head(),
            mapped: self.lab.edition,
            hits: self
                .find
                .hits(&self.run, &self.view)
                .map(|hits| Hits { is_over: hits.is_over && self.phase != Phase::Reading, ..hits }),
        }
    }
}

/// When the next update is due.
#[derive(Debug, Default)]
pub(super) struct Pace {
    began: f64,
    next: f64,
}

impl Pace {
    pub(super) fn is_due(&mut self) -> bool {
        self.began = now();
        self.began >= self.next
    }

    pub(super) fn said(&mut self) {
        let end = now();
        self.next = end + BETWEEN_MS.max((end - self.began) * SHARE);
    }
}

pub(super) fn now() -> f64 {
    js_sys::Date::now()
}
