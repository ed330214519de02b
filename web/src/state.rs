//! The page's state: one value, one reducer, and the part of it that the URL holds.

pub mod aep;
pub mod arrival;
pub mod follow;
pub mod fragment;
pub mod lab;
pub mod live;
pub mod reducer;
pub mod route;
pub mod shared;

use std::collections::VecDeque;
use std::rc::Rc;

use steplens_core::detail::Detail;
use steplens_core::summary::Summary;
use steplens_core::view::{AskRow, EventRow, FilterCounts};

use crate::engine::protocol::{Hits, ListHead, OpenFile, Reading, Refusal, Target, Unrecognised};
use route::{EventRef, Route, Tab};
use shared::Shared;

/// All that the page knows.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct State {
    /// Counts openings; 0 is none yet.
    pub opening: u32,
    /// Counts openings that were asked for: what is open stays until a log is found in what was asked for.
    pub asked: u32,
    /// A log that a link brings, until it is opened.
    pub arrival: Option<arrival::Arrival>,
    /// What was asked for and is still looked at.
    pub pending: Option<Pending>,
    /// The files that are open.
    pub files: Rc<Vec<OpenFile>>,
    /// Files that were added to them, in the order in which they came.
    pub added: Rc<Vec<OpenFile>>,
    /// Prices in place of the built-in ones; they outlive an opening.
    pub prices: Option<Prices>,
    /// Why files are not open that were to be.
    pub refused: Option<Rc<Refused>>,
    /// Files that wait for a word about the watched log, which would be gone for them.
    pub held: Option<Rc<Held>>,
    /// Files that may be written while they are open.
    pub follow: follow::Follow,
    /// How the page stands.
    pub stage: Stage,
    /// The user wants to see a file in which nothing was recognised.
    pub anyway: bool,
    /// The summary, once there is one.
    pub summary: Option<Shared<Summary>>,
    /// What was last heard of the reading.
    pub reading: Option<Reading>,
    /// Counts for the chips.
    pub counts: Shared<FilterCounts>,
    /// The list that is shown.
    pub list: ListHead,
    /// Which mapping the ids of events are of.
    pub mapped: u32,
    /// The rules that are laid over the built-in ones, and what they change.
    pub lab: lab::Lab,
    /// The running agent that is watched.
    pub live: Option<live::Live>,
    /// Hits of the search.
    pub hits: Option<Hits>,
    /// Which hit is selected, from 0.
    pub hit: Option<u64>,
    /// Counts up when all was read, or read in another way: details are asked for again.
    pub epoch: u32,
    /// What the URL holds.
    pub route: Route,
    /// The last movement came from a key that is held down: it makes no entry in the history.
    pub is_held: bool,
    /// The event that the URL names and that is not found yet.
    pub sought: Option<EventRef>,
    /// Movements that were not made yet.
    pub moves: VecDeque<Move>,
    /// Counts movements.
    pub moves_made: u32,
    /// The selected event.
    pub selected: Option<Shared<EventRow>>,
    /// The selected request to a person; then no event is.
    pub picked: Option<Shared<AskRow>>,
    /// What is known of the selected event.
    pub detail: Slot,
    /// The row that has to be in sight.
    pub sight: Option<Sight>,
    /// Whether the detail covers the list where there is no room for both.
    pub sheet: bool,
    /// The dialog that is open.
    pub dialog: Option<Dialog>,
    /// What the page has to say.
    pub message: Option<Message>,
}

/// Files that are looked at while others are open.
#[derive(Debug, Clone, PartialEq)]
pub struct Pending {
    /// Which opening it will be.
    pub number: u32,
    /// The files.
    pub files: Rc<Vec<OpenFile>>,
    /// They are those that are open: what is looked at, and how, stays.
    pub is_again: bool,
    /// What the link says that brought them.
    pub linked: Option<Rc<Route>>,
}

/// Prices in place of the built-in ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Prices {
    /// Those of a file, by its name.
    File(String),
    /// As they were typed: input, output, cache read, cache write.
    Typed([String; 4]),
}

/// Files that were to be opened or added, and of which none is a log.
#[derive(Debug, Clone, PartialEq)]
pub struct Refused {
    /// What the engine says of them.
    pub refusal: Refusal,
    /// The files.
    pub files: Rc<Vec<OpenFile>>,
}

/// Files that were to be opened while the log of an agent that is watched is not saved.
#[derive(Debug, Clone, PartialEq)]
pub struct Held {
    /// The files.
    pub files: Vec<OpenFile>,
    /// What the link says that brought them.
    pub linked: Option<Rc<Route>>,
}

/// How the page stands.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Stage {
    /// No log is open.
    #[default]
    Empty,
    /// A log is read.
    Loading,
    /// A log was read.
    Ready,
    /// It could not be.
    Failed(Failure),
}

