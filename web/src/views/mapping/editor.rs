//! The editor of the rules that are laid over the built-in ones.

use wasm_bindgen_futures::spawn_local;
use web_sys::wasm_bindgen::JsCast;
use web_sys::{HtmlInputElement, HtmlTextAreaElement, InputEvent};
use yew::{Event, Html, Properties, TargetCast, component, html};

use super::changes::changes;
use crate::dom;
use crate::engine::protocol::{Answer, Ask};
use crate::hooks::context::{use_act, use_reach};
use crate::state::lab::{Lab, LabAction};
use crate::state::reducer::Action;
use crate::state::route::Route;
use crate::text::number::count;

/// Lines that the editor has at least.
const ROWS: usize = 12;

/// Shown while there are no rules.
const EXAMPLE: &str = "id = \"mine\"\nversion = 1\n\n[[rule]]\nid = \"mine.fetch\"\ntools = [\"webfetch\", \"mcp_*_fetch\"]\nevent = \"read\"\nfields.path = [\"url\", \"uri\"]\nrequire = [\"path\"]";

/// What the editor shows.
#[derive(Debug, PartialEq, Properties)]
pub struct EditorProps {
    /// The lab.
    pub lab: Lab,
    /// What the URL holds, for a link.
    pub route: Route,
    /// Whether a log is open that the rules are laid over.
    pub has_log: bool,
}

/// The editor of the rules.
#[component]
pub fn Editor(props: &EditorProps) -> Html {
    let act = use_act();
    let engine = use_reach().and_then(|reach| reach.engine);
    let lab = &props.lab;
    let oninput = {
        let act = act.clone();
        move |event: InputEvent| {
            if let Some(area) = event.target_dyn_into::<HtmlTextAreaElement>() {
                act.now(Action::Lab(LabAction::Edit(area.value().into())));
            }
        }
    };
    let onpick = {
        let act = act.clone();
        move |event: Event| {
            let Some(input) = event.target().and_then(|target| target.dyn_into::<HtmlInputElement>().ok()) else {
                return;
            };
            let files = input.files().map(|list| dom::files::of_list(&list)).unwrap_or_default();
            if let Some(file) = files.into_iter().next() {
                act.now(Action::Lab(LabAction::Incoming(file)));
            }
            input.set_value("");
        }
    };
    let onlink = {
        let (act, route, text) = (act.clone(), props.route.clone(), lab.text.clone());
        move |_| {
            let Some(engine) = &engine else { return };
            let (act, route) = (act.clone(), route.clone());
            let then = move |answer| {
                if let Answer::Masked(text, masked) = answer {
                    spawn_local(async move { copy_link(&act, route, &text, masked).await });
                }
            };
            engine.0.ask(Ask::Mask(text.to_string()), Box::new(then));
        }
    };
    let onsave = {
        let text = lab.text.clone();
        move |_| {
            dom::save::text("rules.toml", &text);
        }
    };
    let onremember = {
        let (act, is_remembered) = (act.clone(), lab.is_remembered);
        move |_: Event| {
            if is_remembered {
                dom::memory::keep("rules", None);
            }
            act.now(Action::Lab(LabAction::Remember(!is_remembered)));
        }
    };
    let is_empty = lab.text.trim().is_empty();
    let rows = lab.text.split('\n').count().max(ROWS);
    let wrong = lab.fault.as_ref().and_then(|fault| fault.line);
    let numbers = (1..=rows).map(|n| {
        let is_wrong = wrong == u32::try_from(n).ok();
        html! { <span class={is_wrong.then_some("is-wrong")}>{ n }</span> }
    });
    let fault = lab.fault.as_ref().map(|fault| {
        let place = match (fault.line, fault.column) {
            (Some(line), Some(column)) => format!("line {line}, column {column}"),
            _ => String::new(),
        };
        let at = (fault.line, fault.column);
        let onclick = move |_| go_to(at);
        html! {
            <p id="lab-fault" class="lab-fault ink-bad" role="alert">
                if !place.is_empty() {
                    <button type="button" class="link" {onclick}>{ place }</button>{ ": " }
                }
                { fault.message.clone() }
            </p>
        }
    });
    html! {
        <section class="mapping-part" aria-labelledby="lab-head">
            <h2 id="lab-head">
                { "Your rules" }
                <span class="muted">
                    { if lab.is_busy { "mapping the log again …" } else { "laid over the built-in tables as you type" } }
                </span>
            </h2>
            <div class="lab-editor">
                <div class="lab-numbers mono" aria-hidden="true">{ for numbers }</div>
                <textarea
                    id="lab-rules"
                    class="mono"
                    aria-label="Rules (TOML)"
                    aria-invalid={lab.fault.is_some().to_string()}
                    aria-describedby={lab.fault.is_some().then_some("lab-fault")}
                    placeholder={EXAMPLE}
                    spellcheck="false"
                    autocomplete="off"
                    wrap="off"
                    rows={rows.to_string()}
                    value={lab.text.to_string()}
                    {oninput}
                />
            </div>
            { fault.unwrap_or_default() }
            <div class="lab-tools">
                <label class="button small">
                    { "Open a rules file" }
                    <input type="file" class="unseen" accept=".toml" onchange={onpick} />
                </label>
                <button type="button" class="button small" disabled={is_empty} onclick={onsave}>{ "Download" }</button>
                <button type="button" class="button small" disabled={is_empty} onclick={onlink}>{ "Copy a link with these rules" }</button>
                if lab.undo.is_some() {
                    <button type="button" class="button small" onclick={act.on(|_| Action::Lab(LabAction::Undo))}>
                        { "Undo reset" }
                    </button>
                } else {
                    <button type="button" class="button small" disabled={lab.text.is_empty()} onclick={act.on(|_| Action::Lab(LabAction::Reset))}>
                        { "Reset" }
                    </button>
                }
                <label class="lab-remember">
                    <input type="checkbox" checked={lab.is_remembered} onchange={onremember} />
                    { "Remember in this browser" }
                </label>
            </div>
            if lab.is_linked {
                <p class="muted">{ "These rules came with the link, for this tab; what this browser remembers stays as it is until you tick Remember." }</p>
            }
            if let Some(records) = lab.reads {
                <p class="lab-reads" role="status">
                    { format!("{} now read by these rules. ", count(records, "record is", "records are")) }
                    <button type="button" class="button small" onclick={act.on(|_| Action::Lab(LabAction::Show))}>
                        { "Show the run" }
                    </button>
                </p>
            }
            { match (&lab.changes, props.has_log && lab.fault.is_none()) {
                (Some(known), true) => changes(known, lab.took_ms, &act),
                _ => Html::default(),
            } }
        </section>
    }
}

