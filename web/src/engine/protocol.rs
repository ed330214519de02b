//! What the page and its worker say to each other.
//!
//! Small messages are JS objects, by `serde-wasm-bindgen`; what can be large (updates, answers) is
//! postcard in one transferred buffer. Keep the enums' tag outside: `serde(tag = …)` can't carry JS
//! objects such as a `Blob`.

use js_sys::ArrayBuffer;
use serde::{Deserialize, Serialize};
use steplens_core::ask::WholeAsk;
use steplens_core::detail::Detail;
use steplens_core::files::{FileRow, FileStory};
use steplens_core::foreign::Foreign;
use steplens_core::mapping::{Changes, Mapping, Tried};
use steplens_core::overview::{Axis, Overview, Work};
use steplens_core::run::DialectChoice;
use steplens_core::summary::Summary;
use steplens_core::transcript::Transcript;
use steplens_core::view::{AskRow, EventRow, Filter, FilterCounts, StepWindow, Window};
use web_sys::Blob;

use super::aep::{AepAsk, AepTold};
use super::export::Export;
use super::review::{ReviewAsk, Reviewed};
use super::study::{Studied, Study};

/// The build's id: equal in the page and in the worker that belongs to it.
pub const BUILD_ID: &str = env!("STEPLENS_BUILD_ID");

/// What the page says.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum ToWorker {
    /// Forget what is open and read these files.
    Open(Opening),
    /// Read these files too, into the run that is open.
    Add(Vec<OpenFile>),
    /// Stop reading; what was read stays.
    Cancel,
    /// Show other events.
    Filter(Filter),
    /// Find this text in the events that are shown; empty ends the search.
    Search(String),
    /// Read the calls by another tool table.
    Dialect(DialectChoice),
    /// Price every step as this model; none goes back to what the log names.
    Model(Option<String>),
    /// Answer this, under this number.
    Ask {
        /// Comes back with the answer.
        id: u32,
        /// The question.
        ask: Ask,
    },
}

/// Files that are opened together, and how they are looked at from the start.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Opening {
    /// Counts openings, so that words about an earlier one are known as such.
    pub number: u32,
    /// The files.
    pub files: Vec<OpenFile>,
    /// The tool table.
    pub dialect: DialectChoice,
    /// The filter.
    pub filter: Filter,
    /// The text that is searched for.
    pub search: String,
    /// The model to price as; none goes by the log.
    pub model: Option<String>,
    /// What is open stays where none of the files is a log.
    pub keeps: bool,
    /// The extension rules are behind the tool tables.
    pub extensions: bool,
}

/// A file: its bytes stay where they are until a slice is read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OpenFile {
    /// Its name, told apart from the others'.
    pub name: String,
    /// Its bytes.
    #[serde(with = "serde_wasm_bindgen::preserve")]
    pub blob: Blob,
    /// A document of a storage tree: others make up for one that says nothing.
    pub in_tree: bool,
}

/// A question about what is open.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Ask {
    /// Models of the price table whose names hold this text.
    Models(String),
    /// Take the prices of this file in place of the built-in ones; none goes back to these.
    Prices(Option<OpenFile>),
    /// Take prices that were typed by hand, in dollars per million tokens: input, output, cache read, cache write.
    TypedPrices([String; 4]),
    /// Rows of the list.
    Rows {
        /// The first.
        start: u64,
        /// How many.
        len: u64,
    },
    /// Steps with their tokens.
    Steps {
        /// The first.
        start: u64,
        /// How many.
        len: u64,
    },
    /// The whole run at a glance.
    Overview,
    /// The files that were read and written.
    Files,
    /// The story of a file, by its path.
    Story(String),
    /// Entries of the transcript.
    Transcript {
        /// The first.
        start: u64,
        /// How many.
        len: u64,
    },
    /// The transcript as Markdown.
    Markdown {
        /// Its title.
        title: String,
        /// Its times are in UTC, not in the reader's own zone.
        utc: bool,
    },
    /// All about an event.
    Detail(u32),
    /// How the records are mapped.
    Mapping,
    /// Lay these rules over the built-in ones; empty takes them away.
    Lay {
        /// The rules.
        text: String,
        /// A log that only they read is shown; else it is said how many records they read.
        shows: bool,
    },
    /// Map a few lines alone.
    Try {
        /// The lines.
        lines: String,
        /// The rules over the built-in ones.
        rules: String,
        /// The tool table.
        dialect: DialectChoice,
    },
    /// A text with its secrets masked, and how many there are.
    Mask(String),
    /// The text of a line: its file, by its place in the summary, and its number, from 1.
    Line(u32, u64),
    /// All of a request to a person: its file, by its place in the summary, its line, from 1, and its id.
    Asked(u32, u64, String),
    /// Something about the whole run.
    Study(Study),
    /// Make a file.
    Export(Export),
    /// The log as AEP events.
    Aep(AepAsk),
    /// Something about the review before a share.
    Review(ReviewAsk),
    /// Read what came to a file, or stands in its place.
    Grow {
        /// The file, by its name.
        file: String,
        /// What came.
        growth: Growth,
    },
    /// Where a movement ends.
    Land {
        /// The row where it starts.
        from: Option<Spot>,
        /// Where it goes.
        target: Target,
    },
}

