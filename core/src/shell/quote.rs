//! The inside of a word: quotes, backslashes, and everything that starts with `$`.
//!
//! `$(…)`, backticks, `${…}`, `$((…))` and process substitutions are opaque parts of a word, but
//! read with the shell's own rules, so that a quote, a `)` or a heredoc inside them ends nothing
//! outside.

use super::token::{Cursor, MAX_DEPTH};
use super::word::Word;

impl<'a> Cursor<'a> {
    /// One word; an empty one where no word starts.
    pub(super) fn word(&mut self, depth: usize) -> Result<Word, &'static str> {
        let mut word = Word::default();
        while let Some(c) = self.peek() {
            match c {
                ' ' | '\t' | '\n' | ';' | '&' | '|' | '(' | ')' => break,
                '\r' if self.left().starts_with("\r\n") => break,
                '<' | '>' => {
                    let start = self.at;
                    if !(self.eat("<(") || self.eat(">(")) {
                        break;
                    }
                    self.tokens(depth + 1, true)?;
                    word.push_expansion(self.since(start));
                }
                '\'' => {
                    self.bump();
                    word.push_quoted(self.until_quote()?);
                }
                '"' => self.double_quoted(&mut word, depth)?,
                '\\' => {
                    self.bump();
                    let start = self.at;
                    if !self.eat_newline() {
                        self.bump();
                        // A backslash that ends the text stands for itself.
                        word.push_quoted(if self.at == start { "\\" } else { self.since(start) });
                    }
                }
                '$' => self.dollar(&mut word, depth, false)?,
                '`' => self.backticks(&mut word)?,
                _ => {
                    self.bump();
                    word.push_bare(c);
                }
            }
        }
        Ok(word)
    }

    fn until_quote(&mut self) -> Result<&'a str, &'static str> {
        let start = self.at;
        let length = self.left().find('\'').ok_or("a quote is not closed")?;
        self.at += length;
        let inside = self.since(start);
        self.bump();
        Ok(inside)
    }

    fn double_quoted(&mut self, word: &mut Word, depth: usize) -> Result<(), &'static str> {
        self.bump();
        word.push_quoted("");
        loop {
            match self.peek().ok_or("a quote is not closed")? {
                '"' => {
                    self.bump();
                    return Ok(());
                }
                '\\' => {
                    let start = self.at;
                    self.bump();
                    if self.eat_newline() {
                        continue;
                    }
                    // In double quotes a backslash escapes only these; before anything else it
                    // stands for itself.
                    let escapes = matches!(self.bump(), Some('$' | '`' | '"' | '\\'));
                    word.push_quoted(self.since(if escapes { start + 1 } else { start }));
                }
                '$' => self.dollar(word, depth, true)?,
                '`' => self.backticks(word)?,
                _ => {
                    let start = self.at;
                    let end = self.left().find(['"', '\\', '$', '`']).unwrap_or(self.left().len());
                    self.at += end;
                    word.push_quoted(self.since(start));
                }
            }
        }
    }

    /// What starts with `$`; a `$` before anything else is only a `$`: `grep "foo$"`.
    fn dollar(&mut self, word: &mut Word, depth: usize, quoted: bool) -> Result<(), &'static str> {
        let start = self.at;
        self.bump();
        match self.peek() {
            Some('(') => {
                self.bump();
                if self.peek() == Some('(') {
                    self.balanced(depth + 1, Some('('), ')', quoted)?;
                } else {
                    self.tokens(depth + 1, true)?;
                }
            }
            Some('{') => {
                self.bump();
                self.balanced(depth + 1, None, '}', quoted)?;
            }
            Some('\'') if !quoted => return self.escaped_quote(word),
            Some('"') if !quoted => return Ok(()),
            Some(c) if c.is_ascii_alphabetic() || c == '_' => {
                let name = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
                self.at += self.left().bytes().take_while(name).count();
            }
            Some('0'..='9' | '@' | '*' | '#' | '?' | '-' | '$' | '!') => {
                self.bump();
            }
            _ if quoted => {
                word.push_quoted("$");
                return Ok(());
            }
            _ => {
                word.push_bare('$');
                return Ok(());
            }
        }
        word.push_expansion(self.since(start));
        Ok(())
    }

    /// `$'…'`: kept as written between its quotes, since nothing here needs the character an escape
    /// stands for.
    fn escaped_quote(&mut self, word: &mut Word) -> Result<(), &'static str> {
        self.bump();
        let start = self.at;
        loop {
            match self.bump().ok_or("a quote is not closed")? {
                '\\' => {
                    word.escapes = true;
                    self.bump();
                }
                '\'' => {
                    word.push_quoted(self.text.get(start..self.at - 1).unwrap_or_default());
                    return Ok(());
                }
                _ => {}
            }
        }
    }

    /// Skips to after the bracket that closes the one just passed: `${…}`, `$((…))`. Parentheses
    /// nest, braces do not.
    fn balanced(&mut self, depth: usize, open: Option<char>, close: char, quoted: bool) -> Result<(), &'static str> {
        if depth > MAX_DEPTH {
            return Err("substitutions are nested too deep");
        }
        let mut inner = Word::default();
        let mut level = 1_usize;
        loop {
            match self.peek().ok_or("a `${` or `$((` is not closed")? {
                '\\' => {
                    self.bump();
                    self.bump();
                }
                // `"${x:-it's}"`: inside double quotes a single quote is a letter.
                '\'' if !quoted => {
                    self.bump();
                    self.until_quote()?;
                }
                '"' => self.double_quoted(&mut inner, depth)?,
                '$' => self.dollar(&mut inner, depth, quoted)?,
                '`' => self.backticks(&mut inner)?,
                c => {
                    self.bump();
                    level += usize::from(Some(c) == open);
                    level -= usize::from(c == close);
                    if level == 0 {
                        return Ok(());
                    }
                }
            }
        }
    }

    fn backticks(&mut self, word: &mut Word) -> Result<(), &'static str> {
        let start = self.at;
        self.bump();
        loop {
            match self.bump().ok_or("a backtick is not closed")? {
                '\\' => {
                    self.bump();
                }
                '`' => {
                    word.push_expansion(self.since(start));
                    return Ok(());
                }
                _ => {}
            }
        }
    }
}
