//! A record by its form: a line of a step stream, a bus event, a message of an export, a session's document.

use super::super::Run;
use super::super::diagnostics::kind;
use super::super::store::{NO_TIME, NONE, RecordRow, index};
use crate::format::ask;
use crate::format::bus::{self, News};
use crate::format::export::{MessageInfo, SessionInfo};
use crate::format::shape::{Shape, open_time, wrapper_time};
use crate::format::wire::{Line, LineType, Malformed, Role};
use crate::json::fingerprint_of_bytes;
use crate::record::Class;
use crate::time::TimeMs;
use crate::transport::frame::{Place, Sink, Unit, What};

/// What is known of a message, by its id.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Message {
    pub(crate) role: Role,
    pub(crate) model: u32,
    pub(crate) created: i64,
    pub(crate) completed: i64,
    pub(crate) finish: u32,
}

impl Sink for Run {
    fn unit(&mut self, unit: Unit<'_>) {
        match unit.what {
            What::Malformed(why) => {
                let record = self.push_record(unit.place, Shape::Malformed);
                self.reading.seen.add(Shape::Malformed, false);
                self.see_log_line(unit.text);
                self.take_malformed(unit.text, &why, record);
            }
            What::ExportHead => self.take_export_head(unit.text, unit.place),
            What::CutMessage => self.take_message(unit.text, unit.place),
            What::Object(line) => self.take_object(line, unit.text, unit.place),
        }
    }
}

impl Run {
    pub(in super::super) fn current_file(&self) -> u16 {
        self.files.len().saturating_sub(1) as u16
    }

    /// The name of the file that is being read.
    pub(super) fn name_of_file(&self) -> String {
        self.files.last().map(|file| file.name.clone()).unwrap_or_default()
    }

    pub(super) fn push_record(&mut self, place: Place, shape: Shape) -> u32 {
        let record = index(self.records.len());
        self.records.push(RecordRow {
            offset: place.offset,
            len: u32::try_from(place.len).unwrap_or(u32::MAX),
            line: u32::try_from(place.line).unwrap_or(u32::MAX),
            within: place.within,
            file: self.current_file(),
            shape,
            class: [Class::Unknown; 2],
            malformed: false,
            session: self.current_session,
            part: NONE,
        });
        record
    }

    /// By rule the record gives no event.
    pub(super) fn consume(&mut self, record: u32) {
        self.twin = None;
        let session = self.session_of_file();
        if let Some(row) = self.records.get_mut(record as usize) {
            row.class = [Class::Consumed; 2];
            row.session = session;
        }
    }

    fn take_object(&mut self, mut line: Box<Line<'_>>, text: &str, place: Place) {
        if let Some(stream) = self.rules.stream().cloned() {
            if let Some(line) = stream.read(text) {
                let record = self.push_record(place, Shape::ByRules);
                self.reading.seen.add(Shape::ByRules, true);
                return self.take_record(&line, record);
            }
            // What these rules do not name is no type that is known; in no envelope, it has the places that they say.
            line.line_type = LineType::Other;
            if Shape::of(&line) == Shape::Stream
                && let Some(named) = stream.read_any(text)
            {
                let record = self.push_record(place, Shape::ByRules);
                let known = line.top.line_type.is_some() && line.session().is_some();
                self.reading.seen.add(Shape::Stream, known);
                return self.take_record(&named, record);
            }
        }
        let line = &*line;
        let shape = Shape::of(line);
        let known = line.line_type != LineType::Other || (line.top.line_type.is_some() && line.session().is_some());
        match shape {
            Shape::Export => return self.take_document(text, place),
            Shape::Message => return self.take_message(text, place),
            _ => {}
        }
        let record = self.push_record(place, shape);
        self.reading.seen.add(shape, known);
        match shape {
            Shape::Stream | Shape::Claude => self.take_record(line, record),
            Shape::HarnessErr => {
                let at = self.place(record);
                self.diagnostics.add(kind::STDERR, at, || "a line of standard error".to_owned());
                self.take_record(line, record);
            }
            Shape::Bus | Shape::WrappedBus => self.take_bus(shape, text, record),
            Shape::Session => {
                if let Some(info) = SessionInfo::read(text) {
                    self.take_session_info(&info, record);
                }
                self.consume(record);
            }
            Shape::MessageInfo => {
                let info = MessageInfo::read(text).unwrap_or_default();
                self.take_message_info(&info);
                self.consume(record);
            }
            Shape::Share => self.take_share(text, record),
            Shape::Hook => {
                self.take_hook(text, record);
                self.consume(record);
            }
            Shape::Sync => self.consume(record),
            _ => self.take_inner(shape, text, record),
        }
    }

    /// A record whose inner JSON is a line or a part.
    fn take_inner(&mut self, shape: Shape, text: &str, record: u32) {
        let inner = shape.inner(text);
        let parsed = match shape.line(&inner) {
            Ok(mut line) => {
                line.outer_time = (shape == Shape::WrappedStream).then(|| wrapper_time(text)).flatten();
                self.take_part_line(line, record);
                return;
            }
            Err(why) => why,
        };
        self.take_malformed(&inner, &parsed, record);
    }

