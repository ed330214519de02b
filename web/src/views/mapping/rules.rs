//! The rules by use, and fields that no known version writes.

use steplens_core::mapping::{Mapping, RuleUse};
use yew::{Html, html};

use crate::components::copy::Copy;
use crate::engine::protocol::Target;
use crate::hooks::context::Act;
use crate::state::reducer::Action;
use crate::text::number::{count, grouped};
use crate::text::visible::text as visible;

/// The rules in the order in which they are asked. `shown` is the id of the one whose text is open.
pub(super) fn rules(mapping: &Mapping, shown: Option<&str>) -> Html {
    let unused = mapping.rules.iter().filter(|rule| rule.calls == 0).count() as u64;
    let rows = mapping.rules.iter().map(|rule| row(rule, shown == Some(rule.id.as_str())));
    html! {
        <section class="mapping-part" aria-labelledby="mapping-rules">
            <h2 id="mapping-rules">
                { "Rules" }
                <span class="muted">{ format!("in the order in which they are asked; {} read no call of this log", count(unused, "rule", "rules")) }</span>
            </h2>
            for note in &mapping.notes {
                <p class="ink-warn" role="note">{ visible(note).into_owned() }</p>
            }
            <ul class="rules">{ for rows }</ul>
        </section>
    }
}

fn row(rule: &RuleUse, is_shown: bool) -> Html {
    let class = if rule.calls == 0 { "rule is-unused" } else { "rule" };
    html! {
        <li {class} data-rule={rule.id.clone()} key={format!("{}{is_shown}", rule.id)}>
            <details open={is_shown}>
                <summary>
                    <b class="mono">{ rule.id.clone() }</b>
                    if rule.is_own { <span class="tag is-own">{ "yours" }</span> }
                    <span class="rule-tools mono muted">{ rule.tools.join(", ") }</span>
                    <span class="rule-event">{ rule.event.clone() }</span>
                    <span class="num">
                        { if rule.calls == 0 { "never".to_owned() } else { count(rule.calls, "call", "calls") } }
                        if rule.unknown > 0 {
                            <span class="ink-warn">{ format!(" · {} unknown", grouped(rule.unknown)) }</span>
                        }
                    </span>
                </summary>
                <pre class="mono" tabindex="0">{ rule.toml.trim_end().to_owned() }</pre>
                <Copy text={rule.toml.clone()} label={format!("Copy the rule {}", rule.id)} word="Copy the rule" />
            </details>
        </li>
    }
}

/// Fields that no known version writes.
pub(super) fn drift(mapping: &Mapping, act: &Act) -> Html {
    let rows = mapping.drift.iter().map(|row| {
        let target = Target::Line { file: None, line: row.line };
        html! {
            <li>
                <code>{ row.name.clone() }</code>
                <span class="muted">{ format!(" in {}, first on line ", count(row.count, "record", "records")) }</span>
                <button type="button" class="link" onclick={act.on(move |_| Action::Jump(target.clone()))}>{ grouped(row.line) }</button>
            </li>
        }
    });
    html! {
        <section class="mapping-part" aria-labelledby="mapping-drift">
            <h2 id="mapping-drift">{ "Drift" }</h2>
            if mapping.drift.is_empty() {
                <p class="muted">{ "No field of a known record type is new. (Types that are not known stand under Unknown.)" }</p>
            } else {
                <p class="muted">{ "Fields that no known version of Kilo Code or OpenCode writes:" }</p>
                <ul class="dots">{ for rows }</ul>
            }
        </section>
    }
}
