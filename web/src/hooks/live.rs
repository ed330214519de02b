//! Watches a running agent: its events become a log that grows, by the way of any other.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use steplens_core::ask::AskSummary;
use wasm_bindgen_futures::spawn_local;
use yew::{hook, use_effect, use_effect_with, use_memo};

use super::context::{Dispatch, EngineHandle, Reach};
use super::grow::hand;
use crate::dom;
use crate::dom::listen::listen;
use crate::dom::timer::{Timer, after};
use crate::engine::protocol::{Grown, Growth};
use crate::live::connection::{Connection, Word};
use crate::live::reply::{Reply, Sent, tries};
use crate::state::State;
use crate::state::live::LiveAction;
use crate::state::reducer::Action;

/// How long is waited where the engine is busy.
const BUSY_MS: i32 = 120;

/// What watches; the same for as long as the page is there.
#[derive(Clone)]
pub struct Watcher(Rc<Inner>);

struct Inner {
    dispatch: Dispatch,
    engine: RefCell<Option<EngineHandle>>,
    connection: RefCell<Option<Rc<Connection>>>,
    file: RefCell<String>,
    /// The server, and the user and password that it took, while its log is open.
    server: RefCell<[String; 3]>,
    /// Lines that were not handed on yet.
    queue: RefCell<String>,
    /// Whether the server told which requests are open: said once what it told is part of the log.
    listed: Cell<Option<bool>>,
    is_open: Cell<bool>,
    is_handing: Cell<bool>,
    timer: RefCell<Option<Timer>>,
}

impl std::fmt::Debug for Watcher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Watcher").finish_non_exhaustive()
    }
}

impl PartialEq for Watcher {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

/// What watches running agents.
#[hook]
pub fn use_live(state: &State, dispatch: &Dispatch, engine: Option<&EngineHandle>) -> Watcher {
    let watcher = {
        let dispatch = dispatch.clone();
        use_memo((), move |()| {
            Watcher(Rc::new(Inner {
                dispatch,
                engine: RefCell::default(),
                connection: RefCell::default(),
                file: RefCell::default(),
                server: RefCell::default(),
                queue: RefCell::default(),
                listed: Cell::default(),
                is_open: Cell::new(false),
                is_handing: Cell::new(false),
                timer: RefCell::default(),
            }))
        })
    };
    {
        let (watcher, engine) = (watcher.clone(), engine.cloned());
        use_effect(move || {
            watcher.0.engine.replace(engine);
        });
    }
    {
        // Another log was opened: nobody looks at the agent any more.
        let watcher = watcher.clone();
        use_effect_with(state.live.is_some(), move |is_live| {
            if !is_live {
                watcher.0.end();
                watcher.0.timer.replace(None);
                watcher.0.server.take();
            }
        });
    }
    use_effect_with(state.has_unsaved(), |is_unsaved| {
        // The browser asks before the tab is closed.
        let window = dom::window().filter(|_| *is_unsaved);
        let listener = window.map(|window| listen(&window, "beforeunload", |event| event.prevent_default()));
        move || drop(listener)
    });
    (*watcher).clone()
}

impl Watcher {
    /// Connects to a server.
    pub fn connect(&self, server: &str, user: &str, password: &str) {
        let inner = &self.0;
        inner.end();
        inner.timer.replace(None);
        let host = server.split("://").nth(1).unwrap_or(server).split('/').next().unwrap_or(server);
        let file = format!("live-{}.jsonl", host.replace([':', '?'], "-"));
        inner.file.replace(file.clone());
        inner.server.replace([server, user, password].map(str::to_owned));
        inner.queue.replace(String::new());
        inner.listed.set(None);
        inner.is_open.set(false);
        inner.is_handing.set(false);
        inner.say(LiveAction::Started { server: server.to_owned(), file });
        inner.start();
    }

