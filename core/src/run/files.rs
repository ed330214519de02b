//! Files: which were touched, and the edits of one.

use super::Run;
use super::store::{EventColumn, NO_TIME};
use crate::changes::{self, Edit};
use crate::event::{Kind, Outcome};
use crate::files::{FileEvents, FileRow, Touch};
use crate::order::Order;
use crate::text::fold::FileEdit;
use crate::time::TimeMs;
use std::collections::{BTreeMap, HashMap};

impl Run {
    fn touching(&self) -> impl Iterator<Item = (u32, &EventColumn, &str)> {
        let dialects = self.dialects();
        let shown = (0u32..).zip(&self.events).filter(move |(_, event)| Run::shows(event, &dialects));
        shown.filter_map(|(id, event)| Some((id, event, self.strings.get(event.path)?)))
    }

    fn outcome_of(&self, event: &EventColumn) -> Option<Outcome> {
        self.calls.get(event.call as usize).map(|call| call.outcome)
    }

    /// The files that were read and written, by path.
    pub fn files_read_and_written(&self) -> Vec<FileRow> {
        let mut rows: BTreeMap<&str, FileRow> = BTreeMap::new();
        for (id, event, path) in self.touching() {
            let time = (event.time != NO_TIME).then_some(TimeMs(event.time));
            let touch = Touch { event: id, line: self.place(event.record).line, time };
            let row = rows.entry(path).or_insert_with(|| FileRow {
                path: path.to_owned(),
                same_as: None,
                reads: 0,
                writes: 0,
                failed: 0,
                first: touch.clone(),
                last: touch.clone(),
            });
            match event.kind {
                Kind::Read => row.reads += 1,
                _ => row.writes += 1,
            }
            row.failed += u64::from(matches!(self.outcome_of(event), Some(Outcome::Failed | Outcome::Rejected)));
            row.last = touch;
        }
        let mut by_name: HashMap<&str, Vec<&str>> = HashMap::new();
        for path in rows.keys() {
            by_name.entry(name_of(path)).or_default().push(path);
        }
        for (path, row) in &mut rows {
            let alike = by_name.get(name_of(path)).map(Vec::as_slice).unwrap_or_default();
            let mut ends = alike.iter().filter(|long| is_end(path, long));
            row.same_as = ends.next().filter(|_| ends.next().is_none()).map(|long| (*long).to_owned());
        }
        rows.into_values().collect()
    }

    /// The events of a file. A relative path that ends just one absolute path of the log is taken for the same file.
    pub fn events_of_file(&self, path: &str) -> FileEvents {
        let mut paths: Vec<&str> = self.touching().map(|(_, _, path)| path).collect();
        paths.order();
        paths.dedup();
        let whole = |short: &str| {
            let mut ends = paths.iter().filter(|long| is_end(short, long));
            ends.next().filter(|_| ends.next().is_none()).copied()
        };
        let long = whole(path).unwrap_or(path);
        let mut names: Vec<String> = vec![path.to_owned()];
        let others = paths.iter().filter(|other| **other != path && (**other == long || whole(other) == Some(long)));
        names.extend(others.map(|other| (*other).to_owned()));
        let is_named = |path: &str| names.iter().any(|name| name == path);
        let events = self.touching().filter(|(_, _, path)| is_named(path)).map(|(id, ..)| id).collect();
        FileEvents { names, events }
    }

    /// What an event did to a file, from the bytes of its line: its edits, or that it read all of it. None where the
    /// call failed, or the record does not tell.
    pub fn edits_of_event(&self, id: u32, line: &[u8], names: &[String]) -> Vec<FileEdit> {
        let Some(event) = self.events.get(id as usize) else { return Vec::new() };
        let Some(row) = self.records.get(event.record as usize) else { return Vec::new() };
        if matches!(self.outcome_of(event), Some(Outcome::Failed | Outcome::Rejected)) {
            return Vec::new();
        }
        let source = self.records.get(event.source as usize);
        let text = self.text_of(row, source, line);
        let edits = self.read(row, &text, |line, _| {
            let Ok(line) = line else { return Vec::new() };
            if event.kind == Kind::Read { changes::seen(line).into_iter().collect() } else { changes::edits(line) }
        });
        let is_only = edits.len() == 1;
        let is_of_file = |edit: &Edit| {
            let of = |name: &String| *name == edit.path || is_end(&edit.path, name) || is_end(name, &edit.path);
            let is_alias = |alias: &String| names.contains(alias);
            is_only || edit.path.is_empty() || names.iter().any(of) || edit.alias.as_ref().is_some_and(is_alias)
        };
        edits.into_iter().filter(is_of_file).map(|edit| edit.edit).collect()
    }

    /// The row of an event.
    pub fn event(&self, id: u32) -> Option<crate::view::EventRow> {
        let places = self.session_places().0.into_iter().zip(0..).collect();
        self.events.get(id as usize).map(|event| self.event_row(id, event, &places))
    }
}

/// The last part of a path.
fn name_of(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// Whether a relative path is the end of an absolute one.
fn is_end(short: &str, long: &str) -> bool {
    let is_absolute = |path: &str| path.starts_with('/') || path.as_bytes().get(1) == Some(&b':');
    let short = short.strip_prefix("./").unwrap_or(short);
    let behind = long.strip_suffix(short);
    !short.is_empty()
        && !is_absolute(short)
        && is_absolute(long)
        && behind.is_some_and(|rest| rest.ends_with(['/', '\\']))
}
