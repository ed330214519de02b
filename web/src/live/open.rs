//! Requests that were open already when the page connected: the server lists them, and the log gets each as an event that
//! says when it was found.
//!
//! ```json
//! {"openAt":1781000000000,"event":{"type":"permission.asked","properties":{"id":"per_…"}}}
//! ```

use js_sys::{Array, JSON};

/// Where a server lists them, and the event that each of them was.
pub const LISTS: [(&str, &str); 2] = [("/permission", "permission.asked"), ("/question", "question.asked")];

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
    fn a_request_is_an_event_that_says_when_it_was_found() {
        assert_eq!(
            line("permission.asked", r#"{"id":"per_1"}"#, 1_781_000_000_000.4),
            "{\"openAt\":1781000000000,\"event\":{\"type\":\"permission.asked\",\"properties\":{\"id\":\"per_1\"}}}\n"
        );
    }
}
