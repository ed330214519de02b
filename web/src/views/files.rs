//! The files tab: the logs that are open and what each added, and the files that the agent read and wrote.

use steplens_core::summary::{FileSummary, LeftOut, Summary};
use yew::{Html, Properties, component, html};

use crate::state::shared::Shared;
use crate::text::number::{bytes, count, grouped};
use crate::text::sentence::sentence;

mod touched;
use touched::Touched;

/// How many files that are no logs are listed.
const SHOWN: usize = 300;

/// What the tab shows.
#[derive(Debug, PartialEq, Properties)]
pub struct FilesProps {
    /// The summary.
    pub summary: Shared<Summary>,
    /// Counts openings.
    pub opening: u32,
    /// Changes when all was read in another way.
    pub epoch: u32,
}

/// The files tab.
#[component]
pub fn Files(props: &FilesProps) -> Html {
    let summary = &props.summary;
    html! {
        <div id="panel-files" class="page files" role="tabpanel" aria-labelledby="tab-files">
            <section class="files-section" aria-labelledby="open-logs">
                <h2 id="open-logs">{ "Open logs" }</h2>
                <div class="table-room" tabindex="0" role="group" aria-label="Open logs">
                    <table class="table">
                        <thead>
                            <tr>
                                <th scope="col">{ "File" }</th>
                                <th scope="col">{ "Format" }</th>
                                <th scope="col" class="num">{ "Size" }</th>
                                <th scope="col" class="num">{ "Lines" }</th>
                                <th scope="col" class="num">{ "Records" }</th>
                                <th scope="col" class="num" title="Gave at least one known event">{ "Mapped" }</th>
                                <th scope="col" class="num" title="Give no event, by rule">{ "Consumed" }</th>
                                <th scope="col" class="num" title="Kept as unknown events">{ "Unknown" }</th>
                                <th scope="col" class="num" title="Say again what another record says">{ "Duplicates" }</th>
                            </tr>
                        </thead>
                        <tbody>{ for summary.files.iter().map(log_row) }</tbody>
                    </table>
                </div>
                { left_out(&summary.left_out) }
            </section>
            <section class="files-section" aria-labelledby="touched">
                <h2 id="touched">{ "Read and written by the agent" }</h2>
                if summary.files_touched.is_empty() {
                    <p class="muted">{ "No event of this run names a file." }</p>
                } else {
                    <Touched edition={(props.opening, props.epoch)} />
                }
            </section>
        </div>
    }
}

fn log_row(file: &FileSummary) -> Html {
    let format = file.format.clone().unwrap_or_else(|| "not recognised".to_owned());
    let how = file.evidence.iter().map(|text| sentence(text)).collect::<Vec<_>>().join(". ");
    let packed = file.compression.as_ref().map(|name| format!(", {name}")).unwrap_or_default();
    let counts = &file.contributed;
    html! {
        <tr>
            <th scope="row" class="path" title={file.name.clone()}>{ file.name.clone() }</th>
            <td title={how}>{ format!("{format} {} %", file.confidence) }<span class="muted">{ format!(" · {}{packed}", file.encoding) }</span></td>
            <td class="num">{ bytes(file.bytes) }</td>
            <td class="num">{ grouped(file.lines) }</td>
            <td class="num">{ grouped(file.records) }</td>
            <td class="num">{ grouped(counts.mapped) }</td>
            <td class="num">{ grouped(counts.consumed) }</td>
            <td class="num">{ grouped(counts.unknown) }</td>
            <td class="num">{ grouped(counts.duplicates) }</td>
        </tr>
    }
}

/// Files that came in with the logs and are none, and why.
fn left_out(files: &[LeftOut]) -> Html {
    if files.is_empty() {
        return Html::default();
    }
    let rows = files.iter().take(SHOWN).map(|file| {
        html! {
            <li>
                <strong class="break">{ file.name.clone() }</strong>
                <span class="muted">{ format!(" · {} · ", bytes(file.bytes)) }</span>
                { file.reason.clone() }
            </li>
        }
    });
    let more = files.len().saturating_sub(SHOWN) as u64;
    html! {
        <>
            <h3 id="left-out">{ format!("Left out: {}", count(files.len() as u64, "file that is no log", "files that are no logs")) }</h3>
            <ul class="plain left-out" aria-labelledby="left-out">{ for rows }</ul>
            if more > 0 {
                <p class="muted">{ format!("and {}", count(more, "more file", "more files")) }</p>
            }
        </>
    }
}
