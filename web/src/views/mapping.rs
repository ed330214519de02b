//! The mapping tab: coverage, what became unknown and why, the rules by use, and the lab.

mod changes;
mod coverage;
mod editor;
mod lines;
mod rules;
mod unknowns;

use steplens_core::mapping::Mapping as Known;
use yew::{Callback, Html, Properties, component, html, use_effect_with, use_state};

use crate::dom;
use crate::engine::protocol::{Answer, Ask};
use crate::hooks::context::{Act, use_act, use_reach};
use crate::state::lab::{Lab, LabAction};
use crate::state::reducer::Action;
use crate::state::route::Route;
use crate::state::shared::Shared;
use crate::state::{Slot, State};
use crate::text::number::count;
use crate::text::visible::text as visible;
pub use editor::Editor;
pub use lines::Lines;

/// What the tab shows.
#[derive(Debug, PartialEq, Properties)]
pub struct MappingProps {
    /// The opening.
    pub opening: u32,
    /// Counts up when all was read or mapped again.
    pub epoch: u32,
    /// The lab.
    pub lab: Lab,
    /// What the URL holds, for a link.
    pub route: Route,
    /// Names of the open files, in the order of the summary.
    pub files: Vec<String>,
    /// What is known of the selected event.
    pub detail: Slot,
}

/// The mapping tab.
#[component]
pub fn Mapping(props: &MappingProps) -> Html {
    let act = use_act();
    let reach = use_reach();
    let engine = reach.as_ref().and_then(|reach| reach.engine.clone());
    let known = use_state(|| None::<Shared<Known>>);
    {
        let set = known.setter();
        use_effect_with((props.opening, props.epoch), move |_| {
            if let Some(engine) = reach.and_then(|reach| reach.engine) {
                let then = move |answer| {
                    if let Answer::Mapping(mapping) = answer {
                        set.set(Some(Shared::new(*mapping)));
                    }
                };
                engine.0.ask(Ask::Mapping, Box::new(then));
            }
        });
    }
    let try_line = {
        let act = act.clone();
        Callback::from(move |(file, line): (u32, u64)| {
            let Some(engine) = &engine else { return };
            let act = act.clone();
            let then = move |answer| {
                if let Answer::Line(Some(text)) = answer {
                    act.now(Action::Lab(LabAction::Lines(text.into())));
                    dom::show("#lab-lines");
                }
            };
            engine.0.ask(Ask::Line(file, line), Box::new(then));
        })
    };
    let lab = &props.lab;
    html! {
        <div id="panel-mapping" class="page mapping" role="tabpanel" aria-labelledby="tab-mapping">
            <div class="mapping-main">
                if let Some(mapping) = known.as_ref() {
                    { coverage::coverage(mapping) }
                    { unknowns::unknowns(mapping, &props.files, &act, &try_line) }
                    { rules::rules(mapping, lab.rule.as_deref()) }
                    { rules::drift(mapping, &act) }
                } else {
                    <p class="pad muted" aria-live="polite">{ "Counting …" }</p>
                }
            </div>
            <div class="mapping-lab">
                <Editor lab={lab.clone()} route={props.route.clone()} has_log=true />
                <Lines lab={lab.clone()} route={props.route.clone()} detail={props.detail.clone()} />
            </div>
        </div>
    }
}

/// What the lab without a log is made of.
#[derive(Debug, PartialEq, Properties)]
pub struct LabAloneProps {
    /// The lab.
    pub lab: Lab,
    /// What the URL holds.
    pub route: Route,
}

/// The lab where no log is open: lines that are mapped alone, and rules. It is made once it is opened.
#[component]
pub fn LabAlone(props: &LabAloneProps) -> Html {
    let is_open = use_state(|| !props.lab.text.is_empty());
    let onclick = {
        let is_open = is_open.clone();
        move |_| is_open.set(!*is_open)
    };
    let name = props.lab.name().map(|name| visible(&name).into_owned());
    {
        // Rules that come, of a file or a link, are shown.
        let is_open = is_open.setter();
        use_effect_with(name.is_some(), move |is_there| {
            if *is_there {
                is_open.set(true);
            }
        });
    }
    let laid = name.map(|name| match &props.lab.fault {
        Some(_) => {
            html! { <b class="ink-bad">{ format!("Your rules ({name}) cannot be used, see below.") }</b> }
        }
        None => html! { <b>{ format!("Your rules ({name}) will be laid over the log that you open.") }</b> },
    });
    html! {
        <section class="lab-alone" aria-label="Mapping lab">
            <button type="button" class="button small" aria-expanded={is_open.to_string()} {onclick}>{ "Mapping lab" }</button>
            if let Some(laid) = laid {
                <span role="status">{ laid }</span>
            } else {
                <span class="muted">{ "Map a line alone, and write rules for it." }</span>
            }
            if *is_open {
                <Lines lab={props.lab.clone()} route={props.route.clone()} detail={Slot::Waiting} />
                <Editor lab={props.lab.clone()} route={props.route.clone()} has_log=false />
            }
        </section>
    }
}

/// Above a list that shows only what the rules changed.
pub fn changed_bar(state: &State, act: &Act) -> Html {
    if !state.lab.only_changed {
        return Html::default();
    }
    html! {
        <p class="changed-bar" role="status">
            { format!("Only {} that your rules changed.", count(state.list.events, "event", "events")) }
            { " " }
            <button type="button" class="button small" onclick={act.on(|_| Action::Lab(LabAction::OnlyChanged(false)))}>
                { "Show all" }
            </button>
        </p>
    }
}
