//! All about one record, from the bytes of its line: its events whole, and why they became what they became.

use super::store::{EventColumn, NO_TIME, RecordRow, index};
use super::{RecordId, Run, Span};
use crate::changes;
use crate::detail::{Detail, PICTURES, Picture, Todo};
use crate::event::Event;
use crate::explain::{Explanation, OutcomeFacts, Stage};
use crate::format::shape::Shape;
use crate::format::wire::{Line, LineType, Malformed, Role};
use crate::json::{self, Object};
use crate::outcome::{Exit, of_call};
use crate::record::{self, Class, Interpreted, KeepRaw};
use crate::rules::trace::{Trace, fine, odd};
use crate::text::image;
use crate::time::TimeMs;
use std::borrow::Cow;

impl Run {
    /// Records that stand in the list of events, in file order. [`Run::source_of`] names the line that holds the values
    /// of one, and [`Run::events_of`] makes its events from that line.
    pub fn event_records(&self) -> impl Iterator<Item = RecordId> + '_ {
        (0..index(self.records.len())).filter(|record| self.has_events(*record)).map(RecordId)
    }

    fn has_events(&self, record: u32) -> bool {
        let Some(row) = self.records.get(record as usize) else { return false };
        self.wants_session(row.session) && matches!(self.class_of(row), Class::Mapped | Class::Unknown)
    }

    fn class_of(&self, row: &RecordRow) -> Class {
        let [opencode, kilo] = row.class;
        match self.dialect_of(row.session) {
            crate::rules::Dialect::OpenCode => opencode,
            crate::rules::Dialect::Kilo => kilo,
        }
    }

    /// The line that holds the values of a record: its own, unless the part was written again later.
    pub fn source_of(&self, record: RecordId) -> Option<Span> {
        let row = self.records.get(record.0 as usize)?;
        let source = match self.parts.get(row.part as usize) {
            Some(part) if part.record == record.0 => part.source,
            _ => record.0,
        };
        self.span(RecordId(source))
    }

    /// The normalized events of a record, from the bytes of its source line.
    pub fn events_of(&self, record: RecordId, line: &[u8]) -> Vec<Event> {
        let Some(row) = self.records.get(record.0 as usize) else { return Vec::new() };
        let text = self.text_of(row, self.source_row(record), line);
        let interpreted = self.read(row, &text, |line, text| self.interpret(row, line, text, KeepRaw::Yes, &mut ()));
        self.whole(record.0, row, interpreted)
    }

    fn source_row(&self, record: RecordId) -> Option<&RecordRow> {
        let row = self.records.get(record.0 as usize)?;
        let source = match self.parts.get(row.part as usize) {
            Some(part) if part.record == record.0 => part.source,
            _ => record.0,
        };
        self.records.get(source as usize)
    }

    /// The text of a record, from the bytes at the span of the one that holds its values.
    pub(super) fn text_of<'a>(&self, row: &RecordRow, source: Option<&RecordRow>, bytes: &'a [u8]) -> Cow<'a, str> {
        let source = source.unwrap_or(row);
        match self.state_of(usize::from(source.file)) {
            Some(state) => state.text_of(bytes, source.within),
            None => String::from_utf8_lossy(bytes),
        }
    }

    /// Reads a record's text by its form, as it was read the first time, and hands it on.
    pub(super) fn read<R>(
        &self,
        row: &RecordRow,
        text: &str,
        then: impl FnOnce(Result<&Line<'_>, &Malformed>, &str) -> R,
    ) -> R {
        let by_rules = self.rules.stream().filter(|_| row.shape == Shape::ByRules);
        if let Some(line) = by_rules.and_then(|stream| stream.read_any(text)) {
            return then(Ok(&line), text);
        }
        let inner = row.shape.inner(text);
        let malformed = match row.shape.line(&inner) {
            Ok(_) if row.shape == Shape::Malformed => Malformed::Invalid("a piece of a value that is cut".to_owned()),
            Ok(mut line) => {
                if row.shape == Shape::Stream && self.rules.stream().is_some() {
                    line.line_type = LineType::Other;
                }
                let message = line.message_id().and_then(|id| self.messages.get(&super::ingest::key_of(id)));
                line.role = message.map_or(Role::Assistant, |message| message.role);
                return then(Ok(&line), text);
            }
            Err(why) => why,
        };
        then(Err(&malformed), text)
    }

    fn whole(&self, record: u32, row: &RecordRow, interpreted: Interpreted) -> Vec<Event> {
        let first = self.parts.get(row.part as usize).filter(|part| part.record == record).map(|part| part.events.0);
        let time = match first.and_then(|first| self.events.get(first as usize)) {
            Some(event) if event.record == record => event.time,
            _ => NO_TIME,
        };
        let session = self.sessions.get(row.session).and_then(|session| self.strings.get(session.id));
        let file = self.files.get(usize::from(row.file)).filter(|_| self.several_files());
        let Interpreted { rule, bodies, call, .. } = interpreted;
        let event = |body| Event {
            timestamp: (time != NO_TIME).then_some(TimeMs(time)),
            session_id: session.map(str::to_owned),
            line: row.line.into(),
            file: file.map(|file| file.name.clone()),
            rule: rule.clone(),
            call: call.clone(),
            body,
        };
        bodies.into_iter().map(event).collect()
    }

    fn interpret(
        &self,
        row: &RecordRow,
        line: Result<&Line<'_>, &Malformed>,
        text: &str,
        keep: KeepRaw,
        trace: &mut impl Trace,
    ) -> Interpreted {
        match line {
            Ok(line) => {
                let mut interpreted =
                    record::interpret(line, self.rules.set(self.dialect_of(row.session)), keep, trace);
                // What an unknown event keeps is the whole record, wrapper and all.
                if keep == KeepRaw::Yes && line.text.len() != text.len() {
                    record::keep_whole(&mut interpreted, text);
                }
                interpreted
            }
            Err(why) => record::malformed(text, &why.to_string(), keep, trace),
        }
    }

    /// Why a record became what it became, from the bytes of its own line.
    pub fn explain(&self, record: RecordId, line: &[u8]) -> Explanation {
        let Some(row) = self.records.get(record.0 as usize) else { return Explanation::default() };
        let text = self.text_of(row, Some(row), line);
        self.read(row, &text, |line, text| self.explain_line(record, row, line, text))
    }

    fn explain_line(
        &self,
        record: RecordId,
        row: &RecordRow,
        line: Result<&Line<'_>, &Malformed>,
        text: &str,
    ) -> Explanation {
        let mut decisions = Vec::new();
        if let Ok(line) = line {
            let why = format!("line {} at byte {}, {} bytes", row.line, row.offset, row.len);
            decisions.push(fine(Stage::Line, row.shape.words(), why, None));
            decisions.extend(self.explain_duplicate(record.0, row));
            decisions.push(match line.session() {
                Some(id) => fine(
                    Stage::Session,
                    format!("session {}", id.value),
                    "named on this line",
                    Some(line.pointer(id.at)),
                ),
                None => fine(Stage::Session, "session of the records around it", "the record names none", None),
            });
        }
        let at = decisions.len();
        self.interpret(row, line, text, KeepRaw::No, &mut decisions);
        if let Ok(line) = line {
            decisions.extend(self.explain_marks(record.0, row, line));
        }
        let prefix = row.shape.prefix(text);
        if !prefix.is_empty() {
            for pointer in
                decisions.iter_mut().skip(at.saturating_sub(1)).filter_map(|decision| decision.pointer.as_mut())
            {
                pointer.insert_str(0, &prefix);
            }
        }
        let facts = line.ok().filter(|line| line.line_type == LineType::ToolUse).map(facts);
        Explanation { facts, decisions }
    }

    fn explain_duplicate(&self, record: u32, row: &RecordRow) -> Option<crate::explain::Decision> {
        let part = self.parts.get(row.part as usize)?;
        let line_of = |record: u32| self.place(record).line;
        if part.record != record {
            let what = format!("duplicate of the part on line {}", line_of(part.record));
            let why =
                format!("the same part is written on several lines; line {} holds its values", line_of(part.source));
            return Some(odd(Stage::Duplicate, what, why, Some("/part/id".to_owned())));
        }
        (part.source != record).then(|| {
            let why = format!("the part was written again on line {}, which holds its values", line_of(part.source));
            odd(Stage::Duplicate, "values from a later line", why, Some("/part/id".to_owned()))
        })
    }

    /// The bytes that [`Run::detail`] needs: the line that holds the event's values.
    pub fn span_of_event(&self, id: u32) -> Option<Span> {
        let event = self.events.get(id as usize)?;
        self.span(RecordId(event.source))
    }

    /// All about an event, from the bytes of its line.
    pub fn detail(&self, id: u32, line: &[u8]) -> Option<Detail> {
        let event = self.events.get(id as usize)?;
        let row = self.records.get(event.record as usize)?;
        let source = self.records.get(event.source as usize);
        let text = self.text_of(row, source, line);
        let detail = self.read(row, &text, |parsed, text| self.detail_of(event, row, parsed, text));
        let raw = source
            .and_then(|source| self.state_of(usize::from(source.file)))
            .map(|state| state.raw(line))
            .unwrap_or_default();
        Some(Detail { id, raw, explanation: self.explain_event(event, line), ..detail })
    }

    fn detail_of(
        &self,
        event: &EventColumn,
        row: &RecordRow,
        line: Result<&Line<'_>, &Malformed>,
        text: &str,
    ) -> Detail {
        let interpreted = self.interpret(row, line, text, KeepRaw::Yes, &mut ());
        let events = self.whole(event.record, row, interpreted);
        let line = line.ok();
        Detail {
            file: self.files.get(usize::from(row.file)).map(|file| file.name.clone()).unwrap_or_default(),
            line: row.line.into(),
            offset: row.offset,
            len: row.len.into(),
            values_line: (event.source != event.record).then(|| self.place(event.source).line),
            part_id: line.and_then(|line| line.part_id()).map(str::to_owned),
            event: events.get(usize::from(event.sub)).map(pretty_event).unwrap_or_default(),
            siblings: index(events.len()),
            input: line.and_then(|line| line.input()).map(|input| pretty(input.value)),
            output: line.and_then(output_of),
            error: line.and_then(error_of),
            changes: line.map(changes::differences).unwrap_or_default(),
            changes_reported: line.is_some_and(changes::is_reported),
            todos: line.and_then(todos_of).unwrap_or_default(),
            pictures: line.map(pictures_of).unwrap_or_default(),
            ..Detail::default()
        }
    }

    /// The explanation of the line that holds the values, with the note about the line at which the event stands.
    fn explain_event(&self, event: &EventColumn, line: &[u8]) -> Explanation {
        let mut explanation = self.explain(RecordId(event.source), line);
        if event.source != event.record
            && let Some(row) = self.records.get(event.record as usize)
            && let Some(note) = self.explain_duplicate(event.record, row)
        {
            explanation.decisions.retain(|decision| decision.stage != Stage::Duplicate);
            explanation.decisions.insert(1.min(explanation.decisions.len()), note);
        }
        explanation
    }
}

