//! All about one record, from the bytes of its line: its events whole, and why they became what they became.

use super::store::{EventColumn, NO_TIME, RecordRow, index};
use super::{RecordId, Run, Span};
use crate::detail::Detail;
use crate::event::Event;
use crate::explain::{Explanation, OutcomeFacts, Stage};
use crate::format::step_stream::{Line, LineType};
use crate::json;
use crate::outcome::{Exit, of_call};
use crate::record::{self, Class, Interpreted, KeepRaw, RecordText};
use crate::rules::trace::{Trace, fine, odd};
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
        matches!(self.class_of(row), Class::Mapped | Class::Unknown)
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
        let interpreted = self.interpret(row, line, KeepRaw::Yes, &mut ());
        self.whole(record.0, row, interpreted)
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

    fn interpret(&self, row: &RecordRow, line: &[u8], keep: KeepRaw, trace: &mut impl Trace) -> Interpreted {
        let decoded = RecordText::decode(line);
        match Line::parse(&decoded.text) {
            Ok(parsed) => record::interpret(&parsed, self.rules.set(self.dialect_of(row.session)), keep, trace),
            Err(why) => record::malformed(&decoded.text, &why, trace),
        }
    }

    /// Why a record became what it became, from the bytes of its own line.
    pub fn explain(&self, record: RecordId, line: &[u8]) -> Explanation {
        let Some(row) = self.records.get(record.0 as usize) else { return Explanation::default() };
        let mut decisions = Vec::new();
        let decoded = RecordText::decode(line);
        let parsed = Line::parse(&decoded.text);
        if parsed.is_ok() {
            let why = format!("line {} at byte {}, {} bytes", row.line, row.offset, row.len);
            decisions.push(fine(Stage::Line, "a JSON object", why, None));
        }
        decisions.extend(self.explain_duplicate(record.0, row));
        if let Ok(parsed) = &parsed {
            decisions.push(match parsed.session() {
                Some(id) => fine(
                    Stage::Session,
                    format!("session {}", id.value),
                    "named on this line",
                    Some(id.pointer.to_owned()),
                ),
                None => fine(Stage::Session, "session of the lines around it", "the line names none", None),
            });
        }
        self.interpret(row, line, KeepRaw::No, &mut decisions);
        let facts = parsed.ok().filter(|line| line.line_type == LineType::ToolUse).map(|line| facts(&line));
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
        let decoded = RecordText::decode(line);
        let parsed = Line::parse(&decoded.text).ok();
        let interpreted = self.interpret(row, line, KeepRaw::Yes, &mut ());
        let events = self.whole(event.record, row, interpreted);
        let siblings = index(events.len());
        let normalized = events.get(usize::from(event.sub)).map(pretty_event).unwrap_or_default();
        let place = self.place(event.record);
        Some(Detail {
            id,
            file: self.files.get(usize::from(row.file)).map(|file| file.name.clone()).unwrap_or_default(),
            line: place.line,
            offset: place.offset,
            len: row.len.into(),
            values_line: (event.source != event.record).then(|| self.place(event.source).line),
            part_id: parsed.as_ref().and_then(|line| line.part_id()).map(str::to_owned),
            event: normalized,
            siblings,
            input: parsed.as_ref().and_then(|line| line.input()).map(|input| pretty(input.value)),
            output: parsed.as_ref().and_then(output_of),
            error: parsed.as_ref().and_then(error_of),
            raw: String::from_utf8_lossy(line).into_owned(),
            explanation: self.explain_event(event, line),
        })
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
    serde_json::to_string(event).map(|json| pretty(&json)).unwrap_or_default()
}

/// JSON laid out for reading; a string as its text.
fn pretty(text: &str) -> String {
    json::string(text).map_or_else(|| json::pretty(text), Cow::into_owned)
}
