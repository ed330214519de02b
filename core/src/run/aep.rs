//! The records of a run as the Agent Event Protocol has them: bus events and hooks as moments, everything else as a
//! stream. Two passes over the records' bytes: one for the survey, one for the events.

use super::store::{NONE, RecordRow};
use super::verdict::ErrorClass;
use super::{RecordId, Run};
use crate::aep::{Agent, Call, Envelope, Fate, Head, Ladder, Mapper, Moment, Place, Settings, StreamPart, Survey};
use crate::format::shape::Shape;
use crate::format::wire::{Line, LineType, Role};
use crate::outcome::of_call;
use crate::record::{self, Class};
use crate::rules::Dialect;
use crate::run::store::index;
use crate::time::TimeMs;
use serde_json::Value;

/// A mapping in progress: feed it every record, in order.
#[derive(Debug)]
pub struct AepPass {
    mapper: Mapper,
    ladder: Ladder,
}

impl AepPass {
    /// What the moments were, and what became of them.
    pub fn mapper(&self) -> &Mapper {
        &self.mapper
    }
}

impl Run {
    /// All records, in the order in which they were read.
    pub fn record_ids(&self) -> impl Iterator<Item = RecordId> + use<> {
        (0..index(self.records.len())).map(RecordId)
    }

    /// The first pass: what a record adds to the survey of the log's moments.
    pub fn aep_survey(&self, survey: &mut Survey, record: RecordId, bytes: &[u8]) {
        let Some(row) = self.records.get(record.0 as usize) else { return };
        if let Some(moment) = moment_of(row, &self.text_of(row, Some(row), bytes)) {
            survey.see(&moment);
        }
    }

    /// The second pass, over the log of which the survey was taken. Without a word of the user or of the moments the
    /// agent is that of the dialect.
    pub fn aep(&self, mut settings: Settings, survey: Survey) -> AepPass {
        if settings.agent.is_none() && survey.agent() == Agent::OpenCode {
            let kilo = self.dialects().any(Dialect::Kilo);
            settings.agent = Some(if kilo { Agent::KiloCode } else { Agent::OpenCode });
        }
        AepPass { mapper: Mapper::new(settings, survey), ladder: Ladder::default() }
    }

    /// The events of a record, from the bytes of its own line.
    pub fn aep_record(&self, pass: &mut AepPass, record: RecordId, bytes: &[u8]) -> Vec<Envelope> {
        match self.aep_told(pass, record, bytes).1 {
            Fate::Mapped(events) => events,
            Fate::Suppressed(_) | Fate::Duplicate => Vec::new(),
        }
    }

    /// The name of a record's moment, and what becomes of it; of one that is none its events, if it gives any.
    pub fn aep_told(&self, pass: &mut AepPass, record: RecordId, bytes: &[u8]) -> (Option<String>, Fate) {
        let none = || (None, Fate::Mapped(Vec::new()));
        let Some(row) = self.records.get(record.0 as usize) else { return none() };
        let place = Place { file: row.file.into(), line: row.line.into() };
        let text = self.text_of(row, Some(row), bytes);
        if let Some(moment) = moment_of(row, &text) {
            let fate = pass.mapper.take(&moment, place);
            return (Some(moment.name().to_owned()), fate);
        }
        let is_duplicate = row.class.contains(&Class::Duplicate);
        let part = self.read(row, &text, |line, _| {
            let line = line.ok().filter(|_| !is_duplicate)?;
            Some((part_of(line)?, self.time_of(row, line)))
        });
        let Some((part, time)) = part else { return none() };
        let head = || self.head_of(row.session);
        (None, Fate::Mapped(pass.ladder.take(&mut pass.mapper, row.session, head, time, place, part)))
    }

    /// Where a record stands, as its events name it.
    pub fn place_of(&self, record: RecordId) -> Place {
        let row = self.records.get(record.0 as usize);
        row.map(|row| Place { file: row.file.into(), line: row.line.into() }).unwrap_or_default()
    }

    /// The events that only the end of the log gives.
    pub fn aep_end(&self, pass: AepPass) -> (Vec<Envelope>, Mapper) {
        let AepPass { mut mapper, ladder } = pass;
        let events = ladder.finish(&mut mapper);
        (events, mapper)
    }

    fn time_of(&self, row: &RecordRow, line: &Line<'_>) -> Option<TimeMs> {
        let own = line.timestamp().ok().flatten();
        let message = || {
            let key = super::ingest::key_of(line.message_id()?);
            let created = self.messages.get(&key)?.created;
            (created != super::store::NO_TIME).then_some(TimeMs(created))
        };
        let part = || self.parts.get(row.part as usize).map(|part| part.time).filter(|ms| *ms != super::store::NO_TIME);
        own.or_else(|| part().map(TimeMs)).or_else(message)
    }

    fn head_of(&self, session: u32) -> Head {
        let Some(row) = self.sessions.get(session) else { return Head::default() };
        let verdict = self.verdict(session);
        let (_, parents) = self.session_places();
        let parent = parents.get(&session).and_then(|parent| self.sessions.get(*parent)).map(|parent| parent.id);
        let name = |id: u32| self.strings.get(id).map(str::to_owned);
        let last_error = self.errors.iter().rfind(|error| error.session == session);
        Head {
            id: name(row.id),
            parent: parent.or((row.parent != NONE).then_some(row.parent)).and_then(name),
            title: name(row.title),
            verdict: verdict.state,
            reason: verdict.reason,
            is_aborted: last_error.is_some_and(|error| error.class == ErrorClass::Abort),
        }
    }
}

/// A record as a moment; `None` where it is none.
fn moment_of(row: &RecordRow, text: &str) -> Option<Moment> {
    match row.shape {
        Shape::Bus | Shape::WrappedBus | Shape::Sync | Shape::Hook | Shape::MessageError | Shape::Malformed => {
            Moment::taken(serde_json::from_str::<Value>(text).ok()?)
        }
        _ => None,
    }
}

fn part_of(line: &Line<'_>) -> Option<StreamPart> {
    Some(match line.line_type {
        LineType::StepStart => StreamPart::StepStarted,
        LineType::StepFinish => {
            let usage = super::usage::usage(line, &mut Vec::new()).unwrap_or_default();
            let cost = super::usage::cost(line, &mut Vec::new());
            StreamPart::StepFinished {
                reason: line.part.reason.as_deref().or(line.top.reason.as_deref()).map(str::to_owned),
                input_tokens: usage.input,
                output_tokens: usage.output,
                cost_usd: cost.map(crate::money::PicoUsd::to_usd),
            }
        }
        LineType::ToolUse => {
            let tool = line.tool().map(|tool| tool.value.into_owned()).unwrap_or_default();
            let outcome = of_call(line, &tool);
            let (started, ended) = line.interval();
            StreamPart::Call(Box::new(Call {
                id: line.call_id().map(str::to_owned),
                args: line.input().and_then(|input| serde_json::from_str(input.value).ok()),
                result: line.output().map(|output| output.into_owned()),
                error: line.call_error(),
                started,
                ended,
                outcome: outcome.outcome,
                is_success: outcome.is_success,
                tool,
            }))
        }
        LineType::Error => {
            let facts = record::error_facts(line);
            StreamPart::Error { message: facts.message, code: facts.code }
        }
        LineType::Text if line.role == Role::User && !line.synthetic() => StreamPart::Prompt,
        LineType::Text | LineType::Reasoning => StreamPart::Text {
            message: line.message()?.to_owned(),
            is_reasoning: line.line_type == LineType::Reasoning,
        },
        LineType::Consumed | LineType::Other => return None,
    })
}
