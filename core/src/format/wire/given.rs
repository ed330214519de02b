//! Fields of a record whose places a table of rules names: they stand in for those that the step stream has.

use super::{At, Found, Line};
use crate::outcome::status_success;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A field that a table can name the place of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Given {
    Type,
    Tool,
    Input,
    Status,
    Session,
    Text,
    Output,
    Error,
    ExitCode,
    Timestamp,
    Start,
    End,
    CallId,
}

/// The fields that a table names: those that this record has, and where.
#[derive(Debug)]
pub(crate) struct GivenFields<'a> {
    named: Vec<Given>,
    fields: BTreeMap<Given, (Cow<'a, str>, String)>,
    words: Arc<BTreeMap<String, bool>>,
    /// The types that the table names, where this record's is none of them.
    pub(crate) other_types: Option<Vec<String>>,
}

impl GivenFields<'_> {
    /// Whether the table says where such a field stands.
    pub(crate) fn names(&self, what: Given) -> bool {
        self.named.contains(&what)
    }

    /// Its value.
    pub(crate) fn value(&self, what: Given) -> Option<&str> {
        self.fields.get(&what).map(|(value, _)| value.as_ref())
    }

    /// Where it stands.
    pub(crate) fn at(&self, what: Given) -> Option<&str> {
        self.fields.get(&what).map(|(_, at)| at.as_str())
    }
}

impl<'a> Line<'a> {
    /// Puts fields into the places of those of the step stream. `named` are all that the table names, also those that
    /// this record lacks.
    pub(crate) fn give(
        &mut self,
        named: Vec<Given>,
        fields: BTreeMap<Given, (Cow<'a, str>, String)>,
        words: Arc<BTreeMap<String, bool>>,
    ) {
        let text = |what: Given| fields.get(&what).map(|(value, _)| value.clone());
        let raw = |what: Given| match fields.get(&what) {
            Some((Cow::Borrowed(value), _)) => Some(*value),
            _ => None,
        };
        for what in &named {
            match what {
                Given::Text => {
                    self.part.text = text(Given::Text);
                    self.top.message = self.part.text.clone();
                    self.top.text = None;
                    self.top.reasoning = None;
                    self.part.reasoning = None;
                }
                Given::CallId => {
                    self.part.call_id = text(Given::CallId);
                    self.top.call_id = None;
                }
                Given::Output => {
                    self.state.output = raw(Given::Output);
                    self.top.output = None;
                    self.part.output = None;
                }
                Given::Error => {
                    let error = raw(Given::Error);
                    (self.state.error, self.top.error, self.part.error) = (error, error, None);
                }
                Given::Timestamp => self.top.timestamp = raw(Given::Timestamp),
                Given::Type
                | Given::Tool
                | Given::Input
                | Given::Status
                | Given::Session
                | Given::ExitCode
                | Given::Start
                | Given::End => {}
            }
        }
        self.given = Some(Box::new(GivenFields { named, fields, words, other_types: None }));
    }

    /// A field, where a table names its place: none within where the record lacks it.
    pub(super) fn given_field(&self, what: Given) -> Option<Option<Found<Cow<'a, str>>>> {
        let given = self.given.as_ref().filter(|given| given.names(what))?;
        Some(given.fields.get(&what).map(|(value, _)| Found { value: value.clone(), at: At::Given(what) }))
    }

    /// What the status says; none for a word that says neither success nor failure.
    pub(crate) fn says_success(&self) -> Option<bool> {
        let word = self.status()?.value;
        match &self.given {
            Some(given) => given.words.get(&word.to_ascii_lowercase()).copied(),
            None => status_success(&word),
        }
    }
}
