//! One word of a command line, and how certain its text is.

/// A word after quote removal, before any expansion.
#[derive(Debug, Clone, Default)]
pub(super) struct Word {
    /// The text with quotes and escapes resolved; an expansion stands in it as it was written.
    pub(super) text: String,
    /// How many leading bytes of `text` stood bare: before any quote, backslash or expansion. Only
    /// bare text can be an assignment, a reserved word or a tilde.
    bare: usize,
    /// A quote, backslash or expansion was met, so `bare` no longer grows.
    shielded: bool,
    /// Holds `$x`, `$(…)`, a backtick or a process substitution: what the program gets is not
    /// known.
    pub(super) expansion: bool,
    /// Holds an unquoted glob or brace expansion: it may name several files.
    pub(super) pattern: bool,
    /// Holds `$'…'` with a backslash in it, kept as written.
    pub(super) escapes: bool,
    /// An unquoted `[` waits for its `]`.
    bracket: bool,
    /// An unquoted `{` waits for its `}`; true once a `,` or `..` was met.
    brace: Option<bool>,
}

impl Word {
    /// Appends an unquoted character, and notes what the shell would make of it.
    pub(super) fn push_bare(&mut self, c: char) {
        match c {
            '*' | '?' => self.pattern = true,
            '[' => self.bracket = true,
            // Without its `]` a bracket is no glob: `[` the command, `a[0`.
            // What a redactor left in place of a secret is one word.
            ']' if self.bracket => self.pattern |= !self.ends_mask(),
            '{' => self.brace = Some(false),
            ',' if self.brace.is_some() => self.brace = Some(true),
            '.' if self.brace.is_some() && self.text.ends_with('.') => self.brace = Some(true),
            // `{}` and `@{1}` stay as they are; `{a,b}` and `{1..3}` become several words.
            '}' if self.brace == Some(true) => self.pattern = true,
            _ => {}
        }
        self.text.push(c);
        if !self.shielded {
            self.bare = self.text.len();
        }
    }

    /// Whether a `]` would end a mask such as `[REDACTED:email]`.
    fn ends_mask(&self) -> bool {
        let bracket = self.text.rfind('[').and_then(|start| self.text.get(start..));
        bracket.is_some_and(|bracket| bracket.starts_with("[REDACTED:") && !bracket.contains(']'))
    }

    /// Appends text that a quote or backslash protects.
    pub(super) fn push_quoted(&mut self, text: &str) {
        self.shielded = true;
        self.text.push_str(text);
    }

    /// Appends an expansion as it was written.
    pub(super) fn push_expansion(&mut self, raw: &str) {
        self.expansion = true;
        self.push_quoted(raw);
    }

    /// The word without its first `bytes` bytes: the value in `--lines=40`.
    pub(super) fn after(&self, bytes: usize) -> Word {
        let text = self.text.get(bytes..).unwrap_or_default().to_owned();
        Word { bare: self.bare.saturating_sub(bytes), text, ..self.clone() }
    }

    /// Whether the word is `text` with nothing quoted, as a reserved word must be.
    pub(super) fn is_reserved(&self, text: &str) -> bool {
        self.text == text && self.bare == text.len()
    }

    /// Whether a leading `~` stands for a home directory.
    pub(super) fn has_tilde(&self) -> bool {
        self.bare > 0 && self.text.starts_with('~')
    }

    /// Whether the word is `NAME=value`.
    pub(super) fn is_assignment(&self) -> bool {
        let Some(at) = self.text.find('=').filter(|at| *at < self.bare) else {
            return false;
        };
        let name = self.text.get(..at).unwrap_or_default();
        let name = name.strip_suffix('+').unwrap_or(name);
        let name = name.split_once('[').map_or(name, |(name, _)| name);
        name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    }

    /// The name of the program a command word runs: without its directory, and without `.exe`.
    pub(super) fn program(&self) -> &str {
        let name = self.text.rsplit(['/', '\\']).next().unwrap_or_default();
        name.strip_suffix(".exe").unwrap_or(name)
    }

    /// The text for a sentence: at most 40 characters of its first line.
    pub(super) fn shown(&self) -> String {
        let line = self.text.lines().next().unwrap_or_default();
        let cut: String = line.chars().take(40).collect();
        if cut.len() < self.text.len() { format!("{cut}…") } else { cut }
    }
}
