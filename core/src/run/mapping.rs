//! How the records are mapped: coverage, unknowns by reason, rules by use, and the difference that a table makes.

use super::diagnostics::{Place, kind};
use super::store::{CallColumn, EventColumn, NONE};
use super::{RecordId, Run};
use crate::event::Kind;
use crate::format::shape::Shape;
use crate::format::wire::{Line, LineType};
use crate::json::fingerprint_of_bytes;
use crate::mapping::{Changes, Drift, Mapping, RuleUse, Tried, UnknownGroup, UnknownKind};
use crate::order::Order;
use crate::rules::interpret::WhyUnknown;
use crate::rules::suggest::InputKey;
use crate::rules::{Dialect, Rule};
use crate::summary::RecordCounts;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// How many places of a group are named.
const PLACES: usize = 20;

/// The events of every record of a run in a few bytes, to compare another reading of the same bytes with.
#[derive(Debug, Clone, Default)]
pub struct Prints {
    records: Vec<Print>,
    counts: RecordCounts,
    kinds: BTreeMap<String, u64>,
}

/// Unknown events that go together, while they are counted.
#[derive(Default)]
struct Group<'r> {
    count: u64,
    places: Vec<(u32, u64)>,
    /// The first call among them.
    call: Option<&'r CallColumn>,
}

/// The events of one record: a hash of what they say, and the kind of the first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Print {
    hash: u64,
    kind: Option<Kind>,
}

impl Run {
    /// How the records are mapped.
    pub fn mapping(&self) -> Mapping {
        let summary = self.record_counts();
        Mapping {
            records: summary,
            unknown: self.unknown_groups(),
            rules: self.rule_uses(),
            drift: self.drift_rows(),
            notes: self.rule_notes(),
        }
    }

    /// What the author of the user's table should know: rules that do not apply to this log, that read nothing of it, or
    /// that look for something other than was meant.
    pub fn rule_notes(&self) -> Vec<String> {
        let Some(user) = self.rules.user() else { return Vec::new() };
        let mut notes = Vec::new();
        for (rule, key) in user.likely_pointers() {
            notes.push(format!(
                "rule `{rule}` looks for a key `{key}` of the input; a JSON pointer begins with a slash: `/{key}`"
            ));
        }
        let dialects = self.dialects();
        let there: Vec<&str> = Dialect::ALL
            .into_iter()
            .filter(|dialect| (0..self.sessions.rows.len() as u32).any(|place| dialects.of(place) == Some(*dialect)))
            .map(Dialect::name)
            .collect();
        if !user.rules().is_empty() && !there.is_empty() && !there.iter().any(|name| user.is_over(name)) {
            notes.push(format!(
                "none of the rules of `{}` applies: this log is read by the {} table, and its `base` names another; \
                 leave `base` out to lay it over both",
                user.id(),
                there.join(" and the ")
            ));
            return notes;
        }
        let idle: Vec<String> = self
            .rule_uses()
            .into_iter()
            .filter(|rule| rule.is_own && rule.calls == 0)
            .map(|rule| format!("`{}`", rule.id))
            .collect();
        // A printed table that is given back has rules for everything.
        let is_printed = Dialect::ALL.iter().any(|dialect| dialect.name() == user.id());
        if !idle.is_empty() && !there.is_empty() && !is_printed {
            notes.push(format!("of the rules of `{}`, these read no call of this log: {}", user.id(), idle.join(", ")));
        }
        notes
    }

    fn unknown_groups(&self) -> Vec<UnknownGroup> {
        let dialects = self.dialects();
        let mut groups: BTreeMap<(UnknownKind, &str, &str), Group<'_>> = BTreeMap::new();
        for event in self.events.iter().filter(|event| event.kind == Kind::Unknown && Run::shows(event, &dialects)) {
            let place = self.place(event.record);
            let call = self.calls.get(event.call as usize);
            let key = match call {
                Some(call) => {
                    let dialect = dialects.of(event.session).unwrap_or(Dialect::OpenCode);
                    let why = call.why.get(dialect as usize).and_then(|why| self.strings.get(*why));
                    (UnknownKind::Tool, self.strings.get(call.tool).unwrap_or_default(), why.unwrap_or("no rule"))
                }
                None if self.records.get(event.record as usize).is_some_and(|row| row.malformed) => {
                    (UnknownKind::Malformed, "", "no JSON object")
                }
                None => {
                    let text = self.texts.get(event.summary);
                    (UnknownKind::Type, text.strip_prefix("type ").unwrap_or_default(), "no type that is known")
                }
            };
            let group = groups.entry(key).or_default();
            group.count += 1;
            if group.places.len() < PLACES {
                group.places.push((place.file, place.line));
            }
            group.call = group.call.or(call);
        }
        let row = |((what, name, reason), group): ((UnknownKind, &str, &str), Group<'_>)| {
            let suggested = group.call.filter(|_| reason != WhyUnknown::Redacted.reason()).and_then(|call| {
                let dialect = dialects.of(call.session).unwrap_or(Dialect::OpenCode);
                let keys = self.unmapped_keys.get(&call.tool).map(Vec::as_slice).unwrap_or_default();
                self.rules.suggest(dialect, name, keys)
            });
            let (suggestion, note, is_guess) =
                suggested.map_or((None, None, false), |found| (Some(found.rule), Some(found.note), found.is_guess));
            let (name, reason) = (name.to_owned(), reason.to_owned());
            UnknownGroup { what, name, reason, count: group.count, places: group.places, suggestion, note, is_guess }
        };
        let mut out: Vec<UnknownGroup> = groups.into_iter().map(row).collect();
        out.order_by_key(|row| Reverse(row.count));
        out
    }

