//! Takes a record in: which session, whether it says something new, and what it adds to the columns.

use super::Run;
use super::diagnostics::{Place, kind};
use super::session::Named;
use super::store::{CallColumn, NO_TIME, NONE, PartRow, RecordRow, index};
use super::verdict::{ErrorClass, ErrorRow};
use crate::event::Outcome;
use crate::format::step_stream::{Line, LineType};
use crate::json::{self, Fingerprint, Object, fingerprint_of_bytes, fingerprint_of_json};
use crate::line;
use crate::outcome::{of_call, status_success};
use crate::record::{self, Class, Interpreted, KeepRaw, RecordText};
use crate::rules::Dialect;

/// A part, as far as two records can be states of the same one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct PartKey {
    session: u32,
    line_type: LineType,
    id: u64,
}

/// The record before, in the same file: a line without ids can only be the twin of that one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Twin {
    file: u16,
    fingerprint: Fingerprint,
}

/// What an earlier record says about a new one.
enum Seen {
    /// Nothing.
    New(Option<PartKey>),
    /// The same, word for word.
    Repeat { part: u32 },
    /// An earlier state of the same part.
    Superseded { part: u32 },
}

impl Run {
    /// Takes in one line of the file that is being read.
    pub(super) fn take_line(&mut self, line: line::Line<'_>) {
        if line.is_blank() {
            return;
        }
        let file = self.files.len().saturating_sub(1) as u16;
        let record = index(self.records.len());
        let session = self.current_session;
        self.records.push(RecordRow {
            offset: line.offset,
            len: u32::try_from(line.bytes.len()).unwrap_or(u32::MAX),
            line: u32::try_from(line.number).unwrap_or(u32::MAX),
            file,
            class: [Class::Unknown; 2],
            malformed: false,
            session,
            part: NONE,
        });
        let decoded = RecordText::decode(line.bytes);
        let place = self.place(record);
        if decoded.invalid_utf8 {
            self.diagnostics
                .add(kind::INVALID_UTF8, place, || "bytes that are no UTF-8 are shown as U+FFFD".to_owned());
        }
        if decoded.lone_surrogates {
            self.diagnostics
                .add(kind::LONE_SURROGATE, place, || "half of a surrogate pair is shown as U+FFFD".to_owned());
        }
        match Line::parse(&decoded.text) {
            Ok(parsed) => self.take_object(&parsed, record),
            Err(why) => self.take_malformed(&decoded.text, &why, record, line.ended),
        }
    }

    pub(super) fn place(&self, record: u32) -> Place {
        let row = self.records.get(record as usize);
        Place {
            file: row.map_or(0, |row| row.file.into()),
            line: row.map_or(0, |row| row.line.into()),
            offset: row.map_or(0, |row| row.offset),
        }
    }

    fn take_malformed(&mut self, text: &str, why: &str, record: u32, ended: bool) {
        let session = self.session_of_file();
        let interpreted = record::malformed(text, why, &mut ());
        if let Some(row) = self.records.get_mut(record as usize) {
            row.malformed = true;
            row.session = session;
        }
        let cut = !ended && text.trim_start().starts_with('{');
        let place = self.place(record);
        if cut {
            self.diagnostics.add(kind::CUT, place, || format!("{why}: probably still being written, or cut"));
            if let Some(session) = self.sessions.get_mut(session) {
                session.cut_tail = true;
            }
        } else {
            self.diagnostics.add(kind::MALFORMED, place, || why.to_owned());
        }
        let target = Target { record, source: record, session, step: NONE, call: NONE, time: NO_TIME };
        self.add_events(&target, &interpreted, Dialect::OpenCode.bit() | Dialect::Kilo.bit(), Some(text));
    }

