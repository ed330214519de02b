//! The review: what was found, kind by kind, with its lines, and the text that leaves.

use std::rc::Rc;

use steplens_core::redact::{Group, Kind, Kinds};
use web_sys::HtmlInputElement;
use yew::{Callback, Event, Html, MouseEvent, Properties, TargetCast, component, html, use_state_eq};

use super::findings::Findings;
use super::kinds::{kinds, name_of};
use super::preview::{Place, Preview};
use crate::components::icon::icon;
use crate::engine::review::{ReviewAsk, ReviewHead, ReviewPhase, Which};
use crate::text::number::{bytes, count, grouped, percent};

/// What the review has to know.
#[derive(Debug, PartialEq, Properties)]
pub struct ReviewProps {
    /// How it stands.
    pub head: Rc<ReviewHead>,
    /// Asks something that changes it.
    pub ask: Callback<ReviewAsk>,
    /// Counts openings.
    pub opening: u32,
    /// Goes on to the ways.
    pub go_on: Callback<MouseEvent>,
}

/// The review.
#[component]
pub fn Review(props: &ReviewProps) -> Html {
    let head = &props.head;
    let preview = use_state_eq(|| None::<Place>);
    let is_previewed = use_state_eq(|| false);
    let (found, masked) = head.total();
    let on = |what: fn() -> ReviewAsk| {
        let ask = props.ask.clone();
        Callback::from(move |_: MouseEvent| ask.emit(what()))
    };
    let names = {
        let ask = props.ask.clone();
        Callback::from(move |event: Event| {
            let on = event.target_unchecked_into::<HtmlInputElement>().checked();
            ask.emit(ReviewAsk::Start { names: Some(on) });
        })
    };
    let show = {
        let (preview, is_previewed) = (preview.clone(), is_previewed.clone());
        Callback::from(move |place: Place| {
            preview.set(Some(place));
            is_previewed.set(true);
        })
    };
    let tab = |word: &'static str, is_preview: bool| {
        let is_previewed = is_previewed.clone();
        let is_open = *is_previewed == is_preview;
        html! {
            <button
                type="button"
                class="button small"
                aria-pressed={is_open.to_string()}
                onclick={move |_| is_previewed.set(is_preview)}
            >
                { word }
            </button>
        }
    };
    let is_done = head.phase == ReviewPhase::Done;
    let shows_list = found > 0 && !*is_previewed;
    html! {
        <>
            <div class="share-say" role="status">{ say(head, found, masked) }</div>
            if let ReviewPhase::Running = head.phase {
                <div class="share-progress">
                    <progress aria-label="Looking through the log" max="1" value={part(head)} />
                    <button type="button" class="button small" onclick={on(|| ReviewAsk::Stop)}>{ "Stop" }</button>
                </div>
            }
            if matches!(head.phase, ReviewPhase::Idle | ReviewPhase::Failed(_)) {
                <div class="buttons">
                    <button type="button" class="button" onclick={on(|| ReviewAsk::Start { names: None })}>{ "Look through it again" }</button>
                </div>
            }
            if is_done && found == 0 {
                { looked_for(head.names) }
            }
            if is_done || found > 0 {
                <div class="share-tools">
                    { tab("Findings", false) }
                    { tab("Preview", true) }
                    <span class="grow" />
                    <label class="check">
                        <input type="checkbox" checked={head.names} disabled={!is_done} onchange={names} />
                        { "Names of users and hosts too" }
                    </label>
                    <button type="button" class="button small" disabled={!head.can_undo} onclick={on(|| ReviewAsk::Undo)}>
                        { "Undo" }
                    </button>
                </div>
            }
            if shows_list {
                <div class="share-parts">
                    { kinds(head, &props.ask) }
                    <div class="share-found">
                        { all_of(head, &props.ask) }
                        <Findings head={head.clone()} ask={props.ask.clone()} opening={props.opening} {show} />
                    </div>
                </div>
            }
            if *is_previewed && (is_done || found > 0) {
                <Preview head={head.clone()} place={(*preview).unwrap_or_default()} go={{
                    let preview = preview.clone();
                    Callback::from(move |place| preview.set(Some(place)))
                }} />
            }
            <footer class="dialog-foot">
                <p class="share-note muted">{ icon("lock") }{ "Nothing has left this page. What you share is made of the reviewed text." }</p>
                <button type="button" class="button primary" disabled={!is_done} onclick={props.go_on.clone()}>{ "Continue" }</button>
            </footer>
        </>
    }
}

