//! Where in the JSON of a line a byte stands.

/// The JSON pointer of the value that a byte of a line belongs to, where the line is one JSON value, perhaps behind a
/// prefix; for a byte of a key, that of its object. `None` in what is no JSON, or spans several lines.
pub fn pointer(line: &[u8], place: usize) -> Option<String> {
    let start = line.iter().position(|byte| matches!(byte, b'{' | b'['))?;
    let mut path: Vec<Step> = Vec::new();
    let mut here = start;
    while let Some(&byte) = line.get(here) {
        if here >= place {
            break;
        }
        match byte {
            b'"' => {
                let end = string_end(line, here)?;
                if place < end {
                    break;
                }
                let is_key = line.get(end..)?.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b':');
                if let (true, Some(Step::Key(last))) = (is_key, path.last_mut()) {
                    *last = serde_json::from_slice(line.get(here..end)?).ok();
                }
                here = end;
                continue;
            }
            b'{' => path.push(Step::Key(None)),
            b'[' => path.push(Step::Index(0)),
            b'}' | b']' => {
                path.pop()?;
            }
            b',' => match path.last_mut()? {
                Step::Key(last) => *last = None,
                Step::Index(index) => *index += 1,
            },
            _ => {}
        }
        here += 1;
    }
    let mut out = String::new();
    for step in &path {
        match step {
            Step::Key(Some(key)) => {
                out.push('/');
                out.push_str(&key.replace('~', "~0").replace('/', "~1"));
            }
            Step::Key(None) => {}
            Step::Index(index) => out.push_str(&format!("/{index}")),
        }
    }
    (!path.is_empty()).then_some(out)
}

enum Step {
    Key(Option<String>),
    Index(usize),
}

/// The place behind the string that begins at a quote.
fn string_end(line: &[u8], start: usize) -> Option<usize> {
    let mut here = start + 1;
    loop {
        match line.get(here)? {
            b'"' => return Some(here + 1),
            b'\\' => here += 2,
            _ => here += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_named_by_its_value() {
        let line = r#"data: {"a":{"b/c":[1,"xyz"]},"d":"e"}"#;
        let at = |needle: &str| pointer(line.as_bytes(), line.find(needle).unwrap());
        assert_eq!(at("xyz").as_deref(), Some("/a/b~1c/1"));
        assert_eq!(at("e\"}").as_deref(), Some("/d"));
        assert_eq!(pointer(b"no json", 3), None);
    }
}