    fn take_object(&mut self, line: &Line<'_>, record: u32) {
        let session = self.resolve_session(line);
        if let Some(row) = self.records.get_mut(record as usize) {
            row.session = session;
        }
        if line.line_type != LineType::Other || (line.top.line_type.is_some() && line.session().is_some()) {
            if let Some(file) = self.files.last_mut() {
                file.recognised += 1;
            }
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
        match self.seen(line, session) {
            Seen::New(key) => {
                let part = index(self.parts.len());
                let finished = is_finished(line);
                let fingerprint = line.part_text.map(fingerprint_of_json).unwrap_or_default();
                self.parts.push(PartRow {
                    record,
                    source: record,
                    fingerprint,
                    finished,
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
                self.take_part(line, session, part, time);
            }
            Seen::Repeat { part } => self.take_duplicate(record, part, "says again what"),
            Seen::Superseded { part } => self.take_news(line, session, record, part, time),
        }
        let whole = fingerprint_of_bytes(line.text.as_bytes());
        let file = self.files.len().saturating_sub(1) as u16;
        self.twin = Some(Twin { file, fingerprint: whole });
    }

    /// The session that the file is in; a file whose records name none has one without a name.
    fn session_of_file(&mut self) -> u32 {
        if self.current_session == NONE {
            self.current_session = self.sessions.add_unnamed();
        }
        self.current_session
    }

    fn resolve_session(&mut self, line: &Line<'_>) -> u32 {
        let current = self.session_of_file();
        let Some(id) = line.session() else { return current };
        let id = self.strings.add(&id.value);
        self.current_session = match self.sessions.name(id, current) {
            Named::Session(session) => session,
            Named::Moved { from, to } => {
                self.move_session(from, to);
                to
            }
        };
        if self.files.last().is_some_and(|file| file.name.to_lowercase().contains("kilo"))
            && let Some(session) = self.sessions.get_mut(self.current_session)
        {
            session.see_mark("file name", || "\"kilo\" in the file's name".to_owned());
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
        let Some(session) = self.sessions.get_mut(session) else { return };
        if line.line_type == LineType::StepFinish && line.part.metrics.is_some() {
            session.see_mark("part.metrics", || format!("part.metrics on line {at}"));
        }
        if approval {
            session.see_mark("approval", || format!("state.metadata.approval on line {at}"));
        }
        if let Some(tool) = mark_tool {
            session.see_mark(&tool.value, || format!("tool {} on line {at}", tool.value));
        }
        if kilo_error.is_some() {
            session.see_mark("error text", || format!("an error text of Kilo's on line {at}"));
        }
    }

    /// Whether an earlier record is the same part.
    fn seen(&self, line: &Line<'_>, session: u32) -> Seen {
        if matches!(line.line_type, LineType::Error | LineType::Other) {
            return Seen::New(None);
        }
        let body = || line.part_text.map(fingerprint_of_json).unwrap_or_default();
        if let Some(id) = line.part_id().filter(|id| !is_placeholder(id, line)) {
            let key = PartKey { session, line_type: line.line_type, id: fingerprint_of_bytes(id.as_bytes()).0 };
            return match self.part_of_key.get(&key).and_then(|part| Some((*part, self.parts.get(*part as usize)?))) {
                None => Seen::New(Some(key)),
                Some((part, row)) if row.fingerprint == body() => Seen::Repeat { part },
                Some((part, _)) => Seen::Superseded { part },
            };
        }
        if let Some(message) = line.message_id() {
            // Without an id of its own a part is the same only if all that names it is equal, and its body too.
            let status = line.status().map(|status| status.value.into_owned()).unwrap_or_default();
            let name = format!("{message}\0{}\0{status}\0{:x}", line.call_id().unwrap_or_default(), body().0);
            let key = PartKey { session, line_type: line.line_type, id: fingerprint_of_bytes(name.as_bytes()).0 };
            return match self.part_of_key.get(&key) {
                Some(part) => Seen::Repeat { part: *part },
                None => Seen::New(Some(key)),
            };
        }
        let file = self.files.len().saturating_sub(1) as u16;
        let whole = fingerprint_of_bytes(line.text.as_bytes());
        let twin = self.twin.filter(|twin| twin.file == file && twin.fingerprint == whole);
        match (line.top.timestamp, twin, index(self.parts.len()).checked_sub(1)) {
            (Some(_), Some(_), Some(part)) => Seen::Repeat { part },
            _ => Seen::New(None),
        }
    }

    fn take_duplicate(&mut self, record: u32, part: u32, what: &str) {
        let place = self.place(record);
        let first = self.parts.get(part as usize).map_or(NONE, |row| row.record);
        let other = self.place(first).line;
        self.diagnostics.add(kind::DUPLICATE, place, || format!("{what} line {other} says"));
        if let Some(row) = self.records.get_mut(record as usize) {
            row.class = [Class::Duplicate; 2];
            row.part = part;
        }
    }

    /// A part that was written before comes again with other values: the last one holds them. The event stands at the
    /// line of its first finished state, so that one which is pruned later does not move.
    fn take_news(&mut self, line: &Line<'_>, session: u32, record: u32, part: u32, time: i64) {
        let Some(row) = self.parts.get_mut(part as usize) else { return };
        let finished = is_finished(line);
        let moves = !row.finished && finished;
        let old = row.record;
        row.finished |= finished;
        row.source = record;
        row.fingerprint = line.part_text.map(fingerprint_of_json).unwrap_or_default();
        if moves {
            row.record = record;
        }
        let (first, count) = row.events;
        let gone = if moves { old } else { record };
        let (here, there) = if moves { (old, record) } else { (record, old) };
        let place = self.place(here);
        let other = self.place(there).line;
        let relation = if moves { "is an earlier state of" } else { "is a later state of" };
        self.diagnostics.add(kind::DUPLICATE, place, || format!("{relation} the part on line {other}"));
        for row in self.events.iter_mut().skip(first as usize).take(count as usize) {
            row.live = false;
        }
        for (record, class) in [(gone, Class::Duplicate), (record, Class::Duplicate)] {
            if let Some(row) = self.records.get_mut(record as usize) {
                row.class = [class; 2];
                row.part = part;
            }
        }
        self.take_part(line, session, part, time);
    }

    /// Adds what a part says, at its record, with the values of its source.
    fn take_part(&mut self, line: &Line<'_>, session: u32, part: u32, time: i64) {
        let Some(row) = self.parts.get(part as usize).cloned() else { return };
        let again = row.record != row.source || row.call != NONE || row.step != NONE || row.events.1 > 0;
        let record = row.record;
        let (start, end) = line.interval();
        if let Some(session) = self.sessions.get_mut(session) {
            for ms in [time, start.map_or(NO_TIME, |t| t.0), end.map_or(NO_TIME, |t| t.0)] {
                session.see_time(ms);
            }
        }
        // An event's time is that of the line at which it stands.
        let time = match self.events.get(row.events.0 as usize) {
            Some(event) if row.events.1 > 0 && row.record != row.source => event.time,
            _ => time,
        };
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
            LineType::Other => {
                target.step = self.step_of(line, session);
                let place = self.place(record);
                self.diagnostics.add(kind::UNKNOWN_TYPE, place, || match &line.top.line_type {
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
            self.add_events(&target, &interpreted, mask, Some(line.text));
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
        self.errors.push(ErrorRow { session: target.session, record: target.record, class, message });
    }

    fn add_events(&mut self, target: &Target, interpreted: &Interpreted, dialects: u8, text: Option<&str>) {
        if let Some(row) = self.records.get_mut(target.record as usize) {
            for (class, dialect) in row.class.iter_mut().zip(Dialect::ALL) {
                if dialects & dialect.bit() != 0 {
                    *class = interpreted.class;
                }
            }
        }
        for (sub, body) in interpreted.bodies.iter().enumerate() {
            let row = self.event_column(target, interpreted, body, sub as u16, dialects, text);
            self.events.push(row);
        }
    }
}

/// Where the events of a record go.
pub(super) struct Target {
    pub(super) record: u32,
    pub(super) source: u32,
    pub(super) session: u32,
    pub(super) step: u32,
    pub(super) call: u32,
    pub(super) time: i64,
}

/// A call is finished when its status says success or failure; every other part when it is written.
fn is_finished(line: &Line<'_>) -> bool {
    line.line_type != LineType::ToolUse || line.status().is_some_and(|status| status_success(&status.value).is_some())
}

/// A redacted log repeats one placeholder for all ids; such an id tells nothing apart.
fn is_placeholder(id: &str, line: &Line<'_>) -> bool {
    line.message_id() == Some(id) || (id.to_ascii_lowercase().contains("redacted") && !id.contains(':'))
}
