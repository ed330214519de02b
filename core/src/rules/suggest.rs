//! A rule for calls that no rule reads: an extension rule, the rule that there is with one key more, or a guess.
//!
//! Guessed is only where two things agree: what the tool's name says, and a key of its input that such an event is made
//! from, of the right type. Where they do not, there is a skeleton in comments, and the reason.

use super::table::{Field, Rule, RuleSet, Source, toml_string};
use super::{Dialect, Rules};
use crate::event::Kind;
use crate::json::{self, Object};

/// Words of a name that speak for a field, the likeliest first.
const PATH: [&str; 12] = [
    "path",
    "filepath",
    "file",
    "filename",
    "pathname",
    "uri",
    "url",
    "dir",
    "directory",
    "folder",
    "dirname",
    "target",
];
const QUERY: [&str; 8] = ["query", "pattern", "search", "regex", "term", "keyword", "question", "needle"];
const COMMAND: [&str; 4] = ["command", "cmd", "script", "shell"];
const AGENT: [&str; 4] = ["agent", "subagent", "session", "task"];
const PATCH: [&str; 3] = ["patch", "diff", "content"];
const SKILL: [&str; 2] = ["name", "skill"];

/// Words of a tool's name that say what it does. The first event that has one of them counts.
const VERBS: [(Kind, Field, &[&str]); 6] = [
    (Kind::Command, Field::Command, &["run", "exec", "execute", "shell", "bash", "terminal", "command", "cmd"]),
    (
        Kind::Write,
        Field::Path,
        &["write", "edit", "create", "save", "patch", "replace", "update", "append", "insert", "delete"],
    ),
    (Kind::Search, Field::Query, &["search", "find", "grep", "query", "locate", "glob"]),
    (Kind::List, Field::Path, &["list", "ls", "tree", "dir"]),
    (Kind::Read, Field::Path, &["read", "open", "view", "cat", "get", "fetch", "load", "show"]),
    (Kind::Orchestration, Field::SubagentName, &["agent", "subagent", "task", "delegate", "spawn"]),
];

/// A rule for calls that no rule reads.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Suggestion {
    /// Text of a table: a rule, or a skeleton of one in comments.
    pub(crate) rule: String,
    /// Where it comes from, in a sentence.
    pub(crate) note: String,
    /// Whether it is a guess, and no rule that is known to fit.
    pub(crate) is_guess: bool,
}

/// A key of an input, and what stands there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct InputKey {
    name: String,
    value: Value,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Value {
    Text,
    /// A list whose first object has these keys with a text.
    Objects(Vec<String>),
    Other,
}

impl InputKey {
    /// The plain keys of an input, in order.
    pub(crate) fn all(input: &Object<'_>) -> Vec<InputKey> {
        let value = |text: &str| {
            if json::filled_string(text).is_some() {
                return Value::Text;
            }
            let objects = json::elements(text).unwrap_or_default();
            let Some(first) = objects.first().and_then(|text| Object::parse(text)) else { return Value::Other };
            let is_text = |key: &&str| first.get(key).is_some_and(|value| json::filled_string(value).is_some());
            Value::Objects(first.keys().filter(is_plain).filter(is_text).map(str::to_owned).collect())
        };
        let key = |name: &str| InputKey { name: name.to_owned(), value: input.get(name).map_or(Value::Other, value) };
        input.keys().filter(is_plain).take(24).map(key).collect()
    }
}

/// What could be taken for another source of a rule is no plain key.
fn is_plain(key: &&str) -> bool {
    !key.is_empty() && !key.starts_with(['@', '/']) && !key.contains('{')
}

/// Where a field stands.
struct Place<'k> {
    /// The list whose elements have it.
    each: Option<&'k str>,
    key: &'k str,
}

