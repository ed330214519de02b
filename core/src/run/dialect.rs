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

    /// Dialects of all sessions, to look up by place.
    pub(super) fn dialects(&self) -> Vec<Dialect> {
        (0..self.sessions.rows.len() as u32).map(|session| self.dialect_of(session)).collect()
    }

    /// Whether an event is there under its session's dialect.
    pub(super) fn shows(event: &EventColumn, dialects: &[Dialect]) -> bool {
        let dialect = dialects.get(event.session as usize).copied().unwrap_or(Dialect::OpenCode);
        event.live && event.dialects & dialect.bit() != 0
    }
}
