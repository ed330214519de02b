//! What the tabs of the pane hold: fields, input, output, the raw line.

use std::rc::Rc;

use steplens_core::detail::Detail as Known;
use steplens_core::event::{Kind, Outcome};
use steplens_core::text::{numbered, patch};
use steplens_core::view::EventRow;
use yew::{AttrValue, Html, Properties, component, html, use_memo, use_state};

use super::diff::Diff;
use super::extras::{Pictures, todos};
use super::long::{Long, PREVIEW};
use super::tree::{Tree, is_tree};
use crate::components::copy::Copy;
use crate::components::markdown::markdown;
use crate::components::shown::shown;
use crate::dom;
use crate::state::shared::Shared;
use crate::text::ansi;
use crate::text::json::{self, Value};
use crate::text::number::{bytes, count, grouped};

/// A way to show something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Look {
    Changes,
    Todos,
    Markdown,
    Tree,
    Numbered,
    Fields,
    Text,
}

impl Look {
    fn word(self) -> &'static str {
        match self {
            Look::Changes => "Changes",
            Look::Todos => "Todo list",
            Look::Markdown => "Markdown",
            Look::Tree => "Tree",
            Look::Numbered => "Lines",
            Look::Fields => "Fields",
            Look::Text => "As text",
        }
    }
}

/// The ways to show something, as buttons; nothing where there is one way only.
fn looks(looks: &[Look], now: Look, set: &yew::UseStateHandle<Option<Look>>) -> Html {
    if looks.len() < 2 {
        return Html::default();
    }
    let buttons = looks.iter().map(|look| {
        let (set, look) = (set.setter(), *look);
        html! {
            <button type="button" class="button small" aria-pressed={(look == now).to_string()} onclick={move |_| set.set(Some(look))}>
                { look.word() }
            </button>
        }
    });
    html! { <span class="group" role="group" aria-label="Shown as">{ for buttons }</span> }
}

/// What a panel is about.
#[derive(Debug, PartialEq, Properties)]
pub(super) struct PanelProps {
    /// What is known of the event.
    pub known: Shared<Known>,
    /// The event.
    pub event: Shared<EventRow>,
}

/// The normalized event.
#[component]
pub(super) fn EventPanel(props: &PanelProps) -> Html {
    let known = &props.known;
    let chosen = use_state(|| None::<Look>);
    let look = chosen.unwrap_or(Look::Fields);
    html! {
        <>
            <div class="tools">
                { looks(&[Look::Fields, Look::Tree], look, &chosen) }
                <Copy text={known.event.clone()} label="Copy the event as JSON" word="Copy JSON" />
            </div>
            if look == Look::Tree {
                <Tree text={known.event.clone()} id="event-tree" label="The event as a tree" />
            } else {
                { fields(&known.event) }
            }
        </>
    }
}

/// What the call was given.
#[component]
pub(super) fn InputPanel(props: &PanelProps) -> Html {
    let known = &props.known;
    let chosen = use_state(|| None::<Look>);
    let input = known.input.clone().unwrap_or_default();
    let ways = use_memo(input.clone(), |input| is_tree(input));
    let mut there = Vec::new();
    there.extend((!known.changes.is_empty()).then_some(Look::Changes));
    there.extend((!known.todos.is_empty()).then_some(Look::Todos));
    there.push(Look::Fields);
    there.extend(ways.then_some(Look::Tree));
    let look = chosen.filter(|look| there.contains(look)).or(there.first().copied()).unwrap_or(Look::Fields);
    let body = match look {
        Look::Changes => changes(known, &props.event),
        Look::Todos => todos(&known.todos),
        Look::Tree => html! { <Tree text={input.clone()} id="input-tree" label="The input as a tree" /> },
        _ => fields(&input),
    };
    html! {
        <>
            <div class="tools">
                { looks(&there, look, &chosen) }
                <Copy text={input} label="Copy the input" word="Copy input" />
            </div>
            { body }
        </>
    }
}

