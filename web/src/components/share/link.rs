//! The link with the run inside: how long it is, where it fits, and what can be left out.

use std::rc::Rc;

use steplens_core::share::{Fit, LONGEST, MOST, is_page, weakness};
use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::{
    Callback, Event, Html, InputEvent, Properties, TargetCast, component, html, use_effect_with, use_mut_ref,
    use_state, use_state_eq,
};

use super::Shared;
use super::ways::make;
use crate::components::copy::Copy;
use crate::components::icon::icon;
use crate::dom;
use crate::engine::review::{Made, Make, ReviewHead, Trim};
use crate::hooks::context::use_reach;
use crate::link::packed;
use crate::state::fragment::{parse, write};
use crate::state::route::{EventRef, Part, Route};
use crate::text::number::{bytes, count, grouped};

/// How long the choices have to rest before the link is made.
const REST_MS: i32 = 250;
/// A longer link is not shown, only copied.
const SHOWN: usize = 100_000;
/// Where long texts can be cut, in bytes.
const CUTS: [u32; 5] = [65_536, 16_384, 4_096, 1_024, 256];

/// What the link has to know.
#[derive(Debug, PartialEq, Properties)]
pub struct LinkProps {
    /// How the review stands.
    pub head: Rc<ReviewHead>,
    /// What is shared.
    pub shared: Rc<Shared>,
}

/// What was chosen.
#[derive(Debug, Clone, PartialEq)]
struct Choice {
    file: u32,
    hidden: bool,
    longer_than: Option<u32>,
    /// How the log is looked at goes along.
    view: bool,
    is_sealed: bool,
    password: String,
}

/// What became of it.
#[derive(Debug, Clone, PartialEq)]
enum Outcome {
    /// It is being made.
    Making,
    /// A password has to be typed first.
    NoPassword,
    /// The fragment; what does not go along, and why.
    Made {
        fragment: Rc<str>,
        notes: Vec<String>,
    },
    /// It would be too long.
    TooLong,
    Failed(String),
}

