//! The page of a log that could not be read: what was tried, and what the first bytes look like.

use yew::{Html, html};

use crate::components::icon::icon;
use crate::components::pick::Pick;
use crate::engine::protocol::Unrecognised;
use crate::hooks::context::Act;
use crate::state::reducer::Action;
use crate::state::{Dialog, Failure, State};
use crate::text::number::bytes;
use crate::text::sentence::{format_name, sentence};
use crate::views::mapping::LabAlone;

/// Bytes in a line of the dump.
const DUMP: usize = 16;
/// Lines of the dump.
const DUMP_LINES: usize = 16;

/// The page of a log that could not be read.
pub fn failed(failure: &Failure, state: &State, act: &Act) -> Html {
    let title = state.title();
    let size = state.reading.as_ref().map_or(0, |reading| reading.size);
    let (head, body) = match failure {
        Failure::Unrecognised(_) if size == 0 => (
            format!("{title} is empty."),
            html! { <p>{ "There is nothing in it to read. A run that was only just started writes its first line when its first step begins." }</p> },
        ),
        Failure::Unrecognised(what) => {
            (format!("This is not a log that Steplens reads: {title}"), unrecognised(what, size, state, act))
        }
        Failure::Unreadable { file, error } => (
            format!("{file} could not be read."),
            html! { <p>{ format!("The browser says {error}: the file was changed or moved after it was opened, or may not be read. Open it again.") }</p> },
        ),
        Failure::Outdated => (
            "This page was updated while it was open.".to_owned(),
            html! { <p>{ "Its reader is of another version than the page. Reload the page, then open the log again." }</p> },
        ),
        Failure::Lost { reason } => (
            "The reader stopped.".to_owned(),
            html! {
                <>
                    if reason.contains("emory") {
                        <p>{ "The browser has no memory left for it: close other tabs, then open the log again. It said:" }</p>
                    } else {
                        <p>{ "It was started again and stopped once more on the same log. This is a fault in Steplens, not in the log. It said:" }</p>
                    }
                    <pre class="out mono out-wrap" tabindex="0">{ reason.clone() }</pre>
                </>
            },
        ),
    };
    html! {
        <main class="failed">
            <h2>{ icon("error") }<span>{ head }</span></h2>
            { body }
            <div class="buttons">
                <Pick class="primary" word={"Open files"} />
                <button type="button" class="button" onclick={act.on(|_| Action::Dialog(Some(Dialog::Paste)))}>
                    { icon("paste") }{ "Paste" }
                </button>
            </div>
            if matches!(failure, Failure::Unrecognised(_)) && size > 0 {
                <p class="muted">{ "A stream of another harness can be read by rules alone: say under " }<code>{ "[stream]" }</code>{ " where its records hold their type, tool, input and status." }</p>
                <LabAlone lab={state.lab.clone()} route={state.route.clone()} />
            }
        </main>
    }
}

fn unrecognised(what: &Unrecognised, size: u64, state: &State, act: &Act) -> Html {
    let records = state.summary.as_ref().map_or(0, |summary| summary.records.total);
    let tried = what.tried.iter().map(|name| {
        let (name, means) = format_name(name);
        html! { <li><strong>{ sentence(name) }</strong>{ ": " }{ means }</li> }
    });
    html! {
        <>
            if let Some(foreign) = &what.foreign {
                <p>{ format!("It looks like {foreign}, which is not read yet.") }</p>
            }
            <p>{ "No record of a known format was found. Looked for:" }</p>
            <ul class="dots">{ for tried }</ul>
            <h3>{ format!("The first bytes of {}", bytes(size)) }</h3>
            <pre class="out mono dump" tabindex="0" aria-label="First bytes">{ dump(&what.head) }</pre>
            if records > 0 {
                <p>
                    <button type="button" class="button" onclick={act.on(|_| Action::ShowAnyway)}>
                        { "Show its lines as they are" }
                    </button>
                </p>
            }
        </>
    }
}

/// Offset, bytes in hexadecimal, and the characters that they are in ASCII.
fn dump(bytes: &[u8]) -> String {
    let lines = bytes.chunks(DUMP).take(DUMP_LINES).enumerate().map(|(n, chunk)| {
        let hex: Vec<String> = chunk.iter().map(|byte| format!("{byte:02x}")).collect();
        let text: String =
            chunk.iter().map(|byte| if (0x20..0x7f).contains(byte) { char::from(*byte) } else { '·' }).collect();
        format!("{:04x}  {:<47}  {text}", n * DUMP, hex.join(" "))
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_seen_as_numbers_and_as_text() {
        assert_eq!(dump(b"\x89PNG\r\n"), format!("0000  {:<47}  ·PNG··", "89 50 4e 47 0d 0a"));
        assert_eq!(dump(&[0; 17]).lines().count(), 2);
    }
}
