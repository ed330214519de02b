//! What happens, and what it makes of the state.

use std::collections::HashSet;
use std::rc::Rc;

use steplens_core::event::{Kind, Outcome};
use steplens_core::overview::Stretch;
use steplens_core::run::DialectChoice;
use steplens_core::view::{AskRow, EventRow};
use yew::Reducible;

use super::aep::AepLook;
use super::arrival::{LinkAction, partly};
use super::follow::{Follow, FollowAction};
use super::lab::LabAction;
use super::live::{Live, LiveAction};
use super::route::{Chips, EventRef, Route, Sides, Tab};
use super::shared::Shared;
use super::{Aim, Dialog, Failure, Held, Message, Move, Pending, Prices, Refused, Sight, Slot, Stage, State, odd};
use crate::engine::Notice;
use crate::engine::protocol::{Answer, Growth, Landed, OpenFile, Phase, Refusal, Spot, Target, Update};
use crate::text::number::count;

/// Movements that wait at most: a held key may not run far ahead of what is seen.
const MOVES_WAITING: usize = 6;

/// How many of the files that were left out a message names.
const NAMED: usize = 3;

/// What happens.
#[derive(Debug)]
pub enum Action {
    /// Files came in.
    Open(Vec<OpenFile>),
    /// Files came in for the run that is open.
    Add(Vec<OpenFile>),
    /// Open the files that were refused.
    OpenRefused,
    /// Open the files that waited for a word about the watched log.
    OpenHeld,
    /// The engine says something.
    Heard(Notice),
    /// The engine answers a movement.
    Landed {
        /// The movement.
        number: u32,
        /// The answer.
        answer: Answer,
    },
    /// The engine answers what an event holds.
    Detailed {
        /// The event.
        id: u32,
        /// The answer.
        answer: Answer,
    },
    /// What became of what came to a file.
    Grown {
        /// The file, by its name.
        file: String,
        /// What came.
        growth: Growth,
        /// The engine's answer.
        answer: Answer,
    },
    /// Something about files that may be written while they are open.
    Follow(FollowAction),
    /// Go there.
    Go {
        /// Where.
        target: Target,
        /// Whether a held key says so.
        is_held: bool,
    },
    /// Go there, whatever hides it.
    Jump(Target),
    /// A row was clicked.
    Select(Box<EventRow>),
    /// The user chose a request to a person.
    Pick(Box<AskRow>),
    /// Nothing is selected any more.
    Deselect,
    /// Next or previous: hit of the search while there is one, else failure.
    Next(bool),
    /// Show a tab.
    Tab(Tab),
    /// Press or release the chip of a kind.
    ToggleKind(Kind),
    /// Press or release the chip of an outcome.
    ToggleOutcome(Outcome),
    /// Press or release the chip for calls that are green but failed.
    ToggleGreen,
    /// Press or release the chip of requests to a person.
    ToggleAsks,
    /// Press or release the chip of a tool.
    ToggleTool(String),
    /// Only the calls of this tool, on the timeline.
    OnlyTool(String),
    /// Only this session; none means all.
    Session(Option<String>),
    /// Only this stretch of the run; none means all of it.
    Range(Option<Stretch>),
    /// All events of the session and the stretch that are chosen.
    AnyKind,
    /// Show all events again.
    ClearChips,
    /// Search.
    Query(String),
    /// Show the tab at a place, from 0, of those that are shown.
    NthTab(usize),
    /// Read by another tool table.
    Dialect(DialectChoice),
    /// Price as this model; none goes by the log.
    Model(Option<String>),
    /// Compare these.
    Sides(Sides),
    /// Other prices are taken; none goes back to the built-in ones.
    Prices(Option<Prices>),
    /// Read by the extension rules too, or no longer.
    Extensions(bool),
    /// Show times in UTC, or in the reader's own zone.
    Utc(bool),
    /// The browser's history moved.
    Navigate(Box<Route>),
    /// Show the file although nothing in it was recognised.
    ShowAnyway,
    /// The detail covers the list, or no longer does.
    Sheet(bool),
    /// Open or close a dialog.
    Dialog(Option<Dialog>),
    /// Something about a log that a link brings.
    Link(LinkAction),
    /// Look at the AEP events so.
    Aep(AepLook),
    /// Something about the running agent that is watched.
    Live(LiveAction),
    /// Something in the lab.
    Lab(LabAction),
    /// Say something.
    Say(Option<String>),
}

impl Reducible for State {
    type Action = Action;

