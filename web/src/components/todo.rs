//! One task of an agent's list.

use yew::{Html, html};

use super::shown::shown;

/// A task as an item of a list: its status is one of the harness's words, any other is shown as it is.
pub fn todo(status: &str, content: &str, priority: Option<&str>) -> Html {
    let (sign, word) = match status {
        "completed" => ("☑", "completed"),
        "in_progress" => ("◐", "in progress"),
        "cancelled" => ("☒", "cancelled"),
        "pending" => ("☐", "pending"),
        other => ("☐", other),
    };
    let is_over = matches!(word, "completed" | "cancelled");
    html! {
        <li class={if is_over { "todo is-over" } else { "todo" }}>
            <span class="todo-sign" role="img" aria-label={word.to_owned()}>{ sign }</span>
            <span class="todo-text">{ shown(content, &[]) }</span>
            if word == "in progress" { <span class="tag">{ word }</span> }
            if let Some(priority) = priority.filter(|priority| *priority == "high") {
                <span class="tag">{ priority.to_owned() }</span>
            }
        </li>
    }
}
