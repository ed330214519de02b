//! The mapping as data: tables of rules, and a small interpreter that can also say why.
//!
//! [`table`] reads a table, [`interpret`] applies one to a call, [`patch`] finds the files that a patch names. Nothing
//! in the built-in tables is special: they are read from the same text as a user's would be.

pub(crate) mod interpret;
mod patch;
mod table;
pub(crate) mod trace;

pub use table::{Rule, RuleError, RuleSet};

use crate::summary;
use std::sync::Arc;

/// The built-in table of OpenCode, as text.
pub const OPENCODE_TOML: &str = include_str!("../../data/opencode.toml");
/// The built-in table of Kilo Code, as text; laid over OpenCode's.
pub const KILO_TOML: &str = include_str!("../../data/kilo.toml");

/// The two dialects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Dialect {
    /// OpenCode.
    OpenCode,
    /// Kilo Code.
    Kilo,
}

impl Dialect {
    /// Both, in the order of [`Rules::sets`].
    pub const ALL: [Dialect; 2] = [Dialect::OpenCode, Dialect::Kilo];

    /// The wire name.
    pub fn name(self) -> &'static str {
        match self {
            Dialect::OpenCode => "opencode",
            Dialect::Kilo => "kilo",
        }
    }

    /// Its bit in a set of dialects.
    pub(crate) fn bit(self) -> u8 {
        match self {
            Dialect::OpenCode => 1,
            Dialect::Kilo => 2,
        }
    }
}

/// The rules in force: one set for each dialect.
#[derive(Debug, Clone)]
pub struct Rules {
    opencode: Arc<RuleSet>,
    kilo: Arc<RuleSet>,
}

impl Rules {
    /// The built-in tables.
    ///
    /// # Errors
    /// None in practice: a test reads the tables that are compiled in.
    pub fn built_in() -> Result<Rules, RuleError> {
        let opencode = Arc::new(RuleSet::parse(OPENCODE_TOML, None)?);
        let kilo = Arc::new(RuleSet::parse(KILO_TOML, Some(&opencode))?);
        Ok(Rules { opencode, kilo })
    }

    /// The set for a dialect.
    pub fn set(&self, dialect: Dialect) -> &RuleSet {
        match dialect {
            Dialect::OpenCode => &self.opencode,
            Dialect::Kilo => &self.kilo,
        }
    }

    /// Whether both dialects read calls of a tool by the same rule.
    pub(crate) fn agree_on(&self, tool: &str) -> bool {
        match (self.opencode.find(tool), self.kilo.find(tool)) {
            (None, None) => true,
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }
}

/// The built-in tables are part of the program, so that reading them cannot fail; if it ever did, an empty set would map
/// nothing and say so of every call.
impl Default for Rules {
    fn default() -> Rules {
        Rules::built_in().unwrap_or_else(|_| Rules { opencode: Arc::default(), kilo: Arc::default() })
    }
}

/// Counts calls that no rule maps, for the summary.
pub(crate) fn unmapped(tool: String, count: u64, lines: Vec<u64>) -> summary::Unmapped {
    summary::Unmapped { tool, count, lines }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_tables_are_read() {
        let rules = Rules::built_in().unwrap();
        assert_eq!(rules.set(Dialect::OpenCode).rules().len(), 8);
        assert_eq!(rules.set(Dialect::Kilo).rules().len(), 10);
        assert_eq!(rules.set(Dialect::Kilo).find("TASK").unwrap().id, "kilo.task");
        assert_eq!(rules.set(Dialect::Kilo).find("Read").unwrap().id, "opencode.read");
        assert!(rules.agree_on("bash") && rules.agree_on("webfetch") && !rules.agree_on("codesearch"));
    }
}
