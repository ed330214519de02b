//! What a record adds: to its session, its part, its step, its call, and to the list of events.

use super::super::Run;
use super::super::diagnostics::{Place, kind};
use super::super::marks::made_at;
use super::super::removed::TimeFrom;
use super::super::rows::Origin;
use super::super::store::{NO_TIME, NONE, PartRow, index};
use super::seen::{Rank, Seen, Twin, body, has_no_ids, outranks};
use crate::format::shape::Shape;
use crate::format::wire::{Line, LineType, Malformed, Role};
use crate::json::fingerprint_of_bytes;
use crate::record::{self, Class, Interpreted, KeepRaw};
use crate::rules::Dialect;

impl Run {
    pub(in super::super) fn place(&self, record: u32) -> Place {
        let row = self.records.get(record as usize);
        Place {
            file: row.map_or(0, |row| row.file.into()),
            line: row.map_or(0, |row| row.line.into()),
            offset: row.map_or(0, |row| row.offset),
        }
    }

    /// A malformed record is an unknown event of the session that the file is in.
    pub(super) fn add_malformed(&mut self, text: &str, why: &Malformed, record: u32, session: u32) {
        self.twin = None;
        let interpreted = record::malformed(text, &why.to_string(), KeepRaw::No, &mut ());
        let target = Target { record, source: record, session, step: NONE, call: NONE, time: NO_TIME };
        self.add_events(
            &target,
            &interpreted,
            Dialect::OpenCode.bit() | Dialect::Kilo.bit(),
            Origin { line: None, text },
        );
    }

    /// Takes in a record that is a line.
    pub(super) fn take_record(&mut self, line: &Line<'_>, record: u32) {
        let session = self.resolve_session(line);
        let shape = self.records.get(record as usize).map_or(Shape::Stream, |row| row.shape);
        if let Some(row) = self.records.get_mut(record as usize) {
            row.session = session;
        }
        let time = match line.timestamp() {
            Ok(time) => time.map_or(NO_TIME, |time| time.0),
            Err(found) => {
                let place = self.place(record);
                let say = || format!("`timestamp` is no time between the years 1 and 9999: {found}");
                self.diagnostics.add(kind::TIMESTAMP, place, say);
                NO_TIME
            }
        };
        self.see_marks(line, session, record);
        self.see_drift(line, record);
        self.see_interval(line, session, time);
        if line.line_type == LineType::Error
            && let Some(first) = self.seen_error(line, session, shape, record)
        {
            let (place, other) = (self.place(record), self.place(first).line);
            self.diagnostics.add(kind::DUPLICATE, place, || format!("says again what line {other} says"));
            self.set_class(record, Class::Duplicate);
            return;
        }
        match self.seen(line, session) {
            Seen::New(key) => {
                let part = index(self.parts.len());
                let fingerprint = body(line);
                self.parts.push(PartRow {
                    record,
                    source: record,
                    fingerprint,
                    rank: Rank::of(shape, line, fingerprint),
                    time,
                    finished: is_finished(line),
                    call: NONE,
                    step: NONE,
                    events: (0, 0),
                    time_from: time_from(line),
                });
                if let Some(key) = key {
                    self.part_of_key.insert(key, part);
                }
                if let Some(row) = self.records.get_mut(record as usize) {
                    row.part = part;
                }
                self.take_part(line, session, part, false);
            }
            Seen::Repeat { part } if self.wins(line, shape, part) => self.take_again(line, session, record, part, time),
            Seen::Repeat { part } => self.take_duplicate(line, record, part, "says again what", time),
            Seen::Superseded { part } => self.take_again(line, session, record, part, time),
        }
        self.twin = has_no_ids(line)
            .then(|| Twin { file: self.current_file(), fingerprint: fingerprint_of_bytes(line.text.as_bytes()) });
    }

    fn see_interval(&mut self, line: &Line<'_>, session: u32, time: i64) {
        let (start, end) = line.interval();
        if let Some(session) = self.sessions.get_mut(session) {
            for ms in [time, start.map_or(NO_TIME, |t| t.0), end.map_or(NO_TIME, |t| t.0)] {
                session.see_time(ms);
            }
        }
    }

    fn set_class(&mut self, record: u32, class: Class) {
        if let Some(row) = self.records.get_mut(record as usize) {
            row.class = [class; 2];
        }
    }

    fn take_duplicate(&mut self, line: &Line<'_>, record: u32, part: u32, what: &str, time: i64) {
        let first = self.parts.get(part as usize).map_or(NONE, |row| row.record);
        let (place, other) = (self.place(record), self.place(first));
        self.diagnostics
            .add(kind::DUPLICATE, place, || format!("{what} line {} says{}", other.line, of_file(place, other)));
        self.set_class(record, Class::Duplicate);
        if let Some(row) = self.records.get_mut(record as usize) {
            row.part = part;
        }
        self.see_step_time(line, part, time);
    }

