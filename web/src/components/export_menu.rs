//! The export menu: files made of the run, in the worker.

use std::rc::Rc;

use yew::{AttrValue, Html, Properties, component, html, use_state};

use super::icon::icon;
use super::popover::Popover;
use crate::dom;
use crate::engine::export::Export;
use crate::engine::protocol::{Answer, Ask};
use crate::hooks::context::{use_act, use_reach};
use crate::state::Dialog;
use crate::state::reducer::Action;

/// How a file is made.
#[derive(Debug, Clone, Copy)]
enum Make {
    Export(Export),
    /// As the Messages tab saves it.
    Transcript,
}

/// A file that can be made.
#[derive(Debug, Clone, Copy)]
struct Item {
    make: Make,
    word: &'static str,
    what: &'static str,
    /// Stands behind the log's name.
    end: &'static str,
}

const ITEMS: [Item; 6] = [
    Item {
        make: Make::Export(Export::Events),
        word: "Events",
        what: "Normalized, one JSON object a line",
        end: "events.jsonl",
    },
    Item {
        make: Make::Export(Export::Summary),
        word: "Summary",
        what: "Everything that is counted here, as JSON",
        end: "summary.json",
    },
    Item {
        make: Make::Export(Export::Tools),
        word: "Tools",
        what: "A table for a spreadsheet, as CSV",
        end: "tools.csv",
    },
    Item {
        make: Make::Export(Export::Trace),
        word: "Chrome trace",
        what: "Steps and calls on a time line, for Perfetto",
        end: "trace.json",
    },
    Item { make: Make::Transcript, word: "Transcript", what: "What was said and done, as Markdown", end: "md" },
    Item {
        make: Make::Export(Export::Aep),
        word: "AEP events",
        what: "Agent Event Protocol 0.1, one a line",
        end: "aep.jsonl",
    },
];

/// What holds the log itself leaves by way of the review: its ways are in the dialog.
const REVIEWED: [(&str, &str); 3] = [
    ("One HTML file", "The log with the viewer in it, after a review"),
    ("Redacted log", "The log with secrets masked, after a review"),
    ("Folder", "For a static host: logs, viewer, index page, after a review"),
];

/// How long the browser has for taking over a file that it saves.
const SAVING_MS: i32 = 60_000;

/// What the menu has to know.
#[derive(Debug, PartialEq, Properties)]
pub struct ExportMenuProps {
    /// Names of the logs.
    pub files: Vec<AttrValue>,
}

/// A button that opens the menu.
#[component]
pub fn ExportMenu(props: &ExportMenuProps) -> Html {
    let act = use_act();
    let reach = use_reach();
    let making = use_state(|| None::<&'static str>);
    let items = ITEMS.map(|item| {
        let name = name_of(&props.files, item.end);
        let onclick = {
            let (act, making, name) = (act.clone(), making.setter(), name.clone());
            // As the Messages tab names it.
            let title = match props.files.as_slice() {
                [first, more @ ..] if !more.is_empty() => format!("{first} + {}", more.len()),
                files => files.first().map(|file| file.to_string()).unwrap_or_default(),
            };
            let engine = reach.as_ref().and_then(|reach| reach.engine.clone());
            let utc = reach.as_ref().is_some_and(|reach| reach.utc);
            move |_| {
                let Some(engine) = &engine else { return };
                making.set(Some(item.end));
                let (act, making, name) = (act.clone(), making.clone(), name.clone());
                let then = move |answer| {
                    making.set(None);
                    match answer {
                        Answer::Text(text) => dom::save::text(&name, &text),
                        Answer::Exported(Ok(address)) => dom::save::at(&address, &name, SAVING_MS),
                        Answer::Exported(Err(why)) => act.now(Action::Say(Some(format!("{name} was not made: {why}")))),
                        _ => act.now(Action::Say(Some(format!("{name} was not made: the reader stopped")))),
                    }
                };
                let ask = match item.make {
                    Make::Export(export) => Ask::Export(export),
                    Make::Transcript => Ask::Markdown { title: title.clone(), utc },
                };
                engine.0.ask(ask, Box::new(then));
            }
        };
        let is_making = *making == Some(item.end);
        html! {
            <li>
                <button type="button" class="menu-item" title={name} disabled={making.is_some()} {onclick}>
                    <span>{ item.word }</span>
                    <span class="muted">{ if is_making { "Making it …" } else { item.what } }</span>
                </button>
            </li>
        }
    });
    let face = html! { <>{ icon("export") }<span>{ "Export" }</span></> };
    html! {
        <Popover {face} name="Export" label="Export" class="button" title="Save what was read in another form">
            <h2>{ "Export" }</h2>
            <ul class="plain menu">
                { for items }
                { for REVIEWED.map(|(word, what)| html! {
                    <li>
                        <button type="button" class="menu-item" data-leads="share" onclick={act.on(|_| Action::Dialog(Some(Dialog::Share)))}>
                            <span>{ word }</span>
                            <span class="muted">{ what }</span>
                        </button>
                    </li>
                }) }
            </ul>
            <p class="muted" role="status">{ if making.is_some() { "The file is being made." } else { "Made here, from the log itself: nothing is uploaded." } }</p>
        </Popover>
    }
}

/// The name of a file that is made of these logs.
pub fn name_of(files: &[AttrValue], end: &str) -> Rc<str> {
    const ENDS: [&str; 7] = [".gz", ".zst", ".jsonl", ".ndjson", ".json", ".log", ".txt"];
    let mut base = files.first().map_or("run", |name| name.as_str());
    base = base.rsplit(['/', '\\']).next().unwrap_or(base);
    while let Some(shorter) = ENDS.iter().find_map(|end| base.strip_suffix(end)).filter(|shorter| !shorter.is_empty()) {
        base = shorter;
    }
    let safe: String = base.chars().map(|c| if c.is_control() || ":*?\"<>|".contains(c) { '_' } else { c }).collect();
    let more = match files.len().saturating_sub(1) {
        0 => String::new(),
        more => format!("-and-{more}-more"),
    };
    format!("{safe}{more}.{end}").into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_named_after_the_log() {
        let name = |files: &[&'static str]| {
            name_of(&files.iter().map(|name| AttrValue::from(*name)).collect::<Vec<_>>(), "tools.csv").to_string()
        };
        assert_eq!(name(&["run.jsonl"]), "run.tools.csv");
        assert_eq!(name(&["dir/run.jsonl.gz"]), "run.tools.csv");
        assert_eq!(name(&["a.jsonl", "b.json"]), "a-and-1-more.tools.csv");
        assert_eq!(name(&[".json"]), ".json.tools.csv");
        assert_eq!(name(&["a:b?.log"]), "a_b_.tools.csv");
        assert_eq!(name(&[]), "run.tools.csv");
    }
}
