//! Answers to an agent's requests: what is sent where, on servers of either kind.

use steplens_core::ask::{AskKind, AskSummary, AskSurface};

/// An answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    /// To a permission: `once`, `always`, `reject`.
    Permission(&'static str),
    /// To the questions of a form, by the harness's own labels.
    Answers(Vec<Vec<String>>),
    /// One of what a suggestion offers, by its place.
    Accept(usize),
    /// A form or a suggestion is waved away.
    Dismiss,
}

/// One try: a path and a body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Try {
    /// The route.
    pub path: String,
    /// JSON.
    pub body: String,
}

/// What to send, in the order in which it is tried: where a server does not know the first route, the next. Which is first
/// is told by the surface that the request came by; a server that has the newer routes (`is_current`) is not asked by an older
/// one for a request of theirs.
pub fn tries(ask: &AskSummary, reply: &Reply, is_current: bool) -> Vec<Try> {
    let id = segment(&ask.id);
    match reply {
        Reply::Permission(word) => {
            let new = Try { path: format!("/permission/{id}/reply"), body: format!(r#"{{"reply":"{word}"}}"#) };
            let old = ask.session.as_deref().map(|session| Try {
                path: format!("/session/{}/permissions/{id}", segment(session)),
                body: format!(r#"{{"response":"{word}"}}"#),
            });
            match ask.surface {
                AskSurface::Hook => old.into_iter().chain([new]).collect(),
                AskSurface::Bus if is_current => vec![new],
                AskSurface::Bus | AskSurface::Unknown => [new].into_iter().chain(old).collect(),
            }
        }
        Reply::Answers(answers) => {
            let list = |answer: &Vec<String>| format!("[{}]", joined(answer.iter().map(|text| string(text))));
            let body = format!(r#"{{"answers":[{}]}}"#, joined(answers.iter().map(list)));
            vec![Try { path: format!("/question/{id}/reply"), body }]
        }
        Reply::Accept(place) => {
            vec![Try { path: format!("/suggestion/{id}/accept"), body: format!(r#"{{"index":{place}}}"#) }]
        }
        Reply::Dismiss if ask.kind == AskKind::Suggestion => {
            vec![Try { path: format!("/suggestion/{id}/dismiss"), body: "{}".to_owned() }]
        }
        Reply::Dismiss => vec![Try { path: format!("/question/{id}/reject"), body: "{}".to_owned() }],
    }
}

/// What became of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sent {
    /// It is on its way.
    Sending,
    /// The server took it: in a sentence. Whether it counted, an event tells.
    Taken(&'static str),
    /// The server does not know the request any more.
    Gone,
    /// The server did not take it: why, without a full stop.
    Refused(String),
}

impl Reply {
    /// What is said once the server took it.
    pub fn taken(&self) -> &'static str {
        match self {
            Reply::Dismiss => "It was dismissed.",
            Reply::Permission("reject") => "The rejection was taken.",
            _ => "The answer was taken.",
        }
    }
}

/// Whether a request can be named in a path: browsers take some ids for steps up the path, however they are written.
pub fn has_path(ask: &AskSummary) -> bool {
    let is_step = |id: &str| matches!(id, "." | "..");
    !is_step(&ask.id) && !ask.session.as_deref().is_some_and(is_step)
}

/// A path segment: an id leads to no other route, whatever stands in it.
fn segment(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'~');
    text.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

fn joined(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(",")
}

/// A text as JSON.
fn string(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            c if c.is_control() => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(surface: AskSurface) -> AskSummary {
        AskSummary { id: "per_1/x".to_owned(), session: Some("ses_1".to_owned()), surface, ..AskSummary::default() }
    }

    #[test]
    fn the_route_of_the_requests_own_surface_comes_first() {
        let new = Try { path: "/permission/per_1%2Fx/reply".to_owned(), body: r#"{"reply":"once"}"#.to_owned() };
        let old =
            Try { path: "/session/ses_1/permissions/per_1%2Fx".to_owned(), body: r#"{"response":"once"}"#.to_owned() };
        let reply = Reply::Permission("once");
        assert_eq!(tries(&ask(AskSurface::Bus), &reply, true), std::slice::from_ref(&new));
        assert_eq!(tries(&ask(AskSurface::Bus), &reply, false), [new.clone(), old.clone()]);
        assert_eq!(tries(&ask(AskSurface::Hook), &reply, true), [old, new]);
    }

    #[test]
    fn an_id_leads_to_no_other_route() {
        let named = |id: &str| AskSummary { id: id.to_owned(), kind: AskKind::Permission, ..AskSummary::default() };
        assert!(has_path(&named("per_1")) && !has_path(&named("..")));
        assert_eq!(
            tries(&named("a/../é?#"), &Reply::Dismiss, true)[0].path,
            "/question/a%2F%2E%2E%2F%C3%A9%3F%23/reject"
        );
    }

    #[test]
    fn a_suggestion_is_answered_by_a_place() {
        let ask = AskSummary { id: "sug_1".to_owned(), kind: AskKind::Suggestion, ..AskSummary::default() };
        let sent = |reply| tries(&ask, &reply, true).into_iter().map(|one| (one.path, one.body)).collect::<Vec<_>>();
        let one = |path: &str, body: &str| [(path.to_owned(), body.to_owned())];
        assert_eq!(sent(Reply::Accept(1)), one("/suggestion/sug_1/accept", r#"{"index":1}"#));
        assert_eq!(sent(Reply::Dismiss), one("/suggestion/sug_1/dismiss", "{}"));
    }

    #[test]
    fn answers_are_the_labels_as_json() {
        let reply = Reply::Answers(vec![vec!["a \"b\"\n".to_owned()], vec![], vec!["c".to_owned(), "d".to_owned()]]);
        let tries = tries(&ask(AskSurface::Bus), &reply, true);
        assert_eq!(tries[0].body, r#"{"answers":[["a \"b\"\u000a"],[],["c","d"]]}"#);
        assert_eq!(tries[0].path, "/question/per_1%2Fx/reply");
    }
}
