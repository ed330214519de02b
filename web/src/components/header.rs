//! The bar at the top: what is open, how it is read, how it ended.

use steplens_core::run::DialectChoice;
use steplens_core::summary::Summary;
use yew::{AttrValue, Html, Properties, component, html};

use super::bar_menu::bar_menu;
use super::connect::TITLE;
use super::dialect::dialect;
use super::export_menu::ExportMenu;
use super::files::files;
use super::icon::{icon, mark};
use super::live::{Live, LiveProps};
use super::pick::Pick;
use super::session_tree::sessions;
use super::verdict::verdict;
use crate::dom;
use crate::hooks::context::{Act, use_act};
use crate::state::Dialog;
use crate::state::reducer::Action;
use crate::state::route::Tab;
use crate::state::shared::Shared;
use crate::text::visible::text as visible;

/// What the header shows.
#[derive(Debug, PartialEq, Properties)]
pub struct HeaderProps {
    /// What the files are called together.
    pub title: AttrValue,
    /// The summary; none on the empty page.
    pub summary: Option<Shared<Summary>>,
    /// The dialect that was chosen.
    pub dialect: DialectChoice,
    /// The extension rules are behind the tool tables.
    pub extensions: bool,
    /// The user's rules: their name, whether they are broken, and whether they stand alone; none where there are none.
    pub rules: Option<(AttrValue, bool, bool)>,
    /// The session that was chosen.
    pub session: Option<String>,
    /// What Follow and Reload have to know.
    pub live: LiveProps,
    /// A running agent is watched, and the connection is open.
    pub is_live: bool,
    /// The logs are being read.
    pub is_reading: bool,
}

/// The bar at the top.
#[component]
pub fn Header(props: &HeaderProps) -> Html {
    let act = use_act();
    let is_loaded = props.summary.is_some();
    let named = props.summary.iter().flat_map(|summary| &summary.files);
    let logs: Vec<AttrValue> = named.map(|file| file.name.clone().into()).collect();
    let chips = props.summary.as_ref().map(|summary| {
        html! {
            <>
                { files(&props.title, summary) }
                <span class={if summary.sessions.len() > 1 { "bar-chips has-sessions" } else { "bar-chips" }}>
                    if !props.rules.as_ref().is_some_and(|(.., alone)| *alone) {
                        { dialect(summary, props.dialect, props.extensions, &act) }
                    }
                    { props.rules.as_ref().map(|rules| rules_chip(rules, &act)).unwrap_or_default() }
                    { if props.is_reading { reading_chip() } else { verdict(summary, props.is_live) } }
                    { sessions(summary, props.session.as_deref(), props.is_live) }
                </span>
            </>
        }
    });
    html! {
        <header class={if is_loaded { "bar is-loaded" } else { "bar" }}>
            <h1 class="brand">{ mark() }<span>{ "Steplens" }</span></h1>
            { chips.unwrap_or_default() }
            <span class="bar-tools">
                if is_loaded {
                    <Live ..props.live.clone() />
                    <Pick class="wide-only yields" word={"Open"} />
                    <Pick class="wide-only yields" word={"Add"} adds=true />
                    if cfg!(not(feature = "inpage")) {
                        <button type="button" class="button square wide-only" aria-label={TITLE} title={TITLE} onclick={act.on(|_| Action::Dialog(Some(Dialog::Connect)))}>
                            { icon("live") }
                        </button>
                    }
                    <button type="button" class="button" aria-label="Share" title="Share this run (s)" onclick={act.on(|_| Action::Dialog(Some(Dialog::Share)))}>
                        { icon("share") }
                        <span>{ "Share" }</span>
                    </button>
                    <ExportMenu files={logs} />
                }
                <button
                    type="button"
                    class="button square wide-only"
                    aria-label="Light or dark"
                    title="Light or dark (t)"
                    onclick={|_| dom::theme::toggle()}
                >
                    { icon("theme") }
                </button>
                <button
                    type="button"
                    class="button square wide-only"
                    aria-label="Keys"
                    title="Keys (?)"
                    onclick={act.on(|_| Action::Dialog(Some(Dialog::Help)))}
                >
                    { icon("help") }
                </button>
                if is_loaded {
                    { bar_menu(&act) }
                }
            </span>
        </header>
    }
}

/// In the verdict's place while a log is read: what was read so far tells no end.
fn reading_chip() -> Html {
    html! { <span class="chip" data-verdict="reading"><span class="chip-word">{ "Reading …" }</span></span> }
}

/// That the user's rules are laid over, wherever one looks.
fn rules_chip((name, is_broken, _): &(AttrValue, bool, bool), act: &Act) -> Html {
    let title = match *is_broken {
        true => format!("Your rules ({name}) cannot be used: see the Mapping tab"),
        false => format!("Your rules ({name}) are applied to this log"),
    };
    html! {
        <button type="button" class="chip" data-rules="" {title} onclick={act.on(|_| Action::Tab(Tab::Mapping))}>
            <span class="chip-rules">
                <span class="muted">{ "rules" }</span><span class="rules-name"><span class="muted">{ ": " }</span>{ visible(name).into_owned() }</span>
            </span>
            if *is_broken { <span class="ink-bad">{ " broken" }</span> }
        </button>
    }
}
