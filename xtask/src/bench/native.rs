//! The command line, timed: the best of several runs, and the most memory that one took.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::process::{Error, Result, Workspace};

/// What `jq` has to do: only the sum of the tokens.
const JQ: &str = "[inputs | .part.tokens | select(. != null) | .input + .output + .reasoning] | add";

/// How long a run took, and the most memory that it held, where the system tells.
#[derive(Debug, Clone, Copy)]
pub(super) struct Run {
    pub(super) seconds: f64,
    pub(super) peak_kib: Option<u64>,
}

/// `steplens summary LOG`.
pub(super) fn summary(workspace: &Workspace, log: &Path) -> Result<Run> {
    best(|| {
        let mut command = Command::new(crate::build::cli(workspace));
        command.arg("summary").arg(log);
        command
    })
}

/// `jq` on the same log; none where there is no `jq`.
pub(super) fn jq(workspace: &Workspace, log: &Path) -> Result<Option<Run>> {
    let Some(program) = workspace.which(&["jq"]) else { return Ok(None) };
    best(|| {
        let mut command = Command::new(&program);
        command.args(["-n", JQ]).arg(log);
        command
    })
    .map(Some)
}

/// Three runs: the first one also brings the file into the system's cache.
fn best(command: impl Fn() -> Command) -> Result<Run> {
    let mut best: Option<Run> = None;
    for _ in 0..3 {
        let run = timed(&mut command())?;
        let is_better = best.is_none_or(|best| run.seconds < best.seconds);
        if is_better {
            best = Some(run);
        }
    }
    best.ok_or_else(|| Error::new("nothing was timed"))
}

fn timed(command: &mut Command) -> Result<Run> {
    let name = command.get_program().to_string_lossy().into_owned();
    let start = Instant::now();
    let spawned = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let mut child = spawned.map_err(|error| Error::new(format!("cannot start `{name}`: {error}")))?;
    let status = format!("/proc/{}/status", child.id());
    // The kernel keeps the peak itself; it is read for as long as the process is there.
    let watch = thread::spawn(move || {
        let mut peak = None;
        while let Some(now) = fs::read_to_string(&status).ok().as_deref().and_then(peak_of) {
            peak = Some(now);
            thread::sleep(Duration::from_millis(2));
        }
        peak
    });
    let ended = child.wait().map_err(|error| Error::new(format!("`{name}` cannot be waited for: {error}")))?;
    let seconds = start.elapsed().as_secs_f64();
    if !ended.success() {
        return Err(Error::new(format!("`{name}` failed ({ended})")));
    }
    Ok(Run { seconds, peak_kib: watch.join().ok().flatten() })
}

fn peak_of(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}
