//! The engine proper: what is open, what is shown of it, and the answers to questions about it.
//!
//! It reads nothing by itself and posts nothing: [`open`] is given a way to say how things stand.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use steplens_core::ask::{AskStatus, WholeAsk};
use steplens_core::foreign::Foreign;
use steplens_core::outline::{Folds, Outline};
use steplens_core::price::PriceTable;
use steplens_core::rules::Rules;
use steplens_core::run::{DialectChoice, Options, RecordId, Run, Span};
use steplens_core::summary::Summary;
use steplens_core::unpack::{Packing, Unpacker};
use steplens_core::view::{Filter, View};
use wasm_bindgen_futures::JsFuture;
use web_sys::Blob;

use super::find::{self, Find};
use super::fold;
use super::grow;
use super::lab::{self, Lab};
use super::protocol::{
    Answer, Ask, Hits, ListHead, OpenFile, Opening, Phase, Reading, Refusal, Spot, Target, Unrecognised, Update,
};
use super::reader::{self, Slices};
use super::review::{self, Review};
use super::sniff;
use super::stories;
use super::study;

/// How long at least between two updates while a file is read.
const BETWEEN_MS: f64 = 90.0;
/// An update may take this part of the time at most: large logs get fewer of them.
const SHARE: f64 = 20.0;

/// Bytes of an unpacked file that wait for more before they go into a `Blob`.
const PIECE: usize = 4 << 20;

/// Of how many files that are no logs all is said.
const REFUSED_SHOWN: usize = 12;

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
    /// The opening that was asked for last: its files may still be looked at.
    asked: u32,
    /// The extension rules are behind the tool tables.
    pub(super) extensions: bool,
    pub(super) run: Run,
    pub(super) files: Vec<OpenFile>,
    /// The file that is read next.
    pub(super) next: usize,
    phase: Phase,
    pub(super) bytes: u64,
    pub(super) size: u64,
    started: f64,
    pub(super) filter: Filter,
    pub(super) view: View,
    pub(super) folds: Folds,
    pub(super) outline: Outline,
    list: u32,
    edition: u32,
    pub(super) find: Find,
    /// The file that is being unpacked: its bytes cannot be read yet where they were found.
    pub(super) unpacking: Option<usize>,
    /// Whoever waits until that is over.
    unpacked: Vec<js_sys::Function>,
    pub(super) lab: Lab,
    pub(super) review: Review,
    /// The last bytes that were read, to know the file again by when it has grown.
    pub(super) tail: grow::Tail,
    /// What came to a file is being read.
    pub(super) is_growing: bool,
    compared: study::Cache,
    pub(super) aep: super::aep::Mapped,
    /// Prices in place of the built-in ones; they outlive an opening.
    prices: Option<Arc<PriceTable>>,
}

impl Default for Session {
    fn default() -> Self {
        Session {
            opening: 0,
            asked: 0,
            extensions: false,
            next: 0,
            run: Run::new(Options::default()),
            files: Vec::new(),
            phase: Phase::Done,
            bytes: 0,
            size: 0,
            started: 0.0,
            filter: Filter::default(),
            view: View::default(),
            folds: Folds::default(),
            outline: Outline::default(),
            list: 0,
            edition: 0,
            find: Find::default(),
            unpacking: None,
            unpacked: Vec::new(),
            tail: grow::Tail::default(),
            is_growing: false,
            compared: study::Cache::default(),
            aep: super::aep::Mapped::default(),
            prices: None,
            lab: Lab::default(),
            review: Review::default(),
        }
    }
}

/// Reads the logs among the files of an opening to their end, or until another opening or [`cancel`] takes over.
pub async fn open(session: Shared, opening: Opening, emit: Emit) {
    let number = opening.number;
    session.borrow_mut().asked = number;
    let goes_on = || session.borrow().asked == number;
    let Some(sorted) = sniff::sort(opening.files.clone(), goes_on).await else { return };
    {
        let mut this = session.borrow_mut();
        if sorted.logs.is_empty() && opening.keeps {
            emit(&this.refused(Some(number), sorted.others));
            return;
        }
        let (files, others) = match sorted.logs.is_empty() {
            // The first of them is shown, and why it is no log.
            true => (opening.files.clone(), Vec::new()),
            false => (sorted.logs, sorted.others),
        };
        this.begin(Opening { files, ..opening });
        others.iter().for_each(|file| this.run.leave_out(file.into()));
    }
    if read(&session, &emit).await {
        find::go_on(session, emit).await;
    }
}