    fn reduce(self: Rc<Self>, action: Action) -> Rc<Self> {
        let mut state = Rc::unwrap_or_clone(self);
        state.apply(action);
        Rc::new(state)
    }
}

impl State {
    fn apply(&mut self, action: Action) {
        match action {
            Action::Open(files) => self.open(files),
            Action::Add(files) => self.add(files),
            Action::OpenRefused => {
                if let Some(refused) = self.refused.take() {
                    self.asked += 1;
                    self.begin(self.asked, refused.files.clone(), false, None);
                    self.anyway = true;
                }
            }
            Action::OpenHeld => {
                if let Some(held) = self.held.take() {
                    self.dialog = None;
                    self.take_now(held.files.clone(), held.linked.clone());
                }
            }
            Action::Heard(notice) => self.heard(notice),
            Action::Landed { number, answer } => {
                if self.moves.front().is_some_and(|m| m.number == number)
                    && let Some(done) = self.moves.pop_front()
                {
                    match answer {
                        Answer::Landed(landed) => self.landed(&done, landed.map(|l| *l)),
                        _ => self.moves.clear(),
                    }
                }
            }
            Action::Detailed { id, answer } => self.detailed(id, answer),
            Action::Grown { file, growth, answer } => self.grown(&file, &growth, &answer),
            Action::Follow(action) => self.follow_acted(action),
            Action::Go { target, is_held } => {
                if self.route.tab == Tab::Timeline && self.moves.len() < MOVES_WAITING {
                    self.is_held = is_held;
                    self.go(target, Aim::Walk);
                }
            }
            Action::Jump(target) => {
                self.is_held = false;
                self.go(target, Aim::Jump);
            }
            Action::Select(event) => {
                self.is_held = false;
                self.sheet = true;
                self.hit = None;
                self.select(*event);
            }
            // One step back: first the event, then the stretch.
            Action::Pick(ask) => {
                self.is_held = false;
                self.sheet = true;
                self.hit = None;
                self.pick(*ask);
            }
            Action::Deselect if self.spot().is_none() => self.route.chips.range = None,
            Action::Deselect => self.deselect(),
            Action::Next(forward) => {
                let is_search = !self.route.query.is_empty();
                let target = if is_search { Target::Hit(forward) } else { Target::Failure(forward) };
                self.is_held = false;
                self.go(target, Aim::Walk);
            }
            Action::Tab(tab) => {
                self.route.rest.retain(|(key, _)| key != "tab");
                self.route.tab = tab;
            }
            Action::NthTab(place) => {
                if let Some(tab) = self.tabs().get(place) {
                    self.apply(Action::Tab(*tab));
                }
            }
            Action::Dialect(dialect) => self.route.dialect = dialect,
            Action::Model(model) => self.route.model = model,
            Action::Sides(sides) => self.route.sides = sides,
            Action::Prices(prices) => self.prices = prices,
            Action::Extensions(on) => {
                self.route.extensions = on;
                self.open_again();
            }
            Action::Live(action) => self.live_acted(action),
            Action::Aep(look) => self.route.aep = look,
            Action::Utc(utc) => self.route.utc = utc,
            Action::Query(query) => {
                if !query.is_empty() {
                    self.route.tab = Tab::Timeline;
                }
                self.hit = None;
                self.route.query = query;
            }
            Action::ShowAnyway => {
                self.anyway = true;
                self.stage = Stage::Ready;
            }
            Action::Navigate(route) => self.navigate(*route),
            Action::Link(action) => self.link_acted(action),
            Action::Lab(action) => self.lab_acted(action),
            Action::Sheet(open) => self.sheet = open && self.spot().is_some(),
            Action::Dialog(dialog) => self.dialog = dialog.filter(|what| *what != Dialog::Share || self.has_rows()),
            Action::Say(text) => self.message = text.map(|text| Message { text, stays: false }),
            chips => self.chips(chips),
        }
    }

    fn chips(&mut self, action: Action) {
        let chips = &mut self.route.chips;
        match action {
            Action::ToggleKind(kind) => toggle(&mut chips.kinds, kind),
            Action::ToggleOutcome(outcome) => toggle(&mut chips.outcomes, outcome),
            Action::ToggleGreen => chips.green_but_failed = !chips.green_but_failed,
            Action::ToggleAsks => chips.asks = !chips.asks,
            Action::ToggleTool(tool) => toggle(&mut chips.tools, tool),
            Action::OnlyTool(tool) => {
                let session = chips.session.take();
                *chips = Chips { tools: vec![tool], session, ..Chips::default() };
                self.route.tab = Tab::Timeline;
            }
            Action::Session(session) => chips.session = session,
            Action::Range(range) => chips.range = range,
            Action::AnyKind => {
                *chips = Chips { session: chips.session.take(), range: chips.range, ..Chips::default() };
            }
            Action::ClearChips => *chips = Chips { session: chips.session.take(), ..Chips::default() },
            _ => {}
        }
    }