    /// A part, with what its message says of it.
    pub(super) fn take_part_line(&mut self, mut line: Line<'_>, record: u32) {
        if let Some(message) = line.message_id().map(key_of).and_then(|key| self.messages.get(&key)) {
            line.role = message.role;
            if line.top.timestamp.is_none() && line.outer_time.is_none() {
                let known = |ms: i64| (ms != NO_TIME).then_some(TimeMs(ms));
                let info = MessageInfo {
                    created: known(message.created),
                    completed: known(message.completed),
                    ..MessageInfo::default()
                };
                line.outer_time = info.part_time(&line);
                line.has_time_of_message = line.outer_time.is_some() && line.interval() == (None, None);
            }
        }
        if line.outer_time.is_none() && line.top.timestamp.is_none() {
            let (start, end) = line.interval();
            line.outer_time = end.or(start);
        }
        self.take_record(&line, record);
    }

    fn take_bus(&mut self, shape: Shape, text: &str, record: u32) {
        let inner = shape.inner(text);
        let (session, mut news) = bus::news(&inner);
        if let Some(id) = &session {
            self.enter_session(id);
        }
        let time = wrapper_time(text);
        if let News::Asked(asked) = &mut news {
            asked.open_at = open_time(text).filter(|_| shape == Shape::WrappedBus);
        }
        if news == News::Todos {
            let session = self.session_of_file();
            self.take_todos(&inner, session, record, time.map_or(NO_TIME, |time| time.0));
        }
        self.take_news_of_bus(&news, record, time.map_or(NO_TIME, |time| time.0));
        if let News::Message(info) = &news
            && info.has_error
        {
            if let Some(row) = self.records.get_mut(record as usize) {
                row.shape = Shape::MessageError;
            }
            let inner = Shape::MessageError.inner(text);
            return self.take_message_error(&inner, record, time.or(info.completed).or(info.created));
        }
        match shape.line(&inner) {
            Ok(mut line) if line.line_type == LineType::Consumed => {
                line.outer_time = time;
                self.see_times(&line);
                self.consume(record);
            }
            Ok(mut line) => {
                line.outer_time = time;
                self.take_part_line(line, record);
            }
            Err(why) => self.take_malformed(&inner, &why, record),
        }
    }

    fn see_times(&mut self, line: &Line<'_>) {
        let session = self.session_of_file();
        if let Some(session) = self.sessions.get_mut(session) {
            session.see_time(line.outer_time.map_or(NO_TIME, |time| time.0));
        }
    }

    /// A hook that holds a permission open says what is asked, as the bus does.
    fn take_hook(&mut self, text: &str, record: u32) {
        let Some(asked) = ask::asked(text) else { return };
        if let Some(id) = ask::session_of_hook(text) {
            self.enter_session(&id);
        }
        let session = self.session_of_file();
        self.take_asked(asked, session, record, wrapper_time(text).map_or(NO_TIME, |time| time.0));
    }

    fn take_news_of_bus(&mut self, news: &News, record: u32, time: i64) {
        let session = self.session_of_file();
        match news {
            News::Session(info) => self.take_session_info(info, record),
            News::Removed(what, id) => self.take_removal(*what, id, session, record),
            News::Message(info) => self.take_message_info(info),
            News::Asked(asked) => self.take_asked(asked.as_ref().clone(), session, record, time),
            News::Answered(answered) => self.take_answered(answered.as_ref().clone(), session, record, time),
            News::Idle => self.leave_asks(session, false),
            News::TurnClosed(_) => self.leave_asks(session, true),
            News::Connected => {
                self.streams.push(record);
                self.interrupt_asks(record);
            }
            News::Busy | News::Compacted | News::Todos | News::Nothing => {}
        }
        let session = self.session_of_file();
        let Some(session) = self.sessions.get_mut(session) else { return };
        match news {
            News::Idle => session.idle = true,
            News::Busy => {
                session.idle = false;
                session.turn_closed = None;
            }
            News::TurnClosed(reason) => session.turn_closed = Some(reason.clone()),
            News::Compacted => session.compactions += 1,
            News::Session(_)
            | News::Message(_)
            | News::Asked(_)
            | News::Answered(_)
            | News::Todos
            | News::Removed(..)
            | News::Connected
            | News::Nothing => {}
        }
    }

    /// A log line of the harness that names the model of the calls around it.
    fn see_log_line(&mut self, text: &str) {
        if !text.contains("modelID=") {
            return;
        }
        let field = |name: &str| {
            text.split_whitespace()
                .find_map(|word| word.strip_prefix(name)?.strip_prefix('=').filter(|value| !value.is_empty()))
        };
        let (Some(model), small) = (field("modelID"), field("small")) else { return };
        if small == Some("true") {
            return;
        }
        let name = match field("providerID") {
            Some(provider) => format!("{provider}/{model}"),
            None => model.to_owned(),
        };
        let model = self.strings.add(&name);
        match field("session.id").or(field("sessionID")) {
            Some(id) => {
                let id = self.strings.add(id);
                self.log_models.insert(id, model);
            }
            None => self.log_model = model,
        }
    }

    pub(super) fn take_malformed(&mut self, text: &str, why: &Malformed, record: u32) {
        let session = self.session_of_file();
        if let Some(row) = self.records.get_mut(record as usize) {
            row.malformed = true;
            row.session = session;
            row.shape = Shape::Malformed;
        }
        let place = self.place(record);
        // Only a last line can be cut and still be whole one day.
        if *why == Malformed::Cut {
            self.diagnostics.add(kind::CUT, place, || format!("{why}: probably still being written, or cut"));
            if let Some(session) = self.sessions.get_mut(session) {
                session.cut_tail = true;
            }
        } else {
            self.diagnostics.add(kind::MALFORMED, place, || why.to_string());
        }
        self.add_malformed(text, why, record, session);
    }
}

/// The key of a message's id.
pub(in super::super) fn key_of(id: &str) -> u64 {
    fingerprint_of_bytes(id.as_bytes()).0
}
