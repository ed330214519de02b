//! `cargo xtask bench`: measures side by side, in one run, and writes docs/benchmarks.md.
//!
//! Machines differ and ratios hold: each figure is one measurement over another of the same run. Nothing here is a
//! test: no check fails by a time.

mod input;
mod native;
mod report;

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::Path;
use std::process::Stdio;

use crate::process::{Error, Result, Workspace, step};
use crate::{browser, build, tools};
use report::{Report, Row};

/// What is measured, and on how much.
struct Plan {
    /// Lines of the log that is opened in the browser.
    page: u64,
    /// Lines of the logs that growth is measured over.
    growth: [u64; 3],
    builds: bool,
}

/// Measures all, prints the table, and writes it.
pub(crate) fn run(workspace: &Workspace, options: &[&str]) -> Result<()> {
    let mut plan = Plan { page: 120_000, growth: [10_000, 100_000, 1_000_000], builds: true };
    for option in options {
        match *option {
            "--quick" => (plan.page, plan.growth) = (24_000, [5_000, 20_000, 80_000]),
            "--no-build" => plan.builds = false,
            other => {
                return Err(Error::new(format!("bench: `{other}` isn't an option; there are --quick, --no-build")));
            }
        }
    }
    if plan.builds {
        build::all(workspace)?;
    }
    tools::ensure_npm(workspace)?;
    let chromium = browser::ensure_chromium(workspace)?;
    let folder = workspace.target().join("bench");
    let log = step("inputs", || {
        for lines in plan.growth {
            input::log(&folder, lines)?;
        }
        input::log(&folder, plan.page)
    })?;
    let mut report = Report::default();
    let figures = step("page", || page(workspace, &chromium, &log))?;
    rows_of_page(&mut report, &figures);
    step("command line", || command_line(workspace, &mut report, &plan, &folder, &log))?;
    report.inputs.push(format!("page and command line: {}", about(&log, plan.page)?));
    let machine = machine(workspace, figures.get("browser").map_or("", String::as_str));
    let text = report.markdown(&machine, plan.page != 120_000);
    let path = workspace.root.join("docs/benchmarks.md");
    fs::write(&path, &text).map_err(|error| Error::new(format!("cannot write {}: {error}", path.display())))?;
    println!("\n{text}\nWritten to {}.", path.display());
    Ok(())
}

type Figures = BTreeMap<String, String>;

/// Runs the script that drives the browser; the `NAME VALUE` lines that it prints.
fn page(workspace: &Workspace, chromium: &Path, log: &Path) -> Result<Figures> {
    let script = workspace.root.join("xtask/src/bench/browser.mjs");
    let mut command = workspace.command("node", &[]);
    command.arg(script).arg(build::dist(workspace)).arg(log).env("CHROMIUM", chromium);
    let output = command.stderr(Stdio::inherit()).output();
    let output = output.map_err(|error| Error::new(format!("cannot start node: {error}")))?;
    let text = String::from_utf8_lossy(&output.stdout);
    if !output.status.success() {
        return Err(Error::new(format!("the page could not be measured ({}); it said:\n{text}", output.status)));
    }
    Ok(text.lines().filter_map(|line| line.split_once(' ')).map(|(k, v)| (k.to_owned(), v.to_owned())).collect())
}

