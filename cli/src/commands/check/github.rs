//! The rows for a GitHub workflow: a broken limit is a command that marks an error at its line, one that holds is plain
//! text in the step's log.
//!
//! ```text
//! ::error title=steplens max-tokens,file=run.jsonl::wanted at most 1,000; found 4,211
//! ```

use super::rows::{Checked, Row};
use std::io::{self, Write};

pub(super) fn write(out: &mut dyn Write, checked: &Checked) -> io::Result<()> {
    for row in &checked.rows {
        let message = data(&format!("wanted {}; found {}", row.wanted, row.found));
        if row.state.is_broken() {
            writeln!(out, "::error {}::{message}", properties(checked, row))?;
        } else {
            writeln!(out, "{} {}: {message}", row.state.name(), row.limit)?;
        }
    }
    Ok(())
}

fn properties(checked: &Checked, row: &Row) -> String {
    let mut out = format!("title={}", property(&format!("steplens {}", row.limit)));
    let (file, line) = match row.place {
        Some((file, line)) => (file, Some(line)),
        None => (0, None),
    };
    if let Some(file) = checked.files.get(file as usize).filter(|file| *file != "-") {
        out.push_str(&format!(",file={}", property(file)));
    }
    if let Some(line) = line {
        out.push_str(&format!(",line={line}"));
    }
    out
}

/// A message: what would end the line is written as the runner reads it back.
fn data(text: &str) -> String {
    crate::style::plain(&text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A"))
}

/// A property, which also ends at a colon or a comma.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_text_ends_the_command() {
        assert_eq!(data("50%\r\n::stop"), "50%25%0D%0A::stop");
        assert_eq!(property("a:b,c%\n"), "a%3Ab%2Cc%25%0A");
    }
}
