//! What another program put before each line: a time, a service's name, a level.
//!
//! ```text
//! 2026-11-30T10:00:00.1234567Z {"type":"step_start", …}        GitHub Actions
//! agent-1  | {"type":"step_start", …}                          compose
//! [2026-02-01T10:00:00.000Z] [INFO] {"type":"step_start", …}   loggers
//! data: {"type":"session.idle", …}                             server-sent events
//! ```
//!
//! Found once per file, over its first lines, by this small fixed set.

/// A kind of prefix.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Prefix {
    #[default]
    None,
    /// `TIME `.
    Time,
    /// `job<TAB>step<TAB>TIME `, as `gh run view --log` prints it.
    JobStepTime,
    /// `[TIME] [LEVEL] `.
    TimeLevel,
    /// `[TIME] `.
    BracketTime,
    /// `name  | `.
    Service,
    /// `data: `.
    Data,
}

/// How many lines that are not blank are looked at.
pub(crate) const LINES: usize = 25;

impl Prefix {
    const ALL: [Prefix; 6] =
        [Prefix::Data, Prefix::TimeLevel, Prefix::BracketTime, Prefix::JobStepTime, Prefix::Time, Prefix::Service];

    /// The prefix of a file by its first lines: the first kind behind which a record begins on some line, and which at
    /// least half of the lines carry (a banner may stand before them; of server-sent events, one line in three is data).
    pub(crate) fn of<'a>(lines: impl Iterator<Item = &'a str> + Clone) -> Prefix {
        let filled = || lines.clone().filter(|line| !line.trim().is_empty()).take(LINES);
        let total = filled().count();
        let fits = |prefix: &Prefix| {
            let carry = filled().filter_map(|line| prefix.strip(line));
            let begins = carry.clone().any(|rest| rest.trim_start().starts_with(['{', '[']));
            let count = carry.count();
            // A time before nearly every line is a prefix even where the first record comes much later.
            let timed = !matches!(prefix, Prefix::Data | Prefix::Service) && count > 2 && count * 5 >= total * 4;
            let share = if *prefix == Prefix::Data { 4 } else { 2 };
            timed || (begins && count * share >= total)
        };
        Prefix::ALL.into_iter().find(fits).unwrap_or(Prefix::None)
    }

    /// The line without the prefix; `None` where it does not carry it.
    pub(crate) fn strip(self, line: &str) -> Option<&str> {
        let line = without_colours(line);
        match self {
            Prefix::None => None,
            Prefix::Data => line.strip_prefix("data:").map(|rest| rest.strip_prefix(' ').unwrap_or(rest)),
            Prefix::Time => one_space(time(line)?),
            Prefix::BracketTime => one_space(time(line.strip_prefix('[')?)?.strip_prefix(']')?),
            Prefix::TimeLevel => {
                let rest = one_space(time(line.strip_prefix('[')?)?.strip_prefix(']')?)?;
                let (level, rest) = without_colours(rest).strip_prefix('[')?.split_once(']')?;
                let word = !level.is_empty() && level.len() <= 12 && level.bytes().all(|b| b.is_ascii_alphanumeric());
                if word { one_space(without_colours(rest)) } else { None }
            }
            Prefix::JobStepTime => {
                let (_, rest) = line.split_once('\t')?;
                let (_, rest) = rest.split_once('\t')?;
                one_space(time(rest.strip_prefix('\u{FEFF}').unwrap_or(rest))?)
            }
            Prefix::Service => {
                let (name, rest) = line.split_once('|')?;
                let name = name.trim_end();
                let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.');
                let fits = !name.is_empty() && name.len() <= 64 && name.bytes().all(plain);
                if fits { one_space(without_colours(rest)).map(without_colours) } else { None }
            }
        }
    }
}

/// What follows one space; nothing at all may follow too.
fn one_space(rest: &str) -> Option<&str> {
    if rest.is_empty() { Some(rest) } else { rest.strip_prefix(' ') }
}

/// The text behind escape sequences that set colours.
fn without_colours(mut text: &str) -> &str {
    while let Some(rest) = text.strip_prefix("\u{1b}[") {
        let Some(end) = rest.find(|c: char| !(c.is_ascii_digit() || c == ';')) else { return text };
        match rest.get(end..).and_then(|rest| rest.strip_prefix('m')) {
            Some(rest) => text = rest,
            None => return text,
        }
    }
    text
}

/// What follows an ISO 8601 date and time.
fn time(text: &str) -> Option<&str> {
    let bytes = text.as_bytes();
    let shape = b"dddd-dd-ddTdd:dd:dd";
    for (want, got) in shape.iter().zip(bytes) {
        let fits = match want {
            b'd' => got.is_ascii_digit(),
            b'T' => matches!(got, b'T' | b' '),
            mark => mark == got,
        };
        if !fits {
            return None;
        }
    }
    let mut rest = text.get(shape.len()..)?;
    if let Some(fraction) = rest.strip_prefix(['.', ',']) {
        rest = fraction.trim_start_matches(|c: char| c.is_ascii_digit());
    }
    if let Some(zone) = rest.strip_prefix('Z') {
        return Some(zone);
    }
    match rest.strip_prefix(['+', '-']) {
        Some(zone) => Some(zone.trim_start_matches(|c: char| c.is_ascii_digit() || c == ':')),
        None => Some(rest),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_is_taken_off() {
        assert_eq!(Prefix::Time.strip("2026-11-30T10:00:00.1234567Z {}"), Some("{}"));
        assert_eq!(Prefix::Time.strip("2026-11-30 10:00:00+01:00   x"), Some("  x"));
        assert_eq!(Prefix::Service.strip("agent-1  | {}"), Some("{}"));
        assert_eq!(Prefix::Service.strip("\u{1b}[36magent-1  |\u{1b}[0m {}"), Some("{}"));
        assert_eq!(Prefix::Service.strip("\u{1b}[36magent-1  | \u{1b}[0m{}"), Some("{}"));
        assert_eq!(Prefix::TimeLevel.strip("[2026-02-01T10:00:00.000Z] [INFO]   \"a\": 1"), Some("  \"a\": 1"));
        assert_eq!(Prefix::TimeLevel.strip("[2026-02-01T10:00:00.000Z] [INFO]"), Some(""));
        assert_eq!(Prefix::JobStepTime.strip("build\trun agent\t2026-11-30T10:00:00.1Z {}"), Some("{}"));
        assert_eq!(Prefix::Data.strip("data: {}"), Some("{}"));
        assert_eq!(Prefix::Time.strip("{\"a\":1}"), None);
        assert_eq!(Prefix::Service.strip("ls -l | grep x"), None);
    }

    #[test]
    fn found_over_the_first_lines() {
        let lines = ["# banner", "", "[2026-02-01T10:00:00Z] [INFO] hi", "[2026-02-01T10:00:00Z] [WARN] {"];
        assert_eq!(Prefix::of(lines.into_iter()), Prefix::TimeLevel);
        assert_eq!(Prefix::of(["{\"a\":1}", "x | y"].into_iter()), Prefix::None);
        let late =
            ["# banner", "[2026-02-01T10:00:00Z] [INFO] a"].into_iter().chain(["[2026-02-01T10:00:00Z] [WARN] b"; 6]);
        assert_eq!(Prefix::of(late), Prefix::TimeLevel);
        assert_eq!(Prefix::of(["event: x", "id: 1", "data: {}", ""].into_iter()), Prefix::Data);
    }
}
