//! The rows as a table: for a terminal, and in Markdown.

use super::rows::{Checked, State};
use crate::commands::table::{Side, layout};
use crate::style::{BAD, DIM, GOOD, RESET, WARN, one_line};
use std::io::{self, Write};

/// The table for a terminal.
pub(super) fn write_table(out: &mut dyn Write, checked: &Checked) -> io::Result<()> {
    let head = ["", "limit", "wanted", "found"].map(str::to_owned).to_vec();
    let cells = checked.rows.iter().map(|row| {
        vec![row.state.name().to_owned(), row.limit.to_owned(), one_line(&row.wanted), one_line(&row.found)]
    });
    let rows: Vec<Vec<String>> = [head].into_iter().chain(cells).collect();
    let mut lines = layout(&[Side::Left; 4], &rows).into_iter();
    let mut text = String::new();
    text.push_str(&format!("{DIM}{}{RESET}\n", lines.next().unwrap_or_default()));
    for (line, row) in lines.zip(&checked.rows) {
        let colour = match row.state {
            State::Held => GOOD,
            State::Broken => BAD,
            State::Unknown => WARN,
        };
        let (state, rest) = line.split_at(row.state.name().len());
        text.push_str(&format!("{colour}{state}{RESET}{rest}\n"));
    }
    text.push_str(&format!("{}\n", verdict(checked)));
    // Colours are for a terminal; what goes into a file or a pipe goes without.
    let choice = anstream::AutoStream::choice(&io::stdout());
    let mut plain = anstream::AutoStream::new(Vec::new(), choice);
    plain.write_all(text.as_bytes())?;
    out.write_all(&plain.into_inner())
}

/// The table in Markdown.
pub(super) fn write_markdown(out: &mut dyn Write, checked: &Checked) -> io::Result<()> {
    let files: Vec<String> = checked.files.iter().map(|file| cell(file)).collect();
    writeln!(out, "**steplens check**: {} ({})\n", verdict(checked), files.join(", "))?;
    writeln!(out, "| limit | result | wanted | found |\n| --- | --- | --- | --- |")?;
    for row in &checked.rows {
        let mark = if row.state.is_broken() { "❌" } else { "✅" };
        let (wanted, found) = (cell(&row.wanted), cell(&row.found));
        writeln!(out, "| {} | {mark} {} | {wanted} | {found} |", row.limit, row.state.name())?;
    }
    Ok(())
}

fn verdict(checked: &Checked) -> String {
    match (checked.broken(), checked.rows.len()) {
        (0, 1) => "the limit holds".to_owned(),
        (0, all) => format!("all {all} limits hold"),
        (broken, all) => format!("{broken} of {all} limits broken"),
    }
}

/// Text of a log in a Markdown table: nothing in it may end the cell, start a link, a tag or an emphasis, or mention
/// anybody. A backslash takes the meaning from any ASCII punctuation; entities do it for those that a backslash leaves.
fn cell(text: &str) -> String {
    let mut out = String::new();
    let text = one_line(text);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '@' => out.push_str("&#64;"),
            '#' => out.push_str("&#35;"),
            '\\' | '|' | '`' | '*' | '_' | '~' | '[' | ']' | '$' => out.extend(['\\', c]),
            // A bare address would become a link, and a word between two of them a picture.
            ':' if chars.peek().is_some_and(|next| *next != ' ') => out.push_str("&#58;"),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_cell_has_a_meaning() {
        assert_eq!(cell("a|b\n`c` <d> @e"), "a\\|b \\`c\\` &lt;d&gt; &#64;e");
        assert_eq!(cell("[x](http://y)"), "\\[x\\](http&#58;//y)");
        assert_eq!(cell("1 call: :bug: x:"), "1 call: &#58;bug: x:");
        assert_eq!(cell("C:\\x\\|y"), "C&#58;\\\\x\\\\\\|y");
    }
}