    pub(super) fn open(&mut self, files: Vec<OpenFile>) {
        let files = self.take_rules(files);
        if files.is_empty() {
            return;
        }
        self.arrival = None;
        if !self.has_rows() && self.route.source.is_some() {
            // The link was about another log.
            self.route = self.route.of_another_log();
        }
        self.take(files, None);
    }

    /// A table of rules among files is laid over what is open, or comes to be; the others are left.
    fn take_rules(&mut self, files: Vec<OpenFile>) -> Vec<OpenFile> {
        let (mut rules, logs): (Vec<OpenFile>, Vec<OpenFile>) =
            files.into_iter().partition(|file| file.name.ends_with(".toml"));
        if let Some(file) = rules.pop() {
            self.lab.incoming = Some(file);
            self.lab.is_along = !logs.is_empty();
            if logs.is_empty() && self.has_rows() {
                self.route.tab = Tab::Mapping;
            }
        }
        logs
    }

    /// Opens files, unless what came of a watched agent would be gone for them: then it is asked first.
    pub(super) fn take(&mut self, files: Vec<OpenFile>, linked: Option<Rc<Route>>) {
        if self.has_unsaved() {
            self.held = Some(Rc::new(Held { files, linked }));
            self.dialog = Some(Dialog::Leave);
        } else {
            self.take_now(files, linked);
        }
    }

    /// Opens files; what is open stays until a log is found among them.
    fn take_now(&mut self, files: Vec<OpenFile>, linked: Option<Rc<Route>>) {
        let files = Rc::new(named_apart(files, &[]));
        self.asked += 1;
        if self.has_rows() {
            self.dialog = None;
            self.pending = Some(Pending { number: self.asked, files, is_again: false, linked });
        } else {
            self.begin(self.asked, files, false, linked);
        }
    }

    fn add(&mut self, files: Vec<OpenFile>) {
        if !self.has_rows() {
            return self.open(files);
        }
        let files = self.take_rules(files);
        if files.is_empty() {
            return;
        }
        self.stage = Stage::Loading;
        let taken: Vec<&str> = self.files.iter().chain(self.added.iter()).map(|file| file.name.as_str()).collect();
        let files = named_apart(files, &taken);
        self.added = Rc::new(self.added.iter().cloned().chain(files).collect());
    }

    /// Reads what is open anew; what is looked at, and how, stays.
    fn open_again(&mut self) {
        if !self.has_rows() {
            return;
        }
        self.asked += 1;
        let files = Rc::new(self.files.iter().chain(self.added.iter()).cloned().collect());
        self.pending = Some(Pending { number: self.asked, files, is_again: true, linked: None });
    }

    /// Nothing is known of the files yet.
    fn begin(&mut self, number: u32, files: Rc<Vec<OpenFile>>, is_again: bool, linked: Option<Rc<Route>>) {
        let is_first = self.opening == 0;
        let partly = linked.as_deref().and_then(partly);
        let route = match linked {
            Some(route) => Rc::unwrap_or_clone(route),
            None if is_first || is_again => self.route.clone(),
            None => self.route.of_another_log(),
        };
        let files_named: Vec<String> = files.iter().map(|file| file.name.clone()).collect();
        // A file of that name that comes later is another one: a log that was saved.
        let is_own = |live: &mut Live| files.iter().any(|file| file.name == live.file) && (is_again || !live.is_opened);
        let live = self.live.take_if(is_own).map(|live| Live { is_opened: true, ..live });
        *self = State {
            live,
            opening: number,
            asked: self.asked,
            files,
            stage: Stage::Loading,
            sought: route.event.clone(),
            list: self.list,
            epoch: self.epoch,
            moves_made: self.moves_made,
            lab: self.lab.of_opening(),
            route,
            prices: self.prices.take(),
            follow: Follow {
                sources: self.follow.sources.clone(),
                files: self
                    .follow
                    .files
                    .iter()
                    .filter(|name| is_again || files_named.contains(name))
                    .cloned()
                    .collect(),
                ..Follow::default()
            },
            anyway: is_again && self.anyway,
            sheet: is_again && self.sheet,
            message: partly.or_else(|| self.message.take().filter(|message| !message.stays)),
            ..State::default()
        };
    }

