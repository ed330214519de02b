//! A captured run, each line wrapped with the stream that it came from.
//!
//! ```json
//! {"stream":"stdout","line":"{\"type\":\"step_start\", …}"}
//! {"stream":"stderr","line":"warning: slow disk"}
//! ```

use crate::json::{self, Object};
use std::borrow::Cow;

/// The stream's name, where the object is such a wrapper.
pub(super) fn stream(object: &Object<'_>) -> Option<String> {
    let stream = object.get("stream").and_then(json::string)?;
    object.get("line").and_then(json::string)?;
    Some(stream.into_owned())
}

/// The line within.
pub(super) fn line(text: &str) -> Option<Cow<'_, str>> {
    json::string(Object::parse(text)?.get("line")?)
}
