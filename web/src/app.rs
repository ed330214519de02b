//! The page's root: the state, what is tied to it, and which view it shows.

use yew::{ContextProvider, Html, component, html, use_effect_with, use_reducer};

use crate::components::header::Header;
use crate::components::help::Help;
use crate::components::icon::{icon, sprite};
use crate::components::messages::Messages;
use crate::components::paste::Paste;
use crate::components::progress::Progress;
use crate::dom;
use crate::engine::protocol::Phase;
use crate::hooks::context::Reach;
use crate::hooks::engine::use_engine;
use crate::hooks::keys::use_keys;
use crate::hooks::url::use_url;
use crate::hooks::window::use_window;
use crate::state::route::{Route, Tab};
use crate::state::{Dialog, Stage, State};
use crate::views::empty::Empty;
use crate::views::failed::Failed;
use crate::views::loaded::Loaded;

/// The whole page.
#[component(App)]
pub fn app() -> Html {
    let state = use_reducer(|| State::with_route(Route::parse(&dom::address::fragment())));
    let dispatch = state.dispatcher();
    let engine = use_engine(&state, &dispatch);
    use_url(&state, &dispatch);
    use_keys(&dispatch);
    let is_dragged = use_window(&dispatch);
    use_effect_with((state.stage.name(), state.title()), |(stage, title)| {
        dom::set_title(&match title.as_str() {
            "" => "Steplens".to_owned(),
            title => format!("{title} – Steplens"),
        });
        dom::set_state(stage);
    });

    let summary = state.summary.clone().filter(|_| state.has_rows());
    let reading = state.reading.clone().filter(|_| state.stage == Stage::Loading);
    let view = match (&state.stage, &summary) {
        (Stage::Loading | Stage::Ready, Some(summary)) => {
            html! { <Loaded state={(*state).clone()} summary={summary.clone()} /> }
        }
        (Stage::Empty, _) => {
            let route = Route { tab: Tab::default(), rest: Vec::new(), ..state.route.clone() };
            html! { <Empty awaited={route != Route::default()} /> }
        }
        (Stage::Failed(failure), _) => html! {
            <Failed
                failure={failure.clone()}
                title={state.title()}
                size={state.reading.as_ref().map_or(0, |reading| reading.size)}
                records={state.summary.as_ref().map_or(0, |summary| summary.records.total)}
            />
        },
        (Stage::Loading | Stage::Ready, None) => html! {
            <main class="reading"><p class="muted">{ format!("Reading {} …", state.title()) }</p></main>
        },
    };
    let dialog = state.dialog.map(|dialog| match dialog {
        Dialog::Help => html! { <Help /> },
        Dialog::Paste => html! { <Paste /> },
    });
    html! {
        <ContextProvider<Reach> context={Reach { dispatch, engine }}>
            { sprite() }
            <Header
                title={state.title()}
                {summary}
                dialect={state.route.dialect}
                session={state.route.chips.session.clone()}
            />
            { view }
            { dialog }
            if let Some(reading) = reading.filter(|reading| reading.phase == Phase::Reading) {
                <Progress {reading} />
            }
            <Messages message={state.message.clone()} />
            if is_dragged {
                <div class="drop-veil" aria-hidden="true">
                    <p>{ icon("drop") }{ "Drop to open" }</p>
                </div>
            }
        </ContextProvider<Reach>>
    }
}