    /// Files that were to be opened or added are no logs.
    fn refuse(&mut self, refusal: Refusal) {
        let files = match refusal.opening {
            None => Rc::default(),
            Some(number) => match self.pending.take_if(|pending| pending.number == number) {
                Some(pending) => pending.files,
                None => return,
            },
        };
        // None is named where the user stopped it.
        if !refusal.files.is_empty() {
            self.refused = Some(Rc::new(Refused { refusal, files }));
            self.dialog = Some(Dialog::Refused);
        }
    }

    /// Says of files that were left out beside logs, once.
    fn say_left_out(&mut self, before: usize) {
        let left_out = self.summary.as_ref().map(|summary| summary.left_out.as_slice()).unwrap_or_default();
        let text = match left_out.get(before..) {
            None | Some([]) => return,
            Some([file]) => format!("{} was left out: {}.", file.name, file.reason),
            Some(files) => {
                let named: Vec<&str> = files.iter().take(NAMED).map(|file| file.name.as_str()).collect();
                let more = files.len().saturating_sub(NAMED) as u64;
                let (named, last) = match (named.split_last(), more) {
                    (Some((last, named)), 0) => (named.join(", "), (*last).to_owned()),
                    _ => (named.join(", "), count(more, "other file", "other files")),
                };
                format!("{named} and {last} were left out. The Files tab says why.")
            }
        };
        self.message = Some(Message { text, stays: false });
    }

    fn heard(&mut self, notice: Notice) {
        let say = |text: String| Some(Message { text, stays: true });
        match notice {
            Notice::Update(update) => self.updated(*update),
            Notice::Restarted { reason } => {
                self.moves.clear();
                self.detail = Slot::Waiting;
                if self.opening > 0 {
                    self.stage = Stage::Loading;
                    self.message = say(format!(
                        "The reader stopped and was started again; the log is read anew. It said: {reason}"
                    ));
                }
            }
            Notice::PricesLost { why } => {
                self.prices = None;
                self.message = say(format!("The prices are the built-in ones again: {why}"));
            }
            Notice::Lost { reason } => {
                self.moves.clear();
                if self.opening > 0 {
                    self.stage = Stage::Failed(Failure::Lost { reason });
                } else {
                    self.message = say(format!(
                        "The reader could not start: {reason}. Reload the page; if that does not help, \
                         this browser may be too old."
                    ));
                }
            }
            Notice::Mismatch if self.opening > 0 => self.stage = Stage::Failed(Failure::Outdated),
            Notice::Mismatch => {
                self.message = say("This page was updated while it was open. Reload it.".to_owned());
            }
        }
    }

    fn updated(&mut self, mut update: Update) {
        if let Some(refusal) = update.refused.take() {
            self.refuse(*refusal);
        }
        if let Some(pending) = self.pending.take_if(|pending| pending.number == update.opening) {
            self.begin(pending.number, pending.files, pending.is_again, pending.linked);
        }
        if update.opening != self.opening {
            return;
        }
        let is_over = update.reading.phase != Phase::Reading;
        let is_other_list = update.list.list != self.list.list;
        let has_summary = update.summary.is_some();
        let left_out = self.summary.as_ref().map_or(0, |summary| summary.left_out.len());
        if let Some(summary) = update.summary {
            self.summary = Some(Shared::new(*summary));
            self.say_left_out(left_out);
        }
        if *self.counts != update.counts {
            self.counts = Shared::new(update.counts);
        }
        self.list = update.list;
        if self.mapped != update.mapped {
            self.mapped = update.mapped;
            self.forget_ids();
        }
        self.hits = update.hits;
        let is_shown = update.unrecognised.is_none() || self.anyway;
        self.stage = match &update.reading.phase {
            Phase::Reading => Stage::Loading,
            Phase::Done | Phase::Cancelled if is_shown => Stage::Ready,
            Phase::Done => Stage::Failed(Failure::Unrecognised(update.unrecognised.unwrap_or_default())),
            Phase::Cancelled => Stage::Empty,
            Phase::Unreadable { file, error } if is_shown => {
                self.follow.stale = Some(file.clone());
                self.message = Some(Message {
                    text: format!(
                        "{file} could not be read any further ({error}): it changed or moved on disk. \
                         What was read stays; Reload reads it anew."
                    ),
                    stays: true,
                });
                Stage::Ready
            }
            Phase::Unreadable { file, error } => {
                Stage::Failed(Failure::Unreadable { file: file.clone(), error: error.clone() })
            }
        };
        if update.reading.phase == Phase::Cancelled && has_summary {
            self.message = Some(Message {
                text: "Reading was stopped: what is shown is the beginning of the log.".to_owned(),
                stays: true,
            });
        }
        self.reading = Some(update.reading);
        if is_over && has_summary {
            self.epoch += 1;
        }
        if self.sought.is_some() {
            self.seek();
        } else if let Some(spot) = self.spot()
            && (is_other_list || (is_over && has_summary))
        {
            let target = match spot {
                Spot::Event(id) => Target::Event(id),
                Spot::Ask(id) => Target::Ask(id),
            };
            self.go(target, Aim::Refresh);
        }
    }

