//! A run: what is known of the files that are open together, built up as their bytes come in.
//!
//! [`ingest`] takes records into the columns of [`store`]; everything that is shown (summary, lists, details) is worked
//! out from the columns when it is asked for, so that a total can never drift from its parts.

mod aep;
mod asks;
mod breaks;
mod detail;
mod diagnostics;
mod dialect;
mod files;
mod findings;
mod forks;
mod grow;
mod growth;
mod hidden;
mod ingest;
mod limits;
mod list;
mod mapping;
mod marks;
mod outline;
mod overview;
mod phases;
mod pricing;
pub(crate) mod removed;
mod rows;
mod search;
mod session;
mod side;
mod spans;
mod steps;
mod store;
mod strips;
mod summarize;
mod todos;
mod turns;
mod usage;
mod verdict;

pub use aep::AepPass;
pub use mapping::Prints;

use crate::foreign::Foreign;
use crate::price::PriceTable;
use crate::rules::Rules;
use crate::rules::suggest::InputKey;
use crate::summary::LeftOut;
pub use growth::{Bar, Growth, Ranking};
use serde::{Deserialize, Serialize};
pub use side::Choice;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use store::{NONE, index};
pub use strips::{Mark, Marks, Strip};
pub(crate) use turns::Turn;

/// How many diagnostics of one kind are kept with their place; further ones are only counted.
pub const DIAGNOSTICS_KEPT: usize = 1000;

/// How many there are of something, and its first places: file and line.
type Counted = (u64, Vec<(u32, u64)>);

/// How many lines of unknown types and tools are named.
const LINES_KEPT: usize = 20;

/// Which tool table reads the calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DialectChoice {
    /// By evidence, per session.
    #[default]
    Auto,
    /// Kilo Code.
    Kilo,
    /// OpenCode.
    OpenCode,
}

/// How a run is read.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The dialect.
    pub dialect: DialectChoice,
    /// The tool tables.
    pub rules: Rules,
    /// Prices every step as this model, whatever the log names.
    pub model: Option<String>,
    /// Prices in place of the built-in ones.
    pub prices: Option<Arc<PriceTable>>,
    /// Only this session is summed up and listed; `None` = all.
    pub session: Option<String>,
}

/// How far the reading is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    /// Bytes pushed, over all files.
    pub bytes: u64,
    /// Lines seen.
    pub lines: u64,
    /// Records seen.
    pub records: u64,
    /// Events so far.
    pub events: u64,
}

/// Where a line stands in its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// The file, by its place in the summary.
    pub file: u32,
    /// Byte offset.
    pub offset: u64,
    /// Length in bytes, without the line's end.
    pub len: u64,
}

/// A record, by its place in the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RecordId(u32);

#[derive(Debug, Default)]
struct File {
    name: String,
    /// Bytes pushed: of the unpacked file.
    bytes: u64,
    /// Size on disk and name of the compression, where the file was unpacked.
    packed: Option<(u64, String)>,
    /// The reading of the file, once it has ended.
    state: ingest::FileState,
    /// The first bytes, for the message about a file that is no log.
    head: Vec<u8>,
    has_ended: bool,
    /// Its end made a record of what may be a part of one.
    is_torn: bool,
}

