//! What really happened to a call: its status, its exit code and its error text are three facts, read together.
//!
//! No input with a failure signal may come out as `ok`. The first fact that speaks decides; `docs/mapping.md` has the
//! order.

use crate::event::Outcome;
use crate::format::wire::{At, Given, Line};
use crate::json::{self, Object};

/// Parts of an error text that say that somebody, or a rule, refused. An operating system's "permission denied" is none.
const REFUSALS: [&str; 4] =
    ["rejected permission", "specified a rule which prevents", "auto-rejected permission", "dismissed this question"];

/// What the exit code says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// There is no exit code.
    Absent,
    /// The key is there, and it holds null or no number: the command was ended from outside.
    Unreadable,
    /// The code.
    Code(i64),
}

impl Exit {
    /// The heavier one counts where two are written.
    fn weight(self) -> u8 {
        match self {
            Exit::Absent => 0,
            Exit::Code(0) => 1,
            Exit::Unreadable => 2,
            Exit::Code(_) => 3,
        }
    }
}

/// The facts of a call, and what follows from them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CallOutcome {
    pub(crate) is_success: Option<bool>,
    pub(crate) exit: Exit,
    pub(crate) error: Option<String>,
    pub(crate) outcome: Outcome,
    /// The fact that decided.
    pub(crate) because: Because,
    /// The key under which the exit code stands, from the metadata on; none where it is absent or given by a table.
    exit_at: Option<&'static str>,
}

/// The fact that decided over a call. It is put into words when somebody asks: every call is judged while a log is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Because {
    /// A status of failure, and an error text with these words of a refusal.
    Refused(&'static str),
    FailureWord,
    InvalidTool,
    ExitCode(i64),
    TimedOut,
    ExitNull,
    /// A status of success beside an error text.
    Contradiction,
    SuccessWord,
    OtherWord,
    NoStatus,
}

impl CallOutcome {
    /// The fact that decided, as a sentence.
    pub(crate) fn reason(&self, line: &Line<'_>) -> String {
        let status = line.status();
        let word = status.as_ref().map_or("", |status| status.value.as_ref());
        match self.because {
            Because::Refused(refusal) => format!("status `{word}`, and the error text says \"{refusal}\""),
            Because::FailureWord => format!("status `{word}` is a failure word"),
            Because::InvalidTool => {
                "the model called a tool that does not exist, or with arguments that could not be read".to_owned()
            }
            Because::ExitCode(code) => format!("exit code {code}: an exit code outranks the status"),
            Because::TimedOut => {
                "timed out: the exit code is null, and the output says that the command exceeded its time".to_owned()
            }
            Because::ExitNull => {
                "the exit code is null: the command was ended from outside, so nothing says how it went".to_owned()
            }
            Because::Contradiction => format!("status `{word}`, and yet there is an error text"),
            Because::SuccessWord => format!("status `{word}` is a success word, and nothing speaks against it"),
            Because::OtherWord => format!("status `{word}` is neither a success nor a failure word"),
            Because::NoStatus => "there is no status".to_owned(),
        }
    }

    /// Where that fact stands.
    pub(crate) fn pointer(&self, line: &Line<'_>) -> Option<String> {
        match self.because {
            Because::InvalidTool => line.tool().map(|tool| line.pointer(tool.at)),
            Because::ExitCode(_) | Because::TimedOut | Because::ExitNull => match self.exit_at {
                Some(key) => Some(format!("{}{key}", line.pointer(At::State("/metadata")))),
                None => line.given.as_ref()?.at(Given::ExitCode).map(str::to_owned),
            },
            Because::NoStatus => None,
            _ => line.status().map(|status| line.pointer(status.at)),
        }
    }

    /// The status says success, and the call failed.
    pub(crate) fn green_but_failed(&self) -> bool {
        self.is_success == Some(true) && self.outcome == Outcome::Failed
    }

    /// The exit code, if there is one.
    pub(crate) fn exit_code(&self) -> Option<i64> {
        match self.exit {
            Exit::Code(code) => Some(code),
            _ => None,
        }
    }
}

/// What a status word says; `None` for a word that says neither success nor failure.
pub(crate) fn status_success(word: &str) -> Option<bool> {
    let is = |words: &[&str]| words.iter().any(|known| word.eq_ignore_ascii_case(known));
    if is(&["completed", "success", "done", "ok"]) {
        Some(true)
    } else if is(&["error", "failed", "failure", "cancelled", "canceled"]) {
        Some(false)
    } else {
        None
    }
}

