//! Small logs with round figures, and folders to keep them in.

// Each test program uses a part of it.
#![allow(dead_code)]

use flate2::Compression;
use flate2::write::GzEncoder;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use serde_json::{Value, json};
use std::fs;
use std::io::Write;
use std::path::Path;
use tempfile::TempDir;

/// The time at which every log here begins: 2026-01-03T12:56:40.000Z.
pub(crate) const START: i64 = 1_767_445_000_000;

/// A folder of the test's own, which goes when the test ends.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// The path of a file in it, whether it is there or not.
    pub(crate) fn at(&self, name: &str) -> String {
        self.path().join(name).display().to_string()
    }

    /// Writes a file, and the folders that it lies in.
    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        self.at(name)
    }

    /// The names of all that lies in it.
    pub(crate) fn names(&self) -> Vec<String> {
        let name = |entry: std::io::Result<fs::DirEntry>| entry.unwrap().file_name().into_string().unwrap();
        let mut names: Vec<String> = fs::read_dir(self.path()).unwrap().map(name).collect();
        names.sort();
        names
    }
}

/// A viewer in a few lines: what the commands that hand a run on put together.
pub(crate) fn viewer() -> Folder {
    let folder = Folder::new();
    folder.write("index.html", "<title>Steplens</title>");
    folder.write("single.html", "<!doctype html>\n<head><title>Steplens</title>\n<!--steplens-data--></head>\n");
    folder.write("app.js", "// the app");
    folder
}

/// A line of a step stream, so many milliseconds after the start.
pub(crate) fn line(ms: i64, session: &str, kind: &str, message: &str, part: Value) -> String {
    let mut part = part;
    let number = ms.abs() * 100 + kind.len() as i64;
    let fields = part.as_object_mut().unwrap();
    fields.entry("id").or_insert(json!(format!("prt_{session}{number:09}")));
    fields.insert("messageID".to_owned(), json!(message));
    fields.insert("sessionID".to_owned(), json!(session));
    json!({"type": kind, "timestamp": START + ms, "sessionID": session, "part": part}).to_string() + "\n"
}

pub(crate) fn step_start(ms: i64, session: &str, message: &str) -> String {
    line(ms, session, "step_start", message, json!({"type": "step-start"}))
}

/// The end of a step with 100 tokens in, 20 out, 10 of reasoning, 300 read from the cache and 5 written to it.
pub(crate) fn step_finish(ms: i64, session: &str, message: &str, reason: &str, cost: Option<f64>) -> String {
    let mut part = json!({
        "type": "step-finish", "reason": reason,
        "tokens": {"input": 100, "output": 20, "reasoning": 10, "cache": {"read": 300, "write": 5}},
    });
    if let Some(cost) = cost {
        part["cost"] = json!(cost);
    }
    line(ms, session, "step_finish", message, part)
}

/// A call that ran between two times.
pub(crate) fn call(times: (i64, i64), session: &str, message: &str, tool: &str, input: Value, status: &str) -> String {
    let (start, end) = times;
    let mut state = json!({
        "status": status, "input": input, "output": "done",
        "time": {"start": START + start, "end": START + end},
    });
    if status == "error" {
        state["error"] = json!("File not found");
    }
    let part = json!({"type": "tool", "tool": tool, "callID": format!("call_{start}"), "state": state});
    line(end, session, "tool_use", message, part)
}

/// A run of one step in 4 seconds: a read and a fetch, of which the fetch has no rule; it ends well and costs $0.03.
pub(crate) fn run(session: &str) -> String {
    run_at(0, session)
}

/// The same, later.
pub(crate) fn run_at(ms: i64, session: &str) -> String {
    let message = &format!("msg_of_{session}");
    let call = |start: i64, end: i64, tool: &str, input: Value| {
        call((ms + start, ms + end), session, message, tool, input, "completed")
    };
    [
        step_start(ms, session, message),
        call(100, 340, "read", json!({"filePath": "src/a.rs"})),
        call(200, 1200, "webfetch", json!({"url": "https://example.org/"})),
        step_finish(ms + 4000, session, message, "stop", Some(0.03)),
    ]
    .concat()
}

/// The document that `export` writes of a session with one step.
pub(crate) fn export(session: &str) -> Value {
    let time = |ms: i64| json!({"created": START + ms, "completed": START + ms + 1000});
    json!({
        "info": {"id": session, "title": "A title", "projectID": "p", "directory": "/w", "version": "1.1.65",
            "time": {"created": START, "updated": START + 4000}},
        "messages": [
            {
                "info": {"id": "msg_0", "sessionID": session, "role": "user", "time": {"created": START}},
                "parts": [{"id": "prt_0", "messageID": "msg_0", "sessionID": session, "type": "text", "text": "Fix it"}],
            },
            {
                "info": {"id": "msg_1", "sessionID": session, "role": "assistant", "parentID": "msg_0",
                    "providerID": "anthropic", "modelID": "claude-sonnet-4.5", "time": time(0), "cost": 0.03,
                    "tokens": {"input": 100, "output": 20, "reasoning": 10, "cache": {"read": 300, "write": 5}}},
                "parts": [
                    {"id": "prt_1", "messageID": "msg_1", "sessionID": session, "type": "step-start"},
                    {"id": "prt_2", "messageID": "msg_1", "sessionID": session, "type": "tool", "tool": "read",
                        "callID": "c1", "state": {"status": "completed", "input": {"filePath": "src/a.rs"},
                        "output": "x", "title": "a", "metadata": {}, "time": {"start": START + 100, "end": START + 340}}},
                    {"id": "prt_3", "messageID": "msg_1", "sessionID": session, "type": "step-finish", "reason": "stop",
                        "cost": 0.03, "tokens": {"input": 100, "output": 20, "reasoning": 10,
                        "cache": {"read": 300, "write": 5}}},
                ],
            },
        ],
    })
}

pub(crate) fn gzip(bytes: impl AsRef<[u8]>) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes.as_ref()).unwrap();
    encoder.finish().unwrap()
}

pub(crate) fn zstd(bytes: impl AsRef<[u8]>) -> Vec<u8> {
    compress_to_vec(bytes.as_ref(), CompressionLevel::Fastest)
}
