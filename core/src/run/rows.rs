//! The short texts of a row: what a list shows of an event.

use super::Run;
use super::ingest::Target;
use super::store::{EventColumn, NONE, Text};
use crate::event::{Body, CallFacts, Outcome};
use crate::format::wire::Line;
use crate::json::{self, Object};
use crate::outcome::{Because, of_call};
use crate::record::Interpreted;
use crate::rules::interpret::WhyUnknown;

/// The record that an event came from.
#[derive(Clone, Copy)]
pub(crate) struct Origin<'a> {
    /// As a line, where it is one.
    pub(crate) line: Option<&'a Line<'a>>,
    pub(crate) text: &'a str,
}

impl Run {
    /// The row of one event.
    pub(super) fn event_column(
        &mut self,
        target: &Target,
        interpreted: &Interpreted,
        body: &Body,
        sub: u16,
        dialects: u8,
        from: Origin<'_>,
    ) -> EventColumn {
        let (summary, aside) = texts_of(body, interpreted, from);
        let note = note_of(interpreted, from.line);
        let path = match body {
            Body::Read { path, .. } | Body::Write { path } => self.strings.add(path),
            _ => NONE,
        };
        let mut add = |text: Option<String>| text.map_or(Text::default(), |text| self.texts.add(&text));
        let (summary, aside, note) = (add(Some(summary)), add(aside), add(note));
        EventColumn {
            record: target.record,
            source: target.source,
            sub,
            dialects,
            kind: body.kind(),
            live: true,
            synthetic: matches!(body, Body::Agent { synthetic: true, .. }),
            call: target.call,
            step: target.step,
            session: target.session,
            time: target.time,
            path,
            summary,
            aside,
            note,
        }
    }
}

/// The head of a long text: a row never shows more.
fn head(text: &str) -> String {
    text.char_indices().nth(400).and_then(|(end, _)| text.get(..end)).unwrap_or(text).to_owned()
}

fn texts_of(body: &Body, interpreted: &Interpreted, from: Origin<'_>) -> (String, Option<String>) {
    let command = interpreted.call.as_ref().and_then(|call| call.shell.as_ref()).map(|shell| head(&shell.command));
    let join = |first: Option<String>| match (first, &command) {
        (Some(first), Some(command)) => Some(format!("{first} · {command}")),
        (None, Some(command)) => Some(command.clone()),
        (first, None) => first,
    };
    match body {
        Body::Agent { message, .. } | Body::User { message } | Body::Reasoning { message } => (head(message), None),
        Body::Command { command, working_directory, .. } => {
            (head(command), working_directory.as_ref().map(|directory| format!("in {}", head(directory))))
        }
        Body::Read { path, start_line, end_line } => {
            let lines = match (start_line, end_line) {
                (Some(start), Some(end)) if start == end => Some(format!("line {start}")),
                (Some(start), Some(end)) => Some(format!("lines {start}–{end}")),
                (Some(start), None) => Some(format!("from line {start}")),
                (None, Some(end)) => Some(format!("to line {end}")),
                (None, None) => None,
            };
            (head(path), join(lines))
        }
        Body::Write { path } => (head(path), join(None)),
        Body::Search { query, path } => (head(query), join(path.as_ref().map(|path| format!("in {}", head(path))))),
        Body::List { path } => (path.as_deref().map_or_else(|| ".".to_owned(), head), join(None)),
        Body::Skill { path, skill_name } => match skill_name {
            Some(name) => (head(name), Some(head(path))),
            None => (head(path), None),
        },
        Body::Orchestration { subagent_id, subagent_name, .. } => {
            let name = subagent_name.as_deref().or(subagent_id.as_deref()).unwrap_or("subagent");
            let description = from.line.and_then(description).filter(|text| text != name);
            let session = subagent_id.as_ref().map(|id| format!("sub-session {id}"));
            let aside = [session, description].into_iter().flatten().collect::<Vec<_>>().join(": ");
            (head(name), Some(aside).filter(|aside| !aside.is_empty()))
        }
        Body::Error { message, code } => (head(message), code.clone()),
        Body::Unknown { .. } => match &interpreted.call {
            Some(call) => (
                if call.tool.is_empty() { "(no tool)".to_owned() } else { head(&call.tool) },
                from.line.and_then(first_input),
            ),
            None => unknown_record(from),
        },
    }
}

/// What a task is about, in its author's words.
fn description(line: &Line<'_>) -> Option<String> {
    let input = Object::parse(line.input()?.value)?;
    json::filled_string(input.get("description")?).map(|text| head(&text))
}

/// The first plain value of a call's input: the address of a fetch, the question of a search.
fn first_input(line: &Line<'_>) -> Option<String> {
    let input = Object::parse(line.input()?.value)?;
    let keys: Vec<&str> = input.keys().collect();
    keys.into_iter().find_map(|key| json::filled_string(input.get(key)?)).map(|text| head(&text))
}

fn unknown_record(from: Origin<'_>) -> (String, Option<String>) {
    let Some(line) = from.line else { return (head(from.text), None) };
    match line.type_name() {
        Some(name) => (format!("type {name}"), Some(head(from.text))),
        None => ("no type".to_owned(), Some(head(from.text))),
    }
}

/// What the reader must not miss.
fn note_of(interpreted: &Interpreted, line: Option<&Line<'_>>) -> Option<String> {
    if let Some(why) = &interpreted.why_unknown {
        let call = interpreted.call.as_ref();
        let tool = call.map_or("", |call| call.tool.as_str());
        if call.is_some_and(|call| call.outcome == Outcome::Failed && tool.eq_ignore_ascii_case("invalid")) {
            let asked = line.and_then(crate::record::requested_tool);
            return Some(format!("could not be called: {}", asked.as_deref().unwrap_or("not named")));
        }
        return Some(match why {
            WhyUnknown::NoRule => format!("no rule for {tool}"),
            why => why.reason().into_owned(),
        });
    }
    let call = interpreted.call.as_ref()?;
    if call.outcome == Outcome::Ok {
        return None;
    }
    note_of_outcome(call, line?)
}

fn note_of_outcome(call: &CallFacts, line: &Line<'_>) -> Option<String> {
    let outcome = of_call(line, &call.tool);
    match outcome.outcome {
        Outcome::Rejected => Some("refused".to_owned()),
        Outcome::Failed if outcome.green_but_failed() => {
            Some(outcome.exit_code().map_or_else(|| "failed".to_owned(), |code| format!("exit {code}")))
        }
        Outcome::Failed => {
            let exit = || match outcome.exit_code()? {
                // It decided nothing: the status did.
                0 => line.status().map(|status| format!("status {}", head(&status.value))),
                code => Some(format!("exit {code}")),
            };
            outcome.error.as_deref().map(head).or_else(exit)
        }
        Outcome::Unknown if outcome.because == Because::TimedOut => Some("timed out".to_owned()),
        Outcome::Unknown => {
            line.status().filter(|_| outcome.is_success.is_none()).map(|status| status.value.into_owned())
        }
        Outcome::Ok => None,
    }
}