    /// Looks for the event that the URL names.
    fn seek(&mut self) {
        let is_on_its_way = self.moves.iter().any(|m| m.aim == Aim::Restore);
        if let Some(sought) = &self.sought
            && !is_on_its_way
        {
            let target = Target::Line { file: sought.file.clone(), line: sought.line };
            self.go(target, Aim::Restore);
        }
    }

    fn go(&mut self, target: Target, aim: Aim) {
        self.moves_made = self.moves_made.wrapping_add(1);
        self.moves.push_back(Move { number: self.moves_made, target, aim });
    }

    fn landed(&mut self, done: &Move, landed: Option<Landed>) {
        let Some(landed) = landed else {
            self.missed(done);
            return;
        };
        if let Some(row) = landed.row {
            let is_walk = done.aim == Aim::Walk && matches!(done.target, Target::By(_) | Target::Fold(_));
            let list = self.list.list;
            // Where the list is the same, a refreshed row does not pull the reader back to it.
            if done.aim != Aim::Refresh || self.sight.is_none_or(|sight| sight.list != list) {
                self.sight = Some(Sight { list, row, number: done.number, centred: !is_walk });
            }
        } else if done.aim == Aim::Jump {
            // The filter hides what the user wants to see.
            self.route.chips = Chips::default();
        }
        if matches!(done.target, Target::Hit(_)) {
            self.hit = landed.hit;
        } else if done.aim != Aim::Refresh && !matches!(done.target, Target::Fold(_)) {
            self.hit = None;
        }
        if let Some(ask) = landed.ask {
            return self.landed_at_ask(done.aim, *ask);
        }
        match (done.aim, landed.event) {
            (Aim::Refresh, Some(event)) => {
                if self.selected.as_ref().is_some_and(|s| s.id == event.id) {
                    self.selected = Some(Shared::new(event));
                }
            }
            (Aim::Jump, event) => {
                self.route.tab = Tab::Timeline;
                if let Some(event) = event {
                    self.sheet = true;
                    self.select(event);
                }
            }
            (Aim::Walk, Some(event)) => self.select(event),
            (Aim::Restore, Some(event)) => {
                self.sheet = true;
                let sought = self.sought.take();
                self.select(event);
                // It holds more than what is known yet.
                self.route.event = sought;
            }
            // The head of a step is shown and not selected.
            (Aim::Restore, None) => self.sought = None,
            (_, None) => {}
        }
    }

    fn landed_at_ask(&mut self, aim: Aim, ask: AskRow) {
        match aim {
            Aim::Refresh => {
                if self.picked.as_ref().is_some_and(|picked| picked.ask.id == ask.ask.id) {
                    self.picked = Some(Shared::new(ask));
                }
                return;
            }
            Aim::Jump => {
                self.route.tab = Tab::Timeline;
                self.sheet = true;
            }
            Aim::Restore => self.sheet = true,
            Aim::Walk => {}
        }
        self.pick(ask);
    }

    fn missed(&mut self, done: &Move) {
        let is_over = self.stage == Stage::Ready;
        match (&done.target, done.aim) {
            (Target::Line { line, .. }, Aim::Restore) if is_over => {
                self.sought = None;
                self.route.event = None;
                // What never was a place makes no entry in the history.
                self.is_held = true;
                self.message = Some(Message {
                    text: format!("The link names line {line}, and this log has no event there."),
                    stays: true,
                });
            }
            (Target::StepAt { .. }, Aim::Jump) if !self.route.chips.is_empty() => {
                // The filter hides it.
                self.route.chips = Chips::default();
                self.go(done.target.clone(), Aim::Jump);
            }
            (Target::Line { line, .. }, Aim::Jump) => {
                self.message = Some(Message { text: format!("Line {line} gave no event of its own."), stays: false });
            }
            (Target::Failure(_), _) => {
                self.message =
                    Some(Message { text: "No failed call and no error in this list.".to_owned(), stays: false });
            }
            (Target::Hit(_), _) => {
                let text = format!("Nothing in this list holds “{}”.", self.route.query);
                self.message = Some(Message { text, stays: false });
            }
            _ => {}
        }
    }

