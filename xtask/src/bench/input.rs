//! The logs that are measured: step streams of one session, the same bytes on every machine.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::process::{Error, Result};

const WORDS: [&str; 24] = [
    "fn",
    "let",
    "parse",
    "the",
    "event",
    "token",
    "self",
    "return",
    "if",
    "match",
    "Ok",
    "Err",
    "line",
    "serde",
    "value",
    "String",
    "\\n",
    "    ",
    "{",
    "}",
    "(",
    ")",
    ";",
    "error: expected `;`",
];
const TOOLS: [&str; 9] = ["read", "bash", "edit", "grep", "glob", "write", "task", "todowrite", "webfetch"];

/// A log of so many lines (about 1.5 kB each) in a folder; made once.
pub(super) fn log(folder: &Path, lines: u64) -> Result<PathBuf> {
    let path = folder.join(format!("{lines}.jsonl"));
    if path.is_file() {
        return Ok(path);
    }
    let failed = |error: io::Error| Error::new(format!("cannot write {}: {error}", path.display()));
    fs::create_dir_all(folder).map_err(failed)?;
    // Under another name until it is whole.
    let partial = path.with_extension("partial");
    write(File::create(&partial).map_err(failed)?, lines).map_err(failed)?;
    fs::rename(&partial, &path).map_err(failed)?;
    Ok(path)
}

/// A small generator of numbers (xorshift), so that the bytes are the same everywhere.
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        let place = self.below(of.len() as u64) as usize;
        of.get(place).copied().unwrap_or_default()
    }

    fn prose(&mut self, words: u64) -> String {
        (0..words).map(|_| self.one(&WORDS)).collect::<Vec<_>>().join(" ")
    }
}

struct Writer {
    out: BufWriter<File>,
    line: u64,
    lines: u64,
    time: u64,
    message: u64,
}

impl Writer {
    fn put(&mut self, name: &str, part: &str) -> io::Result<()> {
        if self.line == self.lines {
            return Ok(());
        }
        let (line, message) = (self.line, self.message);
        self.line += 1;
        writeln!(
            self.out,
            r#"{{"type":"{name}","timestamp":{},"sessionID":"ses_bench","part":{{"id":"prt_{line:08}","sessionID":"ses_bench","messageID":"msg_{message:08}",{part}}}}}"#,
            self.time
        )
    }
}

fn write(file: File, lines: u64) -> io::Result<()> {
    let mut chance = Chance(0x5EED_1E55);
    let mut out = Writer { out: BufWriter::new(file), line: 0, lines, time: 1_767_445_000_000, message: 0 };
    while out.line < lines {
        out.time += 50 + chance.below(4000);
        out.message = out.line;
        out.put("step_start", r#""type":"step-start","snapshot":"0123456789abcdef0123456789abcdef01234567""#)?;
        for name in ["reasoning", "text"] {
            if chance.below(10) < 5 {
                let (prose, time) = (chance.prose(70), out.time);
                let part =
                    format!(r#""type":"{name}","text":"{prose}","time":{{"start":{time},"end":{}}}"#, time + 100);
                out.put(name, &part)?;
            }
        }
        for _ in 0..chance.below(4) {
            let part = call(&mut chance, out.line, out.time);
            out.put("tool_use", &part)?;
        }
        let part = format!(
            r#""type":"step-finish","reason":"tool-calls","snapshot":"0123456789abcdef0123456789abcdef01234567","cost":0.0{:04},"tokens":{{"input":{},"output":{},"reasoning":{},"cache":{{"read":{},"write":{}}}}}"#,
            chance.below(10_000),
            chance.below(9_000),
            chance.below(900),
            chance.below(400),
            chance.below(90_000),
            chance.below(2_000)
        );
        out.put("step_finish", &part)?;
    }
    out.out.flush()
}

fn call(chance: &mut Chance, line: u64, time: u64) -> String {
    let tool = chance.one(&TOOLS);
    let input = match tool {
        "read" | "edit" | "write" => format!(r#"{{"filePath":"/w/src/{}.rs","offset":10}}"#, chance.one(&WORDS[..12])),
        "bash" => format!(r#"{{"command":"cargo test -p {}"}}"#, chance.prose(4)),
        "grep" | "glob" => format!(r#"{{"pattern":"{}","path":"/w"}}"#, chance.prose(2)),
        _ => format!(r#"{{"query":"{}"}}"#, chance.prose(4)),
    };
    let status = if chance.below(10) == 0 { "error" } else { "completed" };
    let words = [20, 200, 1500].get(chance.below(3) as usize).copied().unwrap_or(20);
    let (output, copy) = (chance.prose(words), chance.prose(100));
    let end = time + 5 + chance.below(9_000);
    format!(
        r#""type":"tool","callID":"call_{line:08}","tool":"{tool}","state":{{"status":"{status}","input":{input},"output":"{output}","title":"x","metadata":{{"output":"{copy}","exit":0}},"time":{{"start":{time},"end":{end}}}}}"#
    )
}
