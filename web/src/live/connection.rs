//! The connection: the stream is read as it comes, and asked for again when it breaks.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use js_sys::{JSON, Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{
    AbortController, Headers, ReadableStreamDefaultReader, Request, RequestCredentials, RequestInit, RequestMode,
    RequestRedirect, Response, ResponseType,
};

use super::address::route;
use super::open::{HEALTH, LISTS, SUGGESTIONS, is_current, is_kilo, lines, version};
use super::pulse::{Pulse, is_beat};
use super::reply::{Sent, Try};
use super::sse::{Decoder, line};
use crate::dom;
use crate::dom::timer::{Timer, after};

/// How long is waited before each new try, in seconds; the last one from then on.
const BACKOFF: [u32; 5] = [1, 2, 4, 8, 15];
/// How long events are gathered before they are handed on.
const GATHER_MS: i32 = 150;
/// A stream that stood so long is no longer one that ends as soon as it begins.
const STOOD_MS: f64 = 10_000.0;

/// No greeting is longer, in bytes.
const GREETING: usize = 1_000;

/// No address that a server of the page's own origin names is longer, in bytes.
const LONGEST_NAME: usize = 200;

/// Where the events come from.
const STREAM: &str = "/event";

/// How a connection stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Phase {
    /// The stream was asked for.
    Connecting,
    /// Events come.
    Open,
    /// It broke, and is asked for again in so many seconds: the n-th try.
    Waiting {
        /// Seconds.
        seconds: u32,
        /// Which try it will be.
        attempt: u32,
        /// Why it broke.
        why: String,
    },
    /// It cannot be.
    Failed(Failure),
}

/// Why there is no connection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// Nothing answers at that address.
    Unreachable,
    /// A server answers, and its CORS settings keep this page out.
    Refused,
    /// It sends the browser to another address, where the page may not follow.
    Moved,
    /// It wants a user name and a password, or others.
    Password,
    /// It refuses, whoever asks.
    Forbidden,
    /// It answers something else: the status.
    Status(u16),
    /// It sends no server-sent events: the type of what it sends.
    NoStream(String),
}

/// What a connection says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Word {
    /// How it stands.
    Phase(Phase),
    /// Lines of a log, and how many events came with them.
    Lines(String, u64),
    /// Whether the server told which requests are open.
    Listed(bool),
    /// What the server says its version is.
    Version(String),
    /// The agent's own address, where the page's server passes its events on.
    Named(String),
    /// Nothing came for so many seconds, though the server gives signs of life; none once something came.
    Quiet(Option<u32>),
}

/// A connection; it ends when it is stopped.
pub struct Connection {
    server: String,
    /// The headers to try, where there is a password: of the user that was named, else of either harness's own.
    authorizations: Vec<String>,
    /// Which of them is taken.
    chosen: Cell<usize>,
    hear: Box<dyn Fn(Word)>,
    abort: RefCell<Option<AbortController>>,
    timer: RefCell<Option<Timer>>,
    flush: RefCell<Option<Timer>>,
    gathered: RefCell<(String, u64)>,
    attempt: Cell<usize>,
    was_open: Cell<bool>,
    is_over: Cell<bool>,
    pulse: Pulse,
    silence: RefCell<Option<Timer>>,
    is_quiet: Cell<bool>,
    /// The server has the newer routes, as far as it told.
    is_current: Cell<bool>,
}

impl std::fmt::Debug for Connection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Connection").field("server", &self.server).finish_non_exhaustive()
    }
}

impl Connection {
    /// Connects to a server.
    pub fn start(server: &str, user: &str, password: &str, hear: impl Fn(Word) + 'static) -> Rc<Connection> {
        let header = |user: &str| {
            let pair = format!("{user}:{password}");
            // Only characters beyond Latin-1 fail: as bytes there are none.
            let bytes: String = pair.bytes().map(char::from).collect();
            let coded = dom::window().and_then(|window| window.btoa(&bytes).ok()).unwrap_or_default();
            format!("Basic {coded}")
        };
        let authorizations = match (user, password) {
            (_, "") => Vec::new(),
            ("", _) => ["opencode", "kilo"].map(header).to_vec(),
            (user, _) => vec![header(user)],
        };
        let connection = Rc::new(Connection {
            server: server.to_owned(),
            authorizations,
            chosen: Cell::new(0),
            hear: Box::new(hear),
            abort: RefCell::default(),
            timer: RefCell::default(),
            flush: RefCell::default(),
            gathered: RefCell::default(),
            attempt: Cell::new(0),
            was_open: Cell::new(false),
            is_over: Cell::new(false),
            pulse: Pulse::default(),
            silence: RefCell::default(),
            is_quiet: Cell::new(false),
            is_current: Cell::new(false),
        });
        connection.clone().ask_name();
        connection.clone().connect();
        connection
    }

