//! The table that is printed and written.

use std::fmt::Write as _;

/// One figure.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) what: &'static str,
    /// None where it could not be measured.
    pub(super) measured: Option<String>,
    pub(super) how: String,
    pub(super) bar: &'static str,
    pub(super) holds: Option<bool>,
}

/// All figures of a run.
#[derive(Debug, Default)]
pub(super) struct Report {
    rows: Vec<Row>,
    pub(super) inputs: Vec<String>,
}

impl Report {
    pub(super) fn add(&mut self, row: Row) {
        self.rows.push(row);
    }

    /// As a document.
    pub(super) fn markdown(&self, machine: &[String], is_quick: bool) -> String {
        let mut text = String::from(
            "# Benchmarks\n\nWritten by `cargo xtask bench`: measured side by side in one run, the best of three. Times are this \
             machine's;\nthe ratios are what can be compared.\n\n",
        );
        if is_quick {
            text.push_str("**A quick run, over smaller logs: the bars are for the full one.**\n\n");
        }
        for line in machine.iter().chain(&self.inputs) {
            // Writing to a String can't fail.
            let _ = writeln!(text, "- {line}");
        }
        text.push_str("\n| figure | measured | bar | holds | how |\n| --- | --- | --- | --- | --- |\n");
        for row in &self.rows {
            let measured = row.measured.as_deref().unwrap_or("not measured");
            let holds = match row.holds {
                Some(true) => "yes",
                Some(false) => "**no**",
                None => "–",
            };
            let _ = writeln!(text, "| {} | {measured} | {} | {holds} | {} |", row.what, row.bar, row.how);
        }
        text.push_str(
            "\nNot measured yet: the command line on all cores (it reads one file with one thread), several workers, and a log of\n1 GB in the browser.\n",
        );
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_says_whether_its_bar_holds() {
        let mut report = Report::default();
        let row = |holds: Option<bool>| Row {
            what: "a",
            measured: holds.map(|_| "1 ×".to_owned()),
            how: "b".into(),
            bar: "2",
            holds,
        };
        report.add(row(Some(false)));
        report.add(row(None));
        let text = report.markdown(&["one core".to_owned()], true);
        assert!(text.contains("\n| a | 1 × | 2 | **no** | b |\n| a | not measured | 2 | – | b |\n"), "{text}");
        assert!(text.contains("- one core\n") && text.contains("A quick run"));
    }
}
