//! What became unknown: by type, tool and reason, with the first lines and a rule that could read it.

use steplens_core::mapping::{Mapping, UnknownGroup, UnknownKind};
use yew::{Callback, Html, html};

use crate::engine::protocol::Target;
use crate::hooks::context::Act;
use crate::state::lab::LabAction;
use crate::state::reducer::Action;
use crate::text::number::{count, grouped};
use crate::text::visible::text as visible;

/// How many lines of a group are named.
const SHOWN: usize = 6;

/// Groups of unknown events.
pub(super) fn unknowns(mapping: &Mapping, files: &[String], act: &Act, try_line: &Callback<(u32, u64)>) -> Html {
    let rows = mapping.unknown.iter().map(|group| row(group, files, act, try_line));
    html! {
        <section class="mapping-part" aria-labelledby="mapping-unknown">
            <h2 id="mapping-unknown">
                { "Unknown" }
                <span class="muted">{ count(mapping.unknown.len() as u64, "group", "groups") }</span>
            </h2>
            if mapping.unknown.is_empty() {
                <p class="muted">{ "Every type and every tool of this log is known." }</p>
            } else {
                <ul class="unknowns">{ for rows }</ul>
            }
        </section>
    }
}

fn row(group: &UnknownGroup, files: &[String], act: &Act, try_line: &Callback<(u32, u64)>) -> Html {
    let (what, name) = match group.what {
        UnknownKind::Tool => ("tool", group.name.clone()),
        UnknownKind::Type => ("type", group.name.clone()),
        UnknownKind::Malformed => ("line", "malformed".to_owned()),
    };
    let name = if name.is_empty() { "(no name)".to_owned() } else { name };
    let lines = group.places.iter().take(SHOWN).map(|(file, line)| {
        let line = *line;
        let name = (files.len() > 1).then(|| files.get(*file as usize).cloned()).flatten();
        let word = match &name {
            Some(name) => format!("{name}:{line}"),
            None => grouped(line),
        };
        let target = Target::Line { file: name, line };
        html! {
            <button type="button" class="link at-line" title={format!("Show line {line} on the timeline")} onclick={act.on(move |_| Action::Jump(target.clone()))}>
                { word }
            </button>
        }
    });
    let more = group.count.saturating_sub(group.places.len().min(SHOWN) as u64);
    html! {
        <li data-unknown={name.clone()}>
            <p class="unknown-head">
                <span class="tag">{ what }</span>
                <b class="mono">{ name.clone() }</b>
                <span>{ group.reason.clone() }</span>
                <span class="num">{ format!("× {}", grouped(group.count)) }</span>
            </p>
            <p class="unknown-lines muted">
                { if group.count == 1 { "line " } else { "lines " } }
                { for lines }
                if more > 0 { { format!("and {} more", grouped(more)) } }
                { group.places.first().map(|place| try_first(*place, &name, try_line)).unwrap_or_default() }
            </p>
            { group.suggestion.as_ref().map(|rule| suggestion(rule, &name, group, act)).unwrap_or_default() }
        </li>
    }
}

fn try_first(place: (u32, u64), name: &str, try_line: &Callback<(u32, u64)>) -> Html {
    let try_line = try_line.clone();
    let label = format!("Try the first line, of {name}");
    html! {
        <button type="button" class="link" aria-label={label} onclick={move |_| try_line.emit(place)}>{ "try the first" }</button>
    }
}

fn suggestion(rule: &str, name: &str, group: &UnknownGroup, act: &Act) -> Html {
    let text = rule.to_owned();
    // A skeleton is all comments: it can be filled in, and says nothing yet.
    let is_skeleton = rule.starts_with('#');
    let word = if is_skeleton { "Put this skeleton into the editor" } else { "Lay this rule over" };
    html! {
        <div class="suggestion">
            if let Some(note) = &group.note {
                <p class="muted">
                    { visible(note).into_owned() }
                    if group.is_guess && !is_skeleton { { " Look at it before you trust it." } }
                </p>
            }
            <pre class="mono" tabindex="0">{ rule.trim_end().to_owned() }</pre>
            <button
                type="button"
                class="button small"
                aria-label={format!("{word}, for {name}")}
                onclick={act.on(move |_| Action::Lab(LabAction::Add(text.clone())))}
            >
                { word }
            </button>
        </div>
    }
}
