//! A run as prose: what was said, and what was done in a line each. As entries for a list, and as Markdown.

use crate::event::{Kind, Outcome};
use crate::view::{EventRow, Row};
use serde::{Deserialize, Serialize};

/// An entry of a transcript.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// The step or the event.
    pub row: Row,
    /// Of a message, an error or a thought the whole text, as far as it was kept.
    pub text: Option<String>,
    /// Bytes of the text that are left out.
    pub left_out: u64,
}

/// A stretch of a transcript.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Transcript {
    /// Place of the first entry.
    pub start: u64,
    /// Entries of the whole transcript.
    pub total: u64,
    /// The entries.
    pub entries: Vec<Entry>,
}

/// Writes an entry as Markdown: messages as they are, thoughts as quotes, calls as a line of a list.
pub fn write_markdown(out: &mut String, entry: &Entry) {
    let event = match &entry.row {
        Row::Step(step) => {
            out.push_str(&format!("\n---\n\n**Step {}**\n\n", step.number));
            return;
        }
        // Only a list as the timeline shows it has them.
        Row::Turn(_) => return,
        Row::Ask(row) => {
            let ask = &row.ask;
            out.push_str(&format!("- asked {}: {} (line {})\n", code(&ask.what()), ask.outcome(), ask.line));
            return;
        }
        Row::Event(event) => event,
    };
    let text = entry.text.as_deref().unwrap_or(&event.summary);
    match event.kind {
        Kind::Agent => out.push_str(&format!("\n{text}\n\n")),
        Kind::User => out.push_str(&format!("\n**User:**\n\n{text}\n\n")),
        Kind::Reasoning => out.push_str(&format!("\n> *Thinking:* {}\n\n", text.replace('\n', "\n> "))),
        Kind::Error => out.push_str(&format!("\n**Error:** {}\n\n", code(text))),
        _ => out.push_str(&call(event)),
    }
    if entry.left_out > 0 {
        out.push_str(&format!("*({} bytes of this text are left out)*\n\n", entry.left_out));
    }
}

fn call(event: &EventRow) -> String {
    let outcome = match event.outcome {
        Some(Outcome::Ok) => "ok",
        Some(Outcome::Failed) if event.green_but_failed => "failed, though reported as completed",
        Some(Outcome::Failed) => "failed",
        Some(Outcome::Rejected) => "rejected",
        _ => "outcome unknown",
    };
    let note = event.note.as_ref().map(|note| format!(", {}", code(note))).unwrap_or_default();
    format!("- {} {}: {outcome}{note} (line {})\n", event.kind.name(), code(&event.summary), event.line)
}

/// A text as code, within more back quotes than it holds itself.
fn code(text: &str) -> String {
    let text = text.replace('\n', " ");
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let gap = if longest > 0 { " " } else { "" };
    format!("{fence}{gap}{text}{gap}{fence}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_as_markdown() {
        let event = |kind: Kind, summary: &str, outcome: Option<Outcome>| EventRow {
            id: 0,
            file: 0,
            line: 7,
            kind,
            time: None,
            duration_ms: None,
            outcome,
            green_but_failed: outcome == Some(Outcome::Failed),
            synthetic: false,
            taken_back: false,
            tool: None,
            summary: summary.to_owned(),
            aside: None,
            note: (outcome == Some(Outcome::Failed)).then(|| "exit 1".to_owned()),
            session: 0,
            found: None,
            record: 0,
            span: None,
        };
        let mut out = String::new();
        for (row, text) in [
            (event(Kind::Agent, "head", None), Some("# All\n\nof it")),
            (event(Kind::Reasoning, "a", None), Some("a\nb")),
            (event(Kind::Command, "echo `x`", Some(Outcome::Failed)), None),
        ] {
            let entry = Entry { row: Row::Event(row), text: text.map(str::to_owned), left_out: 0 };
            write_markdown(&mut out, &entry);
        }
        let want = "\n# All\n\nof it\n\n\n> *Thinking:* a\n> b\n\n- command `` echo `x` ``: failed, though reported as completed, `exit 1` (line 7)\n";
        assert_eq!(out, want);
    }
}
