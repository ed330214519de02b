//! What a record adds: to its session, its part, its step, its call, and to the list of events.

use super::super::Run;
use super::super::diagnostics::{Place, kind};
use super::super::rows::Origin;
use super::super::session::Named;
use super::super::store::{CallColumn, NO_TIME, NONE, PartRow, index};
use super::super::verdict::{ErrorClass, ErrorRow};
use super::seen::{Rank, Seen, Twin, body, outranks};
use crate::event::Outcome;
use crate::format::export;
use crate::format::shape::Shape;
use crate::format::wire::{Line, LineType, Malformed, Role};
use crate::json::{self, Object, fingerprint_of_bytes, fingerprint_of_json};
use crate::outcome::{of_call, status_success};
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
                });
                if let Some(key) = key {
                    self.part_of_key.insert(key, part);
                }
                if let Some(row) = self.records.get_mut(record as usize) {
                    row.part = part;
                }
                self.take_part(line, session, part, false);
            }
            Seen::Repeat { part } => self.take_duplicate(line, record, part, "says again what", time),
            Seen::Superseded { part } => self.take_again(line, session, record, part, time),
        }
        let whole = fingerprint_of_bytes(line.text.as_bytes());
        self.twin = Some(Twin { file: self.current_file(), fingerprint: whole });
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

    /// The session that the file is in; a file whose records name none has one without a name.
    pub(super) fn session_of_file(&mut self) -> u32 {
        if self.current_session == NONE {
            self.current_session = self.sessions.add_unnamed();
        }
        self.current_session
    }

    fn resolve_session(&mut self, line: &Line<'_>) -> u32 {
        let current = self.session_of_file();
        match line.session() {
            Some(id) => self.enter_session(&id.value),
            None => current,
        }
    }

    /// The file is in the session of that id from here on.
    pub(super) fn enter_session(&mut self, id: &str) -> u32 {
        let current = self.session_of_file();
        let id = self.strings.add(id);
        self.current_session = match self.sessions.name(id, current) {
            Named::Session(session) => session,
            Named::Moved { from, to } => {
                self.move_session(from, to);
                to
            }
        };
        let name = self.files.last().map_or("", |file| file.name.as_str()).to_owned();
        if name.to_lowercase().contains("kilo")
            && let Some(session) = self.sessions.get_mut(self.current_session)
        {
            session.see_mark("\"kilo\" in the file's name", &name, None);
        }
        self.current_session
    }

    /// Records at the head of a file that named no session belong to one that another file had named before.
    fn move_session(&mut self, from: u32, to: u32) {
        let step = |session: &mut u32| {
            if *session == from {
                *session = to;
            }
        };
        self.records.iter_mut().for_each(|row| step(&mut row.session));
        self.events.iter_mut().for_each(|row| step(&mut row.session));
        self.calls.iter_mut().for_each(|row| step(&mut row.session));
        self.steps.iter_mut().for_each(|row| step(&mut row.session));
        self.errors.iter_mut().for_each(|row| step(&mut row.session));
    }

    /// Marks that only Kilo leaves.
    fn see_marks(&mut self, line: &Line<'_>, session: u32, record: u32) {
        let at = self.place(record).line;
        let tool = (line.line_type == LineType::ToolUse).then(|| line.tool()).flatten();
        let mark_tool = tool.filter(|tool| self.rules.set(Dialect::Kilo).is_mark(&tool.value));
        let approval = line.state.metadata.is_some_and(|text| text.contains("\"approval\""))
            && line.metadata().is_some_and(|metadata| metadata.get("approval").is_some());
        let error = (line.line_type == LineType::Error).then(|| record::error_facts(line).message);
        let kilo_error = error.filter(|message| {
            message.starts_with("run ended with an auto-rejected permission")
                || message.starts_with("run ended without an assistant message")
        });
        let file = self.files.last().map_or("", |file| file.name.as_str());
        let Some(session) = self.sessions.get_mut(session) else { return };
        if line.line_type == LineType::StepFinish && line.part.metrics.is_some() {
            session.see_mark("part.metrics", file, Some(at));
        }
        if approval {
            session.see_mark("state.metadata.approval", file, Some(at));
        }
        if let Some(tool) = mark_tool {
            session.see_mark(&format!("tool {}", tool.value), file, Some(at));
        }
        if kilo_error.is_some() {
            session.see_mark("an error text of Kilo's", file, Some(at));
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
            }
            LineType::ToolUse => {
                target.step = self.step_of(line, session);
                target.call = self.take_call(line, &target, row.call);
            }
            LineType::Error => {
                target.step = self.sessions.get(session).map_or(NONE, |session| session.open_step);
                self.take_error(line, &target);
            }
            LineType::Consumed => target.step = self.step_of(line, session),
            LineType::Other => {
                target.step = self.step_of(line, session);
                let place = self.place(record);
                let name = line.part.line_type.as_ref().or(line.top.line_type.as_ref());
                let key = name.map_or(NONE, |name| self.strings.add(name));
                let (count, lines) = self.unknown_types.entry(key).or_default();
                *count += 1;
                if lines.len() < super::super::LINES_KEPT {
                    lines.push(place.line);
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
        for dialect in Dialect::ALL {
            let interpreted = record::interpret(line, rules.set(dialect), KeepRaw::No, &mut ());
            let mask = if agree { both } else { dialect.bit() };
            if interpreted.why_unknown.is_some() {
                unmapped |= mask;
            }
            self.add_events(&target, &interpreted, mask, Origin { line: Some(line), text: line.text });
            if agree {
                break;
            }
        }
        if let Some(call) = self.calls.get_mut(target.call as usize) {
            call.unmapped = unmapped;
        }
        let count = index(self.events.len()) - first;
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

    fn take_call(&mut self, line: &Line<'_>, target: &Target, known: u32) -> u32 {
        let written = line.tool().map(|tool| tool.value.into_owned()).unwrap_or_default();
        let outcome = of_call(line, &written);
        let requested = record::requested_tool(line).unwrap_or_default();
        let (start, end) = line.interval();
        if record::duration(line).is_err() {
            let place = self.place(target.source);
            self.diagnostics.add(kind::NEGATIVE_DURATION, place, || {
                "the call ends before it starts, so its duration is unknown".to_owned()
            });
        }
        let child = line
            .metadata()
            .and_then(|metadata| metadata.get("sessionId").or(metadata.get("sessionID")).and_then(json::filled_string))
            .or_else(|| {
                // The seeds name the input first; a plain `id` there says nothing of a session.
                let input = Object::parse(line.input()?.value)?;
                ["sessionId", "session_id"].iter().find_map(|key| json::filled_string(input.get(key)?))
            })
            .filter(|_| matches!(written.to_ascii_lowercase().as_str(), "task" | "agent_manager" | "subagent"))
            .map_or(NONE, |id| self.strings.add(&id));
        let model = line.metadata().and_then(|metadata| export::model(&Object::parse(metadata.get("model")?)?));
        if let Some(model) = model.filter(|_| child != NONE) {
            let model = self.strings.add(&model);
            self.child_models.insert(child, model);
        }
        let column = CallColumn {
            tool: self.strings.add(&requested),
            written: self.strings.add(&written),
            session: target.session,
            step: target.step,
            record: target.record,
            start: start.map_or(NO_TIME, |time| time.0),
            end: end.map_or(NO_TIME, |time| time.0),
            output_bytes: line.output().map_or(0, |output| output.len() as u64),
            is_success: outcome.is_success,
            outcome: outcome.outcome,
            child,
            input: line.input().map(|input| fingerprint_of_json(input.value)).unwrap_or_default(),
            truncated: line.metadata().is_some_and(|metadata| {
                metadata.get("truncated") == Some("true")
                    || metadata.get("outputPath").is_some_and(|path| path != "null")
            }),
            unmapped: 0,
        };
        let call = if known == NONE { index(self.calls.len()) } else { known };
        match self.calls.get_mut(call as usize) {
            Some(old) => {
                let before = *old;
                *old = column;
                self.count_in_step(before.step, before.outcome, -1);
            }
            None => self.calls.push(column),
        }
        self.count_in_step(target.step, outcome.outcome, 1);
        call
    }

    fn count_in_step(&mut self, step: u32, outcome: Outcome, by: i32) {
        let Some(row) = self.steps.get_mut(step as usize) else { return };
        row.calls = row.calls.saturating_add_signed(by);
        match outcome {
            Outcome::Failed => row.failed = row.failed.saturating_add_signed(by),
            Outcome::Rejected => row.rejected = row.rejected.saturating_add_signed(by),
            Outcome::Ok | Outcome::Unknown => {}
        }
    }

    fn take_error(&mut self, line: &Line<'_>, target: &Target) {
        let facts = record::error_facts(line);
        let class = ErrorClass::of(&facts);
        let message = self.texts.add(&facts.message);
        self.errors.push(ErrorRow {
            session: target.session,
            record: target.record,
            time: target.time,
            class,
            message,
        });
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
    line.line_type != LineType::ToolUse || line.status().is_some_and(|status| status_success(&status.value).is_some())
}

/// Which file the other record is in, where it is another one.
fn of_file(here: Place, other: Place) -> &'static str {
    if here.file == other.file { "" } else { " of another file" }
}
