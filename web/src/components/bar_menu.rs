//! What the bar at the top has no room for on a narrow page, folded into one button.

use yew::{Html, html};

use super::connect::TITLE;
use super::icon::icon;
use super::popover::Popover;
use crate::dom;
use crate::hooks::context::Act;
use crate::state::Dialog;
use crate::state::reducer::Action;

/// The button and its menu; the style sheet shows it where the bar hides those buttons.
pub fn bar_menu(act: &Act) -> Html {
    let choose = |adds: bool| {
        let act = act.clone();
        move |_| {
            let act = act.clone();
            dom::files::choose(move |files| act.now(if adds { Action::Add(files) } else { Action::Open(files) }));
        }
    };
    let item = |shape: &str, word: &'static str, onclick: yew::Callback<yew::MouseEvent>| {
        html! {
            <li>
                <button type="button" class="bar-item" data-leads="" {onclick}>{ icon(shape) }<span>{ word }</span></button>
            </li>
        }
    };
    html! {
        <span class="bar-fold">
            <Popover face={icon("more")} name="More" label="More" class="button square" title="More">
                <ul class="plain">
                    { item("open", "Open files", choose(false).into()) }
                    { item("add", "Add files", choose(true).into()) }
                    if cfg!(not(feature = "inpage")) {
                        { item("live", TITLE, act.on(|_| Action::Dialog(Some(Dialog::Connect)))) }
                    }
                    { item("theme", "Light or dark", yew::Callback::from(|_| dom::theme::toggle())) }
                    { item("help", "Keys", act.on(|_| Action::Dialog(Some(Dialog::Help)))) }
                </ul>
            </Popover>
        </span>
    }
}