/// What came to a file that is open.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Growth {
    /// The whole file as it is now. What stands behind what was read of it is new, unless it is another file by then.
    Whole(#[serde(with = "serde_wasm_bindgen::preserve")] Blob),
    /// The whole file as it is now, which is not read yet: only where another one has to be read again, and it with that.
    Beside(#[serde(with = "serde_wasm_bindgen::preserve")] Blob),
    /// The bytes behind those that were there.
    More(#[serde(with = "serde_wasm_bindgen::preserve")] Blob),
    /// Nothing more will come: the last line is whole as it stands.
    End,
}

/// What became of a growth.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Grown {
    /// So many bytes were read behind those that were there.
    More(u64),
    /// The file was read again from its beginning.
    Anew(Again),
    /// It is not what it was, and now no log: what was read of it stays.
    Gone,
    /// It is packed: only opening it again reads what came.
    Packed,
    /// Files are still read: say it again later.
    Busy,
    /// It could not be read: the browser's word for why.
    Unreadable(String),
    /// It has to be read again with the others, and one of them, by its name, could not be read: the browser's word for why.
    Blocked(String, String),
}

/// Why a file was read again from its beginning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Again {
    /// It is shorter than what was read of it, or other bytes stand there.
    Replaced,
    /// Its last line was taken as it stood, and went on; or it stands before other files.
    Torn,
}

/// Where a movement through the list goes. Heads of steps are passed over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Target {
    /// The first event.
    First,
    /// The last event.
    Last,
    /// So many rows on, or back; no further than the ends.
    By(i64),
    /// The next failed or rejected call or error; backwards if false; round the ends.
    Failure(bool),
    /// The next hit of the search; backwards if false; round the ends.
    Hit(bool),
    /// The event itself, wherever it is now.
    Event(u32),
    /// The event of a line, also one that the filter hides.
    Line {
        /// The file by its name; none means the first.
        file: Option<String>,
        /// The line, from 1.
        line: u64,
    },
    /// The request to a person with that id.
    Ask(String),
    /// The event that is nearest to a value of the overview's axis.
    Near {
        /// What the axis measures.
        axis: Axis,
        /// The value.
        value: i64,
        /// Only events of this lane.
        work: Option<Work>,
        /// Only what went wrong.
        wrong: bool,
    },
    /// The event of a line, or the head of the step that starts there.
    StepAt {
        /// Session, by its place in the summary.
        session: u32,
        /// The step's number.
        number: u64,
        /// The line, from 1.
        line: u64,
    },
    /// Nowhere: steps are folded or unfolded. The row is that of the event where it starts.
    Fold(Fold),
}

/// Which steps to fold (true) or unfold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Fold {
    /// All.
    All(bool),
    /// The one with this id.
    Step(u32, bool),
    /// That of the event where the movement starts.
    Here(bool),
}

/// What the worker says.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum FromWorker {
    /// The worker listens. What is posted before this message is lost.
    Ready {
        /// The worker's [`BUILD_ID`].
        build: String,
    },
    /// The worker is about to die of a panic.
    Panicked {
        /// The panic's message and place.
        message: String,
    },
    /// An [`Update`].
    Update(#[serde(with = "serde_wasm_bindgen::preserve")] ArrayBuffer),
    /// A `Blob` that the next answer names.
    Blob {
        /// Its number.
        number: u32,
        /// It.
        #[serde(with = "serde_wasm_bindgen::preserve")]
        blob: Blob,
    },
    /// An [`Answer`] to the question with that number.
    Answer {
        /// The question's number.
        id: u32,
        /// The answer.
        #[serde(with = "serde_wasm_bindgen::preserve")]
        buffer: ArrayBuffer,
    },
}

