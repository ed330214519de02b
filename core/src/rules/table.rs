//! Rules as they are applied, and sets of them laid over each other. [`super::file`] reads them from text.

use super::error::RuleError;
use super::file::{self, Lists};
use super::pattern;
use super::stream::Stream;
use super::suggest::words_in;
use crate::event::Kind;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// A field that a rule can fill.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
    pub(crate) fn name(self) -> &'static str {
        match self {
            Field::Path => "path",
            Field::StartLine => "startLine",
            Field::EndLine => "endLine",
            Field::LineCount => "lineCount",
            Field::Patch => "patch",
            Field::Query => "query",
            Field::Command => "command",
            Field::WorkingDirectory => "workingDirectory",
            Field::SkillName => "skillName",
            Field::Directory => "directory",
            Field::SubagentId => "subagentId",
            Field::SubagentName => "subagentName",
        }
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

/// The kinds of event that a call can become.
pub(crate) const CALL_KINDS: [Kind; 7] =
    [Kind::Command, Kind::Read, Kind::Write, Kind::Search, Kind::List, Kind::Skill, Kind::Orchestration];

impl Target {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Target::Consumed => "consumed",
            Target::Event(kind) => kind.name(),
        }
    }

    /// The fields that such an event is made from.
    pub(crate) fn fields(self) -> &'static [Field] {
        match self {
            Target::Event(Kind::Read) => &[Field::Path, Field::StartLine, Field::EndLine, Field::LineCount],
            Target::Event(Kind::Write) => &[Field::Path, Field::Patch],
            Target::Event(Kind::Search) => &[Field::Query, Field::Path],
            Target::Event(Kind::List) => &[Field::Path],
            Target::Event(Kind::Command) => &[Field::Command, Field::WorkingDirectory],
            Target::Event(Kind::Skill) => &[Field::Path, Field::SkillName, Field::Directory],
            Target::Event(Kind::Orchestration) => &[Field::SubagentId, Field::SubagentName],
            Target::Event(_) | Target::Consumed => &[],
        }
    }
}

/// One rule.
#[derive(Debug, Clone)]
pub struct Rule {
    /// Its id, such as `opencode.read`.
    pub id: String,
    /// The tools that it reads: names and patterns, in lower case unless it minds case.
    pub tools: Vec<String>,
    pub(crate) match_case: bool,
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
    /// `kilo` or `opencode`; of a table that stands alone, its own.
    pub id: String,
    rules: Vec<Arc<Rule>>,
    /// Plain names in lower case, and the first rule of each.
    by_tool: HashMap<String, usize>,
    /// Rules with patterns or with names that mind case, in order.
    by_pattern: Vec<usize>,
    lists: Lists,
    marks: Vec<String>,
    pub(super) stream: Option<Stream>,
    /// The table that is laid over it: its name, and how many rules, the first ones, are of it.
    over: Option<(String, usize)>,
}

/// A table that is laid over others: a user's own, or the extension rules.
#[derive(Debug, Clone)]
pub struct Overlay {
    id: String,
    base: Base,
    rules: Vec<Arc<Rule>>,
    lists: Lists,
    marks: Vec<String>,
    pub(super) stream: Option<Stream>,
}

/// What an overlay is laid over.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Base {
    /// Every set.
    All,
    /// The one of this name.
    Set(String),
    /// Nothing: only its own rules count.
    Nothing,
}

impl Overlay {
    /// Reads a table that may use the named lists of a set.
    ///
    /// # Errors
    /// As for [`RuleSet::parse`].
    pub fn parse(text: &str, lists: &RuleSet) -> Result<Overlay, RuleError> {
        let bases = "`kilo`, `opencode`, `none`; without a base it is laid over both";
        let table = file::read(text, &lists.lists, (&["kilo", "opencode", "none"], bases))?;
        let base = match (table.id.as_str(), table.base.as_deref()) {
            // What `steplens rules --dialect kilo` prints names the table that Kilo's is laid over: given back, edited
            // or not, it belongs to Kilo's.
            ("kilo", Some("opencode")) => Base::Set("kilo".to_owned()),
            (_, None) => Base::All,
            (_, Some("none")) => Base::Nothing,
            (_, Some(name)) => Base::Set(name.to_owned()),
        };
        let file::Table { id, lists, marks, stream, rules, .. } = table;
        Ok(Overlay { id, base, rules, lists, marks, stream })
    }

    /// Its own rules.
    pub fn rules(&self) -> &[Arc<Rule>] {
        &self.rules
    }

    /// The lists of keys that it can name.
    pub(super) fn lists(&self) -> &Lists {
        &self.lists
    }

