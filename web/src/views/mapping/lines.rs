//! Lines that are mapped alone, without a log: what they become under the rules, and why; and a fixture made of them.

use steplens_core::run::DialectChoice;
use web_sys::{HtmlTextAreaElement, InputEvent};
use yew::{Html, Properties, TargetCast, component, html, use_effect_with, use_mut_ref, use_state};

use crate::components::copy::Copy;
use crate::components::why::chain;
use crate::dom;
use crate::engine::protocol::{Answer, Ask, Fault, LineTried};
use crate::hooks::context::{use_act, use_reach};
use crate::state::Slot;
use crate::state::lab::{Lab, LabAction};
use crate::state::reducer::Action;
use crate::state::route::Route;
use crate::state::shared::Shared;
use crate::text::json;
use crate::text::number::count;

/// What is tried.
#[derive(Debug, PartialEq, Properties)]
pub struct LinesProps {
    /// The lab.
    pub lab: Lab,
    /// The dialect is in it.
    pub route: Route,
    /// The selected event, whose line can be taken.
    pub detail: Slot,
}

/// How long the text has to rest before it is mapped.
const REST_MS: i32 = 250;

/// Lines that are mapped alone.
#[component]
pub fn Lines(props: &LinesProps) -> Html {
    let act = use_act();
    let reach = use_reach();
    let tried = use_state(|| None::<Result<Shared<LineTried>, Fault>>);
    let timer = use_mut_ref(|| None::<dom::timer::Timer>);
    let (lines, rules) = (props.lab.lines.clone(), props.lab.text.clone());
    {
        let set = tried.setter();
        let key =
            (lines.clone(), rules.clone(), props.route.dialect, reach.as_ref().is_some_and(|r| r.engine.is_some()));
        use_effect_with(key, move |(lines, rules, dialect, _)| {
            timer.replace(None);
            if lines.trim().is_empty() {
                set.set(None);
                return;
            }
            let Some(engine) = reach.and_then(|reach| reach.engine) else { return };
            let ask = Ask::Try { lines: lines.to_string(), rules: rules.to_string(), dialect: *dialect };
            let then = move |answer| {
                if let Answer::Tried(result) = answer {
                    set.set(Some(result.map(|tried| Shared::new(*tried))));
                }
            };
            timer.replace(Some(dom::timer::after(REST_MS, move || engine.0.ask(ask, Box::new(then)))));
        });
    }
    let oninput = {
        let act = act.clone();
        move |event: InputEvent| {
            if let Some(area) = event.target_dyn_into::<HtmlTextAreaElement>() {
                act.now(Action::Lab(LabAction::Lines(area.value().into())));
            }
        }
    };
    let selected = match &props.detail {
        Slot::Known(known) => Some(known.clone()),
        Slot::Waiting | Slot::Unreadable(_) => None,
    };
    let take = selected.map(|known| {
        let raw = known.raw.clone();
        html! {
            <button type="button" class="button small" onclick={act.on(move |_| Action::Lab(LabAction::Lines(raw.as_str().into())))}>
                { format!("Take line {} (the selected event)", known.line) }
            </button>
        }
    });
    let result = match tried.as_ref() {
        None => Html::default(),
        Some(Err(fault)) => {
            html! { <p class="lab-fault ink-bad">{ format!("The rules are no table yet: {}", fault.message) }</p> }
        }
        Some(Ok(tried)) => outcome(tried),
    };
    html! {
        <section class="mapping-part" aria-labelledby="lines-head">
            <h2 id="lines-head">{ "Try a line" }<span class="muted">{ "mapped alone, without a log" }</span></h2>
            <textarea
                id="lab-lines"
                class="mono lab-lines"
                aria-label="Lines of a log"
                placeholder={r#"{"type":"tool_use","part":{"tool":"webfetch","state":{"status":"completed","input":{"url":"…"}}}}"#}
                spellcheck="false"
                autocomplete="off"
                rows="4"
                value={lines.to_string()}
                {oninput}
            />
            if let Some(take) = take { <div class="lab-tools">{ take }</div> }
            <div aria-live="polite">{ result }</div>
        </section>
    }
}

fn outcome(tried: &LineTried) -> Html {
    let events =
        tried.tried.events.iter().map(|event| html! { <pre class="mono" tabindex="0">{ json::pretty(event) }</pre> });
    let is_other = tried.before != tried.tried.events;
    let whys = tried.tried.explanations.iter().map(chain);
    let log = log_of(&tried.log);
    let kept = kept_of(&tried.kept);
    let save = {
        let (log, kept) = (log.clone(), kept.clone());
        move |_| {
            dom::save::text("fixture.jsonl", &log);
            dom::save::text("fixture.events.jsonl", &kept);
        }
    };
    let issue = issue(tried);
    let under = match (dialect_of(tried.dialect), tried.extensions) {
        (dialect, false) => format!("the {dialect} table"),
        (dialect, true) => format!("the {dialect} table with the extension rules"),
    };
    html! {
        <>
            <h3>
                { if tried.tried.events.is_empty() { "No event" } else { "Becomes" } }
                <span class="muted">{ format!(" by {under}") }</span>
            </h3>
            <div class="tried" data-tried={tried.tried.events.len().to_string()}>{ for events }</div>
            if is_other {
                <details>
                    <summary>{ "Under the built-in rules" }</summary>
                    { for tried.before.iter().map(|event| html! { <pre class="mono" tabindex="0">{ json::pretty(event) }</pre> }) }
                </details>
            }
            <div class="lab-tools">
                <Copy text={fixture(tried, &log, &kept)} label="Copy a shell script that writes the log, its events and your rules into mapping/" word="Copy as fixture" />
                <button type="button" class="button small" onclick={save} title="fixture.jsonl and fixture.events.jsonl, for steplens map-test">{ "Download fixture" }</button>
                <Copy text={issue} label="Copy as an issue, in Markdown" word="Copy as issue" />
            </div>
            <p class="muted">
                { match tried.secrets {
                    0 => "No secret was found in these lines; look yourself before you pass them on.".to_owned(),
                    n => format!("{} masked in the fixture and the issue; look yourself before you pass them on.", count(n, "secret is", "secrets are")),
                } }
            </p>
            <details open=true>
                <summary>{ "Why" }</summary>
                { for whys }
            </details>
        </>
    }
}

/// The lines of a fixture's log, without blank ones.
fn log_of(lines: &str) -> String {
    let lines: Vec<&str> = lines.lines().filter(|line| !line.trim().is_empty()).collect();
    lines.iter().map(|line| format!("{line}\n")).collect()
}

fn kept_of(events: &[String]) -> String {
    events.iter().map(|event| format!("{event}\n")).collect()
}

/// A script that writes a fixture for `steplens map-test`, with the rules that it needs.
fn fixture(tried: &LineTried, log: &str, events: &str) -> String {
    let file = |name: &str, text: &str| format!("cat > mapping/{name} <<'STEPLENS'\n{}\nSTEPLENS\n", text.trim_end());
    let rules = if tried.rules.trim().is_empty() { String::new() } else { file("rules.toml", &tried.rules) };
    let dialect = match tried.dialect {
        DialectChoice::Auto => "",
        DialectChoice::Kilo => " --dialect kilo",
        DialectChoice::OpenCode => " --dialect opencode",
    };
    let extensions = if tried.extensions { " --extensions" } else { "" };
    format!(
        "mkdir -p mapping\n{}{}{rules}# steplens map-test mapping{dialect}{extensions}\n",
        file("fixture.jsonl", log),
        file("fixture.events.jsonl", events),
    )
}

fn dialect_of(dialect: DialectChoice) -> &'static str {
    match dialect {
        DialectChoice::Auto => "line's own",
        DialectChoice::Kilo => "kilo",
        DialectChoice::OpenCode => "opencode",
    }
}

/// A report of a call that is mapped wrongly, in Markdown. Nothing in it is of the lines as they stand.
fn issue(tried: &LineTried) -> String {
    let code = |language: &str, text: &str| format!("````{language}\n{}\n````\n", text.trim_end());
    let rules =
        if tried.rules.trim().is_empty() { "The built-in ones.\n".to_owned() } else { code("toml", &tried.rules) };
    let extensions = if tried.extensions { ", extension rules on" } else { "" };
    format!(
        "### The line\n\n{}\n### What it becomes\n\n{}\n### What was expected\n\n\n### Why\n\n{}\n### Rules\n\n{rules}\n\
         Steplens {}, dialect {}{extensions}\n",
        code("json", &log_of(&tried.log)),
        code("json", &kept_of(&tried.kept)),
        code("", &tried.why),
        env!("CARGO_PKG_VERSION"),
        dialect_of(tried.dialect),
    )
}
