//! The texts of a record: each of them decoded, with the place where a reader sees it.

use super::Place;
use crate::format::wire::{Line, LineType, Malformed};
use crate::json;
use crate::record;
use std::borrow::Cow;
use std::ops::ControlFlow;

/// Hands out the texts of a record until one is wanted no further: messages, keys and values of inputs, outputs, errors.
/// A record of no known kind has all its strings; one that is no JSON has itself.
pub(crate) fn each_text<R>(
    line: Result<&Line<'_>, &Malformed>,
    text: &str,
    mut each: impl FnMut(Place, &str) -> ControlFlow<R>,
) -> Option<R> {
    let Ok(line) = line else { return each(Place::Record, text).break_value() };
    let done = match line.line_type {
        LineType::Text | LineType::Reasoning => match line.message() {
            Some(message) => each(Place::Message, message),
            None => ControlFlow::Continue(()),
        },
        LineType::ToolUse => of_call(line, &mut each),
        LineType::Error => {
            let facts = record::error_facts(line);
            let told = match facts.pointer {
                Some(_) => each(Place::Error, &facts.message),
                None => ControlFlow::Continue(()),
            };
            match told {
                ControlFlow::Continue(()) => strings(text, |text| each(Place::Record, text)),
                done => done,
            }
        }
        LineType::Other => strings(text, |text| each(Place::Record, text)),
        LineType::StepStart | LineType::StepFinish | LineType::Consumed => ControlFlow::Continue(()),
    };
    done.break_value()
}

fn of_call<R>(line: &Line<'_>, each: &mut impl FnMut(Place, &str) -> ControlFlow<R>) -> ControlFlow<R> {
    if let Some(input) = line.input() {
        strings(input.value, |text| each(Place::Input, text))?;
    }
    if let Some(error) = line.call_error() {
        each(Place::Error, &error)?;
    }
    match line.output() {
        Some(output) if output.contains('\u{1B}') => each(Place::Output, &without_escapes(&output)),
        Some(output) => each(Place::Output, &output),
        None => ControlFlow::Continue(()),
    }
}

/// The scalars of a JSON text, keys too: strings decoded, everything else as it is written.
fn strings<R>(text: &str, mut each: impl FnMut(&str) -> ControlFlow<R>) -> ControlFlow<R> {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let end = match byte {
            b'"' => {
                let end = json::string_end(bytes, at).unwrap_or(bytes.len());
                let token = text.get(at..end).unwrap_or_default();
                each(&decoded(token))?;
                end
            }
            b'-' | b'0'..=b'9' | b'a'..=b'z' => {
                let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
                let len = bytes.iter().skip(at).take_while(|byte| is_word(byte)).count();
                each(text.get(at..at + len).unwrap_or_default())?;
                at + len
            }
            _ => at + 1,
        };
        at = end;
    }
    ControlFlow::Continue(())
}

fn decoded(token: &str) -> Cow<'_, str> {
    let inner = || token.strip_prefix('"').map_or(token, |rest| rest.strip_suffix('"').unwrap_or(rest));
    if token.contains('\\') { json::string(token).unwrap_or_else(|| inner().into()) } else { inner().into() }
}

/// The text without the escape sequences of terminals, as it is read: `\x1b[31m`, `\x1b]0;title\x07`.
fn without_escapes(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '\u{1B}' {
            out.push(c);
            continue;
        }
        match chars.next_if(|next| matches!(next, '[' | ']')) {
            Some('[') => {
                // Parameters, then one final character.
                while chars.next_if(|next| matches!(next, ' '..='?')).is_some() {}
                chars.next_if(|next| matches!(next, '@'..='~'));
            }
            Some(_) => {
                while let Some(next) = chars.next_if(|next| *next != '\n') {
                    if next == '\u{7}' || (next == '\u{1B}' && chars.next_if_eq(&'\\').is_some()) {
                        break;
                    }
                }
            }
            // Two characters: `ESC c`, `ESC 7`.
            None => {
                chars.next_if(|next| matches!(next, '0'..='~'));
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::Value;

    fn texts(text: &str) -> Vec<(Place, String)> {
        let parsed = Line::parse(text);
        let mut out = Vec::new();
        let each = |place, text: &str| {
            out.push((place, text.to_owned()));
            ControlFlow::<()>::Continue(())
        };
        each_text(parsed.as_ref(), text, each);
        out
    }

    #[test]
    fn of_a_call() {
        let text = r#"{"type":"tool_use","part":{"tool":"x","state":{"input":{"a\u0062":[1,true,"q\"\n"]},"output":"\u001b[31mred\u001b[0m \u00e9","error":{"message":"no"}}}}"#;
        let want = [
            (Place::Input, "ab"),
            (Place::Input, "1"),
            (Place::Input, "true"),
            (Place::Input, "q\"\n"),
            (Place::Error, "no"),
            (Place::Output, "red é"),
        ];
        assert_eq!(texts(text), want.map(|(place, text)| (place, text.to_owned())));
    }

    #[test]
    fn of_what_is_not_known() {
        assert_eq!(texts("WARN x"), [(Place::Record, "WARN x".to_owned())]);
        let strings = [(Place::Record, "type".to_owned()), (Place::Record, "new".to_owned())];
        assert_eq!(texts(r#"{"type":"new"}"#), strings);
        assert_eq!(texts(r#"{"type":"step_start","part":{"snapshot":"abc"}}"#), []);
    }

    #[test]
    fn escape_sequences_go() {
        assert_eq!(
            without_escapes("\u{1b}[1;31ma\u{1b}[0mb\u{1b}]0;t\u{7}c\u{1b}]8;;x\u{1b}\\d\u{1b}7e\u{1b}"),
            "abcde"
        );
    }

    /// The scalars of a value, as a naive reader finds them.
    fn naive(value: &Value, out: &mut Vec<String>) {
        match value {
            Value::Array(items) => items.iter().for_each(|item| naive(item, out)),
            Value::Object(fields) => fields.iter().for_each(|(key, value)| {
                out.push(key.clone());
                naive(value, out);
            }),
            Value::String(text) => out.push(text.clone()),
            other => out.push(other.to_string()),
        }
    }

    fn value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i32>().prop_map(Value::from),
            "[a\"\\\\\n\u{1}é😀/]{0,6}".prop_map(Value::from),
        ];
        leaf.prop_recursive(3, 20, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::btree_map("[a-c\"]{1,3}", inner, 0..4)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn all_scalars_of_any_value(value in value(), laid_out in any::<bool>()) {
            let text = if laid_out { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) };
            let mut have = Vec::new();
            let _ = strings(&text.unwrap(), |text| {
                have.push(text.to_owned());
                ControlFlow::<()>::Continue(())
            });
            let mut want = Vec::new();
            naive(&value, &mut want);
            prop_assert_eq!(have, want);
        }
    }
}