/// The place that speaks for a field. `with_lists`: also within the objects of a list.
fn place<'k>(keys: &'k [InputKey], field: Field, with_lists: bool) -> Option<Place<'k>> {
    let words = words_of(field);
    let says = |name: &str, word: &str| words_in(name).iter().any(|own| own == word);
    let plain = words.iter().find_map(|word| keys.iter().find(|key| key.value == Value::Text && says(&key.name, word)));
    if let Some(key) = plain {
        return Some(Place { each: None, key: &key.name });
    }
    keys.iter().filter(|_| with_lists).find_map(|list| {
        let Value::Objects(keys) = &list.value else { return None };
        let key = words.iter().find_map(|word| keys.iter().find(|key| says(key, word)))?;
        Some(Place { each: Some(&list.name), key })
    })
}

fn words_of(field: Field) -> &'static [&'static str] {
    match field {
        Field::Path | Field::Directory | Field::WorkingDirectory => &PATH,
        Field::Query => &QUERY,
        Field::Command => &COMMAND,
        Field::Patch => &PATCH,
        Field::SkillName => &SKILL,
        Field::SubagentId | Field::SubagentName => &AGENT,
        Field::StartLine | Field::EndLine | Field::LineCount => &[],
    }
}

/// The words that a name is made of, in lower case: `mcp_fs_readFile2` has `mcp`, `fs`, `read`, `file`.
pub(crate) fn words_in(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut after_lower = false;
    for c in name.chars() {
        let is_letter = c.is_alphabetic();
        if !is_letter || (c.is_uppercase() && after_lower) {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| is_letter) {
            word.extend(c.to_lowercase());
        }
        after_lower = c.is_lowercase();
    }
    words.retain(|word| !word.is_empty());
    words
}

impl Rules {
    /// A rule that could read calls of a tool whose input has these keys.
    pub(crate) fn suggest(&self, dialect: Dialect, tool: &str, keys: &[InputKey]) -> Option<Suggestion> {
        if tool.is_empty() {
            return None;
        }
        let set = self.set(dialect);
        if let Some(rule) = set.find(tool) {
            let place_in_set = set.rules().iter().position(|other| std::sync::Arc::ptr_eq(other, rule));
            let is_own = place_in_set.is_some_and(|index| index < self.own(dialect));
            return self.wider(rule, tool, keys, is_own);
        }
        if let Some(rule) = self.suggestion(tool) {
            let note = "An extension rule: the built-in tables leave this tool alone on purpose.".to_owned();
            return Some(Suggestion { rule, note, is_guess: false });
        }
        Some(self.guess(set, tool, keys))
    }

    /// The rule that reads the tool, with the field that it lacks under one key more: whatever it reads it goes on to
    /// read as it did, since the new key comes last. A rule of the user's own keeps its id, and so takes its own place.
    fn wider(&self, rule: &Rule, tool: &str, keys: &[InputKey], is_own: bool) -> Option<Suggestion> {
        let is_there = |field: &&Field| {
            let sources = rule.fields.get(field).map(Vec::as_slice).unwrap_or_default();
            sources.iter().any(|source| {
                let is_it = |key: &InputKey| key.value == Value::Text && *source == Source::Key(key.name.clone());
                keys.iter().any(is_it)
            })
        };
        let any = rule.require_any.as_slice();
        let lacking = match rule.require.iter().find(|field| !is_there(field)) {
            Some(field) => vec![*field],
            None if any.iter().any(|field| is_there(&field)) => vec![],
            None => any.to_vec(),
        };
        let first = *lacking.first()?;
        let mut wider = rule.clone();
        if !is_own {
            (wider.id, wider.tools) = (format!("mine.{tool}"), vec![tool_name(rule, tool)]);
        }
        let found = lacking.into_iter().find_map(|field| Some((field, place(keys, field, false)?)));
        let Some((field, place)) = found else {
            let note = format!(
                "`{}` needs {}, and no key of its input speaks for one: it has {}.",
                rule.id,
                first.name(),
                listed(keys)
            );
            let text = self.to_toml(&wider);
            let comment = format!("[[rule]]\n# {note}\n# Put the key that holds it into `fields.{}`.\n", first.name());
            return Some(Suggestion { rule: text.replacen("[[rule]]\n", &comment, 1), note, is_guess: true });
        };
        wider.fields.entry(field).or_default().push(Source::Key(place.key.to_owned()));
        let note = format!(
            "`{}` with one key more for {}, `{}`: what it reads now it reads as before.",
            rule.id,
            field.name(),
            place.key
        );
        Some(Suggestion { rule: self.to_toml(&wider), note, is_guess: true })
    }