    /// Connects to the same server again: what comes goes on in the same log. Without a password that of before is taken.
    pub fn again(&self, user: &str, password: &str) {
        let inner = &self.0;
        inner.end();
        if !password.is_empty() {
            let [_, known_user, known_password] = &mut *inner.server.borrow_mut();
            (*known_user, *known_password) = (user.to_owned(), password.to_owned());
        }
        inner.say(LiveAction::Again);
        inner.start();
    }

    /// Asks for the stream at once, instead of waiting.
    pub fn at_once(&self) {
        if let Some(connection) = self.0.connection.borrow().clone() {
            connection.connect();
        }
    }

    /// Ends the connection. What came stays.
    pub fn stop(&self) {
        self.0.end();
        self.0.say(LiveAction::Ended);
    }

    /// Sends an answer.
    pub fn reply(&self, ask: &AskSummary, reply: &Reply) {
        let Some(connection) = self.0.connection.borrow().clone() else { return };
        let (inner, tries) = (self.0.clone(), tries(ask, reply, connection.is_current()));
        let (id, taken) = (ask.id.clone(), reply.taken());
        inner.say(LiveAction::Sent(id.clone(), Sent::Sending));
        spawn_local(async move {
            let sent = connection.send(&tries).await;
            inner.say(LiveAction::Sent(id, sent.map_or_else(|why| why, |()| Sent::Taken(taken))));
        });
    }
}

impl Inner {
    fn say(&self, action: LiveAction) {
        self.dispatch.dispatch(Action::Live(action));
    }

    fn end(&self) {
        if let Some(connection) = self.connection.take() {
            connection.stop();
        }
    }

    fn start(self: &Rc<Self>) {
        let [server, user, password] = self.server.borrow().clone();
        let this = Rc::downgrade(self);
        let connection = Connection::start(&server, &user, &password, move |word| {
            let Some(inner) = this.upgrade() else { return };
            match word {
                Word::Version(version) => inner.say(LiveAction::Version(version)),
                Word::Named(agent) => inner.say(LiveAction::Named(agent)),
                Word::Quiet(seconds) => inner.say(LiveAction::Quiet(seconds)),
                Word::Phase(phase) => inner.say(LiveAction::Phase(phase)),
                Word::Listed(told) => {
                    inner.listed.set(Some(told));
                    inner.pump();
                }
                Word::Lines(lines, count) => {
                    inner.say(LiveAction::Came(count));
                    inner.queue.borrow_mut().push_str(&lines);
                    inner.pump();
                }
            }
        });
        self.connection.replace(Some(connection));
    }

    /// Hands on what came: the first lines open the log, the others are its growth.
    fn pump(self: &Rc<Self>) {
        if self.is_handing.get() {
            return;
        }
        if self.queue.borrow().is_empty() {
            if let Some(told) = self.listed.take() {
                self.say(LiveAction::Listed(told));
            }
            return;
        }
        let lines = self.queue.take();
        let file = dom::files::of_text(&self.file.borrow(), &lines);
        if !self.is_open.replace(true) {
            self.dispatch.dispatch(Action::Open(vec![file]));
            return;
        }
        self.is_handing.set(true);
        self.grow(Growth::More(file.blob));
    }

    fn grow(self: &Rc<Self>, growth: Growth) {
        let reach =
            Reach { dispatch: self.dispatch.clone(), engine: self.engine.borrow().clone(), utc: false, prices: None };
        let (this, again) = (self.clone(), growth.clone());
        let file = self.file.borrow().clone();
        hand(&reach, &file, growth, move |grown| match grown {
            Some(Grown::More(_) | Grown::Anew(_)) => {
                this.is_handing.set(false);
                this.pump();
            }
            Some(Grown::Busy) => {
                let next = this.clone();
                this.timer.replace(Some(after(BUSY_MS, move || {
                    // Not within its own call: a timer that is dropped takes its closure with it.
                    spawn_local(async move { next.grow(again) });
                })));
            }
            // The log is not open any more.
            _ => this.say(LiveAction::Forget),
        });
    }
}