/// What the call did to files, and who says so.
fn changes(known: &Shared<Known>, event: &EventRow) -> Html {
    let note = match event.outcome {
        Some(Outcome::Failed | Outcome::Rejected) => Some("Asked for, and not done: the call did not succeed."),
        _ if !known.changes_reported => {
            Some("As the model asked for it: the log does not say what the harness changed.")
        }
        _ => None,
    };
    if known.changes.iter().all(|file| file.hunks.iter().all(|hunk| hunk.lines.is_empty())) {
        return html! { <p class="note">{ "The log names the file, and holds no diff of it." }</p> };
    }
    html! {
        <>
            if let Some(note) = note { <p class="note">{ note }</p> }
            <Diff files={Rc::new(known.changes.clone())} />
        </>
    }
}

/// What came out.
#[component]
pub(super) fn OutputPanel(props: &PanelProps) -> Html {
    let known = &props.known;
    let error = known.error.as_ref().map(|error| {
        html! {
            <section>
                <h3>{ "Error" }</h3>
                <Long text={error.clone()} bad=true wrap=true label="Error" />
                <div class="tools"><Copy text={error.clone()} label="Copy the error exactly" word="Copy error" /></div>
            </section>
        }
    });
    let is_done = !matches!(props.event.outcome, Some(Outcome::Failed | Outcome::Rejected));
    let is_changed = !known.changes.is_empty() && is_done;
    html! {
        <div class="outputs">
            { error.unwrap_or_default() }
            if is_changed {
                <section>{ changes(known, &props.event) }</section>
            }
            if let Some(output) = &known.output {
                <Output output={output.clone()} known={known.clone()} kind={props.event.kind} is_call={props.event.outcome.is_some()} is_headed={known.error.is_some() || is_changed} />
            }
            if !known.pictures.is_empty() {
                <Pictures pictures={known.pictures.clone()} />
            }
        </div>
    }
}

#[derive(Debug, PartialEq, Properties)]
struct OutputProps {
    output: String,
    known: Shared<Known>,
    kind: Kind,
    is_call: bool,
    is_headed: bool,
}

#[component]
fn Output(props: &OutputProps) -> Html {
    let output = &props.output;
    let chosen = use_state(|| None::<Look>);
    // There is little room for a line that is not broken.
    let is_wrapped = use_state(|| dom::is_media("(max-width: 600px)"));
    let there = use_memo((output.clone(), props.is_call), |(output, is_call)| ways(output, *is_call));
    let files = use_memo((output.clone(), (*there).clone()), |(output, there)| {
        Rc::new(if there.contains(&Look::Changes) { patch::unified(output) } else { Vec::new() })
    });
    let look = chosen.filter(|look| there.contains(look)).or(there.first().copied()).unwrap_or(Look::Text);
    if output.is_empty() {
        return html! { <p class="pad muted">{ "The output is empty." }</p> };
    }
    let body = match look {
        Look::Changes => html! { <Diff files={(*files).clone()} id="output-diff" /> },
        Look::Markdown => markdown(output),
        Look::Tree => html! { <Tree text={output.clone()} id="output-tree" label="The output as a tree" /> },
        Look::Numbered => html! { <Long text={output.clone()} numbered=true label="Output" /> },
        _ => html! {
            <Long text={output.clone()} prose={!props.is_call} wrap={*is_wrapped} label="Output" />
        },
    };
    let wrap = {
        let is_wrapped = is_wrapped.clone();
        move |_| is_wrapped.set(!*is_wrapped)
    };
    let is_coloured = look == Look::Text && !ansi::is_plain(output);
    html! {
        <section>
            if props.is_headed { <h3>{ "Output" }</h3> }
            { body }
            <div class="tools">
                { looks(&there, look, &chosen) }
                if look == Look::Text && props.is_call {
                    <button type="button" class="button small" aria-pressed={is_wrapped.to_string()} onclick={wrap}>{ "Wrap lines" }</button>
                }
                <Copy text={output.clone()} label="Copy the output exactly" word="Copy output" />
                <span class="muted">
                    { count(output.lines().count() as u64, "line", "lines") }{ " · " }{ bytes(output.len() as u64) }
                    if is_coloured { { " · shown as a terminal shows it, copied as it is" } }
                </span>
            </div>
        </section>
    }
}

