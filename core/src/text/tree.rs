//! JSON as rows: a flat table of ranges into the text, so that a list can show any stretch of it at once.
//!
//! Nothing is decoded: numbers stay as they are written, keys that stand twice stand twice.

/// What a row shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// An object, from its brace on.
    Object,
    /// An array.
    Array,
    /// A string.
    Text,
    /// A number, `true`, `false` or `null`.
    Word,
}

/// One value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    /// How deep it stands; the root at 0.
    pub depth: u16,
    /// What it is.
    pub kind: Kind,
    /// Its key with the quotes, as a range of the text; none in arrays and at the root.
    pub key: Option<(u32, u32)>,
    /// Its place among the values of its parent, from 0.
    pub place: u32,
    /// The value, as a range of the text.
    pub value: (u32, u32),
    /// Values directly in it.
    pub children: u32,
    /// The row behind all that is in it.
    pub end: u32,
    /// The row that it stands in; its own for the root.
    pub parent: u32,
}

/// Deeper values are shown as text.
const DEEPEST: usize = 200;

/// The rows of a JSON object or array; none where the text is anything else, or no JSON. Texts over 4 GB are none.
pub fn rows(text: &str) -> Option<Vec<Row>> {
    if !text.trim_start().starts_with(['{', '[']) || u32::try_from(text.len()).is_err() {
        return None;
    }
    let mut scan = Scan { bytes: text.as_bytes(), at: 0, rows: Vec::new() };
    scan.run()?;
    Some(scan.rows)
}

/// The path of a row: `.state.input["a key"][3]`.
pub fn path(text: &str, rows: &[Row], row: usize) -> String {
    let mut steps = Vec::new();
    let mut at = row;
    while let Some(here) = rows.get(at).filter(|here| here.depth > 0) {
        steps.push(match here.key.and_then(|(start, end)| text.get(start as usize..end as usize)) {
            None => format!("[{}]", here.place),
            Some(key) => {
                let name = key.trim_matches('"');
                let is_name = !name.is_empty()
                    && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
                    && !name.starts_with(|c: char| c.is_ascii_digit());
                if is_name { format!(".{name}") } else { format!("[{key}]") }
            }
        });
        at = here.parent as usize;
    }
    steps.reverse();
    if steps.is_empty() { ".".to_owned() } else { steps.concat() }
}

struct Scan<'a> {
    bytes: &'a [u8],
    at: usize,
    rows: Vec<Row>,
}

