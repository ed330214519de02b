//! Mapping fixtures: a small log, and the events that it must become. `steplens map-test` runs a folder of them; the
//! page's lab makes them.

use crate::order::Order;
use crate::run::{Options, Run};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The events of a log that is whole in memory, each as a line of JSON. Its name counts as a mark of the dialect.
pub fn events(name: &str, log: &[u8], options: Options) -> Vec<String> {
    let mut run = Run::new(options);
    run.begin_file(name);
    run.push(log);
    run.end_file();
    let lines = run.event_records().flat_map(|record| {
        let span = run.source_of(record);
        let bytes = span.and_then(|span| log.get(span.offset as usize..(span.offset + span.len) as usize));
        bytes.map(|bytes| run.events_of(record, bytes)).unwrap_or_default()
    });
    lines.map(|event| event.to_json_line()).collect()
}

/// The fields of an event.
type Fields = Map<String, Value>;

/// How one event differs from the one that was expected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// Line of the log, from 1; none where the event does not say.
    pub line: Option<u64>,
    /// What differs.
    pub what: Differs,
}

/// What differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Differs {
    /// The event is expected, and was not made.
    Missing(String),
    /// The event was made, and is not expected.
    Unexpected(String),
    /// Fields of it, in the order of their names.
    Fields(Vec<FieldDiffers>),
}

/// A field that is not as expected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldDiffers {
    /// Its name.
    pub name: String,
    /// Its JSON as expected; none where it should not be there.
    pub expected: Option<String>,
    /// Its JSON as it is; none where it is not there.
    pub got: Option<String>,
}

/// Compares events, each a line of JSON, line by line of their log; the order of fields does not matter.
///
/// # Errors
/// The number, from 1, of the first expected line that is no JSON object, and why.
pub fn compare<'a>(
    expected: impl IntoIterator<Item = &'a str>,
    got: impl IntoIterator<Item = &'a str>,
) -> Result<Vec<Difference>, (usize, String)> {
    let mut lines: BTreeMap<Option<u64>, (Vec<Fields>, Vec<Fields>)> = BTreeMap::new();
    let line_of = |event: &Fields| event.get("line").and_then(Value::as_u64);
    for (index, line) in expected.into_iter().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let event: Fields =
            serde_json::from_str(line).map_err(|error| (index + 1, format!("no JSON object: {error}")))?;
        lines.entry(line_of(&event)).or_default().0.push(event);
    }
    for event in got.into_iter().filter_map(|line| serde_json::from_str::<Fields>(line).ok()) {
        lines.entry(line_of(&event)).or_default().1.push(event);
    }
    let mut out = Vec::new();
    for (line, (expected, got)) in lines {
        let (mut expected, mut got) = (expected.into_iter(), got.into_iter());
        let text = |event: Fields| Value::Object(event).to_string();
        loop {
            let what = match (expected.next(), got.next()) {
                (None, None) => break,
                (Some(expected), None) => Differs::Missing(text(expected)),
                (None, Some(got)) => Differs::Unexpected(text(got)),
                (Some(expected), Some(got)) => match fields(&expected, &got) {
                    differs if differs.is_empty() => continue,
                    differs => Differs::Fields(differs),
                },
            };
            out.push(Difference { line, what });
        }
    }
    Ok(out)
}

fn fields(expected: &Fields, got: &Fields) -> Vec<FieldDiffers> {
    let mut names: Vec<&String> = expected.keys().chain(got.keys()).collect();
    names.order();
    names.dedup();
    let differs = |name: &&String| expected.get(*name) != got.get(*name);
    let text = |value: Option<&Value>| value.map(Value::to_string);
    let row = |name: &String| FieldDiffers {
        name: name.clone(),
        expected: text(expected.get(name)),
        got: text(got.get(name)),
    };
    names.into_iter().filter(differs).map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_compared_and_not_their_order() {
        let expected = [r#"{"type":"read","line":1,"path":"a"}"#, r#"{"line":3,"type":"list"}"#, ""];
        let same = [r#"{"path":"a","line":1,"type":"read"}"#, r#"{"type":"list","line":3}"#];
        assert_eq!(compare(expected, same), Ok(vec![]));
        let got = [r#"{"type":"read","line":1,"start":2}"#, r#"{"type":"unknown","line":2}"#];
        let differ = |name: &str, expected: Option<&str>, got: Option<&str>| FieldDiffers {
            name: name.to_owned(),
            expected: expected.map(str::to_owned),
            got: got.map(str::to_owned),
        };
        let fields = vec![differ("path", Some("\"a\""), None), differ("start", None, Some("2"))];
        let wanted = vec![
            Difference { line: Some(1), what: Differs::Fields(fields) },
            Difference { line: Some(2), what: Differs::Unexpected(r#"{"line":2,"type":"unknown"}"#.to_owned()) },
            Difference { line: Some(3), what: Differs::Missing(r#"{"line":3,"type":"list"}"#.to_owned()) },
        ];
        assert_eq!(compare(expected, got), Ok(wanted));
        assert!(matches!(compare(["{}", "x"], []), Err((2, _))));
    }

    #[test]
    fn a_small_log_gives_its_events() {
        let log = "{\"type\":\"text\",\"text\":\"a\"}\n\n{\"type\":\"text\",\"text\":\"b\"}\n";
        let events = events("x.jsonl", log.as_bytes(), Options::default());
        assert_eq!(events.len(), 2);
        assert_eq!(events[1], r#"{"type":"agent","line":3,"rule":"stream.text","message":"b"}"#);
    }
}
