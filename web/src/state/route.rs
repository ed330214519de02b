//! What the URL holds: tab, selected event, filters, search, dialect.

use std::rc::Rc;

use steplens_core::event::{Kind, Outcome};
use steplens_core::overview::{Axis, Stretch};
use steplens_core::run::DialectChoice;
use steplens_core::summary::SessionSummary;
use steplens_core::view::Filter;

use super::aep::AepLook;
use super::fragment::{decode, parse, write};
use steplens_core::share::percent::encode;

/// The version of the fragment's grammar.
const VERSION: &str = "1";
/// The latest version that is understood.
const VERSION_READ: u32 = 1;

/// A tab of the loaded page.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Tab {
    /// The list of events.
    #[default]
    Timeline,
    /// One row a tool.
    Tools,
    /// Tokens and cost, by class and by step.
    Tokens,
    /// The open logs, and the files that the agent read and wrote.
    Files,
    /// How the records are mapped, and the lab.
    Mapping,
    /// The transcript.
    Messages,
    /// The log as events of the Agent Event Protocol.
    Aep,
    /// Two of the runs that are open, side by side.
    Compare,
}

impl Tab {
    /// All, in the order in which they stand.
    pub const ALL: [Tab; 8] =
        [Tab::Timeline, Tab::Tools, Tab::Tokens, Tab::Files, Tab::Mapping, Tab::Messages, Tab::Aep, Tab::Compare];

    /// Its word in the URL.
    pub fn name(self) -> &'static str {
        match self {
            Tab::Timeline => "timeline",
            Tab::Tools => "tools",
            Tab::Tokens => "tokens",
            Tab::Files => "files",
            Tab::Mapping => "mapping",
            Tab::Messages => "messages",
            Tab::Aep => "aep",
            Tab::Compare => "compare",
        }
    }

    /// Its title.
    pub fn title(self) -> &'static str {
        match self {
            Tab::Timeline => "Timeline",
            Tab::Tools => "Tools",
            Tab::Tokens => "Tokens & cost",
            Tab::Files => "Files",
            Tab::Mapping => "Mapping",
            Tab::Messages => "Messages",
            Tab::Aep => "AEP",
            Tab::Compare => "Compare",
        }
    }
}

/// Names an event so that it is found again in the same log: by its line and the id of its part,
/// never by its place in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventRef {
    /// The file's name, where several are open.
    pub file: Option<String>,
    /// The line, from 1.
    pub line: u64,
    /// The part's id, where there is one and it is known already.
    pub part: Option<String>,
}

impl EventRef {
    /// `LINE.PARTID`, with several files `FILE:` before it.
    pub fn text(&self) -> String {
        let mut text = String::new();
        if let Some(file) = &self.file {
            text.push_str(file);
            text.push(':');
        }
        text.push_str(&self.line.to_string());
        if let Some(part) = &self.part {
            text.push('.');
            text.push_str(part);
        }
        text
    }

    /// Reads [`EventRef::text`].
    pub fn parse(text: &str) -> Option<EventRef> {
        // A part id holds no colon, a file name may.
        let (file, place) = match text.rsplit_once(':') {
            Some((file, place)) => (Some(file.to_owned()), place),
            None => (None, text),
        };
        let (line, part) = match place.split_once('.') {
            Some((line, part)) => (line, Some(part.to_owned()).filter(|part| !part.is_empty())),
            None => (place, None),
        };
        let line = line.parse().ok().filter(|line| *line > 0)?;
        Some(EventRef { file, line, part })
    }

    /// Whether both name the same event, as far as both say.
    pub fn is_same(&self, other: &EventRef) -> bool {
        self.line == other.line
            && self.file == other.file
            && (self.part == other.part || self.part.is_none() || other.part.is_none())
    }
}

/// The filter chips that are pressed. Like [`Filter`], but with the session by its id.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Chips {
    /// Kinds.
    pub kinds: Vec<Kind>,
    /// Outcomes of calls.
    pub outcomes: Vec<Outcome>,
    /// Green but failed.
    pub green_but_failed: bool,
    /// Requests to a person.
    pub asks: bool,
    /// Tools.
    pub tools: Vec<String>,
    /// The session's id, or `#N` for the N-th where it has none.
    pub session: Option<String>,
    /// A stretch of the run.
    pub range: Option<Stretch>,
}

