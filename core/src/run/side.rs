//! What of a run can be compared, and the facts of a comparison's side.

use super::Run;
use super::store::{CallColumn, EventColumn, NO_TIME, NONE, StepColumn, Text, Texts};
use crate::compare::{Call, CallFacts, Facts, Side, SideSession, Step, StepFacts};
use crate::event::Kind;
use crate::json::Fingerprint;
use crate::money::PicoUsd;
use crate::order::Order;
use crate::usage::TokenSum;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Up to how many events of one call are named in its argument.
const EVENTS_NAMED: usize = 3;

/// Something that can be one side of a comparison.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choice {
    /// Names it in the address: `tree:ses_1`, `session:ses_2`, `file:run.jsonl`.
    pub key: String,
    /// What it is called.
    pub name: String,
    /// Its sessions, by their places in the summary.
    pub sessions: Vec<u32>,
}

impl Run {
    /// What can be compared: each root session with all below it, each session of such a tree by itself, and each file
    /// that holds several roots. Fewer than two roots leave nothing to compare.
    pub fn choices(&self) -> Vec<Choice> {
        let (places, parents) = self.listed_sessions();
        let rank: HashMap<u32, u32> = places.iter().copied().zip(0..).collect();
        let mut trees: Vec<(u32, Vec<u32>)> = Vec::new();
        for place in &places {
            let is_root = !parents.get(place).is_some_and(|parent| rank.contains_key(parent));
            match trees.last_mut() {
                // Children follow their root.
                Some((_, tree)) if !is_root => tree.push(*place),
                _ => trees.push((*place, vec![*place])),
            }
        }
        let summary_places =
            |tree: &[u32]| tree.iter().filter_map(|place| rank.get(place).copied()).collect::<Vec<_>>();
        let mut choices = Vec::new();
        for (root, tree) in &trees {
            let (key, name) = (self.session_key(*root, &rank), self.session_name(*root));
            match tree.as_slice() {
                [_] => choices.push(Choice { key: format!("tree:{key}"), name, sessions: summary_places(tree) }),
                _ => {
                    let name_of_tree = match tree.len() - 1 {
                        1 => format!("{name} and its sub-session"),
                        more => format!("{name} and its {more} sub-sessions"),
                    };
                    choices.push(Choice {
                        key: format!("tree:{key}"),
                        name: name_of_tree,
                        sessions: summary_places(tree),
                    });
                    choices.extend(tree.iter().map(|place| Choice {
                        key: format!("session:{}", self.session_key(*place, &rank)),
                        name: format!("{} alone", self.session_name(*place)),
                        sessions: summary_places(&[*place]),
                    }));
                }
            }
        }
        if trees.len() < 2 {
            return Vec::new();
        }
        let mut of_file: BTreeMap<u16, BTreeSet<u32>> = BTreeMap::new();
        for record in &self.records {
            of_file.entry(record.file).or_default().extend(rank.get(&record.session));
        }
        for (file, sessions) in of_file {
            let roots = trees.iter().filter(|(root, _)| rank.get(root).is_some_and(|root| sessions.contains(root)));
            if roots.count() > 1 && self.several_files() {
                let name = self.files.get(usize::from(file)).map(|file| file.name.clone()).unwrap_or_default();
                choices.push(Choice { key: format!("file:{name}"), name, sessions: sessions.into_iter().collect() });
            }
        }
        choices
    }

    /// A session's id, or `#N` for the N-th of the summary where it has none.
    fn session_key(&self, place: u32, rank: &HashMap<u32, u32>) -> String {
        let id = self.sessions.get(place).and_then(|session| self.strings.get(session.id)).map(str::to_owned);
        id.unwrap_or_else(|| format!("#{}", rank.get(&place).copied().unwrap_or(0) + 1))
    }

