//! The search of a session: its task reads the log again, slice by slice, several at a time, and the core looks at what
//! comes.
//!
//! A search is over what was read so far, and goes on when all was read. What the rows show is searched at once.

use std::collections::VecDeque;

use js_sys::{Function, Promise};
use steplens_core::run::Run;
use steplens_core::search::{Chunk, Found, Search};
use steplens_core::view::{View, Window};
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;

use super::protocol::{Hits, Phase};
use super::reader;
use super::session::{Emit, Pace, Shared};

/// Bytes in one read.
const CHUNK: u64 = 4 << 20;
/// Reads that are on their way at once: the browser answers each late, and several together as fast as one.
const IN_FLIGHT: usize = 4;

/// The search that is on, if any.
#[derive(Debug, Default)]
pub struct Find {
    /// Counts searches, so that the task of an earlier one knows itself as such.
    number: u32,
    search: Option<Search>,
    /// Rows of the list with a hit, once worked out.
    rows: Option<Vec<u64>>,
    is_running: bool,
    done: u64,
    size: u64,
    unreadable: Option<(String, String)>,
    /// Whoever waits for a hit.
    waiting: Vec<Function>,
}

impl Find {
    /// A search for another text, after this one; an empty text ends it.
    pub fn after(&self, text: &str) -> Find {
        self.wake();
        Find { number: self.number.wrapping_add(1), search: Search::new(text), ..Find::default() }
    }

    /// The same search, from the beginning: the records were mapped again.
    pub fn again(&self) -> Find {
        self.after(self.search.as_ref().map_or("", Search::text))
    }

    /// The list changed: the rows have to be found again.
    pub fn forget(&mut self) {
        self.rows = None;
    }

    /// Rows of the list with a hit, as far as is known.
    pub fn rows(&mut self, run: &Run, view: &View) -> &[u64] {
        let search = &mut self.search;
        self.rows.get_or_insert_with(|| search.as_mut().map_or_else(Vec::new, |search| run.search_hits(search, view)))
    }

    /// How it stands; none where there is no search.
    pub fn hits(&mut self, run: &Run, view: &View) -> Option<Hits> {
        let shown = self.rows(run, view).len() as u64;
        let search = self.search.as_mut()?;
        let hidden = run.search_count(search).saturating_sub(shown);
        let (events, bytes) = run.search_ground();
        Some(Hits {
            shown,
            hidden,
            events,
            bytes,
            done: self.done,
            size: self.size,
            is_over: !self.is_running,
            unreadable: self.unreadable.clone(),
        })
    }

    /// Notes in rows what was found in them.
    pub fn note(&mut self, run: &Run, window: &mut Window) {
        if let Some(search) = &mut self.search {
            run.search_note(search, window);
        }
    }

    /// What was found in an event.
    pub fn found(&mut self, run: &Run, event: u32) -> Option<Found> {
        run.search_found(self.search.as_mut()?, event)
    }

    /// What to wait for before the next hit behind (or before) a row can be told; none where it is known.
    ///
    /// The files are searched from their beginning, so that in one file a hit behind the row is the next one.
    pub fn wait(&mut self, run: &Run, view: &View, from: Option<u64>, forward: bool, files: usize) -> Option<Promise> {
        if !self.is_running {
            return None;
        }
        let is_known = forward && files == 1 && {
            let rows = self.rows(run, view);
            rows.last().is_some_and(|last| from.is_none_or(|from| *last > from))
        };
        (!is_known).then(|| Promise::new(&mut |resolve, _| self.waiting.push(resolve)))
    }

    fn wake(&self) {
        for resolve in &self.waiting {
            // A promise's own function: it does not throw.
            let _ = resolve.call0(&JsValue::NULL);
        }
    }

    fn progressed(&mut self, bytes: u64) {
        self.done += bytes;
        self.rows = None;
        self.wake();
        self.waiting.clear();
    }

    fn end(&mut self) {
        self.is_running = false;
        self.progressed(0);
    }
}

/// Searches what was not searched yet, unless that is done already.
pub async fn go_on(session: Shared, emit: Emit) {
    let number = {
        let mut this = session.borrow_mut();
        let find = &mut this.find;
        if find.is_running || find.search.is_none() {
            return;
        }
        find.is_running = true;
        find.number
    };
    let mut pace = Pace::default();
    loop {
        let plan = {
            let mut this = session.borrow_mut();
            if this.find.number != number {
                return;
            }
            let unpacking = this.unpacking;
            let mut plan =
                this.find.search.as_ref().map_or_else(Vec::new, |search| this.run.search_plan(search, CHUNK));
            // Its bytes are not there yet in the form in which they were read.
            plan.retain(|chunk| Some(chunk.file as usize) != unpacking);
            this.find.size += plan.iter().map(|chunk| chunk.end - chunk.start).sum::<u64>();
            plan
        };
        if plan.is_empty() {
            break;
        }
        match read(&session, number, plan, &emit, &mut pace).await {
            Read::All => {}
            Read::Superseded => return,
            Read::Failed(file, error) => {
                session.borrow_mut().find.unreadable = Some((file, error));
                break;
            }
        }
        // The end of the reading starts it again: the file is not read twice at once for long.
        if session.borrow().phase() == &Phase::Reading {
            break;
        }
    }
    let mut this = session.borrow_mut();
    if this.find.number == number {
        this.find.end();
        emit(&this.searched());
    }
}

enum Read {
    All,
    Superseded,
    Failed(String, String),
}

async fn read(session: &Shared, number: u32, plan: Vec<Chunk>, emit: &Emit, pace: &mut Pace) -> Read {
    let mut plan = plan.into_iter();
    let mut reads: VecDeque<(Chunk, Promise)> = VecDeque::new();
    let mut buffer = Vec::new();
    loop {
        while reads.len() < IN_FLIGHT
            && let Some(chunk) = plan.next()
        {
            let Some(blob) = session.borrow().blob(chunk.file) else {
                return Read::Failed(String::new(), "NotFoundError".to_owned());
            };
            let promise = reader::request(&blob, chunk.start, chunk.end);
            reads.push_back((chunk, promise));
        }
        let Some((chunk, promise)) = reads.pop_front() else { return Read::All };
        let buffered = JsFuture::from(promise).await;
        let mut this = session.borrow_mut();
        let this = &mut *this;
        if this.find.number != number {
            return Read::Superseded;
        }
        match buffered {
            Ok(bytes) => reader::copy(&bytes, &mut buffer),
            Err(error) => return Read::Failed(this.name(chunk.file), reader::error_name(&error)),
        }
        if let Some(search) = &mut this.find.search {
            this.run.search_chunk(search, &chunk, &buffer);
        }
        this.find.progressed(chunk.end - chunk.start);
        if pace.is_due() {
            emit(&this.searched());
            pace.said();
        }
    }
}
