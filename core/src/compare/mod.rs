//! Two runs side by side: what each did, and where they part.
//!
//! A call is the same in both where its tool and its *argument* are: what the list of events shows of it (a path and its
//! lines, a command and its folder, a query and where), on one line; where that shows nothing or only the head of it, all
//! of its input too. A call that gives no event (of a todo list) is told by its tool alone. Tools are compared without
//! regard to case. Where two runs stand in different folders, the folders that make the most of their paths the same are
//! left out ([`folders`]). Steps are aligned by what they did ([`align`]); calls are then matched within aligned steps, next
//! between any two steps (they are *moved*), and what is left was done by one run only.
//!
//! A figure that is unknown on one side has no difference.

mod align;
mod document;
mod figures;
mod folders;
mod list;
mod matching;

pub use document::*;
pub use list::{Listing, PairRow, PairWindow};

use crate::json::{Fingerprint, fingerprint_of_bytes};
use crate::summary::ToolSummary;
use std::collections::BTreeSet;

/// What is compared of a run, or of some sessions of it. Made by [`crate::run::Run::facts`].
#[derive(Debug, Clone)]
pub struct Facts {
    pub(crate) side: Side,
    pub(crate) tools: Vec<ToolSummary>,
    pub(crate) steps: Vec<StepFacts>,
    /// Absolute paths that it read or wrote.
    pub(crate) paths: BTreeSet<String>,
}

/// A step and its calls. A call that is in no step is a step of its own.
#[derive(Debug, Clone)]
pub(crate) struct StepFacts {
    pub(crate) step: Step,
    pub(crate) calls: Vec<CallFacts>,
}

#[derive(Debug, Clone)]
pub(crate) struct CallFacts {
    pub(crate) tool: String,
    pub(crate) argument: String,
    /// Tells calls apart whose argument is too long to be kept; zero for others.
    pub(crate) more: Fingerprint,
    pub(crate) call: Call,
}

impl CallFacts {
    /// Equal for equal tools and arguments. `folder` is left out of the argument.
    fn key(&self, folder: &str) -> u64 {
        let argument = folders::without(&self.argument, folder);
        let text = format!("{}\0{argument}\0{}", self.tool.to_lowercase(), self.more.0);
        fingerprint_of_bytes(text.as_bytes()).0
    }

    fn tool_key(&self) -> u64 {
        fingerprint_of_bytes(self.tool.to_lowercase().as_bytes()).0
    }
}

/// Compares two sides.
pub fn compare(a: &Facts, b: &Facts) -> Comparison {
    let folders = folders::of(a, b);
    let matched = matching::matched(a, b, &folders);
    Comparison {
        schema: SCHEMA,
        a: a.side.clone(),
        b: b.side.clone(),
        folders: (folders.0 != folders.1).then_some(folders),
        counts: figures::counts(a, b),
        costs: figures::costs(a, b),
        tools: figures::tools(a, b),
        agreement: matched.agreement,
        only_a: matched.only_a,
        only_b: matched.only_b,
        outcomes: matched.outcomes,
        steps: matched.steps,
    }
}
