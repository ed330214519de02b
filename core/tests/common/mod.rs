//! What all tests over whole logs share: reading a log in pieces, the invariants that hold of every log, and the dump
//! that a fixture's snapshot keeps.

// Each test program uses a part of it.
#![allow(dead_code)]

pub(crate) mod build;
pub(crate) mod dump;
pub(crate) mod generate;
pub(crate) mod lines;
pub(crate) mod overview;
pub(crate) mod proofs;
pub(crate) mod secrets;

use std::fs;
use std::path::PathBuf;
use steplens_core::event::Event;
use steplens_core::run::{DialectChoice, Options, RecordId, Run, Span};

/// Sizes of the pieces in which a log is pushed: every one must give the same run.
pub(crate) const CHUNKS: [usize; 3] = [1, 7, 64 << 10];

/// A log, with the name that it is opened under before it.
pub(crate) type File<'a> = (&'a str, &'a [u8]);

/// A run, and the bytes that it was read from.
pub(crate) struct Opened<'a> {
    pub(crate) run: Run,
    pub(crate) files: Vec<File<'a>>,
}

/// Reads files into one run.
pub(crate) fn open<'a>(files: &[File<'a>], dialect: DialectChoice, chunk: usize) -> Opened<'a> {
    let mut run = Run::new(Options { dialect, ..Options::default() });
    for (name, bytes) in files {
        run.begin_file(name);
        bytes.chunks(chunk).for_each(|piece| run.push(piece));
        run.end_file();
    }
    Opened { run, files: files.to_vec() }
}

/// Reads one log, whole, under the name `run.jsonl`.
pub(crate) fn read(log: &str) -> Run {
    let files = [("run.jsonl", log.as_bytes())];
    open(&files, DialectChoice::Auto, 64 << 10).run
}

/// The events of one log, as the values of their JSON lines.
pub(crate) fn events(log: &str, dialect: DialectChoice) -> Vec<serde_json::Value> {
    let files = [("run.jsonl", log.as_bytes())];
    open(&files, dialect, 64 << 10).event_values()
}

/// The one event of a log.
#[track_caller]
pub(crate) fn event(log: &str, dialect: DialectChoice) -> serde_json::Value {
    let mut events = events(log, dialect);
    assert_eq!(events.len(), 1, "one event is expected of {log}, not {events:?}");
    events.remove(0)
}

impl Opened<'_> {
    /// The bytes at a place.
    pub(crate) fn bytes(&self, span: Span) -> &[u8] {
        let (_, bytes) = self.files[span.file as usize];
        &bytes[span.offset as usize..(span.offset + span.len) as usize]
    }

    /// The events of a record, from the bytes of its source line.
    pub(crate) fn events_of(&self, record: RecordId) -> Vec<Event> {
        let source = self.run.source_of(record).expect("a record of the list has a source");
        self.run.events_of(record, self.bytes(source))
    }

    /// All events, as `steplens events` prints them.
    pub(crate) fn event_lines(&self) -> Vec<String> {
        let events = self.run.event_records().flat_map(|record| self.events_of(record));
        events.map(|event| event.to_json_line()).collect()
    }

    /// All events, as the values of their JSON lines.
    pub(crate) fn event_values(&self) -> Vec<serde_json::Value> {
        let value = |line: &String| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        self.event_lines().iter().map(value).collect()
    }
}

/// The folder of the step stream's fixtures.
pub(crate) fn fixtures() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures/step_stream")
}

/// Whether snapshots are to be written rather than compared.
pub(crate) fn updating() -> bool {
    std::env::var_os("UPDATE_SNAPSHOTS").is_some_and(|value| value == "1")
}

/// Proves all that holds of every log over one fixture, and compares its dump with its snapshot.
///
/// With `UPDATE_SNAPSHOTS=1` in the environment the snapshot is written instead; look at what changed before it is
/// committed.
#[track_caller]
pub(crate) fn check(case: &str, about: &str) {
    let bytes = fs::read(fixtures().join(format!("{case}.jsonl"))).unwrap();
    // Not under its own name: `kilo` in it would be taken for a mark.
    let files = [("run.jsonl", bytes.as_slice())];
    let dumps = CHUNKS.map(|chunk| dump::dump(&open(&files, DialectChoice::Auto, chunk)));
    for (dump, chunk) in dumps.iter().zip(CHUNKS) {
        assert_eq!(*dump, dumps[0], "{case}: pieces of {chunk} bytes give another run than pieces of 1");
    }
    for dialect in [DialectChoice::Auto, DialectChoice::Kilo, DialectChoice::OpenCode] {
        proofs::all(&open(&files, dialect, 64 << 10));
    }
    let whole = open(&files, DialectChoice::Auto, 64 << 10);
    proofs::one_record_a_line(&whole);
    proofs::every_byte_is_in_a_record(&whole);
    let dump = format!("{about}\n\n{}", dumps[0]);
    let snapshot = fixtures().join(format!("{case}.txt"));
    if updating() {
        fs::write(&snapshot, dump).unwrap();
        return;
    }
    let Ok(kept) = fs::read_to_string(&snapshot) else {
        panic!("{case}: there is no snapshot. UPDATE_SNAPSHOTS=1 writes it; then read it. It would hold:\n{dump}");
    };
    assert!(kept == dump, "{case}: not as its snapshot says\n{}", lines::difference(&kept, &dump));
}