    /// Its name.
    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    /// Whether it is laid over the table of this name.
    pub(crate) fn is_over(&self, set: &str) -> bool {
        !matches!(&self.base, Base::Set(name) if name != set)
    }

    /// Keys of the input that are written like pointers without their slash: the rule, and the key.
    pub(crate) fn likely_pointers(&self) -> impl Iterator<Item = (&str, &str)> {
        self.rules.iter().flat_map(|rule| {
            let sources = rule.fields.values().flatten();
            sources.filter_map(|source| match source {
                Source::Key(key) if key.contains('/') => Some((rule.id.as_str(), key.as_str())),
                _ => None,
            })
        })
    }

    /// Whether nothing of the built-in tables counts beside it.
    pub(crate) fn stands_alone(&self) -> bool {
        self.base == Base::Nothing
    }
}

impl RuleSet {
    /// Reads a table. `base` is the set that it is laid over, if it names one: its own rules come first.
    ///
    /// # Errors
    /// What the text breaks: TOML, an unknown key, event or field, a base that is not there. The error names the place
    /// and what is allowed there.
    pub fn parse(text: &str, base: Option<&RuleSet>) -> Result<RuleSet, RuleError> {
        let lists = base.map(|base| base.lists.clone()).unwrap_or_default();
        let known = base.map(|base| base.id.as_str());
        let allowed = known.map_or_else(|| "none here".to_owned(), |name| format!("`{name}`"));
        let table = file::read(text, &lists, (known.as_slice(), &allowed))?;
        let base = base.filter(|_| table.base.is_some());
        let file::Table { id, lists, marks, stream, mut rules, .. } = table;
        rules.extend(base.iter().flat_map(|base| base.rules.iter().cloned()));
        let stream = match (stream, base.and_then(|base| base.stream.as_ref())) {
            (Some(own), Some(base)) => Some(own.over(base)),
            (own, base) => own.or_else(|| base.cloned()),
        };
        Ok(RuleSet::of(id, rules, lists, marks, stream))
    }

    fn of(id: String, rules: Vec<Arc<Rule>>, lists: Lists, marks: Vec<String>, stream: Option<Stream>) -> RuleSet {
        let mut by_tool = HashMap::new();
        let mut by_pattern = Vec::new();
        for (index, rule) in rules.iter().enumerate() {
            for tool in rule.tools.iter().filter(|tool| !rule.match_case && !pattern::is_glob(tool)) {
                by_tool.entry(tool.clone()).or_insert(index);
            }
            if rule.match_case || rule.tools.iter().any(|tool| pattern::is_glob(tool)) {
                by_pattern.push(index);
            }
        }
        RuleSet { id, rules, by_tool, by_pattern, lists, marks, stream, over: None }
    }

    /// This set with a table over it: the table's rules come first.
    pub fn under(&self, overlay: &Overlay) -> RuleSet {
        match &overlay.base {
            Base::Set(name) if *name != self.id => self.clone(),
            Base::Nothing => {
                RuleSet::of(overlay.id.clone(), overlay.rules.clone(), overlay.lists.clone(), vec![], None)
            }
            Base::All | Base::Set(_) => {
                let rules = overlay.rules.iter().chain(&self.rules).cloned().collect();
                let marks = self.marks.iter().chain(&overlay.marks).cloned().collect();
                let over = Some((overlay.id.clone(), overlay.rules.len()));
                let set = RuleSet::of(self.id.clone(), rules, self.lists.clone(), marks, self.stream.clone());
                RuleSet { over, ..set }
            }
        }
    }

    /// Where a rule stands, in words: its row in the user's table, or in the one that this is laid over.
    pub(crate) fn row_words(&self, rule: &Arc<Rule>) -> String {
        let row = self.rules.iter().position(|other| Arc::ptr_eq(other, rule)).map_or(0, |index| index + 1);
        match &self.over {
            Some((name, own)) if row <= *own => format!("row {row} of {own} of your table {name}"),
            over => {
                let own = over.as_ref().map_or(0, |(_, own)| *own);
                format!("row {} of {} of the {} table", row.saturating_sub(own), self.rules.len() - own, self.id)
            }
        }
    }

    /// How many rules there are, and of which table, in words.
    pub(crate) fn size_words(&self) -> String {
        match &self.over {
            Some((name, own)) if *own > 0 => {
                format!(
                    "the {own} of your table {name} and the {} rules of the {} table",
                    self.rules.len() - own,
                    self.id
                )
            }
            _ => format!("the {} rules of the {} table", self.rules.len(), self.id),
        }
    }

    /// This set with a table behind it: the table's rules read only what no rule here reads.
    pub fn before(&self, extensions: &Overlay) -> RuleSet {
        let rules = self.rules.iter().chain(&extensions.rules).cloned().collect();
        RuleSet::of(self.id.clone(), rules, self.lists.clone(), self.marks.clone(), self.stream.clone())
    }

