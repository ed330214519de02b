//! What was odd, and where: kept up to a bound for each kind, counted beyond it.

use super::DIAGNOSTICS_KEPT;
use crate::order::Order;
use crate::summary::Diagnostic;
use std::collections::BTreeMap;

/// Kinds of diagnostics, by wire name.
pub(crate) mod kind {
    pub(crate) const MALFORMED: &str = "malformed-line";
    pub(crate) const CUT: &str = "cut-line";
    pub(crate) const INVALID_UTF8: &str = "invalid-utf8";
    pub(crate) const LONE_SURROGATE: &str = "lone-surrogate";
    pub(crate) const DAMAGED: &str = "damaged-data";
    pub(crate) const STDERR: &str = "stderr-line";
    pub(crate) const UNKNOWN_TYPE: &str = "unknown-type";
    pub(crate) const DUPLICATE: &str = "duplicate";
    pub(crate) const TIMESTAMP: &str = "bad-timestamp";
    pub(crate) const NEGATIVE_DURATION: &str = "negative-duration";
    pub(crate) const TOKENS: &str = "bad-token-count";
    pub(crate) const COST: &str = "bad-cost";
}

/// Diagnostics in the order in which they were met, which is file order.
#[derive(Debug, Default)]
pub(crate) struct Diagnostics {
    kept: Vec<Diagnostic>,
    counts: BTreeMap<&'static str, u64>,
}

impl Diagnostics {
    pub(crate) fn add(&mut self, kind: &'static str, at: Place, message: impl FnOnce() -> String) {
        let count = self.counts.entry(kind).or_default();
        *count += 1;
        if *count <= DIAGNOSTICS_KEPT as u64 {
            let Place { file, line, offset } = at;
            self.kept.push(Diagnostic { kind: kind.to_owned(), file, line, offset, message: message() });
        }
    }

    /// In file order.
    pub(crate) fn list(&self) -> Vec<Diagnostic> {
        let mut list = self.kept.clone();
        list.order_by_key(|diagnostic| (diagnostic.file, diagnostic.line));
        list
    }

    pub(crate) fn counts(&self) -> BTreeMap<String, u64> {
        self.counts.iter().map(|(kind, count)| ((*kind).to_owned(), *count)).collect()
    }
}

/// Where a record stands.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place {
    pub(crate) file: u32,
    pub(crate) line: u64,
    pub(crate) offset: u64,
}