    fn rule_uses(&self) -> Vec<RuleUse> {
        let dialects = self.dialects();
        let mut uses: HashMap<*const Rule, (u64, u64)> = HashMap::new();
        let mut found: HashMap<(Dialect, u32), Option<*const Rule>> = HashMap::new();
        let mut there = [false; 2];
        for place in 0..self.sessions.rows.len() as u32 {
            if let Some(slot) = dialects.of(place).and_then(|dialect| there.get_mut(dialect as usize)) {
                *slot = true;
            }
        }
        for call in &self.calls {
            let Some(dialect) = dialects.of(call.session) else { continue };
            let rule = found.entry((dialect, call.written)).or_insert_with(|| {
                let tool = self.strings.get(call.written)?;
                self.rules.set(dialect).find(tool).map(Arc::as_ptr)
            });
            let Some(rule) = *rule else { continue };
            let (calls, unknown) = uses.entry(rule).or_default();
            *calls += 1;
            *unknown += u64::from(call.unmapped & dialect.bit() != 0);
        }
        let mut rows: Vec<(*const Rule, RuleUse)> = Vec::new();
        // Kilo's table holds OpenCode's behind its own rows.
        for dialect in [Dialect::Kilo, Dialect::OpenCode] {
            if !there.get(dialect as usize).copied().unwrap_or_default() {
                continue;
            }
            for (place, rule) in self.rules.set(dialect).rules().iter().enumerate() {
                let pointer = Arc::as_ptr(rule);
                if rows.iter().any(|(known, _)| *known == pointer) {
                    continue;
                }
                let (calls, unknown) = uses.get(&pointer).copied().unwrap_or_default();
                rows.push((
                    pointer,
                    RuleUse {
                        id: rule.id.clone(),
                        tools: rule.tools.clone(),
                        event: rule.event().to_owned(),
                        is_own: place < self.rules.own(dialect),
                        calls,
                        unknown,
                        toml: rule.to_toml(),
                    },
                ));
            }
        }
        rows.into_iter().map(|(_, row)| row).collect()
    }

    /// What the events of every record say, to compare with.
    pub fn prints(&self) -> Prints {
        let dialects = self.dialects();
        let mut records = vec![Print::default(); self.records.len()];
        let mut shown: Vec<&EventColumn> = self.events.iter().filter(|event| Run::shows(event, &dialects)).collect();
        shown.order_by_key(|event| (event.record, event.sub));
        for event in shown {
            let Some(print) = records.get_mut(event.record as usize) else { continue };
            let path = self.strings.get(event.path).unwrap_or_default();
            let texts = [event.summary, event.aside].map(|text| self.texts.get(text));
            let text = format!("{}\0{}\0{path}\0{}\0{}", print.hash, event.kind.name(), texts[0], texts[1]);
            print.hash = fingerprint_of_bytes(text.as_bytes()).0;
            print.kind = print.kind.or(Some(event.kind));
        }
        Prints { records, counts: self.record_counts(), kinds: self.event_counts() }
    }

    /// What is other here than in an earlier reading of the same bytes. The records that changed can then be filtered for.
    pub fn compare(&mut self, before: &Prints) -> Changes {
        let now = self.prints();
        let name = |kind: Option<Kind>| kind.map_or("none", Kind::name).to_owned();
        let mut moves: BTreeMap<(String, String), u64> = BTreeMap::new();
        let mut changed = vec![false; now.records.len()];
        for ((slot, now), before) in changed.iter_mut().zip(&now.records).zip(&before.records) {
            if now != before {
                *slot = true;
                *moves.entry((name(before.kind), name(now.kind))).or_default() += 1;
            }
        }
        let mut moves: Vec<_> = moves.into_iter().map(|((from, to), count)| (from, to, count)).collect();
        moves.order_by_key(|row| Reverse(row.2));
        let of = |counts: &BTreeMap<String, u64>, kind: Kind| counts.get(kind.name()).copied().unwrap_or(0);
        let kinds = Kind::ALL.map(|kind| (kind.name().to_owned(), of(&before.kinds, kind), of(&now.kinds, kind)));
        let changes = Changes {
            changed: changed.iter().filter(|changed| **changed).count() as u64,
            records_before: before.counts,
            records_after: now.counts,
            kinds: kinds.into_iter().filter(|(_, before, now)| before + now > 0).collect(),
            moves,
        };
        self.changed = changed;
        changes
    }

