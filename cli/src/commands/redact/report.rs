//! What was found: by kind, each with its line and its neighbours. No secret stands in a report.

use crate::args::Report;
use crate::commands::json_document;
use crate::commands::table::{Side, layout};
use crate::error::Error;
use crate::input;
use crate::style::{BOLD, DIM, RESET, WARN, one_line};
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};
use std::io::{self, Write};
use std::path::Path;
use steplens_core::redact::{Finding, Kind, Kinds, pointer};

/// How much of a line is shown beside a secret.
const REACH: usize = 32;
/// How many findings are listed; all are counted.
const LISTED: usize = 10_000;
/// How many of a kind a text shows.
const SHOWN: usize = 20;

/// What was found in a log.
pub(super) struct Found {
    file: String,
    kinds: Kinds,
    /// Whether findings are kept, or only counted.
    keep: bool,
    counts: BTreeMap<Kind, Count>,
    numbers: HashMap<u64, u64>,
    listed: Vec<Listed>,
    total: u64,
}

#[derive(Debug, Default)]
struct Count {
    places: u64,
    secrets: u64,
}

/// One finding, as it is reported.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Listed {
    id: String,
    kind: &'static str,
    /// Equal secrets have the same number.
    secret: u64,
    line: u64,
    /// Bytes before it on the line, and its own.
    offset: u64,
    length: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pointer: Option<String>,
    mask: String,
    before: String,
    after: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Document<'a> {
    file: &'a str,
    total: u64,
    kinds: Vec<KindRow>,
    looked_for: Vec<&'static str>,
    findings: &'a [Listed],
    /// Findings beyond those listed.
    not_listed: u64,
}

#[derive(Serialize)]
struct KindRow {
    kind: &'static str,
    group: &'static str,
    places: u64,
    secrets: u64,
}

impl Found {
    pub(super) fn new(file: &Path, kinds: Kinds, keep: bool) -> Found {
        Found {
            file: input::named(file),
            kinds,
            keep,
            counts: BTreeMap::new(),
            numbers: HashMap::new(),
            listed: Vec::new(),
            total: 0,
        }
    }

    /// Notes a finding on its line. All are masked.
    pub(super) fn note(&mut self, finding: &Finding, line: &[u8]) -> bool {
        let next = self.numbers.len() as u64 + 1;
        let number = *self.numbers.entry(finding.secret).or_insert(next);
        let count = self.counts.entry(finding.kind).or_default();
        count.places += 1;
        count.secrets += u64::from(number == next);
        self.total += 1;
        if self.keep && self.listed.len() < LISTED {
            let excerpt = finding.excerpt(line, REACH);
            let mut before = excerpt.before.into_owned();
            if let Some(last) = self.listed.last_mut().filter(|last| last.line == finding.line) {
                // The neighbours are shown as they are written: a secret beside this one is masked in them too.
                let end = (last.offset + last.length) as usize;
                let between = String::from_utf8_lossy(line.get(end..finding.range.start).unwrap_or_default());
                if between.len() < REACH {
                    before = format!("{}{}{between}", last.before, last.mask);
                    last.after = format!("{between}{}", finding.mask);
                }
            }
            self.listed.push(Listed {
                id: finding.id().to_string(),
                kind: finding.kind.name(),
                secret: number,
                line: finding.line,
                offset: finding.range.start as u64,
                length: finding.range.len() as u64,
                pointer: pointer(line, finding.range.start),
                mask: finding.mask.clone(),
                before,
                after: excerpt.after.into_owned(),
            });
        }
        true
    }

    /// In a sentence.
    pub(super) fn in_short(&self) -> String {
        if self.total == 0 {
            return format!("nothing found to mask in {}", self.file);
        }
        let kinds = self.counts.iter().map(|(kind, count)| format!("{} {kind}", count.places));
        format!("masked in {}: {}", self.file, kinds.collect::<Vec<_>>().join(", "))
    }

    pub(super) fn write(&self, out: &mut dyn Write, format: Report) -> Result<(), Error> {
        match format {
            Report::Text => self.text(out)?,
            Report::Json => writeln!(out, "{}", json_document(&self.document())?)?,
        }
        Ok(())
    }

    fn document(&self) -> Document<'_> {
        let row = |(kind, count): (&Kind, &Count)| KindRow {
            kind: kind.name(),
            group: kind.group().name(),
            places: count.places,
            secrets: count.secrets,
        };
        Document {
            file: &self.file,
            total: self.total,
            kinds: self.counts.iter().map(row).collect(),
            looked_for: self.kinds.iter().map(Kind::name).collect(),
            findings: &self.listed,
            not_listed: self.total - self.listed.len() as u64,
        }
    }

    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let file = one_line(&self.file);
        let looked: Vec<&str> = self.kinds.iter().map(Kind::name).collect();
        let looked = match looked.as_slice() {
            [] => "nothing was looked for: all kinds were left out".to_owned(),
            kinds => format!("looked for: {}", kinds.join(", ")),
        };
        if self.total == 0 {
            writeln!(out, "{BOLD}{file}{RESET}: nothing found")?;
            return writeln!(out, "{DIM}{looked}{RESET}");
        }
        writeln!(out, "{BOLD}{file}{RESET}: {} to mask", places(self.total))?;
        for (kind, count) in &self.counts {
            writeln!(out)?;
            let secrets =
                if count.secrets == 1 { "all the same".to_owned() } else { format!("{} different", count.secrets) };
            let many = if count.places > 1 { format!(", {secrets}") } else { String::new() };
            writeln!(out, "{BOLD}{kind}{RESET}  {}{many}  {DIM}{}{RESET}", places(count.places), kind.about())?;
            let of_kind = || self.listed.iter().filter(|listed| listed.kind == kind.name());
            let rows: Vec<Vec<String>> = of_kind()
                .take(SHOWN)
                .map(|listed| {
                    let text = format!("{}{WARN}{}{RESET}{}", shown(&listed.before), listed.mask, shown(&listed.after));
                    vec![format!("  line {}", listed.line), text]
                })
                .collect();
            for line in layout(&[Side::Left, Side::Left], &rows) {
                writeln!(out, "{line}")?;
            }
            if count.places > rows.len() as u64 {
                writeln!(out, "  {DIM}and {} more{RESET}", count.places - rows.len() as u64)?;
            }
        }
        writeln!(out)?;
        writeln!(out, "{DIM}{looked}{RESET}")
    }
}

fn shown(text: &str) -> String {
    one_line(text)
}

fn places(count: u64) -> String {
    if count == 1 { "1 place".to_owned() } else { format!("{count} places") }
}
