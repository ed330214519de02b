//! What a file is that is no log, told by its first bytes: page and command line say the same of it.

use serde::{Deserialize, Serialize};

/// A file that is known, and not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Foreign {
    /// No byte at all.
    Empty,
    /// White space and nothing else.
    Blank,
    /// A database, such as that of newer harnesses.
    Sqlite,
    /// A zip archive.
    Zip,
    /// A tar archive.
    Tar,
    /// xz data.
    Xz,
    /// bzip2 data.
    Bzip2,
    /// A 7z archive.
    SevenZip,
    /// A picture.
    Image,
    /// A PDF.
    Pdf,
    /// A web page.
    Html,
    /// The stream of another harness.
    ClaudeCode,
}

/// The first bytes that give a file away.
const MARKS: [(&[u8], Foreign); 9] = [
    (b"SQLite format 3\0", Foreign::Sqlite),
    (b"PK\x03\x04", Foreign::Zip),
    (b"\xfd7zXZ\0", Foreign::Xz),
    (b"BZh", Foreign::Bzip2),
    (b"7z\xbc\xaf\x27\x1c", Foreign::SevenZip),
    (b"\x89PNG\r\n", Foreign::Image),
    (b"\xff\xd8\xff", Foreign::Image),
    (b"GIF8", Foreign::Image),
    (b"%PDF-", Foreign::Pdf),
];

/// The mark of a tar archive, and where it stands: behind the name and the numbers of its first file.
const TAR: (usize, &[u8]) = (257, b"ustar");

impl Foreign {
    /// How many bytes of a file [`Foreign::of`] has to see.
    pub const HEAD: usize = 264;

    /// What the first bytes are the mark of.
    pub fn of(head: &[u8]) -> Option<Foreign> {
        let tar = head.get(TAR.0..).is_some_and(|rest| rest.starts_with(TAR.1));
        let webp = head.starts_with(b"RIFF") && head.get(8..12) == Some(b"WEBP");
        let text = head.trim_ascii_start();
        let begins = |tag: &[u8]| text.get(..tag.len()).is_some_and(|start| start.eq_ignore_ascii_case(tag));
        let found = MARKS.into_iter().find(|(mark, _)| head.starts_with(mark)).map(|(_, foreign)| foreign);
        found
            .or(tar.then_some(Foreign::Tar))
            .or(webp.then_some(Foreign::Image))
            .or((begins(b"<!doctype html") || begins(b"<html")).then_some(Foreign::Html))
    }

    /// What it is, with its article.
    pub fn what(self) -> &'static str {
        match self {
            Foreign::Empty => "an empty file",
            Foreign::Blank => "a file with nothing but white space in it",
            Foreign::Sqlite => "an SQLite database",
            Foreign::Zip => "a zip archive",
            Foreign::Tar => "a tar archive",
            Foreign::Xz => "xz data",
            Foreign::Bzip2 => "bzip2 data",
            Foreign::SevenZip => "a 7z archive",
            Foreign::Image => "an image",
            Foreign::Pdf => "a PDF document",
            Foreign::Html => "a web page (HTML)",
            Foreign::ClaudeCode => "Claude Code's stream-json",
        }
    }

    /// What to do with it, as a sentence without a full stop.
    pub fn advice(self) -> Option<&'static str> {
        match self {
            Foreign::Sqlite => {
                Some("`opencode export SESSION > session.json` (or `kilo export`) writes a session of it to be read")
            }
            Foreign::Zip | Foreign::Tar | Foreign::SevenZip => Some("unpack it and open the log in it"),
            Foreign::Xz => Some("unpack it with `xz -d` and open what comes out"),
            Foreign::Bzip2 => Some("unpack it with `bzip2 -d` and open what comes out"),
            Foreign::Html => Some("where it was saved from a link, save the raw file that the link leads to"),
            Foreign::Empty => Some("a run that has only just started writes its first line when its first step begins"),
            Foreign::Blank | Foreign::Image | Foreign::Pdf | Foreign::ClaudeCode => None,
        }
    }

    /// Why it is not read, as a sentence without a full stop.
    pub fn reason(self) -> String {
        match self {
            Foreign::Empty => "the file is empty".to_owned(),
            Foreign::Blank => "the file is empty (nothing but white space), so there is no record in it".to_owned(),
            Foreign::ClaudeCode => format!("this looks like {}, which is not read yet", self.what()),
            _ => match self.advice() {
                Some(advice) => format!("this is {}, which is not read; {advice}", self.what()),
                None => format!("this is {}, which is not read", self.what()),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn told_by_the_first_bytes() {
        let mut tar = b"run.jsonl".to_vec();
        tar.resize(257, 0);
        tar.extend(b"ustar  \0");
        assert!(tar.len() <= Foreign::HEAD + 1);
        for (head, what) in [
            (&tar[..], Foreign::Tar),
            (b"SQLite format 3\0\x10\0", Foreign::Sqlite),
            (b"PK\x03\x04\x14\0", Foreign::Zip),
            (b"RIFF\x24\0\0\0WEBPVP8 ", Foreign::Image),
            (b"\x89PNG\r\n\x1a\n", Foreign::Image),
            (b"\n <!DOCTYPE HTML><html>", Foreign::Html),
            (b"%PDF-1.7", Foreign::Pdf),
        ] {
            assert_eq!(Foreign::of(head), Some(what));
        }
        for head in [&b""[..], b"{\"type\":\"text\"}", b"RIFF", b"<htm", b"notes"] {
            assert_eq!(Foreign::of(head), None);
        }
    }
}
