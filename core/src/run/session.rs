//! Sessions: which one a record belongs to, and what tells its dialect.

use super::store::{Interner, NO_TIME, NONE, index};
use crate::order::Order;
use crate::rules::Dialect;
use std::collections::{BTreeMap, HashMap};

/// How many marks of the dialect are kept with their place.
const EVIDENCE_KEPT: usize = 64;

/// One session, as far as it has been read.
#[derive(Debug, Clone)]
pub(crate) struct Session {
    /// Interned; [`NONE`] until one is named.
    pub(crate) id: u32,
    pub(crate) first_ms: i64,
    pub(crate) last_ms: i64,
    pub(crate) open_step: u32,
    pub(crate) steps: u32,
    pub(crate) step_of_message: HashMap<u64, u32>,
    /// What tells Kilo, one entry a kind of mark.
    pub(crate) evidence: BTreeMap<String, (String, Option<u64>)>,
    pub(crate) has_text: bool,
    pub(crate) has_reasoning: bool,
    /// The last text that the harness wrote itself.
    pub(crate) synthetic_record: u32,
    /// A record of it stands at the end of a file and is cut.
    pub(crate) cut_tail: bool,
    /// Interned parent id, title and model of its own document; [`NONE`] where there is none.
    pub(crate) parent: u32,
    pub(crate) title: u32,
    pub(crate) model: u32,
    /// The model that its prompts name.
    pub(crate) user_model: u32,
    /// Its own document was read: an export, a bus event or a stored one.
    pub(crate) has_document: bool,
    pub(crate) has_prompt: bool,
    /// The server said that it has nothing more to do.
    pub(crate) idle: bool,
    pub(crate) turn_closed: Option<String>,
    pub(crate) compactions: u32,
    /// Merged into another one when it was named: no longer a session of its own.
    pub(crate) gone: bool,
}

impl Default for Session {
    fn default() -> Session {
        Session {
            id: NONE,
            first_ms: NO_TIME,
            last_ms: NO_TIME,
            open_step: NONE,
            steps: 0,
            step_of_message: HashMap::new(),
            evidence: BTreeMap::new(),
            has_text: false,
            has_reasoning: false,
            synthetic_record: NONE,
            cut_tail: false,
            parent: NONE,
            title: NONE,
            model: NONE,
            user_model: NONE,
            has_document: false,
            has_prompt: false,
            idle: false,
            turn_closed: None,
            compactions: 0,
            gone: false,
        }
    }
}

impl Session {
    /// Widens the session's time.
    pub(crate) fn see_time(&mut self, ms: i64) {
        if ms == NO_TIME {
            return;
        }
        if self.first_ms == NO_TIME || ms < self.first_ms {
            self.first_ms = ms;
        }
        if self.last_ms == NO_TIME || ms > self.last_ms {
            self.last_ms = ms;
        }
    }

    /// Notes a mark of Kilo. Of the same kind of mark the one that stands first counts, files being compared by name, so
    /// that the order in which they are opened does not matter.
    pub(crate) fn see_mark(&mut self, mark: &str, file: &str, line: Option<u64>) {
        if let Some(known) = self.evidence.get_mut(mark) {
            if (file, line) < (known.0.as_str(), known.1) {
                *known = (file.to_owned(), line);
            }
        } else if self.evidence.len() < EVIDENCE_KEPT {
            self.evidence.insert(mark.to_owned(), (file.to_owned(), line));
        }
    }

    /// The marks as sentences; `several` says whether the file has to be named.
    pub(crate) fn evidence(&self, several: bool) -> Vec<String> {
        let sentence = |(mark, (file, line)): (&String, &(String, Option<u64>))| match (line, several) {
            (Some(line), true) => format!("{mark} on line {line} of {file}"),
            (Some(line), false) => format!("{mark} on line {line}"),
            (None, _) => mark.clone(),
        };
        self.evidence.iter().map(sentence).collect()
    }

