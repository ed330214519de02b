//! Requests to a person: one list, whichever surface they came by; their times, and what became of them.

use super::Run;
use super::store::{NO_TIME, NONE, index};
use crate::ask::{AskKind, AskStatus, AskSummary, AskSurface, TimeFrom};
use crate::format::ask::{Answered, Asked};
use crate::id;
use crate::order::Order;
use crate::time::TimeMs;
use std::collections::HashMap;

/// A request, or an answer whose request the log does not hold.
#[derive(Debug, Clone)]
pub(crate) struct Ask {
    pub(crate) session: u32,
    /// The record that asks; [`NONE`] where the log does not hold it.
    pub(crate) record: u32,
    /// The record that answers.
    pub(crate) answer: u32,
    /// The step in which it was asked.
    pub(crate) step: u32,
    pub(crate) asked: Asked,
    asked_at: When,
    answered: Option<Answered>,
    answered_at: When,
    /// The session had nothing more to do before there was an answer.
    is_left: bool,
    /// The stream began anew while it waited, and nothing has said since that it still does.
    is_missed: bool,
}

/// A time, as it is known while reading: which point the lower bits of an id mean is told by the log's other times.
#[derive(Debug, Clone, Copy)]
pub(super) struct When {
    ms: i64,
    from: TimeFrom,
    low: Option<(i64, TimeFrom)>,
}

impl When {
    const NEVER: When = When { ms: NO_TIME, from: TimeFrom::Reported, low: None };

    /// Of a request that was open at a time: its id tells the last point before that.
    fn before(open_at: TimeMs, said: Option<TimeMs>, request: &str) -> When {
        let by_id = id::low_bits(request).map(|low| open_at.0 - id::before(low, open_at));
        match (said, by_id) {
            (Some(said), _) => When { ms: said.0, ..When::NEVER },
            (None, Some(ms)) => When { ms, from: TimeFrom::RequestId, low: None },
            (None, None) => When::NEVER,
        }
    }

    /// By the wrapper; else by the event's id; else as the request says; else by the request's id.
    pub(super) fn of(wrapper: i64, event: Option<&str>, said: Option<TimeMs>, request: Option<&str>) -> When {
        let by_event = event.and_then(id::low_bits).map(|low| (low, TimeFrom::EventId));
        let by_request = request.and_then(id::low_bits).map(|low| (low, TimeFrom::RequestId));
        let ms = match (wrapper, by_event, said) {
            (NO_TIME, None, Some(said)) => said.0,
            (wrapper, ..) => wrapper,
        };
        When { ms, low: by_event.or(by_request).filter(|_| ms == NO_TIME), ..When::NEVER }
    }

    fn is_known(self) -> bool {
        self.ms != NO_TIME || self.low.is_some()
    }
}

/// All requests, in the order in which they were read.
#[derive(Debug, Default)]
pub(crate) struct Asks {
    pub(crate) rows: Vec<Ask>,
    of_id: HashMap<String, u32>,
    /// By the id of the call that waits.
    of_call: HashMap<String, Vec<u32>>,
    /// Who decided, as the calls say.
    decided: HashMap<u32, String>,
    /// When calls that ask a question ended, by the id of the call.
    ended: HashMap<String, i64>,
    /// When requests were found open the last time: a full time of the log, where nothing else tells one.
    found_at: Option<TimeMs>,
}

impl Asks {
    /// The place of the request with that id.
    fn place(&mut self, id: &str, session: u32) -> u32 {
        let next = index(self.rows.len());
        let place = *self.of_id.entry(id.to_owned()).or_insert(next);
        if place == next {
            self.rows.push(Ask {
                session,
                record: NONE,
                answer: NONE,
                step: NONE,
                asked: Asked { id: id.to_owned(), surface: AskSurface::Unknown, ..Asked::default() },
                asked_at: When::NEVER,
                answered: None,
                answered_at: When::NEVER,
                is_left: false,
                is_missed: false,
            });
        }
        place
    }

    /// Requests of a session are of another one from here on.
    pub(super) fn move_session(&mut self, from: u32, to: u32) {
        self.rows.iter_mut().filter(|ask| ask.session == from).for_each(|ask| ask.session = to);
    }
}

impl Ask {
    /// The record at which it stands.
    pub(crate) fn at(&self) -> u32 {
        if self.record == NONE { self.answer } else { self.record }
    }

    pub(crate) fn status(&self) -> AskStatus {
        match &self.answered {
            None if self.is_missed => AskStatus::Missed,
            None if self.is_left => AskStatus::Unanswered,
            None => AskStatus::Pending,
            Some(answer) if answer.is_dismissed => AskStatus::Dismissed,
            Some(answer) if matches!(answer.reply.as_deref(), Some("reject" | "deny" | "rejected" | "denied")) => {
                AskStatus::Rejected
            }
            Some(_) => AskStatus::Answered,
        }
    }

