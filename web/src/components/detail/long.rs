//! A text that may be very long: its beginning, and all of it, in a window, when asked for. Terminal output has its
//! colours, a file that was read the numbers of its lines.

use std::rc::Rc;

use steplens_core::text::numbered;
use yew::{AttrValue, Html, Properties, classes, component, html, use_state};

use super::whole::Whole;
use crate::components::shown::shown;
use crate::text::ansi::{Terminal, is_plain, look};
use crate::text::number::bytes;

/// Texts up to here are shown whole.
pub(super) const PREVIEW: usize = 50_000;
/// Lines of it, at most: each has elements of its own.
const PREVIEW_LINES: usize = 500;

/// What is shown.
#[derive(Debug, PartialEq, Properties)]
pub(super) struct LongProps {
    /// The text.
    pub text: AttrValue,
    /// Whether it is an error.
    #[prop_or_default]
    pub bad: bool,
    /// Whether it is prose rather than output.
    #[prop_or_default]
    pub prose: bool,
    /// Whether a long line is broken.
    #[prop_or_default]
    pub wrap: bool,
    /// Whether its lines begin with their numbers.
    #[prop_or_default]
    pub numbered: bool,
    /// What it is.
    #[prop_or(AttrValue::Static("Text"))]
    pub label: AttrValue,
}

/// A text that may be very long.
#[component]
pub(super) fn Long(props: &LongProps) -> Html {
    // The text that is shown whole: another one in its place starts with its beginning again.
    let whole = use_state(|| None::<AttrValue>);
    let text = &props.text;
    let head = head(text);
    let is_cut = head.len() < text.len();
    if is_cut && whole.as_ref() == Some(text) {
        let text: Rc<str> = Rc::from(text.as_str());
        return html! { <Whole {text} label={props.label.clone()} bad={props.bad} /> };
    }
    let class = classes!(
        "out",
        props.bad.then_some("out-bad"),
        if props.prose { "out-prose" } else { "mono" },
        (props.wrap || props.prose).then_some("out-wrap"),
        props.numbered.then_some("out-numbered"),
    );
    let onclick = {
        let text = text.clone();
        move |_| whole.set(Some(text.clone()))
    };
    let body = if props.numbered { with_numbers(head) } else { terminal(head) };
    html! {
        <>
            <pre {class} tabindex="0">{ body }</pre>
            if is_cut {
                <p class="cut">
                    { format!("The first {} are shown. ", bytes(head.len() as u64)) }
                    <button type="button" class="button small" {onclick}>
                        { format!("Show all ({})", bytes(text.len() as u64)) }
                    </button>
                </p>
            }
        </>
    }
}

/// The beginning that is shown at first.
fn head(text: &str) -> &str {
    let head = text.get(..text.floor_char_boundary(PREVIEW)).unwrap_or(text);
    match head.match_indices('\n').nth(PREVIEW_LINES) {
        Some((at, _)) => head.get(..at).unwrap_or(head),
        None => head,
    }
}

/// Text as a terminal shows it.
fn terminal(text: &str) -> Html {
    if is_plain(text) {
        return shown(text, &[]);
    }
    let mut terminal = Terminal::default();
    let lines = text.split('\n').enumerate().map(|(n, line)| {
        html! { <>{ if n > 0 { "\n" } else { "" } }{ terminal_line(line, &mut terminal) }</> }
    });
    html! { <>{ for lines }</> }
}

/// One line of it.
pub(super) fn terminal_line(line: &str, terminal: &mut Terminal) -> Html {
    let runs = terminal.line(line).into_iter().map(|run| match look(run.style) {
        None => shown(&run.text, &[]),
        Some((class, style)) => html! { <span {class} {style}>{ shown(&run.text, &[]) }</span> },
    });
    html! { <>{ for runs }</> }
}

/// A file that was read, with the numbers of its lines beside them.
fn with_numbers(text: &str) -> Html {
    let lines = numbered::lines(text).unwrap_or_default().into_iter().map(|(number, line)| {
        let class = if number.is_some() { "nl" } else { "nl nl-around" };
        html! {
            <span {class}>
                <span class="dn">{ number.map(|n| n.to_string()).unwrap_or_default() }</span>
                <span class="dt">{ shown(line, &[]) }{ "\n" }</span>
            </span>
        }
    });
    html! { <>{ for lines }</> }
}
