//! The lab: rules that are laid over the built-in ones, and what they change.

use std::rc::Rc;

use steplens_core::mapping::Changes;

use super::route::Tab;
use super::shared::Shared;
use super::{Slot, State};
use crate::engine::protocol::{Answer, Fault, Laid, OpenFile};

/// What the lab holds.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Lab {
    /// The rules as they are written; empty is none.
    pub text: Rc<str>,
    /// A file of rules that came in and is not read yet.
    pub incoming: Option<OpenFile>,
    /// What is wrong with the text.
    pub fault: Option<Fault>,
    /// What the rules change in the log; none until it is mapped by them.
    pub changes: Option<Shared<Changes>>,
    /// How long the mapping took.
    pub took_ms: Option<f64>,
    /// The log is mapped again.
    pub is_busy: bool,
    /// Only events that the rules changed are shown.
    pub only_changed: bool,
    /// The rules are kept in this browser.
    pub is_remembered: bool,
    /// The rule that the user wants to see, by its id.
    pub rule: Option<Rc<str>>,
    /// Lines that are tried alone.
    pub lines: Rc<str>,
}

/// What happens in the lab.
#[derive(Debug)]
pub enum LabAction {
    /// The rules are these.
    Edit(Rc<str>),
    /// Lay this rule, the text of one of a table, over those that there are.
    Add(String),
    /// The log is mapped again.
    Busy,
    /// The engine says what became of the rules.
    Laid(Answer),
    /// Show only events that the rules changed, on the timeline, or all again.
    OnlyChanged(bool),
    /// Keep the rules in this browser, or no longer.
    Remember(bool),
    /// Show a rule.
    Rule(Rc<str>),
    /// Try these lines.
    Lines(Rc<str>),
}

impl Lab {
    /// What outlives an opening.
    pub fn of_opening(&self) -> Lab {
        Lab {
            text: self.text.clone(),
            is_remembered: self.is_remembered,
            fault: self.fault.clone(),
            lines: self.lines.clone(),
            ..Lab::default()
        }
    }
}

impl State {
    pub(super) fn lab_acted(&mut self, action: LabAction) {
        let lab = &mut self.lab;
        match action {
            LabAction::Edit(text) => {
                lab.text = text;
                lab.incoming = None;
                // The link that was opened names other rules now.
                self.route.rest.retain(|(key, _)| key != "rules");
            }
            LabAction::Add(rule) => lab.text = with_rule(&lab.text, &rule).into(),
            LabAction::Busy => lab.is_busy = true,
            LabAction::Laid(answer) => self.laid(answer),
            LabAction::OnlyChanged(only) => {
                lab.only_changed = only;
                if only {
                    self.route.tab = Tab::Timeline;
                }
            }
            LabAction::Remember(remember) => lab.is_remembered = remember,
            LabAction::Rule(id) => {
                lab.rule = Some(id);
                self.route.tab = Tab::Mapping;
            }
            LabAction::Lines(lines) => lab.lines = lines,
        }
    }

    fn laid(&mut self, answer: Answer) {
        let lab = &mut self.lab;
        match answer {
            Answer::Laid(Laid::Done { changes, took_ms }) => {
                lab.is_busy = false;
                lab.fault = None;
                lab.only_changed &= changes.changed > 0;
                lab.changes = (!lab.text.trim().is_empty()).then(|| Shared::new(*changes));
                lab.took_ms = Some(took_ms);
            }
            Answer::Laid(Laid::Wrong(fault)) => {
                lab.is_busy = false;
                lab.fault = Some(fault);
            }
            Answer::Laid(Laid::Unreadable { file, error }) => {
                lab.is_busy = false;
                let message = format!("{file} could not be read again ({error}): it changed or moved on disk");
                lab.fault = Some(Fault { message, ..Fault::default() });
            }
            Answer::Laid(Laid::Superseded) => {}
            _ => lab.is_busy = false,
        }
    }

    /// The records were mapped again: ids of events mean nothing any more, lines and parts do.
    pub(super) fn forget_ids(&mut self) {
        self.moves.clear();
        self.sought = self.route.event.clone();
        self.selected = None;
        self.detail = Slot::Waiting;
        self.hit = None;
    }
}

/// The head of a table that is begun here.
const HEAD: &str = "id = \"mine\"\nversion = 1\n";

/// A table with one rule more, under an id that is not taken.
fn with_rule(text: &str, rule: &str) -> String {
    let mut rule = rule.to_owned();
    if let Some(id) = rule.lines().find_map(|line| line.strip_prefix("id = \"")?.strip_suffix('"')).map(str::to_owned) {
        let is_taken = |id: &str| text.contains(&format!("id = \"{id}\""));
        if is_taken(&id) {
            let free = (2..).map(|n| format!("{id}-{n}")).find(|id| !is_taken(id)).unwrap_or_default();
            rule = rule.replacen(&format!("id = \"{id}\""), &format!("id = \"{free}\""), 1);
        }
    }
    match text.trim_end() {
        "" => format!("{HEAD}\n{rule}"),
        text => format!("{text}\n\n{rule}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_added_under_ids_of_their_own() {
        let rule = "[[rule]]\nid = \"mine.a\"\ntools = [\"a\"]\n";
        let one = with_rule("", rule);
        assert_eq!(one, format!("{HEAD}\n{rule}"));
        let two = with_rule(&one, rule);
        assert_eq!(two, format!("{HEAD}\n{rule}\n{}", rule.replace("mine.a", "mine.a-2")));
        assert!(with_rule(&two, rule).ends_with(&rule.replace("mine.a", "mine.a-3")));
    }
}
