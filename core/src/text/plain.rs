//! Text of a log as it may stand where signs act: what cannot be seen is shown as its escape.

use crate::event::is_hidden;

/// Without what moves a terminal's cursor or sets its colours, and without what is hidden and turns the text around it:
/// either is shown as its escape. Line ends and tabs stay.
pub fn plain(text: &str) -> String {
    escaped(text, |c| (c.is_control() && c != '\n' && c != '\t') || is_hidden(c))
}

/// Text whose hidden characters are shown as their escape, and with them the controls that ASCII does not have.
pub fn visible(text: &str) -> String {
    escaped(text, |c| matches!(c, '\u{7F}'..='\u{9F}') || is_hidden(c))
}

/// As [`plain`], on one line.
pub fn one_line(text: &str) -> String {
    plain(text).replace(['\n', '\t'], " ")
}

fn escaped(text: &str, which: impl Fn(char) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if which(c) { out.extend(c.escape_default()) } else { out.push(c) }
    }
    out
}
