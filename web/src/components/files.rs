//! The files that are open, and where their records went.

use steplens_core::summary::{FileSummary, RecordCounts, Summary};
use yew::{Html, html};

use super::icon::icon;
use super::popover::Popover;
use super::why::coded;
use crate::text::number::{bytes, count, grouped};
use crate::text::sentence::format_name;

/// The files that are open.
pub fn files(title: &str, summary: &Summary) -> Html {
    let size: u64 = summary.files.iter().map(|file| file.bytes).sum();
    let lines: u64 = summary.files.iter().map(|file| file.lines).sum();
    let face = html! {
        <>
            <strong class="file-name">{ title.to_owned() }</strong>
            <span class="muted file-size">{ format!("{} · {}", bytes(size), count(lines, "line", "lines")) }</span>
            { icon("down") }
        </>
    };
    let is_several = summary.files.len() > 1;
    html! {
        <Popover {face} label="Files" class="file" title={title.to_owned()}>
            <h2>{ "Open" }</h2>
            <ul class="plain">{ for summary.files.iter().map(|f| file(f, is_several)) }</ul>
            if !summary.left_out.is_empty() {
                <p class="ink-warn">
                    { format!("{} left out; the Files tab says why", count(summary.left_out.len() as u64, "file was", "files were")) }
                </p>
            }
            <h2>{ "Where every record went" }</h2>
            { records(&summary.records) }
        </Popover>
    }
}

fn file(file: &FileSummary, is_several: bool) -> Html {
    let format = match file.format.as_deref() {
        Some(format) => format_name(format).0,
        None => "nothing recognised",
    };
    let packed = file.compression.as_deref().map(|name| format!(" · {name}")).unwrap_or_default();
    html! {
        <li>
            <strong class="break">{ file.name.clone() }</strong>
            <p class="muted">
                { format!("{} bytes{packed} · {} · {} · {format}", grouped(file.bytes), count(file.lines, "line", "lines"), file.encoding) }
            </p>
            if is_several {
                <p class="muted">
                    { format!("added {}, of which {} repeat what another file says", count(file.contributed.total, "record", "records"), grouped(file.contributed.duplicates)) }
                </p>
            }
            { for file.evidence.iter().map(|fact| html! { <p class="muted">{ coded(fact) }</p> }) }
        </li>
    }
}

fn records(records: &RecordCounts) -> Html {
    let rows = [
        ("gave events", records.mapped),
        ("steps, todo lists and the like", records.consumed),
        ("kept as unknown", records.unknown),
        ("repeats", records.duplicates),
        ("in all", records.total),
    ];
    let rows = rows.map(|(what, n)| html! { <tr><th scope="row">{ what }</th><td>{ grouped(n) }</td></tr> });
    html! { <table class="facts-table"><tbody>{ for rows }</tbody></table> }
}