/// The incremental builder. Between [`Run::begin_file`] and [`Run::end_file`] bytes are pushed in pieces of any size;
/// everything else can be asked for at any moment.
#[derive(Debug)]
pub struct Run {
    dialect: DialectChoice,
    rules: Rules,
    model: Option<String>,
    prices: Option<Arc<PriceTable>>,
    session: Option<String>,
    files: Vec<File>,
    left_out: Vec<LeftOut>,
    /// Reading was given up: how many bytes were read, and of how many.
    stopped: Option<(u64, u64)>,
    /// The file that is being read.
    reading: ingest::FileState,
    current_session: u32,
    sessions: session::Sessions,
    records: Vec<store::RecordRow>,
    parts: Vec<store::PartRow>,
    part_of_key: HashMap<ingest::PartKey, u32>,
    twin: Option<ingest::Twin>,
    events: Vec<store::EventColumn>,
    calls: Vec<store::CallColumn>,
    steps: Vec<store::StepColumn>,
    errors: Vec<verdict::ErrorRow>,
    asks: asks::Asks,
    todos: todos::Todos,
    removals: Vec<removed::Removal>,
    /// Records with which a stream of events begins.
    streams: Vec<u32>,
    /// When texts were written, by part.
    writings: Vec<phases::Writing>,
    /// Parts whose message has no step yet, by session and message.
    orphans: HashMap<(u32, u64), Vec<u32>>,
    errors_seen: HashMap<(u32, u64), Vec<ingest::ErrorSeen>>,
    messages: HashMap<u64, ingest::Message>,
    /// Types that are not known, interned: how many records, and their first lines.
    unknown_types: BTreeMap<u32, Counted>,
    /// Models that log lines between the records name: of a session, and of no session.
    log_models: HashMap<u32, u32>,
    log_model: u32,
    /// Models of subagents, by their session's id, as the calls that started them name them.
    child_models: HashMap<u32, u32>,
    strings: store::Interner,
    texts: store::Texts,
    diagnostics: diagnostics::Diagnostics,
    /// Keys of the first input of each tool that no rule could read.
    unmapped_keys: HashMap<u32, Vec<InputKey>>,
    /// Records that give other events than in the reading that this one was compared with.
    changed: Vec<bool>,
    /// Fields that no known version writes, interned: how many records have them, and the first.
    drift: BTreeMap<u32, (u64, u64)>,
}

/// How many bytes of a file's head are kept.
const HEAD_KEPT: usize = Foreign::HEAD;

impl Run {
    /// An empty run.
    pub fn new(options: Options) -> Run {
        Run {
            dialect: options.dialect,
            rules: options.rules,
            model: options.model,
            prices: options.prices,
            session: options.session,
            files: Vec::new(),
            left_out: Vec::new(),
            stopped: None,
            reading: ingest::FileState::default(),
            current_session: NONE,
            sessions: session::Sessions::default(),
            records: Vec::new(),
            parts: Vec::new(),
            part_of_key: HashMap::new(),
            twin: None,
            events: Vec::new(),
            calls: Vec::new(),
            steps: Vec::new(),
            errors: Vec::new(),
            asks: asks::Asks::default(),
            todos: todos::Todos::default(),
            removals: Vec::new(),
            streams: Vec::new(),
            writings: Vec::new(),
            orphans: HashMap::new(),
            errors_seen: HashMap::new(),
            messages: HashMap::new(),
            unknown_types: BTreeMap::new(),
            log_models: HashMap::new(),
            log_model: NONE,
            child_models: HashMap::new(),
            strings: store::Interner::default(),
            texts: store::Texts::default(),
            diagnostics: diagnostics::Diagnostics::default(),
            unmapped_keys: HashMap::new(),
            changed: Vec::new(),
            drift: BTreeMap::new(),
        }
    }

    /// Starts a file. Its name is shown, and breaks ties between dialects.
    pub fn begin_file(&mut self, name: &str) {
        self.files.push(File { name: name.to_owned(), ..File::default() });
        self.reading = ingest::FileState::default();
        self.current_session = NONE;
        self.log_model = NONE;
        self.twin = None;
    }

    /// The next bytes of the file, unpacked.
    pub fn push(&mut self, bytes: &[u8]) {
        let Some(file) = self.files.last_mut() else { return };
        file.bytes += bytes.len() as u64;
        let room = HEAD_KEPT.saturating_sub(file.head.len());
        file.head.extend(bytes.iter().take(room));
        self.take_bytes(bytes);
    }

    /// Notes that the file was unpacked: its size on disk, and the compression's name (`gzip`, `zstd`).
    pub fn unpacked_from(&mut self, bytes_on_disk: u64, compression: &str) {
        if let Some(file) = self.files.last_mut() {
            file.packed = Some((bytes_on_disk, compression.to_owned()));
        }
    }

    /// Notes that the file's packed data is damaged: what could be unpacked is read, and the summary says so.
    pub fn note_damage(&mut self, what: &str) {
        let file = u32::from(self.current_file());
        let line = self.state_of(file as usize).map_or(0, |state| state.lines());
        let offset = self.files.last().map_or(0, |file| file.bytes);
        let place = diagnostics::Place { file, line, offset };
        self.diagnostics.add(diagnostics::kind::DAMAGED, place, || what.to_owned());
    }

