//! Where a record of a stream holds its type, its tool's name, its input and its status, and what its words mean.
//!
//! The built-in stream is read by [`crate::format::wire`], which goes through a line once; this reads the same places
//! from a table, for streams of another shape:
//!
//! ```toml
//! [stream]
//! type = ["/kind"]
//! tool = ["/action/name"]
//! input = ["/action/args"]
//! status = ["/result/state"]
//! types.tool_use = ["action"]
//! words.success = ["finished"]
//! ```

use super::error::RuleError;
use super::file::quoted;
use crate::format::wire::{Given, Line, LineType};
use crate::json;
use serde::Deserialize;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;
use toml::Spanned;

/// A `[stream]` as written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct StreamFile {
    #[serde(rename = "type")]
    kind: Option<Pointers>,
    tool: Option<Pointers>,
    input: Option<Pointers>,
    status: Option<Pointers>,
    session: Option<Pointers>,
    text: Option<Pointers>,
    output: Option<Pointers>,
    error: Option<Pointers>,
    exit_code: Option<Pointers>,
    timestamp: Option<Pointers>,
    start: Option<Pointers>,
    end: Option<Pointers>,
    call_id: Option<Pointers>,
    #[serde(default)]
    types: BTreeMap<Spanned<String>, Vec<String>>,
    #[serde(default)]
    words: WordsFile,
}

type Pointers = Vec<Spanned<String>>;

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct WordsFile {
    #[serde(default)]
    success: Vec<String>,
    #[serde(default)]
    failure: Vec<String>,
}

/// What a record can be, by the name that a table gives it.
const TYPES: [(&str, LineType); 7] = [
    ("step_start", LineType::StepStart),
    ("step_finish", LineType::StepFinish),
    ("text", LineType::Text),
    ("reasoning", LineType::Reasoning),
    ("tool_use", LineType::ToolUse),
    ("error", LineType::Error),
    ("consumed", LineType::Consumed),
];

/// How the records of a stream are read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stream {
    pointers: BTreeMap<Given, Vec<String>>,
    types: BTreeMap<String, LineType>,
    /// Status words in lower case: whether they say success.
    words: Arc<BTreeMap<String, bool>>,
}

impl Stream {
    pub(super) fn compile(file: StreamFile, text: &str) -> Result<Stream, RuleError> {
        let lists = [
            (Given::Type, file.kind),
            (Given::Tool, file.tool),
            (Given::Input, file.input),
            (Given::Status, file.status),
            (Given::Session, file.session),
            (Given::Text, file.text),
            (Given::Output, file.output),
            (Given::Error, file.error),
            (Given::ExitCode, file.exit_code),
            (Given::Timestamp, file.timestamp),
            (Given::Start, file.start),
            (Given::End, file.end),
            (Given::CallId, file.call_id),
        ];
        let mut stream = Stream::default();
        for (what, pointers) in lists {
            let Some(pointers) = pointers else { continue };
            if let Some(wrong) = pointers.iter().find(|pointer| !pointer.get_ref().starts_with('/')) {
                let message =
                    format!("`{}` is no JSON pointer; allowed: `/key/key`, from the record's root", wrong.get_ref());
                return Err(RuleError::at(text, wrong.span(), message));
            }
            stream.pointers.insert(what, pointers.into_iter().map(Spanned::into_inner).collect());
        }
        for (name, words) in file.types {
            let Some((_, known)) = TYPES.into_iter().find(|(known, _)| known == name.get_ref()) else {
                let message = format!(
                    "`{}` is nothing that a record can be; allowed: {}",
                    name.get_ref(),
                    quoted(TYPES.iter().map(|(name, _)| *name))
                );
                return Err(RuleError::at(text, name.span(), message));
            };
            stream.types.extend(words.into_iter().map(|word| (word, known)));
        }
        let words = |words: Vec<String>, success: bool| {
            words.into_iter().map(move |word| (word.to_ascii_lowercase(), success)).collect::<Vec<_>>()
        };
        // A word that stands in both lists says failure: no failure may come out as a success.
        let mut all: BTreeMap<String, bool> = words(file.words.success, true).into_iter().collect();
        all.extend(words(file.words.failure, false));
        stream.words = Arc::new(all);
        Ok(stream)
    }

    /// This stream over another: its lists of pointers take the place of the other's, its words are added.
    pub(super) fn over(&self, base: &Stream) -> Stream {
        let mut stream = base.clone();
        stream.pointers.extend(self.pointers.clone());
        stream.types.extend(self.types.clone());
        let mut words = (*stream.words).clone();
        words.extend(self.words.iter().map(|(word, success)| (word.clone(), *success)));
        stream.words = Arc::new(words);
        stream
    }

    /// Reads a record by this table; none where its type is not one of those named.
    pub(crate) fn read<'a>(&self, text: &'a str) -> Option<Line<'a>> {
        self.read_any(text).filter(|line| line.line_type != LineType::Other)
    }

    /// Reads a record by this table, also one of a type that it does not name: that is unknown, and has its type, its
    /// session and its time all the same. None where no type stands in the places of one.
    pub(crate) fn read_any<'a>(&self, text: &'a str) -> Option<Line<'a>> {
        let find = |what: Given, usable: fn(&str) -> bool| {
            let mut pointers = self.pointers.get(&what)?.iter();
            pointers.find_map(|at| Some((json::pointer(text, at).filter(|value| usable(value))?, at.as_str())))
        };
        let is_text = |value: &str| json::filled_string(value).is_some();
        let is_there = |value: &str| value != "null";
        let (word, at) = find(Given::Type, is_text)?;
        let line_type = self.types.get(json::string(word)?.as_ref()).copied().unwrap_or(LineType::Other);
        let mut line = Line::parse(text).ok()?;
        line.line_type = line_type;
        let mut given: BTreeMap<Given, (Cow<'a, str>, String)> = BTreeMap::new();
        given.insert(Given::Type, (json::string(word)?, at.to_owned()));
        for what in [Given::Tool, Given::Status, Given::Session, Given::Text, Given::CallId] {
            // A status may be a word, a truth or a number.
            let usable = if what == Given::Status { is_there } else { is_text };
            if let Some((value, at)) = find(what, usable) {
                given.insert(what, (json::string(value).unwrap_or(Cow::Borrowed(value)), at.to_owned()));
            }
        }
        let raw =
            [Given::Input, Given::Output, Given::Error, Given::ExitCode, Given::Timestamp, Given::Start, Given::End];
        for what in raw {
            let exit = what == Given::ExitCode;
            // An exit code that is there and null says something.
            if let Some((value, at)) = find(what, if exit { |_| true } else { is_there }) {
                given.insert(what, (Cow::Borrowed(value), at.to_owned()));
            }
        }
        let named = self.pointers.keys().copied().collect();
        line.give(named, given, Arc::clone(&self.words));
        if let Some(given) = line.given.as_mut().filter(|_| line_type == LineType::Other) {
            given.other_types = Some(self.types.keys().cloned().collect());
        }
        Some(line)
    }
}