/// The ways to show an output, the best first.
fn ways(output: &str, is_call: bool) -> Vec<Look> {
    let mut out = Vec::new();
    if !is_call {
        // Longer ones are shown as text, in a window.
        out.extend((output.len() <= PREVIEW).then_some(Look::Markdown));
    } else if patch::is_unified(output) {
        out.push(Look::Changes);
    } else if is_tree(output) {
        out.push(Look::Tree);
    } else if output.len() <= PREVIEW && numbered::lines(output).is_some() {
        out.push(Look::Numbered);
    }
    out.push(Look::Text);
    out
}

/// An object field by field: texts as they read, everything else as it is written.
fn fields(text: &str) -> Html {
    let Some(fields) = json::fields(text) else {
        return html! { <Long text={text.to_owned()} wrap=true /> };
    };
    if fields.is_empty() {
        return html! { <p class="pad muted">{ "No fields" }</p> };
    }
    let rows = fields.into_iter().map(|field| {
        let value: Html = match field.value {
            Value::Text(text) if is_short(&text) => html! { <span class="text">{ shown(&text, &[]) }</span> },
            Value::Text(text) => html! { <Long text={text} wrap=true /> },
            Value::Other(text) if is_short(&text) => html! { <span class="mono">{ shown(&text, &[]) }</span> },
            Value::Other(text) => html! { <Long text={json::pretty(&text)} /> },
        };
        html! { <><dt class="mono">{ shown(&field.name, &[]) }</dt><dd>{ value }</dd></> }
    });
    html! { <dl class="fields">{ for rows }</dl> }
}

fn is_short(text: &str) -> bool {
    text.len() < 120 && !text.contains('\n') && ansi::is_plain(text)
}

/// How the line is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Layout {
    Tree,
    Pretty,
    AsItIs,
}

/// The line, as it is or laid out.
#[component]
pub(super) fn RawPanel(props: &PanelProps) -> Html {
    let chosen = use_state(|| None::<Layout>);
    let known = &props.known;
    let raw: Rc<str> = known.raw.as_str().into();
    let is_json = *use_memo(known.clone(), |known| is_tree(&known.raw));
    let layout = chosen.unwrap_or(Layout::Pretty);
    let choice = |word: &'static str, this: Layout| {
        let set = chosen.setter();
        html! {
            <button type="button" class="button small" aria-pressed={(layout == this).to_string()} onclick={move |_| set.set(Some(this))}>
                { word }
            </button>
        }
    };
    let body = match layout {
        Layout::Tree => html! { <Tree text={AttrValue::from(raw.clone())} id="raw-tree" label="The line as a tree" /> },
        Layout::Pretty => html! { <Long text={json::pretty(&raw)} label="The line, laid out" /> },
        Layout::AsItIs => html! { <Long text={AttrValue::from(raw.clone())} wrap=true label="The line" /> },
    };
    let lines = format!(
        "{} · line {} · bytes {}–{}",
        known.file,
        grouped(known.values_line.unwrap_or(known.line)),
        grouped(known.offset),
        grouped(known.offset + known.len)
    );
    html! {
        <>
            <div class="tools">
                <span class="group" role="group" aria-label="Layout">
                    { choice("Laid out", Layout::Pretty) }
                    if is_json { { choice("Tree", Layout::Tree) } }
                    { choice("As it is", Layout::AsItIs) }
                </span>
                <Copy text={AttrValue::from(raw)} label="Copy the line exactly" word="Copy line" />
                <span class="muted break">{ shown(&lines, &[]) }</span>
            </div>
            { body }
        </>
    }
}
