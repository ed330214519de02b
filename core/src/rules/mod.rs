//! The mapping as data: tables of rules, and a small interpreter that can also say why.
//!
//! [`file`] reads a table, [`table`] keeps its rules, [`stream`] where a stream's records hold what rules go by;
//! [`interpret`] applies a rule to a call, [`patch`] finds the files that a patch names. Nothing in the built-in tables is
//! special: they are read from the same text as a user's would be. The format: `docs/mapping.md`.

mod error;
mod file;
pub(crate) mod interpret;
mod patch;
mod pattern;
mod stream;
pub(crate) mod suggest;
mod table;
pub(crate) mod trace;

pub use error::RuleError;
pub use file::VERSION;
pub use stream::Stream;
pub use table::{Overlay, Rule, RuleSet};

use std::sync::{Arc, OnceLock};

/// The built-in table of OpenCode, as text.
pub const OPENCODE_TOML: &str = include_str!("../../data/opencode.toml");
/// The built-in table of Kilo Code, as text; laid over OpenCode's.
pub const KILO_TOML: &str = include_str!("../../data/kilo.toml");

/// The extension rules, as text; off unless they are switched on.
pub const EXTENSIONS_TOML: &str = include_str!("../../data/extensions.toml");

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

/// Tables as text: what is built in, or what a test puts in its place.
#[derive(Debug, Clone, Copy)]
pub struct Tables<'a> {
    /// OpenCode's.
    pub opencode: &'a str,
    /// Kilo's, over OpenCode's.
    pub kilo: &'a str,
    /// The extension rules.
    pub extensions: &'a str,
}

impl Tables<'static> {
    /// What is built in.
    pub const BUILT_IN: Tables<'static> =
        Tables { opencode: OPENCODE_TOML, kilo: KILO_TOML, extensions: EXTENSIONS_TOML };
}

/// The rules in force: one set for each dialect.
#[derive(Debug, Clone)]
pub struct Rules {
    opencode: Arc<RuleSet>,
    kilo: Arc<RuleSet>,
    /// What could read calls that no rule reads.
    suggestions: Arc<RuleSet>,
    /// How records are read, where that is not as the built-in table says: for that one there is a faster reader.
    stream: Option<Arc<Stream>>,
    /// How many rules of each set are of the user's table.
    own: [usize; 2],
    /// The lists of keys that the user's table can name.
    lists: file::Lists,
    /// The user's table, where there is one.
    user: Option<Arc<Overlay>>,
}

impl Rules {
    /// The built-in tables.
    ///
    /// # Errors
    /// None in practice: a test reads the tables that are compiled in.
    pub fn built_in() -> Result<Rules, RuleError> {
        Rules::with(false, None)
    }

    /// The built-in tables, with the extension rules behind them or not, and a user's table (its name and its text) over
    /// them.
    ///
    /// # Errors
    /// What the user's table breaks; the message names the file and the place in it.
    pub fn with(extensions: bool, overlay: Option<(&str, &str)>) -> Result<Rules, RuleError> {
        Rules::of(Tables::BUILT_IN, extensions, overlay)
    }

    /// The same over tables that need not be the built-in ones.
    ///
    /// # Errors
    /// What a table breaks.
    pub fn of(tables: Tables<'_>, extensions: bool, overlay: Option<(&str, &str)>) -> Result<Rules, RuleError> {
        let mut opencode = RuleSet::parse(tables.opencode, None)?;
        let mut kilo = RuleSet::parse(tables.kilo, Some(&opencode))?;
        let mut stream = opencode.stream.clone().unwrap_or_default();
        let extension_rules = Overlay::parse(tables.extensions, &opencode)?;
        let suggestions = Arc::new(RuleSet::default().before(&extension_rules));
        if extensions {
            opencode = opencode.before(&extension_rules);
            kilo = kilo.before(&extension_rules);
        }
        let mut own = [0; 2];
        let mut lists = kilo.lists().clone();
        let mut user = None;
        if let Some((name, text)) = overlay {
            let overlay = Overlay::parse(text, &kilo).map_err(|error| error.of_file(name))?;
            lists.clone_from(overlay.lists());
            let lay = |set: &RuleSet| {
                let over = set.under(&overlay);
                let own =
                    if overlay.stands_alone() { over.rules().len() } else { over.rules().len() - set.rules().len() };
                (over, own)
            };
            ((opencode, own[0]), (kilo, own[1])) = (lay(&opencode), lay(&kilo));
            stream = match &overlay.stream {
                Some(own) if overlay.stands_alone() => own.clone(),
                Some(own) => own.over(&stream),
                None => stream,
            };
            user = Some(Arc::new(overlay));
        }
        let stream = (stream != *built_in_stream()).then(|| Arc::new(stream));
        Ok(Rules { opencode: Arc::new(opencode), kilo: Arc::new(kilo), suggestions, stream, own, lists, user })
    }

