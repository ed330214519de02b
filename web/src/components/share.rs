//! The dialog in which a run is shared: first what is in it that should not leave, then the ways.

pub mod findings;
pub mod folder;
pub mod hosted;
pub mod kinds;
pub mod link;
pub mod logs;
pub mod page;
pub mod preview;
pub mod review;
pub mod ways;

use std::rc::Rc;

use yew::{Html, Properties, component, html, use_effect_with, use_mut_ref, use_state_eq};

use super::dialog::Dialog;
use crate::dom;
use crate::engine::review::ReviewPhase;
use crate::hooks::context::use_act;
use crate::hooks::review::use_review;
use crate::state::State;
use crate::state::reducer::Action;
use crate::state::route::Route;

/// What is shared, and how it is looked at.
#[derive(Debug, Clone, PartialEq)]
pub struct Shared {
    /// What the URL holds.
    pub route: Route,
    /// The rules that are laid over the built-in ones.
    pub rules: Rc<str>,
    /// Events that the timeline shows, and all of them.
    pub events: (u64, u64),
    /// Counts openings.
    pub opening: u32,
}

impl Shared {
    /// Of the page as it stands.
    pub fn of(state: &State) -> Shared {
        let all = state.summary.as_ref().map_or(0, |summary| summary.events.values().sum());
        Shared {
            route: state.route.clone(),
            rules: state.lab.text.clone(),
            events: (state.list.events, all),
            opening: state.opening,
        }
    }
}

/// What the dialog has to know.
#[derive(Debug, PartialEq, Properties)]
pub struct ShareProps {
    /// What is shared.
    pub shared: Rc<Shared>,
}

/// The dialog in which a run is shared.
#[component]
pub fn Share(props: &ShareProps) -> Html {
    let act = use_act();
    let (head, ask) = use_review();
    let is_reviewed = use_state_eq(|| false);
    let is_done = head.phase == ReviewPhase::Done;
    let to = |reviewed: bool| {
        let is_reviewed = is_reviewed.clone();
        move |_| is_reviewed.set(reviewed)
    };
    let on_ways = *is_reviewed && is_done;
    {
        // What was pressed to get here is gone: the keyboard goes on from the step's own head.
        let was = use_mut_ref(|| false);
        use_effect_with(on_ways, move |on_ways| {
            if was.replace(*on_ways) != *on_ways {
                dom::focus(".share-step[aria-current]");
            }
        });
    }
    let current = |here: bool| here.then_some("step");
    html! {
        <Dialog title="Share this run" class="sharing" close={act.on(|()| Action::Dialog(None))}>
            <ol class="share-steps">
                <li>
                    <button type="button" class="share-step" aria-current={current(!on_ways)} onclick={to(false)}>
                        { "1 Review" }
                    </button>
                </li>
                <li>
                    <button type="button" class="share-step" aria-current={current(on_ways)} disabled={!is_done} onclick={to(true)}>
                        { "2 Share" }
                    </button>
                </li>
            </ol>
            if on_ways {
                <ways::Ways head={head.clone()} shared={props.shared.clone()} />
            } else {
                <review::Review head={head.clone()} {ask} opening={props.shared.opening} go_on={to(true)} />
            }
        </Dialog>
    }
}
