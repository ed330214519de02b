//! Brings in the log of a link: unpacks it, or fetches it.

use wasm_bindgen_futures::spawn_local;
use yew::{hook, use_effect_with, use_mut_ref};

use super::context::Dispatch;
use crate::dom;
use crate::dom::hosted::Fetch;
use crate::link;
use crate::state::State;
use crate::state::arrival::{LinkAction, Step};
use crate::state::reducer::Action;
use steplens_core::share::LinkError;

/// How often at most it is said how far a fetch is.
const BETWEEN_MS: f64 = 100.0;

/// What is to be done.
#[derive(Debug, Clone, PartialEq)]
enum Task {
    Unpack(u32, std::rc::Rc<str>, Option<String>),
    Fetch(u32, String),
}

/// Does what the log that arrives needs.
#[hook]
pub fn use_arrival(state: &State, dispatch: &Dispatch) {
    let task = state.arrival.as_ref().and_then(|arrival| match &arrival.step {
        Step::Unpacking(log, password) => Some(Task::Unpack(arrival.number, log.clone(), password.clone())),
        Step::Fetching { url, .. } => Some(Task::Fetch(arrival.number, url.clone())),
        Step::Password { .. } | Step::Ask { .. } | Step::Failed(_) => None,
    });
    let fetch = use_mut_ref(|| None::<Fetch>);
    let dispatch = dispatch.clone();
    use_effect_with(task, move |task| {
        // One that is under way is no longer wanted.
        fetch.replace(None);
        match task.clone() {
            None => {}
            Some(Task::Unpack(number, log, password)) => {
                spawn_local(async move {
                    let blob = match &password {
                        Some(password) => link::unseal(&log, password).await,
                        None => link::unpack(&log).await,
                    };
                    say(
                        &dispatch,
                        match blob {
                            Ok(blob) => LinkAction::Arrived(number, dom::files::open_file(String::new(), blob)),
                            Err(error) => {
                                let is_password = error == LinkError::Password;
                                LinkAction::Failed(number, error.sentence(), is_password)
                            }
                        },
                    );
                });
            }
            Some(Task::Fetch(number, url)) => {
                let new = Fetch::new();
                let signal = new.signal();
                fetch.replace(Some(new));
                spawn_local(async move {
                    let said = std::cell::Cell::new(0.0);
                    let got = |bytes, size| {
                        let now = js_sys::Date::now();
                        if now - said.get() >= BETWEEN_MS {
                            said.set(now);
                            say(&dispatch, LinkAction::Got(number, bytes, size));
                        }
                    };
                    let blob = dom::hosted::fetch(&url, signal, got).await;
                    say(
                        &dispatch,
                        match blob {
                            Ok(blob) => LinkAction::Arrived(number, dom::files::open_file(String::new(), blob)),
                            Err(why) => LinkAction::Failed(number, why, false),
                        },
                    );
                });
            }
        }
    });
}

fn say(dispatch: &Dispatch, action: LinkAction) {
    dispatch.dispatch(Action::Link(action));
}