    /// What is selected.
    pub fn spot(&self) -> Option<Spot> {
        let ask = self.picked.as_ref().map(|row| Spot::Ask(row.ask.id.clone()));
        ask.or_else(|| self.selected.as_ref().map(|event| Spot::Event(event.id)))
    }

    /// Names a line in the URL.
    fn name(&mut self, file: u32, line: u64, part: Option<String>) {
        let files = self.summary.as_ref().map(|summary| summary.files.as_slice()).unwrap_or_default();
        let file = (files.len() > 1).then(|| files.get(file as usize)).flatten();
        let event_ref = EventRef { file: file.map(|file| file.name.clone()), line, part };
        let is_known = |known: &EventRef| known.is_same(&event_ref);
        if !self.route.event.as_ref().is_some_and(is_known) {
            self.route.event = Some(event_ref);
        }
    }

    fn pick(&mut self, row: AskRow) {
        // An id with a colon would be read as the name of a file.
        let id = Some(row.ask.id.clone()).filter(|id| !id.contains(':'));
        self.name(row.ask.file, row.ask.line, id);
        self.sought = None;
        self.selected = None;
        self.detail = Slot::Waiting;
        self.picked = Some(Shared::new(row));
    }

    fn select(&mut self, event: EventRow) {
        self.picked = None;
        self.name(event.file, event.line, None);
        if self.selected.as_ref().is_none_or(|s| s.id != event.id) {
            self.detail = Slot::Waiting;
        }
        self.sought = None;
        self.selected = Some(Shared::new(event));
    }

    fn deselect(&mut self) {
        self.selected = None;
        self.picked = None;
        self.detail = Slot::Waiting;
        self.sheet = false;
        self.hit = None;
        self.sought = None;
        self.route.event = None;
    }

    fn detailed(&mut self, id: u32, answer: Answer) {
        if self.selected.as_ref().is_none_or(|s| s.id != id) {
            return;
        }
        match answer {
            Answer::Detail(Some(detail)) => {
                if let Some(event) = &mut self.route.event
                    && event.line == detail.line
                {
                    event.part.clone_from(&detail.part_id);
                }
                self.detail = Slot::Known(Shared::new(*detail));
            }
            Answer::Unreadable { file, error } => {
                self.went_stale(&file);
                self.detail = Slot::Unreadable(format!(
                    "{file} could not be read ({error}): it changed or moved on disk. Reload reads it again."
                ));
            }
            Answer::Lost => {}
            _ => self.detail = Slot::Unreadable("This event is no longer there.".to_owned()),
        }
    }

    fn navigate(&mut self, route: Route) {
        let Some(mut route) = self.arrives(route) else { return };
        let is_selected = match (&route.event, &self.route.event) {
            (Some(new), Some(old)) => new.is_same(old) && self.spot().is_some(),
            (None, None) => true,
            _ => false,
        };
        if let Some(message) = super::live::clean(&mut route).or_else(|| odd(&route.odd)) {
            self.message = Some(message);
        }
        let is_read_otherwise = self.route.extensions != route.extensions;
        self.route = route;
        if is_read_otherwise {
            return self.open_again();
        }
        if is_selected {
            return;
        }
        match self.route.event.clone() {
            None => self.deselect(),
            Some(event) => {
                self.sought = Some(event);
                if self.has_rows() {
                    self.seek();
                }
            }
        }
    }
}

/// Gives files of one name names of their own, and keeps them from those that are taken.
fn named_apart(mut files: Vec<OpenFile>, taken: &[&str]) -> Vec<OpenFile> {
    let mut names: HashSet<String> = taken.iter().map(|name| (*name).to_owned()).collect();
    for file in &mut files {
        let mut name = file.name.clone();
        let mut number = 1;
        while !names.insert(name.clone()) {
            number += 1;
            name = format!("{} ({number})", file.name);
        }
        file.name = name;
    }
    files
}

fn toggle<T: PartialEq>(list: &mut Vec<T>, item: T) {
    match list.iter().position(|i| *i == item) {
        Some(place) => {
            list.remove(place);
        }
        None => list.push(item),
    }
}
