//! The rows as JUnit XML, which most CI servers show: one test case a limit.

use super::rows::Checked;
use std::io::{self, Write};

pub(super) fn write(out: &mut dyn Write, checked: &Checked) -> io::Result<()> {
    let (tests, failures) = (checked.rows.len(), checked.broken());
    let files = escaped(&checked.files.join(" "));
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(out, "<testsuites name=\"steplens check\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\">")?;
    writeln!(
        out,
        "  <testsuite name=\"{files}\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\" skipped=\"0\">"
    )?;
    for row in &checked.rows {
        let head = format!("<testcase classname=\"steplens.check\" name=\"{}\"", escaped(row.limit));
        let (wanted, found) = (escaped(&row.wanted), escaped(&row.found));
        if row.state.is_broken() {
            let message = format!("wanted {wanted}; found {found}");
            writeln!(out, "    {head}>")?;
            writeln!(out, "      <failure type=\"{}\" message=\"{message}\">{message}</failure>", row.state.name())?;
            writeln!(out, "    </testcase>")?;
        } else {
            writeln!(
                out,
                "    {head}>\n      <system-out>wanted {wanted}; found {found}</system-out>\n    </testcase>"
            )?;
        }
    }
    writeln!(out, "  </testsuite>\n</testsuites>")
}

/// Text within an element or an attribute. Characters that XML 1.0 knows no way to write become U+FFFD; line ends are
/// written as references, as a parser would turn them into blanks within an attribute.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in crate::style::visible(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            '\t' | '\n' | '\r' => out.push_str(&format!("&#{};", u32::from(c))),
            '\0'..='\x1f' | '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_is_valid_xml() {
        assert_eq!(escaped("a<b> & \"c\" 'd'"), "a&lt;b&gt; &amp; &quot;c&quot; &apos;d&apos;");
        assert_eq!(escaped("]]>"), "]]&gt;");
        assert_eq!(escaped("\u{1b}[31m\0\u{ffff}\n"), "\u{fffd}[31m\u{fffd}\u{fffd}&#10;");
    }
}