impl Stage {
    /// Its word on the root element.
    pub fn name(&self) -> &'static str {
        match self {
            Stage::Empty => "empty",
            Stage::Loading => "loading",
            Stage::Ready => "ready",
            Stage::Failed(_) => "failed",
        }
    }
}

/// Why a log could not be read.
#[derive(Debug, Clone, PartialEq)]
pub enum Failure {
    /// Nothing in it is known.
    Unrecognised(Box<Unrecognised>),
    /// The browser does not let it be read.
    Unreadable {
        /// Name of the file.
        file: String,
        /// The browser's word.
        error: String,
    },
    /// The engine is of another build than the page.
    Outdated,
    /// The engine died.
    Lost {
        /// What it died of.
        reason: String,
    },
}

/// A movement through the list that waits for the engine.
#[derive(Debug, Clone, PartialEq)]
pub struct Move {
    /// Its number.
    pub number: u32,
    /// Where it goes.
    pub target: Target,
    /// What it is for.
    pub aim: Aim,
}

/// What a movement is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aim {
    /// A key walks through the list.
    Walk,
    /// The user wants to see that event.
    Jump,
    /// The URL names that event.
    Restore,
    /// The list changed: where is the selected event now?
    Refresh,
}

/// What is known of the selected event.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Slot {
    /// Nothing is selected, or the answer is on its way.
    #[default]
    Waiting,
    /// All.
    Known(Shared<Detail>),
    /// Its line could not be read: why.
    Unreadable(String),
}

/// A row that has to be in sight. The number tells two wishes for the same row apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sight {
    /// The list.
    pub list: u32,
    /// The row.
    pub row: u64,
    /// Counts wishes.
    pub number: u32,
    /// In the middle if it is out of sight; else at the nearer edge.
    pub centred: bool,
}

/// A dialog.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialog {
    /// The keys.
    Help,
    /// Paste a log.
    Paste,
    /// Connect to a running agent.
    Connect,
    /// Share the run.
    Share,
    /// Why files are not open that were to be.
    Refused,
    /// The log of an agent that is watched is not saved, and is about to be gone.
    Leave,
}

/// Something that the page has to say once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// The sentence.
    pub text: String,
    /// It stays until it is closed.
    pub stays: bool,
}

/// What is said of the parts of a link that mean nothing here.
pub fn odd(parts: &[String]) -> Option<Message> {
    if parts.is_empty() {
        return None;
    }
    let text = format!("This link holds what this version does not know: {}.", parts.join(", "));
    Some(Message { text, stays: false })
}

impl State {
    /// With what the URL says.
    pub fn with_route(mut route: Route) -> State {
        let message = live::clean(&mut route).or_else(|| odd(&route.odd));
        let arrival = arrival::Arrival::of(1, &route);
        State { route, message, arrival, ..State::default() }
    }

    /// Whether there is something to show of a log.
    pub fn has_rows(&self) -> bool {
        self.summary.is_some()
            && match self.stage {
                Stage::Loading | Stage::Ready => true,
                Stage::Empty | Stage::Failed(_) => false,
            }
    }

    /// The tabs that are shown: it takes two runs to compare, and a bus or hook log for AEP.
    pub fn tabs(&self) -> Vec<Tab> {
        let roots = self.summary.as_ref().map_or(0, |summary| {
            let is_there = |parent: &String| summary.sessions.iter().any(|s| s.id.as_ref() == Some(parent));
            summary.sessions.iter().filter(|session| !session.parent.as_ref().is_some_and(is_there)).count()
        });
        let has_bus = self
            .summary
            .as_ref()
            .is_some_and(|summary| summary.files.iter().any(|file| file.format.as_deref() == Some("bus")));
        let is_shown = |tab: &Tab| match tab {
            Tab::Compare => roots > 1,
            Tab::Aep => has_bus,
            _ => true,
        };
        Tab::ALL.into_iter().filter(|tab| is_shown(tab) || *tab == self.route.tab).collect()
    }

    /// What the files are called together.
    pub fn title(&self) -> String {
        let asked = || self.files.iter().chain(self.added.iter()).map(|file| file.name.as_str());
        let read = self.summary.as_ref().map(|summary| summary.files.as_slice()).unwrap_or_default();
        let count = if self.stage == Stage::Loading || read.is_empty() { asked().count() } else { read.len() };
        let first = read.first().map(|file| file.name.as_str()).or_else(|| asked().next());
        match (first, count) {
            (None, _) => String::new(),
            (Some(first), 0 | 1) => first.to_owned(),
            (Some(first), count) => format!("{first} + {}", count - 1),
        }
    }
}
