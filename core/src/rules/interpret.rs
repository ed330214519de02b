//! Applies a set of rules to a call: which rule reads its tool, where the fields stand, which events come out.

use super::patch;
use super::table::{Field, Piece, Rule, RuleSet, Source, Target};
use super::trace::{Trace, fine, odd};
use crate::event::{Body, Kind, SubagentAction};
use crate::explain::{Found, Looked, Stage};
use crate::format::wire::{At, Line};
use crate::json::{self, Object};
use crate::outcome::CallOutcome;
use crate::shell;
use std::borrow::Cow;

/// What a set of rules makes of a call.
#[derive(Debug)]
pub(crate) struct Mapped {
    /// Id of the rule that made it; `<set>.unmapped` where none reads the tool.
    pub(crate) rule: String,
    /// What came out.
    pub(crate) result: Mapping,
    /// The shell command that was read as a file operation.
    pub(crate) command: Option<String>,
}

impl Mapped {
    fn new(rule: impl Into<String>, result: Mapping) -> Mapped {
        Mapped { rule: rule.into(), result, command: None }
    }
}

/// What came out of a rule.
#[derive(Debug)]
pub(crate) enum Mapping {
    /// By rule no event.
    Consumed,
    /// Events, in order.
    Events(Vec<Body>),
    /// Nothing certain.
    Unknown(WhyUnknown),
}

/// Why a call became an unknown event, in a few words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum WhyUnknown {
    /// No rule reads the tool.
    NoRule,
    /// A required field is nowhere.
    Lacks(&'static str),
    /// The input was taken out by a sanitizer.
    Redacted,
    /// The record names no tool.
    NoTool,
}

impl WhyUnknown {
    /// The reason in a few words.
    pub(crate) fn reason(&self) -> Cow<'static, str> {
        match self {
            WhyUnknown::NoRule => "no rule".into(),
            WhyUnknown::Lacks(field) => format!("no {field} in its input").into(),
            WhyUnknown::Redacted => "input redacted".into(),
            WhyUnknown::NoTool => "no tool named".into(),
        }
    }
}

/// Applies the set to the call on this line.
pub(crate) fn apply(set: &RuleSet, line: &Line<'_>, outcome: &CallOutcome, trace: &mut impl Trace) -> Mapped {
    let unmapped = format!("{}.unmapped", set.id);
    let Some(tool) = line.tool() else {
        trace.note(|| odd(Stage::Tool, "no tool", "looked for `part.tool`, `tool`, `toolName`, `name`", None));
        return Mapped::new(unmapped, Mapping::Unknown(WhyUnknown::NoTool));
    };
    let tool = tool.value;
    let Some(rule) = set.find(&tool) else {
        trace.note(|| {
            let near = set.nearest(&tool);
            let lacks = near.map(|rule| Call::new(rule, line).would_lack()).unwrap_or_default();
            let near_words = near.map(|rule| format!("; `{}` came nearest by name, and {lacks}", rule.id));
            let near_words = near_words.unwrap_or_default();
            let why = format!("none of {} reads `{tool}`{near_words}", set.size_words());
            let decision = odd(Stage::Rule, format!("no rule: {unmapped}"), why, None);
            match near {
                Some(rule) => decision.of_rule(&rule.id),
                None => decision,
            }
        });
        return Mapped::new(unmapped, Mapping::Unknown(WhyUnknown::NoRule));
    };
    trace.note(|| {
        let why = format!("reads {}; {}", quoted(&rule.tools), set.row_words(rule));
        fine(Stage::Rule, format!("rule {}", rule.id), why, None).of_rule(&rule.id)
    });
    Call::new(rule, line).map(outcome, trace)
}

fn quoted(words: &[String]) -> String {
    words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
}

/// The JSON that fields are looked for in: the input, and the part for pointers.
struct Call<'r, 'a> {
    rule: &'r Rule,
    input: Cow<'a, str>,
    input_pointer: String,
    base: &'a str,
    base_pointer: &'static str,
}