    /// From the name and the keys, where they agree.
    fn guess(&self, set: &RuleSet, tool: &str, keys: &[InputKey]) -> Suggestion {
        // What an explanation says came nearest is what is built upon.
        let near = set.nearest(tool);
        let guess = match near {
            Some(rule) => self.like(rule, tool, keys),
            None => {
                let words = words_in(tool);
                VERBS.iter().find_map(|(kind, field, verbs)| {
                    let verb = verbs.iter().find(|verb| words.iter().any(|word| word == *verb))?;
                    let place = place(keys, *field, *kind != Kind::Command)?;
                    let rule = Rule::plain(&format!("mine.{tool}"), tool, *kind, *field, place.each, place.key);
                    let note =
                        format!("A guess: its name says `{verb}`, and {} speaks for {}.", place.words(), field.name());
                    Some(Suggestion { rule: self.to_toml(&rule), note, is_guess: true })
                })
            }
        };
        guess.unwrap_or_else(|| {
            let why = match near {
                Some(rule) => {
                    format!("`{}` came nearest by name, and no key of its input speaks for what that needs", rule.id)
                }
                None => "its name and the keys of its input do not agree on an event".to_owned(),
            };
            let note = format!("No guess: {why}. The input has {}.", listed(keys));
            let (id, name) = (toml_string(&format!("mine.{tool}")), toml_string(tool));
            let rule = format!(
                "# {}\n# [[rule]]\n# id = {id}\n# tools = [{name}]\n\
                 # event = \"…\"             # read, write, search, list, command, skill, orchestration or consumed\n\
                 # fields.… = [\"…\"]        # the keys in which the event's fields stand\n",
                note.replace('\n', " ")
            );
            Suggestion { rule, note, is_guess: true }
        })
    }

    /// A rule for another tool that a rule for this one is made after.
    fn like(&self, near: &Rule, tool: &str, keys: &[InputKey]) -> Option<Suggestion> {
        let field = *near.require.first().or(near.require_any.first())?;
        let mut rule = Rule { id: format!("mine.{tool}"), tools: vec![tool_name(near, tool)], ..near.clone() };
        let known =
            |source: &Source, key: &InputKey| key.value == Value::Text && *source == Source::Key(key.name.clone());
        let sources = near.fields.get(&field).map(Vec::as_slice).unwrap_or_default();
        let hit = sources.iter().find_map(|source| keys.iter().find(|key| known(source, key)));
        let why = match hit {
            Some(key) => format!("`{}` holds {}", key.name, field.name()),
            None => {
                let place = place(keys, field, near.each.is_none())?;
                let source = Source::Key(place.key.to_owned());
                if !sources.contains(&source) {
                    rule.fields.entry(field).or_default().push(source);
                }
                rule.each = place.each.map(str::to_owned).or(rule.each);
                format!("{} speaks for {}", place.words(), field.name())
            }
        };
        let note = format!("A guess, after `{}`, which is nearest by name: {why}.", near.id);
        Some(Suggestion { rule: self.to_toml(&rule), note, is_guess: true })
    }

    /// A rule as text of the user's table, with `@name` for the keys of a list that this names there.
    fn to_toml(&self, rule: &Rule) -> String {
        rule.to_toml_with(&self.lists)
    }
}

