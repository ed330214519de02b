//! Lists of tasks: from calls of `todowrite`, and from the bus event `todo.updated`. A bus log holds both, and they say the
//! same: there the events count.

use super::Run;
use super::asks::When;
use super::store::NONE;
use crate::format::wire::Line;
use crate::json::{self, Object, elements, fingerprint_of_bytes};
use crate::order::Order;
use crate::time::TimeMs;
use crate::todo::{POINTS, TodoItem, TodoPoint, TodoSummary};
use std::collections::{BTreeMap, HashSet};

/// How many tasks of a list are kept.
const ITEMS: usize = 200;
/// The longest text of one, in bytes.
const LONGEST: usize = 240;

/// How a list stood at a record.
#[derive(Debug, Clone)]
pub(crate) struct TodoRow {
    pub(crate) session: u32,
    record: u32,
    time: When,
    /// The call that wrote it; [`NONE`] for an event.
    call: u32,
    items: Vec<TodoItem>,
}

/// All lists, in the order in which they were read.
#[derive(Debug, Default)]
pub(crate) struct Todos {
    pub(crate) rows: Vec<TodoRow>,
    /// Ids of the events that were taken: a log may be open twice.
    seen: HashSet<u64>,
}

impl Run {
    /// A list that a bus event tells.
    pub(super) fn take_todos(&mut self, text: &str, session: u32, record: u32, wrapper: i64) {
        let Some(event) = Object::parse(text) else { return };
        let id = event.get("id").and_then(json::filled_string);
        if id.as_deref().is_some_and(|id| !self.todos.seen.insert(fingerprint_of_bytes(id.as_bytes()).0)) {
            return;
        }
        let properties = event.get("properties").and_then(Object::parse).unwrap_or_default();
        let Some(items) = properties.get("todos").and_then(items) else { return };
        self.todos.rows.push(TodoRow {
            session,
            record,
            time: When::of(wrapper, id.as_deref(), None, None),
            call: NONE,
            items,
        });
    }

    /// A list that a call wrote.
    pub(super) fn take_todo_call(&mut self, line: &Line<'_>, session: u32, record: u32, call: u32, time: i64) {
        if line.says_success() != Some(true) {
            return;
        }
        let of = |text: &str| Object::parse(text).and_then(|object| object.get("todos").and_then(items));
        let Some(items) = line.input().and_then(|input| of(input.value)) else { return };
        let row = TodoRow { session, record, time: When::of(time, None, None, None), call, items };
        match self.todos.rows.iter_mut().rev().find(|row| row.call == call) {
            Some(known) => *known = row,
            None => self.todos.rows.push(row),
        }
    }

    /// The lists of the sessions that are asked for, in their order.
    pub(super) fn todo_summaries(&self, places: &[u32]) -> Vec<TodoSummary> {
        let mut of_session: BTreeMap<u32, Vec<&TodoRow>> = BTreeMap::new();
        for row in &self.todos.rows {
            of_session.entry(row.session).or_default().push(row);
        }
        places.iter().filter_map(|place| Some(self.todo_summary(*place, of_session.remove(place)?))).collect()
    }

    fn todo_summary(&self, session: u32, mut rows: Vec<&TodoRow>) -> TodoSummary {
        if rows.iter().any(|row| row.call == NONE) {
            rows.retain(|row| row.call == NONE);
        }
        rows.order_by_key(|row| row.record);
        rows.dedup_by(|next, last| next.items == last.items);
        let changes = rows.len() as u64;
        let every = rows.len().div_ceil(POINTS).max(1);
        let last = rows.len().saturating_sub(1);
        let kept = rows.iter().enumerate().filter(|(index, _)| index % every == 0 || *index == last);
        TodoSummary {
            session: self.sessions.get(session).and_then(|row| self.strings.get(row.id)).map(str::to_owned),
            points: kept.map(|(_, row)| self.todo_point(row)).collect(),
            changes,
            items: rows.last().map(|row| row.items.clone()).unwrap_or_default(),
        }
    }

    fn todo_point(&self, row: &TodoRow) -> TodoPoint {
        let place = self.place(row.record);
        let time = self.moment_of(row.session, row.time);
        let count = |status: &str| row.items.iter().filter(|item| item.status == status).count() as u64;
        let (completed, in_progress, cancelled) = (count("completed"), count("in_progress"), count("cancelled"));
        TodoPoint {
            file: place.file,
            line: place.line,
            at: time.and_then(|(ms, _)| TimeMs(ms).to_rfc3339()),
            at_from: time.map(|(_, from)| from),
            completed,
            in_progress,
            cancelled,
            pending: row.items.len() as u64 - completed - in_progress - cancelled,
        }
    }
}

/// The tasks of a list.
fn items(text: &str) -> Option<Vec<TodoItem>> {
    let item = |text: &str| {
        let task = Object::parse(text)?;
        let string = |key: &str| task.get(key).and_then(json::string);
        let mut content = string("content")?.into_owned();
        if content.len() > LONGEST {
            content.truncate(content.floor_char_boundary(LONGEST - 3));
            content.push('…');
        }
        Some(TodoItem { content, status: string("status").unwrap_or_default().into_owned() })
    };
    Some(elements(text)?.into_iter().take(ITEMS).filter_map(item).collect())
}