fn output_of(line: &Line<'_>) -> Option<String> {
    match line.line_type {
        LineType::ToolUse => line.output().map(Cow::into_owned),
        LineType::Text | LineType::Reasoning => line.message().map(str::to_owned),
        _ => None,
    }
}

fn error_of(line: &Line<'_>) -> Option<String> {
    match line.line_type {
        LineType::ToolUse => line.call_error(),
        LineType::Error => Some(record::error_facts(line).message),
        _ => None,
    }
}

/// `{"todos":[{"content":"…","status":"pending","priority":"high"}]}`
fn todos_of(line: &Line<'_>) -> Option<Vec<Todo>> {
    let input = Object::parse(line.input()?.value)?;
    let todo = |text: &str| {
        let todo = Object::parse(text)?;
        let field = |key: &str| todo.get(key).and_then(json::string).map(Cow::into_owned);
        Some(Todo {
            content: field("content")?,
            status: field("status").unwrap_or_default(),
            priority: field("priority"),
        })
    };
    json::elements(input.get("todos")?)?.into_iter().map(todo).collect()
}

/// Attachments, and pictures in the text of the output.
fn pictures_of(line: &Line<'_>) -> Vec<Picture> {
    let (base, _) = line.rule_base();
    let attached = json::pointer(base, "/state/attachments").or_else(|| json::pointer(base, "/attachments"));
    let urls = attached.and_then(json::elements).unwrap_or_default().into_iter().filter_map(Object::parse);
    let urls: Vec<String> = urls.filter_map(|file| json::string(file.get("url")?).map(Cow::into_owned)).collect();
    let output = output_of(line).unwrap_or_default();
    let attached = urls.iter().filter_map(|url| image::of_uri(url));
    attached
        .chain(image::pictures(&output, PICTURES))
        .take(PICTURES)
        .map(|picture| Picture {
            mime: picture.mime.to_owned(),
            bytes: picture.bytes,
            size: picture.size,
            uri: picture.uri.to_owned(),
        })
        .collect()
}

fn facts(line: &Line<'_>) -> OutcomeFacts {
    let tool = line.tool().map(|tool| tool.value).unwrap_or_default();
    let outcome = of_call(line, &tool);
    OutcomeFacts {
        status: line.status().map(|status| status.value.into_owned()),
        exit_code: match outcome.exit {
            Exit::Absent => None,
            Exit::Unreadable => Some("null".to_owned()),
            Exit::Code(code) => Some(code.to_string()),
        },
        error: outcome.error,
    }
}

fn pretty_event(event: &Event) -> String {
    pretty(&event.to_json_line())
}

/// JSON laid out for reading; a string as its text.
fn pretty(text: &str) -> String {
    json::string(text).map_or_else(|| json::pretty(text), Cow::into_owned)
}
