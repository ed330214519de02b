//! The link to a log that lies on some site.

use std::rc::Rc;

use web_sys::HtmlInputElement;
use yew::{Callback, Html, InputEvent, Properties, TargetCast, component, html, use_state_eq};

use super::Shared;
use super::logs::SaveLogs;
use crate::components::copy::Copy;
use crate::components::icon::icon;
use crate::dom;
use crate::dom::hosted::{Place, hosts, judge, raw_of};
use crate::engine::review::ReviewHead;
use crate::state::route::{EventRef, Route, Source};

/// What the link has to know.
#[derive(Debug, PartialEq, Properties)]
pub struct HostedProps {
    /// How the review stands.
    pub head: Rc<ReviewHead>,
    /// What is shared.
    pub shared: Rc<Shared>,
}

/// The link to a log that lies on some site.
#[component]
pub fn Hosted(props: &HostedProps) -> Html {
    let address = use_state_eq(String::new);
    let oninput = {
        let address = address.clone();
        Callback::from(move |event: InputEvent| {
            let text = event.target_unchecked_into::<HtmlInputElement>().value();
            address.set(raw_of(&text).unwrap_or(text));
        })
    };
    let text = address.trim();
    let judged = (!text.is_empty()).then(|| judge(text));
    let listed: Vec<&str> = hosts().collect();
    html! {
        <>
            <ol class="share-todo">
                <li>
                    <p>{ "Save the reviewed log, and put it where others can read it: beside this page on its site, in a gist, or in a public repository." }</p>
                    <SaveLogs head={props.head.clone()} />
                </li>
                <li>
                    <label class="field-label" for="share-address">{ "Address of the log" }</label>
                    <input id="share-address" class="field mono" type="url" autocomplete="off" spellcheck="false" placeholder="https://gist.githubusercontent.com/…/raw/run.jsonl" value={(*address).clone()} {oninput} />
                    <p class="muted">{ format!("On this page's own site (a relative address does), or on {}. Other hosts are refused.", listed.join(" or ")) }</p>
                </li>
            </ol>
            { match judged {
                None => Html::default(),
                Some(Err(why)) => html! { <p class="arrival-why share-result" role="alert">{ icon("error") }<span>{ why }</span></p> },
                Some(Ok(place)) => {
                    let link = link(text, &props.shared.route, props.head.files.len() > 1);
                    html! {
                        <div class="share-result">
                            <div class="share-link">
                                <input id="share-link" class="field mono" type="text" readonly=true aria-label="The link" value={link.clone()} />
                                <Copy text={link} label="Copy the link" word="Copy" />
                            </div>
                            <p class="muted">
                                { match place {
                                    Place::Here(_) => "Whoever opens it fetches the log at once, from the site of this page.".to_owned(),
                                    Place::Listed { host, .. } => format!("Whoever opens it is asked before the log is fetched from {host}."),
                                } }
                                { " The page cannot tell whether the log there is the reviewed one." }
                            </p>
                        </div>
                    }
                }
            } }
        </>
    }
}

fn link(address: &str, route: &Route, several: bool) -> String {
    let event = route.event.clone().map(|event| EventRef { file: None, ..event });
    let mut route = Route {
        source: Some(Source::Hosted(address.to_owned())),
        name: None,
        part: None,
        event: event.filter(|_| !several),
        // They may hold what is masked in the log.
        query: String::new(),
        ..route.clone()
    };
    route.rest.retain(|(key, _)| key != "rules");
    format!("{}#{}", dom::address::page(), route.text())
}