/// The link with the run inside.
#[component]
pub fn LinkWay(props: &LinkProps) -> Html {
    let (head, shared) = (&props.head, &props.shared);
    let engine = use_reach().and_then(|reach| reach.engine);
    let choice = use_state_eq(|| Choice {
        file: first_file(head, shared),
        hidden: false,
        longer_than: None,
        view: true,
        is_sealed: false,
        password: String::new(),
    });
    let outcome = use_state_eq(|| Outcome::Making);
    let viewer = use_state_eq(dom::address::page);
    let timer = use_mut_ref(|| None::<dom::timer::Timer>);
    // Counts wishes: an answer to an earlier one is passed over.
    let wish = use_mut_ref(|| 0u32);
    let again = use_state(|| 0u32);
    {
        let (outcome, shared, head) = (outcome.setter(), shared.clone(), head.clone());
        let key = ((*choice).clone(), head.edition, shared.clone(), *again);
        use_effect_with(key, move |(choice, ..)| {
            let number = *wish.borrow() + 1;
            wish.replace(number);
            if choice.is_sealed && choice.password.is_empty() {
                timer.replace(None);
                outcome.set(Outcome::NoPassword);
                return;
            }
            let size = head.files.get(choice.file as usize).map_or(0, |file| file.size);
            if size > MOST as u64 && !choice.hidden && choice.longer_than.is_none() {
                // Whatever it comes to, no page would unpack it.
                timer.replace(None);
                outcome.set(Outcome::TooLong);
                return;
            }
            outcome.set(Outcome::Making);
            let choice = choice.clone();
            let later = dom::timer::after(REST_MS, move || {
                let what = wanted(&choice, &shared, &head);
                let then = Callback::from(move |made: Result<Made, String>| {
                    if *wish.borrow() != number {
                        return;
                    }
                    let (outcome, shared, choice) = (outcome.clone(), shared.clone(), choice.clone());
                    wasm_bindgen_futures::spawn_local(async move {
                        outcome.set(match made {
                            Ok(made) => composed(&made, &choice, &shared).await,
                            Err(why) => Outcome::Failed(why),
                        });
                    });
                });
                make(engine.as_ref(), what, then);
            });
            timer.replace(Some(later));
        });
    }
    let set = |change: fn(&mut Choice, &HtmlInputElement)| {
        let choice = choice.clone();
        Callback::from(move |event: Event| {
            let mut new = (*choice).clone();
            change(&mut new, &event.target_unchecked_into());
            choice.set(new);
        })
    };
    let select = |change: fn(&mut Choice, usize)| {
        let choice = choice.clone();
        Callback::from(move |event: Event| {
            let place = event.target_unchecked_into::<HtmlSelectElement>().selected_index();
            let mut new = (*choice).clone();
            change(&mut new, usize::try_from(place).unwrap_or_default());
            choice.set(new);
        })
    };
    let password = {
        let choice = choice.clone();
        Callback::from(move |event: InputEvent| {
            let password = event.target_unchecked_into::<HtmlInputElement>().value();
            choice.set(Choice { password, ..(*choice).clone() });
        })
    };
    let files = (0u32..).zip(&head.files).map(|(place, file)| {
        html! { <option selected={place == choice.file}>{ format!("{} ({})", file.name, bytes(file.size)) }</option> }
    });
    let cuts = CUTS.map(|most| {
        html! {
            <option selected={choice.longer_than == Some(most)}>{ format!("cut to {}", bytes(most.into())) }</option>
        }
    });
    let (held, all) = shared.events;
    let is_filtered = held < all;
    html! {
        <>
            if head.files.len() > 1 {
                <label class="field-label" for="share-file">{ "Log" }</label>
                <select id="share-file" class="select" onchange={select(|choice, place| choice.file = place as u32)}>{ for files }</select>
                <p class="muted">{ "A link holds one log. The other ways take all of them." }</p>
            }
            { result(&outcome, &viewer, &again) }
            <fieldset class="share-options">
                <legend>{ "Make it shorter" }</legend>
                <label class="check">
                    <input type="checkbox" checked={choice.hidden} disabled={!is_filtered} onchange={set(|choice, input| choice.hidden = input.checked())} />
                    { if is_filtered {
                        format!("Only the selected events: {} of {}", grouped(held), grouped(all))
                    } else {
                        "Only the selected events (filter the timeline first)".to_owned()
                    } }
                </label>
                <label class="share-row" for="share-cut">
                    { "Long outputs and other texts" }
                    <select id="share-cut" class="select" onchange={select(|choice, place| {
                        choice.longer_than = place.checked_sub(1).and_then(|place| CUTS.get(place).copied());
                    })}>
                        <option selected={choice.longer_than.is_none()}>{ "whole" }</option>
                        { for cuts }
                    </select>
                </label>
            </fieldset>
            <fieldset class="share-options">
                <legend>{ "Options" }</legend>
                <label class="check">
                    <input type="checkbox" checked={choice.view} onchange={set(|choice, input| choice.view = input.checked())} />
                    { "Open it as it is looked at now" }
                    <span class="muted">{ looked_at(&shared.route) }</span>
                </label>
                <label class="check">
                    <input type="checkbox" checked={choice.is_sealed} onchange={set(|choice, input| choice.is_sealed = input.checked())} />
                    { "Seal it with a password" }
                </label>
                if choice.is_sealed {
                    <label class="field-label" for="share-password">{ "Password" }</label>
                    <input id="share-password" class="field" type="text" autocomplete="off" spellcheck="false" value={choice.password.clone()} oninput={password} />
                    if let Some(why) = weakness(&choice.password) {
                        <p id="share-weak" class="arrival-why ink-warn" role="status">{ icon("warn") }<span>{ format!("Weak: {why}. Take several words.") }</span></p>
                    }
                    <p class="muted">{ "Hand it over another way than the link. Without it nobody opens the run, and nobody can find it out for you." }</p>
                }
                <label class="field-label" for="share-viewer">{ "Page that opens it" }</label>
                <input id="share-viewer" class="field mono" type="url" value={(*viewer).clone()} onchange={{
                    let viewer = viewer.clone();
                    move |event: Event| viewer.set(event.target_unchecked_into::<HtmlInputElement>().value().trim().to_owned())
                }} />
                if !is_page(&viewer) {
                    <p class="arrival-why" role="alert">{ icon("error") }<span>{ "This is no address of a page: it begins with https://, http:// or file://." }</span></p>
                } else if dom::address::is_local(&viewer) {
                    <p class="muted">{ "This address is your own machine's: give that of a copy of this page that others can reach. The run stays in the part behind #, which no server sees." }</p>
                }
            </fieldset>
        </>
    }
}