impl Place<'_> {
    fn words(&self) -> String {
        match self.each {
            Some(list) => format!("`{}` in each object of `{list}`", self.key),
            None => format!("`{}`", self.key),
        }
    }
}

/// A tool's name as the tools of a rule are kept.
fn tool_name(rule: &Rule, tool: &str) -> String {
    if rule.match_case { tool.to_owned() } else { tool.to_ascii_lowercase() }
}

fn listed(keys: &[InputKey]) -> String {
    if keys.is_empty() {
        return "no key at all".to_owned();
    }
    let word = |key: &InputKey| {
        let what = match key.value {
            Value::Text => "",
            Value::Objects(_) => " (a list of objects)",
            Value::Other => " (no text)",
        };
        format!("`{}`{what}", key.name)
    };
    keys.iter().map(word).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn suggested(tool: &str, input: &str) -> Suggestion {
        let keys = InputKey::all(&Object::parse(input).unwrap());
        Rules::default().suggest(Dialect::OpenCode, tool, &keys).unwrap()
    }

    #[test]
    fn a_guess_needs_a_name_and_a_key_that_agree() {
        let rule = |tool: &str, input: &str| {
            let text = suggested(tool, input).rule;
            let line = |start: &str| text.lines().find_map(|line| line.strip_prefix(start)).unwrap_or("-").to_owned();
            (line("event = "), line("each = "), line("fields.path = "), line("fields.command = "))
        };
        let wanted = |event: &str, each: &str, path: &str, command: &str| {
            (event.to_owned(), each.to_owned(), path.to_owned(), command.to_owned())
        };
        let edits = r#"{"edits":[{"file":"a.rs","diff":"x"}]}"#;
        assert_eq!(rule("edit_files", edits), wanted("\"write\"", "\"edits\"", "[\"@path\", \"file\"]", "-"));
        let command = r#"{"cmd":"ls","cwd":"/"}"#;
        assert_eq!(rule("run_in_terminal", command), wanted("\"command\"", "-", "-", "[\"cmd\"]"));
        assert_eq!(rule("openDocument", r#"{"docUri":"a"}"#), wanted("\"read\"", "-", "[\"docUri\"]", "-"));
        // No key that a file could stand in, one of another type, and a name that only looks like a word.
        let nothing = wanted("-", "-", "-", "-");
        assert_eq!(rule("mcp_jira_create_issue", r#"{"project":"A","labels":["bug"]}"#), nothing);
        assert_eq!(rule("edit_files", r#"{"files":3}"#), nothing);
        assert_eq!(rule("mcp_thread_profile", r#"{"profile":"x"}"#), nothing);
        assert!(
            suggested("mcp_jira_create_issue", r#"{"project":"A"}"#).rule.lines().all(|line| line.starts_with('#'))
        );
    }

    #[test]
    fn a_rule_that_is_there_keeps_all_that_it_has() {
        let read = suggested("read", r#"{"target_file":"a.rs"}"#);
        let wanted = "[[rule]]\nid = \"mine.read\"\ntools = [\"read\"]\nevent = \"read\"\n\
                      fields.path = [\"@path\", \"target_file\"]\n\
                      fields.startLine = [\"offset\", \"start_line\", \"startLine\", \"line\"]\n\
                      fields.endLine = [\"end_line\", \"endLine\"]\n\
                      fields.lineCount = [\"limit\", \"line_count\", \"lineCount\", \"num_lines\", \"numLines\"]\n\
                      require = [\"path\"]\n";
        assert_eq!(read.rule, wanted);
        let rules = Rules::with(false, Some(("mine.toml", &format!("id = \"mine\"\nversion = 1\n{wanted}")))).unwrap();
        let keys = InputKey::all(&Object::parse(r#"{"doc_path":"a.rs"}"#).unwrap());
        let again = rules.suggest(Dialect::OpenCode, "read", &keys).unwrap().rule;
        assert_eq!(again, wanted.replace("\"target_file\"]", "\"target_file\", \"doc_path\"]"));
    }
}