/// Puts the caret where the fault is.
fn go_to((line, column): (Option<u32>, Option<u32>)) {
    let area = dom::document().and_then(|document| document.get_element_by_id("lab-rules"));
    let Some(area) = area.and_then(|area| area.dyn_into::<HtmlTextAreaElement>().ok()) else { return };
    let text = area.value();
    let before = text.split('\n').take(line.unwrap_or(1).saturating_sub(1) as usize);
    let units: usize = before.map(|line| line.encode_utf16().count() + 1).sum();
    let at = u32::try_from(units).unwrap_or(0) + column.unwrap_or(1).saturating_sub(1);
    // A place beyond the text is its end.
    let _ = area.focus();
    let _ = area.set_selection_range(at, at + 1);
}

async fn copy_link(act: &crate::hooks::context::Act, mut route: Route, text: &str, masked: u64) {
    let Some(packed) = crate::link::packed(text).await else {
        act.now(Action::Say(Some("This browser cannot make such a link.".to_owned())));
        return;
    };
    route.rest.retain(|(key, _)| key != "rules");
    route.rest.push(("rules".to_owned(), packed));
    let address = dom::window().and_then(|window| window.location().href().ok()).unwrap_or_default();
    let page = address.split('#').next().unwrap_or_default();
    let act = act.clone();
    dom::clipboard::copy(format!("{page}#{}", route.text()), move |done| {
        let word = match (done, masked) {
            (false, _) => "The browser forbids copying.".to_owned(),
            (true, 0) => "The link is copied: it holds the rules, and no log.".to_owned(),
            (true, n) => format!(
                "The link is copied: it holds the rules, with {} masked, and no log.",
                count(n, "secret", "secrets")
            ),
        };
        act.now(Action::Say(Some(word)));
    });
}