impl Scan<'_> {
    /// Without recursion: no depth is too deep for the stack.
    fn run(&mut self) -> Option<()> {
        let mut open: Vec<usize> = Vec::new();
        loop {
            self.space();
            let parent = open.last().copied();
            let mut key = None;
            if let Some(parent) = parent {
                let is_object = self.rows.get(parent)?.kind == Kind::Object;
                let is_first = self.rows.get(parent)?.children == 0;
                let close = if is_object { b'}' } else { b']' };
                if self.peek() == Some(close) {
                    self.at += 1;
                    self.close(parent);
                    open.pop();
                    if open.is_empty() {
                        self.space();
                        return (self.at == self.bytes.len()).then_some(());
                    }
                    continue;
                }
                if !is_first {
                    self.take(b',')?;
                    self.space();
                }
                if is_object {
                    let start = self.at;
                    self.string()?;
                    key = Some((start as u32, self.at as u32));
                    self.space();
                    self.take(b':')?;
                    self.space();
                }
            }
            let row = self.rows.len();
            let depth = open.len();
            let place = parent.and_then(|parent| self.rows.get(parent)).map_or(0, |parent| parent.children);
            if let Some(parent) = parent.and_then(|parent| self.rows.get_mut(parent)) {
                parent.children += 1;
            }
            let start = self.at;
            let kind = match self.peek()? {
                b'{' => Kind::Object,
                b'[' => Kind::Array,
                b'"' => Kind::Text,
                _ => Kind::Word,
            };
            let is_open = matches!(kind, Kind::Object | Kind::Array) && depth < DEEPEST;
            match kind {
                _ if is_open => self.at += 1,
                Kind::Object | Kind::Array => self.nested()?,
                Kind::Text => self.string()?,
                Kind::Word => self.word()?,
            }
            self.rows.push(Row {
                depth: depth as u16,
                kind: if is_open || matches!(kind, Kind::Text | Kind::Word) { kind } else { Kind::Word },
                key,
                place,
                value: (start as u32, self.at as u32),
                children: 0,
                end: (row + 1) as u32,
                parent: parent.unwrap_or(row) as u32,
            });
            if is_open {
                open.push(row);
            }
        }
    }

    fn close(&mut self, row: usize) {
        let (at, end) = (self.at as u32, self.rows.len() as u32);
        if let Some(row) = self.rows.get_mut(row) {
            row.value.1 = at;
            row.end = end;
        }
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn space(&mut self) {
        while self.peek().is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.at += 1;
        }
    }

    fn take(&mut self, byte: u8) -> Option<()> {
        (self.peek()? == byte).then(|| self.at += 1)
    }

    fn string(&mut self) -> Option<()> {
        self.take(b'"')?;
        loop {
            match self.peek()? {
                b'"' => {
                    self.at += 1;
                    return Some(());
                }
                b'\\' => self.at += 2,
                _ => self.at += 1,
            }
        }
    }

    fn word(&mut self) -> Option<()> {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.')) {
            self.at += 1;
        }
        let word = self.bytes.get(start..self.at)?;
        let is_word = matches!(word, b"true" | b"false" | b"null");
        (is_word || word.first().is_some_and(|byte| byte.is_ascii_digit() || *byte == b'-')).then_some(())
    }

    /// A value too deep to be rows.
    fn nested(&mut self) -> Option<()> {
        let mut depth = 0usize;
        loop {
            match self.peek()? {
                b'"' => self.string()?,
                b'{' | b'[' => {
                    depth += 1;
                    self.at += 1;
                }
                b'}' | b']' => {
                    depth -= 1;
                    self.at += 1;
                    if depth == 0 {
                        return Some(());
                    }
                }
                _ => self.at += 1,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shown(text: &str) -> Vec<String> {
        let rows = rows(text).unwrap();
        let value = |row: &Row| match row.kind {
            Kind::Object => format!("{{{}}}", row.children),
            Kind::Array => format!("[{}]", row.children),
            _ => text[row.value.0 as usize..row.value.1 as usize].to_owned(),
        };
        (0..rows.len()).map(|n| format!("{} {} end {}", path(text, &rows, n), value(&rows[n]), rows[n].end)).collect()
    }

    #[test]
    fn values_with_their_paths() {
        assert_eq!(
            shown(r#" {"a": [1.50, {"b c": "x\"}"}], "d": null, "d": {}} "#),
            [
                ". {3} end 7",
                ".a [2] end 5",
                ".a[0] 1.50 end 3",
                ".a[1] {1} end 5",
                r#".a[1]["b c"] "x\"}" end 5"#,
                ".d null end 6",
                ".d {0} end 7",
            ]
        );
    }

    #[test]
    fn what_is_no_json_has_no_rows() {
        for text in
            ["", "1", "\"a\"", "{", "[1,]", "[1 2]", "{\"a\"}", "{a:1}", "[] x", "[x]", "[1}", "{\"a\":1,}", "[\"a\\"]
        {
            assert_eq!(rows(text), None, "{text}");
        }
    }

    #[test]
    fn a_value_however_deep() {
        let text = format!("{}1{}", "[".repeat(50_000), "]".repeat(50_000));
        assert_eq!(rows(&text).unwrap().len(), DEEPEST + 1);
    }

    proptest! {
        #[test]
        fn no_text_is_too_odd(text in "[\\[\\]{}\",:a1\\\\ ä]{0,30}") {
            rows(&text);
        }
    }
}
