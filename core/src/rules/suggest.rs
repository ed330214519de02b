//! A rule for calls that no rule reads: one that is known to fit, else a guess from the tool's name and its keys.

use super::table::toml_string;
use super::{Dialect, Rules};

/// Keys whose names speak for a field, the likeliest first.
const PATH: [&str; 6] = ["path", "file", "uri", "dir", "folder", "target"];
const QUERY: [&str; 7] = ["query", "pattern", "search", "regex", "term", "keyword", "question"];
const COMMAND: [&str; 4] = ["command", "cmd", "script", "shell"];
const AGENT: [&str; 3] = ["agent", "session", "task"];

impl Rules {
    /// A rule that could read calls of a tool whose input has these keys, as text of a table, and whether it is a guess.
    pub(crate) fn suggest(&self, dialect: Dialect, tool: &str, keys: &[String]) -> Option<(String, bool)> {
        if tool.is_empty() {
            return None;
        }
        if let Some(rule) = self.set(dialect).find(tool) {
            // There is a rule, and a field that it needs is under no key that it knows.
            let (field, words): (&str, &[&str]) = match rule.event() {
                "read" | "write" | "skill" | "list" => ("path", &PATH),
                "search" => ("query", &QUERY),
                "command" => ("command", &COMMAND),
                "orchestration" => ("subagentName", &AGENT),
                _ => return None,
            };
            let key = speaking(keys, words).or(keys.first())?;
            return Some((text(tool, rule.event(), field, key), true));
        }
        if let Some(known) = self.suggestion(tool) {
            return Some((known, false));
        }
        let name = tool.to_ascii_lowercase();
        let named = |words: &[&str]| words.iter().any(|word| name.contains(word));
        let (path, query) = (speaking(keys, &PATH), speaking(keys, &QUERY));
        let (event, field, key) = if let Some(key) = speaking(keys, &COMMAND) {
            ("command", "command", key)
        } else if let (true, Some(key)) = (named(&["write", "edit", "create", "save", "patch", "replace"]), path) {
            ("write", "path", key)
        } else if let (true, Some(key)) = (named(&["list", "ls", "dir", "tree"]), path) {
            ("list", "path", key)
        } else if let Some(key) = query {
            ("search", "query", key)
        } else if let Some(key) = path {
            ("read", "path", key)
        } else {
            let key = keys.first()?;
            if named(&["agent", "task"]) {
                ("orchestration", "subagentName", key)
            } else if named(&["search", "find", "grep"]) {
                ("search", "query", key)
            } else {
                ("read", "path", key)
            }
        };
        Some((text(tool, event, field, key), true))
    }
}

/// The first key whose name speaks for a field.
fn speaking<'k>(keys: &'k [String], words: &[&str]) -> Option<&'k String> {
    words.iter().find_map(|word| keys.iter().find(|key| key.to_ascii_lowercase().contains(word)))
}

fn text(tool: &str, event: &str, field: &str, key: &str) -> String {
    let id = toml_string(&format!("mine.{tool}"));
    let (tool, key) = (toml_string(tool), toml_string(key));
    format!(
        "[[rule]]\nid = {id}\ntools = [{tool}]\nevent = \"{event}\"\nfields.{field} = [{key}]\nrequire = [\"{field}\"]\n"
    )
}