    /// Ends the file, if it has not ended yet: a last line without an end is read now.
    pub fn end_file(&mut self) {
        if self.files.last().is_none_or(|file| file.has_ended) {
            return;
        }
        let is_torn = self.waiting_bytes() > 0;
        self.take_end();
        let state = std::mem::take(&mut self.reading);
        if let Some(file) = self.files.last_mut() {
            file.state = state;
            file.is_torn = is_torn;
            file.has_ended = true;
        }
        self.number_steps();
    }

    /// Reading goes no further: `read` of `size` bytes were read, and what the rest says of the run is not known. The
    /// verdicts are unknown from now on, and a limit says why.
    pub fn stop(&mut self, read: u64, size: u64) {
        self.stopped = Some((read, size));
    }

    /// The state of a file, also of the one that is being read.
    fn state_of(&self, file: usize) -> Option<&ingest::FileState> {
        let last = file + 1 == self.files.len();
        let state = self.files.get(file).map(|file| &file.state)?;
        // The state moves into the file when that has ended; until then it stands apart.
        Some(if last && state.lines() == 0 { &self.reading } else { state })
    }

    /// How far it is.
    pub fn progress(&self) -> Progress {
        Progress {
            bytes: self.files.iter().map(|file| file.bytes).sum(),
            lines: (0..self.files.len()).filter_map(|file| self.state_of(file)).map(|state| state.lines()).sum(),
            records: self.records.len() as u64,
            events: self.events.len() as u64,
        }
    }

    /// Whether at least one record of a known format was seen in any file.
    pub fn recognised(&self) -> bool {
        (0..self.files.len() as u32).any(|file| self.file_recognised(file))
    }

    /// Whether at least one record of a known format was seen in this file.
    pub fn file_recognised(&self, file: u32) -> bool {
        self.state_of(file as usize).is_some_and(|state| state.seen.best().is_some())
    }

    /// What the file is, where it is known and not read.
    pub fn foreign(&self, file: u32) -> Option<Foreign> {
        let seen = &self.state_of(file as usize)?.seen;
        if seen.claude > 0 && seen.claude * 2 >= seen.records {
            return Some(Foreign::ClaudeCode);
        }
        match self.files.get(file as usize)? {
            file if file.bytes == 0 => Some(Foreign::Empty),
            file if seen.records == 0 && file.head.iter().all(u8::is_ascii_whitespace) => Some(Foreign::Blank),
            file => Foreign::of(&file.head),
        }
    }

    /// Notes a file that was not read into the run, and why: the summary says so.
    pub fn leave_out(&mut self, file: LeftOut) {
        self.left_out.push(file);
    }

    /// Names of the formats that are read.
    pub fn formats() -> impl Iterator<Item = &'static str> {
        crate::format::detect::Format::ALL.into_iter().map(|format| format.name())
    }

    /// The first bytes of a file, at most [`Foreign::HEAD`], for the message about one that is no log.
    pub fn head_of_file(&self, file: u32) -> &[u8] {
        self.files.get(file as usize).map(|file| file.head.as_slice()).unwrap_or_default()
    }

    /// Where a record's line stands.
    pub fn span(&self, record: RecordId) -> Option<Span> {
        let row = self.records.get(record.0 as usize)?;
        Some(Span { file: row.file.into(), offset: row.offset, len: row.len.into() })
    }

    /// The records on a line of a file: one, or none where it is blank or not there.
    pub fn records_on_line(&self, file: u32, line: u64) -> Vec<RecordId> {
        let key = |row: &store::RecordRow| (u32::from(row.file), u64::from(row.line));
        let start = self.records.partition_point(|row| key(row) < (file, line));
        let same = self.records.iter().skip(start).take_while(|row| key(row) == (file, line)).count();
        (start..start + same).map(|record| RecordId(index(record))).collect()
    }

    fn several_files(&self) -> bool {
        self.files.len() > 1
    }
}

impl Default for Run {
    fn default() -> Run {
        Run::new(Options::default())
    }
}
