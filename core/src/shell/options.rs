//! Options told from operands, as `getopt_long` tells them: options may follow operands, short ones
//! share a word, and one that takes a value takes the rest of its word or the next word.

use super::word::Word;

/// Which options of a program take a value. All others are switches, known or not.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Spec {
    /// Letters of short options that take a value.
    pub(super) short: &'static str,
    /// Letters of short options that take a number, if one follows: `ag -A 3`, `ag -A`.
    pub(super) number: &'static str,
    /// Names of long options that take a value from the next word when they have no `=`; between
    /// spaces.
    pub(super) long: &'static str,
}

/// Whether `name` is one of the names in `list`, which stand between spaces: long tables stay
/// readable that way.
pub(super) fn listed(list: &str, name: &str) -> bool {
    list.split_ascii_whitespace().any(|listed| listed == name)
}

/// The operands and options of one command.
#[derive(Debug, Default)]
pub(super) struct Arguments<'a> {
    /// Words that are no options nor values of them.
    pub(super) operands: Vec<&'a Word>,
    /// How many operands stood before `--`, where there was one.
    pub(super) before_dashes: Option<usize>,
    /// Option names without dashes, each with its value; `-40` is the option `#` with the value 40.
    options: Vec<(String, Option<Word>)>,
}

impl<'a> Arguments<'a> {
    /// Reads `words`, which do not hold the command itself.
    pub(super) fn read(words: &'a [Word], spec: &Spec) -> Arguments<'a> {
        let mut out = Arguments::default();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            if let Some(name) = word.text.strip_prefix("--") {
                if name.is_empty() {
                    out.before_dashes = Some(out.operands.len());
                    out.operands.extend(words.by_ref());
                } else if let Some((name, _)) = name.split_once('=') {
                    out.options.push((name.to_owned(), Some(word.after(name.len() + 3))));
                } else {
                    let value = if listed(spec.long, name) { words.next().cloned() } else { None };
                    out.options.push((name.to_owned(), value));
                }
            } else if let Some(letters) = word.text.strip_prefix('-').filter(|letters| !letters.is_empty()) {
                if letters.bytes().all(|b| b.is_ascii_digit()) {
                    out.options.push(("#".to_owned(), Some(word.after(1))));
                } else {
                    out.cluster(word, letters, spec, &mut words);
                }
            } else {
                out.operands.push(word);
            }
        }
        out
    }

    /// One word of short options: `-rnA3`.
    fn cluster(&mut self, word: &Word, letters: &str, spec: &Spec, words: &mut std::slice::Iter<'a, Word>) {
        for (at, letter) in letters.char_indices() {
            let end = at + letter.len_utf8();
            let rest = letters.get(end..).unwrap_or_default();
            let attached = || word.after(end + 1);
            let name = letter.to_string();
            if spec.short.contains(letter) {
                let value = if rest.is_empty() { words.next().cloned() } else { Some(attached()) };
                self.options.push((name, value));
                return;
            }
            if spec.number.contains(letter) {
                let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
                if is_number(rest) {
                    self.options.push((name, Some(attached())));
                    return;
                }
                let value = words.as_slice().first().filter(|next| rest.is_empty() && is_number(&next.text));
                if value.is_some() {
                    words.next();
                }
                self.options.push((name, value.cloned()));
                continue;
            }
            self.options.push((name, None));
        }
    }

    /// Whether one of `names` was given.
    pub(super) fn has(&self, names: &[&str]) -> bool {
        self.options.iter().any(|(name, _)| names.contains(&name.as_str()))
    }

    /// The values of `names`, in order.
    pub(super) fn values<'s>(&'s self, names: &'s [&str]) -> impl Iterator<Item = &'s Word> {
        let named = self.options.iter().filter(|(name, _)| names.contains(&name.as_str()));
        named.filter_map(|(_, value)| value.as_ref())
    }

    /// The options in order: name, and value where it has one.
    pub(super) fn options(&self) -> impl Iterator<Item = (&str, Option<&Word>)> {
        self.options.iter().map(|(name, value)| (name.as_str(), value.as_ref()))
    }
}
