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
    /// The rules came with others, and are laid over only if they look like a table.
    pub is_along: bool,
    /// The rules are those of the link that was opened, as they were or edited.
    pub is_linked: bool,
    /// The rules as the link of the address holds them.
    pub packed: Rc<str>,
    /// A log that only these rules read is shown at once: they were not typed.
    pub shows: bool,
    /// Records of the refused log that the rules read.
    pub reads: Option<u64>,
    /// What Reset took away.
    pub undo: Option<Rc<str>>,
}

/// Where rules come from that were not typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// A file.
    File,
    /// The link.
    Link,
    /// This browser's memory.
    Memory,
}

/// What happens in the lab.
#[derive(Debug)]
pub enum LabAction {
    /// The rules are these, as they were typed.
    Edit(Rc<str>),
    /// The rules are these: of a file, of a link, or of this browser's memory.
    Load(Rc<str>, Origin),
    /// A file of rules comes.
    Incoming(OpenFile),
    /// Take the rules away; or bring back what was taken.
    Reset,
    /// Bring back what Reset took away.
    Undo,
    /// The address holds the rules like this.
    Packed(Rc<str>),
    /// Show the log that the rules read.
    Show,
    /// What is wrong with the rules, where no log is open.
    Checked(Option<Fault>),
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
            incoming: self.incoming.clone(),
            is_along: self.is_along,
            is_linked: self.is_linked,
            packed: self.packed.clone(),
            shows: true,
            ..Lab::default()
        }
    }

    /// The name of the table that is laid over; none where there are no rules.
    pub fn name(&self) -> Option<String> {
        if self.text.trim().is_empty() {
            return None;
        }
        let id = self.head("id").and_then(|value| Some(value.split_once('"')?.1.split_once('"')?.0.to_owned()));
        Some(id.filter(|id| !id.is_empty()).unwrap_or_else(|| "without a name".to_owned()))
    }

    /// Whether none of the built-in rules counts beside these.
    pub fn stands_alone(&self) -> bool {
        self.head("base").is_some_and(|value| value.contains("\"none\""))
    }

    /// What stands behind a key of the table's head.
    fn head(&self, key: &str) -> Option<&str> {
        let head = self.text.lines().take_while(|line| !line.trim_start().starts_with('['));
        head.filter_map(|line| line.trim_start().strip_prefix(key)).find(|rest| rest.trim_start().starts_with('='))
    }
}

