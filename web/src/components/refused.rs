//! What is said of a file that is no log: what it is, what was looked for, and what its first bytes look like.

use steplens_core::foreign::Foreign;
use steplens_core::run::Run;
use yew::{Html, html};

use super::dialog::Dialog;
use crate::engine::protocol::Unrecognised;
use crate::hooks::context::Act;
use crate::state::Refused;
use crate::state::reducer::Action;
use crate::text::number::{bytes, count};
use crate::text::sentence::{format_name, sentence};

/// Bytes in a line of the dump.
const DUMP: usize = 16;
/// Lines of the dump.
const DUMP_LINES: usize = 16;

/// The dialog about files that were to be opened and are no logs: what is open stays.
pub fn refused(refused: &Refused, act: &Act) -> Html {
    let refusal = &refused.refusal;
    let close = act.on(|()| Action::Dialog(None));
    let title = match refusal.files.as_slice() {
        [only] if refusal.more == 0 => format!("{} is no log that Steplens reads", only.name),
        files => format!("None of these {} is a log", count(files.len() as u64 + refusal.more, "file", "files")),
    };
    let body = match refusal.files.as_slice() {
        [only] if refusal.more == 0 => about(only),
        files => {
            let rows = files.iter().map(|file| {
                html! { <li><strong class="break">{ file.name.clone() }</strong>{ ": " }{ file.reason.clone() }</li> }
            });
            html! { <ul class="plain">{ for rows }</ul> }
        }
    };
    let is_shown = refusal.opening.is_some() && refusal.files.iter().any(has_lines);
    html! {
        <Dialog {title} close={close.clone()}>
            <p><strong>{ "What was open stays open." }</strong></p>
            { body }
            if refusal.more > 0 {
                <p class="muted">{ format!("and {}", count(refusal.more, "more file", "more files")) }</p>
            }
            <footer class="dialog-foot">
                if is_shown {
                    <button type="button" class="button" onclick={act.on(|_| Action::OpenRefused)}>
                        { "Show its lines instead" }
                    </button>
                }
                <button type="button" class="button primary" onclick={close.reform(|_| ())}>{ "Keep the open log" }</button>
            </footer>
        </Dialog>
    }
}

/// Whether there is something in a file that can be shown as lines: a picture or an archive has none.
pub fn has_lines(file: &Unrecognised) -> bool {
    use Foreign::{Blank, Bzip2, Empty, Image, Pdf, SevenZip, Sqlite, Tar, Xz, Zip};
    let is_without =
        matches!(file.foreign, Some(Empty | Blank | Sqlite | Zip | Tar | Xz | Bzip2 | SevenZip | Image | Pdf));
    !file.head.is_empty() && !is_without
}

/// All that can be said of a file.
pub fn about(file: &Unrecognised) -> Html {
    let reason = if file.reason.is_empty() { "no record of a known format was found in it" } else { &file.reason };
    let tried = Run::formats().map(|name| {
        let (name, means) = format_name(name);
        html! { <li><strong>{ sentence(name) }</strong>{ ": " }{ means }</li> }
    });
    html! {
        <>
            <p>{ sentence(reason) }{ "." }</p>
            if file.foreign.is_none() && !file.head.is_empty() {
                <p>{ "Looked for:" }</p>
                <ul class="dots">{ for tried }</ul>
            }
            if has_lines(file) {
                <h3>{ format!("The first bytes of {}", bytes(file.bytes)) }</h3>
                <pre class="out mono dump" tabindex="0" aria-label="First bytes">{ dump(&file.head) }</pre>
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
