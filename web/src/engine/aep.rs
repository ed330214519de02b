//! The log as events of the Agent Event Protocol: mapped from its bytes when they are looked at, or saved.

use std::rc::Rc;

use serde::{Deserialize, Serialize};
use steplens_core::aep::{AepHead, AepRow, Capture, Fate, Mode, Rows, Settings, Show, Survey};
use steplens_core::run::RecordId;

use super::export::{Lines, Piece};
use super::session::Shared;

/// A question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum AepAsk {
    /// What the log is as AEP events. The next rows are of this list.
    Head {
        /// The ceiling.
        capture: Capture,
        /// The channel.
        mode: Mode,
        /// Which rows are shown.
        show: Show,
        /// What their types or subjects hold.
        text: String,
    },
    /// Rows of the list.
    Rows {
        /// The first.
        start: u64,
        /// How many.
        len: u64,
    },
    /// The event of a row, as its line of JSON.
    Line(u32),
    /// Where a row of the list stands: its file, by its place in the summary, its line, and which of the line's rows it is.
    At(u32, u64, u32),
}

/// An answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum AepTold {
    /// The head; or why there is none.
    Head(Result<Box<AepHead>, String>),
    /// Rows.
    Rows {
        /// Place of the first.
        start: u64,
        /// Rows of the list.
        total: u64,
        /// Counts lists.
        edition: u32,
        /// The rows.
        rows: Vec<AepRow>,
    },
    /// An event.
    Line(Option<String>),
    /// Where a row stands, if the list holds it.
    At(Option<u64>),
}

/// What was mapped last.
#[derive(Debug, Default)]
pub struct Mapped {
    rows: Rows,
    /// What it was mapped of, and how.
    of: Option<(u32, u64, Capture, Mode)>,
    /// Ids of the rows that are shown.
    shown: Vec<u32>,
    edition: u32,
}

/// Answers a question.
pub(super) async fn answer(session: &Shared, ask: AepAsk) -> AepTold {
    match ask {
        AepAsk::Head { capture, mode, show, text } => AepTold::Head(head(session, capture, mode, show, &text).await),
        AepAsk::Rows { start, len } => {
            let this = session.borrow();
            let mapped = &this.aep;
            let total = mapped.shown.len() as u64;
            let (from, to) = (start.min(total), start.saturating_add(len).min(total));
            let ids = mapped.shown.get(from as usize..to as usize).unwrap_or_default();
            let rows = ids.iter().filter_map(|id| mapped.rows.get(*id).cloned()).collect();
            AepTold::Rows { start: from, total, edition: mapped.edition, rows }
        }
        AepAsk::At(file, line, nth) => {
            let mapped = &session.borrow().aep;
            AepTold::At(mapped.rows.find(&mapped.shown, file, line, nth))
        }
        AepAsk::Line(id) => AepTold::Line(session.borrow().aep.rows.line(id).map(str::to_owned)),
    }
}

async fn head(session: &Shared, capture: Capture, mode: Mode, show: Show, text: &str) -> Result<Box<AepHead>, String> {
    let (number, of) = {
        let mut this = session.borrow_mut();
        let of = Some((this.opening, this.run.progress().records, capture, mode));
        let mapped = &mut this.aep;
        mapped.edition += 1;
        if mapped.of == of {
            mapped.shown = mapped.rows.shown(show, text);
            return Ok(Box::new(mapped.rows.head().clone()));
        }
        (mapped.edition, of)
    };
    let settings = Settings { capture, mode, ..Settings::default() };
    let mut rows = Rows::default();
    let told = map(session, settings, |place, name, fate| rows.take(place, name, fate)).await?;
    let mut this = session.borrow_mut();
    if this.aep.edition != number {
        return Err("it is mapped anew".to_owned());
    }
    let survey = told.survey();
    rows.finish(told.agent().name(), survey.surface().what(), survey.evidence(), told.totals());
    let head = Box::new(rows.head().clone());
    let shown = rows.shown(show, text);
    this.aep = Mapped { rows, of, shown, edition: number };
    Ok(head)
}

/// The events, one JSON object a line: the bytes that `steplens aep` prints.
pub(super) async fn export(session: &Shared) -> Result<String, String> {
    let mut lines = Lines::default();
    map(session, Settings::default(), |_, _, fate| {
        let Fate::Mapped(events) = fate else { return };
        events.iter().for_each(|event| lines.push(&event.to_json_line()));
    })
    .await?;
    lines.address()
}

/// Maps all records: one pass for the survey, one for the events.
async fn map(
    session: &Shared,
    settings: Settings,
    mut take: impl FnMut(steplens_core::aep::Place, Option<&str>, &Fate),
) -> Result<steplens_core::aep::Mapper, String> {
    let (opening, records) = {
        let this = session.borrow();
        (this.opening, Rc::new(this.run.record_ids().collect::<Vec<RecordId>>()))
    };
    let mut survey = Survey::default();
    let mut pass = None;
    for is_survey in [true, false] {
        let mut piece = Piece::default();
        for record in records.iter() {
            let found = {
                let this = session.borrow();
                this.run.span(*record).and_then(|span| Some((span, this.blob(span.file)?)))
            };
            let Some((span, blob)) = found else { continue };
            if !piece.holds(span) {
                piece.read(span, &blob).await?;
            }
            let this = session.borrow();
            if this.opening != opening {
                return Err("another log was opened meanwhile".to_owned());
            }
            if is_survey {
                this.run.aep_survey(&mut survey, *record, piece.bytes(span));
                continue;
            }
            let pass = pass.get_or_insert_with(|| this.run.aep(settings.clone(), std::mem::take(&mut survey)));
            let (name, fate) = this.run.aep_told(pass, *record, piece.bytes(span));
            take(this.run.place_of(*record), name.as_deref(), &fate);
        }
    }
    let this = session.borrow();
    let pass = pass.unwrap_or_else(|| this.run.aep(settings, survey));
    let (events, mapper) = this.run.aep_end(pass);
    let last = records.last().map(|record| this.run.place_of(*record)).unwrap_or_default();
    take(last, None, &Fate::Mapped(events));
    Ok(mapper)
}
