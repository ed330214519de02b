//! A fixture of the published mapping, checked moment by moment.

use super::moment::Moment;
use super::survey::Survey;
use super::table::{self, Channel, Mapped, Said};
use super::{Agent, Capture, Mode, todos};
use serde_json::{Map, Value, json};

/// One comparison.
#[derive(Debug, Clone, PartialEq)]
pub struct Check {
    /// What was compared: `session_created`, `todos`, `session_created (companion)`.
    pub name: String,
    /// What the fixture says.
    pub expected: Value,
    /// What the mapping gives: `type`, `data` and, where there is one, `subject`; null for nothing.
    pub got: Value,
}

impl Check {
    /// Whether both are the same JSON value.
    pub fn holds(&self) -> bool {
        self.expected == self.got
    }
}

/// Checks a fixture: its moments, each alone, its lists of tasks, its fallback, and its moments in both modes of the
/// event stream. The agent is the one that its first `data.client.name` names.
///
/// # Errors
///
/// What the document lacks to be such a fixture.
pub fn conformance(fixture: &Value) -> Result<Vec<Check>, String> {
    let moments = fixture.get("moments").and_then(Value::as_object).ok_or("it has no object `moments`")?;
    let agent = moments
        .values()
        .find_map(|moment| Agent::from_name(moment.pointer("/expected/data/client/name")?.as_str()?))
        .ok_or("no moment names its agent in `expected.data.client.name`")?;
    let mut survey = Survey::default();
    for moment in moments.values().filter_map(|moment| Moment::of(moment.get("input")?)) {
        survey.see(&moment);
    }
    let channel = |mode| Channel { agent, capture: Capture::Metadata, mode, has_hooks: survey.has_hooks() };
    let got = |input: Option<&Value>, mode| {
        input.and_then(Moment::of).map_or(json!("no moment"), |moment| shape(table::of(&moment, channel(mode))))
    };
    let mut checks = Vec::new();
    for (name, moment) in moments {
        let expected = moment.get("expected").cloned().unwrap_or_default();
        checks.push(Check { name: name.clone(), expected, got: got(moment.get("input"), Mode::Plugin) });
    }
    if let Some(todos) = fixture.get("todos") {
        checks.push(diff(todos));
    }
    if let Some(fallback) = fixture.get("fallback") {
        let expected = fallback.get("expected").cloned().unwrap_or_default();
        checks.push(Check { name: "fallback".to_owned(), expected, got: got(fallback.get("input"), Mode::Plugin) });
    }
    let modes = fixture.pointer("/sse_modes/modes").and_then(Value::as_object);
    for (name, modes) in modes.into_iter().flatten() {
        for (word, mode) in [("companion", Mode::Companion), ("primary", Mode::Primary)] {
            let Some(expected) = modes.get(word) else { continue };
            let input = moments.get(name).and_then(|moment| moment.get("input"));
            checks.push(Check { name: format!("{name} ({word})"), expected: expected.clone(), got: got(input, mode) });
        }
    }
    Ok(checks)
}

fn diff(fixture: &Value) -> Check {
    let list = |place: &str| fixture.pointer(place).and_then(Value::as_array).cloned().unwrap_or_default();
    let (before, after) = (list("/input/prev"), list("/input/next"));
    let got = todos::changes(&before, &after)
        .into_iter()
        .map(|(change, todo)| shape_of(Mapped::new(change.event_type(), Map::new()).about(todos::id(todo))))
        .collect();
    Check {
        name: "todos".to_owned(),
        expected: fixture.get("expected").cloned().unwrap_or_default(),
        got: Value::Array(got),
    }
}

fn shape(said: Said) -> Value {
    match said {
        Said::Event(mapped) => shape_of(*mapped),
        Said::Nothing(_) | Said::Todos => Value::Null,
    }
}

fn shape_of(mapped: Mapped) -> Value {
    let mut value = json!({"type": mapped.event_type, "data": mapped.data});
    if let (Some(subject), Some(fields)) = (mapped.subject, value.as_object_mut()) {
        fields.insert("subject".to_owned(), subject.into());
    }
    value
}
