//! Requests that were open already when the page connected: the server lists them, and the log gets each as an event that
//! says when it was found.
//!
//! ```json
//! {"openAt":1781000000000,"event":{"type":"permission.asked","properties":{"id":"per_…"}}}
//! ```

use js_sys::{Array, JSON, Reflect};
use wasm_bindgen::JsValue;

/// Where a server lists them, and the event that each of them was.
pub const LISTS: [(&str, &str); 2] = [("/permission", "permission.asked"), ("/question", "question.asked")];

/// Suggestions; only Kilo Code's servers list them.
pub const SUGGESTIONS: (&str, &str) = ("/suggestion", "suggestion.shown");
/// Where either harness's server says its version.
pub const HEALTH: &str = "/global/health";

/// What a server says its version is.
pub fn version(health: &str) -> Option<String> {
    let health = JSON::parse(health).ok().filter(JsValue::is_object)?;
    Reflect::get(&health, &JsValue::from_str("version")).ok()?.as_string()
}

/// Whether a server of that version is Kilo Code's: its versions begin at 7, OpenCode's are 1.x and less. (A route that
/// OpenCode does not know it passes on to its own site.)
pub fn is_kilo(version: &str) -> bool {
    numbers(version).is_some_and(|[major, ..]| major >= 7)
}

/// Whether a server of that version has the newer routes: Kilo Code from 7.4.6, OpenCode from 1.1.2.
pub fn is_current(version: &str) -> bool {
    numbers(version).is_some_and(|all @ [major, ..]| all >= if major >= 7 { [7, 4, 6] } else { [1, 1, 2] })
}

fn numbers(version: &str) -> Option<[u32; 3]> {
    let mut parts = version.split(['.', '-', '+']).map(str::parse);
    let mut next = || parts.next()?.ok();
    Some([next()?, next()?, next()?])
}

/// A list as lines of a log; `None` where it is none.
pub fn lines(event: &str, body: &str, now_ms: f64) -> Option<String> {
    let list = JSON::parse(body).ok().filter(Array::is_array)?;
    let requests = Array::from(&list).into_iter().filter(|request| request.is_object());
    let texts = requests.filter_map(|request| JSON::stringify(&request).ok()?.as_string());
    Some(texts.map(|request| line(event, &request, now_ms)).collect())
}

fn line(event: &str, request: &str, now_ms: f64) -> String {
    format!("{{\"openAt\":{now_ms:.0},\"event\":{{\"type\":\"{event}\",\"properties\":{request}}}}}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_tells_whose_server_it_is() {
        assert_eq!(["7.7.9", "1.18.33", "0.0.0-dev", "local"].map(is_kilo), [true, false, false, false]);
        assert_eq!(["7.4.6", "7.4.5", "1.1.2-beta", "1.0.220"].map(is_current), [true, false, true, false]);
    }

    #[test]
    fn a_request_is_an_event_that_says_when_it_was_found() {
        assert_eq!(
            line("permission.asked", r#"{"id":"per_1"}"#, 1_781_000_000_000.4),
            "{\"openAt\":1781000000000,\"event\":{\"type\":\"permission.asked\",\"properties\":{\"id\":\"per_1\"}}}\n"
        );
    }
}
