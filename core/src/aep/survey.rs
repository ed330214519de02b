//! What a log says as a whole, gathered from all its moments before the first is mapped.

use super::Agent;
use super::clock::full_time;
use super::moment::{Kind, Moment};
use crate::format::export::is_kilos;
use crate::json::fingerprint_of_bytes;
use crate::time::TimeMs;
use serde_json::Value;
use std::collections::{BTreeMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Which permission surface a log has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub enum Surface {
    /// None was seen.
    #[default]
    None,
    /// The hook that holds an ask open, or its bus event `permission.updated`: Kilo Code up to 7.4.5, OpenCode's hook.
    Hook,
    /// Bus events `permission.asked` and `question.asked`: Kilo Code from 7.4.6, OpenCode from 1.1.2.
    Bus,
    /// Both: the log spans an update, or several harnesses.
    Both,
}

/// What a log's moments say together.
#[derive(Debug, Clone, Default)]
pub struct Survey {
    /// How often each name of a moment was seen; hooks under their names.
    names: BTreeMap<String, u64>,
    has_hooks: bool,
    is_kilo: bool,
    first_time: Option<TimeMs>,
    /// Originals that copies can be the twins of: by id, and by type and content.
    originals: HashSet<u64>,
}

impl Surface {
    /// What it is, as a part of a sentence.
    pub fn what(self) -> &'static str {
        match self {
            Surface::None => "none was used",
            Surface::Hook => "the hook `permission.ask` (Kilo Code up to 7.4.5, OpenCode)",
            Surface::Bus => "the bus event `permission.asked` (Kilo Code from 7.4.6, OpenCode from 1.1.2)",
            Surface::Both => "both, the hook and the bus event",
        }
    }
}

impl Survey {
    /// Takes in the next moment.
    pub fn see(&mut self, moment: &Moment) {
        *self.names.entry(moment.name.clone()).or_default() += 1;
        self.has_hooks |= moment.is_hook();
        self.is_kilo |= is_kilo(moment);
        self.first_time = self.first_time.or(moment.time).or_else(|| full_time(moment));
        if !moment.is_copy {
            self.originals.extend(keys(moment));
        }
    }

    /// The agent that the log speaks for: Kilo Code on evidence (its own bus types, its version), else OpenCode.
    pub fn agent(&self) -> Agent {
        if self.is_kilo { Agent::KiloCode } else { Agent::OpenCode }
    }

    /// Whether the log has moments of plugin hooks.
    pub fn has_hooks(&self) -> bool {
        self.has_hooks
    }

    /// The permission surface.
    pub fn surface(&self) -> Surface {
        let any = |names: &[&str]| names.iter().any(|name| self.names.contains_key(*name));
        let hook = any(&["permission.ask", "permission.updated"]);
        match (hook, any(&["permission.asked", "question.asked"])) {
            (false, false) => Surface::None,
            (true, false) => Surface::Hook,
            (false, true) => Surface::Bus,
            (true, true) => Surface::Both,
        }
    }

    /// What tells the surface, and the agent: names of moments with their counts.
    pub fn evidence(&self) -> Vec<String> {
        let telling = ["permission.ask", "permission.updated", "permission.asked", "question.asked"];
        let seen = telling.into_iter().filter_map(|name| Some((name, self.names.get(name)?)));
        seen.map(|(name, count)| format!("{count} × `{name}`")).collect()
    }

    pub(super) fn first_time(&self) -> Option<TimeMs> {
        self.first_time
    }

    /// Whether the original of a copy is in the log.
    pub(super) fn has_twin(&self, copy: &Moment) -> bool {
        keys(copy).any(|key| self.originals.contains(&key))
    }
}

/// By what a moment and its copies are known as one.
pub(super) fn keys(moment: &Moment) -> impl Iterator<Item = u64> {
    let by_id = moment.id.as_ref().map(|id| fingerprint_of_bytes(format!("{}\n{id}", moment.name).as_bytes()).0);
    let mut hasher = DefaultHasher::new();
    moment.name.hash(&mut hasher);
    content(&moment.body, &mut hasher);
    by_id.into_iter().chain([hasher.finish()])
}

/// Hashes a value, whatever the order of its keys and the form of its numbers. Nothing is written for it: this is done for
/// every moment of a log.
fn content(value: &Value, hasher: &mut DefaultHasher) {
    match value {
        Value::Null => 0u8.hash(hasher),
        Value::Bool(is) => (1u8, is).hash(hasher),
        Value::Number(number) => (2u8, number.as_f64().unwrap_or_default().to_bits()).hash(hasher),
        Value::String(text) => (3u8, text).hash(hasher),
        Value::Array(items) => {
            (4u8, items.len()).hash(hasher);
            items.iter().for_each(|item| content(item, hasher));
        }
        Value::Object(fields) => {
            let field = |(key, value): (&String, &Value)| {
                let mut hasher = DefaultHasher::new();
                key.hash(&mut hasher);
                content(value, &mut hasher);
                hasher.finish()
            };
            let sum = fields.iter().map(field).fold(0u64, u64::wrapping_add);
            (5u8, fields.len(), sum).hash(hasher);
        }
    }
}

/// Bus families that only Kilo Code has.
const KILO_FAMILIES: [&str; 7] =
    ["kilocode.", "suggestion.", "session.turn.", "session.network.", "sandbox.", "background_process.", "indexing."];

fn is_kilo(moment: &Moment) -> bool {
    if moment.kind == Kind::Bus && KILO_FAMILIES.iter().any(|family| moment.name.starts_with(family)) {
        return true;
    }
    let version = moment.at("/info/version").and_then(Value::as_str);
    moment.name.starts_with("session.") && version.is_some_and(is_kilos)
}