fn part(head: &ReviewHead) -> String {
    format!("{:.4}", head.done as f64 / head.size.max(1) as f64)
}

/// How the review stands, in words.
fn say(head: &ReviewHead, found: u64, masked: u64) -> Html {
    let size: u64 = head.files.iter().map(|file| file.size).sum();
    let what = match head.files.as_slice() {
        [one] => format!("{} ({})", one.name, bytes(one.size)),
        files => format!("{} ({})", count(files.len() as u64, "file", "files"), bytes(size)),
    };
    match &head.phase {
        ReviewPhase::Idle => html! { <p>{ "The log was not looked through." }</p> },
        ReviewPhase::Failed(why) => html! { <p class="arrival-why">{ icon("error") }<span>{ why.clone() }</span></p> },
        ReviewPhase::Running => html! {
            <p>{ format!("Looking for secrets in {what}: {}, {} so far", percent(head.done, head.size), count(found, "finding", "findings")) }</p>
        },
        ReviewPhase::Done if found == 0 => html! {
            <p><strong>{ "Nothing was found" }</strong>{ format!(" in {what}: it would leave as it is.") }</p>
        },
        ReviewPhase::Done => {
            let kept = found - masked;
            html! {
                <p>
                    <strong>{ format!("{} in {what}: ", count(found, "finding", "findings")) }</strong>
                    { match (masked, kept) {
                        (1, 0) => "it is masked.".to_owned(),
                        (_, 0) => "all are masked.".to_owned(),
                        (0, _) => "none is masked.".to_owned(),
                        (masked, kept) => format!("{} masked, {} left as {}.", grouped(masked), grouped(kept), if kept == 1 { "it is" } else { "they are" }),
                    } }
                </p>
            }
        }
    }
}

/// What was looked for, where nothing was found.
fn looked_for(names: bool) -> Html {
    let mut all = Kinds::default();
    if names {
        all.insert_group(Group::Names);
    }
    let groups = Group::ALL.into_iter().filter_map(|group| {
        let of: Vec<String> = all.iter().filter(|kind| kind.group() == group).map(name_of).collect();
        (!of.is_empty()).then(|| html! { <li>{ of.join(", ") }</li> })
    });
    html! {
        <div class="share-none">
            <h3>{ "Looked for" }</h3>
            <ul class="dots">{ for groups }</ul>
            <p class="muted">
                { "A secret without a known form and without a telling name is not found: a password that was typed into a prompt, an internal name. The preview shows the whole text." }
            </p>
        </div>
    }
}

/// Masks all that are listed, or none of them.
fn all_of(head: &ReviewHead, ask: &Callback<ReviewAsk>) -> Html {
    let (which, found, masked) = match head.shown {
        None => {
            let (found, masked) = head.total();
            (Which::All, found, masked)
        }
        Some(kind) => {
            let count = head.kinds.iter().find(|count| count.kind == kind);
            (Which::Kind(kind), count.map_or(0, |count| count.found), count.map_or(0, |count| count.masked))
        }
    };
    let decide = |masked: bool| {
        let ask = ask.clone();
        Callback::from(move |_: MouseEvent| ask.emit(ReviewAsk::Decide { what: which, masked }))
    };
    let word = |kind: Kind| name_of(kind);
    let title = head.shown.map_or_else(|| "All findings".to_owned(), word);
    let of_kind = if head.shown.is_some() { " of this kind" } else { "" };
    html! {
        <div class="share-kind-head">
            <h3>{ title }</h3>
            <span class="muted">{ format!("{} of {} masked", grouped(masked), grouped(found)) }</span>
            <span class="grow" />
            <button type="button" class="button small" disabled={masked == found} onclick={decide(true)}>{ format!("Mask all{of_kind}") }</button>
            <button type="button" class="button small" disabled={masked == 0} onclick={decide(false)}>{ format!("Mask none{of_kind}") }</button>
        </div>
    }
}