    /// What it is for, in a word or two.
    pub(crate) fn word(&self) -> &str {
        match self.asked.kind {
            AskKind::Permission => self.asked.permission.as_deref().unwrap_or("a permission"),
            AskKind::Question => "a question",
            AskKind::Suggestion => "a suggestion",
        }
    }
}

impl Run {
    /// A request. One that comes again, by the hook and by the bus, or in two files, is one: what was known first stays,
    /// unless that was only that it is open.
    pub(super) fn take_asked(&mut self, asked: Asked, session: u32, record: u32, wrapper: i64) {
        let place = self.asks.place(&asked.id, session);
        self.asks.found_at = self.asks.found_at.max(asked.open_at);
        if let Some(call) = &asked.call {
            let of_call = self.asks.of_call.entry(call.clone()).or_default();
            if !of_call.contains(&place) {
                of_call.push(place);
            }
        }
        let row = self.sessions.get(session);
        let message = asked.message.as_deref().map(super::ingest::key_of);
        let step = row.map_or(NONE, |row| {
            let of_message = message.and_then(|key| row.step_of_message.get(&key).copied());
            of_message.unwrap_or(row.open_step)
        });
        let when = match asked.open_at {
            Some(open_at) => When::before(open_at, asked.created, &asked.id),
            None => When::of(wrapper, asked.event.as_deref(), asked.created, Some(&asked.id)),
        };
        let Some(ask) = self.asks.rows.get_mut(place as usize) else { return };
        ask.is_missed = false;
        let is_event_at_last = ask.asked.open_at.is_some() && asked.open_at.is_none();
        if is_event_at_last {
            ask.asked.open_at = None;
            ask.asked_at = when;
        }
        if ask.record == NONE {
            ask.record = record;
            ask.session = session;
            ask.step = step;
            ask.asked = asked;
        }
        if !ask.asked_at.is_known() {
            ask.asked_at = when;
        }
    }

    /// An answer; the first one counts.
    pub(super) fn take_answered(&mut self, answered: Answered, session: u32, record: u32, wrapper: i64) {
        let place = self.asks.place(&answered.id, session);
        let Some(ask) = self.asks.rows.get_mut(place as usize) else { return };
        if ask.answered.is_some() {
            return;
        }
        if ask.record == NONE {
            ask.asked.kind = answered.kind;
        }
        ask.answer = record;
        ask.answered_at = When::of(wrapper, answered.event.as_deref(), None, None);
        ask.answered = Some(answered);
    }

    /// The session has nothing more to do: what was asked in it and not answered will not be. Over a suggestion the server
    /// calls it idle, though the call waits: that ends with the turn alone.
    pub(super) fn leave_asks(&mut self, session: u32, is_closed: bool) {
        let waits = |ask: &Ask| is_closed || ask.asked.kind != AskKind::Suggestion;
        let open = |ask: &&mut Ask| ask.session == session && ask.answered.is_none() && waits(ask);
        self.asks.rows.iter_mut().filter(open).for_each(|ask| ask.is_left = true);
    }

    /// The stream of a file begins anew: what became meanwhile of its open requests is not in it.
    pub(super) fn interrupt_asks(&mut self, record: u32) {
        let file = |record: u32| self.records.get(record as usize).map(|row| row.file);
        let own = file(record);
        let open = |ask: &&mut Ask| ask.answered.is_none() && file(ask.record) == own;
        self.asks.rows.iter_mut().filter(open).for_each(|ask| ask.is_missed = true);
    }

    /// Who decided about a call, as its metadata says.
    pub(super) fn see_approval(&mut self, call: &str, source: &str) {
        for place in self.asks.of_call.get(call).into_iter().flatten() {
            self.asks.decided.insert(*place, source.to_owned());
        }
    }

    /// When a call that asks a question ended: as it does nothing but ask, that is when there was an answer.
    pub(super) fn see_answer(&mut self, call: &str, end: i64) {
        self.asks.ended.insert(call.to_owned(), end);
    }

    /// When a request was answered, and what tells it.
    fn answered_at(&self, ask: &Ask) -> Option<(i64, TimeFrom)> {
        let by_call = || {
            let is_question = ask.asked.kind == AskKind::Question && ask.answered.is_some();
            let end = self.asks.ended.get(ask.asked.call.as_deref().filter(|_| is_question)?)?;
            Some((*end, TimeFrom::Call))
        };
        self.moment_of(ask.session, ask.answered_at).or_else(by_call)
    }

