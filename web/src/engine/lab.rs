//! The lab: maps what is open again under a user's rules, and says what changed against the built-in ones.
//!
//! The files are read again, slice by slice, into a run of their own; until that is whole the one before is shown.

use steplens_core::fixture;
use steplens_core::redact::{self, Kinds};
use steplens_core::rules::{Dialect, RuleError, Rules};
use steplens_core::run::{DialectChoice, Options, Prints, Run};

use super::find;
use super::protocol::{Fault, Laid, LineTried, OpenFile, Phase};
use super::reader::{self, Slices};
use super::session::{Emit, Shared, now};

/// What the lab keeps of an opening.
#[derive(Debug, Default)]
pub struct Lab {
    /// Counts mappings, so that an earlier one knows itself as such.
    number: u32,
    /// The rules that are laid over; empty is none.
    text: String,
    /// What the built-in rules give, under the dialect that is chosen.
    before: Option<Prints>,
    /// Counts mappings that took the place of the one before: ids of events mean nothing in another.
    pub(super) edition: u32,
    /// How many mappings are under way.
    pub(super) under_way: u32,
}

impl Lab {
    /// Files come to those that are open: a mapping that is under way lacks them.
    pub(super) fn interrupt(&mut self) {
        self.number = self.number.wrapping_add(1);
        self.before = None;
    }

    /// The records are read by another dialect: what was known of them before is no measure.
    pub fn forget(&mut self) {
        self.before = None;
    }
}

/// Why a text is no table of rules.
fn fault(error: &RuleError) -> Fault {
    Fault { line: error.line, column: error.column, message: error.message.clone() }
}

fn rules_of(text: &str, extensions: bool) -> Result<Rules, Fault> {
    let overlay = (!text.trim().is_empty()).then_some(("rules", text));
    Rules::with(extensions, overlay).map_err(|error| fault(&error))
}

/// Lays rules over the built-in ones; an empty text takes them away.
///
/// A log that is open stays one: rules under which no record is read are not taken. One that was refused is shown only if
/// `shows` says so.
pub async fn lay(session: &Shared, text: String, shows: bool, emit: &Emit) -> Laid {
    session.borrow_mut().lab.under_way += 1;
    let laid = laid(session, text, shows, emit).await;
    {
        let lab = &mut session.borrow_mut().lab;
        // Another opening may have begun to count anew.
        lab.under_way = lab.under_way.saturating_sub(1);
    }
    if matches!(laid, Laid::Done { .. }) {
        find::go_on(session.clone(), emit.clone()).await;
    }
    laid
}

async fn laid(session: &Shared, text: String, shows: bool, emit: &Emit) -> Laid {
    let extensions = session.borrow().extensions;
    let (rules, plain) = match (rules_of(&text, extensions), rules_of("", extensions)) {
        (Ok(rules), Ok(plain)) => (rules, plain),
        (Err(fault), _) | (_, Err(fault)) => return Laid::Wrong(fault),
    };
    let (number, needs_before) = {
        let mut this = session.borrow_mut();
        this.lab.number = this.lab.number.wrapping_add(1);
        if *this.phase() == Phase::Reading {
            return Laid::Superseded;
        }
        if this.lab.before.is_none() && this.lab.text.trim().is_empty() {
            this.lab.before = Some(this.run.prints());
        }
        (this.lab.number, this.lab.before.is_none())
    };
    if needs_before {
        match again(session, number, plain).await {
            Ok(Some(run)) => session.borrow_mut().lab.before = Some(run.prints()),
            Ok(None) => return Laid::Superseded,
            Err((file, error)) => return Laid::Unreadable { file, error },
        }
    }
    let began = now();
    let mut run = match again(session, number, rules).await {
        Ok(Some(run)) => run,
        Ok(None) => return Laid::Superseded,
        Err((file, error)) => return Laid::Unreadable { file, error },
    };
    match (session.borrow().run.recognised(), run.recognised()) {
        (true, false) => return Laid::NoneRead,
        (false, true) if !shows => {
            let records = run.summary().records;
            return Laid::Reads(records.total.saturating_sub(records.unknown));
        }
        _ => {}
    }
    let changes = {
        let mut this = session.borrow_mut();
        let this = &mut *this;
        let changes = this.lab.before.as_ref().map(|before| run.compare(before)).unwrap_or_default();
        run.settle(&this.run);
        this.run = run;
        this.lab.text = text;
        this.lab.edition = this.lab.edition.wrapping_add(1);
        this.find = this.find.again();
        emit(&this.remapped());
        changes
    };
    let took_ms = now() - began;
    Laid::Done { changes: Box::new(changes), took_ms }
}

/// Reads all files again under other rules; none where another mapping or opening took over.
async fn again(session: &Shared, number: u32, rules: Rules) -> Result<Option<Run>, (String, String)> {
    let (mut run, files): (Run, Vec<OpenFile>) = {
        let this = session.borrow();
        (Run::new(Options { rules, ..this.run.options() }), this.files().to_vec())
    };
    for file in files {
        run.begin_file(&file.name);
        let mut slices = Slices::new(file.blob);
        loop {
            let slice = slices.next().await;
            if session.borrow().lab.number != number {
                return Ok(None);
            }
            match slice {
                Ok(Some(bytes)) => run.push(bytes),
                Ok(None) => break,
                Err(error) => return Err((file.name, error)),
            }
        }
        run.end_file();
    }
    Ok(Some(run))
}

/// Maps a few lines alone, as the open log is mapped.
pub fn try_lines(session: &Shared, lines: &str, rules: &str, dialect: DialectChoice) -> Result<LineTried, Fault> {
    let (extensions, of_log) = {
        let this = session.borrow();
        (this.extensions, this.run.one_dialect())
    };
    let dialect = match (dialect, of_log) {
        (DialectChoice::Auto, Some(Dialect::Kilo)) => DialectChoice::Kilo,
        (DialectChoice::Auto, Some(Dialect::OpenCode)) => DialectChoice::OpenCode,
        (dialect, _) => dialect,
    };
    let options = Options { dialect, rules: rules_of(rules, extensions)?, ..Options::default() };
    let plain = Options { dialect, rules: rules_of("", extensions)?, ..Options::default() };
    let before = fixture::events("line.jsonl", lines.as_bytes(), plain);
    let (log, secrets) = masked(lines);
    // All that leaves is made from the masked lines: an explanation quotes values, too.
    let kept = Run::tried("line.jsonl", log.as_bytes(), options.clone());
    let why: String = kept.explanations.iter().map(ToString::to_string).collect();
    let tried = Run::tried("line.jsonl", lines.as_bytes(), options);
    let (why, rules) = (masked(&why).0, masked(rules).0);
    Ok(LineTried { tried, before, log, kept: kept.events, why, rules, dialect, extensions, secrets })
}

/// A text with its secrets masked, and how many there were.
pub fn masked(text: &str) -> (String, u64) {
    let (masked, found) = redact::text(text, Kinds::default());
    (masked, found.len() as u64)
}

/// The text of a line of a file, as it stands.
pub async fn line_text(session: &Shared, file: u32, line: u64) -> Option<String> {
    let (blob, span) = {
        let this = session.borrow();
        let record = *this.run.records_on_line(file, line).first()?;
        (this.blob(file)?, this.run.span(record)?)
    };
    let bytes = reader::read(&blob, span.offset, span.offset + span.len).await.ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}
