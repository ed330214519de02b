//! A table of rules, read from TOML.
//!
//! ```toml
//! [[rule]]
//! id = "opencode.search"
//! tools = ["grep", "glob"]
//! event = "search"
//! fields.query = ["pattern", "query"]
//! require = ["query"]
//! ```

use crate::event::Kind;
use serde::Deserialize;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use thiserror::Error;

/// A table that cannot be used.
#[derive(Debug, Error)]
#[error("{message}")]
pub struct RuleError {
    message: String,
}

/// A field that a rule can fill.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Field {
    Path,
    StartLine,
    EndLine,
    LineCount,
    Patch,
    Query,
    Command,
    WorkingDirectory,
    SkillName,
    Directory,
    SubagentId,
    SubagentName,
}

impl Field {
    const ALL: [(Field, &'static str); 12] = [
        (Field::Path, "path"),
        (Field::StartLine, "startLine"),
        (Field::EndLine, "endLine"),
        (Field::LineCount, "lineCount"),
        (Field::Patch, "patch"),
        (Field::Query, "query"),
        (Field::Command, "command"),
        (Field::WorkingDirectory, "workingDirectory"),
        (Field::SkillName, "skillName"),
        (Field::Directory, "directory"),
        (Field::SubagentId, "subagentId"),
        (Field::SubagentName, "subagentName"),
    ];

    pub(crate) fn name(self) -> &'static str {
        Field::ALL.into_iter().find(|(field, _)| *field == self).map_or("", |(_, name)| name)
    }

    fn from_name(name: &str) -> Option<Field> {
        Field::ALL.into_iter().find(|(_, known)| *known == name).map(|(field, _)| field)
    }
}

/// Where a field's value may stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Source {
    /// A key of the input.
    Key(String),
    /// A JSON pointer from the part (from the line, where that has no part).
    Pointer(String),
    /// A text made from other fields; holds only where they do.
    Template(Vec<Piece>),
}

/// A piece of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Piece {
    Text(String),
    Field(Field),
}

impl std::fmt::Display for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Source::Key(text) | Source::Pointer(text) => f.write_str(text),
            Source::Template(pieces) => pieces.iter().try_for_each(|piece| match piece {
                Piece::Text(text) => f.write_str(text),
                Piece::Field(field) => write!(f, "{{{}}}", field.name()),
            }),
        }
    }
}

/// What a rule gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    /// No event.
    Consumed,
    /// An event of this kind.
    Event(Kind),
}

/// One rule.
#[derive(Debug, Clone)]
pub struct Rule {
    /// Its id, such as `opencode.read`.
    pub id: String,
    /// The tools that it reads, in lower case.
    pub tools: Vec<String>,
    pub(crate) target: Target,
    pub(crate) shell: bool,
    pub(crate) each: Option<String>,
    pub(crate) fields: BTreeMap<Field, Vec<Source>>,
    pub(crate) require: Vec<Field>,
    pub(crate) require_any: Vec<Field>,
}

