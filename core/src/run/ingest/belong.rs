//! Which session a record belongs to, and the marks in it that tell a dialect.

use super::super::Run;
use super::super::session::Named;
use super::super::store::NONE;
use crate::format::wire::{Line, LineType};
use crate::json::{self, Object};
use crate::record;
use crate::rules::Dialect;

impl Run {
    /// The session that the file is in; a file whose records name none has one without a name.
    pub(super) fn session_of_file(&mut self) -> u32 {
        if self.current_session == NONE {
            self.current_session = self.sessions.add_unnamed();
            self.see_file_name();
        }
        self.current_session
    }

    pub(super) fn resolve_session(&mut self, line: &Line<'_>) -> u32 {
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
        if self.current_session != current {
            self.see_file_name();
        }
        self.current_session
    }

    /// A file's name tells the dialect of the sessions in it.
    fn see_file_name(&mut self) {
        let name = self.name_of_file();
        if name.to_lowercase().contains("kilo")
            && let Some(session) = self.sessions.get_mut(self.current_session)
        {
            session.see_mark("\"kilo\" in the file's name", &name, None);
        }
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
        self.removals.iter_mut().for_each(|row| step(&mut row.session));
        self.asks.move_session(from, to);
        self.todos.rows.iter_mut().for_each(|row| step(&mut row.session));
        let parts: Vec<_> =
            self.part_of_key.iter().filter(|(key, _)| key.session == from).map(|(k, p)| (*k, *p)).collect();
        for (mut key, part) in parts {
            key.session = to;
            self.part_of_key.entry(key).or_insert(part);
        }
    }

    /// Marks that only Kilo leaves.
    pub(super) fn see_marks(&mut self, line: &Line<'_>, session: u32, record: u32) {
        let at = self.place(record).line;
        let tool = (line.line_type == LineType::ToolUse).then(|| line.tool()).flatten();
        let is_question = tool.as_ref().is_some_and(|tool| tool.value == "question");
        let mark_tool = tool.filter(|tool| self.rules.set(Dialect::Kilo).is_mark(&tool.value));
        let approval = line.state.metadata.filter(|text| text.contains("\"approval\"")).and_then(|_| {
            let approval = line.metadata()?.get("approval")?;
            Some(Object::parse(approval).and_then(|approval| json::filled_string(approval.get("source")?)))
        });
        if let (Some(Some(source)), Some(call)) = (&approval, line.call_id()) {
            self.see_approval(call, source);
        }
        if let (true, Some(end), Some(call)) = (is_question, line.interval().1, line.call_id()) {
            self.see_answer(call, end.0);
        }
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
        if approval.is_some() {
            session.see_mark("state.metadata.approval", file, Some(at));
        }
        if let Some(tool) = mark_tool {
            session.see_mark(&format!("tool {}", tool.value), file, Some(at));
        }
        if kilo_error.is_some() {
            session.see_mark("an error text of Kilo's", file, Some(at));
        }
    }
}