    /// Its lists of keys.
    pub(super) fn lists(&self) -> &Lists {
        &self.lists
    }

    /// All rules, own ones first.
    pub fn rules(&self) -> &[Arc<Rule>] {
        &self.rules
    }

    /// The rule that reads calls of a tool: the first that names it.
    pub fn find(&self, tool: &str) -> Option<&Arc<Rule>> {
        let lower = tool.to_ascii_lowercase();
        let plain = self.by_tool.get(&lower).copied();
        let mut earlier = self.by_pattern.iter().copied().take_while(|index| plain.is_none_or(|plain| *index <= plain));
        let reads = |index: &usize| self.rules.get(*index).is_some_and(|rule| rule.reads(tool, &lower));
        earlier.find(reads).or(plain).and_then(|index| self.rules.get(index))
    }

    /// A rule of a tool whose name, word by word, is within this one, for an explanation: `read` is in `mcp_fs_readFile`.
    pub(crate) fn nearest(&self, tool: &str) -> Option<&Rule> {
        let words = words_in(tool);
        let alike = |known: &String| {
            let known = words_in(known);
            !known.is_empty() && known.iter().all(|known| words.iter().any(|word| is_within(known, word)))
        };
        self.rules.iter().find(|rule| rule.tools.iter().any(alike)).map(Arc::as_ref)
    }

    /// Tools that only this dialect has.
    pub(crate) fn is_mark(&self, tool: &str) -> bool {
        self.marks.iter().any(|mark| mark.eq_ignore_ascii_case(tool))
    }
}

impl Rule {
    /// Whether it reads a tool of this name, as written and in lower case.
    fn reads(&self, tool: &str, lower: &str) -> bool {
        let name = if self.match_case { tool } else { lower };
        self.tools.iter().any(|own| if pattern::is_glob(own) { pattern::covers(own, name) } else { own == name })
    }

