//! Documents: exports, their messages and parts, elements of shares, and what sessions and messages say of themselves.

use super::super::Run;
use super::super::store::{NO_TIME, NONE};
use super::unit::{Message, key_of};
use crate::format::detect::Format;
use crate::format::export::{self, MessageInfo, SessionInfo};
use crate::format::shape::Shape;
use crate::format::wire::Role;
use crate::run::removed::Removed;
use crate::time::TimeMs;
use crate::transport::frame::Place;

impl Run {
    pub(super) fn take_document(&mut self, text: &str, place: Place) {
        let Some((info, messages)) = export::document(text) else { return };
        let head = self.piece(text, info, place);
        self.take_export_head_info(info, head);
        for message in messages {
            let place = self.piece(text, message, place);
            self.take_message(message, place);
        }
    }

    pub(super) fn take_export_head(&mut self, text: &str, place: Place) {
        let info = export::document(text).map_or("{}", |(info, _)| info);
        self.take_export_head_info(info, place);
    }

    fn take_export_head_info(&mut self, info: &str, place: Place) {
        let record = self.push_record(place, Shape::Export);
        self.reading.seen.add_pieces(Format::Export, 1);
        if let Some(info) = SessionInfo::read(info) {
            self.take_session_info(&info, record);
        }
        self.consume(record);
    }

    /// A message with its parts; each part is a record, and so is the error in it. One without either is a record too.
    pub(super) fn take_message(&mut self, text: &str, place: Place) {
        let Some((info_text, parts)) = export::message(text) else { return };
        let info = MessageInfo::read(info_text).unwrap_or_default();
        self.take_message_info(&info);
        let pieces = parts.len() as u64 + u64::from(info.has_error) + u64::from(parts.is_empty() && !info.has_error);
        self.reading.seen.add_pieces(Format::Export, pieces);
        for part in &parts {
            let record = self.push_record(self.piece(text, part, place), Shape::Part);
            match Shape::Part.line(part) {
                Ok(mut line) => {
                    line.role = info.role;
                    line.outer_time = info.part_time(&line);
                    line.has_time_of_message = line.outer_time.is_some() && line.interval() == (None, None);
                    self.take_record(&line, record);
                }
                Err(why) => self.take_malformed(part, &why, record),
            }
        }
        let whole = self.piece(text, info_text, place);
        if info.has_error {
            let record = self.push_record(whole, Shape::MessageError);
            self.take_message_error(info_text, record, info.completed.or(info.created));
        } else if parts.is_empty() {
            let record = self.push_record(whole, Shape::MessageInfo);
            self.consume(record);
        }
    }

    pub(super) fn take_message_error(&mut self, info: &str, record: u32, time: Option<TimeMs>) {
        match Shape::MessageError.line(info) {
            Ok(mut line) => {
                line.outer_time = time;
                self.take_record(&line, record);
            }
            Err(why) => self.take_malformed(info, &why, record),
        }
    }

    /// The place of a piece of a record's text: where the text stands in the file as it is, the piece does too.
    fn piece(&self, text: &str, piece: &str, place: Place) -> Place {
        let from = (piece.as_ptr() as usize).saturating_sub(text.as_ptr() as usize).min(text.len());
        let line = place.line + text.get(..from).unwrap_or_default().matches('\n').count() as u64;
        match place.within {
            None => Place { line, offset: place.offset + from as u64, len: piece.len() as u64, within: None },
            Some((at, _)) => {
                let whole = |value: usize| u32::try_from(value).unwrap_or(u32::MAX);
                Place { line, within: Some((at.saturating_add(whole(from)), whole(piece.len()))), ..place }
            }
        }
    }

    pub(super) fn take_share(&mut self, text: &str, record: u32) {
        let Some((name, data)) = export::share(text) else { return self.consume(record) };
        match name.as_str() {
            "session" => {
                if let Some(info) = SessionInfo::read(data) {
                    self.take_session_info(&info, record);
                }
                self.consume(record);
            }
            "message" => {
                let info = MessageInfo::read(data).unwrap_or_default();
                self.take_message_info(&info);
                if info.has_error {
                    if let Some(row) = self.records.get_mut(record as usize) {
                        row.shape = Shape::MessageError;
                    }
                    self.take_message_error(data, record, info.completed.or(info.created));
                } else {
                    self.consume(record);
                }
            }
            "part" => match Shape::Share.line(text) {
                Ok(line) => self.take_part_line(line, record),
                Err(why) => self.take_malformed(text, &why, record),
            },
            _ => self.consume(record),
        }
    }

    pub(super) fn take_session_info(&mut self, info: &SessionInfo, record: u32) {
        if let Some(id) = &info.id {
            self.enter_session(id);
        }
        let place = self.session_of_file();
        if let Some(message) = &info.revert {
            self.take_removal(Removed::From, message, place, record);
        }
        let parent = info.parent.as_ref().map_or(NONE, |id| self.strings.add(id));
        let title = info.title.as_ref().map_or(NONE, |title| self.strings.add(title));
        let model = info.model.as_ref().map_or(NONE, |model| self.strings.add(model));
        let file = self.name_of_file();
        // A sanitized document says less than the one that it was made from.
        let redacted = info.title.as_ref().is_some_and(|title| title.starts_with("[redacted:"));
        let Some(session) = self.sessions.get_mut(place) else { return };
        let set = |slot: &mut u32, value: u32| {
            if value != NONE {
                *slot = value;
            }
        };
        set(&mut session.parent, parent);
        if !redacted || session.title == NONE {
            set(&mut session.title, title);
        }
        set(&mut session.model, model);
        session.has_document = true;
        for time in [info.created, info.updated].into_iter().flatten() {
            session.see_time(time.0);
        }
        if let Some(version) = info.version.as_deref().filter(|version| export::is_kilos(version)) {
            session.see_mark(&format!("version {version} of the session"), &file, None);
        }
        if info.agent.as_deref() == Some("code") {
            session.see_mark("the agent is `code`", &file, None);
        }
    }

    pub(super) fn take_message_info(&mut self, info: &MessageInfo) {
        if let Some(id) = &info.session {
            self.enter_session(id);
        }
        let place = self.session_of_file();
        let model = info.model.as_ref().map_or(NONE, |model| self.strings.add(model));
        let finish = info.finish.as_ref().map_or(NONE, |finish| self.strings.add(finish));
        let ms = |time: Option<TimeMs>| time.map_or(NO_TIME, |time| time.0);
        let file = self.name_of_file();
        if let Some(session) = self.sessions.get_mut(place) {
            session.see_time(ms(info.created));
            session.see_time(ms(info.completed));
            if info.role == Role::User {
                session.has_prompt = true;
                session.user_model = if model == NONE { session.user_model } else { model };
            }
            if info.agent.as_deref() == Some("code") {
                session.see_mark("the agent is `code`", &file, None);
            }
        }
        let Some(id) = &info.id else { return };
        let message =
            Message { role: info.role, model, created: ms(info.created), completed: ms(info.completed), finish };
        self.messages.insert(key_of(id), message);
    }
}
