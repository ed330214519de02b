//! The bar at the top: what is open, how it is read, how it ended.

use steplens_core::run::DialectChoice;
use steplens_core::summary::{SessionSummary, Summary};
use web_sys::HtmlSelectElement;
use yew::{AttrValue, Callback, Html, Properties, TargetCast, classes, component, html};

use super::icon::{icon, mark};
use super::mini::verdict_word;
use super::pick::Pick;
use super::popover::Popover;
use crate::dom;
use crate::hooks::context::use_act;
use crate::state::reducer::Action;
use crate::state::route::key;
use crate::state::shared::Shared;
use crate::state::Dialog;
use crate::text::number::{bytes, count, grouped};

/// What the header shows.
#[derive(Debug, PartialEq, Properties)]
pub struct HeaderProps {
    /// What the files are called together.
    pub title: AttrValue,
    /// The summary; none on the empty page.
    pub summary: Option<Shared<Summary>>,
    /// The dialect that was chosen.
    pub dialect: DialectChoice,
    /// The session that was chosen.
    pub session: Option<String>,
}

/// The bar at the top.
#[component]
pub fn Header(props: &HeaderProps) -> Html {
    let act = use_act();
    let loaded = props.summary.as_ref().map(|summary| {
        html! {
            <>
                <Files title={props.title.clone()} summary={summary.clone()} />
                <Dialect summary={summary.clone()} chosen={props.dialect} />
                <Verdict summary={summary.clone()} />
                if summary.sessions.len() > 1 {
                    <Sessions summary={summary.clone()} chosen={props.session.clone()} />
                }
            </>
        }
    });
    let is_loaded = loaded.is_some();
    html! {
        <header class="bar">
            <h1 class="brand">{ mark() }<span>{ "Steplens" }</span></h1>
            { loaded }
            <span class="grow" />
            if is_loaded {
                <Pick class="square-if-narrow" word={"Open"} />
            }
            <button
                type="button"
                class="button square"
                aria-label="Light or dark"
                title="Light or dark (t)"
                onclick={|_| dom::theme::toggle()}
            >
                { icon("theme") }
            </button>
            <button
                type="button"
                class="button square"
                aria-label="Keys"
                title="Keys (?)"
                onclick={act.on(|_| Action::Dialog(Some(Dialog::Help)))}
            >
                { icon("help") }
            </button>
        </header>
    }
}

#[derive(Debug, PartialEq, Properties)]
struct FilesProps {
    title: AttrValue,
    summary: Shared<Summary>,
}

/// The files that are open.
#[component]
fn Files(props: &FilesProps) -> Html {
    let files = &props.summary.files;
    let size: u64 = files.iter().map(|file| file.bytes).sum();
    let lines: u64 = files.iter().map(|file| file.lines).sum();
    let face = html! {
        <>
            <strong class="file-name">{ props.title.clone() }</strong>
            <span class="muted file-size">
                { format!("{} · {}", bytes(size), count(lines, "line", "lines")) }
            </span>
            { icon("down") }
        </>
    };
    let records = props.summary.records;
    let each = files.iter().map(|file| {
        let format = match file.format.as_deref() {
            Some("step-stream") => "run stream".to_owned(),
            Some(format) => format.to_owned(),
            None => "nothing recognised".to_owned(),
        };
        html! {
            <li>
                <strong class="break">{ file.name.clone() }</strong>
                <p class="muted">
                    { format!("{} bytes · {} · {} · {}", grouped(file.bytes), count(file.lines, "line", "lines"), file.encoding, format) }
                </p>
            </li>
        }
    });
    html! {
        <Popover {face} label="Files" class="file" title={props.title.clone()}>
            <h2>{ "Open" }</h2>
            <ul class="plain">{ for each }</ul>
            <h2>{ "Where every record went" }</h2>
            <table class="facts-table">
                <tbody>
                    { fact("gave events", records.mapped) }
                    { fact("steps and todo lists", records.consumed) }
                    { fact("kept as unknown", records.unknown) }
                    { fact("repeats", records.duplicates) }
                    { fact("records", records.total) }
                </tbody>
            </table>
        </Popover>
    }
}

fn fact(what: &'static str, n: u64) -> Html {
    html! { <tr><th scope="row">{ what }</th><td>{ grouped(n) }</td></tr> }
}

#[derive(Debug, PartialEq, Properties)]
struct DialectProps {
    summary: Shared<Summary>,
    chosen: DialectChoice,
}