/// Reads the logs among these files too, into the run that is open.
pub async fn add(session: Shared, files: Vec<OpenFile>, emit: Emit) {
    let number = session.borrow().opening;
    let goes_on = || session.borrow().opening == number;
    let Some(sorted) = sniff::sort(files, goes_on).await else { return };
    {
        let mut this = session.borrow_mut();
        if sorted.logs.is_empty() {
            emit(&this.refused(None, sorted.others));
            return;
        }
        sorted.others.iter().for_each(|file| this.run.leave_out(file.into()));
        this.lab.interrupt();
        this.size += sorted.logs.iter().map(|file| file.blob.size() as u64).sum::<u64>();
        this.files.extend(sorted.logs);
        if this.phase == Phase::Reading {
            // Who reads comes to them.
            return;
        }
        // What was read of a file that was not read to its end stays; one that grows goes on no longer.
        this.run.end_file();
        this.phase = Phase::Reading;
        this.started = now();
    }
    if read(&session, &emit).await {
        find::go_on(session, emit).await;
    }
}

/// Reads the files that were not read yet; false where another opening took over.
async fn read(session: &Shared, emit: &Emit) -> bool {
    let number = session.borrow().opening;
    let mut pace = Pace::default();
    loop {
        let (index, file) = {
            let mut this = session.borrow_mut();
            let index = this.next;
            let Some(file) = this.files.get(index).cloned() else { break };
            this.next = index + 1;
            this.tail = grow::Tail::default();
            this.run.begin_file(&file.name);
            (index, file)
        };
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
                    this.stop();
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
    if this.opening == number {
        this.phase = Phase::Done;
        emit(&this.refreshed());
    }
    this.opening == number
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
            this.wake_unpacked();
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

/// Takes prices that were typed by hand; they hold for any model.
fn typed_prices(session: &Shared, typed: &[String; 4], emit: &Emit) -> Result<(), String> {
    let [input, output, cache_read, cache_write] = typed;
    let table = PriceTable::manual(input, output, cache_read, cache_write).map_err(|error| error.to_string())?;
    let mut this = session.borrow_mut();
    let table = Some(Arc::new(table));
    this.run.set_prices(table.clone());
    this.prices = table;
    emit(&this.refreshed());
    Ok(())
}

/// Stops reading; what was read stays.
pub fn cancel(session: &Shared, emit: &Emit) {
    let mut this = session.borrow_mut();
    if this.asked != this.opening {
        // It is still looked for logs among the files.
        let asked = this.asked;
        this.asked = this.opening;
        emit(&this.refused(Some(asked), Vec::new()));
    } else if this.phase == Phase::Reading {
        this.phase = Phase::Cancelled;
        this.stop();
        this.wake_unpacked();
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
        Ask::TypedPrices(typed) => Answer::Prices(typed_prices(session, &typed, emit).err()),
        Ask::Prices(file) => Answer::Prices(prices(session, file, emit).await.err()),
        Ask::Rows { start, len } => {
            let mut this = session.borrow_mut();
            let this = &mut *this;
            let range = start..start.saturating_add(len);
            let mut window = this.run.outline_window(&this.view, &this.outline, &this.folds, range);
            this.find.note(&this.run, &mut window);
            Answer::Rows(this.list_head(), window)
        }
        Ask::Steps { start, len } => Answer::Steps(session.borrow().run.steps(start..start.saturating_add(len))),
        Ask::Models(text) => Answer::Models(session.borrow().models(&text)),
        Ask::Land { from, target } => {
            if let Target::Hit(forward) = target {
                until_known(session, from.as_ref(), forward).await;
            }
            let mut this = session.borrow_mut();
            let (mut landed, is_refolded) = fold::land(&mut this, from.as_ref(), &target);
            let this = &mut *this;
            if let Some(event) = landed.as_mut().and_then(|landed| landed.event.as_mut()) {
                event.found = this.find.found(&this.run, event.id);
            }
            if is_refolded {
                this.edition += 1;
                emit(&this.update(false));
            }
            Answer::Landed(landed.map(Box::new))
        }
        Ask::Overview => Answer::Overview(Box::new(session.borrow().run.overview())),
        Ask::Files => Answer::Files(session.borrow().run.files_read_and_written()),
        Ask::Story(path) => stories::story(session, path).await,
        Ask::Transcript { start, len } => stories::transcript(session, start, len).await,
        Ask::Markdown { title, utc } => stories::markdown(session, title, utc).await,
        Ask::Detail(id) => detail(session, id).await,
        Ask::Mapping => Answer::Mapping(Box::new(session.borrow().run.mapping())),
        Ask::Lay { text, shows } => Answer::Laid(lab::lay(session, text, shows, emit).await),
        Ask::Try { lines, rules, dialect } => {
            Answer::Tried(lab::try_lines(session, &lines, &rules, dialect).map(Box::new))
        }
        Ask::Mask(text) => {
            let (masked, found) = lab::masked(&text);
            Answer::Masked(masked, found)
        }
        Ask::Line(file, line) => Answer::Line(lab::line_text(session, file, line).await),
        Ask::Asked(file, line, id) => {
            let text = lab::line_text(session, file, line).await;
            Answer::Asked(text.and_then(|text| WholeAsk::read(&text, &id)).map(Box::new))
        }
        Ask::Study(study) => {
            let this = &mut *session.borrow_mut();
            Answer::Study(Box::new(study::answer(&this.run, &mut this.compared, &study)))
        }
        Ask::Grow { file, growth } => grow::grow(session, &file, growth, emit).await,
        Ask::Aep(ask) => Answer::Aep(super::aep::answer(session, ask).await),
        Ask::Export(export) => super::export::answer(session, export).await,
        Ask::Review(ask) => Answer::Review(Box::new(review::answer(session, ask).await)),
    }
}

/// Waits until the next hit is known, or that there is none.
async fn until_known(session: &Shared, from: Option<&Spot>, forward: bool) {
    loop {
        let wait = {
            let mut this = session.borrow_mut();
            let this = &mut *this;
            let row = from.and_then(|spot| fold::row_of(&this.run, &this.view, spot));
            this.find.wait(&this.run, &this.view, row, forward, this.files.len())
        };
        let Some(promise) = wait else { return };
        // It is never rejected.
        let _ = JsFuture::from(promise).await;
    }
}

/// Waits until the bytes of an event's file are there in the form in which they were read; false where that comes to
/// nothing.
async fn until_unpacked(session: &Shared, id: u32) -> bool {
    loop {
        let promise = {
            let mut this = session.borrow_mut();
            let file = this.run.span_of_event(id).map(|span| span.file as usize);
            if file.is_none() || this.unpacking != file {
                return true;
            }
            if this.phase != Phase::Reading {
                return false;
            }
            js_sys::Promise::new(&mut |resolve, _| this.unpacked.push(resolve))
        };
        // It is never rejected.
        let _ = JsFuture::from(promise).await;
    }
}

async fn detail(session: &Shared, id: u32) -> Answer {
    if !until_unpacked(session, id).await {
        let file = session.borrow().run.span_of_event(id).map_or(0, |span| span.file);
        let name = session.borrow().name(file);
        return Answer::Unreadable { file: name, error: "it was not unpacked to its end".to_owned() };
    }
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
    /// Where the values of a record stand: the place, and the file.
    pub(super) fn source(&self, record: RecordId) -> Option<(Span, Blob)> {
        let span = self.run.source_of(record)?;
        Some((span, self.files.get(span.file as usize)?.blob.clone()))
    }

    fn begin(&mut self, opening: Opening) {
        *self = Session {
            opening: opening.number,
            asked: self.asked,
            extensions: opening.extensions,
            run: Run::new(Options {
                dialect: opening.dialect,
                model: opening.model,
                prices: self.prices.clone(),
                // The built-in tables cannot be wrong.
                rules: Rules::with(opening.extensions, None).unwrap_or_default(),
                ..Options::default()
            }),
            review: self.review.after(),
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

    fn wake_unpacked(&mut self) {
        for resolve in std::mem::take(&mut self.unpacked) {
            // A promise's own function: it does not throw.
            let _ = resolve.call0(&wasm_bindgen::JsValue::NULL);
        }
    }

    /// Reading goes no further, and what was read is a part.
    fn stop(&mut self) {
        let (read, size) = (self.bytes, self.size);
        self.run.stop(read, size);
    }

    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.bytes += bytes.len() as u64;
        self.tail.see(bytes);
        self.run.push(bytes);
    }

    fn rebuild(&mut self) {
        self.edition += 1;
        self.view = self.run.view(&self.filter);
        self.outline = self.run.outline(&self.view, &self.folds);
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

    /// All that is there was read.
    pub(super) fn finished(&mut self) {
        self.phase = Phase::Done;
    }

    /// Whether the reading came to the last file.
    pub(super) fn is_read_to_end(&self) -> bool {
        self.next == self.files.len()
    }

    pub(super) fn blob(&self, file: u32) -> Option<Blob> {
        self.files.get(file as usize).map(|file| file.blob.clone())
    }

    pub(super) fn name(&self, file: u32) -> String {
        self.files.get(file as usize).map(|file| file.name.clone()).unwrap_or_default()
    }

    pub(super) fn refreshed(&mut self) -> Update {
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
        let file = self.files.first();
        let foreign = self.run.foreign(0);
        Unrecognised {
            name: file.map(|file| file.name.clone()).unwrap_or_default(),
            bytes: file.map_or(0, |file| file.blob.size() as u64),
            head: self.run.head_of_file(0).to_vec(),
            foreign,
            reason: foreign.map(Foreign::reason).unwrap_or_default(),
        }
    }

    /// How things stand, and that these files are no logs.
    fn refused(&mut self, opening: Option<u32>, mut files: Vec<Unrecognised>) -> Update {
        let more = files.len().saturating_sub(REFUSED_SHOWN) as u64;
        files.truncate(REFUSED_SHOWN);
        Update { refused: Some(Box::new(Refusal { opening, files, more })), ..self.update(false) }
    }

    fn models(&self, text: &str) -> Vec<String> {
        self.prices.as_deref().unwrap_or_else(|| PriceTable::built_in()).search(text, MODELS)
    }

    /// The summary, as the page needs it: requests to a person stand in the list, and only open ones are shown elsewhere.
    fn summary(&self) -> Summary {
        let mut summary = self.run.summary();
        summary.asks.retain(|ask| matches!(ask.status, AskStatus::Pending | AskStatus::Missed));
        summary
    }

    fn list_head(&self) -> ListHead {
        ListHead { list: self.list, edition: self.edition, rows: self.outline.len(), events: self.view.events() }
    }

    fn update(&mut self, with_summary: bool) -> Update {
        Update {
            opening: self.opening,
            reading: Reading {
                phase: self.phase.clone(),
                bytes: self.bytes,
                size: self.size,
                elapsed_ms: now() - self.started,
                waiting: if self.phase == Phase::Reading { 0 } else { self.run.waiting_bytes() },
            },
            unrecognised: (!self.run.recognised()).then(|| Box::new(self.unrecognised())),
            summary: with_summary.then(|| Box::new(self.summary())),
            counts: self.run.filter_counts(&self.filter),
            list: self.list_head(),
            mapped: self.lab.edition,
            hits: self
                .find
                .hits(&self.run, &self.view)
                .map(|hits| Hits { is_over: hits.is_over && self.phase != Phase::Reading, ..hits }),
            refused: None,
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