    /// How it is read: to read the same bytes again in another way.
    pub fn options(&self) -> super::Options {
        super::Options {
            dialect: self.dialect,
            rules: self.rules.clone(),
            model: self.model.clone(),
            prices: self.prices.clone(),
            session: self.session.clone(),
        }
    }

    /// Takes over what an earlier reading of the same files knew of their packing, and which files were left out: this one
    /// read them unpacked, and was given the logs alone. A file is known again by its name: the order may be another.
    pub fn settle(&mut self, before: &Run) {
        self.left_out.clone_from(&before.left_out);
        for file in &mut self.files {
            let known = before.files.iter().find(|known| known.name == file.name);
            file.packed = known.and_then(|known| known.packed.clone());
        }
        for known in before.diagnostics.list().into_iter().filter(|known| known.kind == kind::DAMAGED) {
            let name = before.files.get(known.file as usize).map(|file| file.name.as_str());
            let Some(file) = self.files.iter().position(|file| Some(file.name.as_str()) == name) else { continue };
            let place = Place { file: file as u32, line: known.line, offset: known.offset };
            self.diagnostics.add(kind::DAMAGED, place, || known.message);
        }
    }

    /// Whether a record gives other events than in the reading that it was compared with.
    pub(super) fn is_changed(&self, record: u32) -> bool {
        self.changed.get(record as usize).copied().unwrap_or_default()
    }

    /// Notes the fields of a record that no known version writes.
    pub(super) fn see_drift(&mut self, line: &Line<'_>, record: u32) {
        let nodes = [("", &line.top), ("part.", &line.part), ("part.state.", &line.state)];
        if nodes.iter().all(|(_, node)| node.strange.is_empty()) {
            return;
        }
        let shape = self.records.get(record as usize).map(|row| row.shape);
        if !matches!(shape, Some(Shape::Stream | Shape::HarnessOut | Shape::WrappedStream)) {
            return;
        }
        let Some(name) = line.top.line_type.as_ref().filter(|_| line.line_type != LineType::Other) else { return };
        let at = self.place(record).line;
        for (place, node) in nodes {
            for key in &node.strange {
                let field = self.strings.add(&format!("{name} {place}{key}"));
                let (count, _) = self.drift.entry(field).or_insert((0, at));
                *count += 1;
            }
        }
    }

    fn drift_rows(&self) -> Vec<Drift> {
        let row = |(name, (count, line)): (&u32, &(u64, u64))| {
            let name = self.strings.get(*name).unwrap_or_default().to_owned();
            Drift { name, count: *count, line: *line }
        };
        let mut rows: Vec<Drift> = self.drift.iter().map(row).collect();
        rows.order_by(|a, b| b.count.cmp(&a.count).then_with(|| a.name.cmp(&b.name)));
        rows
    }

    /// Notes the keys of the first input that no rule could read, for a suggestion.
    pub(super) fn note_keys(&mut self, tool: u32, keys: impl FnOnce() -> Vec<InputKey>) {
        if tool != NONE {
            self.unmapped_keys.entry(tool).or_insert_with(keys);
        }
    }

    /// The dialect of all its sessions; none where they are of several, or there are none.
    pub fn one_dialect(&self) -> Option<Dialect> {
        let dialects = self.dialects();
        let mut all = (0..self.sessions.rows.len() as u32).filter_map(|session| dialects.of(session));
        let first = all.next()?;
        all.all(|other| other == first).then_some(first)
    }

    /// What a small log becomes, and why: all of it is read.
    pub fn tried(name: &str, log: &[u8], options: super::Options) -> Tried {
        let events = crate::fixture::events(name, log, options.clone());
        let mut run = Run::new(options);
        run.begin_file(name);
        run.push(log);
        run.end_file();
        let all = (0..run.records.len() as u32).map(RecordId);
        let explain = |record: RecordId| {
            let span = run.span(record)?;
            let bytes = log.get(span.offset as usize..(span.offset + span.len) as usize)?;
            Some(run.explain(record, bytes))
        };
        Tried { events, explanations: all.filter_map(explain).collect() }
    }
}
