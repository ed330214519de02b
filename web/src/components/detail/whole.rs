//! All of a very long text in a window. Where its lines stand is found piece by piece, so that the page never stops.

use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;

use steplens_core::search::Needle;
use yew::{
    AttrValue, Callback, Html, Properties, classes, component, html, use_context, use_effect_with, use_memo, use_state,
};

use super::lines::Lines;
use super::long::terminal_line;
use crate::dom::timer;
use crate::state::Sight;
use crate::text::ansi::Terminal;
use crate::text::number::grouped;

/// Bytes that are looked through at once.
const PIECE: usize = 1 << 20;
/// Bytes of a row: longer lines are several.
const WIDEST: usize = 400;

/// What is shown.
#[derive(Debug, PartialEq, Properties)]
pub(super) struct WholeProps {
    /// The text.
    pub text: Rc<str>,
    /// What it is.
    pub label: AttrValue,
    /// Whether it is an error.
    pub bad: bool,
}

/// What is searched for in the pane.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Sought(pub(super) AttrValue);

/// A row: where it stands in the text, which line it is or goes on with, and the style that it begins with.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Row {
    start: usize,
    end: usize,
    line: usize,
    is_first: bool,
    terminal: Terminal,
}

/// The rows found so far.
#[derive(Debug, Default)]
struct Index {
    rows: Vec<Row>,
    at: usize,
    line: usize,
    terminal: Terminal,
}

impl Index {
    /// Finds some more.
    fn advance(&mut self, text: &str) {
        let until = self.at.saturating_add(PIECE);
        while self.at <= text.len() {
            if self.at > until {
                return;
            }
            let rest = text.get(self.at..).unwrap_or_default();
            let len = rest.find('\n').unwrap_or(rest.len());
            self.line += 1;
            self.push_line(text, len);
            self.at += len + 1;
        }
    }

    fn push_line(&mut self, text: &str, len: usize) {
        let line_end = self.at + len;
        let mut start = self.at;
        let mut is_first = true;
        loop {
            let end = if line_end - start <= WIDEST { line_end } else { cut(text, start, line_end) };
            self.rows.push(Row { start, end, line: self.line, is_first, terminal: self.terminal });
            let row = text.get(start..end).unwrap_or_default();
            if row.as_bytes().contains(&0x1B) {
                self.terminal.line(row);
            }
            if end >= line_end {
                return;
            }
            (start, is_first) = (end, false);
        }
    }
}

/// Where a row of a long line ends: on a character, and not within an escape sequence.
fn cut(text: &str, start: usize, line_end: usize) -> usize {
    let end = text.floor_char_boundary(start + WIDEST);
    let tail = text.get(text.ceil_char_boundary(end.saturating_sub(24)).max(start)..end).unwrap_or_default();
    match tail.rfind('\u{1b}') {
        Some(at) if !tail.get(at..).unwrap_or_default().contains(|c: char| c.is_ascii_alphabetic()) => {
            let before = end - tail.len() + at;
            if before > start { before } else { end }
        }
        _ => end.min(line_end),
    }
}

/// All of a very long text.
#[component]
pub(super) fn Whole(props: &WholeProps) -> Html {
    let index = use_memo(props.text.clone(), |_| RefCell::new(Index::default()));
    let steps = use_state(|| 0u32);
    {
        let (index, text, steps) = (index.clone(), props.text.clone(), steps.clone());
        use_effect_with((*steps, props.text.clone()), move |_| {
            // Each piece is drawn before the next one is looked at.
            let is_over = index.borrow().at > text.len();
            let next = *steps + 1;
            let timer = (!is_over).then(|| {
                index.borrow_mut().advance(&text);
                timer::after(0, move || steps.set(next))
            });
            move || drop(timer)
        });
    }
    let draw = {
        let (index, text) = (index.clone(), props.text.clone());
        Callback::from(move |range: Range<u64>| {
            let index = index.borrow();
            let rows = index.rows.get(range.start as usize..range.end as usize).unwrap_or_default();
            let rows = rows.iter().map(|row| {
                let mut terminal = row.terminal;
                let number = if row.is_first { row.line.to_string() } else { "↪".to_owned() };
                html! {
                    <div class="wl">
                        <span class="dn">{ number }</span>
                        <span class="dt">{ terminal_line(text.get(row.start..row.end).unwrap_or_default(), &mut terminal) }</span>
                    </div>
                }
            });
            html! { { for rows } }
        })
    };
    // The first hit of the search is brought into sight once its row is found.
    let sought = use_context::<Sought>();
    let hit = use_memo((props.text.clone(), sought), |(text, sought)| {
        Some(Needle::new(&sought.as_ref()?.0)?.find(text, 0)?.start)
    });
    let sight = hit.and_then(|hit| {
        let index = index.borrow();
        let row = index.rows.partition_point(|row| row.start <= hit).checked_sub(1)?;
        (index.at > hit).then_some(Sight { list: 0, row: row as u64, number: 1, centred: true })
    });
    let (total, lines) = (index.borrow().rows.len() as u64, index.borrow().line as u64);
    let is_all = index.borrow().at > props.text.len();
    html! {
        <>
            <Lines
                id="whole-text"
                label={props.label.clone()}
                class={classes!(props.bad.then_some("out-bad"))}
                {total}
                {draw}
                {sight}
            />
            <p class="cut" aria-live="polite">
                if is_all {
                    { format!("All {} lines are here.", grouped(lines)) }
                } else {
                    { format!("Finding the lines … {} so far", grouped(lines)) }
                }
            </p>
        </>
    }
}
