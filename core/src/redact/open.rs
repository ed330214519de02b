//! What one line leaves open for the next: a PEM block, a value that stands below its name.

use super::kind::Kind;
use super::{below, pem};
use std::ops::Range;

/// What has begun and not ended yet.
#[derive(Debug)]
pub(super) enum Open {
    Pem(pem::Open),
    Below(below::Open),
}

impl Open {
    /// What its parts are.
    pub(super) fn kind(&self) -> Kind {
        match self {
            Open::Pem(open) => open.kind,
            Open::Below(open) => open.kind(),
        }
    }

    /// Takes the next line: what of it is to be masked, and whether it goes on.
    pub(super) fn line(self, text: &[u8]) -> (Option<Range<usize>>, Option<Open>) {
        match self {
            Open::Pem(open) => {
                let (part, next) = open.line(text);
                (part, next.map(Open::Pem))
            }
            Open::Below(open) => {
                let (part, next) = open.line(text);
                (part, next.map(Open::Below))
            }
        }
    }
}
