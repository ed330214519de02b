//! The events of a log as a list: a row a moment that gave none, a row an event else; runs as spans, and pairs.

use super::envelope::Envelope;
use super::mapper::{Fate, Place, Totals};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};

/// Which rows are shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Show {
    /// All.
    #[default]
    All,
    /// Events of core types.
    Core,
    /// Events of vendor types.
    Vendor,
    /// Moments that gave no event, and those that were there before.
    Silent,
}

impl Show {
    /// All, in the order in which they are offered.
    pub const ALL: [Show; 4] = [Show::All, Show::Core, Show::Vendor, Show::Silent];

    /// Its word.
    pub fn name(self) -> &'static str {
        match self {
            Show::All => "all",
            Show::Core => "core",
            Show::Vendor => "vendor",
            Show::Silent => "silent",
        }
    }
}

/// What a row is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum AepKind {
    /// An event of a core type.
    Core,
    /// An event of a vendor type.
    Vendor,
    /// A moment that deliberately gave none, and why.
    Suppressed(String),
    /// A moment that was there before.
    Duplicate,
}

/// One row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AepRow {
    /// Names it, from 0.
    pub id: u32,
    /// What it is.
    pub kind: AepKind,
    /// The event's type; of a moment without one its own name.
    pub name: String,
    /// File, by its place in the summary.
    pub file: u32,
    /// Line, from 1.
    pub line: u64,
    /// Which row of its line it is, from 1: with file and line it names the row in any list.
    pub nth: u32,
    /// When, in milliseconds since the epoch.
    pub time_ms: Option<i64>,
    /// Its session's id.
    pub session: Option<String>,
    /// Its place in its session, from 0.
    pub seq: Option<u64>,
    /// What it is about.
    pub subject: Option<String>,
    /// The number of its run in its session, from 1.
    pub run: Option<u64>,
    /// How long after the event that it answers it came: of a call, of a request to a person.
    pub pair_ms: Option<u64>,
    /// `error` or `debug`.
    pub severity: Option<String>,
}

/// A run of a session, from its start to its end.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunSpan {
    /// The session's id.
    pub session: String,
    /// Its number in it, from 1.
    pub number: u64,
    /// Its start, in milliseconds since the epoch.
    pub from_ms: i64,
    /// Its end; none where the log does not tell it.
    pub to_ms: Option<i64>,
    /// How it ended: `run.finished`, `run.failed`, `run.cancelled`.
    pub end: Option<String>,
    /// Events in it.
    pub events: u64,
    /// The row at which it starts.
    pub row: u32,
}

/// What a list is of.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct AepHead {
    /// The agent that the events name.
    pub agent: String,
    /// The permission surface, as a sentence without a full stop.
    pub surface: String,
    /// What tells it.
    pub evidence: Vec<String>,
    /// Moments; 0 for a run stream.
    pub moments: u64,
    /// Moments that gave events.
    pub mapped: u64,
    /// Moments that deliberately gave none.
    pub suppressed: u64,
    /// Moments that were there before.
    pub duplicates: u64,
    /// Events of core types.
    pub core: u64,
    /// Events of vendor types.
    pub vendor: u64,
    /// Moments of which no time is known.
    pub without_time: u64,
    /// Moments of which no session is known.
    pub without_session: u64,
    /// Calls and requests that were answered.
    pub pairs: u64,
    /// Events by type: most first, then by name.
    pub types: Vec<(String, u64)>,
    /// Runs, the first 200.
    pub runs: Vec<RunSpan>,
}

/// How many runs are listed.
pub(super) const RUNS: usize = 200;
/// Bytes of events that are kept to be shown one by one.
const KEPT: usize = 96 << 20;

/// Gathers the rows of a log.
#[derive(Debug, Default)]
pub struct Rows {
    rows: Vec<AepRow>,
    /// The events' lines of JSON, one after the other, and where each row's stands.
    lines: String,
    places: Vec<(usize, usize)>,
    times: HashMap<String, i64>,
    types: BTreeMap<String, u64>,
    runs: Vec<RunSpan>,
    run_of: HashMap<String, usize>,
    head: AepHead,
}

impl Rows {
    /// Takes what became of a record; `name` is that of its moment.
    pub fn take(&mut self, place: Place, name: Option<&str>, fate: &Fate) {
        let nth = self.nth(place);
        let silent = |id: usize, kind: AepKind| AepRow {
            id: u32::try_from(id).unwrap_or(u32::MAX),
            kind,
            name: name.unwrap_or("record").to_owned(),
            file: place.file,
            line: place.line,
            nth,
            time_ms: None,
            session: None,
            seq: None,
            subject: None,
            run: None,
            pair_ms: None,
            severity: None,
        };
        let kind = match fate {
            Fate::Mapped(events) => return events.iter().for_each(|event| self.event(place, event)),
            Fate::Suppressed(why) => AepKind::Suppressed((*why).to_owned()),
            Fate::Duplicate => AepKind::Duplicate,
        };
        let row = silent(self.rows.len(), kind);
        self.places.push((0, 0));
        self.rows.push(row);
    }