/// A value that was found.
struct Hit {
    text: String,
    pointer: String,
}

impl<'r, 'a> Call<'r, 'a> {
    fn new(rule: &'r Rule, line: &Line<'a>) -> Call<'r, 'a> {
        let (input, input_pointer) = match line.input() {
            // An input that is a string holding a JSON object is read as that object.
            Some(found) => match json::string(found.value).filter(|text| Object::parse(text).is_some()) {
                Some(text) => (text, line.pointer(found.at)),
                None => (Cow::Borrowed(found.value), line.pointer(found.at)),
            },
            None => (Cow::Borrowed("{}"), line.pointer(At::State("/input"))),
        };
        let (base, base_pointer) = line.rule_base();
        Call { rule, input, input_pointer, base, base_pointer }
    }

    fn map(&self, outcome: &CallOutcome, trace: &mut impl Trace) -> Mapped {
        let mapped = |result| Mapped::new(self.rule.id.as_str(), result);
        let Target::Event(kind) = self.rule.target else {
            trace.note(|| fine(Stage::Event, "consumed", "the rule gives no event", None));
            return mapped(Mapping::Consumed);
        };
        let fields = Object::parse(&self.input).unwrap_or_default();
        if let Some(mapping) = self.each(kind, outcome, trace) {
            return mapped(mapping);
        }
        let found = Fields { call: self, input: &fields, at: self.input_pointer.clone() };
        if let Some(why) = found.missing(trace) {
            return mapped(Mapping::Unknown(why));
        }
        match kind {
            Kind::Command => found.command(outcome, trace),
            _ => mapped(match found.bodies(kind, outcome, trace) {
                Ok(bodies) => Mapping::Events(bodies),
                Err(why) => Mapping::Unknown(why),
            }),
        }
    }

    /// What the rule would lack, were it to read this call.
    fn would_lack(&self) -> String {
        if self.rule.target == Target::Consumed {
            return "it gives no event".to_owned();
        }
        let fields = Object::parse(&self.input).unwrap_or_default();
        let found = Fields { call: self, input: &fields, at: self.input_pointer.clone() };
        match found.lacking() {
            Some(field) => format!("it would lack {}", field.name()),
            None => "it would find all that it needs".to_owned(),
        }
    }

    /// One event for each element of the list that the rule names, where the elements hold what it needs.
    fn each(&self, kind: Kind, outcome: &CallOutcome, trace: &mut impl Trace) -> Option<Mapping> {
        let each = self.rule.each.as_deref()?;
        let (list, place) = if each.starts_with('/') {
            (json::elements(json::pointer(self.base, each)?)?, format!("{}{each}", self.base_pointer))
        } else {
            let list = json::elements(Object::parse(&self.input)?.get(each)?)?;
            (list, format!("{}/{}", self.input_pointer, json::escaped(each)))
        };
        let mut bodies = Vec::new();
        for (index, element) in list.into_iter().enumerate() {
            let Some(fields) = Object::parse(element) else { continue };
            let at = format!("{place}/{index}");
            let found = Fields { call: self, input: &fields, at };
            if found.missing(&mut ()).is_none() {
                bodies.extend(found.bodies(kind, outcome, trace).unwrap_or_default());
            }
        }
        (!bodies.is_empty()).then_some(Mapping::Events(bodies))
    }
}

/// Looks for the fields of a rule in one object.
struct Fields<'c, 'r, 'a, 'i> {
    call: &'c Call<'r, 'a>,
    input: &'i Object<'i>,
    at: String,
}

impl Fields<'_, '_, '_, '_> {
    fn sources(&self, field: Field) -> &[Source] {
        self.call.rule.fields.get(&field).map(Vec::as_slice).unwrap_or_default()
    }

