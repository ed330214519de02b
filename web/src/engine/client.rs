//! The page's side of the worker: queues until it is ready, matches answers to questions, and
//! starts it again when it dies.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::{Rc, Weak};

use js_sys::{ArrayBuffer, Uint8Array};
use serde::de::DeserializeOwned;
use steplens_core::run::DialectChoice;
use steplens_core::view::Filter;
use wasm_bindgen_futures::spawn_local;

use super::blobs;
use super::grow;
use super::link::Link;
use super::protocol::{Answer, Ask, BUILD_ID, FromWorker, Growth, OpenFile, Opening, ToWorker, Update};
use super::{Engine, Notice};

type Then = Box<dyn FnOnce(Answer)>;

/// The engine in a worker.
#[derive(Debug, Clone)]
pub struct Client(Rc<Inner>);

struct Inner {
    this: Weak<Inner>,
    hear: Box<dyn Fn(Notice)>,
    link: RefCell<Option<Link>>,
    ready: Cell<bool>,
    queue: RefCell<Vec<ToWorker>>,
    waiting: RefCell<BTreeMap<u32, Then>>,
    next_id: Cell<u32>,
    /// What is open, as it is looked at now: what a new worker has to be told.
    opening: RefCell<Option<Opening>>,
    /// What is to be opened in its place, once a log is found in it.
    asked: RefCell<Option<Opening>>,
    /// What put other prices in place of the built-in ones: a new worker has to be asked again.
    prices: RefCell<Option<Ask>>,
    /// Why the worker is about to die, if it could say so.
    last_words: RefCell<Option<String>>,
    deaths: Cell<u32>,
    /// The worker is of another build: nothing is said to it.
    is_foreign: Cell<bool>,
}

impl std::fmt::Debug for Inner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Client").field("ready", &self.ready).field("deaths", &self.deaths).finish_non_exhaustive()
    }
}

impl Client {
    /// Starts the worker; `hear` gets what it says without being asked.
    pub fn start(hear: impl Fn(Notice) + 'static) -> Client {
        let inner = Rc::new_cyclic(|this| Inner {
            this: this.clone(),
            hear: Box::new(hear),
            link: RefCell::default(),
            ready: Cell::new(false),
            queue: RefCell::default(),
            waiting: RefCell::default(),
            next_id: Cell::new(0),
            opening: RefCell::default(),
            asked: RefCell::default(),
            prices: RefCell::default(),
            last_words: RefCell::default(),
            deaths: Cell::new(0),
            is_foreign: Cell::new(false),
        });
        inner.spawn();
        Client(inner)
    }
}

impl Engine for Client {
    fn open(&self, opening: Opening) {
        if self.0.is_foreign.get() {
            (self.0.hear)(Notice::Mismatch);
            return;
        }
        if opening.keeps {
            self.0.asked.replace(Some(opening.clone()));
        } else {
            self.0.opening.replace(Some(opening.clone()));
            self.0.lose_questions();
        }
        self.0.deaths.set(0);
        if self.0.link.borrow().is_none() {
            self.0.spawn();
        }
        self.0.post(ToWorker::Open(opening));
    }

    fn add(&self, files: Vec<OpenFile>) {
        if let Some(opening) = self.0.opening.borrow_mut().as_mut() {
            opening.files.extend(files.clone());
        }
        self.0.post(ToWorker::Add(files));
    }

    fn cancel(&self) {
        self.0.post(ToWorker::Cancel);
    }

    fn filter(&self, filter: Filter) {
        if let Some(opening) = self.0.opening.borrow_mut().as_mut() {
            opening.filter = filter.clone();
        }
        self.0.post(ToWorker::Filter(filter));
    }

    fn search(&self, text: String) {
        if let Some(opening) = self.0.opening.borrow_mut().as_mut() {
            opening.search = text.clone();
        }
        self.0.post(ToWorker::Search(text));
    }

    fn dialect(&self, dialect: DialectChoice) {
        if let Some(opening) = self.0.opening.borrow_mut().as_mut() {
            opening.dialect = dialect;
        }
        self.0.post(ToWorker::Dialect(dialect));
    }

    fn model(&self, model: Option<String>) {
        if let Some(opening) = self.0.opening.borrow_mut().as_mut() {
            opening.model.clone_from(&model);
        }
        self.0.post(ToWorker::Model(model));
    }

    fn ask(&self, ask: Ask, then: Then) {
        let then = match &ask {
            Ask::Grow { file, growth } => self.0.noting(file.clone(), growth.clone(), then),
            Ask::Prices(_) | Ask::TypedPrices(_) => self.0.noting_prices(ask.clone(), then),
            _ => then,
        };
        self.0.ask(ask, then);
    }
}

impl Inner {
    /// Notes what came to a file, once it is read: a new worker has to read it too.
    fn noting(&self, file: String, growth: Growth, then: Then) -> Then {
        let this = self.this.clone();
        Box::new(move |answer| {
            if let Some(this) = this.upgrade()
                && let Some(opening) = this.opening.borrow_mut().as_mut()
            {
                grow::note(&mut opening.files, &file, &growth, &answer);
            }
            then(answer);
        })
    }

