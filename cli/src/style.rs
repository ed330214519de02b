//! Colours of the terminal output. They are dropped where the output is no terminal, and with `NO_COLOR`.

use anstyle::{AnsiColor, Reset, Style};
use std::io::Write;
use steplens_core::event::is_hidden;
use steplens_core::summary::VerdictState;

pub(crate) const BAD: Style = AnsiColor::Red.on_default().bold();
pub(crate) const GOOD: Style = AnsiColor::Green.on_default().bold();
pub(crate) const WARN: Style = AnsiColor::Yellow.on_default().bold();
pub(crate) const DIM: Style = Style::new().dimmed();
pub(crate) const BOLD: Style = Style::new().bold();
pub(crate) const RESET: Reset = Reset;

/// The colour of a verdict.
pub(crate) fn verdict(state: VerdictState) -> Style {
    match state {
        VerdictState::Completed => GOOD,
        VerdictState::Failed => BAD,
        VerdictState::Stopped | VerdictState::Cut => WARN,
        VerdictState::Unknown => DIM,
    }
}

/// Text of a log, safe for a terminal: control characters, which could move the cursor or set colours, and what is hidden
/// and turns the text around it, are shown as their escape.
pub(crate) fn plain(text: &str) -> String {
    escaped(text, |c| (c.is_control() && c != '\n' && c != '\t') || is_hidden(c))
}

/// Text whose hidden characters are shown as their escape, and with them the controls that ASCII does not have.
pub(crate) fn visible(text: &str) -> String {
    escaped(text, |c| matches!(c, '\u{7F}'..='\u{9F}') || is_hidden(c))
}

fn escaped(text: &str, which: impl Fn(char) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if which(c) { out.extend(c.escape_default()) } else { out.push(c) }
    }
    out
}

/// The same on one line.
pub(crate) fn one_line(text: &str) -> String {
    plain(text).replace(['\n', '\t'], " ")
}

/// Says something on standard error. That it cannot be said is no reason to fail.
pub(crate) fn note(text: &str) {
    let _ = writeln!(anstream::stderr(), "{DIM}steplens:{RESET} {}", plain(text));
}
