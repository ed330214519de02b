//! What to do about what a log cannot tell, and what kinds of findings and diagnostics mean.

/// A limit's sentence in the summary holds this; what can be done about it.
const OF_LIMITS: [(&str, &str); 15] = [
    ("reading was stopped at", "Open the log again and let it be read to its end."),
    (
        "broke and began anew",
        "The findings lead to these places. The session's export, opened together with this log, holds what the agent did meanwhile.",
    ),
    ("no model in the stream", "Pick the model to price as, or open the session's export together with this log."),
    ("no prompt in the stream", "Open the session's export together with this log: it holds what the user wrote."),
    ("is not in the open files", "Open that sub-session's own export together with this log."),
    ("of another session's (a fork)", "Nothing is lost: choose a session to see its own sums."),
    (
        "reports a cost of zero with tokens",
        "Pick the model to price as: comparable and list cost then say what it is worth.",
    ),
    ("reports no tokens at all", "Open the session's export together with this log: it may hold them."),
    ("reports no tokens for some steps", "Open the session's export together with this log: it may hold the rest."),
    ("reports no cost for some steps", "The steps without a cost stand in the list of steps with a dash."),
    ("holds no thinking", "Run again with --thinking; what was not written cannot be read."),
    (
        "of their message stands for it",
        "Open the run's stream together with this log: its lines say when they were written, and each call when it ran.",
    ),
    (
        "how long they took is unknown",
        "The Why tab of each says what its id tells. A newer version of the harness writes start and end.",
    ),
    (
        "out of the context later",
        "The findings lead to them, and the Why tab says when. An output is shown as the log still holds it.",
    ),
    ("leave failed calls out of their log", "A newer version of the harness writes failed calls too."),
];

/// What can be done about a limit; none where nothing can.
pub fn of_limit(limit: &str) -> Option<&'static str> {
    OF_LIMITS.into_iter().find(|(part, _)| limit.contains(part)).map(|(_, advice)| advice)
}

const KINDS: [(&str, &str); 24] = [
    ("repeated-call", "The same call three or more times in a row: the agent may go round in a circle."),
    ("missing-calls", "The step ended to call tools, and the log holds none of these calls."),
    ("no-answer", "The run came to its end without a text of the agent."),
    ("truncated-output", "The harness kept a part of the output; the rest was not given to the model."),
    ("green-but-failed", "The status says success; the exit code or the error says that it failed."),
    ("never-answered", "A permission or a question without an answer: the run waits, or waited in vain."),
    ("retry", "The request was sent again; what failed attempts cost may be missing from the sums."),
    ("removed-message", "The message is gone from its session; what this log says of it still stands in the timeline."),
    ("removed-part", "The part is gone from its message; what this log says of it still stands in the timeline."),
    ("reverted", "The session was put back to before this message: what follows it was undone."),
    ("pruned-output", "To make room the harness took outputs out of what the model sees; the log keeps them."),
    ("stream-broke", "Whoever wrote the log was not connected for a while: what the agent did then is missing."),
    ("malformed-line", "Not a JSON object: kept as an unknown event with its text."),
    ("cut-line", "The last line ends in the middle: still being written, or cut."),
    ("invalid-utf8", "Bytes that are no UTF-8: shown as replacement characters."),
    ("lone-surrogate", "Half of a character that JSON writes in two: shown as a replacement character."),
    ("damaged-data", "The packed file is damaged: what could be unpacked was read."),
    ("stderr-line", "A line of the program's own messages between the records."),
    ("unknown-type", "A type of record that no known version writes: kept as an unknown event."),
    ("duplicate", "Said more than once: counted once. An earlier or later state of a part stays as its history."),
    ("bad-timestamp", "No time between the years 1 and 9999: left out, nothing is guessed."),
    ("negative-duration", "The call ends before it starts: its duration is unknown."),
    ("bad-token-count", "No whole number of tokens: it counts as absent."),
    ("bad-cost", "No amount of money: it counts as absent."),
];

/// What a kind of finding or diagnostic means; none for a kind that is not known.
pub fn of_kind(kind: &str) -> Option<&'static str> {
    KINDS.into_iter().find(|(name, _)| *name == kind).map(|(_, meaning)| meaning)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::{Options, Run};

    /// A log that says as little as it can: every limit of it has something to do about it.
    #[test]
    fn limits_that_logs_have_come_with_advice() {
        let lines = [
            r#"{"type":"step_start","sessionID":"s","part":{"id":"a","messageID":"m"}}"#,
            r#"{"type":"tool_use","sessionID":"s","part":{"id":"t","messageID":"m","tool":"task","state":{"status":"completed","input":{},"metadata":{"sessionId":"ses_child"}}}}"#,
            r#"{"type":"step_finish","sessionID":"s","part":{"id":"b","messageID":"m","reason":"tool-calls","cost":0,"tokens":{"input":5,"output":1,"reasoning":3}}}"#,
            r#"{"type":"step_start","sessionID":"s","part":{"id":"c","messageID":"n"}}"#,
            r#"{"type":"step_finish","sessionID":"s","part":{"id":"d","messageID":"n","reason":"tool-calls"}}"#,
        ];
        let mut run = Run::new(Options::default());
        run.begin_file("run.jsonl");
        run.push(lines.join("\n").as_bytes());
        run.end_file();
        let limits = run.summary().limits;
        assert!(limits.len() >= 7, "{limits:?}");
        for limit in limits {
            assert!(of_limit(&limit).is_some(), "{limit}");
        }
    }

    #[test]
    fn kinds_are_told_in_a_sentence() {
        assert!(of_kind("retry").is_some_and(|text| text.ends_with('.')));
        assert_eq!(of_kind("of-another-version"), None);
    }
}
