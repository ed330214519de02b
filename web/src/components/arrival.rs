//! What is seen of a log that a link brings, until it is open.

use web_sys::HtmlInputElement;
use yew::{Callback, Html, Properties, SubmitEvent, component, html, use_node_ref};

use super::dialog::Dialog;
use super::icon::icon;
use crate::hooks::context::{Act, use_act};
use crate::state::arrival::{Arrival, LinkAction, Step};
use crate::state::reducer::Action;
use crate::state::route::Source;
use crate::text::number::{bytes, percent};

/// What is seen of a log that a link brings.
pub fn arrival(arrival: &Arrival, act: &Act) -> Html {
    let leave = act.on(|()| Action::Link(LinkAction::Leave));
    let fetch = act.on(|_| Action::Link(LinkAction::Fetch));
    match &arrival.step {
        // The dialog stays while the key is made: it takes a second or more.
        Step::Unpacking(_, Some(_)) => html! { <Password wrong={None::<String>} is_busy=true close={leave} /> },
        Step::Unpacking(..) => coming("Unpacking the run of the link …", None, &leave),
        Step::Fetching { got, size, .. } => {
            let of = size.map(|size| (*got, size));
            let word = match of {
                Some((got, size)) => format!("Fetching: {} of {} · {}", bytes(got), bytes(size), percent(got, size)),
                None => format!("Fetching: {}", bytes(*got)),
            };
            coming(&word, of, &leave)
        }
        Step::Password { wrong } => html! { <Password wrong={wrong.clone()} is_busy=false close={leave} /> },
        Step::Ask { url, host } => html! {
            <Dialog title={format!("Fetch a log from {host}?")} close={leave.clone()}>
                <p>{ "This link names a log at another address:" }</p>
                <p class="mono break arrival-url">{ url.clone() }</p>
                <p class="muted">
                    { format!("{host} will see your network address and which log you ask for. Nothing else is sent, and nothing but this file is fetched.") }
                </p>
                <footer class="dialog-foot">
                    <button type="button" class="button" onclick={leave.reform(|_| ())}>{ "Do not fetch it" }</button>
                    <button type="button" class="button primary" onclick={fetch}>{ "Fetch it" }</button>
                </footer>
            </Dialog>
        },
        Step::Failed(why) => {
            let is_hosted =
                matches!(&arrival.route.source, Some(Source::Hosted(url)) if crate::dom::hosted::judge(url).is_ok());
            html! {
                <Dialog title="This link cannot be opened" close={leave.clone()}>
                    <p class="arrival-why" role="alert">{ icon("error") }<span>{ why.clone() }</span></p>
                    <footer class="dialog-foot">
                        if is_hosted {
                            <button type="button" class="button" onclick={fetch}>{ "Try again" }</button>
                        }
                        <button type="button" class="button primary" onclick={leave.reform(|_| ())}>{ "Close" }</button>
                    </footer>
                </Dialog>
            }
        }
    }
}

fn coming(word: &str, of: Option<(u64, u64)>, leave: &Callback<()>) -> Html {
    let value = of.map(|(got, size)| format!("{:.4}", got as f64 / size.max(1) as f64));
    html! {
        <div class="progress progress-looking">
            <progress aria-label="Opening the link" max="1" {value} />
            <span class="progress-text">{ word.to_owned() }</span>
            <button type="button" class="button small" onclick={leave.reform(|_| ())}>{ "Cancel" }</button>
        </div>
    }
}

#[derive(Debug, PartialEq, Properties)]
struct PasswordProps {
    wrong: Option<String>,
    /// The link is being opened with what was typed.
    is_busy: bool,
    close: Callback<()>,
}

/// The dialog that asks for the password of a link.
#[component]
fn Password(props: &PasswordProps) -> Html {
    let act = use_act();
    let input = use_node_ref();
    let onsubmit = {
        let input = input.clone();
        Callback::from(move |event: SubmitEvent| {
            event.prevent_default();
            let password = input.cast::<HtmlInputElement>().map(|input| input.value()).unwrap_or_default();
            if !password.is_empty() {
                act.now(Action::Link(LinkAction::Password(password)));
            }
        })
    };
    let described = props.wrong.is_some().then_some("arrival-wrong");
    html! {
        <Dialog title="This run is sealed with a password" close={props.close.clone()}>
            <form {onsubmit}>
                <p>{ "Ask whoever made the link for its password. What you type is used in this tab only and kept nowhere." }</p>
                <label class="field-label" for="arrival-password">{ "Password" }</label>
                <input
                    ref={input}
                    id="arrival-password"
                    class="field"
                    type="password"
                    autocomplete="off"
                    autofocus=true
                    aria-describedby={described}
                    aria-invalid={props.wrong.is_some().then_some("true")}
                />
                if let Some(wrong) = &props.wrong {
                    <p id="arrival-wrong" class="arrival-why" role="alert">{ icon("error") }<span>{ wrong.clone() }</span></p>
                }
                <footer class="dialog-foot">
                    <button type="button" class="button" onclick={props.close.reform(|_| ())}>{ "Cancel" }</button>
                    <button type="submit" class="button primary" disabled={props.is_busy}>{ if props.is_busy { "Opening …" } else { "Open" } }</button>
                </footer>
            </form>
        </Dialog>
    }
}