    /// Ends it. What came stays.
    pub fn stop(&self) {
        self.is_over.set(true);
        if let Some(abort) = self.abort.take() {
            abort.abort();
        }
        self.timer.replace(None);
        self.silence.replace(None);
        self.say();
        self.flush.replace(None);
    }

    /// Asks for the stream at once, instead of waiting.
    pub fn connect(self: Rc<Self>) {
        if self.is_over.get() {
            return;
        }
        self.timer.replace(None);
        (self.hear)(Word::Phase(Phase::Connecting));
        spawn_local(async move {
            let why = self.clone().read().await;
            self.ended(why);
        });
    }

    fn ended(self: Rc<Self>, why: Result<String, Failure>) {
        self.silence.replace(None);
        if self.is_over.get() {
            return;
        }
        self.say();
        let why = match why {
            Err(failure) if !self.was_open.get() || matches!(failure, Failure::Password | Failure::NoStream(_)) => {
                self.is_over.set(true);
                return (self.hear)(Word::Phase(Phase::Failed(failure)));
            }
            Err(Failure::Status(status)) => format!("the server answers {status}"),
            Err(Failure::Forbidden) => "the server refuses this page (403)".to_owned(),
            Err(Failure::Moved) => "the server sends on to another address".to_owned(),
            Err(_) => "the server does not answer".to_owned(),
            Ok(why) => why,
        };
        let attempt = self.attempt.get();
        self.attempt.set(attempt + 1);
        let seconds = BACKOFF.get(attempt).or(BACKOFF.last()).copied().unwrap_or(1);
        let number = u32::try_from(attempt + 1).unwrap_or(u32::MAX);
        (self.hear)(Word::Phase(Phase::Waiting { seconds, attempt: number, why }));
        let again = self.clone();
        let ms = i32::try_from(seconds * 1_000).unwrap_or(i32::MAX);
        self.timer.replace(Some(after(ms, move || again.connect())));
    }

    /// Reads the stream to its end: why it ended.
    async fn read(self: Rc<Self>) -> Result<String, Failure> {
        let response = loop {
            match self.fetch("GET", STREAM, None, RequestMode::Cors).await {
                Ok(response) if response.status() == 401 && self.chosen.get() + 1 < self.authorizations.len() => {
                    self.chosen.set(self.chosen.get() + 1);
                }
                Ok(response) => break response,
                Err(_) => return Err(self.why_not().await),
            }
        };
        if response.type_() == ResponseType::Opaqueredirect {
            return Err(Failure::Moved);
        }
        match response.status() {
            200 => {}
            401 => return Err(Failure::Password),
            403 => return Err(Failure::Forbidden),
            status => return Err(Failure::Status(status)),
        }
        let kind = response.headers().get("content-type").ok().flatten().unwrap_or_default();
        if !kind.starts_with("text/event-stream") {
            return Err(Failure::NoStream(kind));
        }
        let Some(body) = response.body() else { return Err(Failure::NoStream(kind)) };
        let Ok(reader) = body.get_reader().dyn_into::<ReadableStreamDefaultReader>() else {
            return Err(Failure::NoStream(kind));
        };
        self.was_open.set(true);
        (self.hear)(Word::Phase(Phase::Open));
        self.pulse.begin(js_sys::Date::now());
        self.is_quiet.set(false);
        let mut decoder = Decoder::default();
        let (mut is_begun, began) = (false, js_sys::Date::now());
        loop {
            let chunk = match JsFuture::from(reader.read()).await {
                Ok(chunk) => chunk,
                Err(_) => return Ok("the stream broke".to_owned()),
            };
            if self.is_over.get() {
                return Ok(String::new());
            }
            let get = |key: &str| Reflect::get(&chunk, &JsValue::from_str(key)).unwrap_or(JsValue::UNDEFINED);
            if get("done").is_truthy() {
                return Ok("the server ended the stream".to_owned());
            }
            let bytes = Uint8Array::new(&get("value")).to_vec();
            let (mut heard, mut beats, mut is_more) = (false, false, false);
            decoder.push(&bytes, |data| {
                heard = true;
                beats |= is_beat(data);
                is_more |= !is_greeting(data);
                let mut gathered = self.gathered.borrow_mut();
                gathered.0.push_str(&line(data, js_sys::Date::now()));
                gathered.1 += 1;
            });
            self.hear_pulse(beats);
            // What is open is asked for behind the stream's first event, so that it stands behind it in the log too.
            if heard && !std::mem::replace(&mut is_begun, true) {
                spawn_local(self.clone().list());
            }
            // A server that greets and ends each stream at once is asked less and less often.
            if is_more || (heard && js_sys::Date::now() - began >= STOOD_MS) {
                self.attempt.set(0);
            }
            self.gather();
        }
    }