impl State {
    pub(super) fn lab_acted(&mut self, action: LabAction) {
        let lab = &mut self.lab;
        match action {
            LabAction::Edit(text) => {
                lab.text = text;
                lab.incoming = None;
                lab.undo = None;
                lab.shows = false;
                self.drop_link_of_nothing();
            }
            LabAction::Load(text, origin) => {
                lab.text = text;
                lab.incoming = None;
                lab.undo = None;
                lab.shows = true;
                lab.is_linked = origin == Origin::Link;
            }
            LabAction::Incoming(file) => (lab.incoming, lab.is_along) = (Some(file), false),
            LabAction::Reset => {
                lab.undo = Some(std::mem::take(&mut lab.text));
                lab.is_linked = false;
                self.drop_link_of_nothing();
            }
            LabAction::Undo => lab.text = lab.undo.take().unwrap_or_default(),
            LabAction::Packed(packed) => {
                lab.packed = packed.clone();
                self.route.rest.retain(|(key, _)| key != "rules");
                self.route.rest.push(("rules".to_owned(), packed.to_string()));
            }
            LabAction::Show => lab.shows = true,
            LabAction::Checked(fault) => lab.fault = fault,
            LabAction::Add(rule) => {
                lab.text = with_rule(&lab.text, &rule).into();
                lab.undo = None;
            }
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
                lab.reads = None;
                lab.only_changed &= changes.changed > 0;
                lab.changes = (!lab.text.trim().is_empty()).then(|| Shared::new(*changes));
                lab.took_ms = Some(took_ms);
            }
            Answer::Laid(Laid::Reads(records)) => {
                lab.is_busy = false;
                lab.fault = None;
                lab.reads = Some(records);
            }
            Answer::Laid(Laid::NoneRead) => {
                lab.is_busy = false;
                let message = "no record is read under these rules; the mapping before is shown".to_owned();
                lab.fault = Some(Fault { message, ..Fault::default() });
            }
            Answer::Laid(Laid::Wrong(fault)) => {
                lab.is_busy = false;
                lab.reads = None;
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

    /// No rules are no rules of a link.
    fn drop_link_of_nothing(&mut self) {
        if self.lab.text.trim().is_empty() {
            self.lab.packed = Rc::default();
            self.lab.fault = None;
            self.route.rest.retain(|(key, _)| key != "rules");
        }
    }

    /// The records were mapped again: ids of events mean nothing any more, lines and parts do.
    pub(super) fn forget_ids(&mut self) {
        self.moves.clear();
        self.sought = self.route.event.clone();
        self.selected = None;
        self.picked = None;
        self.detail = Slot::Waiting;
        self.hit = None;
    }
}

/// The head of a table that is begun here.
const HEAD: &str = "id = \"mine\"\nversion = 1\n";

/// A table with one rule more: in the place of the one of its id, where that is for the same tool, else under an id that
/// is not taken.
fn with_rule(text: &str, rule: &str) -> String {
    let mut rule = rule.to_owned();
    if text.contains(rule.trim_end()) {
        return text.to_owned();
    }
    if let Some(id) = field(&rule, "id = \"").map(str::to_owned) {
        let is_taken = |id: &str| text.contains(&format!("id = \"{id}\""));
        let tool = field(&rule, "tools = [\"").and_then(|tools| tools.split('"').next()).unwrap_or_default();
        if let Some((from, to)) = block(text, &id, tool) {
            let (before, after) = (text.get(..from).unwrap_or_default(), text.get(to..).unwrap_or_default());
            let gap = if after.is_empty() { "" } else { "\n" };
            return format!("{before}{rule}{gap}{after}");
        }
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

/// What stands on a line behind its beginning, up to the end of the text or the list.
fn field<'t>(rule: &'t str, start: &str) -> Option<&'t str> {
    rule.lines().find_map(|line| line.strip_prefix(start)?.strip_suffix(['"', ']']))
}

/// Where the rule of an id stands that names a tool: from its head to that of what follows.
fn block(text: &str, id: &str, tool: &str) -> Option<(usize, usize)> {
    let heads: Vec<usize> = text.match_indices('[').map(|(at, _)| at).filter(|at| is_head(text, *at)).collect();
    let ends = heads.iter().skip(1).copied().chain([text.len()]);
    heads.iter().copied().zip(ends).find(|(from, to)| {
        let block = text.get(*from..*to).unwrap_or_default();
        block.starts_with("[[rule]]")
            && block.contains(&format!("id = \"{id}\""))
            && block.to_lowercase().contains(&format!("\"{}\"", tool.to_lowercase()))
    })
}

/// Whether a bracket begins a line: such is the head of a table.
fn is_head(text: &str, at: usize) -> bool {
    text.get(..at).is_some_and(|before| before.is_empty() || before.ends_with('\n'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_added_under_ids_of_their_own() {
        let rule = "[[rule]]\nid = \"mine.a\"\ntools = [\"a\"]\n";
        let one = with_rule("", rule);
        assert_eq!(one, format!("{HEAD}\n{rule}"));
        // The same once more is there already; another for the same tool takes its place.
        assert_eq!(with_rule(&one, rule), one);
        let other = "[[rule]]\nid = \"mine.a\"\ntools = [\"a\"]\nevent = \"read\"\n";
        let next = "[[rule]]\nid = \"mine.b\"\ntools = [\"b\"]\n";
        let three = with_rule(&with_rule(&one, next), other);
        assert_eq!(three, format!("{HEAD}\n{other}\n{next}"));
        let foreign = "[[rule]]\nid = \"mine.a\"\ntools = [\"c\"]\n";
        assert!(with_rule(&three, foreign).ends_with(&foreign.replace("mine.a", "mine.a-2")));
    }

    #[test]
    fn a_table_is_named_by_its_head() {
        let lab = |text: &str| Lab { text: text.into(), ..Lab::default() };
        assert_eq!(lab("version = 1\nid = \"acme\"\nbase = \"none\"\n").name().as_deref(), Some("acme"));
        assert!(lab("base = \"none\"\n").stands_alone());
        assert_eq!(lab("version = 1\n[[rule]]\nid = \"x\"").name().as_deref(), Some("without a name"));
        assert_eq!(lab(" \n").name(), None);
    }
}
