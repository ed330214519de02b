//! Where decisions are written down, if anybody listens.

use crate::explain::{Decision, Stage};

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

/// A decision that is as one would expect.
pub(crate) fn fine(stage: Stage, what: impl Into<String>, why: impl Into<String>, pointer: Option<String>) -> Decision {
    Decision { stage, what: what.into(), why: why.into(), pointer, attention: false }
}

/// A decision that the reader should look at.
pub(crate) fn odd(stage: Stage, what: impl Into<String>, why: impl Into<String>, pointer: Option<String>) -> Decision {
    Decision { stage, what: what.into(), why: why.into(), pointer, attention: true }
}
