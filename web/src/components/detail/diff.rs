//! Differences of files: line numbers, signs, and the words that changed.

use std::ops::Range;
use std::rc::Rc;

use steplens_core::text::diff::{Change, DiffLine, FileDiff, Sign};
use yew::{Callback, Html, Properties, component, html, use_memo, use_state};

use super::lines::Lines;
use crate::components::shown::{Mark, Why, shown};
use crate::text::number::{count, grouped};

/// More lines are shown in part at first, then in a window.
const PREVIEW: usize = 200;
/// Bytes of a line that are drawn: no screen shows more of one that is not broken.
const WIDEST: usize = 4_000;

/// What is shown.
#[derive(Debug, PartialEq, Properties)]
pub struct DiffProps {
    /// The files.
    pub files: Rc<Vec<FileDiff>>,
    /// The list's id.
    #[prop_or(yew::AttrValue::Static("diff-lines"))]
    pub id: yew::AttrValue,
}

/// A row: the head of a file, of a hunk, or a line.
#[derive(Debug, Clone, Copy)]
enum At {
    File(usize),
    Hunk(usize, usize),
    Line(usize, usize, usize),
}

/// Differences of files.
#[component]
pub fn Diff(props: &DiffProps) -> Html {
    let is_whole = use_state(|| false);
    let rows = use_memo(props.files.clone(), |files| places(files));
    let files = &props.files;
    if rows.len() <= PREVIEW || !*is_whole {
        let is_cut = rows.len() > PREVIEW;
        let shown = rows.iter().take(PREVIEW).map(|at| row(files, *at, true));
        let show = {
            let is_whole = is_whole.setter();
            move |_| is_whole.set(true)
        };
        return html! {
            <>
                <div class="diff mono" tabindex="0" role="group" aria-label="Changes">{ for shown }</div>
                if is_cut {
                    <p class="cut">
                        { format!("The first {PREVIEW} lines are shown. ") }
                        <button type="button" class="button small" onclick={show}>{ format!("Show all ({} lines)", grouped(rows.len() as u64)) }</button>
                    </p>
                }
            </>
        };
    }
    let draw = {
        let (files, rows) = (files.clone(), rows.clone());
        Callback::from(move |range: Range<u64>| {
            let places = rows.get(range.start as usize..range.end as usize).unwrap_or_default();
            html! { { for places.iter().map(|at| row(&files, *at, false)) } }
        })
    };
    html! { <Lines id={props.id.clone()} label="Changes" class="diff" total={rows.len() as u64} {draw} /> }
}

fn places(files: &[FileDiff]) -> Vec<At> {
    let mut out = Vec::new();
    for (f, file) in files.iter().enumerate() {
        out.push(At::File(f));
        for (h, hunk) in file.hunks.iter().enumerate() {
            let goes_on = h == 0
                && hunk.place.is_empty()
                && hunk.lines.first().is_some_and(|line| line.old.or(line.new) == Some(1));
            if !goes_on {
                out.push(At::Hunk(f, h));
            }
            out.extend((0..hunk.lines.len()).map(|l| At::Line(f, h, l)));
        }
    }
    out
}

fn row(files: &[FileDiff], at: At, is_wrapped: bool) -> Html {
    match at {
        At::File(f) => files.get(f).map(head).unwrap_or_default(),
        At::Hunk(f, h) => {
            let Some(hunk) = files.get(f).and_then(|file| file.hunks.get(h)) else { return Html::default() };
            let old = hunk.lines.iter().find_map(|line| line.old);
            let new = hunk.lines.iter().find_map(|line| line.new);
            let place = match new.or(old) {
                Some(line) => format!("line {}", grouped(line.into())),
                None if h == 0 => "somewhere in the file".to_owned(),
                None => "further on".to_owned(),
            };
            html! { <div class="dl dl-hunk"><span>{ "⋯ " }{ place }{ " " }{ shown(&hunk.place, &[]) }</span></div> }
        }
        At::Line(f, h, l) => {
            let line = files.get(f).and_then(|file| file.hunks.get(h)).and_then(|hunk| hunk.lines.get(l));
            line.map(|line| diff_line(line, is_wrapped)).unwrap_or_default()
        }
    }
}

fn head(file: &FileDiff) -> Html {
    let word = match file.change {
        Change::Changed => "",
        Change::Added => "new file",
        Change::Deleted => "removed",
    };
    let (new, gone) = file.counts();
    html! {
        <div class="dl dl-file">
            <b>{ shown(if file.path.is_empty() { "(no path)" } else { &file.path }, &[]) }</b>
            if let Some(from) = &file.from {
                <span class="muted">{ " from " }{ shown(from, &[]) }</span>
            }
            if !word.is_empty() { { " " }<span class="tag">{ word }</span> }
            { " " }
            <span class="dl-counts" title={format!("{} came, {} went", count(new, "line", "lines"), count(gone, "line", "lines"))}>
                <span class="ink-good">{ format!("+{}", grouped(new)) }</span>
                { " " }
                <span class="ink-bad">{ format!("−{}", grouped(gone)) }</span>
            </span>
        </div>
    }
}

fn diff_line(line: &DiffLine, is_wrapped: bool) -> Html {
    let number = |n: Option<u32>| n.map(|n| n.to_string()).unwrap_or_default();
    let marks: Vec<Mark> =
        line.words.iter().map(|(start, end)| (*start as usize..*end as usize, Why::Changed)).collect();
    let text = match line.text.len() > WIDEST && !is_wrapped {
        true => line.text.get(..line.text.floor_char_boundary(WIDEST)).unwrap_or_default(),
        false => &line.text,
    };
    let text = shown(text, &marks);
    let (class, body) = match line.sign {
        Sign::Same => ("dl", html! { <span class="dt">{ text }</span> }),
        Sign::Gone => ("dl dl-gone", html! { <del class="dt">{ text }</del> }),
        Sign::New => ("dl dl-new", html! { <ins class="dt">{ text }</ins> }),
    };
    let sign = match line.sign {
        Sign::Same => " ",
        Sign::Gone => "−",
        Sign::New => "+",
    };
    html! {
        <div {class}>
            <span class="dn">{ number(line.old) }</span>
            <span class="dn">{ number(line.new) }</span>
            <span class="ds">{ sign }</span>
            { body }
        </div>
    }
}
