//! The index page of a site: a table of runs, without scripts.

use super::GENERATOR;
use crate::export::page::{attribute, hash_source};
use crate::figure::{duration, grouped};
use crate::money::PicoUsd;
use crate::summary::{Summary, VerdictState};
use crate::text::plain::one_line;

const STYLE: &str = include_str!("index.css");

/// How many verdicts of one log are told apart.
const VERDICTS: usize = 3;

/// One run, as it stands in the table.
#[derive(Debug, Clone)]
pub struct Run {
    name: String,
    link: String,
    titles: Vec<String>,
    verdicts: Vec<(VerdictState, String)>,
    more: usize,
    cost: String,
    cost_note: &'static str,
    calls: String,
    failed: u64,
    rejected: u64,
    tokens: String,
    duration: String,
    started: Option<String>,
}

impl Run {
    /// Of the summary of a log: of what was written, as titles and reasons of the log stand in it. `link` is where it opens,
    /// relative to the index.
    pub fn new(name: &str, link: &str, summary: &Summary) -> Run {
        let total = &summary.total;
        // Those of subagents are their parents' to tell.
        let is_there = |parent: &String| summary.sessions.iter().any(|session| session.id.as_ref() == Some(parent));
        let roots = summary.sessions.iter().filter(|session| !session.parent.as_ref().is_some_and(is_there));
        let roots: Vec<_> = roots.collect();
        let verdicts = roots.iter().take(VERDICTS);
        let (cost, cost_note) = match (total.cost.reported_usd, total.cost.list_usd) {
            (Some(reported), _) => {
                (money(reported), if total.cost.partial { "reported, at least" } else { "reported" })
            }
            (None, Some(list)) => (money(list), "derived from list prices"),
            (None, None) => (unknown(), ""),
        };
        Run {
            name: name.to_owned(),
            link: link.to_owned(),
            titles: roots.iter().filter_map(|session| session.title.clone()).take(VERDICTS).collect(),
            verdicts: verdicts.map(|session| (session.verdict.state, session.verdict.reason.clone())).collect(),
            more: roots.len().saturating_sub(VERDICTS),
            cost,
            cost_note,
            calls: grouped(total.calls),
            failed: total.failed_calls,
            rejected: total.rejected_calls,
            tokens: total.tokens.total.map_or_else(unknown, grouped),
            duration: total.duration_ms.map_or_else(unknown, duration),
            started: total.started_at.clone(),
        }
    }

    fn row(&self) -> String {
        let titles: String =
            self.titles.iter().map(|title| format!("<span class=\"title\">{}</span>", text(title))).collect();
        let mut verdicts: String = self
            .verdicts
            .iter()
            .map(|(state, reason)| {
                let name = state.name();
                format!("<span class=\"verdict {name}\">{name}</span> <span class=\"note\">{}</span>", text(reason))
            })
            .collect::<Vec<_>>()
            .join("<br>");
        if self.more > 0 {
            verdicts.push_str(&format!("<br><span class=\"note\">and {} more runs in this log</span>", self.more));
        }
        let failed = match (self.failed, self.rejected) {
            (0, 0) => "0".to_owned(),
            (failed, 0) => format!("<strong>{}</strong>", grouped(failed)),
            (failed, rejected) => {
                let failed = if failed == 0 { "0".to_owned() } else { format!("<strong>{}</strong>", grouped(failed)) };
                format!("{failed} <span class=\"note\">and {} rejected</span>", grouped(rejected))
            }
        };
        let started = match &self.started {
            Some(time) => {
                let shown = time.get(..16).unwrap_or(time).replace('T', " ");
                format!("<time datetime=\"{}\">{} UTC</time>", attribute(time), text(&shown))
            }
            None => unknown(),
        };
        let cells = [
            ("Outcome", "", verdicts),
            ("Cost", " class=\"number\"", note(&self.cost, self.cost_note)),
            ("Tokens", " class=\"number\"", self.tokens.clone()),
            ("Calls", " class=\"number\"", self.calls.clone()),
            ("Failed", " class=\"number\"", failed),
            ("Duration", " class=\"number\"", self.duration.clone()),
            ("Started", "", started),
        ];
        let cells: String =
            cells.iter().map(|(name, class, cell)| format!("<td{class} data-name=\"{name}\">{cell}</td>\n")).collect();
        format!(
            "<tr>\n<th scope=\"row\"><a href=\"{}\">{}</a>{titles}</th>\n{cells}</tr>\n",
            attribute(&self.link),
            text(&self.name)
        )
    }
}

fn unknown() -> String {
    "unknown".to_owned()
}

/// Dollars of a document as the exact amount that they stand for.
fn money(usd: f64) -> String {
    PicoUsd::parse(&usd.to_string()).map_or_else(unknown, |usd| usd.to_string())
}

fn note(figure: &str, note: &str) -> String {
    if note.is_empty() { figure.to_owned() } else { format!("{figure} <span class=\"note\">{note}</span>") }
}

/// Text of a log: it can end no element, and what cannot be seen in it is shown.
fn text(text: &str) -> String {
    attribute(&one_line(text))
}

/// The page, as HTML: without scripts, and with a policy of its own.
pub fn page(title: &str, runs: &[Run]) -> String {
    let rows: String = runs.iter().map(Run::row).collect();
    let title = text(title);
    let heads = ["Run", "Outcome", "Cost", "Tokens", "Calls", "Failed", "Duration", "Started"];
    let heads: String = heads
        .iter()
        .map(|head| {
            let is_number = ["Cost", "Tokens", "Calls", "Failed", "Duration"].contains(head);
            format!("<th scope=\"col\"{}>{head}</th>", if is_number { " class=\"number\"" } else { "" })
        })
        .collect();
    let policy = format!(
        "default-src 'none'; style-src {}; img-src 'self'; base-uri 'none'; form-action 'none'",
        hash_source(STYLE)
    );
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"referrer\" content=\"no-referrer\">\n\
         {GENERATOR}\n<link rel=\"icon\" href=\"viewer/icon.svg\">\n<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n\
         <p>What coding agents did, run by run. A run opens in Steplens, in your browser: nothing is uploaded.</p>\n\
         <div class=\"frame\"><table>\n<thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table></div>\n\
         </main>\n</body>\n</html>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_cannot_write_into_the_page() {
        let mut summary = Summary::default();
        summary.sessions.push(Default::default());
        let session = &mut summary.sessions[0];
        session.title = Some("<script>alert(1)</script>".to_owned());
        session.verdict.reason = "\"><img src=x>".to_owned();
        let page = page("a & b", &[Run::new("run.jsonl", "viewer/#v=1&log=../logs/run.jsonl", &summary)]);
        assert!(!page.contains("<script") && !page.contains("<img"), "{page}");
        assert!(page.contains("&#60;script&#62;alert(1)&#60;/script&#62;") && page.contains("<h1>a &#38; b</h1>"));
        assert!(page.contains("<a href=\"viewer/#v=1&#38;log=../logs/run.jsonl\">run.jsonl</a>"), "{page}");
        assert!(page.contains(">unknown</td>"), "a cost that nobody reports is unknown: {page}");
    }
}