/// The dialect, what tells it, and the switch.
#[component]
fn Dialect(props: &DialectProps) -> Html {
    let act = use_act();
    let name = dialect_name(&props.summary.dialect);
    let marks = props.summary.dialect_evidence.len() as u64;
    let small = match (props.chosen, marks) {
        (DialectChoice::Kilo | DialectChoice::OpenCode, _) => "chosen".to_owned(),
        (DialectChoice::Auto, 0) => "no mark".to_owned(),
        (DialectChoice::Auto, marks) => count(marks, "mark", "marks"),
    };
    let face = html! {
        <>{ name }<span class="muted chip-note">{ small }</span>{ icon("down") }</>
    };
    let evidence = props.summary.dialect_evidence.iter().map(|mark| html! { <li>{ mark.clone() }</li> });
    let choices = [
        (DialectChoice::Auto, "By evidence"),
        (DialectChoice::Kilo, "Kilo"),
        (DialectChoice::OpenCode, "OpenCode"),
    ];
    let choices = choices.map(|(choice, word)| {
        let onchange: Callback<yew::Event> = act.on(move |_| Action::Dialect(choice));
        html! {
            <label class="choice">
                <input type="radio" name="dialect" checked={choice == props.chosen} {onchange} />
                { word }
            </label>
        }
    });
    html! {
        <Popover {face} label="Dialect" class="chip" title="Which harness wrote this log">
            <h2>{ "Read by the tool table of" }</h2>
            <div role="radiogroup" aria-label="Dialect" class="choices">{ for choices }</div>
            <h2>{ "What tells it" }</h2>
            if marks == 0 {
                <p>{ "Nothing in this log is a mark of Kilo: without one it is read as OpenCode. Both write the same stream; only some tools are read differently." }</p>
            } else {
                <ul class="dots">{ for evidence }</ul>
            }
        </Popover>
    }
}

/// How a dialect is written.
pub fn dialect_name(dialect: &str) -> String {
    match dialect {
        "kilo" => "Kilo".to_owned(),
        "opencode" => "OpenCode".to_owned(),
        other => other.to_owned(),
    }
}

#[derive(Debug, PartialEq, Properties)]
struct VerdictProps {
    summary: Shared<Summary>,
}

/// How the run ended, and what says so.
#[component]
fn Verdict(props: &VerdictProps) -> Html {
    let Some(first) = props.summary.sessions.first() else {
        return Html::default();
    };
    let (word, class) = verdict_word(first.verdict.state);
    let face = html! {
        <>
            <i class="dot" aria-hidden="true" />
            { word }
            <span class="chip-note">{ first.verdict.reason.clone() }</span>
        </>
    };
    let others = props.summary.sessions.iter().skip(1).map(|session| {
        let (word, class) = verdict_word(session.verdict.state);
        html! {
            <li>
                <p>
                    <strong class={format!("ink-{class}")} data-verdict={session.verdict.state.name()}>{ word }</strong>
                    { ": " }{ session.verdict.reason.clone() }
                </p>
                <p class="muted mono break">{ session.id.clone() }</p>
            </li>
        }
    });
    let is_several = props.summary.sessions.len() > 1;
    html! {
        <Popover
            {face}
            label="Verdict"
            class={classes!("chip", "verdict", format!("chip-{class}"))}
            title={first.verdict.reason.clone()}
            verdict={first.verdict.state.name()}
        >
            <h2>{ if is_several { "How the first session ended" } else { "How the run ended" } }</h2>
            <p><strong class={format!("ink-{class}")}>{ word }</strong>{ ": " }{ first.verdict.reason.clone() }</p>
            <p class="muted mono break">{ first.id.clone() }</p>
            if is_several {
                <h2>{ "The others" }</h2>
                <ul class="plain">{ for others }</ul>
            }
            <p class="muted">{ "The stream has no record that ends a run: this is what its last records say." }</p>
        </Popover>
    }
}

#[derive(Debug, PartialEq, Properties)]
struct SessionsProps {
    summary: Shared<Summary>,
    chosen: Option<String>,
}

/// Which session the timeline shows.
#[component]
fn Sessions(props: &SessionsProps) -> Html {
    let act = use_act();
    let onchange = act.on(|event: yew::Event| {
        let select: HtmlSelectElement = event.target_unchecked_into();
        Action::Session(Some(select.value()).filter(|value| !value.is_empty()))
    });
    let chosen = props.chosen.clone().unwrap_or_default();
    let all = format!("All {} sessions", props.summary.sessions.len());
    let options = (0u32..).zip(&props.summary.sessions).map(|(place, session)| {
        let value = key(place, session);
        html! {
            <option selected={value == chosen} value={value.clone()}>{ session_name(place, session) }</option>
        }
    });
    html! {
        <select class="select" aria-label="Session" title="Session shown on the timeline" {onchange}>
            <option value="" selected={chosen.is_empty()}>{ all }</option>
            { for options }
        </select>
    }
}

fn session_name(place: u32, session: &SessionSummary) -> String {
    let id = session.id.as_deref().unwrap_or("without an id");
    // The start of an id tells little, its end tells sessions apart.
    let tail = id.char_indices().rev().nth(7).map_or(0, |(at, _)| at);
    let kind = if session.parent.is_some() { "child" } else { "session" };
    format!("{kind} {} · …{} · {}", place + 1, id.get(tail..).unwrap_or(id), count(session.calls, "call", "calls"))
}
