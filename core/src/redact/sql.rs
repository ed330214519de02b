//! Passwords in SQL: `CREATE USER bob WITH PASSWORD '…'`, `IDENTIFIED BY '…'`.

use super::assign::{Hit, ends_string, quoted_end};
use super::blank::{is_placeholder, is_type};
use super::kind::Kind;
use super::text::{quote, run_of};

/// How far before a password the words stand that make it one.
const REACH: usize = 120;

/// The password behind the word `PASSWORD` or `BY`.
pub(super) fn password(text: &[u8], start: usize, end: usize, around: Option<usize>) -> Option<Hit> {
    let from = end + run_of(text, end, |byte| byte == b' ');
    let (opening, inside) = quote(text, from).filter(|_| from > end)?;
    if ends_string(opening, around) || opening.byte == b'`' {
        return None;
    }
    let head = text.get(start.saturating_sub(REACH)..start)?.to_ascii_lowercase();
    let holds = |wanted: &[u8]| memchr::memmem::find(&head, wanted).is_some();
    let is_by = end - start == 2;
    let fits = if is_by {
        holds(b"identified ") && (holds(b"user ") || holds(b"role ") || holds(b"grant "))
    } else {
        holds(b"user ") || holds(b"role ") || holds(b"login ")
    };
    let to = quoted_end(text, inside, opening, around, REACH);
    let value = text.get(inside..to).filter(|_| fits)?;
    let is_secret = value.len() >= 2 && !is_placeholder(value) && (is_by || !is_type(value)) && !value.contains(&b' ');
    is_secret.then_some(Hit { range: inside..to, kind: Kind::Password, quotes: None })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_statements_have_passwords() {
        let found = |text: &str| {
            let start = text.to_lowercase().rfind("password").or(text.to_lowercase().rfind("by")).unwrap();
            let end = start + if text[start..].to_lowercase().starts_with("by") { 2 } else { 8 };
            password(text.as_bytes(), start, end, None).map(|hit| text[hit.range].to_owned())
        };
        assert_eq!(found("alter role bob password 'pw'").as_deref(), Some("pw"));
        assert_eq!(found("CREATE USER b IDENTIFIED BY \"pw\"").as_deref(), Some("pw"));
        assert_eq!(found("wrong password 'pw'"), None);
        assert_eq!(found("order by 'pw'"), None);
    }
}
