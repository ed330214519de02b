//! The page's root.

use yew::{AttrValue, Html, function_component, html, use_effect_with, use_state};

use crate::engine::client::Client;
use crate::engine::protocol::{BUILD_ID, FromWorker};

/// The whole page: for now the state of its worker.
#[function_component(App)]
pub fn app() -> Html {
    let status = use_state(|| AttrValue::from("Starting the reader …"));
    let set = status.setter();
    use_effect_with((), move |()| {
        let heard = set.clone();
        let client = Client::start(move |message| heard.set(describe(message).into()));
        if let Err(error) = &client {
            set.set(format!("The reader could not start: {error:?}").into());
        }
        move || drop(client)
    });
    html! {
        <main>
            <h1>{ "Steplens" }</h1>
            <p role="status">{ (*status).clone() }</p>
        </main>
    }
}

fn describe(message: Result<FromWorker, String>) -> String {
    match message {
        Ok(FromWorker::Ready { build }) if build == BUILD_ID => format!("Ready, build {build}."),
        Ok(FromWorker::Ready { build }) => {
            format!("The page is of build {BUILD_ID}, its reader of {build}: reload the page.")
        }
        Ok(FromWorker::Panicked { message }) => format!("The reader stopped: {message}"),
        Err(reason) => format!("The reader is lost: {reason}"),
    }
}
