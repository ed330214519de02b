//! Reads a table of rules from TOML, and says of a fault where it is and what is allowed there.
//!
//! ```toml
//! id = "mine"
//! version = 1
//! [[rule]]
//! id = "mine.search"
//! tools = ["grep", "mcp_*_search"]
//! event = "search"
//! fields.query = ["pattern", "query", "/state/metadata/query"]
//! require = ["query"]
//! ```

use super::error::RuleError;
use super::stream::{Stream, StreamFile};
use super::table::{CALL_KINDS, Field, Piece, Rule, Source, Target};
use crate::event::Kind;
use serde::Deserialize;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::sync::Arc;
use toml::Spanned;

/// The version of the format that is read.
pub const VERSION: u32 = 1;

/// Lists of keys by their names.
pub(super) type Lists = BTreeMap<String, Vec<String>>;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct TableFile {
    id: Spanned<String>,
    version: Spanned<u32>,
    base: Option<Spanned<String>>,
    #[serde(default)]
    keys: BTreeMap<String, Vec<Spanned<String>>>,
    #[serde(default)]
    marks: Vec<String>,
    stream: Option<StreamFile>,
    #[serde(default)]
    rule: Vec<RuleFile>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct RuleFile {
    id: Spanned<String>,
    tools: Spanned<Vec<Spanned<String>>>,
    event: Spanned<String>,
    #[serde(default)]
    match_case: bool,
    #[serde(default)]
    shell: Option<Spanned<bool>>,
    each: Option<Spanned<String>>,
    #[serde(default)]
    fields: BTreeMap<Spanned<String>, Vec<Spanned<String>>>,
    #[serde(default)]
    require: Vec<Spanned<String>>,
    #[serde(default)]
    require_any: Vec<Spanned<String>>,
}

/// A table as it was read: its own rules, nothing of what it is laid over.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) id: String,
    pub(super) base: Option<String>,
    /// Its own lists, and those of the base.
    pub(super) lists: Lists,
    pub(super) marks: Vec<String>,
    pub(super) stream: Option<Stream>,
    pub(super) rules: Vec<Arc<Rule>>,
}

/// Reads a table that may use the named lists of another. `bases` are the names of what it may be laid over, and what is
/// said of them.
pub(super) fn read(text: &str, lists: &Lists, bases: (&[&str], &str)) -> Result<Table, RuleError> {
    let file: TableFile = toml::from_str(text).map_err(|error| RuleError::of_toml(text, &error))?;
    if *file.version.get_ref() != VERSION {
        let message = format!("version {} of the format is not known; allowed: {VERSION}", file.version.get_ref());
        return Err(RuleError::at(text, file.version.span(), message));
    }
    if let Some(base) = file.base.as_ref().filter(|base| !bases.0.contains(&base.get_ref().as_str())) {
        let message = format!("the base `{}` is no table that is known; allowed: {}", base.get_ref(), bases.1);
        return Err(RuleError::at(text, base.span(), message));
    }
    let mut lists = lists.clone();
    for (name, keys) in file.keys {
        if let Some(wrong) = keys.iter().find(|key| key.get_ref().starts_with(['@', '/']) || key.get_ref().is_empty()) {
            let message = "a list of `keys` holds plain keys of the input; allowed: no `@` and no `/` in front";
            return Err(RuleError::at(text, wrong.span(), message));
        }
        lists.insert(name, keys.into_iter().map(Spanned::into_inner).collect());
    }
    let compiler = Compiler { text, lists: &lists };
    let mut rules = Vec::new();
    let mut ids = HashMap::new();
    for rule in file.rule {
        let (id, span) = (rule.id.get_ref().clone(), rule.id.span());
        if let Some(first) = ids.insert(id.clone(), span.clone()) {
            let first = RuleError::at(text, first, "").line.unwrap_or_default();
            return Err(RuleError::at(text, span, format!("the id `{id}` is taken by the rule on line {first}")));
        }
        rules.push(Arc::new(compiler.rule(rule)?));
    }
    let stream = file.stream.map(|stream| Stream::compile(stream, text)).transpose()?;
    let (id, base) = (file.id.into_inner(), file.base.map(Spanned::into_inner));
    Ok(Table { id, base, marks: file.marks, stream, rules, lists })
}

struct Compiler<'t> {
    text: &'t str,
    lists: &'t Lists,
}