    /// The JSON text at a source, and where that is.
    fn value(&self, source: &Source) -> Option<(&str, String)> {
        match source {
            Source::Key(key) => Some((self.input.get(key)?, format!("{}/{}", self.at, json::escaped(key)))),
            Source::Pointer(pointer) => {
                Some((json::pointer(self.call.base, pointer)?, format!("{}{pointer}", self.call.base_pointer)))
            }
            Source::Template(_) => None,
        }
    }

    fn text_at(&self, source: &Source) -> Option<Hit> {
        if let Source::Template(pieces) = source {
            let mut text = String::new();
            for piece in pieces {
                match piece {
                    Piece::Text(fixed) => text.push_str(fixed),
                    Piece::Field(field) => text.push_str(&self.text_of_plain(*field)?.text),
                }
            }
            return Some(Hit { text, pointer: String::new() });
        }
        let (value, pointer) = self.value(source)?;
        json::filled_string(value).map(|text| Hit { text: text.into_owned(), pointer })
    }

    /// A field from its plain sources: a template inside a template is not followed.
    fn text_of_plain(&self, field: Field) -> Option<Hit> {
        self.sources(field)
            .iter()
            .filter(|source| !matches!(source, Source::Template(_)))
            .find_map(|source| self.text_at(source))
    }

    /// Where a field was looked for, and what was there. `number` is whether a number is wanted.
    fn looked(&self, field: Field, hit: Option<usize>, number: bool) -> Vec<Looked> {
        let look = |(index, source): (usize, &Source)| {
            let (value, pointer) = self.value(source).unzip();
            let fits = if number {
                value.and_then(json::integer).is_some_and(|n| n > 0)
            } else {
                self.text_at(source).is_some()
            };
            let found = match value {
                _ if hit == Some(index) => Found::Hit,
                _ if fits => Found::Unneeded,
                None => Found::Absent,
                Some("\"\"") => Found::Empty,
                Some(_) => Found::Unfit,
            };
            Looked { source: source.to_string(), found, pointer }
        };
        self.sources(field).iter().enumerate().map(look).collect()
    }

    fn text(&self, field: Field, trace: &mut impl Trace) -> Option<String> {
        let sources = self.sources(field);
        let (index, hit) =
            sources.iter().enumerate().find_map(|(index, source)| Some((index, self.text_at(source)?)))?;
        trace.note(|| {
            let what = match sources.get(index) {
                Some(source @ Source::Template(_)) => format!("{} made from {source}", field.name()),
                _ => format!("{} is {}", field.name(), short(&hit.text)),
            };
            let pointer = (!hit.pointer.is_empty()).then(|| hit.pointer.clone());
            let keys = self.looked(field, Some(index), false);
            let why = format!("looked for {}", list(&keys, Some(index)));
            fine(Stage::Field, what, why, pointer).of_rule(&self.call.rule.id).with_keys(keys)
        });
        Some(hit.text)
    }

    /// A whole number above zero; anything else counts as absent.
    fn number(&self, field: Field, trace: &mut impl Trace) -> Option<u64> {
        let sources = self.sources(field);
        let read = |source: &Source| {
            let (value, pointer) = self.value(source)?;
            let number = u64::try_from(json::integer(value)?).ok().filter(|number| *number > 0)?;
            Some((number, pointer))
        };
        let (index, (number, pointer)) = sources.iter().enumerate().find_map(|(index, s)| Some((index, read(s)?)))?;
        trace.note(|| {
            let keys = self.looked(field, Some(index), true);
            let why = format!("looked for {}", list(&keys, Some(index)));
            let what = format!("{} is {number}", field.name());
            fine(Stage::Field, what, why, Some(pointer)).of_rule(&self.call.rule.id).with_keys(keys)
        });
        Some(number)
    }

    /// A required field that is nowhere.
    fn lacking(&self) -> Option<Field> {
        let rule = self.call.rule;
        let has = |field: &Field| self.sources(*field).iter().any(|source| self.text_at(source).is_some());
        match rule.require.iter().find(|field| !has(field)) {
            Some(field) => Some(*field),
            None if !rule.require_any.is_empty() && !rule.require_any.iter().any(has) => {
                rule.require_any.first().copied()
            }
            None => None,
        }
    }