const GREEN: &str = "green-but-failed";
const ASKS: &str = "asked";

impl Chips {
    /// Whether nothing is filtered out.
    pub fn is_empty(&self) -> bool {
        *self == Chips::default()
    }

    /// As one value: `command,read,failed,green-but-failed,tool:bash,session:ses_1,time:1767445000000-1767445060000`.
    /// A stretch is of times in milliseconds since the epoch, or, as `order:10-20`, of places of records from 0.
    pub fn text(&self) -> String {
        let kinds = self.kinds.iter().map(|kind| kind.name().to_owned());
        let outcomes = self.outcomes.iter().map(|outcome| match outcome {
            Outcome::Failed | Outcome::Rejected => outcome.name().to_owned(),
            Outcome::Ok | Outcome::Unknown => format!("outcome:{}", outcome.name()),
        });
        let green = self.green_but_failed.then(|| GREEN.to_owned());
        let asks = self.asks.then(|| ASKS.to_owned());
        let tools = self.tools.iter().map(|tool| format!("tool:{}", quote(tool)));
        let session = self.session.iter().map(|id| format!("session:{}", quote(id)));
        let range = self.range.map(|range| format!("{}:{}-{}", axis_word(range.axis), range.from, range.to));
        let kinds = kinds.chain(asks);
        let words: Vec<String> = kinds.chain(outcomes).chain(green).chain(tools).chain(session).chain(range).collect();
        words.join(",")
    }

    /// Reads [`Chips::text`]; words that mean nothing here are passed over.
    pub fn parse(text: &str) -> Chips {
        Chips::read(text).0
    }

    /// Reads [`Chips::text`], with the words that mean nothing here.
    fn read(text: &str) -> (Chips, Vec<String>) {
        let mut chips = Chips::default();
        let mut odd = Vec::new();
        for word in text.split(',') {
            match word.split_once(':') {
                Some(("tool", tool)) => chips.tools.push(decode(tool)),
                Some(("session", id)) => chips.session = Some(decode(id)),
                Some(("time", ends)) => chips.range = stretch(Axis::Time, ends),
                Some(("order", ends)) => chips.range = stretch(Axis::Order, ends),
                Some(("outcome", "ok")) => chips.outcomes.push(Outcome::Ok),
                Some(("outcome", "unknown")) => chips.outcomes.push(Outcome::Unknown),
                Some(_) => odd.push(word.to_owned()),
                None if word == "failed" => chips.outcomes.push(Outcome::Failed),
                None if word == "rejected" => chips.outcomes.push(Outcome::Rejected),
                None if word == GREEN => chips.green_but_failed = true,
                None if word == ASKS => chips.asks = true,
                None if word.is_empty() => {}
                None => match Kind::from_name(word) {
                    Some(kind) => chips.kinds.push(kind),
                    None => odd.push(word.to_owned()),
                },
            }
        }
        (chips, odd)
    }

    /// The engine's filter. A session that is not there is no filter.
    pub fn filter(&self, sessions: &[SessionSummary]) -> Filter {
        let session = self.session.as_ref().and_then(|id| {
            let place = (0u32..).zip(sessions).find(|(n, s)| key(*n, s) == *id);
            place.map(|(n, _)| n)
        });
        Filter {
            kinds: self.kinds.clone(),
            outcomes: self.outcomes.clone(),
            green_but_failed: self.green_but_failed,
            tools: self.tools.clone(),
            session,
            range: self.range,
            asks: self.asks,
            ..Filter::default()
        }
    }
}

fn axis_word(axis: Axis) -> &'static str {
    match axis {
        Axis::Time => "time",
        Axis::Order => "order",
    }
}

/// Reads `FROM-TO`; a stretch that ends before it starts, or at once, is none.
fn stretch(axis: Axis, text: &str) -> Option<Stretch> {
    // A time before 1970 begins with the same sign.
    let cut = text.char_indices().skip(1).find(|(_, c)| *c == '-')?.0;
    let (from, to) = (text.get(..cut)?.parse().ok()?, text.get(cut + 1..)?.parse().ok()?);
    (from < to).then_some(Stretch { axis, from, to })
}