/// How things stand, said whenever they change and some ten times a second while a file is read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Update {
    /// The opening that this is about.
    pub opening: u32,
    /// How far the reading is.
    pub reading: Reading,
    /// Why nothing is recognised; none where something is.
    pub unrecognised: Option<Box<Unrecognised>>,
    /// The summary; none where it is the last one said.
    pub summary: Option<Box<Summary>>,
    /// Events by kind and outcome, in the chosen session.
    pub counts: FilterCounts,
    /// The list that rows are asked from.
    pub list: ListHead,
    /// Counts mappings by other rules: ids of events mean nothing in another.
    pub mapped: u32,
    /// Hits of the search; none where there is no search.
    pub hits: Option<Hits>,
    /// Files that were to be opened, or added, and of which none is a log: what is open stays.
    pub refused: Option<Box<Refusal>>,
}

/// How a search stands.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hits {
    /// Hits in the list.
    pub shown: u64,
    /// Hits that the filter hides.
    pub hidden: u64,
    /// Events that are searched.
    pub events: u64,
    /// Bytes of their records.
    pub bytes: u64,
    /// Bytes that were read for it.
    pub done: u64,
    /// Bytes that are to be read for it, as far as is known.
    pub size: u64,
    /// Nothing more is to come.
    pub is_over: bool,
    /// Name of a file that could not be read, and the browser's word for it.
    pub unreadable: Option<(String, String)>,
}

/// Files of which none is a log.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// The opening that comes to nothing; none where the files were to be added.
    pub opening: Option<u32>,
    /// The first of them.
    pub files: Vec<Unrecognised>,
    /// How many more there are.
    pub more: u64,
}

/// What can be said of a file in which no record of a known format was seen.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unrecognised {
    /// The file's name.
    pub name: String,
    /// Its size on disk.
    pub bytes: u64,
    /// The file's first bytes, unpacked.
    pub head: Vec<u8>,
    /// What it is, where that is known.
    pub foreign: Option<Foreign>,
    /// Why it is no log, as a sentence without a full stop.
    pub reason: String,
}

/// How far the reading is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Reading {
    /// What happens.
    pub phase: Phase,
    /// Bytes that were read, over all files.
    pub bytes: u64,
    /// Bytes of all files.
    pub size: u64,
    /// Time since the opening.
    pub elapsed_ms: f64,
    /// Bytes of a file that grows which wait for the rest of their line.
    pub waiting: u64,
}

/// What happens to the files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Phase {
    /// They are read.
    Reading,
    /// All was read.
    Done,
    /// The user stopped it.
    Cancelled,
    /// The browser refused to go on.
    Unreadable {
        /// Name of the file.
        file: String,
        /// The browser's word for it: `NotReadableError`.
        error: String,
    },
}

/// Which list, and how long it is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListHead {
    /// Counts up when other events are shown: rows of an earlier list mean nothing then.
    pub list: u32,
    /// Counts up when the list grew or its rows changed.
    pub edition: u32,
    /// Rows, heads of steps among them.
    pub rows: u64,
    /// Events.
    pub events: u64,
}

/// The answer to an [`Ask`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Answer {
    /// Rows, and of which list they are.
    Rows(ListHead, Window),
    /// Steps.
    Steps(StepWindow),
    /// The whole run at a glance.
    Overview(Box<Overview>),
    /// All about an event; none if there is no such event.
    Detail(Option<Box<Detail>>),
    /// The files that were read and written.
    Files(Vec<FileRow>),
    /// The story of a file.
    Story(Box<FileStory>),
    /// Entries of the transcript.
    Transcript(Transcript),
    /// A text that was asked for.
    Text(String),
    /// What was asked about the whole run.
    Study(Box<Studied>),
    /// What was asked of the log as AEP events.
    Aep(AepTold),
    /// The address of a file that was made; or why it was not.
    Exported(Result<String, String>),
    /// What was asked of the review.
    Review(Box<Reviewed>),
    /// What became of a growth.
    Grown(Grown),
    /// Names of models.
    Models(Vec<String>),
    /// How the records are mapped.
    Mapping(Box<Mapping>),
    /// What became of the rules.
    Laid(Laid),
    /// What the lines become.
    Tried(Result<Box<LineTried>, Fault>),
    /// A text with its secrets masked, and how many there are.
    Masked(String, u64),
    /// A line; none where there is none.
    Line(Option<String>),
    /// All of a request; none where it cannot be read.
    Asked(Option<Box<WholeAsk>>),
    /// What is wrong with the price table; none where it is taken.
    Prices(Option<String>),
    /// Where the movement ended; none if nowhere.
    Landed(Option<Box<Landed>>),
    /// The file could not be read.
    Unreadable {
        /// Name of the file.
        file: String,
        /// The browser's word for it.
        error: String,
    },
    /// The worker died before it could answer.
    Lost,
}

