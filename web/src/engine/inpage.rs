//! The engine in the page's own thread: for a page from disk, where no worker can be started.
//!
//! The session is the one that the worker runs, and reads a slice at a time: between two of them the page draws.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use steplens_core::run::DialectChoice;
use steplens_core::view::Filter;
use wasm_bindgen_futures::spawn_local;

use super::protocol::{Answer, Ask, OpenFile, Opening, Update};
use super::session::{self, Emit, Shared};
use super::{Engine, Notice};

type Then = Box<dyn FnOnce(Answer)>;

/// The engine in this thread.
#[derive(Clone)]
pub struct InPage {
    session: Shared,
    emit: Emit,
    waiting: Rc<RefCell<BTreeMap<u32, Then>>>,
    next_id: Rc<Cell<u32>>,
}

impl std::fmt::Debug for InPage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("InPage").finish_non_exhaustive()
    }
}

impl InPage {
    /// Starts with nothing open; `hear` gets what the engine says without being asked.
    pub fn start(hear: impl Fn(Notice) + 'static) -> InPage {
        let hear = Rc::new(hear);
        let emit: Emit = Rc::new(move |update: &Update| {
            let (hear, update) = (hear.clone(), Box::new(update.clone()));
            // Not at once: the session is borrowed while it speaks.
            spawn_local(async move { hear(Notice::Update(update)) });
        });
        crate::dom::set_on_root("data-engine", "ready");
        InPage { session: Shared::default(), emit, waiting: Rc::default(), next_id: Rc::default() }
    }

    /// Whoever waits for an answer hears that there will be none.
    fn lose_questions(&self) {
        let waiting = self.waiting.take();
        for (_, then) in waiting {
            then(Answer::Lost);
        }
    }
}

impl Engine for InPage {
    fn open(&self, opening: Opening) {
        if !opening.keeps {
            self.lose_questions();
        }
        spawn_local(session::open(self.session.clone(), opening, self.emit.clone()));
    }

    fn add(&self, files: Vec<OpenFile>) {
        spawn_local(session::add(self.session.clone(), files, self.emit.clone()));
    }

    fn cancel(&self) {
        session::cancel(&self.session, &self.emit);
    }

    fn filter(&self, filter: Filter) {
        session::filter(&self.session, filter, &self.emit);
    }

    fn search(&self, text: String) {
        spawn_local(session::search(self.session.clone(), text, self.emit.clone()));
    }

    fn dialect(&self, dialect: DialectChoice) {
        session::dialect(&self.session, dialect, &self.emit);
    }

    fn model(&self, model: Option<String>) {
        session::model(&self.session, model, &self.emit);
    }

    fn ask(&self, ask: Ask, then: Then) {
        let id = self.next_id.get().wrapping_add(1);
        self.next_id.set(id);
        self.waiting.borrow_mut().insert(id, then);
        let this = self.clone();
        spawn_local(async move {
            let answer = session::answer(&this.session, ask, &this.emit).await;
            let then = this.waiting.borrow_mut().remove(&id);
            if let Some(then) = then {
                then(answer);
            }
        });
    }
}

/// A panic ends page and engine alike: what is left of the page says so.
pub fn say_panics() {
    std::panic::set_hook(Box::new(|info| {
        let text = format!("Steplens stopped. This is a fault in Steplens, not in the log. {info}");
        web_sys::console::error_1(&text.as_str().into());
        crate::dom::set_state("failed");
        if let Some(body) = crate::dom::document().and_then(|document| document.body()) {
            // Nobody is left to be told that telling failed.
            let _ = body.append_with_str_1(&text);
        }
    }));
}