/// What names a session in the URL.
pub fn key(place: u32, session: &SessionSummary) -> String {
    match &session.id {
        Some(id) => id.clone(),
        None => format!("#{}", place + 1),
    }
}

/// Keeps a name from ending its word.
fn quote(name: &str) -> String {
    encode(name).replace(',', "%2C")
}

/// The sides of a comparison, by what names them; none means the first that there are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sides {
    /// One.
    pub a: Option<String>,
    /// The other.
    pub b: Option<String>,
}

/// Where the log is that the URL brings along.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// In the URL itself.
    Packed(Rc<str>),
    /// In the URL, under a password.
    Sealed(Rc<str>),
    /// At another URL.
    Hosted(String),
}

/// What was left out of a log so that it fits a link.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Part {
    /// Events that it holds, and those of the whole log, where some were left out.
    pub events: Option<(u64, u64)>,
    /// Texts that were cut.
    pub cut: u64,
}

impl Part {
    /// As one value: `37-1204`, `37-1204,3`, or `3` for texts alone.
    pub fn text(self) -> String {
        let events = self.events.map(|(held, all)| format!("{held}-{all}"));
        let cut = (self.cut > 0).then(|| self.cut.to_string());
        events.into_iter().chain(cut).collect::<Vec<_>>().join(",")
    }

    /// Reads [`Part::text`]; none where it says nothing.
    pub fn parse(text: &str) -> Option<Part> {
        let mut part = Part::default();
        for word in text.split(',') {
            match word.split_once('-') {
                Some((held, all)) => part.events = Some((held.parse().ok()?, all.parse().ok()?)),
                None => part.cut = word.parse().ok()?,
            }
        }
        Some(part).filter(|part| *part != Part::default())
    }
}

/// All that the URL holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Route {
    /// The tab.
    pub tab: Tab,
    /// The selected event.
    pub event: Option<EventRef>,
    /// The filters.
    pub chips: Chips,
    /// The search; empty is none.
    pub query: String,
    /// The dialect.
    pub dialect: DialectChoice,
    /// The model to price as; none goes by the log.
    pub model: Option<String>,
    /// The address of a running agent: it fills a field, and nothing more.
    pub live: Option<String>,
    /// What is compared.
    pub sides: Sides,
    /// How the AEP tab is looked at.
    pub aep: AepLook,
    /// Times are shown in UTC, not in the reader's own zone.
    pub utc: bool,
    /// The extension rules are behind the tool tables.
    pub extensions: bool,
    /// The log that comes along; none where it is opened from elsewhere.
    pub source: Option<Source>,
    /// What a log in the URL is called.
    pub name: Option<String>,
    /// What was left out of the log that comes along.
    pub part: Option<Part>,
    /// Parts of a link that mean nothing here, as they are said to the reader. They are no part of the fragment.
    pub odd: Vec<String>,
    /// What this version does not know.
    pub rest: Vec<(String, String)>,
}

impl Route {
    /// What stays when another log is opened: what was said of the one before means nothing in it.
    pub fn of_another_log(&self) -> Route {
        Route { tab: self.tab, utc: self.utc, extensions: self.extensions, rest: self.rest.clone(), ..Route::default() }
    }