    /// What it gives: the name of an event, or `consumed`.
    pub fn event(&self) -> &'static str {
        self.target.name()
    }

    /// A rule of one field, which it needs.
    pub(super) fn plain(id: &str, tool: &str, kind: Kind, field: Field, each: Option<&str>, key: &str) -> Rule {
        Rule {
            id: id.to_owned(),
            tools: vec![tool.to_ascii_lowercase()],
            match_case: false,
            target: Target::Event(kind),
            shell: false,
            each: each.map(str::to_owned),
            fields: BTreeMap::from([(field, vec![Source::Key(key.to_owned())])]),
            require: vec![field],
            require_any: vec![],
        }
    }

    /// The rule as text of a table, its lists written out.
    pub fn to_toml(&self) -> String {
        self.to_toml_with(&Lists::new())
    }

    /// The rule as text of a table, with `@name` where all keys of a list stand in a row.
    pub(super) fn to_toml_with(&self, lists: &Lists) -> String {
        let quoted = |words: &mut dyn Iterator<Item = String>| {
            let words: Vec<String> = words.map(|word| toml_string(&word)).collect();
            format!("[{}]", words.join(", "))
        };
        let event = self.target.name();
        let tools = quoted(&mut self.tools.iter().cloned());
        let mut out = format!("[[rule]]\nid = {}\ntools = {tools}\n", toml_string(&self.id));
        if self.match_case {
            out.push_str("matchCase = true\n");
        }
        out.push_str(&format!("event = \"{event}\"\n"));
        if self.shell {
            out.push_str("shell = true\n");
        }
        if let Some(each) = &self.each {
            out.push_str(&format!("each = {}\n", toml_string(each)));
        }
        for (field, sources) in &self.fields {
            let mut sources: Vec<String> = sources.iter().map(ToString::to_string).collect();
            for (name, keys) in lists.iter().filter(|(_, keys)| !keys.is_empty()) {
                if let Some(at) = sources.windows(keys.len()).position(|row| row == keys.as_slice()) {
                    sources.splice(at..at + keys.len(), [format!("@{name}")]);
                }
            }
            let sources = quoted(&mut sources.into_iter());
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

/// Whether a word is another, or one half of it: `edit` is in `multiedit`, and `read` not in `thread`.
fn is_within(known: &str, word: &str) -> bool {
    let rest = word.strip_prefix(known).or_else(|| word.strip_suffix(known));
    rest.is_some_and(|rest| rest.is_empty() || (known.len() > 3 && rest.len() > 2))
}

/// A text as TOML writes it, between quotes.
pub(crate) fn toml_string(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => out.push_str(&format!("\\u{:04X}", c as u32)),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "id = \"x\"\nversion = 1\n[[rule]]\nid = \"x.a\"\ntools = [\"a\"]\n";

    #[track_caller]
    fn wrong(rest: &str, place: (u32, u32), message: &str) {
        let error = RuleSet::parse(&format!("{HEAD}{rest}"), None).unwrap_err();
        assert_eq!((error.line, error.column, error.message.as_str()), (Some(place.0), Some(place.1), message));
    }

    #[test]
    fn errors_say_where_and_what_is_allowed() {
        wrong(
            "event = \"reed\"",
            (6, 9),
            "rule `x.a`: `reed` is no event of a call; allowed: `consumed`, `command`, `read`, `write`, `search`, `list`, `skill`, `orchestration`",
        );
        wrong(
            "event = \"read\"\nfields.pth = [\"p\"]",
            (7, 8),
            "rule `x.a`: `pth` is no field of `read`; allowed: `path`, `startLine`, `endLine`, `lineCount`",
        );
        wrong(
            "event = \"read\"\nfields.path = [\"é\", \"@p\"]\n[keys]\nq = [\"r\"]",
            (7, 21),
            "rule `x.a`: there is no list `p` in `keys`; allowed: `q`",
        );
        wrong(
            "event = \"read\"\nrequire = [\"path\"]",
            (7, 12),
            "rule `x.a` requires `path` and says nowhere where it may stand; add `fields.path`",
        );
        wrong(
            "event = \"read\"\nfields.path = [\"{directory}/x\"]",
            (7, 16),
            "rule `x.a`: `directory` is no field of `read`; allowed: `path`, `startLine`, `endLine`, `lineCount`",
        );
        wrong(
            "event = \"read\"\nshell = true",
            (7, 9),
            "rule `x.a`: only an `event = \"command\"` can be classified by `shell`",
        );
        wrong(
            "event = \"consumed\"\n[[rule]]\nid = \"x.a\"\ntools = [\"b\"]\nevent = \"consumed\"",
            (8, 6),
            "the id `x.a` is taken by the rule on line 4",
        );
        wrong(
            "event = \"consumed\"\n[stream]\ntool = [\"call\"]",
            (8, 9),
            "`call` is no JSON pointer; allowed: `/key/key`, from the record's root",
        );
        wrong(
            "event = \"consumed\"\n[stream.types]\ncall = [\"x\"]",
            (8, 1),
            "`call` is nothing that a record can be; allowed: `step_start`, `step_finish`, `text`, `reasoning`, `tool_use`, `error`, `consumed`",
        );
    }

    #[test]
    fn what_the_reader_of_toml_refuses_has_its_place_too() {
        let error = RuleSet::parse(&format!("{HEAD}event = \"read\"\nevnt = 1"), None).unwrap_err();
        assert_eq!((error.line, error.column), (Some(7), Some(1)));
        assert!(error.message.starts_with("unknown field `evnt`, expected one of `id`, `tools`"), "{error}");
        let error = RuleSet::parse("id = \"x\"\nversion = 2\n", None).unwrap_err();
        assert_eq!(error.to_string(), "line 2, column 11: version 2 of the format is not known; allowed: 1");
        let error = RuleSet::parse("id = \"x\"\nversion = 1\nbase = \"y\"", None).unwrap_err();
        assert_eq!(error.to_string(), "line 3, column 8: the base `y` is no table that is known; allowed: none here");
        let error = RuleSet::parse("id = \"x\nversion", None).unwrap_err();
        assert_eq!(error.to_string(), "line 2, column 8: key with no value, expected `=`");
    }

    #[test]
    fn the_first_rule_that_names_a_tool_reads_it() {
        let rule = |id: &str, tools: &str, more: &str| {
            format!("[[rule]]\nid = \"{id}\"\ntools = [{tools}]\nevent = \"consumed\"\n{more}")
        };
        let text = [
            "id = \"x\"\nversion = 1\n".to_owned(),
            rule("exact", "\"Read\"", "matchCase = true\n"),
            rule("plain", "\"read\", \"grep\"", ""),
            rule("glob", "\"MCP_*\", \"gr?p\", \"g*\"", ""),
            rule("late", "\"mcp_x\"", ""),
        ];
        let set = RuleSet::parse(&text.concat(), None).unwrap();
        let find = |tool: &str| set.find(tool).map(|rule| rule.id.as_str());
        assert_eq!(find("Read"), Some("exact"));
        assert_eq!(find("READ"), Some("plain"));
        assert_eq!(find("Grep"), Some("plain"));
        assert_eq!(find("glob"), Some("glob"));
        assert_eq!(find("mcp_x"), Some("glob"));
        assert_eq!(find("mcp"), None);
    }
}
