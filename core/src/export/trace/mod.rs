//! Sessions, steps and calls on a time line: a Chrome trace, which Perfetto opens.
//!
//! A session is a process; its steps are one thread, its calls another, with further threads where calls overlap: slices
//! of one thread must lie within each other or apart. Times are microseconds since the run's start. The format is that
//! of the "Trace Event Format" document, in its JSON object form.
//!
//! ```json
//! {"ph":"X","pid":1,"tid":101,"ts":1200000,"dur":340000,"name":"bash","cat":"call","args":{"line":3,"outcome":"ok"}}
//! ```

mod events;
mod lanes;

use crate::event::harmless;
use crate::run::Run;
use crate::summary::{SessionSummary, Summary};
use crate::time::TimeMs;
use events::{Gathered, TraceEvent};
use serde::Serialize;
use serde_json::{Value, json};
use std::io::{self, Write};

/// A trace that can be written.
#[derive(Debug)]
pub struct Trace<'s> {
    summary: &'s Summary,
    gathered: Gathered,
    origin: i64,
}

/// Nothing in the logs has a time, so that nothing can be put on a time line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("nothing in these logs has a time")]
pub struct NoTimes;

/// The trace of a run, of which `summary` is the summary.
///
/// # Errors
/// Nothing has a time.
pub fn trace<'s>(run: &Run, summary: &'s Summary) -> Result<Trace<'s>, NoTimes> {
    let gathered = events::gather(run, summary);
    let origin = gathered.events.iter().map(|event| event.start_ms).min().ok_or(NoTimes)?;
    Ok(Trace { summary, gathered, origin })
}

impl Trace<'_> {
    /// Steps and calls without a time, which are not in it.
    pub fn timeless(&self) -> usize {
        self.gathered.timeless
    }

    /// Writes it.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write(self, out: &mut dyn Write) -> io::Result<()> {
        write(out, self.summary, self.gathered, self.origin)
    }
}

/// One event a line, in order of time, behind what names the processes and threads.
fn write(out: &mut dyn Write, summary: &Summary, gathered: Gathered, origin: i64) -> io::Result<()> {
    let lanes = lanes::assign(gathered.events);
    writeln!(out, "{{\"displayTimeUnit\":\"ms\",")?;
    writeln!(out, "\"otherData\":{},", harmless(about(summary, origin).to_string()))?;
    write!(out, "\"traceEvents\":[")?;
    let mut separator = "\n";
    let mut each = |event: &Wire<'_>| {
        write!(out, "{separator}{}", harmless(serde_json::to_string(event)?))?;
        separator = ",\n";
        Ok::<(), io::Error>(())
    };
    for (pid, session) in (1..).zip(&summary.sessions).filter(|(pid, _)| lanes.has_process(*pid)) {
        for (name, args) in process(pid, session) {
            each(&Wire::metadata(pid, 0, name, &args))?;
        }
    }
    for thread in &lanes.names {
        for (name, args) in thread.metadata() {
            each(&Wire::metadata(thread.pid(), thread.tid(), name, &args))?;
        }
    }
    for (tid, event) in &lanes.events {
        each(&Wire::of(*tid, event, origin))?;
    }
    writeln!(out, "\n]}}")
}

/// What the trace is of.
fn about(summary: &Summary, origin: i64) -> Value {
    let files: Vec<&str> = summary.files.iter().map(|file| file.name.as_str()).collect();
    json!({
        "producer": format!("steplens {}", env!("CARGO_PKG_VERSION")),
        "startedAt": TimeMs(origin).to_rfc3339(),
        "files": files,
        "dialect": summary.dialect,
    })
}

/// Name, place and labels of a process.
fn process(pid: u32, session: &SessionSummary) -> [(&'static str, Value); 3] {
    let id = session.id.as_deref().unwrap_or("session without an id");
    let name = session.title.as_ref().map_or_else(|| id.to_owned(), |title| format!("{title} ({id})"));
    let mut labels = vec![session.verdict.state.name().to_owned()];
    labels.extend(session.model.clone());
    labels.extend(session.parent.as_ref().map(|parent| format!("child of {parent}")));
    [
        ("process_name", json!({ "name": name })),
        ("process_sort_index", json!({ "sort_index": pid })),
        ("process_labels", json!({ "labels": labels.join(", ") })),
    ]
}

/// The wire form of an event.
#[derive(Debug, Serialize)]
struct Wire<'a> {
    ph: &'static str,
    pid: u32,
    tid: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    ts: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dur: Option<u64>,
    /// How far an instant's mark reaches: over its process, or its thread.
    #[serde(skip_serializing_if = "Option::is_none")]
    s: Option<&'static str>,
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    cat: Option<&'static str>,
    args: &'a Value,
}

impl<'a> Wire<'a> {
    fn metadata(pid: u32, tid: u32, name: &'a str, args: &'a Value) -> Wire<'a> {
        Wire { ph: "M", pid, tid, ts: None, dur: None, s: None, name, cat: None, args }
    }

    fn of(tid: u32, event: &'a TraceEvent, origin: i64) -> Wire<'a> {
        let ph = event.phase();
        Wire {
            ph,
            pid: event.session + 1,
            tid,
            ts: Some((event.start_ms - origin) * 1000),
            dur: event.duration_ms.filter(|_| ph == "X").map(|ms| ms * 1000),
            s: (ph == "i").then_some(if event.category == "error" { "p" } else { "t" }),
            name: &event.name,
            cat: Some(event.category),
            args: &event.args,
        }
    }
}