    /// From the URL's fragment.
    pub fn parse(fragment: &str) -> Route {
        let mut route = Route::default();
        for (key, value) in parse(fragment) {
            match key.as_str() {
                "v" if value.parse::<u32>().is_ok_and(|version| version <= VERSION_READ) => {}
                "v" => route.odd.push(format!("the version “{value}”")),
                // One log a link: the first.
                "z" | "zp" | "log" if route.source.is_some() => route.odd.push(format!("a second log ({key})")),
                "z" => route.source = Some(Source::Packed(value.into())),
                "zp" => route.source = Some(Source::Sealed(value.into())),
                "log" => route.source = Some(Source::Hosted(value)),
                "part" => route.part = Part::parse(&value),
                "n" => route.name = Some(value).filter(|name| !name.is_empty()),
                "tab" => match Tab::ALL.into_iter().find(|tab| tab.name() == value) {
                    Some(tab) => route.tab = tab,
                    None => {
                        route.odd.push(format!("the tab “{value}”"));
                        route.rest.push((key, value));
                    }
                },
                "e" => {
                    route.event = EventRef::parse(&value);
                    if route.event.is_none() {
                        route.odd.push(format!("the event “{value}”"));
                    }
                }
                "f" => {
                    let (chips, odd) = Chips::read(&value);
                    route.chips = chips;
                    route.odd.extend(odd.into_iter().map(|word| format!("the filter “{word}”")));
                }
                "q" => route.query = value,
                "d" if value == "kilo" => route.dialect = DialectChoice::Kilo,
                "d" if value == "opencode" => route.dialect = DialectChoice::OpenCode,
                "a" => route.sides.a = Some(value).filter(|side| !side.is_empty()),
                "b" => route.sides.b = Some(value).filter(|side| !side.is_empty()),
                "d" => route.odd.push(format!("the dialect “{value}”")),
                "tz" if value == "utc" => route.utc = true,
                "tz" if value == "local" => {}
                "tz" => route.odd.push(format!("the time zone “{value}”")),
                "live" => route.live = Some(value).filter(|server| !server.is_empty()),
                "aep" => route.aep = AepLook::parse(&value),
                "x" if value == "1" => route.extensions = true,
                "x" if value == "0" => {}
                "x" => route.odd.push(format!("x={value}")),
                "m" => route.model = Some(value).filter(|model| !model.is_empty()),
                _ => route.rest.push((key, value)),
            }
        }
        route
    }

