//! The explanation of a record: each decision on the way from its bytes to its events, as data.

use serde::{Deserialize, Serialize};

/// The whole chain, in the order in which it was decided.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Explanation {
    /// Three facts of a call, side by side; none for records that are no calls.
    pub facts: Option<OutcomeFacts>,
    /// The decisions.
    pub decisions: Vec<Decision>,
}

/// What a call says of itself: status, exit code and error text are three facts, not one.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutcomeFacts {
    /// The status as written.
    pub status: Option<String>,
    /// The exit code as written; `null` where the key is there and null.
    pub exit_code: Option<String>,
    /// The error text.
    pub error: Option<String>,
}

/// What a decision was about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// Whether the line is a JSON object.
    Line,
    /// The branch by `type`.
    Type,
    /// Which session it belongs to.
    Session,
    /// Whether it says again what another record says.
    Duplicate,
    /// Where the tool's name was found.
    Tool,
    /// Where the input was found.
    Input,
    /// Where the status was found.
    Status,
    /// Which rule matched, or came nearest.
    Rule,
    /// Where a field was found.
    Field,
    /// Whether a shell command is a file operation.
    Shell,
    /// The event that came out.
    Event,
    /// The outcome and the fact that decided it.
    Outcome,
}

/// One decision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decision {
    /// What it was about.
    pub stage: Stage,
    /// What was decided, in a few words.
    pub what: String,
    /// Why, in a sentence.
    pub why: String,
    /// Where in the record, as a JSON pointer.
    pub pointer: Option<String>,
    /// Whether the reader should look here: a miss, a failure, a doubt.
    pub attention: bool,
    /// The rule that it is about, by its id.
    pub rule: Option<String>,
    /// Where a field was looked for, in order.
    pub keys: Vec<Looked>,
}

/// A place where a field was looked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Looked {
    /// The source as the rule writes it.
    pub source: String,
    /// What was there.
    pub found: Found,
    /// Where that is in the record, as a JSON pointer.
    pub pointer: Option<String>,
}

/// What was found at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Found {
    /// The value that is taken.
    Hit,
    /// Nothing.
    Absent,
    /// An empty text, which counts as nothing.
    Empty,
    /// Something of another kind than what is wanted.
    Unfit,
    /// A value that would do; an earlier one is taken.
    Unneeded,
}

impl Found {
    /// In a few words.
    pub fn words(self) -> &'static str {
        match self {
            Found::Hit => "hit",
            Found::Absent => "not there",
            Found::Empty => "empty",
            Found::Unfit => "of another kind",
            Found::Unneeded => "not needed",
        }
    }
}

impl std::fmt::Display for Explanation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for decision in &self.decisions {
            let mark = if decision.attention { '!' } else { '·' };
            writeln!(f, "{mark} {}", decision.what)?;
            match &decision.pointer {
                Some(pointer) => writeln!(f, "    {} (at {pointer})", decision.why)?,
                None if decision.why.is_empty() => {}
                None => writeln!(f, "    {}", decision.why)?,
            }
        }
        Ok(())
    }
}