/// The file of the selected event, else the first.
fn first_file(head: &ReviewHead, shared: &Shared) -> u32 {
    let name = shared.route.event.as_ref().and_then(|event| event.file.as_ref());
    let place = name.and_then(|name| head.files.iter().position(|file| file.name == *name));
    place.and_then(|place| u32::try_from(place).ok()).unwrap_or_default()
}

/// The selected event, where it stands in that file.
fn event_in<'a>(choice: &Choice, shared: &'a Shared, head: &ReviewHead) -> Option<&'a EventRef> {
    let event = shared.route.event.as_ref().filter(|_| choice.view)?;
    let file = match &event.file {
        None => 0,
        Some(name) => head.files.iter().position(|file| file.name == *name)?,
    };
    (file == choice.file as usize).then_some(event)
}

/// What the worker has to make.
fn wanted(choice: &Choice, shared: &Shared, head: &ReviewHead) -> Make {
    let mut view = Vec::new();
    let name = head.files.get(choice.file as usize).map(|file| file.name.clone()).unwrap_or_default();
    view.push(("n".to_owned(), name.rsplit(['/', '\\']).next().unwrap_or_default().to_owned()));
    let event = event_in(choice, shared, head);
    if choice.view {
        let mut route = Route { source: None, name: None, part: None, event: None, ..shared.route.clone() };
        route.rest.retain(|(key, _)| key != "rules");
        if head.files.len() > 1 {
            // They may name other files.
            route.sides = Default::default();
        }
        view.extend(parse(&route.text()).into_iter().filter(|(key, _)| key != "v"));
        if let Some(part) = event.and_then(|event| event.part.clone()) {
            view.push(("part id".to_owned(), part));
        }
        if !shared.rules.trim().is_empty() {
            view.push(("rules".to_owned(), shared.rules.to_string()));
        }
    }
    Make {
        file: Some(choice.file),
        as_link: true,
        trim: Trim { hidden: choice.hidden, longer_than: choice.longer_than },
        password: choice.is_sealed.then(|| choice.password.clone()),
        view,
        line: event.map(|event| event.line),
    }
}

/// The fragment of what was made.
async fn composed(made: &Made, choice: &Choice, shared: &Shared) -> Outcome {
    let Some(log) = &made.link else { return Outcome::TooLong };
    let key = if choice.is_sealed { "zp" } else { "z" };
    let mut pairs = vec![("v".to_owned(), "1".to_owned()), (key.to_owned(), log.clone())];
    let said = |name: &str| made.view.iter().find(|(key, _)| key == name).map(|(_, value)| value.clone());
    pairs.extend(said("n").map(|name| ("n".to_owned(), name)));
    let events = choice.hidden.then_some(shared.events);
    let part = Part { events, cut: made.texts_cut };
    if part != Part::default() {
        pairs.push(("part".to_owned(), part.text()));
    }
    let view = made.view.iter().filter(|(key, _)| !matches!(key.as_str(), "n" | "part id" | "rules"));
    pairs.extend(view.cloned());
    if let Some(line) = made.line {
        let event = EventRef { file: None, line, part: said("part id") };
        pairs.push(("e".to_owned(), event.text()));
    }
    if let Some(rules) = said("rules") {
        pairs.extend(packed(&rules).await.map(|rules| ("rules".to_owned(), rules)));
    }
    let fragment = write(pairs.iter().map(|(key, value)| (key.as_str(), value.as_str())));
    let mut notes = Vec::new();
    if made.texts_cut > 0 {
        notes.push(format!(
            "{}: their beginnings and ends stay.",
            count(made.texts_cut, "text is cut", "texts are cut")
        ));
    }
    if choice.view {
        if shared.route.event.is_some() && made.line.is_none() {
            notes.push("The selected event is not in this log: the link opens at its beginning.".to_owned());
        }
        let is_out = |key: &str| !made.view.iter().any(|(there, _)| there == key);
        if !shared.route.query.is_empty() && is_out("q") {
            notes.push("The search does not go along: it holds something that is masked.".to_owned());
        }
        if !shared.rules.trim().is_empty() && is_out("rules") {
            notes.push("The rules do not go along: they hold something that is masked.".to_owned());
        }
    }
    Outcome::Made { fragment: fragment.into(), notes }
}