    /// Why the rule cannot be applied: a required field is nowhere.
    fn missing(&self, trace: &mut impl Trace) -> Option<WhyUnknown> {
        let rule = self.call.rule;
        let lacking = self.lacking()?;
        let redacted = self.redacted(lacking);
        trace.note(|| {
            let fields: Vec<Field> =
                if rule.require.contains(&lacking) { vec![lacking] } else { rule.require_any.clone() };
            let lists: Vec<Vec<Looked>> = fields.iter().map(|field| self.looked(*field, None, false)).collect();
            let looked = lists.iter().map(|keys| list(keys, None)).collect::<Vec<_>>().join("; ");
            let all: Vec<Looked> = lists.into_iter().flatten().collect();
            let keys = self.input.keys().map(|key| format!("`{key}`")).collect::<Vec<_>>();
            let has = if keys.is_empty() { "no key at all".to_owned() } else { keys.join(", ") };
            let names = fields.iter().map(|field| field.name()).collect::<Vec<_>>().join(" or ");
            let pointer = Some(self.at.clone());
            if redacted {
                let why = format!("a sanitizer took the input out, so {looked} cannot be looked for");
                let what = format!("the input is redacted: no {names}");
                odd(Stage::Field, what, why, pointer).of_rule(&rule.id).with_keys(all)
            } else {
                let why = format!("{} needs it and looked for {looked}; the input has {has}", rule.id);
                odd(Stage::Field, format!("no {names}"), why, pointer).of_rule(&rule.id).with_keys(all)
            }
        });
        Some(if redacted { WhyUnknown::Redacted } else { WhyUnknown::Lacks(lacking.name()) })
    }

    fn redacted(&self, field: Field) -> bool {
        let marked = |value: &str| json::string(value).is_some_and(|text| text.starts_with("[redacted:"));
        self.input.get("redacted").is_some()
            || marked(&self.call.input)
            || self.sources(field).iter().filter_map(|source| self.value(source)).any(|(value, _)| marked(value))
    }

    fn bodies(&self, kind: Kind, outcome: &CallOutcome, trace: &mut impl Trace) -> Result<Vec<Body>, WhyUnknown> {
        let body = match kind {
            Kind::Read => {
                let path = self.text(Field::Path, trace).ok_or(WhyUnknown::Lacks("path"))?;
                let (start_line, end_line) = self.lines(trace);
                Body::Read { path, start_line, end_line }
            }
            Kind::Write => return self.writes(trace),
            Kind::Search => {
                let query = self.text(Field::Query, trace).ok_or(WhyUnknown::Lacks("query"))?;
                Body::Search { query, path: self.text(Field::Path, trace) }
            }
            Kind::List => Body::List { path: self.text(Field::Path, trace) },
            Kind::Skill => {
                let skill_name = self.text(Field::SkillName, trace);
                let path = self.text(Field::Path, trace).ok_or(WhyUnknown::Lacks("path"))?;
                Body::Skill { path, skill_name }
            }
            Kind::Orchestration => Body::Orchestration {
                action: match outcome.is_success {
                    Some(true) => SubagentAction::Completed,
                    Some(false) => SubagentAction::Failed,
                    None => SubagentAction::Started,
                },
                subagent_id: self.text(Field::SubagentId, trace),
                subagent_name: self.text(Field::SubagentName, trace),
            },
            // A table that names a kind which no call can be gives nothing that could be trusted.
            Kind::Agent | Kind::User | Kind::Reasoning | Kind::Error | Kind::Command | Kind::Unknown => {
                return Err(WhyUnknown::NoRule);
            }
        };
        Ok(vec![body])
    }

