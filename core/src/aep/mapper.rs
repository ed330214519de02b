//! Moments → envelopes: identity, order, runs, and what is the same thing again.

use super::clock::Clock;
use super::data::Data;
use super::envelope::{Envelope, VERSION};
use super::moment::{Kind, Moment};
use super::survey::{Survey, keys};
use super::table::{self, Channel, Link, Mapped, Said};
use super::{Agent, Mode, Settings, asks, todos};
use crate::json::fingerprint_of_bytes;
use crate::time::TimeMs;
use serde_json::Value;
use std::collections::{HashMap, HashSet};

/// Where a record stands: what the ids of its events are made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Place {
    /// The file, by its place among those that are open.
    pub file: u32,
    /// The line, from 1.
    pub line: u64,
}

/// What became of a moment.
#[derive(Debug, Clone, PartialEq)]
pub enum Fate {
    /// These events; at least one.
    Mapped(Vec<Envelope>),
    /// Deliberately none, and why.
    Suppressed(&'static str),
    /// It was there before, or its original is.
    Duplicate,
}

/// Moments that went in, by what became of them: `moments` is the sum of the next three.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Totals {
    /// All.
    pub moments: u64,
    /// Those that gave events.
    pub mapped: u64,
    /// Those that deliberately gave none.
    pub suppressed: u64,
    /// Those that were there before.
    pub duplicates: u64,
    /// Events that came out.
    pub events: u64,
    /// Moments of which no session is known.
    pub without_session: u64,
    /// Moments of which no time is known: they stand at 1970-01-01.
    pub without_time: u64,
}

/// Maps the moments of a log, in their order.
#[derive(Debug)]
pub struct Mapper {
    channel: Channel,
    survey: Survey,
    clock: Clock,
    pub(super) emitter: Emitter,
    sessions: HashMap<String, Session>,
    /// The session of the moment before.
    current: Option<String>,
    seen: HashSet<u64>,
    totals: Totals,
}

/// What runs and tasks of a session have to be told by.
#[derive(Debug, Default)]
struct Session {
    runs: u64,
    is_open: bool,
    messages: HashSet<String>,
    todos: Vec<Value>,
}

impl Mapper {
    /// For a log of which the survey was taken.
    pub fn new(settings: Settings, survey: Survey) -> Mapper {
        let agent = settings.agent.unwrap_or_else(|| survey.agent());
        let channel = Channel { agent, capture: settings.capture, mode: settings.mode, has_hooks: survey.has_hooks() };
        Mapper {
            channel,
            clock: Clock::new(survey.first_time()),
            emitter: Emitter::new(agent, settings),
            survey,
            sessions: HashMap::new(),
            current: None,
            seen: HashSet::new(),
            totals: Totals::default(),
        }
    }

    /// The agent that the events name.
    pub fn agent(&self) -> Agent {
        self.channel.agent
    }

    /// The permission surface, and what else the survey said.
    pub fn survey(&self) -> &Survey {
        &self.survey
    }

    /// What came in so far, and what became of it.
    pub fn totals(&self) -> Totals {
        self.totals
    }

    /// Takes the next moment.
    pub fn take(&mut self, moment: &Moment, place: Place) -> Fate {
        let fate = self.map(moment, place);
        self.totals.moments += 1;
        match &fate {
            Fate::Mapped(events) => {
                self.totals.mapped += 1;
                self.totals.events += events.len() as u64;
            }
            Fate::Suppressed(_) => self.totals.suppressed += 1,
            Fate::Duplicate => self.totals.duplicates += 1,
        }
        fate
    }

    fn map(&mut self, moment: &Moment, place: Place) -> Fate {
        let time = self.clock.time_of(moment);
        if self.is_known(moment) {
            return Fate::Duplicate;
        }
        if let Some(session) = moment.session() {
            self.current = Some(session.to_owned());
        }
        self.totals.without_session += u64::from(self.current.is_none());
        self.totals.without_time += u64::from(time.is_none());
        let at = At { session: self.current.clone(), time: time.unwrap_or(TimeMs(0)), place };
        match table::of(moment, self.channel) {
            Said::Nothing(why) => Fate::Suppressed(why),
            Said::Todos => self.todos(moment, &at),
            Said::Event(mapped) => self.event(*mapped, moment, &at),
        }
    }

    /// Whether the moment is there already: as its original, by its own id, or as an ask that is held open.
    fn is_known(&mut self, moment: &Moment) -> bool {
        if moment.is_copy {
            if self.survey.has_twin(moment) {
                return true;
            }
            // Of copies whose original is not there, the first one stands for it; the others are known by any of its keys.
            let known = keys(moment).filter(|key| !self.seen.insert(*key)).count();
            return known > 0;
        }
        let id = match moment.kind {
            Kind::PermissionAsk => moment.text("/permission/id"),
            _ => moment.id.as_deref(),
        };
        let key = |id: &str| fingerprint_of_bytes(format!("{}\n{id}", moment.name).as_bytes()).0;
        if id.is_some_and(|id| !self.seen.insert(key(id))) {
            return true;
        }
        // A request that was found open comes once more where its event comes at last, or the connection anew.
        let request = match (moment.kind, moment.name.as_str()) {
            (Kind::Bus, "permission.asked" | "question.asked") => moment.text("/id"),
            _ => None,
        };
        request.is_some_and(|id| !self.seen.insert(fingerprint_of_bytes(asks::key(id).as_bytes()).0))
    }

