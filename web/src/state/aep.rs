//! How the AEP tab is looked at, as the URL holds it.

use steplens_core::aep::{Capture, Mode, Show};

use super::fragment::decode;
use steplens_core::share::percent::encode;

/// What is shown of the log as AEP events, and how it is mapped.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AepLook {
    /// Which rows.
    pub show: Show,
    /// What their types or subjects hold.
    pub text: String,
    /// How much of what people and models wrote may be in them.
    pub capture: Capture,
    /// The channel that they are for.
    pub mode: Mode,
    /// The selected row.
    pub at: Option<AepPlace>,
}

/// What names a row in any list of the log: as the ids of AEP events do, `FILE-LINE-N`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AepPlace {
    /// The file, by its place in the summary.
    pub file: u32,
    /// The line, from 1.
    pub line: u64,
    /// Which row of the line, from 1.
    pub nth: u32,
}

impl AepPlace {
    fn text(self) -> String {
        format!("{}-{}-{}", self.file.saturating_add(1), self.line, self.nth)
    }

    fn parse(text: &str) -> Option<AepPlace> {
        let mut words = text.splitn(3, '-');
        let file = words.next()?.parse::<u32>().ok()?.checked_sub(1)?;
        Some(AepPlace { file, line: words.next()?.parse().ok()?, nth: words.next()?.parse().ok()? })
    }
}

impl AepLook {
    /// As one value: `core,redacted,primary,at:1-12-1,q:permission`; empty where all is as it is at first.
    pub fn text(&self) -> String {
        let mut words: Vec<String> = Vec::new();
        if self.show != Show::default() {
            words.push(self.show.name().to_owned());
        }
        if self.capture != Capture::default() {
            words.push(self.capture.name().to_owned());
        }
        match self.mode {
            Mode::Plugin => {}
            Mode::Companion => words.push("companion".to_owned()),
            Mode::Primary => words.push("primary".to_owned()),
        }
        words.extend(self.at.map(|at| format!("at:{}", at.text())));
        if !self.text.is_empty() {
            words.push(format!("q:{}", encode(&self.text).replace(',', "%2C")));
        }
        words.join(",")
    }

    /// Reads [`AepLook::text`]; words that mean nothing here are passed over.
    pub fn parse(text: &str) -> AepLook {
        let mut look = AepLook::default();
        for word in text.split(',') {
            match word {
                "core" => look.show = Show::Core,
                "vendor" => look.show = Show::Vendor,
                "silent" => look.show = Show::Silent,
                "none" => look.capture = Capture::None,
                "redacted" => look.capture = Capture::Redacted,
                "full" => look.capture = Capture::Full,
                "companion" => look.mode = Mode::Companion,
                "primary" => look.mode = Mode::Primary,
                _ => match word.split_once(':') {
                    Some(("q", text)) => look.text = decode(text),
                    Some(("at", place)) => look.at = AepPlace::parse(place),
                    _ => {}
                },
            }
        }
        look
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_url_holds_is_read_back() {
        for text in ["", "core", "silent,redacted,companion", "vendor,none,primary,q:tool%2Cx", "core,at:1-12-2,q:a"] {
            assert_eq!(AepLook::parse(text).text(), text);
        }
        assert_eq!(AepLook::parse("at:0-1-1,at:x").at, None);
        assert_eq!(AepLook::parse("sad,q:a"), AepLook { text: "a".to_owned(), ..AepLook::default() });
    }
}