/// What became of rules that were to be laid over.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Laid {
    /// The log is mapped by them.
    Done {
        /// What is other than under the built-in rules.
        changes: Box<Changes>,
        /// How long it took.
        took_ms: f64,
    },
    /// The log, which is none without them, is not shown yet: they read so many records.
    Reads(u64),
    /// No record is read under them: the mapping before stays.
    NoneRead,
    /// They are no table: the mapping before stays.
    Wrong(Fault),
    /// Another wish took over.
    Superseded,
    /// A file could not be read again.
    Unreadable {
        /// Its name.
        file: String,
        /// The browser's word for it.
        error: String,
    },
}

/// What is wrong in a table of rules, and where.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// Line, from 1.
    pub line: Option<u32>,
    /// Column, from 1.
    pub column: Option<u32>,
    /// What is wrong, and what is allowed.
    pub message: String,
}

/// What a few lines become, and what they became under the built-in rules.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct LineTried {
    /// Now, and why.
    pub tried: Tried,
    /// Events under the built-in rules, as lines of JSON.
    pub before: Vec<String>,
    /// The lines with their secrets masked, for whoever else is to see them.
    pub log: String,
    /// Events of those.
    pub kept: Vec<String>,
    /// Why those become what they become, as text.
    pub why: String,
    /// The rules with their secrets masked.
    pub rules: String,
    /// The tool table that was used: the one of the open log, where none is chosen.
    pub dialect: DialectChoice,
    /// Whether the extension rules were used.
    pub extensions: bool,
    /// How many secrets were masked.
    pub secrets: u64,
}

/// A row that can be selected.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Spot {
    /// An event, by its id.
    Event(u32),
    /// A request to a person, by its id.
    Ask(String),
}

/// Where a movement ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Landed {
    /// The row in the list that is shown; none where the filter hides the event.
    pub row: Option<u64>,
    /// The event; none for the head of a step.
    pub event: Option<EventRow>,
    /// The request to a person, where it is one.
    pub ask: Option<Box<AskRow>>,
    /// Which hit of the search it is, from 0.
    pub hit: Option<u64>,
}

impl Landed {
    /// What it is, where it can be selected.
    pub fn spot(&self) -> Option<Spot> {
        let ask = self.ask.as_ref().map(|row| Spot::Ask(row.ask.id.clone()));
        ask.or_else(|| self.event.as_ref().map(|event| Spot::Event(event.id)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::de::DeserializeOwned;
    use steplens_core::run::{Options, Run};

    const SAMPLE: &str = include_str!("../../static/sample.jsonl");

    fn round_trip<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(value: &T) {
        let bytes = postcard::to_allocvec(value).unwrap();
        assert_eq!(&postcard::from_bytes::<T>(&bytes).unwrap(), value);
    }

    #[test]
    fn what_crosses_as_bytes_comes_out_the_same() {
        let mut run = Run::new(Options::default());
        run.begin_file("sample.jsonl");
        run.push(SAMPLE.as_bytes());
        run.end_file();
        let view = run.view(&Filter::default());
        let head = ListHead { rows: view.len(), events: view.events(), ..ListHead::default() };
        round_trip(&Update {
            opening: 1,
            reading: Reading { phase: Phase::Done, bytes: 1, size: u64::MAX, elapsed_ms: 0.5, waiting: 3 },
            unrecognised: Some(Box::new(Unrecognised { head: vec![0, 255], ..Unrecognised::default() })),
            summary: Some(Box::new(run.summary())),
            counts: run.filter_counts(&Filter::default()),
            list: head,
            mapped: 0,
            hits: Some(Hits { unreadable: Some((String::new(), "x".to_owned())), ..Hits::default() }),
            refused: Some(Box::default()),
        });
        round_trip(&Answer::Rows(head, run.window(&view, 0..head.rows)));
        round_trip(&Answer::Steps(run.steps(0..100)));
        round_trip(&Answer::Overview(Box::new(run.overview())));
        let line = SAMPLE.lines().nth(18).unwrap();
        let detail = (0..40).find_map(|id| run.detail(id, line.as_bytes()).filter(|detail| detail.line == 19));
        assert!(detail.is_some());
        round_trip(&Answer::Detail(detail.map(Box::new)));
    }
}
