//! The page's root: the state, what is tied to it, and which view it shows.

use std::rc::Rc;

use yew::{Callback, ContextProvider, Html, component, html, use_effect_with, use_memo, use_reducer};

use crate::components::arrival::arrival;
use crate::components::connect::connect;
use crate::components::drop_veil::drop_veil;
use crate::components::header::Header;
use crate::components::help::help;
use crate::components::icon::sprite;
use crate::components::leave::leave;
use crate::components::live::LiveProps;
use crate::components::live_cards::waiting;
use crate::components::messages::Messages;
use crate::components::paste::paste;
use crate::components::progress::{looking, progress};
use crate::components::refused::refused;
use crate::components::renewal::Renewal;
use crate::components::share::{Share, Shared};
use crate::dom;
use crate::engine::protocol::Phase;
use crate::hooks::arrival::use_arrival;
use crate::hooks::context::{Act, Reach};
use crate::hooks::engine::use_engine;
use crate::hooks::follow::use_follow;
use crate::hooks::keys::use_keys;
use crate::hooks::lab::use_lab;
use crate::hooks::launch::use_launch;
use crate::hooks::live::{Watcher, use_live};
use crate::hooks::tail::use_tail;
use crate::hooks::url::use_url;
use crate::hooks::window::use_window;
use crate::state::route::{Route, Tab};
use crate::state::{Dialog, Stage, State};
use crate::views::empty::empty;
use crate::views::failed::failed;
use crate::views::loaded::{Memories, loaded};

/// The whole page.
#[component(App)]
pub fn app() -> Html {
    let state = use_reducer(|| State::with_route(Route::parse(&dom::address::fragment())));
    let dispatch = state.dispatcher();
    dom::clock::set_utc(state.route.utc);
    let engine = use_engine(&state, &dispatch);
    use_url(&state, &dispatch);
    use_arrival(&state, &dispatch);
    use_lab(&state, &dispatch, engine.as_ref());
    use_follow(&state, &dispatch, engine.as_ref());
    let watcher = use_live(&state, &dispatch, engine.as_ref());
    use_tail(&state, &dispatch, engine.as_ref());
    use_keys(&dispatch);
    let dragged = use_window(&dispatch);
    use_launch(&dispatch);
    let is_coming = state.pending.is_some() || state.arrival.as_ref().is_some_and(|arrival| arrival.is_busy());
    let stage = if is_coming { Stage::Loading.name() } else { state.stage.name() };
    let asks = state.summary.as_ref().map(|summary| summary.asks.as_slice()).unwrap_or_default();
    let open = state.live.as_ref().filter(|live| !live.is_over()).map_or(0, |live| waiting(asks, live));
    use_effect_with((stage, state.title(), open), |(stage, title, open)| {
        dom::set_title(&match (title.as_str(), open) {
            ("", _) => "Steplens".to_owned(),
            (title, 0) => format!("{title} – Steplens"),
            // Seen in the row of tabs, from another one.
            (title, open) => format!("({open}) {title} – Steplens"),
        });
        dom::set_state(stage);
    });

    let memories = use_memo((), |()| Memories::default());
    let act = Act::of(dispatch.clone());
    let cancel = {
        let engine = engine.clone();
        Callback::from(move |_| {
            if let Some(engine) = &engine {
                engine.0.cancel();
            }
        })
    };

    let cancel_looking = cancel.clone();

    let summary = state.summary.clone().filter(|_| state.has_rows());
    let reading = state.reading.clone().filter(|_| state.stage == Stage::Loading);
    let view = match (&state.stage, &summary) {
        (Stage::Loading | Stage::Ready, Some(summary)) => loaded(&state, summary, &memories, &act),
        (Stage::Empty, _) => {
            let route = Route {
                tab: Tab::default(),
                rest: Vec::new(),
                odd: Vec::new(),
                utc: false,
                extensions: false,
                source: None,
                name: None,
                live: None,
                ..state.route.clone()
            };
            empty(route != Route::default(), &state, &act)
        }
        (Stage::Failed(failure), _) => failed(failure, &state, &act),
        (Stage::Loading | Stage::Ready, None) => html! {
            <main class="reading"><p class="muted">{ format!("Reading {} …", state.title()) }</p></main>
        },
    };
    let is_loaded = state.has_rows();
    let dialog = state.dialog.map(|dialog| match dialog {
        Dialog::Help => help(&act, if state.has_rows() { state.tabs().len() } else { 0 }),
        Dialog::Paste => paste(&act),
        Dialog::Connect => connect(&state),
        Dialog::Share if is_loaded => html! { <Share shared={Rc::new(Shared::of(&state))} /> },
        Dialog::Share => Html::default(),
        Dialog::Leave => leave(&state, &act),
        Dialog::Refused => state.refused.as_ref().map(|what| refused(what, &act)).unwrap_or_default(),
    });
    html! {
        <ContextProvider<Reach> context={Reach { dispatch, engine, utc: state.route.utc, prices: state.prices.clone() }}>
            <ContextProvider<Watcher> context={watcher}>
            { sprite() }
            <Header
                title={state.title()}
                {summary}
                dialect={state.route.dialect}
                extensions={state.route.extensions}
                rules={state.lab.name().map(|name| (name.into(), state.lab.fault.is_some(), state.lab.stands_alone()))}
                session={state.route.chips.session.clone()}
                live={LiveProps::of(&state)}
                is_live={state.is_live()}
                is_reading={state.stage == Stage::Loading}
            />
            { view }
            { dialog.unwrap_or_default() }
            if let Some(reading) = reading.filter(|reading| reading.phase == Phase::Reading) {
                { progress(&reading, cancel) }
            }
            if let Some(link) = &state.arrival {
                { arrival(link, &act) }
            }
            if state.pending.is_some() {
                { looking(cancel_looking) }
            }
            <Messages message={state.message.clone()} />
            <Renewal is_loaded={is_loaded} />
            if let Some(over) = dragged {
                { drop_veil(over, is_loaded) }
            }
            </ContextProvider<Watcher>>
        </ContextProvider<Reach>>
    }
}
