//! The text of a command, cut as a POSIX shell cuts it: words, operators, redirections.
//!
//! Comments and the bodies of heredocs are skipped: nothing they hold changes what a command does
//! to files. The inside of a word is `quote`'s matter.

use super::word::Word;

/// How deep substitutions may nest. Beyond it the text is in doubt; the stack of a worker stays
/// small.
pub(super) const MAX_DEPTH: usize = 24;

/// What a redirection does with its target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Redirection {
    /// `<`
    Input,
    /// `>`, `>>`, `>|`
    Output,
    /// `&>`, `&>>`, `>& FILE`: standard output and standard error.
    OutputAndErrors,
    /// `<>`
    Both,
    /// `<<`, `<<-`, `<<<`: text that stands in the command itself.
    Here,
    /// `2>&1`, `<&3`, `>&-`: no file at all.
    Duplicate,
}

/// One redirection.
#[derive(Debug, Clone)]
pub(super) struct Redirect {
    /// The number before the operator.
    pub(super) descriptor: Option<u32>,
    /// What is done.
    pub(super) kind: Redirection,
    /// The word after the operator.
    pub(super) target: Word,
}

/// One piece of a command's text.
#[derive(Debug, Clone)]
pub(super) enum Token {
    /// A word.
    Word(Word),
    /// A redirection with its target.
    Redirect(Redirect),
    /// `&&`
    And,
    /// `||`
    Or,
    /// `|`, `|&`
    Pipe,
    /// `;`, `;;`, `&`, newline.
    Then,
    /// `(`
    Open,
    /// `)`
    Close,
}

/// Cuts `text` into tokens, or says why that cannot be done.
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, &'static str> {
    Cursor { text, at: 0 }.tokens(0, false)
}

/// A place in the text.
pub(super) struct Cursor<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
}

/// A heredoc whose body starts after the next newline.
struct Heredoc {
    delimiter: String,
    /// `<<-`: leading tabs do not count.
    strips_tabs: bool,
}

impl<'a> Cursor<'a> {
    pub(super) fn left(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.left().chars().next()
    }

    pub(super) fn bump(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Some(c)
    }

    pub(super) fn eat(&mut self, expected: &str) -> bool {
        let found = self.left().starts_with(expected);
        if found {
            self.at += expected.len();
        }
        found
    }

    pub(super) fn since(&self, start: usize) -> &'a str {
        self.text.get(start..self.at).unwrap_or_default()
    }

    /// A log from Windows ends its lines with CR LF; the CR belongs to the newline.
    pub(super) fn eat_newline(&mut self) -> bool {
        self.eat("\n") || self.eat("\r\n")
    }

    fn skip_blanks(&mut self) {
        while self.eat(" ") || self.eat("\t") || self.eat("\\\n") || self.eat("\\\r\n") {}
    }

    /// All tokens to the end of the text, or, `nested`, to the `)` that ends a substitution.
    pub(super) fn tokens(&mut self, depth: usize, nested: bool) -> Result<Vec<Token>, &'static str> {
        if depth > MAX_DEPTH {
            return Err("substitutions are nested too deep");
        }
        let mut out = Vec::new();
        let mut heredocs = Vec::new();
        let mut open = 0_usize;
        loop {
            self.skip_blanks();
            if self.eat_newline() {
                heredocs.drain(..).for_each(|heredoc: Heredoc| self.skip_body(&heredoc));
                out.push(Token::Then);
                continue;
            }
            match self.peek() {
                None if nested => return Err("a `$(` is not closed"),
                None => return Ok(out),
                Some('#') => self.at += self.left().find('\n').unwrap_or(self.left().len()),
                Some('(') => {
                    self.bump();
                    open += 1;
                    out.push(Token::Open);
                }
                Some(')') => {
                    self.bump();
                    if nested && open == 0 {
                        return Ok(out);
                    }
                    open = open.saturating_sub(1);
                    out.push(Token::Close);
                }
                Some('&' | '|' | ';') => {
                    if let Some(kind) = self.errors_too() {
                        let target = self.target(depth)?;
                        out.push(Token::Redirect(Redirect { descriptor: None, kind, target }));
                    } else {
                        out.push(self.operator());
                    }
                }
                Some(_) => match self.redirect(depth, &mut heredocs)? {
                    Some(redirect) => out.push(Token::Redirect(redirect)),
                    None => {
                        let word = self.word(depth)?;
                        let starts = !matches!(out.last(), Some(Token::Word(_)));
                        if nested && starts && word.is_reserved("case") {
                            // The `)` of its patterns would end the substitution too early.
                            return Err("a `case` stands inside a substitution");
                        }
                        out.push(Token::Word(word));
                    }
                },
            }
        }
    }

    fn errors_too(&mut self) -> Option<Redirection> {
        (self.eat("&>>") || self.eat("&>")).then_some(Redirection::OutputAndErrors)
    }

    fn operator(&mut self) -> Token {
        if self.eat("&&") {
            Token::And
        } else if self.eat("||") {
            Token::Or
        } else if self.eat("|&") || self.eat("|") {
            Token::Pipe
        } else {
            self.bump();
            Token::Then
        }
    }

    /// A redirection, with the digits that may stand before it; `None` when none starts here.
    fn redirect(&mut self, depth: usize, heredocs: &mut Vec<Heredoc>) -> Result<Option<Redirect>, &'static str> {
        let start = self.at;
        let digits = self.left().bytes().take_while(u8::is_ascii_digit).count();
        self.at += digits;
        let descriptor = self.since(start).parse().ok();
        if self.left().starts_with("<(") || self.left().starts_with(">(") {
            self.at = start;
            return Ok(None);
        }
        let strips_tabs = self.left().starts_with("<<-");
        let heredoc = strips_tabs || (self.left().starts_with("<<") && !self.left().starts_with("<<<"));
        let kind = if self.eat("<<<") || self.eat("<<-") || self.eat("<<") {
            Redirection::Here
        } else if self.eat("<&") {
            Redirection::Duplicate
        } else if self.eat("<>") {
            Redirection::Both
        } else if self.eat("<") {
            Redirection::Input
        } else if self.eat(">&") {
            Redirection::OutputAndErrors
        } else if self.eat(">>") || self.eat(">|") || self.eat(">") {
            Redirection::Output
        } else {
            self.at = start;
            return Ok(None);
        };
        let target = self.target(depth)?;
        if heredoc {
            heredocs.push(Heredoc { delimiter: target.text.clone(), strips_tabs });
        }
        // `>&` is a duplicate before a number or `-`, and a file before anything else.
        let number = target.text.trim_end_matches('-').bytes().all(|b| b.is_ascii_digit());
        let kind = if kind == Redirection::OutputAndErrors && number { Redirection::Duplicate } else { kind };
        Ok(Some(Redirect { descriptor, kind, target }))
    }

    fn target(&mut self, depth: usize) -> Result<Word, &'static str> {
        self.skip_blanks();
        let start = self.at;
        let word = self.word(depth)?;
        if self.at == start { Err("a redirection has no target") } else { Ok(word) }
    }

    /// Skips to after the line that ends a heredoc, or to the end of the text, as the shell does.
    fn skip_body(&mut self, heredoc: &Heredoc) {
        while !self.left().is_empty() {
            let line = self.left().split('\n').next().unwrap_or_default();
            self.at = (self.at + line.len() + 1).min(self.text.len());
            let line = line.strip_suffix('\r').unwrap_or(line);
            let line = if heredoc.strips_tabs { line.trim_start_matches('\t') } else { line };
            if line == heredoc.delimiter {
                return;
            }
        }
    }
}
