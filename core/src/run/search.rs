//! Search over the records of a run: what is to be read for it, and which rows hold a hit.

use super::store::{EventColumn, Text};
use super::{Run, Span};
use crate::order::Order;
use crate::search::{Chunk, Found, Needle, Place, Search, Snippet, each_text};
use crate::view::{Item, Row, View, Window};
use std::ops::ControlFlow;

/// Bytes between two records that are rather read than left out.
const GAP: u64 = 256 << 10;

impl Run {
    /// What is still to be read for a search, in the order of the files, in chunks of about so many bytes; a longer
    /// record is a chunk of its own. Only records that hold the values of an event count.
    pub fn search_plan(&self, search: &Search, chunk_bytes: u64) -> Vec<Chunk> {
        let live = self.events.iter().filter(|event| event.live).map(|event| event.source);
        let mut records: Vec<u32> = live.filter(|record| !search.is_known(*record)).collect();
        let place = |record: &u32| self.records.get(*record as usize).map(|row| (row.file, row.offset));
        // Nearly sorted already; not so where a later line holds the values.
        records.order_by_key(|record| (place(record), *record));
        records.dedup();
        let mut chunks: Vec<Chunk> = Vec::new();
        for record in records {
            let Some(span) = self.span_of(record) else { continue };
            let end = span.offset + span.len;
            match chunks.last_mut() {
                Some(chunk)
                    if chunk.file == span.file
                        && end.max(chunk.end) - chunk.start <= chunk_bytes
                        && span.offset <= chunk.end + GAP =>
                {
                    chunk.end = chunk.end.max(end);
                    chunk.records.push(record);
                }
                _ => chunks.push(Chunk { file: span.file, start: span.offset, end, records: vec![record] }),
            }
        }
        chunks
    }

    fn span_of(&self, record: u32) -> Option<Span> {
        self.span(super::RecordId(record))
    }

    /// Searches the records of a chunk, from the bytes that it names.
    pub fn search_chunk(&self, search: &mut Search, chunk: &Chunk, bytes: &[u8]) {
        for record in &chunk.records {
            let Some(span) = self.span_of(*record) else { continue };
            let start = span.offset.saturating_sub(chunk.start) as usize;
            let hit = bytes
                .get(start..start + span.len as usize)
                .and_then(|line| self.hit_in(search.needle(), *record, line));
            search.learn(*record, hit);
        }
    }

    /// The first hit in a record, from the bytes of its line.
    fn hit_in(&self, needle: &Needle, record: u32, line: &[u8]) -> Option<(Place, Snippet)> {
        let row = self.records.get(record as usize)?;
        let is_wide = self.state_of(usize::from(row.file)).is_some_and(|state| state.encoding().is_wide());
        if !is_wide && !needle.may_be_in(line) {
            return None;
        }
        let text = self.text_of(row, Some(row), line);
        if is_wide && !needle.may_be_in(text.as_bytes()) {
            return None;
        }
        self.read(row, &text, |parsed, text| {
            each_text(parsed, text, |place, text| match needle.find(text, 0) {
                Some(range) => ControlFlow::Break((place, Snippet::of(text, &range))),
                None => ControlFlow::Continue(()),
            })
        })
    }

    /// Rows of the list with a hit, in order, as indices into the view. Of several events of one record those count whose
    /// rows hold it; where none does, the first.
    pub fn search_hits(&self, search: &mut Search, view: &View) -> Vec<u64> {
        self.search_rows(search);
        let search = &*search;
        let events = (0u64..).zip(&view.items).filter_map(|(index, item)| match item {
            Item::Event(event) => Some((index, *event)),
            Item::Step(_) | Item::Ask(_) => None,
        });
        self.hits_of(search, events)
    }

    /// How many hits there are in all events of the chosen dialect, whatever a filter hides.
    pub fn search_count(&self, search: &mut Search) -> u64 {
        self.search_rows(search);
        let dialects = self.dialects();
        let shown = |(id, event): (u32, &EventColumn)| Run::shows(event, &dialects).then_some((u64::from(id), id));
        self.hits_of(search, (0u32..).zip(&self.events).filter_map(shown)).len() as u64
    }

    fn hits_of(&self, search: &Search, events: impl Iterator<Item = (u64, u32)>) -> Vec<u64> {
        let mut hits = Vec::new();
        // The first event of the record, where its text holds a hit that no row has shown yet.
        let mut pending: Option<(u32, u64)> = None;
        let mut shown: Option<u32> = None;
        for (index, id) in events {
            let Some(event) = self.events.get(id as usize) else { continue };
            if pending.is_some_and(|(record, _)| record != event.record) {
                hits.extend(pending.take().map(|(_, index)| index));
            }
            if search.is_in_row(id) {
                pending = None;
                shown = Some(event.record);
                hits.push(index);
            } else if pending.is_none() && shown != Some(event.record) && search.place(event.source).is_some() {
                pending = Some((event.record, index));
            }
        }
        hits.extend(pending.map(|(_, index)| index));
        hits
    }

    /// Notes in each row of a window what the search found in its event.
    pub fn search_note(&self, search: &mut Search, window: &mut Window) {
        self.search_rows(search);
        for row in &mut window.rows {
            if let Row::Event(row) = row {
                row.found = self.found(search, row.id);
            }
        }
    }

    /// What the search found in an event; none where at most its row holds it.
    pub fn search_found(&self, search: &mut Search, id: u32) -> Option<Found> {
        self.search_rows(search);
        self.found(search, id)
    }

    fn found(&self, search: &Search, id: u32) -> Option<Found> {
        let event = self.events.get(id as usize)?;
        let place = search.place(event.source)?;
        let snippet = if search.is_in_row(id) { None } else { search.snippet(event.source).cloned() };
        Some(Found { place, snippet })
    }

    /// Looks at the texts that rows show.
    fn search_rows(&self, search: &mut Search) {
        search.look_at_rows(self.events.len(), |needle, id| {
            self.events.get(id).is_some_and(|event| {
                let holds = |text: Text| needle.find(self.texts.get(text), 0).is_some();
                let call = self.calls.get(event.call as usize);
                let tool = call.and_then(|call| self.strings.get(call.written));
                [event.summary, event.aside, event.note].into_iter().any(holds)
                    || tool.is_some_and(|tool| needle.find(tool, 0).is_some())
            })
        });
    }

    /// What was searched: events of the chosen dialect, and the bytes of their records.
    pub fn search_ground(&self) -> (u64, u64) {
        let dialects = self.dialects();
        let shown = self.events.iter().filter(|event| Run::shows(event, &dialects));
        let mut last = None;
        shown.fold((0, 0), |(events, bytes), event| {
            let again = last.replace(event.source) == Some(event.source);
            let len = self.span_of(event.source).filter(|_| !again).map_or(0, |span| span.len);
            (events + 1, bytes + len)
        })
    }
}