    fn event(&mut self, place: Place, event: &Envelope) {
        let id = u32::try_from(self.rows.len()).unwrap_or(u32::MAX);
        let time = (event.time.0 != 0).then_some(event.time.0);
        let asked = event.cause.as_ref().and_then(|cause| self.times.get(cause).copied());
        let pair = asked.zip(time).and_then(|(from, to)| u64::try_from(to - from).ok());
        self.head.pairs += u64::from(event.cause.is_some());
        if let Some(time) =
            time.filter(|_| matches!(event.event_type.as_str(), "tool.requested" | "attention.requested"))
        {
            self.times.insert(event.id.clone(), time);
        }
        *self.types.entry(event.event_type.clone()).or_default() += 1;
        if let Some(name) = &event.run {
            self.run(name, event, id);
        }
        let (kind, count) = match event.is_vendor() {
            true => (AepKind::Vendor, &mut self.head.vendor),
            false => (AepKind::Core, &mut self.head.core),
        };
        *count += 1;
        let nth = self.nth(place);
        let start = self.lines.len();
        if start < KEPT {
            self.lines.push_str(&event.to_json_line());
        }
        self.places.push((start, self.lines.len()));
        self.rows.push(AepRow {
            id,
            kind,
            name: event.event_type.clone(),
            file: place.file,
            line: place.line,
            nth,
            time_ms: time,
            session: event.session.clone(),
            seq: event.seq,
            subject: event.subject.clone(),
            run: event.run.as_ref().and_then(|run| run.rsplit('/').next()?.parse().ok()),
            pair_ms: pair,
            severity: event.severity.map(str::to_owned),
        });
    }

    /// Which row of its line the next one is.
    fn nth(&self, place: Place) -> u32 {
        let last = self.rows.last().filter(|row| (row.file, row.line) == (place.file, place.line));
        last.map_or(1, |row| row.nth.saturating_add(1))
    }

    fn run(&mut self, name: &str, event: &Envelope, row: u32) {
        let place = *self.run_of.entry(name.to_owned()).or_insert_with(|| {
            let number = name.rsplit('/').next().and_then(|number| number.parse().ok()).unwrap_or(0);
            let session = event.session.clone().unwrap_or_default();
            self.runs.push(RunSpan { session, number, from_ms: event.time.0, row, ..RunSpan::default() });
            self.runs.len() - 1
        });
        let Some(run) = self.runs.get_mut(place) else { return };
        run.events += 1;
        if matches!(event.event_type.as_str(), "run.finished" | "run.failed" | "run.cancelled") {
            run.to_ms = Some(event.time.0);
            run.end = Some(event.event_type.clone());
        }
    }

    /// What the list is of, once all was taken.
    pub fn finish(&mut self, agent: &str, surface: &str, evidence: Vec<String>, totals: Totals) {
        let mut types: Vec<(String, u64)> = std::mem::take(&mut self.types).into_iter().collect();
        types.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        let runs = self.runs.iter().take(RUNS).cloned().collect();
        self.head = AepHead {
            agent: agent.to_owned(),
            surface: surface.to_owned(),
            evidence,
            moments: totals.moments,
            mapped: totals.mapped,
            suppressed: totals.suppressed,
            duplicates: totals.duplicates,
            without_time: totals.without_time,
            without_session: totals.without_session,
            types,
            runs,
            ..std::mem::take(&mut self.head)
        };
    }

    /// What the list is of.
    pub fn head(&self) -> &AepHead {
        &self.head
    }

    /// The places of the rows that are shown: of those, whose type or subject holds the text.
    pub fn shown(&self, show: Show, text: &str) -> Vec<u32> {
        let text = text.to_lowercase();
        let holds = |row: &&AepRow| {
            let is_of = match show {
                Show::All => true,
                Show::Core => row.kind == AepKind::Core,
                Show::Vendor => row.kind == AepKind::Vendor,
                Show::Silent => matches!(row.kind, AepKind::Suppressed(_) | AepKind::Duplicate),
            };
            let subject = || row.subject.as_ref().is_some_and(|subject| subject.to_lowercase().contains(&text));
            is_of && (text.is_empty() || row.name.to_lowercase().contains(&text) || subject())
        };
        self.rows.iter().filter(holds).map(|row| row.id).collect()
    }

    /// A row.
    pub fn get(&self, id: u32) -> Option<&AepRow> {
        self.rows.get(id as usize)
    }

    /// Where a row stands among those that are shown, by what names it.
    pub fn find(&self, shown: &[u32], file: u32, line: u64, nth: u32) -> Option<u64> {
        let is_it = |id: &u32| self.get(*id).is_some_and(|row| (row.file, row.line, row.nth) == (file, line, nth));
        shown.iter().position(is_it).map(|place| place as u64)
    }

    /// The event of a row, as its line of JSON; none where it gave none, or is not kept.
    pub fn line(&self, id: u32) -> Option<&str> {
        let (from, to) = *self.places.get(id as usize)?;
        self.lines.get(from..to).filter(|line| !line.is_empty())
    }
}
