//! A table of rules that cannot be used: where, what is wrong, and what is allowed there.

use std::fmt;
use std::ops::Range;

/// A table that cannot be used. [`Display`](fmt::Display) gives file, line, column and message on one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleError {
    file: Option<String>,
    /// Line of the table, from 1; none where the fault is of the table as a whole.
    pub line: Option<u32>,
    /// Column of that line in characters, from 1.
    pub column: Option<u32>,
    /// What is wrong, and what is allowed.
    pub message: String,
}

impl RuleError {
    /// An error of the table as a whole.
    pub(crate) fn whole(message: impl Into<String>) -> RuleError {
        RuleError { file: None, line: None, column: None, message: message.into() }
    }

    /// An error at a place of the table's text.
    pub(crate) fn at(text: &str, span: Range<usize>, message: impl Into<String>) -> RuleError {
        let before = text.get(..span.start).unwrap_or(text);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        let number = |value: usize| u32::try_from(value).ok();
        RuleError { file: None, line: number(line), column: number(column), message: message.into() }
    }

    /// What the reader of TOML says.
    pub(super) fn of_toml(text: &str, error: &toml::de::Error) -> RuleError {
        let message = error.message().lines().collect::<Vec<_>>().join("; ");
        let Some(span) = error.span() else { return RuleError::whole(message) };
        if message.starts_with("missing comma between array")
            && let Some(open) = open_list(text, span.start)
        {
            return RuleError::at(text, open..open + 1, "the list that begins here has no `]`");
        }
        let message = plain(&message, text.get(span.clone()).unwrap_or_default()).unwrap_or(message);
        RuleError::at(text, span, message)
    }

    /// The same error, of a named file.
    pub(crate) fn of_file(self, name: &str) -> RuleError {
        RuleError { file: Some(name.to_owned()), ..self }
    }
}

/// What the reader of TOML says, in the words of a table of rules. `found` is what stands at the place.
fn plain(message: &str, found: &str) -> Option<String> {
    if let Some(name) = message.strip_prefix("missing field `").and_then(|rest| rest.strip_suffix('`')) {
        return Some(match name {
            "version" => "`version` is missing; add `version = 1`".to_owned(),
            "id" => "`id` is missing; add `id = \"mine\"`, or any other name".to_owned(),
            "tools" => "`tools` is missing; add a list of names, such as `tools = [\"read\"]`".to_owned(),
            "event" => "`event` is missing; add one, such as `event = \"read\"`".to_owned(),
            name => format!("`{name}` is missing"),
        });
    }
    let rest = message.strip_prefix("invalid type: ")?;
    let (_, wanted) = rest.rsplit_once(", expected ")?;
    match wanted {
        "a sequence" if rest.starts_with("map") => {
            Some("one table stands where a list of them is wanted: write `[[rule]]`, with two brackets".to_owned())
        }
        "a sequence" => Some(format!("a list is wanted: write `[{}]`", found.trim())),
        "u32" => Some("the version is a number: write `version = 1`, without quotes".to_owned()),
        "a string" => Some(format!("a text is wanted: write it between quotes, `\"{}\"`", found.trim())),
        "a boolean" => Some("`true` or `false` is wanted, without quotes".to_owned()),
        _ => None,
    }
}

/// The bracket of the list that is open at a place, which begins a line of its own.
fn open_list(text: &str, at: usize) -> Option<usize> {
    let before = text.get(..at)?;
    let open = before.rfind('[')?;
    let rest = before.get(open..)?;
    (!rest.contains(']') && rest.contains('\n')).then_some(open)
}

impl std::error::Error for RuleError {}

impl fmt::Display for RuleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "{file}: ")?;
        }
        if let (Some(line), Some(column)) = (self.line, self.column) {
            write!(f, "line {line}, column {column}: ")?;
        }
        f.write_str(&self.message)
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::Rules;

    #[track_caller]
    fn said(table: &str) -> String {
        Rules::with(false, Some(("m", table))).unwrap_err().to_string()
    }

    #[test]
    fn faults_are_said_in_the_words_of_a_table() {
        let head = "id = \"m\"\nversion = 1\n";
        let rule = |rest: &str| format!("{head}[[rule]]\nid = \"m.a\"\n{rest}");
        assert_eq!(said("id = \"m\""), "m: line 1, column 1: `version` is missing; add `version = 1`");
        assert_eq!(
            said("id = \"m\"\nversion = \"1\""),
            "m: line 2, column 11: the version is a number: write `version = 1`, without quotes"
        );
        assert_eq!(
            said(&format!("{head}[rule]\nid = \"m.a\"")),
            "m: line 3, column 1: one table stands where a list of them is wanted: write `[[rule]]`, with two brackets"
        );
        assert_eq!(said(&rule("tools = \"x\"")), "m: line 5, column 9: a list is wanted: write `[\"x\"]`");
        assert_eq!(
            said(&rule("tools = [\"x\"\nevent = \"read\"\n")),
            "m: line 5, column 9: the list that begins here has no `]`"
        );
    }
}
