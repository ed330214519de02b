//! Sentences of the core, as the page writes them.

/// With a capital where it begins with a plain small letter.
pub fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        // Names such as `ses_1` and `prt_2` stay as they are.
        Some(first) if first.is_lowercase() && !begins_with_name(text) => first.to_uppercase().chain(chars).collect(),
        _ => text.to_owned(),
    }
}

fn begins_with_name(text: &str) -> bool {
    let word = text.split(' ').next().unwrap_or_default();
    word.contains(|c: char| !c.is_alphabetic() && !matches!(c, ',' | ':' | '-'))
}

/// What a format is called.
pub fn format_name(name: &str) -> (&str, &'static str) {
    match name {
        "step-stream" => ("run stream", "what run --format json of Kilo Code and OpenCode writes"),
        "harness-raw" => ("harness log", "a run stream with each line wrapped as stdout or stderr"),
        "bus" => ("bus events", "what the server sends at /event, as lines or as server-sent events"),
        "export" => ("export", "the document that export writes: info and messages"),
        "share" => ("share data", "the array behind a shared session"),
        "storage" => ("storage files", "sessions, messages and parts as the harness keeps them"),
        other => (other, ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_keep_their_case() {
        assert_eq!(sentence("no model in the stream"), "No model in the stream");
        assert_eq!(sentence("sub-session ses_1 is missing"), "Sub-session ses_1 is missing");
        assert_eq!(sentence("ses_1 reports nothing"), "ses_1 reports nothing");
        assert_eq!(sentence("3 steps"), "3 steps");
        assert_eq!(sentence(""), "");
    }
}