    /// A session's title or id; with several files, the one that it begins in before it.
    fn session_name(&self, place: u32) -> String {
        let session = self.sessions.get(place);
        let text =
            |pick: fn(&super::session::Session) -> u32| session.and_then(|session| self.strings.get(pick(session)));
        let own = text(|session| session.title).or(text(|session| session.id)).unwrap_or("session without an id");
        let first = self.records.iter().find(|record| record.session == place).filter(|_| self.several_files());
        match first.and_then(|record| self.files.get(usize::from(record.file))) {
            Some(file) => format!("{} · {own}", file.name),
            None => own.to_owned(),
        }
    }

    /// What a comparison has to know of some sessions, by their places in the summary; of all where none are named.
    pub fn facts(&self, name: &str, sessions: Option<&[u32]>) -> Facts {
        let (places, parents) = self.listed_sessions();
        let chosen: Vec<(u32, u32)> = (0u32..)
            .zip(places)
            .filter(|(summary_place, _)| sessions.is_none_or(|sessions| sessions.contains(summary_place)))
            .collect();
        let of_place: HashMap<u32, u32> =
            chosen.iter().map(|(summary_place, place)| (*place, *summary_place)).collect();
        let wanted = |session: u32| of_place.contains_key(&session);
        let copies = self.copied_steps(&wanted);
        let turns = self.turns();
        let session = |(summary_place, place): &(u32, u32)| {
            let session = self.session_summary(*place, &parents, &turns);
            let (id, title, model, verdict) = (session.id, session.title, session.model, session.verdict);
            SideSession { place: *summary_place, id, title, model, verdict }
        };
        let side = Side {
            name: name.to_owned(),
            sessions: chosen.iter().map(session).collect(),
            total: self.total(&copies, &turns, &wanted),
        };
        let arguments = self.arguments(&wanted);
        let mut steps: Vec<(Key, StepFacts)> = Vec::new();
        let mut of_step: HashMap<u32, usize> = HashMap::new();
        for (index, step) in (0u32..).zip(&self.steps) {
            let Some(place) = of_place.get(&step.session).filter(|_| !copies.contains(&index)) else { continue };
            of_step.insert(index, steps.len());
            let key = (*place, step.number, step.record);
            steps.push((key, StepFacts { step: self.compared_step(step, *place), calls: Vec::new() }));
        }
        let mut last_number = (0, 0);
        for (index, call) in self.calls.iter().enumerate() {
            let Some(place) = of_place.get(&call.session).filter(|_| !copies.contains(&call.step)) else { continue };
            let facts = self.compared_call(call, arguments.get(index));
            if let Some((key, step)) = of_step.get(&call.step).and_then(|at| steps.get_mut(*at)) {
                last_number = (key.0, key.1);
                step.calls.push(facts);
                continue;
            }
            let number = if last_number.0 == *place { last_number.1 } else { 0 };
            let own = self.place(call.record);
            let step = Step { session: *place, file: own.file, line: own.line, ..Step::default() };
            steps.push(((*place, number, call.record), StepFacts { step, calls: vec![facts] }));
        }
        steps.order_by_key(|(key, _)| *key);
        Facts {
            side,
            tools: self.tools(&copies, &wanted),
            steps: steps.into_iter().map(|(_, step)| step).collect(),
            paths: self.absolute_paths(&wanted),
        }
    }

    fn compared_step(&self, step: &StepColumn, session: u32) -> Step {
        let place = self.place(step.record);
        let known = |ms: i64| (ms != NO_TIME).then_some(ms);
        let mut tokens = TokenSum::default();
        tokens.add(step.usage.as_ref());
        Step {
            session,
            number: Some(step.number.into()),
            file: place.file,
            line: place.line,
            reason: self.strings.get(step.reason).map(str::to_owned),
            tokens: tokens.tokens().total,
            cost_usd: step.cost.map(PicoUsd::to_usd),
            duration_ms: known(step.start).zip(known(step.end)).and_then(|(from, to)| u64::try_from(to - from).ok()),
        }
    }

