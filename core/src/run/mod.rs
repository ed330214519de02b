//! A run: what is known of the files that are open together, built up as their bytes come in.

use crate::detail::Detail;
use crate::summary::Summary;
use crate::view::{Filter, FilterCounts, StepWindow, View, Window};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// How many diagnostics of one kind are kept with their place; further ones are only counted.
pub const DIAGNOSTICS_KEPT: usize = 1000;

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

/// The incremental builder. Between [`Run::begin_file`] and [`Run::end_file`] bytes are pushed in pieces of any size;
/// everything else can be asked for at any moment.
#[derive(Debug, Default)]
pub struct Run {}

impl Run {
    /// An empty run.
    pub fn new(_options: Options) -> Run {
        Run {}
    }
    /// Starts a file.
    pub fn begin_file(&mut self, _name: &str) {}
    /// The next bytes of the file.
    pub fn push(&mut self, _bytes: &[u8]) {}
    /// Ends the file: a last line without an end is read now.
    pub fn end_file(&mut self) {}
    /// How far it is.
    pub fn progress(&self) -> Progress {
        Progress::default()
    }
    /// Whether at least one record of a known format was seen in any file.
    pub fn recognised(&self) -> bool {
        true
    }
    /// Re-maps every call for another dialect, without reading the files again.
    pub fn set_dialect(&mut self, _dialect: DialectChoice) {}
    /// The summary document.
    pub fn summary(&self) -> Summary {
        Summary::default()
    }
    /// Counts for the filter chips.
    pub fn filter_counts(&self, _session: Option<u32>) -> FilterCounts {
        FilterCounts::default()
    }
    /// A filtered list.
    pub fn view(&self, _filter: &Filter) -> View {
        View::default()
    }
    /// Rows of a list. A range beyond its end gives what there is.
    pub fn window(&self, _view: &View, _range: Range<u64>) -> Window {
        Window::default()
    }
    /// Rows of the list whose summary holds the text, in order, as indices into the view.
    /// Case is ignored unless the text has a capital.
    pub fn search(&self, _view: &View, _text: &str) -> Vec<u64> {
        Vec::new()
    }
    /// The row of the view that shows the event of that line.
    pub fn row_of_line(&self, _view: &View, _file: u32, _line: u64) -> Option<u64> {
        None
    }
    /// The row of the view that shows the event with that id.
    pub fn row_of_event(&self, _view: &View, _id: u32) -> Option<u64> {
        None
    }
    /// Tokens and cost by step.
    pub fn steps(&self, _range: Range<u64>) -> StepWindow {
        StepWindow::default()
    }
    /// The bytes that [`Run::detail`] needs: the line that holds the event's values.
    pub fn span_of_event(&self, _id: u32) -> Option<Span> {
        None
    }
    /// All about an event, from the bytes of its line.
    pub fn detail(&self, _id: u32, _line: &[u8]) -> Option<Detail> {
        None
    }
}
