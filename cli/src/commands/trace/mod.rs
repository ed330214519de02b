//! `steplens trace`: sessions, steps and calls on a time line, as a Chrome trace that Perfetto opens.
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

use crate::args::{Common, Output};
use crate::error::Error;
use crate::input::{self, Pass};
use crate::{output, style};
use events::{Gathered, TraceEvent};
use serde_json::{Value, json};
use std::io::{self, Write};
use std::path::PathBuf;
use steplens_core::summary::Summary;
use steplens_core::time::TimeMs;

pub(crate) fn run(files: &[PathBuf], common: &Common, output: &Output) -> Result<(), Error> {
    output::check(output)?;
    let opened = input::open(files, common, Pass::Once)?;
    let summary = opened.summary();
    let gathered = events::gather(&opened.run, &summary);
    if gathered.timeless > 0 && !common.quiet {
        let (what, are) =
            if gathered.timeless == 1 { ("step or call has", "is") } else { ("steps or calls have", "are") };
        style::note(&format!("{} {what} no time, and {are} not in the trace", gathered.timeless));
    }
    let Some(origin) = gathered.events.iter().map(|event| event.start_ms).min() else { return Err(Error::NoTimes) };
    output::write_to(output, |out| Ok(write(out, &summary, gathered, origin)?))
}

/// One event a line, in order of time, behind what names the processes and threads.
fn write(out: &mut dyn Write, summary: &Summary, gathered: Gathered, origin: i64) -> io::Result<()> {
    let lanes = lanes::assign(gathered.events);
    writeln!(out, "{{\"displayTimeUnit\":\"ms\",")?;
    writeln!(out, "\"otherData\":{},", about(summary, origin))?;
    write!(out, "\"traceEvents\":[")?;
    let mut separator = "\n";
    let names = lanes.names.iter().map(|thread| thread.metadata()).flat_map(Vec::from);
    let events = lanes.events.iter().map(|(tid, event)| value(*tid, event, origin));
    for event in processes(summary).chain(names).chain(events) {
        write!(out, "{separator}{event}")?;
        separator = ",\n";
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

/// Names, order and labels of the processes.
fn processes(summary: &Summary) -> impl Iterator<Item = Value> + '_ {
    (1..).zip(&summary.sessions).flat_map(|(pid, session)| {
        let id = session.id.as_deref().unwrap_or("session without an id");
        let name = session.title.as_ref().map_or_else(|| id.to_owned(), |title| format!("{title} ({id})"));
        let metadata = |kind: &str, args: Value| json!({ "ph": "M", "pid": pid, "tid": 0, "name": kind, "args": args });
        let mut labels = vec![session.verdict.state.name().to_owned()];
        labels.extend(session.model.clone());
        labels.extend(session.parent.as_ref().map(|parent| format!("child of {parent}")));
        [
            metadata("process_name", json!({ "name": name })),
            metadata("process_sort_index", json!({ "sort_index": pid })),
            metadata("process_labels", json!({ "labels": labels.join(", ") })),
        ]
    })
}

fn value(tid: u32, event: &TraceEvent, origin: i64) -> Value {
    let phase = event.phase();
    let fields = json!({
        "ph": phase,
        "pid": event.session + 1,
        "tid": tid,
        "ts": (event.start_ms - origin) * 1000,
        "name": event.name,
        "cat": event.category,
        "args": event.args,
        "dur": event.duration_ms.filter(|_| phase == "X").map(|ms| ms * 1000),
        // How far an instant's mark reaches: over its process, or its thread.
        "s": (phase == "i").then_some(if event.category == "error" { "p" } else { "t" }),
    });
    match fields {
        Value::Object(fields) => fields.into_iter().filter(|(_, value)| !value.is_null()).collect(),
        other => other,
    }
}