/// What goes along, in words.
fn looked_at(route: &Route) -> String {
    let mut said = vec![route.tab.title().to_owned()];
    said.extend(route.event.as_ref().map(|event| format!("event on line {}", grouped(event.line))));
    said.extend((!route.chips.is_empty()).then(|| "filters".to_owned()));
    said.extend(
        (!route.query.is_empty()).then(|| format!("search “{}”", route.query.chars().take(40).collect::<String>())),
    );
    said.join(", ")
}

/// What stands in the link's place while there is none: as high as the link, so that nothing below it moves.
fn no_link(why: &'static str) -> Html {
    html! {
        <div class="share-result">
            <div class="share-link">
                <input class="field mono" type="text" disabled=true aria-label="The link" />
                <button type="button" class="copy" disabled=true><span class="copy-word">{ "Copy" }</span></button>
            </div>
            <p role="status" class="share-fit">{ why }</p>
        </div>
    }
}

/// The link, its length, and where it fits.
fn result(outcome: &Outcome, viewer: &str, again: &yew::UseStateHandle<u32>) -> Html {
    match outcome {
        Outcome::Making => no_link("Making the link …"),
        Outcome::NoPassword => no_link("Type a password below: then the link is made."),
        Outcome::TooLong => html! {
            <div class="share-result" role="status">
                <p><strong>{ "Too long for a link. " }</strong>
                { format!("It would have more than {} characters, which no browser takes. Leave something out below, or share it as a file or by a link to a hosted log.", grouped(LONGEST as u64)) }</p>
            </div>
        },
        Outcome::Failed(why) => {
            let again = again.clone();
            html! {
                <div class="share-result" role="alert">
                    <p class="arrival-why">{ icon("error") }<span>{ why.clone() }</span></p>
                    <button type="button" class="button small" onclick={move |_| again.set(*again + 1)}>{ "Try again" }</button>
                </div>
            }
        }
        Outcome::Made { .. } if !is_page(viewer) => no_link("Say below which page opens it: then there is a link."),
        Outcome::Made { fragment, notes } => {
            let link = format!("{}#{fragment}", viewer.split('#').next().unwrap_or_default());
            let fit = Fit::of(link.len());
            let advice = (fit == Fit::TooLong)
                .then_some("Leave something out below, or share it as a file or by a link to a hosted log.");
            html! {
                <div class="share-result">
                    <div class="share-link">
                        if link.len() <= SHOWN {
                            <input
                                id="share-link"
                                class="field mono"
                                type="text"
                                readonly=true
                                aria-label="The link"
                                value={link.clone()}
                                onfocus={|event: yew::FocusEvent| event.target_unchecked_into::<HtmlInputElement>().select()}
                            />
                        } else {
                            // Half a link would be one that does not open.
                            <p class="field">{ "Too long to be shown: copy it." }</p>
                        }
                        <Copy text={link.clone()} label="Copy the link" word="Copy" />
                    </div>
                    <p role="status" class="share-fit" data-fit={format!("{fit:?}")} data-length={link.len().to_string()}>
                        <strong>{ count(link.len() as u64, "character", "characters") }</strong>
                        { ": " }<span class={if fit == Fit::TooLong { "ink-warn" } else { "" }}>{ fit.words() }</span>{ ". " }
                        { advice }
                    </p>
                    { for notes.iter().map(|note| html! { <p class="muted">{ note.clone() }</p> }) }
                </div>
            }
        }
    }
}