    /// Asks which requests are open. A server that cannot tell changes nothing.
    async fn list(self: Rc<Self>) {
        let mut is_told = true;
        let version = version(&self.read_text(HEALTH).await.unwrap_or_default()).unwrap_or_default();
        if !version.is_empty() {
            (self.hear)(Word::Version(version.clone()));
        }
        self.is_current.set(is_current(&version));
        for (path, event) in LISTS.into_iter().chain(is_kilo(&version).then_some(SUGGESTIONS)) {
            let text = self.read_text(path).await.unwrap_or_default();
            let Some(lines) = lines(event, &text, js_sys::Date::now()) else {
                is_told = false;
                continue;
            };
            if self.is_over.get() {
                return;
            }
            self.gathered.borrow_mut().0.push_str(&lines);
        }
        // Before it is said that all is told: else what waits still would be gone for a moment.
        self.say();
        self.is_current.set(is_told || self.is_current.get());
        (self.hear)(Word::Listed(is_told));
    }

    async fn read_text(&self, path: &str) -> Option<String> {
        let response = self.fetch("GET", path, None, RequestMode::Cors).await.ok().filter(Response::ok)?;
        JsFuture::from(response.text().ok()?).await.ok()?.as_string()
    }

    /// A server of the page's own origin may pass on another's events: it says whose.
    fn ask_name(self: Rc<Self>) {
        let own = dom::window().and_then(|window| window.location().origin().ok());
        if !own.is_some_and(|own| self.server.starts_with(&format!("{own}/"))) {
            return;
        }
        spawn_local(async move {
            let name = self.read_text("").await.unwrap_or_default();
            let name = name.trim();
            if name.starts_with("http://") && name.len() < LONGEST_NAME && !name.contains(char::is_whitespace) {
                (self.hear)(Word::Named(name.to_owned()));
            }
        });
    }

    /// Something came; silence from now on is measured.
    fn hear_pulse(self: &Rc<Self>, is_beat: bool) {
        if self.is_quiet.replace(false) {
            (self.hear)(Word::Quiet(None));
        }
        if let Some(ms) = self.pulse.heard(js_sys::Date::now(), is_beat) {
            self.listen_for(ms);
        }
    }

    fn listen_for(self: &Rc<Self>, ms: f64) {
        let this = self.clone();
        let timer = after(ms as i32, move || {
            let seconds = this.pulse.silence(js_sys::Date::now()) / 1_000.0;
            this.is_quiet.set(true);
            (this.hear)(Word::Quiet(Some(seconds as u32)));
            // Not within its own call: a timer that is dropped takes its closure with it.
            spawn_local(async move {
                if !this.is_over.get() {
                    this.listen_for(this.pulse.every());
                }
            });
        });
        self.silence.replace(Some(timer));
    }