    /// Whether a record takes the place of an equal one of another file: which file a part is counted for must not depend
    /// on their order.
    fn wins(&self, line: &Line<'_>, shape: Shape, part: u32) -> bool {
        let Some(row) = self.parts.get(part as usize) else { return false };
        let other_file = self.records.get(row.record as usize).is_some_and(|known| known.file != self.current_file());
        other_file && outranks(row, Rank::of(shape, line, row.fingerprint))
    }

    /// A part that was written before comes again with other values. In one file the last one holds them, and the event
    /// stands at the line of its first finished state, so that one which is pruned later does not move. In another file
    /// the one of the higher rank holds them, and the event stands there.
    fn take_again(&mut self, line: &Line<'_>, session: u32, record: u32, part: u32, time: i64) {
        let shape = self.records.get(record as usize).map_or(Shape::Stream, |row| row.shape);
        let fingerprint = body(line);
        let rank = Rank::of(shape, line, fingerprint);
        let Some(row) = self.parts.get(part as usize) else { return };
        let other_file = self.records.get(row.record as usize).is_some_and(|known| known.file != self.current_file());
        if other_file && !outranks(row, rank) {
            return self.take_duplicate(line, record, part, "is outranked by what", time);
        }
        self.see_step_time(line, part, time);
        let Some(row) = self.parts.get_mut(part as usize) else { return };
        let finished = is_finished(line);
        let moves = other_file || (!row.finished && finished);
        let old = row.record;
        row.finished |= finished;
        row.source = record;
        row.rank = rank;
        row.fingerprint = fingerprint;
        row.time_from = time_from(line);
        if moves {
            row.record = record;
            row.time = time;
        }
        let (first, count) = row.events;
        let (gone, there) = if moves { (old, record) } else { (record, old) };
        let (place, other) = (self.place(gone), self.place(there));
        let relation = match (other_file, moves) {
            (true, _) => "is outranked by",
            (_, true) => "is an earlier state of",
            (_, false) => "is a later state of",
        };
        let say = || format!("{relation} the part on line {}{}", other.line, of_file(place, other));
        self.diagnostics.add(kind::DUPLICATE, place, say);
        for row in self.events.iter_mut().skip(first as usize).take(count as usize) {
            row.live = false;
        }
        for record in [gone, record] {
            self.set_class(record, Class::Duplicate);
            if let Some(row) = self.records.get_mut(record as usize) {
                row.part = part;
            }
        }
        self.take_part(line, session, part, true);
    }

    /// A step's times from whichever of its records say them: an export may hold none, and the run stream some.
    fn see_step_time(&mut self, line: &Line<'_>, part: u32, time: i64) {
        let step = self.parts.get(part as usize).map_or(NONE, |row| row.step);
        let Some(row) = self.steps.get_mut(step as usize) else { return };
        match line.line_type {
            LineType::StepStart if row.start == NO_TIME || (time != NO_TIME && time < row.start) => row.start = time,
            LineType::StepFinish if time != NO_TIME && time > row.end => row.end = time,
            _ => {}
        }
    }

