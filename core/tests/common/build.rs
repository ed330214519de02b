//! Lines of a log, for tests that state one fact each.

use serde_json::{Value, json};

/// A `tool_use` as the command lines nest it.
pub(crate) fn call(tool: &str, status: &str, input: &Value) -> String {
    call_with(tool, status, input, &json!({}))
}

/// The same, with more fields in its `state`.
pub(crate) fn call_with(tool: &str, status: &str, input: &Value, more: &Value) -> String {
    let mut state = json!({"status": status, "input": input});
    let fields = state.as_object_mut().unwrap();
    fields.extend(more.as_object().unwrap().clone());
    line(&json!({"type": "tool_use", "sessionID": "ses_1", "part": {"type": "tool", "tool": tool, "state": state}}))
}

/// A whole `step_finish`, with its tokens.
pub(crate) fn finish(id: u32, reason: &str, tokens: &Value) -> String {
    let part =
        json!({"id": format!("prt_f{id}"), "messageID": format!("msg_{id}"), "reason": reason, "tokens": tokens});
    line(&json!({"type": "step_finish", "sessionID": "ses_1", "part": part}))
}

/// A `step_start`.
pub(crate) fn start(id: u32) -> String {
    let part = json!({"id": format!("prt_s{id}"), "messageID": format!("msg_{id}")});
    line(&json!({"type": "step_start", "sessionID": "ses_1", "part": part}))
}

/// A value as a line.
pub(crate) fn line(value: &Value) -> String {
    format!("{value}\n")
}
