//! What a shell command does to files, when that is certain.
//!
//! Agents read, search and list files through their `bash` tool as often as through the tools made
//! for it. This module tells those calls apart from commands proper: `sed -n '10,20p' src/lib.rs`
//! is a read of lines 10 to 20, `cargo test` is a command. `row` holds the table;
//! where they leave a choice, or a naive reading of them would mislead, the choice is written down
//! here or where it is made. When in doubt, a command stays a command.
//!
//! ```
//! use steplens_core::shell::{Operation, classify};
//! let it = classify("cd web && sed -n '10,20p' src/app.rs | head -5");
//! let read = Operation::Read { path: "web/src/app.rs".into(), lines: Some((10, 20)) };
//! assert_eq!(it.operation, Some(("bash.read", read)));
//! assert_eq!(it.directory.as_deref(), Some("web"));
//! ```
//!
//! # From text to an answer
//! `token` and `quote` cut the text into words, operators and redirections as a POSIX shell does;
//! `parse` makes simple commands of them; `wrapper` takes off `sudo`, `env`, `time` and `command`
//! and opens `bash -c`; `script` finds the first simple command that counts and follows `cd`; `row`
//! and `search` are the table; `rest` judges what comes after.
//!
//! # Choices
//! - **The first simple command decides.** `ls && cargo test` is a listing, `cargo test && ls` a
//!   command. The rest can only take the label away, never give one: it does so when the label
//!   would be a lie, because the rest works on another file (`cat a; cat b`), writes one (`cat a |
//!   sort > b`) or runs what is known to change files (`rg -l x | xargs …`, `ls && rm x`). Filters
//!   (`| head`), narration (`|| echo none`) and programs the table does not know keep it.
//! - **Only `cd DIR &&` leads.** After `cd DIR;` the next command runs even where `cd` failed, so
//!   it would be a guess which directory it ran in: such a line stays a command, and names no
//!   directory.
//! - **A missing path after `cd DIR &&` is DIR**, as `.` would be: `cd web && ls` lists `web`.
//! - **A path is certain or there is none.** An operand with `$VAR`, `$(…)`, an unquoted glob or
//!   braces makes a command. `~/x` is kept as written: it is one file, whoever's home that is.
//! - **Redirections are never operands.** `cat < f` is therefore no read. `/dev/null`,
//!   `/dev/stderr` and their like are no files to write; `cat f > /dev/null` shows nobody anything
//!   and stays a command.
//! - **An unterminated quote or substitution is doubt.** An unterminated heredoc is not: the shell
//!   ends it at the end of the text too, and the file it names is written either way.

mod options;
mod parse;
mod place;
mod quote;
mod redirect;
mod rest;
mod row;
mod script;
mod search;
mod token;
mod word;
mod wrapper;

#[cfg(test)]
mod tests;

/// What a shell command does to files, when that is certain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Operation {
    /// One file is read.
    Read {
        /// The file, joined to the directory of a leading `cd`.
        path: String,
        /// First and last line, both included and counted from 1; `None` when the command does not
        /// say.
        lines: Option<(u64, u64)>,
    },
    /// One file is written or appended to.
    Write {
        /// The file, joined to the directory of a leading `cd`.
        path: String,
    },
    /// Text in files, or the names of files, are searched.
    Search {
        /// What is looked for, as the program got it.
        query: String,
        /// The first place it is looked for in; `None` when the command names none.
        path: Option<String>,
    },
    /// The names in a directory are listed.
    List {
        /// The first directory named; `None` when the command names none.
        path: Option<String>,
    },
}

impl Operation {
    /// The id of the rule that gives this kind of operation.
    fn rule(&self) -> &'static str {
        match self {
            Operation::Read { .. } => "bash.read",
            Operation::Write { .. } => "bash.write",
            Operation::Search { .. } => "bash.search",
            Operation::List { .. } => "bash.list",
        }
    }
}

/// One classified command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Classified {
    /// The rule id (`bash.read`, `bash.write`, `bash.search`, `bash.list`) and the operation;
    /// `None` = a plain command.
    pub operation: Option<(&'static str, Operation)>,
    /// DIR of a leading `cd DIR &&`, when it is certain.
    pub directory: Option<String>,
    /// One sentence why, for `explain`: "first word `cargo` has no row in the shell table".
    pub reason: String,
}

/// The directory that `cd directory` leads to from another one.
pub fn within(start: &str, directory: &str) -> String {
    place::within(start, directory)
}

/// Says what `command` does to files, or that it is a plain command, and why. Never fails: what is
/// not understood is a plain command. Takes time linear in the length of the text.
pub fn classify(command: &str) -> Classified {
    let verdict = script::judge(command, place::Place::Start, 0);
    let (operation, reason) = match verdict.outcome {
        Ok((operation, why)) => (Some((operation.rule(), operation)), why),
        Err(why) => (None, why),
    };
    Classified { operation, directory: verdict.place.directory(), reason }
}