    /// What the evidence says.
    pub(crate) fn dialect(&self) -> Dialect {
        if self.evidence.is_empty() { Dialect::OpenCode } else { Dialect::Kilo }
    }
}

/// All sessions, found by id.
#[derive(Debug, Default)]
pub(crate) struct Sessions {
    pub(crate) rows: Vec<Session>,
    by_id: HashMap<u32, u32>,
}

/// What naming a session did.
pub(crate) enum Named {
    /// It is this one.
    Session(u32),
    /// Records that had no session yet belong to this one, which was known before: move them.
    Moved { from: u32, to: u32 },
}

impl Sessions {
    pub(crate) fn get(&self, session: u32) -> Option<&Session> {
        self.rows.get(session as usize)
    }

    pub(crate) fn get_mut(&mut self, session: u32) -> Option<&mut Session> {
        self.rows.get_mut(session as usize)
    }

    /// A session that is not named yet.
    pub(crate) fn add_unnamed(&mut self) -> u32 {
        self.rows.push(Session::default());
        index(self.rows.len() - 1)
    }

    /// The session of that id, given the one that the file is in.
    pub(crate) fn name(&mut self, id: u32, current: u32) -> Named {
        let unnamed = self.get(current).is_some_and(|session| session.id == NONE);
        match (self.by_id.get(&id).copied(), unnamed) {
            (Some(known), false) => Named::Session(known),
            (Some(known), true) => {
                let from = self.get(current).cloned().unwrap_or_default();
                if let Some(target) = self.get_mut(known) {
                    target.see_time(from.first_ms);
                    target.see_time(from.last_ms);
                    target.has_text |= from.has_text;
                    target.has_reasoning |= from.has_reasoning;
                    target.has_prompt |= from.has_prompt;
                    target.steps += from.steps;
                    if target.open_step == NONE {
                        target.open_step = from.open_step;
                    }
                    for (message, step) in from.step_of_message {
                        target.step_of_message.entry(message).or_insert(step);
                    }
                    for (mark, (file, line)) in from.evidence {
                        target.see_mark(&mark, &file, line);
                    }
                }
                if let Some(session) = self.get_mut(current) {
                    session.gone = true;
                }
                Named::Moved { from: current, to: known }
            }
            (None, true) => {
                self.by_id.insert(id, current);
                if let Some(session) = self.get_mut(current) {
                    session.id = id;
                }
                Named::Session(current)
            }
            (None, false) => {
                let session = self.add_unnamed();
                self.by_id.insert(id, session);
                if let Some(row) = self.get_mut(session) {
                    row.id = id;
                }
                Named::Session(session)
            }
        }
    }

    /// Roots by start, then id; each followed by its children.
    pub(crate) fn order(&self, parents: &HashMap<u32, u32>, ids: &Interner) -> Vec<u32> {
        let mut rows: Vec<u32> =
            (0..index(self.rows.len())).filter(|s| self.get(*s).is_some_and(|s| !s.gone)).collect();
        let key = |session: &u32| {
            let row = self.get(*session);
            let start = row.map_or(NO_TIME, |row| row.first_ms);
            // A session without a time comes last, as nothing says when it was.
            let id = row.and_then(|row| ids.get(row.id)).unwrap_or_default().to_owned();
            (start == NO_TIME, start, id)
        };
        rows.order_by_cached_key(key);
        let mut out = Vec::with_capacity(rows.len());
        let mut stack: Vec<u32> = rows.iter().copied().filter(|s| !parents.contains_key(s)).rev().collect();
        while let Some(session) = stack.pop() {
            out.push(session);
            stack.extend(rows.iter().copied().filter(|s| parents.get(s) == Some(&session)).rev());
        }
        // Sessions that name each other as parents have no root; they are not lost for it.
        out.extend(rows.iter().copied().filter(|session| !out.contains(session)).collect::<Vec<_>>());
        out
    }
}
