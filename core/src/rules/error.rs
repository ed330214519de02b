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
        match error.span() {
            Some(span) => RuleError::at(text, span, message),
            None => RuleError::whole(message),
        }
    }

    /// The same error, of a named file.
    pub(crate) fn of_file(self, name: &str) -> RuleError {
        RuleError { file: Some(name.to_owned()), ..self }
    }
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
