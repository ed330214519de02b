//! The tools as a table for a spreadsheet: RFC 4180, one row a tool, an empty cell for what is unknown.
//!
//! ```csv
//! tool,calls,failed,green_but_failed,rejected,p50_ms,p90_ms,max_ms,total_ms,wall_ms,output_bytes
//! bash,8,3,1,0,1200,5400,5400,12100,11800,48210
//! ```

use crate::summary::{Summary, ToolSummary};

const HEAD: &str = "tool,calls,failed,green_but_failed,rejected,p50_ms,p90_ms,max_ms,total_ms,wall_ms,output_bytes\r\n";

/// One row a tool, in the order of the summary.
pub fn tools_csv(summary: &Summary) -> String {
    let mut out = HEAD.to_owned();
    summary.tools.iter().for_each(|tool| push_row(&mut out, tool));
    out
}

fn push_row(out: &mut String, tool: &ToolSummary) {
    out.push_str(&cell(&tool.name));
    let figures = [
        Some(tool.calls),
        Some(tool.failed),
        Some(tool.green_but_failed),
        Some(tool.rejected),
        tool.p50_ms,
        tool.p90_ms,
        tool.max_ms,
        tool.total_ms,
        tool.wall_ms,
        Some(tool.output_bytes),
    ];
    for figure in figures {
        out.push(',');
        out.extend(figure.map(|figure| figure.to_string()));
    }
    out.push_str("\r\n");
}

/// A text as a cell. One that a spreadsheet would take for a formula has an apostrophe before it, which makes it a text.
fn cell(text: &str) -> String {
    let is_formula = text.trim_start().starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠'])
        || text.starts_with(['\t', '\r', '\n']);
    let text = if is_formula { format!("'{text}") } else { text.to_owned() };
    if text.contains(['"', ',', '\r', '\n', '\'']) || text.trim() != text {
        return format!("\"{}\"", text.replace('"', "\"\""));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_never_a_formula() {
        for (name, expected) in [
            ("bash", "bash"),
            ("my tool", "my tool"),
            ("a,b", "\"a,b\""),
            ("say \"hi\"", "\"say \"\"hi\"\"\""),
            ("=cmd|' /C calc'!A0", "\"'=cmd|' /C calc'!A0\""),
            ("+1", "\"'+1\""),
            ("-1", "\"'-1\""),
            ("@SUM(A1)", "\"'@SUM(A1)\""),
            (" =1", "\"' =1\""),
            ("\t=1", "\"'\t=1\""),
            ("two\nlines", "\"two\nlines\""),
            ("", ""),
        ] {
            assert_eq!(cell(name), expected, "{name:?}");
        }
    }

    #[test]
    fn unknown_is_an_empty_cell() {
        let tool =
            ToolSummary { name: "read".to_owned(), calls: 2, failed: 1, output_bytes: 7, ..ToolSummary::default() };
        let summary = Summary { tools: vec![tool], ..Summary::default() };
        assert_eq!(tools_csv(&summary), format!("{HEAD}read,2,1,0,0,,,,,,7\r\n"));
    }
}