/// Reads the facts of a call and decides.
pub(crate) fn of_call(line: &Line<'_>, tool: &str) -> CallOutcome {
    let is_success = line.says_success();
    let (exit, exit_at) = exit(line);
    let error = line.call_error();
    let (outcome, because) = if is_success == Some(false) {
        let lower = error.as_deref().unwrap_or_default().to_lowercase();
        match REFUSALS.into_iter().find(|refusal| lower.contains(refusal)) {
            Some(refusal) => (Outcome::Rejected, Because::Refused(refusal)),
            None => (Outcome::Failed, Because::FailureWord),
        }
    } else if tool.eq_ignore_ascii_case("invalid") {
        (Outcome::Failed, Because::InvalidTool)
    } else {
        match exit {
            Exit::Code(code) if code != 0 => (Outcome::Failed, Because::ExitCode(code)),
            Exit::Unreadable if line.output().is_some_and(|output| says_timeout(&output)) => {
                (Outcome::Unknown, Because::TimedOut)
            }
            Exit::Unreadable => (Outcome::Unknown, Because::ExitNull),
            // A status of success beside an error text contradicts itself: an unknown is honest, an ok is not.
            _ if is_success == Some(true) && error.is_some() => (Outcome::Unknown, Because::Contradiction),
            _ if is_success == Some(true) => (Outcome::Ok, Because::SuccessWord),
            _ if line.status().is_some() => (Outcome::Unknown, Because::OtherWord),
            _ => (Outcome::Unknown, Because::NoStatus),
        }
    };
    CallOutcome { is_success, exit, error, outcome, because, exit_at }
}

/// The exit code, under either key, also one level deeper as OpenCode 2 nests it, and where from the metadata on. Where
/// the keys disagree, the one that speaks of failure counts: no failure signal may come out as `ok`.
fn exit(line: &Line<'_>) -> (Exit, Option<&'static str>) {
    if let Some(given) = line.given.as_ref().filter(|given| given.names(Given::ExitCode)) {
        let exit = given.value(Given::ExitCode).map(|text| json::integer(text).map_or(Exit::Unreadable, Exit::Code));
        return (exit.unwrap_or(Exit::Absent), None);
    }
    let Some(metadata) = line.metadata() else { return (Exit::Absent, None) };
    let nested = metadata.get("metadata").and_then(Object::parse).unwrap_or_default();
    let mut found = (Exit::Absent, None);
    let places = [
        (metadata, "exitCode", "/exitCode"),
        (metadata, "exit", "/exit"),
        (&nested, "exitCode", "/metadata/exitCode"),
        (&nested, "exit", "/metadata/exit"),
    ];
    for (object, key, at) in places {
        let Some(text) = object.get(key) else { continue };
        let exit = json::integer(text).map_or(Exit::Unreadable, Exit::Code);
        if exit.weight() > found.0.weight() {
            found = (exit, Some(at));
        }
    }
    found
}

fn says_timeout(output: &str) -> bool {
    ["<shell_metadata>", "<bash_metadata>"].into_iter().any(|tag| {
        output.find(tag).and_then(|at| output.get(at..)).is_some_and(|tail| {
            let tail = tail.to_lowercase();
            tail.contains("timeout") || tail.contains("timed out")
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(state: &str) -> CallOutcome {
        let text = format!(r#"{{"type":"tool_use","part":{{"tool":"bash","state":{state}}}}}"#);
        let line = Line::parse(&text).unwrap();
        of_call(&line, "bash")
    }

    #[test]
    fn the_first_fact_that_speaks_decides() {
        assert_eq!(outcome(r#"{"status":"completed"}"#).outcome, Outcome::Ok);
        assert_eq!(outcome(r#"{"status":"completed","metadata":{"exit":0}}"#).outcome, Outcome::Ok);
        let green = outcome(r#"{"status":"completed","metadata":{"exit":127}}"#);
        assert!(green.outcome == Outcome::Failed && green.green_but_failed());
        assert_eq!(outcome(r#"{"status":"completed","metadata":{"exit":null}}"#).outcome, Outcome::Unknown);
        assert_eq!(outcome(r#"{"status":"completed","metadata":{"exit":"SIGKILL"}}"#).outcome, Outcome::Unknown);
        assert_eq!(outcome(r#"{"status":"error","error":"Permission denied (os error 13)"}"#).outcome, Outcome::Failed);
        assert_eq!(
            outcome(r#"{"status":"error","error":"The user REJECTED permission to"}"#).outcome,
            Outcome::Rejected
        );
        assert_eq!(outcome(r#"{"status":"completed","metadata":{"exitCode":0,"exit":1}}"#).outcome, Outcome::Failed);
        assert_eq!(outcome(r#"{"status":"completed","metadata":{"metadata":{"exit":1}}}"#).outcome, Outcome::Failed);
        assert_eq!(outcome(r#"{"status":"running"}"#).outcome, Outcome::Unknown);
        assert_eq!(outcome(r#"{"status":"completed","error":"boom"}"#).outcome, Outcome::Unknown);
    }

    #[test]
    fn a_timeout_is_named() {
        let timed_out = outcome(
            r#"{"status":"completed","metadata":{"exit":null},"output":"x\n<shell_metadata>\nexceeding timeout 500 ms"}"#,
        );
        assert_eq!(timed_out.because, Because::TimedOut);
    }
}
