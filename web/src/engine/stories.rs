//! What is put together from many records: the story of a file, and the transcript.

use js_sys::Date;
use steplens_core::event::Kind;
use steplens_core::files::{FileStory, StoryPart};
use steplens_core::text::fold::{FileEdit, fold};
use steplens_core::time::TimeMs;
use steplens_core::transcript::{Entry, Transcript, write_markdown};
use steplens_core::view::{Filter, Row};
use wasm_bindgen::JsValue;

use super::protocol::Answer;
use super::reader;
use super::session::Shared;

/// Events of one file that its story tells of at most.
const EVENTS: usize = 500;
/// Bytes of one message that the transcript shows at most.
const MESSAGE: usize = 30_000;
/// Bytes of a transcript as Markdown at most.
const MARKDOWN: usize = 20_000_000;
/// Entries that are read together.
const STRIDE: u64 = 200;

/// The bytes of the line of an event; none where it cannot be read.
async fn line(session: &Shared, id: u32) -> Option<Vec<u8>> {
    let (span, blob) = {
        let this = session.borrow();
        let span = this.run.span_of_event(id)?;
        (span, this.files.get(span.file as usize)?.blob.clone())
    };
    reader::read(&blob, span.offset, span.offset + span.len).await.ok()
}

/// Lines of a file that follow one another, read together: a read costs the browser more than its bytes do.
#[derive(Default)]
struct Ahead {
    opening: u32,
    file: u32,
    start: u64,
    bytes: Vec<u8>,
}

impl Ahead {
    /// Bytes that are read at once.
    const LEN: u64 = 128 * 1024;

    /// The bytes of the line of an event; none where it cannot be read.
    async fn line(&mut self, session: &Shared, id: u32) -> Option<&[u8]> {
        let (span, opening, blob) = {
            let this = session.borrow();
            let span = this.run.span_of_event(id)?;
            (span, this.opening, this.files.get(span.file as usize)?.blob.clone())
        };
        let end = span.offset + span.len;
        let is_held = self.opening == opening
            && self.file == span.file
            && (self.start..=self.start + self.bytes.len() as u64).contains(&span.offset)
            && end <= self.start + self.bytes.len() as u64;
        if !is_held {
            self.bytes = reader::read(&blob, span.offset, end.max(span.offset + Self::LEN)).await.ok()?;
            (self.opening, self.file, self.start) = (opening, span.file, span.offset);
        }
        let from = usize::try_from(span.offset - self.start).ok()?;
        self.bytes.get(from..from + usize::try_from(span.len).ok()?)
    }
}

/// The story of a file.
pub(super) async fn story(session: &Shared, path: String) -> Answer {
    let (opening, found) = {
        let this = session.borrow();
        (this.opening, this.run.events_of_file(&path))
    };
    let mut story = FileStory {
        aliases: found.names.iter().skip(1).cloned().collect(),
        left_out: found.events.len().saturating_sub(EVENTS) as u64,
        path,
        ..FileStory::default()
    };
    let mut edits: Vec<FileEdit> = Vec::new();
    let mut of: Vec<u32> = Vec::new();
    for id in found.events.into_iter().take(EVENTS) {
        let bytes = line(session, id).await;
        let this = session.borrow();
        if this.opening != opening {
            return Answer::Lost;
        }
        let Some(row) = this.run.event(id) else { continue };
        let own = bytes.map(|bytes| this.run.edits_of_event(id, &bytes, &found.names)).unwrap_or_default();
        story.untold +=
            u64::from(own.is_empty() && row.kind != Kind::Read && row.outcome.is_some_and(|o| o.name() == "ok"));
        of.extend(own.iter().map(|_| id));
        edits.extend(own);
        story.events.push(row);
    }
    for part in fold(&story.path, &edits) {
        let range = part.edits.0..=part.edits.1;
        let is_change =
            edits.get(range.clone()).is_some_and(|edits| edits.iter().any(|e| !matches!(e, FileEdit::Seen(_))));
        if is_change {
            let events = of.get(range).map(<[u32]>::to_vec).unwrap_or_default();
            story.parts.push(StoryPart { events, diff: part.diff, why: part.why.map(str::to_owned) });
        }
    }
    Answer::Story(Box::new(story))
}

/// A stretch of the transcript.
pub(super) async fn transcript(session: &Shared, start: u64, len: u64) -> Answer {
    let window = {
        let this = session.borrow();
        let view = this.run.view(&Filter { session: this.filter.session, ..Filter::default() });
        this.run.window(&view, start..start.saturating_add(len))
    };
    let mut entries = Vec::with_capacity(window.rows.len());
    let mut ahead = Ahead::default();
    for row in window.rows {
        let (mut text, mut left_out) = (None, 0);
        if let Row::Event(event) = &row
            && matches!(event.kind, Kind::Agent | Kind::User | Kind::Reasoning | Kind::Error)
            && let Some(bytes) = ahead.line(session, event.id).await
        {
            let whole = session.borrow().run.detail(event.id, bytes).and_then(|detail| detail.output.or(detail.error));
            if let Some(mut whole) = whole {
                let end = whole.floor_char_boundary(MESSAGE);
                left_out = (whole.len() - end) as u64;
                whole.truncate(end);
                text = Some(whole);
            }
        }
        entries.push(Entry { row, text, left_out });
    }
    Answer::Transcript(Transcript { start: window.start, total: window.total, entries })
}

/// `2026-01-03 13:56:40 UTC+01:00`, in UTC or in the reader's own zone.
fn stamp(text: &str, utc: bool) -> Option<String> {
    let TimeMs(ms) = TimeMs::from_rfc3339(text)?;
    // Minutes that the reader's clock is behind UTC.
    let behind = if utc { 0.0 } else { Date::new(&JsValue::from_f64(ms as f64)).get_timezone_offset() };
    let (day, time) =
        TimeMs(ms - behind as i64 * 60_000).to_rfc3339()?.split_once('T').map(|(d, t)| (d.to_owned(), t.to_owned()))?;
    let minutes = behind.abs() as i64;
    let sign = if behind > 0.0 { '−' } else { '+' };
    let zone = if utc { String::new() } else { format!("{sign}{:02}:{:02}", minutes / 60, minutes % 60) };
    Some(format!("{day} {} UTC{zone}", time.get(..8)?))
}

/// The transcript as Markdown, with the start of the run in the zone that the reader chose.
pub(super) async fn markdown(session: &Shared, title: String, utc: bool) -> Answer {
    let mut out = format!("# {title}\n");
    let started = session.borrow().run.summary().total.started_at;
    if let Some(started) = started.and_then(|at| stamp(&at, utc)) {
        out.push_str(&format!("\n*Started {started}.*\n"));
    }
    let mut at = 0;
    loop {
        let Answer::Transcript(part) = transcript(session, at, STRIDE).await else { break };
        for entry in &part.entries {
            write_markdown(&mut out, entry);
        }
        at += part.entries.len() as u64;
        if part.entries.is_empty() || at >= part.total {
            break;
        }
        if out.len() > MARKDOWN {
            out.push_str(&format!("\n*Left out: {} further entries.*\n", part.total - at));
            break;
        }
    }
    Answer::Text(out)
}
