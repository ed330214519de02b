//! Colours of the terminal output. They are dropped where the output is no terminal, and with `NO_COLOR`.

use anstyle::{AnsiColor, Reset, Style};
use std::io::Write;
use steplens_core::summary::VerdictState;
pub(crate) use steplens_core::text::plain::{one_line, plain, visible};

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

/// Says something on standard error. That it cannot be said is no reason to fail.
pub(crate) fn note(text: &str) {
    let _ = writeln!(anstream::stderr(), "{DIM}steplens:{RESET} {}", plain(text));
}