    /// The URL's fragment without `#`; empty where all is as it is at first.
    pub fn text(&self) -> String {
        let mut pairs: Vec<(&str, String)> = Vec::new();
        match &self.source {
            None => {}
            Some(Source::Packed(log)) => pairs.push(("z", log.to_string())),
            Some(Source::Sealed(log)) => pairs.push(("zp", log.to_string())),
            Some(Source::Hosted(url)) => pairs.push(("log", url.clone())),
        }
        if let Some(name) = self.name.as_ref().filter(|_| self.source.is_some()) {
            pairs.push(("n", name.clone()));
        }
        if let Some(part) = self.part.filter(|_| self.source.is_some()) {
            pairs.push(("part", part.text()));
        }
        let is_said = |name: &str| self.rest.iter().any(|(key, _)| key == name);
        if self.tab != Tab::default() && !is_said("tab") {
            pairs.push(("tab", self.tab.name().to_owned()));
        }
        if let Some(event) = &self.event {
            pairs.push(("e", event.text()));
        }
        if !self.chips.is_empty() {
            pairs.push(("f", self.chips.text()));
        }
        if !self.query.is_empty() {
            pairs.push(("q", self.query.clone()));
        }
        match self.dialect {
            DialectChoice::Auto => {}
            DialectChoice::Kilo => pairs.push(("d", "kilo".to_owned())),
            DialectChoice::OpenCode => pairs.push(("d", "opencode".to_owned())),
        }
        if let Some(model) = &self.model {
            pairs.push(("m", model.clone()));
        }
        for (key, side) in [("a", &self.sides.a), ("b", &self.sides.b)] {
            pairs.extend(side.clone().map(|side| (key, side)));
        }
        if let Some(server) = &self.live {
            pairs.push(("live", server.clone()));
        }
        if self.aep != AepLook::default() {
            pairs.push(("aep", self.aep.text()));
        }
        if self.extensions {
            pairs.push(("x", "1".to_owned()));
        }
        if self.utc {
            pairs.push(("tz", "utc".to_owned()));
        }
        let rest = self.rest.iter().map(|(k, v)| (k.as_str(), v.clone()));
        pairs.extend(rest);
        if pairs.is_empty() {
            return String::new();
        }
        pairs.insert(0, ("v", VERSION.to_owned()));
        write(pairs.iter().map(|(key, value)| (*key, value.as_str())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fragment_is_read_and_written() {
        let text =
            "v=1&tab=tools&e=61.prt_1&f=command,failed,green-but-failed,tool:web%2520fetch&q=a%20b&d=kilo&tz=utc";
        let route = Route::parse(text);
        assert_eq!(route.tab, Tab::Tools);
        let event = EventRef { file: None, line: 61, part: Some("prt_1".to_owned()) };
        assert_eq!(route.event, Some(event));
        assert_eq!(route.chips.kinds, [Kind::Command]);
        assert_eq!(route.chips.outcomes, [Outcome::Failed]);
        assert!(route.chips.green_but_failed);
        assert_eq!(route.chips.tools, ["web fetch"]);
        assert_eq!(route.query, "a b");
        assert_eq!(route.dialect, DialectChoice::Kilo);
        assert_eq!(route.text(), text);
    }

    #[test]
    fn nothing_said_is_no_fragment() {
        assert_eq!(Route::default().text(), "");
        assert_eq!(Route::parse(""), Route::default());
        assert_eq!(Route::parse("#v=1"), Route::default());
    }

    #[test]
    fn a_tab_of_a_later_version_is_kept() {
        let route = Route::parse("v=2&tab=maps&zz=1");
        assert_eq!(route.tab, Tab::Timeline);
        assert_eq!(route.text(), "v=1&tab=maps&zz=1");
    }

    #[test]
    fn a_link_brings_one_log() {
        let text = "v=1&z=q-_9&n=run.jsonl&part=37-1204,2&tab=tools&e=61.prt_1";
        let route = Route::parse(text);
        assert_eq!(route.source, Some(Source::Packed("q-_9".into())));
        assert_eq!(route.text(), text);
        assert_eq!(route.part, Some(Part { events: Some((37, 1204)), cut: 2 }));
        assert_eq!(Part::parse("3").map(Part::text).as_deref(), Some("3"));
        assert_eq!(["", "0", "a-b", "1-"].map(Part::parse), [None; 4]);
        assert_eq!(Route::parse("log=logs%2Fa%20b.jsonl").source, Some(Source::Hosted("logs/a b.jsonl".to_owned())));
        let two = Route::parse("zp=a&log=b");
        assert_eq!((two.source, two.odd), (Some(Source::Sealed("a".into())), vec!["a second log (log)".to_owned()]));
        let other = route.of_another_log();
        assert_eq!((other.source, other.name, other.tab), (None, None, Tab::Tools));
        assert_eq!(Route::parse("v=2&z=q").odd, ["the version “2”"]);
    }

    #[test]
    fn what_means_nothing_is_said_and_left_out() {
        let route = Route::parse("v=1&tab=maps&e=x&f=command,colour,outcome:sad&d=cline&tz=Mars&x=yes&zz=1");
        let odd = [
            "the tab “maps”",
            "the event “x”",
            "the filter “colour”",
            "the filter “outcome:sad”",
            "the dialect “cline”",
            "the time zone “Mars”",
            "x=yes",
        ];
        assert_eq!(route.odd, odd);
        assert_eq!(route.text(), "v=1&f=command&tab=maps&zz=1");
        assert!(Route::parse("v=1&f=&tz=local&x=0&zz=1").odd.is_empty());
    }

    #[test]
    fn events_are_named_by_line_and_part() {
        for text in ["61", "61.prt_1", "a:b.jsonl:7.prt_2"] {
            assert_eq!(EventRef::parse(text).unwrap().text(), text);
        }
        for text in ["", "x", "0", "-1", "1e3", "a:"] {
            assert_eq!(EventRef::parse(text), None, "{text}");
        }
    }

    #[test]
    fn a_stretch_is_two_values() {
        for text in ["time:1767445000000-1767445060000", "order:0-7", "failed,time:-5--2", "command,asked"] {
            assert_eq!(Chips::parse(text).text(), text);
        }
        for text in ["time:5-5", "time:9-1", "time:x-1", "order:", "order:4"] {
            assert_eq!(Chips::parse(text), Chips::default(), "{text}");
        }
    }

    #[test]
    fn the_sides_of_a_comparison_are_named() {
        let text = "v=1&tab=compare&a=tree:ses_1&b=file:x.jsonl";
        let route = Route::parse(text);
        assert_eq!(route.sides, Sides { a: Some("tree:ses_1".to_owned()), b: Some("file:x.jsonl".to_owned()) });
        assert_eq!(route.text(), text);
    }

    #[test]
    fn a_name_with_a_comma_is_one_word() {
        let chips = Chips { tools: vec!["a,b:c".to_owned()], ..Chips::default() };
        assert_eq!(Chips::parse(&chips.text()), chips);
    }
}
