//! Tokens, made into a list of simple commands.

use super::token::{Redirect, Token};
use super::word::Word;

/// How many groups around a whole command are opened: `( { cat f; } )`.
const MAX_GROUPS: usize = 4;

/// What stands between a simple command and the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Joint {
    /// Nothing: it is the first.
    Start,
    /// `&&`
    And,
    /// `||`
    Or,
    /// `|`
    Pipe,
    /// `;`, `&`, a newline, or the end of a group.
    Then,
}

/// One simple command: words and redirections, no operators.
#[derive(Debug, Clone)]
pub(super) struct Simple {
    /// How it is joined to the one before.
    pub(super) joint: Joint,
    /// Command and operands.
    pub(super) words: Vec<Word>,
    /// Redirections, which are never operands.
    pub(super) redirects: Vec<Redirect>,
}

impl Simple {
    fn new(joint: Joint) -> Simple {
        Simple { joint, words: Vec::new(), redirects: Vec::new() }
    }

    fn is_empty(&self) -> bool {
        self.words.is_empty() && self.redirects.is_empty()
    }
}

/// The simple commands of `tokens`, in order; an error where the first stands in a group that is
/// not the whole.
///
/// Groups and compound commands are not kept: whoever looks at a later command only asks what it
/// may do, not when it runs.
pub(super) fn commands(tokens: &[Token]) -> Result<Vec<Simple>, &'static str> {
    let mut out = Vec::new();
    let mut current = Simple::new(Joint::Start);
    for token in ungrouped(tokens) {
        match token {
            Token::Word(word) => current.words.push(word.clone()),
            Token::Redirect(redirect) => current.redirects.push(redirect.clone()),
            Token::Open if !current.is_empty() => {
                return Err("a `(` after a word: a function, an array or a pattern");
            }
            Token::Open if out.is_empty() => return Err("it starts with a group"),
            Token::Open => {}
            Token::And => finish(&mut out, &mut current, Joint::And),
            Token::Or => finish(&mut out, &mut current, Joint::Or),
            Token::Pipe => finish(&mut out, &mut current, Joint::Pipe),
            Token::Then | Token::Close => finish(&mut out, &mut current, Joint::Then),
        }
    }
    finish(&mut out, &mut current, Joint::Then);
    Ok(out)
}

fn finish(out: &mut Vec<Simple>, current: &mut Simple, joint: Joint) {
    if !current.is_empty() {
        out.push(std::mem::replace(current, Simple::new(joint)));
    } else if joint != Joint::Then && !out.is_empty() {
        // A newline after `&&` or `|` changes nothing; `) &&` does.
        current.joint = joint;
    }
}

/// The tokens without blank ends and without a group around the whole: `(cd a && cat f)`.
fn ungrouped(mut tokens: &[Token]) -> &[Token] {
    for _ in 0..MAX_GROUPS {
        while let [Token::Then, inner @ ..] | [inner @ .., Token::Then] = tokens {
            tokens = inner;
        }
        match tokens {
            [Token::Open, inner @ .., Token::Close] if is_balanced(inner) => tokens = inner,
            [Token::Word(open), inner @ .., Token::Then, Token::Word(close)]
                if open.is_reserved("{") && close.is_reserved("}") && !inner.iter().any(is_brace) =>
            {
                tokens = inner;
            }
            _ => break,
        }
    }
    tokens
}

/// Whether no `)` in `tokens` closes a `(` before them.
fn is_balanced(tokens: &[Token]) -> bool {
    let mut open = 0_usize;
    tokens.iter().all(|token| match token {
        Token::Open => {
            open += 1;
            true
        }
        Token::Close => open.checked_sub(1).inspect(|left| open = *left).is_some(),
        _ => true,
    })
}

fn is_brace(token: &Token) -> bool {
    matches!(token, Token::Word(word) if word.is_reserved("{") || word.is_reserved("}"))
}
