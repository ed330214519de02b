//! Movements through a list in which steps are folded, and the folding itself.
//!
//! All else here works on the whole list. Rows are mapped to those that are shown where they leave the worker.

use steplens_core::run::Run;
use steplens_core::view::View;

use super::land::{self, Ground};
use super::protocol::{Fold, Landed, Spot, Target};
use super::session::Session;

/// Where a movement ends in the list as it is shown; whether steps were folded or unfolded by it.
pub fn land(session: &mut Session, from: Option<&Spot>, target: &Target) -> (Option<Landed>, bool) {
    let row = from.and_then(|spot| row_of(&session.run, &session.view, spot));
    if let Target::Fold(fold) = target {
        return folded(session, row, *fold);
    }
    let mut landed = among_shown(session, from, row, target).or_else(|| {
        let names = session.files.iter().map(|file| file.name.as_str());
        let ground = Ground { run: &session.run, view: &session.view, filter: &session.filter };
        land::land(&ground, session.find.rows(&session.run, &session.view), names, row, target)
    });
    let mut is_refolded = false;
    if let Some(landed) = &mut landed {
        // What the user goes to is shown; what stays selected may stay folded away.
        let step = landed.row.and_then(|row| session.run.step_of_row(&session.view, row));
        if let Some(step) = step.filter(|_| !matches!(target, Target::Event(_) | Target::Ask(_))) {
            is_refolded = session.folds.set(step, false);
        }
        if is_refolded {
            session.outline = session.run.outline(&session.view, &session.folds);
        }
        landed.row = landed.row.and_then(|row| session.outline.row_of(row));
    }
    (landed, is_refolded)
}

/// Keys walk over what is folded away, where something beyond it is shown.
fn among_shown(session: &Session, from: Option<&Spot>, row: Option<u64>, target: &Target) -> Option<Landed> {
    if session.folds.is_empty() || !matches!(target, Target::First | Target::Last | Target::By(_)) {
        return None;
    }
    let shown = session.outline.shown(&session.view);
    let place = from.and_then(|spot| place_in(&session.run, &shown, &session.view, spot, row));
    let ground = Ground { run: &session.run, view: &shown, filter: &session.filter };
    let landed = land::land(&ground, &[], std::iter::empty(), place, target)?;
    // At an end it turns back: then what is folded away comes next.
    let is_on_way = match (target, place, landed.row) {
        (Target::By(by), Some(place), Some(row)) => (*by < 0 && row < place) || (*by > 0 && row > place),
        _ => true,
    };
    let spot = landed.spot().filter(|_| is_on_way)?;
    Some(Landed { row: row_of(&session.run, &session.view, &spot), ..landed })
}

/// The row of a list that shows an event or a request.
pub fn row_of(run: &Run, view: &View, spot: &Spot) -> Option<u64> {
    match spot {
        Spot::Event(id) => run.row_of_event(view, *id),
        Spot::Ask(id) => run.row_of_ask(view, id),
    }
}

/// The row among those shown of an event or a request, or of the head that it is folded under.
fn place_in(run: &Run, shown: &View, whole: &View, spot: &Spot, row: Option<u64>) -> Option<u64> {
    let head = || run.row_of_step(shown, run.step_of_row(whole, row?)?);
    row_of(run, shown, spot).or_else(head)
}

/// Folds or unfolds.
fn folded(session: &mut Session, row: Option<u64>, fold: Fold) -> (Option<Landed>, bool) {
    let is_refolded = match fold {
        Fold::All(folded) => {
            session.folds.set_all(folded);
            true
        }
        Fold::Step(step, folded) => session.folds.set(step, folded),
        Fold::Here(folded) => {
            let step = row.and_then(|row| session.run.step_of_row(&session.view, row));
            step.is_some_and(|step| session.folds.set(step, folded))
        }
    };
    session.outline = session.run.outline(&session.view, &session.folds);
    // A head that was clicked stays where it is.
    let row = row.filter(|_| !matches!(fold, Fold::Step(..))).and_then(|row| session.outline.row_of(row));
    (Some(Landed { row, event: None, ask: None, hit: None }), is_refolded)
}