    fn event(&mut self, mapped: Mapped, moment: &Moment, at: &At) -> Fate {
        let state = self.sessions.entry(at.session.clone().unwrap_or_default()).or_default();
        let mut closes = false;
        match mapped.event_type.as_str() {
            "run.started" => {
                let is_new = moment.text("/info/id").is_none_or(|id| state.messages.insert(id.to_owned()));
                if state.is_open {
                    return Fate::Suppressed("a run is open: a further prompt steers it");
                }
                if !is_new {
                    return Fate::Suppressed("this prompt was published before");
                }
                state.is_open = true;
                state.runs += 1;
            }
            "run.finished" if !state.is_open => return Fate::Suppressed("no run is open"),
            "run.finished" => closes = true,
            _ => {}
        }
        let run = state.is_open.then_some(state.runs);
        state.is_open &= !closes;
        Fate::Mapped(vec![self.emitter.emit(mapped, run, at)])
    }

    fn todos(&mut self, moment: &Moment, at: &At) -> Fate {
        let state = self.sessions.entry(at.session.clone().unwrap_or_default()).or_default();
        let next = moment.at("/todos").and_then(Value::as_array).cloned().unwrap_or_default();
        let before = std::mem::replace(&mut state.todos, next);
        let run = state.is_open.then_some(state.runs);
        let events: Vec<Envelope> = todos::changes(&before, &state.todos)
            .into_iter()
            .map(|(change, todo)| {
                let ceiling = self.channel.capture.ceiling(change.event_type());
                let data = Data::new(ceiling).text("label", todo.get("content"));
                let mapped = Mapped::new(change.event_type(), data.done()).about(todos::id(todo));
                self.emitter.emit(mapped, run, at)
            })
            .collect();
        match events.is_empty() {
            true => Fate::Suppressed("no task is new or newly completed"),
            false => Fate::Mapped(events),
        }
    }

    /// Runs of a session that were closed so far.
    pub(super) fn runs_of(&self, session: Option<&str>) -> u64 {
        self.sessions.get(session.unwrap_or_default()).map_or(0, |state| state.runs)
    }

    /// Counts a run of a session that was opened and closed beside the moments.
    pub(super) fn count_run(&mut self, session: Option<&str>) {
        self.sessions.entry(session.unwrap_or_default().to_owned()).or_default().runs += 1;
    }

    /// Whether this channel may carry core types.
    pub(super) fn has_core_types(&self) -> bool {
        self.channel.mode != Mode::Companion
    }
}

/// Where and when an event is.
#[derive(Debug, Clone)]
pub(super) struct At {
    pub(super) session: Option<String>,
    pub(super) time: TimeMs,
    pub(super) place: Place,
}

/// Gives events their identity.
#[derive(Debug)]
pub(super) struct Emitter {
    pub(super) agent: Agent,
    pub(super) settings: Settings,
    next: HashMap<String, u64>,
    /// Events of each place so far: a record can give several, and several records can begin on one line.
    at_place: HashMap<Place, u64>,
    opened: HashMap<(Option<String>, String), String>,
}

impl Emitter {
    fn new(agent: Agent, settings: Settings) -> Emitter {
        Emitter { agent, settings, next: HashMap::new(), at_place: HashMap::new(), opened: HashMap::new() }
    }

    pub(super) fn emit(&mut self, mapped: Mapped, run: Option<u64>, at: &At) -> Envelope {
        let count = self.at_place.entry(at.place).or_default();
        *count += 1;
        let id = format!("{}-{}-{count}", at.place.file.saturating_add(1), at.place.line);
        let session = at.session.clone();
        let seq = session.as_ref().map(|session| {
            let next = self.next.entry(session.clone()).or_default();
            *next += 1;
            *next - 1
        });
        let mut source = format!("aep://{}/agent/{}", self.settings.host, self.agent.name());
        if let Some(session) = &session {
            source.push_str("/session/");
            source.push_str(session);
        }
        let cause = match mapped.link {
            Some(Link::Opens(key)) => {
                self.opened.insert((session.clone(), key), id.clone());
                None
            }
            Some(Link::Answers(key)) => self.opened.remove(&(session.clone(), key)),
            None => None,
        };
        let run = session.as_ref().zip(run).map(|(session, run)| format!("{session}/run/{run}"));
        Envelope {
            aep: VERSION,
            id,
            capture: self.settings.capture.ceiling(&mapped.event_type),
            event_type: mapped.event_type,
            time: at.time,
            source,
            agent: self.agent,
            session,
            seq,
            subject: mapped.subject,
            run,
            cause,
            severity: mapped.severity,
            data: mapped.data,
        }
    }
}
