//! What a sign gives to a name: which of the forms it is, and what the scanner keeps of one until its value comes.

use super::assign::{self, Given, Hit};
use super::kind::Kind;
use super::name::{Named, is_of_it, named};
use super::pair::{self, Pair, Role};
use super::scan::Scanner;
use super::text::{Quote, at, before, is_quote, is_word, quote_back, run_back, run_of};
use super::value::Style;
use super::{below, call, credential, declare, foreign, nest};
use std::ops::Range;

impl Scanner<'_> {
    /// Takes a sign that may give a value to the name before it; where the search goes on.
    pub(super) fn assigned(&mut self, sign: usize) -> usize {
        let text = self.text;
        if sign < self.floor {
            return sign + 1;
        }
        let Some((name, closing)) = assign::name_before(text, sign) else { return self.foreign(sign, sign) };
        let word = text.get(name.clone()).unwrap_or_default();
        match named(word) {
            Some(named) => self.given(sign, Given { word, start: name.start, closing, named, style: None }),
            None => self.field(sign, name, closing),
        }
    }

    /// A value under a telling name.
    fn given(&mut self, sign: usize, given: Given<'_>) -> usize {
        let (text, around) = (self.text, self.strings.around());
        if let Some(hit) = assign::assigned(text, sign, &given, around) {
            return self.hit_by_name(hit);
        }
        if let Some(from) = assign::scalar_start(text, sign) {
            let name = given.start..given.start + given.word.len();
            if let Some(block) = below::scalar(text, from, name, given.named, self.strings.is_json()) {
                return self.below(sign, block);
            }
        }
        if let Some((from, bracket)) = nest::bracket(text, sign)
            && (bracket == b'[' || given.word.to_ascii_lowercase().ends_with(b"credentials"))
        {
            return self.nest(from, bracket, given.word, given.named);
        }
        self.cookies(sign)
    }

    /// A field whose own name says nothing: one of a pair, one of several below a telling name, or of a declaration.
    fn field(&mut self, sign: usize, name: Range<usize>, closing: Option<Quote>) -> usize {
        let (text, around) = (self.text, self.strings.around());
        let word = text.get(name.clone()).unwrap_or_default();
        match pair::role(word) {
            Some(Role::Name) => return self.pair_name(sign, word),
            Some(Role::Value) => {
                let pair = self.found.pair.as_ref();
                let hit = match pair.and_then(|pair| pair.value(text, &name, sign, around)) {
                    None if word.eq_ignore_ascii_case(b"value") => pair::value_first(text, &name, sign, around),
                    found => found,
                };
                if let Some(hit) = hit {
                    return self.hit_by_name(hit);
                }
            }
            None => {}
        }
        if word == b".value"
            && let Some((word, named)) = call::subject_before(text, name.start)
        {
            let given = Given { word, start: name.start, closing: None, named, style: Some(Style::Literal) };
            return assign::assigned(text, sign, &given, around).map_or(sign + 1, |hit| self.hit_by_name(hit));
        }
        if matches!(word, b"auth" | b"_auth")
            && let Some(range) = credential::login_in_base64(text, sign)
        {
            return self.hit_of(range, Kind::Basic);
        }
        if let Some((named, end)) = self.nest {
            let is_within = sign < end && !is_of_it(word);
            let given = Given { word, start: name.start, closing, named, style: Some(Style::Literal) };
            if let Some(hit) = assign::assigned(text, sign, &given, around).filter(|_| is_within) {
                return self.hit_by_name(hit);
            }
        }
        if let Some((from, bracket)) = nest::bracket(text, sign)
            && let Some(named) = nest::plural(word)
        {
            return self.nest(from, bracket, word, named);
        }
        if let Some(name) = declare::before_type(text, &name)
            && let Some(named) = text.get(name.clone()).and_then(named)
        {
            let word = text.get(name.clone()).unwrap_or_default();
            return self.given(sign, Given { word, start: name.start, closing: None, named, style: None });
        }
        if before(text, name.start).is_some_and(|byte| byte >= 0x80) || word.ends_with(b"passe") {
            return self.foreign(sign, sign);
        }
        self.cookies(sign)
    }

    fn arrow(&mut self, sign: usize) -> usize {
        let text = self.text;
        let Some((name, closing)) = assign::name_before(text, sign - 1).filter(|_| sign >= self.floor) else {
            return sign + 1;
        };
        let word = text.get(name.clone()).unwrap_or_default();
        match named(word) {
            Some(named) => {
                self.given(sign, Given { word, start: name.start, closing, named, style: Some(Style::Literal) })
            }
            None => sign + 1,
        }
    }

    fn pair_name(&mut self, sign: usize, role: &[u8]) -> usize {
        let (text, around) = (self.text, self.strings.around());
        let Some(name) = pair::name(text, sign, role, around) else {
            // The type of a field says more than its name.
            if !role.eq_ignore_ascii_case(b"type") {
                self.found.pair = self.found.pair.take().filter(|pair| pair.is_type);
            }
            return sign + 1;
        };
        if let Some(hit) = pair::content(text, &name, around) {
            return self.hit_by_name(hit);
        }
        if let Some(block) = below::field(text, name.end, name.range.clone(), name.named, self.strings.is_json()) {
            return self.below(sign, block);
        }
        self.found.pair = Some(Pair::new(text, role, &name));
        sign + 1
    }

    /// What stands on the lines below a name.
    fn below(&mut self, sign: usize, block: below::Block) -> usize {
        let kind = block.kind;
        self.found.open = block.open;
        block.parts.into_iter().fold(sign + 1, |_, part| self.hit_by_name(Hit { range: part, kind, quotes: None }))
    }

    fn nest(&mut self, from: usize, bracket: u8, word: &[u8], named: Named) -> usize {
        if bracket == b'{' {
            self.nest = nest::object_end(self.text, from + 1).map(|end| (named, end));
            return from + 1;
        }
        let hits = nest::list(self.text, from + 1, word, named, self.strings.around());
        hits.into_iter().fold(from + 1, |_, hit| self.hit_by_name(hit))
    }

    /// A name in another language before a sign; a wide one ends behind where it begins.
    pub(super) fn foreign(&mut self, sign: usize, last: usize) -> usize {
        let text = self.text;
        let end = sign - run_back(text, sign, 4, |byte| byte == b' ');
        let (end, closing) = quote_back(text, end).map_or((end, None), |(quote, start)| (start, Some(quote)));
        if let Some((name, named)) = foreign::named(text, end) {
            let word = text.get(name.clone()).unwrap_or_default();
            return self.given(last, Given { word, start: name.start, closing, named, style: None });
        }
        let Some((name, closing)) = assign::name_before(text, sign).filter(|_| last > sign) else { return last + 1 };
        let word = text.get(name.clone()).unwrap_or_default();
        match named(word) {
            Some(named) => self.given(last, Given { word, start: name.start, closing, named, style: None }),
            None => last + 1,
        }
    }

    fn cookies(&mut self, sign: usize) -> usize {
        if matches!(before(self.text, sign), Some(b'e' | b'E' | b'"' | b'\'' | b' ' | b']')) {
            let mut found = Vec::new();
            credential::cookies(self.text, sign, |range| found.push(range));
            for range in found {
                self.hit_of(range, Kind::Cookie);
            }
        }
        sign + 1
    }

    /// The end of a tag of XML: `<password>`, `<password id="1">`, `<key>`.
    pub(super) fn tag(&mut self, here: usize) -> usize {
        let text = self.text;
        let len = run_back(text, here, 80, |byte| is_word(byte) || byte == b'.');
        let start = here - len;
        // A namespace may stand before the name.
        let prefix = if before(text, start) == Some(b':') { 1 + run_back(text, start - 1, 24, is_word) } else { 0 };
        if len > 0 && before(text, start - prefix) == Some(b'<') {
            if text.get(start..here) == Some(b"key")
                && let Some(hit) = pair::property(text, here, self.strings.around())
            {
                return self.hit_by_name(hit);
            }
            return self.assigned(here);
        }
        if before(text, here) == Some(b'-') {
            // `password -> …`
            return self.arrow(here);
        }
        if len > 0 || here < self.floor || !before(text, here).is_some_and(is_quote) {
            return here + 1;
        }
        // Attributes stand between.
        let len = run_back(text, here, 160, |byte| !matches!(byte, b'<' | b'>'));
        let start = here - len;
        let prefix = run_of(text, start, is_word);
        let from = if at(text, start + prefix) == Some(b':') { start + prefix + 1 } else { start };
        let name = from..from + run_of(text, from, |byte| is_word(byte) || byte == b'.');
        let word = text.get(name.clone()).unwrap_or_default();
        match named(word) {
            Some(named) if before(text, start) == Some(b'<') => {
                let style = Some(Style::Literal);
                self.given(here, Given { word, start: name.start, closing: None, named, style })
            }
            _ => here + 1,
        }
    }
}
