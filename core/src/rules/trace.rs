//! Where decisions are written down, if anybody listens.

use crate::explain::{Decision, Looked, Stage};

/// Takes decisions. The closure is called only where somebody wants to know, so that reading a log pays nothing.
pub(crate) trait Trace {
    /// Notes a decision.
    fn note(&mut self, make: impl FnOnce() -> Decision);
}

/// Nobody listens.
impl Trace for () {
    fn note(&mut self, _make: impl FnOnce() -> Decision) {}
}

impl Trace for Vec<Decision> {
    fn note(&mut self, make: impl FnOnce() -> Decision) {
        self.push(make());
    }
}

impl Decision {
    /// The same, about a rule.
    pub(crate) fn of_rule(self, id: &str) -> Decision {
        Decision { rule: Some(id.to_owned()), ..self }
    }

    /// The same, with where a field was looked for.
    pub(crate) fn with_keys(self, keys: Vec<Looked>) -> Decision {
        Decision { keys, ..self }
    }
}

/// A decision that is as one would expect.
pub(crate) fn fine(stage: Stage, what: impl Into<String>, why: impl Into<String>, pointer: Option<String>) -> Decision {
    Decision { stage, what: what.into(), why: why.into(), pointer, attention: false, rule: None, keys: Vec::new() }
}

/// A decision that the reader should look at.
pub(crate) fn odd(stage: Stage, what: impl Into<String>, why: impl Into<String>, pointer: Option<String>) -> Decision {
    Decision { stage, what: what.into(), why: why.into(), pointer, attention: true, rule: None, keys: Vec::new() }
}