    /// The last request of a session that is still open.
    pub(super) fn pending_ask(&self, session: u32) -> Option<&Ask> {
        self.asks.rows.iter().rev().find(|ask| ask.session == session && ask.status() == AskStatus::Pending)
    }

    /// A time in a session, and what tells it.
    pub(super) fn moment_of(&self, session: u32, when: When) -> Option<(i64, TimeFrom)> {
        if when.ms != NO_TIME {
            return Some((when.ms, when.from));
        }
        let (low, from) = when.low?;
        let own = self.sessions.get(session).map(|row| row.last_ms).filter(|ms| *ms != NO_TIME);
        let any = || self.sessions.rows.iter().map(|row| row.last_ms).filter(|ms| *ms != NO_TIME).max();
        let time = id::nearest(low, own.or_else(any).map(TimeMs).or(self.asks.found_at)?)?;
        Some((time.0, from))
    }

    pub(super) fn asked_at(&self, ask: &Ask) -> Option<i64> {
        self.moment_of(ask.session, ask.asked_at).map(|(ms, _)| ms)
    }

    /// From when to when it waited for an answer; none where the log does not tell both.
    pub(super) fn wait_of(&self, ask: &Ask) -> Option<(i64, i64)> {
        let to = self.answered_at(ask)?.0;
        self.asked_at(ask).filter(|from| *from <= to).map(|from| (from, to))
    }

    /// From the first to the last time of a session, those of its requests among them; [`NO_TIME`] where it has none.
    pub(super) fn reach(&self, session: u32) -> (i64, i64) {
        let own = self.sessions.get(session).map_or((NO_TIME, NO_TIME), |row| (row.first_ms, row.last_ms));
        let asks = self.asks.rows.iter().filter(|ask| ask.session == session);
        let times = asks.flat_map(|ask| [ask.asked_at, ask.answered_at]);
        times
            .filter_map(|when| self.moment_of(session, when))
            .fold(own, |(first, last), (ms, _)| (if first == NO_TIME { ms } else { first.min(ms) }, last.max(ms)))
    }

    /// All requests of the sessions that are asked for, in file order.
    pub(super) fn ask_summaries(&self) -> Vec<AskSummary> {
        let wanted = (0u32..).zip(&self.asks.rows).filter(|(_, ask)| self.wants_session(ask.session));
        let mut rows: Vec<(u32, AskSummary)> =
            wanted.map(|(place, ask)| (ask.at(), self.ask_summary(place, ask))).collect();
        rows.order_by_key(|(record, _)| *record);
        rows.into_iter().map(|(_, ask)| ask).collect()
    }

    /// One request, by its place.
    pub(super) fn ask_summary(&self, place: u32, ask: &Ask) -> AskSummary {
        let (at, asked) = (self.place(ask.at()), &ask.asked);
        let answered = ask.answered.as_ref();
        let asked_at = self.moment_of(ask.session, ask.asked_at);
        let answered_at = self.answered_at(ask);
        let written = |time: Option<(i64, TimeFrom)>| TimeMs(time?.0).to_rfc3339();
        let options: &[&str] = match (asked.kind, asked.surface) {
            (AskKind::Permission, AskSurface::Bus | AskSurface::Hook) => &["once", "always", "reject"],
            _ => &[],
        };
        AskSummary {
            id: asked.id.clone(),
            session: self.sessions.get(ask.session).and_then(|row| self.strings.get(row.id)).map(str::to_owned),
            file: at.file,
            line: at.line,
            answer_line: answered.map(|_| self.place(ask.answer).line),
            kind: asked.kind,
            surface: asked.surface,
            permission: asked.permission.clone(),
            title: asked.title.clone(),
            patterns: asked.patterns.clone(),
            questions: asked.questions.clone(),
            options: options.iter().map(|option| (*option).to_owned()).collect(),
            was_open: asked.open_at.is_some(),
            call_id: asked.call.clone(),
            status: ask.status(),
            answer: answered.and_then(|answer| answer.reply.clone()),
            answers: answered.map(|answer| answer.answers.clone()).unwrap_or_default(),
            message: answered.and_then(|answer| answer.message.clone()),
            answered_by: self.asks.decided.get(&place).cloned().filter(|_| answered.is_some()),
            asked_at: written(asked_at),
            asked_at_from: asked_at.map(|(_, from)| from),
            answered_at: written(answered_at),
            answered_at_from: answered_at.map(|(_, from)| from),
            wait_ms: self.wait_of(ask).map(|(from, to)| to.abs_diff(from)),
        }
    }
}