    /// Adds what a part says, at its record, with the values of its source.
    fn take_part(&mut self, line: &Line<'_>, session: u32, part: u32, again: bool) {
        let Some(row) = self.parts.get(part as usize).cloned() else { return };
        let (record, time) = (row.record, row.time);
        let mut target = Target { record, source: row.source, session, step: NONE, call: NONE, time };
        match line.line_type {
            LineType::StepStart => {
                target.step = if again { row.step } else { self.start_step(line, session, record, time) };
            }
            LineType::StepFinish if again => {
                target.step = row.step;
                self.fill_step(row.step, line, row.source);
            }
            LineType::StepFinish => target.step = self.finish_step(line, session, record, time),
            LineType::Text | LineType::Reasoning => {
                target.step = self.step_of(line, session);
                self.see_text(line, session, record);
                if line.role != Role::User && !line.synthetic() {
                    let (start, end) = line.interval();
                    self.see_writing(part, start.map_or(NO_TIME, |t| t.0), end.map_or(NO_TIME, |t| t.0));
                }
            }
            LineType::ToolUse => {
                target.step = self.step_of(line, session);
                target.call = self.take_call(line, &target, row.call);
                if line.tool().is_some_and(|tool| tool.value == "todowrite") {
                    self.take_todo_call(line, session, record, target.call, time);
                }
            }
            LineType::Error => {
                target.step = self.sessions.get(session).map_or(NONE, |session| session.open_step);
                self.take_error(line, &target);
            }
            LineType::Consumed => target.step = self.step_of(line, session),
            LineType::Other => {
                target.step = self.step_of(line, session);
                let place = self.place(record);
                let name = line.type_name();
                let key = name.map_or(NONE, |name| self.strings.add(name));
                let (count, lines) = self.unknown_types.entry(key).or_default();
                *count += 1;
                if lines.len() < super::super::LINES_KEPT {
                    lines.push((place.file, place.line));
                }
                self.diagnostics.add(kind::UNKNOWN_TYPE, place, || match name {
                    Some(name) => format!("the type `{name}` is not known"),
                    None => "the record has no type".to_owned(),
                });
            }
        }
        let first = index(self.events.len());
        let tool = line.tool();
        let agree = line.line_type != LineType::ToolUse || tool.is_none_or(|tool| self.rules.agree_on(&tool.value));
        let rules = self.rules.clone();
        let both = Dialect::OpenCode.bit() | Dialect::Kilo.bit();
        let mut unmapped = 0;
        let mut reasons = [NONE; 2];
        for dialect in Dialect::ALL {
            let interpreted = record::interpret(line, rules.set(dialect), KeepRaw::No, &mut ());
            let mask = if agree { both } else { dialect.bit() };
            if let Some(why) = &interpreted.why_unknown {
                unmapped |= mask;
                let why = self.strings.add(&why.reason());
                for (slot, dialect) in reasons.iter_mut().zip(Dialect::ALL) {
                    *slot = if mask & dialect.bit() != 0 { why } else { *slot };
                }
            }
            self.add_events(&target, &interpreted, mask, Origin { line: Some(line), text: line.text });
            if agree {
                break;
            }
        }
        if let Some(call) = self.calls.get_mut(target.call as usize) {
            (call.unmapped, call.why) = (unmapped, reasons);
            let tool = call.tool;
            if unmapped != 0 {
                self.note_keys(tool, || record::keys_of_input(line));
            }
        }
        let count = index(self.events.len()) - first;
        let known = target.step != NONE || matches!(line.line_type, LineType::StepStart | LineType::StepFinish);
        if let Some(key) = Run::message_key(line).filter(|_| !known && !again) {
            self.orphans.entry((session, key)).or_default().push(part);
        }
        if let Some(row) = self.parts.get_mut(part as usize) {
            row.events = (first, count);
            row.call = target.call;
            row.step =
                if matches!(line.line_type, LineType::StepStart | LineType::StepFinish) { target.step } else { NONE };
        }
    }

    fn see_text(&mut self, line: &Line<'_>, session: u32, record: u32) {
        let Some(session) = self.sessions.get_mut(session) else { return };
        if line.message().is_none() {
            return;
        }
        match line.line_type {
            LineType::Text if line.role == Role::User && !line.synthetic() => session.has_prompt = true,
            LineType::Text if line.synthetic() => session.synthetic_record = record,
            LineType::Text => session.has_text = true,
            _ => session.has_reasoning = true,
        }
    }

    fn add_events(&mut self, target: &Target, interpreted: &Interpreted, dialects: u8, from: Origin<'_>) {
        if let Some(row) = self.records.get_mut(target.record as usize) {
            for (class, dialect) in row.class.iter_mut().zip(Dialect::ALL) {
                if dialects & dialect.bit() != 0 {
                    *class = interpreted.class;
                }
            }
        }
        for (sub, body) in interpreted.bodies.iter().enumerate() {
            let row = self.event_column(target, interpreted, body, sub as u16, dialects, from);
            self.events.push(row);
        }
    }
}

/// Where the events of a record go.
pub(crate) struct Target {
    pub(crate) record: u32,
    pub(crate) source: u32,
    pub(crate) session: u32,
    pub(crate) step: u32,
    pub(crate) call: u32,
    pub(crate) time: i64,
}

/// A call is finished when its status says success or failure; every other part when it is written.
fn is_finished(line: &Line<'_>) -> bool {
    line.line_type != LineType::ToolUse || line.says_success().is_some()
}

/// Where the start of a part is known from.
fn time_from(line: &Line<'_>) -> TimeFrom {
    if line.has_time_of_message {
        return TimeFrom::Message;
    }
    let takes_time = matches!(line.line_type, LineType::Text | LineType::Reasoning | LineType::ToolUse);
    let has_start = line.interval().0.is_some();
    if takes_time && !has_start && made_at(line).is_some() { TimeFrom::Id } else { TimeFrom::Record }
}

/// Which file the other record is in, where it is another one.
fn of_file(here: Place, other: Place) -> &'static str {
    if here.file == other.file { "" } else { " of another file" }
}
