//! A list of tasks, and what changed in it.

use serde_json::Value;

/// A change that is worth an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    Planned,
    Completed,
}

impl Change {
    pub(super) fn event_type(self) -> &'static str {
        match self {
            Change::Planned => "progress.task.planned",
            Change::Completed => "progress.task.completed",
        }
    }
}

/// A task's id; newer harnesses give none, then its text is what tells it from others.
pub(super) fn id(todo: &Value) -> Option<&str> {
    ["id", "content"].into_iter().find_map(|key| todo.get(key)?.as_str().filter(|text| !text.is_empty()))
}

fn is_completed(todo: &Value) -> bool {
    todo.get("status").and_then(Value::as_str) == Some("completed")
}

/// Changes from one list to the next, in the next one's order. Removals, and changes of anything but completion, are
/// silent.
pub(super) fn changes<'a>(before: &[Value], after: &'a [Value]) -> Vec<(Change, &'a Value)> {
    let mut changes = Vec::new();
    for (index, todo) in after.iter().enumerate() {
        let Some(name) = id(todo) else { continue };
        if after.iter().take(index).any(|other| id(other) == Some(name)) {
            continue;
        }
        let known = before.iter().find(|todo| id(todo) == Some(name));
        if known.is_none() {
            changes.push((Change::Planned, todo));
        }
        if is_completed(todo) && !known.is_some_and(is_completed) {
            changes.push((Change::Completed, todo));
        }
    }
    changes
}
