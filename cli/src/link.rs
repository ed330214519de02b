//! The fragment of the page's address, as the page reads it: `v=1&d=kilo&e=61`. How a run was asked to be read goes with it.

use crate::args::{Common, Dialect};
use crate::error::Error;
use crate::input::Opened;
use crate::leave::Leaving;
use crate::{setup, style};
use steplens_core::share::percent::encode;

/// The options of a run as the page is told of them: dialect, extensions, model, session, rules. What holds
/// a text that is masked stays behind, and is said.
///
/// # Errors
/// The rules cannot be used.
pub(crate) fn options(common: &Common, leaving: &Leaving) -> Result<Vec<(&'static str, String)>, Error> {
    let may_leave = |option: &str, text: &str| {
        let may = leaving.may_leave(text);
        if !may && !common.quiet {
            style::note(&format!("`{option}` holds what is masked, and does not go along"));
        }
        may
    };
    let mut pairs = Vec::new();
    match common.dialect {
        Dialect::Auto => {}
        Dialect::Kilo => pairs.push(("d", "kilo".to_owned())),
        Dialect::Opencode => pairs.push(("d", "opencode".to_owned())),
    }
    if let Some(session) = common.session.as_ref().filter(|session| may_leave("--session", session)) {
        pairs.push(("f", format!("session:{}", encode(session).replace(',', "%2C"))));
    }
    if let Some(model) = common.model.as_ref().filter(|model| may_leave("--model", model)) {
        pairs.push(("m", model.clone()));
    }
    if common.extensions {
        pairs.push(("x", "1".to_owned()));
    }
    if let Some(text) = setup::rules_text(common)?.filter(|text| may_leave("--rules", text)) {
        pairs.push(("rules", steplens_core::share::codec::pack(text.as_bytes())));
    }
    Ok(pairs)
}

/// # Errors
/// There are prices, which a link cannot hold.
pub(crate) fn check(common: &Common) -> Result<(), Error> {
    if common.prices.is_some() {
        let why = "`--prices` cannot go with the page: choose them there, under Tokens & cost, or name a `--model`";
        return Err(Error::Usage(why.to_owned()));
    }
    Ok(())
}

/// # Errors
/// No record begins on that line of the first log: a link to it would open at nothing.
pub(crate) fn check_line(line: Option<u64>, opened: &Opened) -> Result<(), Error> {
    let run = &opened.run;
    match line {
        Some(line) if run.records_on_line(0, line).is_empty() => {
            let name = run.summary().files.into_iter().next().map(|file| file.name).unwrap_or_default();
            Err(Error::Usage(format!("`--line {line}`: no record of {name} begins on that line")))
        }
        _ => Ok(()),
    }
}

/// The pairs as a fragment, without `#`; empty where there are none.
pub(crate) fn fragment(pairs: &[(&str, String)]) -> String {
    if pairs.is_empty() {
        return String::new();
    }
    let pairs = pairs.iter().map(|(key, value)| format!("&{key}={}", encode(value)));
    format!("v=1{}", pairs.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fragment_is_as_the_page_writes_it() {
        assert_eq!(fragment(&[]), "");
        let pairs = [("log", "../logs/a b.jsonl".to_owned()), ("f", "session:a%2Cb".to_owned())];
        assert_eq!(fragment(&pairs), "v=1&log=../logs/a%20b.jsonl&f=session:a%252Cb");
    }
}