    /// How many rules of a dialect's set, the first ones, are of the user's table.
    pub(crate) fn own(&self, dialect: Dialect) -> usize {
        let [opencode, kilo] = self.own;
        if dialect == Dialect::Kilo { kilo } else { opencode }
    }

    /// How records are read, where that is not as the built-in table says.
    pub(crate) fn stream(&self) -> Option<&Arc<Stream>> {
        self.stream.as_ref()
    }

    /// The user's table, where there is one.
    pub(crate) fn user(&self) -> Option<&Overlay> {
        self.user.as_deref()
    }

    /// A rule that could read calls of a tool that no rule reads, as text of a table.
    pub fn suggestion(&self, tool: &str) -> Option<String> {
        self.suggestions.find(tool).map(|rule| rule.to_toml())
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
        // Read once: every file that is looked at has a run of its own.
        static BUILT_IN: OnceLock<Rules> = OnceLock::new();
        let empty = || Rules {
            opencode: Arc::default(),
            kilo: Arc::default(),
            suggestions: Arc::default(),
            stream: None,
            own: [0; 2],
            lists: file::Lists::new(),
            user: None,
        };
        BUILT_IN.get_or_init(|| Rules::built_in().unwrap_or_else(|_| empty())).clone()
    }
}

/// How the built-in table says that records are read.
fn built_in_stream() -> &'static Stream {
    static STREAM: OnceLock<Stream> = OnceLock::new();
    STREAM.get_or_init(|| RuleSet::parse(OPENCODE_TOML, None).ok().and_then(|set| set.stream).unwrap_or_default())
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

    #[test]
    fn an_overlay_comes_first_and_extensions_last() {
        let mine = "id = \"mine\"\nversion = 1\n[[rule]]\nid = \"mine.fetch\"\ntools = [\"webfetch\"]\nevent = \"search\"\nfields.query = [\"url\", \"@query\"]\nrequire = [\"query\"]\n";
        let rules = Rules::with(true, Some(("mine.toml", mine))).unwrap();
        for dialect in Dialect::ALL {
            assert_eq!(rules.set(dialect).find("webfetch").unwrap().id, "mine.fetch");
            assert_eq!(rules.set(dialect).find("websearch").unwrap().id, "extensions.search");
            assert_eq!(rules.set(dialect).find("read").unwrap().id, "opencode.read");
        }
        assert_eq!(rules.set(Dialect::Kilo).find("task").unwrap().id, "kilo.task");
        assert_eq!(rules.set(Dialect::OpenCode).find("task").unwrap().id, "extensions.task");
        assert!(Rules::built_in().unwrap().set(Dialect::OpenCode).find("webfetch").is_none());
        let wrong = Rules::with(false, Some(("mine.toml", "id = 1"))).unwrap_err().to_string();
        assert!(wrong.starts_with("mine.toml: ") && wrong.contains("line 1"), "{wrong}");
    }

    #[test]
    fn a_printed_table_that_is_given_back_is_laid_over_its_own_set() {
        let rules = Rules::with(false, Some(("kilo.toml", KILO_TOML))).unwrap();
        assert_eq!(rules.set(Dialect::Kilo).rules().len(), 12);
        assert_eq!(rules.set(Dialect::OpenCode).rules().len(), 8);
        assert!(KILO_TOML.contains("base = \"opencode\""));
        // A table of another name means what it says.
        let renamed = KILO_TOML.replace("id = \"kilo\"", "id = \"mine\"");
        let rules = Rules::with(false, Some(("mine.toml", &renamed))).unwrap();
        assert_eq!(rules.set(Dialect::Kilo).rules().len(), 10);
        assert_eq!(rules.set(Dialect::OpenCode).rules().len(), 10);
    }

    #[test]
    fn printed_rules_are_read_back_the_same() {
        for (text, base) in [(OPENCODE_TOML, None), (EXTENSIONS_TOML, Some(OPENCODE_TOML))] {
            let lists = RuleSet::parse(base.unwrap_or(text), None).unwrap();
            let overlay = RuleSet::default().before(&Overlay::parse(text, &lists).unwrap());
            let printed: String = overlay.rules().iter().map(|rule| rule.to_toml()).collect();
            let again = RuleSet::parse(&format!("id = \"x\"\nversion = 1\n{printed}"), None).unwrap();
            let reprinted: String = again.rules().iter().map(|rule| rule.to_toml()).collect();
            assert_eq!(printed, reprinted);
            assert_eq!(again.rules().len(), overlay.rules().len());
        }
    }
}