    fn compared_call(&self, call: &CallColumn, argument: Option<&Argument>) -> CallFacts {
        let place = self.place(call.record);
        let argument = argument.cloned().unwrap_or_default();
        CallFacts {
            tool: self.strings.get(call.tool).unwrap_or_default().to_owned(),
            more: if argument.is_cut { call.input } else { Fingerprint::default() },
            argument: argument.text,
            call: Call {
                file: place.file,
                line: place.line,
                outcome: call.outcome,
                green_but_failed: call.green_but_failed(),
                duration_ms: call.duration(),
            },
        }
    }

    /// What each call was asked to do, in the words of its events.
    fn arguments(&self, wanted: &dyn Fn(u32) -> bool) -> Vec<Argument> {
        let dialects = self.dialects();
        let mut arguments = vec![Argument::default(); self.calls.len()];
        let shown = self.events.iter().filter(|event| event.call != NONE && wanted(event.session));
        for event in shown.filter(|event| Run::shows(event, &dialects)) {
            if let Some(argument) = arguments.get_mut(event.call as usize) {
                argument.add(&self.argument_of(event), event, &self.texts);
            }
        }
        for argument in &mut arguments {
            // An unknown tool whose input has no text to show: all of its input tells it from others.
            argument.is_cut |= argument.events > 0 && argument.text.is_empty();
            if argument.events > EVENTS_NAMED {
                argument.text.push_str(&format!(" and {} more", argument.events - EVENTS_NAMED));
                argument.is_cut = true;
            }
        }
        arguments
    }

    fn argument_of(&self, event: &EventColumn) -> String {
        let (summary, aside) = (self.texts.get(event.summary), self.texts.get(event.aside));
        match event.kind {
            // The id of a subagent's session is another one in each run.
            Kind::Orchestration => match aside.strip_prefix("sub-session ").map(|rest| rest.split_once(": ")) {
                Some(Some((_, description))) => format!("{summary} {description}"),
                Some(None) => summary.to_owned(),
                None => format!("{summary} {aside}").trim_end().to_owned(),
            },
            // The name of the tool stands beside it.
            Kind::Unknown => aside.to_owned(),
            // Of a command that is a file operation, the command: it stands last in the aside.
            Kind::Read | Kind::Write | Kind::Search | Kind::List if self.is_shell(event) => {
                aside.split_once(" · ").map_or(aside, |(_, command)| command).to_owned()
            }
            _ if aside.is_empty() => summary.to_owned(),
            _ => format!("{summary} {aside}"),
        }
    }

    fn is_shell(&self, event: &EventColumn) -> bool {
        let tool = self.calls.get(event.call as usize).and_then(|call| self.strings.get(call.written));
        tool.is_some_and(|tool| tool.eq_ignore_ascii_case("bash"))
    }

    fn absolute_paths(&self, wanted: &dyn Fn(u32) -> bool) -> BTreeSet<String> {
        let dialects = self.dialects();
        let events = self.events.iter().filter(|event| event.path != NONE && wanted(event.session));
        let paths =
            events.filter(|event| Run::shows(event, &dialects)).filter_map(|event| self.strings.get(event.path));
        let is_absolute = |path: &&str| path.starts_with('/') || path.get(1..3).is_some_and(|rest| rest == ":\\");
        paths.filter(is_absolute).map(str::to_owned).collect()
    }
}

/// Where a step stands: session, number, first record.
type Key = (u32, u32, u32);

#[derive(Debug, Clone, Default)]
struct Argument {
    text: String,
    events: usize,
    is_cut: bool,
}

impl Argument {
    fn add(&mut self, text: &str, event: &EventColumn, texts: &Texts) {
        if self.events > 0 && self.events < EVENTS_NAMED {
            self.text.push_str(", ");
        }
        if self.events < EVENTS_NAMED {
            self.text.push_str(text);
        }
        self.events += 1;
        let is_cut = |text: Text| texts.get(text).ends_with('…');
        self.is_cut |= is_cut(event.summary) || is_cut(event.aside);
    }
}
