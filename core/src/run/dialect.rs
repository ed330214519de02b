//! Which table reads a session, and the switch from one to the other.
//!
//! Calls that the tables read differently were mapped under both when they were read, so that a switch, or a mark that
//! comes late, shows other rows without reading the file again.

use super::store::EventColumn;
use super::{DialectChoice, Run};
use crate::rules::Dialect;

impl Run {
    /// Reads every call by another table, or by the evidence again.
    pub fn set_dialect(&mut self, dialect: DialectChoice) {
        self.dialect = dialect;
    }

    pub(super) fn dialect_of(&self, session: u32) -> Dialect {
        match self.dialect {
            DialectChoice::Kilo => Dialect::Kilo,
            DialectChoice::OpenCode => Dialect::OpenCode,
            DialectChoice::Auto => self.sessions.get(session).map_or(Dialect::OpenCode, |session| session.dialect()),
        }
    }

    /// Dialects of all sessions, to look up by place; none for a session that is not asked for.
    pub(super) fn dialects(&self) -> Dialects {
        let all = 0..self.sessions.rows.len() as u32;
        Dialects(all.map(|session| self.wants_session(session).then(|| self.dialect_of(session))).collect())
    }

    /// Whether a session is asked for.
    pub(super) fn wants_session(&self, session: u32) -> bool {
        let Some(wanted) = &self.session else { return true };
        let id = self.sessions.get(session).and_then(|row| self.strings.get(row.id));
        id == Some(wanted)
    }

    /// Whether an event is there under its session's dialect.
    pub(super) fn shows(event: &EventColumn, dialects: &Dialects) -> bool {
        event.live && dialects.of(event.session).is_some_and(|dialect| event.dialects & dialect.bit() != 0)
    }
}

/// The dialect of each session that is asked for.
pub(super) struct Dialects(Vec<Option<Dialect>>);

impl Dialects {
    /// Whether any session that is asked for is of it.
    pub(super) fn any(&self, dialect: Dialect) -> bool {
        self.0.contains(&Some(dialect))
    }

    /// The session's dialect; none where it is not asked for.
    pub(super) fn of(&self, session: u32) -> Option<Dialect> {
        match self.0.get(session as usize) {
            Some(dialect) => *dialect,
            None => Some(Dialect::OpenCode),
        }
    }
}