/// The rules of one dialect, its base's included.
#[derive(Debug, Clone, Default)]
pub struct RuleSet {
    /// `kilo` or `opencode`.
    pub id: String,
    rules: Vec<Arc<Rule>>,
    by_tool: HashMap<String, usize>,
    keys: BTreeMap<String, Vec<String>>,
    marks: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct TableFile {
    id: String,
    version: u32,
    base: Option<String>,
    #[serde(default)]
    keys: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    marks: Vec<String>,
    #[serde(default)]
    rule: Vec<RuleFile>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct RuleFile {
    id: String,
    tools: Vec<String>,
    event: String,
    #[serde(default)]
    shell: bool,
    each: Option<String>,
    #[serde(default)]
    fields: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    require: Vec<String>,
    #[serde(default)]
    require_any: Vec<String>,
}

/// A table that is laid over others: a user's own, or the extension rules.
#[derive(Debug, Clone)]
pub struct Overlay {
    /// The one set that it belongs to; `None` = any.
    base: Option<String>,
    rules: Vec<Arc<Rule>>,
    marks: Vec<String>,
}

impl Overlay {
    /// Reads a table that may use the named lists of a set.
    ///
    /// # Errors
    /// As for [`RuleSet::parse`].
    pub fn parse(text: &str, lists: &RuleSet) -> Result<Overlay, RuleError> {
        let (file, keys) = read(text, &lists.keys)?;
        let rules = file.rule.into_iter().map(|rule| compile(rule, &keys).map(Arc::new)).collect::<Result<_, _>>()?;
        Ok(Overlay { base: file.base, rules, marks: file.marks })
    }
}

fn read(
    text: &str,
    lists: &BTreeMap<String, Vec<String>>,
) -> Result<(TableFile, BTreeMap<String, Vec<String>>), RuleError> {
    let mut file: TableFile = toml::from_str(text).map_err(|error| RuleError { message: error.to_string() })?;
    if file.version != 1 {
        return Err(error(format!(
            "version {} of the format is not known; this program reads version 1",
            file.version
        )));
    }
    let mut keys = lists.clone();
    keys.extend(std::mem::take(&mut file.keys));
    Ok((file, keys))
}

impl RuleSet {
    /// Reads a table. `base` is the set that it is laid over, if it names one: its own rules come first.
    ///
    /// # Errors
    /// What the text breaks: TOML, an unknown key, event or field, a base that is not there. The message names the place.
    pub fn parse(text: &str, base: Option<&RuleSet>) -> Result<RuleSet, RuleError> {
        let lists = base.map(|base| base.keys.clone()).unwrap_or_default();
        let (file, keys) = read(text, &lists)?;
        let base = match (&file.base, base) {
            (None, _) => None,
            (Some(name), Some(base)) if *name == base.id => Some(base),
            (Some(name), _) => return Err(error(format!("the base `{name}` is no table that is known"))),
        };
        let mut rules = Vec::new();
        for rule in file.rule {
            rules.push(Arc::new(compile(rule, &keys)?));
        }
        rules.extend(base.iter().flat_map(|base| base.rules.iter().cloned()));
        Ok(RuleSet::of(file.id, rules, keys, file.marks))
    }

    fn of(id: String, rules: Vec<Arc<Rule>>, keys: BTreeMap<String, Vec<String>>, marks: Vec<String>) -> RuleSet {
        let mut by_tool = HashMap::new();
        for (index, rule) in rules.iter().enumerate() {
            for tool in &rule.tools {
                by_tool.entry(tool.clone()).or_insert(index);
            }
        }
        RuleSet { id, rules, by_tool, keys, marks }
    }

    /// This set with a table over it: the table's rules come first.
    pub fn under(&self, overlay: &Overlay) -> RuleSet {
        if overlay.base.as_ref().is_some_and(|base| *base != self.id) {
            return self.clone();
        }
        let rules = overlay.rules.iter().chain(&self.rules).cloned().collect();
        let marks = self.marks.iter().chain(&overlay.marks).cloned().collect();
        RuleSet::of(self.id.clone(), rules, self.keys.clone(), marks)
    }

    /// This set with a table behind it: the table's rules read only what no rule here reads.
    pub fn before(&self, extensions: &Overlay) -> RuleSet {
        let rules = self.rules.iter().chain(&extensions.rules).cloned().collect();
        RuleSet::of(self.id.clone(), rules, self.keys.clone(), self.marks.clone())
    }

    /// All rules, own ones first.
    pub fn rules(&self) -> &[Arc<Rule>] {
        &self.rules
    }

    /// The rule that reads calls of a tool.
    pub fn find(&self, tool: &str) -> Option<&Arc<Rule>> {
        self.by_tool.get(&tool.to_ascii_lowercase()).and_then(|index| self.rules.get(*index))
    }

    /// A rule whose tool has a name much like this one, for an explanation.
    pub(crate) fn nearest(&self, tool: &str) -> Option<&Rule> {
        let tool = tool.to_ascii_lowercase();
        let alike = |known: &String| {
            known.len() > 2 && tool.len() > 2 && (tool.contains(known.as_str()) || known.contains(&tool))
        };
        self.rules.iter().find(|rule| rule.tools.iter().any(alike)).map(Arc::as_ref)
    }

    /// Tools that only this dialect has.
    pub(crate) fn is_mark(&self, tool: &str) -> bool {
        self.marks.iter().any(|mark| mark.eq_ignore_ascii_case(tool))
    }
}

impl Rule {
    /// The rule as text of a table, its lists written out.
    pub fn to_toml(&self) -> String {
        let quoted = |words: &mut dyn Iterator<Item = String>| {
            let words: Vec<String> = words.map(|word| format!("{word:?}")).collect();
            format!("[{}]", words.join(", "))
        };
        let event = match self.target {
            Target::Consumed => "consumed",
            Target::Event(kind) => kind.name(),
        };
        let tools = quoted(&mut self.tools.iter().cloned());
        let mut out = format!("[[rule]]\nid = {:?}\ntools = {tools}\nevent = {event:?}\n", self.id);
        if self.shell {
            out.push_str("shell = true\n");
        }
        if let Some(each) = &self.each {
            out.push_str(&format!("each = {each:?}\n"));
        }
        for (field, sources) in &self.fields {
            let sources = quoted(&mut sources.iter().map(ToString::to_string));
            out.push_str(&format!("fields.{} = {sources}\n", field.name()));
        }
        for (name, fields) in [("require", &self.require), ("requireAny", &self.require_any)] {
            if !fields.is_empty() {
                let fields = quoted(&mut fields.iter().map(|field| field.name().to_owned()));
                out.push_str(&format!("{name} = {fields}\n"));
            }
        }
        out
    }
}

impl RuleError {
    /// The same error, of a named file.
    pub(crate) fn of_file(self, name: &str) -> RuleError {
        RuleError { message: format!("{name}: {}", self.message) }
    }
}

fn error(message: String) -> RuleError {
    RuleError { message }
}

fn compile(file: RuleFile, keys: &BTreeMap<String, Vec<String>>) -> Result<Rule, RuleError> {
    let id = file.id;
    let target = match file.event.as_str() {
        "consumed" => Target::Consumed,
        name => match Kind::from_name(name) {
            Some(kind) => Target::Event(kind),
            None => {
                return Err(error(format!(
                    "rule `{id}`: `{name}` is no event; known ones are `consumed`, {}",
                    kinds()
                )));
            }
        },
    };
    let field = |name: &str| {
        let known = Field::ALL.map(|(_, name)| format!("`{name}`")).join(", ");
        Field::from_name(name)
            .ok_or_else(|| error(format!("rule `{id}`: `{name}` is no field; known ones are {known}")))
    };
    let mut fields = BTreeMap::new();
    for (name, sources) in &file.fields {
        let mut list = Vec::new();
        for source in sources {
            match source.strip_prefix('@') {
                Some(list_name) => match keys.get(list_name) {
                    Some(keys) => list.extend(keys.iter().map(|key| Source::Key(key.clone()))),
                    None => return Err(error(format!("rule `{id}`: there is no list `{list_name}` in `keys`"))),
                },
                None => list.push(parse_source(source, &field)?),
            }
        }
        fields.insert(field(name)?, list);
    }
    let names = |list: &[String]| list.iter().map(|name| field(name)).collect::<Result<Vec<_>, _>>();
    let (require, require_any) = (names(&file.require)?, names(&file.require_any)?);
    let tools = file.tools.iter().map(|tool| tool.to_ascii_lowercase()).collect();
    Ok(Rule { id, tools, target, shell: file.shell, each: file.each, fields, require, require_any })
}

fn parse_source(text: &str, field: &impl Fn(&str) -> Result<Field, RuleError>) -> Result<Source, RuleError> {
    if text.starts_with('/') {
        return Ok(Source::Pointer(text.to_owned()));
    }
    if !text.contains('{') {
        return Ok(Source::Key(text.to_owned()));
    }
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        if !before.is_empty() {
            pieces.push(Piece::Text(before.to_owned()));
        }
        let Some((name, after)) = after.split_once('}') else {
            return Err(error(format!("the template `{text}` lacks a `}}`")));
        };
        pieces.push(Piece::Field(field(name)?));
        rest = after;
    }
    if !rest.is_empty() {
        pieces.push(Piece::Text(rest.to_owned()));
    }
    Ok(Source::Template(pieces))
}

fn kinds() -> String {
    Kind::ALL.map(|kind| format!("`{}`", kind.name())).join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> String {
        RuleSet::parse(text, None).unwrap_err().to_string()
    }

    #[test]
    fn errors_say_where_and_what_is_allowed() {
        let head = "id = \"x\"\nversion = 1\n[[rule]]\nid = \"x.a\"\ntools = [\"a\"]\n";
        assert!(message("id = \"x\"\nversion = 2\n").contains("version 2"));
        assert!(message(&format!("{head}event = \"reed\"")).contains("`reed` is no event"));
        assert!(message(&format!("{head}event = \"read\"\nfields.pth = [\"p\"]")).contains("`pth` is no field"));
        assert!(message(&format!("{head}event = \"read\"\nfields.path = [\"@p\"]")).contains("no list `p`"));
        assert!(message(&format!("{head}event = \"read\"\nevnt = 1")).contains("line 7"));
        assert!(message("id = \"x\"\nversion = 1\nbase = \"y\"").contains("base `y`"));
    }
}