    /// Notes what took other prices, once they are taken.
    fn noting_prices(&self, ask: Ask, then: Then) -> Then {
        let this = self.this.clone();
        Box::new(move |answer| {
            if let Some(this) = this.upgrade()
                && answer == Answer::Prices(None)
            {
                this.prices.replace(Some(ask).filter(|ask| *ask != Ask::Prices(None)));
            }
            then(answer);
        })
    }

    fn ask(&self, ask: Ask, then: Then) {
        let id = self.next_id.get().wrapping_add(1);
        self.next_id.set(id);
        self.waiting.borrow_mut().insert(id, then);
        self.post(ToWorker::Ask { id, ask });
    }

    /// Gives the new worker the prices that the last one had.
    fn price_again(&self) {
        let Some(ask) = self.prices.borrow().clone() else { return };
        let this = self.this.clone();
        let then = move |answer| {
            if let Some(this) = this.upgrade()
                && let Answer::Prices(Some(why)) = answer
            {
                this.prices.replace(None);
                (this.hear)(Notice::PricesLost { why });
            }
        };
        self.ask(ask, Box::new(then));
    }

    fn spawn(&self) {
        self.ready.set(false);
        let this = self.this.clone();
        let link = Link::start(move |message| {
            let Some(this) = this.upgrade() else { return };
            match message {
                Ok(message) => this.heard(message),
                // Not at once: this runs inside a closure of the link that dies.
                Err(reason) => spawn_local(async move { this.died(&reason) }),
            }
        });
        match link {
            Ok(link) => {
                self.link.replace(Some(link));
            }
            Err(error) => {
                let reason = format!("{error:?}");
                (self.hear)(Notice::Lost { reason });
            }
        }
    }

    fn post(&self, message: ToWorker) {
        if !self.ready.get() {
            self.queue.borrow_mut().push(message);
            return;
        }
        if let Some(link) = self.link.borrow().as_ref()
            && let Err(error) = link.post(&message)
        {
            web_sys::console::error_1(&error);
        }
    }

    fn heard(&self, message: FromWorker) {
        match message {
            FromWorker::Ready { build } => {
                if build != BUILD_ID {
                    self.is_foreign.set(true);
                    (self.hear)(Notice::Mismatch);
                    return;
                }
                self.ready.set(true);
                crate::dom::set_on_root("data-engine", "ready");
                for message in self.queue.take() {
                    self.post(message);
                }
            }
            FromWorker::Panicked { message } => {
                self.last_words.replace(Some(message));
            }
            FromWorker::Update(buffer) => {
                if let Some(update) = unpacked::<Update>(&buffer) {
                    self.settle(&update);
                    (self.hear)(Notice::Update(Box::new(update)));
                }
            }
            FromWorker::Blob { number, blob } => blobs::put(number, blob),
            FromWorker::Answer { id, buffer } => {
                let then = self.waiting.borrow_mut().remove(&id);
                if let (Some(then), Some(answer)) = (then, unpacked(&buffer)) {
                    then(answer);
                }
            }
        }
    }

    /// What was to be opened is open now, or came to nothing.
    fn settle(&self, update: &Update) {
        let asked = self.asked.borrow().as_ref().map(|opening| opening.number);
        if asked == Some(update.opening) {
            // A worker that starts anew has nothing to keep.
            self.opening.replace(self.asked.take().map(|opening| Opening { keeps: false, ..opening }));
        } else if asked.is_some() && update.refused.as_ref().is_some_and(|refusal| refusal.opening == asked) {
            self.asked.replace(None);
        }
    }

    /// Whoever waits for an answer hears that there will be none.
    fn lose_questions(&self) {
        let waiting = self.waiting.take();
        for (_, then) in waiting {
            then(Answer::Lost);
        }
    }

    /// The worker is dead: starts another one, which reads the log anew, once for each opening.
    fn died(&self, reason: &str) {
        let reason = self.last_words.take().unwrap_or_else(|| reason.to_owned());
        self.link.replace(None);
        self.queue.take();
        self.lose_questions();
        let was_ready = self.ready.replace(false);
        self.deaths.set(self.deaths.get() + 1);
        if self.deaths.get() > 1 || !was_ready {
            (self.hear)(Notice::Lost { reason });
            return;
        }
        self.spawn();
        if let Some(opening) = self.opening.borrow().clone() {
            self.post(ToWorker::Open(opening));
        }
        if let Some(asked) = self.asked.borrow().clone() {
            self.post(ToWorker::Open(asked));
        }
        (self.hear)(Notice::Restarted { reason });
        self.price_again();
    }
}

fn unpacked<T: DeserializeOwned>(buffer: &ArrayBuffer) -> Option<T> {
    let bytes = Uint8Array::new(buffer).to_vec();
    match postcard::from_bytes(&bytes) {
        Ok(value) => Some(value),
        Err(error) => {
            web_sys::console::error_1(&error.to_string().into());
            None
        }
    }
}
