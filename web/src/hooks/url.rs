//! Keeps the URL's fragment and the state the same.

use yew::{hook, use_effect_with, use_mut_ref};

use super::context::Dispatch;
use crate::dom;
use crate::dom::listen::listen;
use crate::state::State;
use crate::state::reducer::Action;
use crate::state::route::Route;

/// Writes the route into the URL, and hears when the browser's history moves.
///
/// Another tab or another event makes an entry in the history; filters and searches do not.
#[hook]
pub fn use_url(state: &State, dispatch: &Dispatch) {
    let written = use_mut_ref(|| state.route.clone());
    let is_held = state.is_held;
    use_effect_with(state.route.clone(), move |route| {
        let before = written.replace(route.clone());
        let text = route.text();
        if text == dom::address::fragment().trim_start_matches('#') {
            return;
        }
        let is_other_event = match (&before.event, &route.event) {
            (Some(before), Some(now)) => !before.is_same(now),
            (before, now) => before.is_some() != now.is_some(),
        };
        let is_entry = before.tab != route.tab || (is_other_event && !is_held);
        // A link that was followed says the same in other words: its entry is there.
        let said = Route { odd: Vec::new(), ..Route::parse(&dom::address::fragment()) };
        let is_said = said == Route { odd: Vec::new(), ..route.clone() };
        dom::address::write(&text, is_entry && !is_said);
    });

    let dispatch = dispatch.clone();
    use_effect_with((), move |()| {
        // A link to another fragment of this page gives a popstate too.
        let listener = dom::window().map(|window| {
            listen(&window, "popstate", move |_| {
                let route = Route::parse(&dom::address::fragment());
                dispatch.dispatch(Action::Navigate(Box::new(route)));
            })
        });
        move || drop(listener)
    });
}