impl Compiler<'_> {
    fn error(&self, span: Range<usize>, message: impl Into<String>) -> RuleError {
        RuleError::at(self.text, span, message)
    }

    fn rule(&self, file: RuleFile) -> Result<Rule, RuleError> {
        let id = file.id.get_ref().clone();
        if id.trim().is_empty() {
            return Err(self.error(file.id.span(), "a rule needs an id; allowed: any text, such as `mine.read`"));
        }
        if file.tools.get_ref().is_empty() {
            let message = format!("rule `{id}` names no tool; allowed: names, and patterns with `*` and `?`");
            return Err(self.error(file.tools.span(), message));
        }
        let mut tools = Vec::new();
        for tool in file.tools.into_inner() {
            if tool.get_ref().is_empty() {
                return Err(self.error(tool.span(), format!("rule `{id}`: a tool has no empty name")));
            }
            let name = tool.into_inner();
            tools.push(if file.match_case { name } else { name.to_ascii_lowercase() });
        }
        let target = self.target(&id, &file.event)?;
        let mut fields = BTreeMap::new();
        for (name, sources) in &file.fields {
            let field = self.field(&id, target, name)?;
            let mut list = Vec::new();
            for source in sources {
                self.source(&id, target, source, &mut list)?;
            }
            fields.insert(field, list);
        }
        let names = |list: &[Spanned<String>]| {
            list.iter()
                .map(|name| {
                    let field = self.field(&id, target, name)?;
                    let message = || {
                        format!(
                            "rule `{id}` requires `{0}` and says nowhere where it may stand; add `fields.{0}`",
                            field.name()
                        )
                    };
                    fields.contains_key(&field).then_some(field).ok_or_else(|| self.error(name.span(), message()))
                })
                .collect::<Result<Vec<_>, _>>()
        };
        let (require, require_any) = (names(&file.require)?, names(&file.require_any)?);
        let shell = match file.shell {
            Some(shell) if *shell.get_ref() && target != Target::Event(Kind::Command) => {
                let message = format!("rule `{id}`: only an `event = \"command\"` can be classified by `shell`");
                return Err(self.error(shell.span(), message));
            }
            shell => shell.is_some_and(Spanned::into_inner),
        };
        let each = file.each.map(Spanned::into_inner);
        Ok(Rule { id, tools, match_case: file.match_case, target, shell, each, fields, require, require_any })
    }

    fn target(&self, id: &str, event: &Spanned<String>) -> Result<Target, RuleError> {
        if event.get_ref() == "consumed" {
            return Ok(Target::Consumed);
        }
        let kind = CALL_KINDS.into_iter().find(|kind| kind.name() == event.get_ref());
        kind.map(Target::Event).ok_or_else(|| {
            let kinds = quoted(CALL_KINDS.iter().map(|kind| kind.name()));
            let message =
                format!("rule `{id}`: `{}` is no event of a call; allowed: `consumed`, {kinds}", event.get_ref());
            self.error(event.span(), message)
        })
    }

    fn field(&self, id: &str, target: Target, name: &Spanned<String>) -> Result<Field, RuleError> {
        let allowed = target.fields();
        allowed.iter().copied().find(|field| field.name() == name.get_ref()).ok_or_else(|| {
            let known = if allowed.is_empty() { "none".to_owned() } else { quoted(allowed.iter().map(|f| f.name())) };
            let message =
                format!("rule `{id}`: `{}` is no field of `{}`; allowed: {known}", name.get_ref(), target.name());
            self.error(name.span(), message)
        })
    }

    fn source(
        &self,
        id: &str,
        target: Target,
        source: &Spanned<String>,
        out: &mut Vec<Source>,
    ) -> Result<(), RuleError> {
        let text = source.get_ref().as_str();
        if text.is_empty() {
            return Err(self.error(
                source.span(),
                format!("rule `{id}`: an empty source; allowed: a key, `/pointer`, `@list`, a text with `{{field}}`"),
            ));
        }
        if let Some(name) = text.strip_prefix('@') {
            let Some(keys) = self.lists.get(name) else {
                let known = quoted(self.lists.keys().map(String::as_str));
                let message = format!("rule `{id}`: there is no list `{name}` in `keys`; allowed: {known}");
                return Err(self.error(source.span(), message));
            };
            out.extend(keys.iter().map(|key| Source::Key(key.clone())));
            return Ok(());
        }
        if text.starts_with('/') {
            out.push(Source::Pointer(text.to_owned()));
            return Ok(());
        }
        if !text.contains('{') {
            out.push(Source::Key(text.to_owned()));
            return Ok(());
        }
        let mut pieces = Vec::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            if !before.is_empty() {
                pieces.push(Piece::Text(before.to_owned()));
            }
            let Some((name, after)) = after.split_once('}') else {
                return Err(self.error(source.span(), format!("rule `{id}`: the text `{text}` lacks a `}}`")));
            };
            pieces.push(Piece::Field(self.field(id, target, &Spanned::new(source.span(), name.to_owned()))?));
            rest = after;
        }
        if !rest.is_empty() {
            pieces.push(Piece::Text(rest.to_owned()));
        }
        out.push(Source::Template(pieces));
        Ok(())
    }
}

/// Names between backticks, with commas.
pub(super) fn quoted<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