fn rows_of_page(report: &mut Report, figures: &Figures) {
    let number = |name: &str| figures.get(name).and_then(|text| text.parse::<f64>().ok());
    let over = |a: &str, b: &str| Some(number(a)? / number(b)?);
    let ms = |name: &str| number(name).map_or("–".to_owned(), |ms| format!("{ms:.0} ms"));
    let against = |a: &str, b: &str| format!("{} against {}", ms(a), ms(b));
    report.add(Row {
        what: "Normalization in the browser, one worker, against plain JavaScript that only sums up",
        measured: over("reference.ms", "load.ms").map(|ratio| format!("{ratio:.1} × as fast")),
        how: against("load.ms", "reference.ms"),
        bar: "≥ 2 ×",
        holds: over("reference.ms", "load.ms").map(|ratio| ratio >= 2.0),
    });
    let first = number("rows.ms").zip(number("load.ms"));
    report.add(Row {
        what: "First rows on screen, of the time of the whole load",
        measured: first.map(|(rows, load)| format!("1/{:.0}", load / rows)),
        how: against("rows.ms", "load.ms"),
        bar: "≤ 1/20 or 50 ms",
        holds: first.map(|(rows, load)| rows <= (load / 20.0).max(50.0)),
    });
    for (name, what) in [
        ("task.load.ms", "Longest main-thread task while loading and scrolling"),
        ("task.scroll.ms", "Longest main-thread task while scrolling from end to end"),
        ("task.jump.ms", "Longest main-thread task while jumping by key"),
        ("task.filter.ms", "Longest main-thread task while filtering"),
        ("task.search.ms", "Longest main-thread task while searching"),
        ("task.again.ms", "Longest main-thread task while the log is mapped again"),
    ] {
        let told = |ms: f64| if ms == 0.0 { "none over 50 ms".to_owned() } else { format!("{ms:.0} ms") };
        let how = "tasks of 50 ms and more are reported by the browser".to_owned();
        let holds = number(name).map(|ms| ms <= 50.0);
        report.add(Row { what, measured: number(name).map(told), how, bar: "≤ 50 ms", holds });
    }
    report.add(Row {
        what: "Elements in the page, at most",
        measured: number("nodes").map(|nodes| format!("{nodes:.0}")),
        how: format!("{} rows in the list", figures.get("rows").map_or("–", String::as_str)),
        bar: "≤ 2,000",
        holds: number("nodes").map(|nodes| nodes <= 2000.0),
    });
    for (name, what) in [
        ("search.rare.ms", "Search for a text that is nowhere, against only reading the file"),
        ("search.common.ms", "Search for a text whose words are everywhere, against only reading the file"),
    ] {
        report.add(Row {
            what,
            measured: over("read.ms", name).map(|ratio| format!("{ratio:.2} of its speed")),
            how: format!("{}, the pause after the last key (80 ms) among it", against(name, "read.ms")),
            bar: "≥ 0.7",
            holds: over("read.ms", name).map(|ratio| ratio >= 0.7),
        });
    }
    report.add(Row {
        what: "Mapping again after an edit of the rules, of the time of the whole load",
        measured: over("again.ms", "load.ms").map(|ratio| format!("{ratio:.2} ×")),
        how: format!("{}, the pause after the last key (350 ms) among it", against("again.ms", "load.ms")),
        bar: "≤ 1.2 ×",
        holds: over("again.ms", "load.ms").map(|ratio| ratio <= 1.2),
    });
    report.add(Row {
        what: "Memory of the worker's wasm, at most, with one search",
        measured: number("memory.bytes").map(|bytes| format!("{:.0} MB", bytes / 1e6)),
        how: "it never shrinks; the bar is for a log of 1 GB".to_owned(),
        bar: "≤ 200 MB",
        holds: number("memory.bytes").map(|bytes| bytes <= 200e6),
    });
    let parts = figures.iter().filter_map(|(name, size)| Some((name.strip_prefix("download.")?, size)));
    let parts = parts.filter(|(name, _)| *name != "all");
    let kb = |size: &str| size.parse::<f64>().map_or("–".to_owned(), |bytes| format!("{:.0} kB", bytes / 1000.0));
    report.add(Row {
        what: "Download, each file by gzip -9",
        measured: figures.get("download.all").map(|size| kb(size)),
        how: parts.map(|(name, size)| format!("{name} {}", kb(size))).collect::<Vec<_>>().join(", ")
            + "; the prices are in the worker",
        bar: "≤ 450 kB",
        holds: number("download.all").map(|bytes| bytes <= 450_000.0),
    });
}

fn command_line(workspace: &Workspace, report: &mut Report, plan: &Plan, folder: &Path, log: &Path) -> Result<()> {
    let own = native::summary(workspace, log)?;
    let jq = native::jq(workspace, log)?;
    report.add(Row {
        what: "Command line, one thread, against jq that only sums up the tokens",
        measured: jq.map(|jq| format!("{:.1} × as fast", jq.seconds / own.seconds)),
        how: match jq {
            Some(jq) => format!("{:.2} s against {:.2} s", own.seconds, jq.seconds),
            None => format!("{:.2} s; there is no jq on this machine", own.seconds),
        },
        bar: "≥ 6 ×",
        holds: jq.map(|jq| jq.seconds / own.seconds >= 6.0),
    });
    let mut runs = Vec::new();
    for lines in plan.growth {
        let log = input::log(folder, lines)?;
        report.inputs.push(format!("growth: {}", about(&log, lines)?));
        runs.push((lines, native::summary(workspace, &log)?));
    }
    let per_line = |(lines, run): &(u64, native::Run)| run.seconds / *lines as f64;
    let told = |(lines, run): &(u64, native::Run)| {
        let memory = run.peak_kib.map_or(String::new(), |kib| format!(" and {} MB", kib / 1000));
        format!("{lines} lines: {:.2} s{memory}", run.seconds)
    };
    // From the middle to the last, where the program's start no longer counts.
    let growth = runs.get(1).zip(runs.get(2)).map(|(middle, last)| per_line(last) / per_line(middle));
    report.add(Row {
        what: "Command line, time for a line in the longest log against one a tenth (quick: a quarter) as long",
        measured: growth.map(|growth| format!("{growth:.2} ×")),
        how: runs.iter().map(told).collect::<Vec<_>>().join("; "),
        bar: "≤ 1.1 ×",
        holds: growth.map(|growth| growth <= 1.1),
    });
    Ok(())
}

fn about(log: &Path, lines: u64) -> Result<String> {
    let size = fs::metadata(log).map_err(|error| Error::new(format!("cannot read {}: {error}", log.display())))?.len();
    Ok(format!("{lines} lines, {:.0} MB", size as f64 / 1e6))
}

/// What it was measured on, without names of the machine.
fn machine(workspace: &Workspace, browser: &str) -> Vec<String> {
    let cpu = fs::read_to_string("/proc/cpuinfo").ok().and_then(|text| {
        let line = text.lines().find_map(|line| line.strip_prefix("model name"))?;
        Some(line.trim_start_matches([' ', '\t', ':']).to_owned())
    });
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let version = |program: &str| workspace.ask(program, &["--version"]).unwrap_or_else(|| format!("no {program}"));
    vec![
        format!("{} cores, {}, {}", cores, cpu.as_deref().unwrap_or("unknown processor"), env::consts::OS),
        version("rustc"),
        format!("Chromium {browser}"),
        version("jq"),
    ]
}