    /// Hands on what came, a little later, so that many events are one growth.
    fn gather(self: &Rc<Self>) {
        if self.gathered.borrow().0.is_empty() || self.flush.borrow().is_some() {
            return;
        }
        let this = self.clone();
        self.flush.replace(Some(after(GATHER_MS, move || {
            this.say();
            // Not within its own call: a timer that is dropped takes its closure with it.
            let this = this.clone();
            spawn_local(async move {
                this.flush.replace(None);
                this.gather();
            });
        })));
    }

    fn say(&self) {
        let (lines, count) = self.gathered.take();
        if !lines.is_empty() {
            (self.hear)(Word::Lines(lines, count));
        }
    }

    /// Why a request came to nothing: a server that lets nobody read its answer is there all the same.
    async fn why_not(&self) -> Failure {
        match self.fetch("GET", STREAM, None, RequestMode::NoCors).await {
            Ok(_) => {
                if let Some(abort) = self.abort.take() {
                    abort.abort();
                }
                Failure::Refused
            }
            Err(_) => Failure::Unreachable,
        }
    }

    async fn fetch(
        &self,
        method: &str,
        path: &str,
        body: Option<&str>,
        mode: RequestMode,
    ) -> Result<Response, JsValue> {
        let abort = AbortController::new()?;
        let init = RequestInit::new();
        init.set_method(method);
        init.set_mode(mode);
        // The password goes by a header of ours alone: else a server of the page's own origin that wants one has the browser
        // ask for it, over the page, and the answer does not come before that.
        init.set_credentials(RequestCredentials::Omit);
        let headers = Headers::new()?;
        if mode == RequestMode::Cors {
            // Elsewhere the page's policy lets it ask nothing: then it is to be said that the server sends on.
            init.set_redirect(RequestRedirect::Manual);
            if let Some(value) = self.authorizations.get(self.chosen.get()) {
                headers.set("authorization", value)?;
            }
            if let Some(body) = body {
                headers.set("content-type", "application/json")?;
                init.set_body(&JsValue::from_str(body));
            } else {
                headers.set("accept", if path == STREAM { "text/event-stream" } else { "application/json" })?;
            }
        }
        init.set_headers(&headers);
        if path == STREAM {
            init.set_signal(Some(&abort.signal()));
            self.abort.replace(Some(abort));
        }
        let request = Request::new_with_str_and_init(&route(&self.server, path), &init)?;
        let window = dom::window().ok_or(JsValue::NULL)?;
        JsFuture::from(window.fetch_with_request(&request)).await?.dyn_into()
    }

    /// Whether the server has the newer routes, as far as it told.
    pub fn is_current(&self) -> bool {
        self.is_current.get()
    }

    /// Sends an answer: by the first route that the server knows.
    ///
    /// # Errors
    /// What became of it where the server did not take it.
    pub async fn send(&self, tries: &[Try]) -> Result<(), Sent> {
        let mut status = None;
        let mut is_page = false;
        for one in tries {
            match self.fetch("POST", &one.path, Some(&one.body), RequestMode::Cors).await {
                Err(_) => return Err(Sent::Refused("the server could not be reached".to_owned())),
                Ok(response) if response.ok() => {
                    // A server that does not know a route may send its own page for it.
                    let kind = response.headers().get("content-type").ok().flatten().unwrap_or_default();
                    if !kind.starts_with("text/html") {
                        return Ok(());
                    }
                    (status, is_page) = (Some(404), true);
                }
                Ok(response) => (status, is_page) = (Some(response.status()), false),
            }
            if !matches!(status, Some(404 | 405)) {
                break;
            }
        }
        Err(match status {
            Some(404) if is_page => Sent::Refused("the server has no route for it".to_owned()),
            Some(404) => Sent::Gone,
            Some(401 | 403) => Sent::Refused("the server refuses the password".to_owned()),
            Some(status) => Sent::Refused(format!("the server answers {status}")),
            None => Sent::Refused("there is nothing to send".to_owned()),
        })
    }
}

/// Whether an event says no more than that the stream has begun.
fn is_greeting(data: &str) -> bool {
    let event = Some(data).filter(|data| data.len() < GREETING).and_then(|data| JSON::parse(data).ok());
    let event = event.filter(JsValue::is_object);
    let name = event.and_then(|event| Reflect::get(&event, &JsValue::from_str("type")).ok()?.as_string());
    name.as_deref() == Some("server.connected")
}