    fn writes(&self, trace: &mut impl Trace) -> Result<Vec<Body>, WhyUnknown> {
        if self.sources(Field::Patch).is_empty() {
            let path = self.text(Field::Path, trace).ok_or(WhyUnknown::Lacks("path"))?;
            return Ok(vec![Body::Write { path }]);
        }
        let patch = self.text(Field::Patch, trace).ok_or(WhyUnknown::Lacks("patch"))?;
        let files = patch::files(&patch);
        if files.is_empty() {
            trace.note(|| {
                let why = "the patch holds none of the markers `*** Add File:`, `*** Update File:`, `*** Delete File:`, `*** Move to:` in the first column";
                odd(Stage::Field, "no file named by the patch", why, Some(self.at.clone()))
            });
            return Err(WhyUnknown::Lacks("file markers"));
        }
        trace
            .note(|| fine(Stage::Field, format!("{} file(s) named by the patch", files.len()), files.join(", "), None));
        Ok(files.into_iter().map(|path| Body::Write { path: path.to_owned() }).collect())
    }

    fn lines(&self, trace: &mut impl Trace) -> (Option<u64>, Option<u64>) {
        let start = self.number(Field::StartLine, trace);
        let end = self.number(Field::EndLine, trace);
        let count = if end.is_none() { self.number(Field::LineCount, trace) } else { None };
        match (start, end, count) {
            (start, Some(end), _) => (start, Some(end).filter(|end| start.is_none_or(|start| *end >= start))),
            (None, None, Some(count)) => (Some(1), Some(count)),
            (Some(start), None, Some(count)) => (Some(start), Some(start.saturating_add(count) - 1)),
            (start, None, None) => (start, None),
        }
    }

    fn command(&self, outcome: &CallOutcome, trace: &mut impl Trace) -> Mapped {
        let rule = self.call.rule;
        let Some(command) = self.text(Field::Command, trace) else {
            return Mapped::new(rule.id.as_str(), Mapping::Unknown(WhyUnknown::Lacks("command")));
        };
        let mut working_directory = self.text(Field::WorkingDirectory, trace);
        if rule.shell {
            let classified = shell::classify(&command);
            trace.note(|| match &classified.operation {
                Some((id, _)) => fine(Stage::Shell, format!("a file operation: {id}"), classified.reason.clone(), None),
                None => fine(Stage::Shell, "not a file operation", classified.reason.clone(), None),
            });
            if let Some((id, operation)) = classified.operation {
                let result = Mapping::Events(vec![file_operation(operation)]);
                return Mapped { rule: id.to_owned(), result, command: Some(command) };
            }
            // The call starts in the one, and the command goes on to the other.
            working_directory = match (working_directory, classified.directory) {
                (Some(start), Some(directory)) => Some(shell::within(&start, &directory)),
                (start, directory) => start.or(directory),
            };
        }
        let body = Body::Command { command, working_directory, exit_code: outcome.exit_code() };
        Mapped::new(rule.id.as_str(), Mapping::Events(vec![body]))
    }
}

fn file_operation(operation: shell::Operation) -> Body {
    match operation {
        shell::Operation::Read { path, lines } => {
            Body::Read { path, start_line: lines.map(|(start, _)| start), end_line: lines.map(|(_, end)| end) }
        }
        shell::Operation::Write { path } => Body::Write { path },
        shell::Operation::Search { query, path } => Body::Search { query, path },
        shell::Operation::List { path } => Body::List { path },
    }
}

/// The places that were looked at up to the hit; what was there and did not do is said.
fn list(keys: &[Looked], hit: Option<usize>) -> String {
    let shown = hit.map_or(keys.len(), |hit| hit + 1);
    let word = |key: &Looked| match key.found {
        Found::Absent | Found::Unneeded => format!("`{}`", key.source),
        found => format!("`{}` ({})", key.source, found.words()),
    };
    keys.iter().take(shown).map(word).collect::<Vec<_>>().join(", ")
}

fn short(text: &str) -> String {
    let line: String = text.chars().take(80).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if line.len() < text.len() { format!("`{line}…`") } else { format!("`{line}`") }
}
